/* SPDX-License-Identifier: MIT
 *
 * Columns, rows and the texts of cells.
 */
#include "app/report/table.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

static char *
format_apart (double fraction)
{
  return seam_text_change (100 * fraction, 1);
}

static char *
format_digits (double value)
{
  return seam_text_significant (value, 3);
}

/* The unit gets finer, for the sake of small values, only while the largest value stays below this
 * number. */
#define MOST_IN_UNIT 1e6

/* How numbers of each kind are written. */
static const struct {
  SeamUnit (*choose_unit) (double largest); /* NULL: no choice */
  const char *unit;                         /* always in the title; NULL: none */
  int decimals;
  char *(*format) (double value); /* NULL: a number in the unit, with `decimals` decimals */
  SeamCellKind measured_as;       /* the kind whose unit this kind shares; 0: it has its own */
} formats[] = {
  [SEAM_CELL_TIME] = { seam_unit_for_time, NULL, 3, NULL },
  [SEAM_CELL_INTERVAL] = { seam_unit_for_time, NULL, 3, NULL, SEAM_CELL_TIME },
  [SEAM_CELL_BYTES] = { seam_unit_for_bytes, NULL, 2, NULL },
  [SEAM_CELL_MOVED] = { seam_unit_for_bytes, NULL, 2, NULL, SEAM_CELL_BYTES },
  [SEAM_CELL_RATE] = { seam_unit_for_rate, NULL, 2, NULL },
  [SEAM_CELL_FLOP] = { seam_unit_for_flop, NULL, 2, NULL },
  [SEAM_CELL_FLOP_RATE] = { seam_unit_for_flop_rate, NULL, 2, NULL },
  [SEAM_CELL_PERCENT] = { NULL, "%", 0, seam_text_percent },
  [SEAM_CELL_APART] = { NULL, "%", 0, format_apart },
  [SEAM_CELL_RATIO] = { NULL, NULL, 0, seam_text_ratio },
  [SEAM_CELL_ERROR] = { NULL, NULL, 0, seam_text_scientific },
  [SEAM_CELL_DIGITS] = { NULL, NULL, 0, format_digits },
};

struct SeamTable {
  gatomicrefcount references;
  GArray *columns;                         /* of SeamColumn */
  GPtrArray *rows;                         /* of SeamTableRow */
  GStringChunk *words;                     /* strings of the columns */
  SeamUnit units[G_N_ELEMENTS (formats)];  /* set by the caller; no name: not set */
  SeamUnit chosen[G_N_ELEMENTS (formats)]; /* chosen for the current rows; no name: not yet */
  int n_taken; /* cells of the last row that seam_table_take() has set */
};

static void
row_free (gpointer data)
{
  g_free (((SeamTableRow *)data)->cells);
  g_free (data);
}

SeamTable *
seam_table_new (const SeamColumn *columns, int n_columns)
{
  SeamTable *table = g_new0 (SeamTable, 1);

  g_atomic_ref_count_init (&table->references);
  table->words = g_string_chunk_new (128);
  table->columns = g_array_new (FALSE, FALSE, sizeof (SeamColumn));
  table->rows = g_ptr_array_new_with_free_func (row_free);
  for (int i = 0; i < n_columns; i++) {
    SeamColumn column = columns[i];

    column.name = g_string_chunk_insert_const (table->words, column.name);
    column.title = g_string_chunk_insert_const (table->words, column.title);
    if (column.value != NULL)
      column.value = g_string_chunk_insert_const (table->words, column.value);
    g_array_append_val (table->columns, column);
  }
  return table;
}

SeamTable *
seam_table_ref (SeamTable *table)
{
  g_atomic_ref_count_inc (&table->references);
  return table;
}

void
seam_table_unref (SeamTable *table)
{
  if (table == NULL || !g_atomic_ref_count_dec (&table->references))
    return;
  for (guint r = 0; r < table->rows->len; r++)
    for (guint c = 0; c < table->columns->len; c++) {
      SeamCell *cell = &((SeamTableRow *)table->rows->pdata[r])->cells[c];
      g_free (cell->text);
      g_free (cell->words);
    }
  g_ptr_array_unref (table->rows);
  g_array_unref (table->columns);
  g_string_chunk_free (table->words);
  g_free (table);
}

void
seam_table_add_column (SeamTable *table, const char *title, gboolean to_the_right)
{
  const char *own = g_string_chunk_insert_const (table->words, title);
  SeamColumn column = { .name = own,
                        .title = own,
                        .kind = to_the_right ? SEAM_CELL_NUMBER : SEAM_CELL_TEXT };

  g_return_if_fail (table->rows->len == 0);
  g_array_append_val (table->columns, column);
}

