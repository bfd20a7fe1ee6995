// SPDX-License-Identifier: MIT
//
// Compares two outputs in device memory. One pass over both tensors finds totals, histograms, the
// overview map, and the rows and columns with failing elements. Bytes: each tensor once, 8 (or 12
// with a double reference) a pair, and 4 for its bound where there are bounds. Differences are
// computed in double precision, ULP in integers. Every run gives the same results: a second launch
// adds the totals of the blocks in a fixed order; cells and histograms take integer atomics
// (maximum, sum), whose result does not depend on the order; and all threads that mark a row write
// the same 1. A second step looks for the worst elements in the few blocks that can hold them.
// app/result/difference.h defines every number.

#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/stored.cuh"

#include <cfloat>

#define COMPARE_LOADS         4  /* accesses in flight, for each thread and tensor */
#define COMPARE_TILE_ACCESSES 16 /* accesses of a thread, over which the reduction is spread */
#define COMPARE_ROWS          64 /* rows of a matrix that a thread walks down */
#define NAN_BITS              0x7fc00000u /* as an integer above every other float */

typedef struct {
  SeamCudaCompare c;
  unsigned int tiles; /* tiles of a plane, or of a row of the matrix */
  unsigned int bands; /* matrix: bands of COMPARE_ROWS rows in a row of cells */
  long long n_cell_columns;
} CompareArguments;

static __device__ __forceinline__ void
clear (SeamCudaDifference *d)
{
  d->max_abs = d->sum_abs = d->max_abs_b = d->max_error_ratio = 0.0;
  d->sum_squares = d->sum_squares_b = 0.0;
  d->worst_abs = -1.0;
  d->worst_index = d->bound_index = -1;
  d->max_bound_ratio = 0.0;
  d->n_finite = 0;
  d->sum_ulps = 0;
  d->n_failing = d->n_unjudged = d->n_shown = d->n_nan_a = d->n_nan_b = d->n_infinite_a = d->n_infinite_b = 0;
}

/* Keeps the larger of two differences, or the first of equal ones, so that the order of merging
 * does not matter. */
static __device__ __forceinline__ void
add_worst (SeamCudaDifference *d, double worst_abs, long long index)
{
  if (worst_abs > d->worst_abs
      || (worst_abs == d->worst_abs && index < d->worst_index && worst_abs >= 0.0)) {
    d->worst_abs = worst_abs;
    d->worst_index = index;
  }
}

/* The same for the largest part of a bound. */
static __device__ __forceinline__ void
add_part (SeamCudaDifference *d, double ratio, long long index)
{
  if (ratio > d->max_bound_ratio
      || (ratio == d->max_bound_ratio && index < d->bound_index && ratio > 0.0)) {
    d->max_bound_ratio = ratio;
    d->bound_index = index;
  }
}

static __device__ __forceinline__ void
add (SeamCudaDifference *d, const SeamCudaDifference *other)
{
  d->max_abs = fmax (d->max_abs, other->max_abs);
  d->sum_abs += other->sum_abs;
  d->sum_squares += other->sum_squares;
  d->sum_squares_b += other->sum_squares_b;
  d->max_abs_b = fmax (d->max_abs_b, other->max_abs_b);
  d->max_error_ratio = fmax (d->max_error_ratio, other->max_error_ratio);
  add_worst (d, other->worst_abs, other->worst_index);
  add_part (d, other->max_bound_ratio, other->bound_index);
  d->n_finite += other->n_finite;
  d->sum_ulps += other->sum_ulps;
  d->n_failing += other->n_failing;
  d->n_unjudged += other->n_unjudged;
  d->n_shown += other->n_shown;
  d->n_nan_a += other->n_nan_a;
  d->n_nan_b += other->n_nan_b;
  d->n_infinite_a += other->n_infinite_a;
  d->n_infinite_b += other->n_infinite_b;
}

/* floor (log2 (|x|)) from the exponent bits; -1023 for zero and for subnormal numbers. */
static __device__ __forceinline__ int
get_exponent (double x)
{
  return (__double2hiint (x) >> 20 & 0x7ff) - 1023;
}

/* Index of a float among all floats in ascending order; both zeros have index 0. */
static __device__ __forceinline__ int
get_place (float value)
{
  const unsigned int bits = __float_as_uint (value);
  return bits & 0x80000000u ? -(int)(bits & 0x7fffffffu) : (int)bits;
}

