/* SPDX-License-Identifier: MIT
 *
 * y = tail (x convolved with weight), NCHW in and out, on the tensor cores of sm_80 and newer: an
 * implicit matmul of outputs x (channels * taps) with (channels * taps) x pixels, of which the
 * second matrix is never made: a tap is the same pixels in shared memory, shifted. What it teaches:
 *   fragments  rows of the matmul are outputs, columns are pixels, so a thread's sums are pairs of
 *              neighbouring pixels; 8 channels of one tap are the 8 k of a TF32 mma;
 *   banks      a channel's plane in shared memory is 8 banks (mod 32) after the one before, so that
 *              4 channels of 8 neighbouring pixels, a fragment of B, meet each bank once;
 *   packing    another kernel puts the weight in the order of fragments, rounded or split, zeros
 *              where there is no output or channel: each lane reads its part of A as 16 bytes;
 *   in place   a thread rounds or splits the pixels that it copied itself, as soon as they are
 *              there, once for all their taps and outputs.
 * Math modes fp16 and bf16: the 16 k of an mma are 8 channels of two taps, and a pixel's number is
 * the upper half of its word in shared memory. Class F (TF32x3) splits operands into two TF32:
 * pixels once for each tap, since two TF32 do not fit their word. FP32 accumulation. portable.h
 * says how to launch it, and what Config::pass does for GroupNorm. Measurements:
 * kernels/ladder.csv.
 */
#ifndef SEAM_CONVOLUTION_PORTABLE_CUH
#define SEAM_CONVOLUTION_PORTABLE_CUH

#include "kernels/cuda/hand/mma-operands.cuh"
#include "kernels/cuda/hand/portable.cuh"

/* The layout of shared memory and of the packed weight, in 32-bit words. */
template <typename Config> struct SeamConvolutionLayout {
  static constexpr bool tripled = Config::math == SEAM_PORTABLE_TF32X3;
  static constexpr bool paired = Config::math != SEAM_PORTABLE_TF32 && !tripled; /* two taps in one
                                                                                  * mma */
  static constexpr bool fp16 = Config::math == SEAM_PORTABLE_FP16;
  static constexpr int taps = Config::kernel_size * Config::kernel_size;
  static constexpr int n_steps = paired ? (taps + 1) / 2 : taps; /* mma for 8 channels */
  static constexpr int n_parts = tripled ? 2 : 1;                /* parts of a weight: high, low */
  static constexpr int row_tiles = Config::block_channels / 16;
  static constexpr int rows = Config::tile_height + Config::kernel_size - 1;
  static constexpr int pitch = (Config::tile_width + Config::kernel_size - 1 + 3) / 4 * 4;
  static constexpr int plane = (rows * pitch + 23) / 32 * 32 + 8; /* 8 mod 32 */
  static constexpr int weight_words = n_steps * row_tiles * n_parts * 32 * 4;
  static constexpr int stage_words = weight_words + 8 * plane;
};

/* One thread writes one word of `packed` [blocks of outputs, chunks of 8 channels, steps, 16
 * outputs, parts, lanes, 4]. */
