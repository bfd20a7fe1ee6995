/* SPDX-License-Identifier: MIT
 *
 * The cover over a result that must not be seen yet, and the marks of lessons: what was predicted,
 * guessed and measured. Internal to app/figure/.
 */
#pragma once

#include "app/figure/marks.h"

#define SEAM_COVER_TEXT 13.0

/* A dashed box with an eye that is struck out and the text, which says what is hidden. `size` is
 * that of the text; the rest has its proportions. */
void seam_cover_draw (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect,
                      const char *text, double size);
/* Width of a cover that holds the text. */
double seam_cover_measure (const char *text, double size);

/* The same three marks everywhere, told apart by shape. */
typedef enum { SEAM_VALUE_PREDICTED, SEAM_VALUE_GUESSED, SEAM_VALUE_MEASURED } SeamValueMark;
void seam_value_mark_draw (cairo_t *cr, const SeamPalette *palette, SeamValueMark mark, double x,
                           double y, double size);
/* The mark of a value that lies beyond the right end of an axis: at the edge, with an arrow. */
void seam_value_mark_draw_beyond (cairo_t *cr, const SeamPalette *palette, SeamValueMark mark,
                                  double edge, double y, double size);
