/* SPDX-License-Identifier: MIT
 *
 * A lesson in the window: its steps, predictions right and wrong, what stays covered until one is
 * committed, progress that is kept, and lessons that cannot be read.
 */
#include "tests/core/recorded-run.h"
#include "tests/ui/window-fixture.h"

#include "app/lesson/answers.h"
#include "ui/lesson/prediction-card.h"
#include "ui/widgets/figure-view.h"

#include <stdlib.h>
#include <string.h>

static gboolean
is_focused (gpointer name)
{
  GtkWidget *focus = gtk_window_get_focus (ui_window ());

  for (; focus != NULL; focus = gtk_widget_get_parent (focus)) {
    g_autofree char *found = ui_get_name (focus);
    if (found != NULL && g_regex_match_simple (name, found, 0, 0))
      return TRUE;
  }
  return FALSE;
}

static void
see_focus (const char *name)
{
  ui_wait (name, is_focused, (gpointer)name);
}

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

static gboolean
has_text (gpointer entry)
{
  return *gtk_editable_get_text (entry) != '\0';
}

static void
test_number (void)
{
  forget ();
  open_example ();
  go_on ();
  ui_see ("^Your prediction$", GTK_TYPE_ENTRY);
  g_assert_false (gtk_widget_get_sensitive (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON)));
  /* The diamond comes to the pointer. */
  GtkWidget *card = ui_find (NULL, SEAM_TYPE_PREDICTION_CARD);
  g_autoptr (GPtrArray) figures = ui_list (card, NULL, SEAM_TYPE_FIGURE_VIEW);
  ui_move_pointer (figures->pdata[0], 0.5, 0.5, "mousedown 1 mouseup 1");
  ui_wait ("the time at the pointer", has_text, ui_see ("^Your prediction$", GTK_TYPE_ENTRY));
  type_prediction ("-1");
  ui_see ("^Type a number from 0\\.0500 to 5\\.00 ms\\.$", GTK_TYPE_LABEL);
  type_prediction ("seven");
  g_assert_false (gtk_widget_get_sensitive (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON)));
  type_prediction ("1,234");
  ui_see ("^Your prediction: is “1,234” 1\\.234 or 1234\\? Type one of the two\\.$",
          GTK_TYPE_LABEL);
  type_prediction ("500 µs");
  ui_see_recorded (RECORDED_EXAMPLE, "^{elapsed(A) / 0.5 ms} faster than plan A$", 0);
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

/* A seam with a reason, and a choice. The focus is where one goes on. */
static void
test_choices (void)
{
  forget ();
  open_example ();
  see_focus ("^Next$");
  go_on ();
  see_focus ("^Your prediction$");
  ui_click (ui_see ("^I have no idea, show me$", GTK_TYPE_BUTTON));
  ui_see ("^Measured: ", 0);
  see_focus ("^Next$");
  go_on ();
  ui_see ("^Saved passes$", GTK_TYPE_LABEL);
  see_focus ("^Next$");
  go_on ();
  ui_see ("^Which seam is worth most\\?$", GTK_TYPE_LABEL);
  see_focus ("^Your seam$");
  ui_choose (ui_see ("^Your seam$", GTK_TYPE_DROP_DOWN), "^Seam 3: ");
  ui_settle ();
  ui_see ("^Choose a reason\\.$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^it saves most bytes$", GTK_TYPE_CHECK_BUTTON));
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_see ("^Seam 3: .*, your answer, not right\\. Seam 1 is best\\.$", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^Seam 1: .*, right$", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^it saves most bytes, your answer, right$", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("1 of 3 points$", GTK_TYPE_LABEL);
  see_focus ("^Next$");
  go_on ();
  see_focus ("^yes$");
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
  see_focus ("^Next$");
  go_on ();
  ui_see ("^✓ Done: all conditions of this step hold\\.$", GTK_TYPE_LABEL);
  see_focus ("^Finish$");
  ui_wait_for_run ();
  ui_hold_after (1);
  ui_click (ui_see ("^Run on this computer$", GTK_TYPE_BUTTON));
  ui_see ("^Measuring… Esc stops it\\.$", GTK_TYPE_LABEL);
  see_focus ("^Finish$");
  ui_hold (FALSE);
  ui_see ("^✓ Done: all conditions of this step hold\\.$", GTK_TYPE_LABEL);
  see_focus ("^Finish$");
  ui_click (ui_see ("^Finish$", GTK_TYPE_BUTTON));
  ui_click (ui_see ("^Start page and lessons$", GTK_TYPE_BUTTON));
  ui_see ("^Take lesson 1$", GTK_TYPE_BUTTON);
  ui_close ();
}

