// SPDX-License-Identifier: MIT
//
// The FP64 reference and its bounds (app/backend/bound.h), one op after another: what
// app/backend/reference-ops.c computes, for outputs that are too large for a processor. A thread
// computes one output of a matrix op, a map or a window; a block reads a set for a reduction or a
// normalisation. Nothing here is tuned: every operand is read from memory, in FP64, with its bound.
#define SEAM_REAL           double
#define SEAM_MATH(function) function

#include "kernels/bound.h"
#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/nests.cuh"
#include "kernels/cuda/stored.cuh"

typedef long long Index;

static __device__ __forceinline__ Index
get_thread ()
{
  return (Index)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ void
put (const SeamCudaReference &a, Index at, double y, double bound)
{
  bound = seam_bound_store (a.stored, y, bound);
  a.y[at] = y;
  if (a.narrow_bounds != nullptr)
    a.narrow_bounds[at] = (float)bound;
  else
    a.bounds[at] = bound;
}

/* --- What is given --- */

template <SeamOperandType TYPE>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) take_given (const SeamCudaReference a)
{
  const Index at = get_thread ();

  if (at < a.n)
    put (a, at,
         (double)seam_load_as<TYPE> (
             static_cast<const typename SeamElement<TYPE>::Stored *> (a.given)[at]),
         0);
}

/* --- Matrix ops --- */

/* The input's index along an axis for a place of the kernel; -1: there is none. */
static __device__ __forceinline__ int
find_index (const SeamGeneral &g, int axis, int at, int tap)
{
  const int stride = (int)g.stride[axis], shift = tap - (int)g.padding[axis];
  const int reached = g.is_transposed ? at - shift : at * stride + shift;
  const int index = g.is_transposed ? reached / stride : reached;

  return reached < 0 || index >= g.in[axis] || (g.is_transposed && index * stride != reached)
             ? -1
             : index;
}

/* The sums of one output: of the products, of their squares, and what errors of x make. */
static __device__ void
add_products (const SeamCudaReference &a, Index i, double &y, double &squares, double &error)
{
  const SeamGeneral &g = a.general;
  const Index taps = g.kernel[0] * g.kernel[1] * g.kernel[2];
  const Index filter_step = (g.is_transposed ? g.k : 1) * taps;
  int at[3];
  Index rest = i;
  double errors = 0, alike = 0;

  for (int axis = 2; axis >= 0; axis--) {
    at[axis] = (int)(rest % g.out[axis]);
    rest /= g.out[axis];
  }
  const Index sample = rest / g.k, channel = rest % g.k, plane = g.in[0] * g.in[1] * g.in[2];
  const float *const filter = a.params[0] + channel * (g.is_transposed ? 1 : g.c) * taps;
  y = squares = 0;
  for (int t = 0; t < g.kernel[0]; t++)
    for (int r = 0; r < g.kernel[1]; r++)
      for (int s = 0; s < g.kernel[2]; s++) {
        const int d = find_index (g, 0, at[0], t), h = find_index (g, 1, at[1], r);
        const int q = find_index (g, 2, at[2], s);
        if (d < 0 || h < 0 || q < 0)
          continue;
        Index from = sample * g.c * plane + (d * g.in[1] + h) * g.in[2] + q;
        Index tap = (t * g.kernel[1] + r) * g.kernel[2] + s;
        for (Index c = 0; c < g.c; c++, from += plane, tap += filter_step) {
          const double w = (double)__ldg (filter + tap), x = a.x[from];
          const double product = (fabs (w) + a.least) * (fabs (x) + a.least);
          y += w * x;
          squares += product * product;
          if (a.has_errors) {
            const double e = fabs (w) * a.x_bounds[from];
            errors += e * e;
            alike += e;
          }
        }
      }
  error = fmax (sqrt (errors), .5 * alike);
}

