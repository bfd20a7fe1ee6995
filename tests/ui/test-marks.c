/* SPDX-License-Identifier: MIT
 *
 * Marks that nobody may miss: a red headline with a sign over impossible numbers; the pitfalls in
 * the text that Ctrl+C copies; the reason why the CPU has no CUDA graphs; and the bubble that
 * explains a figure's mark while the mark is visible.
 */
#include "tests/ui/window-fixture.h"

#include "tests/fuzz/session-image.h"
#include "ui/widgets/figure-bubble.h"
#include "ui/widgets/figure-view.h"

#include <string.h>

#define SAMPLE   "laptop-cpu-conv-relu-hardswish.seamscope"
#define HEADLINE UI_VERDICT "([0-9.]+× (faster|slower)|Same within .*|Unclear)$"

static void
open_file (const char *path)
{
  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
}

static void
open_sample (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples", SAMPLE, NULL);

  open_file (path);
}

/* Opens the sample after these statements have changed it, with a checksum that fits. */
static void
open_changed (const char *sql)
{
  g_autoptr (GBytes) session = fuzz_session_make_base (SAMPLE, sql);
  g_autofree char *path = ui_path ("changed.seamscope");
  gsize size;
  const char *data = g_bytes_get_data (session, &size);

  g_assert_true (g_file_set_contents (path, data, (gssize)size, NULL));
  open_file (path);
}

static void
check_headline (gboolean marked)
{
  GtkWidget *headline = ui_see (HEADLINE, GTK_TYPE_LABEL);
  GdkRGBA colour;

  gtk_style_context_get_color (gtk_widget_get_style_context (headline), &colour);
  g_assert_cmpint (colour.red > 0.59 && colour.green < 0.35 && colour.blue < 0.4, ==, marked);
  g_assert_cmpint (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (headline)), "⚠ "), ==, marked);
}

static void
test_plain (void)
{
  open_sample ();
  check_headline (FALSE);
  ui_close ();
}

static void
test_floor (void)
{
  open_changed ("UPDATE run SET floor_ns = 1e9");
  check_headline (TRUE);
  ui_see ("under the floor of this shape: the time, or the rates", GTK_TYPE_LABEL);
  ui_close ();
}

static void
test_peak (void)
{
  open_changed ("UPDATE kernel SET sm_percent = 130");
  check_headline (TRUE);
  ui_see ("a kernel is over a peak of the device, which cannot be right", GTK_TYPE_LABEL);
  ui_close ();
}

static gboolean
is_narrow (gpointer data)
{
  return gtk_widget_get_width (GTK_WIDGET (ui_window ())) <= 1000;
}

/* What limits a result is said at whatever width. */
static void
test_notes (void)
{
  static const char note[] = "Stopped early; the samples taken until then are kept[.]";

  open_changed ("UPDATE run SET stopped = 1");
  g_assert_true (gtk_widget_get_mapped (ui_see (note, GTK_TYPE_LABEL)));
  gtk_window_set_default_size (ui_window (), 1000, 700);
  ui_wait ("a window of 1000", is_narrow, NULL);
  ui_settle ();
  g_assert_true (gtk_widget_get_mapped (ui_see (note, GTK_TYPE_LABEL)));
  ui_close ();
}

/* No verdict, and all of what to do about it, at whatever width. */
static void
test_unclear (void)
{
  GtkWidget *label;

  open_changed ("UPDATE plan SET elapsed_ci_low_ns = elapsed_ci_low_ns / 30, "
                "elapsed_ci_high_ns = elapsed_ci_high_ns * 30, samples_elapsed_ns = NULL, "
                "samples_clock_mhz = NULL, samples_order = NULL, samples_throttle = NULL, "
                "n_samples = 0");
  ui_see ("^Unclear$", GTK_TYPE_LABEL);
  label = ui_see ("^95 % interval .* · (needs about .* more samples|the times vary too much: close "
                  "other programs, then run again)$",
                  GTK_TYPE_LABEL);
  g_assert_cmpint (gtk_label_get_ellipsize (GTK_LABEL (label)), ==, PANGO_ELLIPSIZE_NONE);
  g_assert_true (gtk_label_get_wrap (GTK_LABEL (label)));
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  ui_close ();
}

/* The lines that Ctrl+C takes of the row of the convolution: head and row. */
static GStrv
copy_row (void)
{
  g_autoptr (GPtrArray) cells = NULL;
  g_autofree char *text = NULL;
  GStrv lines;

  ui_see ("^conv2d$", GTK_TYPE_LABEL);
  cells = ui_list (NULL, "^conv2d$", GTK_TYPE_LABEL);
  ui_click (cells->pdata[cells->len - 1]);
  g_assert_true (ui_press ("<Control>c"));
  text = ui_paste ();
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 2);
  g_assert_true (g_str_has_prefix (lines[0], "Plan\t"));
  g_assert_nonnull (strstr (lines[1], "conv2d"));
  return lines;
}

