/* SPDX-License-Identifier: MIT
 *
 * The input side of convolution-few.cuh: constants that follow from its Config, the tiles of a
 * block, and the weights and patches of x in shared memory as wgmma reads them. Read
 * convolution-few.cuh first.
 */
#pragma once

#include "kernels/cuda/hand/convolution-few.h"
#include "kernels/cuda/hand/hopper-operands.cuh"
#include "kernels/cuda/stored.cuh"

/* Constants that follow from Config at compile time. */
template <typename Config> struct SeamConvolutionFewShape {
  /* Types of x and the weight, and of y, in memory; elements of x in 16 bytes. */
  static constexpr SeamOperandType input = (SeamOperandType)Config::input;
  static constexpr SeamOperandType output = (SeamOperandType)Config::output;
  typedef typename SeamElement<input>::Stored Input;
  typedef typename SeamElement<output>::Stored Output;
  static constexpr int unit = 16 / (int)sizeof (Input);
  static constexpr int taps = Config::taps, rows = Config::rows, segments = Config::segments,
                       tile_columns = Config::across * Config::columns,
                       columns = tile_columns / Config::share; /* columns of a warpgroup */
  static constexpr int out_height = Config::height - taps + 1, out_width = Config::width - taps + 1;
  static constexpr int octets = (Config::channels + 7) / 8;
  static constexpr int patch_rows = seam_convolution_few_patch_rows (taps, rows, segments);
  static constexpr int patch_columns =
      seam_convolution_few_patch_columns (taps, tile_columns, Config::width);
  static constexpr int plane =
      seam_convolution_few_patch_pixels (taps, rows, segments, tile_columns, Config::width,
                                         Config::beyond)
      * 16;
  /* Planes of an octet of channels: the second one holds the next four channels (TF32) or the low
   * parts. */
  static constexpr bool rounds_to_16 = seam_convolution_few_rounds_to_16 (Config::math);
  static constexpr bool splits = !rounds_to_16 && Config::math != SEAM_CONVOLUTION_FEW_TF32;
  static constexpr int octet_planes = rounds_to_16 ? 1 : 2;
  static constexpr int patch_bytes = octet_planes * octets * plane;
  /* Raw patch: x as it lies in memory, in contiguous pieces; whole rows are one piece. */
  static constexpr int raw_pieces = Config::strips == 1 ? 1 : patch_rows; /* pieces of a channel */
  static constexpr int raw_pitch =
      seam_convolution_few_raw_pitch (Config::input, taps, rows, segments, tile_columns,
                                      Config::strips, Config::width, Config::beyond);
  static constexpr int raw_bytes = Config::channels * raw_pieces * raw_pitch * (int)sizeof (Input);
  static constexpr bool raw_aligned = Config::width % unit == 0;
  /* All pieces of a channel have the same size, a multiple of 16 bytes, and 32 bits can index x. */
  static constexpr bool raw_simple =
      (Config::share == 2 || splits) && raw_aligned && Config::strips == 1
      && (long long)Config::batch * Config::channels * Config::height * Config::width < 1ll << 31;
  static constexpr int tap_rows = taps + rows - 1;        /* rows of x that a product reads */
  static constexpr int n_taps = octets * taps * tap_rows; /* taps of a product, in all
                                                           * octets */
  static constexpr int n_pairs = (n_taps + 1) / 2;        /* steps of two taps */
  static constexpr int steps =
      seam_convolution_few_steps (Config::math, Config::channels, taps, rows);
  static constexpr int weight_bytes = Config::blocks_k * steps * SEAM_CONVOLUTION_FEW_STEP_BYTES;
  static constexpr int converters = 4 * Config::share; /* warps that convert a patch */
  static constexpr int pixels = patch_rows * patch_columns + Config::beyond;
  static constexpr int thread_pixels = (pixels + 32 * converters - 1) / (32 * converters);
  /* Pixels that a thread takes at a time: so many loads are under way together. */
  static constexpr int batch = !splits || octets > 1 ? 1 : thread_pixels <= 5 ? thread_pixels : 3;
  /* FP16x3 without GroupNorm, where registers suffice: see seam_convolution_few_bring. Weights of
   * so many steps stay in registers too, because such a kernel waits for shared memory. */
  static constexpr bool keeps = splits && Config::mode == SEAM_CONVOLUTION_FEW_STORE
                                && Config::consumers == 2 && Config::blocks_k == 1
                                && octets == 1 && batch == thread_pixels;
  static constexpr int kept_steps = !keeps ? 0 : steps < 9 ? steps : 9;
  static constexpr int consumer_registers = keeps ? 216 : 208;
  /* Lets the warpgroups that multiply load the weights while x is on its way, in the modes in which
   * that is faster. `loaders` is the number of threads that load them, from thread 0 on. */
  static constexpr bool early =
      Config::mode == SEAM_CONVOLUTION_FEW_STORE && Config::math == SEAM_CONVOLUTION_FEW_TF32;
  static constexpr int loaders = early ? 128 * Config::share * Config::consumers : Config::threads;
  static constexpr int filters_block = 64 / rows; /* filters in a block of D's rows */
  static constexpr int n_units = Config::batch * Config::blocks_k * Config::tiles;

  /* Offsets in dynamic shared memory. */
  static constexpr int patch_at = weight_bytes;
  static constexpr int raw_at = patch_at + Config::consumers * patch_bytes;
  /* Bytes of the pieces of y's rows, 8 channels for each of a consumer's warps, and of all runs of
   * a parked tile. */
  static constexpr int run_bytes = 8 * Config::pitch * (Config::parks ? 2 : 4);
  static constexpr int piece_bytes =
      4 * run_bytes * (Config::parks ? seam_convolution_few_runs (rows, segments) : 1);
  static constexpr int stage_at = raw_at + Config::raw_stages * raw_bytes;
  static constexpr int reduction_at = stage_at + Config::consumers * piece_bytes;
  static constexpr int reduction_bytes = seam_convolution_few_reduction_bytes (Config::parks);
  static constexpr int sums_at = reduction_bytes - 128 * 16; /* within a consumer's part */
  static constexpr int barrier_at = reduction_at + Config::consumers * reduction_bytes;
  static constexpr int scale_at = barrier_at + SEAM_CONVOLUTION_FEW_BARRIER_BYTES;
  static constexpr int end_at = scale_at + seam_convolution_few_scale_bytes (Config::math);
  static constexpr bool scaled = Config::math == SEAM_CONVOLUTION_FEW_FP16X3;
  static constexpr bool fp16 = scaled || Config::math == SEAM_CONVOLUTION_FEW_FP16;

  /* GroupNorm. */
  static constexpr bool statistics = Config::mode != SEAM_CONVOLUTION_FEW_STORE;
  /* Fewer instructions in modes that round operands and normalise tiles: `cvt.rn`, the folded
   * tail (hand.c), GroupNorm's last step as one multiply-add, and a tile's extra pixels
   * multiplied first, by one warpgroup. Without GroupNorm and in class F this is slower
   * (kernels/ladder.csv). */
  static constexpr bool lean = statistics && !splits;
  /* Pixels after a row of the patch are those of the next row, so that 8 more columns of the last
   * product are the tile's extra pixels. */
  static constexpr bool extends = (lean ? Config::share == 2 : keeps) && Config::beyond > 0
                                  && patch_columns == tile_columns &&Config::columns <= 248;
  static constexpr int groups = statistics ? Config::groups / Config::blocks_k : 1; /* groups of a
                                                                                     * block */
  static constexpr int group_filters = statistics ? Config::filters / Config::groups : 1;
  static constexpr int channel_halves = rows == 4 ? 2 : 1; /* threads that hold rows of a channel */

  /* The part of a tile that a thread holds: n_filters channels, as n_runs runs of run_rows rows
   * that lie one below the other. With packed rows, D's rows m and m + 8 are one channel in two
   * neighbouring rows. */
  static constexpr int n_filters = rows == 1 ? 2 : 1;
  static constexpr int n_runs = seam_convolution_few_runs (rows, segments);
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

  /* Place of the thread's row `k` of a run in its part of D: the segment, and h for rows m + 8
   * h. */
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

  /* Place of a thread's channel in the product of the next row's first pixels, likewise. */
  static constexpr __device__ int
  next_half (int filter)
  {
    return rows == 1 ? filter : 1;
  }

  /* Bytes from the pixel under D's column 0 of segment 0 to that of a tap: (octet, row, column). */
  static constexpr __device__ int
  tap_offset (int tap)
  {
    return tap / (taps * tap_rows) * octet_planes * plane
           + (tap % (taps * tap_rows) / taps * patch_columns + tap % taps) * 16;
  }

  /* The first tap of a step of two taps, `pair` and the one after it. An odd number of taps leaves
   * the last one alone. With split operands its step starts at the tap before it, which gets weight
   * 0, unless there is none. With operands rounded to 16 bits both taps are the last one, with half
   * of its weight each (a weight of 0 would turn infinities into NaN). */
  static constexpr __device__ int
  pair_first (int pair)
  {
    return pair + 1 == n_taps && splits && pair > 0 ? pair - 1 : pair;
  }

  static constexpr __device__ int
  pair_second (int pair)
  {
    return pair + 1 < n_taps ? pair + 1 : pair;
  }

  /* FP16x3: the steps after `step` that add to row m of D and truncate its sums, for seam_make_up.
   * A few are not worth it: without, sums of numbers that need few bits are exact. */
  static __device__ int
  count_later (int step, int m)
  {
    const int last = n_taps - 1 - (rows - 1 - row_of (m)) * taps; /* tap with a weight */
    return 8 * octets * taps * taps > 144 ? max (last / 2 - step, 0) : 0;
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
    column = tile % Config::strips * Shape::tile_columns;
  }
};

