/* SPDX-License-Identifier: MIT
 *
 * Compares samples of two plans from different runs, in which no sample of one is a neighbour of a
 * sample of the other: does one plan take longer more often than chance explains? Each run is cut
 * into stretches of consecutive samples, whose medians are compared by rank (the rank-sum test of
 * Wilcoxon, Mann and Whitney, exact). Stretches, because samples that follow each other share clock
 * and disturbance. Pure.
 */
#pragma once

#include "app/result/result.h"

/* Most stretches of a run, and fewest with which a decision is possible (2 / C(10, 5) < 0.01). */
#define SEAM_RANKS_MOST  10
#define SEAM_RANKS_LEAST 5
/* Fewest samples of a run. */
#define SEAM_RANKS_LEAST_SAMPLES 10

typedef struct {
  int n_a, n_b;          /* stretches; 0: too few samples, or not kept */
  double share_a_longer; /* share of all pairs of stretches, 0..1; equal ones count half; NaN:
                          * none */
  double probability;    /* probability that two equal plans come out at least as one-sided, 0..1 */
} SeamRanks;

/* Each stretch holds more than one effective sample (app/base/series.h). */
void seam_ranks_count (const SeamPlanResult *a, const SeamPlanResult *b, SeamRanks *ranks);
