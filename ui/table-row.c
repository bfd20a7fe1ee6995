/* SPDX-License-Identifier: MIT
 *
 * A row of a SeamTable: its cells' texts and sort values. Immutable once it is in a table.
 */
#include "ui/table-private.h"

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (SeamTableRow, seam_table_row, G_TYPE_OBJECT)

static void
seam_table_row_finalize (GObject *object)
{
  SeamTableRow *self = SEAM_TABLE_ROW (object);

  for (int i = 0; i < self->n_cells; i++) {
    g_free (self->cells[i].text);
    g_free (self->cells[i].tooltip);
  }
  g_free (self->cells);
  g_free (self->kinds);
  G_OBJECT_CLASS (seam_table_row_parent_class)->finalize (object);
}

static void
seam_table_row_class_init (SeamTableRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = seam_table_row_finalize;
}

static void
seam_table_row_init (SeamTableRow *self)
{
}

SeamTableRow *
seam_table_row_new (int plan, int index, int n_cells)
{
  SeamTableRow *self = g_object_new (SEAM_TYPE_TABLE_ROW, NULL);

  self->plan = plan;
  self->index = index;
  self->n_cells = n_cells;
  self->cells = g_new0 (SeamTableCell, n_cells);
  for (int i = 0; i < n_cells; i++)
    self->cells[i].value = NAN;
  return self;
}

int
seam_table_row_get_plan (SeamTableRow *row)
{
  return row->plan;
}

int
seam_table_row_get_index (SeamTableRow *row)
{
  return row->index;
}

void
seam_table_row_take_cell (SeamTableRow *row, int column, char *text, double value,
                          const char *tooltip)
{
  SeamTableCell *cell = &row->cells[column];

  g_free (cell->text);
  g_free (cell->tooltip);
  cell->text = text;
  cell->value = value;
  cell->tooltip = g_strdup (tooltip);
}

void
seam_table_row_set_kinds (SeamTableRow *row, const SeamOpKind *kinds, int n_kinds)
{
  g_free (row->kinds);
  row->kinds = g_memdup2 (kinds, sizeof *kinds * n_kinds);
  row->n_kinds = n_kinds;
}

void
seam_table_row_set_class (SeamTableRow *row, int column, const char *css_class)
{
  row->cells[column].css_class = css_class;
}
