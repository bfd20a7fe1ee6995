/* SPDX-License-Identifier: MIT
 *
 * Reduces the difference of two outputs on the CPU: every total and the overview's cells in one
 * pass, rows of cells in parallel. The meaning of each figure is in app/result/difference.h.
 */
#include "app/backend/backend-cpu.h"

#include "app/compare/compare.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Elements whose totals come from one call of the vector loop; their distances take 4 KB. */
#define BLOCK 1024

typedef struct {
  double distance; /* infinity for a pair that is not finite: it stands before any number */
  gint64 index;
} Worst;

/* Totals of a part of the elements. Parts are merged in order, so that sums do not depend on the
 * threads. */
typedef struct {
  gint64 n_failing, n_nan_a, n_nan_b, n_infinite_a, n_infinite_b, n_finite;
  double max_abs, sum_abs, max_abs_b, max_error_ratio;
  int n_worst; /* in the order of SeamDifference's `worst` */
  Worst worst[SEAM_DIFFERENCE_WORST];
  gint64 histogram[SEAM_HISTOGRAM_BINS];
} Totals;

typedef struct {
  const float *a, *b_float;
  const double *b_double;
  SeamDifferenceSpec spec;
} Inputs;

/* A pair that holds NaN, or infinities that are not the same. */
static inline gboolean
is_bad_pair (double a, double b)
{
  return !(isfinite (a) && isfinite (b)) && !(a == b);
}

/* What a distance must exceed to be one of the worst, as long as indices rise. */
static inline double
get_threshold (const Totals *totals)
{
  return totals->n_worst < SEAM_DIFFERENCE_WORST
             ? 0
             : totals->worst[SEAM_DIFFERENCE_WORST - 1].distance;
}

/* Keeps the element when it is one of the worst; of equal ones the lowest index stays. */
static void
add_worst (Totals *totals, double distance, gint64 index)
{
  int i = totals->n_worst;

  while (i > 0
         && (distance > totals->worst[i - 1].distance
             || (distance == totals->worst[i - 1].distance && index < totals->worst[i - 1].index)))
    i--;
  if (i == SEAM_DIFFERENCE_WORST)
    return;
  totals->n_worst = MIN (totals->n_worst + 1, SEAM_DIFFERENCE_WORST);
  memmove (&totals->worst[i + 1], &totals->worst[i],
           (gsize)(totals->n_worst - i - 1) * sizeof (Worst));
  totals->worst[i] = (Worst){ distance, index };
}

static inline void
count (Totals *totals, double distance, double b)
{
  totals->histogram[seam_histogram_get_error_bin (distance) * SEAM_HISTOGRAM_MAGNITUDES
                    + seam_histogram_get_magnitude_bin (b)]++;
}

static void
add_pair (Totals *totals, const SeamDifferenceSpec *spec, gint64 index, double a, double b,
          float *cell, guint32 *failing)
{
  if (seam_element_fails (a, b, spec->atol, spec->rtol)) {
    totals->n_failing++;
    if (*failing < G_MAXUINT32)
      (*failing)++;
  }
  if (isfinite (a) && isfinite (b)) {
    double distance = fabs (a - b);
    double scale = fabs (b);
    totals->n_finite++;
    totals->sum_abs += distance;
    totals->max_abs = MAX (totals->max_abs, distance);
    totals->max_abs_b = MAX (totals->max_abs_b, scale);
    totals->max_error_ratio = MAX (totals->max_error_ratio, distance / MAX (1.0, scale));
    if (!isnan (*cell) && (float)distance > *cell)
      *cell = (float)distance;
    if (distance > get_threshold (totals))
      add_worst (totals, distance, index);
    count (totals, distance, b);
    return;
  }
  totals->n_nan_a += isnan (a) != 0;
  totals->n_nan_b += isnan (b) != 0;
  totals->n_infinite_a += isinf (a) != 0;
  totals->n_infinite_b += isinf (b) != 0;
  *cell = NAN;
  if (is_bad_pair (a, b))
    add_worst (totals, INFINITY, index);
}

/* Adds `part`, whose elements come after those of `totals` or, where cells are several rows high,
 * beside them. */