/* Both plans move the same bytes in as many kernels, so that no run tells which is faster. */
static const char unclear_lesson[] =
    "---\ntitle: Alike\nminutes: 2\ngoal: Test.\npipelines: conv-relu-hardswish\n---\n\n"
    "## Run: Alike\n\n"
    "```seamscope\nid = run\npage = timing\npipeline = conv-relu-hardswish\npreset = tiny\n"
    "plans = conv2d+conv_bias|relu|add3|div6|clamp|mul, conv2d|conv_bias+relu|add3|div6|clamp|mul\n"
    "settings = math=fp32, budget=1\n```\n\nRun.\n\n"
    "## Check: Which is faster?\n\n"
    "```seamscope\nid = check\ncheck = ratio(A, B) > 1\nreply = No.\n```\n\nSo.\n";

static char *
write_unclear (void)
{
  char *path = ui_path ("unclear.md");

  g_assert_true (g_file_set_contents (path, unclear_lesson, -1, NULL));
  return path;
}

/* The run that a later step makes is the one that the step before asks for. An unclear check is
 * measured longer; a run that is gone leaves what was said about it. */
static void
test_unclear (void)
{
  g_autofree char *path = write_unclear ();
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, NULL);
  const char *files[] = { path, NULL };

  forget ();
  ui_leave_start_page ();
  ui_open (files);
  ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
  go_on ();
  ui_see ("^Step 1, run, skipped: Alike$", GTK_TYPE_BUTTON);
  ui_wait_for_run ();
  ui_press ("<Control>r");
  ui_see ("^Your run of .*, on this computer$", GTK_TYPE_LABEL);
  ui_see (", unclear\\. The samples do not tell yet\\. ", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^Step 1, run, checked: Alike$", GTK_TYPE_BUTTON);
  ui_see ("^Step 2, check, open: ", GTK_TYPE_BUTTON);
  GtkWidget *longer = ui_see ("^Measure longer, about [0-9]+ s$", GTK_TYPE_BUTTON);
  g_autofree char *words = ui_get_name (longer);
  g_autofree char *seconds = ui_match ("about ([0-9]+) s", words, 1);
  /* Of one second at first; what is needed is not known from so few samples. */
  g_assert_cmpint (atoi (seconds), >=, 4);
  ui_hold_after (1);
  ui_click (longer);
  ui_see ("^Measuring… Esc stops it\\.$", GTK_TYPE_LABEL);
  ui_hold (FALSE);
  ui_see (", unclear\\. |, holds$|, does not hold\\. ", GTK_TYPE_LIST_BOX_ROW);
  ui_wait_for_run ();
  ui_click (ui_see ("^Back$", GTK_TYPE_BUTTON));
  ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_load_kept (lesson);
  const SeamLessonAnswer *check = seam_lesson_answers_find (answers, "check");
  const SeamLessonAnswer *run = seam_lesson_answers_find (answers, "run");
  g_assert_cmpint (check->attempts, ==, 2);
  g_assert_cmpint (run->run, >, 0);
  g_assert_cmpint (check->run, >, run->run);
  const gint64 runs[] = { check->run, run->run };
  for (gsize i = 0; i < G_N_ELEMENTS (runs); i++) {
    ui_activate_with ("win.history-remove", g_variant_new_int64 (runs[i]));
    ui_click (ui_see ("^Remove$", GTK_TYPE_BUTTON));
    ui_miss ("^Remove$", GTK_TYPE_BUTTON);
  }
  /* At once, and after a restart. */
  ui_see ("^The run of .* is no longer in the history\\. Run again\\.$", GTK_TYPE_LABEL);
  ui_close ();

  ui_open (files);
  go_on ();
  ui_see ("^The run of .* is no longer in the history\\. Run again\\.$", GTK_TYPE_LABEL);
  ui_see (check->reply != NULL ? "^The samples do not tell yet|^No\\.$" : "", GTK_TYPE_LABEL);
  ui_see ("^The run that was checked is not open any more\\. ", GTK_TYPE_LABEL);
  ui_close ();
}

