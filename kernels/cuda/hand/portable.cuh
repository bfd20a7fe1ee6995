/* SPDX-License-Identifier: MIT
 *
 * Shared by the portable and the SIMT kernels: a tail's vectors, GroupNorm of the columns of a row,
 * where a block of a convolution works, and the combination of its GroupNorm statistics. How each
 * kernel is launched is in portable.h. Compiled by nvcc and NVRTC.
 */
#ifndef SEAM_PORTABLE_CUH
#define SEAM_PORTABLE_CUH

#include "kernels/cuda/hand/portable.h"
#include "kernels/cuda/statistics.cuh"
#include "kernels/cuda/stored.cuh"
#include "kernels/ops.h"

#define SEAM_ALL_LANES 0xffffffffu

/* Length of an array that may be empty. */
template <int n> constexpr int seam_at_least_1 = n > 0 ? n : 1;

/* Applies the tail of `channel` to `count` values, in place, and loads its vectors once. */
template <typename Tail, int count>
__device__ __forceinline__ void
seam_apply_tail (float (&values)[count], const float *const *vectors, int channel)
{
  float v[seam_at_least_1<Tail::n_vectors>];
#pragma unroll
  for (int i = 0; i < Tail::n_vectors; i++)
    v[i] = __ldg (vectors[i] + channel);
#pragma unroll
  for (int i = 0; i < count; i++)
    values[i] = Tail::apply (values[i], v);
}

/* The sum over `lanes` neighbouring lanes (a power of two), the same bits in each. */
template <int lanes>
__device__ __forceinline__ float
seam_sum_neighbours (float value)
{
#pragma unroll
  for (int offset = lanes / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync (SEAM_ALL_LANES, value, offset);
  return value;
}

/* GroupNorm of one row in place. A lane holds `pieces` pieces of 4 neighbouring columns; the
 * `lanes` lanes hold neighbours, and the next piece is 4 * lanes columns further. A group of
 * `width` columns never leaves pieces that one call sees. Mean first, then the deviations from it.
 */
template <int width, int pieces, int lanes>
__device__ __forceinline__ void
seam_normalize_row (float (&values)[pieces][4], const float (&weight)[pieces][4],
                    const float (&bias)[pieces][4])
{
  constexpr int span = width > 4 * lanes ? width / (4 * lanes) : 1; /* pieces of a group */
  constexpr int group_lanes = width > 4 * lanes ? lanes : width / 4;
  static_assert (width % 4 == 0 && pieces % span == 0 && span * group_lanes * 4 == width,
                 "groups fit the tile");

  float mean[pieces / span], rstd[pieces / span];
  seam_keep_in_range<pieces / span> ([&] (float scale, int group) SEAM_INLINE {
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int i = 0; i < 4 * span; i++)
      sum += values[group * span + i / 4][i % 4] * scale;
    const float center = seam_sum_neighbours<group_lanes> (sum) * (1.0f / width);
#pragma unroll
    for (int i = 0; i < 4 * span; i++) {
      const float deviation = values[group * span + i / 4][i % 4] * scale - center;
      squares += deviation * deviation;
    }
    const float variance = seam_sum_neighbours<group_lanes> (squares) * (1.0f / width);
    mean[group] = seam_unscale (center, scale);
    rstd[group] = scale * rsqrtf (variance + (float)SEAM_GROUPNORM_EPSILON * scale * scale);
    return variance;
  });
#pragma unroll
  for (int i = 0; i < 4 * pieces; i++)
    values[i / 4][i % 4] =
        seam_op_normalize (values[i / 4][i % 4], mean[i / 4 / span], rstd[i / 4 / span],
                           weight[i / 4][i % 4], bias[i / 4][i % 4]);
}

/* Stores 4 neighbouring columns of a row with `columns` columns; `at` is the index of the first in
 * y. If the number of columns is a multiple of 4, every 4 of them are aligned. */
