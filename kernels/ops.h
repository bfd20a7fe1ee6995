/* SPDX-License-Identifier: MIT
 *
 * The table of ops, and the mathematics of every op, written once. Plain C that gcc, nvcc and NVRTC
 * all accept: CPU loops, single-op CUDA kernels and generated fused kernels include this file;
 * nothing else defines an op. The reference includes it with SEAM_REAL defined as double. Knows no
 * pipeline and includes nothing. app/pipeline/op.c has the attributes of an op in pipeline files
 * and the text in its block.
 *
 * Comparisons are written so that NaN passes through every op unchanged.
 */
#ifndef SEAM_OPS_H
#define SEAM_OPS_H

/* clang-format off */
/* Every op, in the order of SeamOpType. Who needs something of each op passes a macro for each
 * class, or SEAM_OP_SKIP, and takes the columns that it needs.
 *
 * MATRIX: sums over many inputs.
 *   NAME, name in files
 *   library     on a GPU that computes it; CUDNN and CUBLASLT also fuse what follows it, CUDNN_ALONE not
 *   CONV2D is [N,C,H,W] * weight [K,C,R,R] -> [N,K,P,Q] and CONV3D the same with a depth; the
 *   transposed ones have weights [C,K,R,R]; MATMUL is [N,C] * weight [K,C] transposed -> [N,K].
 * MAP: one output for one input x.
 *   NAME, name in files
 *   kind        colour and pattern (SeamOpKind)
 *   reads       besides x: NOTHING; VECTOR, a number v for each channel; TENSOR, the element t of
 *               an earlier op's output
 *   operations  of one element: 1 for each addition, multiplication, division, comparison,
 *               exponential or root
 *   numbers     1: with finite a and b the output is NaN only where x is; 0: infinity times 0, or
 *               what is read besides x, can make one
 *   expression  of x, v, t and of a and b, which are the op's numbers in a pipeline file; what
 *               loops compute, and what generated code says
 *   cuDNN       its pointwise operations in order, POINTWISE (MODE, what it takes besides the
 *               value so far); empty where cuDNN has none
 *   cuBLASLt    the part of an epilogue that does the same: BIAS, RELU or NONE
 *   oneDNN      its post-op: BINARY (algorithm) with the vector; ELTWISE (algorithm, alpha, beta);
 *               NUMBER for an ELTWISE that makes a number of NaN; or NONE
 *   cancels     the size of terms that cancel each other in a right form of the expression and
 *               leave their roundings (of a sigmoid, 1 in (1 + tanh) / 2); 0: in none
 * OTHER: outputs of many inputs without products.
 *   NAME, name in files
 *   class       WINDOW, some neighbouring inputs; REDUCE, all along some axes; NORMALISE, a
 *               reduction, then a map of its result (seam_op_normalize)
 *   kind        colour and pattern (SeamOpKind)
 *   reduction   of the inputs (SEAM_REDUCTIONS)
 *   operations  of one element of the input: a normalisation's are sum, subtract, square, sum;
 *               subtract, scale, scale, add
 *   parameters  AFFINE, a weight and a bias; RUNNING, these and a mean and a variance; NONE
 *   GROUPNORM is per sample and group of channels, with biased variance, then affine. */
