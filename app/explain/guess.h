/* SPDX-License-Identifier: MIT
 *
 * The model's guess: how long a plan takes, before it runs, as one time with an interval. A group
 * that was measured takes that time. Any other group takes the longer of two times: for its bytes,
 * and for its arithmetic (the matrix product, and then the operations of its maps and reductions).
 * Groups run one after the other, each with a launch. The guess is never below the floor. How good
 * it is: data/help/results.md, which tests/core/test-guess.c computes from the samples.
 */
#pragma once

#include "app/explain/known.h"

/* Where the time of a group, or of a part of it, comes from. */
typedef enum {
  SEAM_GUESS_MEASURED, /* earlier result */
  SEAM_GUESS_STREAM,   /* maps: bytes or operations */
  SEAM_GUESS_REDUCE,   /* the same with a reduction */
  SEAM_GUESS_EXTENDED, /* the matrix op was measured with other ops, or alone */
  SEAM_GUESS_FULL,     /* the matrix product at the device's full rate */
  SEAM_GUESS_VERSION,  /* the same, by a version of a kernel that may be far from that rate */
  SEAM_GUESS_LIBRARY,  /* a convolution by a library that was not measured here */
  SEAM_N_GUESS_SOURCES
} SeamGuessSource;

typedef struct {
  SeamGuessSource source;
  int first, last; /* ops of the chain */
  double ns;
  double bytes, bytes_per_s;    /* modelled bytes, and the rate at which they are thought to move */
  double operations, matrix_ns; /* beside the matrix product, and the time of that product */
  gboolean memory_bound;        /* bytes take longer than the arithmetic */
} SeamGuessPart;

typedef struct {
  double ns, low_ns, high_ns; /* NaN: cannot be guessed. 9 of 10 measurements lie between the two */
  double launch_ns;           /* of all launches; a part of ns */
  int n_groups, n_measured;   /* groups, and those of SEAM_GUESS_MEASURED */
  int n_runs;                 /* that measured one of these, at most, and when the newest began */
  const char *started_at;     /* borrowed from what is known; NULL: unknown */
  int n_parts;
  SeamGuessPart parts[2 * SEAM_MAX_OPS];
} SeamGuess;

/* `implementations`: who executes each group, as in SeamSupport.executed; NULL, or NULL entries:
 * unknown, so that any measured implementation will do. `copied_bytes` (may be NULL): bytes that
 * copies of a group move besides. */
void seam_guess (const SeamKnown *known, const SeamProblem *problem, const SeamPlan *plan,
                 const char *const *implementations, const double *copied_bytes, SeamGuess *guess);
/* A sentence that says why: "conv takes 0.67 ms, from your run of 08:13; conv_bias+relu moves 1.04
 * GB at 4.19 TB/s, which takes 0.25 ms." Newly allocated; NULL if it cannot be guessed. */
char *seam_guess_explain (const SeamGuess *guess, const SeamPlan *plan);
/* "about 11.8 ms (10.1 to 14.2)"; a dash if it cannot be guessed. Newly allocated. */
char *seam_guess_format (double ns, double low_ns, double high_ns);
