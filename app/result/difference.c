/* SPDX-License-Identifier: MIT
 *
 * The difference of two outputs and slices of them as plain data: sizes and fields. difference.h
 * explains the numbers; backends compute them.
 */
#include "app/result/difference.h"

#include "app/base/text.h"
#include "app/record/variant.h"

#include <math.h>

/* No overview is wider than a window, and no slice larger than the runner's limit (1024 x 1024).
 * Larger sizes in a variant mean that it is damaged. */
#define MAX_CELLS          ((gint64)1 << 24)
#define MAX_SLICE_ELEMENTS ((gint64)1 << 24)

static gint64
divide_up (gint64 a, gint64 b)
{
  return a / b + (a % b != 0);
}

/* Sets *product = a * b; FALSE if it does not fit in 64 bits. Both must be at least 0. */
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

gint64
seam_difference_get_depth (const SeamDifferenceSpec *spec)
{
  return spec->depth > 1 && seam_difference_has_plane_hits (spec)
                 && spec->plane / spec->plane_width % spec->depth == 0
             ? spec->depth
             : 1;
}

/* Rows of a plane. */
static gint64
get_height (const SeamDifferenceSpec *spec)
{
  return spec->plane / spec->plane_width / seam_difference_get_depth (spec);
}

SeamDifferenceSpec
seam_difference_spec_for (const SeamShapeView *view)
{
  return (SeamDifferenceSpec){
    .rows = view->outer,
    .columns = view->channels,
    .plane = view->inner,
    .plane_width = view->width,
    .depth = view->depth,
    .rank = view->rank,
  };
}

gboolean
seam_difference_is_dots (const SeamDifferenceSpec *spec)
{
  return spec->columns == 1 && spec->plane == 1;
}

int
seam_difference_find_place (const SeamDifferenceSpec *spec, gint64 index,
                            SeamPlaceAxis axes[SEAM_PLACE_AXES])
{
  gboolean is_matrix = spec->plane == 1 && spec->rank <= 2;
  gboolean is_known = seam_difference_has_plane_hits (spec);
  gint64 height = is_known ? get_height (spec) : 1, width = is_known ? spec->plane_width : 1;
  gint64 line = index / spec->plane, at = index % spec->plane;
  const SeamPlaceAxis all[] = {
    { is_matrix && !seam_difference_is_dots (spec) ? "row" : "sample", spec->rows,
      line / spec->columns },
    { !is_matrix        ? "channel"
      : spec->rank == 2 ? "feature"
                        : "column",
      spec->columns, line % spec->columns },
    { "depth", seam_difference_get_depth (spec), at / (height * width) },
    { "row", height, at / width % height },
    { "column", width, at % width },
    { "element", is_known ? 1 : spec->plane, at },
  };
  int n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (i == 0 || all[i].size > 1 || (i == 1 && !seam_difference_is_dots (spec)))
      axes[n++] = all[i];
  return n;
}

static char *
format_axes (const SeamDifferenceSpec *spec, gint64 index, gboolean within_plane)
{
  SeamPlaceAxis axes[SEAM_PLACE_AXES];
  int n = seam_difference_find_place (spec, index, axes);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n; i++) {
    g_autofree char *at = seam_text_count (axes[i].at);
    if (i < 2 || within_plane || g_str_equal (axes[i].name, "depth"))
      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", axes[i].name, at);
  }
  return g_string_free (text, FALSE);
}

char *
seam_difference_format_place (const SeamDifferenceSpec *spec, gint64 index)
{
  return format_axes (spec, index, TRUE);
}

