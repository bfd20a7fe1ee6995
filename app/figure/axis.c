/* SPDX-License-Identifier: MIT
 *
 * Lines and texts of axes.
 */
#include "app/figure/axis.h"

#include <math.h>

#define TEXT_BELOW 15.0 /* baseline of the numbers under the plot's foot */
#define UNIT_GAP   10.0
#define TITLE_X    10.0 /* middle of the upright title */
#define TITLE_Y    34.0 /* baseline under the plot's foot */

void
seam_axis_draw_grid_x (cairo_t *cr, const SeamPalette *palette, double x, double y1, double y2)
{
  seam_paint_line (cr, &palette->grid, 1, floor (x) + .5, y1, floor (x) + .5, y2);
}

void
seam_axis_draw_grid_y (cairo_t *cr, const SeamPalette *palette, double y, double x1, double x2)
{
  seam_paint_line (cr, &palette->grid, 1, x1, floor (y) + .5, x2, floor (y) + .5);
}

void
seam_axis_draw_x_number (cairo_t *cr, const SeamPalette *palette, const char *text, double x,
                         double baseline)
{
  seam_paint_text (cr, &palette->dim_text, text, x, baseline, SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_MIDDLE);
}

void
seam_axis_draw_y_number (cairo_t *cr, const SeamPalette *palette, const char *text, double x,
                         double y)
{
  seam_paint_text (cr, &palette->dim_text, text, x, y + SEAM_BASELINE (SEAM_SIZE_AXIS),
                   SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_END);
}

void
seam_axis_draw_titles (cairo_t *cr, const SeamPalette *palette, const SeamRect *plot,
                       const char *x_title, const char *y_title)
{
  seam_axis_draw_x_number (cr, palette, x_title, plot->x + plot->width / 2,
                           plot->y + plot->height + TITLE_Y);
  seam_paint_text_upwards (cr, &palette->dim_text, y_title, TITLE_X, plot->y + plot->height / 2,
                           SEAM_SIZE_AXIS, SEAM_REGULAR);
}

void
seam_axis_draw (const SeamAxisPlace *place, cairo_t *cr, const SeamPalette *palette)
{
  const SeamAxis *axis = place->axis;
  double end = place->left, baseline = place->y + TEXT_BELOW;

  if (axis->n_ticks == 0)
    return;
  for (int i = 0; i < axis->n_ticks; i++) {
    double x = place->zero_x + seam_axis_get_value (axis, i) * place->px_per_unit;
    g_autofree char *text = seam_axis_format_tick (axis, i);

    if (x < place->left - .5 || x > place->right + .5)
      continue;
    seam_axis_draw_grid_x (cr, palette, x, place->top, place->y);
    if (place->hide != NULL && i < place->n_hide && place->hide[i])
      continue;
    seam_axis_draw_x_number (cr, palette, text, x, baseline);
    end = x + seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_REGULAR) / 2;
  }
  seam_paint_text (cr, &palette->dim_text, place->unit, fmax (end, place->unit_after) + UNIT_GAP,
                   baseline, SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_START);
}
