/* SPDX-License-Identifier: MIT
 *
 * The difference of two outputs, reduced on the GPU; only totals and the overview leave it.
 */
#include "app/backend/cuda/device.h"

#include "kernels/cuda/kernels.h"

#include <math.h>
#include <string.h>

/* Cells, failing counts, block results and the total, in one allocation. */
typedef struct {
  void *data;
  gsize cells_bytes, failing_bytes, blocks_bytes;
} Results;

static gsize
align (gsize bytes)
{
  return (bytes + 255) / 256 * 256;
}

static gboolean
check_request (const SeamDifferenceSpec *spec, const SeamBuffer *a, const SeamBuffer *b,
               gboolean b_is_double, GError **error)
{
  gint64 n = spec->rows * spec->columns * spec->plane;

  if (spec->rows > 0 && spec->columns > 0 && spec->plane > 0 && spec->rows_per_cell > 0
      && spec->columns_per_cell > 0 && a->bytes >= n * (gint64)sizeof (float)
      && b->bytes >= n * (gint64)(b_is_double ? sizeof (double) : sizeof (float)))
    return TRUE;
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL,
               "A comparison of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
               " elements does not fit its tensors.",
               spec->rows, spec->columns, spec->plane);
  return FALSE;
}

static gboolean
compute (CudaDevice *device, SeamCudaCompare *compare, const Results *results, void *host,
         GError **error)
{
  gsize grids = results->cells_bytes + results->failing_bytes;
  gsize total_offset = grids + results->blocks_bytes;
  char *data = results->data;

  compare->cells = (unsigned int *)data;
  compare->failing = (unsigned long long *)(data + results->cells_bytes);
  compare->blocks = (SeamCudaDifference *)(data + grids);
  compare->total = (SeamCudaDifference *)(data + total_offset);
  return CUDA_TRY (cudaMemsetAsync (data, 0, grids, device->stream), error)
         && CUDA_TRY (seam_cuda_difference (compare, device->stream), error)
         && CUDA_TRY (cudaMemcpyAsync (host, data, grids, cudaMemcpyDeviceToHost, device->stream),
                      error)
         && CUDA_TRY (cudaMemcpyAsync ((char *)host + grids, compare->total, sizeof *compare->total,
                                       cudaMemcpyDeviceToHost, device->stream),
                      error)
         && CUDA_TRY (cudaStreamSynchronize (device->stream), error);
}

static void
read_results (SeamDifference *d, const Results *results, const char *host)
{
  const gint64 n_cells = d->n_cell_rows * d->n_cell_columns;
  const guint32 *cells = (const guint32 *)host;
  const guint64 *failing = (const guint64 *)(host + results->cells_bytes);
  SeamCudaDifference t;

  memcpy (&t, host + results->cells_bytes + results->failing_bytes, sizeof t);
  memcpy (d->cells, cells, n_cells * sizeof (float));
  for (gint64 i = 0; i < n_cells; i++)
    d->failing[i] = (guint32)MIN (failing[i], G_MAXUINT32);
  d->n_elements = d->spec.rows * d->spec.columns * d->spec.plane;
  d->n_failing = (gint64)t.n_failing;
  d->n_nan_a = (gint64)t.n_nan_a;
  d->n_nan_b = (gint64)t.n_nan_b;
  d->n_infinite_a = (gint64)t.n_infinite_a;
  d->n_infinite_b = (gint64)t.n_infinite_b;
  d->max_abs = t.max_abs;
  d->mean_abs = t.n_finite > 0 ? t.sum_abs / (double)t.n_finite : 0;
  d->max_abs_b = t.max_abs_b;
  d->max_rel = t.max_abs_b > 0 ? d->max_abs / t.max_abs_b : d->max_abs > 0 ? INFINITY : 0;
  d->mean_rel = t.max_abs_b > 0 ? d->mean_abs / t.max_abs_b : d->mean_abs > 0 ? INFINITY : 0;
  d->max_error_ratio = t.max_error_ratio;
  d->worst_index = t.worst_index;
  d->worst_a = d->worst_b = 0;
}

/* The worst element's two values. */
static gboolean
read_worst (SeamDevice *device, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
            SeamDifference *d, GError **error)
{
  float value = 0;
  gint64 at = d->worst_index;

  if (at < 0)
    return TRUE;
  if (!cuda_download (device, &value, a, at * (gint64)sizeof value, sizeof value, error))
    return FALSE;
  d->worst_a = value;
  if (b_is_double)
    return cuda_download (device, &d->worst_b, b, at * (gint64)sizeof d->worst_b, sizeof d->worst_b,
                          error);
  if (!cuda_download (device, &value, b, at * (gint64)sizeof value, sizeof value, error))
    return FALSE;
  d->worst_b = value;
  return TRUE;
}

gboolean
cuda_compare (SeamDevice *base, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
              SeamDifference *difference, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  const SeamDifferenceSpec *spec = &difference->spec;
  const gsize n_cells = (gsize)(difference->n_cell_rows * difference->n_cell_columns);
  SeamCudaCompare compare = {
    .a = a->data,
    .b = b->data,
    .b_is_double = b_is_double,
    .rows = spec->rows,
    .columns = spec->columns,
    .plane = spec->plane,
    .rows_per_cell = spec->rows_per_cell,
    .columns_per_cell = spec->columns_per_cell,
    .atol = spec->atol,
    .rtol = spec->rtol,
  };
  g_autofree char *host = NULL;
  Results results = { 0 };
  gint64 n_blocks;
  gboolean good;

  if (!check_request (spec, a, b, b_is_double, error) || !cuda_device_enter (device, error))
    return FALSE;
  n_blocks = seam_cuda_difference_blocks (&compare);
  if (n_blocks == 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "A tensor of this shape has too many planes for one comparison; choose a smaller "
                 "batch.");
    return FALSE;
  }
  results.cells_bytes = align (n_cells * sizeof (float));
  results.failing_bytes = align (n_cells * sizeof (guint64));
  results.blocks_bytes = align ((gsize)n_blocks * sizeof (SeamCudaDifference));
  if (!CUDA_TRY (cudaMalloc (&results.data, results.cells_bytes + results.failing_bytes
                                                + results.blocks_bytes
                                                + sizeof (SeamCudaDifference)),
                 error))
    return FALSE;
  host = g_malloc (results.cells_bytes + results.failing_bytes + sizeof (SeamCudaDifference));
  good = compute (device, &compare, &results, host, error);
  cudaFree (results.data);
  if (!good)
    return FALSE;
  read_results (difference, &results, host);
  return read_worst (base, a, b, b_is_double, difference, error);
}