/* With neighbours: values, what errors make, and the squares, for finish_matrix(). */
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) run_matrix (const SeamCudaReference a)
{
  const Index i = get_thread ();
  double y, squares, error;

  if (i >= a.n)
    return;
  add_products (a, i, y, squares, error);
  if (a.reach == 0) {
    put (a, i, y, seam_bound_sum (&a.rule, y, sqrt (squares)) + error);
    return;
  }
  a.y[i] = y;
  a.errors[i] = error;
  a.squares[i] = squares;
}

/* The largest of the squares of an output and its neighbours. */
static __device__ double
find_squares (const SeamCudaReference &a, Index i)
{
  const long (&n)[3] = a.general.out;
  const Index in_plane = i % (n[0] * n[1] * n[2]);
  const Index at[3] = { in_plane / (n[1] * n[2]), in_plane / n[2] % n[1], in_plane % n[2] };
  const double *plane = a.squares + (i - in_plane);
  double most = 0;

  for (Index d = at[0] - a.reach; d <= at[0] + a.reach; d++)
    for (Index h = at[1] - a.reach; h <= at[1] + a.reach; h++)
      for (Index w = at[2] - a.reach; w <= at[2] + a.reach; w++)
        if (d >= 0 && d < n[0] && h >= 0 && h < n[1] && w >= 0 && w < n[2])
          most = fmax (most, plane[(d * n[1] + h) * n[2] + w]);
  return most;
}

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) finish_matrix (const SeamCudaReference a)
{
  const Index i = get_thread ();

  if (i < a.n)
    put (a, i, a.y[i], seam_bound_sum (&a.rule, a.y[i], sqrt (find_squares (a, i))) + a.errors[i]);
}

/* --- Maps --- */

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) run_map (const SeamCudaReference a)
{
  const Index i = get_thread ();
  Index at[SEAM_N_NEST_OPERANDS] = { 0 }, rest = i;

  if (i >= a.n)
    return;
  for (int axis = a.map.n_axes - 1; axis >= 0; axis--) {
    const Index index = rest % a.map.counts[axis];
    rest /= a.map.counts[axis];
    for (int j = 0; j < SEAM_N_NEST_OPERANDS; j++)
      at[j] += index * a.map.steps[j][axis];
  }
  const double x = a.x[at[SEAM_NEST_X]], e = a.x_bounds[at[SEAM_NEST_X]];
  const double t = a.t != nullptr ? a.t[at[SEAM_NEST_T]] : 0;
  const double f = a.t != nullptr ? a.t_bounds[at[SEAM_NEST_T]] : 0;
  const double v = a.vector != nullptr ? (double)a.vector[at[SEAM_NEST_V]] : 0;
  const double number = a.number != nullptr ? (double)*a.number : a.scalars[0];
  const double y = seam_bound_apply (a.type, number, a.scalars[1], x, v, t);
  put (a, i, y, seam_bound_map (a.type, number, a.scalars[1], x, e, v, t, f, y));
  if (a.counts != nullptr && x < a.scalars[0])
    atomicAdd (a.counts, 1ull);
  if (a.counts != nullptr && x > a.scalars[1])
    atomicAdd (a.counts + 1, 1ull);
}

/* --- Sets of elements --- */

/* The first pass of a reduction over elements x within e, and what bounds need of it. */
typedef struct {
  double f;
  double up, down;               /* largest x + e and x - e; of SMALLEST, of -x */
  double squares, alike, sizes;  /* sums of e^2, e and |x| */
} Totals;

template <SeamReduction R>
static __device__ __forceinline__ Totals
start_totals ()
{
  return { seam_nest_start<R> (), -SEAM_INFINITY, -SEAM_INFINITY, 0, 0, 0 };
}

template <SeamReduction R>
static __device__ __forceinline__ void
add_element (Totals &totals, double x, double e)
{
  const double upwards = R == SEAM_REDUCTION_SMALLEST ? -x : x;

  totals.f = seam_nest_step<R> (totals.f, x);
  totals.up = fmax (totals.up, upwards + e);
  totals.down = fmax (totals.down, upwards - e);
  totals.squares += e * e;
  totals.alike += e;
  totals.sizes += fabs (x);
}

