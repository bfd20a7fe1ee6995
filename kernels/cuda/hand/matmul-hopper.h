/* SPDX-License-Identifier: MIT
 *
 * What the host and matmul-hopper.cuh share: arguments and limits of the Hopper matmul.
 */
#pragma once

#define SEAM_MATMUL_HOPPER_STEP_DEPTH                                                              \
  32 /* floats of depth a stage of the rings holds: 128 bytes                                      \
      */
#define SEAM_MATMUL_HOPPER_WARPGROUP_ROWS 64
#define SEAM_MATMUL_HOPPER_THREADS        384

#ifndef SEAM_TENSOR_MAP_DEFINED
#define SEAM_TENSOR_MAP_DEFINED
typedef struct __attribute__ ((aligned (64))) SeamTensorMap {
  unsigned long long opaque[16];
} SeamTensorMap;
#endif

typedef struct SeamMatmulHopperArguments {
  SeamTensorMap a, b;
  float *y;                /* [N, K] */
  const float *vectors[8]; /* [K] each: of the tail, then weight and bias of GroupNorm */
} SeamMatmulHopperArguments;

typedef struct SeamMatmulHopperSplitArguments {
  const float *from; /* [rows, depth] */
  void *to;          /* 128 bytes for each row and 32 of depth */
  long long rows;
  int depth;
  int permuted; /* Config::permuted; then rows is a multiple of 16 */
} SeamMatmulHopperSplitArguments;

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SEAM_MATMUL_HOPPER_FUNCTION static __host__ __device__ __forceinline__
#else
#define SEAM_MATMUL_HOPPER_FUNCTION static inline
#endif

/* Where row `row` of B goes in permuted order: of each 16 = [q 4][h 2][e 2] rows, as [h][q][e]. A
 * thread of wgmma holds columns 8 h + 2 q and + 1 for each h: they become 4 neighbours. */
SEAM_MATMUL_HOPPER_FUNCTION long long
seam_matmul_hopper_place (long long row)
{
  const int q = (int)(row / 4 % 4), h = (int)(row / 2 % 2), e = (int)(row % 2);
  return row / 16 * 16 + 8 * h + 2 * q + e;
}
