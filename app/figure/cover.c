/* SPDX-License-Identifier: MIT
 *
 * Draws covers and the marks of lessons.
 */
#include "app/figure/cover.h"

#include <math.h>

/* In sizes of the text. */
#define EYE   1.25 /* width of the eye */
#define PAD   .8   /* between edge, eye and text */
#define ROUND .5

static void
draw_eye (cairo_t *cr, const SeamColor *color, double x, double y, double width)
{
  double half = width / 2, lid = width * .42;

  seam_palette_set_source (cr, color);
  cairo_set_line_width (cr, width * .1);
  cairo_new_path (cr);
  cairo_move_to (cr, x - half, y);
  cairo_curve_to (cr, x - half / 2, y - lid, x + half / 2, y - lid, x + half, y);
  cairo_curve_to (cr, x + half / 2, y + lid, x - half / 2, y + lid, x - half, y);
  cairo_close_path (cr);
  cairo_stroke (cr);
  cairo_arc (cr, x, y, width * .14, 0, 2 * G_PI);
  cairo_stroke (cr);
  cairo_move_to (cr, x - half * .8, y + lid);
  cairo_line_to (cr, x + half * .8, y - lid);
  cairo_stroke (cr);
}

double
seam_cover_measure (const char *text, double size)
{
  return size * (EYE + 3 * PAD) + seam_paint_measure (text, size, SEAM_REGULAR);
}

void
seam_cover_draw (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect, const char *text,
                 double size)
{
  double line = fmax (palette->high_contrast ? 2 : 1.2, size / 13 * 1.2);
  double dash = fmax (4, size / 3), middle = rect->y + rect->height / 2;
  double text_x = rect->x + size * (EYE + 2 * PAD);
  const double dashes[] = { dash, dash * .75 };
  g_autofree char *fits = seam_paint_ellipsize (
      text, rect->x + rect->width - size * PAD / 2 - text_x, size, SEAM_REGULAR);

  seam_paint_box (cr, rect, size * ROUND, &palette->cover, NULL, 0);
  cairo_set_dash (cr, dashes, 2, 0);
  seam_paint_box (cr, rect, size * ROUND, NULL, &palette->glyph, line);
  cairo_set_dash (cr, NULL, 0, 0);
  draw_eye (cr, &palette->dim_text, rect->x + size * (PAD + EYE / 2), middle, size * EYE);
  seam_paint_text (cr, &palette->text, fits, text_x, middle + SEAM_BASELINE (size), size,
                   SEAM_REGULAR, SEAM_ALIGN_START);
}

static const SeamMark shapes[] = {
  [SEAM_VALUE_PREDICTED] = SEAM_MARK_DIAMOND,
  [SEAM_VALUE_GUESSED] = SEAM_MARK_TRIANGLE,
  [SEAM_VALUE_MEASURED] = SEAM_MARK_DISC,
};

void
seam_value_mark_draw (cairo_t *cr, const SeamPalette *palette, SeamValueMark mark, double x,
                      double y, double size)
{
  gboolean filled = mark == SEAM_VALUE_MEASURED;

  /* The card's colour inside a hollow mark keeps grid lines out of it. */
  seam_mark_draw (cr, shapes[mark], x, y, size, filled ? &palette->text : &palette->card,
                  &palette->text, fmax (1.6, size * .13));
}

void
seam_value_mark_draw_beyond (cairo_t *cr, const SeamPalette *palette, SeamValueMark mark,
                             double edge, double y, double size)
{
  double arrow = size * .5, tip = edge + arrow + size * .2;

  seam_palette_set_source (cr, &palette->text);
  cairo_set_line_width (cr, fmax (1.6, size * .13));
  cairo_move_to (cr, tip - arrow * .6, y - arrow * .7);
  cairo_line_to (cr, tip, y);
  cairo_line_to (cr, tip - arrow * .6, y + arrow * .7);
  cairo_stroke (cr);
  seam_value_mark_draw (cr, palette, mark, edge - size * .7, y, size);
}
