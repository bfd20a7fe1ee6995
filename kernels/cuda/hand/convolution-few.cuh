/* SPDX-License-Identifier: MIT
 *
 * Convolution over few input channels (1 to 16) with everything that follows in one kernel, for
 * Hopper (sm_90a). NCHW in, NCHW out, stride 1, no padding. How to launch it: convolution-few.h.
 *
 * Teaches: a convolution that moves far more bytes than it multiplies. The rows of D are output
 * channels and its columns are output pixels, so that a thread holds neighbouring pixels of two
 * channels and the tail needs no exchange. A tile's patch of x lies in shared memory as
 * [channel quad][pixel][4 channels], a core matrix of wgmma for every 8 pixels, from whichever
 * pixel it starts: a tap of the kernel is a start address 16 bytes further, and nothing is copied
 * for im2col. One tap of 8 channels is one step of K. class T   TF32, rounded to nearest. class F
 * BF16x3: x = x_high + x_low, w likewise. A step multiplies w_high with x_high and x_low (two
 * planes, one stride apart), and steps of two taps multiply w_low with x_high. 32 filters or fewer
 * would leave rows of D empty: D then holds 2 or 4 output rows one below the other, and taps
 * outside a row's own kernel have weight 0 (12 steps instead of 18 for 3×3).
 *
 * Roles in a block: one warpgroup brings x (bulk copies into `raw`, then rounding, transposition,
 * `patch`); two warpgroups multiply, apply the tail in registers, and store. Their phases
 * drift apart, so that the tensor cores, the arithmetic and the memory work at the same time.
 *
 * GroupNorm (a group spans a whole plane, far more than a block holds): five modes, three
 * strategies. reload      conv + tail stores y and the statistics of each tile; a second kernel
 * loads y again. recompute   a pass for the statistics alone, then the convolution again. resident
 * one pass: all warpgroups of the GPU together hold a few samples in registers. Each publishes the
 * statistics of its tile, waits for those of the others of its sample, normalises what it holds and
 * stores it. Samples held by different warpgroups of a multiprocessor are in different phases,
 * which hides the wait. Statistics: FP32 sums about a value of the same tile, combined in FP64 in a
 * fixed order: the same bits every time. 0 × infinity: an infinite or NaN input also spoils the
 * output rows packed with its own.
 */
#pragma once

#include "kernels/cuda/hand/convolution-few.h"
#include "kernels/cuda/hand/hopper.cuh"
#include "kernels/ops.h"

/* The bytes 0xff of an unpublished partial: a NaN that no computation makes. */
#define SEAM_CONVOLUTION_FEW_EMPTY 0xffffffffffffffffull

/* What follows from Config at compile time. */
template <typename Config> struct SeamConvolutionFewShape {
  static constexpr int taps = Config::taps, rows = Config::rows, segments = Config::segments,
                       columns = Config::across * Config::columns;
  static constexpr int out_height = Config::height - taps + 1, out_width = Config::width - taps + 1;
  static constexpr int octets = (Config::channels + 7) / 8;
  static constexpr int patch_rows = seam_convolution_few_patch_rows (taps, rows, segments);
  static constexpr int patch_columns =
      seam_convolution_few_patch_columns (taps, columns, Config::width);
  static constexpr int plane =
      seam_convolution_few_patch_pixels (taps, rows, segments, columns, Config::width) * 16;
  static constexpr int patch_bytes = 2 * octets * plane;
  /* x as it comes: pieces that are contiguous in memory, whole rows together. */
  static constexpr int raw_pieces = Config::strips == 1 ? 1 : patch_rows; /* of a channel */
  static constexpr int raw_pitch =
      seam_convolution_few_raw_pitch (taps, rows, segments, columns, Config::strips, Config::width);
  static constexpr int raw_bytes = Config::channels * raw_pieces * raw_pitch * 4;
  static constexpr bool raw_aligned = Config::width % 4 == 0;
  static constexpr int tap_rows = taps + rows - 1; /* rows of x that a product reads */
  static constexpr int first_steps = octets * taps * tap_rows;
  static constexpr int steps =
      seam_convolution_few_steps (Config::bf16x3, Config::channels, taps, rows);
  static constexpr int weight_bytes = Config::blocks_k * steps * SEAM_CONVOLUTION_FEW_STEP_BYTES;
  static constexpr int filters_block = 64 / rows; /* filters of a block of D's rows */
  static constexpr int n_units = Config::batch * Config::blocks_k * Config::tiles;

  /* Where things lie in dynamic shared memory. */
  static constexpr int patch_at = weight_bytes;
  static constexpr int raw_at = patch_at + Config::consumers * patch_bytes;
  static constexpr int reduction_at = raw_at + Config::raw_stages * raw_bytes;
  static constexpr int barrier_at =
      reduction_at + Config::consumers * SEAM_CONVOLUTION_FEW_REDUCTION_BYTES;

  /* GroupNorm. */
  static constexpr bool statistics = Config::mode != SEAM_CONVOLUTION_FEW_STORE;
  static constexpr int groups = statistics ? Config::groups / Config::blocks_k : 1; /* of a block */
  static constexpr int group_filters = statistics ? Config::filters / Config::groups : 1;

  /* What a thread holds: n_filters channels, as n_runs runs of run_rows rows that lie one below the
   * other. With packed rows, D's rows m and m + 8 are one channel in two neighbouring rows. */
  static constexpr int n_filters = rows == 1 ? 2 : 1;
  static constexpr int n_runs = rows == 1 ? 2 : rows == 2 ? 1 : segments;
  static constexpr int run_rows = rows == 1 ? segments : rows == 2 ? 2 * segments : 2;

  static constexpr __device__ int
  filter_of (int m)
  {
    return rows == 1 ? m : rows == 2 ? m / 16 * 8 + m % 8 : m / 16 % 2 * 8 + m % 8;
  }

  static constexpr __device__ int
  row_of (int m)
  {
    return rows == 1 ? 0 : rows == 2 ? m / 8 % 2 : m / 32 * 2 + m / 8 % 2;
  }

  /* Where the thread's row `k` of a run lies in its part of D: segment, and h for rows m + 8 h. */
  static constexpr __device__ int
  segment_of (int run, int k)
  {
    return rows == 1 ? k : rows == 2 ? k / 2 : run;
  }

  static constexpr __device__ int
  half_of (int run, int k)
  {
    return rows == 1 ? run : k % 2;
  }

  /* Bytes from the pixel under D's column 0 of segment 0 to that of a tap: (octet, row, column). */
  static constexpr __device__ int
  tap_offset (int tap)
  {
    return tap / (taps * tap_rows) * 2 * plane
           + (tap % (taps * tap_rows) / taps * patch_columns + tap % taps) * 16;
  }
};

