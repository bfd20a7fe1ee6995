/* SPDX-License-Identifier: MIT
 *
 * Makes the slides once, and draws each as it is asked for.
 */
#include "app/lesson/deck.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/figure/bars.h"
#include "app/lesson/class-plot.h"
#include "app/lesson/deck-text.h"
#include "app/report/products.h"

#include <math.h>
#include <string.h>

#define PLOT_HEIGHT 430.0
#define TEXT_SIZE   44.0
#define OVERLAP                                                                                    \
  .85              /* part of a room by which parts of a figure that is larger follow each other   \
                    */
#define WIDER 1.02 /* a figure that is wider only by this is not cut */

typedef enum { SLIDE_TEXT, SLIDE_ASK, SLIDE_FIGURE } SlideKind;

typedef struct {
  SlideKind kind;
  int step, compared; /* compared: the step that a revealed question shows; -1: none */
  char *headline;     /* owned; NULL: none */
  char *text;         /* owned; NULL: none */
  double text_size;
  gboolean covered;
  SeamFigure *figure; /* borrowed */
  double scale, from_x, from_y;
  int part, n_parts; /* of a step that takes several slides, from 0 */
} Slide;

struct SeamDeck {
  SeamLesson *lesson; /* owned; NULL: figures */
  int number;
  char *title, *source;
  SeamClass *class;    /* borrowed */
  SeamClass *own;      /* empty, until the deck is given another */
  GPtrArray *subjects; /* of SeamLessonSubject, for each step; NULL entries */
  GPtrArray *slides;   /* of Slide */
  GPtrArray *figures;  /* owned */
};

static void
free_slide (gpointer data)
{
  Slide *slide = data;

  g_free (slide->headline);
  g_free (slide->text);
  g_free (slide);
}

static void
free_subject (gpointer data)
{
  seam_lesson_subject_free (data);
}

static void
free_figure (gpointer data)
{
  seam_figure_free (data);
}

void
seam_deck_free (SeamDeck *deck)
{
  if (deck == NULL)
    return;
  g_free (deck->title);
  g_free (deck->source);
  g_ptr_array_unref (deck->slides);
  g_ptr_array_unref (deck->figures);
  g_ptr_array_unref (deck->subjects);
  seam_class_free (deck->own);
  seam_lesson_free (deck->lesson);
  g_free (deck);
}

static SeamDeck *
deck_new (void)
{
  SeamDeck *deck = g_new0 (SeamDeck, 1);

  deck->slides = g_ptr_array_new_with_free_func (free_slide);
  deck->figures = g_ptr_array_new_with_free_func (free_figure);
  deck->subjects = g_ptr_array_new_with_free_func (free_subject);
  deck->class = deck->own = seam_class_new ();
  return deck;
}

static Slide *
add_slide (SeamDeck *deck, SlideKind kind, int step)
{
  Slide *slide = g_new0 (Slide, 1);

  slide->kind = kind;
  slide->step = step;
  slide->compared = -1;
  g_ptr_array_add (deck->slides, slide);
  return slide;
}

static Slide *
get (const SeamDeck *deck, guint slide)
{
  return deck->slides->pdata[MIN (slide, deck->slides->len - 1)];
}

static const SeamLessonStep *
get_step (const SeamDeck *deck, int step)
{
  return seam_lesson_get_step (deck->lesson, (guint)step);
}

/* NULL: nothing was run. */
static const SeamLessonFacts *
get_facts (const SeamDeck *deck, int step)
{
  SeamLessonSubject *subject = deck->subjects->pdata[step];

  return subject != NULL ? seam_lesson_subject_get_facts (subject) : NULL;
}

/* ---- one slide ---- */

