/* SPDX-License-Identifier: MIT
 *
 * Places of all parts of a sweep's figure: no colour, no surface. Internal to app/figure/ and its
 * test.
 */
#pragma once

#include "app/figure/legend.h"
#include "app/figure/marks.h"
#include "app/figure/sweep-figure.h"

/* Plot area with one line for each plan. */
typedef struct {
  SeamRect plot;
  const char *title;
  SeamAxis y;             /* times, logarithmic; or ratios */
  SeamSeriesPoint *marks; /* [n_plans, n_x]; owned */
} SeamSweepPanel;

/* Neighbouring values with the same answer, in a strip below the plots. */
typedef struct {
  double x1, x2;
  int plan; /* in the row "fastest"; else 0 */
  gboolean is_clear;
} SeamSweepSpan;

typedef struct {
  const char *label;
  double y;
  int n_spans;
  SeamSweepSpan *spans; /* owned */
} SeamSweepRow;

#define SEAM_SWEEP_N_ROWS   3 /* fastest, fits the cache, launch-bound */
#define SEAM_SWEEP_ROW      20.0
#define SEAM_SWEEP_KEY_MARK 26.0 /* width of a plan's mark in the legend, beside its badge */

typedef struct {
  SeamRect rect;
  SeamSweepShape shape;
  double t;   /* position of the colour; 0: no faster than the first plan */
  char *text; /* "B 1.84×"; "" if nothing is known or there is no room */
} SeamSweepCell;

typedef struct {
  double width, height;
  int n_x, n_y, n_plans;
  char letters[SEAM_SWEEP_MAX_PLANS];
  gboolean is_predicted; /* nothing is measured: lines or cells are of guesses */
  SeamLegend legend;     /* of the plans */
  char *x_title, *y_title;
  SeamAxis x; /* ticks at values */
  /* One axis: */
  int n_panels;
  SeamSweepPanel panels[2];
  SeamSweepRow rows[SEAM_SWEEP_N_ROWS];
  /* Two axes: */
  SeamSweepCell *cells;   /* [n_y, n_x], y upwards; owned */
  SeamAxis y;             /* ticks at values */
  SeamRect map;           /* all cells */
  SeamLegend cell_legend; /* marks in the cells */
  double most_gain;
  const char *cache_text; /* "an intermediate tensor fits the last-level cache (60 MB)" */
} SeamSweepLayout;

SeamSweepLayout *seam_sweep_layout_new (const SeamSweep *sweep, double width);
