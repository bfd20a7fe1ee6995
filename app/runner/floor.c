/* SPDX-License-Identifier: MIT
 *
 * The floor of a run: at the rates of the device, and settled after timing where those rates were
 * measured on a machine that other programs use, too.
 */
#include "app/runner/run-private.h"

#include <math.h>

/* How far under the floor a time may lie before the time is doubted rather than the rates: probes
 * of the same machine repeat to a few per cent. */
#define RATES_MARGIN 1.10
/* Times that the rates are measured again. */
#define N_PROBES 2

void
seam_rates_from_info (const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold,
                      SeamRates *rates)
{
  gboolean tf32 = mode == SEAM_MATH_TF32 && info->flop_tf32 > 0;
  /* Results as good as FP32's come from tensor cores too: three products of bf16 halves, at twice
   * the rate of TF32 (BF16x3, kernels/cuda/hand). */
  double fp32 = MAX (info->flop_fp32, info->flop_tf32 * 2 / 3);

  *rates = (SeamRates){ .bytes_per_s = info->bytes_per_s,
                        .flop_per_s = tf32 ? info->flop_tf32 : fp32,
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

/* A plan under the floor means that the time or the rates are wrong. Rates that were measured while
 * something else used the machine are too low, so they are measured again; what is left within
 * their accuracy is the plan's own proof of what the machine can do. */
void
seam_run_settle_floor (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
                       SeamResult *result)
{
  double fastest = find_fastest (result);
  SeamFloor floor;

  if (device->backend->refresh_rates == NULL)
    return;
  for (int i = 0; i < N_PROBES && fastest < result->floor_ns; i++) {
    device->backend->refresh_rates (device);
    seam_run_get_floor (device, problem, mode, result->cold, &floor);
    result->floor_ns = floor.floor_ns;
    result->floor_memory_bound = floor.memory_bound;
    result->device->bytes_per_s = device->info->bytes_per_s;
    result->device->flop_fp32 = device->info->flop_fp32;
    result->device->flop_tf32 = device->info->flop_tf32;
  }
  if (fastest < result->floor_ns && fastest * RATES_MARGIN >= result->floor_ns) {
    result->floor_ns = fastest;
    g_free (result->device->rates_source);
    result->device->rates_source = g_strdup ("measured here just now, raised to the fastest plan");
  }
}
