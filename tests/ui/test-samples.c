/* SPDX-License-Identifier: MIT
 *
 * The samples of a run below the table of the page Timing, in sessions recorded on an H200: every
 * sample of both plans in words, and the figure as a file; long texts do not widen the window.
 */
#include "tests/ui/window-fixture.h"

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
  ui_click (ui_see ("^Back to Your Settings$", GTK_TYPE_BUTTON));
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  g_assert_true (is_narrow (NULL));
  g_assert_cmpint (get_width (), ==, width);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/samples/words", test_words);
  g_test_add_func ("/samples/narrow", test_narrow);
  return ui_run ();
}
