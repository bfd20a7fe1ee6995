/* SPDX-License-Identifier: MIT
 *
 * Legends: swatches with a text each, in rows that wrap at the width, and colour bars. Internal to
 * app/figure/.
 */
#pragma once

#include "app/figure/axis.h"

#define SEAM_LEGEND_MAX    24
#define SEAM_LEGEND_SWATCH 16.0 /* width */

/* Draws the symbol of an entry in the middle of `swatch`; the figure defines `what`. */
typedef void (*SeamSwatchFunc) (int what, const SeamRect *swatch, cairo_t *cr,
                                const SeamPalette *palette);

typedef struct {
  int what;
  char *text; /* owned */
  SeamRect swatch;
} SeamLegendEntry;

typedef struct {
  SeamRect area; /* the area that the entries fill */
  int n_entries;
  SeamLegendEntry entries[SEAM_LEGEND_MAX];
} SeamLegend;

void seam_legend_add (SeamLegend *legend, int what, double swatch_width, const char *text);
/* Places the entries from (x, y) on, `width` wide; 0: one entry in each row. Wider texts are
 * cut. */
void seam_legend_place (SeamLegend *legend, double x, double y, double width);
void seam_legend_draw (const SeamLegend *legend, SeamSwatchFunc draw, cairo_t *cr,
                       const SeamPalette *palette);
void seam_legend_clear (SeamLegend *legend);

/* Draws viridis along `bar`, from bottom to top for an upright axis; `reversed`: bright at the
 * start. */
void seam_legend_draw_bar (const SeamAxis *axis, const SeamRect *bar, gboolean reversed,
                           cairo_t *cr);
