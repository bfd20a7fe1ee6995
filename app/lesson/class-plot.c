/* SPDX-License-Identifier: MIT
 *
 * Fills the options of the class's figure from a step and its facts.
 */
#include "app/lesson/class-plot.h"

#include <math.h>

static SeamFigure *
plot_number (const SeamLessonStep *step, const SeamLessonFacts *facts, SeamClassOptions *options)
{
  const SeamLessonAnswer nothing = { .value = NAN };
  gboolean is_time = seam_formula_get_kind (step->answer) == SEAM_VALUE_TIME;
  int plan = seam_lesson_step_get_asked_plan (step);
  const SeamPlanResult *a = seam_lesson_facts_get_measured (facts, 0);
  const SeamPlanResult *asked = seam_lesson_facts_get_measured (facts, plan);
  g_auto (SeamScore) score = { 0 };

  seam_score_answer (step, facts, &nothing, &score);
  options->is_time = is_time;
  options->unit = (SeamUnit){ step->unit, step->unit_scale };
  options->range = step->high;
  options->near = seam_score_bands[0];
  if (is_time && plan != 0 && a != NULL)
    options->a = a->median_ns;
  options->is_modelled = seam_lesson_step_asks_for_model (step);
  options->measured = score.measured;
  options->measured_low = score.measured_low;
  options->measured_high = score.measured_high;
  /* The guess is of a plan's whole time. */
  if (asked != NULL && asked->median_ns == score.measured)
    options->guess = facts->guess_ns[plan];
  return seam_class_figure_new (options);
}

static int
count (const double *values, int n, double value)
{
  int found = 0;

  for (int i = 0; i < n; i++)
    found += values[i] == value;
  return found;
}

static void
add_bar (GPtrArray *texts, GArray *counts, char *text, int n)
{
  g_ptr_array_add (texts, text);
  g_array_append_val (counts, n);
}

/* Wrong reasons for a cut that somebody gave, the most frequent first. */
static void
add_reasons (const SeamLessonStep *step, const SeamLessonFacts *facts, const double *reasons,
             int n_reasons, GPtrArray *texts, GArray *counts)
{
  for (int n = n_reasons; n > 0; n--)
    for (int i = 0; i < (int)step->choices->len; i++)
      if (count (reasons, n_reasons, i) == n && !seam_score_is_right (step, facts, i)) {
        g_autofree char *words = seam_lesson_item_get_words (step->choices->pdata[i], facts);
        add_bar (texts, counts, g_strconcat ("Wrong reason: ", words, NULL), n);
      }
}

/* A bar for each answer, or each way in which a check ended. */
static SeamFigure *
plot_bars (const SeamLessonStep *step, const SeamLessonFacts *facts, const double *reasons,
           int n_reasons, SeamClassOptions *options)
{
  const SeamLessonAnswer nothing = { .value = NAN, .reason = -1 };
  gboolean is_check = step->kind == SEAM_STEP_PROVE;
  int n_places = is_check ? SEAM_N_OUTCOMES : seam_lesson_step_get_n_places (step, facts);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (int));
  g_auto (SeamScore) score = { .measured = NAN };

  if (!is_check)
    seam_score_answer (step, facts, &nothing, &score);
  options->right = -1;
  for (int i = 0; i < n_places; i++) {
    int n = count (options->values, options->n_values, i);

    /* Of cells only those that somebody chose, and the right one. */
    if (!is_check && step->ask == SEAM_ASK_CELL && n == 0
        && (i != score.measured || options->covered))
      continue;
    if (i == score.measured)
      options->right = (int)texts->len;
    add_bar (texts, counts, seam_class_name_value (step, facts, i), n);
  }
  options->n_more = (int)texts->len;
  options->of_learners = is_check;
  if (options->right >= 0)
    add_reasons (step, facts, reasons, n_reasons, texts, counts);
  options->choices = (const char *const *)texts->pdata;
  options->counts = (const int *)counts->data;
  options->n_choices = (int)texts->len;
  options->n_more = options->n_choices - options->n_more;
  if (texts->len == 0)
    options->n_values = 0;
  return seam_class_figure_new (options);
}

SeamFigure *
seam_class_plot_new (const SeamClass *class, const SeamLesson *lesson, const SeamLessonStep *step,
                     const SeamLessonFacts *facts, gboolean covered, double width, double height,
                     double text_size)
{
  gboolean is_number = step->kind == SEAM_STEP_PREDICT && step->ask == SEAM_ASK_NUMBER;
  SeamClassOptions options = {
    .width = width,
    .height = height,
    .a = NAN,
    .range = NAN,
    .covered = covered && step->kind != SEAM_STEP_PROVE,
    .measured = NAN,
    .measured_low = NAN,
    .measured_high = NAN,
    .guess = NAN,
    .text_size = text_size,
  };
  int n_reasons;

  if (step->kind != SEAM_STEP_PROVE
      && (step->kind != SEAM_STEP_PREDICT || (facts == NULL && step->ask != SEAM_ASK_CHOICE)))
    return NULL;
  g_autofree double *values = seam_class_get_values (class, lesson, step->id, &options.n_values);
  g_autofree double *reasons = seam_class_get_reasons (class, lesson, step->id, &n_reasons);
  options.values = values;
  return is_number ? plot_number (step, facts, &options)
                   : plot_bars (step, facts, reasons, n_reasons, &options);
}