/* The tiles of this block in their order; i counts (round, warpgroup) pairs. Returns -1 if the
 * warpgroup has nothing to do in this round, -2 at the end. A warpgroup that stores from registers
 * walks down neighbouring tiles. In resident mode the warpgroups of the GPU form teams, each for
 * one sample's tiles, and the order makes every wait refer to an earlier round. */
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
    /* Stores of whole sectors are fastest if the GPU writes neighbouring tiles together: the first
     * warpgroups of all blocks write one part of y, the second ones the next part. */
    if constexpr (Config::pieces > 0) {
      const int unit = round * all + warpgroup * gridDim.x + blockIdx.x;
      return unit < Shape::n_units ? unit : -1;
    }
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
  return seam_load_as<Shape::input> (
      __ldg (static_cast<const typename Shape::Input *> (a.weight)
             + ((filter * Config::channels + channel) * Shape::taps + row) * Shape::taps + column));
}

/* FP16x3: the power of two that brings numbers up to `largest` (its bits) below 2^15, and its
 * reciprocal, which the sums are multiplied by. Both products are exact. */
SEAM_DEVICE float
seam_convolution_few_scale (unsigned int largest)
{
  const int exponent = max ((int)(largest >> 23), 15);
  return __uint_as_float ((unsigned int)(268 - exponent) << 23);
}

