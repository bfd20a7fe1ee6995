/* SPDX-License-Identifier: MIT
 *
 * Checks what a figure covers when it is drawn: nothing may lie outside its width and height.
 */
#pragma once

#include "app/figure/figure.h"

static inline SeamRect
ink_get_extents (SeamFigure *figure, const SeamPalette *palette)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);
  SeamRect rect;

  seam_figure_draw (figure, cr, palette);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_recording_surface_ink_extents (surface, &rect.x, &rect.y, &rect.width, &rect.height);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return rect;
}

/* A pixel of slack: extents of strokes and glyphs are rounded outwards. */
static inline void
ink_assert_inside (SeamFigure *figure, const char *what)
{
  SeamRect ink = ink_get_extents (figure, seam_palette_get (FALSE, FALSE));
  const double slack = 1.5;

  if (ink.x < -slack || ink.y < -slack || ink.x + ink.width > figure->width + slack
      || ink.y + ink.height > figure->height + slack)
    g_error ("%s: ink %.1f, %.1f, %.1f × %.1f leaves the figure of %.1f × %.1f", what, ink.x, ink.y,
             ink.width, ink.height, figure->width, figure->height);
}

/* For every element that locate() knows, pick() at its middle finds the same element. */
static inline void
ink_assert_pick (SeamFigure *figure, const SeamHit *hit, const char *what)
{
  SeamHit found;
  SeamRect rect;

  g_assert_true (seam_figure_locate (figure, hit, &rect));
  if (!seam_figure_pick (figure, rect.x + rect.width / 2, rect.y + rect.height / 2, &found)
      || !seam_hit_equal (hit, &found))
    g_error ("%s: kind %d plan %d index %d is not found in its own middle (found kind %d plan %d "
             "index %d)",
             what, hit->kind, hit->plan, hit->index, found.kind, found.plan, found.index);
}
