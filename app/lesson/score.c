/* SPDX-License-Identifier: MIT
 *
 * Points for predictions, and checks.
 */
#include "app/lesson/score.h"

#include "app/base/text.h"

#include <math.h>

const double seam_score_bands[SEAM_SCORE_MOST] = { 1.1, 1.5, 2 };

#define POINTS_OF_BEST_SEAM 2 /* and one for the right reason */

char *
seam_score_describe_ratio (double value, double measured)
{
  if (!(value > 0) || !(measured > 0))
    return g_strdup (SEAM_DASH);
  double ratio = value / measured;
  g_autofree char *times = seam_text_ratio (ratio < 1 ? 1 / ratio : ratio);
  g_autofree char *exact = seam_text_ratio (1);
  if (g_str_equal (times, exact))
    return g_strdup ("exact");
  return g_strdup_printf ("%s too %s", times, ratio < 1 ? "small" : "large");
}

/* How far off by ratio, either way; within the interval it is 1. */
static double
get_distance (double value, const SeamScore *score)
{
  double low = isnan (score->measured_low) ? score->measured : score->measured_low;
  double high = isnan (score->measured_high) ? score->measured : score->measured_high;

  if (!(value > 0) || !(low > 0))
    return INFINITY;
  return value < low ? low / value : value > high ? value / high : 1;
}

/* The interval of what is asked for: known for the time of one plan. */
static void
get_interval (const SeamLessonStep *step, const SeamLessonFacts *facts, SeamScore *score)
{
  guint plans = seam_formula_get_measured_plans (step->answer);

  if (seam_formula_get_kind (step->answer) != SEAM_VALUE_TIME)
    return;
  for (int i = 0; i < facts->n_plans; i++) {
    const SeamPlanResult *plan = seam_lesson_facts_get_measured (facts, i);
    if (plans == 1u << i && plan != NULL && plan->median_ns == score->measured) {
      score->measured_low = plan->ci_low_ns;
      score->measured_high = plan->ci_high_ns;
    }
  }
}

static void
judge_number (const SeamLessonStep *step, const SeamLessonFacts *facts,
              const SeamLessonAnswer *answer, SeamScore *score)
{
  SeamLessonValue value;

  seam_formula_evaluate (step->answer, facts, &value);
  score->measured = value.number;
  seam_lesson_value_clear (&value);
  get_interval (step, facts, score);
  if (isnan (answer->value) || isnan (score->measured))
    return;
  double distance = get_distance (answer->value, score);
  for (int i = 0; i < SEAM_SCORE_MOST && score->points == 0; i++)
    if (distance <= seam_score_bands[i])
      score->points = SEAM_SCORE_MOST - i;
  score->verdict = seam_score_describe_ratio (answer->value, score->measured);
  score->reply = g_strdup (score->points == SEAM_SCORE_MOST  ? step->right
                           : answer->value < score->measured ? step->too_low
                                                             : step->too_high);
}

/* The answer that a number stands for, from 0; -1: none of those that are possible. */
static int
find_place (const SeamLessonStep *step, const SeamLessonFacts *facts, double value)
{
  return value >= 0 && value < seam_lesson_step_get_n_places (step, facts) && value == floor (value)
             ? (int)value
             : -1;
}

/* NULL: there is no such choice. */
static const SeamLessonItem *
get_choice (const SeamLessonStep *step, int choice)
{
  return choice >= 0 && choice < (int)step->choices->len ? step->choices->pdata[choice] : NULL;
}

gboolean
seam_score_is_right (const SeamLessonStep *step, const SeamLessonFacts *facts, int choice)
{
  const SeamLessonItem *item = get_choice (step, choice);

  return item != NULL && seam_formula_holds (item->formula, facts);
}

static void
judge_choice (const SeamLessonStep *step, const SeamLessonFacts *facts,
              const SeamLessonAnswer *answer, SeamScore *score)
{
  for (guint i = 0; i < step->choices->len && isnan (score->measured); i++)
    if (seam_score_is_right (step, facts, (int)i))
      score->measured = i;
  if (isnan (answer->value) || isnan (score->measured))
    return;
  int chosen = find_place (step, facts, answer->value);
  gboolean right = seam_score_is_right (step, facts, chosen);
  score->points = right ? SEAM_SCORE_MOST : 0;
  score->verdict = g_strdup (right ? "right" : "not right");
  score->reply = g_strdup (right         ? step->right
                           : chosen >= 0 ? get_choice (step, chosen)->reply
                                         : NULL);
}

