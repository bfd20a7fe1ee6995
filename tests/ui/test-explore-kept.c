/* SPDX-License-Identifier: MIT
 *
 * An exploration is measured in the window, saved, opened again as a recording that takes no new
 * measurements, and put away. One that the command wrote is opened, too.
 */
#include "tests/ui/window-fixture.h"

static GStrv
read_nodes (void)
{
  return ui_list_names ("^matmul[+|].*: ", GTK_ACCESSIBLE_ROLE_BUTTON);
}

static gboolean
has_nodes (gpointer data)
{
  g_auto (GStrv) nodes = read_nodes ();

  return g_strv_equal ((const char *const *)nodes, data);
}

static gboolean
has_measured_nodes (gpointer data)
{
  g_auto (GStrv) nodes = read_nodes ();
  g_auto (GStrv) pending = ui_list_names ("^matmul[+|].*: pending", GTK_ACCESSIBLE_ROLE_BUTTON);

  return g_strv_length (nodes) == 4 && pending[0] == NULL;
}

/* Whether there are points, and they were measured at another time. */
static gboolean
has_other_nodes (gpointer data)
{
  g_auto (GStrv) nodes = read_nodes ();

  return nodes[0] != NULL && !g_strv_equal ((const char *const *)nodes, data);
}

/* A node's time is not a run: the button first says that it starts one, and afterwards that it
 * shows it. */
static void
check_run_button (void)
{
  ui_click (ui_see ("^Run in Timing$", GTK_TYPE_BUTTON));
  ui_see (UI_VERDICT "[0-9.]+× (faster|slower)$", GTK_TYPE_LABEL);
  ui_press ("<Alt>4");
  ui_see ("^Show in Timing$", GTK_TYPE_BUTTON);
}

static void
test_kept (void)
{
  g_auto (GStrv) measured = NULL;
  g_autofree char *path = NULL;
  GtkSpinButton *budget;

  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  ui_press ("<Alt>4");
  /* The budget has two digits, never "1e+02". */
  budget = GTK_SPIN_BUTTON (ui_see ("^Budget", GTK_TYPE_SPIN_BUTTON));
  gtk_spin_button_set_value (budget, 480);
  ui_see ("^4 to measure, .* there are 120 s for each$", GTK_TYPE_LABEL);
  gtk_spin_button_set_value (budget, 60);
  ui_see ("^4 to measure, .* there are 15 s for each$", GTK_TYPE_LABEL);
  ui_press ("<Control>r");
  ui_see ("^4 of 4 measured$", GTK_TYPE_LABEL);
  ui_wait ("four measured nodes", has_measured_nodes, NULL);
  measured = read_nodes ();
  path = ui_write ("save-to", "explored.seamscope");
  ui_see ("^Saved explored.seamscope$", GTK_TYPE_LABEL);
  ui_press ("<Control>s");
  ui_see ("^explored.seamscope holds this already$", GTK_TYPE_LABEL);
  ui_close ();

  /* Later, the Explore tab is shown with the same numbers. */
  ui_open ((const char *[]){ path, NULL });
  ui_see ("^Recorded exploration from explored.seamscope$", GTK_TYPE_LABEL);
  ui_see ("^4 of 4 measured$", GTK_TYPE_LABEL);
  ui_wait ("the recorded nodes", has_nodes, measured);
  g_assert_false (gtk_widget_is_sensitive (ui_see ("^Measure all$", GTK_TYPE_LABEL)));
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  ui_miss ("^Recorded exploration", GTK_TYPE_LABEL);
  ui_wait ("the live nodes", has_other_nodes, measured);
  check_run_button ();
  ui_close ();
}

static void
test_recorded (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_SESSIONS"), "surveys.seamscope", NULL);

  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_see ("^Recorded exploration from surveys.seamscope$", GTK_TYPE_LABEL);
  ui_see ("^3 seams, 8 partitions$", GTK_TYPE_LABEL);
  ui_close ();
}

/* The exploration of a pipeline that the sidebar does not list comes with its pipeline. */
static void
test_other_pipeline (void)
{
  g_autofree char *path = ui_path ("other.seamscope");
  g_autofree char *command = g_strdup_printf (
      "%s explore gemm-divide-sum-scale --target cpu --preset tiny --budget 0.3 --save %s",
      g_getenv ("SEAMSCOPE_CLI"), path);
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  int status;

  g_spawn_command_line_sync (command, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_see ("^Recorded exploration from other.seamscope$", GTK_TYPE_LABEL);
  ui_see ("^3 seams, 8 partitions$", GTK_TYPE_LABEL);
  ui_see ("^gemm-divide-sum-scale$", GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/explore-kept/kept", test_kept);
  g_test_add_func ("/explore-kept/recorded", test_recorded);
  g_test_add_func ("/explore-kept/other-pipeline", test_other_pipeline);
  return ui_run ();
}
