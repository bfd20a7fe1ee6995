/* SPDX-License-Identifier: MIT
 *
 * y = tail (x convolved with weight) in plain FP32 on the ordinary cores, straight from NCHW to
 * NCHW: the honest baseline of the tensor core versions. No matrix of patches is ever made:
 *   tile       a block keeps 8 x 32 pixels with their halo and the weights of a few channels in
 *              shared memory, so each pixel is fetched once for all its taps and outputs;
 *   registers  a thread computes 8 outputs of 2 x 4 pixels; a row of pixels in registers serves all
 *              taps of a kernel row, a weight 8 pixels;
 *   overlap    cp.async moves the next channels into the other half of shared memory meanwhile;
 *   a warp     has one set of 8 outputs: its weights come as broadcasts, its tail's vectors once.
 * portable.h says how to launch it, and what Config::pass does for GroupNorm. FP32 accumulation.
 * Measurements: kernels/ladder.csv.
 */
#ifndef SEAM_CONVOLUTION_SIMT_CUH
#define SEAM_CONVOLUTION_SIMT_CUH

#include "kernels/cuda/hand/mma-operands.cuh"
#include "kernels/cuda/hand/portable.cuh"

/* A tile of x in shared memory, in words. */
template <typename Config> struct SeamSimtLayout {
  static constexpr int rows = Config::tile_height + Config::kernel_size - 1;
  static constexpr int pitch = (Config::tile_width + Config::kernel_size - 1 + 3) / 4 * 4;
  static constexpr int plane = rows * pitch;
};

/* Stores the pixels of a row that are in the plane, up to `aligned` of them at once. */
__device__ __forceinline__ void
seam_store_pixels (float *y, const float (&values)[4], int n_valid, int aligned)
{
  if (n_valid >= 4 && aligned == 4) {
    *reinterpret_cast<float4 *> (y) = make_float4 (values[0], values[1], values[2], values[3]);
  } else if (n_valid >= 4 && aligned == 2) {
    *reinterpret_cast<float2 *> (y) = make_float2 (values[0], values[1]);
    *reinterpret_cast<float2 *> (y + 2) = make_float2 (values[2], values[3]);
  } else {
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (i < n_valid)
        y[i] = values[i];
  }
}

