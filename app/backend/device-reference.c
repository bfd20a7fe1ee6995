/* SPDX-License-Identifier: MIT
 *
 * The FP64 reference where the tensors are, op after op: all samples at once, or as many as there
 * is memory for where each needs only itself.
 */
#include "app/backend/backend.h"

#include <string.h>

typedef struct {
  SeamDevice *device;
  const SeamProblem *problem;
  const SeamChain *chain;
  SeamBuffer *const *tensors;
  const SeamBoundRule *rule;
  SeamBuffer *output, *narrow; /* the caller's: doubles (NULL: not kept), and bounds */
  SeamReferenceUse *use;
  SeamProblem part; /* of the samples at hand */
  SeamBuffer *values[SEAM_MAX_TENSORS], *bounds[SEAM_MAX_TENSORS];
  SeamBuffer *params[SEAM_MAX_OP_PARAMS]; /* of the op at hand, in FP32 */
  gboolean is_param_own[SEAM_MAX_OP_PARAMS];
  SeamBuffer *squares, *errors, *counts;
} Walk;

static void
drop (Walk *walk, SeamBuffer **buffer)
{
  walk->device->backend->release (walk->device, *buffer);
  *buffer = NULL;
}

static gboolean
take_doubles (Walk *walk, gint64 n, SeamBuffer **buffer, GError **error)
{
  *buffer =
      walk->device->backend->allocate (walk->device, MAX (n, 1) * (gint64)sizeof (double), error);
  return *buffer != NULL;
}

/* Frees all that the walk has taken. */
static void
clear (Walk *walk)
{
  if (walk->output != NULL)
    walk->values[SEAM_TENSOR_OUTPUT (walk->chain->n_ops - 1)] = NULL;
  for (int i = 0; i < SEAM_MAX_TENSORS; i++) {
    drop (walk, &walk->values[i]);
    drop (walk, &walk->bounds[i]);
  }
  for (int i = 0; i < SEAM_MAX_OP_PARAMS; i++) {
    if (walk->is_param_own[i])
      drop (walk, &walk->params[i]);
    walk->params[i] = NULL;
    walk->is_param_own[i] = FALSE;
  }
  drop (walk, &walk->squares);
  drop (walk, &walk->errors);
  drop (walk, &walk->counts);
}

static gboolean
is_value (const Walk *walk, int tensor)
{
  return tensor > SEAM_TENSOR_INPUT && tensor <= walk->chain->n_ops;
}

static gboolean
is_rounded (const Walk *walk, int tensor)
{
  const int param = tensor - SEAM_TENSOR_PARAM (walk->chain->n_ops, 0);

  return tensor == SEAM_TENSOR_INPUT
         || walk->problem->pipeline->params[param].role == SEAM_PARAM_INPUT;
}

/* Widens what is given and an op reads, from sample `first` on. */
static gboolean
take_given (Walk *walk, int tensor, gint64 first, GError **error)
{
  const SeamTensor *of = &walk->part.tensors[tensor];
  const SeamReferenceStep step = {
    .problem = &walk->part,
    .given = tensor,
    .given_first = tensor == SEAM_TENSOR_INPUT ? first * (of->n_elements / of->shape.dims[0]) : 0,
    .given_is_rounded = is_rounded (walk, tensor),
    .tensors = walk->tensors,
    .values = walk->values,
    .bounds = walk->bounds,
    .rule = walk->rule,
  };

  return take_doubles (walk, of->n_elements, &walk->values[tensor], error)
         && take_doubles (walk, of->n_elements, &walk->bounds[tensor], error)
         && walk->device->backend->reference (walk->device, &step, error);
}

/* The parameters of op `i`; those that are stored in 16 bits are copied. */
static gboolean
take_params (Walk *walk, int i, GError **error)
{
  const SeamBackend *backend = walk->device->backend;
  const SeamOp *op = &walk->chain->ops[i];

  for (int j = 0; j < SEAM_MAX_OP_PARAMS; j++) {
    const int tensor = SEAM_TENSOR_PARAM (walk->chain->n_ops, op->params[j]);
    const SeamTensor *of = &walk->problem->tensors[tensor];

    walk->params[j] = op->params[j] >= 0 ? walk->tensors[tensor] : NULL;
    walk->is_param_own[j] = op->params[j] >= 0 && of->type != SEAM_OPERAND_FP32;
    if (!walk->is_param_own[j])
      continue;
    walk->params[j] =
        backend->allocate (walk->device, of->n_elements * (gint64)sizeof (float), error);
    if (walk->params[j] == NULL
        || !backend->spread (walk->device, walk->params[j], walk->tensors[tensor], of->type, 0,
                             of->n_elements, 0, 0, error))
      return FALSE;
  }
  return TRUE;
}

/* Adds what the kernel counted of op `i`. */
static gboolean
add_counts (Walk *walk, int i, GError **error)
{
  guint64 counts[SEAM_N_OP_PARTS];

  if (walk->counts == NULL)
    return TRUE;
  if (!walk->device->backend->download (walk->device, counts, walk->counts, 0, sizeof counts,
                                        error))
    return FALSE;
  for (int k = 0; k < SEAM_N_OP_PARTS; k++)
    walk->use->parts[i][k] += (gint64)counts[k];
  drop (walk, &walk->counts);
  return TRUE;
}

