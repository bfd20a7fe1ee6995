/* SPDX-License-Identifier: MIT
 *
 * Why a seam can or cannot be fused, drawn on the tensor between the two ops: at the left rows by
 * columns (samples by channels) with what belongs together marked, at the right the beginning of
 * one of them, magnified, with the tiles of a matrix kernel over it. A sheet around it has sentence
 * and number.
 */
#pragma once

#include "app/explain/why.h"
#include "app/figure/figure.h"

G_BEGIN_DECLS

/* Where things lie, in px; for drawing and for tests. */
typedef struct {
  SeamRect tensor;       /* rows x columns, as many rows as are drawn */
  SeamRect span;         /* in it: the elements (or planes) that belong together */
  int n_rows, n_columns; /* cells drawn; less than there are where they would be too small */
  gboolean rows_cut;     /* there are more rows than drawn */
  SeamRect magnified; /* the beginning of a row, or of a channel's pixels in the order of memory */
  gint64 n_shown;     /* elements in it */
  SeamRect covered;   /* in it: what belongs together, as far as it is shown */
  SeamRect tile;      /* in it: one tile, the first */
  double tile_dx;     /* distance of tiles */
  int n_tiles;        /* shown */
  SeamRect patches[2], shared; /* with a halo: the inputs of two tiles, one below the other, and
                                  what both read */
} SeamWhyLayout;

void seam_why_layout (const SeamWhy *why, double width, SeamWhyLayout *layout);
/* Copies what it needs. */
SeamFigure *seam_why_figure_new (const SeamWhy *why, double width);

G_END_DECLS
