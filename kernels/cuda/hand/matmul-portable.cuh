/* SPDX-License-Identifier: MIT
 *
 * y = tail (x * weight transposed) on the tensor cores of sm_80 and newer, with no instruction
 * newer than those. What it adds to matmul-simt.cuh:
 *   ring       cp.async moves the next blocks of 32 inputs into a ring of shared memory while this
 *              one is multiplied, without passing through registers;
 *   swizzle    piece i (16 bytes) of row r lies at i ^ (r % 8), so that eight rows of one piece are
 *              in different banks: ldmatrix reads them at once, and copies write without conflict;
 *   fragments  a warp computes 64 x 64: 32 mma for 8 inputs of 64 rows and 64 columns.
 * Class T rounds each operand to the nearest TF32 after loading it. Class F splits it into two TF32
 * there (TF32x3) and sums three products: FP32's range, and 22 bits. Math modes fp16 and bf16 round
 * it to that type and multiply once. All read both operands with the same ldmatrix, since the
 * inputs of x and of the weight are neighbours in memory. The block's sums go through shared memory
 * once, so that a warp ends with whole rows for the tail, GroupNorm of up to 128 columns and
 * 16-byte stores. The speed is limited by the instructions between the mma, not by memory.
 * portable.h says how to launch it. Measurements: kernels/ladder.csv.
 */
#ifndef SEAM_MATMUL_PORTABLE_CUH
#define SEAM_MATMUL_PORTABLE_CUH

#include "kernels/cuda/hand/mma-operands.cuh"
#include "kernels/cuda/hand/portable.cuh"

#define SEAM_MMA_DEPTH 32 /* inputs a stage: rows of 128 bytes in shared memory, 8 pieces */

/* A thread copies Config::copy_floats inputs of every rows_abreast-th row of a block's n rows of x
 * or of the weight. Beyond the ends of the matrix it writes zeros. */
template <typename Config, int n> struct SeamRowCopies {
  static constexpr int row_copies = SEAM_MMA_DEPTH / Config::copy_floats;
  static constexpr int rows_abreast = Config::threads / row_copies;
  const float *matrix;
  long long rows;     /* rows of the matrix */
  unsigned int first; /* first row of the block */

  /* The start of the copies is computed again for each step, because class F has no registers to
   * keep it. */
  __device__ __forceinline__ void
  start (unsigned int stage, int k, int inner) const
  {
    unsigned int block = first;
    if constexpr (Config::math == SEAM_PORTABLE_TF32X3)
      asm volatile("" : "+r"(block));
    const int column = threadIdx.x % row_copies * Config::copy_floats;
    const long long row = (long long)block * n + threadIdx.x / row_copies, left = rows - row;
    const int end = k + column >= inner ? 0 : left < n ? (int)left : n;
    const float *at = matrix + row * inner + column + k;
#pragma unroll(Config::copy_floats == 4 ? n / rows_abreast : 4)
    for (int i = 0; i < n; i += rows_abreast) {
      const int row = threadIdx.x / row_copies + i;
      seam_copy_async<Config::copy_floats> (
          stage + row * 128 + ((column / 4 ^ row % 8) * 16 + column % 4 * 4), at, i < end);
      at += (long long)rows_abreast * inner;
    }
  }
};

/* Places of a warp's rows of a stage in shared memory, and the fragments of 8 inputs (`eighth` of
 * the stage) there. For ldmatrix, every lane addresses one row and one of two neighbouring pieces.
 * The four matrices of x are rows 0-7 and 8-15 of the first piece, then of the second; those of the
 * weight are both pieces of columns 0-7, then of columns 8-15. */
struct SeamFragments {
  unsigned int x, weight; /* byte addresses of the lane's row */

  __device__ __forceinline__ void
  load_x (unsigned int (&r)[4], int eighth, int row) const
  {
    const unsigned int lane = threadIdx.x % 32;
    seam_load_matrices (r, x + row * 16 * 128 + ((eighth * 2 + lane / 16) ^ lane % 8) * 16);
  }

  __device__ __forceinline__ void
  load_weight (unsigned int (&r)[4], int eighth, int column) const
  {
    const unsigned int lane = threadIdx.x % 32;
    seam_load_matrices (r,
                        weight + column * 16 * 128 + ((eighth * 2 + lane / 8 % 2) ^ lane % 8) * 16);
  }
};

/* Class T: sums += the products of 8 inputs. */
template <int n_rows, int n_columns>
__device__ __forceinline__ void
seam_multiply_tf32 (float (&sums)[n_rows][n_columns][4], const SeamFragments &from, int eighth)
{
  unsigned int b[n_columns / 2][4];
#pragma unroll
  for (int column = 0; column < n_columns / 2; column++) {
    from.load_weight (b[column], eighth, column);
#pragma unroll
    for (int i = 0; i < 4; i++)
      b[column][i] = seam_round_tf32 (b[column][i]);
  }
#pragma unroll
  for (int row = 0; row < n_rows; row++) {
    unsigned int a[4];
    from.load_x (a, eighth, row);
#pragma unroll
    for (int i = 0; i < 4; i++)
      a[i] = seam_round_tf32 (a[i]);
#pragma unroll
    for (int column = 0; column < n_columns; column++)
      seam_mma_tf32 (sums[row][column], a, b[column / 2][column % 2 * 2],
                     b[column / 2][column % 2 * 2 + 1]);
  }
}

