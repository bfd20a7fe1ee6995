/* SPDX-License-Identifier: MIT
 *
 * The card of kernel details on page Timing: a chosen bar fills it, A stays at the left, another
 * partner can be chosen, numbers can be copied, Roofline and Source show the kernels there, keys
 * lead to it, through its numbers and back; refused counters have a remedy to copy. Its height
 * stays, and so does the card during the next run. What the numbers are is
 * tests/core/test-kernel-details.c.
 */
#include "tests/fuzz/session-image.h"
#include "tests/ui/window-fixture.h"

#include "ui/widgets/figure-view.h"

#include "app/backend/backend.h"

#define NOTHING "^Choose a kernel: a bar, a block or a row\\.$"
#define CHOICE  "^Kernel beside it$"
#define SAMPLES "^All samples in the order they were taken"
#define BEFORE  "^of the run before$"
/* The remedy with SQL's quotes. */
#define SQL_REMEDY                                                                                 \
  "echo ''options nvidia NVreg_RestrictProfilingToAdminUsers=0'' | sudo tee "                      \
  "/etc/modprobe.d/nvidia-counters.conf"

static void
assert_ringed (const char *row, gboolean ringed)
{
  GtkWidget *widget = ui_see (row, 0);

  while (widget != NULL && g_strcmp0 (gtk_widget_get_css_name (widget), "row") != 0)
    widget = gtk_widget_get_parent (widget);
  g_assert_nonnull (widget);
  g_assert_cmpint (gtk_widget_has_css_class (widget, "beside"), ==, ringed);
}

/* The tab has the same name. */
static GtkWidget *
see_source (GtkWidget *card)
{
  g_autoptr (GPtrArray) found = ui_list (card, "^Source$", GTK_TYPE_BUTTON);

  g_assert_cmpuint (found->len, ==, 1);
  return found->pdata[0];
}

/* The figure that has this place. */
static SeamFigure *
get_figure (const char *place)
{
  return seam_figure_view_get_figure (
      SEAM_FIGURE_VIEW (gtk_widget_get_ancestor (ui_see (place, 0), SEAM_TYPE_FIGURE_VIEW)));
}

/* Whether the point of this name has the focus and is in the window. */
static gboolean
is_point_shown (gpointer name)
{
  GtkWidget *focus = gtk_window_get_focus (ui_window ());
  GtkWidget *page = gtk_widget_get_ancestor (focus, GTK_TYPE_VIEWPORT);
  g_autofree char *spoken = ui_get_name (focus);
  graphene_rect_t place;

  return spoken != NULL && g_regex_match_simple (name, spoken, 0, 0)
         && gtk_widget_compute_bounds (focus, page, &place) && place.origin.y >= 0
         && place.origin.y + place.size.height <= (float)gtk_widget_get_height (page);
}

static void
assert_focus (const char *pattern)
{
  g_autofree char *name = ui_get_name (gtk_window_get_focus (ui_window ()));

  if (name == NULL || !g_regex_match_simple (pattern, name, 0, 0))
    g_error ("The focus is on “%s”.", name);
}

