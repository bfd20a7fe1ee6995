/* SPDX-License-Identifier: MIT
 *
 * The CPU loops: single ops over a contiguous run of elements, GroupNorm statistics, a direct
 * convolution for few input channels, and tiles of convolution and matmul through oneDNN.
 * Knows no pipeline and no tensor object, starts no thread, and allocates nothing: the caller
 * (app/backend/cpu) cuts the work into tiles and gives each thread its scratch memory. The
 * mathematics of every op is in kernels/ops.h.
 */
#pragma once

#include "kernels/defects.h"
#include "kernels/nest.h"

#include <stdint.h>

/* Longest run that add_moments() takes at once. Its sums are FP32 in at least 16 lanes, so a lane
 * adds at most 256 values before they are combined, and runs are combined in FP64. */
#define SEAM_CPU_MAX_RUN 4096

/* One map op with its constants. */
typedef struct {
  SeamOpType type;
  float scalars[2];    /* a and b of the op's expression */
  const float *vector; /* [K], where the op reads one */
} SeamCpuStep;

/* Count, mean and sum of squared distances from the mean of a set of values. */
typedef struct {
  double count, mean, m2;
} SeamCpuMoments;

/* Totals of |a - b| over a run. With a NaN or an infinity on either side max_abs is not finite, and
 * the others mean nothing. */
typedef struct {
  double max_abs, sum_abs, max_abs_b;
  double max_error_ratio; /* of |a - b| / max (1, |b|) */
  int64_t n_suspects;     /* elements over, or within rounding of, their limit: the caller, which
                             has the definition of failing, looks at them one by one */
} SeamCpuDifference;

/* Sizes of a convolution: input [c, h, w], kernel r x r, output [k, p, q] with p = h - r + 1. */
typedef struct {
  int64_t c, h, w, r, q;
} SeamCpuConvolution;

/* What each element of a set is multiplied by and added to: the weight and bias of index
 * offset / inner % count; NULL: 1 and 0. Or (mean not NULL) with statistics that are given, of the
 * same index, instead of those of the set. */
typedef struct {
  const float *weight, *bias, *mean, *variance;
  int64_t inner, count;
  double epsilon;
} SeamCpuAffine;

/* Maps that a set's elements go through as they are read. */
typedef struct {
  /* n <= SEAM_CPU_MAX_RUN neighbouring elements from number `at` on, in `room` or elsewhere. */
  const float *(*read) (const void *data, int64_t at, int64_t n, float *room);
  const void *data;
} SeamCpuHead;

