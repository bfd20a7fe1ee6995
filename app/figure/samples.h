/* SPDX-License-Identifier: MIT
 *
 * Live samples: each plan's samples in percent of its median, in true order, on one scale for all
 * plans, with the 95 % interval shaded and the goal named. A: hollow squares, B: filled discs.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/result.h"

typedef struct {
  char letter;
  const SeamSample *samples; /* copied */
  int n_samples;
} SeamSamplesPlan;

/* `running`: the plan that is being executed, or -1. `goal`: the relative width of the interval to
 * reach. */
SeamFigure *seam_samples_figure_new (const SeamSamplesPlan *plans, int n_plans, int running,
                                     double goal, double width, double height);
