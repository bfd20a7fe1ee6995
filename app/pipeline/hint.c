/* SPDX-License-Identifier: MIT
 *
 * Finds void ops: follows the range of numbers that each value can have, for which it asks the
 * expression of each map at numbers of that range.
 */
#define SEAM_REAL           double
#define SEAM_MATH(function) __builtin_##function

#include "app/pipeline/hint.h"
#include "app/pipeline/op-shape.h"

#include <math.h>

/* The numbers that a value can have. */
typedef struct {
  double low, high;
} Range;

static const Range all = { -INFINITY, INFINITY };

/* `other` is what the op reads besides x. */
static double
apply (const SeamOp *op, double x, double other)
{
  const double a = seam_op_get_scalar_param (op) >= 0 ? other : op->scalars[0], b = op->scalars[1];

  switch (op->type) {
#define CASE(NAME, name, ...)                                                                      \
  case SEAM_OP_##NAME:                                                                             \
    return seam_op_apply_##name (x, other, other, a, b);
    SEAM_OPS (SEAM_OP_SKIP, CASE, SEAM_OP_SKIP)
#undef CASE
  default: /* no map */
    return NAN;
  }
}

#define N_TRIES 400

/* Number `i` of those that are tried: the ends of the range, 0 and numbers of all sizes. */
static double
get_try (const Range *range, int i)
{
  const double size = exp2 (-60 + (i / 2 - 1) * 0.75);
  const double x = i == 0 ? range->low : i == 1 ? range->high : i == 2 ? 0 : i % 2 ? size : -size;

  return CLAMP (x, MAX (range->low, -1e30), MIN (range->high, 1e30));
}

/* The range of a map that reads only x, and whether it leaves every number as it is. */
static Range
map_range (const SeamOp *op, const Range *x, gboolean *is_void)
{
  Range y = { INFINITY, -INFINITY };

  *is_void = TRUE;
  for (int i = 0; i < N_TRIES; i++) {
    const double from = get_try (x, i), to = apply (op, from, 0);
    *is_void = *is_void && to == from;
    y.low = fmin (y.low, to);
    y.high = fmax (y.high, to);
  }
  return (Range){ y.low <= -1e29 ? -INFINITY : y.low, y.high >= 1e29 ? INFINITY : y.high };
}

/* Whether the op is a reduction, or softmax, of sets of one element. */
static gboolean
is_of_one (const SeamOpCase *c)
{
  return (c->info->op_class == SEAM_CLASS_REDUCE || c->info->reduction == SEAM_REDUCTION_SOFTMAX)
         && seam_op_count_along (c) == 1;
}

/* Whether the op makes a mean of one element of what `tensor` is. */
static gboolean
is_mean_of_one (const SeamProblem *problem, const SeamChain *chain, int op, int tensor)
{
  SeamOpCase c;

  if (op < 0 || chain->ops[op].inputs[0] != tensor)
    return FALSE;
  seam_op_get_case (problem, chain, op, &c);
  seam_op_infer (&c, NULL);
  return c.info->op_class == SEAM_CLASS_REDUCE && seam_op_count_along (&c) == 1;
}

