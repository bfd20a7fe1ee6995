/* SPDX-License-Identifier: MIT
 *
 * exp(), tanh(), erf() and log1p() for loops on the CPU, and with them the mathematics of every op
 * (kernels/ops.h): the CPU loops (loops.c) and generated code include this file. Only static
 * functions, so that no wide instruction can leak into code that every processor runs.
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

/* The others choose between two forms by the bits of |x|, for the same reason. The coefficients are
 * fits of least relative error (Lawson) of what stands beside them, off by under 6e-8 of it. */

/* Largest relative error: 1.4e-7 (measured, as below: tests/core/test-ops.c). */
static inline float
vector_tanh (float x)
{
  const uint32_t sign = to_bits (x) & 0x80000000u, magnitude = to_bits (x) & 0x7fffffffu;
  const float t = from_bits (magnitude), z = t * t;
  const float large = 1.0f - 2.0f / (vector_exp (2.0f * t) + 1.0f);
  float p = -5.85216e-3f; /* tanh (t) / t in z, t to 0.6 */
  p = p * z + 2.075362e-2f;
  p = p * z - 5.37687e-2f;
  p = p * z + 1.3331689e-1f;
  p = p * z - 3.3333283e-1f;
  p = p * z + 1.0f;
  const float small = t * p;
  return from_bits (to_bits (magnitude < 0x3f19999au ? small : large) | sign);
}

/* Largest relative error: 1.9e-7. */
static inline float
vector_erf (float x)
{
  const uint32_t sign = to_bits (x) & 0x80000000u, magnitude = to_bits (x) & 0x7fffffffu;
  const uint32_t four = 0x40800000u; /* erf (4) rounds to 1 */
  const float t = from_bits (magnitude < four || magnitude > 0x7f800000u ? magnitude : four);
  const float z = t * t;
  float q = 1.50486587e-5f; /* -log (1 - erf (t)), t from 0.95 to 4 */
  q = q * t - 3.47491656e-4f;
  q = q * t + 3.65066950e-3f;
  q = q * t - 2.34424716e-2f;
  q = q * t + 1.05140536e-1f;
  q = q * t + 6.36758980e-1f;
  q = q * t + 1.12752230f;
  q = q * t + 3.07856629e-4f;
  const float large = 1.0f - vector_exp (-q);
  float p = 7.85385323e-5f; /* erf (t) / t in z, t to 1 */
  p = p * z - 8.01019116e-4f;
  p = p * z + 5.18832741e-3f;
  p = p * z - 2.68538118e-2f;
  p = p * z + 1.12835851e-1f;
  p = p * z - 3.76126258e-1f;
  p = p * z + 1.12837917f;
  const float small = t * p;
  return from_bits (to_bits (magnitude < 0x3f800000u ? small : large) | sign);
}

/* Of x from 0 to 1, as 2 atanh (x / (2 + x)). Largest relative error: 2.2e-7. */
static inline float
vector_log1p (float x)
{
  const float s = x / (2.0f + x), z = s * s;
  float p = 1.0f / 13;
  p = p * z + 1.0f / 11;
  p = p * z + 1.0f / 9;
  p = p * z + 1.0f / 7;
  p = p * z + 1.0f / 5;
  p = p * z + 1.0f / 3;
  p = p * z + 1.0f;
  return 2.0f * s * p;
}

#define SEAM_EXP   vector_exp
#define SEAM_TANH  vector_tanh
#define SEAM_ERF   vector_erf
#define SEAM_LOG1P vector_log1p
#include "kernels/ops.h"

#endif
