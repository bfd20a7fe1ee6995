/* SPDX-License-Identifier: MIT
 *
 * Draws a horizontal axis.
 */
#include "app/figure/axis.h"

#include "app/base/text.h"

#include <math.h>

#define TEXT_BELOW 15.0 /* baseline of the numbers under the plot's foot */
#define UNIT_GAP   10.0

void
seam_axis_draw (const SeamAxisPlace *place, cairo_t *cr, const SeamPalette *palette)
{
  const SeamAxis *axis = place->axis;
  double end = place->left, baseline = place->y + TEXT_BELOW;

  if (axis->n_ticks == 0)
    return;
  for (int i = 0; i < axis->n_ticks; i++) {
    double value = axis->first + i * axis->step;
    double x = place->zero_x + value * place->px_per_unit, line = floor (x) + .5;
    g_autofree char *number = seam_text_fixed (value, axis->decimals);
    const char *text = fabs (value) < axis->step / 2 ? "0" : number;

    if (x < place->left - .5 || x > place->right + .5)
      continue;
    seam_paint_line (cr, &palette->grid, 1, line, place->top, line, place->y);
    if (place->hide != NULL && i < place->n_hide && place->hide[i])
      continue;
    seam_paint_text (cr, &palette->dim_text, text, x, baseline, SEAM_SIZE_AXIS, SEAM_REGULAR,
                     SEAM_ALIGN_MIDDLE);
    end = x + seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_REGULAR) / 2;
  }
  seam_paint_text (cr, &palette->dim_text, place->unit, fmax (end, place->unit_after) + UNIT_GAP,
                   baseline, SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_START);
}
