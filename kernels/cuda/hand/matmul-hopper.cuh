/* SPDX-License-Identifier: MIT
 *
 * y = tail (x * wT) on Hopper's tensor cores: TMA, wgmma, clusters, two precision classes, any
 * elementwise tail and GroupNorm over neighbouring columns in the epilogue. matmul-hopper.h says
 * what fits, and everything the host must allocate, encode and launch.
 *
 * The matrix that feeds the rows of the wgmma is called A, the one that feeds its columns B; both
 * have `depth` contiguous. A = x and B = w, or, with Config::swap, A = w and B = x.
 *
 * A block has three warps that only start TMA copies and two consumer warpgroups. Each warpgroup
 * sums 64 rows of A times `tile_columns` rows of B in its registers. Both read the same stages of
 * B; each has its own ring of A. They walk over the depth in the same way, but out of step: the
 * second is `shift` steps behind and starts each tile in the middle of the depth, which does not
 * change the sum. So their epilogues fall at different times, and while one warpgroup works on its
 * epilogue the other has the tensor cores for itself, as far ahead as the ring of B is deep. A
 * separate tile for each (ping-pong) would hide more, but needs twice the shared-memory traffic,
 * for which TF32 leaves no room.
 *
 * Math modes fp16 and bf16: kernels of memory.cu copy both operands in that type, and the rest is
 * class T with twice the depth in the same bytes. Math mode tf32x (Config::scaled): the copies are
 * FP16 numbers, each row times a power of two (kernels/cuda/scale.cu), and the epilogue removes
 * both powers, exactly, before the tail: TF32's accuracy at the price of 16 bits. Class T: TMA
 * rounds both operands to TF32 on the way in. Class F (Config::split, FP16x3):
 * seam_matmul_hopper_split () splits B into FP16 high and low parts; A comes as FP32 and is split
 * in registers, between shared memory and the tensor cores, so the larger matrix should be A. Rows
 * have powers of two. That of a row of B is found by the split; that of a row of A is chosen from
 * the first 32 numbers of depth, with room for others 4,096 times as large. If a number is larger
 * still, the warp chooses again and multiplies its sums by the quotient, which is exact. Tensor
 * cores truncate when they add, so class F adds partial sums outside them (promotion), and makes up
 * for the truncation between promotions (seam_make_up).
 *
 * Measurements: kernels/ladder.csv. What limits the kernel is power, and the part of the epilogue
 * that does not hide: kernels/README.md.
 */
#pragma once

#include "kernels/cuda/hand/hopper-operands.cuh"
#include "kernels/cuda/hand/matmul-hopper-epilogue.cuh"
#include "kernels/cuda/hand/matmul-hopper-load.cuh"
#include "kernels/cuda/hand/matmul-hopper.h"
#include "kernels/operand.h"

