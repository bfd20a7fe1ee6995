/* SPDX-License-Identifier: MIT
 *
 * The recorded sessions that come with the program: a row for each pipeline on the start page, and
 * the samples of a run below the table of the page Timing, in sessions recorded on an H200: every
 * sample of both plans in words, and the figure as a file; long texts do not widen the window.
 */
#include "tests/ui/window-fixture.h"

#include "app/base/text.h"
#include "app/lesson/answers.h"
#include "app/session/session.h"

static void
open_sample (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples", name, NULL);
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
}

static void
test_words (void)
{
  g_autofree char *path = NULL, *text = NULL;

  open_sample ("h200-gemm-bias-relu.seamscope");
  ui_see ("^All samples in the order they were taken.* A: [1-9][0-9]* samples, median "
          ".* B: [1-9][0-9]* samples, median ",
          0);
  ui_see ("^A took longer in [0-9]+ of [0-9]+ pairs of neighbouring samples", GTK_TYPE_LABEL);
  path = ui_write ("export-samples-to", "samples.svg");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "<?xml"));
  ui_close ();
}

/* Also those that were recorded before their pipeline had every exhibit of today. */
static void
test_searches (void)
{
  static const char *const names[] = {
    "h200-conv-bias-scale-sigmoid-groupnorm.seamscope",
    "h200-matmul-swish-bias-groupnorm-tf32.seamscope",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    open_sample (names[i]);
    ui_activate ("win.page::explore");
    ui_see ("^What each seam is worth$", GTK_TYPE_LABEL);
    ui_see ("^Best: .* faster than .*\\. Seam [0-9]+ .* is worth most", GTK_TYPE_LABEL);
    g_assert_null (ui_find ("is not shown", GTK_TYPE_LABEL));
    ui_activate ("win.page::timing");
    ui_close ();
  }
}

static int
get_width (void)
{
  return gtk_widget_get_width (GTK_WIDGET (ui_window ()));
}

/* The window's shadow takes some of the width. */
static gboolean
is_narrow (gpointer data)
{
  return get_width () > 960 && get_width () <= 1000;
}

/* The words about a throttled chip are long. Even hidden, they are part of the page. */
static void
test_narrow (void)
{
  int width;

  open_sample ("h200-matmul-swish-bias-groupnorm-tf32.seamscope");
  gtk_window_set_default_size (ui_window (), 1000, 940);
  ui_wait ("a window of 1000", is_narrow, NULL);
  ui_see ("^A took longer in .*Throttled after [0-9]+ of [0-9]+ samples of B", GTK_TYPE_LABEL);
  width = get_width ();
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  g_assert_true (is_narrow (NULL));
  g_assert_cmpint (get_width (), ==, width);
  ui_close ();
}

/* Every sample is opened with the letters that its report has (tests/cli/pair.py), and its strips
 * tell the bytes of its headline, copies included. */
static void
test_letters (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n = 0;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (SeamSession) session = seam_session_load (path, NULL);
    g_autoptr (SeamSessionRun) run = seam_session_get_run (session, 0, NULL);
    const SeamPlanResult *plans = run->result->plans;
    g_autofree char *pair =
        g_strdup_printf ("^%c %s against %c %s$", seam_plan_get_letter (1), plans[1].name,
                         seam_plan_get_letter (0), plans[0].name);

    open_sample (name);
    ui_see (pair, GTK_TYPE_LABEL);
    for (int k = 0; k < 2; k++) {
      g_autofree char *bytes = seam_text_bytes (plans[k].bytes);
      g_autofree char *counts = g_strdup_printf ("^[0-9]+ (kernels?|groups?)( ·|\n) ?%s$", bytes);
      ui_see (counts, GTK_TYPE_LABEL);
    }
    ui_close ();
    n++;
  }
  g_assert_cmpint (n, >, 10);
}