#define SEAM_OPS(MATRIX, MAP, OTHER) \
  MATRIX (CONV2D, conv2d, CUDNN) \
  MATRIX (MATMUL, matmul, CUBLASLT) \
  MATRIX (CONV3D, conv3d, CUDNN_ALONE) \
  MATRIX (CONV_TRANSPOSE2D, conv_transpose2d, CUDNN_ALONE) \
  MATRIX (CONV_TRANSPOSE3D, conv_transpose3d, CUDNN_ALONE) \
  MAP (ADD_CHANNEL, add_channel, CHANNEL_ADD, VECTOR, 1, 0, \
       seam_op_add (x, v), POINTWISE (ADD, v), BIAS, BINARY (add), 0) \
  MAP (MULTIPLY_CHANNEL, multiply_channel, ARITHMETIC, VECTOR, 1, 0, \
       seam_op_multiply (x, v), POINTWISE (MUL, v), NONE, BINARY (mul), 0) \
  MAP (ADD_SCALAR, add_scalar, ARITHMETIC, NOTHING, 1, 1, \
       seam_op_add (x, a), POINTWISE (ADD, a), NONE, ELTWISE (linear, 1, a), 0) \
  MAP (DIVIDE_SCALAR, divide_scalar, ARITHMETIC, NOTHING, 1, 1, \
       seam_op_divide (x, a), POINTWISE (DIV, a), NONE, ELTWISE (linear, 1 / a, 0), 0) \
  MAP (CLAMP, clamp, ACTIVATION, NOTHING, 2, 1, \
       seam_op_clamp (x, a, b), POINTWISE (MAX, a) POINTWISE (MIN, b), NONE, NUMBER (clip, a, b), 0) \
  MAP (RELU, relu, ACTIVATION, NOTHING, 1, 1, \
       seam_op_relu (x), POINTWISE (RELU_FWD, NOTHING), RELU, NUMBER (relu, 0, 0), 0) \
  MAP (SIGMOID, sigmoid, ACTIVATION, NOTHING, 4, 1, \
       seam_op_sigmoid (x), POINTWISE (SIGMOID_FWD, NOTHING), NONE, ELTWISE (logistic, 0, 0), 1) \
  MAP (MULTIPLY_TENSOR, multiply_tensor, ARITHMETIC, TENSOR, 1, 0, \
       seam_op_multiply (x, t), POINTWISE (MUL, t), NONE, NONE, 0) \
  MAP (SUB_CHANNEL, sub_channel, CHANNEL_ADD, VECTOR, 1, 0, \
       seam_op_subtract (x, v), , NONE, BINARY (sub), 0) \
  MAP (SUB_SCALAR, sub_scalar, ARITHMETIC, NOTHING, 1, 1, \
       seam_op_subtract (x, a), , NONE, ELTWISE (linear, 1, -a), 0) \
  MAP (MUL_SCALAR, mul_scalar, ARITHMETIC, NOTHING, 1, 1, \
       seam_op_multiply (x, a), POINTWISE (MUL, a), NONE, ELTWISE (linear, a, 0), 0) \
  MAP (MIN_SCALAR, min_scalar, ARITHMETIC, NOTHING, 1, 1, \
       seam_op_minimum (x, a), POINTWISE (MIN, a), NONE, NONE, 0) \
  MAP (ADD_TENSOR, add_tensor, ARITHMETIC, TENSOR, 1, 0, \
       seam_op_add (x, t), POINTWISE (ADD, t), NONE, NONE, 0) \
  MAP (TANH, tanh, ACTIVATION, NOTHING, 4, 1, \
       SEAM_TANH (x), , NONE, NONE, 1) \
  MAP (GELU, gelu, ACTIVATION, NOTHING, 5, 0, \
       seam_op_gelu (x), , NONE, NONE, x) \
  MAP (MISH, mish, ACTIVATION, NOTHING, 7, 0, \
       seam_op_mish (x), , NONE, NONE, x) \
  MAP (HARDSWISH, hardswish, ACTIVATION, NOTHING, 5, 0, \
       seam_op_hardswish (x), , NONE, NONE, 0) \
  MAP (LEAKY_RELU, leaky_relu, ACTIVATION, NOTHING, 2, 1, \
       seam_op_leaky_relu (x, a), , NONE, NUMBER (relu, a, 0), 0) \
  MAP (SOFTPLUS, softplus, ACTIVATION, NOTHING, 5, 1, \
       seam_op_softplus (x, a, b), , NONE, NONE, 1 / a) \
  MAP (SUB_TENSOR, sub_tensor, ARITHMETIC, TENSOR, 1, 0, \
       seam_op_subtract (x, t), , NONE, NONE, 0) \
  MAP (ADD_OUTER, add_outer, ARITHMETIC, TENSOR, 1, 0, \
       seam_op_add (x, t), POINTWISE (ADD, t), NONE, NONE, 0) \
  MAP (GELU_TANH, gelu_tanh, ACTIVATION, NOTHING, 9, 0, \
       seam_op_gelu_tanh (x), , NONE, NONE, x) \
  MAP (DROPOUT, dropout, ACTIVATION, TENSOR, 1, 0, \
       seam_op_multiply (x, t), POINTWISE (MUL, t), NONE, NONE, 0) \
  OTHER (GROUPNORM, groupnorm, NORMALISE, NORMALISATION, NORM, 8, AFFINE) \
  OTHER (BATCH_NORM, batch_norm, NORMALISE, NORMALISATION, NORM, 8, RUNNING) \
  OTHER (INSTANCE_NORM, instance_norm, NORMALISE, NORMALISATION, NORM, 8, AFFINE) \
  OTHER (LAYER_NORM, layer_norm, NORMALISE, NORMALISATION, NORM, 8, AFFINE) \
  OTHER (SOFTMAX, softmax, NORMALISE, NORMALISATION, SOFTMAX, 5, NONE) \
  OTHER (MAX_POOL1D, max_pool1d, WINDOW, WINDOW, LARGEST, 1, NONE) \
  OTHER (MAX_POOL2D, max_pool2d, WINDOW, WINDOW, LARGEST, 1, NONE) \
  OTHER (MAX_POOL3D, max_pool3d, WINDOW, WINDOW, LARGEST, 1, NONE) \
  OTHER (AVG_POOL1D, avg_pool1d, WINDOW, WINDOW, MEAN, 1, NONE) \
  OTHER (AVG_POOL2D, avg_pool2d, WINDOW, WINDOW, MEAN, 1, NONE) \
  OTHER (AVG_POOL3D, avg_pool3d, WINDOW, WINDOW, MEAN, 1, NONE) \
  OTHER (GLOBAL_AVG_POOL, global_avg_pool, REDUCE, WINDOW, MEAN, 1, NONE) \
  OTHER (REDUCE_SUM, reduce_sum, REDUCE, REDUCTION, SUM, 1, NONE) \
  OTHER (REDUCE_MEAN, reduce_mean, REDUCE, REDUCTION, MEAN, 1, NONE) \
  OTHER (REDUCE_MAX, reduce_max, REDUCE, REDUCTION, LARGEST, 1, NONE) \
  OTHER (REDUCE_MIN, reduce_min, REDUCE, REDUCTION, SMALLEST, 1, NONE) \
  OTHER (LOGSUMEXP, logsumexp, REDUCE, REDUCTION, LOGSUMEXP, 3, NONE)
