/* SPDX-License-Identifier: MIT
 *
 * The answers of a learner: what counts after a lesson was taken again, and what two windows with
 * the same lesson keep.
 */
#include "app/lesson/class.h"

#include "tests/core/remove-tree.h"

#include <math.h>
#include <string.h>

/* The state of the person; hand-ins lie beside it. */
static char *folder;

static SeamLesson *
find_lesson (const char *name)
{
  g_autoptr (GError) error = NULL;
  SeamLesson *lesson = seam_lesson_find (name, &error);

  g_assert_no_error (error);
  return lesson;
}

/* Answers the step; `minute` says when. */
static void
answer (SeamLessonAnswers *answers, const char *step, const char *ask, double value, int points,
        int attempts, int minute)
{
  g_autofree char *date = g_strdup_printf ("2026-11-26T09:%02d:00Z", minute);
  SeamLessonAnswer given = { .step = (char *)step,
                             .ask = (char *)ask,
                             .value = value,
                             .reason = -1,
                             .guess = NAN,
                             .measured = NAN,
                             .points = points,
                             .attempts = attempts,
                             .committed_at = date };

  seam_lesson_answers_replace (answers, &given);
}

/* How the check ended for a class that reads a file with these answers. */
static SeamClassOutcome
get_outcome (const SeamLesson *lesson, const SeamLessonAnswers *answers)
{
  g_autofree char *path = g_build_filename (folder, "again" SEAM_ANSWERS_SUFFIX, NULL);
  g_autoptr (SeamClass) class = seam_class_new ();
  g_autoptr (GError) error = NULL;
  int n;

  g_assert_true (seam_lesson_answers_save (answers, path, &error));
  g_assert_no_error (error);
  seam_class_add (class, path);
  g_autofree double *values = seam_class_get_values (class, lesson, "check", &n);
  g_assert_cmpint (n, ==, 1);
  return (SeamClassOutcome)values[0];
}

/* A check that passed stays so for the class while the lesson is taken again, whatever its later
 * runs find; one that did not pass counts as its last run found. */
static void
test_again (void)
{
  g_autoptr (SeamLesson) lesson = find_lesson ("1");
  g_autoptr (SeamLessonAnswers) passed = seam_lesson_answers_new (lesson);
  g_autoptr (SeamLessonAnswers) failed = seam_lesson_answers_new (lesson);

  answer (passed, "run", "run", 1, 0, 0, 1);
  answer (passed, "check", "check", 1, 0, 2, 2);
  seam_lesson_answers_begin_again (passed);
  g_assert_cmpint (passed->n_answers, ==, 0);
  g_assert_cmpint (get_outcome (lesson, passed), ==, SEAM_OUTCOME_SECOND_TRY);
  for (int i = 0; i < 2; i++) {
    answer (passed, "check", "check", i == 0 ? NAN : 0, 0, 1, 3);
    g_assert_cmpint (get_outcome (lesson, passed), ==, SEAM_OUTCOME_SECOND_TRY);
  }
  seam_lesson_answers_begin_again (passed);
  g_assert_cmpint (get_outcome (lesson, passed), ==, SEAM_OUTCOME_SECOND_TRY);

  answer (failed, "check", "check", 0, 0, 4, 1);
  seam_lesson_answers_begin_again (failed);
  g_assert_cmpint (get_outcome (lesson, failed), ==, SEAM_OUTCOME_FAILED);
  answer (failed, "check", "check", 1, 0, 1, 2);
  g_assert_cmpint (get_outcome (lesson, failed), ==, SEAM_OUTCOME_PASSED);
  seam_lesson_answers_begin_again (failed);
  g_assert_cmpint (failed->n_first, ==, 1);
  g_assert_cmpint (get_outcome (lesson, failed), ==, SEAM_OUTCOME_PASSED);
}

/* Its row is in the table of the class, too. */
static void
test_again_in_table (void)
{
  g_autoptr (SeamLesson) lesson = find_lesson ("1");
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
  g_autofree char *path = g_build_filename (folder, "table" SEAM_ANSWERS_SUFFIX, NULL);
  g_autoptr (SeamClass) class = seam_class_new ();

  answer (answers, "check", "check", 1, 0, 1, 1);
  seam_lesson_answers_begin_again (answers);
  g_assert_true (seam_lesson_answers_save (answers, path, NULL));
  seam_class_add (class, path);
  g_autofree char *csv = seam_class_format_csv (class);
  g_assert_nonnull (
      strstr (csv, "\r\n1-why-fuse,check,,1,check,,,0,2026-11-26T09:01:00Z,,no,1\r\n"));
}

/* A seam and a reason, for which the file states points that they do not deserve: the class judges
 * them, and counts both from 1, as the window does. */
