/* SPDX-License-Identifier: MIT
 *
 * What axes are drawn with: grid lines, numbers and titles of any plot, and as a whole the axis
 * below bars and lanes, with its unit behind the last number. Internal to app/figure/.
 */
#pragma once

#include "app/figure/paint.h"
#include "app/figure/scale.h"

G_BEGIN_DECLS

/* A grid line on the pixel of `x` or `y`. */
void seam_axis_draw_grid_x (cairo_t *cr, const SeamPalette *palette, double x, double y1,
                            double y2);
void seam_axis_draw_grid_y (cairo_t *cr, const SeamPalette *palette, double y, double x1,
                            double x2);
/* A tick's number below a plot, its middle at `x`. */
void seam_axis_draw_x_number (cairo_t *cr, const SeamPalette *palette, const char *text, double x,
                              double baseline);
/* A tick's number left of a plot, its end at `x` and half of its height at `y`. */
void seam_axis_draw_y_number (cairo_t *cr, const SeamPalette *palette, const char *text, double x,
                              double y);
/* Below the numbers of `plot` and, upwards, at the left edge of the figure. */
void seam_axis_draw_titles (cairo_t *cr, const SeamPalette *palette, const SeamRect *plot,
                            const char *x_title, const char *y_title);

/* The axis below bars and lanes. */
typedef struct {
  const SeamAxis *axis; /* in the unit */
  const char *unit;
  double zero_x, px_per_unit; /* where 0 stands, or would */
  double left, right;         /* ticks beyond are left out */
  double top, y;              /* of the grid lines; y is the foot of the plot */
  const gboolean *hide;       /* [n_hide] numbers that something else stands on, or NULL */
  int n_hide;
  double unit_after; /* the unit stands right of this, too; 0: of the last number */
} SeamAxisPlace;

void seam_axis_draw (const SeamAxisPlace *place, cairo_t *cr, const SeamPalette *palette);

G_END_DECLS
