/* SPDX-License-Identifier: MIT
 *
 * The fused kernels that need no Hopper: what they are launched with. Plain C that gcc, nvcc and
 * NVRTC accept. All need sm_80 or newer (cp.async); the SIMT ones use no tensor core, only FP32.
 *
 *   file                      kernel                        what it computes
 *   matmul-portable.cuh       seam_matmul_portable          y = tail (x * weight transposed)
 *   matmul-simt.cuh           seam_matmul_simt              the same
 *   convolution-portable.cuh  seam_convolution_pack_weight  weight -> packed, for the next one
 *                             seam_convolution_portable     y = tail (x convolved with packed)
 *   convolution-simt.cuh      seam_convolution_simt         the same, takes the weight as it is
 *   portable.cuh              seam_convolution_combine      partials -> statistics
 *
 * Each is a template <Config[, Tail]> with one argument, SeamPortableMatmul or
 * SeamPortableConvolution by reference; pack and combine have no Tail. Config has a `static
 * constexpr int` for every member of the structs below, by the same name, which seam_*_config()
 * fills. Launches:
 *
 *   matmul       seam_portable_matmul_blocks() blocks of config.threads; dynamic shared memory
 *                seam_portable_matmul_shared_bytes(), SIMT none.
 *   convolution  seam_portable_convolution_blocks() blocks of config.threads, at most
 *                SEAM_PORTABLE_MAX_BLOCKS; dynamic shared memory
 *                seam_portable_convolution_shared_bytes(), SIMT none.
 *   pack         seam_portable_pack_blocks() blocks of SEAM_PORTABLE_PACK_THREADS, whenever the
 *                weight changes: fills `packed`, seam_portable_packed_bytes().
 *   combine      batch * groups blocks of SEAM_PORTABLE_COMBINE_THREADS: `partials`
 *                (seam_portable_partial_bytes()) -> `statistics` (batch * groups * 8 bytes).
 *
 * GroupNorm of a matmul (Tail::groupnorm, config.group_width) is done in the epilogue: groups of 4,
 * 8, 16, 32, 64 or 128 neighbouring columns. GroupNorm of a convolution goes by config.pass:
 *   reload     SEAM_PORTABLE_STORE stores what is to be normalised, GroupNorm is the caller's. Also
 *              for tails without GroupNorm.
 *   recompute  three launches with the same arguments: SEAM_PORTABLE_STATISTICS (stores no y but
 *              mean and standard deviation of every channel and tile), combine,
 *              SEAM_PORTABLE_APPLY. Groups of any number of channels.
 * No kernel uses atomics: the same bits every time. Sums are FP32, those over tiles FP64.
 */
#ifndef SEAM_PORTABLE_H
#define SEAM_PORTABLE_H

#define SEAM_PORTABLE_MAX_VECTORS     8 /* six of the tail, GroupNorm's weight and bias */
#define SEAM_PORTABLE_MAX_KERNEL      7 /* rows and columns of a convolution's kernel */
#define SEAM_PORTABLE_COMBINE_THREADS 256
#define SEAM_PORTABLE_PACK_THREADS    256
#define SEAM_PORTABLE_MAX_BLOCKS      2147483647LL

/* Config::pass of a convolution. */
#define SEAM_PORTABLE_STORE      0
#define SEAM_PORTABLE_STATISTICS 1
#define SEAM_PORTABLE_APPLY      2

/* Config::math. */
#define SEAM_PORTABLE_TF32   0 /* class T: operands rounded to the nearest TF32 */
#define SEAM_PORTABLE_TF32X3 1 /* class F: operands split into two TF32, three products */
#define SEAM_PORTABLE_FP16   2 /* operands rounded to FP16, one product */
#define SEAM_PORTABLE_BF16   3 /* operands rounded to bf16, one product */

typedef struct {
  const float *x;                                  /* [rows, inner] */
  const float *weight;                             /* [columns, inner] */
  void *y;                                         /* [rows, columns] of the type Config::output */
  const float *vectors[SEAM_PORTABLE_MAX_VECTORS]; /* [columns] each */
  long long rows;
  int inner, columns;
} SeamPortableMatmul;