/* As seam_bound_of_total() of app/backend/bound.c, of `n` elements. */
static __device__ __forceinline__ double
bound_total (const Totals &totals, double n)
{
  return fmax (sqrt (totals.squares), .5 * totals.alike)
         + SEAM_BOUND_DEVIATIONS * SEAM_BOUND_UNIT * sqrt (n) * totals.sizes + SEAM_BOUND_LEAST;
}

/* Of a result of one pass. `divisor`: what a mean divides by. */
template <SeamReduction R>
static __device__ double
bound_result (const Totals &totals, double n, double divisor)
{
  const double upwards = R == SEAM_REDUCTION_SMALLEST ? -totals.f : totals.f;

  if (R == SEAM_REDUCTION_LARGEST || R == SEAM_REDUCTION_SMALLEST)
    return fmax (totals.up - upwards, upwards - totals.down);
  return bound_total (totals, n) / (R == SEAM_REDUCTION_MEAN ? divisor : 1);
}

template <SeamReduction R>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) run_window (const SeamCudaReference a)
{
  const SeamWindow &w = a.window;
  const Index i = get_thread ();
  Index begin[3], end[3], rest = i, padded = 1, inside = 1;
  Totals totals = start_totals<R> ();

  if (i >= a.n)
    return;
  for (int axis = 2; axis >= 0; axis--) {
    const Index from = rest % w.out[axis] * w.stride[axis] - w.padding[axis];
    const Index most = w.in[axis] + w.padding[axis];
    const Index to = from + w.kernel[axis] < most ? from + w.kernel[axis] : most;
    rest /= w.out[axis];
    begin[axis] = from < 0 ? 0 : from;
    end[axis] = to < w.in[axis] ? to : w.in[axis];
    padded *= to - from;
    inside *= end[axis] - begin[axis];
  }
  for (Index d = begin[0]; d < end[0]; d++)
    for (Index h = begin[1]; h < end[1]; h++)
      for (Index q = begin[2]; q < end[2]; q++) {
        const Index at = ((rest * w.in[0] + d) * w.in[1] + h) * w.in[2] + q;
        add_element<R> (totals, a.x[at], a.x_bounds[at]);
      }
  const double divisor = (double)(w.counts_padding ? padded : inside);
  put (a, i, seam_nest_result<R> (totals.f, 0, divisor),
       bound_result<R> (totals, (double)inside, divisor));
}

/* What the threads of a block have, joined, for all of them. */
template <typename Join>
static __device__ double
join_block (double *scratch, double mine, Join join)
{
  __syncthreads ();
  scratch[threadIdx.x] = mine;
  __syncthreads ();
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      scratch[threadIdx.x] = join (scratch[threadIdx.x], scratch[threadIdx.x + half]);
    __syncthreads ();
  }
  return scratch[0];
}

static __device__ double
add_block (double *scratch, double mine)
{
  return join_block (scratch, mine, [] (double x, double y) { return x + y; });
}

static __device__ double
find_largest (double *scratch, double mine)
{
  return join_block (scratch, mine, [] (double x, double y) { return fmax (x, y); });
}

/* Where element e of the set that begins at `base` is. */
static __device__ __forceinline__ Index
find_element (const SeamSets &s, Index base, Index e)
{
  return base + e / (s.sizes[3] * s.sizes[5]) * s.strides[1]
         + e / s.sizes[5] % s.sizes[3] * s.strides[3] + e % s.sizes[5] * s.strides[5];
}

static __device__ double
sum_loss (double n)
{
  return SEAM_BOUND_DEVIATIONS * SEAM_BOUND_UNIT * sqrt (n);
}

/* log (sum (exp (x))), given the sum relative to the largest. */
static __device__ double
get_logsumexp (double largest, double sum)
{
  return isfinite (largest) ? largest + log (sum) : largest;
}

