/* SPDX-License-Identifier: MIT
 *
 * Where everything of a timeline stands: no colour, no surface. Internal to app/figure/ and its
 * test.
 */
#pragma once

#include "app/figure/axis.h"
#include "app/figure/timeline.h"

G_BEGIN_DECLS

/* Records narrower than this are drawn together with their neighbours. */
#define SEAM_TIMELINE_MERGE_PX 3.0

typedef struct {
  SeamRect rect; /* cut to the plot */
  int first, n_records;
  double busy; /* 0..1, of the time from the first one's start to the last one's end */
  int kind;    /* SeamOpKind; -1: of several */
  int n_kinds; /* of the ops of a single record, at least 1 */
  SeamOpKind kinds[SEAM_MAX_OPS];
  char *name;  /* that fits, or NULL */
  char *value; /* that fits, or NULL */
} SeamTimelineItem;

/* Merged items without a wider record between them, told by one number. */
typedef struct {
  SeamRect rect;
  gint64 n_records;
  char *label; /* that fits, or NULL */
} SeamTimelineRun;

typedef struct {
  SeamRect rect; /* at least a pixel wide */
  int after;     /* record before it */
  double ns;
} SeamTimelineGap;

/* One of the host's calls, or several that stand closer than a pixel can show. */
typedef struct {
  SeamRect rect;
  int record; /* of the first one */
  int n_records;
  double kernel_x; /* where its kernel begins */
  int n_more;      /* of a graph: how many kernels more it launched, and where they begin; owned */
  double *more_x;
} SeamTimelineCall;

typedef struct {
  char letter;
  double y, launches_y; /* top of the kernels; middle of the launches' line */
  int n_items, n_runs, n_gaps, n_calls;
  SeamTimelineItem *items;
  SeamTimelineRun *runs;
  SeamTimelineGap *gaps;
  SeamTimelineCall *calls;
  char *gaps_text[2]; /* "6 gaps", "8.00 µs", or NULL */
  double gaps_x;      /* of the text */
  char *launches;     /* "7 launches", or NULL */
  double launches_x;
  char *absent; /* or NULL */
} SeamTimelineRow;

typedef struct {
  int op; /* of lane 0's chain */
  int record_a, record_b;
  SeamOpKind kind;
  double a1, a2, b1, b2; /* x of its ends above and below */
} SeamTimelineRibbon;

typedef struct {
  double width, height, left, right; /* right: end of the plot, from the figure's left */
  double row_height, axis_y;
  SeamAxis axis; /* of times; what is seen of them */
  int n_rows;
  SeamTimelineRow rows[2];
  int n_ribbons;
  SeamTimelineRibbon *ribbons;
  SeamRect span;         /* what is measured; width 0: nothing */
  char *span_label;      /* or NULL */
  double span_x, span_y; /* middle of the label */
} SeamTimelineLayout;

SeamTimelineLayout *seam_timeline_layout_new (const SeamTimeline *timeline,
                                              const SeamTimelineView *view, double width);
void seam_timeline_layout_free (SeamTimelineLayout *layout);
double seam_timeline_layout_x (const SeamTimelineLayout *layout, double ns);

G_END_DECLS
