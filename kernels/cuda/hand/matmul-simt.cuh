/* SPDX-License-Identifier: MIT
 *
 * y = tail (x * weight transposed) in plain FP32 on the ordinary cores: the honest baseline of the
 * tensor core versions, and the simplest matmul that comes near the FP32 peak. Three ideas:
 *   tile       a block computes 128 x 128 of y, so each float it fetches is used 128 times;
 *   registers  a thread computes 8 x 8, so 16 floats from shared memory feed 64 multiply-adds;
 *   overlap    the next 8 inputs travel from global memory while these 8 are used.
 * The tail and GroupNorm work on the sums in registers: y is written once and never read.
 * FP32 accumulation in the order of the inputs. portable.h says how to launch it. Measurements:
 * kernels/ladder.csv.
 */
#ifndef SEAM_MATMUL_SIMT_CUH
#define SEAM_MATMUL_SIMT_CUH

#include "kernels/cuda/hand/portable.cuh"

#define SEAM_SIMT_DEPTH 8   /* inputs in shared memory at once */
#define SEAM_SIMT_PITCH 132 /* 128 plus 4, so that stores down a column meet different banks */

/* The four inputs from `k` on of a row of x or of the weight; zeros beyond either end. */
template <int copy_floats>
__device__ __forceinline__ float4
seam_load_inputs (const float *matrix, long long row, long long n_rows, int k, int inner)
{
  const float *from = matrix + row * inner + k;
  if (row >= n_rows)
    return make_float4 (0.0f, 0.0f, 0.0f, 0.0f);
  if constexpr (copy_floats == 4) {
    if (k < inner)
      return __ldg (reinterpret_cast<const float4 *> (from));
    return make_float4 (0.0f, 0.0f, 0.0f, 0.0f);
  } else {
    return make_float4 (k < inner ? __ldg (from) : 0.0f, k + 1 < inner ? __ldg (from + 1) : 0.0f,
                        k + 2 < inner ? __ldg (from + 2) : 0.0f,
                        k + 3 < inner ? __ldg (from + 3) : 0.0f);
  }
}

/* Stores four inputs of a row down a column, so that the rows of one input are neighbours. */
__device__ __forceinline__ void
seam_store_transposed (float (*tile)[SEAM_SIMT_PITCH], float4 inputs, int k, int row)
{
  tile[k][row] = inputs.x;
  tile[k + 1][row] = inputs.y;
  tile[k + 2][row] = inputs.z;
  tile[k + 3][row] = inputs.w;
}

/* Loads floats `at` … `at` + 3 and `at` + 64 … `at` + 67. Neighbouring threads thus read
 * neighbouring 16 bytes, which they would not if each read eight neighbouring floats. */
__device__ __forceinline__ void
seam_load_eight (float (&values)[8], const float *from, int at)
{
  const float4 low = *reinterpret_cast<const float4 *> (from + at);
  const float4 high = *reinterpret_cast<const float4 *> (from + at + 64);
  values[0] = low.x, values[1] = low.y, values[2] = low.z, values[3] = low.w;
  values[4] = high.x, values[5] = high.y, values[6] = high.z, values[7] = high.w;
}

template <typename Config, typename Tail>
__device__ __forceinline__ void
seam_matmul_simt (const SeamPortableMatmul &a)
{
  __shared__ __align__ (16) float x_tile[2][SEAM_SIMT_DEPTH][SEAM_SIMT_PITCH];
  __shared__ __align__ (16) float weight_tile[2][SEAM_SIMT_DEPTH][SEAM_SIMT_PITCH];
  const SeamMatmulPlace place = seam_place_matmul<Config> (a);
  /* A thread computes rows and columns at + 0 … 3 and at + 64 … 67. */
  const int row_at = threadIdx.x / 16 * 4, column_at = threadIdx.x % 16 * 4;
  /* A thread fetches 4 inputs of one row of x and of one row of the weight. */
  const int fetch_row = threadIdx.x / 2, fetch_k = threadIdx.x % 2 * 4;
  const int n_steps = (a.inner + SEAM_SIMT_DEPTH - 1) / SEAM_SIMT_DEPTH;
  float4 next_x, next_weight;
  float sums[8][8] = {}; /* [column][row] */

  auto fetch = [&] (int step) {
    const int k = step * SEAM_SIMT_DEPTH + fetch_k;
    next_x = seam_load_inputs<Config::copy_floats> (a.x, place.row + fetch_row, a.rows, k, a.inner);
    next_weight = seam_load_inputs<Config::copy_floats> (a.weight, place.column + fetch_row,
                                                         a.columns, k, a.inner);
  };
  auto put = [&] (int buffer) {
    seam_store_transposed (x_tile[buffer], next_x, fetch_k, fetch_row);
    seam_store_transposed (weight_tile[buffer], next_weight, fetch_k, fetch_row);
  };

  fetch (0);
  put (0);
  __syncthreads ();
  for (int step = 0; step < n_steps; step++) {
    const int buffer = step % 2;
    if (step + 1 < n_steps)
      fetch (step + 1);
#pragma unroll
    for (int k = 0; k < SEAM_SIMT_DEPTH; k++) {
      float rows[8], columns[8];
      seam_load_eight (rows, x_tile[buffer][k], row_at);
      seam_load_eight (columns, weight_tile[buffer][k], column_at);
#pragma unroll
      for (int column = 0; column < 8; column++)
#pragma unroll
        for (int row = 0; row < 8; row++)
          sums[column][row] = fmaf (rows[row], columns[column], sums[column][row]);
    }
    /* The other buffer was last read before the barrier at the end of the previous step. */
    if (step + 1 < n_steps)
      put (1 - buffer);
    __syncthreads ();
  }

  /* Tail, a column at a time: its vectors are loaded once for 8 rows. */
  float weight[2][4], bias[2][4];
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const int column = min (place.column + column_at + i / 4 * 64 + i % 4, a.columns - 1);
    seam_apply_tail<Tail> (sums[i], a.vectors, column);
    if constexpr (Tail::groupnorm) {
      weight[i / 4][i % 4] = __ldg (a.vectors[Tail::n_vectors] + column);
      bias[i / 4][i % 4] = __ldg (a.vectors[Tail::n_vectors + 1] + column);
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const long long row = place.row + row_at + i / 4 * 64 + i % 4;
    float values[2][4];
#pragma unroll
    for (int j = 0; j < 8; j++)
      values[j / 4][j % 4] = sums[j][i];
    if constexpr (Tail::groupnorm)
      seam_normalize_row<Config::group_width, 2, 16> (values, weight, bias);
    if (row < a.rows) {
#pragma unroll
      for (int j = 0; j < 2; j++) {
        const int column = place.column + column_at + j * 64;
        seam_store_columns<Config> (a.y, row * a.columns + column, values[j], column, a.columns);
      }
    }
  }
}

#endif
