/* SPDX-License-Identifier: MIT
 *
 * The sweep page: choosing what varies, the estimate before the sweep, points that arrive shape by
 * shape, stopping and resuming, adopting a point, export and saving, and a recorded sweep that is
 * drawn without measuring.
 */
#include "tests/ui/window-fixture.h"

#include <stdlib.h>
#include <string.h>

#define SWEEPS "^Sweep of the session$"
#define BUDGET "^Budget of the sweep"

/* The figure's texts for its points. */
static GStrv
read_points (void)
{
  return ui_list_names ("^batch [0-9]+[^:]*: ", GTK_ACCESSIBLE_ROLE_BUTTON);
}

static gboolean
has_points (gpointer data)
{
  g_auto (GStrv) points = read_points ();

  return g_strv_equal ((const char *const *)points, data);
}

static gboolean
has_n_points (gpointer data)
{
  g_auto (GStrv) points = read_points ();

  return g_strv_length (points) == GPOINTER_TO_UINT (data);
}

static void
open_page (void)
{
  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  ui_press ("<Alt>7");
}

/* Chooses four shapes, and two of the three plans. */
static void
choose (void)
{
  GtkWidget *list;

  ui_choose (ui_see ("^Vary: how it varies$", GTK_TYPE_DROP_DOWN), "^as a list$");
  list = ui_see ("^Vary: values, separated by commas$", GTK_TYPE_ENTRY);
  ui_type (list, "1, many");
  ui_see ("many.*is not a whole number|“ ?many”", GTK_TYPE_LABEL);
  g_assert_false (gtk_widget_is_sensitive (ui_see ("^Measure all$", GTK_TYPE_LABEL)));
  ui_type (list, "2, 1.024");
  ui_see ("“1\\.024” is not a whole number", GTK_TYPE_LABEL);
  ui_type (list, "2; 1,024");
  ui_see ("batch: is “1,024” 1024 or 1; 024\\? Type one of the two\\.", GTK_TYPE_LABEL);
  ui_type (list, "2; 8,32, 128");
  ui_see ("^12 to measure, ", GTK_TYPE_LABEL);
  ui_see ("^4 shapes × 3 plans, 12 points$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Published$", GTK_TYPE_CHECK_BUTTON));
  ui_see ("^4 shapes × 2 plans, 8 points$", GTK_TYPE_LABEL);
}

/* Starts a sweep and stops it after so many groups; returns how many points were measured. */
static int
stop_after (int n_groups, const char *pattern)
{
  GtkWidget *status;

  ui_hold_after (n_groups);
  ui_see ("^Measure ", GTK_TYPE_BUTTON);
  g_assert_true (ui_press ("<Control>r"));
  ui_see (pattern, GTK_TYPE_LABEL);
  g_assert_false (gtk_widget_is_sensitive (ui_see (BUDGET, GTK_TYPE_SPIN_BUTTON)));
  ui_press ("Escape");
  status = ui_see ("^Stopped: [0-9]+ of [0-9]+ measured, [0-9]+ left", GTK_TYPE_LABEL);
  ui_hold (FALSE);
  return atoi (gtk_label_get_text (GTK_LABEL (status)) + strlen ("Stopped: "));
}

static gboolean
is_batch (gpointer expected)
{
  GtkWidget *batch = ui_find ("^Batch$", GTK_TYPE_ENTRY);

  return batch != NULL && strcmp (gtk_editable_get_text (GTK_EDITABLE (batch)), expected) == 0;
}

static void
see_batch (const char *expected)
{
  g_autofree char *what = g_strdup_printf ("batch %s", expected);

  ui_wait (what, is_batch, (gpointer)expected);
}

/* A click or a key on a point sets its shape and makes its plan B; Ctrl+Z undoes that. */
static void
take_point (void)
{
  GtkWidget *point = ui_see ("^batch 32, full: ", 0);
  g_autofree char *text = ui_describe (point);

  g_assert_nonnull (strstr (text, "Click or press Space: this shape, and full as plan B."));
  see_batch ("6");
  ui_click (point);
  see_batch ("32");
  ui_see ("^8 of 8 measured$", GTK_TYPE_LABEL); /* it is the same sweep */
  ui_press ("Right");
  ui_press ("space");
  see_batch ("128");
  ui_press ("<Alt>1");
  ui_see ("^Plan B: Full$", 0);
  ui_press ("<Control>z");
  see_batch ("32");
  ui_press ("<Control>z");
  see_batch ("6");
  ui_see ("^Plan B: Published$", 0);
  ui_press ("<Alt>7");
}

