/* SPDX-License-Identifier: MIT
 *
 * How far a right implementation's number may be from the true one, for the ops that work on one
 * element; app/backend/bound.h explains the rules. Plain C that gcc and nvcc accept: the FP64
 * reference computes with SEAM_REAL double, a GPU's kernel in FP32.
 */
#ifndef SEAM_BOUND_H
#define SEAM_BOUND_H

#include "kernels/ops.h"

#define SEAM_BOUND_UNIT ((SEAM_REAL)0x1p-24)
/* Implementations may flush what is smaller to 0. */
#define SEAM_BOUND_LEAST ((SEAM_REAL)0x1p-126)
/* FP32 ends here. */
#define SEAM_BOUND_MOST ((SEAM_REAL)3.4e38)
/* Deviations that the largest of 10^9 errors reaches. */
#define SEAM_BOUND_DEVIATIONS ((SEAM_REAL)6)

/* Of a sum y of products, whose squares' sum has the root q. */
typedef struct {
  double unit;      /* unit roundoff of the operands; 0: FP32 */
  double sum;       /* 2^-24 times the root of the number of products */
  double truncated; /* what sums that are truncated lose of y at most; 0: rounded to nearest */
} SeamBoundSum;

SEAM_OP_FUNCTION SEAM_REAL
seam_bound_sum (const SeamBoundSum *rule, SEAM_REAL y, SEAM_REAL q)
{
  const SEAM_REAL size = SEAM_MATH (fabs) (y);

  /* The root of the number of products times q: no partial sum is larger. */
  if (q * ((SEAM_REAL)rule->sum / SEAM_BOUND_UNIT) > SEAM_BOUND_MOST)
    return (SEAM_REAL)__builtin_huge_val ();
  return SEAM_BOUND_DEVIATIONS * ((SEAM_REAL)rule->unit * q + (SEAM_REAL)rule->sum * (size + q))
         + (SEAM_REAL)rule->truncated * size + SEAM_BOUND_LEAST;
}

/* A map's output; NaN for another op. */
SEAM_OP_FUNCTION SEAM_REAL
seam_bound_apply (SeamOpType type, SEAM_REAL a, SEAM_REAL b, SEAM_REAL x, SEAM_REAL v, SEAM_REAL t)
{
  switch (type) {
#define SEAM_BOUND_CASE(NAME, name, ...)                                                           \
  case SEAM_OP_##NAME:                                                                             \
    return seam_op_apply_##name (x, v, t, a, b);
    SEAM_OPS (SEAM_OP_SKIP, SEAM_BOUND_CASE, SEAM_OP_SKIP)
#undef SEAM_BOUND_CASE
  default: /* no map */
    return SEAM_MATH (nan) ("");
  }
}

/* Operations of a map with the number a for the input x, whether it reads a tensor besides x, and
 * the size of terms that cancel. */
SEAM_OP_FUNCTION int
seam_bound_count (SeamOpType type, SEAM_REAL a, SEAM_REAL x, int *reads_tensor, SEAM_REAL *cancels)
{
  enum { NOTHING, VECTOR, TENSOR };

  (void)a, (void)x;
  switch (type) {
#define SEAM_BOUND_CASE(NAME, name, kind, reads, operations, numbers, expression, cudnn, cublaslt, \
                        onednn, cancel)                                                            \
  case SEAM_OP_##NAME:                                                                             \
    *reads_tensor = (reads) == TENSOR;                                                             \
    *cancels = SEAM_MATH (fabs) ((SEAM_REAL)(cancel));                                             \
    return operations;
    SEAM_OPS (SEAM_OP_SKIP, SEAM_BOUND_CASE, SEAM_OP_SKIP)
#undef SEAM_BOUND_CASE
  default:
    *reads_tensor = 0;
    *cancels = 0;
    return 0;
  }
}

/* Of a map's output y, for x within e and t within f. Every operation inside the expression rounds,
 * which is an error of its argument (an exponential's is as large as that), and of its result. What
 * comes of infinite operands stays without a bound. */