/* A consumer warpgroup. */
template <typename Config, typename Tail> struct SeamMatmulHopperConsumer {
  using M = SeamMatmulHopper<Config>;
  static constexpr int n_sums = M::n_sums;
  static constexpr int n_vectors = M::template count_vectors<Tail> ();

  const SeamMatmulHopperArguments &arguments;
  const int warpgroup;
  M m;
  int warp, lane;
  SeamRing<M::b_stages> b_ring;
  SeamRing<M::a_stages> a_ring;
  unsigned int b_release, a_release; /* barriers of the block that this lane signals */
  unsigned int fragment;             /* start of this thread's part of A in a step's first half */

  __device__ __forceinline__
  SeamMatmulHopperConsumer (const SeamMatmulHopperArguments &arguments, int warpgroup)
      : arguments (arguments), warpgroup (warpgroup), b_ring{ 0, 0 }, a_ring{ 0, 0 }
  {
  }

  /* Addresses and places. Epilogues do not need them, so they are computed again afterwards. */
  __device__ __forceinline__ void
  find_places ()
  {
    int thread = (int)threadIdx.x;
    asm volatile("" : "+r"(thread));
    m = M ();
    warp = thread / 32 % 4;
    lane = thread % 32;
    b_release = m.b_empty;
    a_release = m.a_empty + warpgroup * M::a_stages * 8;
    /* A barrier of this block needs no rank, so that its address takes no register. */
    if (M::cluster_rows > 1)
      b_release = seam_cluster_address (b_release,
                                        m.column_rank * M::cluster_rows + lane % M::cluster_rows);
    if (M::cluster_columns > 1)
      a_release = seam_cluster_address (a_release,
                                        lane % M::cluster_columns * M::cluster_rows + m.row_rank);
    fragment = m.a + warpgroup * M::a_stages * M::a_bytes + (warp * 16 + lane / 4) * 128
               + (lane % 4 * 2 ^ lane / 4) * 16;
  }

  /* Each warp tells every block whose TMA writes this stage that it has finished reading it. */
  __device__ __forceinline__ void
  release_b (unsigned int stage)
  {
    if (threadIdx.x % 32 < M::cluster_rows)
      seam_mbarrier_arrive_cluster (b_release + stage * 8);
  }

  __device__ __forceinline__ void
  release_a (unsigned int stage)
  {
    if (threadIdx.x % 32 < M::cluster_columns)
      seam_mbarrier_arrive_cluster (a_release + stage * 8);
  }

  __device__ __forceinline__ void
  wait_a ()
  {
    seam_mbarrier_wait (m.a_full + (warpgroup * M::a_stages + a_ring.stage) * 8, a_ring.round);
  }

  __device__ __forceinline__ void
  wait_b ()
  {
    seam_mbarrier_wait (m.b_full + b_ring.stage * 8, b_ring.round);
  }

  __device__ __forceinline__ float *
  shared_vectors () const
  {
    return (float *)(seam_matmul_shared + (m.vectors - seam_shared_address (seam_matmul_shared)))
           + warpgroup * n_vectors * Config::tile_columns;
  }

  /* Copies the segment's part of the vectors of tail and GroupNorm into shared memory, once for
   * each warpgroup. */
  __device__ __forceinline__ void
  load_vectors (int column)
  {
    float *const to = shared_vectors ();
    seam_named_barrier_sync (1 + warpgroup, 128);
#pragma unroll
    for (int j = 0; j < n_vectors; j++) {
#pragma unroll
      for (int first = 0; first < Config::tile_columns; first += 128) {
        const int i = first + warp * 32 + lane;
        if (Config::tile_columns % 128 == 0 || i < Config::tile_columns)
          to[j * Config::tile_columns + i] =
              column + i < Config::b_rows ? __ldg (M::vector (arguments, j, n_vectors) + column + i)
                                          : 0.0f;
      }
    }
    seam_named_barrier_sync (1 + warpgroup, 128);
  }

  /* Skips stages of B that only other warpgroups use. */
  __device__ __forceinline__ void
  skip_b (int n)
  {
#pragma unroll 1
    for (int i = 0; i < n; i++) {
      wait_b ();
      release_b (b_ring.stage);
      b_ring.next ();
    }
  }

  static __device__ __forceinline__ void
  product_shared (float (&d)[n_sums], unsigned long long a, unsigned long long b, int add)
  {
    if constexpr (Config::operand == SEAM_MATMUL_HOPPER_FP16)
      SeamWgmma<M::columns>::fp16_ss (d, a, b, add);
    else if constexpr (Config::operand == SEAM_MATMUL_HOPPER_BF16)
      SeamWgmma<M::columns>::bf16_ss (d, a, b, add);
    else
      SeamWgmma<M::columns>::tf32_ss (d, a, b, add);
  }

  /* Class T: both operands from shared memory, 4 products of depth 8 a step. For 16-bit operands
   * the products have depth 16, which is also 32 bytes. */
  __device__ __forceinline__ void
  sum_shared (float (&d)[n_sums])
  {
    const unsigned int a_start = m.a + warpgroup * M::a_stages * M::a_bytes;
    unsigned int b_used = 0, a_used = 0;
    for (int step = 0; step < M::n_steps; step++) {
      wait_a ();
      wait_b ();
      const unsigned long long a_words = seam_descriptor_128 (a_start + a_ring.stage * M::a_bytes);
      const unsigned long long b_words = seam_descriptor_128 (m.b + b_ring.stage * M::b_bytes);
      seam_wgmma_fence ();
#pragma unroll
      for (int s = 0; s < 4; s++)
        product_shared (d, seam_descriptor_advance (a_words, 32 * s),
                        seam_descriptor_advance (b_words, 32 * s), step > 0 || s > 0);
      seam_wgmma_commit ();
      if (step > 0) {
        seam_wgmma_wait<1> ();
        release_a (a_used);
        release_b (b_used);
      }
      a_used = a_ring.stage;
      b_used = b_ring.stage;
      a_ring.next ();
      b_ring.next ();
    }
    seam_wgmma_wait<0> ();
    release_a (a_used);
    release_b (b_used);
  }

  /* The sizes (seam_operand_get_size) of the largest of numbers of this thread's two rows, over the
   * four lanes of a row. */
  static __device__ __forceinline__ void
  find_largest (const float4 (&x)[2], unsigned int (&largest)[2])
  {
#pragma unroll
    for (int half = 0; half < 2; half++) {
      const float of_lane[4] = { x[half].x, x[half].y, x[half].z, x[half].w };
#pragma unroll
      for (int i = 0; i < 4; i++)
        largest[half] = max (largest[half], seam_operand_get_size (of_lane[i]));
      largest[half] = max (largest[half], __shfl_xor_sync (0xffffffffu, largest[half], 1));
      largest[half] = max (largest[half], __shfl_xor_sync (0xffffffffu, largest[half], 2));
    }
  }

  /* The power of two that leaves room for numbers 2^11 to 2^12 times as large as `largest`, unless
   * all numbers are known. This room costs small numbers of the row their last bits. With room for
   * 8 times, most rows of data with outliers choose again, and an H200 then errs up to 3.7 times as
   * much as hand-simt, by up to 1e-5 of the largest result; the emulator does not. A cause may be
   * that only some warps of a warpgroup wait for products in change_scales (): PTX asks for all. */
  static __device__ __forceinline__ float
  choose_scale (unsigned int largest)
  {
    return seam_operand_get_scale (largest) * (M::n_steps > 1 ? 0x1p-11f : 1.0f);
  }

  /* Half `s` of a step's A, depth 16: 4 neighbouring floats of two rows for each thread. */
  __device__ __forceinline__ void
  load_floats (int s, float4 (&x)[2]) const
  {
#pragma unroll
    for (int half = 0; half < 2; half++)
      x[half] = seam_shared_load_4 ((fragment ^ s * 16) + a_ring.stage * M::a_bytes + half * 1024);
  }

  __device__ __forceinline__ void
  choose_scales (float (&scales)[2]) const
  {
    unsigned int largest[2] = { 0, 0 };
#pragma unroll
    for (int s = 0; s < 2; s++) {
      float4 x[2];
      load_floats (s, x);
      find_largest (x, largest);
    }
    scales[0] = choose_scale (largest[0]);
    scales[1] = choose_scale (largest[1]);
  }

  /* Chooses the powers of two again for rows in which `x` left FP16's range, and multiplies the
   * sums by the quotients. Infinity and NaN change nothing. */
  template <int n_totals>
  static __device__ __forceinline__ void
  change_scales (const float4 (&x)[2], float (&scales)[2], float (&d)[n_sums],
                 unsigned int (&total)[n_totals])
  {
    unsigned int largest[2] = { 0, 0 };
    float factors[2];
    find_largest (x, largest);
#pragma unroll
    for (int half = 0; half < 2; half++) {
      const bool exceeded = __uint_as_float (largest[half]) * scales[half] >= 0x1p15f;
      const float scale = exceeded ? choose_scale (largest[half]) : scales[half];
      factors[half] = scale * seam_operand_invert_scale (scales[half]);
      scales[half] = scale;
    }
    seam_wgmma_wait_warp ();
    seam_wgmma_hold (d);
    add_totals (d, total);
#pragma unroll
    for (int i = 0; i < n_sums; i++)
      d[i] *= factors[i / 2 % 2];
  }

  /* Moves `total` back to d. */
  template <int n_totals>
  static __device__ __forceinline__ void
  add_totals (float (&d)[n_sums], unsigned int (&total)[n_totals])
  {
#pragma unroll
    for (int i = 0; i < (n_totals > 1 ? n_totals : 0); i++) {
      d[2 * i] += seam_bf16_low (total[i]);
      d[2 * i + 1] += seam_bf16_high (total[i]);
      total[i] = 0;
    }
  }

  /* Class F: loads half `s` of a step's A from shared memory into registers. A thread takes 4
   * neighbouring floats of a row where wgmma wants 2 and 2 (seam_matmul_hopper_split puts B in the
   * same order): 16-byte loads without bank conflicts. */
  template <int n_totals>
  __device__ __forceinline__ void
  load_a (int s, float4 (&x)[2], float (&scales)[2], float (&d)[n_sums],
          unsigned int (&total)[n_totals]) const
  {
    load_floats (s, x);
    bool exceeds = false;
#pragma unroll
    for (int half = 0; half < 2; half++)
      exceeds |= fmaxf (fmaxf (fabsf (x[half].x), fabsf (x[half].y)),
                        fmaxf (fabsf (x[half].z), fabsf (x[half].w)))
                     * scales[half]
                 > 65000.0f;
    /* Looking for infinity after the split is fewer instructions, but splitting again in a branch
     * makes ptxas wait for every product: 16 % longer. */
    if (__any_sync (0xffffffffu, exceeds)) {
      change_scales (x, scales, d, total);
    }
  }

  /* Splits what load_a () has loaded. `extra` is what its factor is larger than the power of two
   * (sum_split). */
  static __device__ __forceinline__ void
  split_a (const float4 (&x)[2], float extra, const float (&scales)[2], unsigned int (&high)[4],
           unsigned int (&low)[4])
  {
#pragma unroll
    for (int half = 0; half < 2; half++) {
      const float factor = fmaf (scales[half], extra, scales[half]);
      seam_split_fp16 (x[half].x * factor, x[half].y * factor, &high[half], &low[half]);
      seam_split_fp16 (x[half].z * factor, x[half].w * factor, &high[half + 2], &low[half + 2]);
    }
  }

  /* The three products of depth 16, as one group. */
  __device__ __forceinline__ void
  product_split (float (&d)[n_sums], const unsigned int (&high)[4], const unsigned int (&low)[4],
                 int s, int add)
  {
    const unsigned long long b_high =
        seam_descriptor_128 (m.b + b_ring.stage * M::b_bytes + 32 * s);
    const unsigned long long b_low = seam_descriptor_advance (b_high, 64);
    seam_wgmma_fence ();
    SeamWgmma<M::columns>::fp16_rs (d, low, b_high, add);
    SeamWgmma<M::columns>::fp16_rs (d, high, b_low, 1);
    SeamWgmma<M::columns>::fp16_rs (d, high, b_high, 1);
    seam_wgmma_commit ();
  }

  /* Tensor cores truncate when they add to D, in proportion to D. So the sums move to `total` from
   * time to time; d keeps the small difference between the sum so far and its bf16 rounding, which
   * needs only half a register. */
  __device__ __forceinline__ void
  promote (float (&d)[n_sums], unsigned int (&total)[n_sums / 2])
  {
#pragma unroll
    for (int i = 0; i < n_sums / 2; i++) {
      const float x0 = d[2 * i] + seam_bf16_low (total[i]);
      const float x1 = d[2 * i + 1] + seam_bf16_high (total[i]);
      total[i] = seam_pack_bf16 (x0, x1);
      d[2 * i] = x0 - seam_bf16_low (total[i]);
      d[2 * i + 1] = x1 - seam_bf16_high (total[i]);
    }
  }

  static constexpr bool promotes = Config::promote_steps > 0;

  /* Steps since the last promotion. The warpgroups promote in turn, so that one has the tensor
   * cores while the other adds. */
  __device__ __forceinline__ int
  count_since_promotion (int step) const
  {
    if constexpr (!promotes)
      return step;
    else
      return (step + warpgroup * (Config::promote_steps / 2)) % Config::promote_steps;
  }

  /* Half steps that follow the first one of `step` before the next promotion. */
  __device__ __forceinline__ int
  count_later (int step) const
  {
    const int left = M::n_halves - 2 * step;
    if constexpr (!promotes)
      return left - 1;
    else
      return min (left, 2 * (Config::promote_steps - count_since_promotion (step))) - 1;
  }

  /* Sums up, and returns the inverses of the rows' powers of two. */
  __device__ __forceinline__ void
  sum_split (float (&d)[n_sums], float (&inverses)[2])
  {
    constexpr float loss = 3 * seam_truncation; /* of a half step */
    float extra = (seam_uneven - 1) + count_later (0) * loss;
    unsigned int total[promotes ? n_sums / 2 : 1];
    unsigned int high0[4], low0[4], high1[4], low1[4];
    float scales[2];
    float4 x[2];
    if (promotes) {
#pragma unroll
      for (int i = 0; i < n_sums / 2; i++)
        total[i] = 0;
    }
    wait_a ();
    choose_scales (scales);
    load_a (0, x, scales, d, total);
    split_a (x, extra, scales, high0, low0);
#pragma unroll 1
    for (int step = 0; step < M::n_steps; step++) {
      wait_b ();
      product_split (d, high0, low0, 0, step > 0);
      load_a (1, x, scales, d, total);
      if (step > 0) {
        seam_wgmma_wait<1> ();
        release_b (b_ring.before ());
      }
      split_a (x, extra -= loss, scales, high1, low1);
      product_split (d, high1, low1, 1, 1);
      /* Not earlier: a product in the queue proves that the loads have brought their values. An
       * earlier arrival would overtake loads that wait behind the other warpgroup's stores. */
      __syncwarp ();
      release_a (a_ring.stage);
      a_ring.next ();
      b_ring.next ();
      if (step + 1 < M::n_steps) {
        wait_a ();
        load_a (0, x, scales, d, total);
        seam_wgmma_wait<1> ();
        const bool ends = promotes && count_since_promotion (step + 1) == 0;
        extra = ends ? (seam_uneven - 1) + count_later (step + 1) * loss : extra - loss;
        split_a (x, extra, scales, high0, low0);
        if (ends) {
          seam_wgmma_wait<0> ();
          seam_wgmma_hold (d);
          if constexpr (promotes)
            promote (d, total);
        }
      }
    }
    seam_wgmma_wait<0> ();
    release_b (b_ring.before ());
    seam_wgmma_hold (d);
    add_totals (d, total);
    inverses[0] = seam_operand_invert_scale (scales[0]);
    inverses[1] = seam_operand_invert_scale (scales[1]);
  }

  /* Loads the powers of two of this thread's two rows while the products are summed. */
  __device__ __forceinline__ void
  load_inverses (int row, float (&inverses)[2]) const
  {
#pragma unroll
    for (int half = 0; half < 2; half++)
      inverses[half] = !M::rows_guarded || row + 8 * half < Config::a_rows
                           ? __ldg (arguments.inverses[0] + row + 8 * half)
                           : 1.0f;
  }

  /* A sum is at most 2^31 for each number of depth, so at most 2^59. Powers of two are positive, so
   * their bits have the same order. */
  static __device__ __forceinline__ bool
  is_extreme (const float (&inverses)[2])
  {
    const unsigned int largest = __float_as_uint (fmaxf (inverses[0], inverses[1]));
    return __reduce_max_sync (0xffffffffu, largest) > __float_as_uint (0x1p68f);
  }

  template <bool extreme>
  __device__ __forceinline__ void
  finish (int row, int column, const float (&inverses)[2], float (&d)[n_sums])
  {
    if constexpr (Config::swap)
      seam_matmul_hopper_epilogue_swapped<Config, Tail, extreme> (arguments, row, column, inverses,
                                                                  d);
    else
      SeamMatmulHopperEpilogue<Config, Tail, extreme>{
        arguments,
        shared_vectors () + lane % 4 * SeamMatmulHopperUnit<Config>::width,
        row + warp * 16 + lane / 4,
        column + lane % 4 * SeamMatmulHopperUnit<Config>::width,
        inverses,
        d
      }
          .run ();
  }

  __device__ __forceinline__ void
  run ()
  {
    for (int segment = m.first_segment; segment < M::n_segments; segment += m.segment_step) {
      find_places ();
      const int tile_column = m.segment_column (segment);
      if (Config::vectors_shared)
        load_vectors (tile_column);
      skip_b (warpgroup * Config::shift);
#pragma unroll 1
      for (int round = 0; round < M::n_rounds; round++) {
        const int unit = round * M::n_warpgroups + warpgroup;
        if (unit >= M::n_units) {
          skip_b (M::n_steps);
          continue;
        }
        find_places ();
        float d[n_sums];
        float inverses[2];
        if constexpr (Config::scaled)
          load_inverses (m.segment_row (segment) + unit * SEAM_MATMUL_HOPPER_WARPGROUP_ROWS
                             + warp * 16 + lane / 4,
                         inverses);
        if constexpr (Config::split)
          sum_split (d, inverses);
        else
          sum_shared (d);
        seam_wgmma_hold (d);
        const int row = m.segment_row (segment) + unit * SEAM_MATMUL_HOPPER_WARPGROUP_ROWS;
        /* Makes the compiler believe that the column changes with the round; else it moves all
         * loads of vectors out of the loop. */
        int column = tile_column;
        asm volatile("" : "+r"(column));
        /* Never true. Without a branch here, the compiler schedules the release of the last stages,
         * which the producers wait for, into the middle of the epilogue. */
        if (column < 0)
          break;
        if (M::has_scales && is_extreme (inverses))
          finish<true> (row, column, inverses, d);
        else
          finish<false> (row, column, inverses, d);
      }
      find_places ();
      skip_b ((M::n_warpgroups - 1 - warpgroup) * Config::shift);
    }
  }
};

