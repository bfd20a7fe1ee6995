/* SPDX-License-Identifier: MIT
 *
 * GroupNorm in convolution-few.cuh: the statistics of a tile, their exchange between the blocks of
 * the GPU, and the normalisation of what a thread holds. Read convolution-few.cuh first.
 */
#pragma once

#include "kernels/cuda/hand/convolution-few-patch.cuh"
#include "kernels/cuda/statistics.cuh"
#include "kernels/ops.h"

/* The bytes 0xff of an unpublished partial, as a number: a NaN that no computation produces. */
#define SEAM_CONVOLUTION_FEW_EMPTY 0xffffffffffffffffull

/* A sum of squares travels as the upper half of its FP64 number, which has the range; rounded by
 * a product, for which NaN stays NaN, to 21 bits. */
SEAM_DEVICE unsigned int
seam_convolution_few_pack_squares (double squares)
{
  return (unsigned int)__double2hiint (squares * (1.0 + 0x1.6p-22));
}

SEAM_DEVICE double
seam_convolution_few_unpack_squares (unsigned int bits)
{
  return __hiloint2double ((int)bits, 0);
}

/* Columns of the plane in part `part` of a tile. */
template <typename Config>
SEAM_DEVICE int
seam_convolution_few_part_columns (const SeamConvolutionFewTile<Config> &tile, int part)
{
  using Shape = SeamConvolutionFewShape<Config>;
  return max (0, min (Shape::columns, Shape::out_width - tile.column - part * Shape::columns));
}

/* Statistics of a tile's channels, in `reduction`, from rows or parts of rows that different
 * threads hold. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_sum_channels (
    const float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const SeamConvolutionFewTile<Config> &tile, const SeamConvolutionFewThread<Config> &thread,
    unsigned char *reduction)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int halves = Shape::channel_halves, n_channels = Shape::filters_block;
  const int n_columns = seam_convolution_few_part_columns<Config> (tile, thread.part);
  float2 *channels = reinterpret_cast<float2 *> (reduction);

  seam_keep_in_range<Shape::n_filters> ([&] (float scale, int f) SEAM_INLINE {
    /* Sums relative to the first value, which is the same for the four lanes of a row of D. */
    const float about = __shfl_sync (0xffffffffu, d[0][2 * f], thread.lane & ~3);
    float sum = 0.0f, squares = 0.0f;
    int n = 0;
#pragma unroll
    for (int run = 0; run < Shape::n_runs; run++)
#pragma unroll
      for (int k = 0; k < Shape::run_rows; k++)
        if ((Shape::rows > 1 || run == f) && thread.run_row (run) + k < Shape::out_height) {
          n += n_columns;
#pragma unroll
          for (int j = 0; j < Shape::columns / 8; j++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
              const float value =
                  d[Shape::segment_of (run, k)][4 * j + 2 * Shape::half_of (run, k) + e];
              const float away = value * scale - about * scale;
              if (seam_convolution_few_inside<Config> (thread.column + e, j)) {
                sum += away;
                squares += away * away;
              }
            }
        }
    sum += __shfl_xor_sync (0xffffffffu, sum, 1);
    squares += __shfl_xor_sync (0xffffffffu, squares, 1);
    sum += __shfl_xor_sync (0xffffffffu, sum, 2);
    squares += __shfl_xor_sync (0xffffffffu, squares, 2);
    const float inverse = n > 0 ? __fdividef (1.0f, (float)n) : 0.0f, away = sum * inverse;
    const float variance = fmaxf ((squares - sum * away) * inverse, 0.0f);
    if (thread.lane % 4 == 0)
      channels[(threadIdx.x % 128 / 64 * (halves - 1) * Config::share + thread.part) * n_channels
               + thread.filter % 64 + 8 * f] =
          n > 0 ? make_float2 (about + seam_unscale (away, scale),
                               seam_unscale (sqrtf (variance), scale))
                : make_float2 (0.0f, 0.0f);
    return squares;
  });
}

