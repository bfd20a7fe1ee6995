/* SPDX-License-Identifier: MIT
 *
 * The difference of two outputs and slices of them as plain data: sizes, copies, and the way
 * between processes. What the numbers mean is in difference.h; who makes them is a backend.
 */
#include "app/result/difference.h"

#include "app/result/variant.h"

#include <math.h>
#include <string.h>

/* No overview is wider than a window, no slice larger than the runner gives (1024 x 1024): what
 * claims to be has been damaged on its way. */
#define MAX_CELLS          ((gint64)1 << 24)
#define MAX_SLICE_ELEMENTS ((gint64)1 << 24)

static gint64
divide_up (gint64 a, gint64 b)
{
  return a / b + (a % b != 0);
}

/* Sets *product = a * b; FALSE when it does not fit in 64 bits. Both are at least 0. */
static gboolean
multiply (gint64 a, gint64 b, gint64 *product)
{
  return !__builtin_mul_overflow (a, b, product);
}

gboolean
seam_difference_has_plane_hits (const SeamDifferenceSpec *spec)
{
  return spec->plane > 1 && spec->plane_width > 0 && spec->plane % spec->plane_width == 0;
}

gsize
seam_difference_count_hits (const SeamDifferenceSpec *spec)
{
  gint64 n = spec->rows + spec->columns;

  if (seam_difference_has_plane_hits (spec))
    n += spec->plane / spec->plane_width + spec->plane_width;
  return (gsize)n;
}

static void
mark (guint8 *hit)
{
  /* Most are marked already, and a store would take the cache line from the other threads. */
  if (__atomic_load_n (hit, __ATOMIC_RELAXED) == 0)
    __atomic_store_n (hit, 1, __ATOMIC_RELAXED);
}

void
seam_difference_mark (SeamDifference *difference, gint64 index)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  gint64 line = index, row;
  guint8 *hits = difference->hits;

  if (spec->plane > 1) {
    line = index / spec->plane;
    if (seam_difference_has_plane_hits (spec)) {
      gint64 in_plane = index - line * spec->plane, plane_row = in_plane / spec->plane_width;
      guint8 *planes = hits + spec->rows + spec->columns;
      mark (planes + plane_row);
      mark (planes + spec->plane / spec->plane_width + in_plane - plane_row * spec->plane_width);
    }
  }
  row = line / spec->columns;
  mark (hits + row);
  mark (hits + spec->rows + line - row * spec->columns);
}

SeamDifference *
seam_difference_new (const SeamDifferenceSpec *spec)
{
  SeamDifference *difference = g_new0 (SeamDifference, 1);

  difference->spec = *spec;
  difference->n_elements = difference->n_looked = spec->rows * spec->columns * spec->plane;
  difference->n_cell_rows = divide_up (spec->rows, spec->rows_per_cell);
  difference->n_cell_columns = divide_up (spec->columns, spec->columns_per_cell);
  difference->worst_index = -1;
  gsize n_cells = (gsize)difference->n_cell_rows * (gsize)difference->n_cell_columns;
  difference->cells = g_new0 (float, n_cells);
  difference->failing = g_new0 (guint32, n_cells);
  difference->ulps = g_new0 (guint32, n_cells);
  difference->histogram_ulps = g_new0 (gint64, SEAM_HISTOGRAM_ULPS);
  difference->hits = g_new0 (guint8, seam_difference_count_hits (spec));
  difference->n_worst = -1;
  return difference;
}