static gboolean
run_op (Walk *walk, int i, gint64 first_sample, GError **error)
{
  static const guint64 zeros[SEAM_N_OP_PARTS];
  const SeamBackend *backend = walk->device->backend;
  const SeamOp *op = &walk->chain->ops[i];
  const gboolean is_last = i == walk->chain->n_ops - 1;
  const int output = SEAM_TENSOR_OUTPUT (i);
  const SeamTensor *of = &walk->part.tensors[output];
  const gboolean counts = walk->use != NULL && seam_op_get_info (op)->attributes->parts[0] != NULL;

  for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++)
    if (op->inputs[j] >= 0 && !is_value (walk, op->inputs[j]) && walk->values[op->inputs[j]] == NULL
        && !take_given (walk, op->inputs[j], first_sample, error))
      return FALSE;
  if (is_last && walk->output != NULL)
    walk->values[output] = walk->output;
  else if (!take_doubles (walk, of->n_elements, &walk->values[output], error))
    return FALSE;
  if (!is_last && !take_doubles (walk, of->n_elements, &walk->bounds[output], error))
    return FALSE;
  if (walk->rule->reach[i] > 0
      && (!take_doubles (walk, of->n_elements, &walk->squares, error)
          || !take_doubles (walk, of->n_elements, &walk->errors, error)))
    return FALSE;
  if (counts
      && ((walk->counts = backend->allocate (walk->device, sizeof zeros, error)) == NULL
          || !backend->upload (walk->device, walk->counts, 0, zeros, sizeof zeros, error)))
    return FALSE;
  if (!take_params (walk, i, error))
    return FALSE;
  const SeamReferenceStep step = {
    .problem = &walk->part,
    .op = i,
    .given = -1,
    .tensors = walk->tensors,
    .params = walk->params,
    .values = walk->values,
    .bounds = walk->bounds,
    .rule = walk->rule,
    .squares = walk->squares,
    .errors = walk->errors,
    .narrow = is_last ? walk->narrow : NULL,
    .first = is_last ? first_sample * (of->n_elements / MAX (of->shape.dims[0], 1)) : 0,
    .counts = walk->counts,
  };
  return backend->reference (walk->device, &step, error) && add_counts (walk, i, error);
}

/* Frees what only op `i` needs, and the inputs that no later op reads. */
static void
leave_op (Walk *walk, int i)
{
  for (int j = 0; j < SEAM_MAX_OP_PARAMS; j++)
    if (walk->is_param_own[j]) {
      drop (walk, &walk->params[j]);
      walk->is_param_own[j] = FALSE;
    }
  drop (walk, &walk->squares);
  drop (walk, &walk->errors);
  for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++) {
    const int tensor = walk->chain->ops[i].inputs[j];
    if (tensor >= 0 && !seam_chain_reads (walk->chain, i + 1, walk->chain->n_ops - 1, tensor)) {
      drop (walk, &walk->values[tensor]);
      drop (walk, &walk->bounds[tensor]);
    }
  }
}

static gboolean
run_samples (Walk *walk, gint64 n, gint64 n_samples, SeamCancel *cancel,
             void (*progress) (double fraction, gpointer data), gpointer progress_data,
             GError **error)
{
  const int n_ops = walk->chain->n_ops;

  for (gint64 first = 0; first < n_samples; first += n) {
    walk->part = *walk->problem;
    if (n < n_samples)
      seam_problem_take_samples (&walk->part, MIN (n, n_samples - first));
    for (int i = 0; i < n_ops; i++) {
      if (seam_cancel_check (cancel, error) || !run_op (walk, i, first, error))
        return FALSE;
      leave_op (walk, i);
      if (progress != NULL)
        progress (((double)first + (double)MIN (n, n_samples - first) * (i + 1) / n_ops)
                      / (double)n_samples,
                  progress_data);
    }
    clear (walk);
  }
  return TRUE;
}

/* Further inputs are read whole, so the samples stay together then. */
static gboolean
can_part_samples (const SeamProblem *problem)
{
  for (int i = 0; i < problem->pipeline->n_params; i++)
    if (problem->pipeline->params[i].role == SEAM_PARAM_INPUT)
      return FALSE;
  return seam_reference_has_separate_samples (problem);
}

gboolean
seam_device_reference (SeamDevice *device, const SeamProblem *problem, SeamBuffer *const *tensors,
                       const SeamBoundRule *rule, SeamBuffer *output, SeamBuffer *bounds,
                       SeamReferenceUse *use, SeamCancel *cancel,
                       void (*progress) (double fraction, gpointer data), gpointer progress_data,
                       GError **error)
{
  const gint64 n_samples = problem->tensors[SEAM_TENSOR_INPUT].shape.dims[0];
  const gboolean can_part = can_part_samples (problem);
  Walk walk = {
    .device = device,
    .problem = problem,
    .chain = &problem->pipeline->chains[0],
    .tensors = tensors,
    .rule = rule,
    .output = output,
    .narrow = bounds,
    .use = use,
  };

  if (device->backend->reference == NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "This target has no FP64 reference.");
  for (gint64 n = n_samples;; n = (n + 1) / 2) {
    g_autoptr (GError) local = NULL;

    if (use != NULL)
      *use = (SeamReferenceUse){
        .n = problem->tensors[SEAM_TENSOR_OUTPUT (walk.chain->n_ops - 1)].n_elements
      };
    const gboolean good =
        run_samples (&walk, n, n_samples, cancel, progress, progress_data, &local);
    clear (&walk);
    if (good)
      return TRUE;
    if (!g_error_matches (local, SEAM_ERROR, SEAM_ERROR_MEMORY) || n == 1 || !can_part) {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  }
}
