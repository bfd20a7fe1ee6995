/* SPDX-License-Identifier: MIT
 *
 * What surrounds a lesson: nothing on any page or in any export tells an answer before it is
 * committed, for recorded runs and for runs of this computer; keys, a narrow window, answers that
 * are handed in, beginning again, and files that are opened during a lesson.
 */
#include "tests/core/recorded-run.h"
#include "tests/ui/window-fixture.h"

#include "app/lesson/score.h"
#include "ui/lesson/lesson-question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
  "---\ntitle: Two runs\ntopic: Tests\nminutes: 2\ngoal: Test.\n"                                  \
  "pipelines: conv-relu-hardswish\nneeds:\n---\n\n"

/* Plan C is `full`, about which the second question asks. */
static const char recorded_lesson[] =
    HEAD "## Show: Look at plan A\n\n"
         "```seamscope\nid = look\npage = timing\nsample = " RECORDED_EXAMPLE "\n"
         "plans = unfused, published\n```\n\nA takes {elapsed(A)}.\n\n"
         "## Predict: How many bytes?\n\n"
         "```seamscope\nid = bytes\nask = number\nanswer = bytes(B)\nrange = 0.1 GB to 20 GB\n"
         "right = Right.\n```\n\nCount.\n\n"
         "## Predict: How long?\n\n"
         "```seamscope\nid = time\nask = number\nanswer = elapsed(B)\nrange = 0.05 ms to 5 ms\n"
         "too high = Less.\n```\n\nThink.\n\n"
         "## Compare: Both\n\n```seamscope\nid = compare\npicture = roofline\nwhy = B moves "
         "less.\n```\n\nThere.\n\n"
         "## Predict: And with all fused?\n\n"
         "```seamscope\nid = full\nplans = unfused, published, full\nask = choice\n"
         "choice = Over 1 ms\nif = elapsed(C) > 1 ms\nreply = No.\n"
         "choice = Under 1 ms\nif = elapsed(C) < 1 ms\n```\n\nThink.\n\n"
         "## Predict: Which seam?\n\n"
         "```seamscope\nid = seam\nask = cut\nanswer = best_seam()\n```\n\nLook.\n\n"
         "## Say: The end\n\n```seamscope\nid = end\n```\n\nDone.\n";

/* A question about a run of this computer, with a recorded one for where it cannot be made. */
static const char live_lesson[] = HEAD
    "## Predict: How much faster here?\n\n"
    "```seamscope\nid = here\npage = timing\npipeline = conv-relu-hardswish\npreset = tiny\n"
    "plans = unfused, full\nsettings = math=fp32, budget=1\nask = number\n"
    "answer = elapsed(B)\nrange = 0.0001 ms to 5000 ms\n"
    "recorded = laptop-cpu-conv-relu-hardswish\n```\n\nGuess.\n\n"
    "## Run: Once more\n\n"
    "```seamscope\nid = again\nrecorded = laptop-cpu-conv-relu-hardswish\n```\n\nRun.\n\n"
    "## Check: Well?\n\n"
    "```seamscope\nid = check\ncheck = is_plan(B, full)\nreply = B is not full.\n"
    "check = elapsed(B) > elapsed(A)\nreply = B is no slower than A: {elapsed(B)}.\n```\n\nSo.\n";

