/* SPDX-License-Identifier: MIT
 *
 * y = tail (x * wT), the first matmul to read for Hopper (sm_90a): the shortest one in which the
 * hardware does the work. Not the fastest, not persistent, TF32 only, no GroupNorm. Next:
 * matmul-hopper.cuh, which adds what kernels/README.md measures step by step.
 *
 * Three ideas:
 * - TMA. One thread asks for a box of a matrix; the copy engine rounds it to TF32, arranges it as
 *   wgmma wants it (128-byte swizzle), writes it to shared memory and counts its bytes at a
 *   barrier. No thread computes addresses or holds data. Boxes past an edge arrive as zeros.
 * - A ring. Shared memory holds SEAM_MATMUL_FIRST_STAGES steps of 32 floats of depth. Each stage
 *   has two barriers: `full` (its bytes are here) and `empty` (its readers are done). One warp
 *   fills, four multiply, and nothing else keeps them in step.
 * - wgmma. Four warps multiply together, asynchronously, with both operands in shared memory. Sums
 *   stay in registers: 128 a thread for a tile of 128 x 128, as two products of 64 x 128.
 *
 * What it costs. Shared memory moves 128 bytes a clock. At full speed a product of 64 x 128 x 8
 * takes 64 clocks and reads 96 bytes a clock, and TMA writes 64 more for the next step: 160 of
 * 128, so the tensor cores can be busy for 80 % of the time at most. All of those 64 come from L2.
 * And while a block stores its tile, its tensor cores wait. kernels/README.md has these numbers for
 * other tiles, and what the kernel reached.
 */
#pragma once

#include "kernels/cuda/hand/hopper-operands.cuh"
#include "kernels/cuda/hand/matmul-first.h"

extern __shared__ unsigned char seam_matmul_shared[];

/* The place in the ring of step `step`: addresses in shared memory, and the parity of the round. */
struct SeamMatmulFirstStage {
  unsigned int x, w, full, empty, parity;

  __device__ __forceinline__
  SeamMatmulFirstStage (unsigned int base, int step)
  {
    const unsigned int stage = step % SEAM_MATMUL_FIRST_STAGES;
    x = base + stage * 2 * SEAM_MATMUL_FIRST_PART;
    w = x + SEAM_MATMUL_FIRST_PART;
    full = base + SEAM_MATMUL_FIRST_STAGES * 2 * SEAM_MATMUL_FIRST_PART + stage * 16;
    empty = full + 8;
    parity = step / SEAM_MATMUL_FIRST_STAGES & 1;
  }
};

/* Executed by one thread. A stage of the first round is empty from the beginning: waiting for the
 * other parity returns at once. */
SEAM_DEVICE void
seam_matmul_first_load (const SeamMatmulFirstArguments &a, unsigned int base, int n_steps, int row,
                        int column)
{
  for (int step = 0; step < n_steps; step++) {
    const SeamMatmulFirstStage to (base, step);
    seam_mbarrier_wait (to.empty, to.parity ^ 1);
    seam_mbarrier_arrive_expect (to.full, 2 * SEAM_MATMUL_FIRST_PART);
    seam_tma_load_2d (to.x, &a.x, to.full, step * SEAM_MATMUL_FIRST_STEP, row);
    seam_tma_load_2d (to.w, &a.w, to.full, step * SEAM_MATMUL_FIRST_STEP, column);
  }
}

/* Executed by the four warps of a warpgroup. d[0] holds rows 0 to 63 of the tile, d[1] the others.
 * The products of a step run while the next stage is awaited, so a stage is given back one step
 * later. */
