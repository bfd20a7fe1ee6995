/* SPDX-License-Identifier: MIT
 *
 * Samples of two plans taken pairwise: neighbours in the alternating order of a run, which share
 * clock, temperature and disturbance. Whether one plan is the longer one in more of the pairs than
 * chance explains is a sign test; nothing is assumed about how the samples are distributed. Pure.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

/* Fewest pairs with which a decision is possible: 2 * 2^-8 < 0.01. */
#define SEAM_PAIRS_LEAST 8

typedef struct {
  int n;              /* pairs with different times; equal ones count for neither plan */
  int n_a_longer;     /* pairs among them in which plan A took longer */
  double probability; /* probability that two equal plans come out at least as one-sided, 0..1 */
} SeamPairs;

/* The k-th samples of both plans are a pair. n is 0 if the samples are not kept. */
void seam_pairs_count (const SeamPlanResult *a, const SeamPlanResult *b, SeamPairs *pairs);

/* How many more pairs would decide if their shares stay the same; INFINITY at one half. */
double seam_pairs_needed (const SeamPairs *pairs);

G_END_DECLS
