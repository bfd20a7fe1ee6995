/* SPDX-License-Identifier: MIT
 *
 * Columns and rows of the worst elements, as the exported figure has them (app/figure/numbers.h).
 */
#include "ui/worst-table.h"

#include "app/figure/numbers.h"

/* The rank stands before the figure's columns. */
#define FIRST 1

static const SeamColumn columns[] = {
  { .name = "rank", .title = "#", .kind = SEAM_CELL_NUMBER, .dim = TRUE },
  { .name = "row", .title = "Row", .kind = SEAM_CELL_NUMBER },
  { .name = "column", .title = "Column", .kind = SEAM_CELL_NUMBER },
  { .name = "element", .title = "Element", .kind = SEAM_CELL_NUMBER },
  { .name = "trusted", .title = "A", .kind = SEAM_CELL_NUMBER, .expand = TRUE },
  { .name = "tested", .title = "B", .kind = SEAM_CELL_NUMBER, .expand = TRUE },
  { .name = "error", .title = "|A − B|", .kind = SEAM_CELL_NUMBER, .expand = TRUE },
  { .name = "limit", .title = "Of limit", .kind = SEAM_CELL_NUMBER, .expand = TRUE },
  { .name = "ulps", .title = "ULP (FP32)", .kind = SEAM_CELL_NUMBER, .expand = TRUE },
};
G_STATIC_ASSERT (G_N_ELEMENTS (columns) == SEAM_N_WORST_COLUMNS + FIRST);

SeamTableView *
seam_worst_table_new (void)
{
  SeamTableView *table = seam_table_view_new (seam_table_new (columns, G_N_ELEMENTS (columns)),
                                              NULL, TRUE, "Worst elements, largest first");

  seam_table_view_show_all_rows (table);
  return table;
}

void
seam_worst_table_set_titles (SeamTableView *table, const SeamSideNames *names, gboolean is_plane)
{
  for (int i = 0; i < SEAM_N_WORST_COLUMNS; i++) {
    g_autofree char *title = seam_worst_format_title ((SeamWorstColumn)i, names, is_plane);

    seam_table_view_set_column_title (table, i + FIRST, title);
  }
  seam_table_view_set_hidden (table, is_plane ? "" : "element");
}

void
seam_worst_table_fill (SeamTableView *table, const SeamDifference *difference)
{
  g_autoptr (SeamTable) rows = seam_table_new (columns, G_N_ELEMENTS (columns));

  for (int i = 0; difference != NULL && i < difference->n_worst; i++) {
    SeamTableRow *row = seam_table_append (rows, 0, i);
    SeamWorstRow worst;

    seam_difference_get_worst (difference, i, &worst);
    seam_row_take (row, 0, g_strdup_printf ("%d", i + 1), i + 1, NULL);
    for (int k = 0; k < SEAM_N_WORST_COLUMNS; k++)
      seam_row_take (row, k + FIRST, seam_worst_format (&worst, (SeamWorstColumn)k),
                     seam_worst_get_value (&worst, (SeamWorstColumn)k), NULL);
  }
  seam_table_view_set_table (table, rows);
}
