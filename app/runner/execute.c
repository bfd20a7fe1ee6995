/* SPDX-License-Identifier: MIT
 *
 * A run, step by step: compile edited code, allocate, FP64 reference, check, measure, check again.
 * If a plan cannot run or fails, the result says so and the run goes on with the others; only a
 * lost device, a bad request or Stop before the first sample ends the run.
 */
#include "app/runner/run-private.h"

#include <math.h>

/* INTERVAL_GOAL: the width of a plan's interval, relative to its median, at which sampling ends.
 * The design document explains both numbers ("Measuring"). */
#define INTERVAL_GOAL 0.005
#define N_TRACES      10

static void
report (SeamRun *run)
{
  if (run->progress != NULL)
    run->progress (&run->state, run->progress_data);
}

void
seam_run_begin_step (SeamRun *run, SeamStep step)
{
  run->state.step = step;
  run->state.fraction = 0;
  run->state.plan = -1;
  run->state.bytes_allocated = run->runner->bytes_held;
  report (run);
}

void
seam_run_fraction_cb (double fraction, gpointer data)
{
  SeamRun *run = data;

  run->state.fraction = fraction;
  run->state.bytes_allocated = run->runner->bytes_held;
  report (run);
}

void
seam_run_add_message (SeamPlanResult *plan, const char *message)
{
  char *joined =
      plan->message != NULL ? g_strconcat (plan->message, " ", message, NULL) : g_strdup (message);

  g_free (plan->message);
  plan->message = joined;
}

