/* SPDX-License-Identifier: MIT
 *
 * Keeps the slides, the runs that they are about and what the class predicted.
 */
#include "app/lesson/deck-private.h"

#include "app/base/text.h"
#include "app/lesson/lesson-run.h"
#include "app/lesson/slide-pictures.h"

#include <math.h>
#include <string.h>

#define MAX_REASON 300 /* characters, so that a slide has room for it */

static SeamDeck *
deck_new (void)
{
  SeamDeck *deck = seam_owner_new (SeamDeck);

  deck->slides = seam_keep_array (deck, seam_owner_free);
  deck->figures = seam_keep_array (deck, (GDestroyNotify)seam_figure_free);
  deck->subjects = seam_keep_array (deck, seam_owner_free);
  deck->missing = seam_keep_array (deck, g_free);
  deck->class = seam_keep_full (deck, seam_class_new (), seam_owner_free);
  return deck;
}

SeamDeckSlide *
seam_deck_slide_at (const SeamDeck *deck, guint slide)
{
  return deck->slides->pdata[MIN (slide, deck->slides->len - 1)];
}

const SeamLessonStep *
seam_deck_step_at (const SeamDeck *deck, int step)
{
  return seam_lesson_get_step (deck->lesson, (guint)step);
}

/* Without a result before a run of this computer; NULL: there is no run. */
const SeamLessonFacts *
seam_deck_facts_at (const SeamDeck *deck, int step)
{
  return seam_lesson_subject_get_facts (deck->subjects->pdata[step]);
}

gboolean
seam_deck_has_result (const SeamDeck *deck, int step)
{
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, step);

  return facts != NULL && facts->result != NULL;
}

const SeamLessonStep *
seam_deck_run_of (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  const SeamLessonStep *step = slide->step >= 0 ? seam_deck_step_at (deck, slide->step) : NULL;

  /* The text before a question is read before anything runs. */
  return step != NULL && seam_lesson_step_runs_here (step)
                 && (step->kind != SEAM_STEP_PREDICT || slide->kind == SLIDE_ASK)
             ? step
             : NULL;
}

gboolean
seam_deck_waits (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  return seam_deck_run_of (deck, slide) != NULL && !seam_deck_has_result (deck, slide->step);
}

const char *
seam_deck_status_at (const SeamDeck *deck, int step)
{
  if (step >= 0 && deck->missing->pdata[step] != NULL)
    return deck->missing->pdata[step];
  return deck->status != NULL && step >= 0
                 && seam_lesson_steps_share_run (seam_deck_step_at (deck, deck->status_step),
                                                 seam_deck_step_at (deck, step))
             ? deck->status
             : NULL;
}

/* ---- decks ---- */

static void
load_subject (SeamDeck *deck, const SeamLessonStep *step)
{
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (deck->subjects, seam_lesson_step_has_subject (step)
                                       ? seam_lesson_step_load (step, &error)
                                       : NULL);
  g_ptr_array_add (deck->missing,
                   error != NULL ? seam_text_shorten (error->message, MAX_REASON) : NULL);
}

SeamDeck *
seam_deck_new_for_lesson (SeamLesson *lesson, int number)
{
  SeamDeck *deck = deck_new ();

  deck->lesson = seam_keep_full (deck, lesson, seam_owner_free);
  deck->number = number;
  deck->title = lesson->title;
  for (guint i = 0; i < lesson->steps->len; i++)
    load_subject (deck, seam_lesson_get_step (lesson, i));
  seam_deck_make_slides (deck);
  return deck;
}

const SeamLessonStep *
seam_deck_get_run (const SeamDeck *deck, guint i)
{
  return seam_deck_run_of (deck, seam_deck_slide_at (deck, i));
}

gboolean
seam_deck_has_run (const SeamDeck *deck, guint i)
{
  int step = seam_deck_slide_at (deck, i)->step;

  return step >= 0 && seam_deck_has_result (deck, step);
}

void
seam_deck_set_status (SeamDeck *deck, guint i, const char *status)
{
  deck->status = seam_keep (deck, g_strdup (status));
  deck->status_step = seam_deck_slide_at (deck, i)->step;
}

gboolean
seam_deck_has_status (const SeamDeck *deck, guint i)
{
  return seam_deck_status_at (deck, seam_deck_slide_at (deck, i)->step) != NULL;
}

gboolean
seam_deck_take_run (SeamDeck *deck, guint i, SeamResult *result, GError **error)
{
  const SeamLessonStep *run = seam_deck_get_run (deck, i);
  g_autofree gboolean *covered = g_new0 (gboolean, deck->lesson->steps->len);

  for (guint k = 0; k < deck->lesson->steps->len; k++) {
    const SeamLessonStep *step = seam_deck_step_at (deck, (int)k);

    if (!seam_lesson_steps_share_run (step, run))
      continue;
    SeamLessonSubject *subject =
        seam_lesson_subject_new (result, (const char *const *)step->plans, error);
    if (subject == NULL)
      return FALSE;
    seam_owner_free (deck->subjects->pdata[k]);
    deck->subjects->pdata[k] = subject;
  }
  for (guint k = 0; k < deck->slides->len; k++)
    if (seam_deck_slide_at (deck, k)->kind == SLIDE_ASK)
      covered[seam_deck_slide_at (deck, k)->step] = seam_deck_slide_at (deck, k)->covered;
  seam_deck_make_slides (deck);
  for (guint k = 0; k < deck->slides->len; k++)
    if (seam_deck_slide_at (deck, k)->kind == SLIDE_ASK)
      seam_deck_slide_at (deck, k)->covered = covered[seam_deck_slide_at (deck, k)->step];
  return TRUE;
}