/* Steps of FP32 between two numbers; b is rounded to FP32 first. */
static __device__ __forceinline__ unsigned int
count_ulps (float a, double b)
{
  const int x = get_place (a), y = get_place ((float)b);
  return x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x;
}

/* Histograms of a block, in shared memory. Each block adds its own to those of the whole tensor. */
typedef struct {
  unsigned int errors[SEAM_CUDA_HISTOGRAM_BINS];
  unsigned int ulps[SEAM_CUDA_HISTOGRAM_ULPS];
  unsigned int shares[SEAM_CUDA_HISTOGRAM_ERRORS];
} Histograms;

/* As seam_histogram_get_error_bin () of app/result/histogram.h. */
static __device__ __forceinline__ int
get_error_bin (double difference)
{
  const int e = get_exponent (difference) + 41;
  return !(difference > 0.0)              ? 0
         : e < 1                          ? 1
         : e < SEAM_CUDA_HISTOGRAM_ERRORS ? e
                                          : SEAM_CUDA_HISTOGRAM_ERRORS - 1;
}

static __device__ __forceinline__ void
count (Histograms *histograms, double difference, double b, unsigned int ulps)
{
  const int m = get_exponent (b) + 16, error = get_error_bin (difference);
  const int magnitude = m < 2 ? 0
                        : m < 2 * SEAM_CUDA_HISTOGRAM_MAGNITUDES
                            ? m / 2
                            : SEAM_CUDA_HISTOGRAM_MAGNITUDES - 1;

  atomicAdd (&histograms->errors[error * SEAM_CUDA_HISTOGRAM_MAGNITUDES + magnitude], 1u);
  atomicAdd (&histograms->ulps[32 - __clz ((int)ulps)], 1u);
}

static __device__ __forceinline__ void
clear_histograms (Histograms *histograms)
{
  for (unsigned int i = threadIdx.x; i < SEAM_CUDA_HISTOGRAM_BINS; i += SEAM_CUDA_THREADS)
    histograms->errors[i] = 0;
  if (threadIdx.x < SEAM_CUDA_HISTOGRAM_ULPS)
    histograms->ulps[threadIdx.x] = 0;
  if (threadIdx.x < SEAM_CUDA_HISTOGRAM_ERRORS)
    histograms->shares[threadIdx.x] = 0;
  __syncthreads ();
}

/* Adds the block's histograms to the total; call it after a barrier. The sums of integers do not
 * depend on the order of the blocks. */
static __device__ __forceinline__ void
store_histograms (const Histograms *histograms, const SeamCudaCompare &c)
{
  for (unsigned int i = threadIdx.x; i < SEAM_CUDA_HISTOGRAM_BINS; i += SEAM_CUDA_THREADS)
    if (histograms->errors[i] > 0)
      atomicAdd (c.histogram + i, (unsigned long long)histograms->errors[i]);
  if (threadIdx.x < SEAM_CUDA_HISTOGRAM_ULPS && histograms->ulps[threadIdx.x] > 0)
    atomicAdd (c.histogram_ulps + threadIdx.x, (unsigned long long)histograms->ulps[threadIdx.x]);
  if (threadIdx.x < SEAM_CUDA_HISTOGRAM_ERRORS && histograms->shares[threadIdx.x] > 0)
    atomicAdd (c.histogram_shares + threadIdx.x,
               (unsigned long long)histograms->shares[threadIdx.x]);
}

/* What a thread finds in one cell of the overview map. */
typedef struct {
  unsigned int bits;    /* largest difference, as the bits of a float */
  unsigned int ulps;    /* largest number of ULP */
  unsigned int share;   /* largest part of a bound, as the bits of a float */
  unsigned int failing; /* failing elements */
} Cell;

/* Every thread that finds a failing element writes the same value, and most find it written
 * already. */
static __device__ __forceinline__ void
mark (unsigned char *hit)
{
  if (*hit == 0)
    *hit = 1;
}

/* Marks a failing element of a plane. */
static __device__ __forceinline__ void
mark_in_plane (const SeamCudaCompare &c, long long at)
{
  unsigned char *hits = c.hits + c.rows + c.columns;
  long long row;

  if (c.plane_width == 0)
    return;
  /* Avoids a 64-bit division where it can: that takes several times as long. */
  row =
      c.plane <= 0xffffffffLL ? (unsigned int)at / (unsigned int)c.plane_width : at / c.plane_width;
  mark (hits + row);
  mark (hits + c.plane / c.plane_width + (at - row * c.plane_width));
}

