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
 * for im2col. One tap of 8 channels is one step of K.
 * - Class T: TF32, rounded to nearest.
 * - Math modes bf16 and fp16: rounded to nearest even, one product. 8 channels of a pixel are 16
 *   bytes, half a step of K, so a step takes two taps (9 taps: 5 steps), whose distance is a stride
 *   of the descriptor. Numbers beyond 65504 become infinite in fp16. x and the weight, and y, may
 *   have 16 bits of the mode's type in memory (Config::input, output).
 * - Class F (FP16x3): x = x_high + x_low, w likewise, two FP16 numbers that keep 22 bits. Each
 *   filter and each tile has a power of two; that of a tile is found by the warps that convert x.
 *   Tensor cores truncate whenever they add, by half a unit in the last place of the sum so far on
 *   average. So the small products come first, all w_low x_high and w_high x_low, then the few
 *   steps of w_high x_high, each of two taps; and if they are many, weights make up for the
 *   truncation (seam_make_up in hopper-operands.cuh).
 *
 * 32 filters or fewer would leave rows of D empty. D then holds 2 or 4 output rows one below the
 * other, and taps outside a row's own kernel have weight 0 (12 steps instead of 18 for 3×3). So an
 * input that is infinite, NaN or, in fp16, over 65504 also spoils the rows packed with its own
 * (0 × infinity).
 *
 * Roles in a block: one warpgroup brings x (bulk copies into `raw`, then rounding, transposition,
 * `patch`); two warpgroups multiply, apply the tail in registers, and store. In class F the
 * multiplying ones fetch (`keeps`), so that those that convert never keep them waiting.
 *
 * GroupNorm (a group spans a whole plane, far more than a block holds), three strategies:
 * - reload: convolution and tail store y and the statistics of each tile; a second kernel loads y
 *   again.
 * - recompute: one pass for the statistics alone, then the convolution again.
 * - resident: one pass. All warpgroups of the GPU together hold samples in registers. Each
 *   publishes the statistics of its tile, waits for those of the other tiles of its sample,
 *   normalises the part that it holds and stores it. A multiprocessor holds two tiles, of different
 *   samples, so that it can work on one while the other waits. In class F a tile belongs to one
 *   warpgroup. Otherwise two warpgroups share it, which halves the chain of dependent steps, and
 *   convert x for their next tile while they wait for statistics.
 *   If the tail ends with a sigmoid (before the GroupNorm the same as a tanh, so its results lie
 *   from -1 to 1), a tile waits in shared memory instead, with 16 bits a number (`parks`;
 *   convolution-few-store.cuh). Nobody waits for statistics then: other warps exchange them while
 *   the next tile is computed. The two tiles take turns, so that one multiplies while the other
 *   one is stored: both at once would share the tensor cores, and then the way to memory.
 *
 * A 32-byte sector of memory that is written in parts costs as much as five or six whole ones. So
 * tiles end at a sector boundary instead of the end of a row: each computes 8 pixels of the row
 * after its last (`next`), and y goes through shared memory (convolution-few-store.cuh).
 *
 * Statistics are FP32 sums about a value of the same tile, combined in FP64 in a fixed order: the
 * same bits every time.
 *
 * Measurements: kernels/ladder.csv. What limits the kernel, and what was tried: kernels/README.md.
 * With 16 bits in memory and without GroupNorm, convolution-many.cuh takes its place where it can,
 * because it is faster.
 */
#pragma once

#include "kernels/cuda/hand/convolution-few-norm.cuh"
#include "kernels/cuda/hand/convolution-few-patch.cuh"
#include "kernels/cuda/hand/convolution-few-store.cuh"
#include "kernels/ops.h"

/* The weights as A: their address, and those of the first `kept_steps` steps in registers. */
template <typename Config> struct SeamConvolutionFewWeights {
  using Shape = SeamConvolutionFewShape<Config>;
  unsigned int at, of_step[Shape::kept_steps > 0 ? Shape::kept_steps : 1][4];

  __device__ __forceinline__ void
  keep (const unsigned char *weights)
  {
    const int t = threadIdx.x % 128;
    weights += (t / 32 * 16 + t % 32 / 4) * 16 + t % 4 * 4;
#pragma unroll
    for (int i = 0; i < 4 * Shape::kept_steps; i++)
      of_step[i / 4][i % 4] = *reinterpret_cast<const unsigned int *> (
          weights + i / 4 * SEAM_CONVOLUTION_FEW_STEP_BYTES + i / 2 % 2 * 1024 + i % 2 * 128);
  }
};

