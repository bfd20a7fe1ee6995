/* SPDX-License-Identifier: MIT
 *
 * Verdicts on two timings (faster, slower, same, unclear) and on two outputs (agree, differ), with
 * the sentences that people read. Pure functions over results; never computes on tensors.
 */
#pragma once

#include "app/base/owner.h"
#include "app/base/series.h"
#include "app/compare/csv.h"
#include "app/result/result.h"

/* Smallest difference that may be claimed before an A/A test was made. */
#define SEAM_CLAIMABLE_PERCENT 1
#define SEAM_CLAIMABLE         (SEAM_CLAIMABLE_PERCENT / 100.0)
/* The level of a verdict: a claim also needs more of the pairs (of ranks between two runs) on its
 * side than equal plans reach in this share of runs: if the noise is wider than the claimable
 * difference, the interval alone is passed by chance. Measured in tests/core/test-self-test.c. */
#define SEAM_CHANCE_PERCENT 1
/* In words: "1 %". */
#define SEAM_CLAIMABLE_WORDS G_STRINGIFY (SEAM_CLAIMABLE_PERCENT) " %"
#define SEAM_CHANCE_WORDS    G_STRINGIFY (SEAM_CHANCE_PERCENT) " %"

typedef enum {
  SEAM_VERDICT_NONE, /* a plan has no valid timing */
  SEAM_VERDICT_FASTER,
  SEAM_VERDICT_SLOWER,
  SEAM_VERDICT_SAME,
  SEAM_VERDICT_UNCLEAR,
  SEAM_VERDICT_WRONG,   /* outputs differ: takes precedence over any ratio */
  SEAM_VERDICT_NOTHING, /* the outputs agree, which shows nothing; the time does not count */
  SEAM_VERDICT_PITFALL, /* measured wrong on purpose: no claim, whatever the times are */
} SeamVerdictKind;

typedef struct {
  SeamVerdictKind kind;
  double ratio;                 /* median A / median B: > 1 when B is faster; NaN unknown */
  double ratio_low, ratio_high; /* 95 % interval of the ratio, widened by `place`; NaN: none */
  double place;                 /* what a place in memory may do; 0.01 is one per cent */
  int n_pairs;                  /* pairs of samples; 0: not kept, or of two runs */
  SeamSeries log_ratio;         /* of the pairs; its drift is 0 if it is too small to claim */
  gboolean below_floor;         /* the median of A or B is under the floor: red, with the reason */
  char *headline;  /* "1.84× faster", "1.20× slower", "Same within 1 %", "Unclear", "B is wrong",
                    * "No verdict"; ends with ", with pitfall" if there is one */
  char *detail;    /* "95 % interval 1.83× to 1.85×, 40 effective samples of 131" */
  char *next_step; /* "needs about 60 more samples", or NULL */
  double needed;   /* those samples; 0: unknown, or more would not help */
} SeamVerdict;

/* The verdict on plan `b` against plan `a` (indices into result->plans). */
SeamVerdict *seam_verdict_new (const SeamResult *result, int a, int b);
/* The same for plan `b` of one run against plan `a` of another, whose samples do not alternate: the
 * same interval, and the ranks of app/compare/ranks.h instead of pairs. What the
 * clocks explain is not claimed (clocks.c); another difference between the runs as a whole,
 * such as other memory, counts as a difference of the plans. */
SeamVerdict *seam_verdict_new_of_two_runs (const SeamResult *result_a, int a,
                                           const SeamResult *result_b, int b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamVerdict, seam_owner_free)
/* The headline with what it is against, where it does not say so: "1.84× faster than A"; newly
 * allocated. */
char *seam_verdict_describe_against (const SeamVerdict *verdict, const char *name);
#define SEAM_VERDICT_LEVEL "At most " SEAM_CHANCE_WORDS " of such verdicts are false."
/* "1.84× faster", "1.20× slower"; newly allocated. */
char *seam_verdict_describe_ratio (double ratio);
/* "95 % interval 1.83× to 1.85×, 40 effective samples of 131", in the direction of the ratio;
 * "drifts from 1.83× to 1.95× within the run"; "no interval yet". */
char *seam_verdict_describe_interval (const SeamVerdict *verdict);
/* The text for a time that no plan can have. */
#define SEAM_VERDICT_UNDER_FLOOR                                                                   \
  "under the floor of this shape: the time, or the rates that the floor rests on, are wrong"