/* As seam_element_fails () of app/result/difference.h. */
static __device__ __forceinline__ bool
fails (const SeamCudaCompare &c, double a, double b, double bound)
{
  const bool by_bound = isnan (c.atol);

  if (by_bound && isnan (bound))
    return !isnan (a);
  return !(fabs (a - b) <= (by_bound ? bound : c.atol + c.rtol * fabs (b))) && !(a == b)
         && !(by_bound && fabs (b) + bound > (double)FLT_MAX);
}

/* What the order of the worst elements goes by, as seam_totals_rank () of
 * app/backend/difference-totals.h; not positive for one that is no worst element. */
static __device__ __forceinline__ double
rank (const SeamCudaCompare &c, double a, double b, double bound)
{
  const double distance = fabs (a - b);

  if (!(isfinite (a) && isfinite (b)))
    return (isnan (c.atol) ? fails (c, a, b, bound) : !(a == b)) ? (double)INFINITY : -1.0;
  if (!isnan (c.atol) || distance == 0.0)
    return distance;
  return fabs (b) + bound > (double)FLT_MAX ? 0.0 : distance / bound;
}

/* As seam_totals_add_bound () of app/backend/difference-totals.h. */
static __device__ __forceinline__ void
add_bound (SeamCudaDifference *d, Histograms *histograms, Cell *cell, double a, double b,
           double bound, long long index)
{
  const double ratio = a == b ? 0.0 : fmin (fabs (a - b) / bound, DBL_MAX);

  d->n_unjudged += fabs (b) + bound > (double)FLT_MAX ? 1 : 0;
  if (!(fabs (b) + bound <= (double)FLT_MAX))
    return;
  d->n_shown += fabs (b) > bound ? 1 : 0;
  const unsigned int bits = __float_as_uint ((float)fmin (ratio, (double)FLT_MAX));
  cell->share = bits > cell->share ? bits : cell->share;
  if (isfinite (a))
    atomicAdd (&histograms->shares[get_error_bin (ratio)], 1u);
  add_part (d, ratio, index);
}

/* Adds one pair to the totals of the thread and of its cell; returns whether it fails. */
static __device__ __forceinline__ bool
add_pair (SeamCudaDifference *d, Histograms *histograms, Cell *cell, const SeamCudaCompare &c,
          float a, double b, long long index)
{
  const double size_b = fabs (b), difference = fabs ((double)a - b);
  const double bound = c.bounds != nullptr ? c.bounds[index] : (double)NAN;
  const double place = rank (c, a, b, bound);

  if (c.bounds != nullptr)
    add_bound (d, histograms, cell, a, b, bound, index);
  if (place > 0.0)
    add_worst (d, place, index);

  if (isfinite (a) && isfinite (b)) {
    const unsigned int bits = __float_as_uint ((float)difference), ulps = count_ulps (a, b);
    count (histograms, difference, b, ulps);
    d->n_finite++;
    d->sum_ulps += ulps;
    d->sum_abs += difference;
    d->sum_squares += difference * difference;
    d->sum_squares_b += b * b;
    d->max_abs = fmax (d->max_abs, difference);
    d->max_abs_b = fmax (d->max_abs_b, size_b);
    d->max_error_ratio = fmax (d->max_error_ratio, difference / fmax (1.0, size_b));
    cell->bits = bits > cell->bits ? bits : cell->bits;
    cell->ulps = ulps > cell->ulps ? ulps : cell->ulps;
  } else {
    d->n_nan_a += isnan (a) ? 1 : 0;
    d->n_nan_b += isnan (b) ? 1 : 0;
    d->n_infinite_a += isinf (a) ? 1 : 0;
    d->n_infinite_b += isinf (b) ? 1 : 0;
    cell->bits = NAN_BITS;
  }
  if (!fails (c, a, b, bound))
    return false;
  d->n_failing++;
  cell->failing++;
  return true;
}

template <int V>
static __device__ __forceinline__ void
load_floats (float (&x)[V], const float *from)
{
  if constexpr (V == 4) {
    const float4 packed = *reinterpret_cast<const float4 *> (from);
    x[0] = packed.x;
    x[1] = packed.y;
    x[2] = packed.z;
    x[3] = packed.w;
  } else {
    x[0] = *from;
  }
}

template <int V>
static __device__ __forceinline__ void
load_values (float (&x)[V], const float *from)
{
  load_floats<V> (x, from);
}

