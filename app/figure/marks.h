/* SPDX-License-Identifier: MIT
 *
 * Draws series: marks, intervals, lines through points, and kernels as blocks. Internal to
 * app/figure/.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/paint.h"

typedef enum {
  SEAM_MARK_SQUARE,
  SEAM_MARK_DISC,
  SEAM_MARK_TRIANGLE,
  SEAM_MARK_TRIANGLE_DOWN,
  SEAM_MARK_DIAMOND,
} SeamMark;

/* Draws a mark, `size` wide, with its middle at (x, y); `fill` and `stroke` may be NULL. */
void seam_mark_draw (cairo_t *cr, SeamMark mark, double x, double y, double size,
                     const SeamColor *fill, const SeamColor *stroke, double line_width);
/* Draws an interval from (x1, y1) to (x2, y2), along x or along y, with strokes of `cap` to both
 * sides at its ends. Draws nothing if an end is NaN. */
void seam_mark_draw_interval (cairo_t *cr, const SeamColor *color, double line_width, double x1,
                              double y1, double x2, double y2, double cap);

typedef struct {
  double x, y;          /* NaN y: not measured */
  double low_y, high_y; /* 95 % interval; NaN unknown */
} SeamSeriesPoint;

typedef struct {
  SeamMark mark;
  double size, line_width;
  const SeamColor *line, *fill; /* of line and edges; of marks */
  int dashes;                   /* 0: solid; 1, 2, …: different patterns */
} SeamSeriesStyle;

/* A missing point interrupts the line. */
void seam_series_draw (const SeamSeriesPoint *points, int n, const SeamSeriesStyle *style,
                       cairo_t *cr, const SeamPalette *palette);

#define SEAM_KERNEL_NAME_SIZE  12.5 /* bold */
#define SEAM_KERNEL_VALUE_SIZE 12.0
/* Texts that fit a kernel `width` px wide: its time, and its longest fitting name; NULL if nothing
 * fits. "matmul_bias … groupnorm" stands for `n_ops` ops; shorter is the last op with the number of
 * others. "groupnorm apply" is a part of an op; shorter is the name of that part. */
void seam_kernel_fit (const char *full_name, int n_ops, double ns, SeamUnit unit, double width,
                      char **name, char **value);
/* Draws a kernel: a tinted block with its ops as a band at the bottom, name and value in the
 * middle. Both may be NULL. */
void seam_kernel_draw (const SeamRect *rect, const SeamOpKind *kinds, int n_kinds,
                       SeamOpKind main_kind, const char *name, const char *value, cairo_t *cr,
                       const SeamPalette *palette);
