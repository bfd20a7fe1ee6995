/* SPDX-License-Identifier: MIT
 *
 * One op of the FP64 reference in device memory: kernels/cuda/reference.cu computes it.
 */
#include "app/backend/cuda/cuda-device.h"

#include "app/backend/nest.h"
#include "kernels/cuda/kernels.h"

#include <string.h>

static const double *
get_doubles (SeamBuffer *const *buffers, int tensor)
{
  return tensor >= 0 ? buffers[tensor]->data : NULL;
}

static void
describe_given (const SeamReferenceStep *step, SeamCudaReference *a)
{
  const SeamTensor *tensor = &step->problem->tensors[step->given];
  const gint64 bytes = seam_storage_get_element_bytes (tensor->type);

  a->n = tensor->n_elements;
  a->y = step->values[step->given]->data;
  a->bounds = step->bounds[step->given]->data;
  a->given = (const char *)step->tensors[step->given]->data + step->given_first * bytes;
  a->given_type = tensor->type;
  a->stored = step->given_is_rounded ? step->rule->given : 0;
}

static SeamCudaReferenceStep
describe_op (const SeamReferenceStep *step, SeamCudaReference *a)
{
  static const SeamCudaReferenceStep steps[] = {
    [SEAM_CLASS_MATRIX] = SEAM_CUDA_MATRIX,  [SEAM_CLASS_MAP] = SEAM_CUDA_MAP,
    [SEAM_CLASS_WINDOW] = SEAM_CUDA_WINDOW,  [SEAM_CLASS_REDUCE] = SEAM_CUDA_SETS,
    [SEAM_CLASS_NORMALISE] = SEAM_CUDA_SETS,
  };
  const SeamChain *chain = &step->problem->pipeline->chains[0];
  const SeamOp *op = &chain->ops[step->op];
  const int output = SEAM_TENSOR_OUTPUT (step->op), scalar = seam_op_get_scalar_param (op);
  SeamNest nest;

  seam_nest_init (&nest, step->problem, chain, step->op);
  a->n = step->problem->tensors[output].n_elements;
  a->y = (double *)step->values[output]->data + step->first;
  if (step->narrow != NULL)
    a->narrow_bounds = (float *)step->narrow->data + step->first;
  else
    a->bounds = step->bounds[output]->data;
  a->stored = step->rule->stored[step->op];
  a->x = get_doubles (step->values, op->inputs[0]);
  a->x_bounds = get_doubles (step->bounds, op->inputs[0]);
  a->t = get_doubles (step->values, op->inputs[1]);
  a->t_bounds = get_doubles (step->bounds, op->inputs[1]);
  for (int i = 0; i < SEAM_MAX_OP_PARAMS; i++)
    a->params[i] = step->params[i] != NULL ? step->params[i]->data : NULL;
  if (scalar >= 0)
    a->number = step->tensors[SEAM_TENSOR_PARAM (chain->n_ops, scalar)]->data;
  else if (nest.c.info->reads == SEAM_READS_VECTOR)
    a->vector = a->params[0];
  a->type = op->type;
  memcpy (a->scalars, op->scalars, sizeof a->scalars);
  a->epsilon = op->scalars[0];
  a->counts = step->counts != NULL ? step->counts->data : NULL;
  a->map = nest.map;
  a->window = nest.window;
  a->general = nest.general;
  a->sets = nest.sets;
  a->reduction = nest.c.info->reduction;
  a->affine_inner = nest.affine_inner;
  a->affine_count = nest.affine_count;
  a->rule = step->rule->sums[step->op];
  a->least = step->rule->least;
  a->has_errors = op->inputs[0] != SEAM_TENSOR_INPUT;
  a->reach = step->rule->reach[step->op];
  a->squares = step->squares != NULL ? step->squares->data : NULL;
  a->errors = step->errors != NULL ? step->errors->data : NULL;
  return nest.c.running_statistics ? SEAM_CUDA_STATISTICS : steps[nest.c.info->op_class];
}

gboolean
cuda_reference (SeamDevice *base, const SeamReferenceStep *step, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  SeamCudaReference a = { 0 };
  SeamCudaReferenceStep kind = SEAM_CUDA_GIVEN;

  if (step->given >= 0)
    describe_given (step, &a);
  else
    kind = describe_op (step, &a);
  return cuda_device_enter (device, error)
         && CUDA_TRY (seam_cuda_reference (kind, &a, device->stream), error)
         && CUDA_TRY (cudaStreamSynchronize (device->stream), error);
}
