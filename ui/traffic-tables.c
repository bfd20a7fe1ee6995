/* SPDX-License-Identifier: MIT
 *
 * Fills the tables of the traffic page: one unit for all bytes, what B does not move struck
 * through.
 */
#include "ui/traffic-tables.h"

#include "app/figure/ledger.h"

#include <math.h>

enum {
  LEDGER_TENSOR,
  LEDGER_SHAPE,
  LEDGER_SIZE,
  LEDGER_A_WRITE,
  LEDGER_A_READ,
  LEDGER_B_WRITE,
  LEDGER_B_READ,
  LEDGER_CHANGE,
  N_LEDGER_COLUMNS
};

static const SeamColumn ledger_columns[N_LEDGER_COLUMNS] = {
  { .id = "tensor", .title = "Tensor written by", .expand = TRUE, .shows_kinds = TRUE },
  { .id = "shape", .title = "Shape", .dim = TRUE, .expand = TRUE, .wide_only = TRUE },
  { .id = "size", .title = "Size", .numeric = TRUE },
  { .id = "a-write", .title = "A write", .numeric = TRUE },
  { .id = "a-read", .title = "A read", .numeric = TRUE },
  { .id = "b-write", .title = "B write", .numeric = TRUE },
  { .id = "b-read", .title = "B read", .numeric = TRUE },
  { .id = "change", .title = "B − A", .numeric = TRUE, .bold = TRUE },
};

enum {
  GROUP_PLAN,
  GROUP_OPS,
  GROUP_KERNELS,
  GROUP_TIME,
  GROUP_WRITES,
  GROUP_READS,
  GROUP_REREADS,
  GROUP_COPIES,
  GROUP_MODELLED,
  GROUP_MEASURED,
  GROUP_APART,
  N_GROUP_COLUMNS
};

static const SeamColumn group_columns[N_GROUP_COLUMNS] = {
  { .id = "plan", .title = "Plan", .bold = TRUE },
  { .id = "ops", .title = "Ops", .expand = TRUE },
  { .id = "kernels", .title = "Kernels", .numeric = TRUE, .dim = TRUE, .wide_only = TRUE },
  { .id = "time", .title = "Time", .numeric = TRUE },
  { .id = "writes", .title = "Writes", .numeric = TRUE },
  { .id = "reads", .title = "Reads", .numeric = TRUE },
  { .id = "rereads", .title = "Reads again", .numeric = TRUE, .wide_only = TRUE },
  { .id = "copies", .title = "Copies", .numeric = TRUE, .wide_only = TRUE },
  { .id = "modelled", .title = "Modelled", .numeric = TRUE },
  { .id = "measured", .title = "Measured", .numeric = TRUE },
  { .id = "apart", .title = "Apart", .numeric = TRUE },
};

static void
set_unit (SeamTable *table, int column, const char *title, const char *unit)
{
  g_autofree char *text = g_strdup_printf ("%s (%s)", title, unit);
  seam_table_set_column_title (table, column, text);
}

static void
take_bytes (SeamTableRow *row, int column, double bytes, SeamUnit unit, const char *tooltip)
{
  seam_table_row_take_cell (row, column, seam_ledger_format_bytes (bytes, unit), bytes, tooltip);
}

/* By tensor. */

SeamTable *
seam_ledger_table_new (void)
{
  return seam_table_new (ledger_columns, N_LEDGER_COLUMNS, -1, FALSE, "Traffic ledger");
}

/* What A moves and B does not is A's number, struck through. */
static void
take_pair (SeamTableRow *row, int column_a, int column_b, double a, double b, SeamUnit unit)
{
  gboolean gone = seam_ledger_is_gone (a, b);

  take_bytes (row, column_a, a, unit, NULL);
  take_bytes (row, column_b, gone ? a : b, unit,
              gone ? "This transfer is not made: it stays on the chip" : NULL);
  if (gone)
    seam_table_row_set_class (row, column_b, "gone");
}

static SeamTableRow *
make_ledger_row (const SeamLedgerRow *source, int index, SeamUnit unit)
{
  SeamTableRow *row = seam_table_row_new (-1, index, N_LEDGER_COLUMNS);
  double change = source->sums[1] - source->sums[0];

  seam_table_row_take_cell (row, LEDGER_TENSOR, g_strdup (source->label), NAN, source->shape);
  if (source->kind == SEAM_LEDGER_ACTIVATION)
    seam_table_row_set_kinds (row, &source->op_kind, 1);
  seam_table_row_take_cell (row, LEDGER_SHAPE, g_strdup (source->shape), NAN, NULL);
  take_bytes (row, LEDGER_SIZE, source->bytes, unit, NULL);
  if (source->kind == SEAM_LEDGER_COPIES) {
    take_pair (row, LEDGER_A_READ, LEDGER_B_READ, source->sums[0], source->sums[1], unit);
  } else {
    take_pair (row, LEDGER_A_WRITE, LEDGER_B_WRITE, source->sides[0].written,
               source->sides[1].written, unit);
    take_pair (row, LEDGER_A_READ, LEDGER_B_READ, source->sides[0].read + source->sides[0].reread,
               source->sides[1].read + source->sides[1].reread, unit);
  }
  seam_table_row_take_cell (row, LEDGER_CHANGE, seam_ledger_format_change (change, unit), change,
                            NULL);
  if (change != 0)
    seam_table_row_set_class (row, LEDGER_CHANGE, change < 0 ? "success" : "error");
  return row;
}

