/* SPDX-License-Identifier: MIT
 *
 * The output side of matmul-hopper.cuh: powers of two, tail, GroupNorm and stores of the sums of a
 * warpgroup. Read matmul-hopper.cuh first.
 */
#pragma once

#include "kernels/cuda/hand/matmul-hopper-load.cuh"
#include "kernels/cuda/hand/matmul-hopper.h"
#include "kernels/cuda/statistics.cuh"
#include "kernels/cuda/stored.cuh"
#include "kernels/ops.h"

/* Neighbouring columns of y that a thread holds: 2 in wgmma's own order, 4 if the rows of B have
 * another order in shared memory (seam_matmul_hopper_place in matmul-hopper.h). With 4, loads of
 * vectors and stores are 16 bytes wide. */
template <typename Config> struct SeamMatmulHopperUnit {
  static constexpr SeamOperandType output = (SeamOperandType)Config::output;
  typedef typename SeamElement<output>::Stored Stored;
  static constexpr int width = Config::permuted ? 4 : 2;
  static constexpr int columns = 4 * width; /* columns of four lanes */
  static constexpr long long n_columns = Config::b_rows;
  static constexpr bool guarded = n_columns % (Config::tile_columns * Config::cluster_columns) != 0;

  /* Index of column i of unit u in the sums, of row 0 or, with half = 1, of row 8. */
  static __device__ __forceinline__ constexpr int
  place (int u, int half, int i)
  {
    return width * 2 * u + i / 2 * 4 + half * 2 + i % 2;
  }

  static __device__ __forceinline__ void
  load (const float *vector, const float *shared, int column, float (&to)[width])
  {
    if constexpr (Config::vectors_shared && width == 4) {
      const float4 v = *(const float4 *)shared;
      to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    } else if constexpr (Config::vectors_shared) {
      const float2 v = *(const float2 *)shared;
      to[0] = v.x, to[1] = v.y;
    } else if constexpr (width == 4) {
      float4 v = make_float4 (0, 0, 0, 0);
      if (!guarded || column < n_columns)
        v = __ldg ((const float4 *)(vector + column));
      to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    } else {
      float2 v = make_float2 (0, 0);
      if (!guarded || column + 1 < n_columns)
        v = __ldg ((const float2 *)(vector + column));
      else if (column < n_columns)
        v.x = __ldg (vector + column);
      to[0] = v.x, to[1] = v.y;
    }
  }

  /* Streaming stores, because y is written once and not read again here. The asm clobbers nothing
   * that this code reads, so that the compiler may load and compute past it. In 16 bits, 4 columns
   * are 8 bytes, and 2 columns are 4. `y` is aligned to them, because the length of every row is a
   * multiple. */
  static __device__ __forceinline__ void
  store (Stored *y, int column, const float (&from)[width])
  {
    if constexpr (output != SEAM_OPERAND_FP32 && width == 4) {
      if (!guarded || column < n_columns)
        __stcs (reinterpret_cast<uint2 *> (y),
                make_uint2 (seam_pack_pair<output> (from[0], from[1]),
                            seam_pack_pair<output> (from[2], from[3])));
    } else if constexpr (output != SEAM_OPERAND_FP32 && n_columns % 2 == 0) {
      if (!guarded || column < n_columns)
        __stcs (reinterpret_cast<unsigned int *> (y), seam_pack_pair<output> (from[0], from[1]));
    } else if constexpr (width == 4) {
      if (!guarded || column < n_columns)
        seam_store_streaming_4 (y, from[0], from[1], from[2], from[3]);
    } else if constexpr (n_columns % 2 == 0) {
      if (!guarded || column < n_columns)
        seam_store_streaming_2 (y, from[0], from[1]);
    } else {
      if (column < n_columns)
        __stcs (y, seam_store_as<output> (from[0]));
      if (column + 1 < n_columns)
        __stcs (y + 1, seam_store_as<output> (from[1]));
    }
  }
};

/* GroupNorm of two rows: mean and 1 / standard deviation of the sums d[place (first.., half, ..)],
 * two passes, four lanes together. */