template <int V>
static __device__ __forceinline__ void
load_values (double (&x)[V], const double *from)
{
  if constexpr (V == 4) {
    const double2 low = *reinterpret_cast<const double2 *> (from);
    const double2 high = reinterpret_cast<const double2 *> (from)[1];
    x[0] = low.x;
    x[1] = low.y;
    x[2] = high.x;
    x[3] = high.y;
  } else {
    x[0] = *from;
  }
}

/* V neighbouring elements of a tensor of type TYPE, from element `at` on. */
template <SeamOperandType TYPE, int V>
static __device__ __forceinline__ void
load_elements (float (&x)[V], const void *from, long long at)
{
  if constexpr (TYPE == SEAM_OPERAND_FP32)
    load_values<V> (x, static_cast<const float *> (from) + at);
  else
    seam_load_stored<TYPE, V> (x, static_cast<const unsigned short *> (from) + at);
}

template <SeamOperandType TYPE, int V>
static __device__ __forceinline__ void
load_elements (double (&x)[V], const void *from, long long at)
{
  load_values<V> (x, static_cast<const double *> (from) + at);
}

/* Adds up the results of the block's threads in a tree; thread 0 stores the total. */
static __device__ __forceinline__ void
store_block (const SeamCudaDifference *mine, SeamCudaDifference *scratch, SeamCudaDifference *to)
{
  scratch[threadIdx.x] = *mine;
  __syncthreads ();
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      add (&scratch[threadIdx.x], &scratch[threadIdx.x + half]);
    __syncthreads ();
  }
  if (threadIdx.x == 0)
    *to = scratch[0];
}

static __device__ __forceinline__ void
add_to_cell (const CompareArguments &a, long long row, long long column, const Cell &cell)
{
  const long long at = row / a.c.rows_per_cell * a.n_cell_columns + column / a.c.columns_per_cell;
  if (cell.bits)
    atomicMax (a.c.cells + at, cell.bits);
  if (cell.ulps)
    atomicMax (a.c.ulps + at, cell.ulps);
  if (cell.share)
    atomicMax (a.c.shares + at, cell.share);
  if (cell.failing) {
    atomicAdd (a.c.failing + at, (unsigned long long)cell.failing);
    mark (a.c.hits + a.c.rows + column);
  }
}

/* plane > 1: a block is part of one plane, so of one cell. */
template <typename Real, SeamOperandType TYPE, int V>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) difference_planes (const CompareArguments a)
{
  __shared__ SeamCudaDifference scratch[SEAM_CUDA_THREADS];
  __shared__ Histograms histograms;
  __shared__ Cell block_cell;
  const unsigned int plane = blockIdx.x / a.tiles, tile = blockIdx.x - plane * a.tiles;
  const long long base = plane * a.c.plane, n = a.c.plane / V;
  const long long first =
      (long long)tile * (SEAM_CUDA_THREADS * COMPARE_TILE_ACCESSES) + threadIdx.x;
  SeamCudaDifference mine;
  Cell cell = { 0, 0, 0, 0 };

  clear (&mine);
  if (threadIdx.x == 0)
    block_cell = cell;
  clear_histograms (&histograms);
#pragma unroll 1
  for (int k = 0; k < COMPARE_TILE_ACCESSES; k += COMPARE_LOADS) {
    float x[COMPARE_LOADS][V];
    Real y[COMPARE_LOADS][V];
#pragma unroll
    for (int j = 0; j < COMPARE_LOADS; j++) {
      const long long at = first + (k + j) * SEAM_CUDA_THREADS;
      if (at < n) {
        load_elements<TYPE, V> (x[j], a.c.a, base + at * V);
        load_elements<TYPE, V> (y[j], a.c.b, base + at * V);
      }
    }
#pragma unroll
    for (int j = 0; j < COMPARE_LOADS; j++) {
      const long long at = first + (k + j) * SEAM_CUDA_THREADS;
      if (at < n) {
#pragma unroll
        for (int e = 0; e < V; e++)
          if (add_pair (&mine, &histograms, &cell, a.c, x[j][e], (double)y[j][e],
                        base + at * V + e))
            mark_in_plane (a.c, at * V + e);
      }
    }
  }
  if (cell.bits)
    atomicMax (&block_cell.bits, cell.bits);
  if (cell.ulps)
    atomicMax (&block_cell.ulps, cell.ulps);
  if (cell.share)
    atomicMax (&block_cell.share, cell.share);
  if (cell.failing)
    atomicAdd (&block_cell.failing, cell.failing);
  store_block (&mine, scratch, a.c.blocks + blockIdx.x);
  store_histograms (&histograms, a.c);
  if (threadIdx.x == 0) {
    add_to_cell (a, plane / a.c.columns, plane % a.c.columns, block_cell);
    if (block_cell.failing)
      mark (a.c.hits + plane / a.c.columns);
  }
}