/* Products with n_columns pixels from byte `start` of the patch. */
template <typename Config, int n_columns>
SEAM_DEVICE void
seam_convolution_few_multiply_part (float (&sums)[n_columns / 2],
                                    const SeamConvolutionFewWeights<Config> &weights,
                                    unsigned int patch, unsigned int start)
{
  using Shape = SeamConvolutionFewShape<Config>;
  using Wgmma = SeamWgmma<n_columns>;
  const unsigned long long a = seam_descriptor (weights.at, 1024, 128, SEAM_SWIZZLE_NONE);
  const unsigned long long b = seam_descriptor (patch, Shape::plane, 128, SEAM_SWIZZLE_NONE);

  if constexpr (Config::math == SEAM_CONVOLUTION_FEW_TF32) {
#pragma unroll(Shape::n_taps <= 32 ? Shape::n_taps : 7)
    for (int tap = 0; tap < Shape::n_taps; tap++)
      Wgmma::tf32_ss (sums, a + tap * (SEAM_CONVOLUTION_FEW_STEP_BYTES / 16),
                      seam_descriptor_advance (b, start + Shape::tap_offset (tap)), tap > 0);
  } else {
    /* 0: w_low x_high, 1: w_high x_low, 2: w_high x_high */
    constexpr int first_part = Shape::splits ? 0 : 2;
#pragma unroll
    for (int part = first_part; part < 3; part++) {
#pragma unroll(Shape::n_taps <= 32 ? Shape::n_taps : 7)
      for (int pair = 0; pair < Shape::n_taps; pair += 2) {
        const int first = Shape::pair_first (pair), second = Shape::pair_second (pair);
        const unsigned int apart = Shape::tap_offset (second) - Shape::tap_offset (first);
        const int step = (part == 0 ? Shape::n_pairs : 0) + pair / 2;
        const unsigned long long a_step = a + step * (SEAM_CONVOLUTION_FEW_STEP_BYTES / 16);
        const unsigned long long b_step = seam_descriptor (patch + start + Shape::tap_offset (first)
                                                               + (part == 1 ? Shape::plane : 0),
                                                           apart, 128, SEAM_SWIZZLE_NONE);
        const int add = part > first_part || pair > 0;
        if (step < Shape::kept_steps)
          Wgmma::fp16_rs (sums, weights.of_step[step], b_step, add);
        else if constexpr (Shape::fp16)
          Wgmma::fp16_ss (sums, a_step, b_step, add);
        else
          Wgmma::bf16_ss (sums, a_step, b_step, add);
      }
    }
  }
}

/* All products of part `part` of a tile, and those of its `next` pixels. Calls `meanwhile` while
 * tensor cores multiply. */
template <typename Config, typename Function>
SEAM_DEVICE void
seam_convolution_few_multiply (SeamConvolutionFewSums<Config> &own,
                               SeamConvolutionFewWeights<Config> &weights, unsigned int patch,
                               int part, Function meanwhile)
{
  using Shape = SeamConvolutionFewShape<Config>;
  constexpr int across = Shape::columns / Config::columns;

#pragma unroll
  for (int segment = 0; segment < Config::segments; segment++)
    seam_wgmma_hold (own.d[segment]);
  if constexpr (Config::beyond > 0)
    seam_wgmma_hold (own.next);
  seam_wgmma_fence ();
  /* With packed rows, this product is of the last row again and the next one, so that it reads no
   * further row of x. */
  const auto multiply_next = [&] {
    if constexpr (Config::beyond > 0)
      seam_convolution_few_multiply_part<Config, 8> (
          own.next, weights, patch,
          (Shape::rows * Config::segments - (Shape::rows - 1)) * Shape::patch_columns * 16);
  };
  /* One of the warpgroups that share a tile does this. */
  if (Shape::lean && !Shape::extends && part == Config::share - 1)
    multiply_next ();
#pragma unroll
  for (int product = 0; product < Config::segments * across; product++) {
    const int segment = product / across, beside = product % across;
    constexpr int more = Shape::extends ? 8 : 0;
    float *sums = &own.d[segment][beside * (Config::columns / 2)];
    const unsigned int start = (segment * Shape::rows * Shape::patch_columns + part * Shape::columns
                                + beside * Config::columns)
                               * 16;
    if (product + 1 == Config::segments * across)
      seam_convolution_few_multiply_part<Config, Config::columns + more> (
          *reinterpret_cast<float (*)[(Config::columns + more) / 2]> (sums), weights, patch, start);
    else
      seam_convolution_few_multiply_part<Config, Config::columns> (
          *reinterpret_cast<float (*)[Config::columns / 2]> (sums), weights, patch, start);
  }
  if constexpr (!Shape::lean && !Shape::extends)
    multiply_next ();
  seam_wgmma_commit ();
  meanwhile ();
  seam_wgmma_wait<0> ();
#pragma unroll
  for (int step = 0; step < Shape::kept_steps; step++)
    seam_wgmma_hold (weights.of_step[step]);
#pragma unroll
  for (int segment = 0; segment < Config::segments; segment++)
    seam_wgmma_hold (own.d[segment]);
  if constexpr (Config::beyond > 0)
    seam_wgmma_hold (own.next);
}

