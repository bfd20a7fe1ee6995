/* SPDX-License-Identifier: MIT
 *
 * The timeline page, of a session recorded on an H200: the kernels of both plans on one scale;
 * each traced execution in their place; a kernel is found by its name; keys, wheel and buttons zoom
 * and move it; a drag, a click and M measure; the figure is written to a file. Times, gaps and the
 * figure's own words are those of tests/core/test-figure-timeline.c.
 */
#include "tests/ui/window-fixture.h"

#include <math.h>

#define TIMELINE      "^Timeline: A, "
#define SEEN_NEAR     TIMELINE ".*Seen from "
#define MEASURED      TIMELINE ".*Measured: "
#define TIME          ": ([0-9.]+) (ms|µs)"
#define KERNEL_A(ops) "^" ops " of A: "

static void
open_timeline (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                        "h200-conv-bias-scale-sigmoid-groupnorm.seamscope", NULL);
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
  ui_activate ("win.page::timeline");
  ui_see (TIMELINE ".*: 7 kernels in 4\\.\\d+ ms, 6 gaps of .* B, .*: \\d kernels in ", 0);
}

static void
see_all (void)
{
  ui_miss (SEEN_NEAR, 0);
  ui_see (TIMELINE, 0);
}

static graphene_rect_t
get_place (const char *pattern)
{
  GtkWidget *widget = ui_see (pattern, 0);
  graphene_rect_t place;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (ui_window ()), &place));
  return place;
}

/* The time in milliseconds in a kernel's text. */
static double
get_time_ms (const char *pattern)
{
  g_autofree char *name = ui_get_name (ui_see (pattern, 0));
  g_autofree char *number = ui_match (TIME, name, 1), *unit = ui_match (TIME, name, 2);

  return g_ascii_strtod (number, NULL) * (g_str_equal (unit, "ms") ? 1 : 1e-3);
}

static gboolean
has_width (gpointer pattern)
{
  return get_place (pattern).size.width > 50;
}

static void
test_scale (void)
{
  const char *const conv = KERNEL_A ("conv2d"), *fused = "^conv2d … groupnorm of B: ";
  graphene_rect_t a, b, scale;

  open_timeline ();
  ui_wait ("kernels in their places", has_width, (gpointer)fused);
  a = get_place (conv);
  b = get_place (fused);
  scale = get_place (KERNEL_A ("scale"));
  g_assert_cmpfloat_with_epsilon (a.size.width * get_time_ms (fused) / get_time_ms (conv),
                                  b.size.width, 0.03 * b.size.width);
  g_assert_cmpfloat (b.origin.x, >=, a.origin.x);
  g_assert_cmpfloat (b.origin.x, <, a.origin.x + 10);
  g_assert_cmpfloat (b.origin.y, >, a.origin.y);
  g_assert_cmpfloat (scale.origin.x, >, a.origin.x + a.size.width - 2);
  ui_close ();
}

static void
press (const char *key, int n)
{
  for (int i = 0; i < n; i++)
    g_assert_true (ui_press (key));
}

static gboolean
is_other (gpointer text)
{
  g_autofree char *name = ui_get_name (ui_see (SEEN_NEAR, 0));

  return !g_str_equal (name, text);
}

static gboolean
is_same (gpointer text)
{
  return !is_other (text);
}

/* After zooming in, a kernel is wider or cut off. */
static gboolean
has_other_width (gpointer all)
{
  const double rounding_px = 20;

  return fabs (get_place (KERNEL_A ("conv2d")).size.width - *(float *)all) > rounding_px;
}

static void
test_moves (void)
{
  graphene_rect_t all;
  g_autofree char *seen = NULL;

  open_timeline ();
  ui_wait ("kernels in their places", has_width, (gpointer) "^conv2d … groupnorm of B: ");
  all = get_place (KERNEL_A ("conv2d"));
  press ("w", 3);
  seen = ui_get_name (ui_see (SEEN_NEAR, 0));
  ui_wait ("a nearer conv2d", has_other_width, &all.size.width);
  press ("d", 1);
  ui_wait ("a later time", is_other, seen);
  press ("a", 1);
  ui_wait ("the time of before", is_same, seen);
  press ("s", 3);
  see_all ();

  ui_move_pointer (ui_see (TIMELINE, 0), 0.7, 0.5, "click 4");
  ui_see (SEEN_NEAR, 0);
  press ("f", 1);
  see_all ();
  ui_click (ui_see ("^Zoom in$", GTK_TYPE_BUTTON));
  ui_see (SEEN_NEAR, 0);
  ui_click (ui_see ("^Fit$", GTK_TYPE_BUTTON));
  see_all ();
  ui_close ();
}

