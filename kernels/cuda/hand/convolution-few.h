/* SPDX-License-Identifier: MIT
 *
 * Shared by the host and the kernels of convolution-few.cuh (convolution over few input channels,
 * wgmma, with the elementwise tail and GroupNorm in registers): the arguments, and how a shape is
 * cut up, or why it cannot run. Plain C17 and C++17, no headers. How the kernel works: see the
 * .cuh.
 *
 * To run a group of ops:
 * - Fill in the first block of a SeamConvolutionFewPlan, call seam_convolution_few_plan(). It
 *   returns NULL, or a sentence for the person.
 * - Write every int of the plan into the generated source as a `static constexpr int` of the same
 *   name of a struct Config, then struct Tail, then the wrappers, each with one
 *   `const __grid_constant__ SeamConvolutionFewArguments` parameter `a`:
 * seam_convolution_few<Config, Tail> (a) under __launch_bounds__ (Config::threads, 1), and, for
 * reload only, seam_convolution_few_normalize<Config, Tail> (a) under __launch_bounds__ (256).
 * - Launch with plan.threads threads, grid plan.grid, plan.shared bytes of dynamic shared memory
 *   (more than 48 KB: raise the function's limit), no cluster.
 *
 * Launches, in one stream:
 * - No GroupNorm: mode STORE, one launch; `partials` is not used.
 * - GroupNorm, resident: fill `partials` (plan.scratch_bytes) with bytes 0xff, every time, then
 * mode RESIDENT, one *cooperative* launch, since blocks wait for each other. The fill belongs to
 * the elapsed time.
 * - GroupNorm, recompute: mode STATISTICS, then mode APPLY: two plans, two kernels, one argument
 *   struct. `partials` needs no initial value.
 * - GroupNorm, reload: mode RELOAD, then the normalize kernel of the same Config: grid (batch *
 *   filters, plan.normalize_blocks), 256 threads, no dynamic shared memory. `partials` likewise.
 *
 * Weights are rounded or split inside the kernel; nothing has to be prepared. `vectors`: the tail's
 * n_vectors, then GroupNorm's weight and bias. All addresses are multiples of 256 bytes.
 */
#pragma once

#define SEAM_CONVOLUTION_FEW_VECTORS 8

/* Config::mode */
#define SEAM_CONVOLUTION_FEW_STORE      0 /* y = tail (convolution) */
#define SEAM_CONVOLUTION_FEW_RELOAD     1 /* the same, and statistics of each tile in `partials` */
#define SEAM_CONVOLUTION_FEW_STATISTICS 2 /* only the statistics */
#define SEAM_CONVOLUTION_FEW_APPLY      3 /* y = groupnorm (tail (convolution)), given `partials` */
#define SEAM_CONVOLUTION_FEW_RESIDENT   4 /* both in one kernel: a sample waits on the chip */

/* Config::math: how FP32 operands are multiplied. FP16X3 splits them into two FP16 numbers, which
 * keep 22 bits, and sums three products. FP16 ends at 65504, so x and the weight are multiplied by
 * powers of two that depend on the largest number of a tile and of a filter. BF16 and FP16 round to
 * nearest even and multiply once; numbers beyond 65504 become infinite in FP16. */
#define SEAM_CONVOLUTION_FEW_TF32   0
#define SEAM_CONVOLUTION_FEW_FP16X3 1
#define SEAM_CONVOLUTION_FEW_BF16   2
#define SEAM_CONVOLUTION_FEW_FP16   3

/* Functions that the host calls and that C++ can evaluate while compiling. */
#ifdef __cplusplus
#define SEAM_CONVOLUTION_FEW_FUNCTION static constexpr
#else
#define SEAM_CONVOLUTION_FEW_FUNCTION static inline
#endif

typedef struct {
  const void *x;      /* [batch, channels, height, width] */
  const void *weight; /* [filters, channels, taps, taps] */
  void *y;            /* [batch, filters, height - taps + 1, width - taps + 1] */
  const float *vectors[SEAM_CONVOLUTION_FEW_VECTORS]; /* each [filters] */
  unsigned long long *partials; /* [batch, blocks_k, tiles, groups of a block]: mean and sum of
                                   squared deviations, 4 bytes each; GroupNorm only */
} SeamConvolutionFewArguments;

