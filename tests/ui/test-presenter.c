/* SPDX-License-Identifier: MIT
 *
 * The presenter: slides by the keys that clickers send, what is covered and revealed, the class's
 * predictions, and files that are collected.
 */
#include "tests/core/recorded-run.h"
#include "tests/ui/window-fixture.h"

#include "app/lesson/answers.h"
#include "ui/presenter/presenter.h"

#include <math.h>
#include <string.h>

#define TITLE "Seamscope presenter"

static SeamPresenter *
get_presenter (void)
{
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (SEAM_IS_PRESENTER (window))
      return SEAM_PRESENTER (window);
  }
  return NULL;
}

static gboolean
is_gone (gpointer data)
{
  return get_presenter () == NULL;
}

/* What assistive technology reads of the slide. */
static void
see (const char *pattern)
{
  ui_see (pattern, GTK_TYPE_DRAWING_AREA);
}

static gboolean
tells (const char *pattern)
{
  return ui_find (pattern, GTK_TYPE_DRAWING_AREA) != NULL;
}

static void
press (const char *key)
{
  g_assert_true (ui_press (key));
  ui_settle ();
}

static void
open_lesson (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "..", "tests", "core",
                                            "lesson-example.md", NULL);
  const char *files[] = { path, NULL };

  g_assert_true (seam_lesson_answers_forget_all (NULL));
  ui_leave_start_page ();
  ui_open (files);
  ui_see ("^seven ops, seven trips$", GTK_TYPE_LABEL);
}

static void
open_presenter (void)
{
  open_lesson ();
  ui_activate ("win.present");
  ui_turn_to (TITLE);
  see ("step 1 of 7");
}

static void
leave (void)
{
  press ("Escape");
  ui_wait ("the presenter to go", is_gone, NULL);
  ui_close ();
}

static void
assert_untold (void)
{
  g_autofree char *answer = recorded_match_time (RECORDED_EXAMPLE, 'B');

  g_assert_false (tells (answer) || tells ("faster"));
}

static void
test_keys (void)
{
  static const char *const on[] = { "Page_Down", "space", "Right", "Down" };
  static const char *const back[] = { "Page_Up", "Left", "Up", "Page_Up" };

  open_presenter ();
  for (gsize i = 0; i < G_N_ELEMENTS (on); i++) {
    see ("seven ops, seven trips");
    press (on[i]);
    see ("How long will plan B take\\?");
    press (back[i]);
  }
  press ("End");
  see ("Did it\\?");
  press ("Page_Down");
  see ("Did it\\?");
  press ("Home");
  see ("seven ops");
  press ("Page_Up");
  see ("seven ops");
  g_assert_false (ui_press ("z"));
  leave ();
}

static void
test_reveal (void)
{
  open_presenter ();
  press ("Page_Down");
  see ("How long will plan B take\\?");
  press ("Page_Down");
  see ("Measured value: covered");
  assert_untold ();
  /* Black and back reveals nothing. */
  press ("b");
  see ("^Black screen$");
  press ("space");
  see ("Measured value: covered");
  press ("d");
  assert_untold ();
  press ("space");
  ui_see_recorded (RECORDED_EXAMPLE, "{ratio(A, B)} faster than A", GTK_TYPE_DRAWING_AREA);
  ui_see_recorded (RECORDED_EXAMPLE, "Measured {elapsed(B)|ms}", GTK_TYPE_DRAWING_AREA);
  g_assert_false (tells ("How long will plan B take"));
  press ("Page_Up");
  press ("Page_Down");
  ui_see_recorded (RECORDED_EXAMPLE, "Measured {elapsed(B)|ms}",
                   GTK_TYPE_DRAWING_AREA); /* what was open stays open */
  press ("r");
  see ("Measured value: covered");
  assert_untold ();
  press ("Page_Down");
  ui_see_recorded (RECORDED_EXAMPLE, "Measured {elapsed(B)|ms}", GTK_TYPE_DRAWING_AREA);
  press ("Page_Down");
  see ("Saved passes");
  leave ();
}