template <typename Unit, typename Tail, int group, int n_sums>
SEAM_DEVICE void
seam_matmul_hopper_statistics (const float (&d)[n_sums], int first, float (&mean)[2],
                               float (&rstd)[2])
{
#pragma unroll
  for (int half = 0; half < 2; half++)
    seam_keep_in_range ([&] (float scale, int) SEAM_INLINE {
      float sum[2] = { 0, 0 }, square[2] = { 0, 0 }; /* two chains of additions */
#pragma unroll
      for (int u = first; u < first + group / Unit::columns; u++) {
#pragma unroll
        for (int i = 0; i < Unit::width; i++)
          sum[i % 2] += d[Unit::place (u, half, i)] * scale;
      }
      float center = sum[0] + sum[1];
      center += __shfl_xor_sync (0xffffffffu, center, 1);
      center += __shfl_xor_sync (0xffffffffu, center, 2);
      center *= 1.0f / group;
#pragma unroll
      for (int u = first; u < first + group / Unit::columns; u++) {
#pragma unroll
        for (int i = 0; i < Unit::width; i++) {
          const float e = d[Unit::place (u, half, i)] * scale - center;
          square[i % 2] += e * e;
        }
      }
      square[0] += square[1];
      square[0] += __shfl_xor_sync (0xffffffffu, square[0], 1);
      square[0] += __shfl_xor_sync (0xffffffffu, square[0], 2);
      mean[half] = seam_unscale (center, scale);
      rstd[half] =
          scale * rsqrtf (square[0] * (1.0f / group) + (float)Tail::epsilon * scale * scale);
      return square[0];
    });
}

/* Undoes the powers of two of a row of A and a row of B. `extreme`: that of A is so large that the
 * sums may exceed FP32's range before that of B is applied, so that one factor more is needed. */
template <bool extreme>
SEAM_DEVICE float
seam_matmul_hopper_unscale (float sum, float of_a, float of_b)
{
  if constexpr (extreme)
    return seam_operand_unscale (sum, of_a, of_b);
  else
    return sum * of_a * of_b;
}

/* The epilogue of one warpgroup's sums if rows of x are rows of A. A row of any group of columns
 * lies in 4 neighbouring lanes. `first` counts units. The stores of a group alternate with the tail
 * of the next one, `turn` units at a time, so that stores, arithmetic and the special functions of
 * sigmoids overlap: a single warp on a scheduler must hide its own latencies. */
template <typename Config, typename Tail, bool extreme> struct SeamMatmulHopperEpilogue {
  using M = SeamMatmulHopper<Config>;
  using Unit = SeamMatmulHopperUnit<Config>;
  static constexpr int n_vectors = Tail::n_vectors;
  static constexpr int group = Tail::groupnorm ? Config::group_columns : Unit::columns;
  static constexpr int group_units = group / Unit::columns;
  static constexpr int n_units = Config::tile_columns / Unit::columns;
  static constexpr int turn = group_units % 2 == 0 ? 2 : 1;
  static_assert (group % Unit::columns == 0 && Config::tile_columns % group == 0,
                 "a group lies in one tile");

  const SeamMatmulHopperArguments &a;
  const float *shared; /* the vectors' values at this thread's first columns, if they are in shared
                        * memory */
  const int row, column;
  const float (&inverses)[2]; /* inverses of the two rows' powers of two */
  float (&d)[Config::tile_columns / 2];

  __device__ __forceinline__ void
  vector (int j, int u, float (&to)[Unit::width]) const
  {
    Unit::load (M::vector (a, j, M::template count_vectors<Tail> ()),
                shared + j * Config::tile_columns + u * Unit::columns, column + u * Unit::columns,
                to);
  }

  __device__ __forceinline__ void
  tail (int first, int n) const
  {
#pragma unroll
    for (int u = first; u < first + n; u++) {
      float vectors[n_vectors + 1][Unit::width], of_columns[Unit::width];
#pragma unroll
      for (int j = 0; j < n_vectors; j++)
        vector (j, u, vectors[j]);
      if constexpr (M::has_scales)
        vector (M::template count_vectors<Tail> () - 1, u, of_columns);
#pragma unroll
      for (int i = 0; i < Unit::width; i++) {
        float v[n_vectors + 1];
#pragma unroll
        for (int j = 0; j < n_vectors; j++)
          v[j] = vectors[j][i];
#pragma unroll
        for (int half = 0; half < 2; half++) {
          float sum = d[Unit::place (u, half, i)];
          if constexpr (M::has_scales)
            sum = seam_matmul_hopper_unscale<extreme> (sum, inverses[half], of_columns[i]);
          d[Unit::place (u, half, i)] = Tail::apply (sum, v);
        }
      }
    }
  }

  __device__ __forceinline__ void
  finish (int first, int n, const float (&mean)[2], const float (&rstd)[2]) const
  {
    typename Unit::Stored *const y =
        reinterpret_cast<typename Unit::Stored *> (a.y) + row * Unit::n_columns + column;
#pragma unroll
    for (int u = first; u < first + n; u++) {
      float weight[Unit::width], bias[Unit::width], result[Unit::width];
      if (Tail::groupnorm) {
        vector (n_vectors, u, weight);
        vector (n_vectors + 1, u, bias);
      }
#pragma unroll
      for (int half = 0; half < 2; half++) {
#pragma unroll
        for (int i = 0; i < Unit::width; i++) {
          result[i] = d[Unit::place (u, half, i)];
          /* Two instructions, except in class F: see GroupNorm in convolution-few-norm.cuh. */
          if (Tail::groupnorm && Config::split)
            result[i] = seam_op_normalize (result[i], mean[half], rstd[half], weight[i], bias[i]);
          else if (Tail::groupnorm)
            result[i] = seam_op_multiply_add (
                seam_op_multiply_add (result[i], rstd[half], -mean[half] * rstd[half]), weight[i],
                bias[i]);
        }
        if (!M::rows_guarded || row + 8 * half < Config::a_rows)
          Unit::store (y + 8 * half * Unit::n_columns + u * Unit::columns,
                       column + u * Unit::columns, result);
      }
    }
  }

  __device__ __forceinline__ void
  run () const
  {
    tail (0, group_units);
#pragma unroll
    for (int first = 0; first < n_units; first += group_units) {
      float mean[2], rstd[2];
      if (Tail::groupnorm)
        seam_matmul_hopper_statistics<Unit, Tail, group> (d, first, mean, rstd);
#pragma unroll
      for (int u = first; u < first + group_units; u += turn) {
        if (first + group_units < n_units)
          tail (u + group_units, turn);
        finish (u, turn, mean, rstd);
      }
    }
  }
};