SEAM_DEVICE float
seam_convolution_few_unscale (unsigned int largest)
{
  const int exponent = max ((int)(largest >> 23), 15);
  return __uint_as_float ((unsigned int)(exponent - 14) << 23);
}

/* The words for the largest numbers of a consumer's tile, one for each converting warp: those of
 * its next tile are written while it may still read these. */
template <typename Config>
SEAM_DEVICE unsigned int *
seam_convolution_few_words (unsigned char *shared, int consumer, int phase)
{
  return reinterpret_cast<unsigned int *> (shared + SeamConvolutionFewShape<Config>::scale_at) + 128
         + 8 * consumer + 4 * phase;
}

/* The largest number of a patch, from those that the converting warps found, as bits. */
template <typename Config>
SEAM_DEVICE unsigned int
seam_convolution_few_largest (const unsigned int *largest)
{
  unsigned int most = largest[0];
#pragma unroll
  for (int i = 1; i < SeamConvolutionFewShape<Config>::converters; i++)
    most = max (most, largest[i]);
  return most;
}

/* Stores the largest weight of each filter, as bits, in shared memory; one warp for each filter. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_scale_weights (const SeamConvolutionFewArguments &a, unsigned char *shared)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int n = Config::channels * Shape::taps * Shape::taps;
  unsigned int *largest = reinterpret_cast<unsigned int *> (shared + Shape::scale_at);

  for (int filter = threadIdx.x / 32; filter < Config::filters; filter += Shape::loaders / 32) {
    unsigned int most = 0;
    for (int i = threadIdx.x % 32; i < n; i += 32)
      most = max (most, seam_operand_get_size (
                            __ldg (static_cast<const float *> (a.weight) + filter * n + i)));
    most = __reduce_max_sync (0xffffffffu, most);
    if (threadIdx.x % 32 == 0)
      largest[filter] = most;
  }
}

/* Two weights rounded to 16 bits, each as the sum of two 16-bit numbers: its halves, if they are
 * not subnormal. */