static void
export_points (void)
{
  g_autoptr (SeamCsv) table = ui_write_table ("export-csv-sweep-to", "points.csv");

  ui_write_picture ("export-sweep-to", "sweep.png", 2000, 800);
  g_assert_cmpint (seam_csv_get_n_rows (table), ==, 8);
  for (int i = 0; i < 8; i++) {
    g_assert_cmpstr (seam_csv_get (table, i, "survey"), ==, "sweep");
    g_assert_cmpstr (seam_csv_get (table, i, "state"), ==, "measured");
    g_assert_cmpstr (seam_csv_get (table, i, "plan"), ==, i % 2 == 0 ? "unfused" : "full");
    g_assert_cmpint (seam_csv_get_integer (table, i, "n_failing", 0, -1), ==, 0);
    g_assert_cmpint (seam_csv_get_integer (table, i, "n_samples", 0, -1), >=, 8);
  }
}

static void
test_measured (void)
{
  g_auto (GStrv) some = NULL, all = NULL;
  g_autofree char *path = NULL;
  int n_stopped;

  /* A sweep that is started before the target has answered begins with the answer. A sweep
   * without points is not kept; a stopped one is. */
  open_page ();
  g_assert_cmpint (stop_after (0, "^0 of 15 measured, "), ==, 0);
  ui_see ("^Stopped: 0 of 15", GTK_TYPE_LABEL);
  n_stopped = stop_after (3000, "^[1-9][0-9]* of 15 measured, ");
  g_assert_cmpint (n_stopped, >=, 1);
  g_assert_cmpint (n_stopped, <, 15);

  choose ();
  ui_type (ui_see (BUDGET, GTK_TYPE_SPIN_BUTTON), "12");
  ui_press ("Tab"); /* GTK 4.8 warns if an entry becomes insensitive while it has the focus */
  ui_see ("^8 to measure, .* there are 1.5 s for each$", GTK_TYPE_LABEL);
  n_stopped = stop_after (6000, "^[2-7] of 8 measured, ");
  g_assert_cmpint (n_stopped, >=, 2);
  g_assert_cmpint (n_stopped, <, 8);
  ui_wait ("as many points", has_n_points, GUINT_TO_POINTER (n_stopped));
  some = read_points ();
  ui_press ("<Control>r");
  ui_see ("^8 of 8 measured$", GTK_TYPE_LABEL);
  ui_wait ("eight points", has_n_points, GUINT_TO_POINTER (8));
  all = read_points ();
  for (int i = 0; some[i] != NULL; i++) /* no point is measured twice */
    g_assert_true (g_strv_contains ((const char *const *)all, some[i]));
  ui_see ("^At batch 2 [a-z]+ is the fastest", GTK_TYPE_LABEL);
  take_point ();
  export_points ();
  path = ui_write ("save-to", "swept.seamscope");
  ui_see ("^Saved 2 entries in swept.seamscope$", GTK_TYPE_LABEL);
  ui_close ();

  ui_open ((const char *[]){ path, NULL });
  ui_see ("^It holds no run; the Sweep tab shows it$", GTK_TYPE_LABEL);
  ui_see ("^5 shapes × 3 plans, 15 points$", GTK_TYPE_LABEL);
  ui_choose (ui_see (SWEEPS, GTK_TYPE_DROP_DOWN), "^2:");
  ui_see ("^8 of 8 measured$", GTK_TYPE_LABEL);
  ui_wait ("the recorded points", has_points, all);
  g_assert_false (gtk_widget_is_sensitive (ui_see (BUDGET, GTK_TYPE_SPIN_BUTTON)));
  ui_close ();
}

/* Recorded by the command: a map over two fields, and lines over one. The file offers both. */
static void
test_recorded (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_SESSIONS"), "surveys.seamscope", NULL);

  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_press ("<Alt>7");
  ui_choose (ui_see (SWEEPS, GTK_TYPE_DROP_DOWN), "^2:");
  ui_see ("^4 shapes × 2 plans, 8 points$", GTK_TYPE_LABEL);
  ui_wait ("the map", has_n_points, GUINT_TO_POINTER (4)); /* each cell is its fastest plan */
  ui_choose (ui_see (SWEEPS, GTK_TYPE_DROP_DOWN), "^1:");
  ui_see ("^3 shapes × 3 plans, 9 points$", GTK_TYPE_LABEL);
  ui_wait ("the lines", has_n_points, GUINT_TO_POINTER (9));
  ui_see ("^It holds no run", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  ui_miss ("^It holds no run", GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/sweep/measured", test_measured);
  g_test_add_func ("/sweep/recorded", test_recorded);
  return ui_run ();
}