/* Class F: the same with three products of parts. */
template <int n_rows, int n_columns>
__device__ __forceinline__ void
seam_multiply_tf32x3 (float (&sums)[n_rows][n_columns][4], const SeamFragments &from, int eighth)
{
  unsigned int b_high[n_columns][2], b_low[n_columns][2];
#pragma unroll
  for (int column = 0; column < n_columns / 2; column++) {
    unsigned int raw[4];
    from.load_weight (raw, eighth, column);
#pragma unroll
    for (int i = 0; i < 4; i++) {
      unsigned int &high = b_high[2 * column + i / 2][i % 2];
      high = seam_round_tf32 (raw[i]);
      b_low[2 * column + i / 2][i % 2] = seam_tf32_rest (raw[i], high);
    }
  }
#pragma unroll
  for (int row = 0; row < n_rows; row++) {
    unsigned int raw[4], a_high[4], a_low[4];
    from.load_x (raw, eighth, row);
#pragma unroll
    for (int i = 0; i < 4; i++) {
      a_high[i] = seam_round_tf32 (raw[i]);
      a_low[i] = seam_tf32_rest (raw[i], a_high[i]);
    }
    seam_mma_tf32x3 (sums[row], a_high, a_low, b_high, b_low);
  }
}

/* Math modes fp16 and bf16: sums += the products of 16 inputs, rounded once. The two halves of a
 * register are numbers t and t + 4 of the first eight inputs, or of the second eight. */
template <bool fp16, int n_rows, int n_columns>
__device__ __forceinline__ void
seam_multiply_operands (float (&sums)[n_rows][n_columns][4], const SeamFragments &from, int eighth)
{
  unsigned int b[n_columns][2];
#pragma unroll
  for (int i = 0; i < n_columns; i++) {
    unsigned int raw[4];
    from.load_weight (raw, eighth + i % 2, i / 2);
#pragma unroll
    for (int j = 0; j < 2; j++)
      b[i / 2 * 2 + j][i % 2] = seam_pack_operands<fp16> (raw[2 * j], raw[2 * j + 1]);
  }
#pragma unroll
  for (int row = 0; row < n_rows; row++) {
    unsigned int a[4];
#pragma unroll
    for (int i = 0; i < 2; i++) {
      unsigned int raw[4];
      from.load_x (raw, eighth + i, row);
#pragma unroll
      for (int j = 0; j < 2; j++)
        a[2 * i + j] = seam_pack_operands<fp16> (raw[j], raw[j + 2]);
    }
#pragma unroll
    for (int column = 0; column < n_columns; column++)
      seam_mma_operands<fp16> (sums[row][column], a, b[column][0], b[column][1]);
  }
}

/* Tail, GroupNorm and stores of the block's sums, which lie in shared memory. A warp takes a row at
 * a time; a lane takes the same 4 columns (of every 128) of each row, so it loads their vectors
 * once. */
template <typename Config, typename Tail>
__device__ __forceinline__ void
seam_finish_rows (const SeamPortableMatmul &a, const SeamMatmulPlace &place, const float *staged,
                  int pitch)
{
  constexpr int pieces = Config::block_columns / 128, n_warps = Config::threads / 32;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float v[pieces][4][seam_at_least_1<Tail::n_vectors>], weight[pieces][4], bias[pieces][4];
#pragma unroll
  for (int i = 0; i < pieces * 4; i++) {
    const int column = min (place.column + i / 4 * 128 + lane * 4 + i % 4, a.columns - 1);
#pragma unroll
    for (int j = 0; j < Tail::n_vectors; j++)
      v[i / 4][i % 4][j] = __ldg (a.vectors[j] + column);
    if constexpr (Tail::groupnorm) {
      weight[i / 4][i % 4] = __ldg (a.vectors[Tail::n_vectors] + column);
      bias[i / 4][i % 4] = __ldg (a.vectors[Tail::n_vectors + 1] + column);
    }
  }
#pragma unroll 2
  for (int row = warp; row < Config::block_rows; row += n_warps) {
    float values[pieces][4];
    if (place.row + row >= a.rows) /* true for the whole warp */
      break;
#pragma unroll
    for (int piece = 0; piece < pieces; piece++) {
      const float4 sums =
          *reinterpret_cast<const float4 *> (staged + row * pitch + piece * 128 + lane * 4);
      values[piece][0] = Tail::apply (sums.x, v[piece][0]);
      values[piece][1] = Tail::apply (sums.y, v[piece][1]);
      values[piece][2] = Tail::apply (sums.z, v[piece][2]);
      values[piece][3] = Tail::apply (sums.w, v[piece][3]);
    }
    if constexpr (Tail::groupnorm)
      seam_normalize_row<Config::group_width, pieces, 32> (values, weight, bias);
#pragma unroll
    for (int piece = 0; piece < pieces; piece++) {
      const int column = place.column + piece * 128 + lane * 4;
      seam_store_columns<Config> (a.y, (place.row + row) * a.columns + column, values[piece],
                                  column, a.columns);
    }
  }
}

