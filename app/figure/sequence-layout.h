/* SPDX-License-Identifier: MIT
 *
 * Where everything of the sample plot lies: one lane a plan with every sample in true order and the
 * histogram of the same values beside it, on one scale for all plans, and a strip with the clock
 * below. Pure: no drawing. Drawing: sequence.c; while a run goes on: samples.c.
 */
#pragma once

#include "app/figure/legend.h"
#include "app/measure/statistics.h"
#include "app/result/result.h"

G_BEGIN_DECLS

/* A sample after which the clock was more than this far under the highest of the run is marked. */
#define SEAM_SEQUENCE_LOW_CLOCK 0.05

typedef struct {
  double x, y;    /* centre; at the edge of the lane when `outside` */
  double clock_y; /* NaN: not known */
  double percent; /* from the median of its plan; NaN: no valid time */
  int outside;    /* -1 under, 1 over the axis */
  gboolean low_clock;
  gboolean slowed; /* the device slowed itself down, by its own word */
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
  SeamSequencePoint *points; /* as the samples of the plan */
  int n_bins;
  SeamRect *bars; /* from the highest values down; of width 0 where there are none */
  int *counts;
  int n_over, n_under, n_low_clock;
  int n_slowed;    /* samples that were slowed down */
  gint32 throttle; /* all reasons of the lane together; 0: not recorded */
} SeamSequenceLane;

typedef struct {
  double width, height;
  int n_lanes;
  SeamSequenceLane *lanes;
  SeamAxis x;           /* numbers of the samples */
  double largest_share; /* that the full width of a histogram stands for, 0..1 */
  int n_slots;          /* samples of all plans */
  gboolean has_gaps;    /* where other plans of the run were measured */
  double marker;        /* size of a mark */
  gboolean has_clock;
  SeamRect clock;    /* the strip; height 0 without clocks */
  SeamAxis clock_y;  /* MHz */
  char *clock_title; /* owned */
  SeamLegend legend; /* of the strip */
  double highest_clock_mhz;
} SeamSequenceLayout;

/* Plans `plans[0..n_plans)` of the result; plans without samples have a lane without points. */
SeamSequenceLayout *seam_sequence_layout_new (const SeamResult *result, const int *plans,
                                              int n_plans, double width);
void seam_sequence_layout_free (SeamSequenceLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSequenceLayout, seam_sequence_layout_free)

/* Widens low..high, in percent of the median, by an interval and the middle nine tenths of a plan's
 * samples; what lies within twice their spread is shown in its place, too. */
void seam_sequence_widen (const SeamMedian *median, const double *percent, int n, double *low,
                          double *high);
/* The square of A, the disc of B, filled where it is small. */
void seam_sequence_draw_mark (cairo_t *cr, const SeamPalette *palette, gboolean is_first, double x,
                              double y, double size, const SeamColor *color);
/* At the edge of a lane, for a sample beyond it: -1 under, 1 over. */
void seam_sequence_draw_outside (cairo_t *cr, const SeamPalette *palette, double x, double edge,
                                 int side);

G_END_DECLS