static void
judge_cut (const SeamLessonStep *step, const SeamLessonFacts *facts, const SeamLessonAnswer *answer,
           SeamScore *score)
{
  SeamLessonValue value;

  seam_formula_evaluate (step->answer, facts, &value);
  if (find_place (step, facts, value.number - 1) >= 0)
    score->measured = value.number - 1;
  if (isnan (answer->value) || isnan (score->measured))
    return;
  gboolean seam = answer->value == score->measured;
  int n = (int)step->choices->len, best = 0;
  while (best < n && !seam_score_is_right (step, facts, best))
    best++;
  gboolean reason = best < n && answer->reason == best;
  score->points = (seam ? n > 0 ? POINTS_OF_BEST_SEAM : SEAM_SCORE_MOST : 0) + (reason ? 1 : 0);
  score->verdict = seam ? g_strdup (reason || n == 0 ? "right" : "right seam, wrong reason")
                        : g_strdup_printf ("the best seam is %d", (int)value.number);
  /* The right seam with a wrong reason: that reason is told, once, and why it is right. */
  if (seam && !reason && best < n)
    score->reply = g_strdup_printf ("The right reason: %s. %s", get_choice (step, best)->text,
                                    step->right != NULL ? step->right : "");
  else
    score->reply = g_strdup (seam ? step->right : step->too_low);
}

/* The cell of the grid with the most failing elements; -1: none fails, or nothing is known. */
static int
find_cell (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  double most = 0;
  int found = -1;
  const SeamDifference *difference = NULL;

  for (int i = facts->n_plans - 1; i > 0 && difference == NULL; i--)
    if (seam_lesson_facts_get_measured (facts, i) != NULL)
      difference = seam_lesson_facts_get_measured (facts, i)->difference;
  if (difference == NULL || difference->failing == NULL)
    return -1;
  g_autofree double *sums = g_new0 (double, step->rows * step->columns);
  for (gint64 row = 0; row < difference->n_cell_rows; row++)
    for (gint64 column = 0; column < difference->n_cell_columns; column++) {
      int r = (int)(row * step->rows / difference->n_cell_rows);
      int c = (int)(column * step->columns / difference->n_cell_columns);
      sums[r * step->columns + c] += difference->failing[row * difference->n_cell_columns + column];
    }
  for (int i = 0; i < step->rows * step->columns; i++)
    if (sums[i] > most) {
      most = sums[i];
      found = i;
    }
  return found;
}

static void
judge_cell (const SeamLessonStep *step, const SeamLessonFacts *facts,
            const SeamLessonAnswer *answer, SeamScore *score)
{
  int cell = find_cell (step, facts);

  if (cell >= 0)
    score->measured = cell;
  if (isnan (answer->value) || cell < 0)
    return;
  score->points = answer->value == cell ? SEAM_SCORE_MOST : 0;
  score->verdict = score->points > 0
                       ? g_strdup ("right")
                       : g_strdup_printf ("most elements fail in row %d, column %d of the grid",
                                          cell / step->columns + 1, cell % step->columns + 1);
  score->reply = g_strdup (score->points > 0 ? step->right : step->too_low);
}

void
seam_score_answer (const SeamLessonStep *step, const SeamLessonFacts *facts,
                   const SeamLessonAnswer *answer, SeamScore *score)
{
  static void (*const judges[]) (const SeamLessonStep *, const SeamLessonFacts *,
                                 const SeamLessonAnswer *, SeamScore *) = {
    [SEAM_ASK_NUMBER] = judge_number,
    [SEAM_ASK_CHOICE] = judge_choice,
    [SEAM_ASK_CUT] = judge_cut,
    [SEAM_ASK_CELL] = judge_cell,
  };

  static const SeamLessonFacts none = { 0 };

  if (facts == NULL)
    facts = &none;
  *score = (SeamScore){ .measured = NAN, .measured_low = NAN, .measured_high = NAN };
  judges[step->ask](step, facts, answer, score);
  if (score->verdict == NULL)
    score->verdict = g_strdup (isnan (answer->value) ? "you looked first" : SEAM_DASH);
  if (isnan (answer->value) && !isnan (score->measured))
    score->reply = g_strdup (step->right);
  if (score->reply != NULL) {
    char *filled = seam_formula_fill (score->reply, facts);
    g_free (score->reply);
    score->reply = filled;
  }
}

void
seam_score_clear (SeamScore *score)
{
  g_clear_pointer (&score->verdict, g_free);
  g_clear_pointer (&score->reply, g_free);
}

