/* SPDX-License-Identifier: MIT
 *
 * Implements the rules of bound.h, one function for each class of ops.
 */
#define SEAM_REAL           double
#define SEAM_MATH(function) __builtin_##function

#include "app/backend/bound.h"

#include "app/backend/matrix.h"

#include <math.h>

#define UNIT_FP32 0x1p-24
#define UNIT_FP16 0x1p-11
#define UNIT_BF16 0x1p-8
/* Implementations may flush what is smaller to 0. */
#define LEAST_FP32 0x1p-126
#define LEAST_FP16 0x1p-14
/* Deviations that the largest of 10^9 errors reaches. */
#define DEVIATIONS 6.0

static double
get_unit (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP16 ? UNIT_FP16 : type == SEAM_OPERAND_BF16 ? UNIT_BF16 : 0;
}

void
seam_bound_rule_init (SeamBoundRule *rule, const SeamProblem *problem, SeamMathMode math_mode)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  const SeamMathMode base = seam_math_mode_get_base (math_mode);
  const SeamMatrixDims d = seam_matrix_get_dims (problem, 0);

  *rule = (SeamBoundRule){
    .unit = base == SEAM_MATH_FP32   ? 0
            : base == SEAM_MATH_BF16 ? UNIT_BF16
                                     : UNIT_FP16, /* TF32's, too */
    /* Rows are scaled in tf32x, and TF32 has FP32's range. */
    .least = math_mode == SEAM_MATH_FP16 ? LEAST_FP16 : 0,
    .sum = UNIT_FP32 * sqrt ((double)MAX (d.c * d.r * d.r, 1)),
  };
  for (int i = 0; i < chain->n_ops; i++)
    rule->stored[i] = get_unit (problem->tensors[SEAM_TENSOR_OUTPUT (i)].type);
}

double
seam_bound_of_sum (const SeamBoundRule *rule, double y, double q)
{
  return DEVIATIONS * (rule->unit * q + rule->sum * (fabs (y) + q)) + LEAST_FP32;
}

double
seam_bound_apply (const SeamOp *op, double x, double v, double t)
{
  switch (op->type) {
#define CASE(NAME, name, ...)                                                                      \
  case SEAM_OP_##NAME:                                                                             \
    return seam_op_apply_##name (x, v, t, op->scalars[0], op->scalars[1]);
    SEAM_OPS (SEAM_OP_SKIP, CASE, SEAM_OP_SKIP)
#undef CASE
  default: /* no map */
    return NAN;
  }
}

/* Every operation inside the expression rounds, which is an error of its argument (an exponential's
 * is as large as that), and of its result. */
double
seam_bound_of_map (const SeamOp *op, double x, double e, double v, double t, double f, double y)
{
  const SeamOpInfo *info = seam_op_get_info (op);
  const double roundings = info->operations * UNIT_FP32;
  const double dx = e + roundings * fabs (x);
  const double dt = info->reads == SEAM_READS_TENSOR ? f + roundings * fabs (t) : 0;
  double most = 0;

  for (int side = -1; side <= 1; side += 2)
    for (int other = -1; other <= (dt > 0 ? 1 : -1); other += 2)
      most = fmax (most, fabs (seam_bound_apply (op, x + side * dx, v, t + other * dt) - y));
  return most + 2 * roundings * fabs (y) + LEAST_FP32;
}

double
seam_bound_of_storage (const SeamBoundRule *rule, int i, double y)
{
  return rule->stored[i] * fmax (fabs (y), rule->stored[i] == UNIT_FP16 ? LEAST_FP16 : 0);
}

/* A sum's error: that of its terms, as independent or, at half their size, as alike; and its own
 * roundings. */
