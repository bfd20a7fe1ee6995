/* SPDX-License-Identifier: MIT
 *
 * The output side of convolution-few.cuh: stores the tiles that registers hold: through shared
 * memory if the layout of rows allows whole 32-byte sectors, else directly; and those that wait in
 * shared memory. Read convolution-few.cuh first.
 */
#pragma once

#include "kernels/cuda/hand/convolution-few-patch.cuh"

/* The end of a row that waits for the first pixels of the next row, in another tile: see below. */
template <typename Config> struct SeamConvolutionFewPending {
  using Shape = SeamConvolutionFewShape<Config>;
  static constexpr bool flat = Config::strips == 1 && Config::share == 1
                               && Shape::out_width % 2 == 0 && Shape::out_width >= 16;
  static constexpr bool across_tiles =
      flat && Shape::rows <= 2 && Config::mode != SEAM_CONVOLUTION_FEW_RESIDENT;
  float x[Shape::n_runs], y[Shape::n_runs];
  bool some;
};

/* Stores a pair of neighbours like seam_store_pair, in the type of y. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_store_pair (typename SeamConvolutionFewShape<Config>::Output *to, bool valid,
                                 bool second, float x0, float y0, float x1, float y1)
{
  using Shape = SeamConvolutionFewShape<Config>;
  if constexpr (Shape::output == SEAM_OPERAND_FP32)
    seam_store_pair (to, valid, second, x0, y0, x1, y1);
  else if (valid)
    *reinterpret_cast<unsigned int *> (to) =
        seam_pack_pair<Shape::output> (second ? x1 : x0, second ? y1 : y0);
}

template <typename Config>
SEAM_DEVICE void
seam_convolution_few_store_4 (typename SeamConvolutionFewShape<Config>::Output *to, float4 x)
{
  using Shape = SeamConvolutionFewShape<Config>;
  if constexpr (Shape::output == SEAM_OPERAND_FP32)
    *reinterpret_cast<float4 *> (to) = x;
  else
    *reinterpret_cast<uint2 *> (to) = make_uint2 (seam_pack_pair<Shape::output> (x.x, x.y),
                                                  seam_pack_pair<Shape::output> (x.z, x.w));
}

/* Stores a tile. Four lanes hold 8 neighbouring pixels, 32 bytes, but rows start anywhere in the
 * 32-byte sectors of memory, and a sector written in parts costs the L2 cache several times as much
 * as a whole one (H200: all of y 0.62 ms instead of 0.17). So lanes before a row's first sector
 * boundary work one block of 8 pixels ahead, and each store fills whole sectors, or half sectors if
 * y has 16 bits in memory. Rows one below the other are contiguous: the rest of a row waits for the
 * first pixels of the next one, which a shuffle brings to the free lanes. `more`: the next tile of
 * this warpgroup continues this one. */
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
  using Output = typename Shape::Output;
  constexpr int blocks = Shape::columns / 8, pairs = Shape::out_width / 2;
  const int t = thread.lane % 4;

