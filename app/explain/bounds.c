/* SPDX-License-Identifier: MIT
 *
 * Computes the rates of a result.
 */
#include "app/explain/bounds.h"

gboolean
seam_bounds_get_rates (const SeamResult *result, const SeamProblem *problem, SeamRates *rates)
{
  SeamFloor floor;

  *rates = (SeamRates){ .cold = result->settings.cold };
  if (result->device == NULL)
    return FALSE;
  seam_device_info_get_rates (result->device, result->settings.math_mode, result->settings.cold,
                              rates);
  seam_problem_get_floor (problem, rates->cache_bytes, rates->cold, rates->bytes_per_s,
                          rates->flop_per_s, &floor);
  /* NaN (unknown) makes this comparison FALSE. */
  if (result->floor_ns > 0 && floor.floor_ns > result->floor_ns) {
    rates->bytes_per_s *= floor.floor_ns / result->floor_ns;
    rates->flop_per_s *= floor.floor_ns / result->floor_ns;
  }
  return TRUE;
}