/* An unclear run does not take back that a check passed. */
static void
test_passed (void)
{
  g_autofree char *path = write_unclear ();
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, NULL);
  const char *files[] = { path, NULL };
  SeamLessonAnswer answer;

  forget ();
  g_autoptr (SeamLessonAnswers) before = seam_lesson_answers_new (lesson);
  before->step = seam_lesson_find_step (lesson, "check");
  seam_record_init (&seam_lesson_answer_type, &answer);
  answer.step = g_strdup ("check");
  answer.ask = g_strdup ("check");
  answer.value = answer.attempts = 1;
  answer.points = 0;
  answer.committed_at = g_strdup ("2026-11-01T10:00:00Z");
  seam_lesson_answers_add (before, &answer);
  seam_record_clear (&seam_lesson_answer_type, &answer);
  g_assert_true (seam_lesson_answers_keep (before, NULL));
  ui_leave_start_page ();
  ui_open (files);
  ui_see ("^✓ Done: this check passed before\\.$", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  ui_click (ui_see ("^Run on this computer$", GTK_TYPE_BUTTON));
  ui_see (", unclear\\. The samples do not tell yet\\. ", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^Step 2, check, checked: ", GTK_TYPE_BUTTON);
  g_autoptr (SeamLessonAnswers) after = seam_lesson_answers_load_kept (lesson);
  const SeamLessonAnswer *check = seam_lesson_answers_find (after, "check");
  g_assert_cmpfloat (check->value, ==, 1);
  g_assert_cmpint (check->attempts, ==, 2);
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

static void
open_text (const char *name, const char *text)
{
  g_autofree char *path = ui_path (name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  ui_leave_start_page ();
  ui_open ((const char *const[]){ path, NULL });
}

/* Where the step cannot be shown, its pane says why. */
static void
test_missing (void)
{
  static const char *const steps[][2] = {
    { "pipeline = conv-relu-hardswish\nsample = no-such-sample\nplans = unfused\n",
      "no-such-sample\\.seamscope cannot be opened" },
    { "pipeline = conv-relu-hardswish\nplans = unfused\nskeleton = none.c\n",
      "none\\.c: there is no such file" },
    { "pipeline = conv-relu-hardswish\nplans = unfused\npreset = gigantic\n", "gigantic" },
    { "pipeline = conv-relu-hardswish\nplans = nothing\npage = nowhere\ntarget = abacus\n",
      "nothing" },
  };

  forget ();
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autofree char *text = g_strdup_printf ("---\ntitle: N\nminutes: 5\ngoal: G.\n---\n\n"
                                             "## Run: Alone\n\n```seamscope\n%s```\n\nSay.\n",
                                             steps[i][0]);
    open_text ("missing.md", text);
    ui_see ("^Alone$", GTK_TYPE_LABEL);
    ui_see (steps[i][1], GTK_TYPE_LABEL);
    ui_close ();
  }
}

/* Where a step is about a recorded run, one that is made here is not called recorded. */
static void
test_replaced (void)
{
  forget ();
  open_text ("replaced.md", "---\ntitle: N\nminutes: 5\ngoal: G.\n---\n\n## Show: Look\n\n"
                            "```seamscope\npage = timing\nsample = " RECORDED_EXAMPLE "\n"
                            "plans = unfused, published\n```\n\nA takes {elapsed(A)}.\n");
  ui_see ("^Recorded run of ", GTK_TYPE_LABEL);
  ui_see_recorded (RECORDED_EXAMPLE, "^{ratio(A, B)} faster$", 0);
  g_assert_null (ui_find ("^Use the recorded run$", GTK_TYPE_BUTTON));
  ui_activate ("win.side::sidebar");
  ui_choose (ui_see ("^Preset$", GTK_TYPE_DROP_DOWN), "^tiny$");
  ui_type (ui_see ("^Time budget", GTK_TYPE_ENTRY), "1");
  ui_click (ui_see ("^Back to the lesson$", GTK_TYPE_BUTTON));
  ui_wait_for_run ();
  ui_press ("<Control>r");
  ui_see ("^Your run of .*, on this computer$", GTK_TYPE_LABEL);
  ui_see ("^The lesson speaks of the recorded run$", GTK_TYPE_LABEL);
  ui_miss ("^Recorded run of |^Nothing runs on this", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Use the recorded run$", GTK_TYPE_BUTTON));
  ui_see ("^Recorded run of ", GTK_TYPE_LABEL);
  ui_see_recorded (RECORDED_EXAMPLE, "^{ratio(A, B)} faster$", 0);
  ui_miss ("^Use the recorded run$", GTK_TYPE_BUTTON);
  ui_close ();
}

/* A lesson as large as may be opens at once: what could not be laid out is cut. */
static void
test_large (void)
{
  static const char *const parts[] = { "word ", "| b |\n" };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autoptr (GString) text = g_string_new ("---\ntitle: N\nminutes: 5\ngoal: G.\n---\n\n"
                                             "## Say: Much\n\n| a |\n|---|\n");
    for (int k = 0; k < 60000; k++)
      g_string_append (text, parts[i]);
    gint64 begin = g_get_monotonic_time ();
    open_text ("large.md", text->str);
    ui_see ("^Much$", GTK_TYPE_LABEL);
    ui_see ("^The text is cut here:", GTK_TYPE_LABEL);
    ui_close ();
    g_test_message ("“%.4s” takes %.2f s", parts[i],
                    (double)(g_get_monotonic_time () - begin) / 1e6);
  }
}

/* The question shows all of the code, none of it beyond an edge, and keys scroll it. */
static void
answer_question (const char *code, const char *button)
{
  ui_turn_to ("Run somebody else's code\\?");
  GtkWidget *view = ui_see ("^Code$", GTK_TYPE_TEXT_VIEW);
  g_autofree char *shown = NULL;

  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "text", &shown, NULL);
  g_assert_cmpstr (shown, ==, code);
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);
  g_autofree char *says = g_strdup_printf ("it has %u lines\\.$", g_strv_length (lines) - 1);
  ui_see (says, GTK_TYPE_LABEL);
  g_assert_cmpint (gtk_text_view_get_wrap_mode (GTK_TEXT_VIEW (view)), ==, GTK_WRAP_WORD_CHAR);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (gtk_widget_get_root (view))) == view);
  ui_click (ui_see (button, GTK_TYPE_BUTTON));
  ui_settle ();
}

