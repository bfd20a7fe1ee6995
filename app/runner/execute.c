/* SPDX-License-Identifier: MIT
 *
 * A run, step by step: allocate, reference, check, measure, check again. A plan that cannot run or
 * fails is an answer and the others go on; only a lost device, a bad request or Stop before the
 * first sample ends the run.
 */
#include "app/runner/run-private.h"

#include "app/compare/compare.h"
#include "app/version.h"

#include <math.h>
#include <string.h>

#define OVERVIEW_SIDE 512
/* Width of a plan's interval, relative to its median, at which it needs no more samples, and traced
 * executions of a plan (design, "Measuring"). */
#define INTERVAL_GOAL 0.005
#define N_TRACES      10

typedef struct {
  SeamRunner *runner;
  const SeamRunRequest *request;
  SeamMathMode mode;
  SeamCancel *cancel;
  SeamProgressFunc progress;
  gpointer progress_data;
  SeamProgress state;
  SeamResult *result;
  int reference; /* index of the trusted plan; -1: FP64 */
  double atol, rtol;
  int *measured; /* the run's plan of each measured one */
} Run;

static void
report (Run *run)
{
  if (run->progress != NULL)
    run->progress (&run->state, run->progress_data);
}

static void
begin_step (Run *run, SeamStep step)
{
  run->state.step = step;
  run->state.fraction = 0;
  run->state.plan = -1;
  run->state.bytes_allocated = run->runner->bytes_held;
  report (run);
}

static void
fraction_cb (double fraction, gpointer data)
{
  Run *run = data;

  run->state.fraction = fraction;
  run->state.bytes_allocated = run->runner->bytes_held;
  report (run);
}

/* measure/ counts the plans that it is given; the person's list has those that could not run, too.
 */
static void
measure_progress_cb (const SeamProgress *progress, gpointer data)
{
  Run *run = data;
  SeamProgress mapped = *progress;
  g_autofree int *plans = g_new (int, MAX (progress->n_new, 1));

  if (progress->plan >= 0)
    mapped.plan = run->measured[progress->plan];
  for (int i = 0; i < progress->n_new; i++)
    plans[i] = run->measured[progress->new_plans[i]];
  mapped.new_plans = plans;
  if (run->progress != NULL)
    run->progress (&mapped, run->progress_data);
}

static void
add_message (SeamPlanResult *plan, const char *message)
{
  char *joined =
      plan->message != NULL ? g_strconcat (plan->message, " ", message, NULL) : g_strdup (message);

  g_free (plan->message);
  plan->message = joined;
}

/* --- before anything is allocated --- */

static gboolean
add_plan (Run *run, const char *text, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamRunnerPlan plan = { 0 };

  if (!seam_resolve (runner->device, runner->problem, run->mode, text, &plan.resolved, error))
    return FALSE;
  seam_memory_place (plan.resolved.plan, &plan.placement);
  runner->plans[runner->n_plans++] = plan;
  return TRUE;
}

/* Resolves the plans, and the trusted side: the first plan, one of the list, FP64, or a plan that
 * nobody listed, which is then measured with the others. */