static SeamSlide *
begin (const SeamDeck *deck, const Slide *slide)
{
  g_autoptr (GString) place = g_string_new (NULL);
  g_autofree char *source = g_strdup (deck->source);
  int step = slide->compared >= 0 && !slide->covered ? slide->compared : slide->step;

  if (deck->lesson != NULL) {
    const SeamLessonFacts *facts = get_facts (deck, slide->step);

    if (deck->number > 0)
      g_string_append_printf (place, "Lesson %d, ", deck->number);
    g_string_append_printf (place, "step %d of %u", step + 1, deck->lesson->steps->len);
    if (facts != NULL && facts->device != NULL && facts->device->name != NULL)
      source = g_strdup_printf ("%s, recorded", facts->device->name);
  }
  if (slide->n_parts > 1)
    g_string_append_printf (place, "%s%d of %d", place->len > 0 ? ", slide " : "slide ",
                            slide->part + 1, slide->n_parts);
  return seam_slide_new (deck->title, place->str, source);
}

/* ---- text ---- */

/* As many slides as the text needs. */
static void
add_texts (SeamDeck *deck, int step, const char *headline, GPtrArray *blocks)
{
  do {
    Slide *slide = add_slide (deck, SLIDE_TEXT, step);
    SeamSlide *empty = begin (deck, slide);
    SeamFigure *measured;

    slide->headline = g_strdup (headline);
    seam_slide_set_headline (empty, headline);
    slide->text = seam_deck_text_take (blocks, empty, &slide->text_size);
    measured = seam_slide_finish (empty);
    seam_figure_free (measured);
  } while (blocks->len > 0);
}

/* ---- figures ---- */