/* plane == 1: a thread owns V neighbouring columns and walks down rows of one row of cells. */
template <typename Real, SeamOperandType TYPE, int V>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) difference_matrix (const CompareArguments a)
{
  __shared__ SeamCudaDifference scratch[SEAM_CUDA_THREADS];
  __shared__ Histograms histograms;
  const unsigned int strip = blockIdx.x / a.tiles, tile = blockIdx.x - strip * a.tiles;
  const long long column = ((long long)tile * SEAM_CUDA_THREADS + threadIdx.x) * V;
  const long long cell_first = strip / a.bands * a.c.rows_per_cell;
  const long long first = cell_first + (long long)(strip % a.bands) * COMPARE_ROWS;
  long long end = first + COMPARE_ROWS;
  SeamCudaDifference mine;
  Cell cell[V];

  end = end < cell_first + a.c.rows_per_cell ? end : cell_first + a.c.rows_per_cell;
  end = end < a.c.rows ? end : a.c.rows;
  clear (&mine);
#pragma unroll
  for (int e = 0; e < V; e++)
    cell[e] = { 0, 0, 0, 0 };
  clear_histograms (&histograms);
  if (column < a.c.columns) {
#pragma unroll 1
    for (long long row = first; row < end; row += COMPARE_LOADS) {
      float x[COMPARE_LOADS][V];
      Real y[COMPARE_LOADS][V];
#pragma unroll
      for (int j = 0; j < COMPARE_LOADS; j++) {
        if (row + j < end) {
          load_elements<TYPE, V> (x[j], a.c.a, (row + j) * a.c.columns + column);
          load_elements<TYPE, V> (y[j], a.c.b, (row + j) * a.c.columns + column);
        }
      }
#pragma unroll
      for (int j = 0; j < COMPARE_LOADS; j++) {
        if (row + j < end) {
          bool fails = false;
#pragma unroll
          for (int e = 0; e < V; e++)
            fails |= add_pair (&mine, &histograms, &cell[e], a.c, x[j][e], (double)y[j][e],
                               (row + j) * a.c.columns + column + e);
          if (fails)
            mark (a.c.hits + row + j);
        }
      }
    }
    if (first < end) {
#pragma unroll
      for (int e = 0; e < V; e++)
        add_to_cell (a, first, column + e, cell[e]);
    }
  }
  store_block (&mine, scratch, a.c.blocks + blockIdx.x);
  store_histograms (&histograms, a.c);
}

typedef struct {
  const SeamCudaDifference *blocks;
  SeamCudaDifference *total;
  long long n;
} TotalArguments;

/* One block adds the results of all blocks: each thread every 256th, in order. */
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) difference_total (const TotalArguments a)
{
  __shared__ SeamCudaDifference scratch[SEAM_CUDA_THREADS];
  SeamCudaDifference mine;

  clear (&mine);
  for (long long i = threadIdx.x; i < a.n; i += SEAM_CUDA_THREADS)
    add (&mine, &a.blocks[i]);
  store_block (&mine, scratch, a.total);
}

/* The worst elements. At most SEAM_CUDA_WORST blocks hold them: the blocks whose own worst element
 * is worst, which the pass above has found. So one launch chooses the blocks, and a second one
 * reads their elements again: a tile of at most 256 KB a tensor and block. */

/* Whether (abs, index) comes after `last` in the order of worst elements. */
static __device__ __forceinline__ bool
comes_after (double worst_abs, long long index, const SeamCudaWorst &last)
{
  return worst_abs < last.worst_abs || (worst_abs == last.worst_abs && index > last.index);
}

/* Reduces the block's candidates to the first in that order, as the result of thread 0. A candidate
 * with index < 0 counts for nothing. */
