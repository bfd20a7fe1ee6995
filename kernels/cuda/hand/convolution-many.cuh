/* SPDX-License-Identifier: MIT
 *
 * Convolution over many channels (3x3, 64 to 128 channels, say) as an implicit matrix product on
 * Hopper's tensor cores (sm_90a), straight from NCHW to NCHW, with the elementwise tail applied to
 * the sums in registers: one kernel, x and y through device memory once. Not for few channels
 * (convolution-few.cuh), not for GroupNorm (Tail::groupnorm must be false: a kernel follows).
 *
 * The product: rows are 64 output channels ("filters"), columns 256 output pixels, the depth is
 * channels x taps. wgmma needs its operands in shared memory with the depth contiguous, but in NCHW
 * the pixels are contiguous. One warpgroup of loaders transposes them on the way: 32 lanes read 32
 * neighbouring pixels of a channel, and a thread gathers four (TF32) or eight (16 bits) channels of
 * its pixel, rounds or splits them, and writes 16 bytes: a row of a core matrix without swizzle,
 * [quad of channels][pixel][16 bytes]. Pixels count through whole rows of the input, so a tap
 * (r, s) is the same matrix r * pitch + s pixels further on: im2col is an address. Each row ends in
 * taps - 1 columns that are computed and dropped (1.6 % of 128).
 *
 * The weights of 64 filters (147 KB at 64 channels, 3x3) stay in shared memory for the whole launch
 * of a persistent grid. Blocks 2 i and 2 i + 1 work on the same pixels for two halves of 128
 * filters. Except in FP16x3 they form a cluster, and each loads half of the channels for both. Two
 * warpgroups multiply, and take tiles by turns: while one writes its tile out, the other has the
 * tensor cores. Output goes through shared memory, because runs from registers would cross sectors:
 * if a tile is one run of y in each filter and there is room for eight of them a warp, bulk copies
 * store them while the warps go on; else warps store runs of 256 bytes. Loaders keep several steps
 * of loads under way and prefetch the next tile into the second-level cache.
 *
 * Math modes bf16 and fp16 work like TF32 with 16 channels in place of 8: operands rounded to
 * nearest even, half the bytes of weights and patches in shared memory, half the products. Numbers
 * beyond 65504 become infinite in fp16. In these modes x and the weight, and y, may have 16 bits of
 * that type in memory (Config::input, output).
 *
 * Math mode tf32x is fp16 with powers of two: TF32's accuracy for half of its products. A kernel
 * before (scale.cu) finds that of each filter, and guesses that of each sample from a part of its
 * numbers; the guess leaves room for others that are 8 times as large. Loaders multiply by it and
 * look for infinity among the results; the tail divides the sums by both, exactly. If infinity came
 * up (Arguments::exceeded), a TF32 kernel after this one (Config::again) computes everything again;
 * else it ends at once.
 *
 * Class F is FP16x3 with the same powers of two. If infinity came up, two kernels after this one do
 * something: the first finds exact powers of two, with which the second computes everything again.
 * Tensor cores truncate when they add, so of a stage the small products come first, and operands
 * make up for the truncation (seam_make_up in hopper-operands.cuh): a tap's weights for the taps
 * after it, the input for the stages after its own.
 *
 * How to launch (host, see convolution-many.h):
 *   SeamConvolutionManyPlan plan = { math, input, output, batch, channels, filters, taps, height,
 *     width, again };
 *   reason = seam_convolution_many_plan (&plan, shared memory of a block); NULL: it can run
 *   source: struct Config with static constexpr int math, input, output, batch, channels, filters,
 *     taps, height, width, again, run, staging, pitch, stages (all from the plan);
 *   launch: grid seam_convolution_many_grid (&plan, multiprocessors) x 1 x 1 in clusters of
 *     plan.cluster (1 or 2), SEAM_CONVOLUTION_MANY_THREADS (384) threads, plan.shared bytes of
 *     dynamic shared memory (to be allowed first: more than 48 KB); no scratch memory, no other
 *     kernel, except in class F and math mode tf32x. x, weight and y 16-byte aligned;
 * vectors[0..n_vectors) of the tail, [filters] each. Any batch, filters, height and width; taps 1
 * to 7; sm_90a only. The plan refuses a shape whose weights, channels (rounded up to 8 in TF32,
 * else 16) x taps^2 x 256 bytes (128 in 16 bits), and two stages exceed the limit. On Hopper (227
 * KB) at most channels at 128x128 in TF32 (FP16x3; 16 bits): 1x1: 776 (704; 1552), 2x2: 192 (176;
 * 384), 3x3: 80 (64; 160), 4x4: 48 (32; 96), 5x5: 24 (16; 48), 6x6: 16 (16; 32), 7x7: 8 (0; 16).
 *
 * What limits it: writing a tile out takes as long as multiplying one. wgmma's operands take 80 of
 * the 128 bytes a cycle that shared memory and L1 share; loads, transposed stores, exchange and
 * output need about 40 more. Measurements: kernels/ladder.csv.
 */