char *
seam_difference_format_plane (const SeamDifferenceSpec *spec, gint64 index)
{
  return format_axes (spec, index, FALSE);
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
  /* Most hits are already marked, and a store would take the cache line from the other threads. */
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
  SeamDifference *difference = seam_record_new (&seam_difference_type);

  difference->spec = *spec;
  difference->n_elements = difference->n_looked = spec->rows * spec->columns * spec->plane;
  difference->n_cell_rows = divide_up (spec->rows, spec->rows_per_cell);
  difference->n_cell_columns = divide_up (spec->columns, spec->columns_per_cell);
  difference->worst_a = difference->worst_b = 0;
  difference->worst = g_new0 (SeamWorstElement, SEAM_DIFFERENCE_WORST);
  gsize n_cells = (gsize)difference->n_cell_rows * (gsize)difference->n_cell_columns;
  difference->cells = g_new0 (float, n_cells);
  difference->failing = g_new0 (guint32, n_cells);
  difference->ulps = g_new0 (guint32, n_cells);
  difference->histogram_ulps = g_new0 (gint64, SEAM_HISTOGRAM_ULPS);
  difference->hits = g_new0 (guint8, seam_difference_count_hits (spec));
  return difference;
}

void
seam_difference_add_shares (SeamDifference *difference)
{
  difference->shares =
      g_new0 (float, (gsize)(difference->n_cell_rows * difference->n_cell_columns));
  difference->histogram_shares = g_new0 (gint64, SEAM_HISTOGRAM_ERRORS);
}