#pragma unroll
  for (int run = 0; run < Shape::n_runs; run++) {
    const int filter = thread.filter + (Shape::n_filters == 2 ? 8 * run : 0);
    const int first_row = thread.run_row (run);
    const bool mine = filter < Config::filters;
    Output *start =
        static_cast<Output *> (a.y)
        + (((long long)tile.sample * Config::filters + filter) * Shape::out_height + first_row)
              * Shape::out_width
        + thread.start; /* start of the row */
    bool merge = Pending::across_tiles && pending->some;
    float rest_x = pending->x[run], rest_y = pending->y[run];
#pragma unroll
    for (int k = 0; k < Shape::run_rows; k++) {
      if (first_row + k >= Shape::out_height)
        break;
      const float *row =
          &d[Shape::segment_of (run, k)][2 * Shape::half_of (run, k)]; /* + 4 j + e */
      /* Pairs of pixels before the first sector boundary. */
      const int lead = (4 - (int)((unsigned long long)start / (2 * sizeof (Output)))) & 3;
      const int ahead = t < lead;
      if constexpr (Pending::flat) {
        /* The sector that ends at that boundary: this lane's pair, counted from this row's
         * start. */
        const int pair = lead - 4 + ((t - pairs - lead) & 3);
        const int from = (thread.lane & ~3) | ((t - pairs) & 3);
        const float x = __shfl_sync (0xffffffffu, row[0], from);
        const float y = __shfl_sync (0xffffffffu, row[1], from);
        if (merge)
          seam_convolution_few_store_pair<Config> (start + 2 * pair, mine && lead > 0, pair < 0, x,
                                                   y, rest_x, rest_y);
        else
          seam_convolution_few_store_pair<Config> (start + 2 * t, mine && ahead, false, row[0],
                                                   row[1], 0, 0);
        const int full = (pairs - lead) / 4; /* full sectors */
        constexpr int least = (pairs - 3) / 4, most = pairs / 4;
        Output *to = start + 2 * t + 8 * ahead;
#pragma unroll
        for (int j = 0; j < most; j++) {
          constexpr int last = blocks - 1;
          const int next = j + 1 < last ? j + 1 : last;
          seam_convolution_few_store_pair<Config> (to + 8 * j, mine && (j < least || j < full),
                                                   ahead, row[4 * j], row[4 * j + 1], row[4 * next],
                                                   row[4 * next + 1]);
        }
        /* The rest of the row, less than a sector. */
        const int block = full + ahead;
#pragma unroll
        for (int j = least; j < blocks; j++)
          if (j == block) {
            rest_x = row[4 * j];
            rest_y = row[4 * j + 1];
          }
        merge = k + 1 < Shape::run_rows ? first_row + k + 1 < Shape::out_height : more;
        seam_convolution_few_store_pair<Config> (start + 2 * (4 * block + t),
                                                 mine && !merge && 4 * block + t < pairs, false,
                                                 rest_x, rest_y, 0, 0);
      } else if constexpr (Shape::out_width % 2 == 0) {
        const int left = (Shape::out_width - thread.start) / 2;
        seam_convolution_few_store_pair<Config> (start + 2 * t, mine && ahead && t < left, false,
                                                 row[0], row[1], 0, 0);
        Output *to = start + 2 * t + 8 * ahead;
#pragma unroll
        for (int j = 0; j < blocks; j++) {
          const int next = j + 1 < blocks ? j + 1 : j;
          seam_convolution_few_store_pair<Config> (
              to + 8 * j, mine && 4 * (j + ahead) + t < left && j + ahead < blocks, ahead,
              row[4 * j], row[4 * j + 1], row[4 * next], row[4 * next + 1]);
        }
      } else {
#pragma unroll
        for (int j = 0; j < blocks; j++)
#pragma unroll
          for (int e = 0; e < 2; e++)
            if (mine && seam_convolution_few_inside<Config> (thread.column + e, j))
              start[2 * t + 8 * j + e] = seam_store_as<Shape::output> (row[4 * j + e]);
      }
      start += Shape::out_width;
    }
    pending->x[run] = rest_x;
    pending->y[run] = rest_y;
  }
  pending->some = more;
}

/* Warps that store the same channels wait for each other. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_meet (int barrier_name)
{
  if constexpr (Config::share == 1)
    __syncwarp ();
  else
    seam_named_barrier_sync (barrier_name, 32 * Config::share);
}

/* Numbers of y on their way through shared memory: as they are, or in a parked tile, numbers from
 * -1 to 1 in 16 bits: multiplied and moved into floats from 0.5 to 2, of which the middle bytes are
 * kept. The others are always the same, but for the lowest, which becomes 0x80, so that a number is
 * off by up to 2^-16 / 0.75 = 2.04e-5. */
template <bool parked> struct SeamConvolutionFewStaged {
  static constexpr int bytes = 4;
  float4 x;

  /* Writes pair number `pair` of a channel. */
  static __device__ __forceinline__ void
  store (unsigned int channel, int pair, float x0, float x1)
  {
    seam_shared_store_2 (channel + 8 * pair, x0, x1);
  }

  __device__ __forceinline__ void
  load (unsigned int from)
  {
    x = seam_shared_load_4 (from);
  }

  __device__ __forceinline__ float4
  get (float2) const
  {
    return x;
  }
};

template <> struct SeamConvolutionFewStaged<true> {
  static constexpr int bytes = 2;
  static constexpr float scale = 0.75f - 0x1.8p-16f, zero = 1.25f; /* 1 stays below 2 */
  float2 x;                                                        /* bits of two pairs */

  static __device__ __forceinline__ void
  store (unsigned int channel, int pair, float x0, float x1)
  {
    const unsigned int low = __float_as_uint (seam_op_multiply_add (x0, scale, zero));
    const unsigned int high = __float_as_uint (seam_op_multiply_add (x1, scale, zero));
    seam_shared_store (channel + 4 * pair, __byte_perm (low, high, 0x6521));
  }

  __device__ __forceinline__ void
  load (unsigned int from)
  {
    x = seam_shared_load_2 (from);
  }

  /* The factor and the summand by which get() computes number * factor + summand. */
  static __device__ __forceinline__ float2
  prepare (float factor, float summand)
  {
    const float f = factor * (1.0f / scale);
    return make_float2 (f, seam_op_multiply_add (-zero, f, summand));
  }

  __device__ __forceinline__ float4
  get (float2 prepared) const
  {
    const auto finish = [&] (float pair, unsigned int selector) {
      const unsigned int bits = __byte_perm (__float_as_uint (pair), 0x3f000080u, selector);
      return seam_op_multiply_add (__uint_as_float (bits), prepared.x, prepared.y);
    };
    return make_float4 (finish (x.x, 0x7104), finish (x.x, 0x7324), finish (x.y, 0x7104),
                        finish (x.y, 0x7324));
  }
};

