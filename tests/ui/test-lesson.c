/* SPDX-License-Identifier: MIT
 *
 * A lesson in the window: its steps, predictions right and wrong, what stays covered until one is
 * committed, progress that is kept, and lessons that cannot be read.
 */
#include "tests/core/recorded-run.h"
#include "tests/ui/window-fixture.h"

#include "app/lesson/answers.h"

#include <string.h>

static char *
get_example (void)
{
  return g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "..", "tests", "core",
                           "lesson-example.md", NULL);
}

static void
open_example (void)
{
  g_autofree char *path = get_example ();
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
  ui_see ("^seven ops, seven trips$", GTK_TYPE_LABEL);
}

static void
forget (void)
{
  g_assert_true (seam_lesson_answers_forget_all (NULL));
}

static void
go_on (void)
{
  ui_click (ui_see ("^Next$", GTK_TYPE_BUTTON));
}

/* Fails with the line that tells the time of plan B. */
static void
assert_untold (void)
{
  g_autofree char *answer = recorded_match_time (RECORDED_EXAMPLE, 'B');
  g_autofree char *screen = ui_describe (GTK_WIDGET (ui_window ()));
  g_auto (GStrv) lines = g_strsplit (screen, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    if (g_regex_match_simple (answer, lines[i], 0, 0))
      g_error ("this tells the answer: %s", lines[i]);
}

static void
test_covered (void)
{
  forget ();
  open_example ();
  /* The step before the question shows the same run. */
  ui_see ("^Covered until you commit$", GTK_TYPE_LABEL);
  assert_untold ();
  go_on ();
  ui_see ("^How long will plan B take\\?$", GTK_TYPE_LABEL);
  ui_see ("^Covered until you commit$", GTK_TYPE_LABEL);
  assert_untold ();
  ui_see_recorded (RECORDED_EXAMPLE, "{elapsed(A)}", 0);
  static const char *const pages[] = { "difference", "traffic", "explore", "timeline", "source" };
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_autofree char *action = g_strconcat ("win.page::", pages[i], NULL);
    ui_activate (action);
    ui_settle ();
    assert_untold ();
  }
  g_assert_false (gtk_widget_get_sensitive (ui_see ("^Next$", GTK_TYPE_BUTTON)));
  ui_close ();
}

static void
type_prediction (const char *text)
{
  GtkWidget *entry = ui_see ("^Your prediction$", GTK_TYPE_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  ui_settle ();
}

static void
test_number (void)
{
  forget ();
  open_example ();
  go_on ();
  ui_see ("^Your prediction$", GTK_TYPE_ENTRY);
  g_assert_false (gtk_widget_get_sensitive (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON)));
  type_prediction ("-1");
  ui_see ("^Type a number from 0\\.0500 to 5\\.00 ms\\.$", GTK_TYPE_LABEL);
  type_prediction ("seven");
  g_assert_false (gtk_widget_get_sensitive (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON)));
  type_prediction ("0,5");
  ui_see_recorded (RECORDED_EXAMPLE, "^{elapsed(A) / 0.5 ms} faster than plan A$", 0);
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_see_recorded (RECORDED_EXAMPLE, "^You: 0\\.500 ms, {elapsed(B) / 0.5 ms} too small$", 0);
  ui_see_recorded (RECORDED_EXAMPLE, "^The model: {guess(B)|ms}", 0);
  ui_see_recorded (RECORDED_EXAMPLE, "^Measured: {elapsed(B)|ms}$", 0);
  ui_see ("1 of 3 points$", GTK_TYPE_LABEL);
  ui_see_recorded (RECORDED_EXAMPLE, "^The convolution alone takes {kernel(A, conv)}\\.$", 0);
  ui_see_recorded (RECORDED_EXAMPLE, "^{ratio(A, B)} faster$", 0);
  go_on ();
  ui_see_recorded (RECORDED_EXAMPLE,
                   "^{elapsed(A) - elapsed(B)} are gone; conv2d keeps its {kernel(B, conv)}\\.$",
                   0);
  ui_close ();
}

