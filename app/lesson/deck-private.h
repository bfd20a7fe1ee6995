/* SPDX-License-Identifier: MIT
 *
 * Internal to the deck: what deck.c keeps and draws, and deck-slides.c makes.
 */
#pragma once

#include "app/lesson/deck.h"

typedef enum { SLIDE_TEXT, SLIDE_ASK, SLIDE_FIGURE } SeamDeckKind;

typedef struct {
  SeamDeckKind kind;
  int step, compared;          /* compared: the step that a revealed question shows; -1: none */
  gboolean has_plans;          /* the plans of the step stand below the text */
  const char *headline, *text; /* NULL: none */
  double text_size;
  gboolean covered;
  SeamFigure *figure; /* borrowed */
  double scale, from_x, from_y;
  int part, n_parts; /* of a step that takes several slides, from 0 */
} SeamDeckSlide;

struct SeamDeck {
  SeamLesson *lesson; /* owned; NULL: figures */
  int number;
  const char *title, *source;
  SeamClass *class;    /* of its own and empty, until the deck is given another */
  GPtrArray *subjects; /* of SeamLessonFacts, for each step; NULL entries */
  GPtrArray *missing;  /* of char *, for each step: why it has no subject; NULL entries */
  int status_step;     /* with the run of this computer that `status` is about */
  const char *status;  /* or NULL */
  GPtrArray *slides;   /* of SeamDeckSlide */
  GPtrArray *figures;  /* of SeamFigure */
};

SeamDeckSlide *seam_deck_slide_at (const SeamDeck *deck, guint slide);
const SeamLessonStep *seam_deck_step_at (const SeamDeck *deck, int step);
/* Without a result before a run of this computer; NULL: there is no run. */
const SeamLessonFacts *seam_deck_facts_at (const SeamDeck *deck, int step);
gboolean seam_deck_has_result (const SeamDeck *deck, int step);

/* All slides of the lesson, from its steps and their facts. */
void seam_deck_make_slides (SeamDeck *deck);

/* An empty slide with its line at the top. */
SeamSlide *seam_deck_begin (const SeamDeck *deck, const SeamDeckSlide *slide);
/* The plot of the class at the foot. */
void seam_deck_add_plot (const SeamDeck *deck, const SeamDeckSlide *slide, SeamSlide *drawn);
/* The last of the plans that the step asks for; NULL: not known. */
SeamFigure *seam_deck_make_chain (const SeamLessonStep *step, const SeamLessonFacts *facts);
