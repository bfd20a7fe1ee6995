/* SPDX-License-Identifier: MIT
 *
 * Places of all parts of a timeline: no colour, no surface. Internal to app/figure/ and its test.
 */
#pragma once

#include "app/figure/axis.h"
#include "app/figure/timeline.h"

/* Records narrower than this are drawn together with their neighbours. */
#define SEAM_TIMELINE_MERGE_PX 3.0

typedef struct {
  SeamRect rect; /* cut to the plot */
  int first, n_records;
  double busy; /* share of the time, 0..1, from the first record's start to the last one's end */
  int kind;    /* SeamOpKind; -1: several */
  int n_kinds; /* of a single record's ops, at least 1 */
  SeamOpKind kinds[SEAM_MAX_OPS];
  char *name;  /* fitted, or NULL */
  char *value; /* fitted, or NULL */
} SeamTimelineItem;

/* Merged items without a wider record between them, with one number for all. */
typedef struct {
  SeamRect rect;
  gint64 n_records;
  char *label; /* fitted, or NULL */
} SeamTimelineRun;

typedef struct {
  SeamRect rect; /* at least a pixel wide */
  int after;     /* the record before it */
  double ns;
} SeamTimelineGap;

/* One of the host's calls, or several that are too close to distinguish. */
typedef struct {
  SeamRect rect;
  int record; /* record of the first one */
  int n_records;
  double kernel_x; /* start of its kernel */
  int n_more;      /* for a graph: number of its other kernels, and where they begin; owned */
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
  int op; /* in lane 0's chain */
  int record_a, record_b;
  SeamOpKind kind;
  double a1, a2, b1, b2; /* x of its ends above and below */
} SeamTimelineRibbon;

typedef struct {
  double width, height, left, right; /* right: end of the plot, from the figure's left */
  double row_height, axis_y;
  SeamAxis axis; /* times of the visible part */
  int n_rows;
  SeamTimelineRow rows[2];
  int n_ribbons;
  SeamTimelineRibbon *ribbons;
  SeamRect span;         /* the measured span; width 0: none */
  char *span_label;      /* or NULL */
  double span_x, span_y; /* middle of the label */
} SeamTimelineLayout;

SeamTimelineLayout *seam_timeline_layout_new (const SeamTimeline *timeline,
                                              const SeamTimelineView *view, double width);
double seam_timeline_layout_x (const SeamTimelineLayout *layout, double ns);
