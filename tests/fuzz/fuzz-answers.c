/* SPDX-License-Identifier: MIT
 *
 * Answers that a learner hands in, or that this computer keeps. An input is the JSON of such a
 * file.
 */
#include "app/lesson/score.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static SeamLesson *lesson;
static SeamLessonFacts *facts;
static char *path, *again;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  static const char *const plans[] = { "unfused", "published", NULL };
  g_autoptr (GError) error = NULL;

  fuzz_init ();
  lesson = seam_lesson_find ("1", &error);
  g_assert_no_error (error);
  facts = seam_lesson_load_sample ("h200-conv-relu-hardswish", plans, &error);
  g_assert_no_error (error);
  path = fuzz_path ("a.seamanswers");
  again = fuzz_path ("b.seamanswers");
  return 0;
}

/* Every answer is judged as if its step were each step of the lesson. */
static void
use (const SeamLessonAnswers *answers)
{

  seam_lesson_answers_get_points (answers);
  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);

    seam_lesson_find_cover (lesson, answers, (int)i);
    seam_lesson_is_asked_later (lesson, answers, (int)i);
    for (int k = 0; step->kind == SEAM_STEP_PREDICT && k < answers->n_answers; k++) {
      g_auto (SeamScore) score;
      seam_score_answer (step, facts, &answers->answers[k], &score);
      g_assert_true (score.points >= 0 && score.points <= SEAM_SCORE_MOST);
    }
  }
}

/* An infinite number is written as null, and so read as unknown. */
static SeamLessonAnswers *
write_and_read (const SeamLessonAnswers *answers)
{
  g_autoptr (GError) error = NULL;
  SeamLessonAnswers *back = NULL;

  if (seam_lesson_answers_save (answers, again, &error))
    back = seam_lesson_answers_load (again, &error);
  if (back == NULL)
    g_error ("%s", error->message);
  return back;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (SeamLessonAnswers) answers = NULL;
  g_autoptr (SeamLessonAnswers) back = NULL;
  g_autoptr (SeamLessonAnswers) once_more = NULL;
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, size > 0 ? (const char *)data : "", (gssize)size, NULL);
  answers = seam_lesson_answers_load (path, &error);
  fuzz_check_sentence (answers != NULL, error);
  if (answers == NULL)
    return 0;
  g_assert_true (strchr (answers->lesson, '/') == NULL);
  use (answers);
  back = write_and_read (answers);
  once_more = write_and_read (back);
  if (!seam_record_equal (&seam_lesson_answers_type, back, once_more))
    g_error ("answers change when they are written and read");
  return 0;
}
