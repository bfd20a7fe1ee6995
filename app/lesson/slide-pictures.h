/* SPDX-License-Identifier: MIT
 *
 * What a lesson shows of a product, on slides and in its pane. The figures that the program writes
 * have titles, several parts and provenance; a lesson shows one part under one sentence.
 */
#pragma once

#include "app/figure/slide.h"
#include "app/report/products.h"

G_BEGIN_DECLS

typedef struct {
  char *headline; /* NULL: none */
  SeamFigure *figure;
} SeamSlidePicture;

/* One for each slide, as SeamSlidePicture; the caller may take the figures, and sets them to NULL
 * then. `width`: seam_slide_get_figure_width(), for which they have at most the height of a slide
 * if they can; or that of another place. NULL with an error if the source lacks what the product is
 * made of. */
GPtrArray *seam_slide_pictures_new (const SeamProduct *product, const SeamProductSource *source,
                                    double width, GError **error);

G_END_DECLS
