/* SPDX-License-Identifier: MIT
 *
 * A 16-bit math mode and storage, chosen in the sidebar: a run names them, and the window keeps the
 * choice, also while a math mode has no 16-bit type. Also a run that is started before the target
 * has answered.
 */
#include "tests/ui/window-fixture.h"

#define PIPELINE "^gemm-bias-relu:"
#define BETWEEN  "16 bits between kernels"

static GtkWidget *
see_storage (void)
{
  return ui_see ("^Storage$", GTK_TYPE_DROP_DOWN);
}

static void
choose_math (const char *pattern)
{
  ui_choose (ui_see ("^Math mode$", GTK_TYPE_DROP_DOWN), pattern);
}

static void
assert_choice (const char *drop_down, const char *expected)
{
  g_autofree char *found = ui_get_choice (ui_see (drop_down, GTK_TYPE_DROP_DOWN));

  g_assert_cmpstr (found, ==, expected);
}

/* FP32 has no 16-bit type; with BF16, kernels exchange half as many bytes. */
static void
test_storage (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  choose_math ("^FP32$");
  g_assert_false (gtk_widget_is_sensitive (see_storage ()));
  choose_math ("^BF16$");
  ui_see_seam ('A', 1, "cut, 288 bytes");
  ui_choose (see_storage (), "^" BETWEEN "$");
  ui_see_seam ('A', 1, "cut, 144 bytes");

  ui_wait_for_run ();
  ui_press ("<Control>r");
  ui_see (UI_VERDICT "[0-9.]+× (faster|slower)$", GTK_TYPE_LABEL);
  ui_see ("^Outputs agree", GTK_TYPE_LABEL);
  ui_see ("round operands", GTK_TYPE_LABEL);
  ui_see ("rounds input and weight to BF16", GTK_TYPE_LABEL);
  ui_see ("BF16 storage between kernels", GTK_TYPE_LABEL);
  ui_close ();
}

/* The next window starts with the last settings, and keeps the storage even if the mode has no
 * 16-bit type. */
static void
test_remembered (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  choose_math ("^BF16$");
  ui_choose (see_storage (), "^" BETWEEN "$");
  ui_close ();

  ui_open (NULL);
  assert_choice ("^Math mode$", "BF16");
  assert_choice ("^Storage$", BETWEEN);
  choose_math ("^FP32$");
  assert_choice ("^Storage$", "FP32");
  g_assert_false (gtk_widget_is_sensitive (see_storage ()));
  choose_math ("^FP16$");
  assert_choice ("^Storage$", BETWEEN);
  g_assert_true (gtk_widget_is_sensitive (see_storage ()));
  ui_close ();
}

/* A run waits for a target that has not answered. It begins with the answer, or is cancelled. */
static void
test_waits (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  choose_math ("^FP32$");
  ui_wait_for_run ();
  ui_freeze_worker (TRUE);
  choose_math ("^BF16$");
  ui_choose (see_storage (), "^" BETWEEN "$");
  ui_press ("<Control>r");
  ui_press ("Escape");
  ui_see ("^Not started: ", GTK_TYPE_LABEL);
  ui_freeze_worker (FALSE);
  ui_see ("4\\.37 kB", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);

  ui_freeze_worker (TRUE);
  ui_type (ui_see ("^Seed$", GTK_TYPE_ENTRY), "2");
  ui_press ("<Control>r");
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);
  ui_freeze_worker (FALSE);
  ui_see (UI_VERDICT "[0-9.]+× (faster|slower)$", GTK_TYPE_LABEL);
  ui_see ("seed 2", GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/math-mode/storage", test_storage);
  g_test_add_func ("/math-mode/remembered", test_remembered);
  g_test_add_func ("/math-mode/waits", test_waits);
  return ui_run ();
}