/* The problem (first block, filled in by the caller) and how it is cut up (second block). */
typedef struct {
  int math;   /* SEAM_CONVOLUTION_FEW_TF32, … */
  int input;  /* operand type of x and weight in memory: FP32, or the 16 bits of `math` */
  int output; /* operand type of y, likewise; FP32 in mode RELOAD, whose second kernel reads it */
  int batch, channels, filters, taps, height, width;
  int groups; /* groups of GroupNorm; 0: none */
  int mode;
  int bounded; /* RESIDENT: whether the tail's results lie from -1 to 1 */
  int n_multiprocessors;

  int rows;       /* output rows of a product: its 64 rows of D hold `rows` of them */
  int segments;   /* products of a tile, one below the other */
  int columns;    /* output columns of a product: N of wgmma */
  int across;     /* products of a tile, side by side */
  int strips;     /* tiles side by side */
  int tiles;      /* tiles of a sample and a block of 64 filters */
  int blocks_k;   /* blocks of 64 filters */
  int share;      /* warpgroups that share a tile, each its part of the columns */
  int consumers;  /* tiles that a block works on at a time, each with its warpgroups */
  int parks;      /* whether tiles wait for statistics in shared memory, 16 bits a number */
  int raw_stages; /* raw patches (x as it lies in memory) that are loaded at a time */
  int pieces;     /* pieces of a channel's rows, stored through shared memory; 0: from registers */
  int piece;      /* floats of such a piece */
  int pitch;      /* floats from one channel's piece to the next in shared memory */
  int beyond;     /* floats of x after the patch, for the first pixels of a tile's next row */
  int threads;
  int shared; /* dynamic shared memory, bytes */
  int grid;
  int normalize_blocks;
  long long scratch_bytes; /* bytes of `partials` */
} SeamConvolutionFewPlan;

SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_divide_up (int value, int unit)
{
  return (value + unit - 1) / unit;
}

/* Whether operands are rounded to 16 bits, so that a pixel's 8 channels are 16 bytes, not 32. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_rounds_to_16 (int math)
{
  return math == SEAM_CONVOLUTION_FEW_BF16 || math == SEAM_CONVOLUTION_FEW_FP16;
}

/* Rows and columns of a patch (the input of a tile), from the cut. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_patch_rows (int taps, int rows, int segments)
{
  return rows * segments + taps - 1;
}

SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_patch_columns (int taps, int columns, int width)
{
  return columns + taps - 1 < width ? columns + taps - 1 : width;
}

/* Pixels of a plane, including those that the last product reads past the end and drops. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_patch_pixels (int taps, int rows, int segments, int columns, int width,
                                   int beyond)
{
  const int pixels = seam_convolution_few_patch_rows (taps, rows, segments)
                     * seam_convolution_few_patch_columns (taps, columns, width);
  int surplus = columns + taps - 1 > width ? columns + taps - 1 - width : 0;
  if (surplus < beyond)
    surplus = beyond;
  return seam_convolution_few_divide_up (pixels + surplus, 8) * 8;
}

/* Bytes of an element of x in memory. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_input_bytes (int input)
{
  return input == 0 ? 4 : 2;
}

/* Elements from one piece of a raw patch to the next: whole rows of a channel, or a part of one
 * row; a piece starts at a 16-byte boundary of memory. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_raw_pitch (int input, int taps, int rows, int segments, int columns,
                                int strips, int width, int beyond)
{
  const int unit = 16 / seam_convolution_few_input_bytes (input);
  const int elements = strips == 1
                           ? seam_convolution_few_patch_rows (taps, rows, segments) * width + beyond
                           : seam_convolution_few_patch_columns (taps, columns, width);
  return seam_convolution_few_divide_up (elements + (width % unit == 0 ? 0 : unit - 1), unit)
         * unit;
}

/* Matrices of weights for a product, one for each step of K: 8 channels of a tap in TF32, of two
 * taps in 16 bits; FP16x3 has as many again of low parts. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_steps (int math, int channels, int taps, int rows)
{
  const int steps = (channels + 7) / 8 * taps * (taps + rows - 1), pairs = (steps + 1) / 2;
  return math == SEAM_CONVOLUTION_FEW_TF32     ? steps
         : math == SEAM_CONVOLUTION_FEW_FP16X3 ? 2 * pairs
                                               : pairs;
}

/* Bytes of shared memory for FP16x3's powers of two: those of 128 filters, and of two tiles of each
 * consumer, for which the four converting warps find one each. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_scale_bytes (int math)
{
  return math == SEAM_CONVOLUTION_FEW_FP16X3 ? 128 * 4 + 2 * 2 * 4 * 4 : 0;
}

/* Runs of rows of a thread's channels, as SeamConvolutionFewShape::n_runs says. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_runs (int rows, int segments)
{
  return rows == 1 ? 2 : rows == 2 ? 1 : segments;
}

/* Cuts the rows of y of one channel in a tile, which are contiguous if strips is 1, into `pieces`
 * that are stored through shared memory; addresses and sizes are multiples of 16 bytes. Fills in
 * pieces, piece, pitch and beyond. Returns the bytes of shared memory that such a piece takes for
 * all channels of a warpgroup, a parked tile's numbers all together, or 0 if rows of this width
 * cannot be stored in this way. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_cut_rows (SeamConvolutionFewPlan *plan, int pieces)
{
  const int height = plan->height - plan->taps + 1, width = plan->width - plan->taps + 1;
  const int rows = plan->rows == 1 ? plan->segments : plan->rows == 2 ? 2 * plan->segments : 2;
  plan->pieces = plan->piece = plan->pitch = plan->beyond = 0;
  if (pieces == 0 || plan->mode == SEAM_CONVOLUTION_FEW_STATISTICS || plan->strips != 1
      || width % 2 != 0 || width < 16 || (long long)height * width % 4 != 0 || rows * width % 4 != 0
      || height % rows * width % 4 != 0)
    return 0;
  const int piece =
      seam_convolution_few_divide_up (seam_convolution_few_divide_up (rows * width, pieces), 8) * 8;
  if (seam_convolution_few_divide_up (rows * width, piece) != pieces)
    return 0;
  plan->pieces = pieces;
  plan->piece = piece;
  /* Room for up to 4 floats after a piece. With this pitch, 8 channels x 4 lanes x 8 bytes meet
   * each bank twice, which is the least possible. */
  plan->pitch = seam_convolution_few_divide_up (piece - 4, 32) * 32 + 8;
  /* A 32-byte sector of y at the border of two tiles belongs to one tile, which computes 8 pixels
   * more. */
  if (plan->rows <= 2 && ((long long)height * width % 8 != 0 || rows * width % 8 != 0))
    plan->beyond = seam_convolution_few_divide_up (8 + plan->taps - 1, 4) * 4;
  return 4 * 8 * plan->pitch
         * (plan->parks ? seam_convolution_few_runs (plan->rows, plan->segments) * 2 : 4);
}