template <typename Config, typename Tail>
__device__ __forceinline__ void
seam_matmul_portable (const SeamPortableMatmul &a)
{
  constexpr int n_rows = Config::warp_rows / 16, n_columns = Config::warp_columns / 8;
  constexpr int warps_across = Config::block_columns / Config::warp_columns;
  constexpr unsigned int stage_bytes = (Config::block_rows + Config::block_columns) * 128;
  static_assert (Config::threads / 32 * Config::warp_rows * Config::warp_columns
                     == Config::block_rows * Config::block_columns,
                 "the warps' parts make the block's");
  extern __shared__ __align__ (1024) float seam_shared[];
  const SeamMatmulPlace place = seam_place_matmul<Config> (a);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int warp_row = warp / warps_across * Config::warp_rows;
  const int warp_column = warp % warps_across * Config::warp_columns;
  const int n_steps = (a.inner + SEAM_MMA_DEPTH - 1) / SEAM_MMA_DEPTH;
  const unsigned int ring = seam_shared_address (seam_shared);
  const unsigned int x_row = (warp_row + lane % 16) * 128;
  const unsigned int weight_row =
      (Config::block_rows + warp_column + lane % 8 + lane / 16 * 8) * 128;
  float sums[n_rows][n_columns][4] = {};

  const SeamRowCopies<Config, Config::block_rows> x_copies = {
    a.x, a.rows, (unsigned int)(place.row / Config::block_rows)
  };
  const SeamRowCopies<Config, Config::block_columns> weight_copies = {
    a.weight, a.columns, (unsigned int)(place.column / Config::block_columns)
  };

  auto copy = [&] (int step) {
    if (step < n_steps) {
      const unsigned int stage = ring + step % Config::stages * stage_bytes;
      x_copies.start (stage, step * SEAM_MMA_DEPTH, a.inner);
      weight_copies.start (stage + Config::block_rows * 128, step * SEAM_MMA_DEPTH, a.inner);
    }
    seam_commit_copies (); /* an empty group keeps the count of groups right */
  };

#pragma unroll
  for (int step = 0; step < Config::stages - 1; step++)
    copy (step);
#pragma unroll 1
  for (int step = 0; step < n_steps; step++) {
    const unsigned int stage = ring + step % Config::stages * stage_bytes;
    seam_wait_copies<Config::stages - 2> ();
    __syncthreads (); /* all copies have arrived, and no thread reads the previous stage any
                       * longer */
    copy (step + Config::stages - 1);
    const SeamFragments fragments = { stage + x_row, stage + weight_row };
    if constexpr (Config::math == SEAM_PORTABLE_TF32) {
#pragma unroll
      for (int eighth = 0; eighth < SEAM_MMA_DEPTH / 8; eighth++)
        seam_multiply_tf32 (sums, fragments, eighth);
    } else if constexpr (Config::math == SEAM_PORTABLE_TF32X3) {
#pragma unroll 1
      for (int eighth = 0; eighth < SEAM_MMA_DEPTH / 8; eighth++)
        seam_multiply_tf32x3 (sums, fragments, eighth);
    } else {
#pragma unroll
      for (int eighth = 0; eighth < SEAM_MMA_DEPTH / 8; eighth += 2)
        seam_multiply_operands<Config::math == SEAM_PORTABLE_FP16> (sums, fragments, eighth);
    }
  }

  constexpr int pitch = Config::block_columns + 8; /* stores of a fragment meet every bank once */
  seam_wait_copies<0> ();
  __syncthreads (); /* the ring is free */
#pragma unroll
  for (int i = 0; i < n_rows * n_columns * 2; i++) {
    const int row = warp_row + i / 2 / n_columns * 16 + i % 2 * 8 + lane / 4;
    const int column = warp_column + i / 2 % n_columns * 8 + lane % 4 * 2;
    const float (&sum)[4] = sums[i / 2 / n_columns][i / 2 % n_columns];
    *reinterpret_cast<float2 *> (seam_shared + row * pitch + column) =
        make_float2 (sum[i % 2 * 2], sum[i % 2 * 2 + 1]);
  }
  __syncthreads ();
  seam_finish_rows<Config, Tail> (a, place, seam_shared, pitch);
}

#endif