SeamDifference *
seam_difference_copy (const SeamDifference *difference)
{
  if (difference == NULL)
    return NULL;
  SeamDifference *copy = g_memdup2 (difference, sizeof *difference);
  gsize n_cells = (gsize)difference->n_cell_rows * (gsize)difference->n_cell_columns;
  if (difference->cells != NULL)
    copy->cells = g_memdup2 (difference->cells, n_cells * sizeof (float));
  if (difference->failing != NULL)
    copy->failing = g_memdup2 (difference->failing, n_cells * sizeof (guint32));
  copy->region = g_strdup (difference->region);
  if (difference->ulps != NULL)
    copy->ulps = g_memdup2 (difference->ulps, n_cells * sizeof (guint32));
  if (difference->histogram_ulps != NULL)
    copy->histogram_ulps =
        g_memdup2 (difference->histogram_ulps, SEAM_HISTOGRAM_ULPS * sizeof (gint64));
  if (difference->hits != NULL)
    copy->hits = g_memdup2 (difference->hits, seam_difference_count_hits (&difference->spec));
  if (difference->looked != NULL)
    copy->looked = g_memdup2 (difference->looked, n_cells * sizeof (guint32));
  if (difference->histogram != NULL)
    copy->histogram = g_memdup2 (difference->histogram, SEAM_HISTOGRAM_BINS * sizeof (gint64));
  return copy;
}

void
seam_difference_free (SeamDifference *difference)
{
  if (difference == NULL)
    return;
  g_free (difference->cells);
  g_free (difference->failing);
  g_free (difference->looked);
  g_free (difference->region);
  g_free (difference->histogram);
  g_free (difference->ulps);
  g_free (difference->histogram_ulps);
  g_free (difference->hits);
  g_free (difference);
}

void
seam_difference_finish_ulps (SeamDifference *difference, guint64 sum_ulps, gint64 n_finite)
{
  gint64 n_cells = difference->n_cell_rows * difference->n_cell_columns;

  difference->max_ulps = 0;
  for (gint64 i = 0; i < n_cells; i++)
    difference->max_ulps = MAX (difference->max_ulps, (gint64)difference->ulps[i]);
  difference->mean_ulps = n_finite > 0 ? (double)sum_ulps / (double)n_finite : 0;
}

void
seam_difference_get_worst (const SeamDifference *difference, int i, SeamWorstRow *row)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  const SeamWorstElement *worst = &difference->worst[i];
  double limit = spec->atol + spec->rtol * fabs (worst->b);

  row->row = worst->index / spec->plane / spec->columns;
  row->column = worst->index / spec->plane % spec->columns;
  row->element = worst->index % spec->plane;
  row->a = worst->a;
  row->b = worst->b;
  row->error = fabs (worst->a - worst->b);
  row->limit_ratio = isfinite (row->error) && limit > 0 ? row->error / limit : NAN;
  row->n_ulps = seam_ulp_distance (worst->a, worst->b);
}

void
seam_difference_choose_cells (SeamDifferenceSpec *spec, gint64 max_side)
{
  gint64 side = MAX (max_side, 1);

  spec->rows_per_cell = MAX (divide_up (spec->rows, side), 1);
  spec->columns_per_cell = MAX (divide_up (spec->columns, side), 1);
}

/* The grids travel little-endian, so that a worker on another machine may have made them. Swaps
 * `n` 32-bit words in place where this machine is big-endian. */
static void
order_words (guint32 *words, gsize n)
{
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    for (gsize i = 0; i < n; i++)
      words[i] = GUINT32_SWAP_LE_BE (words[i]);
}

static void
add_words (GVariantBuilder *builder, const char *key, const void *data, gsize n)
{
  if (data == NULL)
    return;
  guint32 *words = g_memdup2 (data, n * sizeof (guint32));
  order_words (words, n);
  GVariant *bytes = g_variant_new_from_data (G_VARIANT_TYPE_BYTESTRING, words, n * sizeof (guint32),
                                             TRUE, g_free, words);
  g_variant_builder_add (builder, "{sv}", key, bytes);
}

