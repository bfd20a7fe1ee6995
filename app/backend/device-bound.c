/* SPDX-License-Identifier: MIT
 *
 * The bounds of an output, computed where the tensors are: the matrix op runs twice in FP32, on the
 * operands and on their squares, and the backend takes both sums through the chain.
 */
#include "app/backend/backend.h"

#include <math.h>
#include <string.h>

enum { INPUT, WEIGHT, N_OPERANDS };

typedef struct {
  SeamDevice *device;
  const SeamProblem *problem;
  SeamBuffer *const *tensors;
  const SeamBoundRule *rule;
  gboolean plainly;
  SeamCancel *cancel;
  SeamPlan *plan;   /* one op a group */
  int matrix;       /* op */
  SeamProblem part; /* some samples, in FP32 */
  int numbers[N_OPERANDS];
  double scales[N_OPERANDS];
  SeamBuffer *operands[N_OPERANDS]; /* of the matrix op, as it gets them */
  SeamBuffer *sums, *squares;       /* what it makes of them */
} Walk;

/* A power of two that brings an operand's largest finite number to 1 to 2. */
static gboolean
find_scale (Walk *walk, int operand, GError **error)
{
  const SeamTensor *tensor = &walk->problem->tensors[walk->numbers[operand]];
  SeamBuffer *buffer = walk->tensors[walk->numbers[operand]];
  const gint64 rows = tensor->shape.dims[0], columns = tensor->n_elements / rows;
  const SeamDifferenceSpec spec = { rows, columns, 1, 1, columns, .stored = tensor->type };
  g_autoptr (SeamDifference) difference = seam_difference_new (&spec);

  if (!walk->device->backend->compare (walk->device, buffer, buffer, FALSE, NULL, difference,
                                       error))
    return FALSE;
  walk->scales[operand] = difference->max_abs_b > 0 ? ldexp (1, -ilogb (difference->max_abs_b)) : 1;
  return TRUE;
}

/* The matrix op of the part's operands, as they are or squared, into `output`. */
static gboolean
multiply (Walk *walk, gboolean squared, gint64 first_sample, SeamBuffer *output, GError **error)
{
  const SeamBackend *backend = walk->device->backend;
  const SeamGroupSpec spec = { &walk->part, walk->plan, walk->matrix, SEAM_MATH_FP32,
                               .plainly = walk->plainly };
  SeamBuffer *buffers[SEAM_MAX_TENSORS] = { NULL };
  SeamPrepared *prepared = NULL;
  gboolean good = TRUE;

  for (int i = 0; good && i < N_OPERANDS; i++) {
    const int number = walk->numbers[i];
    const SeamTensor *tensor = &walk->part.tensors[number];
    const gint64 first = i == INPUT ? first_sample * tensor->n_elements / tensor->shape.dims[0] : 0;
    buffers[number] = walk->operands[i];
    good = backend->spread (walk->device, walk->operands[i], walk->tensors[number],
                            walk->problem->tensors[number].type, first, tensor->n_elements,
                            walk->rule->least, squared ? walk->scales[i] : 0, error);
  }
  buffers[SEAM_TENSOR_OUTPUT (walk->matrix)] = output;
  if (good)
    prepared = backend->prepare (walk->device, &spec, buffers, walk->cancel, error);
  good = prepared != NULL
         && backend->run (walk->device, (SeamPrepared *[]){ prepared }, 1, walk->cancel, error);
  backend->free_prepared (walk->device, prepared);
  return good;
}

