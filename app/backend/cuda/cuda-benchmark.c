/* SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of a GPU for calibration: the kernels of kernels/cuda/calibrate.cu, matrix
 * products of cuBLASLt, and launches in a row. app/measure/calibrate.c decides which run and how
 * often, and evaluates the times.
 */
#include "app/backend/cuda/launch.h"

#include <math.h>
#include <time.h>

/* Bytes that each multiprocessor moves in one execution: 4 GB on an H200 in total, which take some
 * tenths of a millisecond from its L2, one millisecond from memory. */
#define BYTES_PER_PROCESSOR ((gint64)32 << 20)
/* Blocks that a multiprocessor holds: 2048 threads. */
#define BLOCKS_PER_PROCESSOR (2048 / SEAM_CUDA_THREADS)
/* A square product gives every multiprocessor this many tiles of 128 x 256: 4864 rows on an H200,
 * enough for the library's largest tiles and a few milliseconds in FP32. */
#define WAVES     6
#define TILE_AREA (128 * 256)
#define SIDE_STEP 256
/* Launches in a row; one takes about two microseconds. */
#define N_LAUNCHES 200

/* A matrix product that is ready to run. */
struct CudaProduct {
  SeamRateKind kind;
  Launch *launch;
  gint64 side;
};

static void
free_product (CudaDevice *device)
{
  if (device->product != NULL)
    launch_free (device->product->launch);
  g_clear_pointer (&device->product, g_free);
}

void
cuda_end_benchmarks (SeamDevice *base)
{
  CudaDevice *device = (CudaDevice *)base;

  cudaSetDevice (device->ordinal);
  free_product (device);
  cudaFree (device->benchmark);
  device->benchmark = NULL;
  device->benchmark_bytes = 0;
}

static gint64
get_n_blocks (const CudaDevice *device)
{
  return (gint64)device->base.info->n_processors * BLOCKS_PER_PROCESSOR;
}

static gboolean
reserve (CudaDevice *device, gint64 bytes, GError **error)
{
  if (bytes <= device->benchmark_bytes)
    return TRUE;
  cuda_end_benchmarks (&device->base);
  if (!CUDA_TRY (cudaMalloc (&device->benchmark, (size_t)bytes), error))
    return FALSE;
  device->benchmark_bytes = bytes;
  return CUDA_TRY (
      seam_cuda_noise (device->benchmark, bytes, FALSE, get_n_blocks (device), device->stream),
      error);
}

static gboolean
begin (CudaDevice *device, GError **error)
{
  return CUDA_TRY (cudaStreamSynchronize (device->stream), error)
         && CUDA_TRY (cudaEventRecord (device->start, device->stream), error);
}

static gboolean
end (CudaDevice *device, double *time_ns, GError **error)
{
  float ms = 0;

  if (!CUDA_TRY (cudaEventRecord (device->end, device->stream), error)
      || !CUDA_TRY (cudaEventSynchronize (device->end), error)
      || !CUDA_TRY (cudaEventElapsedTime (&ms, device->start, device->end), error))
    return FALSE;
  *time_ns = (double)ms * 1e6;
  return TRUE;
}

static gboolean
time_memory (CudaDevice *device, SeamRateKind kind, gint64 bytes, double *amount, double *time_ns,
             GError **error)
{
  gboolean is_copy = kind == SEAM_RATE_COPY;
  gint64 side = bytes / (is_copy ? 2 : 1) / 16 * 16;
  const SeamCudaMovement movement = is_copy                   ? SEAM_CUDA_COPY
                                    : kind == SEAM_RATE_WRITE ? SEAM_CUDA_WRITE
                                                              : SEAM_CUDA_READ;
  SeamCudaCalibrate what = {
    .bytes = side,
    .least_bytes =
        MAX (side, BYTES_PER_PROCESSOR * device->base.info->n_processors / (is_copy ? 2 : 1)),
    .n_blocks = get_n_blocks (device),
  };

  if (!reserve (device, bytes, error))
    return FALSE;
  what.from = device->benchmark;
  what.to = (float *)device->benchmark + (is_copy ? side / 4 : 0);
  *amount = (is_copy ? 2.0 : 1.0) * (double)seam_cuda_calibrate_bytes (&what);
  return begin (device, error)
         && CUDA_TRY (seam_cuda_calibrate (movement, &what, device->stream), error)
         && end (device, time_ns, error);
}