/* Exactly `n` words of member `key`, or NULL (missing, or an error in the reader). */
static gpointer
read_words (SeamReader *reader, const char *key, gsize n)
{
  gsize n_bytes;
  guint32 *words = seam_reader_array (reader, key, "y", 1, &n_bytes);

  if (words == NULL)
    return NULL;
  if (n_bytes != n * sizeof (guint32)) {
    seam_reader_fail (reader, "\"%s\" has %" G_GSIZE_FORMAT " bytes, not %" G_GSIZE_FORMAT, key,
                      n_bytes, n * sizeof (guint32));
    g_free (words);
    return NULL;
  }
  order_words (words, n);
  return words;
}

static void
add_worst (GVariantBuilder *builder, const SeamDifference *difference)
{
  double a[SEAM_DIFFERENCE_WORST], b[SEAM_DIFFERENCE_WORST];
  gint64 indices[SEAM_DIFFERENCE_WORST];
  gsize n = (gsize)MAX (difference->n_worst, 0);

  if (difference->n_worst < 0)
    return;
  for (gsize i = 0; i < n; i++) {
    indices[i] = difference->worst[i].index;
    a[i] = difference->worst[i].a;
    b[i] = difference->worst[i].b;
  }
  seam_builder_int64 (builder, "n_worst", difference->n_worst);
  seam_builder_array (builder, "worst_indices", "x", sizeof *indices, indices, n);
  seam_builder_array (builder, "worst_values_a", "d", sizeof *a, a, n);
  seam_builder_array (builder, "worst_values_b", "d", sizeof *b, b, n);
}

static void
read_worst (SeamReader *reader, SeamDifference *difference)
{
  gsize n_indices = 0, n_a = 0, n_b = 0;

  seam_reader_int (reader, "n_worst", 0, SEAM_DIFFERENCE_WORST, &difference->n_worst);
  if (difference->n_worst < 0)
    return;
  g_autofree gint64 *indices =
      seam_reader_array (reader, "worst_indices", "x", sizeof *indices, &n_indices);
  g_autofree double *a = seam_reader_array (reader, "worst_values_a", "d", sizeof *a, &n_a);
  g_autofree double *b = seam_reader_array (reader, "worst_values_b", "d", sizeof *b, &n_b);
  gsize n = (gsize)difference->n_worst;
  if (reader->error != NULL)
    return;
  if (n_indices != n || n_a != n || n_b != n) {
    seam_reader_fail (reader, "its worst elements are incomplete");
    return;
  }
  for (gsize i = 0; i < n; i++) {
    if (indices[i] < 0 || indices[i] >= difference->n_elements) {
      seam_reader_fail (reader, "one of its worst elements is not in the output");
      return;
    }
    difference->worst[i] = (SeamWorstElement){ indices[i], a[i], b[i] };
  }
}

/* Counts of elements a bin, or NULL. */
static gint64 *
read_histogram (SeamReader *reader, const char *key, int n_bins, gint64 n_elements)
{
  gsize n = 0;
  gint64 left = n_elements, *counts = seam_reader_array (reader, key, "x", sizeof *counts, &n);

  if (counts == NULL)
    return NULL;
  if (n != (gsize)n_bins)
    seam_reader_fail (reader, "its histogram has %" G_GSIZE_FORMAT " bins, not %d", n, n_bins);
  for (gsize i = 0; i < n && reader->error == NULL; i++) {
    if (counts[i] < 0 || counts[i] > left)
      seam_reader_fail (reader, "its histogram counts more elements than there are");
    else
      left -= counts[i];
  }
  return counts;
}

static void
read_hits (SeamReader *reader, SeamDifference *difference)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  gsize n = 0;
  gint64 sum = 0;

  difference->hits = seam_reader_array (reader, "hits", "y", 1, &n);
  if (difference->hits == NULL)
    return;
  if (__builtin_add_overflow (spec->rows, spec->columns, &sum)
      || __builtin_add_overflow (sum, spec->plane, &sum) || n != seam_difference_count_hits (spec))
    seam_reader_fail (reader, "its marks of rows and columns are incomplete");
}