/* Publishes the statistics of group `group` in `partials`, from those of its channels. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_publish_group (const SeamConvolutionFewArguments &a,
                                    const SeamConvolutionFewTile<Config> &tile,
                                    const unsigned char *reduction, int group)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int halves = Shape::channel_halves, n_channels = Shape::filters_block;
  const float2 *channels = reinterpret_cast<const float2 *> (reduction);

  if (group < Shape::groups) {
    double first = 0.0, second = 0.0;
    int count = 0;
#pragma unroll
    for (int half = 0; half < halves; half++) {
      int n_rows = 0;
      for (int k = 0; k < Shape::rows * Config::segments; k++)
        n_rows += (halves == 1 || k / 2 % 2 == half) && tile.row + k < Shape::out_height;
#pragma unroll
      for (int part = 0; part < Config::share; part++) {
        const int n = n_rows * seam_convolution_few_part_columns<Config> (tile, part);
        for (int k = 0; k < Shape::group_filters; k++) {
          const float2 channel = channels[(half * Config::share + part) * n_channels
                                          + group * Shape::group_filters + k];
          first += (double)n * channel.x;
          second += (double)n * ((double)channel.y * channel.y + (double)channel.x * channel.x);
          count += n;
        }
      }
    }
    /* Takes the squared deviations from the mean as published, so that its rounding does not
     * matter. */
    const float mean = (float)(first * (double)__fdividef (1.0f, (float)count));
    const unsigned int squares =
        seam_convolution_few_pack_squares (second - (2.0 * first - (double)count * mean) * mean);
    unsigned long long bits =
        (unsigned long long)squares << 32 | (unsigned long long)__float_as_uint (mean);
    if (bits == SEAM_CONVOLUTION_FEW_EMPTY)
      bits = 0x7ff800007fc00000ull;
    unsigned long long *to =
        a.partials
        + (((long long)tile.sample * Config::blocks_k + tile.block) * Config::tiles + tile.tile)
              * Shape::groups
        + group;
    seam_store_relaxed (to, bits);
  }
}

/* Computes and publishes the statistics of a tile, with all its threads. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_publish (
    const float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const SeamConvolutionFewArguments &a, const SeamConvolutionFewTile<Config> &tile,
    const SeamConvolutionFewThread<Config> &thread, unsigned char *reduction, int barrier_name)
{
  constexpr int n_threads = 128 * Config::share;
  seam_convolution_few_sum_channels<Config> (d, tile, thread, reduction);
  seam_named_barrier_sync (barrier_name, n_threads);
  /* A warp that has less to do elsewhere than the first one. */
  seam_convolution_few_publish_group<Config> (
      a, tile, reduction, (threadIdx.x + n_threads - (Config::share == 2 ? 128 : 0)) % n_threads);
  if constexpr (Config::mode != SEAM_CONVOLUTION_FEW_RESIDENT)
    seam_named_barrier_sync (barrier_name, n_threads); /* the next tile writes `channels` again */
}

/* Parts into which n_threads threads cut the sums over a sample. */
template <typename Config>
static constexpr __device__ int
seam_convolution_few_parts (int n_threads)
{
  return (n_threads < 128 ? n_threads : 128) / SeamConvolutionFewShape<Config>::groups;
}

/* Adds a tile's partial to the sums of values and of squares of a group. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_add_partial (double *first, double *second, unsigned long long bits, int tile)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const float mean = __uint_as_float ((unsigned int)bits);
  constexpr int tile_rows = Shape::rows * Shape::segments;
  const int n_rows = min (tile_rows, Shape::out_height - tile / Config::strips * tile_rows);
  const int n_columns =
      min (Shape::tile_columns, Shape::out_width - tile % Config::strips * Shape::tile_columns);
  const double n = (double)(n_rows * n_columns * Shape::group_filters);
  *first += n * mean;
  *second += seam_convolution_few_unpack_squares ((unsigned int)(bits >> 32)) + n * mean * mean;
}

/* Mean and 1 / deviation. */
template <typename Config, typename Tail>
SEAM_DEVICE float2
seam_convolution_few_finish (double first, double second)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr double n = (double)Shape::group_filters * Shape::out_height * Shape::out_width;
  const double mean = first * (1.0 / n), spread = second * (1.0 / n) - mean * mean;
  const double variance = spread < 0.0 ? 0.0 : spread; /* NaN stays */
  /* Beyond 2^100, where epsilon is nothing, FP32 takes a part of the variance's exponent. */
  const bool large = variance > 0x1p100;
  const float rstd = rsqrtf ((float)(large ? variance * 0x1p-192 : variance + Tail::epsilon));
  return make_float2 ((float)mean, large ? rstd * SEAM_STATISTICS_SCALE : rstd);
}

/* Sums up the groups of a sample and block into `sums` [parts][groups], with n_threads threads, and
 * waits for partials that are not yet published. Two warpgroups start with twice as many parts,
 * which are neighbours in a warp and are added there. */
