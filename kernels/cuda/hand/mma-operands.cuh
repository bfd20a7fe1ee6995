/* SPDX-License-Identifier: MIT
 *
 * FP32 numbers as operands of the tensor cores of sm_80 and newer: rounded to TF32 or to 16 bits,
 * or split into parts of which several products are summed. Knows no kernel.
 */
#ifndef SEAM_MMA_OPERANDS_CUH
#define SEAM_MMA_OPERANDS_CUH

#include "kernels/cuda/hand/mma.cuh"

/* Sums of 16 rows and 8 columns += 16 products of such pairs. */
template <bool fp16>
__device__ __forceinline__ void
seam_mma_operands (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1)
{
  if constexpr (fp16)
    seam_mma_fp16 (c, a, b0, b1);
  else
    seam_mma_bf16 (c, a, b0, b1);
}

/* Rounds to the nearest TF32, ties away from zero: adds half of TF32's last bit, 2^-11 of the
 * number's power of two, since the tensor core cuts off the 13 bits below it. Without this the
 * error would be twice as large and biased. Infinity and NaN are unchanged, and the largest finite
 * numbers stay finite, because the sum is rounded toward zero: the tensor core cuts the next bits
 * off in any case. cvt.rna.tf32.f32 gives the same other products in the same time (H200). */
__device__ __forceinline__ unsigned int
seam_round_tf32 (unsigned int bits)
{
  const float power = __uint_as_float (bits & 0xff800000u);
  return __float_as_uint (__fmaf_rz (power, 0x1p-11f, __uint_as_float (bits)));
}

/* The error of rounding the number `bits` to `high`, as TF32. The tensor core cuts off the part of
 * it that is below 2^-21 of the number. */
__device__ __forceinline__ unsigned int
seam_tf32_rest (unsigned int bits, unsigned int high)
{
  return __float_as_uint (__uint_as_float (bits) - __uint_as_float (high & 0xffffe000u));
}

/* Sums of 16 rows and n blocks of 8 columns += 8 products each, TF32x3: low * low is left out,
 * because it is below FP32's own error. The tensor core truncates when it adds, which over many
 * products becomes a bias. So it sums only these 8, the small products first, and ordinary
 * additions do the rest. */
template <int n>
__device__ __forceinline__ void
seam_mma_tf32x3 (float (&sums)[n][4], const unsigned int (&a_high)[4],
                 const unsigned int (&a_low)[4], const unsigned int (&b_high)[n][2],
                 const unsigned int (&b_low)[n][2])
{
  constexpr int group = 2; /* blocks at once, so that not every mma waits for the previous one */
  static_assert (n % group == 0, "whole groups");
#pragma unroll
  for (int first = 0; first < n; first += group) {
    float part[group][4] = {};
#pragma unroll
    for (int i = 0; i < group; i++)
      seam_mma_tf32 (part[i], a_low, b_high[first + i][0], b_high[first + i][1]);
#pragma unroll
    for (int i = 0; i < group; i++)
      seam_mma_tf32 (part[i], a_high, b_low[first + i][0], b_low[first + i][1]);
#pragma unroll
    for (int i = 0; i < group; i++)
      seam_mma_tf32 (part[i], a_high, b_high[first + i][0], b_high[first + i][1]);
#pragma unroll
    for (int i = 0; i < 4 * group; i++)
      sums[first + i / 4][i % 4] += part[i / 4][i % 4];
  }
}

#endif