/* ---- checks ---- */

/* By the medians, and by both ends of the intervals. */
static SeamConditionOutcome
judge_condition (const SeamFormula *formula, const SeamLessonFacts *facts)
{
  int n = 0;

  if (facts == NULL)
    return SEAM_CONDITION_FAILS;
  for (int end = -1; end <= 1; end++) {
    SeamLessonFacts at_end = *facts;

    at_end.end = end;
    n += seam_formula_holds (formula, &at_end);
  }
  return n == 3 ? SEAM_CONDITION_HOLDS : n == 0 ? SEAM_CONDITION_FAILS : SEAM_CONDITION_UNCLEAR;
}

GPtrArray *
seam_lesson_check_conditions (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  GPtrArray *conditions = g_ptr_array_new_with_free_func (seam_owner_free);

  for (guint i = 0; i < step->checks->len; i++) {
    const SeamLessonItem *item = step->checks->pdata[i];
    SeamLessonCondition *condition = seam_owner_new (SeamLessonCondition);

    condition->item = item;
    condition->state = judge_condition (item->formula, facts);
    condition->found = seam_keep (condition, seam_formula_describe (item->formula, facts));
    if (condition->state == SEAM_CONDITION_UNCLEAR)
      condition->reply = "The samples do not tell yet. Measure longer.";
    else if (condition->state == SEAM_CONDITION_FAILS)
      condition->reply = item->reply != NULL
                             ? seam_keep (condition, seam_formula_fill (item->reply, facts))
                             : "Not yet: run what the step before asks for.";
    g_ptr_array_add (conditions, condition);
  }
  return conditions;
}

double
seam_lesson_check_judge (const GPtrArray *conditions, const SeamLessonCondition **first)
{
  const SeamLessonCondition *found[] = { NULL, NULL, NULL };

  for (guint i = conditions->len; i-- > 0;) {
    const SeamLessonCondition *condition = conditions->pdata[i];
    found[condition->state] = condition;
  }
  const SeamLessonCondition *failed = found[SEAM_CONDITION_FAILS];
  if (first != NULL)
    *first = failed != NULL ? failed : found[SEAM_CONDITION_UNCLEAR];
  return failed != NULL ? 0 : found[SEAM_CONDITION_UNCLEAR] != NULL ? NAN : 1;
}

/* ---- marks ---- */

const SeamChoice seam_lesson_marks[] = {
  [SEAM_MARK_NOTHING] = { .name = "nothing", .title = "nothing asked" },
  [SEAM_MARK_OPEN] = { .name = "open" },
  [SEAM_MARK_CHECKED] = { .name = "checked" },
  [SEAM_MARK_MISSED] = { .name = "missed" },
  [SEAM_MARK_RECORDED] = { .name = "recorded", .title = "from a recording" },
  [SEAM_MARK_SKIPPED] = { .name = "skipped" },
  [SEAM_N_MARKS] = { .name = NULL },
};

SeamLessonMark
seam_lesson_get_mark (const SeamLesson *lesson, const SeamLessonAnswers *answers, int step)
{
  const SeamLessonStep *asked = seam_lesson_get_step (lesson, (guint)step);
  const SeamLessonAnswer *answer = seam_lesson_answers_find (answers, asked->id);
  gboolean predicts = asked->kind == SEAM_STEP_PREDICT;
  gboolean is_run = asked->kind == SEAM_STEP_TRY || asked->kind == SEAM_STEP_PROVE;

  if (!predicts && !is_run)
    return SEAM_MARK_NOTHING;
  if (answer == NULL)
    return is_run && step < answers->furthest ? SEAM_MARK_SKIPPED : SEAM_MARK_OPEN;
  if (isnan (answer->value))
    return predicts ? SEAM_MARK_SKIPPED : SEAM_MARK_OPEN;
  if (predicts && answer->points < 0)
    return SEAM_MARK_OPEN;
  if ((predicts ? answer->points : answer->value) == 0)
    return SEAM_MARK_MISSED;
  return answer->recorded && asked->sample == NULL ? SEAM_MARK_RECORDED : SEAM_MARK_CHECKED;
}

gboolean
seam_lesson_is_done (const SeamLesson *lesson, const SeamLessonAnswers *answers)
{
  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);
    const SeamLessonAnswer *answer = seam_lesson_answers_find (answers, step->id);

    if (step->kind == SEAM_STEP_PROVE && (answer == NULL || answer->value != 1))
      return FALSE;
  }
  return answers->furthest >= (int)lesson->steps->len - 1;
}