/* Tile `tile` of sample and block `v`: its first output row and column. */
template <typename Config> struct SeamConvolutionFewTile {
  using Shape = SeamConvolutionFewShape<Config>;
  int sample, block, tile, row, column;

  __device__ __forceinline__
  SeamConvolutionFewTile (int unit)
  {
    const int v = unit / Config::tiles;
    tile = unit % Config::tiles;
    sample = v / Config::blocks_k;
    block = v % Config::blocks_k;
    row = tile / Config::strips * (Shape::rows * Shape::segments);
    column = tile % Config::strips * Shape::columns;
  }
};

/* The tiles of this block in their order: i counts (round, warpgroup) pairs. Returns -1 where the
 * warpgroup has nothing in this round, -2 at the end. A warpgroup walks down neighbouring tiles;
 * but in resident mode the warpgroups of the GPU form teams of one sample's tiles, and the order
 * makes every wait one for an earlier round. */
template <typename Config>
SEAM_DEVICE int
seam_convolution_few_unit (int i)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const int round = i / Config::consumers, warpgroup = i % Config::consumers;
  const int all = Config::consumers * gridDim.x;
  if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
    const int place = warpgroup * gridDim.x + blockIdx.x;
    const int teams = all / Config::tiles, team = place / Config::tiles;
    if (round * teams >= Config::batch * Config::blocks_k)
      return -2;
    const int v = round * teams + team;
    return team < teams && v < Config::batch * Config::blocks_k
               ? v * Config::tiles + place % Config::tiles
               : -1;
  } else {
    const int place = blockIdx.x * Config::consumers + warpgroup;
    if ((long long)round * all >= Shape::n_units)
      return -2;
    const int start = (int)((long long)place * Shape::n_units / all);
    const int end = (int)((long long)(place + 1) * Shape::n_units / all);
    return start + round < end ? start + round : -1;
  }
}

/* The weights as A, once a block: for every step 64 rows of D x 32 bytes of K, as core matrices of
 * 8 rows x 16 bytes. Row m of D is filter m % filters_block in output row m / filters_block. */
template <typename Config>
SEAM_DEVICE float
seam_convolution_few_weight (const SeamConvolutionFewArguments &a, int block, int tap, int m, int c)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const int filter = block * 64 + Shape::filter_of (m);
  const int within = tap % (Shape::taps * Shape::tap_rows);
  const int channel = tap / (Shape::taps * Shape::tap_rows) * 8 + c;
  const int row = within / Shape::taps - Shape::row_of (m), column = within % Shape::taps;
  if (filter >= Config::filters || channel >= Config::channels || row < 0 || row >= Shape::taps)
    return 0.0f;
  return __ldg (a.weight + ((filter * Config::channels + channel) * Shape::taps + row) * Shape::taps
                + column);
}

