/* SPDX-License-Identifier: MIT
 *
 * Why a seam can be fused or not: a popover with sentence, number and picture, opened by pointer
 * and by keys, for the op in question; cutting and fusing work as without it. Sentences and numbers
 * are tested in tests/core/test-figure-why.c.
 */
#include "tests/ui/window-fixture.h"

#define PIPELINE "^matmul-swish-bias-groupnorm:"

static void
close_popover (const char *title)
{
  g_assert_true (ui_press ("Escape"));
  ui_miss (title, 0);
}

static gboolean
has_picture (gpointer data)
{
  g_autoptr (GPtrArray) found = ui_list (NULL, "^Each output of ", 0);

  for (guint i = 0; i < found->len; i++)
    if (gtk_accessible_get_accessible_role (found->pdata[i]) == GTK_ACCESSIBLE_ROLE_IMG)
      return TRUE;
  return FALSE;
}

static void
test_pointer (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  ui_move_pointer (ui_see_seam ('B', 1, "cut"), 0.5, 0.5, "click 3");
  ui_see ("^Plan B, seam 1: matmul to matmul_bias$", GTK_TYPE_LABEL);
  ui_see ("^(This target|The target)", GTK_TYPE_LABEL);
  ui_wait ("a picture", has_picture, NULL);
  close_popover ("^Plan B, seam 1: ");
  ui_see_seam ('B', 1, "cut");
  ui_close ();
}

/* At the seam before GroupNorm, the picture shows a normalisation group. */
static void
test_keys (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  ui_click (ui_see_seam ('B', 1, "cut"));
  ui_see_seam ('B', 1, "fused");
  g_assert_true (ui_press ("End"));
  g_assert_true (ui_press ("Menu"));
  ui_see ("^Plan B, seam 5: bias to groupnorm$", GTK_TYPE_LABEL);
  ui_see ("^A group of groupnorm spans .*columns of one row", GTK_TYPE_LABEL);
  close_popover ("^Plan B, seam 5: ");
  g_assert_true (ui_press ("Home"));
  g_assert_true (ui_press ("space"));
  ui_see_seam ('B', 1, "cut");
  ui_close ();
}

/* A recorded run is of another device: Why and the recorded exploration answer for that one, and a
 * page that asks this computer's target says so. Whatever this target can fuse is no answer. */
static void
test_recorded (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                            "h200-gemm-bias-relu.seamscope", NULL);

  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_activate ("win.page::timing");
  ui_move_pointer (ui_see_seam ('A', 1, "cut"), 0.5, 0.5, "click 3");
  ui_see ("^Plan A, seam 1: matmul to bias, recorded on NVIDIA H200$", GTK_TYPE_LABEL);
  ui_see ("^A recording does not say what its target can fuse", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^This target ", GTK_TYPE_LABEL));
  close_popover ("^Plan A, seam 1: ");
  ui_activate ("win.page::explore");
  ui_see ("^gemm-bias-relu, recorded on NVIDIA H200$", GTK_TYPE_LABEL);
  ui_see ("^4 of 4 measured$", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^Predicting", GTK_TYPE_LABEL));
  ui_activate ("win.page::sweep");
  ui_see ("^gemm-bias-relu, here on Test processor", GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/why/pointer", test_pointer);
  g_test_add_func ("/why/keys", test_keys);
  g_test_add_func ("/why/recorded", test_recorded);
  return ui_run ();
}