/* Reductions of the n values x of a set, in one pass or two; sums are FP64.
 *   NAME
 *   passes      1 or 2
 *   start       of the first pass
 *   step        of the first pass: its new result, of the one before, f, and x
 *   merge       of two results f and g of the first pass, for parts of the set
 *   term        what the second pass adds up in s, of x, f and n; 0 where there is none
 *   result      of f, s and n; that of a normalisation is not used, since seam_op_normalize() or
 *               seam_op_share() makes an output of each x */
#define SEAM_REDUCTIONS(REDUCTION) \
  REDUCTION (SUM, 1, 0, f + x, f + g, 0, f) \
  REDUCTION (MEAN, 1, 0, f + x, f + g, 0, f / n) \
  REDUCTION (LARGEST, 1, -SEAM_INFINITY, SEAM_LARGER (x, f), SEAM_LARGER (g, f), 0, f) \
  REDUCTION (SMALLEST, 1, SEAM_INFINITY, SEAM_SMALLER (x, f), SEAM_SMALLER (g, f), 0, f) \
  REDUCTION (LOGSUMEXP, 2, -SEAM_INFINITY, SEAM_LARGER (x, f), SEAM_LARGER (g, f), \
             SEAM_EXP ((SEAM_REAL)(x - f)), SEAM_INFINITE (f) ? f : f + SEAM_LOG (s)) \
  REDUCTION (SOFTMAX, 2, -SEAM_INFINITY, SEAM_LARGER (x, f), SEAM_LARGER (g, f), \
             SEAM_EXP ((SEAM_REAL)(x - f)), s) \
  REDUCTION (NORM, 2, 0, f + x, f + g, (x - f / n) * (x - f / n), s)
/* clang-format on */

#define SEAM_OP_SKIP(...)
#define SEAM_OP_ENUMERATOR(NAME, ...) SEAM_OP_##NAME,

typedef enum {
  SEAM_OPS (SEAM_OP_ENUMERATOR, SEAM_OP_ENUMERATOR, SEAM_OP_ENUMERATOR) SEAM_N_OP_TYPES
} SeamOpType;

/* Of every norm unless a pipeline file says otherwise. */
#define SEAM_GROUPNORM_EPSILON 1e-5

#define SEAM_REDUCTION_ENUMERATOR(NAME, ...) SEAM_REDUCTION_##NAME,