template <typename Config>
SEAM_DEVICE void
seam_convolution_few_load_weights (const SeamConvolutionFewArguments &a, unsigned char *shared)
{
  using Shape = SeamConvolutionFewShape<Config>;
  /* One row of a step a thread: two times 16 bytes. */
  for (int i = threadIdx.x; i < Config::blocks_k * Shape::steps * 64; i += Config::threads) {
    const int m = i % 64, step = i / 64 % Shape::steps, block = i / 64 / Shape::steps;
    unsigned int packed[8];
    if constexpr (!Config::bf16x3) {
#pragma unroll
      for (int c = 0; c < 8; c++)
        packed[c] = seam_round_tf32 (seam_convolution_few_weight<Config> (a, block, step, m, c));
    } else {
      /* Steps of two taps: an odd last one takes the tap before it with weight 0. */
      const bool low = step >= Shape::first_steps;
      const int pair = (step - Shape::first_steps) * 2;
      const bool odd = pair + 1 == Shape::first_steps;
#pragma unroll
      for (int half = 0; half < 2; half++)
#pragma unroll
        for (int c = 0; c < 8; c += 2) {
          const int tap = !low ? step : odd ? pair : pair + half;
          const float w0 = seam_convolution_few_weight<Config> (a, block, tap, m, c);
          const float w1 = seam_convolution_few_weight<Config> (a, block, tap, m, c + 1);
          unsigned int high_pair, low_pair;
          seam_split_bf16 (w0, w1, &high_pair, &low_pair);
          packed[half * 4 + c / 2] = !low ? high_pair : odd && half == 0 ? 0u : low_pair;
        }
    }
    unsigned char *to =
        shared + (block * Shape::steps + step) * SEAM_CONVOLUTION_FEW_STEP_BYTES + m * 16;
    *reinterpret_cast<uint4 *> (to) = make_uint4 (packed[0], packed[1], packed[2], packed[3]);
    *reinterpret_cast<uint4 *> (to + 1024) =
        make_uint4 (packed[4], packed[5], packed[6], packed[7]);
  }
}

/* One warp: starts the copies of a tile's input rows, each channel's piece by piece, from the
 * 16-byte boundary before to the one after. What lies past the last such boundary of x, at most 3
 * floats, the conversion loads itself. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_fetch (const SeamConvolutionFewArguments &a, int unit, unsigned int to,
                            unsigned int barrier)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr long long n_floats =
      (long long)Config::batch * Config::channels * Config::height * Config::width;
  constexpr int copies = Config::channels * Shape::raw_pieces;
  const SeamConvolutionFewTile<Config> tile (unit);
  const int lane = threadIdx.x % 32;
  const int rows = min (Config::height - tile.row, Shape::patch_rows);
  const int width = Config::strips == 1 ? rows * Config::width
                                        : min (Config::width - tile.column, Shape::patch_columns);

#pragma unroll 1
  for (int pass = 0; pass < 2; pass++) {
    unsigned int bytes_all = 0;
#pragma unroll 1
    for (int i = lane; i < copies; i += 32) {
      const int c = i / Shape::raw_pieces, r = i % Shape::raw_pieces;
      const long long from =
          (((long long)tile.sample * Config::channels + c) * Config::height + tile.row + r)
              * Config::width
          + tile.column;
      const long long start = from & ~3ll;
      long long end = (from + width + 3) & ~3ll;
      if (end > (n_floats & ~3ll))
        end = n_floats & ~3ll;
      const unsigned int bytes = r < rows && end > start ? (unsigned int)(end - start) * 4 : 0;
      bytes_all += bytes;
      if (pass == 1 && bytes > 0)
        seam_bulk_load (to + i * Shape::raw_pitch * 4, a.x + start, bytes, barrier);
    }
    if (pass == 0) {
      bytes_all = __reduce_add_sync (0xffffffffu, bytes_all);
      if (lane == 0)
        seam_mbarrier_arrive_expect (barrier, bytes_all);
      __syncwarp ();
    }
  }
}

/* Thread `thread` of `n_threads` that turn raw rows into planes of pixels x 16 bytes. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_convert (const SeamConvolutionFewArguments &a, int unit,
                              const unsigned char *raw, unsigned char *patch, int thread,
                              int n_threads)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr long long n_floats =
      (long long)Config::batch * Config::channels * Config::height * Config::width;
  constexpr int pixels = Shape::patch_rows * Shape::patch_columns;
  const SeamConvolutionFewTile<Config> tile (unit);
  const int rows = min (Config::height - tile.row, Shape::patch_rows);

#pragma unroll 2
  for (int i = thread; i < pixels; i += n_threads) {
    /* Whole rows: pixel i of the patch is pixel i of the piece. */
    const int r = Config::strips == 1 ? 0 : i / Shape::patch_columns;
    const int column = Config::strips == 1 ? i : i % Shape::patch_columns;
    const bool inside = Config::strips == 1 ? i < rows * Config::width
                                            : r < rows && tile.column + column < Config::width;
#pragma unroll
    for (int octet = 0; octet < Shape::octets; octet++) {
      float x[8];
#pragma unroll
      for (int k = 0; k < 8; k++) {
        const int c = octet * 8 + k;
        x[k] = 0.0f;
        if (c < Config::channels && inside) {
          int skip = 0;
          if constexpr (!Shape::raw_aligned)
            skip = ((tile.sample * Config::channels + c) % 4 * (Config::height * Config::width % 4)
                    + (tile.row + r) % 4 * (Config::width % 4) + tile.column)
                   & 3;
          bool staged = true;
          if constexpr (n_floats % 4 != 0) {
            const long long from =
                (((long long)tile.sample * Config::channels + c) * Config::height + tile.row + r)
                    * Config::width
                + tile.column + column;
            staged = from < (n_floats & ~3ll);
            if (!staged)
              x[k] = __ldg (a.x + from);
          }
          if (staged)
            x[k] = reinterpret_cast<const float *> (
                raw)[(c * Shape::raw_pieces + r) * Shape::raw_pitch + skip + column];
        }
      }
      unsigned int first[4], second[4];
      if constexpr (!Config::bf16x3) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
          first[k] = seam_round_tf32 (x[k]);
          second[k] = seam_round_tf32 (x[k + 4]);
        }
      } else {
#pragma unroll
        for (int k = 0; k < 4; k++)
          seam_split_bf16 (x[2 * k], x[2 * k + 1], &first[k], &second[k]);
      }
      unsigned char *to = patch + 2 * octet * Shape::plane + i * 16;
      *reinterpret_cast<uint4 *> (to) = make_uint4 (first[0], first[1], first[2], first[3]);
      *reinterpret_cast<uint4 *> (to + Shape::plane) =
          make_uint4 (second[0], second[1], second[2], second[3]);
    }
  }
}

