/* SPDX-License-Identifier: MIT
 *
 * A table as a figure on a sheet.
 */
#include "app/figure/grid.h"
#include "app/report/table.h"

static SeamInk
get_ink (const SeamColumn *column, const SeamTableRow *row, const SeamCell *cell)
{
  switch (cell->tone) {
  case SEAM_TONE_GOOD:
    return SEAM_INK_GOOD;
  case SEAM_TONE_WARNING:
    return SEAM_INK_CAUTION;
  case SEAM_TONE_BAD:
    return SEAM_INK_BAD;
  case SEAM_TONE_GONE:
    return SEAM_INK_DIM;
  default:
    return column->dim && !row->is_total ? SEAM_INK_DIM : SEAM_INK_TEXT;
  }
}

static int
list_shown (const SeamTable *table, int shown[SEAM_GRID_MAX_COLUMNS])
{
  int n = 0;

  for (int c = 0; c < seam_table_get_n_columns (table); c++) {
    if (!seam_table_is_shown (table, c, SEAM_SHOWN_ON_SHEET))
      continue;
    g_return_val_if_fail (n < SEAM_GRID_MAX_COLUMNS, n);
    shown[n++] = c;
  }
  return n;
}

static SeamGrid *
make_grid (const SeamTable *table, const int *shown, int n)
{
  SeamGridColumn columns[SEAM_GRID_MAX_COLUMNS] = { 0 };
  char *titles[SEAM_GRID_MAX_COLUMNS];
  SeamGrid *grid;

  for (int i = 0; i < n; i++) {
    const SeamColumn *column = seam_table_get_column (table, shown[i]);

    titles[i] = seam_table_format_title (table, shown[i]);
    columns[i] = (SeamGridColumn){ .title = titles[i],
                                   .numeric = column->kind != SEAM_CELL_TEXT,
                                   .expand = column->expand,
                                   .optional = column->wide_only,
                                   .bold = column->bold };
  }
  grid = seam_grid_new (columns, n);
  for (int i = 0; i < n; i++)
    g_free (titles[i]);
  return grid;
}

SeamFigure *
seam_table_figure_new (const SeamTable *table, double width, char *summary)
{
  int shown[SEAM_GRID_MAX_COLUMNS];
  int n = list_shown (table, shown);
  SeamGrid *grid = make_grid (table, shown, n);

  for (int r = 0; r < seam_table_get_n_rows (table); r++) {
    const SeamTableRow *row = seam_table_get_row (table, r);

    seam_grid_add_row (grid, row->is_total);
    for (int i = 0; i < n; i++) {
      const SeamCell *cell = &row->cells[shown[i]];

      seam_grid_take (grid, seam_table_format_cell (table, r, shown[i]),
                      get_ink (seam_table_get_column (table, shown[i]), row, cell),
                      cell->tone == SEAM_TONE_GONE);
    }
  }
  return seam_grid_finish (grid, width, summary);
}