static void
test_copies (void)
{
  g_auto (GStrv) honest = NULL, wrong = NULL;
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_SESSIONS"), "pitfalls.seamscope", NULL);

  open_sample ();
  honest = copy_row ();
  g_assert_null (strstr (honest[0], "Pitfalls"));
  ui_close ();

  open_file (path);
  wrong = copy_row ();
  g_assert_true (g_str_has_suffix (wrong[0], "\tPitfalls"));
  g_assert_true (g_str_has_suffix (wrong[1], "\tzeros,no-warm-up,host-timer,flush-inside"));
  ui_close ();
}

static gboolean
has_no_launch_mode (gpointer data)
{
  return !gtk_widget_is_sensitive (ui_see ("^Launch mode$", GTK_TYPE_DROP_DOWN));
}

static void
test_launch (void)
{
  static const char reason[] = "Only a GPU can be given a whole plan as one CUDA graph";
  GtkWidget *row;
  g_autofree char *text = NULL;

  ui_leave_start_page ();
  ui_open (NULL);
  ui_wait ("no launch mode on the CPU", has_no_launch_mode, NULL);
  row = ui_see ("^Launch mode$", ADW_TYPE_ACTION_ROW);
  text = ui_describe (row);
  g_assert_nonnull (strstr (text, reason));
  g_assert_true (g_str_has_prefix (gtk_widget_get_tooltip_text (row), reason));
  ui_close ();
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

/* GTK reports a critical message for a bubble at a place beyond the screen. */
static void
test_bubble (void)
{
  static const SeamRect seen = { 10, 10, 0, 5 };
  static const SeamRect hidden[] = { { 10, 1500, 5, 5 }, { -700, 10, 5, 5 }, { 2000, 10, 5, 5 } };
  GtkWidget *window, *label, *bubble;

  gtk_init ();
  window = gtk_window_new ();
  label = gtk_label_new ("figure");
  gtk_window_set_default_size (GTK_WINDOW (window), 300, 200);
  gtk_window_set_child (GTK_WINDOW (window), label);
  gtk_window_present (GTK_WINDOW (window));
  ui_wait ("the window", is_mapped, label);
  ui_settle ();
  bubble = seam_figure_bubble_new (label);
  for (gsize i = 0; i < G_N_ELEMENTS (hidden); i++) {
    seam_figure_bubble_show (bubble, "mark", &seen, NULL);
    ui_wait ("the bubble", is_mapped, bubble);
    seam_figure_bubble_show (bubble, "mark", &hidden[i], NULL);
    g_assert_false (gtk_widget_get_visible (bubble));
    ui_settle ();
  }
  gtk_widget_unparent (bubble);
  gtk_window_destroy (GTK_WINDOW (window));
  ui_settle ();
}

static const char *bubble_text = "pending";

static void
draw_nothing (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
}

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  static const SeamFigureClass class = { .draw = draw_nothing };
  SeamFigure *figure = seam_figure_new (&class, NULL, width, 100, g_strdup ("one spot"));

  seam_figure_add_spot (figure, (SeamHit){ .kind = SEAM_HIT_OP }, (SeamRect){ 0, 0, width, 100 },
                        0);
  return figure;
}

static char *
say_cb (const SeamHit *hit, gpointer data)
{
  return g_strdup (bubble_text);
}

/* An open bubble says what is true of the new figure. */
static void
test_new_figure (void)
{
  GtkWidget *view = g_object_new (SEAM_TYPE_FIGURE_VIEW, NULL);

  ui_open (NULL);
  gtk_widget_set_valign (view, GTK_ALIGN_START);
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (view), build_cb, NULL, NULL);
  seam_figure_view_set_tooltip_func (SEAM_FIGURE_VIEW (view), say_cb, NULL);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (ui_window ()), view);
  ui_settle ();
  ui_move_pointer (view, 0.5, 0.5, NULL);
  ui_see ("^pending$", GTK_TYPE_LABEL);
  bubble_text = "measured";
  seam_figure_view_invalidate (SEAM_FIGURE_VIEW (view));
  ui_see ("^measured$", GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/marks/plain", test_plain);
  g_test_add_func ("/marks/floor", test_floor);
  g_test_add_func ("/marks/peak", test_peak);
  g_test_add_func ("/marks/unclear", test_unclear);
  g_test_add_func ("/marks/copies", test_copies);
  g_test_add_func ("/marks/launch", test_launch);
  g_test_add_func ("/marks/bubble", test_bubble);
  g_test_add_func ("/marks/new-figure", test_new_figure);
  /* Last, because the next window would have its size. */
  g_test_add_func ("/marks/notes", test_notes);
  return ui_run ();
}