typedef struct {
  const char *name; /* "AVX-512" */
  int vector_width; /* floats */

  /* target[i] = step (source[i], operand[i]) for n contiguous elements. `channel` is the channel of
   * the first element; the elements belong to the same channel (channel_step 0) or to successive
   * ones (1). `operand` may be NULL where the op reads none. `target` may be `source` or `operand`.
   */
  void (*apply) (const SeamCpuStep *step, float *target, const float *source, const float *operand,
                 int64_t channel, int channel_step, int64_t n);

  /* The last step of groupnorm over a run that lies in one group. `weight` and `bias` point at the
   * first element's channel; channel_step as above. `target` may be `source`. */
  void (*normalize) (float *target, const float *source, float mean, float rstd,
                     const float *weight, const float *bias, int channel_step, int64_t n);

  /* Adds n <= SEAM_CPU_MAX_RUN values to `moments`. Two passes over the run (which is in the cache)
   * in FP32 around the run's own mean, the second correcting the first; runs are combined in FP64
   * (Chan), so that neither the number of values nor their offset harms the variance. A run whose
   * sum or squares overflow FP32 is added up in FP64. */
  void (*add_moments) (SeamCpuMoments *moments, const float *values, int64_t n);

  /* Output rows first_row .. first_row + n_rows - 1 of n_channels output channels of one sample,
   * straight from the input, with a block of channels x pixels in registers. `input` is the
   * sample [c, h, w], `weight` the first channel's [c, r, r]; target row i of channel j is at
   * target[j * channel_stride + i * q]. Needs q >= vector_width. Each output sums its products
   * in the order c, r, s whatever the blocking, so tiles do not change the result. */
  void (*convolve) (const SeamCpuConvolution *sizes, const float *input, const float *weight,
                    int64_t n_channels, int64_t first_row, int64_t n_rows, float *target,
                    int64_t channel_stride);

  /* One unit of a reduction or normalisation: one set, or SEAM_CPU_COLUMNS neighbouring sets where
   * neighbours in memory belong to different sets (r2 is 1). A reduction writes y[k0, k1, k2].
   * Elements are those of `x`, or (not NULL) what `head` makes of them. `room`: 2 SEAM_CPU_COLUMNS
   * doubles. */
  void (*work_set) (const SeamSets *sets, SeamReduction reduction, const SeamCpuAffine *affine,
                    const SeamCpuHead *head, const float *x, float *y, int64_t unit, double *room);
  /* A pool over one [d, h, w]. */
  void (*pool) (const SeamWindow *window, const float *x, float *y);
  /* One channel of one sample of a convolution: y [out]. */
  void (*convolve_general) (const SeamGeneral *sizes, const float *x, const float *weight,
                            int64_t channel, float *y);

  /* sums[i] += the sum over l of a[l] * b[l * b_stride + i], one product after the other, rounded
   * to FP16 after each addition: the mistake of seam_defect_add_half(), for exhibits. */
  void (*add_half_products) (float *sums, const float *a, const float *b, int64_t b_stride,
                             int64_t depth, int64_t n);

  /* target[i] = source[i] rounded to the type, FP16 or bf16. */
  void (*round_operand) (SeamOperandType type, float *target, const float *source, int64_t n);
  /* Rounds a row as math mode tf32x does: multiplied by the row's power of two, rounded to FP16,
   * and divided by the power again. */
  void (*round_scaled_row) (float *target, const float *source, int64_t n);

  /* Convert FP32 numbers to FP16 or bf16 as stored tensors have them, and back. */
  void (*pack) (SeamOperandType type, unsigned short *target, const float *source, int64_t n);
  void (*unpack) (SeamOperandType type, float *target, const unsigned short *source, int64_t n);

  /* Totals over n elements, computed in FP64; stores every |a - b| in `distances`, and the FP32
   * steps between the two numbers in `ulps`. b is `b_double`, or `b_float` if that is NULL. Limits
   * are `bounds`, or those of the tolerances if that is NULL. */
  void (*compare) (const float *a, const float *b_float, const double *b_double, int64_t n,
                   double atol, double rtol, const float *bounds, SeamCpuDifference *totals,
                   float *distances, uint32_t *ulps);

  /* Multiply-adds in registers only, to learn the attainable FP32 rate; returns the operations
   * done (2 a multiply-add) and leaves a value in `sink` so that they are not optimised away. */
  double (*burn) (int64_t n_iterations, float *sink);
} SeamCpuLoops;

/* The widest loops that this processor runs. `$SEAMSCOPE_CPU_LOOPS` (baseline, avx2, avx512) picks
 * narrower ones, for tests and for teaching. */
const SeamCpuLoops *seam_cpu_loops_get (void);
/* The loops of that name, or NULL if they are not built or this processor cannot run them. */
const SeamCpuLoops *seam_cpu_loops_find (const char *isa);

/* Sets that one unit of work_set() takes where they lie side by side. */
#define SEAM_CPU_COLUMNS 256
int64_t seam_cpu_sets_count_units (const SeamSets *sets);

/* Merges `b` into `a` (Chan's formula). */
void seam_cpu_moments_merge (SeamCpuMoments *a, const SeamCpuMoments *b);

/* target[i, j] = sum over l of x[i, l] * weight[j, l]: rows x columns of x times weight transposed.
 * All row-major with the strides (in floats) given. 0: there was not enough memory. */
_Bool seam_cpu_matmul (int64_t rows, int64_t columns, int64_t depth, const float *x,
                       int64_t x_stride, const float *weight, int64_t weight_stride, float *target,
                       int64_t target_stride);

/* The same with sums that are rounded to FP16 after each product. */
void seam_cpu_matmul_half (const SeamCpuLoops *loops, int64_t rows, int64_t columns, int64_t depth,
                           const float *x, int64_t x_stride, const float *weight,
                           int64_t weight_stride, float *target, int64_t target_stride);

/* Output pixels first .. first + n - 1 (flat in [p, q]) of n_channels output channels of one
 * sample through im2col and sgemm, or with `half` (else NULL) sums in FP16. `columns` is scratch
 * for c * r * r * n floats; it is not touched when r is 1, because the input then is the matrix
 * already. 0: there was not enough memory. */
_Bool seam_cpu_convolve_columns (const SeamCpuConvolution *sizes, const SeamCpuLoops *half,
                                 const float *input, const float *weight, int64_t n_channels,
                                 int64_t first, int64_t n, float *columns, float *target,
                                 int64_t channel_stride);

/* Calibration times these: whole passes over `bytes` (a multiple of 64, aligned to 64) in the
 * calling thread. read returns the sum of the words, so that no load is left out. */
uint64_t seam_cpu_read (const void *data, int64_t bytes, int64_t n_passes);
void seam_cpu_write (void *data, int64_t bytes, int64_t n_passes);
void seam_cpu_copy (void *to, const void *from, int64_t bytes, int64_t n_passes);
