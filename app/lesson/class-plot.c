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

static SeamFigure *
plot_choice (const SeamLessonStep *step, const SeamLessonFacts *facts, SeamClassOptions *options)
{
  const SeamLessonAnswer nothing = { .value = NAN, .reason = -1 };
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (int));
  g_auto (SeamScore) score = { 0 };

  seam_score_answer (step, facts, &nothing, &score);
  options->right = -1;
  for (int i = 0; i < seam_lesson_step_get_n_places (step, facts); i++) {
    int count = 0;

    for (int k = 0; k < options->n_values; k++)
      count += options->values[k] == i;
    /* Of cells only those that somebody chose, and the right one. */
    if (step->ask == SEAM_ASK_CELL && count == 0 && (i != score.measured || options->covered))
      continue;
    if (i == score.measured)
      options->right = (int)texts->len;
    g_ptr_array_add (texts, seam_lesson_step_name_answer (step, facts, i));
    g_array_append_val (counts, count);
  }
  options->choices = (const char *const *)texts->pdata;
  options->counts = (const int *)counts->data;
  options->n_choices = (int)texts->len;
  if (texts->len == 0)
    options->n_values = 0;
  return seam_class_figure_new (options);
}

/* A bar for each mark; values are marks. */
static SeamFigure *
plot_check (SeamClassOptions *options)
{
  const char *titles[SEAM_N_MARKS];
  int counts[SEAM_N_MARKS] = { 0 };

  for (int k = 0; k < options->n_values; k++)
    counts[(int)options->values[k]]++;
  for (int i = SEAM_MARK_NOTHING + 1; i < SEAM_N_MARKS; i++) {
    titles[options->n_choices] = seam_choice_get_title (seam_lesson_marks, i);
    counts[options->n_choices++] = counts[i];
  }
  options->choices = titles;
  options->counts = counts;
  options->right = SEAM_MARK_CHECKED - SEAM_MARK_OPEN;
  return seam_class_figure_new (options);
}

SeamFigure *
seam_class_plot_new (const SeamLessonStep *step, const SeamLessonFacts *facts, const double *values,
                     int n_values, gboolean covered, double width, double height, double text_size)
{
  SeamClassOptions options = {
    .width = width,
    .height = height,
    .values = values,
    .n_values = n_values,
    .a = NAN,
    .range = NAN,
    .covered = covered,
    .measured = NAN,
    .measured_low = NAN,
    .measured_high = NAN,
    .guess = NAN,
    .text_size = text_size,
  };

  if (step->kind == SEAM_STEP_PROVE)
    return plot_check (&options);
  if (step->kind != SEAM_STEP_PREDICT || (facts == NULL && step->ask != SEAM_ASK_CHOICE))
    return NULL;
  return step->ask == SEAM_ASK_NUMBER ? plot_number (step, facts, &options)
                                      : plot_choice (step, facts, &options);
}
