/* SPDX-License-Identifier: MIT
 *
 * Places of all parts of the sample plot: one lane for each plan, with every sample in true order
 * and the histogram of the same values beside it, on one scale for all plans, and a strip with the
 * clock below. Pure: sequence.c draws it; samples.c is the plot during a run.
 */
#pragma once

#include "app/figure/legend.h"
#include "app/base/statistics.h"
#include "app/result/result.h"

/* A sample is marked if the clock after it was lower than the highest clock of the run by more than
 * this. */
#define SEAM_SEQUENCE_LOW_CLOCK 0.05

typedef struct {
  double x, y;    /* centre; at the edge of the lane if `outside` */
  double clock_y; /* NaN: not known */
  double percent; /* from the median of its plan; NaN: no valid time */
  int outside;    /* -1 under, 1 over the axis */
  gboolean low_clock;
  gboolean slowed; /* the device reported that it slowed itself down */
} SeamSequencePoint;

typedef struct {
  int plan; /* of the result */
  char letter;
  char *name;                     /* owned */
  SeamAxis y;                     /* percent, the same for all lanes */
  SeamRect plot, histogram;       /* same top and height */
  double median_y, low_y, high_y; /* low_y, high_y NaN without an interval */
  SeamMedian median;              /* ns */
  int n_points;
  SeamSequencePoint *points; /* in the order of the plan's samples */
  int n_bins;
  SeamRect *bars; /* from the highest values down; width 0 for empty bins */
  int *counts;
  int n_over, n_under, n_low_clock;
  int n_slowed;    /* samples that were slowed down */
  gint32 throttle; /* reasons of all samples in the lane; 0: not recorded */
} SeamSequenceLane;

typedef struct {
  double width, height;
  int n_lanes;
  SeamSequenceLane *lanes;
  SeamAxis x;           /* numbers of the samples */
  double largest_share; /* share of samples that the full width of a histogram stands for, 0..1 */
  int n_slots;          /* samples of all plans */
  gboolean has_gaps;    /* gaps for samples of other plans of the run */
  double marker;        /* size of a mark */
  gboolean has_clock;
  SeamRect clock;    /* the strip; height 0 without clocks */
  SeamAxis clock_y;  /* MHz */
  char *clock_title; /* owned */
  SeamLegend legend; /* legend of the strip */
  double highest_clock_mhz;
} SeamSequenceLayout;

/* Lays out plans `plans[0..n_plans)` of the result; plans without samples have a lane without
 * points. */
SeamSequenceLayout *seam_sequence_layout_new (const SeamResult *result, const int *plans,
                                              int n_plans, double width);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSequenceLayout, seam_owner_free)

/* Widens low..high, in percent of the median, to include an interval and the middle nine tenths of
 * a plan's samples, as well as samples within twice the spread of these. */
void seam_sequence_widen (const SeamMedian *median, const double *percent, int n, double *low,
                          double *high);
/* A square for A, a disc for B; filled if it is small. */
void seam_sequence_draw_mark (cairo_t *cr, const SeamPalette *palette, gboolean is_first, double x,
                              double y, double size, const SeamColor *color);
/* A mark at the edge of a lane, for a sample beyond it: -1 under, 1 over. */
void seam_sequence_draw_outside (cairo_t *cr, const SeamPalette *palette, double x, double edge,
                                 int side);
