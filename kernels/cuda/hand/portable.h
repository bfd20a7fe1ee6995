/* SPDX-License-Identifier: MIT
 *
 * The fused kernels that need no Hopper: what they are launched with. Plain C that gcc, nvcc and
 * NVRTC accept. Portable: sm_80 and newer (cp.async, ldmatrix, mma.sync); SIMT: any GPU, plain
 * FP32.
 *
 *   file                    kernel                            what it computes
 *   matmul-portable.cuh     seam_matmul_portable              y = tail (x * weight transposed)
 *   matmul-simt.cuh         seam_matmul_simt                  the same
 *   convolution-portable.cuh seam_convolution_pack_weight     weight -> packed, before the next
 *                           seam_convolution_portable         y = tail (x convolved with weight)
 *   convolution-simt.cuh    seam_convolution_simt             the same, takes the weight as it is
 *   portable.cuh            seam_convolution_combine          partials -> statistics
 *
 * Each is a template over the struct Config that seam_portable_*_config() fills (every member a
 * `static constexpr int` of the same name in the generated source) and struct Tail. Launches, with
 * the functions at the end of this file for grids and bytes:
 *   matmul          SeamPortableMatmul; threads Config::threads; grid
 * seam_portable_matmul_blocks(); dynamic shared memory seam_portable_matmul_shared_bytes(), 0 for
 * SIMT. GroupNorm (Tail::groupnorm) happens in the epilogue: groups of Config::group_width
 *                   neighbouring columns, 4, 8 ... 128.
 *   convolution     SeamPortableConvolution; threads Config::threads; grid
 *                   seam_portable_convolution_blocks(); dynamic shared memory
 *                   seam_portable_convolution_shared_bytes(), 0 for SIMT.
 *                   Config::pass SEAM_PORTABLE_STORE: y = tail (...), GroupNorm left to the caller
 *                   ("reload"; Tail::groupnorm only says that two more vectors exist).
 *                   "Recompute" is three launches with the same arguments: the kernel with
 *                   SEAM_PORTABLE_STATISTICS (stores no y, leaves mean and squared deviations of
 *                   every channel and tile in `partials`), seam_convolution_combine (grid batch *
 *                   groups, SEAM_PORTABLE_COMBINE_THREADS threads, no dynamic shared memory), the
 *                   kernel with SEAM_PORTABLE_APPLY. Groups may have any number of channels.
 *   pack            portable convolution only, whenever the weight changes: SeamPortableConvolution
 *                   with `weight` and `packed`, SEAM_PORTABLE_PACK_THREADS threads, grid
 *                   seam_portable_pack_blocks(); `packed` holds seam_portable_packed_bytes().
 * No kernel uses atomics: the same bits every time. Sums are FP32, combined over tiles in FP64.
 */
#ifndef SEAM_PORTABLE_H
#define SEAM_PORTABLE_H

#define SEAM_PORTABLE_MAX_VECTORS     8 /* six of the tail, GroupNorm's weight and bias */
#define SEAM_PORTABLE_MAX_KERNEL      7 /* rows and columns of a convolution's kernel */
#define SEAM_PORTABLE_COMBINE_THREADS 256
#define SEAM_PORTABLE_PACK_THREADS    256

/* Config::pass of a convolution. */
#define SEAM_PORTABLE_STORE      0
#define SEAM_PORTABLE_STATISTICS 1
#define SEAM_PORTABLE_APPLY      2

/* Config::math. */
#define SEAM_PORTABLE_TF32   0 /* class T: operands rounded to the nearest TF32 */
#define SEAM_PORTABLE_BF16X3 1 /* class F: operands split into two bf16, three products */

typedef struct {
  const float *x;                                  /* [rows, inner] */
  const float *weight;                             /* [columns, inner] */
  float *y;                                        /* [rows, columns] */
  const float *vectors[SEAM_PORTABLE_MAX_VECTORS]; /* [columns] each */
  long long rows;
  int inner, columns;
} SeamPortableMatmul;

