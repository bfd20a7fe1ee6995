/* SPDX-License-Identifier: MIT
 *
 * The timeline: the kernels and copies of one or two plans above each other on one time scale, with
 * marked gaps, and ribbons between kernels that execute the same ops. The records are read once
 * (SeamTimeline); each view of a part of the time is a separate figure, and the time to make it
 * does not grow with the number of records. Hits: SEAM_HIT_KERNEL, SEAM_HIT_GAP and
 * SEAM_HIT_LAUNCH, plan: lane (0: A).
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/result.h"

/* One kernel or copy. */
typedef struct {
  double start_ns, end_ns; /* from the start of the plan's first record */
  double bytes;            /* modelled; NaN: unknown */
  const char *name;        /* borrowed, or NULL */
  gint8 first_op, last_op; /* of the plan's chain; -1: a copy */
  guint8 kind;             /* SeamOpKind that represents it */
  /* The host's call, on the same clock; call_ns not above 0: unknown, or none. */
  double call_start_ns, call_ns;
} SeamTimelineRecord;

/* Most kernels that a plan may use for one op and still have ribbons; more would show nothing. */
#define SEAM_TIMELINE_MAX_PER_OP 8

typedef struct {
  char letter;    /* seam_plan_get_letter() */
  char *title;    /* title of the plan */
  char *absent;   /* why there are no records, or NULL */
  int n_launches; /* of one execution; -1: unknown */
  int n_records;
  SeamTimelineRecord *records; /* owned; in order of time, without overlaps */
  SeamOpKind op_kinds[SEAM_MAX_OPS];
  int op_partner[SEAM_MAX_OPS]; /* the same op in lane 0's chain, or -1 */
  /* Derived from the records: */
  int n_gaps;
  double *busy_ns;    /* [n_records + 1]: time in the records before this one */
  int *same_kind_end; /* [n_records]: the first record after it with another kind */
  gboolean is_graph;  /* one call launched all records */
  int n_calls;
  int *calls;                /* [n_calls]: records with a known call, in order of their calls */
  int n_of_op[SEAM_MAX_OPS]; /* records that execute op i, by lane 0's index */
  int of_op[SEAM_MAX_OPS][SEAM_TIMELINE_MAX_PER_OP];
} SeamTimelineLane;

typedef struct {
  int n_lanes;
  SeamTimelineLane lanes[2];
  double start_ns;    /* start of the host's first call, or 0 if none began before a kernel */
  double end_ns;      /* of the longer lane; 0: no records */
  int execution;      /* the one that is shown; -1: medians of all */
  gboolean own_gaps;  /* it also has the gaps of this execution, instead of the medians */
  int n_executions;   /* that were traced of every plan */
  SeamResult *result; /* that the names belong to, or NULL */
} SeamTimeline;

/* Plans `a` and `b` of a result (b -1: only `a`). A plan that was not traced has a lane that says
 * so. SEAM_ERROR_INPUT for plans that the result does not have, SEAM_ERROR_FILE if its pipeline
 * cannot be read. */
SeamTimeline *seam_timeline_new (SeamResult *result, int a, int b, GError **error);
/* The same of one traced execution of each plan, the first being 0: its kernels took what they took
 * then. When each began is recorded as a median only, so the gaps between them are those of the
 * medians. SEAM_ERROR_INPUT for an execution that was not traced of both. */
SeamTimeline *seam_timeline_new_of_execution (SeamResult *result, int a, int b, int execution,
                                              GError **error);
/* A timeline of any records, in order of time: takes them and copies `op_kinds`. `n_lanes` is 1 or
 * 2. */
SeamTimeline *seam_timeline_new_from_records (SeamTimelineRecord *const *records,
                                              const int *n_records, int n_lanes,
                                              const SeamOpKind *op_kinds, int n_ops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTimeline, seam_owner_free)

/* The visible part of the time, and the measured span. */
typedef struct {
  double from_ns, to_ns;           /* to_ns <= from_ns: all of it, including the host's calls */
  int span_lane;                   /* lane of the measured span; -1: all */
  double span_from_ns, span_to_ns; /* NaN: nothing is measured */
} SeamTimelineView;

#define SEAM_TIMELINE_VIEW_ALL ((SeamTimelineView){ 0, 0, -1, NAN, NAN })
/* The shortest time that a view may show. */
#define SEAM_TIMELINE_MIN_NS 100.0

/* Zooms by `factor` (< 1: closer) around `at_ns`, which keeps its place; moves by a share of the
 * visible time. Both stay between start and end. */
void seam_timeline_zoom (const SeamTimeline *timeline, SeamTimelineView *view, double factor,
                         double at_ns);
void seam_timeline_pan (const SeamTimeline *timeline, SeamTimelineView *view, double share);
/* If the host is so far ahead that its calls would take much of the width, a view of all kernels
 * and the last calls before them; else of everything. */
SeamTimelineView seam_timeline_get_kernels_view (const SeamTimeline *timeline);
gboolean seam_timeline_sees_all (const SeamTimeline *timeline, const SeamTimelineView *view);

/* The content of a span of a lane (-1: of all). */
typedef struct {
  double ns;
  int n_kernels, n_in_part; /* wholly inside; cut by one of its ends */
  int n_copies;             /* wholly inside; not counted as kernels */
  int n_gaps;               /* between records that are wholly inside */
  double gap_ns;
  double bytes; /* of records that are wholly inside; NaN: unknown for one of them */
} SeamTimelineSpan;

void seam_timeline_measure (const SeamTimeline *timeline, int lane, double from_ns, double to_ns,
                            SeamTimelineSpan *span);
/* "2.187 ms · 4 kernels · 3 gaps of 4.50 µs · 8.46 GB": newly allocated. */
char *seam_timeline_describe_span (const SeamTimelineSpan *span);
/* The edge of a record nearest to `ns`, within `reach_ns`, or `ns` itself. */
double seam_timeline_snap (const SeamTimeline *timeline, int lane, double ns, double reach_ns);
/* "conv2d of A: 1.730 ms from 0 ns, 1.33 GB, modelled", for a SEAM_HIT_KERNEL, SEAM_HIT_GAP or
 * SEAM_HIT_LAUNCH; newly allocated, NULL for anything else. */
char *seam_timeline_describe_hit (const SeamTimeline *timeline, const SeamHit *hit);

/* Notes on the figure's marks, in some sentences for below the figure; newly allocated. */
char *seam_timeline_get_note (const SeamTimeline *timeline);
/* How many calls of the host lie wholly before the view, and since when, in a sentence; newly
 * allocated, NULL if there are none. */
char *seam_timeline_describe_left_out (const SeamTimeline *timeline, const SeamTimelineView *view);

/* Keeps no reference to the timeline's records or names. */
SeamFigure *seam_timeline_figure_new (const SeamTimeline *timeline, const SeamTimelineView *view,
                                      double width);
/* For a figure of this kind: the time at x, the lane at y (-1: between lanes), px for each
 * nanosecond. */
double seam_timeline_figure_get_time (SeamFigure *figure, double x);
int seam_timeline_figure_get_lane (SeamFigure *figure, double y);
double seam_timeline_figure_get_scale (SeamFigure *figure);