#pragma once

#include "kernels/cuda/hand/convolution-many.h"
#include "kernels/cuda/hand/hopper-operands.cuh"
#include "kernels/cuda/stored.cuh"
#include "kernels/operand.h"

/* Constants that follow from a Config. */
template <typename Config> struct SeamConvolutionMany {
  static constexpr int filters = SEAM_CONVOLUTION_MANY_FILTERS;
  static constexpr int pixels = SEAM_CONVOLUTION_MANY_PIXELS;
  static constexpr int taps = Config::taps, area = taps * taps;
  static constexpr int plane = Config::height * Config::width;
  static constexpr int rows = Config::height - taps + 1, columns = Config::width - taps + 1;

  /* A tile is 256 pixels of a strip of columns. They count the taps - 1 useless pixels at the end
   * of each row, so that a tap is the same shift for all of them. */
  static constexpr int pitch = Config::pitch, strip = pitch - taps + 1;
  static constexpr int n_strips = (columns + strip - 1) / strip;
  static constexpr int strip_tiles = (rows * pitch + pixels - 1) / pixels;
  static constexpr int n_tiles = Config::batch * n_strips * strip_tiles;
  static constexpr int n_blocks_k = (Config::filters + filters - 1) / filters;

  /* A stage is the patch of a tile in `chunk` channels, 32 bytes for each pixel and octet of
   * channels: TF32 [quad][pixel][4 floats], FP16x3 [octet][high, low][pixel][8]. Rounded to 16 bits
   * it is 16 bytes: [octet][pixel][8]. If rows end with a tile, the last taps - 1 pixels serve
   * useless columns only and are not loaded. */
  static constexpr bool tf32 = Config::math == SEAM_CONVOLUTION_MANY_TF32;
  static constexpr bool splits = Config::math == SEAM_CONVOLUTION_MANY_FP16X3;
  static constexpr bool scaled = splits || Config::math == SEAM_CONVOLUTION_MANY_SCALED;
  static constexpr bool fp16 = scaled || Config::math == SEAM_CONVOLUTION_MANY_FP16;
  static constexpr int patch = pixels + (taps - 1) * (pitch + 1);
  static constexpr int loaded = pixels % pitch == 0 ? pixels + (taps - 1) * pitch : patch;
  static constexpr int plane_bytes = (patch + 7) / 8 * 8 * 16;
  static constexpr int n_octets = tf32 ? 1 : 2, chunk = n_octets * 8;
  static constexpr int n_chunks = (Config::channels + chunk - 1) / chunk;
  static constexpr int octet_planes = tf32 || splits ? 2 : 1;
  static constexpr int stage_bytes = n_octets * octet_planes * plane_bytes;
  static constexpr int k_stride = splits ? 2 * plane_bytes : plane_bytes;

  /* Weights: [chunk][tap][high, low][16 bytes of k: 2][filter][16 bytes]; low in FP16x3 only. */
  static constexpr int slab_bytes = filters * 32;
  static constexpr int tap_bytes = slab_bytes * (splits ? 2 : 1);
  static constexpr int weight_bytes = n_chunks * area * tap_bytes;

  /* Two blocks of a cluster work on the same patch for different filters: each loads half of the
   * channels of a stage (TF32: a quad, 16 bits: an octet) and writes it into both. */
  static constexpr bool shares = !splits && n_blocks_k % 2 == 0;
  static constexpr int cluster = shares ? 2 : 1;
  static constexpr int shared_bytes = loaded * 16;

  /* Types of x, weight and y in memory. x and weight have 16 bits only in the type of the math
   * mode, and are then copied unchanged. */
  static constexpr SeamOperandType output = (SeamOperandType)Config::output;
  static constexpr bool stored = Config::input != SEAM_OPERAND_FP32;
  typedef typename SeamElement<(SeamOperandType)Config::input>::Stored Stored;

  /* In a step of loading, a thread loads `batch` pixels of `depth` channels. */
  static constexpr int depth = shares && tf32 ? 4 : 8;
  static constexpr int n_loaders = 128, n_buffers = splits ? 2 : !tf32 ? 3 : shares ? 6 : 4;
  static constexpr int thread_pixels = (loaded + n_loaders - 1) / n_loaders;
  static constexpr int n_batches = (thread_pixels + 3) / 4;
  static constexpr int batch = (thread_pixels + n_batches - 1) / n_batches;
  static constexpr int n_steps = (shares ? 1 : n_octets) * n_batches;
};

struct SeamConvolutionManyShared {
  unsigned int weights, ring, staging, full, empty; /* shared addresses */
  unsigned int rank, to_other; /* rank in the cluster; offset from an address here to the same one
                                * in the other block */
};

/* Eight channels of one pixel (or filter) as wgmma reads them: two rows of core matrices, which
 * hold four channels each (in TF32, if `depth` is 4, the first), or the high and the low parts of
 * all; or one row of all, rounded to 16 bits. In class F and tf32x they are multiplied by a power of
 * two first. `once`: a weight. */
