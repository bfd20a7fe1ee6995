/* SPDX-License-Identifier: MIT
 *
 * The floor of a run at the rates of the device. settle.c corrects those rates after timing.
 */
#include "app/runner/run-private.h"

void
seam_run_get_rates (SeamDevice *device, SeamMathMode mode, gboolean cold, SeamRates *rates)
{
  seam_device_info_get_rates (device->info, seam_resolve_mode (device, mode), cold, rates);
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

double
seam_run_get_plan_floor (SeamRunner *runner, SeamMathMode mode, const SeamResult *result, int index)
{
  SeamPlanLimit limit;
  SeamRates rates;

  seam_run_get_rates (runner->device, mode, result->settings.cold, &rates);
  seam_plan_limit (runner->problem, runner->plans[index].resolved.plan, &rates, &limit);
  return limit.floor_ns;
}
