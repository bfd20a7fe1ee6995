/* SPDX-License-Identifier: MIT
 *
 * A slide: one thing, laid out for 1920 x 1080 and scaled to the screen as a whole. No text is
 * under SEAM_SLIDE_SMALLEST there. Figures are laid out for the width that is left to them when
 * their smallest text has that size, and drawn so large; what does not fit is shown part by part.
 * app/lesson/deck.h makes the slides of a lesson.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/plan/plan.h"

#define SEAM_SLIDE_WIDTH    1920.0
#define SEAM_SLIDE_HEIGHT   1080.0
#define SEAM_SLIDE_MARGIN   96.0
#define SEAM_SLIDE_INNER    (SEAM_SLIDE_WIDTH - 2 * SEAM_SLIDE_MARGIN)
#define SEAM_SLIDE_SMALLEST 28.0

/* A key with what it does: { "Space", "reveal" }. A key without a text stands before the next one.
 */
typedef struct {
  const char *key, *text;
} SeamSlideHint;

typedef struct SeamSlide SeamSlide;

/* The line at the top: title in bold, where in it, and at the right where the numbers come from.
 * All may be NULL. */
SeamSlide *seam_slide_new (const char *title, const char *place, const char *source);
/* 92 px; smaller if it is longer than two lines. */
void seam_slide_set_headline (SeamSlide *slide, const char *headline);
/* A result as headline, 150 px, with what it means beside it; both may be NULL. */
void seam_slide_set_number (SeamSlide *slide, const char *number, const char *beside,
                            const char *note);
/* The size, in px, at which the text leaves at least `keep` px of the room; 0: no size does. */
double seam_slide_fit_text (const SeamSlide *slide, const char *text, double largest,
                            double smallest, double keep);
void seam_slide_add_text (SeamSlide *slide, const char *text, double size);
/* The height that is left above the foot. */
double seam_slide_get_room (const SeamSlide *slide);
/* Takes the figure, at the left, below what is there. `scale`: drawn so much larger. */
void seam_slide_add_figure (SeamSlide *slide, SeamFigure *figure, double scale);
/* The same at the bottom of the room, where it does not depend on what is above it. */
void seam_slide_add_figure_at_foot (SeamSlide *slide, SeamFigure *figure, double scale);
/* Part of a figure that is borrowed, (x, y) px of it at the top left of the room. */
void seam_slide_show_part (SeamSlide *slide, SeamFigure *figure, double scale, double x, double y);
/* At the foot: a list that ends with a NULL key, and one at the right, or NULL. */
void seam_slide_set_hints (SeamSlide *slide, const SeamSlideHint *hints, const SeamSlideHint *last);
/* Takes the slide. Its summary has its texts and those of its figures. */
SeamFigure *seam_slide_finish (SeamSlide *slide);

/* How much larger a figure must be drawn for its smallest text to be SEAM_SLIDE_SMALLEST; measured
 * by drawing it. */
double seam_slide_get_scale (SeamFigure *figure);
/* The width for which a figure of the program is laid out for a slide. */
double seam_slide_get_figure_width (void);

/* The letter of a plan, and its ops as blocks with their names, joined where they are fused; in
 * rows if a name would be too small in one. */
SeamFigure *seam_slide_chain_new (const SeamPlan *plan, char letter);
