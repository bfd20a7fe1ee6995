/* SPDX-License-Identifier: MIT
 *
 * An estimate as CSV, and the line that says what it rests on.
 *
 * Columns, one row per plan; new ones are only added at the end: pipeline, plan, target, device,
 *   math_mode, l2_state, shape, notation, executed, can_run, n_kernels, modelled_bytes,
 *   modelled_flop, full_rate_ns, floor_ns (of the plan); then of the problem, the same in every
 *   row: fewest_bytes, memory_ns, flop, compute_ns, problem_floor_ns, limit ("memory",
 *   "arithmetic"), unfused_bytes, unfused_full_rate_ns, most_gain_bytes (a ratio), most_gain_time
 *   (empty: nothing bounds how slow the unfused kernels are),
 *   bytes_per_s, flop_per_s, cache_bytes, rates_source, preset, driver, libraries, program_version,
 *   storage; of the plan: guess_ns, guess_low_ns, guess_high_ns (app/explain/guess.h; 9 of 10
 *   measurements lie between the last two), guess_reason (a sentence), execution_bytes.
 */
#include "app/runner/runner.h"

#include "app/version.h"

#include <math.h>

/* The groups of a plan with the implementation of each: "conv@cudnn|conv_bias+bias@generated". */
static char *
describe_executed (const SeamPlan *plan, const SeamPlanEstimate *estimate)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < plan->n_groups; i++) {
    if (i > 0)
      g_string_append_c (text, '|');
    for (int op = plan->groups[i].first; op <= plan->groups[i].last; op++)
      g_string_append_printf (text, "%s%s", op > plan->groups[i].first ? "+" : "",
                              chain->ops[op].name);
    if (i < estimate->n_groups && estimate->groups[i].executed != NULL)
      g_string_append_printf (text, "@%s", estimate->groups[i].executed);
  }
  return g_string_free (text, FALSE);
}

/* Data that rows need beside their records. */
typedef struct {
  const SeamRunRequest *request;
  const SeamProblem *problem;
} Asked;

SEAM_COMPUTE (compute_pipeline, text, ((const Asked *)path->data)->problem->pipeline->id)

static void
compute_plan (const SeamPath *path, SeamValue *value)
{
  const SeamPlanEstimate *plan = path->record;

  seam_value_set_text (value, plan->name != NULL ? plan->name : plan->notation);
}

static void
compute_shape (const SeamPath *path, SeamValue *value)
{
  g_autofree char *shape = seam_problem_format_shape (((const Asked *)path->data)->problem);

  seam_value_set_text (value, shape);
}

static void
compute_executed (const SeamPath *path, SeamValue *value)
{
  const SeamPlanEstimate *plan = path->record;
  SeamPipeline *pipeline = ((const Asked *)path->data)->problem->pipeline;
  g_autoptr (SeamPlan) parsed = seam_plan_parse (pipeline, plan->notation, NULL);
  g_autofree char *executed = parsed != NULL ? describe_executed (parsed, plan) : NULL;

  seam_value_set_text (value, executed);
}

static void
compute_limit (const SeamPath *path, SeamValue *value)
{
  const SeamFloor *floor = &((const SeamEstimate *)path->outer->record)->ceiling.floor;

  seam_value_set_text (value, isnan (floor->floor_ns) ? NULL
                              : floor->memory_bound   ? "memory"
                                                      : "arithmetic");
}

/* A column that is always empty; it stays because columns are never removed. */
SEAM_COMPUTE (compute_nothing, text, NULL)
SEAM_COMPUTE (compute_preset, text, ((const Asked *)path->data)->request->preset)
SEAM_COMPUTE (compute_program_version, text, seam_version ())

static const SeamField computed[] = {
  SEAM_COMPUTED ("pipeline", compute_pipeline),
  SEAM_COMPUTED ("plan", compute_plan),
  SEAM_COMPUTED ("shape", compute_shape),
  SEAM_COMPUTED ("executed", compute_executed),
  SEAM_COMPUTED ("limit", compute_limit),
  SEAM_COMPUTED ("most_gain_time", compute_nothing),
  SEAM_COMPUTED ("preset", compute_preset),
  SEAM_COMPUTED ("program_version", compute_program_version),
  { NULL },
};

static const SeamView plans_view = {
  .header = "pipeline,plan,target,device,math_mode,l2_state,shape,notation,executed,can_run,"
            "n_kernels,modelled_bytes,modelled_flop,full_rate_ns,floor_ns,fewest_bytes,memory_ns,"
            "flop,compute_ns,problem_floor_ns,limit,unfused_bytes,unfused_full_rate_ns,"
            "most_gain_bytes,most_gain_time,bytes_per_s,flop_per_s,cache_bytes,rates_source,preset,"
            "driver,libraries,program_version,storage,guess_ns,guess_low_ns,guess_high_ns,"
            "guess_reason,execution_bytes",
  .computed = computed,
};

char *
seam_estimate_to_rows (const SeamEstimate *estimate, const SeamRunRequest *request,
                       const SeamDeviceInfo *info, const SeamProblem *problem,
                       SeamRowsFormat format)
{
  Asked asked = { request, problem };
  SeamPath chosen = { .type = &seam_settings_type, .record = &request->settings };
  SeamPath target = { .type = &seam_device_info_type, .record = info, .outer = &chosen };
  SeamPath whole = { .type = &seam_estimate_type, .record = estimate, .outer = &target };
  SeamPath plan = { .type = &seam_plan_estimate_type, .outer = &whole, .data = &asked };
  SeamViewWriter *writer = seam_view_open_as (&plans_view, &plan, format);

  for (plan.index = 0; plan.index < estimate->n_plans; plan.index++) {
    plan.record = &estimate->plans[plan.index];
    seam_view_add_row (writer, &plan);
  }
  return seam_view_close (writer);
}

char *
seam_estimate_get_provenance (const SeamRunRequest *request, const SeamDeviceInfo *info,
                              const SeamProblem *problem)
{
  GString *line = g_string_new (seam_device_info_get_name (info));
  g_autofree char *shape = seam_problem_describe_shape (problem);
  g_autofree char *work =
      seam_settings_describe (&request->settings, SEAM_CONCERN_CODE | SEAM_CONCERN_CACHE, " · ");

  if (info->driver != NULL)
    g_string_append_printf (line, " · driver %s", info->driver);
  if (info->libraries != NULL)
    g_string_append_printf (line, " · %s", info->libraries);
  g_string_append_printf (line, " · %s · %s · %s · modelled, nothing was run · Seamscope %s",
                          problem->pipeline->id, shape, work, seam_version ());
  return g_string_free (line, FALSE);
}
