/* SPDX-License-Identifier: MIT
 *
 * The output of some ops run one by one, and how far a candidate may be from it.
 */
#include "app/backend/candidate.h"

#include "app/backend/matrix.h"
#include "app/compare/compare.h"

#include <string.h>

/* Of a problem with more work, or more elements an output, only the first samples are compared: the
 * simplest kernels are many times slower than the candidates, and the outputs of all ops are in
 * memory together. */
#define MOST_FLOP     5e10
#define MOST_ELEMENTS 0x1p26
/* The tolerance is for an output and the reference; here both sides may be off. */
#define SIDES 2
/* Roundings of one map, and of what a library folds of its constants. */
#define MAP_ROUNDINGS (8 * 0x1p-24)

typedef struct {
  const SeamCandidate *candidate;
  SeamGroupSpec spec; /* of one op after another */
  SeamBuffer *buffers[SEAM_MAX_TENSORS];
  double largest[SEAM_MAX_OPS], off[SEAM_MAX_OPS]; /* of each output: magnitude, possible error */
  SeamDifferenceSpec compared;
} Walk;

/* Leaves FP32 between the ops, and fewer samples if there is too much work. */
static void
simplify (SeamProblem *problem, const SeamPlan *plan, int last)
{
  SeamTensor *t = &problem->tensors[SEAM_TENSOR_INPUT];
  SeamGroupCost cost;

  seam_group_cost (problem, plan, 0, &cost);
  const gint64 n =
      (gint64)((double)t->shape.dims[0]
               / MAX (1, MAX (cost.flop / MOST_FLOP, (double)t[1].n_elements / MOST_ELEMENTS)));
  for (int i = SEAM_TENSOR_INPUT; i < SEAM_TENSOR_PARAM (problem->pipeline->chains[0].n_ops, 0);
       i++, t++) {
    t->n_elements = t->n_elements / t->shape.dims[0] * MAX (1, n);
    t->shape.dims[0] = MAX (1, n);
    if (i != SEAM_TENSOR_INPUT && i < SEAM_TENSOR_OUTPUT (last))
      t->type = SEAM_OPERAND_FP32;
    t->bytes = t->n_elements * seam_storage_get_element_bytes (t->type);
  }
}

/* How far two right outputs of op `i` may be apart: sums of products by the tolerance of the math
 * mode for sums of that size; an op enlarges an error as it enlarges values. */
static double
get_error (const Walk *walk, int i)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (walk->spec.problem, 0), *d = &sizes;
  const int operand = seam_plan_get_chain (walk->spec.plan)->ops[i].operand;
  const double *largest = walk->largest, *off = walk->off;
  double tolerance, relative, gain;

  if (i == 0) {
    seam_tolerance_get_default (walk->spec.math_mode, d->c * d->r * d->r, 0, &tolerance, &relative);
    return SIDES * tolerance * largest[0];
  }
  gain = largest[i - 1] > 0 ? MAX (1, largest[i] / largest[i - 1]) : 1;
  return (operand >= 0 ? off[i - 1] * largest[operand] + off[operand] * largest[i - 1]
                       : off[i - 1] * gain)
         + MAP_ROUNDINGS * largest[i];
}

/* Runs op `spec.group`. */
static gboolean
run_op (Walk *walk, GError **error)
{
  const SeamCandidate *c = walk->candidate;
  const SeamBackend *backend = c->device->backend;
  const int op = walk->spec.group;
  const SeamTensor *tensor = &walk->spec.problem->tensors[SEAM_TENSOR_OUTPUT (op)];
  SeamBuffer **output = &walk->buffers[SEAM_TENSOR_OUTPUT (op)];
  SeamPrepared *prepared = NULL;

  walk->compared.stored = tensor->type;
  g_autoptr (SeamDifference) difference = seam_difference_new (&walk->compared);
  *output = backend->allocate (c->device, tensor->bytes, error);
  if (*output != NULL)
    prepared = backend->prepare (c->device, &walk->spec, walk->buffers, c->cancel, error);
  gboolean good = prepared != NULL && backend->run (c->device, &prepared, 1, c->cancel, error)
                  && backend->compare (c->device, *output, *output, FALSE, NULL, difference, error);
  backend->free_prepared (c->device, prepared);
  walk->largest[op] = difference->max_abs_b;
  walk->off[op] = get_error (walk, op);
  return good;
}

gboolean
seam_candidate_settle (const SeamCandidate *c, gboolean *agrees, GError **error)
{
  const SeamBackend *backend = c->device->backend;
  SeamProblem problem = *c->spec->problem;
  g_autoptr (SeamPlan) plan =
      seam_plan_new (problem.pipeline, c->spec->plan->chain, 0); /* group i is op i */
  g_autoptr (GError) local = NULL;
  Walk walk = { c, { &problem, plan, 0, c->spec->math_mode, .plainly = TRUE } };
  SeamDifferenceSpec *spec = &walk.compared;
  SeamBuffer **outputs = &walk.buffers[SEAM_TENSOR_OUTPUT (0)];
  gboolean good = TRUE;

  *agrees = seam_choices_get (c->choices, c->key) == c->number;
  if (*agrees)
    return TRUE;
  memcpy (walk.buffers, c->tensors, (gsize)problem.n_tensors * sizeof *outputs);
  memset (outputs, 0, (gsize)(c->last + 1) * sizeof *outputs);
  simplify (&problem, plan, c->last);
  SeamShapeView view = seam_problem_get_output_view (&problem);
  spec->rows = view.outer;
  spec->columns = view.channels;
  spec->plane = view.inner;
  seam_difference_choose_cells (spec, 64); /* a backend shares out cells, which nothing reads */
  for (; walk.spec.group <= c->last && good; walk.spec.group++)
    good = run_op (&walk, &local);
  spec->atol = walk.off[c->last];
  if (spec->stored != SEAM_OPERAND_FP32)
    spec->rtol = seam_tolerance_get_output (c->spec->math_mode);
  g_autoptr (SeamDifference) d = seam_difference_new (spec);
  good = good && backend->poison (c->device, c->output, c->cancel, &local)
         && backend->run (c->device, (SeamPrepared *[]){ c->prepared }, 1, c->cancel, &local)
         && backend->compare (c->device, c->output, outputs[c->last], FALSE, NULL, d, &local);
  for (int op = 0; op <= c->last; op++)
    backend->release (c->device, outputs[op]);
  if (good) /* where the ops overflow, a candidate may as well */
    *agrees = d->n_failing <= d->n_nan_b + d->n_infinite_b;
  else if (g_error_matches (local, SEAM_ERROR, SEAM_ERROR_MEMORY)
           || g_error_matches (local, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED))
    *agrees = !c->has_other;
  else {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  if (!*agrees)
    seam_choices_refuse (c->choices, c->key, c->number);
  else if (good && walk.largest[c->last] > 0)
    seam_choices_set (c->choices, c->key, c->number);
  return TRUE;
}