double
seam_bound_of_total (gint64 n, const double *x, const double *e)
{
  double squares = 0, total = 0, sizes = 0;

  for (gint64 i = 0; i < n; i++) {
    squares += e[i] * e[i];
    total += e[i];
    sizes += fabs (x[i]);
  }
  return fmax (sqrt (squares), .5 * total) + DEVIATIONS * UNIT_FP32 * sqrt ((double)n) * sizes
         + LEAST_FP32;
}

double
seam_bound_of_mean (gint64 n, const double *x, const double *e)
{
  return seam_bound_of_total (n, x, e) / (double)n;
}

void
seam_bound_norm_init (SeamBoundNorm *norm, gint64 n, const double *x, const double *e, double mean,
                      double rstd)
{
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += fabs (x[i] - mean) * rstd * e[i];
  *norm = (SeamBoundNorm){
    .mean = mean,
    .rstd = rstd,
    .mean_bound = seam_bound_of_mean (n, x, e),
    .deviation_bound = sum / (double)n + DEVIATIONS * UNIT_FP32 / rstd,
  };
}

double
seam_bound_of_norm (const SeamBoundNorm *norm, double x, double e, double weight, double y)
{
  double size = fabs (x - norm->mean) * norm->rstd;
  double error = (e + norm->mean_bound + 2 * UNIT_FP32 * fabs (x) + size * norm->deviation_bound)
                 * norm->rstd * fabs (weight);

  return error + 4 * UNIT_FP32 * (size * fabs (weight) + fabs (y)) + LEAST_FP32;
}

/* The largest of the values after all have moved by `side` times their bounds. */
static double
get_largest (gint64 n, const double *x, const double *e, int side, int sign)
{
  double largest = -INFINITY;

  for (gint64 i = 0; i < n; i++)
    largest = fmax (largest, sign * x[i] + side * e[i]);
  return largest;
}

static double
of_extreme (gint64 n, const double *x, const double *e, int sign)
{
  double y = get_largest (n, x, e, 0, sign);

  return fmax (get_largest (n, x, e, 1, sign) - y, y - get_largest (n, x, e, -1, sign));
}

double
seam_bound_of_largest (gint64 n, const double *x, const double *e)
{
  return of_extreme (n, x, e, 1);
}

double
seam_bound_of_smallest (gint64 n, const double *x, const double *e)
{
  return of_extreme (n, x, e, -1);
}

static double
get_logsumexp (gint64 n, const double *x, const double *e, int side)
{
  double largest = get_largest (n, x, e, side, 1), sum = 0;

  if (!isfinite (largest))
    return largest;
  for (gint64 i = 0; i < n; i++)
    sum += exp (x[i] + side * e[i] - largest);
  return largest + log (sum);
}

/* A sum of positive terms has a relative error of u sqrt (n), which its logarithm makes absolute.
 */
static double
get_sum_loss (gint64 n)
{
  return DEVIATIONS * UNIT_FP32 * sqrt ((double)n);
}

double
seam_bound_of_logsumexp (gint64 n, const double *x, const double *e)
{
  double y = get_logsumexp (n, x, e, 0), largest = get_largest (n, x, e, 0, 1);

  return fmax (get_logsumexp (n, x, e, 1) - y, y - get_logsumexp (n, x, e, -1)) + get_sum_loss (n)
         + 4 * UNIT_FP32 * (fabs (largest) + fabs (y)) + LEAST_FP32;
}

/* An exponential's error is relative, and as large as that of its argument, the distance from the
 * largest value. */
void
seam_bound_of_softmax (gint64 n, const double *x, const double *e, const double *y, double *bounds)
{
  double largest = get_largest (n, x, e, 0, 1), weighted = 0;

  for (gint64 i = 0; i < n; i++) {
    bounds[i] = e[i] + 4 * UNIT_FP32 * (1 + fabs (x[i] - largest));
    weighted += y[i] * bounds[i];
  }
  for (gint64 i = 0; i < n; i++)
    bounds[i] = y[i] * (bounds[i] + weighted + get_sum_loss (n)) + LEAST_FP32;
}
