// SPDX-License-Identifier: MIT
//
// Every elementwise op as a kernel of its own, as a framework's eager mode launches them: the
// unfused plan. The loops are in elementwise.cuh, the mathematics in kernels/ops.h; generated fused
// kernels use the same two.
// Bytes an op must move: its inputs and its output once (8 a value; 12 with two inputs), plus a few
// KB of parameters. Operations never matter: the most are sigmoid's, about 20 a value.

#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"

#define SEAM_GROUP(Name, INPUTS, VECTORS, EXPRESSION)                                              \
  struct Name {                                                                                    \
    static constexpr int n_inputs = INPUTS, n_outputs = 1, n_vectors = VECTORS;                    \
    static __device__ __forceinline__ void                                                         \
    apply (const float *x, const float *v, const float *s, float *y)                               \
    {                                                                                              \
      (void)v;                                                                                     \
      (void)s;                                                                                     \
      y[0] = EXPRESSION;                                                                           \
    }                                                                                              \
  }

SEAM_GROUP (AddChannel, 1, 1, seam_op_add (x[0], v[0]));
SEAM_GROUP (MultiplyChannel, 1, 1, seam_op_multiply (x[0], v[0]));
SEAM_GROUP (AddScalar, 1, 0, seam_op_add (x[0], s[0]));
SEAM_GROUP (DivideScalar, 1, 0, seam_op_divide (x[0], s[0]));
SEAM_GROUP (Clamp, 1, 0, seam_op_clamp (x[0], s[0], s[1]));
SEAM_GROUP (Relu, 1, 0, seam_op_relu (x[0]));
SEAM_GROUP (Sigmoid, 1, 0, seam_op_sigmoid (x[0]));
SEAM_GROUP (MultiplyTensor, 2, 0, seam_op_multiply (x[0], x[1]));

template <typename Group, int V>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) elementwise_planes (const SeamCudaArguments a)
{
  seam_elementwise_planes<Group, V> (a);
}

template <typename Group, int V>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) elementwise_matrix (const SeamCudaArguments a)
{
  seam_elementwise_matrix<Group, V> (a);
}

template <typename Group>
static cudaError_t
launch_group (SeamCudaArguments *a, cudaStream_t stream)
{
  const SeamCudaGeometry g = seam_cuda_geometry_elementwise (a);

  if (g.matrix)
    return g.vector == 4
               ? seam_launch (elementwise_matrix<Group, 4>, g.blocks, g.threads, *a, stream)
               : seam_launch (elementwise_matrix<Group, 1>, g.blocks, g.threads, *a, stream);
  return g.vector == 4
             ? seam_launch (elementwise_planes<Group, 4>, g.blocks, g.threads, *a, stream)
             : seam_launch (elementwise_planes<Group, 1>, g.blocks, g.threads, *a, stream);
}

extern "C" cudaError_t
seam_cuda_elementwise (SeamOpType type, SeamCudaArguments *a, cudaStream_t stream)
{
  switch (type) {
  case SEAM_OP_ADD_CHANNEL:
    return launch_group<AddChannel> (a, stream);
  case SEAM_OP_MULTIPLY_CHANNEL:
    return launch_group<MultiplyChannel> (a, stream);
  case SEAM_OP_ADD_SCALAR:
    return launch_group<AddScalar> (a, stream);
  case SEAM_OP_DIVIDE_SCALAR:
    return launch_group<DivideScalar> (a, stream);
  case SEAM_OP_CLAMP:
    return launch_group<Clamp> (a, stream);
  case SEAM_OP_RELU:
    return launch_group<Relu> (a, stream);
  case SEAM_OP_SIGMOID:
    return launch_group<Sigmoid> (a, stream);
  case SEAM_OP_MULTIPLY_TENSOR:
    return launch_group<MultiplyTensor> (a, stream);
  default:
    return cudaErrorInvalidValue;
  }
}
