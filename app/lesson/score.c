/* SPDX-License-Identifier: MIT
 *
 * Points for predictions, checks, and what is covered until a question is answered.
 */
#include "app/lesson/score.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

const double seam_score_bands[SEAM_SCORE_MOST] = { 1.1, 1.5, 2 };

#define POINTS_OF_BEST_SEAM 2 /* and one for the right reason */

char *
seam_score_describe_ratio (double value, double measured)
{
  if (!(value > 0) || !(measured > 0))
    return g_strdup (SEAM_DASH);
  double ratio = value / measured;
  if (fabs (ratio - 1) < 0.01)
    return g_strdup (ratio == 1 ? "exact" : "within 1 %");
  g_autofree char *times = seam_text_ratio (ratio < 1 ? 1 / ratio : ratio);
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
  int asked = seam_lesson_step_get_asked_plan (step);
  const SeamPlanResult *plan = seam_lesson_facts_get_measured (facts, asked);

  if (plan == NULL || seam_formula_get_plans (step->answer, TRUE) != 1u << asked
      || plan->median_ns != score->measured)
    return;
  score->measured_low = plan->ci_low_ns;
  score->measured_high = plan->ci_high_ns;
}

/* NULL: there is no such choice. */
static const SeamLessonItem *
get_choice (const SeamLessonStep *step, double choice)
{
  return choice >= 0 && choice < step->choices->len && choice == floor (choice)
             ? step->choices->pdata[(int)choice]
             : NULL;
}

gboolean
seam_score_is_right (const SeamLessonStep *step, const SeamLessonFacts *facts, int choice)
{
  const SeamLessonItem *item = get_choice (step, choice);

  return item != NULL && seam_formula_holds (item->formula, facts);
}