static gboolean
add_plans (Run *run, GError **error)
{
  SeamRunner *runner = run->runner;
  const char *against = run->request->against;
  guint n = g_strv_length (run->request->plans);

  runner->plans = g_new0 (SeamRunnerPlan, n + 1);
  for (guint i = 0; i < n; i++)
    if (!add_plan (run, run->request->plans[i], error))
      return FALSE;
  if (against == NULL || against[0] == '\0')
    return TRUE;
  if (g_ascii_strcasecmp (against, "fp64") == 0) {
    run->reference = -1;
    return TRUE;
  }
  if (!add_plan (run, against, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (seam_plan_equal (runner->plans[i].resolved.plan, runner->plans[n].resolved.plan)) {
      run->reference = (int)i;
      seam_resolved_clear (&runner->plans[--runner->n_plans].resolved);
      return TRUE;
    }
  run->reference = (int)n;
  return TRUE;
}

static gboolean
check_memory (Run *run, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamDevice *device = runner->device;
  SeamPlan *plans[SEAM_RUN_MAX_PLANS + 1];
  int n = 0;

  for (int i = 0; i < runner->n_plans; i++)
    if (runner->plans[i].resolved.can_run)
      plans[n++] = runner->plans[i].resolved.plan;
  return seam_memory_check (runner->problem, plans, n, device->info, run->request->cold,
                            run->reference < 0, (double)device->backend->get_free_memory (device),
                            error);
}

static void
describe_plan (Run *run, int index)
{
  const SeamResolved *resolved = &run->runner->plans[index].resolved;
  SeamPlanResult *plan = &run->result->plans[index];
  SeamPlanCost cost;

  seam_plan_cost (run->runner->problem, resolved->plan, &cost);
  plan->name = g_strdup (resolved->name);
  plan->notation = g_strdup (resolved->plan->notation);
  plan->exhibit = resolved->plan->chain > 0;
  plan->message = g_strdup (resolved->message);
  plan->n_groups = resolved->plan->n_groups;
  plan->bytes = cost.bytes;
  plan->flop = cost.flop;
}

static gboolean
has_groupnorm (const SeamPipeline *pipeline)
{
  for (int i = 0; i < pipeline->chains[0].n_ops; i++)
    if (pipeline->chains[0].ops[i].type == SEAM_OP_GROUPNORM)
      return TRUE;
  return FALSE;
}

static void
choose_tolerances (Run *run)
{
  const SeamDims *dims = &run->runner->problem->dims;
  gboolean norm = has_groupnorm (run->runner->problem->pipeline);
  double atol, rtol;

  seam_tolerance_get_default (seam_math_mode_get_name (run->mode), dims->c * dims->r * dims->r,
                              norm, &atol, &rtol);
  if (norm) {
    double gain = seam_tolerance_get_group_gain (dims->n * dims->groups,
                                                 dims->k / dims->groups * dims->p * dims->q);
    atol *= gain;
    rtol *= gain;
  }
  run->atol = isnan (run->request->atol) ? atol : run->request->atol;
  run->rtol = isnan (run->request->rtol) ? rtol : run->request->rtol;
}

static const char *
get_preset_name (const SeamRunRequest *request)
{
  const SeamPipeline *pipeline = request->pipeline;

  /* Believed only where the values are the preset's. */
  for (int i = 0; i < pipeline->n_presets; i++)
    if (memcmp (pipeline->presets[i].values, request->values,
                sizeof (gint64) * (gsize)pipeline->n_fields)
        == 0)
      return pipeline->presets[i].name;
  return NULL;
}

static void
describe_run (Run *run)
{
  const SeamRunRequest *request = run->request;
  SeamRunner *runner = run->runner;
  SeamResult *result = run->result = seam_result_new (runner->n_plans);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  SeamFloor floor;

  result->pipeline_id = g_strdup (request->pipeline->id);
  result->pipeline_text = g_strdup (request->pipeline->text);
  result->shape = seam_problem_format_shape (runner->problem);
  result->shape_text = seam_problem_describe_shape (runner->problem);
  result->n_values = request->pipeline->n_fields;
  result->values = g_memdup2 (request->values, sizeof (gint64) * (gsize)result->n_values);
  result->preset = g_strdup (get_preset_name (request));
  result->seed = request->seed;
  result->distribution = g_strdup (
      request->tensors_dir != NULL ? "files" : seam_run_distribution_name (request->distribution));
  result->math_mode = g_strdup (seam_math_mode_get_name (run->mode));
  result->cold = request->cold;
  result->budget_s = request->budget_s;
  result->atol = run->atol;
  result->rtol = run->rtol;
  result->device = seam_device_info_copy (runner->device->info);
  result->device->memory_free = runner->device->backend->get_free_memory (runner->device);
  result->program_version = g_strdup (seam_version ());
  result->started_at = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  result->reference = run->reference;
  seam_run_get_floor (runner->device, runner->problem, run->mode, &floor);
  result->floor_ns = floor.floor_ns;
  result->floor_memory_bound = floor.memory_bound;
  for (int i = 0; i < runner->n_plans; i++)
    describe_plan (run, i);
  if (run->mode != request->math_mode)
    add_message (&result->plans[0], "The CPU has no TF32: everything was computed in FP32.");
}

/* --- allocation --- */

/* What the failure of one plan means: TRUE, it is out and the others go on; FALSE, the run ends
 * (Stop, or the device is lost), and `error` is set. Takes the failure. */
static gboolean
fail_plan (Run *run, int index, GError *failure, GError **error)
{
  SeamPlanResult *plan = &run->result->plans[index];

  run->runner->plans[index].has_output = FALSE;
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  add_message (plan, failure->message);
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_DEVICE)) {
    plan->state = SEAM_PLAN_FAULTED;
    g_propagate_error (error, failure);
    return FALSE;
  }
  plan->state = SEAM_PLAN_NOT_MEASURED;
  run->runner->plans[index].resolved.can_run = FALSE;
  g_error_free (failure);
  return TRUE;
}