/* Values of the tail's vectors at the channels of a thread. */
template <typename Config, typename Tail> struct SeamConvolutionFewVectors {
  using Shape = SeamConvolutionFewShape<Config>;
  static constexpr int n = Tail::n_vectors;
  /* Keeps the values between tiles if there is only one block of channels, and few values. */
  static constexpr bool kept = Config::blocks_k == 1 && Shape::n_filters * n <= 2;
  float v[Shape::n_filters][n > 0 ? n : 1];

  __device__ __forceinline__ void
  load (const SeamConvolutionFewArguments &a, int first)
  {
#pragma unroll
    for (int f = 0; f < Shape::n_filters; f++)
#pragma unroll
      for (int i = 0; i < n; i++)
        v[f][i] = __ldg (a.vectors[i] + min (first + 8 * f, Config::filters - 1));
  }
};

/* Applies the tail. FP16x3 divides the sums by their powers of two first: `of_x` is the reciprocal
 * of that of x, `filters` leads to those of the filters, of which the thread's first is `first`. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few_tail (SeamConvolutionFewSums<Config> &sums,
                           const SeamConvolutionFewVectors<Config, Tail> &vectors,
                           const unsigned int *filters, int first, float of_x)
{
  using Shape = SeamConvolutionFewShape<Config>;
  float factors[Shape::n_filters];
  bool normal = true;
#pragma unroll
  for (int f = 0; f < Shape::n_filters && Shape::scaled; f++) {
    factors[f] = seam_convolution_few_unscale (filters[min (first + 8 * f, Config::filters - 1)]);
    normal &= of_x * factors[f] >= 0x1p-126f && of_x * factors[f] <= 0x1p127f;
  }
  /* One factor, if it is a normal number: then it costs no instruction before an addition. */
#pragma unroll
  for (int f = 0; f < Shape::n_filters && !normal; f++)
    sums.each (f, [&] (float &x) { x *= of_x; });
#pragma unroll
  for (int f = 0; f < Shape::n_filters; f++) {
    const float factor = Shape::scaled ? factors[f] * (normal ? of_x : 1.0f) : 1.0f;
    sums.each (f,
               [&] (float &x) { x = Tail::apply (Shape::scaled ? x * factor : x, vectors.v[f]); });
  }
}

/* Loads the weights into shared memory, before any product. */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_prepare (const SeamConvolutionFewArguments &a, unsigned char *shared)
{
  using Shape = SeamConvolutionFewShape<Config>;
  static_assert (Shape::end_at == Config::shared,
                 "the plan and the kernel agree about shared memory");
  if constexpr (Shape::scaled) {
    seam_convolution_few_scale_weights<Config> (a, shared);
    __syncthreads ();
  }
  seam_convolution_few_load_weights<Config> (a, shared);
  seam_fence_proxy_async ();
  if constexpr (Shape::early)
    seam_named_barrier_sync (15, Shape::loaders);
  else
    __syncthreads ();
}

/* Writes a tile into its place in shared memory, where it waits for the statistics of its sample.
 */
