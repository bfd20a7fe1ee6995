/* SPDX-License-Identifier: MIT
 *
 * Two runs of different sessions side by side: their differences, their common plans and kernels,
 * and every number of both with its change. Side A is the older or first one. Pure; app/figure/,
 * app/cli/ and ui/ make pages and tables of it.
 */
#pragma once

#include "app/compare/compare.h"

typedef enum {
  SEAM_CONDITION_SAME,
  SEAM_CONDITION_DIFFERS,  /* may explain a difference of the numbers */
  SEAM_CONDITION_PREVENTS, /* the numbers belong to different work */
} SeamConditionState;

typedef struct {
  const char *title; /* "Math mode": static */
  char *a, *b;       /* for people; NULL unknown */
  SeamConditionState state;
} SeamCondition;

typedef enum {
  SEAM_NUMBER_TIME,    /* ns */
  SEAM_NUMBER_BYTES,   /* B */
  SEAM_NUMBER_COUNT,   /* whole */
  SEAM_NUMBER_PERCENT, /* 0..100 */
  SEAM_NUMBER_ERROR,   /* error of outputs */
  SEAM_NUMBER_CLOCK,   /* MHz */
  SEAM_NUMBER_OTHER,   /* in the unit in the title */
} SeamNumberKind;

/* One number of both sides. NaN: unknown. */
typedef struct {
  const char *key;   /* for CSV, including the unit: "elapsed_median_ns"; static */
  const char *title; /* for people, without the unit: "Elapsed, median"; static */
  SeamNumberKind kind;
  double a, b;
} SeamNumber;

/* b - a and b / a; NaN if either is unknown, the ratio also if a is 0. */
double seam_number_get_change (const SeamNumber *number);
double seam_number_get_ratio (const SeamNumber *number);
/* "Elapsed, median (ms)": in the unit of the number's larger side. All texts are newly
 * allocated. */
char *seam_number_format_title (const SeamNumber *number);
char *seam_number_format (const SeamNumber *number, double value);
char *seam_number_format_change (const SeamNumber *number); /* "+0.120", "−1.175", "0" */
char *seam_number_format_ratio (const SeamNumber *number);  /* "0.543×" */

typedef enum {
  SEAM_MATCH_SAME,    /* on both sides, same execution */
  SEAM_MATCH_CHANGED, /* on both sides, different execution */
  SEAM_MATCH_ADDED,   /* only in B */
  SEAM_MATCH_REMOVED, /* only in A */
} SeamMatch;

const char *seam_match_get_word (SeamMatch match); /* "same", "changed", "added", "removed" */
const char *seam_match_get_sign (SeamMatch match); /* "=", "~", "+", "−" */

typedef struct {
  int a, b; /* index in the plan's kernels, -1: missing */
  SeamMatch match;
  int n_numbers;
  SeamNumber *numbers; /* owned; the first is the median time */
} SeamKernelPair;

typedef struct {
  int a, b; /* index in the result's plans, -1: missing */
  SeamMatch match;
  char *change;         /* the difference in execution, a sentence; NULL: none */
  SeamVerdict *verdict; /* of B against A; NULL if a side is missing. Owned */
  int n_numbers;
  SeamNumber *numbers; /* owned; the first is the elapsed median */
  int n_kernels;
  SeamKernelPair *kernels; /* owned; those of B in launch order, with removed ones between them */
} SeamPlanPair;

typedef struct {
  SeamResult *a, *b; /* owned references */
  int n_conditions;
  SeamCondition *conditions; /* owned; first those that prevent a comparison, then those that
                              * differ, then the same ones */
  char *obstacle;            /* why the numbers cannot be compared, a sentence; NULL: they can */
  int n_numbers;
  SeamNumber *numbers; /* of the runs as a whole; owned */
  int n_plans;
  SeamPlanPair *plans; /* owned; none if there is an obstacle */
} SeamComparison;

SeamComparison *seam_comparison_new (SeamResult *a, SeamResult *b);
void seam_comparison_free (SeamComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamComparison, seam_comparison_free)

/* Finds the run of B for each run of A: the one of the same pipeline with the fewest differences.
 * `partners` [n_a] receives its index, or -1; no run of B is used twice. */
void seam_comparison_match_runs (const SeamResult *const *a, int n_a, const SeamResult *const *b,
                                 int n_b, int *partners);

/* "1 faster, 2 same, 1 unclear; 1 plan added"; newly allocated. */
char *seam_comparison_describe (const SeamComparison *comparison);
/* How verdicts are reached, for the foot of tables and figures; static. */
const char *seam_comparison_get_rule (void);
/* The name of the kernel or plan on a side that has it. */
const char *seam_comparison_get_plan_name (const SeamComparison *comparison,
                                           const SeamPlanPair *plan);
const SeamKernel *seam_comparison_get_kernel (const SeamComparison *comparison,
                                              const SeamPlanPair *plan,
                                              const SeamKernelPair *kernel);

/* One row per number; the head of comparison-csv.c lists the columns. `n` comparisons follow each
 * other. Newly allocated. */
char *seam_comparison_to_csv (SeamComparison *const *comparisons, int n);
char *seam_comparison_to_json (SeamComparison *const *comparisons, int n);
