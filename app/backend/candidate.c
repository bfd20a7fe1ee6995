/* SPDX-License-Identifier: MIT
 *
 * The output of some ops run one by one, which a candidate may be as far from as the bound says.
 */
#include "app/backend/candidate.h"

#include <string.h>

/* Of a problem with more work, or more elements an output, only the first samples are compared: the
 * simplest kernels are many times slower than the candidates, and the outputs of all ops are in
 * memory together. */
#define MOST_FLOP     2e10
#define MOST_ELEMENTS 0x1p26

typedef struct {
  const SeamCandidate *candidate;
  SeamGroupSpec spec; /* of one op after another */
  SeamBuffer *buffers[SEAM_MAX_TENSORS];
} Walk;

/* Leaves FP32 between the ops, and fewer samples if there is too much work: the ops take about
 * three times as long with their bounds. */
static void
simplify (SeamProblem *problem, const SeamPlan *plan, int first, int last)
{
  const SeamTensor *t = &problem->tensors[SEAM_TENSOR_OUTPUT (first)];
  SeamGroupCost cost;

  seam_group_cost (problem, plan, first, &cost);
  const gint64 n =
      (gint64)((double)t->shape.dims[0]
               / MAX (1, MAX (cost.flop / MOST_FLOP, (double)t->n_elements / MOST_ELEMENTS)));
  for (int op = first; op < last; op++)
    problem->tensors[SEAM_TENSOR_OUTPUT (op)].type = SEAM_OPERAND_FP32;
  seam_problem_take_samples (problem, MAX (1, n));
}

/* Runs op `spec.group`. */
static gboolean
run_op (Walk *walk, GError **error)
{
  const SeamCandidate *c = walk->candidate;
  const SeamBackend *backend = c->device->backend;
  const int op = walk->spec.group;
  SeamBuffer **output = &walk->buffers[SEAM_TENSOR_OUTPUT (op)];
  SeamPrepared *prepared = NULL;

  *output = backend->allocate (c->device,
                               walk->spec.problem->tensors[SEAM_TENSOR_OUTPUT (op)].bytes, error);
  if (*output != NULL)
    prepared = backend->prepare (c->device, &walk->spec, walk->buffers, c->cancel, error);
  gboolean good = prepared != NULL && backend->run (c->device, &prepared, 1, c->cancel, error);
  backend->free_prepared (c->device, prepared);
  return good;
}

/* Compares the candidate's output with that of the ops; both may be off. */
static gboolean
compare (Walk *walk, SeamDifference **difference, GError **error)
{
  const SeamCandidate *c = walk->candidate;
  const SeamBackend *backend = c->device->backend;
  const SeamProblem *problem = walk->spec.problem;
  const SeamTensor *output = &problem->tensors[SEAM_TENSOR_OUTPUT (c->last)];
  const SeamShapeView view = seam_shape_view (&output->shape);
  SeamDifferenceSpec spec = { .rows = view.outer,
                              .columns = view.channels,
                              .plane = view.inner,
                              .atol = NAN,
                              .rtol = NAN,
                              .stored = output->type };
  SeamBoundRule rule;
  SeamBuffer *bounds =
      backend->allocate (c->device, output->n_elements * (gint64)sizeof (float), error);

  seam_difference_choose_cells (&spec, 64); /* a backend shares out cells, which nothing reads */
  *difference = seam_difference_new (&spec);
  seam_bound_rule_init (&rule, problem, walk->spec.math_mode, 2);
  gboolean good =
      bounds != NULL
      && seam_device_bound (c->device, problem, seam_plan_get_chain (walk->spec.plan), c->first,
                            c->last, c->tensors, &rule, TRUE, bounds, c->cancel, error)
      && backend->poison (c->device, c->output, c->cancel, error)
      && backend->run (c->device, (SeamPrepared *[]){ c->prepared }, 1, c->cancel, error)
      && backend->compare (c->device, c->output, walk->buffers[SEAM_TENSOR_OUTPUT (c->last)], FALSE,
                           bounds, *difference, error);
  backend->release (c->device, bounds);
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
  g_autoptr (SeamDifference) d = NULL;
  SeamBuffer **outputs = walk.buffers + SEAM_TENSOR_OUTPUT (0);
  gboolean good = TRUE;

  *agrees = seam_choices_get (c->choices, c->key) == c->number;
  if (*agrees)
    return TRUE;
  memcpy (walk.buffers, c->tensors, (gsize)problem.n_tensors * sizeof *outputs);
  memset (outputs + c->first, 0, (gsize)(c->last + 1 - c->first) * sizeof *outputs);
  simplify (&problem, plan, c->first, c->last);
  for (walk.spec.group = c->first; walk.spec.group <= c->last && good; walk.spec.group++)
    good = run_op (&walk, &local);
  good = good && compare (&walk, &d, &local);
  for (int op = c->first; op <= c->last; op++)
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
  else if (good && d->max_abs_b > 0)
    seam_choices_set (c->choices, c->key, c->number);
  return TRUE;
}
