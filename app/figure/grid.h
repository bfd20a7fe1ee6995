/* SPDX-License-Identifier: MIT
 *
 * A table as a figure, for exported sheets: columns as wide as they need, numbers at the right,
 * cells that are struck through or coloured by role. Internal to app/figure/ and app/report/.
 */
#pragma once

#include "app/figure/sheet.h"

#define SEAM_GRID_MAX_COLUMNS 14

typedef struct {
  const char *title;
  gboolean numeric;  /* right-aligned */
  gboolean expand;   /* gets spare width, and is narrowed if there is too little */
  gboolean optional; /* left out if there is no room; the last one first */
  gboolean bold;
} SeamGridColumn;

typedef struct {
  char *text; /* owned; NULL: empty */
  SeamInk ink;
  gboolean struck, bold;
} SeamGridCell;

typedef struct SeamGrid SeamGrid;

/* `columns` is copied, with its titles. */
SeamGrid *seam_grid_new (const SeamGridColumn *columns, int n_columns);
/* Starts the next row; a total is below a stronger line, in bold. */
void seam_grid_add_row (SeamGrid *grid, gboolean total);
/* Adds the next cell of the last row; takes `text`. Missing cells are empty. */
void seam_grid_take (SeamGrid *grid, char *text, SeamInk ink, gboolean struck);
/* Takes grid and summary. */
SeamFigure *seam_grid_finish (SeamGrid *grid, double width, char *summary);

/* For tests: where a column's text ends (numeric) or begins; NaN if the column is left out. */
double seam_grid_get_column_x (SeamFigure *figure, int column);
const SeamGridCell *seam_grid_get_cell (SeamFigure *figure, int row, int column);
int seam_grid_get_n_rows (SeamFigure *figure);
