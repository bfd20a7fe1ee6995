/* SPDX-License-Identifier: MIT
 *
 * Layout and drawing of a table.
 */
#include "app/figure/grid.h"

#include <math.h>
#include <string.h>

#define ROW_HEIGHT    25.0
#define HEADER_HEIGHT 26.0
#define PADDING       9.0 /* left and right of a cell's text */
#define TEXT_SIZE     13.0
#define MIN_EXPAND    90.0 /* least width of a column that is narrowed */

typedef struct {
  gboolean total;
  int n_cells;
  SeamGridCell cells[SEAM_GRID_MAX_COLUMNS];
} Row;

/* The layout of its figure. */
struct SeamGrid {
  SeamGridColumn columns[SEAM_GRID_MAX_COLUMNS];
  int n_columns;
  double x[SEAM_GRID_MAX_COLUMNS], widths[SEAM_GRID_MAX_COLUMNS];
  gboolean hidden[SEAM_GRID_MAX_COLUMNS];
  GArray *rows; /* of Row */
};

static Row *
get_row (SeamGrid *grid, guint index)
{
  return &g_array_index (grid->rows, Row, index);
}

/* ---- drawing ---- */

static void
draw_text (SeamGrid *grid, int column, const char *text, int weight, const SeamColor *color,
           gboolean struck, double y, cairo_t *cr)
{
  double inner = grid->widths[column] - 2 * PADDING;
  g_autofree char *fitted = seam_paint_ellipsize (text, inner + 1, TEXT_SIZE, weight);
  double width = seam_paint_measure (fitted, TEXT_SIZE, weight);
  double x = grid->x[column] + PADDING + (grid->columns[column].numeric ? inner - width : 0);

  seam_paint_text (cr, color, fitted, x, y + SEAM_BASELINE (TEXT_SIZE), TEXT_SIZE, weight,
                   SEAM_ALIGN_START);
  if (struck)
    seam_paint_line (cr, color, 1.4, x - 1, y + .5, x + width + 1, y + .5);
}

static void
grid_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  SeamGrid *grid = figure->layout;
  double y = HEADER_HEIGHT;

  for (int c = 0; c < grid->n_columns; c++)
    if (!grid->hidden[c])
      draw_text (grid, c, grid->columns[c].title, SEAM_BOLD, &palette->dim_text, FALSE,
                 HEADER_HEIGHT / 2, cr);
  for (guint r = 0; r < grid->rows->len; r++) {
    const Row *row = get_row (grid, r);
    gboolean first_total = row->total && r > 0 && !get_row (grid, r - 1)->total;

    seam_paint_line (cr, first_total ? &palette->glyph : &palette->grid, 1, 0, y + .5,
                     figure->width, y + .5);
    for (int c = 0; c < row->n_cells; c++)
      if (!grid->hidden[c] && row->cells[c].text != NULL)
        draw_text (grid, c, row->cells[c].text, row->cells[c].bold ? SEAM_BOLD : SEAM_REGULAR,
                   seam_palette_get_ink (palette, row->cells[c].ink), row->cells[c].struck,
                   y + ROW_HEIGHT / 2, cr);
    y += ROW_HEIGHT;
  }
}

/* ---- building ---- */

SeamGrid *
seam_grid_new (const SeamGridColumn *columns, int n_columns)
{
  SeamGrid *grid = seam_owner_new (SeamGrid);

  g_return_val_if_fail (n_columns <= SEAM_GRID_MAX_COLUMNS, NULL);
  memcpy (grid->columns, columns, sizeof *columns * (gsize)n_columns);
  grid->n_columns = n_columns;
  for (int c = 0; c < n_columns; c++)
    grid->columns[c].title = seam_keep (grid, g_strdup (columns[c].title));
  grid->rows =
      seam_keep_full (grid, g_array_new (FALSE, TRUE, sizeof (Row)), (GDestroyNotify)g_array_unref);
  return grid;
}

void
seam_grid_add_row (SeamGrid *grid, gboolean total)
{
  Row row = { .total = total };

  g_array_append_val (grid->rows, row);
}

void
seam_grid_take (SeamGrid *grid, char *text, SeamInk ink, gboolean struck)
{
  Row *row = get_row (grid, grid->rows->len - 1);

  g_return_if_fail (row->n_cells < grid->n_columns);
  row->cells[row->n_cells] =
      (SeamGridCell){ .text = seam_keep (grid, text),
                      .ink = ink,
                      .struck = struck,
                      .bold = row->total || grid->columns[row->n_cells].bold };
  row->n_cells++;
}

static double
measure_column (SeamGrid *grid, int column)
{
  double width = seam_paint_measure (grid->columns[column].title, TEXT_SIZE, SEAM_BOLD);

  for (guint r = 0; r < grid->rows->len; r++) {
    const Row *row = get_row (grid, r);

    if (column < row->n_cells && row->cells[column].text != NULL)
      width = fmax (width, seam_paint_measure (row->cells[column].text, TEXT_SIZE,
                                               row->cells[column].bold ? SEAM_BOLD : SEAM_REGULAR));
  }
  return ceil (width) + 2 * PADDING;
}

static double
sum_widths (const SeamGrid *grid)
{
  double sum = 0;

  for (int c = 0; c < grid->n_columns; c++)
    sum += grid->hidden[c] ? 0 : grid->widths[c];
  return sum;
}

/* Drops optional columns first, then narrows the expanding ones, which also get spare width. */
static void
fit_columns (SeamGrid *grid, double width)
{
  int n_expand = 0;
  double spare;

  for (int c = grid->n_columns - 1; c >= 0 && sum_widths (grid) > width; c--)
    grid->hidden[c] = grid->columns[c].optional;
  for (int c = 0; c < grid->n_columns; c++)
    n_expand += grid->columns[c].expand && !grid->hidden[c];
  spare = width - sum_widths (grid);
  for (int c = 0; c < grid->n_columns && n_expand > 0; c++)
    if (grid->columns[c].expand && !grid->hidden[c])
      grid->widths[c] = fmax (MIN_EXPAND, grid->widths[c] + spare / n_expand);
}

SeamFigure *
seam_grid_finish (SeamGrid *grid, double width, char *summary)
{
  static const SeamFigureClass grid_class = { .draw = grid_draw };
  double x = 0;

  for (int c = 0; c < grid->n_columns; c++)
    grid->widths[c] = measure_column (grid, c);
  fit_columns (grid, width);
  for (int c = 0; c < grid->n_columns; c++) {
    grid->x[c] = x;
    x += grid->hidden[c] ? 0 : grid->widths[c];
  }
  return seam_figure_new (&grid_class, grid, fmax (width, x),
                          HEADER_HEIGHT + ROW_HEIGHT * grid->rows->len + 1, summary);
}

double
seam_grid_get_column_x (SeamFigure *figure, int column)
{
  const SeamGrid *grid = figure->layout;

  if (grid->hidden[column])
    return NAN;
  return grid->columns[column].numeric ? grid->x[column] + grid->widths[column] - PADDING
                                       : grid->x[column] + PADDING;
}

const SeamGridCell *
seam_grid_get_cell (SeamFigure *figure, int row, int column)
{
  return &get_row (figure->layout, (guint)row)->cells[column];
}

int
seam_grid_get_n_rows (SeamFigure *figure)
{
  return (int)((const SeamGrid *)figure->layout)->rows->len;
}
