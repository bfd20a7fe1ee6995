/* SPDX-License-Identifier: MIT
 *
 * The mathematics of every op, written once. Plain C that gcc, nvcc and NVRTC all accept: CPU
 * loops, single-op CUDA kernels and generated fused kernels include this file; nothing else defines
 * an op. The reference includes it with SEAM_REAL defined as double. Knows no pipeline, includes
 * nothing.
 *
 * Comparisons are written so that NaN passes through every op unchanged.
 */
#ifndef SEAM_OPS_H
#define SEAM_OPS_H

/* The kinds of op there are. Two of them (conv2d, matmul) are sums over many inputs and are
 * executed by libraries; groupnorm is a reduction and then seam_normalize(); the others are scalar.
 */
typedef enum {
  SEAM_OP_CONV2D,           /* [N,C,H,W] * weight [K,C,R,R] -> [N,K,P,Q], stride 1, no padding */
  SEAM_OP_MATMUL,           /* [N,C] * weight [K,C] transposed -> [N,K] */
  SEAM_OP_ADD_CHANNEL,      /* x + vector[channel] */
  SEAM_OP_MULTIPLY_CHANNEL, /* x * vector[channel] */
  SEAM_OP_ADD_SCALAR,       /* x + constant */
  SEAM_OP_DIVIDE_SCALAR,    /* x / constant */
  SEAM_OP_CLAMP,            /* low..high */
  SEAM_OP_RELU,             /* max(x, 0) */
  SEAM_OP_SIGMOID,          /* 1 / (1 + exp(-x)) */
  SEAM_OP_MULTIPLY_TENSOR,  /* x * an earlier op's output */
  SEAM_OP_GROUPNORM,        /* per sample and group of channels, biased variance, then affine */
  SEAM_N_OP_TYPES
} SeamOpType;

#define SEAM_GROUPNORM_EPSILON 1e-5

#ifndef SEAM_REAL
#define SEAM_REAL float
#endif

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SEAM_OP_FUNCTION static __host__ __device__ __forceinline__
#else
#define SEAM_OP_FUNCTION static inline
#endif

/* exp() in the precision of SEAM_REAL; the includer may name a faster one of the same meaning. The
 * builtin needs no header, so that this file can be included before or without <math.h>. */
#ifndef SEAM_EXP
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SEAM_EXP expf
#else
#define SEAM_EXP __builtin_expf
#endif
#endif

SEAM_OP_FUNCTION SEAM_REAL
seam_op_add (SEAM_REAL x, SEAM_REAL y)
{
  return x + y;
}

SEAM_OP_FUNCTION SEAM_REAL
seam_op_multiply (SEAM_REAL x, SEAM_REAL y)
{
  return x * y;
}

/* 1 / y as the sum of two numbers of its sign, of which the first is smaller than it. */
SEAM_OP_FUNCTION void
seam_op_invert (float y, float *high, float *low)
{
  const double reciprocal = 1.0 / (double)y;
  union {
    float number;
    int bits;
  } smaller = { (float)reciprocal };

  if (y > 0.0f ? smaller.number >= reciprocal : smaller.number <= reciprocal)
    smaller.bits--;
  *high = smaller.number;
  *low = (float)(reciprocal - (double)smaller.number);
}

/* x / y, where seam_op_invert() made the two numbers of y. */
SEAM_OP_FUNCTION float
seam_op_divide_by (float x, float high, float low)
{
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
  return fmaf (x, high, x * low);
#else
  return __builtin_fmaf (x, high, x * low);
#endif
}