gboolean
seam_run_fail_plan (SeamRun *run, int index, GError *failure, GError **error)
{
  SeamPlanResult *plan = &run->result->plans[index];

  run->runner->plans[index].has_output = FALSE;
  if (g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  seam_run_add_message (plan, failure->message);
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

static gboolean
is_without_warm_up (const SeamRun *run)
{
  return (run->request->pitfalls & SEAM_PITFALL_NO_WARM_UP) != 0;
}

/* Translates plan indices: app/measure/ counts only the plans that it was given, the person's list
 * also has those that cannot run. */
static void
measure_progress_cb (const SeamProgress *progress, gpointer data)
{
  SeamRun *run = data;
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

/* For the pitfall "no warm-up": prepares the plans again, as they were before their first
 * execution. */
static gboolean
renew_cb (gpointer data, GError **error)
{
  SeamRun *run = data;

  seam_runner_release_work (run->runner);
  seam_runner_release_outputs (run->runner);
  return seam_run_prepare_plans (run, error);
}

static guint
get_mistaken_timing (const SeamRunRequest *request)
{
  return (request->pitfalls & SEAM_PITFALL_HOST_TIMER ? SEAM_TIMING_HOST : 0)
         | (request->pitfalls & SEAM_PITFALL_FLUSH_INSIDE ? SEAM_TIMING_FLUSH_INSIDE : 0);
}

static gboolean
has_counters (const SeamResult *result)
{
  for (int i = 0; i < result->n_plans; i++)
    for (int k = 0; k < result->plans[i].n_kernels; k++)
      if (result->plans[i].kernels[k].dram_bytes_read >= 0)
        return TRUE;
  return FALSE;
}

/* Adds the launch mode to the note in words, for programs that do not know launch modes. */
static void
note_launch (SeamRun *run)
{
  SeamResult *result = run->result;
  char *before = result->trace_note;

  if (run->request->settings.launch == SEAM_LAUNCH_STREAM)
    return;
  result->trace_note =
      g_strconcat ("Each execution is one launch of a CUDA graph",
                   has_counters (result) ? "; counters were read in executions of their own, with "
                                           "a launch for every kernel"
                                         : "",
                   before != NULL ? ". " : ".", before, NULL);
  g_free (before);
}

gboolean
seam_run_measure (SeamRun *run, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamMeasurePlan plans[SEAM_RUN_MAX_PLANS + 1];
  int n = 0, failed = -1;
  SeamLoadMark load;
  SeamMeasureOptions options = {
    .cold = run->cold,
    .timing = get_mistaken_timing (run->request),
    .budget_s = run->request->settings.budget_s,
    .goal = INTERVAL_GOAL,
    .n_traces = run->request->n_traces > 0 ? run->request->n_traces : N_TRACES,
    .overtime_s = run->request->overtime_s,
    .counters = run->request->counters,
    .renew = is_without_warm_up (run) ? renew_cb : NULL,
    .renew_data = run,
    /* On a GPU buffers that move change nothing: on an H200 a plan of 8 µs beside itself was 4 to 8
     * % apart from the first sample to the last, while its buffers moved. */
    .move = run->request->pitfalls == 0 && !seam_device_info_is_device (runner->device->info)
                ? seam_run_move_cb
                : NULL,
    .cancel = run->cancel,
    .progress = measure_progress_cb,
    .progress_data = run,
    .state = &run->state,
  };

  run->measured = g_new0 (int, runner->n_plans);
  for (int i = 0; i < runner->n_plans; i++) {
    SeamRunnerPlan *plan = &runner->plans[i];
    if (!(is_without_warm_up (run) ? plan->resolved.can_run : plan->has_output))
      continue;
    run->measured[n] = i;
    plans[n++] =
        (SeamMeasurePlan){ plan->device, plan->prepared, plan->n_prepared, &run->result->plans[i] };
  }
  seam_load_mark (&load);
  if (n > 0 && !seam_measure (plans, n, &options, &failed, &run->result->trace_note, error))
    return FALSE;
  if (!seam_device_info_is_device (runner->device->info))
    run->result->foreign_load = seam_load_since (&load);
  note_launch (run);
  return TRUE;
}

static void
conclude (SeamRun *run, gint64 start_us)
{
  SeamRunner *runner = run->runner;
  SeamResult *result = run->result;

  result->stopped = seam_cancel_check (run->cancel, NULL);
  /* Times that a pitfall falsifies prove nothing about the device. */
  if (run->request->pitfalls == 0)
    seam_run_settle_floor (runner, run->mode, result);
  result->under_load = TRUE;
  result->power_w = run->state.load_power_w;
  result->temperature_c = run->state.load_temperature_c;
  seam_result_summarise_load (result);
  result->settings.against = g_strdup (
      run->against < 0 ? SEAM_AGAINST_FP64 : runner->plans[run->against].resolved.plan->notation);
  result->duration_s = (double)(g_get_monotonic_time () - start_us) / G_USEC_PER_SEC;
}

/* After Stop, marks outputs that an interrupted execution may have left half written. They are
 * verified before anybody reads them. */
static void
doubt_outputs (SeamRun *run)
{
  if (!seam_cancel_check (run->cancel, NULL))
    return;
  for (int i = 0; i < run->runner->n_plans; i++)
    run->runner->plans[i].is_doubtful = run->runner->plans[i].was_checked;
}

/* Whether the bounds for two plans that the last run left are those of this one, too. */
static gboolean
keeps_pair_bounds (const SeamRun *run)
{
  const SeamRunRequest *last = run->runner->pair_request, *next = run->request;

  return last != NULL && last->pipeline == next->pipeline && last->tensors_dir == NULL
         && next->tensors_dir == NULL && last->pitfalls == next->pitfalls
         && memcmp (last->values, next->values, sizeof last->values) == 0
         && last->settings.seed == next->settings.seed
         && last->settings.distribution == next->settings.distribution
         && last->settings.init_mode == next->settings.init_mode
         && last->settings.math_mode == next->settings.math_mode
         && last->settings.storage == next->settings.storage;
}

gboolean
seam_run_open (SeamRun *run, GError **error)
{
  SeamRunner *runner = run->runner;
  const SeamRunRequest *request = run->request;

  run->state.plan = -1;
  run->state.clock_mhz = run->state.power_w = run->state.temperature_c = NAN;
  run->state.load_power_w = run->state.load_temperature_c = NAN;
  if (!seam_run_request_check (request, error)
      || seam_runner_open (runner, request->target, error) == NULL)
    return FALSE;
  if (!seam_run_request_check_target (request, runner->device->info, error)
      || !seam_run_check_pitfalls (runner->device, request, error))
    return FALSE;
  seam_runner_release (runner);
  if (!keeps_pair_bounds (run)) {
    seam_runner_release_pair_bounds (runner);
    runner->pair_request = seam_run_request_copy (request);
  }
  runner->pitfalls = request->pitfalls;
  run->cold = request->settings.cold && !(request->pitfalls & SEAM_PITFALL_WARM_L2);
  run->mode = runner->mode = seam_resolve_mode (runner->device, request->settings.math_mode);
  runner->problem = seam_run_request_new_problem (request, error);
  if (runner->problem == NULL)
    return FALSE;
  runner->reference_extent = request->reference_extent;
  runner->seed = request->settings.seed;
  runner->distribution = request->settings.distribution;
  runner->init_mode = request->settings.init_mode;
  if (seam_run_add_plans (run, error))
    return TRUE;
  seam_runner_release (runner);
  return FALSE;
}

gboolean
seam_run_begin (SeamRun *run, GError **error)
{
  SeamRunner *runner = run->runner;

  if (!seam_run_check_edits (run, error) || !seam_run_check_memory (run, error)) {
    seam_runner_release (runner);
    return FALSE;
  }
  seam_run_describe (run);
  run->state.with_reference = run->against < 0;
  run->state.budget_s = run->request->settings.budget_s;
  if (!seam_run_allocate (run, error))
    return FALSE;
  if (run->against >= 0)
    return runner->n_plans < 2 || !isnan (run->atol)
           || seam_runner_ensure_pair_bounds (runner, run->cancel, error);
  seam_run_begin_step (run, SEAM_STEP_REFERENCE);
  return seam_runner_ensure_fp64 (runner, run->cancel, seam_run_fraction_cb, run, error);
}

/* A check that Stop ends is no failure. */
static gboolean
check_unless_stopped (SeamRun *run, gboolean (*check) (SeamRun *, GError **), GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (seam_cancel_check (run->cancel, NULL) || check (run, &failure)
      || g_error_matches (failure, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    doubt_outputs (run);
    return TRUE;
  }
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* The check executes the plans, so it must come after the measurement of their first execution.
 * After Stop the samples are kept, and the second check is skipped or interrupted. */
static gboolean
check_and_measure (SeamRun *run, GError **error)
{
  if (is_without_warm_up (run))
    return seam_run_measure (run, error)
           && check_unless_stopped (run, seam_run_check_outputs, error);
  return seam_run_check_outputs (run, error) && seam_run_measure (run, error)
         && check_unless_stopped (run, seam_run_check_outputs_again, error);
}

SeamResult *
seam_runner_run (SeamRunner *runner, const SeamRunRequest *request, SeamCancel *cancel,
                 SeamProgressFunc progress, gpointer progress_data, SeamResult **partial,
                 GError **error)
{
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (GError) failure = NULL;
  SeamRun run = {
    .runner = runner,
    .request = request,
    .cancel = cancel,
    .progress = progress,
    .progress_data = progress_data,
  };

  if (partial != NULL)
    *partial = NULL;
  gboolean ok = seam_run_open (&run, &failure) && seam_run_begin (&run, &failure)
                && check_and_measure (&run, &failure);
  if (run.result == NULL) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return NULL;
  }
  conclude (&run, start_us);
  /* Releases intermediates and workspaces; outputs and inputs stay, for later questions about the
   * run. */
  seam_runner_release_work (runner);
  /* A stopped run reports no more steps: those that were left out are not done. */
  if (ok && !run.result->stopped) {
    seam_run_begin_step (&run, SEAM_STEP_DONE);
    seam_run_fraction_cb (1, &run);
  }
  seam_record_clear (&seam_progress_type, &run.state);
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