/* As many slides as the figure needs, in reading order. */
static void
add_parts (SeamDeck *deck, int step, const char *headline, SeamFigure *figure)
{
  double scale = seam_slide_get_scale (figure), width = SEAM_SLIDE_INNER / scale, height;
  double x = 0, y = 0;

  g_ptr_array_add (deck->figures, figure);
  for (;;) {
    Slide *slide = add_slide (deck, SLIDE_FIGURE, step);
    SeamSlide *empty = begin (deck, slide);
    SeamFigure *measured;

    slide->headline = g_strdup (headline);
    slide->figure = figure;
    slide->scale = scale;
    slide->from_x = x;
    slide->from_y = y;
    if (headline != NULL)
      seam_slide_set_headline (empty, headline);
    height = seam_slide_get_room (empty) / scale;
    measured = seam_slide_finish (empty);
    seam_figure_free (measured);
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

static void
add_timing (SeamDeck *deck, int step, SeamResult *result, int a, int b)
{
  const int plans[] = { a, b };
  const SeamBarsOptions options = { .width = seam_slide_get_figure_width () };
  g_autoptr (SeamVerdict) verdict = b >= 0 ? seam_verdict_new (result, a, b) : NULL;
  const char *headline = verdict != NULL ? verdict->headline : NULL;

  add_parts (deck, step, headline, seam_bars_figure_new (result, plans, b >= 0 ? 2 : 1, &options));
}

/* Whether a later question still covers what a figure of this step would show. */
static gboolean
is_asked_later (const SeamDeck *deck, int step)
{
  const SeamLessonStep *shown = get_step (deck, step);

  for (guint i = (guint)step + 1; i < deck->lesson->steps->len; i++) {
    const SeamLessonStep *later = get_step (deck, (int)i);

    if (g_strcmp0 (later->sample, shown->sample) == 0
        && seam_lesson_step_get_covered_plans (later) != 0)
      return TRUE;
  }
  return FALSE;
}

/* The product that a step shows: the one it names, else that of its page. */
static const SeamProduct *
find_product (const SeamLessonStep *step)
{
  const char *name = step->picture != NULL             ? step->picture
                     : step->kind == SEAM_STEP_SHOW    ? step->page
                     : step->kind == SEAM_STEP_COMPARE ? step->page
                                                       : NULL;

  return name != NULL ? seam_products_find (g_str_equal (name, "explore") ? "lattice" : name)
                      : NULL;
}

/* B, or the plan that a comparison is about. */
static int
find_shown_plan (const SeamDeck *deck, int step, const SeamLessonFacts *facts)
{
  const SeamLessonStep *shown = get_step (deck, step);
  int asked = shown->kind == SEAM_STEP_COMPARE
                  ? seam_lesson_step_get_asked_plan (get_step (deck, shown->about))
                  : -1;

  return asked > 0 && asked < facts->n_plans ? asked : 1;
}

/* What the product draws from; FALSE if the run does not hold it. */
static gboolean
fill_source (const SeamProduct *product, const SeamLessonFacts *facts, int plan,
             SeamProductSource *source)
{
  *source = (SeamProductSource){ .second = -1 };
  if (product->kind != SEAM_PRODUCT_FIGURE || facts == NULL || facts->result == NULL)
    return FALSE;
  if (product->of & SEAM_OF_SEARCHES)
    source->search = facts->search;
  else if (!(product->of & SEAM_OF_RESULTS))
    return FALSE;
  if ((product->of & SEAM_OF_SEARCHES) && source->search == NULL)
    return FALSE;
  source->results = (SeamResult *const *)&facts->result;
  source->n_results = 1;
  source->first = MAX (facts->places[0], 0);
  if (plan < facts->n_plans) {
    source->second = facts->places[plan];
    source->tested = source->second;
    source->trusted = source->first;
    if (source->second >= 0)
      source->difference = facts->result->plans[source->second].difference;
  }
  return !(product->of & SEAM_OF_OUTPUTS) || source->difference != NULL;
}

static SeamFigure *
draw_product (const SeamProduct *product, const SeamLessonFacts *facts,
              const SeamProductSource *source, double width)
{
  return product->make_page != NULL
             ? product->make_page (facts->result, source->first, source->second, width, NULL)
             : product->make_figure (source, width, NULL);
}

SeamFigure *
seam_lesson_picture_new (const SeamLessonStep *step, const SeamLessonFacts *facts, double width)
{
  const SeamProduct *product = step->picture != NULL ? seam_products_find (step->picture) : NULL;
  SeamProductSource source;

  return product != NULL && fill_source (product, facts, 1, &source)
             ? draw_product (product, facts, &source, width)
             : NULL;
}

static void
add_picture (SeamDeck *deck, int step)
{
  const SeamProduct *product = find_product (get_step (deck, step));
  const SeamLessonFacts *facts = get_facts (deck, step);
  SeamProductSource source;

  if (product == NULL || facts == NULL || is_asked_later (deck, step)
      || !fill_source (product, facts, find_shown_plan (deck, step, facts), &source))
    return;
  if (g_str_equal (product->name, "timing")) {
    add_timing (deck, step, facts->result, source.first, source.second);
    return;
  }
  SeamFigure *figure = draw_product (product, facts, &source, seam_slide_get_figure_width ());
  if (figure != NULL)
    add_parts (deck, step, NULL, figure);
}

/* ---- questions ---- */

/* What the class predicted for the slide's question; newly allocated. */
static double *
get_values (const SeamDeck *deck, const Slide *slide, int *n)
{
  *n = 0;
  return slide->kind == SLIDE_ASK ? seam_class_get_values (deck->class, deck->lesson->name,
                                                           get_step (deck, slide->step)->id, n)
                                  : NULL;
}

static double
add_plot (const SeamDeck *deck, const Slide *slide, SeamSlide *drawn)
{
  int n;
  g_autofree double *values = get_values (deck, slide, &n);
  SeamFigure *plot =
      seam_class_plot_new (get_step (deck, slide->step), get_facts (deck, slide->step), values, n,
                           slide->covered, SEAM_SLIDE_INNER, PLOT_HEIGHT, SEAM_SLIDE_SMALLEST);

  if (plot != NULL)
    seam_slide_add_figure_at_foot (drawn, plot, 1);
  return seam_slide_get_room (drawn);
}

/* The last of the plans that are asked for. */
static SeamFigure *
make_chain (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  int plan = g_bit_nth_msf (seam_lesson_step_get_covered_plans (step), -1);

  if (facts == NULL || facts->n_plans == 0)
    return NULL;
  return seam_slide_chain_new (facts->plans[CLAMP (plan, 0, facts->n_plans - 1)]);
}

static void
add_question (SeamDeck *deck, int step)
{
  const SeamLessonStep *asked = get_step (deck, step);
  const SeamLessonFacts *facts = get_facts (deck, step);
  g_autofree char *headline = seam_formula_fill (asked->title, facts);
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (asked, facts);
  g_autoptr (GPtrArray) blocks = seam_deck_text_read (body);
  g_autofree char *whole = seam_deck_text_join (blocks),
                  *known = seam_deck_text_format_facts (asked, facts);
  Slide trial = { .kind = SLIDE_ASK, .step = step, .compared = -1, .covered = TRUE };
  SeamSlide *empty = begin (deck, &trial);
  SeamFigure *chain = make_chain (asked, facts), *measured;
  double keep = chain != NULL ? chain->height + 40 : 0, size;
  Slide *slide;

  seam_slide_set_headline (empty, headline);
  add_plot (deck, &trial, empty);
  size = blocks->len == 1 ? seam_slide_fit_text (empty, whole, TEXT_SIZE, 36, keep) : 0;
  if (blocks->len > 0 && size == 0)
    add_texts (deck, step, headline, blocks);
  slide = add_slide (deck, SLIDE_ASK, step);
  slide->headline = g_steal_pointer (&headline);
  slide->covered = TRUE;
  slide->text = size > 0 ? g_steal_pointer (&whole) : g_steal_pointer (&known);
  slide->text_size =
      size > 0 ? size : seam_slide_fit_text (empty, slide->text, TEXT_SIZE - 6, 0, keep);
  if (slide->text_size == 0)
    slide->text_size = seam_slide_fit_text (empty, slide->text, TEXT_SIZE - 6, 0, 0);
  measured = seam_slide_finish (empty);
  seam_figure_free (measured);
  seam_figure_free (chain);
  if (step + 1 < (int)deck->lesson->steps->len
      && get_step (deck, step + 1)->kind == SEAM_STEP_COMPARE
      && get_step (deck, step + 1)->about == step)
    slide->compared = step + 1;
}

static void
draw_answer (const SeamDeck *deck, const Slide *slide, SeamSlide *drawn)
{
  const SeamLessonAnswer nothing = { .value = NAN, .reason = -1 };
  const SeamLessonStep *step = get_step (deck, slide->step);
  const SeamLessonFacts *facts = get_facts (deck, slide->step);
  const char *why = slide->compared >= 0 ? get_step (deck, slide->compared)->why : step->right;
  g_autofree char *number = NULL, *beside = NULL, *note = NULL, *text = NULL;
  SeamScore score;
  double size;

  if (facts == NULL) {
    seam_slide_set_headline (drawn, slide->headline);
    seam_slide_add_text (drawn, "This runs on this computer: the lesson in the window tells.",
                         TEXT_SIZE);
    return;
  }
  seam_score_answer (step, facts, &nothing, &score);
  number = seam_deck_text_format_answer (step, facts, score.measured);
  seam_score_clear (&score);
  seam_deck_text_describe_verdict (step, facts, &beside, &note);
  if (step->ask == SEAM_ASK_CHOICE)
    seam_slide_set_headline (drawn, number);
  else
    seam_slide_set_number (drawn, number, beside, note);
  if (why == NULL)
    return;
  text = seam_formula_fill (why, facts);
  size = seam_slide_fit_text (drawn, text, TEXT_SIZE, 0, 0);
  if (size > 0)
    seam_slide_add_text (drawn, text, size);
}

static void
draw_question (const SeamDeck *deck, const Slide *slide, SeamSlide *drawn)
{
  SeamFigure *chain = make_chain (get_step (deck, slide->step), get_facts (deck, slide->step));

  seam_slide_set_headline (drawn, slide->headline);
  if (slide->text_size > 0 && *slide->text != '\0')
    seam_slide_add_text (drawn, slide->text, slide->text_size);
  if (chain != NULL && chain->height <= seam_slide_get_room (drawn))
    seam_slide_add_figure (drawn, chain, 1);
  else
    seam_figure_free (chain);
}

/* ---- decks ---- */

/* Steps with the same run share nothing but the file: each has plans of its own. */
static void
load_subjects (SeamDeck *deck)
{
  for (guint i = 0; i < deck->lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (deck->lesson, i);

    g_ptr_array_add (deck->subjects,
                     step->sample != NULL ? seam_lesson_step_load (step, NULL) : NULL);
  }
}

static void
add_step (SeamDeck *deck, int step)
{
  const SeamLessonStep *shown = get_step (deck, step);
  const SeamLessonFacts *facts = get_facts (deck, step);
  g_autofree char *headline = seam_formula_fill (shown->title, facts);
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (shown, facts);
  g_autoptr (GPtrArray) blocks = seam_deck_text_read (body);

  if (shown->sample != NULL && facts == NULL) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamLessonSubject) none = seam_lesson_step_load (shown, &error);

    if (error != NULL)
      g_ptr_array_add (blocks, g_strdup (error->message));
  }
  /* The revealed question says why; the rest of the comparison follows. */
  if (shown->why != NULL && (step == 0 || get_step (deck, step - 1)->kind != SEAM_STEP_PREDICT))
    g_ptr_array_insert (blocks, 0, seam_formula_fill (shown->why, facts));
  if (blocks->len > 0 || shown->kind != SEAM_STEP_COMPARE)
    add_texts (deck, step, headline, blocks);
  add_picture (deck, step);
}

