/* SPDX-License-Identifier: MIT
 *
 * The axis below bars and lanes: grid lines, numbers under them, the unit behind the last one.
 * Internal to app/figure/.
 */
#pragma once

#include "app/figure/paint.h"
#include "app/figure/scale.h"

G_BEGIN_DECLS

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
