/* SPDX-License-Identifier: MIT
 *
 * Two runs of different sessions side by side: what they differ in, which plans and kernels they
 * have in common, and every number of both with its change. Side A is the older or first one. Pure;
 * pages and tables are made of it in app/figure/, app/cli/ and ui/.
 */
#pragma once

#include "app/compare/compare.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_CONDITION_SAME,
  SEAM_CONDITION_DIFFERS,  /* may explain a difference of the numbers */
  SEAM_CONDITION_PREVENTS, /* the numbers are of different work */
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
  SEAM_NUMBER_ERROR,   /* of outputs */
  SEAM_NUMBER_CLOCK,   /* MHz */
  SEAM_NUMBER_OTHER,   /* in the unit that the title names */
} SeamNumberKind;

/* One number of both sides. NaN: unknown. */
typedef struct {
  const char *key;   /* for CSV, with its unit: "elapsed_median_ns"; static */
  const char *title; /* for people, without the unit: "Elapsed, median"; static */
  SeamNumberKind kind;
  double a, b;
} SeamNumber;

/* b - a and b / a; NaN where either is unknown, the ratio also where a is 0. */
double seam_number_get_change (const SeamNumber *number);
double seam_number_get_ratio (const SeamNumber *number);
/* "Elapsed, median (ms)": in the unit of the number's larger side. Newly allocated, as the rest. */
char *seam_number_format_title (const SeamNumber *number);
char *seam_number_format_a (const SeamNumber *number);
char *seam_number_format_b (const SeamNumber *number);
char *seam_number_format_change (const SeamNumber *number); /* "+0.120", "−1.175", "0" */
char *seam_number_format_ratio (const SeamNumber *number);  /* "0.543×" */

typedef enum {
  SEAM_MATCH_SAME,    /* on both sides, executed alike */
  SEAM_MATCH_CHANGED, /* on both sides, executed otherwise */
  SEAM_MATCH_ADDED,   /* in B alone */
  SEAM_MATCH_REMOVED, /* in A alone */
} SeamMatch;

const char *seam_match_get_word (SeamMatch match); /* "same", "changed", "added", "removed" */
const char *seam_match_get_sign (SeamMatch match); /* "=", "~", "+", "−" */

typedef struct {
  int a, b; /* index into the plan's kernels, -1: not there */
  SeamMatch match;
  int n_numbers;
  SeamNumber *numbers; /* owned; the first is the median of its time */
} SeamKernelPair;

typedef struct {
  int a, b; /* index into the result's plans, -1: not there */
  SeamMatch match;
  char *change;         /* what is other about it, a sentence; NULL: nothing */
  SeamVerdict *verdict; /* of B against A; NULL where one side is missing. Owned */
  int n_numbers;
  SeamNumber *numbers; /* owned; the first is the elapsed median */
  int n_kernels;
  SeamKernelPair *kernels; /* owned; those of B in launch order, removed ones at their place */
} SeamPlanPair;

typedef struct {
  SeamResult *a, *b; /* owned references */
  int n_conditions;
  SeamCondition *conditions; /* owned; what prevents first, then what differs, then what is same */
  char *obstacle;            /* why the numbers cannot be compared, a sentence; NULL: they can */
  int n_numbers;
  SeamNumber *numbers; /* of the runs as a whole; owned */
  int n_plans;
  SeamPlanPair *plans; /* owned; none where there is an obstacle */
} SeamComparison;

SeamComparison *seam_comparison_new (SeamResult *a, SeamResult *b);
void seam_comparison_free (SeamComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamComparison, seam_comparison_free)

/* Which run of B belongs to each run of A: of the same pipeline, and of those the one that differs
 * least. `partners` [n_a] receives the index, or -1; no run of B is taken twice. */
void seam_comparison_match_runs (const SeamResult *const *a, int n_a, const SeamResult *const *b,
                                 int n_b, int *partners);

/* "1 faster, 2 same, 1 unclear; 1 plan added": newly allocated. */
char *seam_comparison_describe (const SeamComparison *comparison);
/* How verdicts come about, for the foot of tables and figures; static. */
const char *seam_comparison_get_rule (void);
/* The kernel or plan's name on the side that has it. */
const char *seam_comparison_get_plan_name (const SeamComparison *comparison,
                                           const SeamPlanPair *plan);
const SeamKernel *seam_comparison_get_kernel (const SeamComparison *comparison,
                                              const SeamPlanPair *plan,
                                              const SeamKernelPair *kernel);

/* One row a number; the columns are listed at the head of comparison-csv.c. `n` comparisons follow
 * each other. Newly allocated. */
char *seam_comparison_to_csv (SeamComparison *const *comparisons, int n);
char *seam_comparison_to_json (SeamComparison *const *comparisons, int n);

G_END_DECLS
