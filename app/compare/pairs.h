/* SPDX-License-Identifier: MIT
 *
 * Samples of two plans taken pairwise: neighbours in the alternating order of a run, which share
 * clock, temperature and disturbance. Whether one plan is the longer one in more of the pairs than
 * chance explains is a sign test; nothing is assumed about how the samples are distributed. Pure.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

/* Fewest pairs that can decide: 2 * 2^-8 < 0.01. */
#define SEAM_PAIRS_LEAST 8

typedef struct {
  int n;              /* pairs with different times; equal ones say nothing */
  int n_a_longer;     /* of them, pairs in which plan A took longer */
  double probability; /* that two equal plans come out as one-sided as this, 0..1 */
} SeamPairs;

/* The k-th sample of both plans is a pair. n is 0 where the samples are not kept. */
void seam_pairs_count (const SeamPlanResult *a, const SeamPlanResult *b, SeamPairs *pairs);

/* How many pairs more would decide, from the share of them that there is; INFINITY at one half. */
double seam_pairs_needed (const SeamPairs *pairs);

G_END_DECLS
