/* SPDX-License-Identifier: MIT
 *
 * A session that the command wrote, with several runs: other plans and runs of the file are shown
 * without measuring, and another program adds a run while the file is open. A file that is not a
 * session is refused in a sentence.
 */
#include "tests/ui/window-fixture.h"

#include <string.h>
#include <sys/wait.h>

#define RECORDED "^Recorded run from two_runs.seamscope$"
#define SLICE    "^Slice at full resolution"
#define VERDICT                                                                                    \
  UI_VERDICT "([0-9.]+× (faster|slower)|Same within .*|Unclear|. is wrong|No verdict)$"

static const char *const shape[] = { "--shape", "batch=100,out_features=96", NULL };
static const char *const four[] = { "--plan",       "unfused", "--plan", "published", "--plan",
                                    "as-published", "--plan",  "full",   NULL };
static const char *const two[] = { "--plan", "unfused", "--plan", "as-published", NULL };

/* Appends a run of so many plans (NULL: the usual two) to the session. */
static void
record (const char *path, const char *const *sizes, const char *const *plans, const char *note)
{
  static const char *const run[] = {
    "run", "matmul-swish-bias-groupnorm", "--target", "cpu", "--preset", "tiny", "--budget", "0.2",
    NULL
  };
  const char *const rest[] = { "--note", note, "--append", path, NULL };
  const char *const *const parts[] = { run, sizes, plans, rest };
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  int status;

  g_ptr_array_add (command, (gpointer)g_getenv ("SEAMSCOPE_CLI"));
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    for (int k = 0; parts[i] != NULL && parts[i][k] != NULL; k++)
      g_ptr_array_add (command, (gpointer)parts[i][k]);
  g_ptr_array_add (command, NULL);
  g_spawn_sync (NULL, (char **)command->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
                NULL, &status, &error);
  g_assert_no_error (error);
  /* 1: an output is wrong. */
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) <= 1);
}

static void
choose_b (const char *present, const char *plan)
{
  ui_click (ui_see (present, GTK_TYPE_MENU_BUTTON));
  ui_click (ui_see (plan, GTK_TYPE_LIST_BOX_ROW));
}

static gboolean
is_outside (gpointer data)
{
  g_autofree char *text = ui_get_description (ui_see (SLICE, 0));

  return text != NULL && strstr (text, "over the bound") != NULL;
}

static void
test_plans_and_runs (void)
{
  g_autofree char *path = ui_path ("two_runs.seamscope");

  record (path, shape, four, "first");
  record (path, shape, two, "second");
  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_press ("<Alt>1");
  ui_see (RECORDED, GTK_TYPE_LABEL);
  ui_see ("It holds unfused, full, published and as-published", GTK_TYPE_LABEL);
  ui_see (VERDICT, GTK_TYPE_LABEL);
  ui_see ("^Outputs agree", GTK_TYPE_LABEL);

  /* Another program adds a run while the file is open. */
  record (path, NULL, NULL, "third");
  ui_see ("^Another program changed two_runs.seamscope: it holds 3 runs now$", GTK_TYPE_LABEL);
  ui_see ("^Outputs agree", GTK_TYPE_LABEL);

  /* If another plan of the file becomes B, its result is there at once, without Run. */
  choose_b ("^Plan B: Full$", "^As published$");
  ui_see (UI_VERDICT "B is wrong$", GTK_TYPE_LABEL);
  ui_press ("<Alt>2");
  ui_see ("^Outputs differ", GTK_TYPE_LABEL);
  ui_see ("of single elements the file holds these 64 × 64, around the worst one", GTK_TYPE_LABEL);
  ui_wait ("the worst element", is_outside, NULL);
  ui_press ("<Alt>1");
  /* A plan that the file does not contain. */
  choose_b ("^Plan B: As published$", "^Epilogue");
  ui_see ("^The file does not hold these two plans", GTK_TYPE_LABEL);

  ui_choose (ui_see ("^Run of the session$", GTK_TYPE_DROP_DOWN), "second");
  ui_see (UI_VERDICT "B is wrong$", GTK_TYPE_LABEL);
  ui_see ("It holds unfused and as-published", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  ui_miss ("^Recorded run from", GTK_TYPE_LABEL);
  /* The estimate of the person's own plan. Whether bytes or arithmetic decide depends on the rate
   * that the recorded runs have shown of this computer. */
  ui_see ("^A: .* (takes?|moves?) ", GTK_TYPE_LABEL);
  ui_close ();
}

static void
test_refused (void)
{
  g_autofree char *bad = ui_path ("bad.seamscope"), *missing = ui_path ("missing.seamscope");

  g_assert_true (g_file_set_contents (bad, "no session", -1, NULL));
  ui_leave_start_page ();
  ui_open ((const char *[]){ bad, NULL });
  ui_see ("bad.seamscope cannot be opened. This is no Seamscope session.", GTK_TYPE_LABEL);
  ui_close ();
  ui_open ((const char *[]){ missing, NULL });
  ui_see ("missing.seamscope cannot be opened. There is no such file.", GTK_TYPE_LABEL);
  ui_close ();
}

/* Code that a file holds is run only after the person has seen it. */
static void
test_foreign_code (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_SESSIONS"), "edited.seamscope", NULL);

  ui_leave_start_page ();
  ui_open ((const char *const[]){ path, NULL });
  ui_see ("^Recorded run from edited.seamscope$", 0);
  ui_wait_for_run ();
  ui_activate ("win.run");
  ui_turn_to ("Run somebody else's code\\?");
  ui_see ("^Code$", GTK_TYPE_TEXT_VIEW);
  ui_click (ui_see ("^Cancel$", GTK_TYPE_BUTTON));
  ui_settle ();
  ui_see ("^Recorded run from edited.seamscope$", 0);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/session-runs/plans-and-runs", test_plans_and_runs);
  g_test_add_func ("/session-runs/refused", test_refused);
  g_test_add_func ("/session-runs/foreign-code", test_foreign_code);
  return ui_run ();
}
