/* SPDX-License-Identifier: MIT
 *
 * Columns and rows of the worst elements, as the exported figure has them (app/figure/numbers.h).
 */
#include "ui/worst-table.h"

#include "app/figure/numbers.h"

/* The rank stands before the figure's columns. */
#define FIRST 1

static const SeamColumn columns[] = {
  { .id = "rank", .title = "#", .numeric = TRUE, .dim = TRUE },
  { .id = "row", .title = "Row", .numeric = TRUE },
  { .id = "column", .title = "Column", .numeric = TRUE },
  { .id = "element", .title = "Element", .numeric = TRUE },
  { .id = "trusted", .title = "A", .numeric = TRUE, .expand = TRUE },
  { .id = "tested", .title = "B", .numeric = TRUE, .expand = TRUE },
  { .id = "error", .title = "|A − B|", .numeric = TRUE, .expand = TRUE },
  { .id = "limit", .title = "Of limit", .numeric = TRUE, .expand = TRUE },
  { .id = "ulps", .title = "ULP (FP32)", .numeric = TRUE, .expand = TRUE },
};
G_STATIC_ASSERT (G_N_ELEMENTS (columns) == SEAM_N_WORST_COLUMNS + FIRST);

SeamTable *
seam_worst_table_new (void)
{
  SeamTable *table =
      seam_table_new (columns, G_N_ELEMENTS (columns), -1, TRUE, "Worst elements, largest first");

  seam_table_show_all_rows (table);
  return table;
}

void
seam_worst_table_set_titles (SeamTable *table, const SeamSideNames *names, gboolean is_plane)
{
  for (int i = 0; i < SEAM_N_WORST_COLUMNS; i++) {
    g_autofree char *title = seam_worst_format_title ((SeamWorstColumn)i, names, is_plane);

    seam_table_set_column_title (table, i + FIRST, title);
  }
  seam_table_set_hidden (table, is_plane ? "" : "element");
}

void
seam_worst_table_fill (SeamTable *table, const SeamDifference *difference)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; difference != NULL && i < difference->n_worst; i++) {
    SeamTableRow *row = seam_table_row_new (0, i, G_N_ELEMENTS (columns));
    SeamWorstRow worst;

    seam_difference_get_worst (difference, i, &worst);
    seam_table_row_take_cell (row, 0, g_strdup_printf ("%d", i + 1), i + 1, NULL);
    for (int k = 0; k < SEAM_N_WORST_COLUMNS; k++)
      seam_table_row_take_cell (row, k + FIRST, seam_worst_format (&worst, (SeamWorstColumn)k),
                                seam_worst_get_value (&worst, (SeamWorstColumn)k), NULL);
    g_ptr_array_add (rows, row);
  }
  seam_table_set_rows (table, rows);
}