/* The first that is right; -1: none. */
static int
find_choice (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  for (int i = 0; i < (int)step->choices->len; i++)
    if (seam_score_is_right (step, facts, i))
      return i;
  return -1;
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

/* A number, or the place of the right answer, from 0; NaN: the facts do not tell. */
static double
find_measured (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  SeamLessonValue value = { .number = NAN };
  int place = step->ask == SEAM_ASK_CHOICE ? find_choice (step, facts)
              : step->ask == SEAM_ASK_CELL ? find_cell (step, facts)
                                           : -1;

  if (step->answer != NULL)
    seam_formula_evaluate (step->answer, facts, &value);
  seam_lesson_value_clear (&value);
  if (step->ask == SEAM_ASK_NUMBER)
    return value.number;
  if (step->ask == SEAM_ASK_CUT && value.number == floor (value.number) && value.number >= 1
      && value.number <= seam_lesson_step_get_n_places (step, facts))
    place = (int)value.number - 1;
  return place >= 0 ? place : NAN;
}

static void
judge_number (const SeamLessonStep *step, double value, SeamScore *score)
{
  double distance = get_distance (value, score);

  for (int i = 0; i < SEAM_SCORE_MOST && score->points == 0; i++)
    if (distance <= seam_score_bands[i])
      score->points = SEAM_SCORE_MOST - i;
  score->reply = g_strdup (score->points == SEAM_SCORE_MOST ? step->right
                           : value < score->measured        ? step->too_low
                                                            : step->too_high);
}

static void
judge_cut (const SeamLessonStep *step, const SeamLessonFacts *facts, const SeamLessonAnswer *answer,
           SeamScore *score)
{
  gboolean seam = answer->value == score->measured;
  int best = find_choice (step, facts);
  const SeamLessonItem *right = get_choice (step, best);
  gboolean reason = right != NULL && answer->reason == best;

  score->points = (!seam                    ? 0
                   : step->choices->len > 0 ? POINTS_OF_BEST_SEAM
                                            : SEAM_SCORE_MOST)
                  + (reason ? 1 : 0);
  /* The right seam with a wrong reason: the right one is told, once, and why the seam is right. */
  if (seam && !reason && right != NULL)
    score->reply = g_strdup_printf ("The right reason: %s. %s", right->text,
                                    step->right != NULL ? step->right : "");
  else
    score->reply = g_strdup (seam ? step->right : step->too_low);
}

/* Of a choice or a cell. */
static void
judge_place (const SeamLessonStep *step, const SeamLessonFacts *facts, double value,
             SeamScore *score)
{
  const SeamLessonItem *chosen = get_choice (step, value);
  gboolean right = step->ask == SEAM_ASK_CELL
                       ? value == score->measured
                       : chosen != NULL && seam_formula_holds (chosen->formula, facts);

  score->points = right ? SEAM_SCORE_MOST : 0;
  score->reply = g_strdup (right                        ? step->right
                           : step->ask == SEAM_ASK_CELL ? step->too_low
                           : chosen != NULL             ? chosen->reply
                                                        : NULL);
}

void
seam_score_answer (const SeamLessonStep *step, const SeamLessonFacts *facts,
                   const SeamLessonAnswer *answer, SeamScore *score)
{
  static const SeamLessonFacts none = { 0 };

  if (facts == NULL)
    facts = &none;
  *score = (SeamScore){ .measured = find_measured (step, facts),
                        .measured_low = NAN,
                        .measured_high = NAN };
  if (step->ask == SEAM_ASK_NUMBER)
    get_interval (step, facts, score);
  if (isnan (score->measured))
    return;
  if (isnan (answer->value))
    score->reply = g_strdup (step->right);
  else if (step->ask == SEAM_ASK_NUMBER)
    judge_number (step, answer->value, score);
  else if (step->ask == SEAM_ASK_CUT)
    judge_cut (step, facts, answer, score);
  else
    judge_place (step, facts, answer->value, score);
  if (score->reply != NULL) {
    g_autofree char *reply = g_steal_pointer (&score->reply);
    score->reply = seam_formula_fill (reply, facts);
  }
}

void
seam_score_clear (SeamScore *score)
{
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

/* ---- covers ---- */

static gboolean
is_answered (const SeamLessonAnswers *answers, const SeamLessonStep *step)
{
  return seam_lesson_answers_find (answers, step->id) != NULL;
}

/* Whether `question` asks about the recorded run of `step`. */
static gboolean
asks_about (const SeamLessonStep *question, const SeamLessonStep *step)
{
  return question->kind == SEAM_STEP_PREDICT && step->sample != NULL
         && g_strcmp0 (question->sample, step->sample) == 0;
}

/* Whether a bit of `plans` is the plan with this name in `step`. */
static gboolean
has_plan (const SeamLessonStep *step, guint plans, const char *name)
{
  for (int i = 0; step->plans != NULL && step->plans[i] != NULL; i++)
    if ((plans >> i & 1) != 0 && strcmp (step->plans[i], name) == 0)
      return TRUE;
  return FALSE;
}

/* The answer to a question about the plan's times or outputs was shown. */
static gboolean
is_known (const SeamLesson *lesson, const SeamLessonAnswers *answers, const SeamLessonStep *step,
          const char *name)
{
  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *question = lesson->steps->pdata[i];
    if (asks_about (question, step) && is_answered (answers, question)
        && has_plan (question, seam_lesson_step_get_asked_plans (question), name))
      return TRUE;
  }
  return FALSE;
}

/* Whether the step shows a plan that the question covers and nobody has seen. */
static gboolean
would_tell (const SeamLesson *lesson, const SeamLessonAnswers *answers, const SeamLessonStep *step,
            const SeamLessonStep *question)
{
  guint covered = seam_lesson_step_get_covered_plans (question);

  for (int i = 1; step->plans != NULL && step->plans[0] != NULL && step->plans[i] != NULL; i++)
    if (has_plan (question, covered, step->plans[i])
        && !is_known (lesson, answers, step, step->plans[i]))
      return TRUE;
  return FALSE;
}

/* The first question about the recorded run of a step that waits for an answer after it; with
 * `telling` the first whose answer that run would tell. NULL: none. */
static const SeamLessonStep *
find_later (const SeamLesson *lesson, const SeamLessonAnswers *answers, int step, gboolean telling)
{
  const SeamLessonStep *now = seam_lesson_get_step (lesson, (guint)step);

  for (guint i = (guint)step + 1; i < lesson->steps->len; i++) {
    const SeamLessonStep *question = lesson->steps->pdata[i];
    if (asks_about (question, now) && !is_answered (answers, question)
        && (!telling || would_tell (lesson, answers, now, question)))
      return question;
  }
  return NULL;
}

const SeamLessonStep *
seam_lesson_find_cover (const SeamLesson *lesson, const SeamLessonAnswers *answers, int step)
{
  const SeamLessonStep *now = seam_lesson_get_step (lesson, (guint)step);

  const SeamLessonStep *about =
      now->about >= 0 ? seam_lesson_get_step (lesson, (guint)now->about) : NULL;

  if (about != NULL && !is_answered (answers, about))
    return about;
  return now->kind != SEAM_STEP_COMPARE ? find_later (lesson, answers, step, TRUE) : NULL;
}

gboolean
seam_lesson_is_asked_later (const SeamLesson *lesson, const SeamLessonAnswers *answers, int step)
{
  return find_later (lesson, answers, step, FALSE) != NULL;
}
