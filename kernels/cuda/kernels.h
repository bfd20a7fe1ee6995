/* SPDX-License-Identifier: MIT
 *
 * The launchers of the precompiled CUDA kernels. All take a stream, allocate nothing, and return
 * what cudaGetLastError() says right after the launch. Lengths are in elements, pointers in device
 * memory and 16-byte aligned.
 */
#pragma once

#include "kernels/cuda/geometry.h"
#include "kernels/bound.h"
#include "kernels/nest.h"
#include "kernels/operand.h"
#include "kernels/ops.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs one elementwise op. The caller sets shape, tensors and scalars in `a`; the function fills in
 * the rest. Returns cudaErrorInvalidValue for an op that is not elementwise,
 * cudaErrorInvalidConfiguration for a tensor with more tiles than a launch has blocks. */
cudaError_t seam_cuda_elementwise (SeamOpType type, SeamCudaArguments *a, cudaStream_t stream);

/* GroupNorm of inputs[0] into outputs[0]. One pass for groups of up to
 * SEAM_CUDA_ONE_PASS_ELEMENTS; else statistics, then apply, with `partials` between them. */
cudaError_t seam_cuda_groupnorm_one_pass (SeamCudaArguments *a, cudaStream_t stream);
cudaError_t seam_cuda_groupnorm_statistics (SeamCudaArguments *a, cudaStream_t stream);
cudaError_t seam_cuda_groupnorm_apply (SeamCudaArguments *a, cudaStream_t stream);

/* An exhibit, wrong on purpose: y [n, k, p, q] = x [n, c, h, w] convolved with weight [k, c, r, r],
 * each sum rounded to FP16 after every product. With h, w and r 1 it is a matmul. */
typedef struct {
  const float *x, *weight;
  float *y;
  long long n, c, h, w, k, r;
  int exact; /* sums in FP32 instead: no exhibit, but what libraries are compared with */
} SeamCudaHalfSums;

#define SEAM_CUDA_HALF_SUMS_TILE 16 /* outputs a side of a block */

/* Blocks of the launch; more than SEAM_CUDA_MAX_BLOCKS cannot be launched. */
long long seam_cuda_half_sums_blocks (const SeamCudaHalfSums *a);
cudaError_t seam_cuda_half_sums (const SeamCudaHalfSums *a, cudaStream_t stream);

/* data[0..n) = value: for poison and for the L2 flush. */
cudaError_t seam_cuda_fill (float *data, long long n, float value, cudaStream_t stream);
/* to[0..n) = from[0..n): measures copy bandwidth. */
cudaError_t seam_cuda_copy (float *to, const float *from, long long n, cudaStream_t stream);
/* Keeps the stream busy for `ns` without touching memory, so that work enqueued meanwhile starts
 * without waiting for the host. */
cudaError_t seam_cuda_wait (long long ns, cudaStream_t stream);
/* to[0..n) = from[0..n) in a 16-bit type, and back: operands of math modes fp16 and bf16. Returns
 * cudaErrorInvalidValue for FP32. */
cudaError_t seam_cuda_to_operand (SeamOperandType type, void *to, const float *from, long long n,
                                  cudaStream_t stream);
cudaError_t seam_cuda_from_operand (SeamOperandType type, float *to, const void *from, long long n,
                                    cudaStream_t stream);
/* Prepares an operand of a matmul for math mode tf32x: to [rows, columns] = each row of `from`,
 * times a power of two of its own, in FP16; `inverses` [rows] receives the inverse powers. */
typedef struct {
  const float *from[2];
  void *to[2];
  float *inverses[2];
  long long rows[2], columns;
} SeamCudaScaling;

/* Returns cudaErrorInvalidValue unless columns is a multiple of 4. */
cudaError_t seam_cuda_scale (const SeamCudaScaling *a, cudaStream_t stream);

/* Powers of two for a convolution in math modes fp32 and tf32x, without copies: of each filter, by
 * its largest number; of each sample, by the largest of at most SEAM_CUDA_GUESS_ELEMENTS of its
 * numbers. The guess leaves SEAM_CUDA_GUESS_ROOM binades, and FP16 has one more: numbers up to 8
 * times as large as the guess fit, and those over 2^26 times smaller than the largest lose bits. */
#define SEAM_CUDA_GUESS_ELEMENTS 8192
#define SEAM_CUDA_GUESS_ROOM     2
typedef struct {
  const float *x, *weight;
  long long samples, sample_elements, filters, filter_elements;
  float *scales;          /* [samples + filters] */
  unsigned int *exceeded; /* becomes 0 */
  int again;              /* bool: looks at all numbers of the samples if `exceeded` is not 0, else
                             does nothing */
} SeamCudaGuess;

