/* SPDX-License-Identifier: MIT
 *
 * The types that math modes give to the operands of convolution and matmul, and with 16-bit storage
 * to tensors in memory. In modes fp16 and bf16 both factors of every product are rounded to 16
 * bits, ties to even, as the hardware's conversions do; products and sums stay FP32. In mode tf32x
 * each row is multiplied by a power of two before it is rounded to FP16, and the sums are divided
 * by it. Plain C that gcc, nvcc and NVRTC all accept: the CPU loops and the kernels that convert
 * tensors include it. Works on the bits, so that no compiler can contract it into something else,
 * and every target gets the same numbers.
 */
#ifndef SEAM_OPERAND_H
#define SEAM_OPERAND_H

#include "kernels/ops.h"

typedef enum {
  SEAM_OPERAND_FP32, /* unchanged */
  SEAM_OPERAND_FP16, /* 11 significant bits, up to 65504; subnormal below 2^-14 */
  SEAM_OPERAND_BF16, /* 8 significant bits, FP32's range */
  SEAM_N_OPERAND_TYPES
} SeamOperandType;

typedef union {
  float value;
  unsigned int bits;
} SeamOperandBits;

/* The nearest FP16 number as a float; infinite beyond 65504, NaN stays NaN. */
SEAM_OP_FUNCTION float
seam_operand_round_fp16 (float x)
{
  SeamOperandBits full = { x }, rounded, small;
  const unsigned int sign = full.bits & 0x80000000u, size = full.bits & 0x7fffffffu;

  /* Normal numbers: drops 13 bits of the significand. */
  rounded.bits = (size + 0xfffu + ((size >> 13) & 1u)) & 0xffffe000u;
  rounded.bits = rounded.bits >= 0x47800000u ? 0x7f800000u : rounded.bits;             /* 65536 */
  rounded.bits = size > 0x7f800000u ? (size & 0xffffe000u) | 0x400000u : rounded.bits; /* NaN */
  /* Subnormal numbers, below 2^-14: rounds to multiples of 2^-24, the unit of numbers from 0.5 to
   * 1. */
  small.bits = size;
  small.value = (small.value + 0.5f) - 0.5f;
  rounded.bits = (size < 0x38800000u ? small.bits : rounded.bits) | sign;
  return rounded.value;
}

/* The nearest bf16 number as a float; infinite beyond FP32's range, NaN stays NaN. */
SEAM_OP_FUNCTION float
seam_operand_round_bf16 (float x)
{
  SeamOperandBits full = { x }, rounded;

  rounded.bits = (full.bits + 0x7fffu + ((full.bits >> 16) & 1u)) & 0xffff0000u;
  rounded.bits = (full.bits & 0x7fffffffu) > 0x7f800000u ? (full.bits & 0xffff0000u) | 0x400000u
                                                         : rounded.bits;
  return rounded.value;
}

SEAM_OP_FUNCTION float
seam_operand_round (SeamOperandType type, float x)
{
  return type == SEAM_OPERAND_FP16   ? seam_operand_round_fp16 (x)
         : type == SEAM_OPERAND_BF16 ? seam_operand_round_bf16 (x)
                                     : x;
}

/* The 16 bits of the nearest FP16 number, without branches, so that compilers vectorise loops over
 * it. */
SEAM_OP_FUNCTION unsigned short
seam_operand_pack_fp16 (float x)
{
  SeamOperandBits full = { x }, small;
  const unsigned int sign = full.bits >> 16 & 0x8000u, size = full.bits & 0x7fffffffu;
  unsigned int packed;

  /* Normal numbers: drops 13 bits of the significand, and changes the exponent's bias from 127 to
   * 15. */
  packed = ((size + 0xfffu + ((size >> 13) & 1u)) >> 13) - (112u << 10);
  packed = size >= 0x47800000u ? 0x7c00u : packed; /* 65536 */
  packed = size > 0x7f800000u ? 0x7e00u | (size >> 13 & 0x3ffu) : packed;
  /* Subnormal numbers, below 2^-14: multiples of 2^-24, the unit of numbers from 0.5 to 1. */
  small.bits = size;
  small.value += 0.5f;
  packed = size < 0x38800000u ? small.bits - 0x3f000000u : packed;
  return (unsigned short)(sign | packed);
}

/* The 16 bits of the nearest bf16 number. */
SEAM_OP_FUNCTION unsigned short
seam_operand_pack_bf16 (float x)
{
  SeamOperandBits rounded = { seam_operand_round_bf16 (x) };

  return (unsigned short)(rounded.bits >> 16);
}

SEAM_OP_FUNCTION unsigned short
seam_operand_pack (SeamOperandType type, float x)
{
  return type == SEAM_OPERAND_BF16 ? seam_operand_pack_bf16 (x) : seam_operand_pack_fp16 (x);
}

/* The number that 16 bits stand for; exact. */
SEAM_OP_FUNCTION float
seam_operand_unpack_fp16 (unsigned short packed)
{
  SeamOperandBits small, full;
  const unsigned int sign = ((unsigned int)packed & 0x8000u) << 16, size = packed & 0x7fffu;

  small.value = (float)size * 0x1p-24f;
  full.bits = (size << 13) + (112u << 23);
  full.bits = size >= 0x7c00u ? 0x7f800000u | size << 13 : full.bits;
  full.bits = (size < 0x400u ? small.bits : full.bits) | sign;
  return full.value;
}

SEAM_OP_FUNCTION float
seam_operand_unpack_bf16 (unsigned short packed)
{
  SeamOperandBits full;

  full.bits = (unsigned int)packed << 16;
  return full.value;
}

SEAM_OP_FUNCTION float
seam_operand_unpack (SeamOperandType type, unsigned short packed)
{
  return type == SEAM_OPERAND_BF16 ? seam_operand_unpack_bf16 (packed)
                                   : seam_operand_unpack_fp16 (packed);
}

/* Math mode tf32x: FP16 has TF32's 11 significant bits, but only 29 binades of them, [2^-14, 2^15).
 * A power of two for each row (a sample of the input, a filter of the weight) brings the row's
 * largest number into the last binade; numbers that are 2^28 times smaller or more lose bits.
 * Infinity and NaN stay unchanged and do not count as largest. */

/* Bits of |x|, which grow with |x|; 0 if x is not finite. */
SEAM_OP_FUNCTION unsigned int
seam_operand_get_size (float x)
{
  const SeamOperandBits full = { x };
  const unsigned int size = full.bits & 0x7fffffffu;

  return size < 0x7f800000u ? size : 0;
}

/* The power of two for a row, from the largest size in it, and its inverse. Both are normal
 * numbers, so both products are exact (except where numbers are subnormal). */
SEAM_OP_FUNCTION float
seam_operand_get_scale (unsigned int largest)
{
  const unsigned int exponent = 127 + 14 + 127 - (largest >> 23);
  SeamOperandBits scale;

  scale.bits = (exponent < 253 ? exponent : 253) << 23;
  return scale.value;
}

SEAM_OP_FUNCTION float
seam_operand_invert_scale (float scale)
{
  SeamOperandBits inverse = { scale };

  inverse.bits = (254u << 23) - inverse.bits;
  return inverse.value;
}

/* Undoes the scales of a sum of products, by the inverses of both rows: multiplies by the factor
 * below 1 first, so that nothing becomes infinite on the way. */
SEAM_OP_FUNCTION float
seam_operand_unscale (float sum, float row, float column)
{
  return sum * (row < 1.0f ? row : 1.0f) * column * (row < 1.0f ? 1.0f : row);
}

#endif