/* The range of an op's output, and what is void about the op. */
static Range
follow (const SeamProblem *problem, const SeamChain *chain, int op, const Range *ranges,
        gboolean *is_void)
{
  SeamOpCase c;

  *is_void = FALSE;
  seam_op_get_case (problem, chain, op, &c);
  seam_op_infer (&c, NULL);
  const int from = seam_tensor_get_op (chain, c.op->inputs[0]);
  const Range x = from >= 0 ? ranges[from] : all;
  if (c.info->reduction == SEAM_REDUCTION_SOFTMAX && c.info->op_class == SEAM_CLASS_NORMALISE)
    return seam_op_count_along (&c) == 1 ? (Range){ 1, 1 } : (Range){ 0, 1 };
  if (c.info->op_class == SEAM_CLASS_WINDOW || is_of_one (&c)) {
    *is_void = is_of_one (&c);
    /* An average counts zeros of its padding. */
    return c.info->op_class == SEAM_CLASS_WINDOW
               ? (Range){ fmin (x.low, c.info->reduction == SEAM_REDUCTION_MEAN ? 0 : x.low),
                          fmax (x.high, c.info->reduction == SEAM_REDUCTION_MEAN ? 0 : x.high) }
               : x;
  }
  if (c.info->op_class == SEAM_CLASS_REDUCE && c.info->reduction != SEAM_REDUCTION_SUM
      && c.info->reduction != SEAM_REDUCTION_LOGSUMEXP)
    return x;
  if (c.info->op_class != SEAM_CLASS_MAP)
    return all;
  /* x less the mean of x alone is 0. */
  if (c.info->reads == SEAM_READS_TENSOR) {
    const int other = seam_tensor_get_op (chain, c.op->inputs[1]);
    const gboolean subtracts = apply (c.op, 0, 1) == -1 && c.info->attributes->second == 0
                               && is_mean_of_one (problem, chain, other, c.op->inputs[0])
                               && seam_shape_count (&c.in[1]) == seam_shape_count (&c.out);
    return subtracts ? (Range){ 0, 0 } : all;
  }
  if (c.info->reads == SEAM_READS_VECTOR || seam_op_get_scalar_param (c.op) >= 0)
    return all;
  return map_range (c.op, &x, is_void);
}

/* The axes of a map's output along which what it reads besides x varies. */
static guint
get_varying (const SeamOpCase *c)
{
  guint axes = 0;

  if (c->info->reads == SEAM_READS_VECTOR)
    return 1 << 1;
  if (c->info->reads == SEAM_READS_TENSOR)
    for (int i = 0; i < c->in[1].n_dims; i++)
      if (c->in[1].dims[i] > 1)
        axes |= 1u << (c->out.n_dims - c->in[1].n_dims + i);
  return axes;
}

/* The axes of x of which an output reads more than one index. */
static guint
get_mixed (const SeamOpCase *c)
{
  SeamAxisNeed needs[SEAM_MAX_DIMS] = { 0 };
  guint axes = 0;

  if (c->info->attributes->axes != NULL)
    c->info->attributes->axes (c, needs);
  for (int i = 0; i < c->in[0].n_dims; i++)
    if (needs[i].kind != SEAM_AXIS_SAME && needs[i].size > 1)
      axes |= 1u << i;
  return axes;
}

/* Whether the op passes on, as a number for each index of the axes `varying`, what was added to x
 * as such a number. */
static gboolean
passes_on (const SeamOpCase *c, guint varying)
{
  const gboolean counts_zeros =
      c->info->op_class == SEAM_CLASS_WINDOW && c->info->reduction == SEAM_REDUCTION_MEAN
      && c->numbers[SEAM_NUMBER_PADDING] > 0 && c->numbers[SEAM_NUMBER_COUNT_INCLUDE_PAD];

  if (c->out.n_dims != c->in[0].n_dims || counts_zeros)
    return FALSE;
  return c->info->op_class == SEAM_CLASS_WINDOW || c->info->op_class == SEAM_CLASS_REDUCE
             ? (get_mixed (c) & varying) == 0
             : seam_op_is_linear (c->op) && c->op->inputs[0] != c->op->inputs[1];
}

/* The normalisation that subtracts again what `op` adds, since that is the same number for all
 * elements of a set that it normalises. */
static const SeamOp *
find_canceller (const SeamProblem *problem, const SeamChain *chain, int op)
{
  guint varying = 0;

  for (int i = op; i < chain->n_ops; i++) {
    SeamOpCase c;
    seam_op_get_case (problem, chain, i, &c);
    seam_op_infer (&c, NULL);
    if (i > op
        && (c.op->inputs[0] != SEAM_TENSOR_OUTPUT (i - 1)
            || (i + 1 < chain->n_ops
                && seam_chain_reads (chain, i + 1, chain->n_ops - 1, SEAM_TENSOR_OUTPUT (i - 1)))))
      return NULL;
    if (i > op && c.info->op_class == SEAM_CLASS_NORMALISE)
      return (get_mixed (&c) & varying) == 0 && !c.running_statistics
                     && seam_op_count_along (&c) > 1
                 ? c.op
                 : NULL;
    const gboolean adds = seam_op_is_linear (c.op) && apply (c.op, 0, 1) != 0;
    if (i == op ? !adds : !passes_on (&c, varying))
      return NULL;
    if (i == op || !adds)
      varying |= get_varying (&c);
  }
  return NULL;
}