cudaError_t seam_cuda_guess_scales (const SeamCudaGuess *a, cudaStream_t stream);
/* [n, channels, plane] to [n, plane, channels], and back. The tensor with channels last has type
 * `last`, the other has type `first`: FP32 or the same type. Returns cudaErrorInvalidValue for
 * other pairs. */
cudaError_t seam_cuda_to_channels_last (SeamOperandType last, SeamOperandType first, void *to,
                                        const void *from, long long n, long long channels,
                                        long long plane, cudaStream_t stream);
cudaError_t seam_cuda_to_channels_first (SeamOperandType last, SeamOperandType first, void *to,
                                         const void *from, long long n, long long channels,
                                         long long plane, cudaStream_t stream);

/* Differences found by one block, and then in the whole tensor: see app/result/difference.h. */
typedef struct {
  double max_abs, sum_abs, max_abs_b, max_error_ratio, sum_squares, sum_squares_b;
  double worst_abs; /* what the order of the worst goes by: the distance, or where bounds judge its
                     * part of the bound; infinity for a pair that is not finite; < 0: all equal so
                     * far */
  long long worst_index;
  double max_bound_ratio; /* 0 without bounds */
  long long bound_index;
  long long n_finite; /* pairs */
  unsigned long long sum_ulps;
  unsigned long long n_failing, n_unjudged, n_shown, n_nan_a, n_nan_b, n_infinite_a, n_infinite_b;
} SeamCudaDifference;

/* The same values as in app/result/histogram.h and difference.h; app/backend/cuda/cuda-compare.c
 * checks that they agree. */
#define SEAM_CUDA_HISTOGRAM_ERRORS     64
#define SEAM_CUDA_HISTOGRAM_MAGNITUDES 16
#define SEAM_CUDA_HISTOGRAM_BINS       (SEAM_CUDA_HISTOGRAM_ERRORS * SEAM_CUDA_HISTOGRAM_MAGNITUDES)
#define SEAM_CUDA_HISTOGRAM_ULPS       33
#define SEAM_CUDA_WORST                16

/* An element that differs, or a block's worst; index -1: none. */
typedef struct {
  double worst_abs; /* infinity for a pair that is not finite */
  long long index;  /* of the element, flat */
  long long block;  /* the block that compared it */
} SeamCudaWorst;

typedef struct {
  const void *a, *b;      /* elements of type `stored`; b may be doubles */
  SeamOperandType stored; /* type of a, and of b unless b is doubles */
  int b_is_double;
  const float *bounds; /* of each element's error; NULL: unknown */
  long long rows, columns, plane, rows_per_cell, columns_per_cell;
  long long plane_width;       /* 0: `hits` does not tell rows and columns of planes apart */
  double atol, rtol;           /* atol NaN: the bounds judge */
  unsigned int *cells;         /* bits of a float, zeroed; NaN where a pair is not finite */
  unsigned int *ulps;          /* for each cell, zeroed */
  unsigned int *shares;        /* for each cell, bits of a float, zeroed; where there are bounds */
  unsigned long long *failing; /* for each cell, zeroed */
  unsigned char
      *hits; /* 1 where an element fails, zeroed: rows, columns, rows and columns of planes */
  SeamCudaDifference *blocks;           /* seam_cuda_difference_blocks() of them */
  SeamCudaDifference *total;            /* one */
  unsigned long long *histogram;        /* SEAM_CUDA_HISTOGRAM_BINS, zeroed */
  unsigned long long *histogram_ulps;   /* SEAM_CUDA_HISTOGRAM_ULPS, zeroed */
  unsigned long long *histogram_shares; /* SEAM_CUDA_HISTOGRAM_ERRORS, zeroed */
  SeamCudaWorst *worst_blocks; /* SEAM_CUDA_WORST, ordered: the blocks with the worst elements */
  SeamCudaWorst *worst;        /* SEAM_CUDA_WORST for each worst block, ordered: its worst elements;
                                * undefined if the block has no index */
} SeamCudaCompare;

/* Blocks of the comparison; 0 when the tensor has more tiles than a launch can have. */
long long seam_cuda_difference_blocks (const SeamCudaCompare *compare);
cudaError_t seam_cuda_difference (const SeamCudaCompare *compare, cudaStream_t stream);

/* The bounds of an output (bound.cu). */
#define SEAM_CUDA_BOUND_OPS        24
#define SEAM_CUDA_BOUND_NORM_BYTES 16 /* of a GroupNorm's group */

typedef struct {
  SeamOpType type;
  int operand;             /* the op whose output it reads besides the one before it; -1: none */
  float a, b;              /* its numbers */
  float stored;            /* unit roundoff of the type that its output is stored in; 0: FP32 */
  const float *vectors[2]; /* [channels]; NULL where it reads none */
} SeamCudaBoundOp;