#define SEAM_CONVOLUTION_FEW_STEP_BYTES    2048 /* 64 rows of A x 32 bytes */
#define SEAM_CONVOLUTION_FEW_BARRIER_BYTES 256

/* Bytes for the statistics of a consumer's tile: of 128 channels, 8 each, and 128 sums of 16. If
 * tiles are parked, the first part is there twice, because those of the next tile are written while
 * another warpgroup may still read them. */
SEAM_CONVOLUTION_FEW_FUNCTION int
seam_convolution_few_reduction_bytes (int parks)
{
  return 128 * 8 * (parks ? 2 : 1) + 128 * 16;
}

/* Fills in the second block of `plan`. Returns NULL, or why the shape cannot run. */
SEAM_CONVOLUTION_FEW_FUNCTION const char *
seam_convolution_few_plan (SeamConvolutionFewPlan *plan)
{
  const int limit = 232448; /* shared memory of a block on Hopper, bytes */
  const int taps = plan->taps, height = plan->height - taps + 1, width = plan->width - taps + 1;
  if (taps < 1 || taps > 7)
    return "The direct convolution has kernels of 1×1 to 7×7.";
  if (height < 1 || width < 1 || plan->batch < 1 || plan->channels < 1 || plan->filters < 1)
    return "The convolution has no output.";
  if (plan->channels > 16)
    return "The direct convolution is for at most 16 input channels.";
  if (plan->filters > 128)
    return "The direct convolution is for at most 128 output channels.";
  if ((long long)plan->height * plan->width >= 1 << 28)
    return "The direct convolution takes planes of fewer than 2^28 pixels.";

  plan->blocks_k = seam_convolution_few_divide_up (plan->filters, 64);
  int groups_block = 0;
  if (plan->mode != SEAM_CONVOLUTION_FEW_STORE) {
    if (plan->groups < 1 || plan->filters % plan->groups != 0)
      return "GroupNorm needs a number of groups that divides the number of channels.";
    if (plan->filters > 64 && (plan->filters % 64 != 0 || 64 % (plan->filters / plan->groups) != 0))
      return "GroupNorm inside the direct convolution needs groups that do not cross a block of 64 "
             "output channels.";
    groups_block = plan->groups / plan->blocks_k;
  }

  plan->rows = plan->filters <= 16 ? 4 : plan->filters <= 32 ? 2 : 1;
  const int strip =
      seam_convolution_few_divide_up (width, seam_convolution_few_divide_up (width, 256));
  /* Sharing is off for class F, whose conversion takes too long, and for 16 bits in memory, for
   * which it was not tried. */
  plan->share = plan->mode == SEAM_CONVOLUTION_FEW_RESIDENT && plan->input == 0 && plan->output == 0
                        && plan->math != SEAM_CONVOLUTION_FEW_FP16X3
                    ? 2
                    : 1;
  plan->across = strip > 128 || plan->share == 2 ? 2 : 1;
  plan->columns = seam_convolution_few_divide_up (strip, 8 * plan->across) * 8;
  const int tile_columns = plan->across * plan->columns;
  plan->strips = seam_convolution_few_divide_up (width, tile_columns);
  int segments_most = 256 / tile_columns;
  if (segments_most > seam_convolution_few_divide_up (height, plan->rows))
    segments_most = seam_convolution_few_divide_up (height, plan->rows);
  if (segments_most > 8)
    segments_most = 8;

  /* Prefers as many warpgroups as registers allow, then the tallest patch (fewest rows read twice),
   * then the fewest pieces of y through shared memory, then the most raw patches on their way. */
  const int octet_bytes = seam_convolution_few_rounds_to_16 (plan->math) ? 16 : 32; /* of a pixel */
  const int pixel_bytes = (plan->channels + 7) / 8 * octet_bytes;
  const int weights = seam_convolution_few_steps (plan->math, plan->channels, taps, plan->rows)
                      * plan->blocks_k * SEAM_CONVOLUTION_FEW_STEP_BYTES;
  plan->consumers = 0;
  /* 3: two consumers whose tiles are parked, in one piece a run */
  for (int kind = plan->share == 2 && plan->bounded ? 3 : 2; kind >= 1 && plan->consumers == 0;
       kind--)
    for (int segments = segments_most; segments >= 1 && plan->consumers == 0; segments--) {
      const int consumers = kind < 2 ? kind : 2;
      plan->segments = segments;
      plan->parks = kind == 3;
      /* 1 to 4 pieces; 5: stored from registers */
      for (int cut = 1; cut <= (plan->parks ? 1 : 5) && plan->consumers == 0; cut++) {
        const int staging = seam_convolution_few_cut_rows (plan, cut % 5);
        if (cut < 5 && staging == 0)
          continue;
        const int pixels = seam_convolution_few_patch_pixels (
            taps, plan->rows, segments, tile_columns, plan->width, plan->beyond);
        const int raw_pieces =
            plan->strips == 1 ? 1 : seam_convolution_few_patch_rows (taps, plan->rows, segments);
        const int raw =
            plan->channels * raw_pieces
            * seam_convolution_few_raw_pitch (plan->input, taps, plan->rows, segments, tile_columns,
                                              plan->strips, plan->width, plan->beyond)
            * seam_convolution_few_input_bytes (plan->input);
        const int fixed = weights
                          + consumers
                                * (pixel_bytes * pixels
                                   + seam_convolution_few_reduction_bytes (plan->parks) + staging)
                          + SEAM_CONVOLUTION_FEW_BARRIER_BYTES
                          + seam_convolution_few_scale_bytes (plan->math);
        int stages = fixed < limit ? (limit - fixed) / raw : 0;
        if (stages < 2 && !(stages == 1 && consumers == 1))
          continue;
        if (stages > 6)
          stages = 6;
        if (plan->share == 2)
          stages = consumers;
        plan->consumers = consumers;
        plan->raw_stages = stages;
        plan->shared = fixed + stages * raw;
      }
    }
  if (plan->consumers == 0)
    return "The weights and a patch of the input do not fit in shared memory together.";

  plan->threads = 128 * plan->share * plan->consumers;
  if (plan->share == 1 || plan->parks)
    plan->threads += 128; /* the threads that convert x, or that exchange statistics */
  const long long tiles =
      (long long)seam_convolution_few_divide_up (height, plan->rows * plan->segments)
      * plan->strips;
  const long long units = tiles * plan->batch * plan->blocks_k;
  if (units >= 1 << 30)
    return "The direct convolution takes fewer than 2^30 tiles.";
  plan->tiles = (int)tiles;
  plan->grid = plan->n_multiprocessors;
  if (plan->mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
    if (tiles > (long long)plan->consumers * plan->n_multiprocessors)
      return "A sample does not fit in the registers of the multiprocessors that this program may "
             "use, so GroupNorm needs a second pass.";
  } else if (plan->grid > units) {
    plan->grid = (int)units;
  }
  plan->scratch_bytes = units * groups_block * 8;
  plan->normalize_blocks = (int)(((long long)height * width + 16383) / 16384);
  return 0;
}