template <typename Config, int depth, bool once = false>
SEAM_DEVICE void
seam_many_convert (const float *v, float scale, unsigned int (&first)[4], unsigned int (&second)[4])
{
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if constexpr (SeamConvolutionMany<Config>::splits) {
      seam_split_fp16_for<once ? Config::channels * Config::taps * Config::taps : 0> (
          v[2 * i] * scale, v[2 * i + 1] * scale, &first[i], &second[i]);
    } else if constexpr (SeamConvolutionMany<Config>::scaled) {
      first[i] = seam_pack_fp16 (v[2 * i] * scale, v[2 * i + 1] * scale);
    } else if constexpr (SeamConvolutionMany<Config>::tf32) {
      first[i] = seam_round_tf32 (v[i]);
      if (depth == 8)
        second[i] = seam_round_tf32 (v[4 + i]);
    } else {
      first[i] = seam_pack_16<SeamConvolutionMany<Config>::fp16> (v[2 * i], v[2 * i + 1]);
    }
  }
}

/* The same for numbers that already have the operand's 16 bits. */
template <typename Config, int, bool = false>
SEAM_DEVICE void
seam_many_convert (const unsigned short *v, float, unsigned int (&first)[4], unsigned int (&)[4])
{
#pragma unroll
  for (int i = 0; i < 4; i++)
    first[i] = v[2 * i] | (unsigned int)v[2 * i + 1] << 16;
}

template <typename Config, typename Element>
SEAM_DEVICE void
seam_many_put (unsigned int address, unsigned int stride, const Element *v, float scale)
{
  unsigned int first[4], second[4];
  seam_many_convert<Config, 8, true> (v, scale, first, second);
  seam_shared_store_4 (address, first);
  if constexpr (SeamConvolutionMany<Config>::octet_planes == 2)
    seam_shared_store_4 (address + stride, second);
}

/* Writes the weights of this block's filters to shared memory, with the 256 threads that multiply.
 * Filters and channels that do not exist are zeros. A thread takes eight channels of a filter with
 * all taps, which are neighbours in memory; neighbouring threads take neighbouring filters, for
 * 16-byte stores without bank conflicts. */
template <typename Config>
SEAM_DEVICE void
seam_many_load_weights (const SeamConvolutionManyArguments &a, unsigned int to, int block_k,
                        int thread)
{
  using S = SeamConvolutionMany<Config>;
  using Element = typename S::Stored;
  constexpr int per_filter = Config::channels * S::area;
  constexpr bool whole = Config::channels % S::chunk == 0 && S::area <= 9 && !S::stored;
#pragma unroll 1
  for (int item = thread; item < S::n_chunks * S::n_octets * S::filters; item += 256) {
    const int k = item % S::filters, octet = item / S::filters;
    const int filter = block_k * S::filters + k;
    const Element *from = static_cast<const Element *> (a.weight) + (long long)filter * per_filter
                          + octet * 8 * S::area;
    float scale = 1.0f;
    if (S::scaled && filter < Config::filters)
      scale = __ldg (a.scales + Config::batch + filter) * (S::splits ? seam_uneven : 1.0f);
    const int chunk = octet / S::n_octets;
    const unsigned int slab =
        to + chunk * S::area * S::tap_bytes + octet % S::n_octets * (S::slab_bytes / 2) + k * 16;
    constexpr unsigned int stride = S::splits ? S::slab_bytes : S::slab_bytes / 2;
    float values[whole ? 8 * S::area : 1];
#pragma unroll
    for (int i = 0; i < 2 * S::area && whole; i++) {
      float4 four = make_float4 (0, 0, 0, 0);
      if (filter < Config::filters)
        four = __ldg ((const float4 *)from + i);
      values[4 * i] = four.x, values[4 * i + 1] = four.y;
      values[4 * i + 2] = four.z, values[4 * i + 3] = four.w;
    }
#pragma unroll(whole ? S::area : 1)
    for (int tap = 0; tap < S::area; tap++) {
      Element v[8];
#pragma unroll
      for (int c = 0; c < 8; c++) {
        const bool exists = filter < Config::filters && octet * 8 + c < Config::channels;
        if constexpr (whole)
          v[c] = values[c * S::area + tap];
        else
          v[c] = exists ? __ldg (from + c * S::area + tap) : Element (0);
      }
      seam_many_put<Config> (slab + tap * S::tap_bytes, stride, v,
                             S::splits ? scale * seam_make_up (S::area - 1 - tap) : scale);
    }
  }
}

/* The tiles of this block. */
struct SeamConvolutionManyRange {
  int first, end, step;
};

/* What a step loads. The power of two travels with the numbers: a load of its own when they are
 * stored would wait for all loads under way. */
template <typename Config> struct SeamConvolutionManyBuffer {
  using S = SeamConvolutionMany<Config>;
  typename S::Stored values[S::batch * S::depth];
  float scale;
};