/* The matrix op whose sums of products a sum or mean adds up, through ops that are linear, too. */
static const SeamOp *
find_collapsed (const SeamProblem *problem, const SeamChain *chain, int op)
{
  SeamOpCase c;

  seam_op_get_case (problem, chain, op, &c);
  seam_op_infer (&c, NULL);
  if (c.info->op_class != SEAM_CLASS_REDUCE || seam_op_count_along (&c) == 1
      || (c.info->reduction != SEAM_REDUCTION_SUM && c.info->reduction != SEAM_REDUCTION_MEAN))
    return NULL;
  for (int i = op; i > 0; i--) {
    const SeamOp *before = &chain->ops[i - 1];
    if (chain->ops[i].inputs[0] != SEAM_TENSOR_OUTPUT (i - 1))
      return NULL;
    if (seam_op_is_matrix (before))
      return before;
    if (!seam_op_is_linear (before) || seam_op_get_info (before)->reads == SEAM_READS_TENSOR)
      return NULL;
  }
  return NULL;
}

/* `words` may be NULL; else nothing of algebra, and the op in two words (seam_op_get_void_words).
 */
static char *
find_hint (const SeamProblem *problem, const SeamChain *chain, int op, const char **words)
{
  const char *unused, **in_short = words != NULL ? words : &unused;
  const SeamOp *o = &chain->ops[op], *other;
  Range ranges[SEAM_MAX_OPS];
  gboolean is_void = FALSE;
  SeamOpCase c;

  for (int i = 0; i <= op; i++)
    ranges[i] = follow (problem, chain, i, ranges, &is_void);
  seam_op_get_case (problem, chain, op, &c);
  seam_op_infer (&c, NULL);
  const int from = seam_tensor_get_op (chain, o->inputs[0]);
  const gboolean was_zero = from >= 0 && ranges[from].low == 0 && ranges[from].high == 0;
  *in_short = "always 0";
  if (ranges[op].low == 0 && ranges[op].high == 0 && !was_zero)
    return g_strdup_printf ("“%s” is zero for every input.", o->label);
  *in_short = "always 1";
  if (is_of_one (&c) && c.info->op_class == SEAM_CLASS_NORMALISE)
    return g_strdup_printf ("“%s” is over one element, so it is 1 for every input.", o->label);
  *in_short = "no effect";
  if (is_of_one (&c))
    return g_strdup_printf ("“%s” is over one element, which it leaves as it is.", o->label);
  if (is_void)
    return g_strdup_printf ("“%s” changes nothing: it leaves every number that it can read as it "
                            "is.",
                            o->label);
  if ((other = find_canceller (problem, chain, op)) != NULL)
    return g_strdup_printf ("“%s” has no effect: what it adds is the same for all elements that "
                            "“%s” normalises together, which subtracts it again.",
                            o->label, other->label);
  if (words == NULL && (other = find_collapsed (problem, chain, op)) != NULL)
    return g_strdup_printf (
        "“%s” adds up outputs of “%s” with nothing but linear ops between, so by algebra the "
        "weights can be added up first: a plan that does so is right and faster, but that is not "
        "fusion.",
        o->label, other->label);
  return NULL;
}

char *
seam_op_find_hint (const SeamProblem *problem, const SeamChain *chain, int op)
{
  return find_hint (problem, chain, op, NULL);
}

const char *
seam_op_get_void_words (const SeamProblem *problem, const SeamChain *chain, int op)
{
  const char *words;
  g_autofree char *hint = find_hint (problem, chain, op, &words);

  return hint != NULL ? words : NULL;
}

gboolean
seam_op_is_void (const SeamProblem *problem, const SeamChain *chain, int op)
{
  return seam_op_get_void_words (problem, chain, op) != NULL;
}
