/* SPDX-License-Identifier: MIT
 *
 * Samples of two plans that were measured in different runs, so that none is a neighbour of another
 * one: is one plan the longer one more often than chance explains? Each run is cut into stretches
 * of consecutive samples, whose medians are compared by rank (the rank-sum test of Wilcoxon, Mann
 * and Whitney, exact). Stretches, because samples that follow each other share clock and
 * disturbance. Pure.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

/* Stretches of a run: at most, and fewest that can decide (2 / C(10, 5) < 0.01). */
#define SEAM_RANKS_MOST  10
#define SEAM_RANKS_LEAST 5
/* Samples of a run. */
#define SEAM_RANKS_LEAST_SAMPLES 10

typedef struct {
  int n_a, n_b;          /* stretches; 0: too few samples, or not kept */
  double share_a_longer; /* of all pairs of stretches, 0..1; equal ones are a half; NaN: none */
  double probability;    /* that two equal plans come out as one-sided as this, 0..1 */
} SeamRanks;

/* Where the samples of a run depend on each other (autocorrelation of neighbours), it has as many
 * stretches as it has independent samples. */
void seam_ranks_count (const SeamPlanResult *a, const SeamPlanResult *b, SeamRanks *ranks);

G_END_DECLS