template <typename Config, typename Tail>
__device__ __forceinline__ void
seam_convolution_simt (const SeamPortableConvolution &a)
{
  constexpr int size = Config::kernel_size, taps = size * size, chunk = Config::chunk;
  using Layout = SeamSimtLayout<Config>;
  constexpr int weight_pitch = Config::block_channels + 4;
  constexpr int segment = (4 + size - 1 + 3) / 4; /* 16-byte pieces of a thread's row */
  static_assert (Config::tile_height == 8 && Config::tile_width == 32, "32 lanes of 2 x 4 pixels");
  static_assert (Config::threads == 4 * Config::block_channels, "a warp has 8 channels");
  __shared__ __align__ (16) float x_tile[2][chunk][Layout::rows][Layout::pitch];
  __shared__ __align__ (16) float weight_tile[2][chunk][taps][weight_pitch];
  const SeamConvolutionPlace place = seam_place_convolution<Config> (a);
  const int lane = threadIdx.x % 32, warp_channel = threadIdx.x / 32 * 8;
  const int row_at = lane / 8 * 2, column_at = lane % 8 * 4;
  const int n_chunks = (a.channels + chunk - 1) / chunk;
  float sums[8][2][4] = {}; /* [channel][row][column] */

  /* Numbers outside x or the weight count as zero. The weights of an output are neighbours in
   * memory, those of a tap are neighbours in shared memory. */
  auto copy = [&] (int number) {
    const int first = number * chunk;
    const unsigned int x_to = seam_shared_address (x_tile[number % 2]);
    seam_for_each_copy<Config, Layout, chunk> (
        a, place, first, [&] (int word, const float *from, bool inside) {
          seam_copy_async<Config::copy_floats> (x_to + word * 4, from, inside);
        });
    const unsigned int weight_to = seam_shared_address (weight_tile[number % 2]);
    const float *weight = a.weight + ((long long)place.channel * a.channels + first) * taps;
    const int n_weights = min (chunk, a.channels - first) * taps;
    const int n_outputs = min (Config::block_channels, a.outputs - place.channel);
#pragma unroll 2
    for (int i = threadIdx.x; i < Config::block_channels * chunk * taps; i += Config::threads) {
      const int output = i / (chunk * taps), at = i % (chunk * taps);
      const bool inside = output < n_outputs && at < n_weights;
      seam_copy_async<1> (weight_to + (at * weight_pitch + output) * 4,
                          inside ? weight + (long long)output * a.channels * taps + at : a.weight,
                          inside);
    }
    seam_commit_copies ();
  };

  copy (0);
#pragma unroll 1
  for (int number = 0; number < n_chunks; number++) {
    seam_wait_copies<0> ();
    __syncthreads (); /* all copies have arrived; the other half is no longer read */
    if (number + 1 < n_chunks)
      copy (number + 1);
#pragma unroll 1
    for (int channel = 0; channel < chunk; channel++) {
#pragma unroll 1
      for (int down = 0; down < size; down++) {
        float pixels[2][4 * segment];
#pragma unroll
        for (int i = 0; i < 2 * segment; i++) {
          const float4 piece = *reinterpret_cast<const float4 *> (
              &x_tile[number % 2][channel][row_at + i / segment + down]
                     [column_at + i % segment * 4]);
          float *to = &pixels[i / segment][i % segment * 4];
          to[0] = piece.x, to[1] = piece.y, to[2] = piece.z, to[3] = piece.w;
        }
#pragma unroll
        for (int right = 0; right < size; right++) {
          const float *from = &weight_tile[number % 2][channel][down * size + right][warp_channel];
          const float4 low = *reinterpret_cast<const float4 *> (from);
          const float4 high = *reinterpret_cast<const float4 *> (from + 4);
          const float weights[8] = { low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w };
#pragma unroll
          for (int i = 0; i < 8 * 2 * 4; i++) {
            float &sum = sums[i / 8][i / 4 % 2][i % 4];
            sum = fmaf (weights[i / 8], pixels[i / 4 % 2][i % 4 + right], sum);
          }
        }
      }
    }
  }

  const int n_rows = a.height - size + 1, n_columns = a.width - size + 1;
  const int row = place.row + row_at, column = place.column + column_at;
  const int n_valid = min (max (n_columns - column, 0), 4); /* valid columns of a row */
  const int aligned = n_columns % 4 == 0 ? 4 : n_columns % 2 == 0 ? 2 : 1;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const int channel = place.channel + warp_channel + i;
    if (channel >= a.outputs) /* true for the whole warp */
      break;
    float values[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
      values[j] = sums[i][j / 4][j % 4];
    seam_apply_tail<Tail> (values, a.vectors, channel);
    if constexpr (Config::pass == SEAM_PORTABLE_STATISTICS) {
      /* All pixels of the channel in this tile are in this warp. */
      const int n_pixels = min (n_rows - place.row, Config::tile_height)
                           * min (n_columns - place.column, Config::tile_width);
      seam_keep_in_range ([&] (float scale, int) SEAM_INLINE {
        float sum = 0.0f, squares = 0.0f;
#pragma unroll
        for (int j = 0; j < 8; j++)
          sum += row + j / 4 < n_rows && j % 4 < n_valid ? values[j] * scale : 0.0f;
        const float mean = seam_sum_neighbours<32> (sum) / (float)n_pixels;
#pragma unroll
        for (int j = 0; j < 8; j++) {
          const float away = values[j] * scale - mean;
          squares += row + j / 4 < n_rows && j % 4 < n_valid ? away * away : 0.0f;
        }
        const float variance = seam_sum_neighbours<32> (squares) / (float)n_pixels;
        if (lane == 0)
          seam_store_partial (a, place, channel, seam_unscale (mean, scale),
                              seam_unscale (sqrtf (variance), scale));
        return variance;
      });
    } else {
      if constexpr (Config::pass == SEAM_PORTABLE_APPLY) {
        const float2 statistics = seam_load_statistics (a, place.sample, channel);
        const float weight = __ldg (a.vectors[Tail::n_vectors] + channel);
        const float bias = __ldg (a.vectors[Tail::n_vectors + 1] + channel);
#pragma unroll
        for (int j = 0; j < 8; j++)
          values[j] = seam_op_normalize (values[j], statistics.x, statistics.y, weight, bias);
      }
      float *y = reinterpret_cast<float *> (a.y)
                 + (place.sample * a.outputs + channel) * n_rows * n_columns;
#pragma unroll
      for (int j = 0; j < 2; j++) {
        const float part[4] = { values[4 * j], values[4 * j + 1], values[4 * j + 2],
                                values[4 * j + 3] };
        if (row + j < n_rows)
          seam_store_pixels (y + (long long)(row + j) * n_columns + column, part, n_valid, aligned);
      }
    }
  }
}

#endif