typedef struct {
  const float *x;                                  /* [batch, channels, height, width] */
  const float *weight;                             /* [outputs, channels, kernel, kernel] */
  unsigned int *packed;                            /* the weight as fragments; portable only */
  void *y;                                         /* [batch, outputs, P, Q], as above */
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
  int output; /* a SeamOperandType: of 16 bits only in the math mode of that type */
  int block_rows, block_columns;
  int warp_rows, warp_columns; /* part of y for each warp */
  int stages;                  /* stages of the ring in shared memory */
  int copy_floats;             /* floats of a copy from global memory: 4, 2 or 1 divides `inner` */
  int group_width;             /* columns of a GroupNorm group; 0 without */
  int threads, blocks_per_sm;
} SeamPortableMatmulConfig;

/* A convolution's Config. An item of work is block_channels x (tile_height x tile_width) of y of
 * one sample. SIMT: a warp has 8 channels of 8 x 32 pixels, so threads = 4 * block_channels. */
typedef struct {
  int math, pass;
  int output; /* a SeamOperandType, as above */
  int kernel_size;
  int block_channels;
  int tile_height, tile_width;    /* pixels; tile_width a multiple of 8 */
  int warp_channels, warp_pixels; /* of y, for each warp; multiples of 16 and 8; portable only */
  int stages;                     /* in shared memory: 2, or 1 for channels <= 8; portable only */
  int copy_floats;                /* 4, 2 or 1, a divisor of `width` */
  int chunk;                      /* channels of x in shared memory at once: 8, SIMT fewer */
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

/* The configuration of a matmul with `inner` inputs and GroupNorm groups of `group_width` columns
 * (0: none). */
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

/* Bytes of the ring of 32 inputs a stage, or of the block's part of y with padded rows, whichever
 * is larger. */
static inline int
seam_portable_matmul_shared_bytes (const SeamPortableMatmulConfig *c)
{
  const int ring = c->stages * (c->block_rows + c->block_columns) * 32 * 4;
  const int staged = c->block_rows * (c->block_columns + 8) * 4;
  return ring > staged ? ring : staged;
}

/* Bytes of the packed weights in a stage of shared memory of a portable convolution (see
 * SeamConvolutionLayout). */
static inline int
seam_portable_convolution_weight_bytes (const SeamPortableConvolutionConfig *c)
{
  const int taps = c->kernel_size * c->kernel_size;
  /* A 32-bit word holds one TF32 or two 16-bit numbers. */
  const int words = c->math == SEAM_PORTABLE_TF32     ? taps
                    : c->math == SEAM_PORTABLE_TF32X3 ? 2 * taps
                                                      : (taps + 1) / 2;
  return words * c->block_channels * 8 * 4;
}

static inline int
seam_portable_convolution_shared_bytes (const SeamPortableConvolutionConfig *c)
{
  const int rows = c->tile_height + c->kernel_size - 1;
  const int pitch = (c->tile_width + c->kernel_size - 1 + 3) / 4 * 4;
  const int plane = (rows * pitch + 23) / 32 * 32 + 8;
  return c->stages * (seam_portable_convolution_weight_bytes (c) + 8 * plane * 4);
}

/* Pixels of all tiles of a plane, including those beyond its edges. */
static inline long long
seam_portable_covered_pixels (const SeamPortableConvolutionConfig *c, int rows, int columns)
{
  return seam_portable_divide_up (rows, c->tile_height) * c->tile_height
         * seam_portable_divide_up (columns, c->tile_width) * c->tile_width;
}

/* Sets the shape of a tile of n_pixels. Wide tiles are better, unless they cover the plane badly:
 * they write fewer sectors of the cache in part (4 x 64 pixels of 64 outputs of 8 channels took
 * 0.27 ms on an H200, 8 x 32 took 0.38). */
static inline void
seam_portable_choose_tile (SeamPortableConvolutionConfig *c, int n_pixels, int rows, int columns)
{
  SeamPortableConvolutionConfig best = *c;
  long long best_area = 0;
  for (int width = n_pixels < 256 ? 32 : 64; width >= 16; width /= 2) {
    c->tile_width = width;
    c->tile_height = n_pixels / width;
    const long long area = seam_portable_covered_pixels (c, rows, columns);
    if (best_area == 0 || area < best_area - best_area / 8) {
      best = *c;
      best_area = area;
    }
  }
  *c = best;
}

/* The configuration of a portable convolution for a device whose blocks may have `shared_limit`
 * bytes of dynamic shared memory. Every shape has one. */
static inline SeamPortableConvolutionConfig
seam_portable_convolution_config (int math, int pass, int kernel_size, int channels, int height,
                                  int width, int outputs, int shared_limit)
{
  SeamPortableConvolutionConfig c = { 0 };
  c.math = math;
  c.pass = pass;
  c.kernel_size = kernel_size;
  c.copy_floats = seam_portable_copy_floats (width);
  c.chunk = 8;
  c.stages = channels > 8 ? 2 : 1;
  c.block_channels = outputs > 64 && channels > 8 ? 128
                     : outputs > 32               ? 64
                     : outputs > 16               ? 32
                                                  : 16;
  for (;;) {
    seam_portable_choose_tile (&c, c.block_channels == 128 ? 128 : 256, height - kernel_size + 1,
                               width - kernel_size + 1);
    c.blocks_per_sm = c.block_channels < 64 ? 4 : 2;
    c.warp_channels = c.block_channels < 64 ? c.block_channels : 64;
    c.warp_pixels = c.block_channels == 64 ? 32 : 64;
    c.threads =
        c.block_channels / c.warp_channels * (c.tile_height * c.tile_width / c.warp_pixels) * 32;
    if (c.block_channels == 16 || seam_portable_convolution_shared_bytes (&c) <= shared_limit / 2)
      return c;
    c.block_channels /= 2;
  }
}

static inline SeamPortableConvolutionConfig
seam_simt_convolution_config (int pass, int kernel_size, int width, int outputs)
{
  SeamPortableConvolutionConfig c = { 0 };
  c.pass = pass;
  c.kernel_size = kernel_size;
  c.tile_height = 8;
  c.tile_width = 32;
  c.copy_floats = seam_portable_copy_floats (width);
  c.chunk = kernel_size == 1 ? 8 : kernel_size <= 3 ? 4 : kernel_size <= 5 ? 2 : 1;
  c.block_channels = outputs > 32 ? 64 : outputs > 16 ? 32 : outputs > 8 ? 16 : 8;
  c.threads = 4 * c.block_channels;
  c.blocks_per_sm = 128 / c.block_channels < 8 ? 128 / c.block_channels : 8;
  return c;
}

/* Tiles of one sample's plane of outputs. */
static inline long long
seam_portable_convolution_tiles (const SeamPortableConvolutionConfig *c, int height, int width)
{
  return seam_portable_divide_up (height - c->kernel_size + 1, c->tile_height)
         * seam_portable_divide_up (width - c->kernel_size + 1, c->tile_width);
}

static inline long long
seam_portable_convolution_blocks (const SeamPortableConvolutionConfig *c, long long batch,
                                  int height, int width, int outputs)
{
  return batch * seam_portable_convolution_tiles (c, height, width)
         * seam_portable_divide_up (outputs, c->block_channels);
}

static inline long long
seam_portable_partial_bytes (const SeamPortableConvolutionConfig *c, long long batch, int height,
                             int width, int outputs)
{
  return batch * outputs * seam_portable_convolution_tiles (c, height, width) * 8;
}

static inline long long
seam_portable_packed_bytes (const SeamPortableConvolutionConfig *c, int channels, int outputs)
{
  return seam_portable_divide_up (outputs, c->block_channels)
         * seam_portable_divide_up (channels, 8) * seam_portable_convolution_weight_bytes (c);
}

static inline long long
seam_portable_pack_blocks (const SeamPortableConvolutionConfig *c, int channels, int outputs)
{
  return seam_portable_divide_up (seam_portable_packed_bytes (c, channels, outputs) / 4,
                                  SEAM_PORTABLE_PACK_THREADS);
}

#endif
#endif
