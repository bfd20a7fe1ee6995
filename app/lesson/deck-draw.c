/* SPDX-License-Identifier: MIT
 *
 * Draws the slides of a deck, each as it is asked for.
 */
#include "app/lesson/deck-private.h"

#include "app/lesson/class-plot.h"
#include "app/lesson/deck-text.h"
#include "app/lesson/lesson-run.h"

#include <math.h>

#define PLOT_HEIGHT 430.0
#define TEXT_SIZE   44.0
#define REASON_SIZE 36.0

SeamSlide *
seam_deck_begin (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  g_autoptr (GString) place = g_string_new (NULL);
  g_autofree char *source = g_strdup (deck->source);

  if (deck->lesson != NULL) {
    const SeamLessonFacts *facts = seam_deck_facts_at (deck, slide->step);

    if (deck->number > 0)
      g_string_append_printf (place, "Lesson %d, ", deck->number);
    g_string_append_printf (place, "step %d of %u", slide->step + 1, deck->lesson->steps->len);
    if (facts != NULL && facts->device != NULL && facts->device->name != NULL)
      source = g_strdup_printf (seam_deck_step_at (deck, slide->step)->sample != NULL
                                    ? "%s, recorded"
                                    : "%s, measured here",
                                facts->device->name);
  }
  if (slide->n_parts > 1)
    g_string_append_printf (place, "%s%d of %d", place->len > 0 ? ", slide " : "slide ",
                            slide->part + 1, slide->n_parts);
  return seam_slide_new (deck->title, place->str, source);
}

/* ---- parts ---- */

void
seam_deck_add_plot (const SeamDeck *deck, const SeamDeckSlide *slide, SeamSlide *drawn)
{
  SeamFigure *plot =
      seam_class_plot_new (deck->class, deck->lesson, seam_deck_step_at (deck, slide->step),
                           seam_deck_facts_at (deck, slide->step), slide->covered, SEAM_SLIDE_INNER,
                           PLOT_HEIGHT, SEAM_SLIDE_SMALLEST);

  if (plot != NULL)
    seam_slide_add_figure_at_foot (drawn, plot, 1);
}

static SeamFigure *
make_chain (const SeamLessonFacts *facts, int plan)
{
  return seam_slide_chain_new (facts->plans[plan], (char)('A' + plan));
}

/* The last of the plans that are asked for. */
SeamFigure *
seam_deck_make_chain (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  int plan = g_bit_nth_msf (seam_lesson_step_get_covered_plans (step), -1);

  return facts != NULL && facts->n_plans > 0
             ? make_chain (facts, CLAMP (plan, 0, facts->n_plans - 1))
             : NULL;
}

/* As many of the step's plans as have room. */
static void
add_chains (const SeamLessonFacts *facts, SeamSlide *drawn)
{
  for (int i = 0; facts != NULL && i < facts->n_plans; i++) {
    SeamFigure *chain = make_chain (facts, i);

    if (chain->height > seam_slide_get_room (drawn)) {
      seam_figure_free (chain);
      return;
    }
    seam_slide_add_figure (drawn, chain, 1);
  }
}

/* ---- questions ---- */

/* Why the run is not there; NULL: it is, or there is none. */
static const char *
get_reason (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  const char *status = seam_deck_status_at (deck, slide->step);

  if (deck->missing->pdata[slide->step] != NULL)
    return status;
  return !seam_deck_waits (deck, slide) ? NULL
         : status != NULL               ? status
                                        : "Not run on this computer yet.";
}

static void
add_reason (const SeamDeck *deck, const SeamDeckSlide *slide, SeamSlide *drawn)
{
  const char *reason = get_reason (deck, slide);
  double size = reason != NULL ? seam_slide_fit_text (drawn, reason, REASON_SIZE, 0, 0) : 0;

  if (size > 0)
    seam_slide_add_text (drawn, reason, size);
}

static void
draw_answer (const SeamDeck *deck, const SeamDeckSlide *slide, SeamSlide *drawn)
{
  const SeamLessonAnswer nothing = { .value = NAN, .reason = -1 };
  const SeamLessonStep *step = seam_deck_step_at (deck, slide->step);
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, slide->step);
  const char *why =
      slide->compared >= 0 ? seam_deck_step_at (deck, slide->compared)->why : step->right;
  const char *reason = get_reason (deck, slide);
  g_autofree char *number = NULL, *beside = NULL, *note = NULL, *text = NULL;
  g_auto (SeamScore) score = { 0 };

  seam_score_answer (step, facts, &nothing, &score);
  if (!isnan (score.measured) && deck->missing->pdata[slide->step] == NULL)
    number = seam_lesson_step_name_answer (step, facts, score.measured);
  if (number == NULL) {
    seam_slide_set_headline (drawn, slide->headline);
    seam_slide_add_text (drawn, reason != NULL ? reason : "The run does not tell.", TEXT_SIZE);
    return;
  }
  seam_deck_text_describe_verdict (step, facts, &beside, &note);
  if (step->ask == SEAM_ASK_CHOICE)
    seam_slide_set_headline (drawn, number);
  else
    seam_slide_set_number (drawn, number, beside, note);
  if (why == NULL)
    return;
  text = seam_formula_fill_known (why, facts);
  double size = seam_slide_fit_text (drawn, text, TEXT_SIZE, 0, 0);
  if (size > 0)
    seam_slide_add_text (drawn, text, size);
}