/* "conv@cudnn|conv_bias+relu@generated": what executes each group. */
static char *
format_executed (const SeamRunnerPlan *plan, const SeamBackend *backend)
{
  const SeamChain *chain = seam_plan_get_chain (plan->resolved.plan);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < plan->n_prepared; i++) {
    const SeamGroup *group = &plan->resolved.plan->groups[i];
    for (int op = group->first; op <= group->last; op++)
      g_string_append_printf (text, "%s%s",
                              op > group->first ? "+"
                              : i > 0           ? "|"
                                                : "",
                              chain->ops[op].name);
    g_string_append_printf (text, "@%s", backend->get_executed (plan->prepared[i]));
  }
  return g_string_free (text, FALSE);
}

static gboolean
prepare_plan (Run *run, int index, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamRunnerPlan *plan = &runner->plans[index];
  const SeamProblem *problem = runner->problem;
  SeamBuffer *tensors[SEAM_MAX_TENSORS] = { NULL };
  int n_ops = problem->pipeline->chains[0].n_ops;

  plan->output =
      seam_runner_allocate (runner, problem->tensors[SEAM_TENSOR_OUTPUT (n_ops - 1)].bytes, error);
  if (plan->output == NULL)
    return FALSE;
  for (int i = 0; i < problem->n_tensors; i++) {
    int slot = plan->placement.slots[i];
    tensors[i] = slot == SEAM_SLOT_OUTPUT ? plan->output
                 : slot >= 0              ? runner->slots[slot]
                                          : runner->tensors[i];
  }
  for (int group = 0; group < plan->resolved.plan->n_groups; group++) {
    SeamGroupSpec spec = { problem, plan->resolved.plan, group, run->mode };
    if (seam_cancel_check (run->cancel, error))
      return FALSE;
    plan->prepared[group] =
        runner->device->backend->prepare (runner->device, &spec, tensors, run->cancel, error);
    if (plan->prepared[group] == NULL)
      return FALSE;
    plan->n_prepared++;
  }
  run->result->plans[index].executed = format_executed (plan, runner->device->backend);
  return TRUE;
}

static gboolean
allocate (Run *run, GError **error)
{
  SeamRunner *runner = run->runner;
  gint64 slot_bytes = runner->problem->tensors[SEAM_TENSOR_OUTPUT (0)].bytes;
  int n_slots = 0;

  begin_step (run, SEAM_STEP_ALLOCATE);
  if (!seam_runner_make_tensors (runner, run->request, run->cancel, fraction_cb, run, error))
    return FALSE;
  for (int i = 0; i < runner->n_plans; i++)
    if (runner->plans[i].resolved.can_run)
      n_slots = MAX (n_slots, runner->plans[i].placement.n_slots);
  while (runner->n_slots < n_slots) {
    SeamBuffer *slot = seam_runner_allocate (runner, slot_bytes, error);
    if (slot == NULL)
      return FALSE;
    runner->slots[runner->n_slots++] = slot;
  }
  for (int i = 0; i < runner->n_plans; i++) {
    g_autoptr (GError) failure = NULL;
    run->state.plan = i;
    fraction_cb ((double)i / runner->n_plans, run);
    if (runner->plans[i].resolved.can_run && !prepare_plan (run, i, &failure)
        && !fail_plan (run, i, g_steal_pointer (&failure), error))
      return FALSE;
  }
  return TRUE;
}

/* --- correctness --- */

/* The trusted plan did not run: the first one that did takes its place, and the person is told. */
static void
replace_reference (Run *run)
{
  SeamRunner *runner = run->runner;

  if (run->reference < 0 || runner->plans[run->reference].has_output)
    return;
  for (int i = 0; i < runner->n_plans; i++)
    if (runner->plans[i].has_output) {
      g_autofree char *message =
          g_strdup_printf ("The others are compared with %s instead.",
                           seam_plan_get_title (runner->plans[i].resolved.plan));
      add_message (&run->result->plans[run->reference], message);
      run->reference = run->result->reference = i;
      return;
    }
}

