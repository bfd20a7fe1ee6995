/* SPDX-License-Identifier: MIT
 *
 * The runner: its device and the data that it keeps of the last run. execute.c executes a run,
 * inspect.c answers questions about it.
 */
#include "app/runner/run-private.h"

#include <math.h>

SeamRunner *
seam_runner_new (void)
{
  return g_new0 (SeamRunner, 1);
}

void
seam_runner_set_recall (SeamRunner *runner, const SeamRecall *recall)
{
  runner->recall = *recall;
}

gboolean
seam_runner_keeps_code (const SeamRunner *runner)
{
  return runner->device != NULL && runner->device->keeps_code;
}

static void
release_buffer (SeamRunner *runner, SeamBuffer **buffer)
{
  if (*buffer != NULL && !seam_runner_keeps_code (runner))
    runner->device->backend->release (runner->device, *buffer);
  *buffer = NULL;
}

void
seam_runner_release_slot (SeamRunner *runner, int slot)
{
  if (runner->slots[slot] != NULL)
    runner->bytes_held -= (double)runner->pool.bytes[slot];
  release_buffer (runner, &runner->slots[slot]);
}

void
seam_runner_release_work (SeamRunner *runner)
{
  for (int i = 0; i < runner->n_plans; i++) {
    SeamRunnerPlan *plan = &runner->plans[i];
    const SeamBackend *backend = plan->device->backend;
    for (int j = 0; j < plan->n_prepared && !plan->device->keeps_code; j++)
      backend->free_prepared (plan->device, plan->prepared[j]);
    plan->n_prepared = 0;
    for (int j = 0; j < SEAM_MAX_TENSORS; j++)
      if (plan->away[j] != NULL && !plan->device->keeps_code)
        backend->release (plan->device, g_steal_pointer (&plan->away[j]));
  }
  for (int i = 0; i < runner->pool.n_slots; i++)
    seam_runner_release_slot (runner, i);
  runner->pool.n_slots = 0;
  release_buffer (runner, &runner->gap);
}

void
seam_runner_release_outputs (SeamRunner *runner)
{
  for (int i = 0; i < runner->n_plans; i++) {
    if (runner->plans[i].output != NULL)
      runner->bytes_held -= (double)seam_runner_get_output (runner)->bytes;
    release_buffer (runner, &runner->plans[i].output);
    runner->plans[i].has_output = FALSE;
  }
}

void
seam_runner_release_pair_bounds (SeamRunner *runner)
{
  release_buffer (runner, &runner->pair_bounds);
  g_clear_pointer (&runner->pair_request, seam_run_request_free);
}

/* Keeps the bounds for two plans, which the next run may need. */
void
seam_runner_release (SeamRunner *runner)
{
  if (runner->problem == NULL)
    return;
  seam_runner_release_work (runner);
  seam_runner_release_outputs (runner);
  for (int i = 0; i < runner->n_plans; i++)
    seam_resolved_clear (&runner->plans[i].resolved);
  g_clear_pointer (&runner->plans, g_free);
  runner->n_plans = 0;
  for (int i = 0; i < SEAM_MAX_TENSORS; i++) {
    release_buffer (runner, &runner->tensors[i]);
    g_clear_pointer (&runner->given[i], g_free);
  }
  release_buffer (runner, &runner->fp64);
  release_buffer (runner, &runner->bounds);
  runner->use = (SeamReferenceUse){ 0 };
  g_clear_pointer (&runner->sampled, seam_sampled_reference_free);
  runner->bytes_held =
      runner->pair_bounds != NULL
          ? (double)sizeof (float) * (double)seam_runner_get_output (runner)->n_elements
          : 0;
  g_clear_pointer (&runner->problem, seam_problem_free);
}

static void
close_device (SeamRunner *runner)
{
  seam_runner_release (runner);
  seam_runner_release_pair_bounds (runner);
  if (!seam_runner_keeps_code (runner))
    g_clear_pointer (&runner->device, seam_device_close);
  g_clear_pointer (&runner->asked, g_free);
}

void
seam_runner_free (SeamRunner *runner)
{
  if (runner == NULL)
    return;
  close_device (runner);
  g_free (runner);
}

SeamDevice *
seam_runner_open (SeamRunner *runner, const char *target, GError **error)
{
  if (runner->device != NULL
      && (g_strcmp0 (runner->asked, target) == 0
          || g_strcmp0 (runner->device->info->id, target) == 0))
    return runner->device;
  close_device (runner);
  seam_load_mark (&runner->load);
  runner->foreign_load = NAN;
  runner->device = seam_backend_open (target, error);
  runner->asked = runner->device != NULL ? g_strdup (target) : NULL;
  return runner->device;
}

double
seam_runner_get_foreign_load (SeamRunner *runner)
{
  double load = seam_load_since (&runner->load);

  if (runner->device == NULL || seam_device_info_is_device (runner->device->info))
    return NAN;
  if (!isnan (load)) {
    runner->foreign_load = load;
    seam_load_mark (&runner->load);
  }
  return runner->foreign_load;
}

SeamEstimate *
seam_runner_estimate (SeamRunner *runner, const SeamRunRequest *request, GError **error)
{
  SeamDevice *device = seam_runner_open (runner, request->target, error);

  if (device == NULL)
    return NULL;
  SeamEstimate *estimate = seam_run_estimate (device, request, &runner->recall, error);
  if (estimate != NULL)
    estimate->foreign_load = seam_runner_get_foreign_load (runner);
  /* The memory of the last run counts as free, since the next run releases it first. */
  if (estimate != NULL && estimate->bytes_free > 0)
    estimate->bytes_free += runner->bytes_held;
  return estimate;
}
