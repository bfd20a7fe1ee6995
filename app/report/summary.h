/* SPDX-License-Identifier: MIT
 *
 * What a finished run says, in words: a headline with what it rests on, three facts, and notes. The
 * card of the window, the timing sheet and the terminal show the same texts.
 */
#pragma once

#include "app/compare/compare.h"
#include "app/report/table.h"

G_BEGIN_DECLS

#define SEAM_SUMMARY_MAX_PLANS 3

/* The plans that a summary is about. */
typedef struct {
  const SeamResult *result;
  int n_plans;
  int plans[SEAM_SUMMARY_MAX_PLANS];        /* of the result; the first is A */
  char letters[SEAM_SUMMARY_MAX_PLANS + 1]; /* what they are called */
  int compared; /* place among them of the one that stands beside the first; -1: there is none */
} SeamSummarySides;

typedef enum { SEAM_FACT_OUTPUTS, SEAM_FACT_TRAFFIC, SEAM_FACT_FLOOR } SeamFactKind;

typedef struct {
  SeamFactKind kind;
  const char *caption, *short_caption; /* static */
  char *value, *short_value; /* owned; the short ones are for narrow places, NULL: left out there */
  char *words;               /* owned: what is said on hover */
  SeamTone tone;
} SeamSummaryFact;

#define SEAM_SUMMARY_MAX_FACTS 3

typedef struct {
  int plan;       /* of the result; -1: of the whole run */
  char *sentence; /* owned */
} SeamSummaryNote;

typedef struct {
  char *headline; /* "1.84× faster", "⚠ B is wrong", or the time of a single plan */
  SeamTone tone;
  char *struck;   /* the ratio of a plan that is wrong, "1.84× slower"; NULL */
  char *compared; /* "B published against A unfused" */
  char *others;  /* "C full: 1.20× faster": the plans that the headline is not about; NULL: none */
  char *detail;  /* what it rests on: interval, reasons, what to do next */
  char *medians; /* "4.72 → 2.57 ms": of A and of the plan beside it; NULL: a single plan */
  char *times;   /* how the times were taken, and all of them, as sentences */
  int n_facts;
  SeamSummaryFact facts[SEAM_SUMMARY_MAX_FACTS]; /* outputs, traffic, floor: those that are known */
} SeamSummary;

/* Plans `a` and `b` (-1: `a` alone) of a result, called A and B, or by the place of `b` in it. */
void seam_summary_sides_init (SeamSummarySides *sides, const SeamResult *result, int a, int b);

SeamSummary *seam_summary_new (const SeamSummarySides *sides);
void seam_summary_free (SeamSummary *summary);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSummary, seam_summary_free)

/* What is special about the plans and the run, beside what headlines say: array of SeamSummaryNote.
 * `plans` NULL: all of the result. */
GArray *seam_summary_list_notes (const SeamResult *result, const int *plans, int n_plans);
/* The same in one paragraph, "Plan B: …"; newly allocated, may be empty. */
char *seam_summary_format_notes (const SeamSummarySides *sides);

G_END_DECLS
