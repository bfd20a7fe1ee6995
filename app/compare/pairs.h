/* SPDX-License-Identifier: MIT
 *
 * Samples of two plans taken pairwise: neighbours in the alternating order of a run, which share
 * clock, temperature and disturbance. The interval of the ratio comes from their log-ratios.
 * Whether one plan is the longer one in more of the pairs than chance explains is a sign test;
 * nothing is assumed about how the samples are distributed. Pure.
 */
#pragma once

#include "app/base/series.h"
#include "app/result/result.h"

/* Fewest pairs with which a decision is possible: 2 * 2^-8 < 0.01. */
#define SEAM_PAIRS_LEAST 8

typedef struct {
  int n;                /* pairs with different times; equal ones count for neither plan */
  int n_a_longer;       /* pairs among them in which plan A took longer */
  double probability;   /* probability that two equal plans come out at least as one-sided, 0..1 */
  int n_all;            /* pairs, those with equal times too */
  SeamSeries log_ratio; /* of log (A / B) of all pairs, in their order */
  double least, most;   /* of these; NaN: none */
} SeamPairs;

/* The k-th samples of both plans are a pair. n is 0 if the samples are not kept. */
void seam_pairs_count (const SeamPlanResult *a, const SeamPlanResult *b, SeamPairs *pairs);

/* How many more pairs would decide if their shares stay the same; INFINITY at one half. */
double seam_pairs_needed (const SeamPairs *pairs);

/* From this many places in memory on, the samples themselves show what a place does: it makes them
 * follow each other, so that they are worth as many as there are places. */
#define SEAM_PLACES_ENOUGH 8

/* How far the log-ratio of two plans may be off because each was measured in one place in memory,
 * which favours or hinders it for the whole run; 0: the places changed often enough. */
double seam_pairs_get_place_offset (const SeamPlanResult *a, const SeamPlanResult *b);
