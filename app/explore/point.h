/* SPDX-License-Identifier: MIT
 *
 * A point of a search: one plan at one shape, with its prediction and its measurement. Plain data;
 * the worker sends points one by one, and a CSV file has one row a point.
 */
#pragma once

#include "app/compare/compare.h"
#include "app/pipeline/pipeline.h"
#include "app/result/result.h"

typedef enum {
  SEAM_POINT_PENDING, /* not measured yet */
  SEAM_POINT_MEASURED,
  SEAM_POINT_IMPOSSIBLE, /* cannot run here, or not at this shape; `message` says why */
  SEAM_POINT_FAILED,     /* was tried and is not tried again; `message` says what happened */
  SEAM_N_POINT_STATES
} SeamPointState;

const char *seam_point_state_get_name (SeamPointState state); /* "pending", "measured", … */

typedef struct {
  gint64 values[SEAM_MAX_FIELDS]; /* shape fields of the pipeline */
  char *shape;                    /* "batch=8,…"; owned, as all strings here */
  char *plan;                     /* as requested: a name or a notation */
  char *notation;                 /* of the plan as the target runs it; NULL until predicted */
  gint64 fused_seams;             /* of `notation`: bit i, seam i */
  SeamPointState state;
  char *message; /* for the person; NULL: nothing to say */

  /* Predicted from shapes and the rates of the device. NaN or -1: unknown. */
  double bytes, flop;
  double full_rate_ns, floor_ns;                /* as the fields of SeamPlanLimit */
  double guess_ns, guess_low_ns, guess_high_ns; /* as in SeamGuess */
  int n_kernels_expected;                       /* launches */
  gboolean is_split;          /* some group runs as several launches: fused in name only */
  gboolean tensors_fit_cache; /* an intermediate tensor fits the last-level cache */

  /* Measured; NaN, -1 or 0 until then. */
  double median_ns, ci_low_ns, ci_high_ns; /* 95 % interval */
  int n_samples;
  double against_ns; /* median of the plan compared with, measured in alternation with this one */
  double ratio_low, ratio_high; /* 95 % interval of against_ns / median_ns, by the verdict on their
                                 * samples; 1 for that plan itself */
  double kernels_sum_ns, span_ns;  /* of traced executions */
  int n_kernels;                   /* launches of one execution */
  double max_abs, max_error_ratio; /* against the output of that plan */
  gint64 n_failing;                /* elements over their limit */
  gboolean shows_nothing;          /* as SEAM_OUTPUTS_SHOWN_NOTHING */
  gboolean stable;                 /* the outputs before and after timing have the same bits */
  char *executed;                  /* "conv@cudnn|conv_bias+relu@generated" */
  char *measured_at;               /* ISO 8601, UTC */
  double foreign_load;             /* as in SeamResult, while the point's batch was measured */
} SeamPoint;

extern const SeamRecordType seam_point_type;
/* Copies the measured fields; `point` keeps its shape, plan and prediction. */
void seam_point_copy_measured (SeamPoint *point, const SeamPoint *from);
/* Fills the measured fields from plan `index` of a result that compares with plan `against`.
 * Without samples the state stays. */
void seam_point_measure (SeamPoint *point, const SeamResult *result, int index, int against);
/* "about 8.36 ms (7.5 to 9.4), at least 3.04 ms": the guess, and the floor; a dash where nothing is
 * known. Newly allocated. */
char *seam_point_describe_prediction (const SeamPoint *point);
/* What is wrong with its output, after "is": "wrong" (over its limits, or its bits changed),
 * "not shown to be right"; NULL: nothing. Static. */
const char *seam_point_get_fault (const SeamPoint *point);
/* Whether it has a fault, so that its time does not count. */
gboolean seam_point_is_wrong (const SeamPoint *point);

/* Half of the interval of such a time; NaN: unknown. */
double seam_point_get_half (const SeamPoint *point, double ns);
/* The verdict on `b` against `a` (app/compare/compare.h), which decides wherever a search names a
 * winner. The times are those of the points without the drift. Their intervals are those of the
 * proportions to the plan compared with, or, in older files, of the medians. */
SeamVerdict *seam_point_judge (const SeamPoint *a, double a_ns, const SeamPoint *b, double b_ns);
/* "1.24× faster than unfused (95 % interval 1.20× to 1.28×)", "1.01× faster than unfused (unclear:
 * 95 % interval 0.97× to 1.05×)". Newly allocated. */
char *seam_point_describe_verdict (const SeamVerdict *verdict, const char *against);
/* Whether `a`, measured, is ahead of `b` by more than chance and by more than the program may
 * claim: the verdict is “faster”. If one has too few samples for an interval, each needs
 * SEAM_POINT_FEW and `b` takes SEAM_POINT_FEW_RATIO times as long: a false claim would need two of
 * three samples off by half. */
gboolean seam_point_is_ahead (const SeamPoint *a, double a_ns, const SeamPoint *b, double b_ns);
#define SEAM_POINT_FEW       3
#define SEAM_POINT_FEW_RATIO 1.5