static char *
write_lesson (const char *name, const char *text)
{
  char *path = ui_path (name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
open_lesson (const char *path)
{
  const char *files[] = { path, NULL };

  g_assert_true (seam_lesson_answers_forget_all (NULL));
  ui_leave_start_page ();
  ui_open (files);
  ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
}

/* To the next step, and waits for it. */
static void
go_on (void)
{
  const char *where = gtk_label_get_text (GTK_LABEL (ui_see ("^Step [0-9]+ of ", GTK_TYPE_LABEL)));
  g_autofree char *number = ui_match ("^Step ([0-9]+)", where, 1);
  g_autofree char *next = g_strdup_printf ("^Step %d of ", atoi (number) + 1);

  ui_click (ui_see ("^Next$", GTK_TYPE_BUTTON));
  ui_see (next, GTK_TYPE_LABEL);
}

static void
commit_number (const char *text)
{
  GtkWidget *entry = ui_see ("^Your prediction$", GTK_TYPE_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  ui_settle ();
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
}

/* Fails with the line of the screen that matches. */
static void
assert_untold (const char *pattern)
{
  g_autofree char *screen = ui_describe (GTK_WIDGET (ui_window ()));
  g_auto (GStrv) lines = g_strsplit (screen, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    if (g_regex_match_simple (pattern, lines[i], 0, 0))
      g_error ("this tells the answer: %s", lines[i]);
}

static void
show_page (const char *name)
{
  g_autofree char *action = g_strconcat ("win.page::", name, NULL);

  ui_activate (action);
  /* A page is built, and its figures are drawn, when it comes to the front. */
  ui_move_pointer (GTK_WIDGET (ui_window ()), 0.9, 0.9, NULL);
}

static const char *const pages[] = { "difference", "traffic", "explore", "timeline",
                                     "source",     "sweep",   "timing" };

static void
assert_pages_untold (const char *pattern)
{
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    show_page (pages[i]);
    assert_untold (pattern);
  }
}

/* No file is written, and a sentence says why. */
static void
assert_not_exported (const char *action, const char *name)
{
  g_autofree char *path = ui_path (name);

  ui_activate_with (action, g_variant_new_string (path));
  ui_see ("^Commit your prediction first\\.$|^A later question of the lesson is about this run",
          GTK_TYPE_LABEL);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* What the estimate says of B. */
#define BYTES_B "(?<![0-9.])1\\.63|at least"

static void
test_covered_until_asked (void)
{
  g_autofree char *path = write_lesson ("recorded.md", recorded_lesson);
  g_autofree char *time_b = recorded_match_time (RECORDED_EXAMPLE, 'B');
  g_autofree char *time_c = recorded_match_time (RECORDED_EXAMPLE, 'C');
  g_autofree char *times = g_strconcat (time_b, "|", time_c, NULL);

  open_lesson (path);
  /* The first step only shows. It has the bars of plan A, and nothing of B. */
  ui_see ("^Covered until you commit$", GTK_TYPE_LABEL);
  ui_see_recorded (RECORDED_EXAMPLE, "{elapsed(A)}", 0);
  assert_pages_untold (times);
  show_page ("explore");
  ui_see ("^A later question of the lesson is about this run", GTK_TYPE_LABEL);
  g_assert_false (gtk_widget_is_sensitive (ui_see ("^Measure all$", GTK_TYPE_BUTTON)));
  assert_not_exported ("win.export-csv-kernels-to", "kernels.csv");
  assert_not_exported ("win.export-lattice-to", "lattice.svg");
  assert_pages_untold (BYTES_B);
  go_on ();
  assert_pages_untold (BYTES_B);
  show_page ("timing");

  /* An answer that is computed opens nothing that was measured. */
  commit_number ("1.6");
  ui_see ("3 of 3 points$", GTK_TYPE_LABEL);
  assert_pages_untold (times);
  go_on ();
  assert_pages_untold (times);
  show_page ("timing");
  commit_number ("2.2");
  ui_see ("^Less\\.$", GTK_TYPE_LABEL);
  ui_see_recorded (RECORDED_EXAMPLE, "^{ratio(A, B)} faster$", 0);
  ui_see (time_b, 0);
  go_on ();

  /* What the next question asks for is not in the view. */
  ui_see ("^B moves less\\.$", GTK_TYPE_LABEL);
  ui_see ("^Roofline", 0);
  assert_pages_untold (time_c);
  go_on ();
  assert_pages_untold (time_c);
  ui_click (ui_see ("^Under 1 ms$", GTK_TYPE_CHECK_BUTTON));
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_see ("3 of 3 points$", GTK_TYPE_LABEL);
  ui_see_recorded (RECORDED_EXAMPLE, "{ratio(A, C)} faster", 0);
  ui_see (time_c, 0);
  ui_close ();
}

/* The seam is picked on the strip, with the keyboard and with a click. */
static void
test_seam_picked (void)
{
  g_autofree char *path = write_lesson ("recorded.md", recorded_lesson);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, &error);
  const char *files[] = { path, NULL };

  g_assert_no_error (error);
  g_assert_true (seam_lesson_answers_forget_all (NULL));
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
  answers->step = seam_lesson_find_step (lesson, "seam");
  g_assert_true (seam_lesson_answers_keep (answers, NULL));
  ui_leave_start_page ();
  ui_open (files);
  ui_see ("^Which seam\\?$", GTK_TYPE_LABEL);
  ui_click (ui_see_seam ('B', 3, ""));
  g_autofree char *choice = ui_get_choice (ui_see ("^Your seam$", GTK_TYPE_DROP_DOWN));
  g_assert_true (g_str_has_prefix (choice, "Seam 3: "));
  /* The plan is as before. */
  ui_see_seam ('B', 3, "fused");
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_see ("^Seam 3: .*, your answer, not right$", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^Seam 1: .*, right$", GTK_TYPE_LIST_BOX_ROW);
  ui_close ();
}

/* The learner is at a step, and looked at the earlier questions without an answer. */
static void
keep_at (const SeamLesson *lesson, const char *id)
{
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);

  answers->step = answers->furthest = seam_lesson_find_step (lesson, id);
  g_assert_cmpint (answers->step, >=, 0);
  for (int i = 0; i < answers->step; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, (guint)i);
    SeamLessonAnswer answer;
    seam_record_init (&seam_lesson_answer_type, &answer);
    answer.step = g_strdup (step->id);
    answer.ask = g_strdup (seam_ask_kinds[step->ask].name);
    answer.value = NAN;
    answer.points = 0;
    if (step->kind == SEAM_STEP_PREDICT)
      seam_lesson_answers_add (answers, &answer);
    seam_record_clear (&seam_lesson_answer_type, &answer);
  }
  g_assert_true (seam_lesson_answers_keep (answers, NULL));
}

static void
open_at (const char *id)
{
  g_autofree char *path = write_lesson ("recorded.md", recorded_lesson);
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, NULL);
  const char *files[] = { path, NULL };

  g_assert_true (seam_lesson_answers_forget_all (NULL));
  keep_at (lesson, id);
  ui_leave_start_page ();
  ui_open (files);
}

/* Each option says whether it was chosen, whether it is right, and why; the mark says the rest. */
static void
test_options (void)
{
  open_at ("full");
  ui_see ("^Step 5, predict, open: And with all fused", GTK_TYPE_BUTTON);
  g_assert_false (gtk_widget_is_sensitive (ui_see ("^Step 6, predict, open: ", GTK_TYPE_BUTTON)));
  /* Enter chooses an option, and commits the one that is chosen. */
  gtk_widget_grab_focus (ui_see ("^Over 1 ms$", GTK_TYPE_CHECK_BUTTON));
  g_assert_true (ui_press ("Return"));
  g_assert_true (gtk_widget_is_sensitive (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON)));
  g_assert_true (ui_press ("Return"));
  ui_see ("^Over 1 ms, your answer, not right\\. No\\.$", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^Under 1 ms, right$", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^✕ yours$", GTK_TYPE_LABEL);
  ui_see ("0 of 3 points$", GTK_TYPE_LABEL);
  ui_see ("^Step 5, predict, missed: ", GTK_TYPE_BUTTON);
  ui_see ("^1 missed$", GTK_TYPE_LABEL);
  ui_close ();

  open_at ("full");
  ui_click (ui_see ("^I have no idea, show me$", GTK_TYPE_BUTTON));
  ui_see ("^Under 1 ms, right$", GTK_TYPE_LIST_BOX_ROW);
  g_assert_null (ui_find ("yours|your answer", 0));
  ui_see ("^Step 5, predict, skipped: ", GTK_TYPE_BUTTON);
  ui_see ("^3 skipped$", GTK_TYPE_LABEL);
  ui_close ();
}