void
seam_ledger_table_fill (SeamTable *table, const SeamTrafficLedger *ledger)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  SeamUnit unit = seam_ledger_get_unit (ledger);

  set_unit (table, LEDGER_SIZE, "Size", unit.name);
  g_autofree char *change = g_strdup_printf ("%c − A", ledger->letters[1]);
  g_autofree char *write = g_strdup_printf ("%c write", ledger->letters[1]);
  g_autofree char *read = g_strdup_printf ("%c read", ledger->letters[1]);

  set_unit (table, LEDGER_CHANGE, change, unit.name);
  seam_table_set_column_title (table, LEDGER_B_WRITE, write);
  seam_table_set_column_title (table, LEDGER_B_READ, read);
  for (int i = 0; i < ledger->n_rows; i++)
    g_ptr_array_add (rows, make_ledger_row (&ledger->rows[i], i, unit));
  seam_table_set_rows (table, rows);
}

/* By group. */

SeamTable *
seam_group_table_new (void)
{
  return seam_table_new (group_columns, N_GROUP_COLUMNS, -1, FALSE, "Traffic of each kernel");
}

static SeamTableRow *
make_group_row (const SeamLedgerGroup *group, char letter, SeamUnit unit, SeamUnit time)
{
  SeamTableRow *row = seam_table_row_new (group->side, group->group, N_GROUP_COLUMNS);
  g_autofree char *apart = seam_ledger_format_apart (group->apart);
  gboolean marked = group->remark != NULL;

  seam_table_row_take_cell (row, GROUP_PLAN, g_strdup_printf ("%c", letter), NAN, NULL);
  seam_table_row_take_cell (row, GROUP_OPS, g_strdup (group->ops), NAN, group->ops);
  seam_table_row_take_cell (row, GROUP_KERNELS,
                            group->n_kernels >= 0 ? seam_text_count (group->n_kernels)
                                                  : g_strdup (SEAM_DASH),
                            group->n_kernels >= 0 ? group->n_kernels : NAN, NULL);
  seam_table_row_take_cell (row, GROUP_TIME, seam_text_fixed (group->time_ns / time.scale, 3),
                            group->time_ns, NULL);
  take_bytes (row, GROUP_WRITES, group->modelled.written, unit, NULL);
  take_bytes (row, GROUP_READS, group->modelled.read, unit, NULL);
  take_bytes (row, GROUP_REREADS, group->modelled.reread, unit, NULL);
  take_bytes (row, GROUP_COPIES, group->copies, unit, NULL);
  take_bytes (row, GROUP_MODELLED, seam_transfers_sum (&group->modelled) + group->copies, unit,
              NULL);
  take_bytes (row, GROUP_MEASURED, group->measured_read + group->measured_write, unit,
              isnan (group->apart) ? "DRAM counters: not measured" : NULL);
  seam_table_row_take_cell (row, GROUP_APART, g_strdup_printf ("%s%s", marked ? "! " : "", apart),
                            group->apart, group->remark);
  if (marked)
    seam_table_row_set_class (row, GROUP_APART, "warning");
  return row;
}

void
seam_group_table_fill (SeamTable *table, const SeamTrafficLedger *ledger)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  SeamUnit unit = seam_ledger_get_unit (ledger);
  double longest = 0;

  for (int i = 0; i < ledger->n_groups; i++)
    longest = fmax (longest, ledger->groups[i].time_ns);
  SeamUnit time = seam_unit_for_time (longest);
  if (longest > 0)
    set_unit (table, GROUP_TIME, "Time", time.name);
  else
    seam_table_set_column_title (table, GROUP_TIME, "Time");
  set_unit (table, GROUP_WRITES, "Writes", unit.name);
  set_unit (table, GROUP_MODELLED, "Modelled", unit.name);
  for (int i = 0; i < ledger->n_groups; i++)
    g_ptr_array_add (rows, make_group_row (&ledger->groups[i],
                                           ledger->letters[ledger->groups[i].side], unit, time));
  seam_table_set_rows (table, rows);
}