/* For CSV: "faster", "slower", "same", "unclear", "wrong", "shows nothing", "with pitfall",
 * "reference", "none". */
const char *seam_verdict_get_word (SeamVerdictKind kind);

typedef struct {
  SeamOutputs outputs;
  gboolean agree;   /* and the comparison shows that they do */
  const char *mark; /* "✓", "✕" or "⚠" */
  char *headline;   /* "Outputs agree", "Outputs differ in 99.72 % of elements", "This comparison
                     * shows nothing" */
  char *title;      /* where bounds are known, the headline with the worst of them and its place:
                     * "Outputs agree: at most 0.43 of the bound, at sample 3, channel 7"; else the
                     * headline */
  char *region; /* the place of the differences: "Only columns 4,032 to 4,095 of every row."; NULL:
                 * none, or unknown. Part of `detail` */
  char *detail; /* "133,845,189 of 134,217,728 over the bound. …": counts, then the place (every
                 * row in the same columns; only channels 4 to 7; …) as far as the map shows it */
} SeamAgreement;

SeamAgreement *seam_agreement_new (const SeamDifference *difference);
/* "This comparison shows nothing: the largest value, 3.2×10⁻⁶, is below the tolerance 2.0×10⁻⁵.";
 * NULL: it shows something, or there is none (NULL). Newly allocated. */
char *seam_agreement_describe_nothing (const SeamDifference *difference);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamAgreement, seam_owner_free)

/* The place where the outputs differ, as far as the overview shows it: "Only channels 4 to 7 of
 * every sample.", "Scattered: …"; the head of region.c has the rule. NULL if they agree or nothing
 * is known. `cause` (may be NULL) receives the usual cause of such a place, or NULL. Newly
 * allocated. */
char *seam_region_describe (const SeamDifference *difference, char **cause);

/* "0.43 of the bound", "3.2 times the bound", "over 10⁴ times the bound": the largest error as a
 * part of what a right implementation's may be, element by element (app/backend/bound.h). NULL:
 * unknown. Newly allocated. */
char *seam_agreement_describe_bound (const SeamDifference *difference);
/* The same of this part of a bound, which is known. */
char *seam_agreement_format_bound (double ratio);

/* What an agreement leaves open: "12 elements are not judged: …"; NULL: nothing, or no difference
 * (NULL). Newly allocated. */
char *seam_agreement_describe_limits (const SeamDifference *difference);
/* "Less precise: …": of a right plan, by the differences of plan a and of this one from FP64 (NULL:
 * there is none), if its root mean square error is over four times that of a, or of 2^-24 of the
 * output. NULL: it is not. Newly allocated. */
char *seam_agreement_describe_precision (const SeamDifference *a, const SeamDifference *b);

/* What judges: "the bound", "|a − b| ≤ 2.0×10⁻⁵ + 2.0×10⁻⁵·|b|". Newly allocated. */
char *seam_agreement_describe_rule (const SeamSettings *settings);

/* "64 sampled slices, 0.78 % of the elements"; NULL if every element was compared. Newly
 * allocated. */
char *seam_agreement_describe_extent (const SeamDifference *difference);

/* "99.72", "< 0.01", "> 99.99", "100": percent of elements; "100" only for all and "0" only for
 * none. */
char *seam_agreement_format_share (gint64 n, gint64 n_elements);

/* clocks.c: what the clocks under load allow a verdict to claim. A capped chip gives two plans, and
 * two runs even more, different clocks; what these explain is no difference of the plans. judge()
 * turns “faster” and “slower” into “unclear” where the medians of the clocks differ by more than
 * SEAM_CLAIMABLE, and the times by no more than they do. describe() says it of plans whose clocks
 * were held down: "A and B ran alike, so the ratio stands; the times are those of a capped GPU.",
 * if the median clock is under the highest; `b` < 0: of all plans against `a`; `b` = `a`: of one.
 * Newly allocated. `letters`: of both plans.
 */
void seam_clocks_judge (SeamVerdict *verdict, const SeamResult *result_a, int a,
                        const SeamResult *result_b, int b, const char *letters);
char *seam_clocks_describe (const SeamResult *result, int a, int b);
