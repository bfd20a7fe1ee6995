/* SPDX-License-Identifier: MIT
 *
 * Bandwidth of reads over the size of the working set, from a calibration: the curve with its
 * intervals, the knee where the cache ends, and the levels on both sides. Hits: SEAM_HIT_SAMPLE,
 * index: the point.
 */
#pragma once

#include "app/figure/axis.h"
#include "app/figure/figure.h"
#include "app/figure/marks.h"
#include "app/result/calibration.h"

/* `height` 0: one that suits the width. Without points the plot is empty and says so. */
SeamFigure *seam_bandwidth_figure_new (const SeamCalibration *calibration, double width,
                                       double height);
/* "12.6 MB: 41.2 GB/s, 95 % interval 41.0 to 41.5 …": newly allocated. */
char *seam_bandwidth_describe_point (const SeamCalibration *calibration, int point);

/* ---- the layout: all places, without colour or surface; for the test ---- */

/* A level of the curve, from x1 to x2, with its label beside it, where nothing is. */
typedef struct {
  double x1, x2, y;
  char *label; /* "cache 1.2 TB/s" */
  double label_x, label_y;
} SeamBandwidthLevel;

/* An upright line with its label at its top. */
typedef struct {
  gboolean shown;
  double x;
  char *label; /* "cache ends at 58.2 MB", "60.0 MB reported" */
  double label_x, label_y;
  gboolean at_left; /* the label is left of the line */
} SeamBandwidthPost;

typedef struct {
  double width, height;
  SeamRect plot;
  SeamAxis x, y; /* working sets, logarithmic; rates from 0 */
  int n_marks;
  SeamSeriesPoint *marks; /* owned */
  gboolean has_knee;
  SeamBandwidthLevel levels[2]; /* cache, memory; for a curve with a knee */
  SeamBandwidthPost knee, reported;
} SeamBandwidthLayout;

SeamBandwidthLayout *seam_bandwidth_layout_new (const SeamCalibration *calibration, double width,
                                                double height);