template <typename Config, typename Tail>
SEAM_DEVICE void
seam_matmul_hopper (const SeamMatmulHopperArguments &a)
{
  using M = SeamMatmulHopper<Config>;
  const unsigned int warp = __shfl_sync (0xffffffffu, threadIdx.x / 32, 0);
  if (threadIdx.x == 0) {
    const M m;
    seam_tma_prefetch_map (&a.a);
    seam_tma_prefetch_map (&a.b);
    for (unsigned int i = 0; i < M::b_stages; i++) {
      seam_mbarrier_init (m.b_full + i * 8, 1);
      seam_mbarrier_init (m.b_empty + i * 8, 4 * M::n_warpgroups * M::cluster_rows); /* counts
                                                                                      * warps */
    }
    for (unsigned int i = 0; i < M::n_warpgroups * M::a_stages; i++) {
      seam_mbarrier_init (m.a_full + i * 8, 1);
      seam_mbarrier_init (m.a_empty + i * 8, 4 * M::cluster_columns);
    }
    seam_mbarrier_init_fence ();
  }
  __syncthreads ();
  if (M::cluster_size > 1)
    seam_cluster_sync ();

  constexpr unsigned int first_producer = 4 * M::n_warpgroups;
  if (warp >= first_producer) {
    seam_registers_decrease<M::producer_registers> ();
    const M m;
    if (warp == first_producer) {
      if (seam_elect_one ())
        seam_matmul_hopper_load_b<Config> (m, &a.b);
    } else if (warp <= first_producer + M::n_warpgroups) {
      if (seam_elect_one ())
        seam_matmul_hopper_load_a<Config> (m, &a.a, (int)(warp - first_producer) - 1);
    }
    __syncwarp ();
  } else {
    seam_registers_increase<M::consumer_registers> ();
    SeamMatmulHopperConsumer<Config, Tail> consumer (a, (int)warp / 4);
    consumer.run ();
  }
  /* No block of a cluster ends while another may still write to it. */
  if (M::cluster_size > 1)
    seam_cluster_sync ();
}

