/* SPDX-License-Identifier: MIT
 *
 * The floor of a run at the rates of the device. What timing says of those rates is settle.c.
 */
#include "app/runner/run-private.h"

void
seam_rates_from_info (const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold,
                      SeamRates *rates)
{
  *rates = (SeamRates){ .bytes_per_s = info->bytes_per_s,
                        .flop_per_s = seam_device_info_get_flop_rate (info, mode),
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