static __device__ double
get_param (const SeamCudaReference &a, int which, Index at, double otherwise)
{
  return a.params[which] == nullptr
             ? otherwise
             : (double)a.params[which][at / a.affine_inner % a.affine_count];
}

static __device__ void
put_normalised (const SeamCudaReference &a, Index at, double mean, double rstd, double mean_bound,
                double deviation_bound)
{
  const double weight = get_param (a, 0, at, 1), x = a.x[at];
  const double y = seam_op_normalize (x, mean, rstd, weight, get_param (a, 1, at, 0));

  put (a, at, y,
       seam_bound_normalize (mean, rstd, mean_bound, deviation_bound, x, a.x_bounds[at], weight, y));
}

template <SeamReduction R>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) run_sets (const SeamCudaReference a)
{
  __shared__ double scratch[SEAM_CUDA_THREADS];
  const SeamSets &s = a.sets;
  const Index set = blockIdx.x, length = s.sizes[1] * s.sizes[3] * s.sizes[5];
  const Index base = set / (s.sizes[2] * s.sizes[4]) * s.strides[0]
                     + set / s.sizes[4] % s.sizes[2] * s.strides[2]
                     + set % s.sizes[4] * s.strides[4];
  const double n = (double)length;
  Totals totals = start_totals<R> ();

  for (Index e = threadIdx.x; e < length; e += blockDim.x) {
    const Index at = find_element (s, base, e);
    add_element<R> (totals, a.x[at], a.x_bounds[at]);
  }
  totals.f = join_block (scratch, totals.f,
                         [] (double f, double g) { return seam_nest_merge<R> (f, g); });
  totals.up = find_largest (scratch, totals.up);
  totals.down = find_largest (scratch, totals.down);
  totals.squares = add_block (scratch, totals.squares);
  totals.alike = add_block (scratch, totals.alike);
  totals.sizes = add_block (scratch, totals.sizes);

  /* The second pass, and what bounds need of it: the same at x + e and x - e, or weighted. */
  const double mean = totals.f / n;
  double second = 0, higher = 0, lower = 0, weighted = 0;
  for (Index e = threadIdx.x; e < length; e += blockDim.x) {
    const Index at = find_element (s, base, e);
    const double x = a.x[at], error = a.x_bounds[at];
    second += seam_nest_term<R> (x, totals.f, n);
    if (R == SEAM_REDUCTION_LOGSUMEXP) {
      higher += exp (x + error - totals.up);
      lower += exp (x - error - totals.down);
    } else if (R == SEAM_REDUCTION_SOFTMAX) {
      weighted += exp (x - totals.f) * (error + 4 * SEAM_BOUND_UNIT * (1 + fabs (x - totals.f)));
    } else if (R == SEAM_REDUCTION_NORM) {
      weighted += fabs (x - mean) * error;
    }
  }
  second = add_block (scratch, second);
  higher = add_block (scratch, higher);
  lower = add_block (scratch, lower);
  weighted = add_block (scratch, weighted);

  if (R == SEAM_REDUCTION_NORM) {
    const double rstd = 1 / sqrt (second / n + a.epsilon);
    const double mean_bound = bound_total (totals, n) / n;
    const double deviation_bound = weighted * rstd / n + seam_bound_deviation (mean, rstd);
    for (Index e = threadIdx.x; e < length; e += blockDim.x)
      put_normalised (a, find_element (s, base, e), mean, rstd, mean_bound, deviation_bound);
  } else if (R == SEAM_REDUCTION_SOFTMAX) {
    for (Index e = threadIdx.x; e < length; e += blockDim.x) {
      const Index at = find_element (s, base, e);
      const double x = a.x[at], y = seam_op_share (x, totals.f, second);
      const double own = a.x_bounds[at] + 4 * SEAM_BOUND_UNIT * (1 + fabs (x - totals.f));
      put (a, at, y, y * (own + weighted / second + sum_loss (n)) + SEAM_BOUND_LEAST);
    }
  } else if (threadIdx.x == 0) {
    const double y = seam_nest_result<R> (totals.f, second, n);
    double bound = bound_result<R> (totals, n, n);
    if (R == SEAM_REDUCTION_LOGSUMEXP)
      bound = fmax (get_logsumexp (totals.up, higher) - y, y - get_logsumexp (totals.down, lower))
              + sum_loss (n) + 4 * SEAM_BOUND_UNIT * (fabs (totals.f) + fabs (y))
              + SEAM_BOUND_LEAST;
    put (a, set, y, bound);
  }
}