SeamDeck *
seam_deck_new_for_figures (const char *title, const char *source)
{
  SeamDeck *deck = deck_new ();

  deck->title = seam_keep (deck, g_strdup (title));
  deck->source = seam_keep (deck, g_strdup (source));
  return deck;
}

gboolean
seam_deck_add_product (SeamDeck *deck, const SeamProduct *product, const SeamProductSource *source,
                       GError **error)
{
  g_autoptr (GPtrArray) pictures =
      seam_slide_pictures_new (product, source, seam_slide_get_figure_width (), error);

  if (pictures == NULL)
    return FALSE;
  seam_deck_add_pictures (deck, -1, pictures);
  seam_deck_count_parts (deck);
  return TRUE;
}

void
seam_deck_add_figure (SeamDeck *deck, const char *headline, SeamFigure *figure)
{
  seam_deck_add_parts (deck, -1, headline, figure);
  seam_deck_count_parts (deck);
}

guint
seam_deck_get_n (const SeamDeck *deck)
{
  return deck->slides->len;
}

const SeamLesson *
seam_deck_get_lesson (const SeamDeck *deck)
{
  return deck->lesson;
}

guint
seam_deck_find_step (const SeamDeck *deck, int step)
{
  for (guint i = 0; i < deck->slides->len; i++)
    if (seam_deck_slide_at (deck, i)->step == step
        || seam_deck_slide_at (deck, i)->compared == step)
      return i;
  return 0;
}

int
seam_deck_get_step (const SeamDeck *deck, guint i)
{
  const SeamDeckSlide *slide = seam_deck_slide_at (deck, i);

  return slide->compared >= 0 && !slide->covered ? slide->compared : slide->step;
}

gboolean
seam_deck_asks (const SeamDeck *deck, guint i)
{
  return seam_deck_slide_at (deck, i)->kind == SLIDE_ASK;
}

gboolean
seam_deck_is_covered (const SeamDeck *deck, guint i)
{
  return seam_deck_slide_at (deck, i)->covered;
}

void
seam_deck_set_covered (SeamDeck *deck, guint i, gboolean covered)
{
  if (seam_deck_asks (deck, i))
    seam_deck_slide_at (deck, i)->covered = covered;
}

/* ---- predictions ---- */

void
seam_deck_set_class (SeamDeck *deck, SeamClass *class)
{
  deck->class = class;
}

static int
get_n_places (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  return seam_lesson_step_get_n_places (seam_deck_step_at (deck, slide->step),
                                        seam_deck_facts_at (deck, slide->step));
}

char *
seam_deck_add_predictions (SeamDeck *deck, guint i, const char *text)
{
  SeamDeckSlide *slide = seam_deck_slide_at (deck, i);

  g_autoptr (GPtrArray) bad = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  g_autoptr (GError) unclear = NULL;
  const SeamLessonStep *step;
  g_autofree char *list = NULL;

  if (slide->kind != SLIDE_ASK)
    return g_strdup ("This slide asks nothing.");
  step = seam_deck_step_at (deck, slide->step);
  gboolean is_number = step->ask == SEAM_ASK_NUMBER;
  /* A unit belongs to the number before it; a comma before a blank ends a number. */
  g_autoptr (GRegex) gaps =
      g_regex_new ("(?<=\\d) (?=([nuµμm]?s|[kMGT]?B)([\\s;,]|$))|,(?=\\s|$)", 0, 0, NULL);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *joined = g_regex_replace_literal (gaps, valid, -1, 0, "", 0, NULL);
  g_auto (GStrv) words = g_strsplit_set (joined, " \t\n\r;", -1);
  for (int k = 0; words[k] != NULL; k++) {
    if (*words[k] == '\0')
      continue;
    g_autofree char *plain =
        seam_text_read_typed (words[k], "Left out", step->unit, unclear == NULL ? &unclear : NULL);
    double value = 0;
    gint64 place = 0;

    if (plain != NULL
        && (is_number
                ? seam_text_parse_double (plain, "", 0, G_MAXDOUBLE, &value, NULL) && value > 0
                : seam_text_parse_int64 (plain, "", 1, get_n_places (deck, slide), &place, NULL)))
      seam_class_call_out (deck->class, deck->lesson, step,
                           is_number ? value * step->unit_scale : (double)place - 1);
    else
      g_ptr_array_add (bad, seam_text_shorten (words[k], 24));
  }
  if (bad->len == 0)
    return NULL;
  if (unclear != NULL)
    return g_strdup (unclear->message);
  list = seam_text_list ((const char *const *)bad->pdata);
  if (is_number)
    return g_strdup_printf (
        "Left out, because it is no %s: %s",
        seam_formula_get_kind (step->answer) == SEAM_VALUE_TIME ? "time above 0" : "number above 0",
        list);
  return g_strdup_printf ("Left out, because it is no number from 1 to %d: %s",
                          get_n_places (deck, slide), list);
}

int
seam_deck_count_values (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  int n;

  g_free (seam_class_get_values (deck->class, deck->lesson,
                                 seam_deck_step_at (deck, slide->step)->id, &n));
  return n;
}

int
seam_deck_get_n_predictions (const SeamDeck *deck, guint i)
{
  const SeamDeckSlide *slide = seam_deck_slide_at (deck, i);

  return slide->kind == SLIDE_ASK ? seam_deck_count_values (deck, slide) : 0;
}

int
seam_deck_count_predictions (const SeamDeck *deck)
{
  int n = 0;

  for (guint i = 0; i < deck->slides->len; i++)
    n += seam_deck_get_n_predictions (deck, i);
  return n;
}
