/* SPDX-License-Identifier: MIT
 *
 * Makes the slides of a deck: which there are, and what of a text or a figure each shows.
 */
#include "app/lesson/deck-private.h"

#include "app/lesson/deck-text.h"
#include "app/lesson/lesson-cover.h"
#include "app/lesson/lesson-run.h"
#include "app/lesson/slide-pictures.h"

#include <math.h>

#define TEXT_SIZE 44.0
#define OVERLAP   .85  /* of a room, by which parts of a larger figure follow each other */
#define WIDER     1.02 /* a figure that is wider only by this is not cut */

static SeamDeckSlide *
add_slide (SeamDeck *deck, SeamDeckKind kind, int step)
{
  SeamDeckSlide *slide = seam_owner_new (SeamDeckSlide);

  slide->kind = kind;
  slide->step = step;
  slide->compared = -1;
  g_ptr_array_add (deck->slides, slide);
  return slide;
}

/* ---- text ---- */

/* As many slides as the text needs. */
static void
add_texts (SeamDeck *deck, int step, const char *headline, GPtrArray *blocks)
{
  do {
    SeamDeckSlide *slide = add_slide (deck, SLIDE_TEXT, step);
    SeamSlide *empty = seam_deck_begin (deck, slide);

    slide->headline = seam_keep (slide, g_strdup (headline));
    seam_slide_set_headline (empty, headline);
    slide->text = seam_keep (slide, seam_deck_text_take (blocks, empty, &slide->text_size));
    seam_figure_free (seam_slide_finish (empty));
  } while (blocks->len > 0);
}

/* ---- figures ---- */

/* As many slides as the figure needs, in reading order. */
void
seam_deck_add_parts (SeamDeck *deck, int step, const char *headline, SeamFigure *figure)
{
  double scale = seam_slide_get_scale (figure), width = SEAM_SLIDE_INNER / scale, height;
  double x = 0, y = 0;

  g_ptr_array_add (deck->figures, figure);
  for (;;) {
    SeamDeckSlide *slide = add_slide (deck, SLIDE_FIGURE, step);
    SeamSlide *empty = seam_deck_begin (deck, slide);

    slide->headline = seam_keep (slide, g_strdup (headline));
    slide->figure = figure;
    slide->scale = scale;
    slide->from_x = x;
    slide->from_y = y;
    if (headline != NULL)
      seam_slide_set_headline (empty, headline);
    height = seam_slide_get_room (empty) / scale;
    seam_figure_free (seam_slide_finish (empty));
    if (x + width * WIDER < figure->width) {
      x = fmin (x + width * OVERLAP, figure->width - width);
    } else if (y + height * WIDER < figure->height) {
      x = 0;
      y = fmin (y + height * OVERLAP, figure->height - height);
    } else {
      break;
    }
  }
}

void
seam_deck_add_pictures (SeamDeck *deck, int step, GPtrArray *pictures)
{
  for (guint i = 0; i < pictures->len; i++) {
    SeamSlidePicture *picture = pictures->pdata[i];

    seam_deck_add_parts (deck, step, picture->headline, g_steal_pointer (&picture->figure));
  }
}

/* In a room each question is answered before the next step is shown. */
static SeamLessonAnswers *
make_answers (const SeamDeck *deck, int step)
{
  SeamLessonAnswers *answers = seam_lesson_answers_new (deck->lesson);

  for (int i = 0; i <= step; i++)
    if (seam_deck_step_at (deck, i)->kind == SEAM_STEP_PREDICT) {
      const SeamLessonAnswer answer = { .step = seam_deck_step_at (deck, i)->id };

      seam_lesson_answers_add (answers, &answer);
    }
  return answers;
}

/* What a later question asks for is left out: all of a search, plan B of a run. FALSE: nothing is
 * left. */
static gboolean
leave_out_covered (const SeamDeck *deck, int step, const SeamProduct *product,
                   SeamProductSource *source)
{
  g_autoptr (SeamLessonAnswers) answers = make_answers (deck, step);

  if (product->of & SEAM_OF_SEARCHES)
    return !seam_lesson_is_asked_later (deck->lesson, answers, step);
  if (seam_lesson_find_cover (deck->lesson, answers, step) == NULL)
    return TRUE;
  source->second = -1;
  return !(product->of & SEAM_OF_OUTPUTS);
}