static void
count_parts (SeamDeck *deck)
{
  for (guint i = 0, end; i < deck->slides->len; i = end) {
    for (end = i; end < deck->slides->len && get (deck, end)->step == get (deck, i)->step; end++)
      get (deck, end)->part = (int)(end - i);
    for (guint k = i; k < end; k++)
      get (deck, k)->n_parts = (int)(end - i);
  }
}

SeamDeck *
seam_deck_new_for_lesson (SeamLesson *lesson, int number)
{
  SeamDeck *deck = deck_new ();

  deck->lesson = lesson;
  deck->number = number;
  deck->title = g_strdup (lesson->title);
  load_subjects (deck);
  for (int i = 0; i < (int)lesson->steps->len; i++)
    if (get_step (deck, i)->kind == SEAM_STEP_PREDICT)
      add_question (deck, i);
    else
      add_step (deck, i);
  count_parts (deck);
  return deck;
}

SeamDeck *
seam_deck_new_for_figures (const char *title, const char *source)
{
  SeamDeck *deck = deck_new ();

  deck->title = g_strdup (title);
  deck->source = g_strdup (source);
  return deck;
}

void
seam_deck_add_timing (SeamDeck *deck, SeamResult *result, int a, int b)
{
  add_timing (deck, -1, result, a, b);
  count_parts (deck);
}