template <typename Config>
__device__ __forceinline__ void
seam_store_columns (void *y, long long at, const float (&values)[4], int column, int columns)
{
  constexpr SeamOperandType type = (SeamOperandType)Config::output;
  typedef typename SeamElement<type>::Stored Stored;
  Stored *to = reinterpret_cast<Stored *> (y) + at;

  if (columns % 4 == 0) {
    if (column >= columns)
      return;
    if constexpr (type == SEAM_OPERAND_FP32)
      *reinterpret_cast<float4 *> (to) = make_float4 (values[0], values[1], values[2], values[3]);
    else
      seam_store_stored<type, 4> (to, values);
  } else {
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (column + i < columns)
        to[i] = seam_store_as<type> (values[i]);
  }
}

/* Blocks that run at the same time should share rows and columns of the operands: blocks walk down
 * bands of 8 blocks of rows. */
struct SeamMatmulPlace {
  long long row;
  int column;
};

template <typename Config>
__device__ __forceinline__ SeamMatmulPlace
seam_place_matmul (const SeamPortableMatmul &a)
{
  constexpr unsigned int band = 8;
  const unsigned int n_rows =
      (unsigned int)((a.rows + Config::block_rows - 1) / Config::block_rows);
  const unsigned int n_columns =
      (unsigned int)((a.columns + Config::block_columns - 1) / Config::block_columns);
  const unsigned int first = blockIdx.x / (band * n_columns) * band;
  const unsigned int height = n_rows - first < band ? n_rows - first : band;
  const unsigned int at = blockIdx.x % (band * n_columns);
  return { (long long)(first + at % height) * Config::block_rows,
           (int)(at / height) * Config::block_columns };
}

/* The part of a convolution that a block computes. */
struct SeamConvolutionPlace {
  long long sample;
  int channel;     /* the first of its output channels */
  int row, column; /* the first pixel */
  int tile, n_tiles;
};

template <typename Config>
__device__ __forceinline__ SeamConvolutionPlace
seam_place_convolution (const SeamPortableConvolution &a)
{
  const unsigned int n_down =
      (unsigned int)(a.height - Config::kernel_size + Config::tile_height) / Config::tile_height;
  const unsigned int n_across =
      (unsigned int)(a.width - Config::kernel_size + Config::tile_width) / Config::tile_width;
  const unsigned int n_channels =
      (unsigned int)(a.outputs + Config::block_channels - 1) / Config::block_channels;
  /* Blocks that read the same input are neighbours. */
  const unsigned int input = blockIdx.x / n_channels, tile = input % (n_down * n_across);
  SeamConvolutionPlace place;
  place.sample = input / (n_down * n_across);
  place.channel = (int)(blockIdx.x % n_channels) * Config::block_channels;
  place.row = (int)(tile / n_across) * Config::tile_height;
  place.column = (int)(tile % n_across) * Config::tile_width;
  place.tile = (int)tile;
  place.n_tiles = (int)(n_down * n_across);
  return place;
}

/* Calls `work (word, from, inside)` for every copy of Config::copy_floats pixels that this thread
 * makes of `channels` channels of x from `first` on: from address `from` to word `word` of shared
 * memory, or zeros if not `inside` x. A thread has the same place in several channels. Layout: the
 * `rows` of a tile with its halo, the `pitch` from row to row and the `plane` from channel to
 * channel, in words. */
template <typename Config, typename Layout, int channels, typename Work>
__device__ __forceinline__ void
seam_for_each_copy (const SeamPortableConvolution &a, const SeamConvolutionPlace &place, int first,
                    Work work)
{
  constexpr int row_copies = Layout::pitch / Config::copy_floats;
  constexpr int plane_copies = Layout::rows * row_copies;
  constexpr int abreast_fit = Config::threads / plane_copies;
  constexpr int abreast = abreast_fit < 1 ? 1 : abreast_fit < channels ? abreast_fit : channels;
  const long long plane = (long long)a.height * a.width;
  const float *x = a.x + (place.sample * a.channels + first) * plane;
#pragma unroll 1
  for (int i = threadIdx.x; i < plane_copies * abreast; i += Config::threads) {
    const int start = i / plane_copies, row = i % plane_copies / row_copies;
    const int column = i % row_copies * Config::copy_floats;
    const int y = place.row + row, at = place.column + column;
    const int end = y < a.height && at < a.width ? a.channels - first : 0;
    const float *from = x + start * plane + (long long)y * a.width + at;
#pragma unroll
    for (int j = 0; j < channels; j += abreast) {
      const int channel = start + j;
      if (channels % abreast == 0 || channel < channels)
        work (channel * Layout::plane + row * Layout::pitch + column, from, channel < end);
      from += abreast * plane;
    }
  }
}