int
seam_table_get_column_index (const SeamTable *table, const char *name)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (strcmp (seam_table_get_column (table, (int)i)->name, name) == 0)
      return (int)i;
  g_error ("A table has no column %s.", name);
}

void
seam_table_leave_out (SeamTable *table, const char *name)
{
  g_array_index (table->columns, SeamColumn, (guint)seam_table_get_column_index (table, name))
      .where = SEAM_SHOWN_NOWHERE;
}

void
seam_table_set_title (SeamTable *table, const char *name, const char *title)
{
  g_array_index (table->columns, SeamColumn, (guint)seam_table_get_column_index (table, name))
      .title = g_string_chunk_insert_const (table->words, title);
}

void
seam_table_set_unit (SeamTable *table, SeamCellKind kind, SeamUnit unit)
{
  table->units[kind] = unit;
}

SeamTableRow *
seam_table_add_row (SeamTable *table)
{
  SeamTableRow *row = g_new0 (SeamTableRow, 1);

  row->cells = g_new0 (SeamCell, table->columns->len);
  row->plan = row->index = -1;
  for (guint i = 0; i < table->columns->len; i++)
    row->cells[i].value = row->cells[i].high = NAN;
  g_ptr_array_add (table->rows, row);
  memset (table->chosen, 0, sizeof table->chosen);
  table->n_taken = 0;
  return row;
}

SeamCell *
seam_table_get_cell (SeamTable *table, SeamTableRow *row, const char *name)
{
  return &row->cells[seam_table_get_column_index (table, name)];
}

void
seam_cell_take (SeamCell *cell, char *text, const char *words)
{
  g_free (cell->text);
  g_free (cell->words);
  cell->text = text;
  cell->words = g_strdup (words);
}

SeamTableRow *
seam_table_append (SeamTable *table, int plan, int index)
{
  SeamTableRow *row = seam_table_add_row (table);

  row->plan = plan;
  row->index = index;
  return row;
}

void
seam_row_take (SeamTableRow *row, int column, char *text, double value, const char *words)
{
  seam_cell_take (&row->cells[column], text, words);
  row->cells[column].value = value;
}

void
seam_row_set_kinds (SeamTableRow *row, const SeamOpKind *kinds, int n_kinds)
{
  memcpy (row->kinds, kinds, sizeof *kinds * (gsize)n_kinds);
  row->n_kinds = n_kinds;
}

/* Cells are in base units, so percent become a fraction. */
static void
read_value (SeamCell *cell, SeamValue *value)
{
  switch (value->kind) {
  case SEAM_KIND_DOUBLE:
    cell->value = value->real / (g_strcmp0 (value->unit, "%") == 0 ? 100 : 1);
    break;
  case SEAM_KIND_UINT64:
    cell->value = (double)value->natural;
    break;
  case SEAM_KIND_TEXT:
    seam_cell_take (cell, g_steal_pointer (&value->text), NULL);
    break;
  default:
    cell->value = (double)value->integer;
  }
}

void
seam_table_read_row (SeamTable *table, SeamTableRow *row, const SeamView *view,
                     const SeamPath *path)
{
  for (guint i = 0; i < table->columns->len; i++) {
    const SeamColumn *column = seam_table_get_column (table, (int)i);
    SeamValue value;

    if (column->value == NULL || !seam_view_get (view, path, column->value, &value))
      continue;
    if (value.known)
      read_value (&row->cells[i], &value);
    seam_value_clear (&value);
  }
}

void
seam_table_take (SeamTable *table, char *text)
{
  SeamTableRow *row;

  if (table->rows->len == 0 || table->n_taken == (int)table->columns->len)
    seam_table_add_row (table);
  row = table->rows->pdata[table->rows->len - 1];
  row->cells[table->n_taken++].text = text;
}

void
seam_table_add (SeamTable *table, const char *text)
{
  seam_table_take (table, g_strdup (text));
}

int
seam_table_get_n_columns (const SeamTable *table)
{
  return (int)table->columns->len;
}

const SeamColumn *
seam_table_get_column (const SeamTable *table, int column)
{
  return &g_array_index (table->columns, SeamColumn, (guint)column);
}

int
seam_table_get_n_rows (const SeamTable *table)
{
  return (int)table->rows->len;
}

const SeamTableRow *
seam_table_get_row (const SeamTable *table, int row)
{
  return table->rows->pdata[row];
}

gboolean
seam_table_is_shown (const SeamTable *table, int column, SeamShownWhere where)
{
  const SeamColumn *own = seam_table_get_column (table, column);

  return own->where == 0 || (own->where & where) != 0;
}

