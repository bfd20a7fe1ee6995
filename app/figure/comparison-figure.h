/* SPDX-License-Identifier: MIT
 *
 * Two sessions as bars: for each plan, and each kernel below it, the time in A (outlined) above the
 * time in B (filled), all on one axis from 0, with the change beside them. Rows that only one
 * session has carry a sign and a word.
 */
#pragma once

#include "app/compare/run-comparison.h"
#include "app/figure/axis.h"

/* A plan, or a kernel of it. */
typedef struct {
  int plan, kernel; /* index into the comparison; kernel -1: the plan itself */
  SeamMatch match;
  SeamRect row;
  SeamRect bars[2];       /* of A and B; width NAN: unknown or missing */
  double low[2], high[2]; /* x of the ends of the plans' 95 % intervals; NaN: none */
  char *label;            /* fitted to the column; owned, like the following texts */
  char *change;           /* "−1.175 ms  0.543×", "added", "removed", a dash */
  char *verdict;          /* "1.84× faster"; NULL */
} SeamComparisonRow;

typedef struct {
  double width, height;
  SeamRect plot;
  SeamAxis axis;
  int n_rows;
  SeamComparisonRow *rows; /* owned */
} SeamComparisonLayout;

SeamComparisonLayout *seam_comparison_layout_new (const SeamComparison *comparison, double width);

/* Hits are SEAM_HIT_KERNEL with the pair's indices, kernel -1 for a plan. Keeps no reference to the
 * comparison. */
SeamFigure *seam_comparison_figure_new (const SeamComparison *comparison, double width);
/* "full, conv2d: 2.573 ms in A, 1.398 ms in B, …": a row in words, or NULL. Newly allocated. */
char *seam_comparison_describe_row (const SeamComparison *comparison, const SeamHit *hit);