/* The same for A = w, in class F: a row of the sums is a column of y, so a thread needs two values
 * of each vector, and a store instruction of a warp writes 4 rows of y, 32 bytes in each. */
template <typename Config, typename Tail, bool extreme>
SEAM_DEVICE void
seam_matmul_hopper_epilogue_swapped (const SeamMatmulHopperArguments &a, int row, int column,
                                     const float (&inverses)[2],
                                     float (&d)[Config::tile_columns / 2])
{
  static_assert (!Tail::groupnorm, "a group of columns would lie in several warps");
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32 % 4;
  row += warp * 16 + lane / 4;
  column += lane % 4 * 2;
  const bool store0 = row < Config::a_rows, store1 = row + 8 < Config::a_rows;
  float v0[Tail::n_vectors + 1], v1[Tail::n_vectors + 1];
#pragma unroll
  for (int i = 0; i < Tail::n_vectors; i++) {
    v0[i] = store0 ? __ldg (a.vectors[i] + row) : 0.0f;
    v1[i] = store1 ? __ldg (a.vectors[i] + row + 8) : 0.0f;
  }
  constexpr SeamOperandType output = (SeamOperandType)Config::output;
  typedef typename SeamElement<output>::Stored Stored;
  Stored *const y = reinterpret_cast<Stored *> (a.y) + (long long)column * Config::a_rows + row;
#pragma unroll
  for (int j = 0; j < Config::tile_columns / 8; j++) {
    float2 pair = make_float2 (0, 0);
    if (column + 8 * j < Config::b_rows)
      pair = __ldg ((const float2 *)(a.inverses[1] + column + 8 * j));
#pragma unroll
    for (int i = 0; i < 2; i++) {
      const float of_b = i == 0 ? pair.x : pair.y;
      const auto finish = [&] (int half, const float *vectors) {
        return seam_store_as<output> (Tail::apply (
            seam_matmul_hopper_unscale<extreme> (d[4 * j + i + 2 * half], inverses[half], of_b),
            vectors));
      };
      if (column + 8 * j + i < Config::b_rows) {
        Stored *const to = y + (long long)(8 * j + i) * Config::a_rows;
        if (store0)
          __stcs (to, finish (0, v0));
        if (store1)
          __stcs (to + 8, finish (1, v1));
      }
    }
  }
}
