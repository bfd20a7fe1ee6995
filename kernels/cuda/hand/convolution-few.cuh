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
 * `patch`); up to three warpgroups multiply, apply the tail in registers, and store. Their phases
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
  static constexpr int raw_pitch = seam_convolution_few_raw_pitch (taps, columns, Config::width);
  static constexpr int raw_bytes = Config::channels * patch_rows * raw_pitch * 4;
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
 * warpgroup has nothing in this round, -2 at the end. In resident mode the warpgroups of the GPU
 * form teams of one sample's tiles; the order makes every wait one for an earlier round. */
template <typename Config>
SEAM_DEVICE int
seam_convolution_few_unit (int i)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const int round = i / Config::consumers, warpgroup = i % Config::consumers;
  const int all = Config::consumers * gridDim.x, place = warpgroup * gridDim.x + blockIdx.x;
  if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
    const int teams = all / Config::tiles, team = place / Config::tiles;
    if (round * teams >= Config::batch * Config::blocks_k)
      return -2;
    const int v = round * teams + team;
    return team < teams && v < Config::batch * Config::blocks_k
               ? v * Config::tiles + place % Config::tiles
               : -1;
  } else {
    if (round * all >= Shape::n_units)
      return -2;
    const int unit = round * all + place;
    return unit < Shape::n_units ? unit : -1;
  }
}

/* The weights as A, once a block: for every step 64 rows of D x 32 bytes of K, as core matrices of
 * 8 rows x 16 bytes. Row m of D is filter m % filters_block in output row m / filters_block. */
template <typename Config>
SEAM_DEVICE float
seam_convolution_few_weight (const SeamConvolutionFewArguments &a, int block, int tap, int m, int c)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const int filter = block * 64 + m % Shape::filters_block;
  const int within = tap % (Shape::taps * Shape::tap_rows);
  const int channel = tap / (Shape::taps * Shape::tap_rows) * 8 + c;
  const int row = within / Shape::taps - m / Shape::filters_block, column = within % Shape::taps;
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

