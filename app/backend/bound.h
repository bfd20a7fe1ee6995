/* SPDX-License-Identifier: MIT
 *
 * How far from the FP64 reference an element may be that a right implementation computes in a math
 * mode. The bound is carried through the chain beside the value, by the same table of ops that
 * computes it, so it follows from chain, mode and data:
 *
 * Matrix op  y = sum (w x), q = sqrt (sum (w x)^2): 6 (u q + a (|y| + q)). u is the unit roundoff
 *            of the operands' type; a that of the sum, 2^-24 sqrt (L) for L products that are added
 *            one by one in FP32; 6 the deviations that the largest of 10^9 errors reaches. Where
 *            tensor cores may truncate their sums, 2^-24 L / 32 |y| more. Winograd's algorithm
 *            adds the products of neighbouring outputs and takes them away again, so a 3x3
 *            convolution has the largest q of its neighbours.
 * Map        its expression at x and at x - e and x + e, at all corners for two inputs: the largest
 *            difference, the roundings of its operations, and those of terms that cancel in a right
 *            form of it (kernels/ops.h). Kinks and saturation need nothing else.
 * Reduction  largest and smallest, and logsumexp: at x - e and x + e; sum and mean: as independent
 *            errors, or as errors that a weight's rounding makes alike; softmax: y (e + sum (y e)).
 * GroupNorm  errors of the element, of the mean and of the deviation, which may be the root of the
 *            squares' mean minus the mean's square where the mean is at most 30 deviations.
 * Storage    in 16 bits adds u |y| where a tensor is stored.
 *
 * How much of it right implementations take: tests/bench/bounds. All functions are pure; values are
 * FP64.
 */
#pragma once

#include "app/pipeline/problem.h"
#include "kernels/bound.h"

#include <math.h>

typedef struct {
  /* Of op i, if it is a matrix op: for this problem's number of products; and 1 if the neighbours
   * of an output share sums with it, else 0. */
  SeamBoundSum sums[SEAM_MAX_OPS];
  int reach[SEAM_MAX_OPS];
  double least; /* least normal number of the operands' type; 0: smaller ones than FP32's do not
                 * matter */
  double given; /* unit roundoff of the type that inputs are stored in; 0: FP32 */
  double stored[SEAM_MAX_OPS]; /* unit roundoff of the type that op i's output is stored in; 0:
                                * FP32 */
} SeamBoundRule;

/* For chain 0 of the problem, computed in `math_mode`. `sides`: 1 for the distance of an output
 * from the true one, 2 for that of two outputs from each other: the errors of both count from the
 * start, since one of them may be behind a kink. */
void seam_bound_rule_init (SeamBoundRule *rule, const SeamProblem *problem, SeamMathMode math_mode,
                           int sides);

/* The size that counts in q for an operand of the matrix op: a subnormal number is rounded as the
 * least normal one is. */
static inline double
seam_bound_get_size (const SeamBoundRule *rule, double operand)
{
  return fabs (operand) + rule->least;
}

/* n outputs y of a map, and their bounds (NULL: not), as below; `v` (NULL: reads none) has a number
 * for each, or (v_step 0) for all. */
void seam_bound_run_map (const SeamOp *op, gint64 n, const double *x, const double *e,
                         const float *v, int v_step, const double *t, const double *f, double *y,
                         double *bounds);
/* Of a map's output y, for input x within e and, where it reads one, t within f. */
double seam_bound_of_map (const SeamOp *op, double x, double e, double v, double t, double f,
                          double y);
/* Of mean and deviation of n values within e; `mean` and `rstd` are theirs. */
typedef struct {
  double mean, rstd;
  double mean_bound, deviation_bound;
} SeamBoundNorm;

void seam_bound_norm_init (SeamBoundNorm *norm, gint64 n, const double *x, const double *e,
                           double mean, double rstd);
/* Of (x - mean) rstd weight + bias = y. */
double seam_bound_of_norm (const SeamBoundNorm *norm, double x, double e, double weight, double y);

/* Of reductions of n values x within e. */
double seam_bound_of_largest (gint64 n, const double *x, const double *e);
double seam_bound_of_smallest (gint64 n, const double *x, const double *e);
double seam_bound_of_total (gint64 n, const double *x, const double *e);
double seam_bound_of_mean (gint64 n, const double *x, const double *e);
double seam_bound_of_logsumexp (gint64 n, const double *x, const double *e);
/* Of one of these; a mean divides by `n`. */
double seam_bound_of_reduction (SeamReduction reduction, gint64 length, const double *x,
                                const double *e, double n);
/* Of softmax's outputs y of such values, into `bounds`. */
void seam_bound_of_softmax (gint64 n, const double *x, const double *e, const double *y,
                            double *bounds);
