/* SPDX-License-Identifier: MIT
 *
 * The waterfall from the time of plan A to that of plan B: a bar from 0 for each end, and between
 * them one floating bar for each step, joined by thin lines. Hits: SEAM_HIT_OP, index: step.
 */
#pragma once

#include "app/explain/waterfall.h"
#include "app/figure/axis.h"
#include "app/figure/figure.h"

/* Copies what it needs. `height`: rows are closer together where it needs that, as long as they can
 * be read; 0: as high as it likes. */
SeamFigure *seam_waterfall_figure_new (const SeamWaterfall *waterfall, double width, double height);

/* ---- the layout: all places, without colour or surface; for the test ---- */

typedef struct {
  SeamWaterfallKind kind;
  SeamRect row;   /* whole width, which can be hit */
  SeamRect bar;   /* true to scale, at least 1 px wide */
  double join_x;  /* x of the line down to the next row; NaN: none */
  char *label;    /* fitted */
  char *value;    /* "4.721", "−0.546", "+0.034", "0" */
  double value_x; /* left end of the value */
  int sign;       /* sign of the change */
} SeamWaterfallRow;

typedef struct {
  double width, height;
  SeamRect plot;
  SeamAxis axis;
  int n_rows;
  SeamWaterfallRow *rows;
} SeamWaterfallLayout;

SeamWaterfallLayout *seam_waterfall_layout_new (const SeamWaterfall *waterfall, double width,
                                                double height);
