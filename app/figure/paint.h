/* SPDX-License-Identifier: MIT
 *
 * Small drawing tools that the figures share: text with tabular figures (measured and drawn alike),
 * boxes, lines, the tensor glyph, plan badges, op bands and hover rings. Internal to app/figure/.
 */
#pragma once

#include "app/figure/figure.h"

/* Sizes in px. */
#define SEAM_SIZE_HEADLINE 31.0
#define SEAM_SIZE_TITLE    14.0
#define SEAM_SIZE_LABEL    13.5
#define SEAM_SIZE_AXIS     12.0
#define SEAM_SIZE_SMALL    11.5

/* Pango weights. */
#define SEAM_REGULAR 400
#define SEAM_BOLD    700
#define SEAM_HEAVY   800

typedef enum { SEAM_ALIGN_START, SEAM_ALIGN_MIDDLE, SEAM_ALIGN_END } SeamAlign;

/* Distance from the start of something `width` wide to the point that `align` names. */
double seam_align_offset (SeamAlign align, double width);

/* Width in px of one line. */
double seam_paint_measure (const char *text, double size, int weight);
/* `x` is the start, middle or end of the line; `baseline` is the y of its baseline. */
void seam_paint_text (cairo_t *cr, const SeamColor *color, const char *text, double x,
                      double baseline, double size, int weight, SeamAlign align);
/* The same on a plate of the card's colour, for texts over lines. */
void seam_paint_label (cairo_t *cr, const SeamPalette *palette, const SeamColor *color,
                       const char *text, double x, double baseline, double size, int weight,
                       SeamAlign align);
/* Rotated by a quarter turn, read from bottom to top; centred at (x, y). */
void seam_paint_text_upwards (cairo_t *cr, const SeamColor *color, const char *text, double x,
                              double y, double size, int weight);
/* `text` cut with an ellipsis so that it is at most `width` wide; newly allocated, "" when even
 * the ellipsis does not fit. */
char *seam_paint_ellipsize (const char *text, double width, double size, int weight);
/* The same, with as much of the end as of the beginning: for names that differ at their ends. */
char *seam_paint_ellipsize_middle (const char *text, double width, double size, int weight);

/* A paragraph wrapped to `width`; `max_lines` 0: as many as it needs, else cut with an ellipsis.
 * Measuring returns the height in px. `family` NULL: the interface font. */
double seam_paint_measure_paragraph (const char *text, double width, double size, int weight,
                                     gboolean monospace, int max_lines);
void seam_paint_paragraph (cairo_t *cr, const SeamColor *color, const char *text, double x,
                           double y, double width, double size, int weight, gboolean monospace,
                           int max_lines);

/* Calls `watch` for every text that this thread draws, with its size in px on the surface; NULL:
 * nobody watches. For tests that measure how large the type of a slide is. */
typedef void (*SeamPaintWatch) (const char *text, double size, gpointer data);
void seam_paint_watch_text (SeamPaintWatch watch, gpointer data);

/* Distance from the middle of a line of text to its baseline, for texts centred on each other. */
#define SEAM_BASELINE(size) ((size)*.36)

void seam_paint_rounded (cairo_t *cr, const SeamRect *rect, double radius);
/* Fill and stroke are optional; the stroke lies inside the rectangle. */
void seam_paint_box (cairo_t *cr, const SeamRect *rect, double radius, const SeamColor *fill,
                     const SeamColor *stroke, double line_width);
void seam_paint_line (cairo_t *cr, const SeamColor *color, double width, double x1, double y1,
                      double x2, double y2);
void seam_paint_dashed (cairo_t *cr, const SeamColor *color, double width, double x1, double y1,
                        double x2, double y2);
/* An open arrow head at (x, y); direction in quarter turns: 0 right, 1 down, 3 up. */
void seam_paint_arrow_head (cairo_t *cr, const SeamColor *color, double x, double y, int direction);
/* A row of memory cells, 30 x 13, centred at x with its top at y. */
void seam_paint_tensor (cairo_t *cr, const SeamPalette *palette, const SeamColor *color, double x,
                        double y);
#define SEAM_TENSOR_WIDTH  30.0
#define SEAM_TENSOR_HEIGHT 13.0
/* A: outlined, B and later: filled. 22 x 22 at (x, y). */
void seam_paint_badge (cairo_t *cr, const SeamPalette *palette, char letter, double x, double y);
#define SEAM_BADGE_SIZE 22.0
/* A padlock, 9 x 11, centred at (x, y). */
void seam_paint_lock (cairo_t *cr, const SeamPalette *palette, double x, double y);
/* Equal parts, one for each kind, with small gaps. If that is too narrow, only `main_kind`. */
void seam_paint_band (cairo_t *cr, const SeamPalette *palette, const SeamOpKind *kinds, int n_kinds,
                      SeamOpKind main_kind, const SeamRect *rect);
/* Tinted fill and edge of a block or segment; in high contrast the pattern covers all of it except
 * a plate for the text. */
void seam_paint_block (cairo_t *cr, const SeamPalette *palette, SeamOpKind kind,
                       const SeamRect *rect, double radius);
void seam_paint_plate (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect);
/* Diagonal hatching in glyph colour. */
void seam_paint_hatch (cairo_t *cr, const SeamPalette *palette, const SeamRect *rect);

/* In the order in which they are drawn over each other. */
typedef enum {
  SEAM_RING_SELECTED,
  SEAM_RING_BESIDE, /* what the selected one is compared with */
  SEAM_RING_HOVER,
  SEAM_RING_FOCUS,
} SeamRing;
void seam_paint_ring (cairo_t *cr, const SeamPalette *palette, SeamRing ring, const SeamRect *rect,
                      double radius);

gboolean seam_rect_contains (const SeamRect *rect, double x, double y);
/* Whether a line from (x1, y1) to (x2, y2) runs through it. */
gboolean seam_rect_is_crossed (const SeamRect *rect, double x1, double y1, double x2, double y2);
SeamRect seam_rect_inset (const SeamRect *rect, double by);