template <typename Config>
SEAM_DEVICE void
seam_convolution_few_park (
    const float (&d)[Config::segments][SeamConvolutionFewShape<Config>::columns / 2],
    const float (&next)[4], const SeamConvolutionFewThread<Config> &thread, unsigned int place)
{
  using Shape = SeamConvolutionFewShape<Config>;
  const int t = thread.lane % 4;

#pragma unroll
  for (int run = 0; run < Shape::n_runs; run++) {
    const unsigned int to =
        place + 4 * run * Shape::run_bytes + (thread.lane / 4 * Config::pitch + 2 * t) * 2;
    if (thread.part == 0) {
      seam_convolution_few_stage<Config, 0> (d, to, 0, run, t);
    } else {
      seam_convolution_few_stage<Config, 1> (d, to, 0, run, t);
      if (Config::beyond > 0 && t < 2)
        SeamConvolutionFewStaged<true>::store (to, Shape::run_rows * Shape::out_width / 2,
                                               next[2 * Shape::next_half (run)],
                                               next[2 * Shape::next_half (run) + 1]);
    }
  }
}

/* Barriers of a tile that two warpgroups share: for its raw rows; and if tiles are parked, for the
 * statistics of its channels (of which the warps that publish them are a part, so that no phase
 * ends before they have seen the last one), and for what normalises the filters of the parked tile
 * (`ready`, and `taken` once it is stored). Every thread arrives: racecheck does not see that
 * __syncwarp orders the accesses of a warp before the arrival of one of its threads. */
template <typename Config> struct SeamConvolutionFewSharedBarriers {
  unsigned int fetched, summed, ready, taken;

  __device__ __forceinline__
  SeamConvolutionFewSharedBarriers (unsigned int base, int consumer)
  {
    fetched = base + SeamConvolutionFewShape<Config>::barrier_at + 8 * consumer;
    summed = fetched + 8 * Config::consumers;
    ready = summed + 8 * Config::consumers;
    taken = ready + 8 * Config::consumers;
  }

  __device__ __forceinline__ void
  init () const
  {
    seam_mbarrier_init (fetched, 1);
    seam_mbarrier_init (summed, 128 * Config::share + 64);
    seam_mbarrier_init (ready, 64);
    seam_mbarrier_init (taken, 128 * Config::share);
  }
};