/* The position of the loaders; a step is one batch of pixels of one octet of channels. */
template <typename Config> struct SeamConvolutionManyCursor {
  using S = SeamConvolutionMany<Config>;
  using Element = typename S::Stored;
  int rank; /* rank in the cluster */
  int tile, chunk, step, sample;
  int first, first_column; /* the patch's first pixel, counted in its strip; the strip's first */
  const Element *channel;  /* first channel of the chunk */

  __device__ __forceinline__ void
  enter (const Element *x)
  {
    const int strip = tile / S::strip_tiles;
    sample = strip / S::n_strips;
    first = tile % S::strip_tiles * S::pixels;
    first_column = strip % S::n_strips * S::strip;
    channel = x + (long long)sample * Config::channels * S::plane;
  }

  __device__ __forceinline__ void
  advance (const Element *x, const SeamConvolutionManyRange &range, int thread)
  {
    if (++step < S::n_steps)
      return;
    step = 0;
    channel += (long long)S::chunk * S::plane;
    if (++chunk < S::n_chunks)
      return;
    chunk = 0;
    tile += range.step;
    if (tile < range.end) {
      enter (x);
      prefetch (x, range, thread);
    }
  }

  /* Prefetches the next tile into the second-level cache, so that its loads wait less. */
  __device__ __forceinline__ void
  prefetch (const Element *x, const SeamConvolutionManyRange &range, int thread) const
  {
    constexpr int line_pixels = 128 / sizeof (Element);
    constexpr int n_lines = (S::loaded + line_pixels - 1) / line_pixels;
    SeamConvolutionManyCursor<Config> next;
    next.tile = tile + range.step;
    if (S::shares || S::n_strips > 1 || next.tile >= range.end)
      return;
    next.enter (x);
    for (int line = thread + rank * S::n_loaders; line < n_lines * Config::channels;
         line += S::n_loaders * S::cluster)
      seam_prefetch (next.channel + (long long)(line / n_lines) * S::plane
                     + next.offset (line % n_lines * line_pixels));
  }

  /* Pixels past the end of the plane serve no existing output, so any value will do. */
  __device__ __forceinline__ int
  offset (int pixel) const
  {
    const int at = first + pixel;
    if constexpr (S::n_strips == 1) {
      if constexpr ((S::strip_tiles - 1) * S::pixels + S::loaded <= S::plane)
        return at;
      else
        return at < S::plane ? at : S::plane - 1;
    } else {
      const int row = at / S::pitch, column = first_column + at % S::pitch;
      return (row < Config::height ? row : Config::height - 1) * Config::width
             + (column < Config::width ? column : Config::width - 1);
    }
  }

  __device__ __forceinline__ void
  load (SeamConvolutionManyBuffer<Config> &buffer, const float *scales, int thread) const
  {
    const int part = S::shares ? rank : step / S::n_batches; /* part of the chunk's channels */
    const Element *from = channel + (long long)part * S::depth * S::plane;
    const int left = Config::channels - chunk * S::chunk - part * S::depth;
#pragma unroll
    for (int i = 0; i < S::batch; i++) {
      const int pixel = (step % S::n_batches * S::batch + i) * S::n_loaders + thread;
      if (S::n_batches * S::batch * S::n_loaders == S::loaded || pixel < S::loaded) {
        const Element *at = from + offset (pixel);
#pragma unroll
        for (int c = 0; c < S::depth; c++) {
          if (Config::channels % S::chunk == 0 || c < left)
            buffer.values[S::depth * i + c] = seam_load_once (at + (long long)c * S::plane);
          else
            buffer.values[S::depth * i + c] = Element (0);
        }
      }
    }
    if constexpr (S::scaled)
      buffer.scale = seam_load_once (scales + sample);
  }
};

/* What a step writes: of each pixel a quad or an octet of channels, and the next quad or the low
 * parts. `largest` is the largest |x| so far among numbers that were scaled, two to a word, to see
 * infinity. */
template <typename Config> struct SeamConvolutionManyRows {
  using S = SeamConvolutionMany<Config>;
  unsigned int row[S::batch][4], rest[S::batch][4];

  __device__ __forceinline__ void
  convert (const SeamConvolutionManyBuffer<Config> &buffer, int chunk, unsigned int *largest)
  {
    float scale = buffer.scale;
    if constexpr (S::splits)
      scale *= seam_make_up ((S::n_chunks - 1 - chunk) * 3 * S::area) * seam_uneven;
#pragma unroll
    for (int i = 0; i < S::batch; i++) {
      seam_many_convert<Config, S::depth> (buffer.values + S::depth * i, scale, row[i], rest[i]);
#pragma unroll
      for (int j = 0; j < 4 && S::scaled; j++)
        *largest = seam_larger_fp16 (*largest, row[i][j]);
      if constexpr (S::splits) /* here, not after a wait */
        seam_wgmma_hold (row[i]), seam_wgmma_hold (rest[i]);
    }
  }

  /* Writes them to their place in the stage, here and in the other block of the cluster. */
  __device__ __forceinline__ void
  store (const SeamConvolutionManyShared &shared, unsigned int stage, int step, int thread) const
  {
    const unsigned int part = S::shares ? shared.rank : step / S::n_batches;
    const unsigned int to = shared.ring + stage * S::stage_bytes
                            + part * (S::tf32 ? 1 : S::octet_planes) * S::plane_bytes;
    const unsigned int barrier = shared.full + stage * 8 + shared.to_other;
#pragma unroll
    for (int i = 0; i < S::batch; i++) {
      const int pixel = (step % S::n_batches * S::batch + i) * S::n_loaders + thread;
      const unsigned int address = to + pixel * 16;
      if (S::n_batches * S::batch * S::n_loaders != S::loaded && pixel >= S::loaded)
        continue;
      seam_shared_store_4 (address, row[i]);
      if constexpr (S::shares)
        seam_cluster_send_4 (address + shared.to_other, barrier, row[i]);
      else if constexpr (S::octet_planes == 2)
        seam_shared_store_4 (address + S::plane_bytes, rest[i]);
    }
  }
};