static void
predict (const char *text)
{
  GtkWidget *entry = ui_see ("^Predictions of the class$", GTK_TYPE_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_widget_grab_focus (entry);
  press ("Return");
}

static void
test_predictions (void)
{
  open_presenter ();
  press ("Page_Down");
  press ("Page_Down");
  see ("Show of hands\\?");
  press ("p");
  predict ("0.5 0,6 soon 0.7ms 9");
  see ("4 predictions");
  ui_see ("^Left out, because it is no time above 0: soon$", GTK_TYPE_LABEL);
  predict ("1");
  see ("5 predictions");
  press ("Escape"); /* the line first */
  ui_miss ("^Predictions of the class$", GTK_TYPE_ENTRY);
  press ("space");
  see ("Half of you said 0\\.700 ms or less");
  leave ();
}

/* The learner is known by the value. */
static void
write_answers (const char *path, const char *lesson, const char *step, double value)
{
  g_autofree char *json =
      g_strdup_printf ("{\"lesson\":\"%s\",\"id\":\"learner %d\",\"answers\":[{\"step\":\"%s\","
                       "\"ask\":\"number\",\"value\":%d.0,"
                       "\"points\":1,\"committed_at\":\"2026-11-26T09:00:00Z\"}]}",
                       lesson, (int)value, step, (int)value);

  g_assert_true (g_file_set_contents (path, json, -1, NULL));
}

static void
test_collect (void)
{
  g_autofree char *folder = ui_path ("handed-in");
  g_autofree char *damaged = g_build_filename (folder, "cut.seamanswers", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (int i = 0; i < 100; i++) {
    g_autofree char *name = g_strdup_printf ("%02d.seamanswers", i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    write_answers (path, "lesson-example", "b", 3e5 + 1e4 * i);
  }
  g_assert_true (g_file_set_contents (damaged, "{", -1, NULL));

  /* A folder that is opened, or dropped on the window, is collected. */
  g_autofree char *uri = g_filename_to_uri (folder, NULL, NULL);
  graphene_rect_t slide, line;
  open_lesson ();
  ui_activate_with ("win.open-recent", g_variant_new_string (uri));
  ui_turn_to (TITLE);
  see ("100 predictions");
  /* The line at the foot covers nothing of the slide. */
  GtkWidget *window = GTK_WIDGET (get_presenter ());
  g_assert_true (gtk_widget_compute_bounds (ui_see (NULL, GTK_TYPE_DRAWING_AREA), window, &slide));
  g_assert_true (gtk_widget_compute_bounds (ui_see ("^_?Collect", GTK_TYPE_BUTTON), window, &line));
  g_assert_cmpfloat (slide.size.height, >, 0);
  g_assert_cmpfloat (slide.origin.y + slide.size.height, <=, line.origin.y);
  see ("Measured value: covered");
  ui_see ("^100 files of answers; 100 predictions for this lesson; 1 left out$", GTK_TYPE_LABEL);
  /* The same folder, as it fills. */
  seam_presenter_collect (get_presenter (), (const char *const[]){ folder, NULL });
  ui_see ("^100 files of answers; 100 predictions for this lesson", GTK_TYPE_LABEL);
  see ("100 predictions");
  press ("Escape");
  press ("space");
  see ("100 predictions\\. Half of you said 0\\.795 ms or less; [0-9]+ of 100 came within 1\\.1×");
  /* A file of another lesson is offered to its own class. */
  g_autofree char *other = ui_path ("other.seamanswers");
  write_answers (other, "1-why-fuse", "published", 1e6);
  seam_presenter_collect (get_presenter (), (const char *const[]){ other, NULL });
  ui_see ("^Some files are of “Why fuse at all\\?”$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Open that class$", GTK_TYPE_BUTTON));
  ui_turn_to (TITLE);
  ui_see ("1 prediction for this lesson", GTK_TYPE_LABEL);
  press ("Escape");
  leave ();
}

/* A class of five, of which one copied the file of another and one brings a damaged file: the
 * teacher is told, and the room sees three predictions. */
static void
test_five (void)
{
  static const double values[] = { 5e5, 7e5, 9e5, 7e5 };
  g_autofree char *folder = ui_path ("five"), *uri = g_filename_to_uri (folder, NULL, NULL);
  g_autofree char *damaged = g_build_filename (folder, "cut.seamanswers", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree char *name = g_strdup_printf ("%zu.seamanswers", i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    write_answers (path, "lesson-example", "b", values[i]);
  }
  g_assert_true (g_file_set_contents (damaged, "{\"lesson\":", -1, NULL));
  open_lesson ();
  ui_activate_with ("win.open-recent", g_variant_new_string (uri));
  ui_see ("cut\\.seamanswers", GTK_TYPE_LABEL);
  ui_turn_to (TITLE);
  see ("3 predictions");
  ui_see ("^4 files of answers \\(copies that count once: 1; .*; 3 predictions for this lesson; "
          "1 left out$",
          GTK_TYPE_LABEL);
  press ("Escape");
  press ("space");
  see ("Half of you said 0\\.700 ms or less");
  leave ();
}

/* A step of this computer runs without leaving the screen, and leaves the window's lesson alone. */
static void
test_run (void)
{
  open_presenter ();
  press ("End");
  press ("Page_Up");
  see ("On this computer");
  see ("Not run on this computer yet");
  press ("space");
  see ("measured here");
  ui_see ("^seven ops, seven trips$", GTK_TYPE_LABEL);
  press ("End");
  press ("Page_Up");
  see ("Did it\\?");
  see ("Passed|Run plan full");
  leave ();
}

/* Without a lesson it shows what the tab shows. */
static void
test_page (void)
{
  ui_open_at ("^gemm-bias-relu", "^tiny$");
  ui_activate ("win.present");
  ui_see ("There is no result to export yet|press Run first", 0);
  g_assert_null (get_presenter ());
  ui_wait_for_run ();
  ui_activate ("win.run");
  ui_wait_for_run ();
  ui_activate ("win.present");
  ui_turn_to (TITLE);
  see ("Plan A, .*elapsed");
  press ("Page_Down");
  press ("F11");
  ui_wait ("the presenter to go", is_gone, NULL);
  ui_close ();
}

/* Lessons whose samples, plans or answers are missing are presented to their end. */
static void
test_missing (void)
{
  static const char *const questions[][2] = {
    { "sample = no-such-sample\nplans = unfused, published\nask = number\nanswer = elapsed(B)\n"
      "range = 1 us to 9 ms\n",
      "no-such-sample" },
    { "sample = h200-conv-relu-hardswish\nplans = unfused, published\nask = cut\n"
      "answer = ops() * -1000\n",
      "The run does not tell" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (questions); i++) {
    g_autofree char *path = ui_path ("missing.md");
    g_autofree char *text =
        g_strdup_printf ("---\ntitle: N\ntopic: X\nminutes: 5\ngoal: G.\n---\n\n"
                         "## Predict: How long?\n\n```seamscope\n"
                         "page = timing\n%s```\n\nSay.\n",
                         questions[i][0]);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    g_assert_true (seam_lesson_answers_forget_all (NULL));
    ui_leave_start_page ();
    ui_open ((const char *const[]){ path, NULL });
    ui_see ("^How long\\?$", GTK_TYPE_LABEL);
    ui_activate ("win.present");
    ui_turn_to (TITLE);
    see ("How long\\?");
    press ("space");
    press ("space");
    see (questions[i][1]);
    press ("End");
    press ("Home");
    press ("space");
    see (questions[i][1]);
    leave ();
  }
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/presenter/keys", test_keys);
  g_test_add_func ("/presenter/reveal", test_reveal);
  g_test_add_func ("/presenter/predictions", test_predictions);
  g_test_add_func ("/presenter/collect", test_collect);
  g_test_add_func ("/presenter/five", test_five);
  g_test_add_func ("/presenter/run", test_run);
  g_test_add_func ("/presenter/page", test_page);
  g_test_add_func ("/presenter/missing", test_missing);
  return ui_run ();
}
