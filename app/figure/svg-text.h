/* SPDX-License-Identifier: MIT
 *
 * Text in an SVG as text, so that it can be searched, copied, read aloud and edited; Cairo itself
 * would write the outlines of its glyphs. Internal to app/figure/: paint.c hands texts over,
 * figure-export.c puts them into the file.
 */
#pragma once

#include "app/figure/paint.h"

#include <pango/pango.h>

G_BEGIN_DECLS

/* Before anything is drawn on an SVG surface: keep the texts that are drawn on it. */
void seam_svg_keep_texts (cairo_surface_t *surface);
/* Keeps the text of `layout` with its top left corner at (x, y), and draws markers that take its
 * place and its clip. A program that shows it in a font of another width keeps its start, middle or
 * end in place. FALSE where the target of `cr` keeps no texts; then nothing is drawn. */
gboolean seam_svg_add_text (cairo_t *cr, PangoLayout *layout, const SeamColor *color,
                            SeamAlign align, double x, double y);
/* Puts the kept texts of a finished surface in place of their markers in `svg`, which is what the
 * surface wrote. SEAM_ERROR_INTERNAL unless there is exactly one marker for each text. */
gboolean seam_svg_put_texts (cairo_surface_t *surface, GByteArray *svg, GError **error);

G_END_DECLS