template <typename Config>
__device__ __forceinline__ void
seam_convolution_pack_weight (const SeamPortableConvolution &a)
{
  using Layout = SeamConvolutionLayout<Config>;
  const int n_chunks = (a.channels + 7) / 8;
  const int n_blocks = (a.outputs + Config::block_channels - 1) / Config::block_channels;
  const long long at = (long long)blockIdx.x * SEAM_PORTABLE_PACK_THREADS + threadIdx.x;
  if (at >= (long long)n_blocks * n_chunks * Layout::weight_words)
    return;
  const int word = (int)(at % Layout::weight_words);
  const int chunk = (int)(at / Layout::weight_words % n_chunks);
  const int block = (int)(at / Layout::weight_words / n_chunks);
  const int i = word % 4, lane = word / 4 % 32, part = word / 128 % Layout::n_parts;
  const int row_tile = word / 128 / Layout::n_parts % Layout::row_tiles;
  const int step = word / 128 / Layout::n_parts / Layout::row_tiles;
  const int output = block * Config::block_channels + row_tile * 16 + lane / 4 + i % 2 * 8;

  auto get = [&] (int channel, int tap) {
    const bool inside = output < a.outputs && channel < a.channels && tap < Layout::taps;
    const long long from = ((long long)output * a.channels + channel) * Layout::taps + tap;
    return inside ? __float_as_uint (__ldg (a.weight + from)) : 0u;
  };
  const int channel = chunk * 8 + lane % 4;
  if constexpr (Layout::paired) {
    const int tap = step * 2 + i / 2;
    a.packed[at] = seam_pack_operands<Layout::fp16> (get (channel, tap), get (channel + 4, tap));
  } else {
    const unsigned int bits = get (channel + i / 2 * 4, step), high = seam_round_tf32 (bits);
    a.packed[at] = part == 0 ? high : seam_tf32_rest (bits, high);
  }
}

/* Word of a pixel for the tensor core: its TF32 number, or its 16-bit number in the upper half. For
 * TF32x3 the pixel is unchanged. */
template <typename Layout>
__device__ __forceinline__ unsigned int
seam_convert_pixel (unsigned int bits)
{
  if constexpr (Layout::paired) {
    return seam_pack_operands<Layout::fp16> (0, bits);
  } else if constexpr (Layout::tripled) {
    return bits;
  } else {
    return seam_round_tf32 (bits);
  }
}

/* The sums of one chunk of 8 channels. `weight` and `pixels` are where this lane's fragments start:
 * of the warp's first 16 outputs, and of the lane's channel at the warp's first pixel. */
template <typename Config, int n_rows, int n_columns>
__device__ __forceinline__ void
seam_multiply_chunk (float (&sums)[n_rows][n_columns][4], const uint4 *weight,
                     const unsigned int *pixels)
{
  using Layout = SeamConvolutionLayout<Config>;
  auto offset = [] (int tap) {
    const int inside = tap < Layout::taps ? tap : 0; /* the weight of the padding tap is zero, so
                                                      * any pixel will do */
    return inside / Config::kernel_size * Layout::pitch + inside % Config::kernel_size;
  };
#pragma unroll(Layout::paired || Layout::tripled ? 1 : 3)
  for (int step = 0; step < Layout::n_steps; step++) {
    unsigned int b[n_columns][2], b_low[n_columns][2];
#pragma unroll
    for (int column = 0; column < n_columns; column++) {
      const unsigned int *from = pixels + column * 8 / Config::tile_width * Layout::pitch
                                 + column * 8 % Config::tile_width;
      if constexpr (Layout::paired) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
          const unsigned int first = from[offset (2 * step + i)];
          const unsigned int second = from[offset (2 * step + i) + 4 * Layout::plane];
          b[column][i] = __byte_perm (first, second, 0x7632);
        }
      } else {
#pragma unroll
        for (int i = 0; i < 2; i++) {
          b[column][i] = from[offset (step) + 4 * i * Layout::plane];
          if constexpr (Layout::tripled) {
            const unsigned int bits = b[column][i];
            b[column][i] = seam_round_tf32 (bits);
            b_low[column][i] = seam_tf32_rest (bits, b[column][i]);
          }
        }
      }
    }
#pragma unroll
    for (int row = 0; row < n_rows; row++) {
      const uint4 *from = weight + (step * Layout::row_tiles + row) * Layout::n_parts * 32;
      const uint4 part = from[0];
      const unsigned int high[4] = { part.x, part.y, part.z, part.w };
      if constexpr (Layout::tripled) {
        const uint4 rest = from[32];
        const unsigned int low[4] = { rest.x, rest.y, rest.z, rest.w };
        seam_mma_tf32x3 (sums[row], high, low, b, b_low);
      } else {
#pragma unroll
        for (int column = 0; column < n_columns; column++) {
          if constexpr (Layout::paired)
            seam_mma_operands<Layout::fp16> (sums[row][column], high, b[column][0], b[column][1]);
          else
            seam_mma_tf32 (sums[row][column], high, b[column][0], b[column][1]);
        }
      }
    }
  }
}

