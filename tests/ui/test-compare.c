/* SPDX-License-Identifier: MIT
 *
 * Two sessions side by side in a window of their own: an open session with a file, the reason why
 * two runs cannot be compared, the choice of another run, export, and a file that is not a session.
 */
#include "tests/ui/window-fixture.h"

#include <string.h>

#define EXPORT "^Export the comparison"

static char *
find_sample (const char *name)
{
  return g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples", name, NULL);
}

static void
compare_with (const char *path)
{
  g_autofree char *action = g_strdup_printf ("win.compare-with::%s", path);

  ui_activate (action);
}

static void
open_first (const char *path)
{
  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_see ("^Recorded run from h200-conv-relu-bias.seamscope$", GTK_TYPE_LABEL);
}

static void
leave_comparison (void)
{
  ui_press ("<Control>w");
  ui_miss (EXPORT, 0);
}

static void
test_compare (void)
{
  g_autofree char *first = find_sample ("h200-conv-relu-bias.seamscope");
  g_autofree char *table = NULL, *figure = NULL, *text = NULL;
  GtkWidget *run;

  /* The file's run that fits the shown run best is the same run. */
  open_first (first);
  compare_with (first);
  ui_see ("^Plans of B against A: ", GTK_TYPE_LABEL);
  ui_see ("rank-sum test", GTK_TYPE_LABEL);
  ui_see (EXPORT, 0);
  ui_turn_to ("Compare runs");

  /* Runs of two math modes cannot be compared, and the window says why. */
  run = ui_see ("Run of B", GTK_TYPE_DROP_DOWN);
  ui_choose (run, "Run 2");
  ui_see ("^Not comparable: math mode is TF32 in A and FP32 in B.$", GTK_TYPE_LABEL);
  ui_choose (run, "Run 1");
  ui_see ("^Plans of B against A: ", GTK_TYPE_LABEL);

  table = ui_write ("export-csv-comparison-to", "compared.csv");
  g_assert_true (g_file_get_contents (table, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "kernel,unfused,"));
  g_assert_nonnull (strstr (text, "elapsed_median_ns"));
  figure = ui_write ("export-comparison-to", "compared.svg");
  leave_comparison ();
  ui_close ();
}

static void
test_refused (void)
{
  g_autofree char *first = find_sample ("h200-conv-relu-bias.seamscope");
  g_autofree char *other = find_sample ("h200-matmul-swish-bias-groupnorm-fp32.seamscope");
  g_autofree char *none = ui_path ("none.seamscope");

  open_first (first);
  compare_with (other);
  ui_see ("^Not comparable: pipeline is conv-relu-bias in A", GTK_TYPE_LABEL);
  ui_turn_to ("Compare runs");
  g_assert_true (ui_press ("Escape"));
  ui_miss (EXPORT, 0);

  /* A file that is not a session leaves the window as it was. */
  g_assert_true (g_file_set_contents (none, "no session", -1, NULL));
  compare_with (none);
  ui_see ("cannot be opened. This is no Seamscope session.", GTK_TYPE_LABEL);
  ui_see ("^Recorded run from h200-conv-relu-bias.seamscope$", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^Compare runs$", GTK_TYPE_WINDOW));
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/compare/compare", test_compare);
  g_test_add_func ("/compare/refused", test_refused);
  return ui_run ();
}
