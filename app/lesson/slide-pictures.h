/* SPDX-License-Identifier: MIT
 *
 * What slides show of a product. The figures that the program writes have titles, several parts and
 * provenance; a slide has one part under one sentence.
 */
#pragma once

#include "app/figure/slide.h"
#include "app/report/products.h"

G_BEGIN_DECLS

typedef struct {
  char *headline;     /* NULL: none */
  SeamFigure *figure; /* laid out for seam_slide_get_figure_width() */
} SeamSlidePicture;

/* One for each slide, as SeamSlidePicture; the caller may take the figures, and sets them to NULL
 * then. NULL with an error if the source lacks what the product is made of. */
GPtrArray *seam_slide_pictures_new (const SeamProduct *product, const SeamProductSource *source,
                                    GError **error);

G_END_DECLS
