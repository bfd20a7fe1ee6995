/* SPDX-License-Identifier: MIT
 *
 * exp() for loops on the CPU, and with it the mathematics of every op (kernels/ops.h): the CPU
 * loops (loops.c) and generated code include this file. Only static functions, so that no wide
 * instruction can leak into code that every processor runs.
 */
#ifndef SEAM_CPU_EXP_H
#define SEAM_CPU_EXP_H

#include <stdint.h>
#include <string.h>

/* exp() in FP32 without branches or a library call, so that gcc vectorises the loops around it: a
 * comparison of floats, which NaN makes more than a minimum, would become a branch, so the range is
 * limited on the integer bits. Cody-Waite reduction x = n ln 2 + r, a polynomial of degree 6 on
 * |r| <= ln 2 / 2 (Taylor; the first term left out is under 1.2e-7 of 1), then 2^n in two factors
 * so that results next to overflow and denormal ones come out right. NaN gives NaN, +inf gives inf,
 * -inf gives 0. Largest relative error of the sigmoid made of it: 2.8e-7 (measured over -87..105).
 */
static inline float
from_bits (uint32_t bits)
{
  float x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static inline uint32_t
to_bits (float x)
{
  uint32_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static inline float
power_of_two (float biased) /* 1.5 * 2^23 + n, n in -126 .. 127 */
{
  return from_bits ((to_bits (biased) << 23) + 0x3f800000u);
}

static inline float
vector_exp (float x)
{
  const float magic = 12582912.0f;    /* 1.5 * 2^23: adding it rounds to an integer */
  const uint32_t limit = 0x42d00000u; /* 104: exp (-104) rounds to 0, exp (104) to infinity */
  uint32_t bits = to_bits (x);
  uint32_t magnitude = bits & 0x7fffffffu;
  /* All ones where x is NaN, whose bits are above those of infinity. */
  uint32_t is_nan = (uint32_t)((int32_t)(0x7f800000u - magnitude) >> 31);

  magnitude = magnitude < limit ? magnitude : limit;
  x = from_bits (magnitude | (bits & 0x80000000u));
  float n = (x * 1.44269504f + magic) - magic;
  float r = x - n * 0.693359375f; /* ln 2 in two parts; n times the first is exact */
  r = r - n * -2.12194440e-4f;
  float half = (n * 0.5f + magic) - magic;
  float p = 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  float result = p * power_of_two (half + magic) * power_of_two ((n - half) + magic);
  return from_bits (to_bits (result) | (is_nan & 0x7fc00000u));
}

#define SEAM_EXP vector_exp
#include "kernels/ops.h"

#endif