template <bool fp16>
SEAM_DEVICE void
seam_convolution_few_halve (float w0, float w1, unsigned int *first, unsigned int *second)
{
  float half0, half1;
  seam_unpack_16<fp16> (seam_pack_16<fp16> (w0, w1), &w0, &w1);
  *first = seam_pack_16<fp16> (0.5f * w0, 0.5f * w1);
  seam_unpack_16<fp16> (*first, &half0, &half1);
  *second = seam_pack_16<fp16> (fabsf (w0) < 1.0f ? w0 - half0 : half0,
                                fabsf (w1) < 1.0f ? w1 - half1 : half1);
}

/* Rounds to TF32. */
template <typename Config>
SEAM_DEVICE unsigned int
seam_convolution_few_round (float x)
{
  if constexpr (SeamConvolutionFewShape<Config>::lean)
    return seam_round_tf32 (x);
  else
    return seam_round_tf32_away (x);
}

template <typename Config>
SEAM_DEVICE void
seam_convolution_few_load_weights (const SeamConvolutionFewArguments &a, unsigned char *shared)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const unsigned int *largest = reinterpret_cast<const unsigned int *> (shared + Shape::scale_at);
  /* A thread writes one row of a step: two times 16 bytes. */
  for (int i = threadIdx.x; i < Config::blocks_k * Shape::steps * 64; i += Shape::loaders) {
    const int m = i % 64, step = i / 64 % Shape::steps, block = i / 64 / Shape::steps;
    unsigned int packed[8];
    if constexpr (Config::math == SEAM_CONVOLUTION_FEW_TF32) {
#pragma unroll
      for (int c = 0; c < 8; c++)
        packed[c] = seam_convolution_few_round<Config> (
            seam_convolution_few_weight<Config> (a, block, step, m, c));
    } else if constexpr (Shape::rounds_to_16) {
      const int first = Shape::pair_first (2 * step), second = Shape::pair_second (2 * step);
#pragma unroll
      for (int c = 0; c < 8; c += 2) {
        const float w0 = seam_convolution_few_weight<Config> (a, block, first, m, c);
        const float w1 = seam_convolution_few_weight<Config> (a, block, first, m, c + 1);
        if (first == second) {
          seam_convolution_few_halve<Shape::fp16> (w0, w1, &packed[c / 2], &packed[4 + c / 2]);
        } else {
          packed[c / 2] = seam_pack_16<Shape::fp16> (w0, w1);
          packed[4 + c / 2] = seam_pack_16<Shape::fp16> (
              seam_convolution_few_weight<Config> (a, block, second, m, c),
              seam_convolution_few_weight<Config> (a, block, second, m, c + 1));
        }
      }
    } else {
      const int pair = step % Shape::n_pairs * 2;
      const bool odd = pair + 1 == Shape::n_taps;
      const float scale = seam_convolution_few_scale (
                              largest[min (block * 64 + Shape::filter_of (m), Config::filters - 1)])
                          * seam_make_up (Shape::count_later (pair / 2, m));
#pragma unroll
      for (int half = 0; half < 2; half++)
#pragma unroll
        for (int c = 0; c < 8; c += 2) {
          const int tap = odd ? pair : pair + half;
          const float w0 = seam_convolution_few_weight<Config> (a, block, tap, m, c);
          const float w1 = seam_convolution_few_weight<Config> (a, block, tap, m, c + 1);
          unsigned int high, low;
          seam_split_fp16 (w0 * scale, w1 * scale, &high, &low);
          packed[half * 4 + c / 2] = odd && half == 0 ? 0u : step < Shape::n_pairs ? high : low;
        }
    }
    unsigned char *to =
        shared + (block * Shape::steps + step) * SEAM_CONVOLUTION_FEW_STEP_BYTES + m * 16;
    *reinterpret_cast<uint4 *> (to) = make_uint4 (packed[0], packed[1], packed[2], packed[3]);
    *reinterpret_cast<uint4 *> (to + 1024) =
        make_uint4 (packed[4], packed[5], packed[6], packed[7]);
  }
}

