/* SPDX-License-Identifier: MIT
 *
 * Where everything of a sweep's figure stands: no colour, no surface. Internal to app/figure/ and
 * its test.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/scale.h"
#include "app/figure/sweep.h"

G_BEGIN_DECLS

typedef struct {
  double x, y;          /* NaN y: not measured */
  double low_y, high_y; /* 95 % interval; NaN unknown */
} SeamSweepMark;

/* Plot area with one line a plan. */
typedef struct {
  SeamRect plot;
  char *title;
  int n_ticks;
  double tick_y[16];
  char *tick_texts[16];
  SeamSweepMark *marks; /* [n_plans, n_x]; owned */
} SeamSweepPanel;

/* Neighbouring values with one answer, in a strip below the plots. */
typedef struct {
  double x1, x2;
  int plan; /* of the row "fastest"; else 0 */
  gboolean is_clear;
} SeamSweepSpan;

typedef struct {
  const char *label;
  double y;
  int n_spans;
  SeamSweepSpan *spans; /* owned */
} SeamSweepRow;

#define SEAM_SWEEP_N_ROWS 3 /* fastest, fits the cache, launch-bound */
#define SEAM_SWEEP_ROW    20.0

typedef struct {
  SeamRect rect;
  SeamSweepShape shape;
  double t;   /* of the colour; 0: no faster than the first plan */
  char *text; /* "B 1.84×"; "" where nothing is measured or there is no room */
} SeamSweepCell;

typedef struct {
  double width, height;
  int n_x, n_y, n_plans;
  char **titles; /* of the plans; owned */
  double key_x[SEAM_SWEEP_MAX_PLANS], key_y[SEAM_SWEEP_MAX_PLANS];
  char *x_title, *y_title;
  double *x;      /* of the values; owned */
  char **x_texts; /* NULL: no room for it. Owned */
  double x_text_y;
  /* One axis: */
  int n_panels;
  SeamSweepPanel panels[2];
  SeamSweepRow rows[SEAM_SWEEP_N_ROWS];
  /* Two axes: */
  SeamSweepCell *cells; /* [n_y, n_x], y upwards; owned */
  char **y_texts;
  double most_gain;
  char *cache_text; /* "an intermediate tensor fits the last-level cache (60 MB)" */
} SeamSweepLayout;

SeamSweepLayout *seam_sweep_layout_new (const SeamSweep *sweep, double width);
void seam_sweep_layout_free (SeamSweepLayout *layout);

G_END_DECLS