static void
test_points (void)
{
  g_autoptr (SeamLesson) lesson = find_lesson ("2");
  g_autoptr (SeamClass) class = seam_class_new ();
  const SeamLessonStep *step =
      seam_lesson_get_step (lesson, (guint)seam_lesson_find_step (lesson, "seam"));
  g_autoptr (SeamLessonFacts) subject = seam_lesson_step_load (step, NULL);
  SeamLessonAnswer looked = { .ask = (char *)"cut", .value = NAN, .reason = -1 };
  g_auto (SeamScore) score = { 0 };
  int reason = 0;

  seam_score_answer (step, subject, &looked, &score);
  while (!seam_score_is_right (step, subject, reason))
    reason++;
  /* Right, the seam only, and neither. */
  for (int points = 3; points > 0; points--) {
    g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
    g_autofree char *path = g_strdup_printf ("%s/%d" SEAM_ANSWERS_SUFFIX, folder, points);
    answer (answers, "seam", "cut", score.measured + (points == 1), 3 - points, 0, points);
    answers->answers[0].reason = points == 3 ? reason : reason + 1;
    g_assert_true (seam_lesson_answers_save (answers, path, NULL));
    seam_class_add (class, path);
  }
  seam_class_check (class, lesson);
  g_assert_cmpint (class->problems->len, ==, 0);
  g_autofree char *csv = seam_class_format_csv (class);
  for (int points = 3; points > 0; points--) {
    g_autofree char *row =
        g_strdup_printf (",seam,,%g,cut,,%g,%d,2026-11-26T09:0%d:00Z,%d,no,\r\n",
                         score.measured + 1 + (points == 1), score.measured + 1,
                         points == 1 ? 0 : points, points, points == 3 ? reason + 1 : reason + 2);
    if (strstr (csv, row) == NULL)
      g_error ("no row “%s” in\n%s", row, csv);
  }
}

static double
get_value (const SeamLessonAnswers *answers, const char *step)
{
  const SeamLessonAnswer *found = seam_lesson_answers_find (answers, step);

  g_assert_nonnull (found);
  return found->value;
}

/* Two windows open a lesson that nobody has answered, and answer it by turns. What was kept first
 * counts, nothing is lost, and both learn of it. */
static void
test_two_windows (void)
{
  g_autoptr (SeamLesson) lesson = find_lesson ("1");
  g_autoptr (SeamLessonAnswers) one = seam_lesson_answers_load_kept (lesson);
  g_autoptr (SeamLessonAnswers) two = seam_lesson_answers_load_kept (lesson);

  g_assert_cmpstr (one->id, !=, two->id);
  answer (one, "published", "number", 1e6, 1, 0, 1);
  answer (one, "check", "check", 0, 0, 1, 2);
  one->furthest = 4;
  g_assert_false (seam_lesson_answers_refresh (one));
  g_assert_true (seam_lesson_answers_keep (one, NULL));

  /* The second window has seen the answer, and gives a better one. */
  answer (two, "published", "number", 2.2e6, 3, 0, 5);
  answer (two, "what-is-left", "choice", 1, 3, 0, 6);
  answer (two, "check", "check", 1, 0, 1, 7);
  g_assert_true (seam_lesson_answers_refresh (two));
  g_assert_cmpfloat (get_value (two, "published"), ==, 1e6);
  g_assert_cmpfloat (get_value (two, "what-is-left"), ==, 1);
  g_assert_cmpfloat (get_value (two, "check"), ==, 1);
  g_assert_cmpint (two->furthest, ==, 4);
  g_assert_cmpstr (one->id, ==, two->id);
  g_assert_true (seam_lesson_answers_keep (two, NULL));
  g_assert_false (seam_lesson_answers_refresh (two));

  answer (one, "check", "check", NAN, 0, 2, 8);
  g_assert_true (seam_lesson_answers_refresh (one));
  g_assert_cmpfloat (get_value (one, "published"), ==, 1e6);
  g_assert_cmpfloat (get_value (one, "what-is-left"), ==, 1);
  g_assert_cmpfloat (get_value (one, "check"), ==, 1);
  g_assert_true (seam_lesson_answers_keep (one, NULL));

  /* Taken again in the one: the other's answers do not fill it. */
  seam_lesson_answers_begin_again (one);
  g_assert_false (seam_lesson_answers_refresh (one));
  g_assert_true (seam_lesson_answers_keep (one, NULL));
  answer (two, "another", "number", 5, 0, 0, 9);
  g_assert_false (seam_lesson_answers_refresh (two));
  g_assert_cmpint (two->n_first, ==, 3);
  g_assert_true (seam_lesson_answers_keep (two, NULL));
  g_assert_true (seam_lesson_answers_refresh (one));
  g_assert_cmpint (one->n_answers, ==, 1);
  g_assert_cmpfloat (get_value (one, "another"), ==, 5);

  /* Another lesson's answers in its place, or none. */
  g_assert_true (seam_lesson_answers_forget_all (NULL));
  g_assert_false (seam_lesson_answers_refresh (one));
  g_assert_cmpint (one->n_answers, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("seamscope-answers-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_add_func ("/lesson-answers/again", test_again);
  g_test_add_func ("/lesson-answers/again-in-table", test_again_in_table);
  g_test_add_func ("/lesson-answers/points", test_points);
  g_test_add_func ("/lesson-answers/two-windows", test_two_windows);
  int status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