/* Writes the pairs of a piece that part `part` of the tile's columns has, from pair `first` on,
 * into shared memory; `to` is the place of this thread's channel and first pair there. */
template <typename Config, int part>
SEAM_DEVICE void
seam_convolution_few_stage (
    const float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    unsigned int to, int first, int run, int t)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int pairs = Shape::out_width / 2;
  const int end = first + Config::piece / 2;

#pragma unroll
  for (int k = 0; k < Shape::run_rows; k++)
#pragma unroll
    for (int j = 0; j < Shape::columns / 8; j++) {
      const int start = part * (Shape::columns / 2) + 4 * j;
      const int pair = k * pairs + start; /* pair of lane 0 */
      const float *x = &d[Shape::segment_of (run, k)][4 * j + 2 * Shape::half_of (run, k)];
      /* Stays within the row, because the compiler may store the next row first. Writes two pairs
       * more than the piece has, which its last sector may need. */
      if (pair + 3 >= first && pair < end + 2 && (pair >= first || t >= first - pair)
          && (pair + 3 < end + 2 || t < end + 2 - pair) && (start + 3 < pairs || t < pairs - start))
        SeamConvolutionFewStaged<Config::parks>::store (to, pair - first, x[0], x[1]);
    }
}

/* Normalises channel c of this warp's share of parked tile `unit`, from `place`, and stores it, 512
 * bytes at a time, from the first sector boundary after the tile's first pixel to the first one
 * after its last, as store_run does. `prepared`: what get() needs for each filter of the block. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_store_parked (const SeamConvolutionFewArguments &a, int unit, int c,
                                   unsigned int place, const float2 *prepared)
{
  using Shape = SeamConvolutionFewShape<Config>;
  using Staged = SeamConvolutionFewStaged<true>;
  constexpr int run_floats = Shape::run_rows * Shape::out_width,
                steps = (Config::piece + 127) / 128;
  /* If all tiles and warps are alike, a channel has so many floats at least. */
  constexpr int least = Config::filters % Shape::filters_block == 0
                                && Shape::out_height % (Shape::rows * Config::segments) == 0
                            ? run_floats - 7
                            : 0;
  constexpr int most = run_floats + (Config::beyond > 0 ? 4 : 0);
  const SeamConvolutionFewTile<Config> tile (unit);
  const SeamConvolutionFewThread<Config> thread (tile);
  const int channel = thread.part * (8 / Config::share) + c;

#pragma unroll
  for (int run = 0; run < Shape::n_runs; run++) {
    const int first_row = thread.run_row (run), rows_left = Shape::out_height - first_row;
    const int filter =
        thread.filter + (Shape::n_filters == 2 ? 8 * run : 0) - thread.lane / 4 + channel;
    float *y =
        static_cast<float *> (a.y)
        + (((long long)tile.sample * Config::filters + filter) * Shape::out_height + first_row)
              * Shape::out_width;
    const int before = Config::beyond > 0 ? -(int)((unsigned long long)y / sizeof *y) & 7 : 0;
    int floats = min (rows_left, Shape::run_rows) * Shape::out_width;
    if (Config::beyond > 0 && rows_left > Shape::run_rows)
      floats += (before - floats) & 7;
    const int start = first_row > 0 ? before : 0;
    const int n = filter < Config::filters ? floats - start : 0;
    const unsigned int from = place + 4 * run * Shape::run_bytes
                              + (channel * Config::pitch + start + 4 * thread.lane) * Staged::bytes;
    const float2 mine = prepared[filter % 64];
    const auto valid = [&] (int step) {
      return 128 * (step + 1) <= least || 4 * thread.lane + 128 * step < n;
    };
    Staged x[steps];
    y += start + 4 * thread.lane;
#pragma unroll
    for (int s = 0; s < steps; s++)
      if (valid (s))
        x[s].load (from + 128 * s * Staged::bytes);
#pragma unroll
    for (int s = 0; s < steps; s++)
      if (valid (s))
        seam_store_4 (y + 128 * s, x[s].get (mine));
    /* At the beginning of a plane, one more sector may begin here. */
    if (most > 128 * steps && thread.lane == 0 && valid (steps)) {
      x[0].load (from + 128 * steps * Staged::bytes);
      seam_store_4 (y + 128 * steps, x[0].get (mine));
    }
  }
}