#define EVIL(path)                                                                                 \
  "#include <stdio.h>\n#include \"kernels/cpu/run.h\"\nvoid\nstage_0 (const SeamCpuRun *run)\n{\n" \
  "  FILE *f = fopen (\"" path "\", \"a\");\n  if (f)\n    fclose (f);\n"                          \
  "  for (int64_t i = 0; i < run->n; i++)\n    run->write[0][i] = run->read[0][i];\n}\n"

/* Code that came with somebody's lesson is neither compiled nor run before the person has seen it;
 * the consent is for that text. */
static void
test_foreign_code (void)
{
  g_autofree char *sign = ui_path ("ran");
  g_autofree char *code = ui_path ("evil.c");
  g_autofree char *text = NULL;
  char **parts = g_strsplit (EVIL ("%s"), "%s", 2);

  g_autofree char *load = g_strdup_printf ("win.load-edit-from::%s", code), *typed = NULL;

  text = g_strconcat (parts[0], sign, parts[1], NULL);
  typed = g_strconcat ("// mine\n", text, NULL);
  g_strfreev (parts);
  g_assert_true (g_file_set_contents (code, text, -1, NULL));
  forget ();
  open_text ("evil.md",
             "---\ntitle: Evil\nminutes: 5\ngoal: G.\n---\n\n## Run: A run\n\n```seamscope\n"
             "page = timing\npipeline = conv-relu-hardswish\npreset = tiny\ntarget = cpu\n"
             "plans = unfused, conv2d|conv_bias+relu+add3+div6+clamp+mul@edited\n"
             "skeleton = evil.c\n```\n\nPress Run.\n");
  ui_see ("^A run$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Run on this computer$", GTK_TYPE_BUTTON));
  answer_question (text, "^Cancel$");
  /* A word typed into it does not make it one's own. */
  ui_activate ("win.page::source");
  ui_click (ui_see ("^B: conv_bias .* group 2", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^B, group 2: ", GTK_TYPE_LABEL);
  g_assert_true (g_file_set_contents (code, typed, -1, NULL));
  ui_activate (load);
  ui_settle ();
  ui_click (ui_see ("^Run edited$", GTK_TYPE_BUTTON));
  answer_question (typed, "^Cancel$");
  g_assert_false (g_file_test (sign, G_FILE_TEST_EXISTS));
  ui_activate ("win.page::timing");
  ui_click (ui_see ("^Run on this computer$", GTK_TYPE_BUTTON));
  answer_question (typed, "^Run it$");
  ui_wait_for_run ();
  ui_see (UI_VERDICT "C is wrong$", GTK_TYPE_LABEL);
  g_assert_true (g_file_test (sign, G_FILE_TEST_EXISTS));
  /* It is known now. */
  ui_click (ui_see ("^Run on this computer$", GTK_TYPE_BUTTON));
  ui_wait_for_run ();
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
  g_test_add_func ("/lesson/unclear", test_unclear);
  g_test_add_func ("/lesson/passed", test_passed);
  g_test_add_func ("/lesson/broken", test_broken);
  g_test_add_func ("/lesson/missing", test_missing);
  g_test_add_func ("/lesson/replaced", test_replaced);
  g_test_add_func ("/lesson/large", test_large);
  g_test_add_func ("/lesson/foreign-code", test_foreign_code);
  return ui_run ();
}