static void
test_card (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                            "h200-conv-relu-hardswish.seamscope", NULL);
  const char *files[] = { path, NULL };
  g_autofree char *first = NULL, *of_b = NULL, *pasted = NULL, *again = NULL;

  ui_leave_start_page ();
  ui_open (files);
  GtkWidget *card = gtk_widget_get_ancestor (ui_see (NOTHING, 0), GTK_TYPE_STACK);
  ui_wait_for_frames (card);
  int height = gtk_widget_get_height (card);

  ui_click (ui_see ("^A, conv2d: 664 µs", 0));
  ui_see ("A: tensor pipe unused in a TF32 run\\. Judged against the FP32 roof: 28\\.2", 0);
  g_assert_null (ui_find (NOTHING, 0));
  first = ui_get_choice (ui_see (CHOICE, 0));
  g_assert_cmpstr (first, ==, "B  conv2d … mul");
  ui_see ("^gpu__dram_throughput\\.avg\\.pct_of_peak_sustained_elapsed$", 0);
  ui_see ("^DRAM Throughput \\(%\\): A 18\\.0, B 75\\.1, difference \\+57\\.1; metric gpu__dram",
          0);
  ui_see ("Block Limit Registers: A 2 blocks, 12\\.5 percent, the limit", 0);
  ui_wait_for_frames (card);
  g_assert_cmpint (gtk_widget_get_height (card), ==, height);
  assert_ringed ("^B, conv2d … mul, ", TRUE);
  assert_ringed ("^A, mul, ", FALSE);
  g_assert_cmpint (get_figure ("^A, conv2d: 664 µs")->beside.plan, ==, 1);

  /* By the button, and by key wherever the focus is in the card. */
  ui_click (ui_see ("^Copy$", GTK_TYPE_BUTTON));
  pasted = ui_paste ();
  g_assert_true (g_str_has_prefix (pasted, "Number\tMetric\tA\tB\tΔ\nDuration (ns)\t"));
  g_assert_nonnull (strstr (pasted, "\nBlock Size\tlaunch__block_size\t128\t384\t256\n"));
  g_assert_nonnull (strstr (pasted, "\nL2 bytes of SMs (B)\tlts__t_sectors_srcunit_tex.sum × 32 B"
                                    "\t723497600\t669539552\t"));

  /* Of B: what was chosen is named first, and A is still the left column. */
  ui_click (ui_see ("^B, conv2d … mul: 161 µs", 0));
  of_b = ui_get_choice (ui_see (CHOICE, 0));
  g_assert_cmpstr (of_b, ==, "A  conv2d");
  ui_see ("^B  conv2d … mul  hand  seam_convolution", 0);
  ui_see ("^cudnn  sm80_xmma_fprop", 0);
  /* Another partner: mul has 16 registers and blocks of 256 threads, 8 of which fill an SM. */
  ui_choose (ui_see (CHOICE, 0), "^A  mul$");
  ui_see ("Block Limit Warps: A 8 blocks, 100\\.0 percent, the limit\\.", 0);
  assert_ringed ("^A, mul, ", TRUE);
  assert_ringed ("^B, conv2d … mul, ", FALSE);
  gtk_widget_grab_focus (see_source (card));
  g_assert_true (ui_press ("<Control>c"));
  again = ui_paste ();
  g_assert_nonnull (strstr (again, "\nRegisters Per Thread\tlaunch__registers_per_thread\t16\t168"
                                   "\t152\n"));

  /* The roofline has B as its second side, and point 0 of a side is the whole plan. It is below
   * the window's end until the button shows it. */
  ui_activate ("win.page::traffic");
  SeamFigure *roofline = get_figure ("^mul of A: ");
  g_assert_cmpint (roofline->selected.plan, ==, 1);
  g_assert_cmpint (roofline->selected.index, ==, 1);
  g_assert_cmpint (roofline->beside.plan, ==, 0);
  g_assert_cmpint (roofline->beside.index, ==, 7);
  ui_activate ("win.page::timing");
  ui_click (ui_see ("^Roofline$", GTK_TYPE_BUTTON));
  ui_wait ("the chosen kernel's point", is_point_shown, "^conv2d … mul of B: ");
  ui_activate ("win.page::timing");
  ui_click (ui_see ("^A, mul: ", 0));
  ui_click (see_source (card));
  ui_see ("^A, group 7: mul", 0);

  ui_activate ("win.page::timing");
  gtk_widget_grab_focus (ui_see ("^A, mul, ", 0));
  ui_press ("Escape");
  ui_see (NOTHING, 0);
  ui_wait_for_frames (card);
  g_assert_cmpint (gtk_widget_get_height (card), ==, height);
  assert_ringed ("^B, conv2d … mul, ", FALSE);
  ui_close ();
}

/* Enter, arrows and Escape. */
static void
test_keys (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                            "h200-conv-relu-hardswish.seamscope", NULL);
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
  ui_see (NOTHING, 0);
  ui_click (ui_see ("^A, mul: ", 0));
  ui_see ("^Duration ", 0);
  gtk_widget_grab_focus (ui_see ("^A, mul, ", 0));
  g_assert_true (ui_press ("Return"));
  assert_focus ("^Duration \\(µs\\): A 35[67]\\.");
  g_assert_true (ui_press ("Down"));
  g_assert_true (ui_press ("Right"));
  assert_focus ("^A [0-9.]+$");
  g_assert_true (ui_press ("Right"));
  g_assert_true (ui_press ("Right"));
  assert_focus ("^difference ");
  /* The line ends there. */
  g_assert_true (ui_press ("Right"));
  assert_focus ("^difference ");
  g_assert_true (ui_press ("Escape"));
  assert_focus ("^A, mul, ");
  ui_see ("^Duration ", 0);
  g_assert_true (ui_press ("Escape"));
  ui_see (NOTHING, 0);
  ui_close ();
}

