/* SPDX-License-Identifier: MIT
 *
 * The errors of an output by size: how many elements have which |A - B|, against the magnitude of
 * the trusted value, and the worst elements one by one.
 */
#pragma once

#include "app/figure/map.h"

G_BEGIN_DECLS

/* Histogram and map of errors over magnitudes; `with_table`: the worst elements beside them or,
 * where the width is short of both, below (the window has a table of its own). The height follows.
 * Where the comparison did not count them (a session of format 1.0) a sentence says so. Copies what
 * it needs. With SEAM_UNIT_ULP the histogram is of distances in ULP, else of |A - B|. */
SeamFigure *seam_numbers_figure_new (const SeamDifference *difference, const SeamSideNames *names,
                                     SeamMapUnit unit, gboolean with_table, double width);

/* "Errors were not counted by size …": why there is no histogram or table; NULL when there is. */
const char *seam_numbers_get_reason (const SeamDifference *difference);

/* The columns of the table: where the element is, both values, how far they are apart. */
typedef enum {
  SEAM_WORST_ROW,
  SEAM_WORST_COLUMN,
  SEAM_WORST_ELEMENT, /* of the plane; there is none in a matrix */
  SEAM_WORST_TRUSTED,
  SEAM_WORST_TESTED,
  SEAM_WORST_ERROR,
  SEAM_WORST_LIMIT,
  SEAM_WORST_ULPS,
  SEAM_N_WORST_COLUMNS
} SeamWorstColumn;

/* Newly allocated. */
char *seam_worst_format_title (SeamWorstColumn column, const SeamSideNames *names,
                               gboolean is_plane);
/* Newly allocated; a dash for what is unknown. */
char *seam_worst_format (const SeamWorstRow *row, SeamWorstColumn column);
/* To sort by; NaN unknown. */
double seam_worst_get_value (const SeamWorstRow *row, SeamWorstColumn column);

G_END_DECLS