/* Mean and standard deviation of one channel in one tile. */
__device__ __forceinline__ void
seam_store_partial (const SeamPortableConvolution &a, const SeamConvolutionPlace &place,
                    int channel, float mean, float deviation)
{
  const long long plane = place.sample * a.outputs + channel;
  reinterpret_cast<float2 *> (a.partials)[plane * place.n_tiles + place.tile] =
      make_float2 (mean, deviation);
}

/* Mean and 1 / deviation of the group that `channel` is in. */
__device__ __forceinline__ float2
seam_load_statistics (const SeamPortableConvolution &a, long long sample, int channel)
{
  const int group = channel / (a.outputs / a.groups);
  return __ldg (reinterpret_cast<const float2 *> (a.statistics) + sample * a.groups + group);
}

/* The sum over the block in FP64, the same in every thread. */
__device__ __forceinline__ double
seam_sum_block_double (double value, double *scratch)
{
  __syncthreads ();
  scratch[threadIdx.x] = value;
  for (int n = SEAM_PORTABLE_COMBINE_THREADS / 2; n > 0; n /= 2) {
    __syncthreads ();
    if (threadIdx.x < n)
      scratch[threadIdx.x] += scratch[threadIdx.x + n];
  }
  __syncthreads ();
  return scratch[0];
}

/* Executed by one block for each sample and group: the mean of all tiles' means weighted by their
 * pixels, then deviations of the tiles and of their means from it, in FP64 (Chan et al. 1979). */
template <typename Config>
__device__ __forceinline__ void
seam_convolution_combine (const SeamPortableConvolution &a)
{
  __shared__ double scratch[SEAM_PORTABLE_COMBINE_THREADS];
  const int rows = a.height - Config::kernel_size + 1, columns = a.width - Config::kernel_size + 1;
  const int n_across = (columns + Config::tile_width - 1) / Config::tile_width;
  const int n_tiles = (rows + Config::tile_height - 1) / Config::tile_height * n_across;
  const int n = a.outputs / a.groups * n_tiles; /* partials, contiguous */
  const float2 *partials =
      reinterpret_cast<const float2 *> (a.partials) + (long long)blockIdx.x * n;
  const double n_values = (double)rows * columns * (a.outputs / a.groups);
  double sum = 0, squares = 0;

  auto count_pixels = [&] (int i) {
    const int row = i % n_tiles / n_across * Config::tile_height;
    const int column = i % n_tiles % n_across * Config::tile_width;
    return min (rows - row, Config::tile_height) * min (columns - column, Config::tile_width);
  };
  for (int i = threadIdx.x; i < n; i += SEAM_PORTABLE_COMBINE_THREADS)
    sum += count_pixels (i) * (double)partials[i].x;
  const double mean = seam_sum_block_double (sum, scratch) / n_values;
  for (int i = threadIdx.x; i < n; i += SEAM_PORTABLE_COMBINE_THREADS) {
    const double distance = partials[i].x - mean, deviation = partials[i].y;
    squares += count_pixels (i) * (deviation * deviation + distance * distance);
  }
  const double variance = seam_sum_block_double (squares, scratch) / n_values;
  if (threadIdx.x == 0)
    reinterpret_cast<float2 *> (a.statistics)[blockIdx.x] =
        make_float2 ((float)mean, (float)(1.0 / sqrt (variance + SEAM_GROUPNORM_EPSILON)));
}

#endif