/* Parked tiles: two warps for each consumer publish the statistics of its tiles, wait for those of
 * their samples, and prepare what normalises each filter. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few_prepare_filters (const SeamConvolutionFewArguments &a, unsigned char *shared)
{
  using Shape = SeamConvolutionFewShape<Config>;
  static_assert (Tail::bounded, "16 bits hold numbers from -1 to 1");
  const int consumer = threadIdx.x % 128 / 64, i = threadIdx.x % 64;
  const SeamConvolutionFewSharedBarriers<Config> barriers (seam_shared_address (shared), consumer);
  unsigned char *reduction = shared + Shape::reduction_at + consumer * Shape::reduction_bytes;
  double2 *sums = reinterpret_cast<double2 *> (reduction + Shape::sums_at);
  float2 *prepared = reinterpret_cast<float2 *> (reduction + Shape::sums_at + 1024);

  seam_mbarrier_arrive (barriers.summed);
  for (int n = 0, unit;
       (unit = seam_convolution_few_unit<Config> (consumer + n * Config::consumers)) >= 0; n++) {
    const SeamConvolutionFewTile<Config> tile (unit);
    seam_mbarrier_wait (barriers.summed, n & 1);
    seam_convolution_few_publish_group<Config> (a, tile, reduction + n % 2 * 1024, i);
    seam_mbarrier_arrive (barriers.summed);
    seam_convolution_few_combine<Config, 64> (a, tile.sample, tile.block, sums, 13 + consumer);
    const int filter = min (tile.block * 64 + i, Config::filters - 1);
    const float2 final = seam_convolution_few_finish_filter<Config, Tail, 64> (sums, filter);
    const float rstd = final.y * __ldg (a.vectors[Tail::n_vectors] + filter);
    const float shift = fmaf (-final.x, rstd, __ldg (a.vectors[Tail::n_vectors + 1] + filter));
    seam_mbarrier_wait (barriers.taken, n & 1 ^ 1);
    prepared[i] = SeamConvolutionFewStaged<true>::prepare (rstd, shift);
    seam_mbarrier_arrive (barriers.ready);
  }
}

/* Mode RESIDENT except in class F: two warpgroups share a tile. They hold it until the statistics
 * of its sample are known, and while they wait they convert x for their next tile. Or, if the
 * tail's results are bounded, they park it in shared memory and compute their next tile; after
 * that the statistics have long been there, and they store the parked one. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few_shared (const SeamConvolutionFewArguments &a)
{
  using Shape = SeamConvolutionFewShape<Config>;
  extern __shared__ __align__ (1024) unsigned char seam_few_shared[];
  unsigned char *shared = seam_few_shared;
  const unsigned int base = seam_shared_address (shared);
  constexpr int n_threads = 128 * Config::share;
  const int consumer = __shfl_sync (0xffffffffu, threadIdx.x / n_threads, 0);
  const int warp = threadIdx.x % n_threads / 32;
  const int part = __shfl_sync (0xffffffffu, warp / 4, 0);
  const SeamConvolutionFewSharedBarriers<Config> barriers (base, consumer);
  unsigned char *raw = shared + Shape::raw_at + consumer * Shape::raw_bytes;
  unsigned char *patch = shared + Shape::patch_at + consumer * Shape::patch_bytes;
  unsigned char *reduction = shared + Shape::reduction_at + consumer * Shape::reduction_bytes;
  double2 *sums = reinterpret_cast<double2 *> (reduction + Shape::sums_at);
  const unsigned int stage =
      base + Shape::stage_at + consumer * Shape::piece_bytes + warp % 4 * Shape::run_bytes;
  /* Names of barriers: one for all warps that share a tile, one for each pair of warps with the
   * same channels. */
  const int all = 1 + consumer;
  const int pair = 1 + Config::consumers + 4 * consumer;

  if (threadIdx.x == 0) {
    for (int i = 0; i < Config::consumers; i++)
      SeamConvolutionFewSharedBarriers<Config> (base, i).init ();
    seam_mbarrier_init_fence ();
  }
  seam_convolution_few_prepare<Config> (a, shared);
  if constexpr (Config::parks) {
    if (consumer == Config::consumers) {
      seam_registers_decrease<64> ();
      seam_convolution_few_prepare_filters<Config, Tail> (a, shared);
      return;
    }
    seam_registers_increase<104> ();
  }
  /* Delays the second tile of a multiprocessor. If both tiles start together they stay together,
   * and the whole GPU stores, or computes, at the same time (bf16 took 0.638 ms instead of
   * 0.516). */
  if (!Config::parks && consumer == 1
      && Shape::n_units > 16 * Config::consumers * Config::n_multiprocessors)
    seam_wait_cycles (5000);

  /* Fetches and converts x for tile number n of this consumer. */
  const auto fetch = [&] (int n) {
    const int unit = seam_convolution_few_unit<Config> (consumer + n * Config::consumers);
    if (warp == 0 && unit >= 0)
      seam_convolution_few_fetch<Config> (a, unit, seam_shared_address (raw), barriers.fetched);
  };
  const auto convert = [&] (int n) {
    const int unit = seam_convolution_few_unit<Config> (consumer + n * Config::consumers);
    if (unit >= 0) {
      seam_mbarrier_wait (barriers.fetched, n & 1);
      SeamConvolutionFewPixels<Config> pixels;
      seam_convolution_few_convert<Config> (a, unit, raw, patch, 1.0f, pixels);
      seam_fence_proxy_async ();
    }
  };
  /* Consumers whose tiles are parked take turns: one multiplies, applies the tail and sums up,
   * while the other one stores, parks and converts. Waits until the other one has summed up the
   * tile before this one, if there is one. */
  const auto wait_for_turn = [&] (int n) {
    const int other = 1 - consumer, before = n - other;
    if (before >= 0 && seam_convolution_few_unit<Config> (other + before * Config::consumers) >= 0)
      seam_mbarrier_wait (SeamConvolutionFewSharedBarriers<Config> (base, other).summed,
                          before & 1);
  };
  /* Parked tiles: waits for the statistics of the last one, normalises and stores this warp's share
   * of it. */
  int parked = -1, n = 0;
  const auto finish = [&] {
    if constexpr (Config::parks) {
      if (parked < 0)
        return;
      seam_mbarrier_wait (barriers.ready, (n - 1) & 1);
#pragma unroll 1
      for (int c = 0; c < 8 / Config::share; c++)
        seam_convolution_few_store_parked<Config> (
            a, parked, c, stage,
            reinterpret_cast<const float2 *> (reduction + Shape::sums_at + 1024));
      seam_mbarrier_arrive (barriers.taken);
    }
  };
  fetch (0);
  convert (0);
  seam_named_barrier_sync (all, n_threads);
  fetch (1);

  for (int unit; (unit = seam_convolution_few_unit<Config> (consumer + n * Config::consumers)) >= 0;
       n++) {
    const SeamConvolutionFewTile<Config> tile (unit);
    const SeamConvolutionFewThread<Config> thread (tile);
    SeamConvolutionFewSums<Config> own;
    SeamConvolutionFewWeights<Config> weights;
    SeamConvolutionFewVectors<Config, Tail> vectors;
    SeamConvolutionFewAffine<Config, Tail> affine;

    vectors.load (a, thread.filter);
    if constexpr (Config::parks)
      wait_for_turn (n);
    weights.at = base + tile.block * Shape::steps * SEAM_CONVOLUTION_FEW_STEP_BYTES;
    seam_convolution_few_multiply<Config> (own, weights, seam_shared_address (patch), part, [] {});
    seam_convolution_few_tail<Config, Tail> (own, vectors, nullptr, 0, 1.0f);
    /* All threads of the tile meet here, so they are done with the patch, … */
    if constexpr (Config::parks) {
      seam_convolution_few_sum_channels<Config> (own.d, tile, thread, reduction + n % 2 * 1024);
      seam_mbarrier_arrive (barriers.summed);
      seam_named_barrier_sync (all, n_threads);
      finish ();
      /* Both warps of the pair have stored their channels, so their place is free. */
      seam_convolution_few_meet<Config> (pair + warp % 4);
      seam_convolution_few_park<Config> (own.d, own.next, thread, stage);
      parked = unit;
      convert (n + 1);
      /* … and here, so the tile is parked, the patch complete, and the raw rows are free. */
      seam_named_barrier_sync (all, n_threads);
      fetch (n + 2);
      continue;
    }
    seam_convolution_few_publish<Config> (own.d, a, tile, thread, reduction, all);
    convert (n + 1);
    affine.load (a, thread.filter);
    /* … and here, so they are done with the raw rows. */
    seam_convolution_few_combine<Config, n_threads> (a, tile.sample, tile.block, sums, all);
    fetch (n + 2);

    seam_convolution_few_normalize_tile<Config, Tail> (own, affine, thread, sums);
    if constexpr (Config::pieces > 0) {
#pragma unroll
      for (int run = 0; run < Shape::n_runs; run++)
        seam_convolution_few_store_run<Config> (own.d, own.next, a, tile, thread, run, stage, pair);
    } else {
      SeamConvolutionFewPending<Config> pending = {};
      seam_convolution_few_store<Config> (own.d, a, tile, thread, &pending, false);
    }
  }
  finish ();
}