/* A normalisation whose statistics are given. */
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) run_given_statistics (const SeamCudaReference a)
{
  const Index at = get_thread ();

  if (at >= a.n)
    return;
  const double mean = get_param (a, 2, at, 0);
  const double rstd = 1 / sqrt (get_param (a, 3, at, 1) + a.epsilon);
  put_normalised (a, at, mean, rstd, SEAM_BOUND_UNIT * fabs (mean),
                  SEAM_BOUND_DEVIATIONS * SEAM_BOUND_UNIT / rstd);
}

/* Windows, or sets if `threads` is over 0. */
static cudaError_t
launch_reduction (const SeamCudaReference *a, SeamReduction reduction, Index blocks,
                  unsigned int threads, cudaStream_t stream)
{
  switch (reduction) {
#define REDUCTION_CASE(NAME, ...)                                                                  \
  case SEAM_REDUCTION_##NAME:                                                                      \
    return threads > 0                                                                             \
               ? seam_launch (run_sets<SEAM_REDUCTION_##NAME>, blocks, threads, *a, stream)        \
               : seam_launch (run_window<SEAM_REDUCTION_##NAME>, blocks, SEAM_CUDA_THREADS, *a,    \
                              stream);
    SEAM_REDUCTIONS (REDUCTION_CASE)
#undef REDUCTION_CASE
  default:
    return cudaErrorInvalidValue;
  }
}

extern "C" cudaError_t
seam_cuda_reference (SeamCudaReferenceStep step, const SeamCudaReference *a, cudaStream_t stream)
{
  const Index blocks = seam_cuda_divide_up (a->n, SEAM_CUDA_THREADS);
  const Index length = a->sets.sizes[1] * a->sets.sizes[3] * a->sets.sizes[5];
  cudaError_t error;

  switch (step) {
  case SEAM_CUDA_GIVEN:
    return a->given_type == SEAM_OPERAND_FP16
               ? seam_launch (take_given<SEAM_OPERAND_FP16>, blocks, SEAM_CUDA_THREADS, *a, stream)
           : a->given_type == SEAM_OPERAND_BF16
               ? seam_launch (take_given<SEAM_OPERAND_BF16>, blocks, SEAM_CUDA_THREADS, *a, stream)
               : seam_launch (take_given<SEAM_OPERAND_FP32>, blocks, SEAM_CUDA_THREADS, *a, stream);
  case SEAM_CUDA_MATRIX:
    error = seam_launch (run_matrix, blocks, SEAM_CUDA_THREADS, *a, stream);
    return error != cudaSuccess || a->reach == 0
               ? error
               : seam_launch (finish_matrix, blocks, SEAM_CUDA_THREADS, *a, stream);
  case SEAM_CUDA_MAP:
    return seam_launch (run_map, blocks, SEAM_CUDA_THREADS, *a, stream);
  case SEAM_CUDA_WINDOW:
    return launch_reduction (a, a->window.reduction, blocks, 0, stream);
  case SEAM_CUDA_SETS:
    return launch_reduction (a, a->reduction,
                             a->sets.sizes[0] * a->sets.sizes[2] * a->sets.sizes[4],
                             length <= 64 ? 32 : SEAM_CUDA_THREADS, stream);
  default:
    return seam_launch (run_given_statistics, blocks, SEAM_CUDA_THREADS, *a, stream);
  }
}