/* One warp: starts the copies of a tile's input rows, each channel's rows one by one, from the
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
  constexpr int copies = Config::channels * Shape::patch_rows;
  const SeamConvolutionFewTile<Config> tile (unit);
  const int lane = threadIdx.x % 32;
  const int width = min (Config::width - tile.column, Shape::patch_columns);

  for (int pass = 0; pass < 2; pass++) {
    unsigned int bytes_all = 0;
    for (int i = lane; i < copies; i += 32) {
      const int c = i / Shape::patch_rows, r = i % Shape::patch_rows;
      const long long from =
          (((long long)tile.sample * Config::channels + c) * Config::height + tile.row + r)
              * Config::width
          + tile.column;
      const long long start = from & ~3ll;
      long long end = (from + width + 3) & ~3ll;
      if (end > (n_floats & ~3ll))
        end = n_floats & ~3ll;
      const unsigned int bytes =
          tile.row + r < Config::height && end > start ? (unsigned int)(end - start) * 4 : 0;
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

/* The 128 threads of the bringing warpgroup: raw rows -> planes of pixels x 16 bytes. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_convert (const SeamConvolutionFewArguments &a, int unit,
                              const unsigned char *raw, unsigned char *patch)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr long long n_floats =
      (long long)Config::batch * Config::channels * Config::height * Config::width;
  constexpr int pixels = Shape::patch_rows * Shape::patch_columns;
  const SeamConvolutionFewTile<Config> tile (unit);

#pragma unroll 1
  for (int i = threadIdx.x % 128; i < pixels; i += 128) {
    const int r = i / Shape::patch_columns, column = i % Shape::patch_columns;
    const bool inside = tile.row + r < Config::height && tile.column + column < Config::width;
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
            skip = (((tile.sample * Config::channels + c) % 4 * (Config::height * Config::width % 4)
                     + (tile.row + r) % 4 * (Config::width % 4) + tile.column)
                    & 3);
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
                raw)[(c * Shape::patch_rows + r) * Shape::raw_pitch + skip + column];
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

/* Where a thread of a consumer stands in D. */
template <typename Config> struct SeamConvolutionFewThread {
  using Shape = SeamConvolutionFewShape<Config>;
  int warp, lane, m, packed, filter, column;

  __device__ __forceinline__
  SeamConvolutionFewThread (const SeamConvolutionFewTile<Config> &tile)
  {
    warp = threadIdx.x % 128 / 32;
    lane = threadIdx.x % 32;
    m = warp * 16 + lane / 4;                  /* and m + 8 */
    packed = warp * 16 / Shape::filters_block; /* output row within a product, the warp's */
    filter = tile.block * 64 + m % Shape::filters_block; /* and + 8 */
    column = tile.column + lane % 4 * 2;                 /* and + 1, + 8 j */
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
  for (int h = 0; h < 2; h++) {
    const int filter = min (thread.filter + 8 * h, Config::filters - 1);
    float v[n > 0 ? n : 1];
#pragma unroll
    for (int i = 0; i < n; i++)
      v[i] = __ldg (a.vectors[i] + filter);
#pragma unroll
    for (int segment = 0; segment < Config::segments; segment++)
#pragma unroll
      for (int j = 0; j < Shape::columns / 8; j++)
#pragma unroll
        for (int e = 0; e < 2; e++)
          d[segment][4 * j + 2 * h + e] = Tail::apply (d[segment][4 * j + 2 * h + e], v);
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
  const int n_columns = min (Shape::columns, Shape::out_width - tile.column);
  float2 *rows = reinterpret_cast<float2 *> (reduction);

  int n_rows = 0;
#pragma unroll
  for (int segment = 0; segment < Config::segments; segment++)
    n_rows += tile.row + segment * Shape::rows + thread.packed < Shape::out_height;
  const float n = (float)(n_rows * n_columns);

#pragma unroll
  for (int h = 0; h < 2; h++) {
    /* Sums about the row's first value, one for the four lanes of a row of D. */
    const float about = __shfl_sync (0xffffffffu, d[0][2 * h], thread.lane & ~3);
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int segment = 0; segment < Config::segments; segment++) {
      if (tile.row + segment * Shape::rows + thread.packed < Shape::out_height) {
#pragma unroll
        for (int j = 0; j < Shape::columns / 8; j++)
#pragma unroll
          for (int e = 0; e < 2; e++) {
            const float away = d[segment][4 * j + 2 * h + e] - about;
            if (seam_convolution_few_inside<Config> (thread.column + e, j)) {
              sum += away;
              squares += away * away;
            }
          }
      }
    }
    sum += __shfl_xor_sync (0xffffffffu, sum, 1);
    squares += __shfl_xor_sync (0xffffffffu, squares, 1);
    sum += __shfl_xor_sync (0xffffffffu, sum, 2);
    squares += __shfl_xor_sync (0xffffffffu, squares, 2);
    const float away = n > 0 ? sum / n : 0.0f;
    if (thread.lane % 4 == 0)
      rows[thread.m + 8 * h] =
          n > 0 ? make_float2 (about + away, squares - sum * away) : make_float2 (0.0f, 0.0f);
  }
  seam_named_barrier_sync (barrier_name, 128);

  const int group = threadIdx.x % 128;
  if (group < Shape::groups) {
    double first = 0.0, second = 0.0;
    int count = 0;
    for (int packed = 0; packed < Shape::rows; packed++) {
      int rows_valid = 0;
      for (int segment = 0; segment < Config::segments; segment++)
        rows_valid += tile.row + segment * Shape::rows + packed < Shape::out_height;
      const int n_row = rows_valid * n_columns;
      for (int k = 0; k < Shape::group_filters; k++) {
        const float2 row = rows[packed * Shape::filters_block + group * Shape::group_filters + k];
        first += (double)n_row * row.x;
        second += (double)row.y + (double)n_row * row.x * row.x;
        count += n_row;
      }
    }
    /* The squared deviations are about the mean as it is published, rounded. */
    const float mean = (float)(first / count);
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

/* Mean and 1 / deviation of the groups of a sample and block into `finals`, by the 128 threads of a
 * warpgroup (`n_threads` others where a block has no roles), waiting for what is not yet published.
 */
template <typename Config, int n_threads>
SEAM_DEVICE void
seam_convolution_few_combine (const SeamConvolutionFewArguments &a, int sample, int block,
                              double2 *sums, float2 *finals, int barrier_name)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int parts = n_threads / Shape::groups, stride = parts * Shape::groups;
  constexpr int in_flight = 4;
  const int i = threadIdx.x % n_threads, group = i % Shape::groups, part = i / Shape::groups;
  const unsigned long long *from =
      a.partials + ((long long)sample * Config::blocks_k + block) * Config::tiles * Shape::groups;

  double first = 0.0, second = 0.0;
  if (i < stride) {
#pragma unroll 1
    for (int tile = part; tile < Config::tiles; tile += in_flight * parts) {
      unsigned long long bits[in_flight];
#pragma unroll
      for (int k = 0; k < in_flight; k++)
        if (tile + k * parts < Config::tiles)
          bits[k] = seam_convolution_few_poll (from + (tile + k * parts) * Shape::groups + group);
#pragma unroll
      for (int k = 0; k < in_flight; k++) {
        const int t = tile + k * parts;
        if (t < Config::tiles) {
          if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
            unsigned int polls = 0;
            while (bits[k] == SEAM_CONVOLUTION_FEW_EMPTY) {
              bits[k] = seam_convolution_few_poll (from + t * Shape::groups + group);
              if (SEAM_SPIN_LIMIT && ++polls > SEAM_SPIN_LIMIT)
                __trap ();
            }
          }
          const float mean = __uint_as_float ((unsigned int)bits[k]);
          const float squares = __uint_as_float ((unsigned int)(bits[k] >> 32));
          const int n_rows =
              min (Shape::rows * Shape::segments,
                   Shape::out_height - t / Config::strips * (Shape::rows * Shape::segments));
          const int n_columns =
              min (Shape::columns, Shape::out_width - t % Config::strips * Shape::columns);
          const double n = (double)(n_rows * n_columns * Shape::group_filters);
          first += n * mean;
          second += (double)squares + n * mean * mean;
        }
      }
    }
  }
  sums[i] = make_double2 (first, second);
  seam_named_barrier_sync (barrier_name, n_threads);
  if (i < Shape::groups) {
    for (int k = 1; k < parts; k++) {
      const double2 other = sums[k * Shape::groups + i];
      first += other.x;
      second += other.y;
    }
    constexpr double n = (double)Shape::group_filters * Shape::out_height * Shape::out_width;
    const double mean = first * (1.0 / n), variance = second * (1.0 / n) - mean * mean;
    finals[i] = make_float2 (
        (float)mean, 1.0f / sqrtf ((float)fmax (variance, 0.0) + (float)SEAM_GROUPNORM_EPSILON));
  }
  seam_named_barrier_sync (barrier_name, n_threads);
}

template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few_normalize_tile (
    float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const SeamConvolutionFewArguments &a, const SeamConvolutionFewThread<Config> &thread,
    const float2 *finals)
{
  using Shape = SeamConvolutionFewShape<Config>;
#pragma unroll
  for (int h = 0; h < 2; h++) {
    const int filter = min (thread.filter + 8 * h, Config::filters - 1);
    const float2 final = finals[filter % 64 / Shape::group_filters];
    const float weight = __ldg (a.vectors[Tail::n_vectors] + filter);
    const float bias = __ldg (a.vectors[Tail::n_vectors + 1] + filter);
#pragma unroll
    for (int segment = 0; segment < Config::segments; segment++)
#pragma unroll
      for (int j = 0; j < Shape::columns / 8; j++)
#pragma unroll
        for (int e = 0; e < 2; e++)
          d[segment][4 * j + 2 * h + e] =
              seam_op_normalize (d[segment][4 * j + 2 * h + e], final.x, final.y, weight, bias);
  }
}

SEAM_DEVICE void
seam_convolution_few_store_pair (float *to, float x, float y)
{
  asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(x), "f"(y) : "memory");
}