GVariant *
seam_difference_to_variant (const SeamDifference *difference)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  gsize n_cells = (gsize)difference->n_cell_rows * (gsize)difference->n_cell_columns;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_int64 (&builder, "rows", spec->rows);
  seam_builder_int64 (&builder, "columns", spec->columns);
  seam_builder_int64 (&builder, "plane", spec->plane);
  seam_builder_int64 (&builder, "rows_per_cell", spec->rows_per_cell);
  seam_builder_int64 (&builder, "columns_per_cell", spec->columns_per_cell);
  if (spec->plane_width > 0)
    seam_builder_int64 (&builder, "plane_width", spec->plane_width);
  seam_builder_double (&builder, "atol", spec->atol);
  seam_builder_double (&builder, "rtol", spec->rtol);
  seam_builder_int64 (&builder, "n_elements", difference->n_elements);
  seam_builder_int64 (&builder, "n_failing", difference->n_failing);
  seam_builder_int64 (&builder, "n_nan_a", difference->n_nan_a);
  seam_builder_int64 (&builder, "n_nan_b", difference->n_nan_b);
  seam_builder_int64 (&builder, "n_infinite_a", difference->n_infinite_a);
  seam_builder_int64 (&builder, "n_infinite_b", difference->n_infinite_b);
  seam_builder_double (&builder, "max_abs", difference->max_abs);
  seam_builder_double (&builder, "mean_abs", difference->mean_abs);
  seam_builder_double (&builder, "max_rel", difference->max_rel);
  seam_builder_double (&builder, "mean_rel", difference->mean_rel);
  seam_builder_double (&builder, "max_abs_b", difference->max_abs_b);
  seam_builder_double (&builder, "max_error_ratio", difference->max_error_ratio);
  seam_builder_int64 (&builder, "worst_index", difference->worst_index);
  seam_builder_double (&builder, "worst_a", difference->worst_a);
  seam_builder_double (&builder, "worst_b", difference->worst_b);
  add_words (&builder, "cells", difference->cells, n_cells);
  add_words (&builder, "failing", difference->failing, n_cells);
  if (difference->n_slices > 0) {
    seam_builder_int64 (&builder, "n_looked", difference->n_looked);
    seam_builder_int64 (&builder, "n_slices", difference->n_slices);
    add_words (&builder, "looked", difference->looked, n_cells);
  }
  if (difference->histogram != NULL)
    seam_builder_array (&builder, "histogram", "x", sizeof *difference->histogram,
                        difference->histogram, SEAM_HISTOGRAM_BINS);
  if (difference->max_ulps >= 0) {
    seam_builder_int64 (&builder, "max_ulps", difference->max_ulps);
    seam_builder_double (&builder, "mean_ulps", difference->mean_ulps);
  }
  add_words (&builder, "ulps", difference->ulps, n_cells);
  if (difference->histogram_ulps != NULL)
    seam_builder_array (&builder, "histogram_ulps", "x", sizeof (gint64),
                        difference->histogram_ulps, SEAM_HISTOGRAM_ULPS);
  if (difference->hits != NULL)
    seam_builder_array (&builder, "hits", "y", 1, difference->hits,
                        seam_difference_count_hits (spec));
  seam_builder_string (&builder, "region", difference->region);
  add_worst (&builder, difference);
  return g_variant_builder_end (&builder);
}

static void
read_spec (SeamReader *reader, SeamDifferenceSpec *spec)
{
  static const char *const sizes[] = { "rows", "columns", "plane", "rows_per_cell",
                                       "columns_per_cell" };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    seam_reader_require (reader, sizes[i]);
  seam_reader_int64 (reader, "rows", 1, G_MAXINT64, &spec->rows);
  seam_reader_int64 (reader, "columns", 1, G_MAXINT64, &spec->columns);
  seam_reader_int64 (reader, "plane", 1, G_MAXINT64, &spec->plane);
  seam_reader_int64 (reader, "rows_per_cell", 1, G_MAXINT64, &spec->rows_per_cell);
  seam_reader_int64 (reader, "columns_per_cell", 1, G_MAXINT64, &spec->columns_per_cell);
  seam_reader_int64 (reader, "plane_width", 0, spec->plane, &spec->plane_width);
  seam_reader_double (reader, "atol", &spec->atol);
  seam_reader_double (reader, "rtol", &spec->rtol);
}

