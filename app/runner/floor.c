/* SPDX-License-Identifier: MIT
 *
 * The floor of a run: at the rates of the device, and settled after timing where those rates were
 * measured on a machine that other programs use, too.
 */
#include "app/runner/run-private.h"

#include <math.h>

/* Times that the rates are measured again. */
#define N_PROBES 2

void
seam_rates_from_info (const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold,
                      SeamRates *rates)
{
  *rates = (SeamRates){ .bytes_per_s = info->bytes_per_s,
                        .flop_per_s =
                            seam_device_info_get_flop_rate (info, seam_math_mode_get_name (mode)),
                        .cache_bytes = (double)info->l2_bytes,
                        .cold = cold };
}

void
seam_run_get_rates (SeamDevice *device, SeamMathMode mode, gboolean cold, SeamRates *rates)
{
  seam_rates_from_info (device->info, seam_resolve_mode (device, mode), cold, rates);
}

void
seam_run_get_floor (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
                    gboolean cold, SeamFloor *floor)
{
  SeamRates rates;

  seam_run_get_rates (device, mode, cold, &rates);
  seam_problem_get_floor (problem, rates.cache_bytes, cold, rates.bytes_per_s, rates.flop_per_s,
                          floor);
}

static double
find_fastest (const SeamResult *result)
{
  double fastest = INFINITY;

  /* A comparison with NaN (not timed) is FALSE. */
  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].median_ns < fastest)
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
refresh (SeamDevice *device, SeamDeviceInfo *result)
{
  SeamDeviceInfo *info = device->info;
  double bytes_per_s = info->bytes_per_s, flop_fp32 = info->flop_fp32;

  device->backend->refresh_rates (device);
  if (info->calibrated != NULL && (info->bytes_per_s > bytes_per_s || info->flop_fp32 > flop_fp32))
    raise_source (info, "by what was measured just now");
  result->bytes_per_s = info->bytes_per_s;
  result->flop_fp32 = info->flop_fp32;
  result->flop_tf32 = info->flop_tf32;
  g_free (result->rates_source);
  result->rates_source = g_strdup (info->rates_source);
}

/* A plan under the floor means that the time or the rates are wrong. Rates that were measured while
 * something else used the machine are too low, so they are measured again where that is quick; what
 * is left within their accuracy is the plan's own proof of what the machine can do. Numbers of a
 * data sheet are no measurement and are not raised. */
void
seam_run_settle_floor (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
                       SeamResult *result)
{
  double fastest = find_fastest (result);
  SeamFloor floor;

  if (device->backend->refresh_rates == NULL && device->info->calibrated == NULL)
    return;
  for (int i = 0;
       i < N_PROBES && device->backend->refresh_rates != NULL && fastest < result->floor_ns; i++) {
    refresh (device, result->device);
    seam_run_get_floor (device, problem, mode, result->cold, &floor);
    result->floor_ns = floor.floor_ns;
    result->floor_memory_bound = floor.memory_bound;
  }
  if (fastest < result->floor_ns && fastest * SEAM_RAIL_MEASURED >= result->floor_ns) {
    result->floor_ns = fastest;
    raise_source (result->device, "to the fastest plan");
  }
}