static gboolean
compare_plan (Run *run, int index, SeamDifference **difference, GError **error)
{
  *difference = NULL;
  if (!run->runner->plans[index].has_output || index == run->reference)
    return TRUE;
  if (run->reference >= 0 && !run->runner->plans[run->reference].has_output)
    return TRUE;
  *difference = seam_runner_compare (run->runner, index, run->reference, run->atol, run->rtol,
                                     OVERVIEW_SIDE, error);
  return *difference != NULL;
}

/* The trusted plan has nothing to be compared with, but what it never wrote is still NaN. */
static gboolean
check_reference (Run *run, GError **error)
{
  if (run->reference < 0 || !run->runner->plans[run->reference].has_output)
    return TRUE;
  g_autoptr (SeamDifference) difference =
      seam_runner_compare (run->runner, run->reference, run->reference, 0, 0, 1, error);
  if (difference == NULL)
    return FALSE;
  if (difference->n_nan_a > 0) {
    g_autofree char *message =
        g_strdup_printf ("%" G_GINT64_FORMAT " elements of its output are NaN, though it is what "
                         "the others are compared with: compare with fp64.",
                         difference->n_nan_a);
    add_message (&run->result->plans[run->reference], message);
  }
  return TRUE;
}

static gboolean
check_outputs (Run *run, GError **error)
{
  SeamRunner *runner = run->runner;

  begin_step (run, SEAM_STEP_CHECK);
  for (int i = 0; i < runner->n_plans; i++) {
    SeamRunnerPlan *plan = &runner->plans[i];
    g_autoptr (GError) failure = NULL;
    run->state.plan = i;
    fraction_cb ((double)i / runner->n_plans, run);
    if (plan->resolved.can_run
        && !seam_runner_execute (runner, plan, run->cancel, &plan->hash, &failure)
        && !fail_plan (run, i, g_steal_pointer (&failure), error))
      return FALSE;
    plan->was_checked = plan->has_output;
  }
  replace_reference (run);
  for (int i = 0; i < runner->n_plans; i++)
    if (seam_cancel_check (run->cancel, error)
        || !compare_plan (run, i, &run->result->plans[i].difference, error))
      return FALSE;
  return check_reference (run, error);
}

/* Executes every plan once more after timing. An output of the same bits has the same difference;
 * where one changed (its own or the trusted one), the worse of both differences is kept. */
static gboolean
check_outputs_again (Run *run, GError **error)
{
  SeamRunner *runner = run->runner;
  gboolean reference_changed = FALSE;

  begin_step (run, SEAM_STEP_CHECK_AGAIN);
  for (int i = 0; i < runner->n_plans; i++) {
    SeamRunnerPlan *plan = &runner->plans[i];
    guint64 hash = 0;
    g_autoptr (GError) failure = NULL;
    run->state.plan = i;
    fraction_cb ((double)i / runner->n_plans, run);
    if (!plan->has_output)
      continue;
    if (!seam_runner_execute (runner, plan, run->cancel, &hash, &failure)) {
      if (!fail_plan (run, i, g_steal_pointer (&failure), error))
        return FALSE;
      continue;
    }
    run->result->plans[i].stable = hash == plan->hash;
    reference_changed = reference_changed || (i == run->reference && hash != plan->hash);
  }
  for (int i = 0; i < runner->n_plans; i++) {
    SeamPlanResult *plan = &run->result->plans[i];
    SeamDifference *difference = NULL;
    if (plan->stable && !reference_changed)
      continue;
    if (!compare_plan (run, i, &difference, error))
      return FALSE;
    if (difference != NULL && plan->difference != NULL
        && difference->n_failing < plan->difference->n_failing)
      g_clear_pointer (&difference, seam_difference_free);
    if (difference != NULL) {
      seam_difference_free (plan->difference);
      plan->difference = difference;
    }
  }
  return TRUE;
}

/* --- measuring --- */