/* Stores run `run` of a tile through shared memory: a warp writes the rows of its 8 channels into
 * `stage`, one after the other, reads each back along the row and stores 512 bytes at a time. If
 * rows do not fill whole sectors, a channel's part of y begins and ends at the first sector
 * boundary from the tile's first pixel on, so that no two tiles share a sector; `next`, the first
 * pixels of the row after the tile, completes its last one. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_store_run (
    const float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const float (&next)[4], const SeamConvolutionFewArguments &a,
    const SeamConvolutionFewTile<Config> &tile, const SeamConvolutionFewThread<Config> &thread,
    int run, unsigned int stage, int barrier_name)
{
  using Shape = SeamConvolutionFewShape<Config>;
  using Output = typename Shape::Output;
  constexpr int pairs = Shape::out_width / 2;
  constexpr int run_pairs = Shape::run_rows * pairs;
  constexpr int steps = (Config::piece + 127) / 128, together = Config::share == 2 ? 1
                                                                : 4 / steps > 0    ? 4 / steps
                                                                                   : 1;
  const int t = thread.lane % 4, first_row = thread.run_row (run);
  const int first_filter = thread.filter + (Shape::n_filters == 2 ? 8 * run : 0) - thread.lane / 4;
  const int rows_left = Shape::out_height - first_row;
  Output *y =
      static_cast<Output *> (a.y)
      + (((long long)tile.sample * Config::filters + first_filter) * Shape::out_height + first_row)
            * Shape::out_width;
  const unsigned int to = stage + (thread.lane / 4 * Config::pitch + 2 * t) * 4;
  const int pair_name = barrier_name + threadIdx.x / 32 % 4; /* warps with the same channels */

#pragma unroll
  for (int piece = 0; piece < Config::pieces; piece++) {
    const int first = piece * Config::piece / 2; /* pairs */
    seam_convolution_few_meet<Config> (pair_name);
    if (Config::share == 1 || thread.part == 0)
      seam_convolution_few_stage<Config, 0> (d, to, first, run, t);
    else
      seam_convolution_few_stage<Config, 1> (d, to, first, run, t);
    if (Config::beyond > 0 && run_pairs < first + Config::piece / 2 + 2 && t < 2
        && thread.part == Config::share - 1) {
      const int h = 2 * Shape::next_half (run);
      seam_shared_store_2 (to + 8 * (run_pairs - first), next[h], next[h + 1]);
    }
    seam_convolution_few_meet<Config> (pair_name);

    int lead = (unsigned int)((unsigned long long)y / sizeof (Output)) & 7;
#pragma unroll
    for (int some = 0; some < 8 / Config::share; some += together) {
      float4 x[together][steps];
      Output *from[together];
      int n[together]; /* elements */
#pragma unroll
      for (int k = 0; k < together; k++) {
        constexpr int plane = Shape::out_height * Shape::out_width;
        const int channel = some + k + thread.part * (8 / Config::share);
        /* Floats before the channel's first boundary, and up to its end. */
        const int before = Config::beyond > 0 ? -(lead + channel * (plane % 8)) & 7 : 0;
        int floats = min (rows_left, Shape::run_rows) * Shape::out_width;
        if (Config::beyond > 0 && rows_left > Shape::run_rows)
          floats += (before - floats) & 7;
        const int start = piece == 0 ? first_row > 0 ? before : 0 : piece * Config::piece + before;
        const int stop = piece + 1 == Config::pieces
                             ? floats
                             : min (floats, (piece + 1) * Config::piece + before);
        const unsigned int at =
            stage + (channel * Config::pitch + start - piece * Config::piece) * 4;
        n[k] = first_filter + channel < Config::filters ? stop - start : 0;
        from[k] = y + channel * plane + start;
#pragma unroll
        for (int s = 0; s < steps; s++)
          if (4 * thread.lane + 128 * s < n[k])
            x[k][s] = seam_shared_load_4 (at + 16 * thread.lane + 512 * s);
        /* At the beginning of a plane, one more sector may begin here. */
        if (n[k] > 128 * steps && thread.lane == 0)
          seam_convolution_few_store_4<Config> (from[k] + 128 * steps,
                                                seam_shared_load_4 (at + 512 * steps));
      }
#pragma unroll
      for (int k = 0; k < together; k++)
#pragma unroll
        for (int s = 0; s < steps; s++)
          if (4 * thread.lane + 128 * s < n[k])
            seam_convolution_few_store_4<Config> (from[k] + 4 * thread.lane + 128 * s, x[k][s]);
    }
  }
}
