/* SPDX-License-Identifier: MIT
 *
 * The A/A test: a plan measured against itself as two plans. Any difference between the two, with
 * its interval, comes from chance and the machine, so it is the smallest difference that can be
 * claimed. Pure; app/cli/command-aa.c measures.
 */
#pragma once

#include "app/result/result.h"

typedef struct {
  int n_runs;       /* runs with both sides timed */
  int n_unknown;    /* runs with too few samples for an interval */
  int n_pairs;      /* pairs of samples, all runs together */
  int n_false;      /* verdicts "faster" or "slower" */
  double largest;   /* largest difference of the medians; 0.01 is one per cent; 0 without runs */
  double claimable; /* farthest end of the 95 % intervals from equality; 0.01 is one per cent; NaN:
                     * not known, because a run has no interval */
  double duration_s;
} SeamSelfTest;

/* Adds plans 0 and 1 of `result`, which are the same plan. FALSE, and nothing is added, if one of
 * them was not timed. */
gboolean seam_self_test_add (SeamSelfTest *test, const SeamResult *result);

/* Whether the limit that verdicts use (SEAM_CLAIMABLE) holds. */
gboolean seam_self_test_holds (const SeamSelfTest *test);

/* The conclusion from the test, in sentences; newly allocated. */
char *seam_self_test_describe (const SeamSelfTest *test);
