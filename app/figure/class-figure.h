/* SPDX-License-Identifier: MIT
 *
 * The predictions of a class: a dot plot, equal values stacked, on an axis from 0, with plan A's
 * time and, once it is revealed, the measured value, the model's guess and the median of the class.
 * Without predictions the axis alone, "Show of hands?". For a choice: bars with counts, each with
 * its words. Hits: SEAM_HIT_SAMPLE, index: the prediction, in the order of their values.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/figure.h"

typedef struct {
  double width, height;
  gboolean is_time;     /* values are ns; else numbers in `unit` */
  SeamUnit unit;        /* without a name: one that suits the values, or none */
  const double *values; /* sorted or not; NaN are left out */
  int n_values;
  double a;     /* plan A's time; NaN: none */
  double range; /* largest value that a prediction may have; NaN: unknown. The axis covers it up to
                 * twice plan A's time */
  gboolean covered;                             /* measured value and guess are not drawn */
  double measured, measured_low, measured_high; /* NaN: none */
  gboolean is_modelled;                         /* that value is modelled and not measured */
  double guess;
  double near; /* ratio within which a prediction counts as near; 0: it is not said */
  /* A choice: its texts and how many chose each; `right` is marked once it is uncovered. */
  const char *const *choices;
  const int *counts;
  int n_choices, right;
  int n_more;           /* the last bars say more of the same people, once it is uncovered */
  gboolean of_learners; /* counts are of learners and not of predictions */
  double text_size;     /* px of the smallest text; 0: that of other figures */
} SeamClassOptions;

SeamFigure *seam_class_figure_new (const SeamClassOptions *options);