void
seam_deck_add_figure (SeamDeck *deck, const char *headline, SeamFigure *figure)
{
  add_parts (deck, -1, headline, figure);
  count_parts (deck);
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
    if (get (deck, i)->step == step || get (deck, i)->compared == step)
      return i;
  return 0;
}

int
seam_deck_get_step (const SeamDeck *deck, guint i)
{
  const Slide *slide = get (deck, i);

  return slide->compared >= 0 && !slide->covered ? slide->compared : slide->step;
}

gboolean
seam_deck_asks (const SeamDeck *deck, guint i)
{
  return get (deck, i)->kind == SLIDE_ASK;
}

gboolean
seam_deck_is_covered (const SeamDeck *deck, guint i)
{
  return get (deck, i)->covered;
}

void
seam_deck_set_covered (SeamDeck *deck, guint i, gboolean covered)
{
  if (seam_deck_asks (deck, i))
    get (deck, i)->covered = covered;
}

/* ---- predictions ---- */

void
seam_deck_set_class (SeamDeck *deck, SeamClass *class)
{
  deck->class = class;
}

static int
get_n_positions (const SeamDeck *deck, const Slide *slide)
{
  const SeamLessonStep *step = get_step (deck, slide->step);
  const SeamLessonFacts *facts = get_facts (deck, slide->step);

  switch (step->ask) {
  case SEAM_ASK_CHOICE:
    return (int)step->choices->len;
  case SEAM_ASK_CUT:
    return facts != NULL && facts->n_plans > 0 ? seam_plan_get_chain (facts->plans[0])->n_ops - 1
                                               : 0;
  case SEAM_ASK_CELL:
    return step->rows * step->columns;
  default:
    return 0;
  }
}

