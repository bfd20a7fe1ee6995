// SPDX-License-Identifier: MIT
//
// The bound of every element of an output (app/backend/bound.h), from what the matrix op made of
// the operands and of their squares. A thread takes an element through the whole chain, value and
// bound together, in FP32. A GroupNorm needs its groups first: a block a group takes the elements
// through the ops before it, twice. Bytes: both sums once (three times with a GroupNorm), 4 for the
// bound.
#include "kernels/bound.h"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/stored.cuh"

/* Mean, deviation and their bounds of a group. */
typedef struct {
  float mean, rstd, mean_bound, deviation_bound;
} Norm;

typedef struct {
  float value, bound;
} Element;

/* The largest sum of squares of an output and its neighbours. */
static __device__ float
get_squares (const SeamCudaBound &a, long long at)
{
  float most = a.squares[at];

  if (a.reach == 0)
    return most;
  const int width = (int)a.width, height = (int)(a.plane / a.width);
  const int in_plane = (int)(at % a.plane), row = in_plane / width, column = in_plane % width;
  const float *plane = a.squares + (at - in_plane);
  for (int r = row - a.reach; r <= row + a.reach; r++)
    for (int c = column - a.reach; c <= column + a.reach; c++)
      if (r >= 0 && r < height && c >= 0 && c < width)
        most = fmaxf (most, plane[r * (long long)width + c]);
  return most;
}

/* The output of op number `last` for element `at`. */
static __device__ Element
carry (const SeamCudaBound &a, long long at, int last)
{
  const long long line = at / a.plane, channel = line % a.channels;
  Element of_op[SEAM_CUDA_BOUND_OPS];

  for (int i = 0; i <= last; i++) {
    const SeamCudaBoundOp &op = a.ops[i];
    Element y;
    if (i == 0) {
      y.value = a.sums[at];
      y.bound = seam_bound_sum (&a.rule, y.value, sqrtf (get_squares (a, at)) * a.unscale);
    } else if (i == a.norm) {
      const Element x = of_op[i - 1];
      const long long group = line / a.channels * a.groups + channel / (a.channels / a.groups);
      const Norm norm = static_cast<const Norm *> (a.norms)[group];
      const float weight = op.vectors[0][channel];
      y.value = seam_op_normalize (x.value, norm.mean, norm.rstd, weight, op.vectors[1][channel]);
      y.bound = seam_bound_normalize (norm.mean, norm.rstd, norm.mean_bound, norm.deviation_bound,
                                      x.value, x.bound, weight, y.value);
    } else {
      const Element x = of_op[i - 1], t = of_op[op.operand < 0 ? i - 1 : op.operand];
      const float v = op.vectors[0] != nullptr ? op.vectors[0][channel] : 0.0f;
      y.value = seam_bound_apply (op.type, op.a, op.b, x.value, v, t.value);
      y.bound = seam_bound_map (op.type, op.a, op.b, x.value, x.bound, v, t.value, t.bound, y.value);
    }
    y.bound = seam_bound_store (op.stored, y.value, y.bound);
    of_op[i] = y;
  }
  return of_op[last];
}

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) bound_elements (const SeamCudaBound a)
{
  const long long at = (long long)blockIdx.x * SEAM_CUDA_THREADS + threadIdx.x;

  if (at < a.n)
    a.bounds[at] = carry (a, at, a.n_ops - 1).bound;
}

/* The sum of a block's numbers, for all its threads. */
static __device__ double
add_block (double *scratch, double mine)
{
  scratch[threadIdx.x] = mine;
  __syncthreads ();
  for (unsigned int half = SEAM_CUDA_THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      scratch[threadIdx.x] += scratch[threadIdx.x + half];
    __syncthreads ();
  }
  const double sum = scratch[0];
  __syncthreads ();
  return sum;
}

