/* SPDX-License-Identifier: MIT
 *
 * The pitfall lab: its shortcut, six switches of which one is impossible on the CPU, a run with two
 * of them, figure and table as files. Also a run with a pitfall in the main window, which is marked
 * on every page and in every export.
 */
#include "tests/ui/window-fixture.h"

#include <string.h>

#define SHOW "^Show the selected _?run"
#define MARK "^⚠ With pitfall, wrong on purpose: warm L2"

static const char *const names[] = {
  "Zeros as input", "No warm-up", "Warm L2", "Hidden TF32", "Host timer", "Flush in the window",
};

static void
open_lab (void)
{
  ui_press ("<Control><Shift>l");
  ui_see ("^Each mistake that is switched on", GTK_TYPE_LABEL);
  ui_turn_to ("Pitfall lab");
}

static GtkWidget *
get_switch (const char *name)
{
  g_autofree char *pattern = g_strdup_printf ("^%s", name);

  return ui_see (pattern, GTK_TYPE_SWITCH);
}

static gboolean
is_off (gpointer button)
{
  return !gtk_switch_get_active (GTK_SWITCH (button));
}

/* The cell with this name: the last label, as the table stands below the switches. */
static GtkWidget *
get_cell (const char *name)
{
  g_autofree char *pattern = g_strdup_printf ("^%s$", name);
  g_autoptr (GPtrArray) labels =
      ui_list (ui_see ("^Pitfall lab$", GTK_TYPE_WINDOW), pattern, GTK_TYPE_LABEL);

  g_assert_cmpuint (labels->len, >, 1);
  return labels->pdata[labels->len - 1];
}

static gboolean
is_chosen (const char *name)
{
  GtkWidget *row = get_cell (name);

  while (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (row)) != GTK_ACCESSIBLE_ROLE_ROW)
    row = gtk_widget_get_parent (row);
  return (gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED) != 0;
}

static gboolean
can_show (void)
{
  return gtk_widget_is_sensitive (ui_see (SHOW, GTK_TYPE_BUTTON));
}

/* Whether Run has the focus, before switches and files, so that Return presses it. */
static gboolean
has_focus_on_run (gpointer data)
{
  GtkWindow *lab = GTK_WINDOW (ui_see ("^Pitfall lab$", GTK_TYPE_WINDOW));
  GtkWidget *focus = gtk_window_get_focus (lab);
  g_autofree char *name = focus != NULL ? ui_get_name (focus) : NULL;

  return g_strcmp0 (name, "Run") == 0 && gtk_window_get_default_widget (lab) == focus;
}

