/* SPDX-License-Identifier: MIT
 *
 * The pitfall lab as a figure: one row for each case shows, on one scale from 0, how much faster B
 * looks (or the time of a single plan), with intervals; the honest value is a line through all
 * rows. The honest case is a hollow disc, a mistaken one a filled disc.
 */
#pragma once

#include "app/explore/pitfall-lab.h"
#include "app/figure/axis.h"
#include "app/figure/figure.h"

/* Copies what it needs. Hits: SEAM_HIT_OP, index: case. */
SeamFigure *seam_pitfalls_figure_new (const SeamLab *lab, double width);

/* ---- the layout: all places, without colour or surface; for the test ---- */

typedef struct {
  int index; /* case of the lab */
  SeamRect row;
  double x, low_x, high_x; /* x of value and interval; NaN: unknown */
  const char *title;       /* static */
  char *value;             /* "1.84×", "2.571"; NULL unknown */
  char *note;              /* why there is no value, fitted; NULL */
} SeamPitfallsRow;

typedef struct {
  double width, height;
  SeamRect plot;
  double one_x;        /* x of a ratio of 1; NaN: times are shown */
  const char *caption; /* title of the axis */
  SeamAxis axis;       /* times, or ratios if the unit has no name */
  int n_rows;
  SeamPitfallsRow rows[SEAM_LAB_N_CASES]; /* the first one is honest */
} SeamPitfallsLayout;

SeamPitfallsLayout *seam_pitfalls_layout_new (const SeamLab *lab, double width);