/* NaN if no value of the kind is known. */
static double
get_largest (const SeamTable *table, SeamCellKind kind)
{
  double largest = NAN;

  for (guint c = 0; c < table->columns->len; c++)
    for (guint r = 0; r < table->rows->len; r++) {
      double value = seam_table_get_row (table, (int)r)->cells[c].value;

      if (seam_table_get_column (table, (int)c)->kind == kind && isfinite (value))
        largest = fmax (largest, fabs (value));
    }
  return largest;
}

/* Whether most values of the kind have fewer than two digits in the unit. */
static gboolean
is_too_coarse (const SeamTable *table, SeamCellKind kind, const SeamUnit *unit)
{
  double least = unit->scale * pow (10, 1 - formats[kind].decimals);
  int n_values = 0, n_short = 0;

  for (guint c = 0; c < table->columns->len; c++)
    for (guint r = 0; r < table->rows->len; r++) {
      double value = fabs (seam_table_get_row (table, (int)r)->cells[c].value);

      if (seam_table_get_column (table, (int)c)->kind != kind || !isfinite (value) || value == 0)
        continue;
      n_values++;
      n_short += value < least;
    }
  return 2 * n_short > n_values;
}

/* The one unit for all columns of a quantity, so that they can be compared at a glance. NULL if no
 * value is known. */
static const SeamUnit *
choose_unit (const SeamTable *table, SeamCellKind kind)
{
  SeamCellKind as = formats[kind].measured_as != 0 ? formats[kind].measured_as : kind;
  SeamUnit *chosen = &((SeamTable *)table)->chosen[as]; /* cached for the next cell */
  double largest;

  if (table->units[as].name != NULL)
    return &table->units[as];
  largest = chosen->name == NULL ? get_largest (table, as) : NAN;
  if (!isnan (largest)) {
    *chosen = formats[as].choose_unit (largest);
    /* A unit that suits only the largest value would leave the others without digits. */
    for (double size = largest / 1000; is_too_coarse (table, as, chosen); size /= 1000) {
      SeamUnit finer = formats[as].choose_unit (size);

      if (finer.scale >= chosen->scale || largest / finer.scale >= MOST_IN_UNIT)
        break;
      *chosen = finer;
    }
  }
  return chosen->name != NULL ? chosen : NULL;
}

const char *
seam_table_get_unit (const SeamTable *table, int column)
{
  const SeamColumn *own = seam_table_get_column (table, column);
  const SeamUnit *unit =
      formats[own->kind].choose_unit != NULL ? choose_unit (table, own->kind) : NULL;

  if (own->shares_unit)
    return NULL;
  return unit != NULL ? unit->name : formats[own->kind].unit;
}

char *
seam_table_format_title (const SeamTable *table, int column)
{
  const char *title = seam_table_get_column (table, column)->title;
  const char *unit = seam_table_get_unit (table, column);

  char *whole = unit != NULL ? g_strdup_printf ("%s (%s)", title, unit) : g_strdup (title);

  return g_strdelimit (whole, "\n", ' ');
}

static char *
format_number (const SeamTable *table, const SeamColumn *column, double value)
{
  SeamCellKind kind = column->kind;
  const SeamUnit *unit;

  if (isnan (value) || (value == 0 && column->zero_is_dash))
    return g_strdup (SEAM_DASH);
  if (formats[kind].format != NULL)
    return formats[kind].format (value);
  if (formats[kind].choose_unit == NULL)
    return seam_text_count ((gint64)value);
  unit = choose_unit (table, kind);
  if (unit != NULL)
    value /= unit->scale;
  return kind == SEAM_CELL_MOVED ? seam_text_change (value, formats[kind].decimals)
                                 : seam_text_fixed (value, formats[kind].decimals);
}

static char *
format_value (const SeamTable *table, const SeamCell *cell, const SeamColumn *column)
{
  g_autofree char *low = NULL, *high = NULL;

  if (cell->text != NULL)
    return g_strdup (cell->text);
  if (column->kind == SEAM_CELL_TEXT || column->kind == SEAM_CELL_NUMBER)
    return g_strdup (column->kind == SEAM_CELL_TEXT ? SEAM_DASH : "");
  low = format_number (table, column, cell->value);
  if (isnan (cell->value) || isnan (cell->high))
    return g_steal_pointer (&low);
  high = format_number (table, column, cell->high);
  return g_strdup_printf ("%s to %s", low, high);
}

char *
seam_table_format_cell (const SeamTable *table, int row, int column)
{
  const SeamTableRow *own = seam_table_get_row (table, row);
  const SeamCell *cell = &own->cells[column];
  g_autofree char *text = NULL;

  if (own->is_total && cell->text == NULL && isnan (cell->value))
    return g_strdup ("");
  text = format_value (table, cell, seam_table_get_column (table, column));
  return g_strconcat (cell->is_marked ? "! " : "", text, NULL);
}