/* The product that a step shows: the one it names, else that of its page. */
static const SeamProduct *
find_product (const SeamLessonStep *step)
{
  gboolean has_page = step->kind == SEAM_STEP_SHOW || step->kind == SEAM_STEP_COMPARE
                      || seam_lesson_step_runs_here (step);
  const char *name = step->picture != NULL ? step->picture : has_page ? step->page : NULL;

  return name != NULL ? seam_products_find (g_str_equal (name, "explore") ? "lattice" : name)
                      : NULL;
}

/* What the product draws from; FALSE if the run does not hold it. */
static gboolean
fill_source (const SeamProduct *product, const SeamLessonFacts *facts, int plan,
             SeamProductSource *source)
{
  gboolean of_search = (product->of & SEAM_OF_SEARCHES) != 0;

  *source = (SeamProductSource){ .second = -1 };
  if (product->kind != SEAM_PRODUCT_FIGURE || facts == NULL || facts->result == NULL
      || !(of_search ? facts->search != NULL : (product->of & SEAM_OF_RESULTS) != 0))
    return FALSE;
  source->search = of_search ? facts->search : NULL;
  source->results = (SeamResult *const *)&facts->result;
  source->n_results = 1;
  source->first = MAX (facts->places[0], 0);
  if (plan < facts->n_plans) {
    source->second = facts->places[plan];
    source->tested = source->second;
    source->against = source->first;
    if (source->second >= 0)
      source->difference = facts->result->plans[source->second].difference;
  }
  return !(product->of & SEAM_OF_OUTPUTS) || source->difference != NULL;
}

SeamFigure *
seam_lesson_picture_new (const SeamLessonStep *step, const SeamLessonFacts *facts, double width)
{
  const SeamProduct *product = step->picture != NULL ? seam_products_find (step->picture) : NULL;
  SeamProductSource source;

  g_autoptr (GPtrArray) pictures = NULL;

  if (product == NULL || !fill_source (product, facts, 1, &source))
    return NULL;
  pictures = seam_slide_pictures_new (product, &source, width, NULL);
  return pictures != NULL ? g_steal_pointer (&((SeamSlidePicture *)pictures->pdata[0])->figure)
                          : NULL;
}

static void
add_picture (SeamDeck *deck, int step)
{
  const SeamProduct *product = find_product (seam_deck_step_at (deck, step));
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, step);
  SeamProductSource source;

  if (product == NULL || facts == NULL
      || !fill_source (product, facts, seam_lesson_get_compared (deck->lesson, step), &source)
      || !leave_out_covered (deck, step, product, &source))
    return;
  g_autoptr (GPtrArray) pictures =
      seam_slide_pictures_new (product, &source, seam_slide_get_figure_width (), NULL);
  if (pictures != NULL)
    seam_deck_add_pictures (deck, step, pictures);
}

/* ---- questions ---- */

static void
add_question (SeamDeck *deck, int step)
{
  const SeamLessonStep *asked = seam_deck_step_at (deck, step);
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, step);
  g_autofree char *headline = seam_formula_fill (asked->title, facts);
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (asked, facts);
  g_autoptr (GPtrArray) blocks = seam_deck_text_read (body);
  g_autofree char *joined = seam_deck_text_join (blocks),
                  *known = seam_deck_text_format_facts (asked, facts);
  /* What the text lets one compare stands with it, or on the slide after it. */
  g_autofree char *whole =
      *known != '\0' ? g_strjoin ("\n", joined, known, NULL) : g_strdup (joined);
  SeamDeckSlide trial = { .kind = SLIDE_ASK, .step = step, .compared = -1, .covered = TRUE };
  SeamSlide *empty = seam_deck_begin (deck, &trial);
  SeamFigure *chain = seam_deck_make_chain (asked, facts);
  double keep = chain != NULL ? chain->height + 40 : 0, size;
  SeamDeckSlide *slide;

  seam_slide_set_headline (empty, headline);
  seam_deck_add_plot (deck, &trial, empty);
  size = blocks->len == 1 ? seam_slide_fit_text (empty, whole, TEXT_SIZE, 36, keep) : 0;
  if (blocks->len > 0 && size == 0) {
    add_texts (deck, step, headline, blocks);
    seam_deck_slide_at (deck, deck->slides->len - 1)->has_plans = TRUE;
  }
  slide = add_slide (deck, SLIDE_ASK, step);
  slide->headline = seam_keep (slide, g_steal_pointer (&headline));
  slide->covered = TRUE;
  slide->text = seam_keep (slide, size > 0 ? g_steal_pointer (&whole) : g_steal_pointer (&known));
  slide->text_size =
      size > 0 ? size : seam_slide_fit_text (empty, slide->text, TEXT_SIZE - 6, 0, keep);
  if (slide->text_size == 0)
    slide->text_size = seam_slide_fit_text (empty, slide->text, TEXT_SIZE - 6, 0, 0);
  seam_figure_free (seam_slide_finish (empty));
  seam_figure_free (chain);
  if (step + 1 < (int)deck->lesson->steps->len
      && seam_deck_step_at (deck, step + 1)->kind == SEAM_STEP_COMPARE
      && seam_deck_step_at (deck, step + 1)->about == step)
    slide->compared = step + 1;
}