/* Means and standard deviations of the warps' pixels of each output. */
template <typename Config> struct SeamPartials {
  static constexpr int n_across = Config::tile_height * Config::tile_width / Config::warp_pixels;
  float2 of[n_across][Config::block_channels];
  float counts[n_across]; /* numbers of pixels */
};

/* Statistics of one output's pixels in this thread and its neighbours, with values times `scale`.
 * `valid` has a bit for each pixel of this thread; `inverse` is 1 over their number. */
template <int n>
__device__ __forceinline__ float2
seam_find_partial (const float (&values)[n], unsigned int valid, float inverse, float scale)
{
  const bool all = valid == (n == 32 ? 0xffffffffu : (1u << n % 32) - 1);
  float sum = 0.0f, squares = 0.0f;
  if (all) {
#pragma unroll
    for (int j = 0; j < n; j++)
      sum += values[j] * scale;
  } else {
#pragma unroll
    for (int j = 0; j < n; j++)
      sum += valid >> j & 1 ? values[j] * scale : 0.0f;
  }
  const float mean = seam_sum_neighbours<4> (sum) * inverse;
  if (all) {
#pragma unroll
    for (int j = 0; j < n; j++)
      squares += (values[j] * scale - mean) * (values[j] * scale - mean);
  } else {
#pragma unroll
    for (int j = 0; j < n; j++)
      squares += valid >> j & 1 ? (values[j] * scale - mean) * (values[j] * scale - mean) : 0.0f;
  }
  return make_float2 (seam_unscale (mean, scale),
                      seam_unscale (sqrtf (seam_sum_neighbours<4> (squares) * inverse), scale));
}

/* The same for all warps that have an output. */
template <typename Config>
__device__ __forceinline__ void
seam_leave_partials (const SeamPortableConvolution &a, const SeamConvolutionPlace &place,
                     const SeamPartials<Config> &partials)
{
  constexpr int n_across = SeamPartials<Config>::n_across;
  __syncthreads ();
  for (int i = threadIdx.x; i < Config::block_channels; i += Config::threads) {
    const auto combine = [&] (float scale) {
      float count_all = 0.0f, sum = 0.0f, squares = 0.0f;
      for (int other = 0; other < n_across; other++) {
        count_all += partials.counts[other];
        sum += partials.counts[other] * (partials.of[other][i].x * scale);
      }
      const float mean = sum / count_all;
      for (int other = 0; other < n_across; other++) {
        const float distance = partials.of[other][i].x * scale - mean;
        const float deviation = partials.of[other][i].y * scale;
        squares += partials.counts[other] * (deviation * deviation + distance * distance);
      }
      if (place.channel + i < a.outputs)
        seam_store_partial (a, place, place.channel + i, seam_unscale (mean, scale),
                            seam_unscale (sqrtf (squares / count_all), scale));
      return squares;
    };
    if (!(combine (1.0f) <= SEAM_STATISTICS_LIMIT))
      combine (SEAM_STATISTICS_SCALE);
  }
}

/* Stores one output's pixels of a thread: a pair in each 8 pixels of the warp. */
template <typename Config, typename Stored, int n>
__device__ __forceinline__ void
seam_store_pairs (Stored *y, int row_pitch, const float (&values)[n], unsigned int valid,
                  bool pairs)
{
  constexpr SeamOperandType type = (SeamOperandType)Config::output;
  if (pairs) {
#pragma unroll
    for (int j = 0; j < n; j += 2) {
      Stored *to = y + (j * 4 / Config::tile_width) * row_pitch + j * 4 % Config::tile_width;
      if (valid >> j & 1) {
        if constexpr (type == SEAM_OPERAND_FP32)
          *reinterpret_cast<float2 *> (to) = make_float2 (values[j], values[j + 1]);
        else
          *reinterpret_cast<unsigned int *> (to) = seam_pack_pair<type> (values[j], values[j + 1]);
      }
    }
  } else {
#pragma unroll
    for (int j = 0; j < n; j++) {
      Stored *to =
          y + (j / 2 * 8 / Config::tile_width) * row_pitch + j / 2 * 8 % Config::tile_width;
      if (valid >> j & 1)
        to[j % 2] = seam_store_as<type> (values[j]);
    }
  }
}

