/* SPDX-License-Identifier: MIT
 *
 * Operands of Hopper's matrix instruction: FP32 numbers rounded to 16 bits or split into parts of
 * 16 bits, and descriptors of matrices in shared memory. Knows no kernel. hopper.cuh describes the
 * layouts, at wgmma.
 */
#pragma once

#include "kernels/cuda/hand/hopper.cuh"

/* The two halves of a word of bf16 (seam_pack_bf16) as floats. */
SEAM_DEVICE float
seam_bf16_low (unsigned int pair)
{
  return __uint_as_float (pair << 16);
}

SEAM_DEVICE float
seam_bf16_high (unsigned int pair)
{
  return __uint_as_float (pair & 0xffff0000u);
}

/* Two FP16 numbers rounded to `bits` bits, half a unit away from 0. NaN's bits may become those of
 * a number. */
template <int bits>
SEAM_DEVICE unsigned int
seam_shorten_fp16 (unsigned int pair)
{
  constexpr unsigned int both = 0x00010001u, unit = 1u << (11 - bits);
  return (pair + both * (unit / 2)) & ~(both * (unit - 1));
}

/* Splits two floats for FP16x3: `high` holds them rounded to FP16, `low` holds the rounding errors,
 * rounded again; NaN stays NaN in `low`. Together they keep 22 of the 24 bits of numbers between
 * 2^-3 and 65504; smaller ones lose their part below 2^-25. The caller multiplies by a power of two
 * first, and leaves out the product of two low parts. */
template <int high_bits = 11, int low_bits = 11>
SEAM_DEVICE void
seam_split_fp16 (float x0, float x1, unsigned int *high, unsigned int *low)
{
  float h0, h1;
  *high = seam_pack_fp16 (x0, x1);
  if constexpr (high_bits < 11)
    *high = seam_shorten_fp16<high_bits> (*high);
  seam_unpack_fp16 (*high, &h0, &h1);
  *low = seam_pack_fp16 (x0 - h0, x1 - h1);
  if constexpr (low_bits < 11)
    *low = seam_shorten_fp16<low_bits> (*low);
}

/* The same for an operand that is split once and then multiplied many times, in sums of
 * `n_products` (0: keeps all bits). The more bits tensor cores multiply, the more power they draw,
 * and the lower a chip at its limit sets its clock. FP32 sums of n products err by about
 * 2^-25 sqrt (n), so in long sums an operand can spare bits: its rounding errs by a quarter to all
 * of that [sums of normal and uniform numbers, in NumPy], but by more where most products are 0. An
 * operand that is split where it is multiplied keeps all: there the instructions cost more than the
 * clock gains (ladder.csv). */
template <int n_products>
SEAM_DEVICE void
seam_split_fp16_for (float x0, float x1, unsigned int *high, unsigned int *low)
{
  constexpr int high_bits = n_products < 512 ? 11 : 9;
  constexpr int low_bits = n_products < 4096 ? 11 : 9;
  seam_split_fp16<high_bits, low_bits> (x0, x1, high, low);
}

/* Whether one of two sizes (seam_larger_fp16) is infinite. */
SEAM_DEVICE bool
seam_has_infinity (unsigned int largest)
{
  return (largest & 0xffffu) >= 0x7c00u || largest >= 0x7c000000u;
}

/* Tensor cores truncate their sums to 24 bits: an instruction that adds to a sum brings it nearer
 * to 0, by half a unit in the last place on average, which over n instructions is a bias of n / 2
 * units where rounding to nearest would leave an error of sqrt (n / 12). For a sum s = m 2^e,
 * 1 <= m < 2, half a unit is 2^-24 s / m, and if all sizes of s are equally likely (log m is
 * uniform), s times ln 2 / 2 * 2^-23 makes up for it. What a product has in all later sums is
 * known beforehand: its share is the number of instructions that follow. So a factor of an operand
 * does it for all sums on the way. An H200 loses nine tenths of that [bias of sums of 16 to 2,400
 * products over seven distributions, test-gpu-fp32]. */
static constexpr float seam_truncation = 0.9f * 0.34657359f * 0x1p-23f; /* of one instruction */

SEAM_DEVICE float
seam_make_up (int n_later)
{
  return 1.0f + n_later * seam_truncation;
}

/* That counts every instruction. But one that adds only zeros truncates nothing, and low parts are
 * all zeros if the numbers are whole and small, as those of images are. Times 1 + 2^-12 they are
 * not. So are both operands multiplied; the second factor undoes that to within 2^-34. */
static constexpr float seam_uneven = 1.0f + 0x1p-12f, seam_even = 1.0f - 0x1p-11f + 3 * 0x1p-24f;

/* Two floats rounded to the nearest 16-bit numbers, in one word. */
template <bool fp16>
SEAM_DEVICE unsigned int
seam_pack_16 (float x0, float x1)
{
  if constexpr (fp16)
    return seam_pack_fp16 (x0, x1);
  else
    return seam_pack_bf16 (x0, x1);
}

template <bool fp16>
SEAM_DEVICE void
seam_unpack_16 (unsigned int pair, float *x0, float *x1)
{
  if constexpr (fp16)
    seam_unpack_fp16 (pair, x0, x1);
  else
    *x0 = seam_bf16_low (pair), *x1 = seam_bf16_high (pair);
}

#define SEAM_SWIZZLE_NONE 0
#define SEAM_SWIZZLE_128  1

SEAM_DEVICE unsigned long long
seam_descriptor (unsigned int address, unsigned int k_stride, unsigned int row_stride,
                 unsigned int swizzle)
{
  return (unsigned long long)((address & 0x3ffff) >> 4)
         | (unsigned long long)((k_stride & 0x3ffff) >> 4) << 16
         | (unsigned long long)((row_stride & 0x3ffff) >> 4) << 32
         | (unsigned long long)swizzle << 62;
}

SEAM_DEVICE unsigned long long
seam_descriptor_128 (unsigned int address)
{
  return seam_descriptor (address, 16, 1024, SEAM_SWIZZLE_128);
}

/* The descriptor with its start moved by `bytes` (a multiple of 16). */
SEAM_DEVICE unsigned long long
seam_descriptor_advance (unsigned long long descriptor, unsigned int bytes)
{
  return descriptor + (bytes >> 4);
}
