/* SPDX-License-Identifier: MIT
 *
 * Help in the window: F1 at the page of the tab, search, links and back, and the explanation of a
 * glossary word.
 */
#include "tests/ui/window-fixture.h"

#include <string.h>

/* Waits for the heading, not for its entry in the contents. */
static void
see_heading (const char *text)
{
  g_autofree char *pattern = g_strdup_printf ("^%s$", text);
  GtkWidget *found = NULL;
  g_autoptr (GPtrArray) labels = NULL;

  ui_see (pattern, GTK_TYPE_LABEL);
  labels = ui_list (ui_see ("^Help$", GTK_TYPE_WINDOW), pattern, GTK_TYPE_LABEL);
  for (guint i = 0; i < labels->len; i++)
    if (gtk_accessible_get_accessible_role (labels->pdata[i]) == GTK_ACCESSIBLE_ROLE_HEADING)
      found = labels->pdata[i];
  g_assert_nonnull (found);
}

static GtkWidget *
see_search (void)
{
  return ui_see ("^Search the help$", GTK_TYPE_SEARCH_ENTRY);
}

static void
test_pages (void)
{
  GtkLabel *label;

  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  ui_press ("<Alt>2");
  ui_press ("F1");
  ui_turn_to ("Help");
  see_heading ("The window");
  see_heading ("Difference");

  ui_type (see_search (), "median");
  ui_see ("^[0-9]+ sections in [0-9]+ pages$", GTK_TYPE_LABEL);
  ui_see ("^1 of [0-9]+ here$", GTK_TYPE_LABEL);
  /* Through their actions: a search that takes all keys needs a key event, which a test cannot
   * send. */
  ui_activate ("help.next");
  ui_see ("^2 of [0-9]+ here$", GTK_TYPE_LABEL);
  ui_activate ("help.previous");
  ui_see ("^1 of [0-9]+ here$", GTK_TYPE_LABEL);
  ui_type (see_search (), "medain");
  ui_see ("^Nothing about “medain”[.] Did you mean “median”[?]$", GTK_TYPE_LABEL);
  ui_type (see_search (), "");
  ui_miss ("^Nothing about", GTK_TYPE_LABEL);

  /* A row of the contents, then back and forward. */
  ui_click (ui_see ("^Glossary$", GTK_TYPE_LIST_BOX_ROW));
  see_heading ("Glossary");
  ui_activate ("help.back");
  ui_miss ("^Glossary$", GTK_TYPE_WINDOW);
  label = GTK_LABEL (ui_see ("^Words on this page$", GTK_TYPE_LABEL));
  g_assert_nonnull (label);
  ui_activate ("help.forward");
  see_heading ("Glossary");

  /* There is one help window, which keeps its place. */
  ui_activate ("window.close");
  ui_miss ("^Help$", GTK_TYPE_WINDOW);
  ui_turn_to ("Seamscope");
  ui_press ("<Alt>3");
  ui_press ("F1");
  see_heading ("Traffic");
  ui_close ();
}

/* Each tab has a section in the help. A missing one is a warning, which ends the test. */
static void
test_every_tab (void)
{
  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  for (int i = 1; i <= 7; i++) {
    g_autofree char *key = g_strdup_printf ("<Alt>%d", i);

    ui_turn_to ("Seamscope");
    ui_press (key);
    ui_activate ("win.help");
    ui_turn_to ("Help");
    see_heading ("The window");
  }
  ui_close ();
}

static void
test_definition (void)
{
  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  ui_press ("<Alt>3");
  ui_activate ("win.help-at::glossary#floor");
  ui_turn_to ("Help");
  see_heading ("Glossary");
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/help/pages", test_pages);
  g_test_add_func ("/help/every-tab", test_every_tab);
  g_test_add_func ("/help/definition", test_definition);
  return ui_run ();
}