/* Walks over the tiles of a block. `unit` is the tile, -2 at the end; i counts places, n counts
 * tiles (if numbers are kept, places too). A tile goes through raw stage n % stages. */
template <typename Config> struct SeamConvolutionFewCursor {
  int i, n, unit;

  __device__ __forceinline__
  SeamConvolutionFewCursor ()
      : i (0), n (0)
  {
    skip ();
  }

  __device__ __forceinline__ void
  skip ()
  {
    while ((unit = seam_convolution_few_unit<Config> (i)) == -1)
      i++;
    if (SeamConvolutionFewShape<Config>::keeps)
      n = i;
  }

  __device__ __forceinline__ void
  advance ()
  {
    i++;
    n++;
    skip ();
  }
};

/* Elements of a channel's piece, if it consists of whole rows. */
template <typename Config>
SEAM_DEVICE int
seam_convolution_few_piece (const SeamConvolutionFewTile<Config> &tile)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const int below = Config::height - tile.row;
  return min (below, Shape::patch_rows) * Config::width
         + (below > Shape::patch_rows ? Config::beyond : 0);
}

/* Called by one warp: starts the copies of a tile's input rows, piece by piece for each channel,
 * from the 16-byte boundary before a piece to the one after it. The next tile reads some of them
 * again, so in mode STORE they should stay in the L2 longer than y. The conversion itself loads the
 * numbers after the last 16-byte boundary of x: at most 3 floats or 7 numbers of 16 bits. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_fetch (const SeamConvolutionFewArguments &a, int unit, unsigned int to,
                            unsigned int barrier)
{
  using Shape = SeamConvolutionFewShape<Config>;
  using Input = typename Shape::Input;
  constexpr long long n_elements =
      (long long)Config::batch * Config::channels * Config::height * Config::width;
  constexpr long long inside = ~(long long)(Shape::unit - 1); /* 16 bytes */
  constexpr int copies = Config::channels * Shape::raw_pieces;
  constexpr unsigned long long policy =
      Config::mode == SEAM_CONVOLUTION_FEW_STORE ? SEAM_L2_EVICT_LAST : SEAM_L2_NORMAL;
  const SeamConvolutionFewTile<Config> tile (unit);
  const int lane = threadIdx.x % 32;
  const int rows = min (Config::height - tile.row, Shape::patch_rows);
  const int width = Config::strips == 1 ? seam_convolution_few_piece<Config> (tile)
                                        : min (Config::width - tile.column, Shape::patch_columns);

  if constexpr (Shape::raw_simple) {
    const unsigned int bytes = (width + Shape::unit - 1) / Shape::unit * 16;
    const unsigned int from =
        ((tile.sample * Config::channels + lane) * Config::height + tile.row) * Config::width;
    if (lane == 0)
      seam_mbarrier_arrive_expect (barrier, Config::channels * bytes);
    __syncwarp ();
    if (lane < Config::channels)
      seam_bulk_load (to + lane * Shape::raw_pitch * (int)sizeof (Input),
                      static_cast<const Input *> (a.x) + from, bytes, barrier, policy);
  } else {
    /* Announcing the bytes after the copies, in a single pass, made the kernel that waits for
     * statistics 3 % slower. */
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
        const long long start = from & inside;
        long long end = (from + width + Shape::unit - 1) & inside;
        if (end > (n_elements & inside))
          end = n_elements & inside;
        const unsigned int bytes =
            r < rows && end > start ? (unsigned int)(end - start) * sizeof (Input) : 0;
        bytes_all += bytes;
        if (pass == 1 && bytes > 0)
          seam_bulk_load (to + i * Shape::raw_pitch * (int)sizeof (Input),
                          static_cast<const Input *> (a.x) + start, bytes, barrier, policy);
      }
      if (pass == 0) {
        bytes_all = __reduce_add_sync (0xffffffffu, bytes_all);
        if (lane == 0)
          seam_mbarrier_arrive_expect (barrier, bytes_all);
        __syncwarp ();
      }
    }
  }
}

