/* SPDX-License-Identifier: MIT
 *
 * The slides of a lesson, or of any figures: which there are, what of them is covered, and what a
 * class predicted. The window's presenter (ui/presenter) shows them; this needs no window.
 *
 * A prediction and the comparison that follows it are one slide with two states, so that the plot
 * of the class does not move when the answer comes.
 */
#pragma once

#include "app/lesson/class.h"
#include "app/figure/slide.h"
#include "app/report/products.h"

/* The first picture of the product that the step names, drawn from its facts; NULL: it names none,
 * or they do not hold it. Newly allocated, valid while the facts are. */
SeamFigure *seam_lesson_picture_new (const SeamLessonStep *step, const SeamLessonFacts *facts,
                                     double width);

typedef struct SeamDeck SeamDeck;

/* Takes the lesson. `number`: its place among the lessons, from 1; 0: it has none. A
 * recorded run that cannot be read is named on its slides. */
SeamDeck *seam_deck_new_for_lesson (SeamLesson *lesson, int number);
/* Figures, one after the other; add them before anything is drawn. */
SeamDeck *seam_deck_new_for_figures (const char *title, const char *source);
/* What slides show of a product; FALSE with an error if the source lacks it. */
gboolean seam_deck_add_product (SeamDeck *deck, const SeamProduct *product,
                                const SeamProductSource *source, GError **error);
/* Takes the figure, which is laid out for seam_slide_get_figure_width(). */
void seam_deck_add_figure (SeamDeck *deck, const char *headline, SeamFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamDeck, seam_owner_free)

guint seam_deck_get_n (const SeamDeck *deck);
/* NULL: figures. */
const SeamLesson *seam_deck_get_lesson (const SeamDeck *deck);
/* The first slide of a step. */
guint seam_deck_find_step (const SeamDeck *deck, int step);
/* The step that the slide shows now; -1: none. */
int seam_deck_get_step (const SeamDeck *deck, guint slide);

/* Whether the slide asks a question, and whether its answer is covered. */
gboolean seam_deck_asks (const SeamDeck *deck, guint slide);
gboolean seam_deck_is_covered (const SeamDeck *deck, guint slide);
void seam_deck_set_covered (SeamDeck *deck, guint slide, gboolean covered);

/* The step whose run of this computer the slide is about; NULL: none. */
const SeamLessonStep *seam_deck_get_run (const SeamDeck *deck, guint slide);
/* Whether the run that the slide is about is there. */
gboolean seam_deck_has_run (const SeamDeck *deck, guint slide);
/* What the slides with this run say in its place: "Measuring …"; NULL: that nothing was run. */
void seam_deck_set_status (SeamDeck *deck, guint slide, const char *status);
gboolean seam_deck_has_status (const SeamDeck *deck, guint slide);
/* Gives the slides with this run its result. Slides are made again, so that their number changes;
 * what is covered stays so. SEAM_ERROR_INPUT: it lacks a plan. */
gboolean seam_deck_take_run (SeamDeck *deck, guint slide, SeamResult *result, GError **error);

/* The class whose predictions the slides show; borrowed, and must outlive the deck. A new deck has
 * one of its own, which is empty. */
void seam_deck_set_class (SeamDeck *deck, SeamClass *class);
/* Adds predictions to the class that somebody typed, in the unit of the question ("0.5 .7 1"); for
 * a choice, seam or cell its number from 1. Returns NULL, or a sentence that names what is no such
 * number and was left out; newly allocated. */
char *seam_deck_add_predictions (SeamDeck *deck, guint slide, const char *text);
/* To this slide's question. */
int seam_deck_get_n_predictions (const SeamDeck *deck, guint slide);
/* To all questions of the lesson. */
int seam_deck_count_predictions (const SeamDeck *deck);

/* The slide as it is now: newly allocated, valid while the deck lives. */
SeamFigure *seam_deck_draw (SeamDeck *deck, guint slide, gboolean with_hints);