static void
merge (Totals *totals, const Totals *part)
{
  for (int i = 0; i < part->n_worst; i++)
    add_worst (totals, part->worst[i].distance, part->worst[i].index);
  for (int i = 0; i < SEAM_HISTOGRAM_BINS; i++)
    totals->histogram[i] += part->histogram[i];
  totals->n_failing += part->n_failing;
  totals->n_nan_a += part->n_nan_a;
  totals->n_nan_b += part->n_nan_b;
  totals->n_infinite_a += part->n_infinite_a;
  totals->n_infinite_b += part->n_infinite_b;
  totals->n_finite += part->n_finite;
  totals->sum_abs += part->sum_abs;
  totals->max_abs = MAX (totals->max_abs, part->max_abs);
  totals->max_abs_b = MAX (totals->max_abs_b, part->max_abs_b);
  totals->max_error_ratio = MAX (totals->max_error_ratio, part->max_error_ratio);
}

/* Elements start .. start + n - 1, all of one row, whose first element is `row_start`. The totals
 * come from a vector loop; where it meets something that is not finite or may fail, element by
 * element. */
static void
add_block (const SeamCpuLoops *loops, const Inputs *in, Totals *totals, gint64 row_start,
           gint64 start, gint64 n, float *cells, guint32 *failing)
{
  const SeamDifferenceSpec *spec = &in->spec;
  const double *b_double = in->b_double == NULL ? NULL : in->b_double + start;
  const float *b_float = in->b_float == NULL ? NULL : in->b_float + start;
  gint64 cell_elements = spec->columns_per_cell * spec->plane;
  float distances[BLOCK];
  SeamCpuDifference block;

  loops->compare (in->a + start, b_float, b_double, n, spec->atol, spec->rtol, &block, distances);
  if (!isfinite (block.max_abs) || block.n_suspects > 0) {
    for (gint64 i = 0; i < n; i++) {
      gint64 cell = (start + i - row_start) / cell_elements;
      add_pair (totals, spec, start + i, in->a[start + i],
                b_double != NULL ? b_double[i] : (double)b_float[i], &cells[cell], &failing[cell]);
    }
    return;
  }

  totals->n_finite += n;
  totals->sum_abs += block.sum_abs;
  totals->max_abs = MAX (totals->max_abs, block.max_abs);
  totals->max_abs_b = MAX (totals->max_abs_b, block.max_abs_b);
  totals->max_error_ratio = MAX (totals->max_error_ratio, block.max_error_ratio);
  /* Not from `distances`, which are rounded to FP32. */
  gboolean has_worst = block.max_abs > get_threshold (totals);
  for (gint64 i = 0; i < n; i++) {
    double b = b_double != NULL ? b_double[i] : (double)b_float[i];
    double distance = fabs ((double)in->a[start + i] - b);
    count (totals, distance, b);
    if (has_worst && distance > get_threshold (totals))
      add_worst (totals, distance, start + i);
  }
  for (gint64 i = 0; i < n;) {
    gint64 cell = (start + i - row_start) / cell_elements;
    gint64 end = MIN (n, row_start + (cell + 1) * cell_elements - start);
    float largest = cells[cell];
    if (isnan (largest)) {
      i = end;
      continue;
    }
    for (; i < end; i++)
      largest = distances[i] > largest ? distances[i] : largest;
    cells[cell] = largest;
  }
}

/* The cells first_cell .. last_cell - 1 of a row of cells, one row of elements after another. */
static void
add_part (const SeamCpuLoops *loops, const Inputs *in, SeamDifference *difference, gint64 cell_row,
          gint64 first_cell, gint64 last_cell, Totals *totals)
{
  const SeamDifferenceSpec *spec = &in->spec;
  gint64 last_row = MIN (spec->rows, (cell_row + 1) * spec->rows_per_cell);
  gint64 first_column = first_cell * spec->columns_per_cell;
  gint64 last_column = MIN (spec->columns, last_cell * spec->columns_per_cell);
  float *cells = difference->cells + cell_row * difference->n_cell_columns;
  guint32 *failing = difference->failing + cell_row * difference->n_cell_columns;

  for (gint64 i = first_cell; i < last_cell; i++) {
    cells[i] = 0;
    failing[i] = 0;
  }
  for (gint64 row = cell_row * spec->rows_per_cell; row < last_row; row++) {
    gint64 row_start = row * spec->columns * spec->plane;
    gint64 end = row_start + last_column * spec->plane;
    for (gint64 i = row_start + first_column * spec->plane; i < end; i += BLOCK)
      add_block (loops, in, totals, row_start, i, MIN (BLOCK, end - i), cells, failing);
  }
}

