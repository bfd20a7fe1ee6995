/* SPDX-License-Identifier: MIT
 *
 * The explore page: it estimates its duration before, partitions get their times one by one, it can
 * be stopped and resumed, a node becomes plan B by the pointer, and everything can be exported. A
 * lattice of many partitions is filtered and zoomed.
 */
#include "tests/core/long-chain.h"
#include "tests/ui/window-fixture.h"

#include <stdlib.h>
#include <string.h>

#define NODES   "^conv[+|].*: "
#define BUDGET  "^Budget of the exploration"
#define STOPPED "^Stopped: [0-9]+ of 8 measured"

/* The texts of the lattice's nodes: all, or those that are pending. */
static GStrv
read_nodes (gboolean pending)
{
  return ui_list_names (pending ? NODES "pending" : NODES, GTK_ACCESSIBLE_ROLE_BUTTON);
}

static gboolean
has_n_pending (gpointer n)
{
  g_auto (GStrv) all = read_nodes (FALSE), pending = read_nodes (TRUE);

  return g_strv_length (all) == 8 && g_strv_length (pending) == GPOINTER_TO_UINT (n);
}

/* Starts the exploration and stops it after the first points; returns how many were measured. */
static guint
stop_early (void)
{
  GtkWidget *status;

  ui_hold_after (4000);
  ui_press ("<Control>r");
  ui_see ("^[3-7] of 8 measured, ", GTK_TYPE_LABEL);
  /* No lesson makes a run over it; stopping needs one Escape, though the message is shown. */
  ui_activate_with ("win.lesson", g_variant_new_string ("1"));
  ui_see ("^Partitions or shapes are being explored, ", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^Step 1 of ", GTK_TYPE_LABEL));
  ui_press ("Escape");
  status = ui_see (STOPPED, GTK_TYPE_LABEL);
  ui_hold (FALSE);
  return (guint)atoi (gtk_label_get_text (GTK_LABEL (status)) + strlen ("Stopped: "));
}

static void
export_lattice (void)
{
  g_autofree char *drawing = ui_write ("export-lattice-to", "lattice.svg");
  g_autoptr (SeamCsv) table = ui_write_table ("export-csv-explore-to", "partitions.csv");

  ui_write_picture ("export-lattice-to", "lattice.png", 2000, 1000);
  g_assert_cmpint (seam_csv_get_n_rows (table), ==, 8);
  for (int i = 0; i < 8; i++) {
    g_assert_cmpstr (seam_csv_get (table, i, "state"), ==, "measured");
    g_assert_cmpstr (seam_csv_get (table, i, "n_failing"), ==, "0");
  }
}

static void
test_explores (void)
{
  g_auto (GStrv) first = NULL, all = NULL;
  guint n_stopped, n_first = 0;

  ui_open_at ("^conv-relu-bias:", "^tiny$");
  ui_press ("<Alt>4");
  ui_see ("^8 to measure, all need about .*, and there are .* s for each$", GTK_TYPE_LABEL);
  ui_see ("^3 seams, 8 partitions$", GTK_TYPE_LABEL);
  ui_see ("^Measure all$", 0);
  ui_wait ("8 nodes without a time", has_n_pending, GUINT_TO_POINTER (8));

  ui_type (ui_see (BUDGET, GTK_TYPE_SPIN_BUTTON), "12");
  ui_press ("Tab"); /* GTK 4.8 warns if an entry becomes insensitive while it has the focus */
  ui_see ("^8 to measure, all need about .*, and there are 1.5 s for each$", GTK_TYPE_LABEL);
  n_stopped = stop_early ();
  g_assert_cmpuint (n_stopped, >=, 3);
  g_assert_cmpuint (n_stopped, <, 8);
  ui_wait ("as many nodes with a time", has_n_pending, GUINT_TO_POINTER (8 - n_stopped));
  first = read_nodes (FALSE);

  /* The rest; no point is measured twice. */
  ui_press ("<Control>r");
  ui_see ("^8 of 8 measured$", GTK_TYPE_LABEL);
  ui_wait ("a time at every node", has_n_pending, NULL);
  all = read_nodes (FALSE);
  for (int i = 0; first[i] != NULL; i++)
    if (g_strv_contains ((const char *const *)all, first[i]))
      n_first++;
    else if (strstr (first[i], ": pending. ") == NULL)
      g_printerr ("It is no more as it was: %s\n", first[i]);
  g_assert_cmpuint (n_first, ==, n_stopped);

  /* A node becomes plan B. */
  ui_move_pointer (ui_see ("^conv\\|conv_bias\\+relu\\|bias: ", 0), 0.5, 0.5, "click 1");
  ui_see ("^conv.conv_bias.relu.bias$", GTK_TYPE_LABEL);
  ui_see ("^[0-9.]+× (faster|slower) than unfused \\(.+\\)$", GTK_TYPE_LABEL);
  ui_press ("<Alt>1");
  ui_see_seam ('B', 2, "fused");
  ui_press ("<Control>z");
  ui_press ("<Alt>4");
  export_lattice ();
  ui_close ();
}

static gboolean
has_n_nodes (gpointer n)
{
  g_auto (GStrv) nodes = ui_list_names ("^matmul[+|].*: ", GTK_ACCESSIBLE_ROLE_BUTTON);

  return g_strv_length (nodes) == GPOINTER_TO_UINT (n);
}

static gboolean
is_wider (gpointer width)
{
  return gtk_widget_get_width (ui_see ("^Lattice of 256 partitions", 0)) > GPOINTER_TO_INT (width);
}

static gboolean
is_not_wider (gpointer width)
{
  return !is_wider (width);
}

/* A chain of nine ops: what cannot run is left out until the person wants all, and the lattice can
 * be zoomed. */
static void
test_many (void)
{
  g_autofree char *text = long_chain_text (9), *path = ui_path ("long.ini");
  GtkWidget *all, *unfused, *above;
  gpointer width;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_press ("<Alt>4");
  ui_see ("^8 seams, 256 partitions$", GTK_TYPE_LABEL);
  ui_see ("^160 of 256 partitions cannot run here and are not shown: 128 because “softmax” ",
          GTK_TYPE_LABEL);
  ui_wait ("96 nodes", has_n_nodes, GUINT_TO_POINTER (96));
  all = ui_see ("^Show all 256 partitions$", GTK_TYPE_CHECK_BUTTON);
  ui_click (all);
  ui_wait ("all nodes", has_n_nodes, GUINT_TO_POINTER (256));
  ui_miss ("^160 of 256 partitions cannot run here and are not shown", GTK_TYPE_LABEL);
  ui_click (all);
  ui_wait ("96 nodes again", has_n_nodes, GUINT_TO_POINTER (96));

  /* The table scrolls by itself, since GTK does not draw all of so many rows. */
  GtkWidget *table = ui_see ("^All partitions$", GTK_TYPE_COLUMN_VIEW);
  table = gtk_widget_get_ancestor (table, GTK_TYPE_SCROLLED_WINDOW);
  g_assert_cmpint (gtk_widget_get_height (table), <, 700);
  g_assert_cmpfloat (
      gtk_adjustment_get_upper (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (table))),
      >, 256 * 20);

  width = GINT_TO_POINTER (gtk_widget_get_width (ui_see ("^Lattice of 256 partitions", 0)));
  unfused =
      ui_see ("^matmul\\|bias\\|softmax\\|relu3\\|relu4\\|relu5\\|relu6\\|relu7\\|relu8: ", 0);
  gtk_widget_grab_focus (unfused);
  ui_press ("plus");
  ui_wait ("a wider lattice", is_wider, width);
  ui_press ("0");
  ui_wait ("the width before", is_not_wider, width);
  /* The arrow keys go from row to row and along a row. */
  ui_press ("Up");
  above = gtk_root_get_focus (GTK_ROOT (ui_window ()));
  g_assert_true (above != unfused && G_OBJECT_TYPE (above) == G_OBJECT_TYPE (unfused));
  ui_press ("Right");
  ui_press ("Left");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (ui_window ())) == above);
  ui_click (ui_see ("^Zoom in$", GTK_TYPE_BUTTON));
  ui_wait ("a wider lattice", is_wider, width);
  ui_click (ui_see ("^Fit the width$", GTK_TYPE_BUTTON));
  ui_wait ("the width before", is_not_wider, width);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/explore/explores", test_explores);
  g_test_add_func ("/explore/many", test_many);
  return ui_run ();
}