/* All products of a tile. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_multiply (
    float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    unsigned int weights, unsigned int patch)
{
  using Shape = SeamConvolutionFewShape<Config>;
  using Wgmma = SeamWgmma<Config::columns>;
  const unsigned long long a = seam_descriptor (weights, 1024, 128, SEAM_SWIZZLE_NONE);
  const unsigned long long b = seam_descriptor (patch, Shape::plane, 128, SEAM_SWIZZLE_NONE);

#pragma unroll
  for (int segment = 0; segment < Config::segments; segment++)
    seam_wgmma_hold (d[segment]);
  seam_wgmma_fence ();
#pragma unroll
  for (int product = 0; product < Config::segments * Config::across; product++) {
    const int segment = product / Config::across, beside = product % Config::across;
    float (&sums)[Config::columns / 2] = *reinterpret_cast<float (*)[Config::columns / 2]> (
        &d[segment][beside * (Config::columns / 2)]);
    const unsigned int start =
        (segment * Shape::rows * Shape::patch_columns + beside * Config::columns) * 16;
#pragma unroll(Shape::first_steps <= 32 ? Shape::first_steps : 7)
    for (int tap = 0; tap < Shape::first_steps; tap++) {
      const unsigned long long a_step = a + tap * (SEAM_CONVOLUTION_FEW_STEP_BYTES / 16);
      const unsigned long long b_step =
          seam_descriptor_advance (b, start + Shape::tap_offset (tap));
      if constexpr (Config::bf16x3)
        Wgmma::bf16_ss (sums, a_step, b_step, tap > 0);
      else
        Wgmma::tf32_ss (sums, a_step, b_step, tap > 0);
    }
    if constexpr (Config::bf16x3) {
#pragma unroll(Shape::first_steps <= 32 ? Shape::first_steps : 7)
      for (int pair = 0; pair < Shape::first_steps; pair += 2) {
        /* The last one of an odd number: the tap before it comes first, with weight 0. A single tap
         * has none; both halves are the same pixels then. */
        const int first = pair + 1 < Shape::first_steps ? pair : pair > 0 ? pair - 1 : 0;
        const int second = pair + 1 < Shape::first_steps ? pair + 1 : pair;
        const unsigned int apart = Shape::tap_offset (second) - Shape::tap_offset (first);
        Wgmma::bf16_ss (
            sums, a + (Shape::first_steps + pair / 2) * (SEAM_CONVOLUTION_FEW_STEP_BYTES / 16),
            seam_descriptor (patch + start + Shape::tap_offset (first), apart, 128,
                             SEAM_SWIZZLE_NONE),
            1);
      }
    }
  }
  seam_wgmma_commit ();
  seam_wgmma_wait<0> ();
#pragma unroll
  for (int segment = 0; segment < Config::segments; segment++)
    seam_wgmma_hold (d[segment]);
}

/* What a thread of a consumer holds of a tile. */
template <typename Config> struct SeamConvolutionFewThread {
  using Shape = SeamConvolutionFewShape<Config>;
  int lane, filter, row, column;

  __device__ __forceinline__
  SeamConvolutionFewThread (const SeamConvolutionFewTile<Config> &tile)
  {
    lane = threadIdx.x % 32;
    const int m = threadIdx.x % 128 / 32 * 16 + lane / 4;
    filter = tile.block * 64 + Shape::filter_of (m); /* and + 8 where it holds two */
    row = tile.row + Shape::row_of (m);  /* of its first run; + 4 for each next, if packed */
    column = tile.column + lane % 4 * 2; /* and + 1, + 8 j */
  }

  __device__ __forceinline__ int
  run_row (int run) const
  {
    return row + (Shape::rows == 4 ? 4 * run : 0);
  }
};

/* Whether columns from q = first + 8 j on are in the plane; free where all of them are. */
template <typename Config>
SEAM_DEVICE bool
seam_convolution_few_inside (int first, int j)
{
  using Shape = SeamConvolutionFewShape<Config>;
  return (Config::strips == 1 && j * 8 + 8 <= Shape::out_width) || first + j * 8 < Shape::out_width;
}

template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few_tail (
    float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const SeamConvolutionFewArguments &a, const SeamConvolutionFewThread<Config> &thread)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int n = Tail::n_vectors;
#pragma unroll
  for (int f = 0; f < Shape::n_filters; f++) {
    const int filter = min (thread.filter + 8 * f, Config::filters - 1);
    float v[n > 0 ? n : 1];
#pragma unroll
    for (int i = 0; i < n; i++)
      v[i] = __ldg (a.vectors[i] + filter);
#pragma unroll
    for (int segment = 0; segment < Config::segments; segment++)
#pragma unroll
      for (int i = 0; i < Shape::columns / 2; i++)
        if (Shape::n_filters == 1 || i / 2 % 2 == f)
          d[segment][i] = Tail::apply (d[segment][i], v);
  }
}