template <typename Config, int n_threads>
SEAM_DEVICE void
seam_convolution_few_combine (const SeamConvolutionFewArguments &a, int sample, int block,
                              double2 *sums, int barrier_name)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr bool pairs = n_threads == 256 && 16 % Shape::groups == 0;
  constexpr int parts = seam_convolution_few_parts<Config> (n_threads) * (pairs ? 2 : 1);
  constexpr int in_flight = Config::tiles > 4 * parts ? 8 : 4;
  const int i = threadIdx.x % n_threads;
  const int group = i % Shape::groups, part = i / Shape::groups;
  const unsigned long long *from =
      a.partials + ((long long)sample * Config::blocks_k + block) * Config::tiles * Shape::groups
      + group;
  if (part < parts) {
    double first = 0.0, second = 0.0;
#pragma unroll 1
    for (int tile = part; tile < Config::tiles; tile += in_flight * parts) {
      unsigned long long bits[in_flight];
      bool waiting;
      unsigned int polls = 0;
      do {
        waiting = false;
#pragma unroll
        for (int k = 0; k < in_flight; k++) {
          const int last = Config::tiles - 1, t = min (tile + k * parts, last);
          bits[k] = seam_load_relaxed (from + t * Shape::groups);
        }
        if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
#pragma unroll
          for (int k = 0; k < in_flight; k++)
            waiting |= bits[k] == SEAM_CONVOLUTION_FEW_EMPTY;
          if (++polls == SEAM_SPIN_LIMIT)
            __trap ();
        }
      } while (waiting);
#pragma unroll
      for (int k = 0; k < in_flight; k++)
        if (tile + k * parts < Config::tiles)
          seam_convolution_few_add_partial<Config> (&first, &second, bits[k], tile + k * parts);
    }
    if constexpr (pairs) {
      __syncwarp ();
      first += __shfl_xor_sync (0xffffffffu, first, Shape::groups);
      second += __shfl_xor_sync (0xffffffffu, second, Shape::groups);
    }
    if (!pairs || part % 2 == 0)
      sums[part / (pairs ? 2 : 1) * Shape::groups + group] = make_double2 (first, second);
  }
  seam_named_barrier_sync (barrier_name, n_threads);
}

/* GroupNorm's weight and bias at the channels of a thread, loaded before it waits for statistics.
 */
template <typename Config, typename Tail> struct SeamConvolutionFewAffine {
  using Shape = SeamConvolutionFewShape<Config>;
  float weight[Shape::n_filters], bias[Shape::n_filters];

  __device__ __forceinline__ void
  load (const SeamConvolutionFewArguments &a, int first)
  {
#pragma unroll
    for (int f = 0; f < Shape::n_filters; f++) {
      const int filter = min (first + 8 * f, Config::filters - 1);
      weight[f] = __ldg (a.vectors[Tail::n_vectors] + filter);
      bias[f] = __ldg (a.vectors[Tail::n_vectors + 1] + filter);
    }
  }
};

/* Mean and 1 / deviation of a filter's group, from the sums of combine. */
template <typename Config, typename Tail, int n_threads>
SEAM_DEVICE float2
seam_convolution_few_finish_filter (const double2 *sums, int filter)
{
  using Shape = SeamConvolutionFewShape<Config>;
  double first = 0.0, second = 0.0;
#pragma unroll 4
  for (int part = 0; part < seam_convolution_few_parts<Config> (n_threads); part++) {
    const double2 sum = sums[part * Shape::groups + filter % 64 / Shape::group_filters];
    first += sum.x;
    second += sum.y;
  }
  return seam_convolution_few_finish<Config, Tail> (first, second);
}

/* The part of D that a thread holds, and of the 8 pixels `next` after the tile's last row. */
template <typename Config> struct SeamConvolutionFewSums {
  float d[Config::segments][SeamConvolutionFewShape<Config>::columns / 2], next[4];

  /* Calls `function` with each sum of the thread's channel number f. */
  template <typename Function>
  __device__ __forceinline__ void
  each (int f, Function function)
  {
    using Shape = SeamConvolutionFewShape<Config>;
#pragma unroll
    for (int segment = 0; segment < Config::segments; segment++)
#pragma unroll
      for (int i = 0; i < Shape::columns / 2; i++)
        if (Shape::n_filters == 1 || i / 2 % 2 == f)
          function (d[segment][i]);
#pragma unroll
    for (int e = 2 * Shape::next_half (f); e < 2 * Shape::next_half (f) + 2; e++)
      if (Config::beyond > 0)
        function (next[e]);
  }
};

template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few_normalize_tile (SeamConvolutionFewSums<Config> &own,
                                     const SeamConvolutionFewAffine<Config, Tail> &affine,
                                     const SeamConvolutionFewThread<Config> &thread,
                                     const double2 *sums)
{
  using Shape = SeamConvolutionFewShape<Config>;
#pragma unroll
  for (int f = 0; f < Shape::n_filters; f++) {
    const float2 final = seam_convolution_few_finish_filter<Config, Tail, 128> (
        sums, min (thread.filter + 8 * f, Config::filters - 1));
    const float rstd = final.y * affine.weight[f];
    /* One instruction. Class F takes two, because with one a mean far from 0 could add an error of
     * 2^-24 times mean / deviation. */
    const float shift = fmaf (-final.x, rstd, affine.bias[f]);
    own.each (f, [&] (float &x) {
      x = Shape::lean ? seam_op_multiply_add (x, rstd, shift)
                      : seam_op_normalize (x, final.x, rstd, 1.0f, affine.bias[f]);
    });
  }
}
