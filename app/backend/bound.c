/* SPDX-License-Identifier: MIT
 *
 * Implements the rules of bound.h, one function for each class of ops.
 */
#define SEAM_REAL           double
#define SEAM_MATH(function) __builtin_##function

#include "app/backend/bound.h"

#include <math.h>

#define UNIT_FP16  0x1p-11
#define UNIT_BF16  0x1p-8
#define LEAST_FP16 0x1p-14
/* Products for each truncation of a sum [without this part cuBLAS reached 1.19 times the bound in a
 * TF32 matmul of 262,144 products of one sign on an H200, a third of what it allows]. */
#define TRUNCATION_STEP 32.0

static double
get_unit (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP16 ? UNIT_FP16 : type == SEAM_OPERAND_BF16 ? UNIT_BF16 : 0;
}

void
seam_bound_rule_init (SeamBoundRule *rule, const SeamProblem *problem, SeamMathMode math_mode,
                      int sides)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  const SeamMathMode base = seam_math_mode_get_base (math_mode);
  const double unit = base == SEAM_MATH_FP32   ? 0
                      : base == SEAM_MATH_BF16 ? UNIT_BF16
                                               : UNIT_FP16; /* TF32's, too */

  *rule = (SeamBoundRule){
    .given = sides * get_unit (problem->tensors[SEAM_TENSOR_INPUT].type),
    /* Rows are scaled in tf32x, and TF32 has FP32's range. */
    .least = math_mode == SEAM_MATH_FP16 ? LEAST_FP16 : 0,
  };
  for (int i = 0; i < chain->n_ops; i++) {
    const double n = (double)MAX (seam_op_get_reach (problem, chain, i), 1);
    SeamOpCase c;

    seam_op_get_case (problem, chain, i, &c);
    rule->stored[i] = sides * get_unit (problem->tensors[SEAM_TENSOR_OUTPUT (i)].type);
    if (!seam_op_is_matrix (&chain->ops[i]))
      continue;
    rule->sums[i] =
        (SeamBoundSum){ .unit = sides * unit,
                        .sum = sides * SEAM_BOUND_UNIT * sqrt (n),
                        .truncated = unit > 0 ? sides * SEAM_BOUND_UNIT * n / TRUNCATION_STEP : 0 };
    rule->reach[i] =
        c.numbers[SEAM_NUMBER_KERNEL] == 3 && c.numbers[SEAM_NUMBER_STRIDE] == 1 ? 1 : 0;
  }
}

double
seam_bound_of_map (const SeamOp *op, double x, double e, double v, double t, double f, double y)
{
  return seam_bound_map (op->type, op->scalars[0], op->scalars[1], x, e, v, t, f, y);
}

/* A loop for each op, in which it is a constant. */
void
seam_bound_run_map (const SeamOp *op, gint64 n, const double *x, const double *e, const float *v,
                    int v_step, const double *t, const double *f, double *y, double *bounds)
{
  static const float zero = 0;
  const double a = op->scalars[0], b = op->scalars[1];

  if (v == NULL) {
    v = &zero;
    v_step = 0;
  }
  switch (op->type) {
#define CASE(NAME, ...)                                                                            \
  case SEAM_OP_##NAME:                                                                             \
    for (gint64 i = 0; i < n; i++)                                                                 \
      y[i] = seam_bound_apply (SEAM_OP_##NAME, a, b, x[i], v[i * v_step], t[i]);                   \
    for (gint64 i = 0; bounds != NULL && i < n; i++)                                               \
      bounds[i] =                                                                                  \
          seam_bound_map (SEAM_OP_##NAME, a, b, x[i], e[i], v[i * v_step], t[i], f[i], y[i]);      \
    break;
    SEAM_OPS (SEAM_OP_SKIP, CASE, SEAM_OP_SKIP)
#undef CASE
  default: /* no map */
    break;
  }
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
  return fmax (sqrt (squares), .5 * total)
         + SEAM_BOUND_DEVIATIONS * SEAM_BOUND_UNIT * sqrt ((double)n) * sizes + SEAM_BOUND_LEAST;
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
    .deviation_bound = sum / (double)n + seam_bound_deviation (mean, rstd),
  };
}

double
seam_bound_of_norm (const SeamBoundNorm *norm, double x, double e, double weight, double y)
{
  return seam_bound_normalize (norm->mean, norm->rstd, norm->mean_bound, norm->deviation_bound, x,
                               e, weight, y);
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
  return SEAM_BOUND_DEVIATIONS * SEAM_BOUND_UNIT * sqrt ((double)n);
}

double
seam_bound_of_logsumexp (gint64 n, const double *x, const double *e)
{
  double y = get_logsumexp (n, x, e, 0), largest = get_largest (n, x, e, 0, 1);

  return fmax (get_logsumexp (n, x, e, 1) - y, y - get_logsumexp (n, x, e, -1)) + get_sum_loss (n)
         + 4 * SEAM_BOUND_UNIT * (fabs (largest) + fabs (y)) + SEAM_BOUND_LEAST;
}

double
seam_bound_of_reduction (SeamReduction reduction, gint64 length, const double *x, const double *e,
                         double n)
{
  switch (reduction) {
  case SEAM_REDUCTION_LARGEST:
    return seam_bound_of_largest (length, x, e);
  case SEAM_REDUCTION_SMALLEST:
    return seam_bound_of_smallest (length, x, e);
  case SEAM_REDUCTION_LOGSUMEXP:
    return seam_bound_of_logsumexp (length, x, e);
  case SEAM_REDUCTION_SUM:
    return seam_bound_of_total (length, x, e);
  case SEAM_REDUCTION_MEAN:
    return seam_bound_of_total (length, x, e) / n;
  default: /* a normalisation has rules of its own */
    return NAN;
  }
}

/* An exponential's error is relative, and as large as that of its argument, the distance from the
 * largest value. */
void
seam_bound_of_softmax (gint64 n, const double *x, const double *e, const double *y, double *bounds)
{
  double largest = get_largest (n, x, e, 0, 1), weighted = 0;

  for (gint64 i = 0; i < n; i++) {
    bounds[i] = e[i] + 4 * SEAM_BOUND_UNIT * (1 + fabs (x[i] - largest));
    weighted += y[i] * bounds[i];
  }
  for (gint64 i = 0; i < n; i++)
    bounds[i] = y[i] * (bounds[i] + weighted + get_sum_loss (n)) + SEAM_BOUND_LEAST;
}
