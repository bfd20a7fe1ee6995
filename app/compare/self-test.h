/* SPDX-License-Identifier: MIT
 *
 * The A/A test: a plan measured against itself as two plans. What the two differ by, with their
 * interval, is what chance and the machine make of no difference at all, and so the smallest
 * difference that can be claimed. Pure; who measures is app/cli/command-aa.c.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

typedef struct {
  int n_runs;       /* with both sides timed */
  int n_unknown;    /* with too few samples for an interval */
  int n_pairs;      /* of samples, all runs together */
  int n_false;      /* verdicts "faster" or "slower" */
  double largest;   /* difference of the medians, 0.01: one per cent; 0 without runs */
  double claimable; /* farthest end of the 95 % intervals from equality, 0.01: one per cent */
  double duration_s;
} SeamSelfTest;

/* Adds plans 0 and 1 of `result`, which are the same plan. FALSE and nothing added when one of them
 * was not timed. */
gboolean seam_self_test_add (SeamSelfTest *test, const SeamResult *result);

/* Whether the limit that verdicts use (SEAM_CLAIMABLE) holds. */
gboolean seam_self_test_holds (const SeamSelfTest *test);

/* What follows from it, in sentences; newly allocated. */
char *seam_self_test_describe (const SeamSelfTest *test);

G_END_DECLS
