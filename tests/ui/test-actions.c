/* SPDX-License-Identifier: MIT
 *
 * Which of the window's actions are possible: before a run, while one is measured, and after it.
 */
#include "tests/ui/window-fixture.h"

#include "app/report/products.h"

#include <string.h>

/* "export-timing", "copy-timing": of a product that a result is needed for. With a path
 * ("export-timing-to") it is always possible, and says what is missing. */
static gboolean
needs_result (const char *action)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    g_autofree char *pattern = g_strdup_printf ("^(export|copy)-%s$", product->name);

    if (g_regex_match_simple (pattern, action, 0, 0))
      return (product->of & SEAM_OF_RESULTS) != 0;
  }
  return FALSE;
}

static int
compare_cb (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* The exports of a result are possible if there is one, all other actions but `impossible`, in the
 * order of the alphabet, always. */
static void
assert_actions (gboolean has_result, const char *impossible)
{
  GActionGroup *group = G_ACTION_GROUP (ui_window ());
  g_auto (GStrv) actions = g_action_group_list_actions (group);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autofree char *text = NULL;
  int n_exports = 0;

  for (int i = 0; actions[i] != NULL; i++) {
    gboolean possible = g_action_group_get_action_enabled (group, actions[i]);

    if (needs_result (actions[i])) {
      n_exports++;
      if (possible != has_result)
        g_error ("%s is %s.", actions[i], possible ? "possible" : "not possible");
    } else if (!possible) {
      g_ptr_array_add (found, actions[i]);
    }
  }
  g_assert_cmpint (n_exports, >, 20);
  g_ptr_array_sort (found, compare_cb);
  g_ptr_array_add (found, NULL);
  text = g_strjoinv (" ", (char **)found->pdata);
  g_assert_cmpstr (text, ==, impossible);
}

static void
test_run (void)
{
  ui_open_at ("^gemm-bias-relu", "^tiny$");
  assert_actions (FALSE, "reset-edit run-edited stop undo");
  ui_hold (TRUE);
  ui_activate ("win.run");
  ui_see ("^Stop", GTK_TYPE_BUTTON);
  assert_actions (FALSE, "pitfalls reset-edit run run-edited undo");
  ui_hold (FALSE);
  ui_see ("faster$", GTK_TYPE_LABEL);
  assert_actions (TRUE, "reset-edit run-edited stop undo");
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/actions/run", test_run);
  return ui_run ();
}