static void
test_start_opens (void)
{
  ui_open (NULL);
  ui_activate ("win.start-page");
  ui_click (ui_see ("^conv-relu-hardswish: A unfused .*14\\.\\d× faster than unfused$",
                    GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^Recorded run from h200-conv-relu-hardswish", GTK_TYPE_LABEL);
  /* The sidebar says what is recorded, and what is of this computer. */
  ui_see ("^Shape of the recording$", GTK_TYPE_LABEL);
  ui_see ("^Next run, on this computer$", GTK_TYPE_LABEL);
  gtk_window_set_default_size (ui_window (), 1000, 900);
  ui_see ("^conv-relu-hardswish  kernelbench · Recorded on NVIDIA H200 · ", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  ui_see (" · Test processor · ", GTK_TYPE_LABEL);
  /* So do the ways from the start page to this computer. */
  static const char *const ways[] = { "win.begin::", "win.begin::conv-relu-hardswish" };
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++) {
    ui_activate ("win.start-page");
    ui_click (ui_see ("^conv-relu-hardswish: A unfused .*14\\.\\d× ", GTK_TYPE_LIST_BOX_ROW));
    ui_see (" · Recorded on NVIDIA H200 · ", GTK_TYPE_LABEL);
    ui_activate ("win.start-page");
    ui_activate (ways[i]);
    ui_see (" · Test processor · ", GTK_TYPE_LABEL);
    ui_miss ("^Recorded run from ", GTK_TYPE_LABEL);
  }
  ui_close ();
}

/* The start page has the verdicts of recorded runs before one is opened, and beside them the
 * runs of this computer. */
static void
test_start_page (void)
{
  ui_open_at ("^conv-relu-hardswish", "^tiny$");
  ui_activate ("win.start-page");
  ui_see ("^[0-9]+ more recorded runs$", ADW_TYPE_EXPANDER_ROW);
  ui_see_recorded ("h200-conv-bias-scale-sigmoid-groupnorm",
                   "^conv-bias-scale-sigmoid-groupnorm: A unfused {elapsed(A)}, "
                   "B full {elapsed(C)|ms}, {ratio(A, C)} faster than unfused$",
                   GTK_TYPE_LIST_BOX_ROW);
  ui_click (ui_see ("^This computer$", GTK_TYPE_TOGGLE_BUTTON));
  ui_see ("^conv-relu-hardswish: not run yet$", GTK_TYPE_LIST_BOX_ROW);
  ui_click (ui_see ("^gemm-bias-relu: not run yet$", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  ui_activate ("win.run");
  ui_see ("(× (faster|slower)|Same|Unclear)", GTK_TYPE_LABEL);
  ui_activate ("win.start-page");
  ui_see ("^gemm-bias-relu: A unfused [0-9.]+ ms, B [a-z]+ [0-9.]+ ms, ", GTK_TYPE_LIST_BOX_ROW);
  ui_close ();
}

static gboolean
has_focus (gpointer widget)
{
  return gtk_window_get_focus (ui_window ()) == widget;
}

/* The first minute: what the program is, with a recorded example; one button has the focus, and
 * keys take the lessons. What was measured here last can be opened. */
static void
test_first_minute (void)
{
  ui_open_at ("^gemm-bias-relu", "^tiny$");
  ui_press ("<Alt>Home");
  ui_wait ("the focus on the suggested button", has_focus,
           ui_see ("^Take lesson 1$", GTK_TYPE_BUTTON));
  ui_see ("^No NVIDIA GPU here, so runs use the CPU; ", GTK_TYPE_LABEL);
  ui_miss ("^Copy report$", GTK_TYPE_BUTTON);
  ui_click (ui_see ("^Details$", GTK_TYPE_TOGGLE_BUTTON));
  ui_see ("^Copy report$", GTK_TYPE_BUTTON);
  ui_miss ("^Recent$", GTK_TYPE_LABEL);
  ui_click (ui_see_recorded (
      "h200-conv-relu-bias",
      "^conv-relu-bias, recorded on NVIDIA H200\\. Plan A, unfused: [0-9]+ kernels, "
      "[0-9.]+ GB moved, {elapsed(A)}\\. Plan B, full: 1 kernel, [0-9.]+ GB "
      "moved, {elapsed(C)|ms}: {ratio(A, C)} faster than unfused\\.$",
      GTK_TYPE_BUTTON));
  ui_see ("^Recorded run from h200-conv-relu-bias", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  ui_wait_for_run ();
  ui_activate ("win.run");
  ui_see ("(× (faster|slower)|Same|Unclear)", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  ui_press ("<Alt>Home");
  ui_click (ui_see ("^gemm-bias-relu, .* · unfused, published.*: ", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^Recorded run from the history, ", GTK_TYPE_LABEL);
  /* With all lessons done, the suggested button opens the last run. */
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  for (guint i = 0; i < lessons->len; i++) {
    g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lessons->pdata[i]);
    answers->done = TRUE;
    g_assert_true (seam_lesson_answers_keep (answers, NULL));
  }
  ui_press ("<Alt>Home");
  ui_click (ui_see ("^Open the last run$", GTK_TYPE_BUTTON));
  ui_see ("^Recorded run from the history, ", GTK_TYPE_LABEL);
  g_assert_true (seam_lesson_answers_forget_all (NULL));
  ui_press ("<Alt>Home");
  ui_press ("3");
  ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
  ui_close ();
  /* The window was closed in a lesson, so it offers to go on. */
  ui_open (NULL);
  ui_see ("^(Go on with|Take) lesson \\d", GTK_TYPE_BUTTON);
  ui_click (ui_see ("^Run on this computer$", GTK_TYPE_BUTTON));
  ui_close ();
}

/* What held the clock down stands above the bars, whole for assistive technology; its button goes
 * to the samples. */
static void
test_throttle (void)
{
  GtkWidget *line, *samples, *scroller;
  graphene_rect_t bounds;

  open_sample ("h200-matmul-swish-bias-groupnorm-tf32.seamscope");
  line = ui_see ("^SW power cap in 100 % of samples, SM clock 1\\.[0-9]{2} GHz of 1\\.98. Lowest "
                 "1\\.[0-9]{2}, [0-9]+ W, [0-9]+ °C\\. A and B ran alike, so the ratio stands; the "
                 "times are those of a "
                 "capped GPU\\.$",
                 GTK_TYPE_BOX);
  g_assert_cmpint (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (line)), ==,
                   GTK_ACCESSIBLE_ROLE_NOTE);
  samples = ui_see ("^All samples in the order they were taken", 0);
  ui_wait_for_frames (samples);
  scroller = gtk_widget_get_ancestor (line, GTK_TYPE_SCROLLED_WINDOW);
  g_assert_true (gtk_widget_compute_bounds (samples, scroller, &bounds));
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, >, gtk_widget_get_height (scroller));
  ui_click (ui_see ("^Samples$", GTK_TYPE_BUTTON));
  ui_wait_for_frames (samples);
  g_assert_true (gtk_widget_compute_bounds (samples, scroller, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=, gtk_widget_get_height (scroller));
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/samples/start-page", test_start_page);
  g_test_add_func ("/samples/first-minute", test_first_minute);
  g_test_add_func ("/samples/letters", test_letters);
  g_test_add_func ("/samples/start-opens", test_start_opens);
  g_test_add_func ("/samples/searches", test_searches);
  g_test_add_func ("/samples/words", test_words);
  g_test_add_func ("/samples/narrow", test_narrow);
  g_test_add_func ("/samples/throttle", test_throttle);
  return ui_run ();
}