/* The side of the largest square product whose three FP32 matrices fit in a quarter of the free
 * memory. */
static gint64
choose_side (CudaDevice *device)
{
  double tiles = (double)WAVES * device->base.info->n_processors * TILE_AREA;
  double most = (double)cuda_get_free_memory (&device->base) / 4 / (3 * sizeof (float));
  gint64 side = (gint64)sqrt (MIN (tiles, most)) / SIDE_STEP * SIDE_STEP;

  return MAX (side, SIDE_STEP);
}

static gboolean
prepare_product (CudaDevice *device, SeamRateKind kind, GError **error)
{
  gint64 side = choose_side (device), n = side * side;
  gint64 bytes = n * (gint64)sizeof (float);
  const SeamMatrixDims dims = { .n = side, .k = side, .c = side };

  free_product (device);
  if (!reserve (device, 3 * bytes, error))
    return FALSE;
  char *memory = device->benchmark;
  if (!CUDA_TRY (seam_cuda_noise (memory, 2 * bytes, kind == SEAM_RATE_BF16, get_n_blocks (device),
                                  device->stream),
                 error))
    return FALSE;
  device->product = g_new0 (struct CudaProduct, 1);
  device->product->kind = kind;
  device->product->side = side;
  device->product->launch = g_new0 (Launch, 1);
  gboolean ok = matmul_prepare (device, device->product->launch, &dims,
                                kind == SEAM_RATE_TF32   ? SEAM_MATH_TF32
                                : kind == SEAM_RATE_BF16 ? SEAM_MATH_BF16
                                                         : SEAM_MATH_FP32,
                                memory, memory + bytes, NULL, FALSE, SEAM_OPERAND_FP32,
                                memory + 2 * bytes, NULL, error);
  if (!ok)
    free_product (device);
  return ok;
}

static gboolean
time_product (CudaDevice *device, SeamRateKind kind, double *amount, double *time_ns,
              GError **error)
{
  if ((device->product == NULL || device->product->kind != kind)
      && !prepare_product (device, kind, error))
    return FALSE;
  struct CudaProduct *product = device->product;
  *amount = 2.0 * pow ((double)product->side, 3);
  return begin (device, error) && product->launch->enqueue (device, product->launch, error)
         && end (device, time_ns, error);
}

/* Takes the host's time, because a plan of many small kernels waits for the host. */
static gboolean
time_launches (CudaDevice *device, double *amount, double *time_ns, GError **error)
{
  struct timespec start, finish;

  if (!CUDA_TRY (cudaStreamSynchronize (device->stream), error))
    return FALSE;
  clock_gettime (CLOCK_MONOTONIC, &start);
  for (int i = 0; i < N_LAUNCHES; i++)
    if (!CUDA_TRY (seam_cuda_nothing (device->stream), error))
      return FALSE;
  if (!CUDA_TRY (cudaStreamSynchronize (device->stream), error))
    return FALSE;
  clock_gettime (CLOCK_MONOTONIC, &finish);
  *time_ns =
      (double)(finish.tv_sec - start.tv_sec) * 1e9 + (double)(finish.tv_nsec - start.tv_nsec);
  *amount = N_LAUNCHES;
  return TRUE;
}

gboolean
cuda_benchmark (SeamDevice *base, SeamRateKind kind, gint64 bytes, double *amount, double *time_ns,
                GError **error)
{
  CudaDevice *device = (CudaDevice *)base;

  if (!cuda_device_enter (device, error))
    return FALSE;
  switch (kind) {
  case SEAM_RATE_COPY:
  case SEAM_RATE_READ:
  case SEAM_RATE_WRITE:
    return time_memory (device, kind, bytes, amount, time_ns, error);
  case SEAM_RATE_FP32:
  case SEAM_RATE_TF32:
  case SEAM_RATE_BF16:
    return time_product (device, kind, amount, time_ns, error);
  case SEAM_RATE_LAUNCH:
    return time_launches (device, amount, time_ns, error);
  default:
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "Not measured on a GPU: no op of this program computes in FP64 there.");
  }
}