/* Eight channels of pixel `i` of the patch, from the raw rows; zeros outside x. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_pixel (const SeamConvolutionFewArguments &a,
                            const SeamConvolutionFewTile<Config> &tile, const unsigned char *raw,
                            int i, int octet, float (&x)[8])
{
  using Shape = SeamConvolutionFewShape<Config>;
  using Input = typename Shape::Input;
  constexpr long long n_elements =
      (long long)Config::batch * Config::channels * Config::height * Config::width;
  const int rows = min (Config::height - tile.row, Shape::patch_rows);
  /* With whole rows, pixel i of the patch is pixel i of the piece. */
  const int r = Config::strips == 1 ? 0 : i / Shape::patch_columns;
  const int column = Config::strips == 1 ? i : i % Shape::patch_columns;
  const bool inside = Config::strips == 1 ? i < seam_convolution_few_piece<Config> (tile)
                                          : r < rows && tile.column + column < Config::width;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    const int c = octet * 8 + k;
    x[k] = 0.0f;
    if (c < Config::channels && inside) {
      int skip = 0;
      if constexpr (!Shape::raw_aligned)
        skip = ((tile.sample * Config::channels + c) % Shape::unit
                    * (Config::height * Config::width % Shape::unit)
                + (tile.row + r) % Shape::unit * (Config::width % Shape::unit) + tile.column)
               & (Shape::unit - 1);
      bool staged = true;
      if constexpr (n_elements % Shape::unit != 0) {
        const long long from =
            (((long long)tile.sample * Config::channels + c) * Config::height + tile.row + r)
                * Config::width
            + tile.column + column;
        staged = from < (n_elements & ~(long long)(Shape::unit - 1));
        if (!staged)
          x[k] = seam_load_as<Shape::input> (__ldg (static_cast<const Input *> (a.x) + from));
      }
      if (staged)
        x[k] = seam_load_as<Shape::input> (reinterpret_cast<const Input *> (
            raw)[(c * Shape::raw_pieces + r) * Shape::raw_pitch + skip + column]);
    }
  }
}

/* Eight channels of a converting thread's pixels: of `first` and every `apart`th after it. */
template <typename Config> struct SeamConvolutionFewPixels {
  using Shape = SeamConvolutionFewShape<Config>;
  static constexpr int apart = 32 * Shape::converters;
  float x[Shape::batch][8];

  __device__ __forceinline__ void
  load (const SeamConvolutionFewArguments &a, const SeamConvolutionFewTile<Config> &tile,
        const unsigned char *raw, int first, int octet)
  {
#pragma unroll
    for (int i = 0; i < Shape::batch; i++)
      seam_convolution_few_pixel<Config> (a, tile, raw, first + i * apart, octet, x[i]);
  }

  /* Writes them into planes of pixels x 16 bytes, times a power of two in FP16x3. */
  __device__ __forceinline__ void
  store (unsigned char *patch, int first, int octet, float scale) const
  {
#pragma unroll
    for (int i = 0; i < Shape::batch; i++) {
      const int pixel = first + i * apart;
      unsigned int row[4], rest[4];
      if ((!Shape::keeps || (i + 1) * apart > Shape::pixels) && pixel >= Shape::pixels)
        continue;
#pragma unroll
      for (int k = 0; k < 4; k++)
        if constexpr (Config::math == SEAM_CONVOLUTION_FEW_TF32) {
          row[k] = seam_convolution_few_round<Config> (x[i][k]);
          rest[k] = seam_convolution_few_round<Config> (x[i][k + 4]);
        } else if constexpr (Shape::rounds_to_16) {
          row[k] = seam_pack_16<Shape::fp16> (x[i][2 * k], x[i][2 * k + 1]);
        } else {
          seam_split_fp16 (x[i][2 * k] * scale, x[i][2 * k + 1] * scale, &row[k], &rest[k]);
        }
      unsigned char *to = patch + Shape::octet_planes * octet * Shape::plane + pixel * 16;
      *reinterpret_cast<uint4 *> (to) = make_uint4 (row[0], row[1], row[2], row[3]);
      if constexpr (Shape::octet_planes == 2)
        *reinterpret_cast<uint4 *> (to + Shape::plane) =
            make_uint4 (rest[0], rest[1], rest[2], rest[3]);
    }
  }
};