/* As seam_bound_norm_init () of app/backend/bound.c, for the group of this block. */
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) bound_norms (const SeamCudaBound a)
{
  __shared__ double scratch[SEAM_CUDA_THREADS];
  const long long n = a.channels / a.groups * a.plane, first = (long long)blockIdx.x * n;
  double total = 0, sizes = 0, bounds = 0, squares = 0, deviations = 0, weighted = 0;

  for (long long i = threadIdx.x; i < n; i += SEAM_CUDA_THREADS) {
    const Element x = carry (a, first + i, a.norm - 1);
    total += x.value;
    sizes += fabs ((double)x.value);
    bounds += x.bound;
    squares += (double)x.bound * x.bound;
  }
  const double mean = add_block (scratch, total) / (double)n;
  sizes = add_block (scratch, sizes);
  bounds = add_block (scratch, bounds);
  squares = add_block (scratch, squares);
  for (long long i = threadIdx.x; i < n; i += SEAM_CUDA_THREADS) {
    const Element x = carry (a, first + i, a.norm - 1);
    const double size = fabs (x.value - mean);
    deviations += size * size;
    weighted += size * x.bound;
  }
  const double rstd = 1 / sqrt (add_block (scratch, deviations) / (double)n + SEAM_GROUPNORM_EPSILON);
  weighted = add_block (scratch, weighted);
  if (threadIdx.x == 0) {
    const double rounding = (double)SEAM_BOUND_DEVIATIONS * SEAM_BOUND_UNIT;
    Norm norm;
    norm.mean = (float)mean;
    norm.rstd = (float)rstd;
    norm.mean_bound =
        (float)((fmax (sqrt (squares), .5 * bounds) + rounding * sqrt ((double)n) * sizes) / (double)n);
    norm.deviation_bound =
        (float)(weighted * rstd / (double)n) + seam_bound_deviation ((float)mean, (float)rstd);
    static_cast<Norm *> (a.norms)[blockIdx.x] = norm;
  }
}

extern "C" cudaError_t
seam_cuda_bound (const SeamCudaBound *a, cudaStream_t stream)
{
  static_assert (sizeof (Norm) == SEAM_CUDA_BOUND_NORM_BYTES, "the caller's memory");
  const long long n_norms = a->norm < 0 ? 0 : a->n / (a->channels * a->plane) * a->groups;
  const cudaError_t error =
      n_norms == 0 ? cudaSuccess
                   : seam_launch (bound_norms, n_norms, SEAM_CUDA_THREADS, *a, stream);

  return error != cudaSuccess
             ? error
             : seam_launch (bound_elements, seam_cuda_divide_up (a->n, SEAM_CUDA_THREADS),
                            SEAM_CUDA_THREADS, *a, stream);
}

template <SeamOperandType TYPE>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) spread (const SeamCudaSpread a)
{
  const long long at = (long long)blockIdx.x * SEAM_CUDA_THREADS + threadIdx.x;

  if (at >= a.n)
    return;
  const float x = seam_load_as<TYPE> (
      static_cast<const typename SeamElement<TYPE>::Stored *> (a.from)[a.first + at]);
  const float size = (fabsf (x) + a.least) * a.scale;
  a.to[at] = a.scale > 0.0f ? size * size : x;
}

extern "C" cudaError_t
seam_cuda_spread (const SeamCudaSpread *a, cudaStream_t stream)
{
  const long long blocks = seam_cuda_divide_up (a->n, SEAM_CUDA_THREADS);

  return a->type == SEAM_OPERAND_FP16
             ? seam_launch (spread<SEAM_OPERAND_FP16>, blocks, SEAM_CUDA_THREADS, *a, stream)
         : a->type == SEAM_OPERAND_BF16
             ? seam_launch (spread<SEAM_OPERAND_BF16>, blocks, SEAM_CUDA_THREADS, *a, stream)
             : seam_launch (spread<SEAM_OPERAND_FP32>, blocks, SEAM_CUDA_THREADS, *a, stream);
}
