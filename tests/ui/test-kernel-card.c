/* SPDX-License-Identifier: MIT
 *
 * The card of kernel details on page Timing: a chosen bar fills it, A stays at the left, another
 * partner can be chosen, numbers can be copied, Escape clears it; and its height stays. What the
 * numbers are is tests/core/test-kernel-details.c.
 */
#include "tests/ui/window-fixture.h"

#define NOTHING "^Choose a kernel: a bar, a block or a row\\.$"
#define CHOICE  "^Kernel beside it$"

static void
test_card (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                            "h200-conv-relu-hardswish.seamscope", NULL);
  const char *files[] = { path, NULL };
  g_autofree char *first = NULL, *of_b = NULL;

  ui_leave_start_page ();
  ui_open (files);
  GtkWidget *card = gtk_widget_get_ancestor (ui_see (NOTHING, 0), GTK_TYPE_STACK);

  ui_click (ui_see ("^A, conv2d: 668 µs", 0));
  ui_see ("A: tensor pipe unused in a TF32 run\\. Judged against the FP32 roof: 28\\.0", 0);
  g_assert_null (ui_find (NOTHING, 0));
  first = ui_get_choice (ui_see (CHOICE, 0));
  g_assert_cmpstr (first, ==, "B  conv2d … mul");
  ui_see ("^gpu__dram_throughput\\.avg\\.pct_of_peak_sustained_elapsed$", 0);
  ui_see ("Block Limit Registers: A 2 blocks, 12\\.5 percent, the limit", 0);
  ui_wait_for_frames (card);
  int height = gtk_widget_get_height (card);

  /* Of B: what was chosen is named first, and A is still the left column. */
  ui_click (ui_see ("^B, conv2d … mul: 161 µs", 0));
  of_b = ui_get_choice (ui_see (CHOICE, 0));
  g_assert_cmpstr (of_b, ==, "A  conv2d");
  ui_see ("^B  conv2d … mul  hand  seam_convolution", 0);
  /* Another partner: mul has 16 registers and blocks of 256 threads, 8 of which fill an SM. */
  ui_choose (ui_see (CHOICE, 0), "^A  mul$");
  ui_see ("Block Limit Warps: A 8 blocks, 100\\.0 percent, the limit\\.", 0);
  ui_press ("Escape");
  ui_see (NOTHING, 0);
  ui_wait_for_frames (card);
  g_assert_cmpint (ABS (gtk_widget_get_height (card) - height), <, 60);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/ui/kernel-card", test_card);
  return ui_run ();
}
