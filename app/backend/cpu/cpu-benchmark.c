/* SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of the CPU for calibration: memory bandwidth with every thread on its own part of
 * a buffer, matrix products of oneDNN with one in each thread (as this program's tiles use it),
 * and the cost of a parallel region. app/measure/calibrate.c decides which ones run how often, and
 * evaluates the times.
 */
#include "app/backend/cpu/onednn.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* A working set is passed over until each thread has moved this many bytes, which takes
 * milliseconds. */
#define LEAST_BYTES ((gint64)32 << 20)
/* The side of each thread's matrices: 3 MB in FP32, large enough for oneDNN to be at its best,
 * and 5 ms on a core of 50 GFLOP/s. */
#define SIDE 512
/* Parallel regions in a row; one takes about a microsecond. */
#define N_REGIONS 200

void
seam_cpu_end_benchmarks (SeamDevice *base)
{
  SeamCpuDevice *device = (SeamCpuDevice *)base;

  free (device->benchmark);
  device->benchmark = NULL;
  device->benchmark_bytes = 0;
}

/* Every thread first touches the memory that it will use, so that it is near on a machine with
 * several memory nodes. As FP32, the words are numbers that are neither zero nor denormal. */
static gboolean
reserve (SeamCpuDevice *device, gint64 bytes, GError **error)
{
  const guint64 word = G_GUINT64_CONSTANT (0x3f4000003f400000); /* 0.75 and 0.75 */
  gint64 part = bytes / device->n_threads / SEAM_CPU_ALIGNMENT * SEAM_CPU_ALIGNMENT;

  if (bytes <= device->benchmark_bytes)
    return TRUE;
  seam_cpu_end_benchmarks (&device->device);
  if (posix_memalign (&device->benchmark, 4096, (gsize)bytes) != 0) {
    device->benchmark = NULL;
    return seam_fail (error, SEAM_ERROR_MEMORY,
                      "There is not enough memory for a calibration (%.0f MB).",
                      (double)bytes / 1e6);
  }
  device->benchmark_bytes = bytes;
#pragma omp parallel num_threads(device->n_threads)
  {
    gint64 first = part * omp_get_thread_num () / 8;
    gint64 end = omp_get_thread_num () + 1 == device->n_threads ? bytes / 8 : first + part / 8;
    guint64 *words = device->benchmark;

    for (gint64 i = first; i < end; i++)
      words[i] = word;
  }
  return TRUE;
}

static gboolean
time_memory (SeamCpuDevice *device, SeamRateKind kind, gint64 bytes, double *amount,
             double *time_ns, GError **error)
{
  int n_sides = kind == SEAM_RATE_COPY ? 2 : 1;
  gint64 part = bytes / n_sides / device->n_threads / SEAM_CPU_ALIGNMENT * SEAM_CPU_ALIGNMENT;
  gint64 n_passes = part > 0 ? MAX (1, LEAST_BYTES / (n_sides * part)) : 0;
  guint64 sum = 0;

  if (part == 0)
    return seam_fail (error, SEAM_ERROR_INTERNAL,
                      "A working set of %" G_GINT64_FORMAT " bytes is too small.", bytes);
  if (!reserve (device, bytes, error))
    return FALSE;
  double start = seam_cpu_now_ns ();
#pragma omp parallel num_threads(device->n_threads) reduction(+ : sum)
  {
    char *own = (char *)device->benchmark + n_sides * part * omp_get_thread_num ();

    if (kind == SEAM_RATE_COPY)
      seam_cpu_copy (own + part, own, part, n_passes);
    else if (kind == SEAM_RATE_WRITE)
      seam_cpu_write (own, part, n_passes);
    else
      sum += seam_cpu_read (own, part, n_passes);
  }
  *time_ns = seam_cpu_now_ns () - start;
  *amount = (double)n_sides * (double)part * device->n_threads * (double)n_passes;
  device->benchmark_sum = sum; /* so that the compiler leaves out no read */
  return TRUE;
}

static gboolean
time_matrix (SeamCpuDevice *device, double *amount, double *time_ns, GError **error)
{
  gint64 n = (gint64)SIDE * SIDE;
  int failed = FALSE;

  if (!reserve (device, 3 * n * (gint64)sizeof (float) * device->n_threads, error))
    return FALSE;
  double start = seam_cpu_now_ns ();
#pragma omp parallel num_threads(device->n_threads)
  {
    float *own = (float *)device->benchmark + 3 * n * omp_get_thread_num ();

    if (!seam_cpu_matmul (SIDE, SIDE, SIDE, own, SIDE, own + n, SIDE, own + 2 * n, SIDE))
      g_atomic_int_set (&failed, TRUE);
  }
  *time_ns = seam_cpu_now_ns () - start;
  *amount = 2.0 * SIDE * (double)n * device->n_threads;
  if (failed)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_MEMORY,
                         "There is not enough memory for a calibration.");
  return !failed;
}

static double
time_regions (SeamCpuDevice *device, int n_regions)
{
  volatile int n = 0;
  double start = seam_cpu_now_ns ();

  for (int i = 0; i < n_regions; i++) {
#pragma omp parallel num_threads(device->n_threads)
    if (omp_get_thread_num () == 0)
      n = n + 1;
  }
  return seam_cpu_now_ns () - start;
}

double
seam_cpu_measure_start (SeamCpuDevice *device)
{
  double best_ns = INFINITY;

  /* Other programs delay most of them. */
  for (int i = 0; i < N_REGIONS; i++)
    best_ns = fmin (best_ns, time_regions (device, 1));
  return best_ns;
}

gboolean
seam_cpu_benchmark (SeamDevice *base, SeamRateKind kind, gint64 bytes, double *amount,
                    double *time_ns, GError **error)
{
  SeamCpuDevice *device = (SeamCpuDevice *)base;

  switch (kind) {
  case SEAM_RATE_COPY:
  case SEAM_RATE_READ:
  case SEAM_RATE_WRITE:
    return time_memory (device, kind, bytes, amount, time_ns, error);
  case SEAM_RATE_FP32:
    return time_matrix (device, amount, time_ns, error);
  case SEAM_RATE_LAUNCH:
    *time_ns = time_regions (device, N_REGIONS);
    *amount = N_REGIONS;
    return TRUE;
  case SEAM_RATE_TF32:
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "A CPU has no TF32; it computes in FP32 instead.");
  case SEAM_RATE_BF16:
    return seam_onednn_time_bf16 (amount, time_ns, error);
  default:
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "oneDNN has no product in FP64; plain loops compute the FP64 reference.");
  }
}
