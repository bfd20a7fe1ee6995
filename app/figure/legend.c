/* SPDX-License-Identifier: MIT
 *
 * Layout and drawing of legends.
 */
#include "app/figure/legend.h"

#include <math.h>

#define ROW      20.0
#define TEXT_GAP 6.0
#define GAP      16.0
#define SWATCH   12.0 /* height */

void
seam_legend_add (SeamLegend *legend, int what, double swatch_width, const char *text)
{
  g_return_if_fail (legend->n_entries < SEAM_LEGEND_MAX);
  legend->entries[legend->n_entries++] = (SeamLegendEntry){ .what = what,
                                                            .text = g_strdup (text),
                                                            .swatch = { .width = swatch_width } };
}

void
seam_legend_place (SeamLegend *legend, double x, double y, double width)
{
  double at = x;

  legend->area = (SeamRect){ x, y, 0, legend->n_entries > 0 ? ROW : 0 };
  for (int i = 0; i < legend->n_entries; i++) {
    SeamLegendEntry *entry = &legend->entries[i];
    double before = entry->swatch.width + TEXT_GAP, needed;

    if (width > 0) {
      char *fitted =
          seam_paint_ellipsize (entry->text, width - before, SEAM_SIZE_AXIS, SEAM_REGULAR);

      g_free (entry->text);
      entry->text = fitted;
    }
    needed = before + seam_paint_measure (entry->text, SEAM_SIZE_AXIS, SEAM_REGULAR);
    if (at > x && at + needed > x + width) {
      at = x;
      legend->area.height += ROW;
    }
    entry->swatch.x = at;
    entry->swatch.y = y + legend->area.height - ROW / 2 - SWATCH / 2;
    entry->swatch.height = SWATCH;
    legend->area.width = fmax (legend->area.width, at + needed - x);
    at += needed + GAP;
  }
}

void
seam_legend_draw (const SeamLegend *legend, SeamSwatchFunc draw, cairo_t *cr,
                  const SeamPalette *palette)
{
  for (int i = 0; i < legend->n_entries; i++) {
    const SeamLegendEntry *entry = &legend->entries[i];
    const SeamRect *swatch = &entry->swatch;

    draw (entry->what, swatch, cr, palette);
    seam_paint_text (cr, &palette->text, entry->text, swatch->x + swatch->width + TEXT_GAP,
                     swatch->y + SWATCH / 2 + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS,
                     SEAM_REGULAR, SEAM_ALIGN_START);
  }
}

void
seam_legend_clear (SeamLegend *legend)
{
  for (int i = 0; i < legend->n_entries; i++)
    g_free (legend->entries[i].text);
  legend->n_entries = 0;
}

void
seam_legend_draw_bar (const SeamAxis *axis, const SeamRect *bar, gboolean reversed, cairo_t *cr)
{
  cairo_pattern_t *gradient = axis->upright
                                  ? cairo_pattern_create_linear (0, bar->y + bar->height, 0, bar->y)
                                  : cairo_pattern_create_linear (bar->x, 0, bar->x + bar->width, 0);

  for (int i = 0; i <= 10; i++) {
    SeamColor color = seam_palette_viridis (reversed ? 1 - i / 10.0 : i / 10.0);

    cairo_pattern_add_color_stop_rgb (gradient, i / 10.0, color.r, color.g, color.b);
  }
  cairo_set_source (cr, gradient);
  cairo_rectangle (cr, bar->x, bar->y, bar->width, bar->height);
  cairo_fill (cr);
  cairo_pattern_destroy (gradient);
}