SEAM_OP_FUNCTION SEAM_REAL
seam_bound_map (SeamOpType type, SEAM_REAL a, SEAM_REAL b, SEAM_REAL x, SEAM_REAL e, SEAM_REAL v,
                SEAM_REAL t, SEAM_REAL f, SEAM_REAL y)
{
  int reads_tensor;
  SEAM_REAL cancels;
  const SEAM_REAL roundings =
      (SEAM_REAL)seam_bound_count (type, a, x, &reads_tensor, &cancels) * SEAM_BOUND_UNIT;
  const SEAM_REAL dx = e + roundings * SEAM_MATH (fabs) (x);
  const SEAM_REAL dt = reads_tensor ? f + roundings * SEAM_MATH (fabs) (t) : 0;
  SEAM_REAL most = 0;

  if (e + dt > SEAM_BOUND_MOST)
    return e + dt;
  for (int side = -1; side <= 1; side += 2)
    for (int other = -1; other <= (dt > 0 ? 1 : -1); other += 2)
      most = SEAM_MATH (fmax) (
          most, SEAM_MATH (fabs) (seam_bound_apply (type, a, b, x + (SEAM_REAL)side * dx, v,
                                                    t + (SEAM_REAL)other * dt)
                                  - y));
  return most + 2 * roundings * SEAM_MATH (fabs) (y) + cancels * SEAM_BOUND_UNIT + SEAM_BOUND_LEAST;
}

/* The bound e of y after y is stored in a type of that unit roundoff (0: FP32; FP16's subnormal
 * numbers are rounded as its least normal one is). None (infinite), which stays so, where y may
 * leave FP32, or where e is NaN because operands are infinite; NaN where y is. */
SEAM_OP_FUNCTION SEAM_REAL
seam_bound_store (SEAM_REAL unit, SEAM_REAL y, SEAM_REAL e)
{
  const SEAM_REAL size = SEAM_MATH (fabs) (y);
  const SEAM_REAL least = unit < (SEAM_REAL)0x1p-9 ? (SEAM_REAL)0x1p-14 : (SEAM_REAL)0;

  if (y != y)
    return y;
  return size + e <= SEAM_BOUND_MOST ? e + unit * SEAM_MATH (fmax) (size, least)
                                     : (SEAM_REAL)__builtin_huge_val ();
}

/* Of a deviation, 1 / rstd, by its own roundings: with two passes over the values, or, where `mean`
 * is at most 30 deviations, as the root of the squares' mean minus its square. Beyond that one
 * pass loses digits, and is a mistake. */
SEAM_OP_FUNCTION SEAM_REAL
seam_bound_deviation (SEAM_REAL mean, SEAM_REAL rstd)
{
  const SEAM_REAL times = SEAM_MATH (fmin) (SEAM_MATH (fabs) (mean) * rstd, (SEAM_REAL)30);

  return SEAM_BOUND_UNIT * (SEAM_BOUND_DEVIATIONS + 4 * times * times) / rstd;
}

/* Of (x - mean) rstd weight + bias = y. */
SEAM_OP_FUNCTION SEAM_REAL
seam_bound_normalize (SEAM_REAL mean, SEAM_REAL rstd, SEAM_REAL mean_bound,
                      SEAM_REAL deviation_bound, SEAM_REAL x, SEAM_REAL e, SEAM_REAL weight,
                      SEAM_REAL y)
{
  const SEAM_REAL size = SEAM_MATH (fabs) (x - mean) * rstd, gain = SEAM_MATH (fabs) (weight);

  return (e + mean_bound + 2 * SEAM_BOUND_UNIT * SEAM_MATH (fabs) (x) + size * deviation_bound)
             * rstd * gain
         + 4 * SEAM_BOUND_UNIT * (size * gain + SEAM_MATH (fabs) (y)) + SEAM_BOUND_LEAST;
}

#endif