/* FP16x3: a converting warp stores the size of its largest number, as bits, in its word of
 * `largest`. NaN does not count, infinity only in the first pass. Leaves numbers in `pixels` if it
 * `keeps` them. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_look (const SeamConvolutionFewArguments &a, int unit, const unsigned char *raw,
                           unsigned int *largest, SeamConvolutionFewPixels<Config> &pixels)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const SeamConvolutionFewTile<Config> tile (unit);
  constexpr unsigned int infinity = 0x7f800000u;
  unsigned int most = infinity;

#pragma unroll
  for (int pass = 0; pass < 2 && most >= infinity; pass++) {
    most = 0;
#pragma unroll 1
    for (int i = threadIdx.x % pixels.apart; i < Shape::pixels; i += Shape::batch * pixels.apart)
#pragma unroll
      for (int octet = 0; octet < Shape::octets; octet++) {
        pixels.load (a, tile, raw, i, octet);
#pragma unroll
        for (int k = 0; k < 8 * Shape::batch; k++) {
          const float x = pixels.x[k / 8][k % 8];
          most = pass > 0 ? max (most, seam_operand_get_size (x))
                          : __float_as_uint (fmaxf (__uint_as_float (most), fabsf (x)));
        }
      }
    most = __reduce_max_sync (0xffffffffu, most);
  }
  if (threadIdx.x % 32 == 0)
    largest[threadIdx.x % 128 / 32] = most;
}

/* The converting warps turn raw rows, or the numbers that they keep, into planes. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_convert (const SeamConvolutionFewArguments &a, int unit,
                              const unsigned char *raw, unsigned char *patch, float scale,
                              SeamConvolutionFewPixels<Config> &pixels)
{
  using Shape = SeamConvolutionFewShape<Config>;
  /* The first threads, which have most pixels, are not those of the first warp, which has more to
   * do elsewhere. */
  const int thread = (threadIdx.x + (Config::share == 2 ? 64 : 0)) % pixels.apart;
  const SeamConvolutionFewTile<Config> tile (unit);

#pragma unroll(Shape::batch > 1 || (Config::share == 2 && !Config::parks) ? 1 : 2)
  for (int i = thread; i < Shape::pixels; i += Shape::batch * pixels.apart)
#pragma unroll
    for (int octet = 0; octet < Shape::octets; octet++) {
      if (!Shape::keeps)
        pixels.load (a, tile, raw, i, octet);
      pixels.store (patch, i, octet, scale);
    }
}

/* Barriers between the roles of a block, as addresses in shared memory, 8 bytes each. */
template <typename Config> struct SeamConvolutionFewBarriers {
  unsigned int full, empty;        /* for the patch of each consumer */
  unsigned int looked;             /* for the largest numbers of its next tile */
  unsigned int fetched, converted; /* for each raw stage */

  __device__ __forceinline__
  SeamConvolutionFewBarriers (unsigned int base)
  {
    full = base + SeamConvolutionFewShape<Config>::barrier_at;
    empty = full + 8 * Config::consumers;
    fetched = empty + 8 * Config::consumers;
    converted = fetched + 8 * Config::raw_stages;
    looked = converted + 8 * Config::raw_stages;
  }

  /* Called by one thread, before all others continue. */
  __device__ __forceinline__ void
  init () const
  {
    constexpr int n_converters = SeamConvolutionFewShape<Config>::converters;
    for (int i = 0; i < Config::consumers; i++) {
      seam_mbarrier_init (full + 8 * i, n_converters);
      seam_mbarrier_init (empty + 8 * i, 4);
      seam_mbarrier_init (looked + 8 * i, n_converters);
    }
    for (int i = 0; i < Config::raw_stages; i++) {
      seam_mbarrier_init (fetched + 8 * i, 1);
      seam_mbarrier_init (converted + 8 * i, n_converters);
    }
    seam_mbarrier_init_fence ();
  }
};

