/* SPDX-License-Identifier: MIT
 *
 * The difference of two outputs, as plain data: totals, and an overview map reduced to a cell a
 * block of elements. Made by a backend (where the tensor lives), read by compare/ and figures.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is asked for. The output is seen as [rows, columns, plane] (seam_problem_get_output_view);
 * a cell of the overview is rows_per_cell x columns_per_cell x the whole plane. */
typedef struct {
  gint64 rows, columns, plane;
  gint64 rows_per_cell, columns_per_cell;
  double atol, rtol;
} SeamDifferenceSpec;

typedef struct {
  SeamDifferenceSpec spec;
  gint64 n_elements;
  gint64 n_failing; /* !(|a - b| <= atol + rtol * |b|): NaN fails. b is the trusted side */
  gint64 n_nan_a, n_nan_b, n_infinite_a, n_infinite_b;
  double max_abs, mean_abs; /* over pairs that are both finite */
  double max_rel, mean_rel; /* max_abs and mean_abs over max_abs_b: relative to the output's scale,
                               so that an element near zero does not decide */
  double max_abs_b;         /* the output's scale */
  double max_error_ratio; /* largest |a - b| / max(1, |b|): the error of the project's tolerances */
  gint64 worst_index;     /* flat index of the element with the largest |a - b|, a non-finite pair
                             first; -1 when all are equal */
  double worst_a, worst_b;
  gint64 n_cell_rows, n_cell_columns; /* ceil (rows / rows_per_cell), … */
  float *cells; /* largest |a - b| a cell [n_cell_rows, n_cell_columns]; NaN where the cell holds a
                   NaN or infinity in either; owned */
  guint32 *failing; /* failing elements a cell (saturating), same layout; owned */
} SeamDifference;

/* Zeroed, with cells allocated for the spec. */
SeamDifference *seam_difference_new (const SeamDifferenceSpec *spec);
SeamDifference *seam_difference_copy (const SeamDifference *difference);
void seam_difference_free (SeamDifference *difference);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamDifference, seam_difference_free)

/* a{sv} with the two grids as `ay` (little-endian), floating. from_variant validates sizes and
 * returns NULL with an error for anything inconsistent; without grids (as in JSON) cells and
 * failing are NULL and both cell counts 0. */
GVariant *seam_difference_to_variant (const SeamDifference *difference);
SeamDifference *seam_difference_from_variant (GVariant *variant, GError **error);

/* Cell sizes for an output so that neither side of the overview has over `max_side` cells. */
void seam_difference_choose_cells (SeamDifferenceSpec *spec, gint64 max_side);

/* A rectangle of both outputs at full resolution. For plane > 1 it is part of the P x Q plane of
 * (row, column); for plane == 1 part of the rows x columns matrix. */
typedef struct {
  gint64 sample, channel;         /* which plane; 0, 0 for a matrix */
  gint64 first_row, first_column; /* in the plane, or in the matrix */
  gint64 n_rows, n_columns;
  float *a, *b; /* [n_rows, n_columns], owned */
} SeamSlice;

SeamSlice *seam_slice_new (gint64 n_rows, gint64 n_columns);
void seam_slice_free (SeamSlice *slice);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSlice, seam_slice_free)
GVariant *seam_slice_to_variant (const SeamSlice *slice);
SeamSlice *seam_slice_from_variant (GVariant *variant, GError **error);

G_END_DECLS
