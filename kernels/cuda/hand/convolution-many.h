/* SPDX-License-Identifier: MIT
 *
 * Shared by the host and the kernel of convolution-many.cuh (convolution over many channels,
 * wgmma): the arguments, and which tiles and how much shared memory a shape takes, or why it cannot
 * run. Plain C and C++, no headers. The head of the .cuh says how to launch the kernel.
 */
#pragma once

#define SEAM_CONVOLUTION_MANY_FILTERS 64  /* output channels of a block: one wgmma's rows */
#define SEAM_CONVOLUTION_MANY_PIXELS  256 /* output pixels of a tile: one wgmma's columns */
#define SEAM_CONVOLUTION_MANY_THREADS 384 /* two warpgroups that multiply, one that loads */
#define SEAM_CONVOLUTION_MANY_VECTORS 8
#define SEAM_CONVOLUTION_MANY_STAGING 2048 /* bytes that the output of a warp passes through */
#define SEAM_CONVOLUTION_MANY_FIXED   256  /* bytes of the barriers */

/* Config::math: how FP32 operands are multiplied: rounded to TF32; split into two FP16 numbers,
 * with three products; or rounded to 16 bits, where numbers beyond 65504 become infinite in FP16.
 * SCALED is FP16 with a power of two for each sample of x and each filter, which FP16X3 has as
 * well. */
#define SEAM_CONVOLUTION_MANY_TF32   0
#define SEAM_CONVOLUTION_MANY_FP16X3 1
#define SEAM_CONVOLUTION_MANY_BF16   2
#define SEAM_CONVOLUTION_MANY_FP16   3
#define SEAM_CONVOLUTION_MANY_SCALED 4

typedef struct {
  const void *x;                                       /* [batch, channels, height, width] */
  const void *weight;                                  /* [filters, channels, taps, taps] */
  void *y;                                             /* [batch, filters, height - taps + 1,
                                                          width - taps + 1] */
  const float *vectors[SEAM_CONVOLUTION_MANY_VECTORS]; /* each [filters] */
  const float *scales;    /* powers of two of the samples [batch], of the filters [filters] */
  unsigned int *exceeded; /* becomes 1 if numbers left FP16's range; Config::again: the kernel does
                             nothing if it is 0 */
} SeamConvolutionManyArguments;

#ifndef __CUDACC_RTC__ /* the rest is the host's; NVRTC takes no host functions */

/* A problem (first block of fields, filled in by the caller) and how it is cut up (second block,
 * filled in by seam_convolution_many_plan). The kernel's Config has constants of these names. */
typedef struct {
  int math;   /* SEAM_CONVOLUTION_MANY_TF32, … */
  int input;  /* operand type of x and weight in memory: FP32, or the 16 bits of `math` */
  int output; /* operand type of y, likewise */
  int batch, channels, filters, taps, height, width;
  int again; /* bool: repeats what a kernel before it could not compute */

  int run;        /* bytes of y that a tile fills in each filter, if they are one run that a bulk
                     copy can store; else 0 */
  int staging;    /* bytes of shared memory that the output of a warp passes through */
  int pitch;      /* pixels of a row in shared memory: width, or less where columns are tiled */
  int stages;     /* stages of the ring of input patches */
  int n_tiles;    /* tiles of 256 pixels in all samples, for each block of 64 filters */
  int shared;     /* dynamic shared memory, bytes */
  int n_blocks_k; /* blocks of 64 filters: the grid is a multiple of it */
  int cluster;    /* blocks of a cluster: 1 or 2 */
} SeamConvolutionManyPlan;

static inline long long
seam_convolution_many_round_up (long long value, int unit)
{
  return (value + unit - 1) / unit * unit;
}

/* Pixels that a tile reads of each channel. */
static inline long long
seam_convolution_many_patch (int taps, int pitch)
{
  return SEAM_CONVOLUTION_MANY_PIXELS + (taps - 1) * (pitch + 1ll);
}

/* Bytes of y that a tile fills in each filter, if a bulk copy can store them: whole rows without
 * strips, which begin and end at multiples of 16 bytes, also in the last tile of a sample. Else
 * 0. A thread holds pairs of pixels, so rows have an even number. */
static inline int
seam_convolution_many_run (const SeamConvolutionManyPlan *plan)
{
  const int width = plan->width, columns = width - plan->taps + 1;
  const int rows = plan->height - plan->taps + 1, size = plan->output == 0 ? 4 : 2;
  const int run = SEAM_CONVOLUTION_MANY_PIXELS / width * columns * size;

  if (width < 8 || SEAM_CONVOLUTION_MANY_PIXELS % width != 0 || columns % 2 != 0)
    return 0;
  return run % 16 == 0 && (long long)rows * columns * size % 16 == 0 ? run : 0;
}