typedef enum { SEAM_REDUCTIONS (SEAM_REDUCTION_ENUMERATOR) SEAM_N_REDUCTIONS } SeamReduction;

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SEAM_INFINITY __longlong_as_double (0x7ff0000000000000)
#define SEAM_LOG      log
#else
#define SEAM_INFINITY __builtin_inf ()
#define SEAM_LOG      __builtin_log
#endif
/* NaN stays. */
#define SEAM_LARGER(x, than)  ((x) > (than) || (x) != (x) ? (x) : (than))
#define SEAM_SMALLER(x, than) ((x) < (than) || (x) != (x) ? (x) : (than))
#define SEAM_INFINITE(x)      ((x) - (x) != 0 && (x) == (x))

/* A GPU's own instructions below are FP32's. */
#if defined(__CUDA_ARCH__) && !defined(SEAM_REAL)
#define SEAM_OP_FAST
#endif

#ifndef SEAM_REAL
#define SEAM_REAL float
#endif

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SEAM_OP_FUNCTION static __host__ __device__ __forceinline__
#else
#define SEAM_OP_FUNCTION static inline
#endif

/* A function of the mathematical library in the precision of SEAM_REAL: SEAM_MATH (exp). The
 * builtin needs no header, so that this file can be included before or without <math.h>. */
#ifndef SEAM_MATH
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SEAM_MATH(function) function##f
#else
#define SEAM_MATH(function) __builtin_##function##f
#endif
#endif

/* The includer may define faster functions of the same meaning. */
#ifndef SEAM_EXP
#define SEAM_EXP SEAM_MATH (exp)
#endif
#ifndef SEAM_TANH
#define SEAM_TANH  SEAM_MATH (tanh)
#define SEAM_ERF   SEAM_MATH (erf)
#define SEAM_LOG1P SEAM_MATH (log1p) /* of 0 to 1 */
#endif

SEAM_OP_FUNCTION SEAM_REAL
seam_op_add (SEAM_REAL x, SEAM_REAL y)
{
  return x + y;
}

SEAM_OP_FUNCTION SEAM_REAL
seam_op_subtract (SEAM_REAL x, SEAM_REAL y)
{
  return x - y;
}

SEAM_OP_FUNCTION SEAM_REAL
seam_op_multiply (SEAM_REAL x, SEAM_REAL y)
{
  return x * y;
}

/* 1 / y as the sum of two numbers with the sign of y; the first is not larger than 1 / y in
 * magnitude. */
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

/* x / y, given the two numbers that seam_op_invert() made of y. */
SEAM_OP_FUNCTION float
seam_op_divide_by (float x, float high, float low)
{
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
  return fmaf (x, high, x * low);
#else
  return __builtin_fmaf (x, high, x * low);
#endif
}