/* The ring's position: which stage, and which of its uses. */
template <typename Config> struct SeamConvolutionManyStage {
  unsigned int index, parity;

  __device__ __forceinline__ void
  set (unsigned int use)
  {
    index = use % Config::stages;
    parity = use / Config::stages & 1;
  }

  __device__ __forceinline__ void
  advance (void)
  {
    if (++index == Config::stages)
      index = 0, parity ^= 1;
  }
};

/* One warpgroup brings patches into the ring, and transposes and rounds them on the way: 32 lanes
 * read 32 neighbouring pixels of a channel, and write 16 bytes for each pixel of four (or eight)
 * channels. Loads of several steps are under way. FP16x3 converts before it waits for a stage,
 * because its ring is short. */
template <typename Config>
SEAM_DEVICE void
seam_many_loader (const SeamConvolutionManyArguments &a, const SeamConvolutionManyShared &shared,
                  const SeamConvolutionManyRange &range, int thread)
{
  using S = SeamConvolutionMany<Config>;
  constexpr int n_buffers = S::n_buffers, together = S::splits ? n_buffers : 1; /* steps */
  const typename S::Stored *const x = static_cast<const typename S::Stored *> (a.x);
  const int n_tiles = (range.end - range.first + range.step - 1) / range.step;
  const int n_all = n_tiles * S::n_chunks * S::n_steps;
  SeamConvolutionManyCursor<Config> cursor;
  SeamConvolutionManyStage<Config> stage;
  SeamConvolutionManyBuffer<Config> buffers[n_buffers] = {}; /* 0 where no pixel is */
  SeamConvolutionManyRows<Config> rows[together];
  unsigned int largest = 0;
  int chunk = 0, step = 0;

  cursor.rank = shared.rank, cursor.tile = range.first, cursor.chunk = 0, cursor.step = 0;
  cursor.enter (x);
  stage.set (0);
  const auto load = [&] (SeamConvolutionManyBuffer<Config> &buffer) {
    if (cursor.tile < range.end) {
      cursor.load (buffer, a.scales, thread);
      cursor.advance (x, range, thread);
    }
  };
#pragma unroll
  for (int i = 0; i < n_buffers; i++)
    load (buffers[i]);
  for (int n_stored = 0; n_stored < n_all;) {
#pragma unroll /* so that the buffer of each step is known at compile time */
    for (int i = 0; i < n_buffers; i += together) {
      if (n_stored == n_all)
        break;
#pragma unroll
      for (int k = 0; k < together && S::splits; k++) {
        rows[k].convert (buffers[k], chunk, &largest);
        buffers[k] = {}; /* which frees registers */
      }
      if (step == 0)
        seam_mbarrier_wait (shared.empty + stage.index * 8, stage.parity ^ 1);
#pragma unroll
      for (int k = 0; k < together; k++) {
        if (!S::splits)
          rows[k].convert (buffers[i + k], chunk, &largest);
        rows[k].store (shared, stage.index, step + k, thread);
      }
      n_stored += together;
      /* The reader executes the fence that lets wgmma see these stores: here it would wait for the
       * loads under way. */
      step += together;
      if (step == S::n_steps) {
        __syncwarp ();
        if (S::shares && thread == 0)
          seam_mbarrier_arrive_expect (shared.full + stage.index * 8, S::shared_bytes);
        else if (thread % 32 == 0)
          seam_mbarrier_arrive (shared.full + stage.index * 8);
        stage.advance ();
        step = 0;
        chunk = chunk + 1 == S::n_chunks ? 0 : chunk + 1;
      }
#pragma unroll
      for (int k = 0; k < together; k++)
        load (buffers[i + k]);
    }
  }
  if (S::scaled && seam_has_infinity (largest))
    *a.exceeded = 1;
}

/* Reports that a warp has read a stage, so that both blocks of a cluster may write it again. */
template <typename Config>
SEAM_DEVICE void
seam_many_release (const SeamConvolutionManyShared &shared, unsigned int stage, int lane)
{
  const unsigned int barrier = shared.empty + stage * 8;
  if (lane == 0)
    seam_mbarrier_arrive (barrier);
  if (SeamConvolutionMany<Config>::shares && lane == 0)
    seam_mbarrier_arrive_cluster (barrier + shared.to_other);
}

