/* SPDX-License-Identifier: MIT
 *
 * Corrects the floor of a run after timing, since its rates may have been measured while other
 * programs used the machine.
 */
#include "app/result/calibration.h"
#include "app/runner/run-private.h"

/* How often the rates are measured again at most. */
#define N_PROBES 2

static void
copy_rates (const SeamDeviceInfo *from, SeamDeviceInfo *to)
{
  to->bytes_per_s = from->bytes_per_s;
  to->flop_fp32 = from->flop_fp32;
  to->flop_tf32 = from->flop_tf32;
  to->flop_bf16 = from->flop_bf16;
  to->launch_ns = from->launch_ns;
  g_free (to->rates_source);
  to->rates_source = g_strdup (from->rates_source);
}

gboolean
seam_runner_take_rates (SeamRunner *runner, const char *target, const SeamDeviceInfo *from,
                        GError **error)
{
  SeamDevice *device = seam_runner_open (runner, target, error);

  if (device != NULL && seam_device_info_is_same (device->info, from)) {
    copy_rates (from, device->info);
    copy_rates (from, device->uncalibrated);
  }
  return device != NULL;
}

void
seam_run_probe_rates (SeamDevice *device)
{
  seam_calibration_undo (device->info, device->uncalibrated);
  device->backend->refresh_rates (device);
  copy_rates (device->info, device->uncalibrated);
  seam_calibration_apply_stored (device->info);
}

static void
set_floor (SeamRunner *runner, SeamMathMode mode, SeamResult *result)
{
  SeamFloor floor;

  copy_rates (runner->device->info, result->device);
  seam_run_get_floor (runner->device, runner->problem, mode, result->settings.cold, &floor);
  result->floor_ns = floor.floor_ns;
  result->floor_memory_bound = floor.memory_bound;
}

static gboolean
is_any_below (SeamRunner *runner, SeamMathMode mode, const SeamResult *result)
{
  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].median_ns < seam_run_get_plan_floor (runner, mode, result, i))
      return TRUE;
  return FALSE;
}

/* A plan under its floor means that the time or the rates are wrong. Quick rates, which may have
 * been measured while something else used the machine, are measured again. If a correct plan still
 * exceeds the known rates, it raises them for good; not after Stop, since then the second check of
 * the outputs is missing. */
void
seam_run_settle_floor (SeamRunner *runner, SeamMathMode mode, SeamResult *result)
{
  SeamDevice *device = runner->device;

  mode = seam_resolve_mode (device, mode);
  for (int i = 0; i < N_PROBES && device->backend->refresh_rates != NULL
                  && device->info->calibrated == NULL && is_any_below (runner, mode, result);
       i++)
    seam_run_probe_rates (device);
  if (!result->stopped)
    seam_run_raise_rates (runner, mode, result);
  set_floor (runner, mode, result);
}
