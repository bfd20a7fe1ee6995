/* SPDX-License-Identifier: MIT
 *
 * The sidebar with a synthetic setting of each kind: its row, what it accepts and refuses, and that
 * the next window has it again. tests/core/test-setting-kinds.c walks
 * the rest of the program.
 */
#include "tests/core/synthetic-settings.h"

#include "tests/ui/window-fixture.h"

static GtkWidget *
see_row (const SyntheticKind *kind)
{
  g_autofree char *pattern = g_strdup_printf ("^%s$", kind->title);
  gboolean is_choice = kind->kind == SEAM_KIND_BOOLEAN || kind->kind == SEAM_KIND_CHOICE;

  return ui_see (pattern, is_choice ? GTK_TYPE_DROP_DOWN : GTK_TYPE_ENTRY);
}

/* The label of a choice, or the text of the entry. */
static char *
get_value (GtkWidget *row)
{
  return GTK_IS_DROP_DOWN (row) ? ui_get_choice (row)
                                : g_strdup (gtk_editable_get_text (GTK_EDITABLE (row)));
}

static void
enter (const SyntheticKind *kind)
{
  GtkWidget *row = see_row (kind);

  if (GTK_IS_DROP_DOWN (row)) {
    ui_choose (row, kind->kind == SEAM_KIND_CHOICE ? "^Thick, please$" : "^yes$");
    return;
  }
  if (kind->wrong != NULL) {
    ui_type (row, kind->wrong);
    g_assert_true (gtk_widget_has_css_class (row, "error"));
    g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (row), kind->title));
  }
  ui_type (row, kind->second);
  g_assert_false (gtk_widget_has_css_class (row, "error"));
}

static void
assert_entered (const SyntheticKind *kind)
{
  g_autofree char *value = get_value (see_row (kind));

  g_assert_cmpstr (value, ==, kind->kind == SEAM_KIND_CHOICE ? "Thick, please" : kind->second);
}

static void
test_rows (void)
{
  ui_leave_start_page ();
  ui_open (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++)
    enter (&synthetic_kinds[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++)
    assert_entered (&synthetic_kinds[i]);
  ui_close ();

  ui_open (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++)
    assert_entered (&synthetic_kinds[i]);
  ui_close ();
}

int
main (int argc, char **argv)
{
  synthetic_init ();
  ui_init (&argc, &argv);
  g_test_add_func ("/setting-kinds/rows", test_rows);
  return ui_run ();
}
