/* SPDX-License-Identifier: MIT
 *
 * Where everything of a bandwidth curve stands: no colour, no surface. Internal to app/figure/ and
 * its test.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/bandwidth.h"
#include "app/figure/scale.h"

G_BEGIN_DECLS

typedef struct {
  double x, y;
  double low_y, high_y; /* 95 % interval; NaN unknown */
} SeamBandwidthMark;

typedef struct {
  double position; /* x or y of its line */
  char *text;
} SeamBandwidthTick;

/* A level of the curve, from x1 to x2, with its label above it. */
typedef struct {
  double x1, x2, y;
  char *label; /* "cache 1.2 TB/s" */
  double label_x, label_y;
} SeamBandwidthLevel;

/* An upright line with its label at its head. */
typedef struct {
  gboolean shown;
  double x;
  char *label; /* "cache ends at 58.2 MB", "60.0 MB reported" */
  double label_x, label_y;
  gboolean at_left; /* the label lies left of the line */
} SeamBandwidthPost;

#define SEAM_BANDWIDTH_MAX_TICKS 24

typedef struct {
  double width, height;
  SeamRect plot;
  SeamUnit unit;        /* of the rates */
  SeamUnit size;        /* of the working sets */
  double x_low, x_high; /* log10 of the sizes at the edges */
  SeamAxis axis;        /* of the rates, from 0, in `unit` */
  int n_x, n_y;
  SeamBandwidthTick x_ticks[SEAM_BANDWIDTH_MAX_TICKS], y_ticks[SEAM_BANDWIDTH_MAX_TICKS];
  int n_marks;
  SeamBandwidthMark *marks; /* owned */
  gboolean has_knee;
  SeamBandwidthLevel levels[2]; /* cache, memory; of a curve with a knee */
  SeamBandwidthPost knee, reported;
} SeamBandwidthLayout;

SeamBandwidthLayout *seam_bandwidth_layout_new (const SeamCalibration *calibration, double width,
                                                double height);
void seam_bandwidth_layout_free (SeamBandwidthLayout *layout);
double seam_bandwidth_layout_x (const SeamBandwidthLayout *layout, double bytes);
double seam_bandwidth_layout_y (const SeamBandwidthLayout *layout, double bytes_per_s);

G_END_DECLS