/* The statistics of a tile's groups, published in `partials`. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_publish (
    const float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const SeamConvolutionFewArguments &a, const SeamConvolutionFewTile<Config> &tile,
    const SeamConvolutionFewThread<Config> &thread, unsigned char *reduction, int barrier_name)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int halves = Shape::rows == 4 ? 2 : 1; /* threads that hold rows of the same channel */
  const int n_columns = min (Shape::columns, Shape::out_width - tile.column);
  float2 *channels = reinterpret_cast<float2 *> (reduction);

#pragma unroll
  for (int f = 0; f < Shape::n_filters; f++) {
    /* Sums about the first value, one for the four lanes of a row of D. */
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
              const float away =
                  d[Shape::segment_of (run, k)][4 * j + 2 * Shape::half_of (run, k) + e] - about;
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
    const float away = n > 0 ? __fdividef (sum, (float)n) : 0.0f;
    if (thread.lane % 4 == 0)
      channels[threadIdx.x % 128 / 64 * (halves - 1) * 16 + thread.filter % 64 + 8 * f] =
          n > 0 ? make_float2 (about + away, squares - sum * away) : make_float2 (0.0f, 0.0f);
  }
  seam_named_barrier_sync (barrier_name, 128);

  const int group = threadIdx.x % 128;
  if (group < Shape::groups) {
    double first = 0.0, second = 0.0;
    int count = 0;
#pragma unroll
    for (int half = 0; half < halves; half++) {
      int n_rows = 0;
      for (int k = 0; k < Shape::rows * Config::segments; k++)
        n_rows += (halves == 1 || k / 2 % 2 == half) && tile.row + k < Shape::out_height;
      for (int k = 0; k < Shape::group_filters; k++) {
        const float2 channel = channels[half * 16 + group * Shape::group_filters + k];
        first += (double)(n_rows * n_columns) * channel.x;
        second += (double)channel.y + (double)(n_rows * n_columns) * channel.x * channel.x;
        count += n_rows * n_columns;
      }
    }
    /* The squared deviations are about the mean as it is published, so its rounding does not
     * matter. */
    const float mean = __fdividef ((float)first, (float)count);
    const float squares = (float)(second - (2.0 * first - (double)count * mean) * mean);
    unsigned long long bits = (unsigned long long)__float_as_uint (squares) << 32
                              | (unsigned long long)__float_as_uint (mean);
    if (bits == SEAM_CONVOLUTION_FEW_EMPTY)
      bits = 0x7fc000007fc00000ull;
    unsigned long long *to =
        a.partials
        + (((long long)tile.sample * Config::blocks_k + tile.block) * Config::tiles + tile.tile)
              * Shape::groups
        + group;
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(bits) : "memory");
  }
  if constexpr (Config::mode != SEAM_CONVOLUTION_FEW_RESIDENT)
    seam_named_barrier_sync (barrier_name, 128); /* the next tile writes `rows` again */
}

SEAM_DEVICE unsigned long long
seam_convolution_few_poll (const unsigned long long *from)
{
  unsigned long long bits;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
  return bits;
}

/* Adds a tile's partial to the sums of values and of squares of a group. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_add_partial (double *first, double *second, unsigned long long bits, int tile)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const float mean = __uint_as_float ((unsigned int)bits);
  const float squares = __uint_as_float ((unsigned int)(bits >> 32));
  constexpr int tile_rows = Shape::rows * Shape::segments;
  const int n_rows = min (tile_rows, Shape::out_height - tile / Config::strips * tile_rows);
  const int n_columns =
      min (Shape::columns, Shape::out_width - tile % Config::strips * Shape::columns);
  const double n = (double)(n_rows * n_columns * Shape::group_filters);
  *first += n * mean;
  *second += (double)squares + n * mean * mean;
}

/* Mean and 1 / deviation. */
template <typename Config>
SEAM_DEVICE float2
seam_convolution_few_finish (double first, double second)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr double n = (double)Shape::group_filters * Shape::out_height * Shape::out_width;
  const double mean = first * (1.0 / n), variance = second * (1.0 / n) - mean * mean;
  return make_float2 ((float)mean,
                      rsqrtf ((float)fmax (variance, 0.0) + (float)SEAM_GROUPNORM_EPSILON));
}

