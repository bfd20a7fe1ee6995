/* SPDX-License-Identifier: MIT
 *
 * The difference of two outputs, reduced on the GPU; only totals, grids and the worst elements
 * leave it.
 */
#include "app/backend/cuda/cuda-device.h"

#include "kernels/cuda/kernels.h"

#include <math.h>
#include <string.h>

G_STATIC_ASSERT (SEAM_CUDA_HISTOGRAM_ERRORS == SEAM_HISTOGRAM_ERRORS);
G_STATIC_ASSERT (SEAM_CUDA_HISTOGRAM_MAGNITUDES == SEAM_HISTOGRAM_MAGNITUDES);
G_STATIC_ASSERT (SEAM_CUDA_HISTOGRAM_ULPS == SEAM_HISTOGRAM_ULPS);
G_STATIC_ASSERT (SEAM_CUDA_WORST == SEAM_DIFFERENCE_WORST);

/* Results besides the grids. */
typedef struct {
  SeamCudaDifference total;
  SeamCudaWorst worst_blocks[SEAM_CUDA_WORST];
  SeamCudaWorst worst[SEAM_CUDA_WORST * SEAM_CUDA_WORST];
} Found;

/* One allocation: parts that begin as zeros (grids, histograms, marks), then the results found,
 * then the results of blocks, which are not copied back. Each part begins where the one before it
 * ends. */
enum {
  RESULT_CELLS,
  RESULT_ULPS,
  RESULT_SHARES,
  RESULT_FAILING,
  RESULT_HISTOGRAM,
  RESULT_HISTOGRAM_ULPS,
  RESULT_HISTOGRAM_SHARES,
  RESULT_HITS,
  RESULT_FOUND, /* this part and the following ones are not zeroed */
  RESULT_BLOCKS,
  N_RESULTS
};

typedef struct {
  char *data;
  gsize offsets[N_RESULTS + 1];
} Results;

static gsize
align (gsize bytes)
{
  return (bytes + 255) / 256 * 256;
}

static gboolean
check_request (const SeamDifferenceSpec *spec, const SeamBuffer *a, const SeamBuffer *b,
               gboolean b_is_double, const SeamBuffer *bounds, GError **error)
{
  const gint64 size = seam_storage_get_element_bytes (spec->stored);
  gint64 n = spec->rows * spec->columns * spec->plane;

  if (spec->rows > 0 && spec->columns > 0 && spec->plane > 0 && spec->rows_per_cell > 0
      && spec->columns_per_cell > 0 && (bounds != NULL || !seam_difference_is_by_bound (spec))
      && a->bytes >= n * size && (bounds == NULL || bounds->bytes >= n * (gint64)sizeof (float))
      && b->bytes >= n * (b_is_double ? (gint64)sizeof (double) : size))
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INTERNAL,
                    "A comparison of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                    " x %" G_GINT64_FORMAT " elements does not fit its tensors.",
                    spec->rows, spec->columns, spec->plane);
}

static gboolean
compute (CudaDevice *device, SeamCudaCompare *compare, const Results *results, void *host,
         GError **error)
{
  const gsize *offsets = results->offsets;
  char *data = results->data;
  Found *found = (Found *)(data + offsets[RESULT_FOUND]);

  compare->cells = (unsigned int *)(data + offsets[RESULT_CELLS]);
  compare->ulps = (unsigned int *)(data + offsets[RESULT_ULPS]);
  compare->shares = (unsigned int *)(data + offsets[RESULT_SHARES]);
  compare->failing = (unsigned long long *)(data + offsets[RESULT_FAILING]);
  compare->histogram = (unsigned long long *)(data + offsets[RESULT_HISTOGRAM]);
  compare->histogram_ulps = (unsigned long long *)(data + offsets[RESULT_HISTOGRAM_ULPS]);
  compare->histogram_shares = (unsigned long long *)(data + offsets[RESULT_HISTOGRAM_SHARES]);
  compare->hits = (unsigned char *)(data + offsets[RESULT_HITS]);
  compare->total = &found->total;
  compare->worst_blocks = found->worst_blocks;
  compare->worst = found->worst;
  compare->blocks = (SeamCudaDifference *)(data + offsets[RESULT_BLOCKS]);
  return CUDA_TRY (cudaMemsetAsync (data, 0, offsets[RESULT_FOUND], device->stream), error)
         && CUDA_TRY (seam_cuda_difference (compare, device->stream), error)
         && CUDA_TRY (cudaMemcpyAsync (host, data, offsets[RESULT_BLOCKS], cudaMemcpyDeviceToHost,
                                       device->stream),
                      error)
         && CUDA_TRY (cudaStreamSynchronize (device->stream), error);
}