/* The warps that bring x. For FP16x3 each looks for the largest of its numbers before it fetches or
 * waits, so that no warp waits for one that fetches. If it then `keeps` them, consumers do all but
 * the first fetches, for which they have time while tensor cores multiply: these warps are what the
 * kernel waits for. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_bring (const SeamConvolutionFewArguments &a, unsigned char *shared,
                            const SeamConvolutionFewBarriers<Config> &barriers)
{
  using Shape = SeamConvolutionFewShape<Config>;
  /* A fetch takes a warp 1,500 cycles, which matter if tiles do not wait for statistics. */
  constexpr int n_fetchers = Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT ? 1 : Shape::converters;
  const int warp = threadIdx.x % 128 / 32;
  SeamConvolutionFewCursor<Config> fetch;
  /* The warps take turns at fetching into raw stages that all of them have converted. */
  const auto fetch_until = [&] (int end) {
    for (; warp < n_fetchers && fetch.unit >= 0 && fetch.n < end; fetch.advance ())
      if (warp == fetch.n % n_fetchers) {
        const int stage = fetch.n % Config::raw_stages;
        if (!Shape::keeps)
          seam_mbarrier_wait (barriers.converted + 8 * stage,
                              (fetch.n / Config::raw_stages & 1) ^ 1);
        seam_convolution_few_fetch<Config> (
            a, fetch.unit, seam_shared_address (shared + Shape::raw_at + stage * Shape::raw_bytes),
            barriers.fetched + 8 * stage);
      }
  };

  fetch_until (Config::raw_stages);
  for (SeamConvolutionFewCursor<Config> tile; tile.unit >= 0; tile.advance ()) {
    const int stage = tile.n % Config::raw_stages, consumer = tile.i % Config::consumers;
    const int phase = tile.i / Config::consumers & 1;
    const unsigned char *const raw = shared + Shape::raw_at + stage * Shape::raw_bytes;
    unsigned int *const largest = seam_convolution_few_words<Config> (shared, consumer, phase);
    SeamConvolutionFewPixels<Config> pixels;
    float scale = 1.0f;

    if constexpr (Shape::scaled) {
      seam_mbarrier_wait (barriers.fetched + 8 * stage, tile.n / Config::raw_stages & 1);
      seam_convolution_few_look<Config> (a, tile.unit, raw, largest, pixels);
      __syncwarp ();
      if (threadIdx.x % 32 == 0)
        seam_mbarrier_arrive (barriers.looked + 8 * consumer);
    }
    if (!Shape::keeps)
      fetch_until (tile.n + Config::raw_stages);
    seam_mbarrier_wait (barriers.fetched + 8 * stage, tile.n / Config::raw_stages & 1);
    seam_mbarrier_wait (barriers.empty + 8 * consumer, phase ^ 1);
    if constexpr (Shape::scaled) {
      seam_mbarrier_wait (barriers.looked + 8 * consumer, phase);
      scale = seam_convolution_few_scale (seam_convolution_few_largest<Config> (largest));
    }
    seam_convolution_few_convert<Config> (
        a, tile.unit, raw, shared + Shape::patch_at + consumer * Shape::patch_bytes, scale, pixels);
    seam_fence_proxy_async ();
    __syncwarp ();
    if (threadIdx.x % 32 == 0) {
      seam_mbarrier_arrive (barriers.full + 8 * consumer);
      if (!Shape::keeps)
        seam_mbarrier_arrive (barriers.converted + 8 * stage);
    }
  }
}

/* The part of a tile that a thread of a consumer holds. */
template <typename Config> struct SeamConvolutionFewThread {
  using Shape = SeamConvolutionFewShape<Config>;
  int part, lane, filter, row, start, column;

  __device__ __forceinline__
  SeamConvolutionFewThread (const SeamConvolutionFewTile<Config> &tile)
  {
    part = threadIdx.x / 128 % Config::share; /* part of the tile's columns, one for each
                                               * warpgroup */
    lane = threadIdx.x % 32;
    const int m = threadIdx.x % 128 / 32 * 16 + lane / 4;
    filter = tile.block * 64 + Shape::filter_of (m); /* and filter + 8 if the thread holds two */
    row = tile.row + Shape::row_of (m); /* row of the first run; + 4 for each further run, if rows
                                         * are packed */
    start = tile.column + part * Shape::columns;
    column = start + lane % 4 * 2; /* also column + 1, and + 8 j */
  }

  __device__ __forceinline__ int
  run_row (int run) const
  {
    return row + (Shape::rows == 4 ? 4 * run : 0);
  }
};

/* Whether columns from q = first + 8 j on are in the plane; a compile-time constant if all are. */
template <typename Config>
SEAM_DEVICE bool
seam_convolution_few_inside (int first, int j)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int last_part = Shape::tile_columns - Shape::columns;
  return (Config::strips == 1 && last_part + j * 8 + 8 <= Shape::out_width)
         || first + j * 8 < Shape::out_width;
}