/* x / y for elements that share y, with |y| between 1e-30 and 1e30. A GPU has no divide
 * instruction: an IEEE quotient is a long sequence with a call for special cases, which held this
 * op at 85 % of copy speed on an H200. With 1 / y as two numbers (which the compiler moves out of
 * loops), a product and a fused multiply-add give the same bits (Brisebarre, Muller and Raina 2004:
 * for nearly all y; tests/core/test-ops.c tries some with every x). As both numbers have the sign
 * of y, infinity stays infinity. If a quotient is below 2^-100, the second product may be a
 * denormal number, which some kernels flush to 0, and the last bit may change. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_divide (SEAM_REAL x, SEAM_REAL y)
{
#ifdef SEAM_OP_FAST
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
#ifdef SEAM_OP_FAST
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
#ifdef SEAM_OP_FAST
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

/* A clamp to 0…1 that turns NaN into 0. It is free on a GPU, where most instructions can end with
 * it. Use it if the next op multiplies by the value that was NaN, which brings the NaN back. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_clamp_unit (SEAM_REAL x)
{
#ifdef SEAM_OP_FAST
  return __saturatef (x);
#else
  return seam_op_clamp (x, (SEAM_REAL)0, (SEAM_REAL)1);
#endif
}

/* On a GPU the quotient is the fast one (within 2 units in the last place; 0 for a denominator over
 * 2^126): the IEEE sequence made fused reductions wait for arithmetic instead of memory. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_sigmoid (SEAM_REAL x)
{
#ifdef SEAM_OP_FAST
  return __fdividef (1.0f, 1.0f + SEAM_EXP (-x));
#else
  return (SEAM_REAL)1 / ((SEAM_REAL)1 + SEAM_EXP (-x));
#endif
}

/* In the form of the error function. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_gelu (SEAM_REAL x)
{
  return (SEAM_REAL)0.5 * x * ((SEAM_REAL)1 + SEAM_ERF (x * (SEAM_REAL)0.70710678118654752440));
}

/* In the form of a hyperbolic tangent, which is within 5e-4 of the other. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_gelu_tanh (SEAM_REAL x)
{
  const SEAM_REAL inner = (SEAM_REAL)0.79788456080286535588 * (x + (SEAM_REAL)0.044715 * x * x * x);

  return (SEAM_REAL)0.5 * x * ((SEAM_REAL)1 + SEAM_TANH (inner));
}

/* x tanh (log (1 + e)) with e = exp (x), as x n / (n + 2) with n = e (e + 2): one special function
 * instead of three. From 20 on it is x. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_mish (SEAM_REAL x)
{
  const SEAM_REAL e = SEAM_EXP (seam_op_minimum (x, (SEAM_REAL)20));
  const SEAM_REAL n = e * (e + (SEAM_REAL)2);

  return x * (n / (n + (SEAM_REAL)2));
}

SEAM_OP_FUNCTION SEAM_REAL
seam_op_hardswish (SEAM_REAL x)
{
  return x * seam_op_clamp (x + (SEAM_REAL)3, (SEAM_REAL)0, (SEAM_REAL)6) / (SEAM_REAL)6;
}

SEAM_OP_FUNCTION SEAM_REAL
seam_op_leaky_relu (SEAM_REAL x, SEAM_REAL slope)
{
  const SEAM_REAL negative = slope * x;

  return x > (SEAM_REAL)0 ? x : negative;
}

/* log (1 + exp (beta x)) / beta; x itself where beta x is over the threshold. The logarithm is the
 * positive part of beta x and that of 1 + exp (-|beta x|). */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_softplus (SEAM_REAL x, SEAM_REAL beta, SEAM_REAL threshold)
{
  const SEAM_REAL z = beta * x;
  const SEAM_REAL y = (seam_op_relu (z) + SEAM_LOG1P (SEAM_EXP (-SEAM_MATH (fabs) (z)))) / beta;

  return z > threshold ? x : y;
}

/* x * scale + offset, rounded once. Several adds and multiplies are folded into it in modes that
 * round operands anyway. */
SEAM_OP_FUNCTION float
seam_op_multiply_add (float x, float scale, float offset)
{
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
  return fmaf (x, scale, offset);
#else
  return __builtin_fmaf (x, scale, offset);
#endif
}

/* The same, clamped to 0…1 like seam_op_clamp_unit, which compilers fold into the instruction. */
SEAM_OP_FUNCTION float
seam_op_multiply_add_unit (float x, float scale, float offset)
{
#ifdef SEAM_OP_FAST
  float y;
  asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(x), "f"(scale), "f"(offset));
  return y;
#else
  const float y = seam_op_multiply_add (x, scale, offset);
  return y < 0.0f ? 0.0f : y > 1.0f ? 1.0f : y;
#endif
}

/* One instruction on a GPU, for math modes that round operands: off by up to 2^-11 of the result
 * (PTX ISA), and by no more than 8e-6 on an H200 (tests/gpu/approximations.cu, every x). */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_tanh (SEAM_REAL x)
{
#ifdef SEAM_OP_FAST
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

/* The last step of softmax: `largest` and `sum` are those of its set. */
SEAM_OP_FUNCTION SEAM_REAL
seam_op_share (SEAM_REAL x, SEAM_REAL largest, SEAM_REAL sum)
{
  return SEAM_EXP (x - largest) / sum;
}

/* seam_op_apply_relu () and so on: each map as a function of everything that a map may read. */
#define SEAM_OP_APPLY(NAME, name, KIND, READS, OPERATIONS, NUMBERS, EXPRESSION, ...)               \
  SEAM_OP_FUNCTION SEAM_REAL seam_op_apply_##name (SEAM_REAL x, SEAM_REAL v, SEAM_REAL t,          \
                                                   SEAM_REAL a, SEAM_REAL b)                       \
  {                                                                                                \
    (void)v, (void)t, (void)a, (void)b;                                                            \
    return EXPRESSION;                                                                             \
  }
SEAM_OPS (SEAM_OP_SKIP, SEAM_OP_APPLY, SEAM_OP_SKIP)

#endif
