/* SPDX-License-Identifier: MIT
 *
 * The floor of a run, settled after timing where the rates under it were measured on a machine that
 * other programs use, too.
 */
#include "app/runner/run-private.h"

#include <math.h>

/* Times that the rates are measured again. */
#define N_PROBES 2

static double
find_fastest (const SeamResult *result, gboolean only_proofs)
{
  double fastest = INFINITY;

  /* A comparison with NaN (not timed) is FALSE. */
  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].median_ns < fastest && (!only_proofs || seam_run_is_proof (result, i)))
      fastest = result->plans[i].median_ns;
  return fastest;
}

/* "calibrated 21 Nov 2026, raised by …": takes over from what the source was. */
static void
raise_source (SeamDeviceInfo *info, const char *by)
{
  char *source = info->calibrated != NULL
                     ? g_strdup_printf ("calibrated %s, raised %s", info->calibrated, by)
                     : g_strdup_printf ("measured here just now, raised %s", by);

  g_free (info->rates_source);
  info->rates_source = source;
}

static void
copy_rates (const SeamDeviceInfo *from, SeamDeviceInfo *to)
{
  to->bytes_per_s = from->bytes_per_s;
  to->flop_fp32 = from->flop_fp32;
  to->flop_tf32 = from->flop_tf32;
  to->flop_bf16 = from->flop_bf16;
  g_free (to->rates_source);
  to->rates_source = g_strdup (from->rates_source);
}

void
seam_run_probe_rates (SeamDevice *device, SeamDeviceInfo *info)
{
  g_autoptr (SeamDeviceInfo) before = seam_device_info_copy (device->info);

  device->backend->refresh_rates (device);
  if (before->calibrated == NULL) {
    copy_rates (device->info, info);
    return;
  }
  if (device->info->bytes_per_s > info->bytes_per_s || device->info->flop_fp32 > info->flop_fp32)
    raise_source (info, "by what was measured just now");
  info->bytes_per_s = MAX (info->bytes_per_s, device->info->bytes_per_s);
  info->flop_fp32 = MAX (info->flop_fp32, device->info->flop_fp32);
  info->flop_tf32 = MAX (info->flop_tf32, device->info->flop_tf32);
  /* A calibration stays what it is: what a probe finds is not what kernels reach. */
  copy_rates (before, device->info);
}

static void
set_floor (const SeamProblem *problem, SeamMathMode mode, SeamResult *result)
{
  SeamFloor floor;
  SeamRates rates;

  seam_rates_from_info (result->device, mode, result->settings.cold, &rates);
  seam_problem_get_floor (problem, rates.cache_bytes, rates.cold, rates.bytes_per_s,
                          rates.flop_per_s, &floor);
  result->floor_ns = floor.floor_ns;
  result->floor_memory_bound = floor.memory_bound;
}

/* A plan under the floor means that the time or the rates are wrong. A calibration that is too low
 * is raised by the run itself. Rates that were measured while something else used the machine are
 * too low, too, so they are measured again where that is quick; what is left within their accuracy
 * is the plan's own proof of what the machine can do. Numbers of a data sheet are no measurement
 * and are not raised. */
void
seam_run_settle_floor (SeamRunner *runner, SeamMathMode mode, SeamResult *result)
{
  SeamDevice *device = runner->device;
  double fastest = find_fastest (result, FALSE);

  if (device->backend->refresh_rates == NULL && device->info->calibrated == NULL)
    return;
  mode = seam_resolve_mode (device, mode);
  /* Stopped, it has no second look at the outputs. */
  if (device->info->calibrated != NULL && !result->stopped) {
    seam_run_raise_calibration (runner, mode, result);
    copy_rates (device->info, result->device);
    set_floor (runner->problem, mode, result);
  }
  for (int i = 0;
       i < N_PROBES && device->backend->refresh_rates != NULL && fastest < result->floor_ns; i++) {
    seam_run_probe_rates (device, result->device);
    set_floor (runner->problem, mode, result);
  }
  fastest = find_fastest (result, TRUE);
  if (fastest < result->floor_ns && fastest * SEAM_PEAK_SLACK_MEASURED >= result->floor_ns) {
    result->floor_ns = fastest;
    raise_source (result->device, "to the fastest plan");
  }
}