/* ---- steps ---- */

/* What the conditions say of the run, before the text. */
static void
add_check (const SeamDeck *deck, int step, GPtrArray *blocks)
{
  int n = 0;

  if (!seam_deck_has_result (deck, step))
    return;
  g_autoptr (GPtrArray) conditions = seam_lesson_check_conditions (seam_deck_step_at (deck, step),
                                                                   seam_deck_facts_at (deck, step));
  for (guint i = 0; i < conditions->len; i++) {
    const SeamLessonCondition *condition = conditions->pdata[i];
    if (condition->state == SEAM_CONDITION_HOLDS)
      continue;
    g_autoptr (SeamMarkdown) tree = seam_markdown_parse (condition->reply);
    g_autofree char *words = seam_markdown_get_words (tree);

    g_ptr_array_insert (
        blocks, n++,
        g_strconcat (condition->state == SEAM_CONDITION_FAILS ? "✕ " : "? ", words, NULL));
  }
  if (n == 0)
    g_ptr_array_insert (blocks, 0, g_strdup ("✓ Passed."));
}

static void
add_step (SeamDeck *deck, int step)
{
  const SeamLessonStep *shown = seam_deck_step_at (deck, step);
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, step);
  g_autofree char *headline = seam_formula_fill (shown->title, facts);
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (shown, facts);
  g_autoptr (GPtrArray) blocks = seam_deck_text_read (body);

  if (deck->missing->pdata[step] != NULL)
    g_ptr_array_insert (blocks, 0, g_strdup (deck->missing->pdata[step]));
  /* The revealed question says why; the rest of the comparison follows. */
  if (shown->why != NULL
      && (step == 0 || seam_deck_step_at (deck, step - 1)->kind != SEAM_STEP_PREDICT))
    g_ptr_array_insert (blocks, 0, seam_formula_fill_known (shown->why, facts));
  if (shown->kind == SEAM_STEP_PROVE)
    add_check (deck, step, blocks);
  if (blocks->len > 0 || shown->kind != SEAM_STEP_COMPARE) {
    add_texts (deck, step, headline, blocks);
    seam_deck_slide_at (deck, deck->slides->len - 1)->has_plans =
        shown->kind != SEAM_STEP_COMPARE && step + 1 < (int)deck->lesson->steps->len;
  }
  add_picture (deck, step);
}

void
seam_deck_count_parts (SeamDeck *deck)
{
  for (guint i = 0, end; i < deck->slides->len; i = end) {
    for (end = i; end < deck->slides->len
                  && seam_deck_slide_at (deck, end)->step == seam_deck_slide_at (deck, i)->step;
         end++)
      seam_deck_slide_at (deck, end)->part = (int)(end - i);
    for (guint k = i; k < end; k++)
      seam_deck_slide_at (deck, k)->n_parts = (int)(end - i);
  }
}

/* A question about a recorded run is followed by its comparison; one about this computer shows what
 * the run found. */
void
seam_deck_make_slides (SeamDeck *deck)
{
  g_ptr_array_set_size (deck->slides, 0);
  g_ptr_array_set_size (deck->figures, 0);
  for (int i = 0; i < (int)deck->lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_deck_step_at (deck, i);

    if (step->kind != SEAM_STEP_PREDICT) {
      add_step (deck, i);
      continue;
    }
    add_question (deck, i);
    if (seam_lesson_step_runs_here (step)
        && seam_deck_slide_at (deck, deck->slides->len - 1)->compared < 0)
      add_picture (deck, i);
  }
  seam_deck_count_parts (deck);
}