SEAM_DEVICE void
seam_matmul_first_multiply (float (&d)[2][64], unsigned int base, int n_steps)
{
  using Wgmma = SeamWgmma<SEAM_MATMUL_FIRST_TILE>;
  for (int step = 0; step < n_steps; step++) {
    const SeamMatmulFirstStage from (base, step);
    seam_mbarrier_wait (from.full, from.parity);
    const unsigned long long x = seam_descriptor_128 (from.x), w = seam_descriptor_128 (from.w);
    seam_wgmma_fence ();
#pragma unroll
    for (int k = 0; k < 4; k++) { /* 8 floats of depth, 32 bytes */
      const unsigned long long columns = seam_descriptor_advance (w, 32 * k);
      Wgmma::tf32_ss (d[0], seam_descriptor_advance (x, 32 * k), columns, step > 0 || k > 0);
      Wgmma::tf32_ss (d[1], seam_descriptor_advance (x, 64 * 128 + 32 * k), columns,
                      step > 0 || k > 0);
    }
    seam_wgmma_commit ();
    seam_wgmma_wait<1> ();
    if (step > 0 && threadIdx.x % 32 == 0)
      seam_mbarrier_arrive (SeamMatmulFirstStage (base, step - 1).empty);
  }
  seam_wgmma_wait<0> ();
  seam_wgmma_hold (d[0]);
  seam_wgmma_hold (d[1]);
}

/* Applies the tail and stores the tile. A thread has rows r and r + 8 of each half and, of every 8
 * columns, two neighbours (hopper.cuh, wgmma). */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_matmul_first_finish (const SeamMatmulFirstArguments &a, const float (&d)[2][64], int row,
                          int column)
{
  const int lane = threadIdx.x % 32;
  row += threadIdx.x / 32 * 16 + lane / 4;
  column += lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < 64; i += 2) { /* sums 4 j + 2 h and + 1: columns 8 j and + 1, row 8 h */
    float vectors[2][Tail::n_vectors + 1];
    const int of_y = column + i / 4 * 8;
#pragma unroll
    for (int e = 0; e < 2; e++) {
#pragma unroll
      for (int v = 0; v < Tail::n_vectors; v++)
        vectors[e][v] = of_y + e < Config::columns ? __ldg (a.vectors[v] + of_y + e) : 0.0f;
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
      const int row_of_y = row + half * 64 + i / 2 % 2 * 8;
      float *const y = a.y + (long long)row_of_y * Config::columns + of_y;
      const float y0 = Tail::apply (d[half][i], vectors[0]);
      const float y1 = Tail::apply (d[half][i + 1], vectors[1]);
      if (row_of_y >= Config::rows || of_y >= Config::columns)
        continue;
      if constexpr (Config::columns % 2 == 0) {
        seam_store_streaming_2 (y, y0, y1);
      } else {
        y[0] = y0;
        if (of_y + 1 < Config::columns)
          y[1] = y1;
      }
    }
  }
}

/* The kernel. Neighbouring blocks have the same columns, so that L2 reads their part of w once. */
template <typename Config, typename Tail>
SEAM_DEVICE void
seam_matmul_first (const SeamMatmulFirstArguments &a)
{
  constexpr int n_steps = (Config::depth + SEAM_MATMUL_FIRST_STEP - 1) / SEAM_MATMUL_FIRST_STEP;
  constexpr int row_tiles = (Config::rows + SEAM_MATMUL_FIRST_TILE - 1) / SEAM_MATMUL_FIRST_TILE;
  const unsigned int base = seam_shared_address (seam_align_shared (seam_matmul_shared, 1024));
  const int row = (int)(blockIdx.x % row_tiles) * SEAM_MATMUL_FIRST_TILE;
  const int column = (int)(blockIdx.x / row_tiles) * SEAM_MATMUL_FIRST_TILE;

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < SEAM_MATMUL_FIRST_STAGES; stage++) {
      seam_mbarrier_init (SeamMatmulFirstStage (base, stage).full, 1);
      seam_mbarrier_init (SeamMatmulFirstStage (base, stage).empty, 4); /* warps */
    }
    seam_mbarrier_init_fence ();
  }
  __syncthreads ();
  /* The shuffle tells the compiler that all threads of a warp take the same branch; else it would
   * wait for every product alone. */
  if (__shfl_sync (0xffffffffu, threadIdx.x / 32, 0) < 4) {
    float d[2][64];
    seam_matmul_first_multiply (d, base, n_steps);
    seam_matmul_first_finish<Config, Tail> (a, d, row, column);
  } else if (seam_elect_one ()) {
    seam_matmul_first_load (a, base, n_steps, row, column);
  }
}