SeamDifference *
seam_difference_from_variant (GVariant *variant, GError **error)
{
  g_autoptr (SeamDifference) difference = g_new0 (SeamDifference, 1);
  SeamDifferenceSpec *spec = &difference->spec;
  gint64 n_elements = 0, n_cells = 0;
  SeamReader reader;

  *spec = (SeamDifferenceSpec){ 1, 1, 1, 1, 1, 0, 0 };
  difference->worst_index = -1;
  difference->worst_a = difference->worst_b = NAN;
  difference->n_worst = -1;
  difference->max_ulps = -1;
  difference->mean_ulps = NAN;
  seam_reader_init (&reader, variant, "difference");
  read_spec (&reader, spec);
  if (!multiply (spec->rows, spec->columns, &n_elements)
      || !multiply (n_elements, spec->plane, &n_elements))
    seam_reader_fail (&reader, "its sizes are too large");
  difference->n_elements = difference->n_looked = n_elements;
  seam_reader_int64 (&reader, "n_elements", n_elements, n_elements, &difference->n_elements);
  seam_reader_int64 (&reader, "n_looked", 0, n_elements, &difference->n_looked);
  seam_reader_int (&reader, "n_slices", 0, G_MAXINT, &difference->n_slices);
  seam_reader_int64 (&reader, "n_failing", 0, n_elements, &difference->n_failing);
  seam_reader_int64 (&reader, "n_nan_a", 0, n_elements, &difference->n_nan_a);
  seam_reader_int64 (&reader, "n_nan_b", 0, n_elements, &difference->n_nan_b);
  seam_reader_int64 (&reader, "n_infinite_a", 0, n_elements, &difference->n_infinite_a);
  seam_reader_int64 (&reader, "n_infinite_b", 0, n_elements, &difference->n_infinite_b);
  seam_reader_double (&reader, "max_abs", &difference->max_abs);
  seam_reader_double (&reader, "mean_abs", &difference->mean_abs);
  seam_reader_double (&reader, "max_rel", &difference->max_rel);
  seam_reader_double (&reader, "mean_rel", &difference->mean_rel);
  seam_reader_double (&reader, "max_abs_b", &difference->max_abs_b);
  seam_reader_double (&reader, "max_error_ratio", &difference->max_error_ratio);
  seam_reader_int64 (&reader, "worst_index", -1, n_elements - 1, &difference->worst_index);
  seam_reader_double (&reader, "worst_a", &difference->worst_a);
  seam_reader_double (&reader, "worst_b", &difference->worst_b);
  seam_reader_string (&reader, "region", &difference->region);
  seam_reader_int64 (&reader, "max_ulps", 0, G_MAXUINT32, &difference->max_ulps);
  seam_reader_double (&reader, "mean_ulps", &difference->mean_ulps);

  /* Without the grids (as in --json) the totals stand alone; one grid alone is damage. */
  if (reader.error == NULL) {
    gint64 n_rows = divide_up (spec->rows, spec->rows_per_cell);
    gint64 n_columns = divide_up (spec->columns, spec->columns_per_cell);
    if (!multiply (n_rows, n_columns, &n_cells) || n_cells > MAX_CELLS)
      seam_reader_fail (&reader, "its overview has too many cells");
    difference->cells = read_words (&reader, "cells", (gsize)n_cells);
    difference->failing = read_words (&reader, "failing", (gsize)n_cells);
    difference->looked = read_words (&reader, "looked", (gsize)n_cells);
    difference->ulps = read_words (&reader, "ulps", (gsize)n_cells);
    if ((difference->cells == NULL) != (difference->failing == NULL)
        || (difference->looked != NULL && difference->cells == NULL)
        || (difference->ulps != NULL && difference->cells == NULL))
      seam_reader_fail (&reader, "one of its two grids is missing");
    if (difference->cells != NULL) {
      difference->n_cell_rows = n_rows;
      difference->n_cell_columns = n_columns;
    }
    read_worst (&reader, difference);
    difference->histogram =
        read_histogram (&reader, "histogram", SEAM_HISTOGRAM_BINS, difference->n_elements);
    difference->histogram_ulps =
        read_histogram (&reader, "histogram_ulps", SEAM_HISTOGRAM_ULPS, difference->n_elements);
    read_hits (&reader, difference);
  }
  if (!seam_reader_finish (&reader, error))
    return NULL;
  return g_steal_pointer (&difference);
}