typedef struct {
  const float *sums, *squares; /* n, of the matrix op: of the operands, and of their squares */
  float *bounds;               /* n */
  void *norms;                 /* SEAM_CUDA_BOUND_NORM_BYTES for every group of every sample */
  float unscale;               /* of the root of a number of `squares` */
  SeamBoundSum rule;
  long long n, channels, plane, width, groups;
  int reach;       /* rows and columns to either side of an output whose squares count, too */
  int n_ops, norm; /* the op that is a GroupNorm; -1: none */
  SeamCudaBoundOp ops[SEAM_CUDA_BOUND_OPS];
} SeamCudaBound;

cudaError_t seam_cuda_bound (const SeamCudaBound *a, cudaStream_t stream);

/* One op of the FP64 reference and of its bounds (reference.cu). Values and bounds are doubles,
 * contiguous; sizes as in kernels/nest.h. */
typedef enum {
  SEAM_CUDA_GIVEN,  /* widens a tensor that is given */
  SEAM_CUDA_MATRIX, /* `general`: a matmul is a convolution of one place */
  SEAM_CUDA_MAP,
  SEAM_CUDA_WINDOW,
  SEAM_CUDA_SETS,       /* a reduction or a normalisation */
  SEAM_CUDA_STATISTICS, /* a normalisation by statistics that are given */
} SeamCudaReferenceStep;

typedef struct {
  long long n; /* elements of the output; of sets: of the input */
  double *y, *bounds;
  float *narrow_bounds; /* instead of `bounds`; NULL: there */
  double stored;        /* unit roundoff of the type that the output is stored in; 0: FP32 */
  const void *given;    /* elements of `given_type` */
  SeamOperandType given_type;
  const double *x, *x_bounds, *t, *t_bounds; /* inputs; t NULL: there is one */
  const float *params[4];                    /* weight, bias, mean, variance; NULL: none */
  /* Of a map: its vector, and the number that takes the place of scalars[0]; NULL: none. */
  const float *vector, *number;
  SeamOpType type;
  double scalars[2];
  unsigned long long *counts; /* how many inputs are below scalars[0], and above scalars[1]; NULL:
                               * not counted */
  SeamNestMap map;
  SeamWindow window;
  SeamGeneral general;
  SeamSets sets;
  SeamReduction reduction;
  long long affine_inner, affine_count;
  double epsilon;
  /* Of a matrix op: the rule of its sums, what is added to operands' sizes, whether x has errors,
   * how far neighbours count, and room for `n` numbers each if they do. */
  SeamBoundSum rule;
  double least;
  int has_errors, reach;
  double *squares, *errors;
} SeamCudaReference;

cudaError_t seam_cuda_reference (SeamCudaReferenceStep step, const SeamCudaReference *a,
                                 cudaStream_t stream);

/* to[0 .. n) = from[first .. first + n) as FP32; with `scale` over 0 the squares of (|x| + least)
 * scale. */
typedef struct {
  float *to;
  const void *from;
  SeamOperandType type;
  long long first, n;
  float least, scale;
} SeamCudaSpread;

cudaError_t seam_cuda_spread (const SeamCudaSpread *a, cudaStream_t stream);

/* Memory traffic that calibration times (calibrate.cu). */
typedef enum { SEAM_CUDA_READ, SEAM_CUDA_WRITE, SEAM_CUDA_COPY } SeamCudaMovement;

typedef struct {
  float *to;             /* `bytes` of them, also if only reading is timed (then never written) */
  const float *from;     /* `bytes`; may be `to`, except for a copy */
  long long bytes;       /* working set of each side; a multiple of 16 */
  long long least_bytes; /* bytes to move on each side; the working set is moved repeatedly */
  long long n_blocks;    /* enough to fill the GPU */
} SeamCudaCalibrate;

/* Bytes that one call moves on each side: `least_bytes`, rounded up. */
long long seam_cuda_calibrate_bytes (const SeamCudaCalibrate *calibrate);
cudaError_t seam_cuda_calibrate (SeamCudaMovement movement, const SeamCudaCalibrate *calibrate,
                                 cudaStream_t stream);
/* Random numbers of magnitude 0.5 to 1 in FP32 or BF16; `bytes` a multiple of 4. */
cudaError_t seam_cuda_noise (void *data, long long bytes, int is_bf16, long long n_blocks,
                             cudaStream_t stream);
/* Stores in `n_blocks` how many blocks of `threads`, with `shared_bytes` of dynamic shared memory
 * each, a multiprocessor of the current device holds at once. For kernels that use at most 65536 /
 * threads registers a thread. */
cudaError_t seam_cuda_count_resident (int threads, int shared_bytes, int *n_blocks);
/* A launch that does nothing. */
cudaError_t seam_cuda_nothing (cudaStream_t stream);

#ifdef __cplusplus
}
#endif
