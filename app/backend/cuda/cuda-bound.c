/* SPDX-License-Identifier: MIT
 *
 * The bounds of an output in device memory: kernels/cuda/bound.cu computes them.
 */
#include "app/backend/cuda/cuda-device.h"

#include "app/backend/bound.h"
#include "kernels/cuda/kernels.h"

G_STATIC_ASSERT (SEAM_CUDA_BOUND_OPS == SEAM_MAX_OPS);

gboolean
cuda_spread (SeamDevice *base, SeamBuffer *to, SeamBuffer *from, SeamOperandType type, gint64 first,
             gint64 n, double least, double scale, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  const SeamCudaSpread spread = {
    to->data, from->data, type, first, n, (float)least, (float)scale
  };

  return cuda_device_enter (device, error)
         && CUDA_TRY (seam_cuda_spread (&spread, device->stream), error)
         && CUDA_TRY (cudaStreamSynchronize (device->stream), error);
}

static void
describe_ops (const SeamProblem *problem, const SeamChain *chain, int first, int last,
              SeamBuffer *const *tensors, const SeamBoundRule *rule, SeamCudaBound *bound)
{
  const int n_ops = problem->pipeline->chains[0].n_ops;

  bound->n_ops = last - first + 1;
  bound->norm = -1;
  for (int i = 0; i < bound->n_ops; i++) {
    const SeamOp *op = &chain->ops[first + i];
    SeamCudaBoundOp *to = &bound->ops[i];

    *to = (SeamCudaBoundOp){ .type = op->type,
                             .operand = op->inputs[1] - SEAM_TENSOR_OUTPUT (first),
                             .a = op->scalars[0],
                             .b = op->scalars[1],
                             .stored = (float)rule->stored[first + i] };
    if (seam_op_is_normalisation (op))
      bound->norm = i;
    for (int j = 0; i > 0 && j < (int)G_N_ELEMENTS (to->vectors); j++)
      if (op->params[j] >= 0)
        to->vectors[j] = tensors[SEAM_TENSOR_PARAM (n_ops, op->params[j])]->data;
  }
}

gboolean
cuda_bound (SeamDevice *base, const SeamProblem *problem, const SeamChain *chain, int matrix,
            int last, SeamBuffer *const *tensors, const SeamBoundRule *rule, SeamBuffer *squares,
            double unscale, SeamBuffer *bounds, gint64 first, SeamCancel *cancel, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  const SeamShapeView view =
      seam_shape_view (seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (last)));
  SeamCudaBound bound = {
    .sums = tensors[SEAM_TENSOR_OUTPUT (matrix)]->data,
    .squares = squares->data,
    .bounds = (float *)bounds->data + first,
    .unscale = (float)unscale,
    .rule = rule->sums[matrix],
    .n = view.outer * view.channels * view.inner,
    .channels = view.channels,
    .plane = view.inner,
    .width = view.width,
    .reach = rule->reach[matrix],
    .groups = seam_chain_get_n_groups (problem, chain, matrix, last),
  };

  for (int i = matrix; i <= last; i++)
    if (seam_op_get_scalar_param (&chain->ops[i]) >= 0 || chain->ops[i].inputs[1] > chain->n_ops
        || (chain->ops[i].inputs[1] >= 0 && chain->ops[i].inputs[1] < SEAM_TENSOR_OUTPUT (matrix)))
      return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                        "The GPU's kernel of bounds has no further inputs.");
  describe_ops (problem, chain, matrix, last, tensors, rule, &bound);
  if (!cuda_device_enter (device, error)
      || !CUDA_TRY (cudaMalloc (&bound.norms,
                                (size_t)(view.outer * bound.groups) * SEAM_CUDA_BOUND_NORM_BYTES),
                    error))
    return FALSE;
  gboolean good = CUDA_TRY (seam_cuda_bound (&bound, device->stream), error)
                  && CUDA_TRY (cudaStreamSynchronize (device->stream), error);
  cudaFree (bound.norms);
  return good;
}
