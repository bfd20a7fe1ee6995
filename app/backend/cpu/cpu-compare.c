/* SPDX-License-Identifier: MIT
 *
 * Reduces the difference of two outputs on the CPU: every total and the overview's cells in one
 * pass, rows of cells in parallel. The meaning of each figure is in app/result/difference.h.
 */
#include "app/backend/cpu/backend-cpu.h"

#include "app/backend/difference-totals.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Elements per call of the vector loop; their distances take 4 KB, those in ULP as much. */
#define BLOCK 1024

/* The outputs: FP32, or 16 bits, which are widened block by block. */
typedef struct {
  const void *a, *b;
  gboolean b_is_double;
  const float *bounds; /* NULL: unknown */
  SeamDifferenceSpec spec;
} Inputs;

/* Elements start .. start + n - 1 of a tensor of the stored type, in place or in `block`. */
static const float *
get_values (const SeamCpuLoops *loops, SeamOperandType stored, const void *data, gint64 start,
            gint64 n, float *block)
{
  if (stored == SEAM_OPERAND_FP32)
    return (const float *)data + start;
  loops->unpack (stored, block, (const unsigned short *)data + start, n);
  return block;
}

/* Adds elements start .. start + n - 1, all of one row, whose first element is `row_start`. A
 * vector loop computes the totals; if it meets an element that is not finite or may fail, the block
 * is added element by element. */
static void
add_block (const SeamCpuLoops *loops, const Inputs *in, SeamTotals *totals,
           SeamDifference *difference, gint64 first_cell, gint64 row_start, gint64 start, gint64 n)
{
  const SeamDifferenceSpec *spec = &in->spec;
  gint64 cell_elements = spec->columns_per_cell * spec->plane;
  float distances[BLOCK], a_block[BLOCK], b_block[BLOCK];
  const float *a = get_values (loops, spec->stored, in->a, start, n, a_block);
  const double *b_double = in->b_is_double ? (const double *)in->b + start : NULL;
  const float *b_float =
      in->b_is_double ? NULL : get_values (loops, spec->stored, in->b, start, n, b_block);
  guint32 ulps[BLOCK];
  SeamCpuDifference block;

  for (gint64 i = 0; i < n && in->bounds != NULL; i++)
    seam_totals_add_bound (
        totals, &difference->shares[first_cell + (start + i - row_start) / cell_elements],
        start + i, a[i], b_double != NULL ? b_double[i] : (double)b_float[i],
        in->bounds[start + i]);
  const float *bounds = in->bounds != NULL ? in->bounds + start : NULL;
  loops->compare (a, b_float, b_double, n, spec->atol, spec->rtol,
                  seam_difference_is_by_bound (spec) ? bounds : NULL, &block, distances, ulps);
  if (!isfinite (block.max_abs) || block.n_suspects > 0) {
    for (gint64 i = 0; i < n; i++)
      seam_totals_add_pair (
          totals, difference, first_cell + (start + i - row_start) / cell_elements, start + i, a[i],
          b_double != NULL ? b_double[i] : (double)b_float[i], bounds != NULL ? bounds[i] : NAN);
    return;
  }

  totals->n_finite += n;
  totals->sum_abs += block.sum_abs;
  totals->max_abs = MAX (totals->max_abs, block.max_abs);
  totals->max_abs_b = MAX (totals->max_abs_b, block.max_abs_b);
  totals->max_error_ratio = MAX (totals->max_error_ratio, block.max_error_ratio);
  /* `distances` are rounded to FP32, so they cannot decide this. */
  gboolean has_worst =
      seam_difference_is_by_bound (spec) || block.max_abs > seam_totals_get_threshold (totals);
  for (gint64 i = 0; i < n; i++) {
    double b = b_double != NULL ? b_double[i] : (double)b_float[i];
    double distance = fabs ((double)a[i] - b);
    seam_totals_count (totals, distance, b, ulps[i]);
    const double bound = bounds != NULL ? bounds[i] : NAN;
    const double rank = has_worst ? seam_totals_rank (spec, distance, b, bound) : 0;
    if (rank > seam_totals_get_threshold (totals))
      seam_totals_add_worst (totals, rank, start + i, a[i], b, bound);
  }
  for (gint64 i = 0; i < n;) {
    gint64 cell = (start + i - row_start) / cell_elements;
    gint64 end = MIN (n, row_start + (cell + 1) * cell_elements - start);
    float largest = difference->cells[first_cell + cell];
    guint32 most = difference->ulps[first_cell + cell];
    for (; i < end; i++) {
      /* A NaN from an earlier pair stays. */
      largest = distances[i] > largest ? distances[i] : largest;
      most = ulps[i] > most ? ulps[i] : most;
    }
    difference->cells[first_cell + cell] = largest;
    difference->ulps[first_cell + cell] = most;
  }
}

