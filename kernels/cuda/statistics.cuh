/* SPDX-License-Identifier: MIT
 *
 * Sums of squared deviations that leave FP32's range. Statistics are computed in FP32, which is
 * enough but for values that are 2^60 apart; those are scaled down, at little cost to all others.
 */
#ifndef SEAM_STATISTICS_CUH
#define SEAM_STATISTICS_CUH

/* The smallest deviation whose square overflows, 2^64, times this has a square far from underflow;
 * so has the largest. */
#define SEAM_STATISTICS_SCALE 0x1p-96f
#define SEAM_STATISTICS_LIMIT 0x1.fffffep127f

/* For lambdas, which would keep registers that they refer to in memory otherwise. */
#define SEAM_INLINE __attribute__ ((always_inline))

/* Calls pass (1, i) for i from 0 to n - 1, which finds statistics i and returns their sum of
 * squares, and again with a scale for the values of those that overflowed, or are NaN, which stays.
 * Called by whole warps; threads that add up together return the same. With the constant 1 the
 * compiler leaves the products out, and with one branch behind all n it overlaps them. */
template <int n = 1, typename Pass>
__device__ __forceinline__ void
seam_keep_in_range (Pass pass)
{
  bool beyond[n], any = false;
#pragma unroll
  for (int i = 0; i < n; i++)
    any |= beyond[i] = !(pass (1.0f, i) <= SEAM_STATISTICS_LIMIT);
  if (__any_sync (0xffffffffu, any)) {
#pragma unroll
    for (int i = 0; i < n; i++)
      pass (beyond[i] ? SEAM_STATISTICS_SCALE : 1.0f, i);
  }
}

/* What a scaled value was, without a division. */
__device__ __forceinline__ float
seam_unscale (float value, float scale)
{
  return value * (scale < 1.0f ? 1.0f / SEAM_STATISTICS_SCALE : 1.0f);
}

/* Adds a value's deviation from `center` and its square to two sums. */
__device__ __forceinline__ void
seam_add_deviation (float (&sums)[2], float value, float scale, float center)
{
  const float deviation = fmaf (value, scale, -center);
  sums[0] += deviation;
  sums[1] += deviation * deviation;
}

#endif
