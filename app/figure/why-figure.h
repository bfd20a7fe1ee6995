/* SPDX-License-Identifier: MIT
 *
 * A picture of why a seam can or cannot be fused, on the tensor between the two ops: at the left
 * its rows and columns (samples and channels), with the elements that belong together marked; at
 * the right the beginning of a row or channel, magnified, with the tiles of a matrix kernel over
 * it. The sheet around it has a sentence and a number.
 */
#pragma once

#include "app/explain/why.h"
#include "app/figure/figure.h"

/* Places in px, for drawing and for tests. */
typedef struct {
  SeamRect tensor;       /* rows x columns, as many rows as are drawn */
  SeamRect span;         /* in it: the elements (or planes) that belong together */
  int n_rows, n_columns; /* cells drawn; fewer than exist if they would be too small */
  gboolean rows_cut;     /* there are more rows than drawn */
  SeamRect magnified;    /* the beginning of a row, or of a channel's pixels in memory order */
  gint64 n_shown;        /* elements in it */
  SeamRect covered;      /* in it: the visible part of the elements that belong together */
  SeamRect tile;         /* in it: the first tile */
  double tile_dx;        /* distance between tiles */
  int n_tiles;           /* shown */
  SeamRect patches[2], shared; /* for a halo: the inputs of two tiles, one below the other, and the
                                * part that both read */
} SeamWhyLayout;

void seam_why_layout (const SeamWhy *why, double width, SeamWhyLayout *layout);
/* Copies what it needs. */
SeamFigure *seam_why_figure_new (const SeamWhy *why, double width);