void
seam_difference_free (SeamDifference *difference)
{
  seam_record_free (&seam_difference_type, difference);
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

SeamOutputs
seam_difference_judge (const SeamDifference *difference)
{
  if (difference == NULL)
    return SEAM_OUTPUTS_NOT_COMPARED;
  if (difference->n_failing > 0)
    return SEAM_OUTPUTS_DIFFER;
  /* What is never written is NaN, too. */
  if (difference->n_looked > 0
      && (difference->n_unjudged == difference->n_looked
          || difference->n_nan_b == difference->n_looked))
    return SEAM_OUTPUTS_SHOWN_NOTHING;
  return difference->max_abs > 0 && difference->n_infinite_b == 0
                 && fmax (difference->max_abs, difference->max_abs_b) < difference->spec.atol
             ? SEAM_OUTPUTS_SHOWN_NOTHING
             : SEAM_OUTPUTS_AGREE;
}

double
seam_difference_get_largest (const SeamDifference *difference)
{
  return difference->max_abs == 0 && difference->n_failing > 0 ? NAN : difference->max_abs;
}

void
seam_difference_get_worst (const SeamDifference *difference, int i, SeamWorstRow *row)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  const SeamWorstElement *worst = &difference->worst[i];
  double limit = seam_difference_get_limit (spec, worst->b, worst->bound);

  row->rank = i + 1;
  row->index = worst->index;
  row->row = worst->index / spec->plane / spec->columns;
  row->column = worst->index / spec->plane % spec->columns;
  row->element = worst->index % spec->plane;
  row->depth =
      seam_difference_get_depth (spec) > 1 ? row->element / (spec->plane / spec->depth) : -1;
  row->height = row->width = -1;
  if (seam_difference_has_plane_hits (spec)) {
    row->height = row->element / spec->plane_width % get_height (spec);
    row->width = row->element % spec->plane_width;
  }
  row->a = worst->a;
  row->b = worst->b;
  row->error = fabs (worst->a - worst->b);
  row->limit = limit;
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

/* --- Fields --- */

static void
complete_spec (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamDifferenceSpec *spec = record;
  gint64 n_elements, sum;

  if (spec->depth > spec->plane)
    seam_reader_fail (reader, "\"depth\" is %" G_GINT64_FORMAT ", not 0 to %" G_GINT64_FORMAT,
                      spec->depth, spec->plane);
  if (spec->plane_width > spec->plane)
    seam_reader_fail (reader, "\"plane_width\" is %" G_GINT64_FORMAT ", not 0 to %" G_GINT64_FORMAT,
                      spec->plane_width, spec->plane);
  if (!multiply (spec->rows, spec->columns, &n_elements)
      || !multiply (n_elements, spec->plane, &n_elements)
      || __builtin_add_overflow (spec->rows, spec->columns, &sum)
      || __builtin_add_overflow (sum, spec->plane, &sum))
    seam_reader_fail (reader, "its sizes are too large");
}

#define SIZE(m, f, least, w)                                                                       \
  {                                                                                                \
    SEAM_FIELD (SeamDifferenceSpec, m, INT64), .flags = f, .initial = least, .min = least,         \
                                               .max = G_MAXINT64, .words = w                       \
  }

static const SeamField spec_fields[] = {
  SIZE (rows, SEAM_REQUIRED, 1, "the output is [rows, columns, plane]"),
  SIZE (columns, SEAM_REQUIRED, 1, ""),
  SIZE (plane, SEAM_REQUIRED, 1, ""),
  SIZE (rows_per_cell, SEAM_REQUIRED, 1, "elements a cell of the overview"),
  SIZE (columns_per_cell, SEAM_REQUIRED, 1, "elements a cell of the overview"),
  SIZE (plane_width, SEAM_OMITTED | SEAM_AS_MEMBER, 0, ""),
  SIZE (depth, SEAM_OMITTED | SEAM_AS_MEMBER, 0, ""),
  { SEAM_FIELD (SeamDifferenceSpec, rank, INT), .flags = SEAM_OMITTED | SEAM_AS_MEMBER,
    .max = SEAM_MAX_DIMS, .words = "" },
  { SEAM_FIELD (SeamDifferenceSpec, atol, DOUBLE),
    .words = "an element fails beyond atol + rtol * |b|; NaN: beyond its bound" },
  { SEAM_FIELD (SeamDifferenceSpec, rtol, DOUBLE), .words = "" },
  { NULL },
};

static const SeamRecordType spec_type = {
  .name = "spec",
  .size = sizeof (SeamDifferenceSpec),
  .fields = spec_fields,
  .max = 1,
  .complete = complete_spec,
};

/* Checks the sizes, which decide how many elements and cells there are. */
static void
check_spec (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamDifference *difference = record;
  const SeamDifferenceSpec *spec = &difference->spec;
  gint64 n_cells;

  difference->n_elements = difference->n_looked = spec->rows * spec->columns * spec->plane;
  difference->n_cell_rows = divide_up (spec->rows, spec->rows_per_cell);
  difference->n_cell_columns = divide_up (spec->columns, spec->columns_per_cell);
  if (!multiply (difference->n_cell_rows, difference->n_cell_columns, &n_cells)
      || n_cells > MAX_CELLS)
    seam_reader_fail (reader, "its overview has too many cells");
}

static void
check_n_elements (const SeamField *field, gpointer record, const SeamPath *outer,
                  SeamReader *reader)
{
  const SeamDifference *difference = record;
  const SeamDifferenceSpec *spec = &difference->spec;
  gint64 n = spec->rows * spec->columns * spec->plane;

  if (difference->n_elements != n)
    seam_reader_fail (reader, "\"n_elements\" is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT,
                      difference->n_elements, n);
}

/* Checks a count of elements, or (from -1 on) the index of one. */
static void
check_count (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamDifference *difference = record;
  gint64 value = G_STRUCT_MEMBER (gint64, record, field->offset);
  gint64 last = difference->n_elements + field->min;

  if (value > last)
    seam_reader_fail (
        reader, "\"%s\" is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
        field->name, value, field->min, last);
}

static void
check_histogram (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const gint64 *counts = G_STRUCT_MEMBER (gint64 *, record, field->offset);
  gint64 left = ((const SeamDifference *)record)->n_elements;

  for (int i = 0; counts != NULL && i < field->length; i++) {
    if (counts[i] < 0 || counts[i] > left) {
      seam_reader_fail (reader, "its histogram counts more elements than there are");
      return;
    }
    left -= counts[i];
  }
}

static gsize
count_cells (gconstpointer record)
{
  const SeamDifference *difference = record;

  return (gsize)difference->n_cell_rows * (gsize)difference->n_cell_columns;
}

static gsize
count_hits (gconstpointer record)
{
  return seam_difference_count_hits (&((const SeamDifference *)record)->spec);
}

static gsize
count_depth (gconstpointer record)
{
  const SeamDifference *difference = record;

  return (gsize)difference->spec.depth;
}

static gboolean
is_sampled (gconstpointer record)
{
  return ((const SeamDifference *)record)->n_slices > 0;
}

static gboolean
has_ulps (gconstpointer record)
{
  return ((const SeamDifference *)record)->max_ulps >= 0;
}

static gboolean
has_worst (gconstpointer record)
{
  return ((const SeamDifference *)record)->n_worst >= 0;
}

static void
complete_worst (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamWorstElement *worst = record;
  const SeamDifference *difference = outer->record;

  if (worst->index < 0 || worst->index >= difference->n_elements)
    seam_reader_fail (reader, "one of its worst elements is not in the output");
}

static const SeamField worst_fields[] = {
  { .name = "indices",
    SEAM_AT (SeamWorstElement, index, INT64),
    .flags = SEAM_REQUIRED,
    .words = "flat, the worst first" },
  { .name = "values_a",
    SEAM_AT (SeamWorstElement, a, DOUBLE),
    .flags = SEAM_REQUIRED,
    .words = "" },
  { .name = "values_b",
    SEAM_AT (SeamWorstElement, b, DOUBLE),
    .flags = SEAM_REQUIRED,
    .words = "" },
  { .name = "bounds", SEAM_AT (SeamWorstElement, bound, DOUBLE), .words = "NaN: unknown" },
  { NULL },
};

static const SeamRecordType worst_type = {
  .name = "worst element",
  .size = sizeof (SeamWorstElement),
  .fields = worst_fields,
  .max = SEAM_DIFFERENCE_WORST,
  .complete = complete_worst,
};

#define COUNT(m, w)                                                                                \
  {                                                                                                \
    SEAM_FIELD (SeamDifference, m, INT64), .max = G_MAXINT64, .check = check_count, .words = w     \
  }
#define ERROR(m, c, w)                                                                             \
  {                                                                                                \
    SEAM_FIELD (SeamDifference, m, DOUBLE), .column = c, .from_zero = TRUE, .words = w             \
  }

static const SeamField difference_fields[] = {
  { .name = "spec",
    SEAM_AT (SeamDifference, spec, INLINE),
    .type = &spec_type,
    .check = check_spec },
  { SEAM_FIELD (SeamDifference, n_elements, INT64), .check = check_n_elements, .words = "" },
  COUNT (n_failing, ""),
  { SEAM_FIELD (SeamDifference, n_nan_a, INT64), .column = "n_nan", .max = G_MAXINT64,
    .check = check_count, .words = "in the plan's output" },
  COUNT (n_nan_b, "in the output compared with"),
  COUNT (n_infinite_a, ""),
  COUNT (n_infinite_b, ""),
  { SEAM_FIELD (SeamDifference, n_unjudged, INT64), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .max = G_MAXINT64, .check = check_count, .words = "elements without a bound" },
  { SEAM_FIELD (SeamDifference, n_shown, INT64), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .initial = -1, .min = -1, .max = G_MAXINT64,
    .words = "elements that are larger than their bound" },
  ERROR (max_abs, "max_abs_error", ""),
  ERROR (mean_abs, "mean_abs_error", ""),
  ERROR (max_rel, "max_rel_error", "max_abs over max_abs_b"),
  ERROR (mean_rel, "mean_rel_error", "mean_abs over max_abs_b"),
  ERROR (max_abs_b, NULL, "the output's scale"),
  ERROR (max_error_ratio, NULL, "largest |a - b| / max (1, |b|)"),
  { SEAM_FIELD (SeamDifference, max_bound_ratio, DOUBLE), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .words = "largest |a - b| over the bound of a right implementation's error" },
  { SEAM_FIELD (SeamDifference, rms_abs, DOUBLE), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .column = "rms_error", .words = "root mean square of a - b" },
  { SEAM_FIELD (SeamDifference, rms_b, DOUBLE), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .words = "root mean square of b" },
  { SEAM_FIELD (SeamDifference, bound_index, INT64), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .initial = -1, .min = -1, .max = G_MAXINT64, .check = check_count, .words = "flat" },
  { SEAM_FIELD (SeamDifference, worst_index, INT64), .initial = -1, .min = -1, .max = G_MAXINT64,
    .check = check_count, .words = "flat; -1: all are equal" },
  { SEAM_FIELD (SeamDifference, worst_a, DOUBLE), .words = "" },
  { SEAM_FIELD (SeamDifference, worst_b, DOUBLE), .words = "" },
  { SEAM_FIELD (SeamDifference, cells, FLOATS), .flags = SEAM_BULK, .measure = count_cells,
    .words = "largest |a - b| a cell, float" },
  { SEAM_FIELD (SeamDifference, failing, WORDS), .flags = SEAM_BULK, .measure = count_cells,
    .words = "failing elements a cell, unsigned" },
  { SEAM_FIELD (SeamDifference, n_looked, INT64), .flags = SEAM_AS_MEMBER, .max = G_MAXINT64,
    .check = check_count, .is_written = is_sampled },
  { SEAM_FIELD (SeamDifference, n_slices, INT), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .max = G_MAXINT },
  { SEAM_FIELD (SeamDifference, looked, WORDS), .flags = SEAM_AS_MEMBER | SEAM_BULK,
    .measure = count_cells, .is_written = is_sampled },
  { SEAM_FIELD (SeamDifference, histogram, INT64S), .flags = SEAM_BULK,
    .length = SEAM_HISTOGRAM_BINS, .check = check_histogram,
    .words = "finite pairs by |a - b| (64) and |b| (16), powers of two" },
  { SEAM_FIELD (SeamDifference, max_ulps, INT64), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .initial = -1, .max = G_MAXUINT32 },
  { SEAM_FIELD (SeamDifference, mean_ulps, DOUBLE), .flags = SEAM_AS_MEMBER,
    .is_written = has_ulps },
  { SEAM_FIELD (SeamDifference, ulps, WORDS), .flags = SEAM_AS_MEMBER | SEAM_BULK | SEAM_LARGE,
    .measure = count_cells },
  { SEAM_FIELD (SeamDifference, histogram_ulps, INT64S), .flags = SEAM_AS_MEMBER | SEAM_BULK,
    .length = SEAM_HISTOGRAM_ULPS, .check = check_histogram },
  { SEAM_FIELD (SeamDifference, shares, FLOATS), .flags = SEAM_AS_MEMBER | SEAM_BULK | SEAM_LARGE,
    .measure = count_cells },
  { SEAM_FIELD (SeamDifference, histogram_shares, INT64S), .flags = SEAM_AS_MEMBER | SEAM_BULK,
    .length = SEAM_HISTOGRAM_ERRORS, .check = check_histogram },
  { SEAM_FIELD (SeamDifference, depth_shares, FLOATS), .flags = SEAM_AS_MEMBER | SEAM_BULK,
    .measure = count_depth },
  { SEAM_FIELD (SeamDifference, hits, BYTES), .flags = SEAM_AS_MEMBER | SEAM_BULK | SEAM_LARGE,
    .measure = count_hits },
  { SEAM_FIELD (SeamDifference, region, TEXT), .flags = SEAM_AS_MEMBER },
  { SEAM_FIELD (SeamDifference, shows_nothing, TEXT), .flags = SEAM_AS_MEMBER },
  { SEAM_FIELD (SeamDifference, untested, TEXT), .flags = SEAM_AS_MEMBER },
  { SEAM_FIELD (SeamDifference, n_worst, INT), .flags = SEAM_OMITTED, .initial = -1,
    .max = SEAM_DIFFERENCE_WORST, .words = "elements with the largest |a - b|; NULL: unknown" },
  { SEAM_FIELD (SeamDifference, worst, COLUMNS), SEAM_COUNT (SeamDifference, n_worst),
    .type = &worst_type, .is_written = has_worst },
  { NULL },
};

/* Without the grids (as in JSON) the totals stand alone; a single grid means damage. */
static void
complete_difference (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamDifference *difference = record;

  if ((difference->cells == NULL) != (difference->failing == NULL)
      || (difference->looked != NULL && difference->cells == NULL)
      || ((difference->ulps != NULL || difference->shares != NULL) && difference->cells == NULL))
    seam_reader_fail (reader, "one of its two grids is missing");
  if (difference->cells == NULL)
    difference->n_cell_rows = difference->n_cell_columns = 0;
}

const SeamRecordType seam_difference_type = {
  .name = "difference",
  .size = sizeof (SeamDifference),
  .fields = difference_fields,
  .max = 1,
  .complete = complete_difference,
};

/* --- Slices --- */

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

gint64
seam_slice_count_failing (const SeamSlice *slice, const SeamDifferenceSpec *spec, gint64 first,
                          gint64 n_rows)
{
  gint64 n = 0;

  for (gint64 i = first * slice->n_columns; i < (first + n_rows) * slice->n_columns; i++)
    n += seam_element_fails (spec, slice->a[i], seam_slice_get_b (slice, i),
                             seam_slice_get_bound (slice, i));
  return n;
}

void
seam_slice_free (SeamSlice *slice)
{
  seam_record_free (&seam_slice_type, slice);
}

static gsize
count_slice (gconstpointer record)
{
  const SeamSlice *slice = record;

  return (gsize)slice->n_rows * (gsize)slice->n_columns;
}

static void
check_slice (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamSlice *slice = record;
  gint64 n;

  if (!multiply (slice->n_rows, slice->n_columns, &n) || n > MAX_SLICE_ELEMENTS)
    seam_reader_fail (reader, "it is too large");
}

static void
complete_slice (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamSlice *slice = record;

  /* A slice without values is a request for this rectangle. */
  if ((slice->a == NULL) != (slice->b == NULL))
    seam_reader_fail (reader, "one of its two sides is missing");
}

#define PLACE(m, w)                                                                                \
  {                                                                                                \
    SEAM_FIELD (SeamSlice, m, INT64), .max = G_MAXINT64, .words = w                                \
  }

static const SeamField slice_fields[] = {
  PLACE (sample, "which plane"),
  PLACE (channel, "which plane"),
  PLACE (first_row, "in the plane or matrix"),
  PLACE (first_column, "in the plane or matrix"),
  { SEAM_FIELD (SeamSlice, n_rows, INT64), .flags = SEAM_REQUIRED, .min = 1,
    .max = MAX_SLICE_ELEMENTS, .words = "" },
  { SEAM_FIELD (SeamSlice, n_columns, INT64), .flags = SEAM_REQUIRED, .min = 1,
    .max = MAX_SLICE_ELEMENTS, .check = check_slice, .words = "" },
  { SEAM_FIELD (SeamSlice, a, FLOATS), .measure = count_slice,
    .words = "the plan's output, float" },
  { SEAM_FIELD (SeamSlice, b, FLOATS), .measure = count_slice,
    .words = "the output compared with, float" },
  { SEAM_FIELD (SeamSlice, rest, FLOATS), .flags = SEAM_AS_MEMBER, .measure = count_slice,
    .words = "what FP64 values have more than b, float; NULL: nothing" },
  { SEAM_FIELD (SeamSlice, bounds, FLOATS), .flags = SEAM_AS_MEMBER, .measure = count_slice,
    .words = "bounds, float; NULL: unknown" },
  { NULL },
};

const SeamRecordType seam_slice_type = {
  .name = "slice",
  .size = sizeof (SeamSlice),
  .fields = slice_fields,
  .max = 256,
  .complete = complete_slice,
};