static __device__ __forceinline__ void
reduce_worst (SeamCudaWorst *scratch, const SeamCudaWorst &mine)
{
  scratch[threadIdx.x] = mine;
  __syncthreads ();
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const SeamCudaWorst other = scratch[threadIdx.x + half];
      if (other.index >= 0
          && (scratch[threadIdx.x].index < 0
              || comes_after (scratch[threadIdx.x].worst_abs, scratch[threadIdx.x].index, other)))
        scratch[threadIdx.x] = other;
    }
    __syncthreads ();
  }
}

static __device__ __forceinline__ void
offer (SeamCudaWorst *best, const SeamCudaWorst &last, double worst_abs, long long index,
       long long block)
{
  if (index >= 0 && comes_after (worst_abs, index, last)
      && (best->index < 0 || comes_after (best->worst_abs, best->index, { worst_abs, index, 0 }))) {
    best->worst_abs = worst_abs;
    best->index = index;
    best->block = block;
  }
}

/* A start value that comes before every element: not finite, with an index below all others. */
static __device__ __forceinline__ SeamCudaWorst
before_all ()
{
  return { (double)INFINITY, -1, 0 };
}

typedef struct {
  CompareArguments compare;
  long long n_blocks;
  int vector;
} WorstArguments;

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) difference_worst_blocks (const WorstArguments a)
{
  __shared__ SeamCudaWorst scratch[SEAM_CUDA_THREADS];
  SeamCudaWorst last = before_all ();

  for (int k = 0; k < SEAM_CUDA_WORST; k++) {
    SeamCudaWorst best = { 0.0, -1, 0 };
    for (long long i = threadIdx.x; i < a.n_blocks; i += SEAM_CUDA_THREADS)
      offer (&best, last, a.compare.c.blocks[i].worst_abs, a.compare.c.blocks[i].worst_index, i);
    reduce_worst (scratch, best);
    last = scratch[0];
    if (threadIdx.x == 0)
      a.compare.c.worst_blocks[k] = last;
    __syncthreads (); /* scratch has been read */
    if (last.index < 0)
      last.worst_abs = -1.0; /* no element comes after this value, so the rest stays empty */
  }
}

/* The elements that block `block` compared: `height` rows of the matrix, or one run of a plane,
 * `width` elements each. */
static __device__ __forceinline__ void
get_tile (const WorstArguments &a, long long block, long long *start, long long *width,
          long long *height)
{
  const CompareArguments &c = a.compare;
  const long long strip = block / c.tiles, tile = block % c.tiles;
  if (c.c.plane == 1) {
    const long long column = tile * SEAM_CUDA_THREADS * a.vector;
    const long long cell_first = strip / c.bands * c.c.rows_per_cell;
    const long long first = cell_first + strip % c.bands * COMPARE_ROWS;
    long long end = first + COMPARE_ROWS;
    end = end < cell_first + c.c.rows_per_cell ? end : cell_first + c.c.rows_per_cell;
    end = end < c.c.rows ? end : c.c.rows;
    *start = first * c.c.columns + column;
    *width = (long long)SEAM_CUDA_THREADS * a.vector;
    *width = *width < c.c.columns - column ? *width : c.c.columns - column;
    *height = end - first;
  } else {
    const long long n = (long long)SEAM_CUDA_THREADS * COMPARE_TILE_ACCESSES * a.vector;
    *start = strip * c.c.plane + tile * n;
    *width = n < c.c.plane - tile * n ? n : c.c.plane - tile * n;
    *height = 1;
  }
}

/* One block for each worst block; each of its worst elements takes one walk over the tile. */
template <typename Real, SeamOperandType TYPE>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) difference_worst_elements (const WorstArguments a)
{
  __shared__ SeamCudaWorst scratch[SEAM_CUDA_THREADS];
  const SeamCudaWorst from = a.compare.c.worst_blocks[blockIdx.x];
  SeamCudaWorst *to = a.compare.c.worst + blockIdx.x * SEAM_CUDA_WORST;
  SeamCudaWorst last = before_all ();
  long long start, width, height;

  if (from.index < 0)
    return; /* the whole block returns, before any barrier */
  get_tile (a, from.block, &start, &width, &height);
  for (int k = 0; k < SEAM_CUDA_WORST; k++) {
    SeamCudaWorst best = { 0.0, -1, 0 };
    for (long long row = 0; row < height; row++) {
      const long long line = start + row * a.compare.c.columns;
      for (long long i = threadIdx.x; i < width; i += SEAM_CUDA_THREADS) {
        float one[1];
        Real other[1];
        load_elements<TYPE, 1> (one, a.compare.c.a, line + i);
        load_elements<TYPE, 1> (other, a.compare.c.b, line + i);
        const double x = one[0], y = (double)other[0];
        const double place =
            rank (a.compare.c, x, y,
                  a.compare.c.bounds != nullptr ? a.compare.c.bounds[line + i] : (double)NAN);
        if (place > 0.0)
          offer (&best, last, place, line + i, from.block);
      }
    }
    reduce_worst (scratch, best);
    last = scratch[0];
    if (threadIdx.x == 0)
      to[k] = last;
    __syncthreads (); /* scratch has been read */
    if (last.index < 0)
      last.worst_abs = -1.0;
  }
}

