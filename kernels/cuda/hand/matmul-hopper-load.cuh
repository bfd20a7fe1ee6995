/* SPDX-License-Identifier: MIT
 *
 * The input side of matmul-hopper.cuh: the layout of shared memory, the tiles of a block, and the
 * threads that stream both operands in. Read matmul-hopper.cuh first.
 */
#pragma once

#include "kernels/cuda/hand/hopper-operands.cuh"
#include "kernels/cuda/hand/matmul-hopper.h"

extern __shared__ unsigned char seam_matmul_shared[];

/* A place in a ring of n stages, and the parity of its current round. */
template <int n> struct SeamRing {
  unsigned int stage, round;

  __device__ __forceinline__ void
  next ()
  {
    if (++stage == n) {
      stage = 0;
      round ^= 1;
    }
  }

  /* The stage before. */
  __device__ __forceinline__ unsigned int
  before () const
  {
    return (stage == 0 ? n : stage) - 1;
  }
};

/* State that all roles of a block share: shared-memory addresses, place in the cluster, sizes. */
template <typename Config> struct SeamMatmulHopper {
  static constexpr int step_depth =
      SEAM_MATMUL_HOPPER_STEP_DEPTH * (Config::operand == SEAM_MATMUL_HOPPER_FP32 ? 1 : 2);
  static constexpr int columns = Config::tile_columns;
  static constexpr int n_sums = columns / 2;
  static constexpr int n_steps = (Config::depth + step_depth - 1) / step_depth;
  /* Halves of a step with depth of their own; class F puts the depth's first 4 numbers of 8 in one.
   */
  static constexpr int n_halves = 2 * n_steps - (Config::depth % 32 == 4 ? 1 : 0);
  static constexpr int cluster_rows = Config::cluster_rows;
  static constexpr int cluster_columns = Config::cluster_columns;
  static constexpr int cluster_size = cluster_rows * cluster_columns;
  static constexpr int a_stages = Config::a_stages, b_stages = Config::b_stages;
  static constexpr unsigned int a_bytes = SEAM_MATMUL_HOPPER_WARPGROUP_ROWS * 128;
  static constexpr unsigned int b_bytes = columns * 128;
  static constexpr int n_warpgroups = Config::warpgroups;   /* consumers */
  static constexpr int n_units = Config::units_per_segment; /* units of 64 rows, for each block */
  static constexpr int n_rounds = (n_units + n_warpgroups - 1) / n_warpgroups;
  static constexpr long long segment_rows =
      (long long)n_units * SEAM_MATMUL_HOPPER_WARPGROUP_ROWS * cluster_rows;
  static constexpr int row_segments = (Config::a_rows + segment_rows - 1) / segment_rows;
  static constexpr int column_tiles =
      (Config::b_rows + (long long)columns * cluster_columns - 1) / (columns * cluster_columns);
  static constexpr bool rows_guarded = Config::a_rows % segment_rows != 0;
  static constexpr int n_segments = row_segments * column_tiles;
  static_assert (Config::shift *(n_warpgroups - 1) <= n_steps, "all start inside the first round");
  static_assert (Config::threads == 128 * (n_warpgroups + 1), "and one warpgroup for TMA");
  static_assert (columns % ((Config::permuted ? 16 : 8) * cluster_rows) == 0,
                 "slices of B are whole swizzle atoms, and whole blocks of permuted rows");

  /* Each thread starts with 168 registers. Class F needs all of them for its sums and their totals;
   * otherwise the producers keep enough to avoid spills. */
  static constexpr int producer_registers = Config::split ? 24 : 40;
  static constexpr int consumer_registers = (3 * 168 - producer_registers) / 2;
  static_assert (n_warpgroups == 2, "or other numbers of registers");

  /* Whether rows of both matrices were multiplied by powers of two. */
  static constexpr bool has_scales = Config::scaled || Config::split;

  /* Vectors over the columns: those of the tail, GroupNorm's weight and bias, and inverses of
   * scales. */
  template <typename Tail>
  static __device__ __forceinline__ constexpr int
  count_vectors ()
  {
    return Tail::n_vectors + (Tail::groupnorm ? 2 : 0) + (has_scales ? 1 : 0);
  }

  /* Vector `j` of `n`; the last one may be the inverses. */
  static __device__ __forceinline__ const float *
  vector (const SeamMatmulHopperArguments &a, int j, int n)
  {
    return has_scales && j == n - 1 ? a.inverses[1] : a.vectors[j];
  }

  unsigned int b, a, b_full, b_empty, a_full, a_empty, vectors; /* shared-memory addresses */
  unsigned int row_rank, column_rank;                           /* ranks in the cluster */
  int first_segment, segment_step;

  __device__ __forceinline__
  SeamMatmulHopper ()
  {
    unsigned int block = blockIdx.x;
    b = seam_shared_address (seam_align_shared (seam_matmul_shared, 1024));
    /* Makes the compiler believe that these values change, so that each user recomputes them, and
     * no register holds them through an epilogue or from one role's code to another's. */
    asm volatile("" : "+r"(b), "+r"(block));
    a = b + b_stages * b_bytes;
    b_full = a + n_warpgroups * a_stages * a_bytes;
    b_empty = b_full + b_stages * 8;
    a_full = b_empty + b_stages * 8;
    a_empty = a_full + n_warpgroups * a_stages * 8;
    vectors = a_empty + n_warpgroups * a_stages * 8;
    const unsigned int rank = cluster_size > 1 ? seam_cluster_rank () : 0;
    row_rank = rank % cluster_rows;
    column_rank = rank / cluster_rows;
    first_segment = (int)block / cluster_size;
    segment_step = (int)gridDim.x / cluster_size;
  }

  /* A segment is a run of units of 64 rows in one column of tiles. The warpgroups take the units in
   * turn, n_warpgroups in a round. */
  __device__ __forceinline__ int
  segment_row (int segment) const
  {
    const int in_rows = Config::columns_first ? segment / column_tiles : segment % row_segments;
    return (in_rows * cluster_rows + (int)row_rank) * n_units * SEAM_MATMUL_HOPPER_WARPGROUP_ROWS;
  }

  /* First row of B (column of the product, without swap) of this block's tile. */
  __device__ __forceinline__ int
  segment_column (int segment) const
  {
    const int tile = Config::columns_first ? segment % column_tiles : segment / row_segments;
    return (tile * cluster_columns + (int)column_rank) * columns;
  }
};