/* Applies the tail and, depending on Config::pass, GroupNorm to a block's sums. Fragments of C:
 * outputs g and g + 8 of 16, two neighbouring pixels of every 8. */
template <typename Config, typename Tail, int n_rows, int n_columns>
__device__ __forceinline__ void
seam_finish_tile (const SeamPortableConvolution &a, const SeamConvolutionPlace &place,
                  const float (&sums)[n_rows][n_columns][4], int warp_row, int warp_across)
{
  const int plane_rows = a.height - Config::kernel_size + 1;
  const int plane_columns = a.width - Config::kernel_size + 1;
  const int lane = threadIdx.x % 32, warp_pixel = warp_across * Config::warp_pixels;
  const int row = place.row + warp_pixel / Config::tile_width;
  const int column = place.column + warp_pixel % Config::tile_width + lane % 4 * 2;
  unsigned int valid = 0;
#pragma unroll
  for (int i = 0; i < 2 * n_columns; i++)
    if (row + i / 2 * 8 / Config::tile_width < plane_rows
        && column + i / 2 * 8 % Config::tile_width + i % 2 < plane_columns)
      valid |= 1u << i;
  __shared__ SeamPartials<Config> partials;
  float count = 0.0f, inverse = 0.0f;
  if constexpr (Config::pass == SEAM_PORTABLE_STATISTICS) {
    count = seam_sum_neighbours<4> ((float)__popc (valid));
    inverse = count > 0 ? 1.0f / count : 0.0f;
    if (lane == 0)
      partials.counts[warp_across] = count; /* warps above each other write the same value */
  }
  const auto get_channel = [&] (int i) { return place.channel + warp_row + i * 8 + lane / 4; };
  /* The values of a channel. */
  const auto get_values = [&] (int i, float (&mine)[2 * n_columns]) SEAM_INLINE {
#pragma unroll
    for (int j = 0; j < 2 * n_columns; j++)
      mine[j] = sums[i / 2][j / 2][i % 2 * 2 + j % 2];
    seam_apply_tail<Tail> (mine, a.vectors, min (get_channel (i), a.outputs - 1));
  };
  if constexpr (Config::pass == SEAM_PORTABLE_STATISTICS) {
    seam_keep_in_range<2 * n_rows> ([&] (float scale, int i) SEAM_INLINE {
      float mine[2 * n_columns];
      get_values (i, mine);
      const float2 partial = seam_find_partial (mine, valid, inverse, scale);
      if (lane % 4 == 0)
        partials.of[warp_across][warp_row + i * 8 + lane / 4] = partial;
      return partial.y;
    });
    seam_leave_partials<Config> (a, place, partials);
  } else {
#pragma unroll
    for (int i = 0; i < 2 * n_rows; i++) {
      const int channel = get_channel (i);
      float mine[2 * n_columns];
      get_values (i, mine);
      if constexpr (Config::pass == SEAM_PORTABLE_APPLY) {
        const int inside = min (channel, a.outputs - 1);
        const float2 statistics = seam_load_statistics (a, place.sample, inside);
        const float weight = __ldg (a.vectors[Tail::n_vectors] + inside);
        const float bias = __ldg (a.vectors[Tail::n_vectors + 1] + inside);
#pragma unroll
        for (int j = 0; j < 2 * n_columns; j++)
          mine[j] = seam_op_normalize (mine[j], statistics.x, statistics.y, weight, bias);
      }
      typedef typename SeamElement<(SeamOperandType)Config::output>::Stored Stored;
      Stored *y = reinterpret_cast<Stored *> (a.y)
                  + (place.sample * a.outputs + channel) * plane_rows * plane_columns
                  + (long long)row * plane_columns + column;
      seam_store_pairs<Config> (y, plane_columns, mine, channel < a.outputs ? valid : 0,
                                plane_columns % 2 == 0);
    }
  }
}