static void
test_measures (void)
{
  static const double across[] = { 0.3, 0.6, 0.9, 0.995 };
  GtkWidget *conv;

  open_timeline ();
  ui_wait ("kernels in their places", has_width, (gpointer) "^conv2d … groupnorm of B: ");
  conv = ui_see (KERNEL_A ("conv2d"), 0);
  g_autofree char *name = ui_get_name (conv);
  g_autofree char *time = ui_match (": ([0-9.]+ ms)", name, 1);
  g_autofree char *measured = g_strdup_printf (MEASURED "%s · 1 kernel · 1\\.33 GB", time);

  /* To the end of conv2d, to which the selection snaps although the pointer only comes near. */
  ui_move_pointer (conv, 0, 0.5, "mousedown 1");
  for (gsize i = 0; i < G_N_ELEMENTS (across); i++)
    ui_move_pointer (conv, across[i], 0.5, NULL);
  ui_move_pointer (conv, 0.995, 0.5, "mouseup 1");
  ui_see (measured, 0);
  press ("Escape", 1);
  ui_miss (MEASURED, 0);

  /* A click measures one kernel, and M goes on to the third. */
  ui_move_pointer (conv, 0.5, 0.5, "click 1");
  ui_see (MEASURED ".* · 1 kernel · ", 0);
  press ("Right", 2);
  press ("m", 1);
  ui_see (MEASURED ".* · 3 kernels · 2 gaps of ", 0);
  press ("Escape", 1);
  ui_miss (MEASURED, 0);
  ui_close ();
}

static void
test_export (void)
{
  open_timeline ();
  ui_write_picture ("export-timeline-to", "timeline.png", 2000, 800);
  ui_close ();
}

static gboolean
is_same_all (gpointer text)
{
  g_autofree char *name = ui_get_name (ui_see (TIMELINE, 0));

  return g_str_equal (name, text);
}

static gboolean
says_execution (gpointer number)
{
  g_autofree char *pattern = g_strdup_printf ("^Execution %d of 10 that", *(int *)number);

  return ui_find (pattern, GTK_TYPE_LABEL) != NULL;
}

/* Each traced execution can be seen, and any kernel be found by its name. */
static void
test_executions (void)
{
  GtkWidget *choice, *search;
  g_autofree char *medians = NULL;
  int n_different = 0;

  open_timeline ();
  ui_wait ("kernels in their places", has_width, (gpointer) "^conv2d … groupnorm of B: ");
  medians = ui_get_name (ui_see (TIMELINE, 0));
  choice = ui_see ("^Execution$", GTK_TYPE_DROP_DOWN);
  for (int i = 1; i <= 10; i++) {
    g_autofree char *item = g_strdup_printf ("^Execution %d of 10$", i), *name = NULL;

    ui_choose (choice, item);
    ui_wait ("what the execution is", says_execution, &i);
    ui_settle ();
    name = ui_get_name (ui_see (TIMELINE, 0));
    n_different += !g_str_equal (name, medians);
  }
  g_assert_cmpint (n_different, >=, 5);
  ui_choose (choice, "^Medians$");
  ui_wait ("the medians", is_same_all, medians);

  search = ui_see ("^Search kernels$", GTK_TYPE_SEARCH_ENTRY);
  ui_type (search, "SIGMOID");
  ui_miss ("^A, conv_bias, ", 0);
  ui_see ("^A, sigmoid, ", 0);
  /* Return measures what was found. */
  g_signal_emit_by_name (search, "activate");
  ui_see (MEASURED, 0);
  /* cuDNN's own name of the kernel that the table calls conv2d, in part. */
  ui_type (search, "xmma_FPROP_implicit");
  ui_miss ("^A, sigmoid, ", 0);
  ui_see ("^A, conv2d, ", 0);
  g_assert_null (ui_find ("^No kernel name", GTK_TYPE_LABEL));
  /* What is in the tooltip below the name is no name. */
  for (int i = 0; i < 2; i++) {
    static const char *const texts[] = { "registers a thread", "warp specialized" };
    g_autofree char *says =
        g_strdup_printf ("^No kernel name, op or implementation here has “%s” in it", texts[i]);

    ui_type (search, texts[i]);
    ui_see (says, GTK_TYPE_LABEL);
    ui_miss ("^A, conv2d, ", 0);
  }
  ui_type (search, "");
  ui_miss ("^No kernel name", GTK_TYPE_LABEL);
  ui_see ("^A, conv_bias, ", 0);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/timeline/scale", test_scale);
  g_test_add_func ("/timeline/moves", test_moves);
  g_test_add_func ("/timeline/measures", test_measures);
  g_test_add_func ("/timeline/export", test_export);
  g_test_add_func ("/timeline-page/executions", test_executions);
  return ui_run ();
}