typedef struct {
  const float *x;                                  /* [batch, channels, height, width] */
  const float *weight;                             /* [outputs, channels, kernel, kernel] */
  unsigned int *packed;                            /* the weight as fragments; portable only */
  float *y;                                        /* [batch, outputs, P, Q] */
  const float *vectors[SEAM_PORTABLE_MAX_VECTORS]; /* [outputs] each */
  float *partials;                                 /* [batch, outputs, tiles, 2] */
  float *statistics;                               /* [batch, groups, 2]: mean, 1 / deviation */
  long long batch;
  int channels, height, width, outputs, groups;
} SeamPortableConvolution;

/* A matmul's Config. A block computes block_rows x block_columns of y with warp_rows x warp_columns
 * warps. SIMT uses copy_floats, group_width, threads and blocks_per_sm only (128 x 128). */
typedef struct {
  int math;
  int block_rows, block_columns;
  int warp_rows, warp_columns; /* of y, a warp */
  int stages;                  /* of the ring of shared memory */
  int copy_floats;             /* floats a copy from global memory: 4, 2 or 1 divides `inner` */
  int group_width;             /* GroupNorm; 0 without */
  int threads, blocks_per_sm;
} SeamPortableMatmulConfig;

/* A convolution's Config. A block computes block_channels x (tile_height x tile_width) of y of one
 * sample. SIMT: a warp has 8 channels of 8 x 32 pixels, so threads = 4 * block_channels. */
typedef struct {
  int math, pass;
  int kernel_size;
  int block_channels;
  int tile_height, tile_width;    /* pixels; tile_width a multiple of 8 */
  int warp_channels, warp_pixels; /* of y, a warp; multiples of 16 and 8; portable only */
  int stages;                     /* of shared memory: 2, or 1 when channels <= 8; portable only */
  int copy_floats;                /* 4, 2 or 1 divides `width` */
  int chunk;                      /* channels of x in shared memory at once: 8; SIMT fewer */
  int threads, blocks_per_sm;
} SeamPortableConvolutionConfig;

#if !defined(__CUDACC_RTC__)

static inline long long
seam_portable_divide_up (long long a, long long b)
{
  return (a + b - 1) / b;
}

static inline int
seam_portable_copy_floats (int n)
{
  return n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1;
}

/* The matmul for `inner` inputs and GroupNorm groups of `group_width` columns (0: none). */
static inline SeamPortableMatmulConfig
seam_portable_matmul_config (int math, int inner, int group_width)
{
  SeamPortableMatmulConfig c = { 0 };
  c.math = math;
  c.block_rows = 128;
  c.block_columns = 128;
  c.warp_rows = 64;
  c.warp_columns = 64;
  c.stages = 3;
  c.copy_floats = seam_portable_copy_floats (inner);
  c.group_width = group_width;
  c.threads = 128;
  c.blocks_per_sm = 2;
  return c;
}

static inline SeamPortableMatmulConfig
seam_simt_matmul_config (int inner, int group_width)
{
  SeamPortableMatmulConfig c = seam_portable_matmul_config (0, inner, group_width);
  c.threads = 256;
  return c;
}

static inline long long
seam_portable_matmul_blocks (const SeamPortableMatmulConfig *c, long long rows, int columns)
{
  return seam_portable_divide_up (rows, c->block_rows)
         * seam_portable_divide_up (columns, c->block_columns);
}

/* The ring of 32 inputs a stage, or the block's part of y with padded rows, whichever is larger. */
static inline int
seam_portable_matmul_shared_bytes (const SeamPortableMatmulConfig *c)
{
  const int ring = c->stages * (c->block_rows + c->block_columns) * 32 * 4;
  const int staged = c->block_rows * (c->block_columns + 8) * 4;
  return ring > staged ? ring : staged;
}

#endif
#endif