SeamSlice *
seam_slice_new (gint64 n_rows, gint64 n_columns)
{
  SeamSlice *slice = g_new0 (SeamSlice, 1);
  gsize n = (gsize)n_rows * (gsize)n_columns;

  slice->n_rows = n_rows;
  slice->n_columns = n_columns;
  slice->a = g_new0 (float, n);
  slice->b = g_new0 (float, n);
  return slice;
}

void
seam_slice_free (SeamSlice *slice)
{
  if (slice == NULL)
    return;
  g_free (slice->a);
  g_free (slice->b);
  g_free (slice);
}

GVariant *
seam_slice_to_variant (const SeamSlice *slice)
{
  gsize n = (gsize)slice->n_rows * (gsize)slice->n_columns;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_int64 (&builder, "sample", slice->sample);
  seam_builder_int64 (&builder, "channel", slice->channel);
  seam_builder_int64 (&builder, "first_row", slice->first_row);
  seam_builder_int64 (&builder, "first_column", slice->first_column);
  seam_builder_int64 (&builder, "n_rows", slice->n_rows);
  seam_builder_int64 (&builder, "n_columns", slice->n_columns);
  add_words (&builder, "a", slice->a, n);
  add_words (&builder, "b", slice->b, n);
  return g_variant_builder_end (&builder);
}

SeamSlice *
seam_slice_from_variant (GVariant *variant, GError **error)
{
  g_autoptr (SeamSlice) slice = g_new0 (SeamSlice, 1);
  gint64 n = 0;
  SeamReader reader;

  seam_reader_init (&reader, variant, "slice");
  seam_reader_require (&reader, "n_rows");
  seam_reader_require (&reader, "n_columns");
  seam_reader_int64 (&reader, "sample", 0, G_MAXINT64, &slice->sample);
  seam_reader_int64 (&reader, "channel", 0, G_MAXINT64, &slice->channel);
  seam_reader_int64 (&reader, "first_row", 0, G_MAXINT64, &slice->first_row);
  seam_reader_int64 (&reader, "first_column", 0, G_MAXINT64, &slice->first_column);
  seam_reader_int64 (&reader, "n_rows", 1, MAX_SLICE_ELEMENTS, &slice->n_rows);
  seam_reader_int64 (&reader, "n_columns", 1, MAX_SLICE_ELEMENTS, &slice->n_columns);
  if (!multiply (slice->n_rows, slice->n_columns, &n) || n > MAX_SLICE_ELEMENTS)
    seam_reader_fail (&reader, "it is too large");
  slice->a = read_words (&reader, "a", (gsize)n);
  slice->b = read_words (&reader, "b", (gsize)n);
  /* Without values it is a question: the rectangle that somebody wants. */
  if ((slice->a == NULL) != (slice->b == NULL))
    seam_reader_fail (&reader, "one of its two sides is missing");
  if (!seam_reader_finish (&reader, error))
    return NULL;
  return g_steal_pointer (&slice);
}