/* All products of one stage. A tap moves the start of B by its number of pixels. */
template <typename Config>
SEAM_DEVICE void
seam_many_multiply (float (&sums)[128], unsigned int weights, unsigned int patch, bool first)
{
  using S = SeamConvolutionMany<Config>;
  using Wgmma = SeamWgmma<SEAM_CONVOLUTION_MANY_PIXELS>;
  /* Without this, the compiler keeps every descriptor in registers from one stage to the next. */
  asm volatile("" : "+r"(weights), "+r"(patch));
  const unsigned long long a0 = seam_descriptor (weights, S::filters * 16, 128, SEAM_SWIZZLE_NONE);
  const unsigned long long b0 = seam_descriptor (patch, S::k_stride, 128, SEAM_SWIZZLE_NONE);
  /* 0: w_low x_high, 1: w_high x_low, 2: w_high x_high */
  constexpr int first_part = S::splits ? 0 : 2;
#pragma unroll
  for (int part = first_part; part < 3; part++) {
#pragma unroll
    for (int tap = 0; tap < S::area; tap++) {
      const unsigned long long a =
          seam_descriptor_advance (a0, tap * S::tap_bytes + (part == 0 ? S::slab_bytes : 0));
      const unsigned long long b = seam_descriptor_advance (
          b0, (tap / S::taps * S::pitch + tap % S::taps) * 16 + (part == 1 ? S::plane_bytes : 0));
      const int add = part > first_part || tap > 0 || !first;
      if constexpr (S::tf32)
        Wgmma::tf32_ss (sums, a, b, add);
      else if constexpr (S::fp16)
        Wgmma::fp16_ss (sums, a, b, add);
      else
        Wgmma::bf16_ss (sums, a, b, add);
    }
  }
}

/* Divides the sums by their powers of two. If the factor is not a normal number, class F takes two,
 * and math mode tf32x leaves sums other than zero to the kernel after this one. */
template <typename Config>
SEAM_DEVICE void
seam_many_unscale (const SeamConvolutionManyArguments &a, float (&sums)[128], int tile, int thread)
{
  using S = SeamConvolutionMany<Config>;
  const float of_x =
      seam_operand_invert_scale (__ldg (a.scales + tile / S::strip_tiles / S::n_strips))
      * (S::splits ? seam_even : 1.0f);
#pragma unroll
  for (int half = 0; half < 2; half++) {
    const int filter = (int)(blockIdx.x % S::n_blocks_k) * S::filters + thread % 128 / 32 * 16
                       + half * 8 + thread % 32 / 4;
    const float of_weight = seam_operand_invert_scale (
        __ldg (a.scales + Config::batch + min (filter, Config::filters - 1)));
    float factor = of_x * of_weight;
    if (!(factor >= 0x1p-126f && factor <= 0x1p127f)) {
      bool some = false;
#pragma unroll
      for (int i = 0; i < 128; i++)
        if (i / 2 % 2 == half) {
          some |= sums[i] != 0.0f;
          if constexpr (S::splits)
            sums[i] *= of_x;
        }
      if (S::splits)
        factor = of_weight;
      else if (some)
        *a.exceeded = 1;
    }
#pragma unroll
    for (int i = 0; i < 128; i++)
      if (i / 2 % 2 == half)
        sums[i] *= factor;
  }
}

