/* SPDX-License-Identifier: MIT */
#include "app/lesson/lesson-cover.h"

#include <string.h>

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

const SeamLessonStep *
seam_lesson_find_cover (const SeamLesson *lesson, const SeamLessonAnswers *answers, int step)
{
  const SeamLessonStep *now = seam_lesson_get_step (lesson, (guint)step);

  if (now->kind == SEAM_STEP_PREDICT && !is_answered (answers, now))
    return now;
  if (now->kind == SEAM_STEP_COMPARE) {
    const SeamLessonStep *about = seam_lesson_get_step (lesson, (guint)now->about);
    return is_answered (answers, about) ? NULL : about;
  }
  for (guint i = (guint)step + 1; i < lesson->steps->len; i++) {
    const SeamLessonStep *question = lesson->steps->pdata[i];
    if (asks_about (question, now) && !is_answered (answers, question)
        && would_tell (lesson, answers, now, question))
      return question;
  }
  return NULL;
}

gboolean
seam_lesson_is_asked_later (const SeamLesson *lesson, const SeamLessonAnswers *answers, int step)
{
  const SeamLessonStep *now = seam_lesson_get_step (lesson, (guint)step);

  for (guint i = (guint)step + 1; i < lesson->steps->len; i++)
    if (asks_about (lesson->steps->pdata[i], now)
        && !is_answered (answers, lesson->steps->pdata[i]))
      return TRUE;
  return FALSE;
}
