// SPDX-License-Identifier: MIT
//
// Every elementwise op as a kernel of its own, as a framework's eager mode launches them: the
// unfused plan. The loops are in elementwise.cuh, the mathematics in kernels/ops.h; generated fused
// kernels use both files, too.
// Bytes that an op must move: its inputs and its output once (8 a value; 12 with two inputs), plus a
// few KB of parameters. Operations never limit the speed: sigmoid has the most, about 20 a value.

#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"

// What an op reads: the number of inputs besides x, and of vectors.
#define SEAM_INPUTS_NOTHING  0
#define SEAM_INPUTS_VECTOR   0
#define SEAM_INPUTS_TENSOR   1
#define SEAM_VECTORS_NOTHING 0
#define SEAM_VECTORS_VECTOR  1
#define SEAM_VECTORS_TENSOR  0

#define SEAM_GROUP(NAME, name, KIND, READS, ...)                                                   \
  struct name##_op {                                                                               \
    static constexpr int n_inputs = 1 + SEAM_INPUTS_##READS, n_outputs = 1,                        \
                         n_vectors = SEAM_VECTORS_##READS;                                         \
    static __device__ __forceinline__ void                                                         \
    apply (const float *x, const float *v, const float *s, float *y)                               \
    {                                                                                              \
      y[0] =                                                                                       \
          seam_op_apply_##name (x[0], n_vectors > 0 ? v[0] : 0.0f, x[n_inputs - 1], s[0], s[1]);   \
    }                                                                                              \
  };
SEAM_OPS (SEAM_OP_SKIP, SEAM_GROUP, SEAM_OP_SKIP)

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
#define SEAM_CASE(NAME, name, ...)                                                                 \
  case SEAM_OP_##NAME:                                                                             \
    return launch_group<name##_op> (a, stream);
    SEAM_OPS (SEAM_OP_SKIP, SEAM_CASE, SEAM_OP_SKIP)
#undef SEAM_CASE
  default:
    return cudaErrorInvalidValue;
  }
}