/* Fills in the second block of `plan` for a device with `shared_limit` bytes of shared memory a
 * block (232448 on Hopper). Returns NULL, or a sentence that says why the shape cannot run. */
static inline const char *
seam_convolution_many_plan (SeamConvolutionManyPlan *plan, int shared_limit)
{
  const int taps = plan->taps, rows = plan->height - taps + 1, columns = plan->width - taps + 1;
  if (taps < 1 || taps > 7)
    return "The tensor-core convolution has kernels of 1×1 to 7×7.";
  if (rows < 1 || columns < 1 || plan->batch < 1 || plan->channels < 1 || plan->filters < 1)
    return "The convolution has no output.";
  if ((long long)plan->height * plan->width >= 1 << 30)
    return "The tensor-core convolution takes planes of fewer than 2^30 pixels.";

  /* The weights of 64 filters stay in shared memory for the whole launch. */
  const int splits = plan->math == SEAM_CONVOLUTION_MANY_FP16X3;
  const int rounds_to_16 = !splits && plan->math != SEAM_CONVOLUTION_MANY_TF32;
  const int chunk = plan->math == SEAM_CONVOLUTION_MANY_TF32 ? 8 : 16;
  const int bytes = rounds_to_16 ? 2 : 4; /* of an operand in shared memory */
  const long long channels = seam_convolution_many_round_up (plan->channels, chunk);
  const long long weights = channels * taps * taps * SEAM_CONVOLUTION_MANY_FILTERS * bytes;

  /* Strips of columns: a narrow strip has a smaller patch (more stages fit, fewer rows are read
   * twice), but ends in taps - 1 useless columns. A patch takes its bytes at 16 a cycle, a tile 128
   * cycles a product; the longer time decides. */
  const long long products = (long long)(splits ? 3 : 1) * taps * taps * 128;
  /* Eight filters of a run pass through a warp's staging area at a time. Their distance lets eight
   * threads with 8 bytes of four filters each meet different banks. It must leave four stages. */
  const int run = seam_convolution_many_run (plan);
  const int run_staging = 8 * ((run + 95) / 128 * 128 + 32);
  long long best = -1;
  for (int strips = 1; strips <= columns && strips <= 4096; strips++) {
    int width = (columns + strips - 1) / strips;
    if (strips > 1)
      width = (width + 1) / 2 * 2;
    const int pitch = strips == 1 ? plan->width : width + taps - 1;
    const long long patch =
        seam_convolution_many_round_up (seam_convolution_many_patch (taps, pitch), 8);
    const long long stage = patch * chunk * bytes;
    long long left = (long long)shared_limit - SEAM_CONVOLUTION_MANY_FIXED - weights;
    const int bulk = strips == 1 && run > 0 && left - 8 * run_staging >= 4 * stage;
    const int staging = bulk ? run_staging : SEAM_CONVOLUTION_MANY_STAGING;
    left -= 8 * staging;
    long long stages = left / stage;
    if (left < 0 || stages < 2)
      continue;
    if (stages > 8)
      stages = 8;
    const long long used_strips = (columns + width - 1) / width;
    const long long tiles = plan->batch * used_strips
                            * (((long long)rows * pitch + SEAM_CONVOLUTION_MANY_PIXELS - 1)
                               / SEAM_CONVOLUTION_MANY_PIXELS);
    const long long loading = stage / 16;
    const long long cost = tiles * (products > loading ? products : loading);
    if (tiles >= 1 << 30 || (best >= 0 && cost >= best))
      continue;
    best = cost;
    plan->run = bulk ? run : 0;
    plan->staging = staging;
    plan->pitch = pitch;
    plan->stages = (int)stages;
    plan->n_tiles = (int)tiles;
    plan->shared = (int)(weights + stages * stage + 8 * staging + SEAM_CONVOLUTION_MANY_FIXED);
  }
  if (best < 0)
    return "The tensor-core convolution keeps the weights of 64 output channels in shared memory; "
           "channels × kernel area is too large for that.";
  plan->n_blocks_k =
      (plan->filters + SEAM_CONVOLUTION_MANY_FILTERS - 1) / SEAM_CONVOLUTION_MANY_FILTERS;
  plan->cluster = !splits && plan->n_blocks_k % 2 == 0 ? 2 : 1;
  return 0;
}

/* Blocks to launch on a device with `n_multiprocessors`. */
static inline int
seam_convolution_many_grid (const SeamConvolutionManyPlan *plan, int n_multiprocessors)
{
  int tiles = n_multiprocessors / plan->n_blocks_k;
  if (tiles < 1)
    tiles = 1;
  if (tiles > plan->n_tiles)
    tiles = plan->n_tiles;
  return tiles * plan->n_blocks_k;
}

#endif
