/* SPDX-License-Identifier: MIT
 *
 * A point of a search: one plan at one shape, what is predicted of it and what was measured. Plain
 * data; it travels from worker to window one by one and is kept as a row of CSV.
 */
#pragma once

#include "app/pipeline/pipeline.h"
#include "app/result/result.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_POINT_PENDING, /* not measured yet */
  SEAM_POINT_MEASURED,
  SEAM_POINT_IMPOSSIBLE, /* cannot run here, or not at this shape; `message` says why */
  SEAM_POINT_FAILED,     /* was tried; `message` says what happened. It is not tried again */
  SEAM_N_POINT_STATES
} SeamPointState;

const char *seam_point_state_get_name (SeamPointState state); /* "pending", "measured", … */

typedef struct {
  gint64 values[SEAM_MAX_FIELDS]; /* shape fields of the pipeline */
  char *shape;                    /* "batch=8,…"; owned, as all strings here */
  char *plan;                     /* as asked for: a name or a notation */
  char *notation;                 /* that the target runs; NULL until predicted */
  gint64 fused_seams;             /* of `notation`: bit i, seam i */
  SeamPointState state;
  char *message; /* what the person should know; NULL: nothing */

  /* Predicted from shapes and the rates of the device. NaN or -1: unknown. */
  double bytes, flop;
  double full_rate_ns, floor_ns; /* as in SeamPlanLimit */
  int n_kernels_expected;        /* launches */
  gboolean is_split;             /* some group runs in several launches: fused in name only */
  gboolean tensors_fit_cache;    /* an intermediate tensor fits the last-level cache */

  /* Measured; NaN, -1 or 0 until then. */
  double median_ns, ci_low_ns, ci_high_ns; /* 95 % interval */
  int n_samples;
  double reference_ns; /* median of the reference plan, measured in alternation with this one */
  double kernels_sum_ns, span_ns;  /* of traced executions */
  int n_kernels;                   /* launches of one execution */
  double max_abs, max_error_ratio; /* against the reference's output */
  gint64 n_failing;                /* elements outside the tolerance */
  gboolean stable;                 /* the output after timing had the bits of the one before */
  char *executed;                  /* "conv@cudnn|conv_bias+relu@generated" */
  char *measured_at;               /* ISO 8601, UTC */
} SeamPoint;

extern const SeamRecordType seam_point_type;
/* Takes over what was measured; `point` keeps its shape, plan and prediction. */
void seam_point_copy_measured (SeamPoint *point, const SeamPoint *from);
/* Fills what was measured of plan `index` of a result whose reference is plan `reference`. Leaves
 * the state alone where there are no samples. */
void seam_point_measure (SeamPoint *point, const SeamResult *result, int index, int reference);
/* "8.36 ms, at least 3.04 ms": at full rate, and the floor; a dash where nothing is known. Newly
 * allocated. */
char *seam_point_describe_prediction (const SeamPoint *point);
/* Whether its output is outside the tolerance, or changed its bits. */
gboolean seam_point_is_wrong (const SeamPoint *point);

/* Whether `a`, measured, is ahead of `b` by more than chance and by more than can be claimed; the
 * times are theirs with the drift taken out. Where both have intervals these must not overlap.
 * Where one has too few samples for that, each needs SEAM_POINT_FEW and `b` takes
 * SEAM_POINT_FEW_RATIO times as long: then of three samples two would have to be off by half. */
gboolean seam_point_is_ahead (const SeamPoint *a, double a_ns, const SeamPoint *b, double b_ns);
#define SEAM_POINT_FEW       3
#define SEAM_POINT_FEW_RATIO 1.5

G_END_DECLS