/* Left in the middle, and taken up again: the answer stays, and cannot be changed. */
static void
test_returns (void)
{
  forget ();
  open_example ();
  go_on ();
  type_prediction ("0.9");
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_see ("3 of 3 points$", GTK_TYPE_LABEL);
  ui_see ("^Good\\.$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Lessons$", GTK_TYPE_BUTTON));
  ui_see ("^Take lesson 1$", GTK_TYPE_BUTTON);
  ui_close ();
  g_autofree char *path = get_example ();
  const char *files[] = { path, NULL };
  ui_open (files);
  ui_see ("^How long will plan B take\\?$", GTK_TYPE_LABEL);
  ui_see ("3 of 3 points$", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_close ();
}

static void
test_looked (void)
{
  forget ();
  open_example ();
  go_on ();
  ui_click (ui_see ("^I have no idea, show me$", GTK_TYPE_BUTTON));
  ui_see ("^The answer was shown to you: no points\\.$", GTK_TYPE_LABEL);
  ui_see_recorded (RECORDED_EXAMPLE, "^Measured: {elapsed(B)|ms}$", 0);
  ui_close ();
}

/* A seam with a reason, and a choice. */
static void
test_choices (void)
{
  forget ();
  open_example ();
  go_on ();
  ui_click (ui_see ("^I have no idea, show me$", GTK_TYPE_BUTTON));
  ui_see ("^Measured: ", 0);
  go_on ();
  ui_see ("^Saved passes$", GTK_TYPE_LABEL);
  go_on ();
  ui_see ("^Which seam is worth most\\?$", GTK_TYPE_LABEL);
  ui_choose (ui_see ("^Your seam$", GTK_TYPE_DROP_DOWN), "^Seam 3: ");
  ui_settle ();
  ui_see ("^Choose a reason\\.$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^it saves most bytes$", GTK_TYPE_CHECK_BUTTON));
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_see ("^Your answer: the best seam is 1\\.$", GTK_TYPE_LABEL);
  ui_see ("^Seam 1 is best\\.$", GTK_TYPE_LABEL);
  ui_see ("1 of 3 points$", GTK_TYPE_LABEL);
  go_on ();
  ui_click (ui_see ("^no$", GTK_TYPE_CHECK_BUTTON));
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_see ("^All elements agree\\.$", GTK_TYPE_LABEL);
  ui_see ("0 of 3 points$", GTK_TYPE_LABEL);
  ui_close ();
}

/* A run of this computer, checked; leaving gives back what the person had. */
static void
test_run_and_check (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = get_example ();
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, &error);

  g_assert_no_error (error);
  forget ();
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
  answers->step = seam_lesson_find_step (lesson, "step-6");
  g_assert_true (seam_lesson_answers_keep (answers, NULL));
  const char *files[] = { path, NULL };
  ui_leave_start_page ();
  ui_open (files);
  ui_see ("^On this computer$", GTK_TYPE_LABEL);
  go_on ();
  ui_see ("^Nothing was run yet", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Back$", GTK_TYPE_BUTTON));
  ui_wait_for_run ();
  ui_click (ui_see ("^Run on this computer$", GTK_TYPE_BUTTON));
  ui_see ("faster$|slower$|^Same|^Unclear", 0);
  go_on ();
  ui_see ("^✓ Done: all conditions of this step hold\\.$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Finish$", GTK_TYPE_BUTTON));
  ui_see ("^Take lesson 1$", GTK_TYPE_BUTTON);
  ui_close ();
}

static void
test_broken (void)
{
  g_autofree char *path = ui_path ("broken.md");
  const char *files[] = { path, NULL };

  g_assert_true (g_file_set_contents (
      path,
      "---\ntitle: x\nminutes: 3\ngoal: y\n---\n\n## Say: a\n\n```seamscope\nplanz = a\n```\n", -1,
      NULL));
  ui_leave_start_page ();
  ui_open (files);
  ui_see ("broken\\.md, line 10: “planz” is unknown; did you mean “plans”\\?", 0);
  ui_close ();
}

int
main (int argc, char *argv[])
{
  ui_init (&argc, &argv);
  g_test_add_func ("/lesson/covered", test_covered);
  g_test_add_func ("/lesson/number", test_number);
  g_test_add_func ("/lesson/returns", test_returns);
  g_test_add_func ("/lesson/looked", test_looked);
  g_test_add_func ("/lesson/choices", test_choices);
  g_test_add_func ("/lesson/run-and-check", test_run_and_check);
  g_test_add_func ("/lesson/broken", test_broken);
  return ui_run ();
}