/* Marks lead back; the pane says from where, and leads there again. */
static void
test_way_back (void)
{
  open_at ("full");
  ui_click (ui_see ("^Step 2, predict, skipped: How many bytes", GTK_TYPE_BUTTON));
  ui_see ("^You came back from step 5\\. ", GTK_TYPE_LABEL);
  /* Nothing stands where a prediction would. */
  g_assert_null (ui_find ("^Your prediction$", 0));
  ui_see ("^Right\\.$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^To step 5$", GTK_TYPE_BUTTON));
  ui_see ("^Step 5 of ", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^You came back", GTK_TYPE_LABEL));

  /* Where nothing was answered nothing is kept. */
  ui_activate ("win.lesson-go(0)");
  ui_see ("^You came back from step 5\\.$", GTK_TYPE_LABEL);
  ui_activate ("win.lesson-go(4)");
  ui_miss ("^You came back", GTK_TYPE_LABEL);
  ui_activate ("win.lesson-again");
  ui_click (ui_see ("^Take again$", GTK_TYPE_BUTTON));
  ui_see ("^Step 1 of 7", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^You came back", GTK_TYPE_LABEL));
  go_on ();
  ui_activate_with ("win.lesson", g_variant_new_string ("6"));
  ui_see ("^Step 1 of 9", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^You came back", GTK_TYPE_LABEL));
  ui_close ();
}

/* After the last step: what was lost with the right answers, and the ways on. */
static void
test_last_page (void)
{
  open_at ("end");
  ui_click (ui_see ("^Finish$", GTK_TYPE_BUTTON));
  ui_see ("^Two runs is done$", GTK_TYPE_LABEL);
  ui_see ("^0 of 12 points$", GTK_TYPE_LABEL);
  ui_see ("^Step 6  Which seam\\?, skipped\\. ", GTK_TYPE_LIST_BOX_ROW);
  g_autoptr (GPtrArray) again = ui_list (NULL, "^Step [0-9]+ again: ", GTK_TYPE_LIST_BOX_ROW);
  g_assert_cmpint (again->len, ==, 3);
  /* The question about a time and the comparison with it. */
  GtkWidget *time = ui_see ("^Step 3 again: How long\\?$", GTK_TYPE_LIST_BOX_ROW);
  g_autoptr (GPtrArray) places = ui_list (time, "^Step [0-9]+$", GTK_TYPE_BUTTON);
  g_assert_cmpint (places->len, ==, 2);
  g_assert_cmpstr (gtk_button_get_label (places->pdata[1]), ==, "Step 4");
  g_assert_true (ui_press ("<Control>Return"));
  ui_click (ui_see ("^Cancel$", GTK_TYPE_BUTTON));
  ui_click (ui_see ("^Step 3  How long\\?", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^You came back from the last page\\. ", GTK_TYPE_LABEL);
  ui_click (ui_see ("^To the last page$", GTK_TYPE_BUTTON));
  ui_see ("^0 of 12 points$", GTK_TYPE_LABEL);
  g_assert_true (ui_press ("<Alt>Left"));
  ui_see ("^Step 7 of 7", GTK_TYPE_LABEL);
  ui_close ();
}

/* A live question: no guess anywhere; Commit runs, and the result is judged. */
static void
test_live (void)
{
  g_autofree char *path = write_lesson ("live.md", live_lesson);

  open_lesson (path);
  g_assert_false (gtk_widget_is_sensitive (ui_see ("^Run$", GTK_TYPE_BUTTON)));
  assert_pages_untold ("[Gg]uess: |takes [0-9.]+ ms|\\([0-9.]+\\)$");
  show_page ("timing");
  ui_see ("^Covered until you commit$", GTK_TYPE_LABEL);
  commit_number ("1");
  ui_see ("^Measured: ", 0);
  ui_see ("of 3 points$", GTK_TYPE_LABEL);
  ui_see ("faster$|slower$|^Same|^Unclear", 0);
  ui_close ();
}

/* The worker dies in the run of a question: the answer is kept, and the recorded run takes the
 * place. */
static void
test_live_lost (void)
{
  g_autofree char *path = write_lesson ("live.md", live_lesson);

  open_lesson (path);
  ui_hold_after (1);
  commit_number ("1");
  ui_see ("^Stop", GTK_TYPE_BUTTON);
  ui_kill_worker ();
  ui_hold (FALSE);
  ui_see ("^Use the recorded run$", GTK_TYPE_BUTTON);
  ui_click (ui_see ("^Use the recorded run$", GTK_TYPE_BUTTON));
  ui_see ("^Measured: ", 0);
  ui_see ("^Recorded run of ", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^Commit prediction$", GTK_TYPE_BUTTON));
  go_on ();
  go_on ();
  ui_see ("^B is Full, holds$", GTK_TYPE_LIST_BOX_ROW);
  ui_see (", does not hold\\. B is no slower than A: [0-9.]+ ms\\.$", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^B is no slower than A: [0-9.]+ ms\\.$", GTK_TYPE_LABEL);
  ui_close ();
}

/* At a check, too, the recorded run takes the place of one of this computer, until another one is
 * made. */
static void
test_recorded_check (void)
{
  g_autofree char *path = write_lesson ("live.md", live_lesson);
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, NULL);

  open_lesson (path);
  commit_number ("1");
  ui_see ("of 3 points$", GTK_TYPE_LABEL);
  go_on ();
  go_on ();
  ui_see ("^Your run of .*, on this computer$", GTK_TYPE_LABEL);
  ui_see (", does not hold\\. B is no slower", GTK_TYPE_LIST_BOX_ROW);
  ui_click (ui_see ("^Use the recorded run$", GTK_TYPE_BUTTON));
  ui_see ("^Recorded run of ", GTK_TYPE_LABEL);
  ui_see_recorded ("laptop-cpu-conv-relu-hardswish", "{elapsed(A)}", 0);
  ui_see ("^Step 3 of 3", GTK_TYPE_LABEL);
  for (int recorded = 1; recorded >= 0; recorded--) {
    g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_load_kept (lesson);
    const SeamLessonAnswer *check = seam_lesson_answers_find (answers, "check");
    g_assert_cmpint (check->recorded, ==, recorded);
    g_assert_cmpint (check->attempts, ==, 2 - recorded);
    if (recorded) {
      ui_wait_for_run ();
      ui_press ("<Control>r");
      ui_see ("^Your run of .*, on this computer$", GTK_TYPE_LABEL);
      ui_see (", does not hold\\. B is no slower", GTK_TYPE_LIST_BOX_ROW);
    }
  }
  ui_close ();
}

/* From the start page; the run stays in sight. */
static void
assert_not_opened (const char *action, const char *what)
{
  ui_activate ("win.start-page");
  ui_activate_with (action, g_variant_new_string (what));
  ui_see ("^A run is being measured: wait for it, or stop it first$", GTK_TYPE_LABEL);
  ui_see ("^Stop", GTK_TYPE_BUTTON);
  g_assert_null (ui_find ("^Recorded run of ", GTK_TYPE_LABEL));
}

/* No lesson takes the place of a run that is being measured. */
static void
test_busy (void)
{
  g_autofree char *path = write_lesson ("live.md", live_lesson);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  open_lesson (path);
  ui_hold_after (1);
  commit_number ("1");
  ui_see ("^Measuring… Esc stops it\\.$", GTK_TYPE_LABEL);
  assert_not_opened ("win.lesson", "3");
  assert_not_opened ("win.lesson", "6");
  assert_not_opened ("win.open-recent", uri);
  ui_activate ("win.lesson-again");
  ui_click (ui_see ("^Take again$", GTK_TYPE_BUTTON));
  ui_settle ();
  ui_see ("^Committed\\. It is compared as soon as the run is there\\.$", GTK_TYPE_LABEL);
  ui_hold (FALSE);
  ui_see ("of 3 points$", GTK_TYPE_LABEL);
  ui_see ("^Your run of .*, on this computer$", GTK_TYPE_LABEL);
  ui_close ();
  /* The same without a lesson. */
  ui_open_at ("conv-relu-hardswish", "tiny");
  ui_wait_for_run ();
  ui_hold_after (1);
  ui_activate ("win.run");
  ui_see ("^Stop", GTK_TYPE_BUTTON);
  assert_not_opened ("win.lesson", "4");
  ui_hold (FALSE);
  ui_see ("faster$|slower$|^Same|^Unclear", 0);
  g_assert_null (ui_find ("^Recorded run of |^Step 1 of ", GTK_TYPE_LABEL));
  ui_activate_with ("win.lesson", g_variant_new_string ("4"));
  ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
  ui_close ();
}

/* A lesson without a pointer; Back shows the committed value, which cannot be changed. */
static void
test_keys (void)
{
  g_autofree char *path = write_lesson ("recorded.md", recorded_lesson);
  GtkWidget *entry;

  open_lesson (path);
  g_assert_true (ui_press ("<Alt>Right"));
  ui_see ("^Step 2 of ", GTK_TYPE_LABEL);
  entry = ui_see ("^Your prediction$", GTK_TYPE_ENTRY);
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (ui_window ()), entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), "2");
  g_assert_true (ui_press ("Page_Up"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "2.20");
  g_assert_true (ui_press ("Down"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "2.18");
  /* Not before the commit. */
  ui_press ("<Alt>Right");
  ui_see ("^Step 2 of ", GTK_TYPE_LABEL);
  g_assert_true (ui_press ("Return"));
  ui_see ("of 3 points$", GTK_TYPE_LABEL);
  g_assert_true (ui_press ("<Alt>Right"));
  ui_see ("^Step 3 of ", GTK_TYPE_LABEL);
  g_assert_true (ui_press ("<Alt>Left"));
  entry = ui_see ("^Your prediction$", GTK_TYPE_ENTRY);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "2.18");
  g_assert_false (gtk_widget_is_sensitive (entry));
  ui_close ();
}

static gboolean
is_narrow (gpointer data)
{
  return gtk_widget_get_width (GTK_WIDGET (ui_window ())) <= 1024;
}

static gboolean
is_beside (gpointer below)
{
  graphene_rect_t pane, page;
  GtkWidget *entry = ui_see ("^(Next|Commit prediction)$", GTK_TYPE_BUTTON);
  GtkWidget *stack = ui_list (NULL, NULL, ADW_TYPE_VIEW_STACK)->pdata[0];
  GtkWidget *content = gtk_widget_get_ancestor (stack, GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget *window = GTK_WIDGET (ui_window ());

  return gtk_widget_compute_bounds (entry, window, &pane)
         && gtk_widget_compute_bounds (content, window, &page)
         && (below != NULL ? page.origin.y + page.size.height <= pane.origin.y
                           : page.origin.x >= pane.origin.x + pane.size.width)
         && pane.origin.y + pane.size.height <= (float)gtk_widget_get_height (window)
         && page.size.height > 150;
}

/* Whether all of it can be seen, in the window and in what it scrolls in. */
static gboolean
is_in_sight (GtkWidget *widget)
{
  GtkWidget *scroll = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget *const places[] = { GTK_WIDGET (ui_window ()), scroll };
  graphene_rect_t bounds;

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    if (places[i] != NULL
        && (!gtk_widget_compute_bounds (widget, places[i], &bounds) || bounds.size.height <= 1
            || bounds.origin.x < 0 || bounds.origin.y < 0
            || bounds.origin.x + bounds.size.width > (float)gtk_widget_get_width (places[i])
            || bounds.origin.y + bounds.size.height > (float)gtk_widget_get_height (places[i])))
      return FALSE;
  return TRUE;
}

/* The page, the pane, every option or the entry, and Commit are in sight. */
static gboolean
is_usable (gpointer below)
{
  GtkWidget *question = ui_find (NULL, SEAM_TYPE_LESSON_QUESTION);
  GtkWidget *commit = ui_find ("^Commit prediction$", GTK_TYPE_BUTTON);
  const GType types[] = { GTK_TYPE_CHECK_BUTTON, GTK_TYPE_ENTRY, GTK_TYPE_DROP_DOWN };
  guint n = 0;

  if (question == NULL || commit == NULL || !is_in_sight (commit) || !is_beside (below))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autoptr (GPtrArray) found = ui_list (question, NULL, types[i]);
    for (guint k = 0; k < found->len; k++, n++)
      if (!is_in_sight (found->pdata[k]))
        return FALSE;
  }
  return n > 0;
}

/* The first question of a window that showed a lesson's first step before. A second click in the
 * place of Next does not give it up. */
static void
test_first_question (void)
{
  static const char *const lessons[] = { "2", "5", "7" };
  graphene_rect_t next, look;

  for (gsize i = 0; i < G_N_ELEMENTS (lessons); i++) {
    g_assert_true (seam_lesson_answers_forget_all (NULL));
    ui_leave_start_page ();
    ui_open (NULL);
    ui_activate_with ("win.lesson", g_variant_new_string (lessons[i]));
    ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
    ui_settle ();
    GtkWidget *window = GTK_WIDGET (ui_window ());
    g_assert_true (gtk_widget_compute_bounds (ui_see ("^Next$", GTK_TYPE_BUTTON), window, &next));
    go_on ();
    ui_wait ("the question in sight", is_usable, NULL);
    g_assert_true (gtk_widget_compute_bounds (ui_see ("^I have no idea, show me$", GTK_TYPE_BUTTON),
                                              window, &look));
    g_assert_false (graphene_rect_intersection (&next, &look, NULL));
    ui_close ();
  }
}

/* Figure, text, question and Commit are used together: beside or, in a very narrow window, below
 * each other. The text scrolls, the question does not. */
static void
test_small (void)
{
  static const struct {
    int width, height;
    double scale;
    gboolean below;
  } sizes[] = {
    { 1024, 600, 1, FALSE }, { 1280, 720, 1.5, TRUE }, { 720, 480, 1, TRUE },
    { 1600, 900, 2, TRUE },  { 1280, 720, 1, FALSE },
  };
  static const char *const steps[][2] = {
    { "1", "published" },
    { "1", "what-is-left" },
    { "2", "seam" },
    { "6", "nan" },
  };

  g_assert_true (seam_lesson_answers_forget_all (NULL));
  ui_leave_start_page ();
  ui_open (NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (steps); k++) {
    g_autoptr (SeamLesson) lesson = seam_lesson_find (steps[k][0], NULL);
    ui_activate ("win.lesson-leave");
    keep_at (lesson, steps[k][1]);
    ui_activate_with ("win.lesson", g_variant_new_string (steps[k][0]));
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
      g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int)(96 * 1024 * sizes[i].scale),
                    NULL);
      gtk_window_set_default_size (ui_window (), sizes[i].width, sizes[i].height);
      g_autofree char *what =
          g_strdup_printf ("lesson %s, %s: %d × %d, text %g", steps[k][0], steps[k][1],
                           sizes[i].width, sizes[i].height, sizes[i].scale);
      g_test_message ("%s", what);
      ui_wait ("page, question and Commit", is_usable, GINT_TO_POINTER (sizes[i].below));
      ui_wait_for_frames (GTK_WIDGET (ui_window ()));
      ui_draw (ui_window (), what);
    }
  }
  /* In a low window the counts of marks are in a tooltip. */
  ui_see ("^[0-9]+ skipped", GTK_TYPE_LABEL);
  gtk_window_set_default_size (ui_window (), 1024, 600);
  ui_miss ("^[0-9]+ skipped", GTK_TYPE_LABEL);
  g_autofree char *counts =
      g_strdup (gtk_widget_get_tooltip_text (ui_see ("^Step [0-9]+ of ", GTK_TYPE_LABEL)));
  g_assert_true (g_regex_match_simple ("^[0-9]+ skipped, [0-9]+ open$", counts, 0, 0));
  ui_close ();
}

/* In a narrow window, F9 hides the pane and brings it back. */
static void
test_narrow (void)
{
  g_autofree char *path = write_lesson ("recorded.md", recorded_lesson);

  open_lesson (path);
  gtk_window_set_default_size (ui_window (), 1024, 700);
  ui_wait ("a window of 1024", is_narrow, NULL);
  ui_settle ();
  if (ui_find ("^Next$", GTK_TYPE_BUTTON) == NULL)
    ui_press ("F9");
  ui_see ("^Next$", GTK_TYPE_BUTTON);
  go_on ();
  commit_number ("1.6");
  ui_see ("3 of 3 points$", GTK_TYPE_LABEL);
  ui_press ("F9");
  ui_miss ("^Next$", GTK_TYPE_BUTTON);
  ui_press ("F9");
  ui_see ("3 of 3 points$", GTK_TYPE_LABEL);
  ui_close ();
}

static gboolean
is_file (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* The file for the teacher has the answers and the name; the kept answers have no name. */
static void
test_hand_in (void)
{
  g_autofree char *path = write_lesson ("recorded.md", recorded_lesson);
  g_autofree char *file = ui_path ("mine.seamanswers"), *second = ui_path ("second.seamanswers");
  g_autoptr (GError) error = NULL;

  open_lesson (path);
  go_on ();
  commit_number ("1.6");
  ui_see ("3 of 3 points$", GTK_TYPE_LABEL);
  ui_activate_with ("win.submit-to", g_variant_new ("(ss)", file, "Ada"));
  ui_wait ("the answers", is_file, file);
  g_autoptr (SeamLessonAnswers) handed = seam_lesson_answers_load (file, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (handed->learner, ==, "Ada");
  g_assert_cmpint (handed->n_answers, ==, 1);
  g_assert_cmpfloat_with_epsilon (handed->answers[0].value, 1.6e9, 1);
  g_assert_cmpint (handed->answers[0].points, ==, 3);

  /* Taken again, another answer: the first one counts, and stays in the file. */
  ui_activate ("win.lesson-again");
  ui_click (ui_see ("^Take again$", GTK_TYPE_BUTTON));
  ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
  go_on ();
  commit_number ("16");
  ui_see ("0 of 3 points$", GTK_TYPE_LABEL);
  ui_activate_with ("win.submit-to", g_variant_new ("(ss)", second, ""));
  ui_wait ("the answers", is_file, second);
  g_autoptr (SeamLessonAnswers) again = seam_lesson_answers_load (second, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->id, ==, handed->id);
  g_assert_cmpint (again->n_first, ==, 1);
  g_assert_cmpfloat_with_epsilon (again->first[0].value, 1.6e9, 1);
  g_assert_cmpfloat_with_epsilon (again->answers[0].value, 16e9, 1);
  g_assert_cmpint (seam_lesson_answers_get_points (again), ==, 3);
  /* So does a class, which reads the file. */
  seam_lesson_answers_count_first (again);
  g_assert_cmpint (again->n_answers, ==, 1);
  g_assert_cmpfloat_with_epsilon (again->answers[0].value, 1.6e9, 1);
  g_assert_cmpint (again->answers[0].points, ==, 3);
  ui_close ();
}

/* Another window has the same lesson, and keeps an answer to the question that this one asks: that
 * answer was first, and counts. */
static void
test_two_windows (void)
{
  g_autofree char *path = write_lesson ("recorded.md", recorded_lesson);
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, NULL);
  SeamLessonAnswer answer = { .step = (char *)"bytes",
                              .ask = (char *)"number",
                              .value = 16e9,
                              .reason = -1,
                              .points = 0,
                              .committed_at = (char *)"2026-11-26T09:00:00Z" };

  open_lesson (path);
  go_on ();
  g_autoptr (SeamLessonAnswers) other = seam_lesson_answers_load_kept (lesson);
  g_assert_true (seam_lesson_answers_add (other, &answer));
  g_assert_true (seam_lesson_answers_keep (other, NULL));
  commit_number ("1.6");
  ui_see ("^This lesson was answered in another window, too\\.", 0);
  ui_see ("0 of 3 points$", GTK_TYPE_LABEL);
  g_autoptr (SeamLessonAnswers) kept = seam_lesson_answers_load_kept (lesson);
  g_assert_cmpint (kept->n_answers, ==, 1);
  g_assert_cmpfloat_with_epsilon (kept->answers[0].value, 16e9, 1);
  ui_close ();
}

/* What cannot be opened changes nothing; what can takes the lesson's place. */
static void
test_other_files (void)
{
  g_autofree char *path = write_lesson ("recorded.md", recorded_lesson);
  g_autofree char *broken = write_lesson ("broken.md", HEAD "## Sing: a\n\nb\n");
  g_autofree char *damaged = write_lesson ("damaged.seamscope", "no session");
  g_autofree char *sample = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                              "h200-gemm-bias-relu.seamscope", NULL);
  const char *const bad[] = { broken, damaged };
  const char *const sentences[] = { "broken\\.md, line 10: A step begins with",
                                    "damaged\\.seamscope" };
  g_autofree char *time_b = recorded_match_time (RECORDED_EXAMPLE, 'B');

  open_lesson (path);
  go_on ();
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree char *uri = g_filename_to_uri (bad[i], NULL, NULL);
    ui_activate_with ("win.open-recent", g_variant_new_string (uri));
    ui_see (sentences[i], 0);
    ui_see ("^Step 2 of ", GTK_TYPE_LABEL);
    assert_untold (time_b);
  }
  g_autofree char *uri = g_filename_to_uri (sample, NULL, NULL);
  ui_activate_with ("win.open-recent", g_variant_new_string (uri));
  ui_see ("^Recorded run from h200-gemm-bias-relu", GTK_TYPE_LABEL);
  ui_miss ("^Step 2 of ", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  ui_wait_for_run ();
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/lesson-window/covered-until-asked", test_covered_until_asked);
  g_test_add_func ("/lesson-window/seam-picked", test_seam_picked);
  g_test_add_func ("/lesson-window/options", test_options);
  g_test_add_func ("/lesson-window/way-back", test_way_back);
  g_test_add_func ("/lesson-window/last-page", test_last_page);
  g_test_add_func ("/lesson-window/live", test_live);
  g_test_add_func ("/lesson-window/live-lost", test_live_lost);
  g_test_add_func ("/lesson-window/recorded-check", test_recorded_check);
  g_test_add_func ("/lesson-window/busy", test_busy);
  g_test_add_func ("/lesson-window/keys", test_keys);
  g_test_add_func ("/lesson-window/narrow", test_narrow);
  g_test_add_func ("/lesson-window/first-question", test_first_question);
  g_test_add_func ("/lesson-window/small", test_small);
  g_test_add_func ("/lesson-window/hand-in", test_hand_in);
  g_test_add_func ("/lesson-window/two-windows", test_two_windows);
  g_test_add_func ("/lesson-window/other-files", test_other_files);
  return ui_run ();
}
