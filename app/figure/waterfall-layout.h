/* SPDX-License-Identifier: MIT
 *
 * Where everything of a waterfall stands: no colour, no surface. Internal to app/figure/ and its
 * test.
 */
#pragma once

#include "app/figure/axis.h"
#include "app/figure/waterfall.h"

G_BEGIN_DECLS

typedef struct {
  SeamWaterfallKind kind;
  SeamRect row;   /* whole width: what is hit */
  SeamRect bar;   /* true to scale, at least 1 px wide */
  double join_x;  /* where the line to the next row goes down; NaN: none */
  char *label;    /* fitted */
  char *value;    /* "4.721", "−0.546", "+0.034", "0" */
  double value_x; /* its left end */
  int sign;       /* of the change */
} SeamWaterfallRow;

typedef struct {
  double width, height, left, axis_y;
  SeamAxis axis;
  int n_rows;
  SeamWaterfallRow *rows;
} SeamWaterfallLayout;

SeamWaterfallLayout *seam_waterfall_layout_new (const SeamWaterfall *waterfall, double width);
void seam_waterfall_layout_free (SeamWaterfallLayout *layout);

G_END_DECLS
