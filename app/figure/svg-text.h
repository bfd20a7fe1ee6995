/* SPDX-License-Identifier: MIT
 *
 * Text in an SVG as text, so that it can be searched, copied, read aloud and edited; Cairo itself
 * would write the outlines of its glyphs. Internal to app/figure/: paint.c adds texts,
 * figure-export.c puts them into the file.
 */
#pragma once

#include "app/figure/paint.h"

#include <pango/pango.h>

/* Call it before drawing on an SVG surface: keeps the texts that are drawn on it. */
void seam_svg_keep_texts (cairo_surface_t *surface);
/* Keeps the text of `layout` with its top left corner at (x, y), and draws markers with its place
 * and its clip. If a viewer's font has another width, the start, middle or end of the text stays in
 * place. FALSE if the target of `cr` keeps no texts; then nothing is drawn. */
gboolean seam_svg_add_text (cairo_t *cr, PangoLayout *layout, const SeamColor *color,
                            SeamAlign align, double x, double y);
/* Replaces the markers in `svg`, the output of a finished surface, by the kept texts of that
 * surface. SEAM_ERROR_INTERNAL unless there is exactly one marker for each text. */
gboolean seam_svg_put_texts (cairo_surface_t *surface, GByteArray *svg, GError **error);