/* Applies the tail and stores the sums in y. A thread holds filters `lane / 4` and + 8 of its
 * warp's 16 and, of each 8 pixels, two neighbours. Stored from there, a warp would write eight
 * pieces of 32 bytes, most of them across two sectors of the second-level cache (rows of 504
 * bytes). So eight filters x 64 pixels at a time pass through 2 KB of shared memory, and a warp
 * writes 256 bytes of one filter. The order of the 32-byte pieces in a row avoids bank conflicts on
 * both sides. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_many_finish (const SeamConvolutionManyArguments &a, const float (&sums)[128],
                  unsigned int staging, int tile, int filter, int lane)
{
  using S = SeamConvolutionMany<Config>;
  using Element = typename SeamElement<S::output>::Stored;
  constexpr int n_vectors = Tail::n_vectors > 0 ? Tail::n_vectors : 1;
  constexpr bool pairs = S::pitch % 2 == 0 && S::strip % 2 == 0 && S::columns % 2 == 0;
  const int strip = tile / S::strip_tiles, sample = strip / S::n_strips;
  const int first = tile % S::strip_tiles * S::pixels;
  const int first_column = strip % S::n_strips * S::strip;
  const int width = S::n_strips == 1 ? S::strip : min (S::strip, S::columns - first_column);
  const unsigned int row_of = lane / 4, piece_of = lane % 4 * 8;
#pragma unroll
  for (int half = 0; half < 2; half++) {
    const int k = filter + half * 8, own = k + row_of;
    float vectors[n_vectors];
#pragma unroll
    for (int v = 0; v < Tail::n_vectors; v++)
      vectors[v] = Config::filters % S::filters == 0 || own < Config::filters
                       ? __ldg (a.vectors[v] + own)
                       : 0.0f;
    Element *y = static_cast<Element *> (a.y)
                 + ((long long)sample * Config::filters + k) * S::rows * S::columns + first_column;
#pragma unroll
    for (int block = 0; block < S::pixels / 64; block++) {
#pragma unroll
      for (int j = 0; j < 8; j++) {
        const float value0 = Tail::apply (sums[32 * block + 4 * j + 2 * half], vectors);
        const float value1 = Tail::apply (sums[32 * block + 4 * j + 2 * half + 1], vectors);
        seam_shared_store_2 (staging + row_of * 256 + (j ^ row_of) * 32 + piece_of, value0, value1);
      }
      __syncwarp ();
      const int at = first + block * 64 + lane * 2, row = at / S::pitch, column = at % S::pitch;
      const int row1 = (at + 1) / S::pitch, column1 = (at + 1) % S::pitch;
      const bool valid = row < S::rows && column < width,
                 valid1 = row1 < S::rows && column1 < width;
      Element *to = y + row * S::columns + column, *to1 = y + row1 * S::columns + column1;
#pragma unroll
      for (int c = 0; c < 8; c++) {
        const float2 two = seam_shared_load_2 (staging + c * 256 + (row_of ^ c) * 32 + piece_of);
        if (Config::filters % S::filters != 0 && k + c >= Config::filters)
          continue;
        const long long plane = (long long)c * S::rows * S::columns;
        if constexpr (!pairs) {
          if (valid)
            to[plane] = seam_store_as<S::output> (two.x);
          if (valid1)
            to1[plane] = seam_store_as<S::output> (two.y);
        } else if (valid) {
          if constexpr (S::output == SEAM_OPERAND_FP32)
            *(float2 *)(to + plane) = two;
          else
            *(unsigned int *)(to + plane) = seam_pack_pair<S::output> (two.x, two.y);
        }
      }
      __syncwarp ();
    }
  }
}

/* The same where a tile is one run of y in each filter: a warp collects the runs of eight filters
 * in shared memory, and bulk copies write them while it goes on. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_many_finish_run (const SeamConvolutionManyArguments &a, const float (&sums)[128],
                      unsigned int staging, int tile, int filter, int lane)
{
  using S = SeamConvolutionMany<Config>;
  using Element = typename SeamElement<S::output>::Stored;
  constexpr int n_vectors = Tail::n_vectors > 0 ? Tail::n_vectors : 1;
  constexpr int size = sizeof (Element), distance = Config::staging / 8;
  constexpr long long plane = (long long)S::rows * S::columns;
  const int sample = tile / S::strip_tiles;
  const int at = tile % S::strip_tiles * (Config::run / size);
  const unsigned int bytes = min ((long long)Config::run, (plane - at) * size);
  const int pair = lane % 4 * 2;
  const unsigned int to = staging + lane / 4 * distance + pair * size;
#pragma unroll
  for (int half = 0; half < 2; half++) {
    const int k = filter + half * 8, own = k + lane / 4;
    float vectors[n_vectors];
#pragma unroll
    for (int v = 0; v < Tail::n_vectors; v++)
      vectors[v] = Config::filters % S::filters == 0 || own < Config::filters
                       ? __ldg (a.vectors[v] + own)
                       : 0.0f;
    if (lane < 8)
      seam_bulk_wait_read ();
    __syncwarp ();
#pragma unroll
    for (int j = 0; j < S::pixels / 8; j++) {
      const int row = 8 * j / S::pitch, column = 8 * j % S::pitch;
      const unsigned int place = to + (row * S::columns + column) * size;
      const float value0 = Tail::apply (sums[4 * j + 2 * half], vectors);
      const float value1 = Tail::apply (sums[4 * j + 2 * half + 1], vectors);
      if (column + 8 > S::columns && column + pair >= S::columns)
        continue;
      if constexpr (S::output == SEAM_OPERAND_FP32)
        seam_shared_store_2 (place, value0, value1);
      else
        seam_shared_store (place, seam_pack_pair<S::output> (value0, value1));
    }
    seam_fence_proxy_async ();
    __syncwarp ();
    if (lane < 8 && (Config::filters % S::filters == 0 || k + lane < Config::filters)) {
      Element *const y = static_cast<Element *> (a.y)
                         + ((long long)sample * Config::filters + k + lane) * plane + at;
      seam_bulk_store (y, staging + lane * distance, bytes);
    }
    if (lane < 8)
      seam_bulk_commit ();
  }
}

/* Two warpgroups multiply, and take the tiles of the block by turns: while one writes its tile out,
 * the other has the tensor cores. They take turns at named barriers 2 and 3. The parity of a
 * stage's barrier distinguishes two successive uses only, so a warpgroup waits for a tile's stages
 * only after the other has waited for those of the tile before. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_many_multiplier (const SeamConvolutionManyArguments &a,
                      const SeamConvolutionManyShared &shared,
                      const SeamConvolutionManyRange &range, int group, int thread)
{
  using S = SeamConvolutionMany<Config>;
  const int block_k = blockIdx.x % S::n_blocks_k, lane = thread % 32;
  SeamConvolutionManyStage<Config> stage;
  float sums[128];

  seam_many_load_weights<Config> (a, shared.weights, block_k, thread);
  seam_fence_proxy_async ();
  seam_named_barrier_sync (1, 256);

#pragma unroll
  for (int i = 0; i < 128; i++)
    sums[i] = 0.0f;
  unsigned int use = group * S::n_chunks;
  if (group == 1)
    seam_named_barrier_arrive (2, 256);
  for (int tile = range.first + group * range.step; tile < range.end; tile += 2 * range.step) {
    unsigned int previous = 0;
    stage.set (use);
    seam_named_barrier_sync (2 + group, 256);
#pragma unroll 1
    for (int chunk = 0; chunk < S::n_chunks; chunk++) {
      if constexpr (S::shares)
        seam_mbarrier_wait_cluster (shared.full + stage.index * 8, stage.parity);
      else
        seam_mbarrier_wait (shared.full + stage.index * 8, stage.parity);
      seam_fence_proxy_async ();
      seam_wgmma_fence ();
      seam_many_multiply<Config> (sums, shared.weights + chunk * S::area * S::tap_bytes,
                                  shared.ring + stage.index * S::stage_bytes, chunk == 0);
      seam_wgmma_commit ();
      if (chunk == S::n_chunks - 1 && tile + range.step < range.end)
        seam_named_barrier_arrive (3 - group, 256);
      seam_wgmma_wait<1> ();
      if (chunk > 0)
        seam_many_release<Config> (shared, previous, lane);
      previous = stage.index;
      stage.advance ();
    }
    seam_wgmma_wait<0> ();
    seam_many_release<Config> (shared, previous, lane);
    seam_wgmma_hold (sums);
    /* The compiler believes that the number changes. Else it keeps more in registers, and spills.
     */
    int again = thread;
    asm volatile("" : "+r"(again));
    const int filter = block_k * S::filters + again % 128 / 32 * 16;
    const unsigned int staging = shared.staging + again / 32 * Config::staging;
    if constexpr (S::scaled)
      seam_many_unscale<Config> (a, sums, tile, again);
    if constexpr (Config::run > 0)
      seam_many_finish_run<Config, Tail> (a, sums, staging, tile, filter, again % 32);
    else
      seam_many_finish<Config, Tail> (a, sums, staging, tile, filter, again % 32);
    use += 2 * S::n_chunks;
  }
  if (Config::run > 0)
    seam_bulk_wait_read ();
}

