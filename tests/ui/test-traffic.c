/* SPDX-License-Identifier: MIT
 *
 * The traffic page: the ledger follows every cut without a run; after a run the waterfall leads
 * from A to B, the roofline has both plans, and a line gives the run's verdict; another cut leaves
 * them unchanged and says so; exports agree with the window. The numbers themselves are those of
 * tests/core/test-explain.c.
 */
#include "tests/ui/window-fixture.h"

#include <math.h>

#define PIPELINE   "^conv-bias-scale-sigmoid-groupnorm:"
#define TIME_TITLE "^Time \\((ms|µs)\\)$"
#define MODELLED   "^Modelled  A ([0-9.,]+), B ([0-9.,]+) kB, B − A .* kB"

/* A's or B's total in bytes, which stands below the ledger. */
static double
get_modelled (char letter)
{
  g_autofree char *name = ui_get_name (ui_see (MODELLED, GTK_TYPE_LABEL));
  g_autofree char *number = ui_match (MODELLED, name, letter == 'A' ? 1 : 2);
  g_auto (GStrv) parts = g_strsplit (number, ",", -1);
  g_autofree char *plain = g_strjoinv ("", parts);

  return g_ascii_strtod (plain, NULL) * 1e3;
}

static gboolean
moves_more (gpointer bytes)
{
  return get_modelled ('B') > *(double *)bytes;
}

static gboolean
moves_as_much (gpointer bytes)
{
  return get_modelled ('B') == *(double *)bytes;
}

static void
toggle (int seam, const char *before, const char *after)
{
  ui_activate ("win.page::timing");
  ui_click (ui_see_seam ('B', seam, before));
  ui_see_seam ('B', seam, after);
  ui_activate ("win.page::traffic");
}

static void
test_follows (void)
{
  static const char *const tensors[] = { "^input$", "^conv2d$", "^sigmoid$", "^groupnorm$",
                                         "^5 parameters$" };
  double published;

  ui_open_at (PIPELINE, "^tiny$");
  ui_see_seam ('B', 3, "fused");
  ui_activate ("win.page::traffic");
  ui_see ("^Traffic ledger$", GTK_TYPE_LABEL);
  ui_see ("^Run both plans to see where the time goes", GTK_TYPE_LABEL);
  ui_see ("^DRAM counters  not measured$", GTK_TYPE_LABEL);
  /* A column without a known value is not shown. */
  ui_see ("^Writes \\(", GTK_TYPE_LABEL);
  ui_miss (TIME_TITLE, GTK_TYPE_LABEL);
  published = get_modelled ('B');
  g_assert_cmpfloat (published, <, get_modelled ('A'));
  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    ui_see (tensors[i], GTK_TYPE_LABEL);
  ui_see ("^Struck through: in B it stays on the chip", GTK_TYPE_LABEL);

  toggle (3, "fused", "cut");
  ui_wait ("a ledger of more bytes", moves_more, &published);
  g_assert_true (ui_press ("<Control>z"));
  ui_wait ("the ledger of before", moves_as_much, &published);
  ui_close ();
}

static void
open_measured (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  ui_activate ("win.page::traffic");
  ui_activate ("win.run");
  ui_see ("^From A to B: A Unfused ", 0);
}

static void
test_explains (void)
{
  GtkWidget *title;
  g_autofree char *spoken = NULL;

  open_measured ();
  /* The title of a column that appears is told, too. */
  title = ui_see (TIME_TITLE, GTK_TYPE_LABEL);
  spoken = ui_get_spoken_name (gtk_widget_get_parent (gtk_widget_get_parent (title)));
  g_assert_cmpstr (spoken, ==, gtk_label_get_text (GTK_LABEL (title)));
  /* Steps: the kernels that B does without, the one that does the rest, what is left. */
  ui_see ("^From A to B: A Unfused .*conv_bias .*sigmoid .*groupnorm, with 4 ops more .*"
          "not traced .*B Published ",
          0);
  ui_see ("kernels are gone: ", GTK_TYPE_LABEL);
  ui_see ("^conv_bias took .* in A; B does it in another kernel.", 0);
  ui_see (
      "^Roofline: Plan A, Unfused: .*Plan B, Published: .* operations a byte; .* \\(modelled\\)",
      0);
  ui_see ("^Bounds: measured here", GTK_TYPE_LABEL);
  ui_see ("^sigmoid of A: .* operations a byte", 0);

  /* When the plans change, the measurements stay, with a mark. */
  toggle (2, "fused", "cut");
  ui_see ("^Plans changed since this run", GTK_TYPE_LABEL);
  ui_see ("^From A to B: A Unfused ", 0);
  g_assert_true (ui_press ("<Control>z"));
  ui_miss ("^Plans changed since this run", 0);
  ui_close ();
}