/* Executed by one thread: streams B. Blocks in one column of the cluster use the same B; each loads
 * a slice and sends it to all of them. */
template <typename Config>
SEAM_DEVICE void
seam_matmul_hopper_load_b (const SeamMatmulHopper<Config> &m, const SeamTensorMap *map)
{
  using M = SeamMatmulHopper<Config>;
  constexpr int slice = M::columns / M::cluster_rows;
  const unsigned short mask =
      (unsigned short)(((1u << M::cluster_rows) - 1) << (m.column_rank * M::cluster_rows));
  SeamRing<M::b_stages> ring = { 0, 1 };
  for (int segment = m.first_segment; segment < M::n_segments; segment += m.segment_step) {
    const int column = m.segment_column (segment) + (int)m.row_rank * slice;
    int n = M::n_rounds * M::n_steps + (M::n_warpgroups - 1) * Config::shift;
    for (int k = 0; n > 0; n--) {
      const unsigned int full = m.b_full + ring.stage * 8;
      const unsigned int to = m.b + ring.stage * M::b_bytes + m.row_rank * slice * 128;
      seam_mbarrier_wait (m.b_empty + ring.stage * 8, ring.round);
      seam_mbarrier_arrive_expect (full, M::b_bytes);
      const int depth = k * (Config::split ? 2 : 1) * M::step_depth;
      if constexpr (Config::permuted && !Config::split) {
        /* TMA itself permutes the rows: each 16 are [2][4][2], and the last two dimensions change
         * places. */
        if (M::cluster_rows > 1)
          seam_tma_multicast_5d (to, map, full, mask, depth, 0, 0, 0, column / 16,
                                 Config::b_policy);
        else
          seam_tma_load_5d (to, map, full, depth, 0, 0, 0, column / 16, Config::b_policy);
      } else if (M::cluster_rows > 1)
        seam_tma_multicast_2d (to, map, full, mask, depth, column, Config::b_policy);
      else
        seam_tma_load_2d (to, map, full, depth, column, Config::b_policy);
      k = k + 1 == M::n_steps ? 0 : k + 1;
      ring.next ();
    }
  }
}

/* Executed by one thread: streams the rows of A of one warpgroup, which the blocks in its row of
 * the cluster share. */
template <typename Config>
SEAM_DEVICE void
seam_matmul_hopper_load_a (const SeamMatmulHopper<Config> &m, const SeamTensorMap *map,
                           int warpgroup)
{
  using M = SeamMatmulHopper<Config>;
  constexpr int slice = SEAM_MATMUL_HOPPER_WARPGROUP_ROWS / M::cluster_columns;
  unsigned short mask = 0;
  for (int i = 0; i < M::cluster_columns; i++)
    mask |= (unsigned short)(1u << (m.row_rank + i * M::cluster_rows));
  SeamRing<M::a_stages> ring = { 0, 1 };
  for (int segment = m.first_segment; segment < M::n_segments; segment += m.segment_step) {
    for (int unit = warpgroup; unit < M::n_units; unit += M::n_warpgroups) {
      const int row = m.segment_row (segment) + unit * SEAM_MATMUL_HOPPER_WARPGROUP_ROWS
                      + (int)m.column_rank * slice;
      int k = warpgroup * Config::shift % M::n_steps;
      for (int i = 0; i < M::n_steps; i++) {
        const unsigned int place = warpgroup * M::a_stages + ring.stage;
        const unsigned int full = m.a_full + place * 8;
        const unsigned int to = m.a + place * M::a_bytes + m.column_rank * slice * 128;
        seam_mbarrier_wait (m.a_empty + place * 8, ring.round);
        seam_mbarrier_arrive_expect (full, M::a_bytes);
        if (M::cluster_columns > 1)
          seam_tma_multicast_2d (to, map, full, mask, k * M::step_depth, row, Config::a_policy);
        else
          seam_tma_load_2d (to, map, full, k * M::step_depth, row, Config::a_policy);
        k = k + 1 == M::n_steps ? 0 : k + 1;
        ring.next ();
      }
    }
  }
}
