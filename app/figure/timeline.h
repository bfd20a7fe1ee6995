/* SPDX-License-Identifier: MIT
 *
 * The timeline: the kernels and copies of one or two plans above each other on one time scale,
 * gaps marked, ribbons between kernels that do the same ops. The records are read once
 * (SeamTimeline); each view of a part of the time is a figure of its own, made in a time that does
 * not grow with the number of records. Hits: SEAM_HIT_KERNEL, SEAM_HIT_GAP and SEAM_HIT_LAUNCH,
 * plan: lane (0: A).
 */
#pragma once

#include "app/figure/figure.h"
#include "app/result/result.h"

G_BEGIN_DECLS

/* One kernel or copy. */
typedef struct {
  double start_ns, end_ns; /* from the start of the first one of its plan */
  double bytes;            /* modelled; NaN: unknown */
  const char *name;        /* borrowed, or NULL */
  gint8 first_op, last_op; /* of the plan's chain; -1: a copy */
  guint8 kind;             /* SeamOpKind that stands for it */
  /* The host's call for it, on the same clock; call_ns not above 0: unknown, or none. */
  double call_start_ns, call_ns;
} SeamTimelineRecord;

/* Kernels a plan may use for one op and still have ribbons: beyond it they show nothing. */
#define SEAM_TIMELINE_MAX_PER_OP 8

typedef struct {
  char letter;    /* A, and B or seam_result_get_letter() */
  char *title;    /* of the plan */
  char *absent;   /* why there are no records, or NULL */
  int n_launches; /* of one execution; -1: unknown */
  int n_records;
  SeamTimelineRecord *records; /* owned; in order of time, none begins before the last one ends */
  SeamOpKind op_kinds[SEAM_MAX_OPS];
  int op_partner[SEAM_MAX_OPS]; /* the same op in lane 0's chain, or -1 */
  /* Derived from the records: */
  int n_gaps;
  double *busy_ns;    /* [n_records + 1]: time in the records before this one */
  int *same_kind_end; /* [n_records]: the first after it of another kind */
  gboolean is_graph;  /* one call launched all records */
  int n_calls;
  int *calls;                /* [n_calls]: records whose call is known, in order of their calls */
  int n_of_op[SEAM_MAX_OPS]; /* records that do op i, by lane 0's number of it */
  int of_op[SEAM_MAX_OPS][SEAM_TIMELINE_MAX_PER_OP];
} SeamTimelineLane;

typedef struct {
  int n_lanes;
  SeamTimelineLane lanes[2];
  double start_ns;    /* of the first call of the host, or 0 where none began before a kernel */
  double end_ns;      /* of the longer lane; 0: no records */
  int execution;      /* the one that is shown; -1: medians of all */
  int n_executions;   /* that were traced of every plan */
  SeamResult *result; /* that the names belong to, or NULL */
} SeamTimeline;

/* Plans `a` and `b` of a result (b -1: `a` alone). A plan that was not traced is a lane that says
 * so. SEAM_ERROR_INPUT for plans the result has not, SEAM_ERROR_FILE when its pipeline cannot be
 * read. */
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
void seam_timeline_free (SeamTimeline *timeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTimeline, seam_timeline_free)

/* Which part of the time is seen, and what is measured. */
typedef struct {
  double from_ns, to_ns;           /* to_ns <= from_ns: all of it, the host's calls too */
  int span_lane;                   /* that the measured span is of; -1: all */
  double span_from_ns, span_to_ns; /* NaN: nothing is measured */
} SeamTimelineView;

#define SEAM_TIMELINE_VIEW_ALL ((SeamTimelineView){ 0, 0, -1, NAN, NAN })
/* The shortest time that fills the figure. */
#define SEAM_TIMELINE_MIN_NS 100.0

/* Times `factor` (< 1: nearer) around `at_ns`, which stays where it is; and moved by a share of
 * what is seen. Both stay between start and end. */
void seam_timeline_zoom (const SeamTimeline *timeline, SeamTimelineView *view, double factor,
                         double at_ns);
void seam_timeline_pan (const SeamTimeline *timeline, SeamTimelineView *view, double share);
/* Where the host is so far ahead that its calls would take much of the width, all kernels and the
 * last of the calls before them; else all. */
SeamTimelineView seam_timeline_get_kernels_view (const SeamTimeline *timeline);
gboolean seam_timeline_sees_all (const SeamTimeline *timeline, const SeamTimelineView *view);

/* What a span holds of a lane (-1: of all). */
typedef struct {
  double ns;
  int n_kernels, n_in_part; /* wholly inside; cut by one of its ends */
  int n_copies;             /* wholly inside; not among the kernels */
  int n_gaps;               /* between what is wholly inside */
  double gap_ns;
  double bytes; /* of what is wholly inside; NaN: unknown for one of them */
} SeamTimelineSpan;

void seam_timeline_measure (const SeamTimeline *timeline, int lane, double from_ns, double to_ns,
                            SeamTimelineSpan *span);
/* "2.187 ms · 4 kernels · 3 gaps of 4.50 µs · 8.46 GB": newly allocated. */
char *seam_timeline_describe_span (const SeamTimelineSpan *span);
/* The edge of a record nearest to `ns`, within `reach_ns`, or `ns` itself. */
double seam_timeline_snap (const SeamTimeline *timeline, int lane, double ns, double reach_ns);
/* "conv2d of A: 1.730 ms from 0 ns, 1.33 GB, modelled": of a SEAM_HIT_KERNEL, SEAM_HIT_GAP or
 * SEAM_HIT_LAUNCH; newly allocated, NULL for anything else. */
char *seam_timeline_describe_hit (const SeamTimeline *timeline, const SeamHit *hit);

/* What is drawn, in some sentences for below the figure; newly allocated. */
char *seam_timeline_get_note (const SeamTimeline *timeline);
/* How many calls of the host lie wholly before the view, and since when, in a sentence; newly
 * allocated, NULL where none do. */
char *seam_timeline_describe_left_out (const SeamTimeline *timeline, const SeamTimelineView *view);

/* Keeps no reference to the timeline's records, nor to its names. */
SeamFigure *seam_timeline_figure_new (const SeamTimeline *timeline, const SeamTimelineView *view,
                                      double width);
/* For a figure of this kind: the time under x, the lane under y (-1: between), px a nanosecond. */
double seam_timeline_figure_get_time (SeamFigure *figure, double x);
int seam_timeline_figure_get_lane (SeamFigure *figure, double y);
double seam_timeline_figure_get_scale (SeamFigure *figure);

G_END_DECLS