/* Splits a matrix [rows, depth] for the B side of class F, after multiplying each row by the power
 * of two that brings its largest number near the end of FP16's range. Of each 32 values of depth it
 * writes 128 bytes: 32 FP16 high parts, then the 32 low parts, in the order in which load_a ()
 * takes A: value 8 q + 4 s + 2 h + e (e, h, s = 0, 1) goes to place 16 s + 8 h + 2 q + e. A warp
 * takes a short row at a time, a block a long one. A thread has the values of one s and h: 8 of 32,
 * and keeps 4 times 8 of them while the largest is found; the rest of a row is read again, from a
 * cache. Zeros fill the last 32. */
template <int n_products>
SEAM_DEVICE void
seam_matmul_hopper_split (const SeamMatmulHopperSplitArguments &a)
{
  constexpr int n_threads = SEAM_MATMUL_HOPPER_SPLIT_THREADS, n_kept = 4;
  __shared__ unsigned int of_warps[n_threads / 32];
  const int team = SEAM_MATMUL_HOPPER_SPLIT_TEAM (a.depth), thread = (int)threadIdx.x & (team - 1);
  const int blocks = (a.depth + 31) / 32, part = thread % 4, step = team / 4;
  const int teams = n_threads / team;
  for (long long row = blockIdx.x * teams + threadIdx.x / team; row < a.rows;
       row += gridDim.x * teams) {
    float2 x[n_kept][4];
    float scale = 0;
    unsigned int largest = 0;
#pragma unroll
    for (int pass = 0; pass < 2; pass++) {
      for (int first = thread / 4; first < blocks; first += n_kept * step) {
#pragma unroll
        for (int i = 0; i < 4 * n_kept; i++) {
          const int k = (first + i / 4 * step) * 32 + i % 4 * 8;
          if (pass == 0 || blocks > n_kept * step)
            x[i / 4][i % 4] = k + 2 * part < a.depth
                                  ? __ldg ((const float2 *)(a.from + row * a.depth + 2 * part + k))
                                  : make_float2 (0, 0);
        }
#pragma unroll
        for (int i = 0; i < n_kept; i++) {
          unsigned int high[4], low[4];
#pragma unroll
          for (int q = 0; q < 4; q++) {
            largest = max (largest, max (seam_operand_get_size (x[i][q].x),
                                         seam_operand_get_size (x[i][q].y)));
            seam_split_fp16_for<n_products> (x[i][q].x * scale, x[i][q].y * scale, &high[q],
                                             &low[q]);
          }
          const long long place = a.permuted ? seam_matmul_hopper_place (row) : row;
          uint4 *const to = (uint4 *)a.to + (place * blocks + first + i * step) * 8 + part;
          if (pass > 0 && first + i * step < blocks) {
            to[0] = make_uint4 (high[0], high[1], high[2], high[3]);
            to[4] = make_uint4 (low[0], low[1], low[2], low[3]);
          }
        }
      }
      if (pass > 0)
        break;
      largest = __reduce_max_sync (0xffffffffu, largest);
      if (team > 32) {
        __syncthreads (); /* all have read those of the row before */
        if (thread % 32 == 0)
          of_warps[thread / 32] = largest;
        __syncthreads ();
#pragma unroll
        for (int i = 0; i < n_threads / 32; i++)
          largest = max (largest, of_warps[i]);
      }
      const float power = seam_operand_get_scale (largest);
      scale = power * seam_uneven;
      if (thread == 0)
        a.inverses[row] = seam_operand_invert_scale (power) * seam_even;
    }
  }
}