/* The kernel. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_convolution_few (const SeamConvolutionFewArguments &a)
{
  using Shape = SeamConvolutionFewShape<Config>;
  if constexpr (Config::share == 2) {
    seam_convolution_few_shared<Config, Tail> (a);
    return;
  }
  extern __shared__ __align__ (1024) unsigned char seam_few_shared[];
  unsigned char *shared = seam_few_shared;
  const unsigned int base = seam_shared_address (shared);
  const SeamConvolutionFewBarriers<Config> barriers (base);

  if (threadIdx.x == 0)
    barriers.init ();
  unsigned int *filters = reinterpret_cast<unsigned int *> (shared + Shape::scale_at);
  if constexpr (Shape::early)
    __syncthreads ();
  else
    seam_convolution_few_prepare<Config> (a, shared);

  const int warpgroup = threadIdx.x / 128;
  if (warpgroup == Config::consumers) {
    if constexpr (Config::consumers == 2)
      seam_registers_decrease<504 - 2 * Shape::consumer_registers> ();
    seam_convolution_few_bring<Config> (a, shared, barriers);
  } else {
    if constexpr (Config::consumers == 2)
      seam_registers_increase<Shape::consumer_registers> ();
    if constexpr (Shape::early)
      seam_convolution_few_prepare<Config> (a, shared);
    unsigned char *reduction = shared + Shape::reduction_at + warpgroup * Shape::reduction_bytes;
    double2 *sums = reinterpret_cast<double2 *> (reduction + Shape::sums_at);
    const unsigned int stage =
        base + Shape::stage_at + threadIdx.x / 32 * (8 * Config::pitch * 4); /* buffer of the
                                                                              * warp */
    SeamConvolutionFewPending<Config> pending = {};
    SeamConvolutionFewWeights<Config> weights;
    SeamConvolutionFewVectors<Config, Tail> vectors;
    weights.keep (shared);
    int unit = seam_convolution_few_unit<Config> (warpgroup);
    if (vectors.kept && unit >= 0)
      vectors.load (
          a, SeamConvolutionFewThread<Config> (SeamConvolutionFewTile<Config> (unit)).filter);
    for (int i = warpgroup, phase = 0; unit >= 0; phase ^= 1) {
      const SeamConvolutionFewTile<Config> tile (unit);
      const SeamConvolutionFewThread<Config> thread (tile);
      SeamConvolutionFewSums<Config> own;
      SeamConvolutionFewAffine<Config, Tail> affine;

      /* The first kernel has published all statistics, so there are registers to load them all. */
      if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_APPLY)
        seam_convolution_few_combine<Config, 128> (a, tile.sample, tile.block, sums, 2 + warpgroup);
      if (!vectors.kept)
        vectors.load (a, thread.filter);
      /* The patch is full, so its raw stage is free for a later tile. */
      const auto fetch = [&] {
        const int later = seam_convolution_few_unit<Config> (i + Config::raw_stages);
        const int raw_stage = i % Config::raw_stages;
        if (Shape::keeps && later >= 0 && threadIdx.x % 128 < 32)
          seam_convolution_few_fetch<Config> (a, later,
                                              base + Shape::raw_at + raw_stage * Shape::raw_bytes,
                                              barriers.fetched + 8 * raw_stage);
      };
      seam_mbarrier_wait (barriers.full + 8 * warpgroup, phase);
      weights.at = base + tile.block * Shape::steps * SEAM_CONVOLUTION_FEW_STEP_BYTES;
      seam_convolution_few_multiply<Config> (
          own, weights, base + Shape::patch_at + warpgroup * Shape::patch_bytes, 0, fetch);
      float of_x = 1.0f;
      if constexpr (Shape::scaled) {
        of_x = seam_convolution_few_unscale (seam_convolution_few_largest<Config> (
            seam_convolution_few_words<Config> (shared, warpgroup, phase)));
        __syncwarp ();
      }
      if (thread.lane == 0)
        seam_mbarrier_arrive (barriers.empty + 8 * warpgroup);

      seam_convolution_few_tail<Config, Tail> (own, vectors, filters, thread.filter, of_x);
      if constexpr (Shape::statistics && Config::mode != SEAM_CONVOLUTION_FEW_APPLY)
        seam_convolution_few_publish<Config> (own.d, a, tile, thread, reduction, 2 + warpgroup);
      if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_APPLY
                    || Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT)
        affine.load (a, thread.filter);
      if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT)
        seam_convolution_few_combine<Config, 128> (a, tile.sample, tile.block, sums, 2 + warpgroup);
      if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_APPLY
                    || Config::mode == SEAM_CONVOLUTION_FEW_RESIDENT)
        seam_convolution_few_normalize_tile<Config, Tail> (own, affine, thread, sums);
      i += Config::consumers;
      unit = seam_convolution_few_unit<Config> (i);
      if constexpr (Config::pieces > 0) {
#pragma unroll
        for (int run = 0; run < Shape::n_runs; run++)
          seam_convolution_few_store_run<Config> (own.d, own.next, a, tile, thread, run, stage, 0);
      }
      if constexpr (Config::pieces == 0 && Config::mode != SEAM_CONVOLUTION_FEW_STATISTICS)
        seam_convolution_few_store<Config> (own.d, a, tile, thread, &pending,
                                            SeamConvolutionFewPending<Config>::across_tiles
                                                && unit >= 0 && tile.tile + 1 < Config::tiles);
      if constexpr (Config::mode == SEAM_CONVOLUTION_FEW_APPLY)
        seam_named_barrier_sync (2 + warpgroup, 128); /* the next tile writes `sums` again */
    }
  }
}

/* Second kernel of "reload": y = groupnorm (y). Each blockIdx.x is a plane of a channel, which the
 * blocks along y share. */
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
  const float2 final = seam_convolution_few_finish<Config, Tail> (sums[0].x, sums[0].y);
  const float weight = __ldg (a.vectors[Tail::n_vectors] + filter);
  const float bias = __ldg (a.vectors[Tail::n_vectors + 1] + filter);
  static_assert (Shape::output == SEAM_OPERAND_FP32, "what was rounded is not normalised");
  float *y = static_cast<float *> (a.y) + (long long)blockIdx.x * plane;
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