/* A comma is a decimal point if digits follow; a unit after the number is no harm. */
static gboolean
read_number (const char *word, const char *unit, double *value)
{
  g_autofree char *plain = g_strdelimit (g_strdup (word), ",", '.');
  char *end;

  *value = g_ascii_strtod (plain, &end);
  if (end == plain || !isfinite (*value) || !(*value > 0))
    return FALSE;
  return *end == '\0' || (unit != NULL && strcmp (end, unit) == 0);
}

char *
seam_deck_add_predictions (SeamDeck *deck, guint i, const char *text)
{
  Slide *slide = get (deck, i);
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n\r;", -1);
  g_autoptr (GPtrArray) bad = g_ptr_array_new_with_free_func (g_free);
  const SeamLessonStep *step;
  g_autofree char *list = NULL;

  if (slide->kind != SLIDE_ASK)
    return g_strdup ("This slide asks nothing.");
  step = get_step (deck, slide->step);
  for (int k = 0; words[k] != NULL; k++) {
    gsize length = strlen (words[k]);
    double value;

    if (length > 0 && words[k][length - 1] == ',')
      words[k][--length] = '\0';
    if (length == 0 || (step->unit != NULL && strcmp (words[k], step->unit) == 0))
      continue;
    if (!read_number (words[k], step->unit, &value)) {
      g_ptr_array_add (bad, seam_text_shorten (words[k], 24));
      continue;
    }
    if (step->ask == SEAM_ASK_NUMBER) {
      value *= step->unit != NULL ? step->unit_scale : 1;
    } else if (value != floor (value) || value > get_n_positions (deck, slide)) {
      g_ptr_array_add (bad, seam_text_shorten (words[k], 24));
      continue;
    } else {
      value -= 1;
    }
    seam_class_call_out (deck->class, deck->lesson, step, value);
  }
  if (bad->len == 0)
    return NULL;
  g_ptr_array_add (bad, NULL);
  list = seam_text_list ((const char *const *)bad->pdata);
  if (step->ask == SEAM_ASK_NUMBER)
    return g_strdup_printf (
        "Left out, because it is no %s: %s",
        seam_formula_get_kind (step->answer) == SEAM_VALUE_TIME ? "time above 0" : "number above 0",
        list);
  return g_strdup_printf ("Left out, because it is no number from 1 to %d: %s",
                          get_n_positions (deck, slide), list);
}

int
seam_deck_get_n_predictions (const SeamDeck *deck, guint i)
{
  g_autofree double *values = NULL;
  int n;

  values = get_values (deck, get (deck, i), &n);
  return n;
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

static void
add_hints (const Slide *slide, SeamSlide *drawn)
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

  seam_slide_set_hints (drawn,
                        slide->covered             ? covered
                        : slide->kind == SLIDE_ASK ? open
                                                   : plain,
                        &leave);
}

SeamFigure *
seam_deck_draw (SeamDeck *deck, guint i, gboolean with_hints)
{
  const Slide *slide = get (deck, i);
  SeamSlide *drawn = begin (deck, slide);

  switch (slide->kind) {
  case SLIDE_TEXT:
    seam_slide_set_headline (drawn, slide->headline);
    if (*slide->text != '\0')
      seam_slide_add_text (drawn, slide->text, slide->text_size);
    break;
  case SLIDE_ASK:
    add_plot (deck, slide, drawn);
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
    add_hints (slide, drawn);
  return seam_slide_finish (drawn);
}