/* A model takes the place of two counters, and says so beside their names. */
static void
test_refused (void)
{
  g_autoptr (GBytes) base = fuzz_session_make_base (
      "h200-conv-relu-hardswish.seamscope",
      "UPDATE kernel SET dram_bytes_read = NULL, dram_bytes_written = NULL, dram_percent = NULL;"
      "UPDATE run SET trace_note = 'Odd. Hardware counters were not read. Ask. " SQL_REMEDY
      " then restart';");
  g_autoptr (GBytes) session = fuzz_session_change (base, "", TRUE);
  g_autofree char *path = ui_path ("refused.seamscope");
  g_autofree char *pasted = NULL;
  const char *files[] = { path, NULL };

  g_assert_true (g_file_set_contents (path, g_bytes_get_data (session, NULL),
                                      (gssize)g_bytes_get_size (session), NULL));
  ui_leave_start_page ();
  ui_open (files);
  ui_click (ui_see ("^A, mul: ", 0));
  ui_see ("^Hardware counters were not read\\. Ask\\. $", 0);
  GtkWidget *remedy = gtk_widget_get_parent (ui_see ("^echo ", GTK_TYPE_LABEL));
  ui_click (gtk_widget_get_last_child (remedy));
  pasted = ui_paste ();
  g_assert_cmpstr (pasted, ==, SEAM_COUNTERS_REMEDY);
  g_autoptr (GPtrArray) modelled = ui_list (NULL, "^modelled$", 0);
  g_assert_cmpuint (modelled->len, ==, 2);
  ui_see ("^DRAM Throughput \\(%\\)$", GTK_TYPE_LABEL);
  ui_close ();
}

/* The marks on page Traffic stay with the chosen kernel if another plan is compared. */
static void
test_compared (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_SESSIONS"), "three-plans.seamscope", NULL);
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
  ui_click (ui_see ("^A, conv_bias: ", 0));
  ui_see ("^Duration ", 0);
  ui_activate ("win.page::traffic");
  g_assert_cmpint (get_figure ("^conv_bias of A: ")->selected.index, ==, 2);
  ui_choose (ui_see ("^Compared plans$", GTK_TYPE_DROP_DOWN), "^A with C$");
  ui_see ("^Full$|of C: ", 0);
  SeamFigure *roofline = get_figure ("^conv_bias of A: ");
  g_assert_cmpint (roofline->selected.plan, ==, 0);
  g_assert_cmpint (roofline->selected.index, ==, 2);
  g_assert_cmpint (roofline->beside.plan, ==, 1);
  ui_activate ("win.page::timing");
  ui_close ();
}

static gboolean
is_low (gpointer card)
{
  return gtk_widget_get_height (card) < 60;
}

/* With one box in a line the card would be blank for screens while no kernel is chosen. */
static void
test_small (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                            "h200-conv-relu-hardswish.seamscope", NULL);
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
  GtkWidget *card = gtk_widget_get_ancestor (ui_see (NOTHING, 0), GTK_TYPE_STACK);
  ui_wait_for_frames (card);
  g_assert_false (is_low (card));
  gtk_window_set_default_size (ui_window (), 720, 480);
  ui_wait ("a low card", is_low, card);
  gtk_window_set_default_size (ui_window (), 1400, 900);
  ui_see (NOTHING, 0);
  ui_close ();
}

/* No card before there are kernels. */
static void
test_none (void)
{
  ui_open_at ("^gemm-bias-relu", "^tiny$");
  ui_see ("^Not run yet$", 0);
  g_assert_null (ui_find ("^Kernel details$", 0));
  g_assert_null (ui_find (NOTHING, 0));
  ui_close ();
}

static void
test_running (void)
{
  ui_open_at ("^gemm-bias-relu", "^tiny$");
  ui_activate ("win.run");
  ui_see ("faster$", GTK_TYPE_LABEL);
  ui_see (NOTHING, 0);
  ui_see (SAMPLES, 0);
  g_assert_null (ui_find (BEFORE, 0));
  ui_click (ui_see ("^A, matmul: ", 0));
  ui_see ("^Duration ", 0);
  ui_hold (TRUE);
  ui_activate ("win.run");
  ui_see (BEFORE, 0);
  ui_see ("^Duration ", 0);
  ui_miss (SAMPLES, 0);
  ui_hold (FALSE);
  ui_see ("faster$", GTK_TYPE_LABEL);
  ui_miss (BEFORE, 0);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/ui/kernel-card/recorded", test_card);
  g_test_add_func ("/ui/kernel-card/keys", test_keys);
  g_test_add_func ("/ui/kernel-card/refused", test_refused);
  g_test_add_func ("/ui/kernel-card/compared", test_compared);
  g_test_add_func ("/ui/kernel-card/small", test_small);
  g_test_add_func ("/ui/kernel-card/none", test_none);
  g_test_add_func ("/ui/kernel-card/running", test_running);
  return ui_run ();
}