static gboolean
measure (Run *run, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamMeasurePlan plans[SEAM_RUN_MAX_PLANS + 1];
  int n = 0, failed = -1;
  SeamMeasureOptions options = {
    .cold = run->request->cold,
    .budget_s = run->request->budget_s,
    .goal = INTERVAL_GOAL,
    .n_traces = N_TRACES,
    .cancel = run->cancel,
    .progress = measure_progress_cb,
    .progress_data = run,
    .state = &run->state,
  };

  run->measured = g_new0 (int, runner->n_plans);
  for (int i = 0; i < runner->n_plans; i++) {
    SeamRunnerPlan *plan = &runner->plans[i];
    if (!plan->has_output)
      continue;
    run->measured[n] = i;
    plans[n++] = (SeamMeasurePlan){ plan->prepared, plan->n_prepared, &run->result->plans[i] };
  }
  return n == 0
         || seam_measure (runner->device, plans, n, &options, &failed, &run->result->trace_note,
                          error);
}

static void
conclude (Run *run, gint64 start_us)
{
  SeamRunner *runner = run->runner;
  SeamResult *result = run->result;
  SeamVitals vitals = { NAN, NAN, NAN, NULL };

  if (runner->device->backend->get_vitals != NULL)
    runner->device->backend->get_vitals (runner->device, &vitals);
  result->throttle = vitals.throttle;
  result->power_w = vitals.power_w;
  result->temperature_c = vitals.temperature_c;
  result->against = g_strdup (
      run->reference < 0 ? "fp64" : runner->plans[run->reference].resolved.plan->notation);
  result->stopped = seam_cancel_check (run->cancel, NULL);
  result->duration_s = (double)(g_get_monotonic_time () - start_us) / G_USEC_PER_SEC;
}

/* Stop may have broken off an execution, with its output half written: whoever asks for an output
 * later has it verified first. */
static void
doubt_outputs (Run *run)
{
  if (!seam_cancel_check (run->cancel, NULL))
    return;
  for (int i = 0; i < run->runner->n_plans; i++)
    run->runner->plans[i].is_doubtful = run->runner->plans[i].was_checked;
}

/* The steps after the request is known to be good and to fit. */
static gboolean
execute (Run *run, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (!allocate (run, error))
    return FALSE;
  if (run->reference < 0) {
    begin_step (run, SEAM_STEP_REFERENCE);
    if (!seam_runner_ensure_fp64 (run->runner, run->cancel, fraction_cb, run, error))
      return FALSE;
  }
  if (!check_outputs (run, error) || !measure (run, error))
    return FALSE;
  /* Stop has to act at once: the samples are kept, the second look is not taken or broken off. */
  if (seam_cancel_check (run->cancel, NULL) || check_outputs_again (run, &failure)
      || g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    doubt_outputs (run);
    return TRUE;
  }
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

SeamResult *
seam_runner_run (SeamRunner *runner, const SeamRunRequest *request, SeamCancel *cancel,
                 SeamProgressFunc progress, gpointer progress_data, SeamResult **partial,
                 GError **error)
{
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (GError) failure = NULL;
  Run run = {
    .runner = runner,
    .request = request,
    .cancel = cancel,
    .progress = progress,
    .progress_data = progress_data,
    .state = { .plan = -1, .clock_mhz = NAN, .power_w = NAN, .temperature_c = NAN },
  };

  if (partial != NULL)
    *partial = NULL;
  if (!seam_run_request_check (request, error)
      || seam_runner_open (runner, request->target, error) == NULL)
    return NULL;
  seam_runner_release (runner);
  run.mode = seam_resolve_mode (runner->device, request->math_mode);
  runner->problem = seam_problem_new (request->pipeline, request->values, error);
  if (runner->problem == NULL)
    return NULL;
  if (!add_plans (&run, error) || !check_memory (&run, error)) {
    seam_runner_release (runner);
    return NULL;
  }
  choose_tolerances (&run);
  describe_run (&run);
  run.state.with_reference = run.reference < 0;
  run.state.budget_s = request->budget_s;

  gboolean ok = execute (&run, &failure);
  conclude (&run, start_us);
  /* Intermediates and workspaces are of no use any more; outputs and inputs are asked about. */
  seam_runner_release_work (runner);
  if (ok) {
    begin_step (&run, SEAM_STEP_DONE);
    fraction_cb (1, &run);
  }
  seam_progress_clear (&run.state);
  g_free (run.measured);
  g_autoptr (SeamResult) result = run.result;
  if (ok)
    return g_steal_pointer (&result);
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_DEVICE) && partial != NULL)
    *partial = g_steal_pointer (&result);
  seam_runner_release (runner);
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}