/* Whether `x` comes before `y` in the order of worst elements. */
static gboolean
is_worse (const SeamCudaWorst *x, const SeamCudaWorst *y)
{
  return x->worst_abs > y->worst_abs || (x->worst_abs == y->worst_abs && x->index < y->index);
}

/* Merges the ordered lists of the worst blocks into the worst elements; their values are still
 * missing. */
static void
merge_worst (SeamDifference *d, const Found *found)
{
  int next[SEAM_CUDA_WORST] = { 0 };

  for (d->n_worst = 0; d->n_worst < SEAM_DIFFERENCE_WORST; d->n_worst++) {
    const SeamCudaWorst *best = NULL;
    int from = 0;
    for (int i = 0; i < SEAM_CUDA_WORST && found->worst_blocks[i].index >= 0; i++) {
      const SeamCudaWorst *head = &found->worst[i * SEAM_CUDA_WORST + next[i]];
      if (next[i] == SEAM_CUDA_WORST || head->index < 0 || (best != NULL && !is_worse (head, best)))
        continue;
      best = head;
      from = i;
    }
    if (best == NULL)
      return;
    d->worst[d->n_worst].index = best->index;
    next[from]++;
  }
}

static void
read_results (SeamDifference *d, const Results *results, const char *host)
{
  const gint64 n_cells = d->n_cell_rows * d->n_cell_columns;
  const gsize *offsets = results->offsets;
  const guint64 *failing = (const guint64 *)(host + offsets[RESULT_FAILING]);
  const guint64 *histogram = (const guint64 *)(host + offsets[RESULT_HISTOGRAM]);
  const guint64 *histogram_ulps = (const guint64 *)(host + offsets[RESULT_HISTOGRAM_ULPS]);
  const Found *found = (const Found *)(host + offsets[RESULT_FOUND]);
  const SeamCudaDifference t = found->total;

  memcpy (d->cells, host + offsets[RESULT_CELLS], n_cells * sizeof (float));
  memcpy (d->ulps, host + offsets[RESULT_ULPS], n_cells * sizeof (guint32));
  memcpy (d->hits, host + offsets[RESULT_HITS], seam_difference_count_hits (&d->spec));
  for (gint64 i = 0; i < n_cells; i++)
    d->failing[i] = (guint32)MIN (failing[i], G_MAXUINT32);
  d->n_elements = d->spec.rows * d->spec.columns * d->spec.plane;
  d->n_failing = (gint64)t.n_failing;
  d->n_unjudged = (gint64)t.n_unjudged;
  d->rms_abs = t.n_finite > 0 ? sqrt (t.sum_squares / (double)t.n_finite) : 0;
  d->rms_b = t.n_finite > 0 ? sqrt (t.sum_squares_b / (double)t.n_finite) : 0;
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
  if (d->histogram == NULL)
    d->histogram = g_new (gint64, SEAM_HISTOGRAM_BINS);
  for (int i = 0; i < SEAM_HISTOGRAM_BINS; i++)
    d->histogram[i] = (gint64)histogram[i];
  for (int i = 0; i < SEAM_HISTOGRAM_ULPS; i++)
    d->histogram_ulps[i] = (gint64)histogram_ulps[i];
  seam_difference_finish_ulps (d, t.sum_ulps, t.n_finite);
  merge_worst (d, found);
}

/* Reads one element of a tensor of type `stored`. */
static gboolean
read_element (SeamDevice *device, SeamBuffer *buffer, SeamOperandType stored, gint64 at,
              double *value, GError **error)
{
  const gint64 size = seam_storage_get_element_bytes (stored);
  unsigned short packed = 0;
  float single = 0;

  if (!cuda_download (device, stored == SEAM_OPERAND_FP32 ? (void *)&single : &packed, buffer,
                      at * size, size, error))
    return FALSE;
  *value = stored == SEAM_OPERAND_FP32 ? single : seam_operand_unpack (stored, packed);
  return TRUE;
}

