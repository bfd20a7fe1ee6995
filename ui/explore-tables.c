/* SPDX-License-Identifier: MIT
 *
 * Cells of the explore page's tables.
 */
#include "ui/explore-tables.h"

#include "app/report/partitions.h"

#include <math.h>

enum { WORTH_SEAM, WORTH_ALONE, WORTH_MEAN, WORTH_COMPANY, WORTH_TRAFFIC, N_WORTH_COLUMNS };

static const SeamColumn worth_columns[N_WORTH_COLUMNS] = {
  { .name = "seam", .title = "Seam", .expand = TRUE, .min_chars = 17 },
  { .name = "alone", .title = "Alone", .kind = SEAM_CELL_NUMBER },
  { .name = "mean", .title = "Mean", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
  { .name = "company", .title = "Best", .kind = SEAM_CELL_NUMBER },
  { .name = "traffic", .title = "Traffic", .kind = SEAM_CELL_NUMBER, .dim = TRUE },
};

/* The columns of a table are fixed; those beyond the chain's seams are hidden. */
static const SeamColumn pair_columns[SEAM_LATTICE_MAX_SEAMS + 1] = {
  { .name = "seam", .title = "Seam", .expand = TRUE },
  { .name = "s1", .title = "1", .kind = SEAM_CELL_NUMBER },
  { .name = "s2", .title = "2", .kind = SEAM_CELL_NUMBER },
  { .name = "s3", .title = "3", .kind = SEAM_CELL_NUMBER },
  { .name = "s4", .title = "4", .kind = SEAM_CELL_NUMBER },
  { .name = "s5", .title = "5", .kind = SEAM_CELL_NUMBER },
  { .name = "s6", .title = "6", .kind = SEAM_CELL_NUMBER },
  { .name = "s7", .title = "7", .kind = SEAM_CELL_NUMBER },
  { .name = "s8", .title = "8", .kind = SEAM_CELL_NUMBER },
  { .name = "s9", .title = "9", .kind = SEAM_CELL_NUMBER },
  { .name = "s10", .title = "10", .kind = SEAM_CELL_NUMBER },
  { .name = "s11", .title = "11", .kind = SEAM_CELL_NUMBER },
};

static void
take_time (SeamTableRow *row, int column, double ns, SeamUnit unit, int decimals)
{
  seam_row_take (row, column, seam_text_fixed (ns / unit.scale, decimals), ns, NULL);
}

SeamTableView *
seam_worth_table_new (void)
{
  SeamTableView *table = seam_table_view_new (seam_table_new (worth_columns, N_WORTH_COLUMNS), NULL,
                                              FALSE, "What each seam is worth");

  /* Names of two ops in the width of the card. */
  gtk_widget_add_css_class (GTK_WIDGET (table), "worth-table");
  return table;
}

void
seam_worth_table_fill (SeamTableView *table, const SeamSurvey *survey, const SeamExploreView *view)
{
  SeamUnit unit = seam_partitions_get_unit (view, survey);
  g_autoptr (SeamTable) rows = seam_table_new (worth_columns, N_WORTH_COLUMNS);

  for (int i = 0; i < view->n_seams; i++) {
    const SeamSeamWorth *worth = &view->worth[i];
    SeamTableRow *row = seam_table_append (rows, 0, i);
    g_autofree char *name = seam_explore_name_seam (survey->request->pipeline, i);

    seam_row_take (row, WORTH_SEAM, g_strdup_printf ("%d %s", i + 1, name), i, name);
    take_time (row, WORTH_ALONE, worth->alone, unit, 2);
    take_time (row, WORTH_MEAN, worth->mean, unit, 2);
    take_time (row, WORTH_COMPANY, worth->in_company, unit, 2);
    take_time (row, WORTH_TRAFFIC, view->traffic_ns[i], unit, 2);
  }
  seam_table_view_set_table (table, rows);
}

SeamTableView *
seam_pairs_table_new (void)
{
  SeamTableView *table = seam_table_view_new (
      seam_table_new (pair_columns, G_N_ELEMENTS (pair_columns)), NULL, FALSE, "Pairs of seams");

  /* As many columns as seams, in the width of the card. */
  gtk_widget_add_css_class (GTK_WIDGET (table), "pairs-table");
  return table;
}

void
seam_pairs_table_fill (SeamTableView *table, const SeamSurvey *survey, const SeamExploreView *view)
{
  SeamUnit unit = seam_partitions_get_unit (view, survey);
  g_autoptr (SeamTable) rows = seam_table_new (pair_columns, G_N_ELEMENTS (pair_columns));
  g_autoptr (GString) hidden = g_string_new (NULL);

  for (int i = 0; i < view->n_seams; i++) {
    SeamTableRow *row = seam_table_append (rows, 0, i);

    seam_row_take (row, 0, g_strdup_printf ("%d", i + 1), i, NULL);
    for (int k = 0; k < SEAM_LATTICE_MAX_SEAMS; k++)
      if (k < view->n_seams && k != i)
        take_time (row, k + 1, view->interaction[i][k], unit, 2);
      else
        seam_row_take (row, k + 1, g_strdup (""), NAN, NULL);
  }
  for (int k = view->n_seams; k < SEAM_LATTICE_MAX_SEAMS; k++)
    g_string_append_printf (hidden, "%s%s", hidden->len > 0 ? "," : "", pair_columns[k + 1].name);
  seam_table_view_set_hidden (table, hidden->str);
  seam_table_view_set_table (table, rows);
}