static void
draw_question (const SeamDeck *deck, const SeamDeckSlide *slide, SeamSlide *drawn)
{
  SeamFigure *chain = seam_deck_make_chain (seam_deck_step_at (deck, slide->step),
                                            seam_deck_facts_at (deck, slide->step));

  seam_slide_set_headline (drawn, slide->headline);
  if (slide->text_size > 0 && *slide->text != '\0')
    seam_slide_add_text (drawn, slide->text, slide->text_size);
  if (seam_deck_status_at (deck, slide->step) != NULL)
    add_reason (deck, slide, drawn);
  if (chain != NULL && chain->height <= seam_slide_get_room (drawn))
    seam_slide_add_figure (drawn, chain, 1);
  else
    seam_figure_free (chain);
}

static void
draw_text (const SeamDeck *deck, const SeamDeckSlide *slide, SeamSlide *drawn)
{
  double size = slide->text_size;

  seam_slide_set_headline (drawn, slide->headline);
  /* Once the class has handed in a check, how it ended; of the text what has room above. */
  if (slide->part == 0 && seam_deck_step_at (deck, slide->step)->kind == SEAM_STEP_PROVE
      && seam_deck_count_values (deck, slide) > 0) {
    seam_deck_add_plot (deck, slide, drawn);
    size = seam_slide_fit_text (drawn, slide->text, size, 0, 0);
  }
  if (*slide->text != '\0' && size > 0)
    seam_slide_add_text (drawn, slide->text, size);
  if (deck->missing->pdata[slide->step] == NULL)
    add_reason (deck, slide, drawn);
  if (slide->has_plans)
    add_chains (seam_deck_facts_at (deck, slide->step), drawn);
}

/* ---- slides ---- */

static void
add_hints (const SeamDeck *deck, const SeamDeckSlide *slide, SeamSlide *drawn)
{
  static const SeamSlideHint leave = { "Esc", "leave" };
  static const SeamSlideHint covered[] = { { "Space", NULL },        { "Page Down", "reveal" },
                                           { "Page Up", "back" },    { "P", "add predictions" },
                                           { "C", "collect files" }, { NULL, NULL } };
  static const SeamSlideHint open[] = { { "Page Down", "next" }, { "Page Up", "back" },
                                        { "R", "cover" },        { "D", "light or dark" },
                                        { "B", "black" },        { NULL, NULL } };
  static const SeamSlideHint plain[] = { { "Page Down", "next" },
                                         { "Page Up", "back" },
                                         { "D", "light or dark" },
                                         { "B", "black" },
                                         { NULL, NULL } };
  static const SeamSlideHint waiting[] = { { "Space", NULL },     { "Page Down", "run" },
                                           { "Page Up", "back" }, { "D", "light or dark" },
                                           { "B", "black" },      { NULL, NULL } };

  seam_slide_set_hints (
      drawn,
      slide->covered                                                                     ? covered
      : slide->kind == SLIDE_ASK                                                         ? open
      : seam_deck_waits (deck, slide) && seam_deck_status_at (deck, slide->step) == NULL ? waiting
                                                                                         : plain,
      &leave);
}

SeamFigure *
seam_deck_draw (SeamDeck *deck, guint i, gboolean with_hints)
{
  const SeamDeckSlide *slide = seam_deck_slide_at (deck, i);
  SeamSlide *drawn = seam_deck_begin (deck, slide);

  switch (slide->kind) {
  case SLIDE_TEXT:
    draw_text (deck, slide, drawn);
    break;
  case SLIDE_ASK:
    seam_deck_add_plot (deck, slide, drawn);
    if (slide->covered)
      draw_question (deck, slide, drawn);
    else
      draw_answer (deck, slide, drawn);
    break;
  case SLIDE_FIGURE:
    if (slide->headline != NULL)
      seam_slide_set_headline (drawn, slide->headline);
    seam_slide_show_part (drawn, slide->figure, slide->scale, slide->from_x, slide->from_y);
    break;
  }
  if (with_hints)
    add_hints (deck, slide, drawn);
  return seam_slide_finish (drawn);
}
