/* SPDX-License-Identifier: MIT
 *
 * Where everything of a bandwidth curve stands: no colour, no surface. Internal to app/figure/ and
 * its test.
 */
#pragma once

#include "app/figure/axis.h"
#include "app/figure/bandwidth.h"
#include "app/figure/marks.h"

G_BEGIN_DECLS

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

typedef struct {
  double width, height;
  SeamRect plot;
  SeamAxis x, y; /* working sets, logarithmic; rates from 0 */
  int n_marks;
  SeamSeriesPoint *marks; /* owned */
  gboolean has_knee;
  SeamBandwidthLevel levels[2]; /* cache, memory; of a curve with a knee */
  SeamBandwidthPost knee, reported;
} SeamBandwidthLayout;

SeamBandwidthLayout *seam_bandwidth_layout_new (const SeamCalibration *calibration, double width,
                                                double height);
void seam_bandwidth_layout_free (SeamBandwidthLayout *layout);

G_END_DECLS