/* Sums of the groups of a sample and block into `sums` [parts][groups], by the 128 threads of a
 * warpgroup, waiting for what is not yet published. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_combine (const SeamConvolutionFewArguments &a, int sample, int block,
                              double2 *sums, int barrier_name)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int parts = 128 / Shape::groups, in_flight = 4;
  const int i = threadIdx.x % 128, group = i % Shape::groups, part = i / Shape::groups;
  const unsigned long long *from =
      a.partials + ((long long)sample * Config::blocks_k + block) * Config::tiles * Shape::groups
      + group;
  double first = 0.0, second = 0.0;
  if (part < parts) {
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
          bits[k] = seam_convolution_few_poll (from + t * Shape::groups);
        }
        if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
#pragma unroll
          for (int k = 0; k < in_flight; k++)
            waiting |= bits[k] == SEAM_CONVOLUTION_FEW_EMPTY;
          if (SEAM_SPIN_LIMIT && ++polls > SEAM_SPIN_LIMIT)
            __trap ();
        }
      } while (waiting);
#pragma unroll
      for (int k = 0; k < in_flight; k++)
        if (tile + k * parts < Config::tiles)
          seam_convolution_few_add_partial<Config> (&first, &second, bits[k], tile + k * parts);
    }
    sums[i] = make_double2 (first, second);
  }
  seam_named_barrier_sync (barrier_name, 128);
}

template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few_normalize_tile (
    float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const SeamConvolutionFewArguments &a, const SeamConvolutionFewThread<Config> &thread,
    const double2 *sums)
{
  using Shape = SeamConvolutionFewShape<Config>;
#pragma unroll
  for (int f = 0; f < Shape::n_filters; f++) {
    const int filter = min (thread.filter + 8 * f, Config::filters - 1);
    double first = 0.0, second = 0.0;
#pragma unroll 4
    for (int part = 0; part < 128 / Shape::groups; part++) {
      const double2 sum = sums[part * Shape::groups + filter % 64 / Shape::group_filters];
      first += sum.x;
      second += sum.y;
    }
    const float2 final = seam_convolution_few_finish<Config> (first, second);
    const float weight = __ldg (a.vectors[Tail::n_vectors] + filter);
    const float bias = __ldg (a.vectors[Tail::n_vectors + 1] + filter);
#pragma unroll
    for (int segment = 0; segment < Config::segments; segment++)
#pragma unroll
      for (int i = 0; i < Shape::columns / 2; i++)
        if (Shape::n_filters == 1 || i / 2 % 2 == f)
          d[segment][i] = seam_op_normalize (d[segment][i], final.x, final.y, weight, bias);
  }
}

/* Stores a pair of pixels where `valid`: (x0, y0), or (x1, y1) where `second`. One asm statement,
 * so that the compiler does not choose all pairs of a tile before it stores the first. */
SEAM_DEVICE void
seam_convolution_few_store_pair (float *to, bool valid, bool second, float x0, float y0, float x1,
                                 float y1)
{
  asm volatile("{\n\t.reg .pred valid, second;\n\t.reg .f32 x, y;\n\t"
               "setp.ne.b32 valid, %1, 0;\n\tsetp.ne.b32 second, %2, 0;\n\t"
               "selp.f32 x, %5, %3, second;\n\tselp.f32 y, %6, %4, second;\n\t"
               "@valid st.global.v2.f32 [%0], {x, y};\n\t}" ::"l"(to),
               "r"((int)valid), "r"((int)second), "f"(x0), "f"(y0), "f"(x1), "f"(y1)
               : "memory");
}

/* A row's end that waits for the next row, in another tile: see below. */
template <typename Config> struct SeamConvolutionFewPending {
  using Shape = SeamConvolutionFewShape<Config>;
  static constexpr bool flat =
      Config::strips == 1 && Shape::out_width % 2 == 0 && Shape::out_width >= 16;
  static constexpr bool across_tiles =
      flat && Shape::rows <= 2 && Config::mode != SEAM_CONVOLUTION_FEW_RESIDENT;
  float x[Shape::n_runs], y[Shape::n_runs];
  bool some;
};

/* Stores a tile. Four lanes hold 8 neighbouring pixels, 32 bytes, but rows start anywhere among the
 * 32-byte sectors of memory, and a sector written in parts costs the L2 cache several times a whole
 * one (H200: all of y 0.62 ms instead of 0.17). So the lanes before a row's first sector boundary
 * are one block of 8 pixels ahead, and each store fills whole sectors. Rows one below the other are
 * contiguous: the rest of a row waits for the first pixels of the next one, which a shuffle brings
 * to the lanes that are free. `more`: the next tile of this warpgroup continues this one. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_store (
    const float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const SeamConvolutionFewArguments &a, const SeamConvolutionFewTile<Config> &tile,
    const SeamConvolutionFewThread<Config> &thread, SeamConvolutionFewPending<Config> *pending,
    bool more)
{
  using Shape = SeamConvolutionFewShape<Config>;
  using Pending = SeamConvolutionFewPending<Config>;
  constexpr int blocks = Shape::columns / 8, pairs = Shape::out_width / 2;
  const int t = thread.lane % 4;

#pragma unroll
  for (int run = 0; run < Shape::n_runs; run++) {
    const int filter = thread.filter + (Shape::n_filters == 2 ? 8 * run : 0);
    const int first_row = thread.run_row (run);
    const bool mine = filter < Config::filters;
    float *start =
        a.y
        + (((long long)tile.sample * Config::filters + filter) * Shape::out_height + first_row)
              * Shape::out_width
        + tile.column; /* of the row */
    bool merge = Pending::across_tiles && pending->some;
    float rest_x = pending->x[run], rest_y = pending->y[run];
