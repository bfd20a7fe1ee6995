/* SPDX-License-Identifier: MIT
 *
 * A finished run in words: a headline with its evidence, up to three facts, and notes. The card in
 * the window, the timing sheet and the terminal show the same texts.
 */
#pragma once

#include "app/base/owner.h"
#include "app/compare/compare.h"
#include "app/report/table.h"

#define SEAM_SUMMARY_MAX_PLANS 3

/* The plans that a summary is about. */
typedef struct {
  const SeamResult *result;
  int n_plans;
  int plans[SEAM_SUMMARY_MAX_PLANS];        /* of the result; the first is A */
  char letters[SEAM_SUMMARY_MAX_PLANS + 1]; /* the letter of each plan */
  gboolean in_window; /* plans have titles, and letters only if they are among these */
  int compared;       /* index in `plans` of the plan that is compared with the first; -1: none */
} SeamSummarySides;

typedef enum { SEAM_FACT_OUTPUTS, SEAM_FACT_TRAFFIC, SEAM_FACT_FLOOR } SeamFactKind;

typedef struct {
  SeamFactKind kind;
  const char *caption, *short_caption; /* static */
  char *value, *short_value; /* owned; the short one is for narrow places, NULL: left out there */
  char *words;               /* owned: tooltip */
  SeamTone tone;
} SeamSummaryFact;

#define SEAM_SUMMARY_MAX_FACTS 3

typedef struct {
  int plan;       /* index in the result; -1: the note is about the whole run */
  char *sentence; /* owned */
} SeamSummaryNote;

typedef struct {
  char *headline; /* "1.84× faster", "⚠ B is wrong", or the time of a single plan */
  SeamTone tone;
  char *struck;   /* the ratio of a plan that is wrong, "1.84× slower"; NULL */
  char *compared; /* "B published against A unfused" */
  char *others;   /* "C full: 1.20× faster": plans that the headline is not about; NULL: none */
  char *detail;   /* the evidence: interval, reasons, what to do next */
  char *medians;  /* "4.72 → 2.57 ms": of A and of the compared plan; NULL: a single plan */
  char *times;    /* sentences: how the times were taken, and all of them */
  char *throttle; /* of the run (result.h), or that it is unknown; NULL: nothing held clocks down */
  char *load;     /* "Lowest 1.34, 698 W, 63 °C. A and B ran alike, so …"; NULL likewise */
  int n_facts;
  SeamSummaryFact facts[SEAM_SUMMARY_MAX_FACTS]; /* outputs, traffic, floor, as far as they are
                                                  * known */
} SeamSummary;

/* Plans `a` and `b` (-1: only `a`) of a result; the letters are A and B, or that of the place of
 * `b` in the result. */
void seam_summary_sides_init (SeamSummarySides *sides, const SeamResult *result, int a, int b);

SeamSummary *seam_summary_new (const SeamSummarySides *sides);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSummary, seam_owner_free)

/* Remarkable facts about the plans and the run that headlines do not state: array of
 * SeamSummaryNote. `plans` NULL: all plans of the result, and what held down their clocks. */
GArray *seam_summary_list_notes (const SeamResult *result, const int *plans, int n_plans);
/* The same in one paragraph, "Plan B: …"; newly allocated, may be empty. */
char *seam_summary_format_notes (const SeamSummarySides *sides);