/* x / y, where all elements share y, of a size between 1e-30 and 1e30. A GPU has no divide
 * instruction: an IEEE quotient is a long sequence with a call for odd cases, which held this op at
 * 85 % of copy speed on an H200. With 1 / y as two numbers (which the compiler keeps out of loops)
 * a product and a fused multiply-add give the same bits (Brisebarre, Muller and Raina 2004: for
 * nearly all y; tests/core/test-ops.c tries some with every x). As both numbers have the sign of y,
 * infinity stays infinity. Where a quotient is under 2^-100 the second product may be a denormal
 * number, of which some kernels make 0, and the last bit may change. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_divide (SEAM_REAL x, SEAM_REAL y)
{
#if defined(__CUDA_ARCH__)
  float high, low;
  seam_op_invert (y, &high, &low);
  return seam_op_divide_by (x, high, low);
#else
  return x / y;
#endif
}

/* One instruction each on a GPU, instead of a comparison and a selection. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_maximum (SEAM_REAL x, SEAM_REAL least)
{
#if defined(__CUDA_ARCH__)
  float y;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "f"(least));
  return y;
#else
  return x < least ? least : x;
#endif
}

SEAM_OP_FUNCTION SEAM_REAL
seam_op_minimum (SEAM_REAL x, SEAM_REAL most)
{
#if defined(__CUDA_ARCH__)
  float y;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "f"(most));
  return y;
#else
  return x > most ? most : x;
#endif
}

SEAM_OP_FUNCTION SEAM_REAL
seam_op_relu (SEAM_REAL x)
{
  return seam_op_maximum (x, (SEAM_REAL)0);
}

SEAM_OP_FUNCTION SEAM_REAL
seam_op_clamp (SEAM_REAL x, SEAM_REAL low, SEAM_REAL high)
{
  return seam_op_minimum (seam_op_maximum (x, low), high);
}

/* A clamp to 0…1 that makes 0 of NaN, which costs a GPU nothing: most of its instructions can end
 * with it. For where the next op multiplies by what was NaN before, so that the NaN comes back. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_clamp_unit (SEAM_REAL x)
{
#if defined(__CUDA_ARCH__)
  return __saturatef (x);
#else
  return seam_op_clamp (x, (SEAM_REAL)0, (SEAM_REAL)1);
#endif
}

/* On a GPU the quotient is the fast one (within 2 units in the last place; a denominator over 2^126
 * gives 0): the IEEE sequence made fused reductions wait for arithmetic instead of for memory. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_sigmoid (SEAM_REAL x)
{
#if defined(__CUDA_ARCH__)
  return __fdividef (1.0f, 1.0f + SEAM_EXP (-x));
#else
  return (SEAM_REAL)1 / ((SEAM_REAL)1 + SEAM_EXP (-x));
#endif
}

/* x * scale + offset, rounded once: what several adds and multiplies become where operands are
 * rounded anyway. */
SEAM_OP_FUNCTION float
seam_op_multiply_add (float x, float scale, float offset)
{
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
  return fmaf (x, scale, offset);
#else
  return __builtin_fmaf (x, scale, offset);
#endif
}

/* The same, clamped to 0…1: see seam_op_clamp_unit, which compilers make an instruction of its own.
 */
SEAM_OP_FUNCTION float
seam_op_multiply_add_unit (float x, float scale, float offset)
{
#if defined(__CUDA_ARCH__)
  float y;
  asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(x), "f"(scale), "f"(offset));
  return y;
#else
  const float y = seam_op_multiply_add (x, scale, offset);
  return y < 0.0f ? 0.0f : y > 1.0f ? 1.0f : y;
#endif
}

/* One instruction on a GPU, where it is for math modes that round operands: off by up to 2^-11 of
 * the result (PTX ISA), and by no more than 8e-6 on an H200 (tests/gpu/approximations.cu, every x).
 */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_tanh (SEAM_REAL x)
{
#if defined(__CUDA_ARCH__)
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return (SEAM_REAL)1 - (SEAM_REAL)2 / ((SEAM_REAL)1 + SEAM_EXP ((SEAM_REAL)2 * x));
#endif
}

/* sigmoid (2 half): one special function instead of two. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_sigmoid_of_half (SEAM_REAL half)
{
  return (SEAM_REAL)0.5 * seam_op_tanh (half) + (SEAM_REAL)0.5;
}

/* The last step of groupnorm: `rstd` is 1 / sqrt(variance + epsilon). */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_normalize (SEAM_REAL x, SEAM_REAL mean, SEAM_REAL rstd, SEAM_REAL weight, SEAM_REAL bias)
{
  return (x - mean) * rstd * weight + bias;
}

#endif