#pragma unroll
    for (int k = 0; k < Shape::run_rows; k++) {
      if (first_row + k >= Shape::out_height)
        break;
      const float *row =
          &d[Shape::segment_of (run, k)][2 * Shape::half_of (run, k)]; /* + 4 j + e */
      /* Pairs of pixels before the first sector boundary. */
      const int lead = (4 - (int)((unsigned long long)start >> 3)) & 3;
      const int ahead = t < lead;
      if constexpr (Pending::flat) {
        /* The sector that ends before it: this lane's pair, counted from this row's start. */
        const int pair = lead - 4 + ((t - pairs - lead) & 3);
        const int from = (thread.lane & ~3) | ((t - pairs) & 3);
        const float x = __shfl_sync (0xffffffffu, row[0], from);
        const float y = __shfl_sync (0xffffffffu, row[1], from);
        if (merge)
          seam_convolution_few_store_pair (start + 2 * pair, mine && lead > 0, pair < 0, x, y,
                                           rest_x, rest_y);
        else
          seam_convolution_few_store_pair (start + 2 * t, mine && ahead, false, row[0], row[1], 0,
                                           0);
        const int full = (pairs - lead) / 4; /* sectors */
        constexpr int least = (pairs - 3) / 4, most = pairs / 4;
        float *to = start + 2 * t + 8 * ahead;
#pragma unroll
        for (int j = 0; j < most; j++) {
          constexpr int last = blocks - 1;
          const int next = j + 1 < last ? j + 1 : last;
          seam_convolution_few_store_pair (to + 8 * j, mine && (j < least || j < full), ahead,
                                           row[4 * j], row[4 * j + 1], row[4 * next],
                                           row[4 * next + 1]);
        }
        /* What is left, less than a sector. */
        const int block = full + ahead;
#pragma unroll
        for (int j = least; j < blocks; j++)
          if (j == block) {
            rest_x = row[4 * j];
            rest_y = row[4 * j + 1];
          }
        merge = k + 1 < Shape::run_rows ? first_row + k + 1 < Shape::out_height : more;
        seam_convolution_few_store_pair (start + 2 * (4 * block + t),
                                         mine && !merge && 4 * block + t < pairs, false, rest_x,
                                         rest_y, 0, 0);
      } else if constexpr (Shape::out_width % 2 == 0) {
        const int left = (Shape::out_width - tile.column) / 2;
        seam_convolution_few_store_pair (start + 2 * t, mine && ahead && t < left, false, row[0],
                                         row[1], 0, 0);
        float *to = start + 2 * t + 8 * ahead;
#pragma unroll
        for (int j = 0; j < blocks; j++) {
          const int next = j + 1 < blocks ? j + 1 : j;
          seam_convolution_few_store_pair (
              to + 8 * j, mine && 4 * (j + ahead) + t < left && j + ahead < blocks, ahead,
              row[4 * j], row[4 * j + 1], row[4 * next], row[4 * next + 1]);
        }
      } else {
#pragma unroll
        for (int j = 0; j < blocks; j++)
#pragma unroll
          for (int e = 0; e < 2; e++)
            if (mine && seam_convolution_few_inside<Config> (thread.column + e, j))
              start[2 * t + 8 * j + e] = row[4 * j + e];
      }
      start += Shape::out_width;
    }
    pending->x[run] = rest_x;
    pending->y[run] = rest_y;
  }
  pending->some = more;
}

