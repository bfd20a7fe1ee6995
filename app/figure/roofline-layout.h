/* SPDX-License-Identifier: MIT
 *
 * Places of all parts of a roofline: no colour, no surface. Internal to app/figure/ and its test.
 */
#pragma once

#include "app/figure/legend.h"
#include "app/figure/roofline-figure.h"

typedef struct {
  double x, y; /* centre */
  double size; /* of the mark */
  int point;   /* index into roofline->points */
  int side, kernel;
  SeamOpKind op_kind;
  gboolean measured, over; /* over: above the bound in force */
  gboolean is_cache;       /* bytes are those of L2 */
  char *label;             /* placed without overlaps, or NULL */
  double label_x, label_y; /* left end, baseline */
  SeamRect label_rect;
} SeamRooflineMark;

typedef struct {
  SeamBoundKind kind;
  gboolean in_force, is_cache;
  double x1, y1, x2, y2;
  char *label;                          /* "DRAM 4.30 TB/s, measured" */
  double label_x, label_y, label_angle; /* middle of the label's baseline; radians */
  double label_width;
} SeamRooflineLine;

typedef struct {
  double width, height;
  SeamRect plot;
  SeamAxis x, y; /* intensities and rates, over whole decades */
  SeamLegend legend;
  int n_marks;
  SeamRooflineMark *marks;
  int n_lines;
  SeamRooflineLine *lines;
  gboolean has_join; /* from A's plan to B's */
  double join[4];
} SeamRooflineLayout;

/* Entries of the legend. */
typedef enum {
  SEAM_ROOFLINE_A,
  SEAM_ROOFLINE_B,
  SEAM_ROOFLINE_LARGE,
  SEAM_ROOFLINE_MODELLED,
  SEAM_ROOFLINE_MEASURED,
  SEAM_ROOFLINE_CACHE,
} SeamRooflineKey;

SeamRooflineLayout *seam_roofline_layout_new (const SeamRoofline *roofline, double width,
                                              double height);