static double
sum (SeamCsv *csv, const char *plan, const char *column)
{
  double sum = 0;

  for (int row = 0; row < seam_csv_get_n_rows (csv); row++) {
    double value = seam_csv_get_number (csv, row, column);
    if (g_str_equal (seam_csv_get (csv, row, "plan"), plan) && !isnan (value))
      sum += value;
  }
  return sum;
}

static void
test_exports (void)
{
  static const char *const plans[] = { "unfused", "published" };

  open_measured ();
  ui_write_picture ("export-traffic-to", "traffic.png", 2000, 800);
  ui_write_picture ("export-roofline-to", "roofline.png", 2000, 800);
  g_autoptr (SeamCsv) ledger = ui_write_table ("export-csv-ledger-to", "ledger.csv");
  g_autoptr (SeamCsv) groups = ui_write_table ("export-csv-traffic-to", "groups.csv");
  g_autoptr (SeamCsv) steps = ui_write_table ("export-csv-waterfall-to", "steps.csv");
  g_autoptr (SeamCsv) points = ui_write_table ("export-csv-roofline-to", "points.csv");

  for (int i = 0; i < 2; i++) {
    double moved = sum (ledger, plans[i], "written_bytes") + sum (ledger, plans[i], "read_bytes")
                   + sum (ledger, plans[i], "reread_bytes");
    /* The window rounds to ten bytes. */
    g_assert_cmpfloat_with_epsilon (moved, get_modelled ("AB"[i]), 10);
    g_assert_cmpfloat_with_epsilon (sum (groups, plans[i], "modelled_bytes"), moved, 1);
  }
  g_assert_cmpstr (seam_csv_get (steps, 0, "kind"), ==, "start");
  g_assert_cmpstr (seam_csv_get (steps, seam_csv_get_n_rows (steps) - 1, "kind"), ==, "end");
  g_autoptr (GHashTable) kinds = g_hash_table_new (g_str_hash, g_str_equal);
  for (int row = 0; row < seam_csv_get_n_rows (points); row++)
    g_hash_table_add (kinds, (gpointer)seam_csv_get (points, row, "point"));
  g_assert_cmpint (g_hash_table_size (kinds), ==, 2);
  g_assert_true (g_hash_table_contains (kinds, "plan") && g_hash_table_contains (kinds, "kernel"));
  ui_close ();
}

/* Every tab shows the progress of a run, and tabs about something else show its verdict. */
static void
test_says_verdict (void)
{
  static const char *const verdict_tabs[] = { "traffic", "timeline" }, *const other_tabs[] = {
    "timing", "difference", "explore", "source", "sweep"
  };
  const char *progress = "^Progress of the run$",
             *verdict = "^B published against A unfused · .* → ";

  ui_open_at (PIPELINE, "^tiny$");
  ui_activate ("win.page::traffic");
  ui_miss (verdict, GTK_TYPE_LABEL);
  ui_miss (progress, GTK_TYPE_PROGRESS_BAR);
  ui_hold (TRUE);
  ui_activate ("win.run");
  for (gsize i = 0; i < G_N_ELEMENTS (verdict_tabs); i++) {
    g_autofree char *action = g_strconcat ("win.page::", verdict_tabs[i], NULL);

    ui_activate (action);
    ui_see ("^(Starting|Preparing|Measuring)…$", GTK_TYPE_LABEL);
    ui_see (progress, GTK_TYPE_PROGRESS_BAR);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (other_tabs); i++) {
    g_autofree char *action = g_strconcat ("win.page::", other_tabs[i], NULL);

    ui_activate (action);
    ui_see (progress, GTK_TYPE_PROGRESS_BAR);
  }
  ui_hold (FALSE);
  ui_miss (progress, GTK_TYPE_PROGRESS_BAR);
  for (gsize i = 0; i < G_N_ELEMENTS (verdict_tabs); i++) {
    g_autofree char *action = g_strconcat ("win.page::", verdict_tabs[i], NULL);

    ui_activate (action);
    ui_see (verdict, GTK_TYPE_LABEL);
  }
  toggle (2, "fused", "cut");
  ui_see ("^Plans changed since this run.* · B published against A unfused", GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/traffic-page/follows", test_follows);
  g_test_add_func ("/traffic-page/explains", test_explains);
  g_test_add_func ("/traffic-page/says-verdict", test_says_verdict);
  g_test_add_func ("/traffic-page/exports", test_exports);
  return ui_run ();
}
