/* SPDX-License-Identifier: MIT
 *
 * Checks the outputs of a run: every plan is executed on poisoned memory and compared with the
 * plan to compare with, or FP64, before timing, and once more after it.
 */
#include "app/runner/run-private.h"

/* If the plan compared with did not run, the first one that did takes its place, with a message. */
static void
replace_against (SeamRun *run)
{
  SeamRunner *runner = run->runner;

  if (run->against < 0 || runner->plans[run->against].has_output)
    return;
  for (int i = 0; i < runner->n_plans; i++)
    if (runner->plans[i].has_output) {
      g_autofree char *message =
          g_strdup_printf ("The others are compared with %s instead.",
                           seam_plan_get_title (runner->plans[i].resolved.plan));
      seam_run_add_message (&run->result->plans[run->against], message);
      run->against = run->result->against = i;
      return;
    }
}

static gboolean
compare_plan (SeamRun *run, int index, SeamDifference **difference, GError **error)
{
  *difference = NULL;
  if (!run->runner->plans[index].has_output || index == run->against)
    return TRUE;
  if (run->against >= 0 && !run->runner->plans[run->against].has_output)
    return TRUE;
  *difference = seam_runner_compare (run->runner, index, run->against, run->atol, run->rtol,
                                     run->request->overview_side, error);
  return *difference != NULL;
}

/* Explains values that are not numbers, if the math mode causes them. */
static void
explain_overflow (SeamRun *run, int index, const SeamDifference *difference)
{
  if (run->mode == SEAM_MATH_FP16 && difference->n_nan_a + difference->n_infinite_a > 0)
    seam_run_add_message (&run->result->plans[index],
                          "FP16 ends at 65,504: inputs and weights beyond it become infinite, and "
                          "what is computed from them infinite or NaN. bf16 has FP32's range.");
}

/* The plan compared with has no difference, but elements that it never wrote are still NaN. */
static gboolean
check_against (SeamRun *run, GError **error)
{
  if (run->against < 0 || !run->runner->plans[run->against].has_output)
    return TRUE;
  g_autoptr (SeamDifference) difference =
      seam_runner_compare (run->runner, run->against, run->against, 0, 0, 1, error);
  if (difference == NULL)
    return FALSE;
  if (difference->n_nan_a + difference->n_infinite_a > 0) {
    gint64 n = difference->n_nan_a + difference->n_infinite_a;
    g_autofree char *message = g_strdup_printf (
        "%" G_GINT64_FORMAT " element%s of its output %s %s, though it is what the others are "
        "compared with: compare with fp64.",
        n, n == 1 ? "" : "s", n == 1 ? "is" : "are",
        difference->n_infinite_a == 0 ? "NaN"
        : difference->n_nan_a == 0    ? "infinite"
                                      : "NaN or infinite");
    seam_run_add_message (&run->result->plans[run->against], message);
  }
  explain_overflow (run, run->against, difference);
  return TRUE;
}

/* For a graph, executes the plan first with a launch per kernel, since a capture can neither load a
 * kernel nor allocate memory. All later checks and measurements use the graph. */
gboolean
seam_run_capture_plan (SeamRun *run, SeamRunnerPlan *plan, GError **error)
{
  SeamDevice *device = plan->device;
  const SeamBackend *backend = device->backend;

  if (run->request->settings.launch == SEAM_LAUNCH_STREAM)
    return TRUE;
  return backend->run (device, plan->prepared, plan->n_prepared, run->cancel, error)
         && backend->capture (device, plan->prepared, plan->n_prepared, error);
}

gboolean
seam_run_check_outputs (SeamRun *run, GError **error)
{
  SeamRunner *runner = run->runner;

  seam_run_begin_step (run, SEAM_STEP_CHECK);
  for (int i = 0; i < runner->n_plans; i++) {
    SeamRunnerPlan *plan = &runner->plans[i];
    g_autoptr (GError) failure = NULL;
    run->state.plan = i;
    seam_run_fraction_cb ((double)i / runner->n_plans, run);
    if (plan->resolved.can_run
        && (!seam_run_capture_plan (run, plan, &failure)
            || !seam_runner_execute (runner, plan, run->cancel, &plan->hash, &failure))
        && !seam_run_fail_plan (run, i, g_steal_pointer (&failure), error))
      return FALSE;
    plan->was_checked = plan->has_output;
  }
  replace_against (run);
  for (int i = 0; i < runner->n_plans; i++) {
    if (seam_cancel_check (run->cancel, error)
        || !compare_plan (run, i, &run->result->plans[i].difference, error))
      return FALSE;
    if (run->result->plans[i].difference != NULL)
      explain_overflow (run, i, run->result->plans[i].difference);
  }
  return check_against (run, error);
}

/* Executes every plan once more after timing. If neither its output nor the one compared with has
 * changed, a plan keeps its difference, else the worse of both differences. */
gboolean
seam_run_check_outputs_again (SeamRun *run, GError **error)
{
  SeamRunner *runner = run->runner;
  gboolean against_changed = FALSE;

  seam_run_begin_step (run, SEAM_STEP_CHECK_AGAIN);
  for (int i = 0; i < runner->n_plans; i++) {
    SeamRunnerPlan *plan = &runner->plans[i];
    guint64 hash = 0;
    g_autoptr (GError) failure = NULL;
    run->state.plan = i;
    seam_run_fraction_cb ((double)i / runner->n_plans, run);
    if (!plan->has_output)
      continue;
    if (!seam_runner_execute (runner, plan, run->cancel, &hash, &failure)) {
      if (!seam_run_fail_plan (run, i, g_steal_pointer (&failure), error))
        return FALSE;
      continue;
    }
    run->result->plans[i].stable = hash == plan->hash;
    against_changed = against_changed || (i == run->against && hash != plan->hash);
  }
  for (int i = 0; i < runner->n_plans; i++) {
    SeamPlanResult *plan = &run->result->plans[i];
    SeamDifference *difference = NULL;
    if (plan->stable && !against_changed)
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