/* Stores a tile. Four lanes hold 8 neighbouring pixels, 32 bytes, but rows start anywhere among the
 * 32-byte sectors of memory, and half sectors cost as much as whole ones. So the lanes before the
 * first sector boundary are one block of 8 pixels ahead: each store then fills whole sectors. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_store (
    const float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const SeamConvolutionFewArguments &a, const SeamConvolutionFewTile<Config> &tile,
    const SeamConvolutionFewThread<Config> &thread)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int blocks = Shape::columns / 8;
#pragma unroll
  for (int segment = 0; segment < Config::segments; segment++) {
    const int row = tile.row + segment * Shape::rows + thread.packed;
#pragma unroll
    for (int h = 0; h < 2; h++) {
      const int filter = thread.filter + 8 * h;
      if (row >= Shape::out_height || filter >= Config::filters)
        continue;
      float *to = a.y
                  + (((long long)tile.sample * Config::filters + filter) * Shape::out_height + row)
                        * Shape::out_width
                  + thread.column;
      if constexpr (Shape::out_width % 2 == 0) {
        const unsigned int first =
            ((unsigned int)(unsigned long long)(to - thread.lane % 4 * 2) >> 2) & 7;
        const bool ahead = thread.lane % 4 * 2 < ((8 - first) & 7);
        if (ahead && seam_convolution_few_inside<Config> (thread.column, 0))
          seam_convolution_few_store_pair (to, d[segment][2 * h], d[segment][2 * h + 1]);
        float *shifted = to + (ahead ? 8 : 0);
#pragma unroll
        for (int j = 0; j + 1 < blocks; j++) {
          const float x = ahead ? d[segment][4 * j + 4 + 2 * h] : d[segment][4 * j + 2 * h];
          const float y = ahead ? d[segment][4 * j + 5 + 2 * h] : d[segment][4 * j + 1 + 2 * h];
          if ((Config::strips == 1 && j * 8 + 16 <= Shape::out_width)
              || thread.column + (ahead ? 8 : 0) + j * 8 < Shape::out_width)
            seam_convolution_few_store_pair (shifted + 8 * j, x, y);
        }
        if (!ahead && seam_convolution_few_inside<Config> (thread.column, blocks - 1))
          seam_convolution_few_store_pair (to + 8 * (blocks - 1),
                                           d[segment][4 * (blocks - 1) + 2 * h],
                                           d[segment][4 * (blocks - 1) + 2 * h + 1]);
      } else {
#pragma unroll
        for (int j = 0; j < blocks; j++)
#pragma unroll
          for (int e = 0; e < 2; e++)
            if (seam_convolution_few_inside<Config> (thread.column + e, j))
              to[8 * j + e] = d[segment][4 * j + 2 * h + e];
      }
    }
  }
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
  const unsigned int full = base + Shape::barrier_at, empty = full + 8 * Config::consumers,
                     fetched = empty + 8 * Config::consumers;

  if (threadIdx.x == 0) {
    for (int i = 0; i < Config::consumers; i++) {
      seam_mbarrier_init (full + 8 * i, 128);
      seam_mbarrier_init (empty + 8 * i, 128);
    }
    for (int i = 0; i < Config::raw_stages; i++)
      seam_mbarrier_init (fetched + 8 * i, 1);
    seam_mbarrier_init_fence ();
  }
  seam_convolution_few_load_weights<Config> (a, shared);
  seam_fence_proxy_async ();
  __syncthreads ();

  const int warpgroup = threadIdx.x / 128;
  if (warpgroup == Config::consumers) {
    /* Brings x. Of the tiles on their way, number k of this block goes through raw stage k %
     * stages. */
    if constexpr (Config::consumers == 3)
      seam_registers_decrease<32> ();
    else if constexpr (Config::consumers == 2)
      seam_registers_decrease<40> ();
    const bool fetches = threadIdx.x % 128 < 32;
    int ahead = 0, n_ahead = 0;
    for (int i = 0, n = 0;; i++) {
      const int unit = seam_convolution_few_unit<Config> (i);
      if (unit == -2)
        break;
      if (fetches) {
        while (n_ahead < n + Config::raw_stages) {
          const int next = seam_convolution_few_unit<Config> (ahead);
          if (next == -2)
            break;
          ahead++;
          if (next == -1)
            continue;
          const int stage = n_ahead++ % Config::raw_stages;
          seam_convolution_few_fetch<Config> (
              a, next, base + Shape::raw_at + stage * Shape::raw_bytes, fetched + 8 * stage);
        }
      }
      if (unit == -1)
        continue;
      const int stage = n % Config::raw_stages, consumer = i % Config::consumers;
      seam_mbarrier_wait (fetched + 8 * stage, n / Config::raw_stages & 1);
      seam_mbarrier_wait (empty + 8 * consumer, (i / Config::consumers & 1) ^ 1);
      seam_convolution_few_convert<Config> (
          a, unit, shared + Shape::raw_at + stage * Shape::raw_bytes,
          shared + Shape::patch_at + consumer * Shape::patch_bytes);
      seam_fence_proxy_async ();
      seam_mbarrier_arrive (full + 8 * consumer);
      seam_named_barrier_sync (1, 128); /* the raw stage is free */
      n++;
    }
  } else {
    if constexpr (Config::consumers == 3)
      seam_registers_increase<160> ();
    else if constexpr (Config::consumers == 2)
      seam_registers_increase<216> ();
    unsigned char *reduction =
        shared + Shape::reduction_at + warpgroup * SEAM_CONVOLUTION_FEW_REDUCTION_BYTES;
    double2 *sums = reinterpret_cast<double2 *> (reduction + 512);
    float2 *finals = reinterpret_cast<float2 *> (reduction + 512 + 2048);
    for (int i = warpgroup, phase = 0;; i += Config::consumers) {
      const int unit = seam_convolution_few_unit<Config> (i);
      if (unit < 0)
        break;
      const SeamConvolutionFewTile<Config> tile (unit);
      const SeamConvolutionFewThread<Config> thread (tile);
      float d[Config::segments][Shape::columns / 2];

      seam_mbarrier_wait (full + 8 * warpgroup, phase);
      phase ^= 1;
      seam_convolution_few_multiply<Config> (
          d, base + tile.block * Shape::steps * SEAM_CONVOLUTION_FEW_STEP_BYTES,
          base + Shape::patch_at + warpgroup * Shape::patch_bytes);
      seam_mbarrier_arrive (empty + 8 * warpgroup);

      seam_convolution_few_tail<Config, Tail> (d, a, thread);
      if constexpr (Shape::statistics && Config::mode != SEAM_CONVOLUTION_FEW_APPLY)
        seam_convolution_few_publish<Config> (d, a, tile, thread, reduction, 2 + warpgroup);
      if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_APPLY
                    || Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
        seam_convolution_few_combine<Config, 128> (a, tile.sample, tile.block, sums, finals,
                                                   2 + warpgroup);
        seam_convolution_few_normalize_tile<Config, Tail> (d, a, thread, finals);
      }
      if constexpr (Config::mode != SEAM_CONVOLUTION_FEW_STATISTICS)
        seam_convolution_few_store<Config> (d, a, tile, thread);
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
  __shared__ float2 finals[64];
  const int sample = blockIdx.x / Config::filters, filter = blockIdx.x % Config::filters;
  seam_convolution_few_combine<Config, 256> (a, sample, filter / 64, sums, finals, 0);

  const float2 final = finals[filter % 64 / Shape::group_filters];
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
