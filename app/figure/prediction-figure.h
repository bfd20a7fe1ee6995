/* SPDX-License-Identifier: MIT
 *
 * A prediction beside the model's guess and the measurement, on one axis from 0, with the bars of
 * two plans below on the same scale. Before the answer is committed, covers lie exactly where the
 * result will be, so that nothing moves when they open: then the figure holds nothing of plan B.
 * Hits: SEAM_HIT_SAMPLE with index 0 (your prediction), 1 (the guess), 2 (the measurement), and
 * those of bars.h.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/result.h"

typedef struct {
  double width;
  SeamResult *result;
  int a, b;               /* plans of the result, drawn as A and B */
  gboolean covered;       /* plan B, the guess and the measurement */
  const char *cover_note; /* "measuring…", why a run failed; NULL: covered until committed */
  double yours_ns;        /* NaN: none */
  gboolean looked;        /* the learner asked to be shown: "You looked first" */
  double guess_ns, guess_low_ns, guess_high_ns; /* NaN: none */
  double range_ns;     /* largest value that a prediction may have; NaN: unknown. The axis covers it
                        * up to twice plan A's time */
  const double *bands; /* ratios within which a prediction has points, the most points first
                        * (app/lesson/score.h); NULL: bands are not drawn */
  int n_bands;
  const char *yours_words, *guess_words; /* "1.85× too small", or NULL */
} SeamPredictionOptions;

SeamFigure *seam_prediction_figure_new (const SeamPredictionOptions *options);
/* The time at a place of the figure, for dragging the diamond; NaN outside the axis. */
double seam_prediction_figure_get_time (SeamFigure *figure, double x);