static int
choose_vector (const SeamCudaCompare *c)
{
  return (c->plane == 1 ? c->columns : c->plane) % 4 == 0 ? 4 : 1;
}

static long long
choose_tiles (const SeamCudaCompare *c, CompareArguments *a)
{
  const int vector = choose_vector (c);
  const long long n_cell_rows = seam_cuda_divide_up (c->rows, c->rows_per_cell);

  a->c = *c;
  a->n_cell_columns = seam_cuda_divide_up (c->columns, c->columns_per_cell);
  if (c->plane == 1) {
    a->tiles = (unsigned int)seam_cuda_divide_up (c->columns / vector, SEAM_CUDA_THREADS);
    a->bands = (unsigned int)seam_cuda_divide_up (c->rows_per_cell, COMPARE_ROWS);
    return n_cell_rows * a->bands * a->tiles;
  }
  a->tiles = (unsigned int)seam_cuda_divide_up (c->plane / vector,
                                                SEAM_CUDA_THREADS * COMPARE_TILE_ACCESSES);
  a->bands = 1;
  return c->rows * c->columns * a->tiles;
}

extern "C" long long
seam_cuda_difference_blocks (const SeamCudaCompare *compare)
{
  CompareArguments a;
  const long long blocks = choose_tiles (compare, &a);
  return blocks > SEAM_CUDA_MAX_BLOCKS ? 0 : blocks;
}

template <typename Real, SeamOperandType TYPE, int V>
static cudaError_t
launch_difference (const CompareArguments &a, const WorstArguments &worst, long long blocks,
                   cudaStream_t stream)
{
  const TotalArguments total = { a.c.blocks, a.c.total, blocks };
  cudaError_t error =
      a.c.plane == 1
          ? seam_launch (difference_matrix<Real, TYPE, V>, blocks, SEAM_CUDA_THREADS, a, stream)
          : seam_launch (difference_planes<Real, TYPE, V>, blocks, SEAM_CUDA_THREADS, a, stream);

  if (error != cudaSuccess)
    return error;
  error = seam_launch (difference_total, 1, SEAM_CUDA_THREADS, total, stream);
  if (error != cudaSuccess)
    return error;
  error = seam_launch (difference_worst_blocks, 1, SEAM_CUDA_THREADS, worst, stream);
  if (error != cudaSuccess)
    return error;
  return seam_launch (difference_worst_elements<Real, TYPE>, SEAM_CUDA_WORST, SEAM_CUDA_THREADS,
                      worst, stream);
}

template <SeamOperandType TYPE>
static cudaError_t
launch_difference_of (const CompareArguments &a, long long blocks, cudaStream_t stream)
{
  const int vector = choose_vector (&a.c);
  const WorstArguments worst = { a, blocks, vector };

  if (a.c.b_is_double)
    return vector == 4 ? launch_difference<double, TYPE, 4> (a, worst, blocks, stream)
                       : launch_difference<double, TYPE, 1> (a, worst, blocks, stream);
  return vector == 4 ? launch_difference<float, TYPE, 4> (a, worst, blocks, stream)
                     : launch_difference<float, TYPE, 1> (a, worst, blocks, stream);
}

extern "C" cudaError_t
seam_cuda_difference (const SeamCudaCompare *compare, cudaStream_t stream)
{
  CompareArguments a;
  const long long blocks = choose_tiles (compare, &a);

  return compare->stored == SEAM_OPERAND_FP16
             ? launch_difference_of<SEAM_OPERAND_FP16> (a, blocks, stream)
         : compare->stored == SEAM_OPERAND_BF16
             ? launch_difference_of<SEAM_OPERAND_BF16> (a, blocks, stream)
             : launch_difference_of<SEAM_OPERAND_FP32> (a, blocks, stream);
}
