/* SPDX-License-Identifier: MIT
 *
 * Keeps the slides, the runs that they are about and what the class predicted, and draws each slide
 * as it is asked for.
 */
#include "app/lesson/deck-private.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/lesson/class-plot.h"

#include <math.h>

#define MAX_REASON  300 /* characters, so that a slide has room for it */
#define PLOT_HEIGHT 430.0
#define TEXT_SIZE   44.0
#define REASON_SIZE 36.0

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
  return deck->subjects->pdata[step];
}

gboolean
seam_deck_has_result (const SeamDeck *deck, int step)
{
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, step);

  return facts != NULL && facts->result != NULL;
}

/* The step whose run of this computer the slide is about; NULL: none. */
static const SeamLessonStep *
run_of (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  const SeamLessonStep *step = slide->step >= 0 ? seam_deck_step_at (deck, slide->step) : NULL;

  /* The text before a question is read before anything runs. */
  return step != NULL && seam_lesson_step_runs_here (step)
                 && (step->kind != SEAM_STEP_PREDICT || slide->kind == SLIDE_ASK)
             ? step
             : NULL;
}

/* Whether the run of the slide is not there yet. */
static gboolean
waits (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  return run_of (deck, slide) != NULL && !seam_deck_has_result (deck, slide->step);
}

/* What is said in the place of the step's run: why it cannot be read, or what has become of that of
 * this computer. NULL: nothing is wrong, and nobody has asked for it. */
static const char *
status_at (const SeamDeck *deck, int step)
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

SeamDeck *
seam_deck_new_for_lesson (SeamLesson *lesson, int number)
{
  SeamDeck *deck = deck_new ();

  deck->lesson = seam_keep_full (deck, lesson, seam_owner_free);
  deck->number = number;
  deck->title = lesson->title;
  for (guint i = 0; i < lesson->steps->len; i++) {
    g_autoptr (GError) error = NULL;
    g_ptr_array_add (deck->subjects, seam_lesson_step_load (lesson->steps->pdata[i], &error));
    g_ptr_array_add (deck->missing,
                     error != NULL ? seam_text_shorten (error->message, MAX_REASON) : NULL);
  }
  seam_deck_make_slides (deck);
  return deck;
}

const SeamLessonStep *
seam_deck_get_run (const SeamDeck *deck, guint i)
{
  return run_of (deck, seam_deck_slide_at (deck, i));
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
  return status_at (deck, seam_deck_slide_at (deck, i)->step) != NULL;
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
    SeamLessonFacts *subject =
        seam_lesson_facts_new (result, (const char *const *)step->plans, error);
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
  int n_places = seam_lesson_step_get_n_places (step, seam_deck_facts_at (deck, slide->step));
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
                : seam_text_parse_int64 (plain, "", 1, n_places, &place, NULL)))
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
  return g_strdup_printf ("Left out, because it is no number from 1 to %d: %s", n_places, list);
}

/* How many of the class predicted, or handed in, for the slide. */
static int
count_values (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  int n;

  g_free (seam_class_get_values (deck->class, deck->lesson,
                                 seam_deck_step_at (deck, slide->step)->id, &n));
  return n;
}

int
seam_deck_get_n_predictions (const SeamDeck *deck, guint i)
{
  return seam_deck_asks (deck, i) ? count_values (deck, seam_deck_slide_at (deck, i)) : 0;
}

int
seam_deck_count_predictions (const SeamDeck *deck)
{
  int n = 0;

  for (guint i = 0; i < deck->slides->len; i++)
    n += seam_deck_get_n_predictions (deck, i);
  return n;
}

/* ---- drawing ---- */

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

/* Beside the number of an answer that is a plan's time: what it means against plan A; NULL: nothing
 * can be said. */
static void
describe_verdict (const SeamLessonStep *step, const SeamLessonFacts *facts, char **beside,
                  char **note)
{
  int plan = seam_lesson_step_get_asked_plan (step);

  *beside = *note = NULL;
  if (plan <= 0 || seam_lesson_facts_get_measured (facts, 0) == NULL
      || seam_lesson_facts_get_measured (facts, plan) == NULL)
    return;
  g_autoptr (SeamVerdict) verdict =
      seam_verdict_new (facts->result, facts->places[0], facts->places[plan]);
  if (verdict == NULL || verdict->kind == SEAM_VERDICT_NONE)
    return;
  /* The plan has the letter of the lesson, not that of the run. */
  if (verdict->kind == SEAM_VERDICT_WRONG) {
    *beside = g_strdup_printf ("%c is wrong", 'A' + plan);
    return;
  }
  *beside = seam_verdict_describe_against (verdict, "A");
  *note = g_strdup (verdict->detail);
}

/* Why the run is not there; NULL: it is, or there is none. */
static const char *
get_reason (const SeamDeck *deck, const SeamDeckSlide *slide)
{
  const char *status = status_at (deck, slide->step);

  if (deck->missing->pdata[slide->step] != NULL)
    return status;
  return !waits (deck, slide) ? NULL : status != NULL ? status : "Not run on this computer yet.";
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
  describe_verdict (step, facts, &beside, &note);
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
  if (status_at (deck, slide->step) != NULL)
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
      && count_values (deck, slide) > 0) {
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
  enum { COVERED = 1, OPEN = 2, WAITING = 4, PLAIN = 8 };
  static const struct {
    int states;
    SeamSlideHint hint;
  } all[] = {
    { COVERED | WAITING, { "Space", NULL } },
    { COVERED, { "Page Down", "reveal" } },
    { WAITING, { "Page Down", "run" } },
    { OPEN | PLAIN, { "Page Down", "next" } },
    { COVERED | OPEN | WAITING | PLAIN, { "Page Up", "back" } },
    { COVERED, { "P", "add predictions" } },
    { COVERED, { "C", "collect files" } },
    { OPEN, { "R", "cover" } },
    { OPEN | WAITING | PLAIN, { "D", "light or dark" } },
    { OPEN | WAITING | PLAIN, { "B", "black" } },
  };
  SeamSlideHint hints[G_N_ELEMENTS (all) + 1] = { { NULL, NULL } };
  int state = slide->covered                                          ? COVERED
              : slide->kind == SLIDE_ASK                              ? OPEN
              : waits (deck, slide) && !status_at (deck, slide->step) ? WAITING
                                                                      : PLAIN;

  for (gsize i = 0, n = 0; i < G_N_ELEMENTS (all); i++)
    if ((all[i].states & state) != 0)
      hints[n++] = all[i].hint;
  seam_slide_set_hints (drawn, hints, &(SeamSlideHint){ "Esc", "leave" });
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