/* Buffers for `n` samples at a time. */
static gboolean
allocate (Walk *walk, gint64 n, GError **error)
{
  const SeamBackend *backend = walk->device->backend;
  SeamBuffer **buffers[] = { &walk->operands[INPUT], &walk->operands[WEIGHT], &walk->sums,
                             &walk->squares };
  const int output = SEAM_TENSOR_OUTPUT (walk->matrix);
  const int numbers[] = { walk->numbers[INPUT], walk->numbers[WEIGHT], output, output };

  walk->part = *walk->problem;
  seam_problem_take_samples (&walk->part, n);
  seam_problem_set_storage (&walk->part, SEAM_STORAGE_FP32, SEAM_OPERAND_FP32);
  for (gsize i = 0; i < G_N_ELEMENTS (buffers); i++)
    if ((*buffers[i] =
             backend->allocate (walk->device, walk->part.tensors[numbers[i]].bytes, error))
        == NULL)
      return FALSE;
  return TRUE;
}

static void
release (Walk *walk)
{
  SeamBuffer *buffers[] = { walk->operands[INPUT], walk->operands[WEIGHT], walk->sums,
                            walk->squares };

  for (gsize i = 0; i < G_N_ELEMENTS (buffers); i++)
    walk->device->backend->release (walk->device, buffers[i]);
  walk->operands[INPUT] = walk->operands[WEIGHT] = walk->sums = walk->squares = NULL;
}

static gboolean
run_samples (Walk *walk, gint64 n, const SeamChain *chain, int last, SeamBuffer *bounds,
             GError **error)
{
  const gint64 n_samples = walk->problem->tensors[walk->numbers[INPUT]].shape.dims[0];
  SeamBuffer *buffers[SEAM_MAX_TENSORS];

  memcpy (buffers, walk->tensors, (gsize)walk->problem->n_tensors * sizeof *buffers);
  buffers[SEAM_TENSOR_OUTPUT (walk->matrix)] = walk->sums;
  for (gint64 first = 0; first < n_samples; first += n) {
    const gint64 left = MIN (n, n_samples - first);
    if (seam_cancel_check (walk->cancel, error))
      return FALSE;
    seam_problem_take_samples (&walk->part, left);
    const gint64 each = walk->part.tensors[SEAM_TENSOR_OUTPUT (last)].n_elements / left;
    if (!multiply (walk, FALSE, first, walk->sums, error)
        || !multiply (walk, TRUE, first, walk->squares, error)
        || !walk->device->backend->bound (walk->device, &walk->part, chain, walk->matrix, last,
                                          buffers, walk->rule, walk->squares,
                                          1 / (walk->scales[INPUT] * walk->scales[WEIGHT]), bounds,
                                          first * each, walk->cancel, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
seam_device_bound (SeamDevice *device, const SeamProblem *problem, const SeamChain *chain,
                   int matrix, int last, SeamBuffer *const *tensors, const SeamBoundRule *rule,
                   gboolean plainly, SeamBuffer *bounds, SeamCancel *cancel, GError **error)
{
  const SeamChain *main_chain = &problem->pipeline->chains[0];
  const SeamOp *op = &main_chain->ops[matrix];
  g_autoptr (SeamPlan) plan = seam_plan_new (problem->pipeline, 0, 0);
  Walk walk = {
    .device = device,
    .problem = problem,
    .tensors = tensors,
    .rule = rule,
    .plainly = plainly,
    .cancel = cancel,
    .plan = plan,
    .matrix = matrix,
    .numbers = { op->inputs[0], SEAM_TENSOR_PARAM (main_chain->n_ops, op->params[0]) },
  };
  gint64 n = problem->tensors[op->inputs[0]].shape.dims[0];
  gboolean good = find_scale (&walk, INPUT, error) && find_scale (&walk, WEIGHT, error);

  while (good) {
    g_autoptr (GError) local = NULL;
    good = allocate (&walk, n, &local) && run_samples (&walk, n, chain, last, bounds, &local);
    release (&walk);
    if (good)
      return TRUE;
    good = g_error_matches (local, SEAM_ERROR, SEAM_ERROR_MEMORY) && n > 1;
    n = (n + 1) / 2;
    if (!good)
      g_propagate_error (error, g_steal_pointer (&local));
  }
  return FALSE;
}