template <typename Config, typename Tail>
__device__ __forceinline__ void
seam_convolution_many (const SeamConvolutionManyArguments &a)
{
  using S = SeamConvolutionMany<Config>;
  static_assert (!Tail::groupnorm, "GroupNorm needs a kernel of its own");
  if (Config::again && *a.exceeded == 0)
    return;
  extern __shared__ __align__ (128) unsigned char seam_many_shared[];
  SeamConvolutionManyShared shared;
  shared.weights = seam_shared_address (seam_many_shared);
  shared.ring = shared.weights + S::weight_bytes;
  shared.staging = shared.ring + Config::stages * S::stage_bytes;
  shared.full = shared.staging + 8 * Config::staging;
  shared.empty = shared.full + Config::stages * 8;

  if (threadIdx.x == 0) {
    for (int i = 0; i < Config::stages; i++) {
      seam_mbarrier_init (shared.full + i * 8, S::n_loaders / 32);
      seam_mbarrier_init (shared.empty + i * 8, 4 * S::cluster);
    }
    seam_mbarrier_init_fence ();
  }
  shared.rank = 0, shared.to_other = 0;
  if constexpr (S::shares) {
    shared.rank = seam_cluster_rank ();
    shared.to_other = seam_cluster_address (shared.weights, shared.rank ^ 1) - shared.weights;
    seam_cluster_sync ();
  } else {
    __syncthreads ();
  }

  const int index = blockIdx.x / S::n_blocks_k, n = gridDim.x / S::n_blocks_k;
  SeamConvolutionManyRange range;
  range.first = index, range.end = S::n_tiles, range.step = n;
  const int group = __shfl_sync (0xffffffff, threadIdx.x / 128, 0);
  if (group == 2) {
    seam_registers_decrease<S::splits ? 136 : 152> ();
    seam_many_loader<Config> (a, shared, range, threadIdx.x - 256);
  } else {
    seam_registers_increase<S::splits ? 184 : 176> ();
    seam_many_multiplier<Config, Tail> (a, shared, range, group, threadIdx.x);
  }
  if constexpr (S::shares)
    seam_cluster_sync (); /* the other block may still write here */
}