template <typename Config, typename Tail>
__device__ __forceinline__ void
seam_convolution_portable (const SeamPortableConvolution &a)
{
  using Layout = SeamConvolutionLayout<Config>;
  constexpr int n_rows = Config::warp_channels / 16, n_columns = Config::warp_pixels / 8;
  constexpr int n_pixels = Config::tile_height * Config::tile_width;
  constexpr int warps_across = n_pixels / Config::warp_pixels;
  static_assert (Config::threads / 32 * Config::warp_channels * Config::warp_pixels
                     == Config::block_channels * n_pixels,
                 "the warps' parts make the block's");
  static_assert (Config::warp_pixels % Config::tile_width == 0
                     || Config::tile_width % Config::warp_pixels == 0,
                 "a warp has whole rows or a part of one");
  static_assert (2 * n_columns <= 32, "a bit for each pixel of a thread");
  extern __shared__ __align__ (1024) unsigned int seam_shared_words[];
  const SeamConvolutionPlace place = seam_place_convolution<Config> (a);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int warp_row = warp / warps_across * Config::warp_channels;
  const int warp_across = warp % warps_across, warp_pixel = warp_across * Config::warp_pixels;
  const int warp_down = warp_pixel / Config::tile_width;
  const int warp_right = warp_pixel % Config::tile_width;
  const int n_chunks = Config::stages == 1 ? 1 : (a.channels + 7) / 8;
  float sums[n_rows][n_columns][4] = {};

  auto copy = [&] (int chunk) {
    const unsigned int to =
        seam_shared_address (seam_shared_words + chunk % Config::stages * Layout::stage_words);
    const unsigned int *packed =
        a.packed
        + ((long long)(place.channel / Config::block_channels) * n_chunks + chunk)
              * Layout::weight_words;
#pragma unroll 4
    for (int i = threadIdx.x * 4; i < Layout::weight_words; i += Config::threads * 4)
      seam_copy_async<4> (to + i * 4, reinterpret_cast<const float *> (packed + i), true);
    seam_for_each_copy<Config, Layout, 8> (
        a, place, chunk * 8, [&] (int word, const float *from, bool inside) {
          seam_copy_async<Config::copy_floats> (to + (Layout::weight_words + word) * 4, from,
                                                inside);
        });
    seam_commit_copies ();
  };

  copy (0);
#pragma unroll 1
  for (int chunk = 0; chunk < n_chunks; chunk++) {
    unsigned int *words = seam_shared_words + chunk % Config::stages * Layout::stage_words;
    unsigned int *pixels = words + Layout::weight_words;
    if (Config::stages > 1 && chunk + 1 < n_chunks) {
      copy (chunk + 1);
      seam_wait_copies<1> ();
    } else {
      seam_wait_copies<0> ();
    }
    /* This thread's copies have arrived; the other threads' copies have after the barrier. */
    seam_for_each_copy<Config, Layout, 8> (
        a, place, chunk * 8, [&] (int word, const float *, bool) {
#pragma unroll
          for (int i = 0; i < Config::copy_floats; i++)
            pixels[word + i] = seam_convert_pixel<Layout> (pixels[word + i]);
        });
    __syncthreads ();
    seam_multiply_chunk<Config> (
        sums, reinterpret_cast<const uint4 *> (words) + warp_row / 16 * Layout::n_parts * 32 + lane,
        pixels + lane % 4 * Layout::plane + warp_down * Layout::pitch + warp_right + lane / 4);
    if (chunk + 1 < n_chunks)
      __syncthreads (); /* the stage may be written again */
  }
  seam_finish_tile<Config, Tail> (a, place, sums, warp_row, warp_across);
}

#endif
