// SPDX-License-Identifier: MIT
//
// GroupNorm as an op of its own: one pass if a group fits in registers, else statistics and apply.
// The passes are in groupnorm.cuh; generated kernels add elementwise ops around them.
// Bytes it must move: 8 a value in one pass; 12 in two, the first of which only reads.

#include "kernels/cuda/groupnorm.cuh"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"

struct GroupNorm {
  static constexpr int n_inputs = 1, n_outputs = 1, n_vectors = 0;
  static constexpr bool recompute = false;
  struct Kept {};

  static __device__ __forceinline__ float
  before (const float *x, const float *, const float *, float *, Kept &)
  {
    return x[0];
  }

  static __device__ __forceinline__ void
  after (float normalised, const float *, const float *, const float *, float *y, const Kept &)
  {
    y[0] = normalised;
  }
};

template <int V, bool MATRIX, int ITEMS, int REPEAT>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) groupnorm_one_pass (const SeamCudaArguments a)
{
  seam_groupnorm_one_pass<GroupNorm, V, MATRIX, ITEMS, REPEAT, 0> (a);
}

template <int V, bool MATRIX>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) groupnorm_statistics (const SeamCudaArguments a)
{
  seam_groupnorm_statistics<GroupNorm, V, MATRIX> (a);
}

template <int V, bool MATRIX>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) groupnorm_apply (const SeamCudaArguments a)
{
  seam_groupnorm_apply<GroupNorm, V, MATRIX> (a);
}

/* The combinations that seam_cuda_geometry_one_pass() can choose. */
template <int V, bool MATRIX>
static cudaError_t
launch_one_pass (const SeamCudaGeometry &g, const SeamCudaArguments &a, cudaStream_t stream)
{
  switch (g.items * 8 + g.repeat) {
  case 1 * 8 + 4:
    return seam_launch (groupnorm_one_pass<V, MATRIX, 1, 4>, g.blocks, g.threads, a, stream);
  case 2 * 8 + 2:
    return seam_launch (groupnorm_one_pass<V, MATRIX, 2, 2>, g.blocks, g.threads, a, stream);
  case 1 * 8 + 1:
    return seam_launch (groupnorm_one_pass<V, MATRIX, 1, 1>, g.blocks, g.threads, a, stream);
  case 2 * 8 + 1:
    return seam_launch (groupnorm_one_pass<V, MATRIX, 2, 1>, g.blocks, g.threads, a, stream);
  case 4 * 8 + 1:
    return seam_launch (groupnorm_one_pass<V, MATRIX, 4, 1>, g.blocks, g.threads, a, stream);
  case 8 * 8 + 1:
    return seam_launch (groupnorm_one_pass<V, MATRIX, 8, 1>, g.blocks, g.threads, a, stream);
  case 16 * 8 + 1:
    return seam_launch (groupnorm_one_pass<V, MATRIX, 16, 1>, g.blocks, g.threads, a, stream);
  case 32 * 8 + 1:
    return seam_launch (groupnorm_one_pass<V, MATRIX, 32, 1>, g.blocks, g.threads, a, stream);
  default:
    return cudaErrorInvalidConfiguration;
  }
}

extern "C" cudaError_t
seam_cuda_groupnorm_one_pass (SeamCudaArguments *a, cudaStream_t stream)
{
  const SeamCudaGeometry g = seam_cuda_geometry_one_pass (a);

  if (g.matrix)
    return g.vector == 4 ? launch_one_pass<4, true> (g, *a, stream)
                         : launch_one_pass<1, true> (g, *a, stream);
  return g.vector == 4 ? launch_one_pass<4, false> (g, *a, stream)
                       : launch_one_pass<1, false> (g, *a, stream);
}

extern "C" cudaError_t
seam_cuda_groupnorm_statistics (SeamCudaArguments *a, cudaStream_t stream)
{
  const SeamCudaGeometry g = seam_cuda_geometry_two_pass (a);

  if (g.matrix)
    return g.vector == 4
               ? seam_launch (groupnorm_statistics<4, true>, g.blocks, g.threads, *a, stream)
               : seam_launch (groupnorm_statistics<1, true>, g.blocks, g.threads, *a, stream);
  return g.vector == 4
             ? seam_launch (groupnorm_statistics<4, false>, g.blocks, g.threads, *a, stream)
             : seam_launch (groupnorm_statistics<1, false>, g.blocks, g.threads, *a, stream);
}

extern "C" cudaError_t
seam_cuda_groupnorm_apply (SeamCudaArguments *a, cudaStream_t stream)
{
  const SeamCudaGeometry g = seam_cuda_geometry_two_pass (a);

  if (g.matrix)
    return g.vector == 4 ? seam_launch (groupnorm_apply<4, true>, g.blocks, g.threads, *a, stream)
                         : seam_launch (groupnorm_apply<1, true>, g.blocks, g.threads, *a, stream);
  return g.vector == 4 ? seam_launch (groupnorm_apply<4, false>, g.blocks, g.threads, *a, stream)
                       : seam_launch (groupnorm_apply<1, false>, g.blocks, g.threads, *a, stream);
}
