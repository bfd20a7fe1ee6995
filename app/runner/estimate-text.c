/* SPDX-License-Identifier: MIT
 *
 * An estimate as CSV, and the line that says what it rests on.
 *
 * Columns, one row a plan; they are only ever added to, at the end: pipeline, plan, target, device,
 *   math_mode, l2_state, shape, notation, executed, can_run, n_kernels, modelled_bytes,
 *   modelled_flop, full_rate_ns, floor_ns (of the plan); then of the problem, the same in every
 *   row: fewest_bytes, memory_ns, flop, compute_ns, problem_floor_ns, limit ("memory",
 *   "arithmetic"), unfused_bytes, unfused_full_rate_ns, most_gain_bytes, most_gain_time (ratios),
 *   bytes_per_s, flop_per_s, cache_bytes, rates_source, preset, driver, libraries, program_version,
 * storage.
 */
#include "app/runner/run.h"

#include "app/base/csv-text.h"
#include "app/version.h"

#include <math.h>

/* Its groups with who would run them: "conv@cudnn|conv_bias+bias@generated". */
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

static void
add_problem (GString *csv, const SeamRunRequest *request, const SeamDeviceInfo *info,
             const SeamEstimate *estimate)
{
  const SeamCeiling *ceiling = &estimate->ceiling;

  seam_csv_add_number (csv, ceiling->floor.bytes);
  seam_csv_add_number (csv, ceiling->memory_ns);
  seam_csv_add_number (csv, ceiling->floor.flop);
  seam_csv_add_number (csv, ceiling->compute_ns);
  seam_csv_add_number (csv, ceiling->floor.floor_ns);
  seam_csv_add_text (csv, isnan (ceiling->floor.floor_ns) ? NULL
                          : ceiling->floor.memory_bound   ? "memory"
                                                          : "arithmetic");
  seam_csv_add_number (csv, ceiling->unfused_bytes);
  seam_csv_add_number (csv, ceiling->unfused_ns);
  seam_csv_add_number (csv, ceiling->gain_bytes);
  seam_csv_add_number (csv, ceiling->gain_time);
  seam_csv_add_number (csv, estimate->rates.bytes_per_s > 0 ? estimate->rates.bytes_per_s : NAN);
  seam_csv_add_number (csv, estimate->rates.flop_per_s > 0 ? estimate->rates.flop_per_s : NAN);
  seam_csv_add_number (csv, estimate->rates.cache_bytes > 0 ? estimate->rates.cache_bytes : NAN);
  seam_csv_add_text (csv, estimate->floor_source);
  seam_csv_add_text (csv, request->preset);
  seam_csv_add_text (csv, info->driver);
  seam_csv_add_text (csv, info->libraries);
  seam_csv_add_text (csv, seam_version ());
  seam_csv_add_text (csv, seam_choice_get_name (seam_storages, request->settings.storage));
}

char *
seam_estimate_to_csv (const SeamEstimate *estimate, const SeamRunRequest *request,
                      const SeamDeviceInfo *info, const SeamProblem *problem)
{
  static const char *const names[] = { "pipeline",
                                       "plan",
                                       "target",
                                       "device",
                                       "math_mode",
                                       "l2_state",
                                       "shape",
                                       "notation",
                                       "executed",
                                       "can_run",
                                       "n_kernels",
                                       "modelled_bytes",
                                       "modelled_flop",
                                       "full_rate_ns",
                                       "floor_ns",
                                       "fewest_bytes",
                                       "memory_ns",
                                       "flop",
                                       "compute_ns",
                                       "problem_floor_ns",
                                       "limit",
                                       "unfused_bytes",
                                       "unfused_full_rate_ns",
                                       "most_gain_bytes",
                                       "most_gain_time",
                                       "bytes_per_s",
                                       "flop_per_s",
                                       "cache_bytes",
                                       "rates_source",
                                       "preset",
                                       "driver",
                                       "libraries",
                                       "program_version",
                                       "storage",
                                       NULL };
  GString *csv = g_string_new (NULL);
  g_autofree char *shape = seam_problem_format_shape (problem);

  seam_csv_add_header (csv, names);
  for (int i = 0; i < estimate->n_plans; i++) {
    const SeamPlanEstimate *plan = &estimate->plans[i];
    g_autoptr (SeamPlan) parsed = seam_plan_parse (problem->pipeline, plan->notation, NULL);
    g_autofree char *executed = parsed != NULL ? describe_executed (parsed, plan) : NULL;

    seam_csv_add_text (csv, problem->pipeline->id);
    seam_csv_add_text (csv, plan->name != NULL ? plan->name : plan->notation);
    seam_csv_add_text (csv, info->id);
    seam_csv_add_text (csv, info->name);
    seam_csv_add_text (csv, seam_math_mode_get_name (request->settings.math_mode));
    seam_csv_add_text (csv, request->settings.cold ? "cold" : "warm");
    seam_csv_add_text (csv, shape);
    seam_csv_add_text (csv, plan->notation);
    seam_csv_add_text (csv, executed);
    seam_csv_add_boolean (csv, plan->can_run);
    seam_csv_add_known (csv, plan->n_kernels, plan->n_kernels >= 0);
    seam_csv_add_number (csv, plan->bytes);
    seam_csv_add_number (csv, plan->flop);
    seam_csv_add_number (csv, plan->full_rate_ns);
    seam_csv_add_number (csv, plan->floor_ns);
    add_problem (csv, request, info, estimate);
    seam_csv_end_row (csv);
  }
  return g_string_free (csv, FALSE);
}

char *
seam_estimate_get_provenance (const SeamRunRequest *request, const SeamDeviceInfo *info,
                              const SeamProblem *problem)
{
  GString *line = g_string_new (info->name != NULL ? info->name : info->id);
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