/* Measures the honest run and two pitfalls that are possible, but not one that is impossible. */
static void
measure (void)
{
  g_autoptr (GPtrArray) run = NULL;

  open_lab ();
  ui_wait ("the focus on Run", has_focus_on_run, NULL);
  ui_see ("^Not possible here. The CPU has no TF32", GTK_TYPE_LABEL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (gtk_widget_is_sensitive (get_switch (names[i])), ==,
                     strcmp (names[i], "Hidden TF32") != 0);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (i != 2 && i != 3 && i != 5) {
      g_assert_true (gtk_switch_get_active (GTK_SWITCH (get_switch (names[i]))));
      ui_click (get_switch (names[i]));
      ui_wait (names[i], is_off, get_switch (names[i]));
    }
  run = ui_list (ui_see ("^Pitfall lab$", GTK_TYPE_WINDOW), "^Run$", GTK_TYPE_BUTTON);
  /* Escape stops, and leaves the window where it is. */
  ui_hold_after (1);
  ui_click (run->pdata[0]);
  ui_see ("^Measuring: Honest, run 1 of 6$", GTK_TYPE_LABEL);
  ui_press ("Escape");
  ui_hold (FALSE);
  ui_see ("^Stopped; what was measured is kept[.]", GTK_TYPE_LABEL);
  g_assert_true (gtk_widget_get_visible (ui_see ("^Pitfall lab$", GTK_TYPE_WINDOW)));
  ui_click (run->pdata[0]);
  ui_see ("^Measured. All but Honest is wrong on purpose", GTK_TYPE_LABEL);
}

static void
check_exports (void)
{
  static const char *const pitfalls[] = { "", "warm-l2", "hidden-tf32", "flush-inside" };
  g_autofree char *figure = ui_write ("export-pitfalls-to", "lab.svg"), *text = NULL;
  g_autoptr (SeamCsv) table = ui_write_table ("export-csv-pitfalls-to", "lab.csv");

  g_assert_true (g_file_get_contents (figure, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<svg"));
  g_assert_cmpint (seam_csv_get_n_rows (table), ==, 8);
  for (int i = 0; i < 8; i++) {
    g_assert_cmpstr (seam_csv_get (table, i, "pitfalls"), ==, pitfalls[i / 2]);
    if (strcmp (seam_csv_get (table, i, "possible"), "yes") == 0)
      g_assert_cmpfloat (seam_csv_get_number (table, i, "speedup"), >, 0);
    else
      g_assert_cmpint (i / 2, ==, 2);
  }
}

/* Each row of the table has its finding, in the words of the list above. A pitfall that could
 * not be measured cannot be shown. A chosen row is still chosen when the lab is opened again. */
static void
choose (void)
{
  GtkWidget *findings = ui_see ("^Honest: A takes .* as long as B", GTK_TYPE_LABEL);
  g_autofree char *finding =
      g_strdup_printf ("Warm L2: %s\n", gtk_widget_get_tooltip_text (get_cell ("Warm L2")));

  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (findings)), finding));
  ui_click (get_cell ("Hidden TF32"));
  g_assert_true (is_chosen ("Hidden TF32"));
  g_assert_false (can_show ());
  ui_click (get_cell ("Warm L2"));
  g_assert_true (can_show ());
  ui_press ("Escape");
  ui_miss (SHOW, GTK_TYPE_BUTTON);
  open_lab ();
  g_assert_true (is_chosen ("Warm L2"));
  g_assert_true (can_show ());
}

/* After another shape is chosen, the chart names the shape that it shows. */
static void
check_stale (void)
{
  const char *const stale = "^Measured with other choices [(]matmul-swish-bias-groupnorm · ";
  g_autofree char *batch = NULL;
  GtkWidget *entry;

  g_assert_null (ui_find (stale, GTK_TYPE_LABEL));
  entry = ui_see ("^Batch", GTK_TYPE_ENTRY);
  batch = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  ui_type (entry, "9");
  ui_see (stale, GTK_TYPE_LABEL);
  ui_type (entry, batch);
  ui_miss (stale, GTK_TYPE_LABEL);
}

static void
check_marks (void)
{
  g_autoptr (SeamCsv) plans = NULL;

  ui_see (MARK, GTK_TYPE_LABEL);
  ui_see ("^⚠ .*, with pitfall$", GTK_TYPE_LABEL);
  for (int page = 2; page <= 6; page++) {
    g_autofree char *key = g_strdup_printf ("<Alt>%d", page);
    ui_press (key);
    ui_see (MARK, GTK_TYPE_LABEL);
  }
  ui_press ("<Alt>1");
  plans = ui_write_table ("export-csv-plans-to", "plans.csv");
  g_assert_cmpint (seam_csv_get_n_rows (plans), ==, 2);
  for (int i = 0; i < 2; i++)
    g_assert_cmpstr (seam_csv_get (plans, i, "pitfalls"), ==, "warm-l2");
}

static void
test_lab (void)
{
  g_autofree char *path = NULL;

  ui_open_at ("^matmul-swish-bias-groupnorm:", "^tiny$");
  measure ();
  check_exports ();
  choose ();
  check_stale ();
  ui_click (ui_see (SHOW, GTK_TYPE_BUTTON));
  ui_miss (SHOW, GTK_TYPE_BUTTON);
  check_marks ();

  /* The lab's runs are in the history, from which they can be shown again. */
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);
  ui_click (ui_see (": 6 runs\n", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^Recorded run from the history, ", GTK_TYPE_LABEL);
  ui_choose (ui_see ("^Run of the session$", GTK_TYPE_DROP_DOWN), "pitfall lab, Honest, round 2");
  ui_click (ui_see ("^Back to your settings$", GTK_TYPE_BUTTON));
  path = ui_write ("save-to", "lab.seamscope");
  ui_see ("^Saved 6 runs in lab.seamscope$", GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/pitfalls/lab", test_lab);
  return ui_run ();
}
