/* SPDX-License-Identifier: MIT */
/* Shared by the host and matmul-first.cuh: the tile, the arguments, and what the host must launch.
 * Plain C for gcc, C++ for NVRTC; no headers.
 *
 * Launch: one block for each tile, seam_matmul_first_blocks (), SEAM_MATMUL_FIRST_THREADS threads,
 * SEAM_MATMUL_FIRST_SHARED bytes of dynamic shared memory, no cluster. Both tensor maps: rank 2,
 * sizes { depth, rows } of x or of w, box { SEAM_MATMUL_FIRST_STEP, 128 }, type TFLOAT32, swizzle
 * 128B. The depth is a multiple of 4, because TMA moves rows of whole 16 bytes. */
#pragma once

#define SEAM_MATMUL_FIRST_TILE    128 /* rows of y, and columns of y, that a block computes */
#define SEAM_MATMUL_FIRST_STEP    32  /* floats of depth in a stage: 128 bytes of each row */
#define SEAM_MATMUL_FIRST_STAGES  6
#define SEAM_MATMUL_FIRST_THREADS 160 /* a warpgroup that multiplies, a warp that starts copies */
#define SEAM_MATMUL_FIRST_PART    (SEAM_MATMUL_FIRST_TILE * 128) /* bytes of x, or of w, a stage */
/* The stages, two barriers of 8 bytes for each, and room to begin at a multiple of 1024. */
#define SEAM_MATMUL_FIRST_SHARED                                                                   \
  (SEAM_MATMUL_FIRST_STAGES * (2 * SEAM_MATMUL_FIRST_PART + 16) + 1024)
#define SEAM_MATMUL_FIRST_VECTORS 8

#ifndef SEAM_TENSOR_MAP_DEFINED
#define SEAM_TENSOR_MAP_DEFINED
typedef struct __attribute__ ((aligned (64))) SeamTensorMap {
  unsigned long long opaque[16];
} SeamTensorMap;
#endif

typedef struct SeamMatmulFirstArguments {
  SeamTensorMap x, w;
  float *y;                                        /* [rows, columns] */
  const float *vectors[SEAM_MATMUL_FIRST_VECTORS]; /* of the tail, [columns] each */
} SeamMatmulFirstArguments;

#ifndef __CUDACC_RTC__

/* Fields of Config. */
typedef struct SeamMatmulFirstConfig {
  int rows, columns, depth;
} SeamMatmulFirstConfig;

static inline long long
seam_matmul_first_blocks (const SeamMatmulFirstConfig *c)
{
  const long long tile = SEAM_MATMUL_FIRST_TILE;
  return (c->rows + tile - 1) / tile * ((c->columns + tile - 1) / tile);
}

#endif