/* The kernel. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few (const SeamConvolutionFewArguments &a)
{
  using Shape = SeamConvolutionFewShape<Config>;
  static_assert (Shape::barrier_at + SEAM_CONVOLUTION_FEW_BARRIER_BYTES == Config::shared,
                 "the plan and the kernel agree about shared memory");
  extern __shared__ __align__ (1024) unsigned char shared[];
  const unsigned int base = seam_shared_address (shared);
  constexpr int n_converters = 3; /* warps */
  const unsigned int full = base + Shape::barrier_at, empty = full + 8 * Config::consumers,
                     fetched = empty + 8 * Config::consumers,
                     converted = fetched + 8 * Config::raw_stages;

  if (threadIdx.x == 0) {
    for (int i = 0; i < Config::consumers; i++) {
      seam_mbarrier_init (full + 8 * i, n_converters);
      seam_mbarrier_init (empty + 8 * i, 4);
    }
    for (int i = 0; i < Config::raw_stages; i++) {
      seam_mbarrier_init (fetched + 8 * i, 1);
      seam_mbarrier_init (converted + 8 * i, n_converters);
    }
    seam_mbarrier_init_fence ();
  }
  seam_convolution_few_load_weights<Config> (a, shared);
  seam_fence_proxy_async ();
  __syncthreads ();

  const int warpgroup = threadIdx.x / 128;
  if (warpgroup == Config::consumers) {
    /* Brings x: one warp fetches, the others convert. Tile number n of this block goes through raw
     * stage n % stages. */
    if constexpr (Config::consumers == 2)
      seam_registers_decrease<88> ();
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    for (int i = 0, n = 0;; i++) {
      const int unit = seam_convolution_few_unit<Config> (i);
      if (unit == -2)
        break;
      if (unit == -1)
        continue;
      const int stage = n % Config::raw_stages, phase = n / Config::raw_stages & 1;
      const int consumer = i % Config::consumers;
      if (warp == 0) {
        seam_mbarrier_wait (converted + 8 * stage, phase ^ 1);
        seam_convolution_few_fetch<Config> (
            a, unit, base + Shape::raw_at + stage * Shape::raw_bytes, fetched + 8 * stage);
      } else {
        seam_mbarrier_wait (fetched + 8 * stage, phase);
        seam_mbarrier_wait (empty + 8 * consumer, (i / Config::consumers & 1) ^ 1);
        seam_convolution_few_convert<Config> (
            a, unit, shared + Shape::raw_at + stage * Shape::raw_bytes,
            shared + Shape::patch_at + consumer * Shape::patch_bytes, (warp - 1) * 32 + lane,
            32 * n_converters);
        seam_fence_proxy_async ();
        __syncwarp ();
        if (lane == 0) {
          seam_mbarrier_arrive (full + 8 * consumer);
          seam_mbarrier_arrive (converted + 8 * stage);
        }
      }
      n++;
    }
  } else {
    if constexpr (Config::consumers == 2)
      seam_registers_increase<208> ();
    unsigned char *reduction =
        shared + Shape::reduction_at + warpgroup * SEAM_CONVOLUTION_FEW_REDUCTION_BYTES;
    double2 *sums = reinterpret_cast<double2 *> (reduction + 512);
    SeamConvolutionFewPending<Config> pending = {};
    int unit = seam_convolution_few_unit<Config> (warpgroup);
    for (int i = warpgroup, phase = 0; unit >= 0; phase ^= 1) {
      const SeamConvolutionFewTile<Config> tile (unit);
      const SeamConvolutionFewThread<Config> thread (tile);
      float d[Config::segments][Shape::columns / 2];

      seam_mbarrier_wait (full + 8 * warpgroup, phase);
      seam_convolution_few_multiply<Config> (
          d, base + tile.block * Shape::steps * SEAM_CONVOLUTION_FEW_STEP_BYTES,
          base + Shape::patch_at + warpgroup * Shape::patch_bytes);
      if (thread.lane == 0)
        seam_mbarrier_arrive (empty + 8 * warpgroup);

      seam_convolution_few_tail<Config, Tail> (d, a, thread);
      if constexpr (Shape::statistics && Config::mode != SEAM_CONVOLUTION_FEW_APPLY)
        seam_convolution_few_publish<Config> (d, a, tile, thread, reduction, 2 + warpgroup);
      if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_APPLY
                    || Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
        seam_convolution_few_combine<Config> (a, tile.sample, tile.block, sums, 2 + warpgroup);
        seam_convolution_few_normalize_tile<Config, Tail> (d, a, thread, sums);
      }
      i += Config::consumers;
      unit = seam_convolution_few_unit<Config> (i);
      if constexpr (Config::mode != SEAM_CONVOLUTION_FEW_STATISTICS)
        seam_convolution_few_store<Config> (d, a, tile, thread, &pending,
                                            SeamConvolutionFewPending<Config>::across_tiles
                                                && unit >= 0 && tile.tile + 1 < Config::tiles);
      if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_APPLY)
        seam_named_barrier_sync (2 + warpgroup, 128); /* the next tile writes `sums` again */
    }
  }
}

/* Second kernel of "reload": y = groupnorm (y), a plane of a channel over blockIdx.y. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few_normalize (const SeamConvolutionFewArguments &a)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int plane = Shape::out_height * Shape::out_width;
  __shared__ double2 sums[256];
  const int sample = blockIdx.x / Config::filters, filter = blockIdx.x % Config::filters;
  double first = 0.0, second = 0.0;
  for (int tile = threadIdx.x; tile < Config::tiles; tile += 256)
    seam_convolution_few_add_partial<Config> (
        &first, &second,
        a.partials[(((long long)sample * Config::blocks_k + filter / 64) * Config::tiles + tile)
                       * Shape::groups
                   + filter % 64 / Shape::group_filters],
        tile);
  sums[threadIdx.x] = make_double2 (first, second);
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads ();
    if (threadIdx.x < half) {
      sums[threadIdx.x].x += sums[threadIdx.x + half].x;
      sums[threadIdx.x].y += sums[threadIdx.x + half].y;
    }
  }
  __syncthreads ();
  const float2 final = seam_convolution_few_finish<Config> (sums[0].x, sums[0].y);
  const float weight = __ldg (a.vectors[Tail::n_vectors] + filter);
  const float bias = __ldg (a.vectors[Tail::n_vectors + 1] + filter);
  float *y = a.y + (long long)blockIdx.x * plane;
  const int step = gridDim.y * 256;
  if constexpr (plane % 4 == 0) {
    float4 *y4 = reinterpret_cast<float4 *> (y);
    for (int i = blockIdx.y * 256 + threadIdx.x; i < plane / 4; i += 4 * step) {
      float4 x[4];
#pragma unroll
      for (int k = 0; k < 4; k++)
        if (i + k * step < plane / 4)
          x[k] = y4[i + k * step];
#pragma unroll
      for (int k = 0; k < 4; k++)
        if (i + k * step < plane / 4)
          y4[i + k * step] =
              make_float4 (seam_op_normalize (x[k].x, final.x, final.y, weight, bias),
                           seam_op_normalize (x[k].y, final.x, final.y, weight, bias),
                           seam_op_normalize (x[k].z, final.x, final.y, weight, bias),
                           seam_op_normalize (x[k].w, final.x, final.y, weight, bias));
    }
  } else {
    for (int i = blockIdx.y * 256 + threadIdx.x; i < plane; i += step)
      y[i] = seam_op_normalize (y[i], final.x, final.y, weight, bias);
  }
}