/* Compares the cells first_cell .. last_cell - 1 of a row of cells, one row of elements after
 * another. */
static void
add_part (const SeamCpuLoops *loops, const Inputs *in, SeamDifference *difference, gint64 cell_row,
          gint64 first_cell, gint64 last_cell, SeamTotals *totals)
{
  const SeamDifferenceSpec *spec = &in->spec;
  gint64 last_row = MIN (spec->rows, (cell_row + 1) * spec->rows_per_cell);
  gint64 first_column = first_cell * spec->columns_per_cell;
  gint64 last_column = MIN (spec->columns, last_cell * spec->columns_per_cell);
  gint64 cells = cell_row * difference->n_cell_columns;

  for (gint64 i = cells + first_cell; i < cells + last_cell; i++) {
    difference->cells[i] = 0;
    difference->failing[i] = difference->ulps[i] = 0;
  }
  for (gint64 row = cell_row * spec->rows_per_cell; row < last_row; row++) {
    gint64 row_start = row * spec->columns * spec->plane;
    gint64 end = row_start + last_column * spec->plane;
    for (gint64 i = row_start + first_column * spec->plane; i < end; i += BLOCK)
      add_block (loops, in, totals, difference, cells, row_start, i, MIN (BLOCK, end - i));
  }
}

gboolean
seam_cpu_compare (SeamDevice *base, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
                  SeamBuffer *bounds, SeamDifference *difference, GError **error)
{
  const SeamCpuDevice *device = (const SeamCpuDevice *)base;
  const SeamDifferenceSpec *spec = &difference->spec;
  Inputs in = { .a = a->data,
                .b = b->data,
                .b_is_double = b_is_double,
                .bounds = bounds != NULL ? bounds->data : NULL,
                .spec = *spec };
  gint64 size = seam_storage_get_element_bytes (spec->stored);
  gint64 n = spec->rows * spec->columns * spec->plane;
  gint64 n_cell_rows = difference->n_cell_rows, n_cell_columns = difference->n_cell_columns;

  if ((bounds == NULL && seam_difference_is_by_bound (spec)) || a->bytes < n * size
      || (bounds != NULL && bounds->bytes < n * (gint64)sizeof (float))
      || b->bytes < n * (b_is_double ? (gint64)sizeof (double) : size))
    return seam_fail (error, SEAM_ERROR_INTERNAL,
                      "A tensor to be compared is smaller than its shape says.");

  if (bounds != NULL)
    seam_difference_add_shares (difference);
  /* Sums are taken over rows of cells, or over parts of them if there are too few rows for the
   * threads. */
  gint64 n_pieces = CLAMP (4 * device->n_threads / n_cell_rows, 1, n_cell_columns);
  gint64 n_parts = n_cell_rows * n_pieces;
  SeamTotals *parts = g_try_new0 (SeamTotals, (gsize)n_parts);
  if (parts == NULL)
    return seam_fail (error, SEAM_ERROR_MEMORY,
                      "There is not enough memory to compare the outputs.");
#pragma omp parallel for schedule(dynamic) num_threads(device->n_threads)
  for (gint64 part = 0; part < n_parts; part++) {
    gint64 piece = part % n_pieces;
    add_part (device->loops, &in, difference, part / n_pieces, piece * n_cell_columns / n_pieces,
              (piece + 1) * n_cell_columns / n_pieces, &parts[part]);
  }

  SeamTotals totals = { 0 };
  for (gint64 part = 0; part < n_parts; part++)
    seam_totals_merge (&totals, &parts[part]);
  g_free (parts);

  difference->n_elements = n;
  difference->n_looked = n;
  seam_totals_finish (&totals, difference);
  if (bounds != NULL)
    seam_totals_finish_bound (&totals, difference);
  return TRUE;
}