/* Reads the values of the worst elements. */
static gboolean
read_worst (SeamDevice *device, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
            SeamBuffer *bounds, SeamDifference *d, GError **error)
{
  const SeamOperandType stored = d->spec.stored;

  for (int i = 0; i < d->n_worst; i++) {
    SeamWorstElement *worst = &d->worst[i];
    gint64 at = worst->index;

    worst->bound = NAN;
    if (!read_element (device, a, stored, at, &worst->a, error)
        || (bounds != NULL
            && !read_element (device, bounds, SEAM_OPERAND_FP32, at, &worst->bound, error)))
      return FALSE;
    if (b_is_double ? !cuda_download (device, &worst->b, b, at * (gint64)sizeof worst->b,
                                      sizeof worst->b, error)
                    : !read_element (device, b, stored, at, &worst->b, error))
      return FALSE;
  }
  if (d->n_worst > 0) {
    d->worst_a = d->worst[0].a;
    d->worst_b = d->worst[0].b;
  }
  return TRUE;
}

static void
lay_out (Results *results, const SeamDifference *difference, gint64 n_blocks)
{
  const gsize n_cells = (gsize)(difference->n_cell_rows * difference->n_cell_columns);
  const gsize bytes[N_RESULTS] = {
    [RESULT_CELLS] = n_cells * sizeof (float),
    [RESULT_ULPS] = n_cells * sizeof (guint32),
    [RESULT_SHARES] = n_cells * sizeof (float),
    [RESULT_FAILING] = n_cells * sizeof (guint64),
    [RESULT_HISTOGRAM] = SEAM_HISTOGRAM_BINS * sizeof (guint64),
    [RESULT_HISTOGRAM_ULPS] = SEAM_HISTOGRAM_ULPS * sizeof (guint64),
    [RESULT_HISTOGRAM_SHARES] = SEAM_HISTOGRAM_ERRORS * sizeof (guint64),
    [RESULT_HITS] = seam_difference_count_hits (&difference->spec),
    [RESULT_FOUND] = sizeof (Found),
    [RESULT_BLOCKS] = (gsize)n_blocks * sizeof (SeamCudaDifference),
  };

  results->offsets[0] = 0;
  for (int i = 0; i < N_RESULTS; i++)
    results->offsets[i + 1] = results->offsets[i] + align (bytes[i]);
}

gboolean
cuda_compare (SeamDevice *base, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
              SeamBuffer *bounds, SeamDifference *difference, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  const SeamDifferenceSpec *spec = &difference->spec;
  SeamCudaCompare compare = {
    .a = a->data,
    .b = b->data,
    .stored = spec->stored,
    .b_is_double = b_is_double,
    .bounds = bounds != NULL ? bounds->data : NULL,
    .rows = spec->rows,
    .columns = spec->columns,
    .plane = spec->plane,
    .rows_per_cell = spec->rows_per_cell,
    .columns_per_cell = spec->columns_per_cell,
    .plane_width = seam_difference_has_plane_hits (spec) ? spec->plane_width : 0,
    .atol = spec->atol,
    .rtol = spec->rtol,
  };
  Results results = { 0 };

  if (!check_request (spec, a, b, b_is_double, bounds, error) || !cuda_device_enter (device, error))
    return FALSE;
  gint64 n_blocks = seam_cuda_difference_blocks (&compare);
  if (n_blocks == 0)
    return seam_fail (
        error, SEAM_ERROR_UNSUPPORTED,
        "A tensor of this shape has too many planes for one comparison; choose a smaller batch.");
  lay_out (&results, difference, n_blocks);
  if (!CUDA_TRY (cudaMalloc ((void **)&results.data, results.offsets[N_RESULTS]), error))
    return FALSE;
  g_autofree char *host = g_malloc (results.offsets[RESULT_BLOCKS]);
  gboolean good = compute (device, &compare, &results, host, error);
  cudaFree (results.data);
  if (!good)
    return FALSE;
  read_results (difference, &results, host);
  if (bounds != NULL) {
    const SeamCudaDifference *total =
        &((const Found *)(host + results.offsets[RESULT_FOUND]))->total;
    const gsize n_cells = (gsize)(difference->n_cell_rows * difference->n_cell_columns);
    seam_difference_add_shares (difference);
    memcpy (difference->shares, host + results.offsets[RESULT_SHARES], n_cells * sizeof (float));
    memcpy (difference->histogram_shares, host + results.offsets[RESULT_HISTOGRAM_SHARES],
            SEAM_HISTOGRAM_ERRORS * sizeof (gint64));
    difference->n_shown = (gint64)total->n_shown;
    difference->max_bound_ratio = total->max_bound_ratio;
    difference->bound_index = total->bound_index;
  }
  return read_worst (base, a, b, b_is_double, bounds, difference, error);
}