gboolean
seam_cpu_compare (SeamDevice *base, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
                  SeamDifference *difference, GError **error)
{
  const SeamCpuDevice *device = (const SeamCpuDevice *)base;
  const SeamDifferenceSpec *spec = &difference->spec;
  Inputs in = { .a = a->data, .spec = *spec };
  gint64 n = spec->rows * spec->columns * spec->plane;
  gint64 n_cell_rows = difference->n_cell_rows, n_cell_columns = difference->n_cell_columns;

  if (a->bytes < n * (gint64)sizeof (float)
      || b->bytes < n * (gint64)(b_is_double ? sizeof (double) : sizeof (float))) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INTERNAL,
                         "A tensor to be compared is smaller than its shape says.");
    return FALSE;
  }
  if (b_is_double)
    in.b_double = b->data;
  else
    in.b_float = b->data;

  /* A part of the sums is a row of cells, cut where there are too few rows for the threads. */
  gint64 n_pieces = CLAMP (4 * device->n_threads / n_cell_rows, 1, n_cell_columns);
  gint64 n_parts = n_cell_rows * n_pieces;
  Totals *parts = g_try_new0 (Totals, (gsize)n_parts);
  if (parts == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_MEMORY,
                         "There is not enough memory to compare the outputs.");
    return FALSE;
  }
#pragma omp parallel for schedule(dynamic) num_threads(device->n_threads)
  for (gint64 part = 0; part < n_parts; part++) {
    gint64 piece = part % n_pieces;
    add_part (device->loops, &in, difference, part / n_pieces, piece * n_cell_columns / n_pieces,
              (piece + 1) * n_cell_columns / n_pieces, &parts[part]);
  }

  Totals totals = { 0 };
  for (gint64 part = 0; part < n_parts; part++)
    merge (&totals, &parts[part]);
  g_free (parts);

  difference->n_elements = n;
  difference->n_failing = totals.n_failing;
  difference->n_nan_a = totals.n_nan_a;
  difference->n_nan_b = totals.n_nan_b;
  difference->n_infinite_a = totals.n_infinite_a;
  difference->n_infinite_b = totals.n_infinite_b;
  difference->max_abs = totals.max_abs;
  difference->mean_abs = totals.n_finite > 0 ? totals.sum_abs / (double)totals.n_finite : 0;
  difference->max_abs_b = totals.max_abs_b;
  difference->max_rel = totals.max_abs_b > 0 ? totals.max_abs / totals.max_abs_b
                        : totals.max_abs > 0 ? INFINITY
                                             : 0;
  difference->mean_rel = totals.max_abs_b > 0       ? difference->mean_abs / totals.max_abs_b
                         : difference->mean_abs > 0 ? INFINITY
                                                    : 0;
  difference->max_error_ratio = totals.max_error_ratio;
  difference->n_worst = totals.n_worst;
  for (int i = 0; i < totals.n_worst; i++) {
    gint64 at = totals.worst[i].index;
    difference->worst[i] =
        (SeamWorstElement){ at, in.a[at],
                            in.b_double != NULL ? in.b_double[at] : (double)in.b_float[at] };
  }
  difference->worst_index = totals.n_worst > 0 ? difference->worst[0].index : -1;
  difference->worst_a = totals.n_worst > 0 ? difference->worst[0].a : 0;
  difference->worst_b = totals.n_worst > 0 ? difference->worst[0].b : 0;
  if (difference->histogram == NULL)
    difference->histogram = g_new (gint64, SEAM_HISTOGRAM_BINS);
  memcpy (difference->histogram, totals.histogram, sizeof totals.histogram);
  return TRUE;
}
