/* SPDX-License-Identifier: MIT
 *
 * Fills the tables of the traffic page: one unit for all bytes, what B does not move struck
 * through.
 */
#include "ui/traffic-tables.h"

#include "app/report/ledger.h"

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
  { .name = "tensor", .title = "Tensor written by", .expand = TRUE, .shows_kinds = TRUE },
  { .name = "shape", .title = "Shape", .dim = TRUE, .expand = TRUE, .wide_only = TRUE },
  { .name = "size", .title = "Size", .kind = SEAM_CELL_NUMBER },
  { .name = "a-write", .title = "A write", .kind = SEAM_CELL_NUMBER },
  { .name = "a-read", .title = "A read", .kind = SEAM_CELL_NUMBER },
  { .name = "b-write", .title = "B write", .kind = SEAM_CELL_NUMBER },
  { .name = "b-read", .title = "B read", .kind = SEAM_CELL_NUMBER },
  { .name = "change", .title = "B − A", .kind = SEAM_CELL_NUMBER, .bold = TRUE },
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
  { .name = "plan", .title = "Plan", .bold = TRUE },
  { .name = "ops", .title = "Ops", .expand = TRUE },
  { .name = "kernels",
    .title = "Kernels",
    .kind = SEAM_CELL_NUMBER,
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "time", .title = "Time", .kind = SEAM_CELL_NUMBER },
  { .name = "writes", .title = "Writes", .kind = SEAM_CELL_NUMBER },
  { .name = "reads", .title = "Reads", .kind = SEAM_CELL_NUMBER },
  { .name = "rereads", .title = "Reads again", .kind = SEAM_CELL_NUMBER, .wide_only = TRUE },
  { .name = "copies", .title = "Copies", .kind = SEAM_CELL_NUMBER, .wide_only = TRUE },
  { .name = "modelled", .title = "Modelled", .kind = SEAM_CELL_NUMBER },
  { .name = "measured", .title = "Measured", .kind = SEAM_CELL_NUMBER },
  { .name = "apart", .title = "Apart", .kind = SEAM_CELL_NUMBER },
};

static void
set_unit (SeamTable *rows, const SeamColumn *column, const char *title, const char *unit)
{
  g_autofree char *text = g_strdup_printf ("%s (%s)", title, unit);
  seam_table_set_title (rows, column->name, text);
}

static void
take_bytes (SeamTableRow *row, int column, double bytes, SeamUnit unit, const char *tooltip)
{
  seam_row_take (row, column, seam_ledger_format_bytes (bytes, unit), bytes, tooltip);
}

/* By tensor. */

SeamTableView *
seam_ledger_table_new (void)
{
  return seam_table_view_new (seam_table_new (ledger_columns, N_LEDGER_COLUMNS), NULL, FALSE,
                              "Traffic ledger");
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
    row->cells[column_b].tone = SEAM_TONE_GONE;
}

static void
add_ledger_row (SeamTable *rows, const SeamLedgerRow *source, int index, SeamUnit unit)
{
  SeamTableRow *row = seam_table_append (rows, -1, index);
  double change = source->sums[1] - source->sums[0];

  seam_row_take (row, LEDGER_TENSOR, g_strdup (source->label), NAN, source->shape);
  if (source->kind == SEAM_LEDGER_ACTIVATION)
    seam_row_set_kinds (row, &source->op_kind, 1);
  seam_row_take (row, LEDGER_SHAPE, g_strdup (source->shape), NAN, NULL);
  take_bytes (row, LEDGER_SIZE, source->bytes, unit, NULL);
  if (source->kind == SEAM_LEDGER_COPIES) {
    take_pair (row, LEDGER_A_READ, LEDGER_B_READ, source->sums[0], source->sums[1], unit);
  } else {
    take_pair (row, LEDGER_A_WRITE, LEDGER_B_WRITE, source->sides[0].written,
               source->sides[1].written, unit);
    take_pair (row, LEDGER_A_READ, LEDGER_B_READ, source->sides[0].read + source->sides[0].reread,
               source->sides[1].read + source->sides[1].reread, unit);
  }
  seam_row_take (row, LEDGER_CHANGE, seam_ledger_format_change (change, unit), change, NULL);
  if (change != 0)
    row->cells[LEDGER_CHANGE].tone = change < 0 ? SEAM_TONE_GOOD : SEAM_TONE_BAD;
}

void
seam_ledger_table_fill (SeamTableView *table, const SeamTrafficLedger *ledger)
{
  g_autoptr (SeamTable) rows = seam_table_new (ledger_columns, N_LEDGER_COLUMNS);
  SeamUnit unit = seam_ledger_get_unit (ledger);

  set_unit (rows, &ledger_columns[LEDGER_SIZE], "Size", unit.name);
  g_autofree char *change = g_strdup_printf ("%c − A", ledger->letters[1]);
  g_autofree char *write = g_strdup_printf ("%c write", ledger->letters[1]);
  g_autofree char *read = g_strdup_printf ("%c read", ledger->letters[1]);

  set_unit (rows, &ledger_columns[LEDGER_CHANGE], change, unit.name);
  seam_table_set_title (rows, ledger_columns[LEDGER_B_WRITE].name, write);
  seam_table_set_title (rows, ledger_columns[LEDGER_B_READ].name, read);
  for (int i = 0; i < ledger->n_rows; i++)
    add_ledger_row (rows, &ledger->rows[i], i, unit);
  seam_table_view_set_table (table, rows);
}

/* By group. */

SeamTableView *
seam_group_table_new (void)
{
  return seam_table_view_new (seam_table_new (group_columns, N_GROUP_COLUMNS), NULL, FALSE,
                              "Traffic of each kernel");
}

static void
add_group_row (SeamTable *rows, const SeamTrafficLedger *ledger, const SeamLedgerGroup *group,
               SeamUnit unit, SeamUnit time)
{
  SeamTableRow *row = seam_table_append (rows, group->side, group->group);
  g_autofree char *apart = seam_ledger_format_apart (group->apart);
  gboolean marked = group->remark != NULL;

  g_autofree char *not_measured = g_strdup_printf ("DRAM counters: %s", ledger->not_measured);

  seam_row_take (row, GROUP_PLAN, g_strdup_printf ("%c", ledger->letters[group->side]), NAN, NULL);
  seam_row_take (row, GROUP_OPS, g_strdup (group->ops), NAN, group->ops);
  seam_row_take (row, GROUP_KERNELS,
                 group->n_kernels >= 0 ? seam_text_count (group->n_kernels) : g_strdup (SEAM_DASH),
                 group->n_kernels >= 0 ? group->n_kernels : NAN, NULL);
  seam_row_take (row, GROUP_TIME, seam_text_fixed (group->time_ns / time.scale, 3), group->time_ns,
                 NULL);
  take_bytes (row, GROUP_WRITES, group->modelled.written, unit, NULL);
  take_bytes (row, GROUP_READS, group->modelled.read, unit, NULL);
  take_bytes (row, GROUP_REREADS, group->modelled.reread, unit, NULL);
  take_bytes (row, GROUP_COPIES, group->copies, unit, NULL);
  take_bytes (row, GROUP_MODELLED, seam_transfers_sum (&group->modelled) + group->copies, unit,
              NULL);
  take_bytes (row, GROUP_MEASURED, group->measured_read + group->measured_write, unit,
              isnan (group->apart) ? not_measured : NULL);
  seam_row_take (row, GROUP_APART, g_strdup_printf ("%s%s", marked ? "! " : "", apart),
                 group->apart, group->remark);
  if (marked)
    row->cells[GROUP_APART].tone = SEAM_TONE_WARNING;
}

void
seam_group_table_fill (SeamTableView *table, const SeamTrafficLedger *ledger)
{
  g_autoptr (SeamTable) rows = seam_table_new (group_columns, N_GROUP_COLUMNS);
  SeamUnit unit = seam_ledger_get_unit (ledger);
  double longest = 0;

  for (int i = 0; i < ledger->n_groups; i++)
    longest = fmax (longest, ledger->groups[i].time_ns);
  SeamUnit time = seam_unit_for_time (longest);
  if (longest > 0)
    set_unit (rows, &group_columns[GROUP_TIME], "Time", time.name);
  set_unit (rows, &group_columns[GROUP_WRITES], "Writes", unit.name);
  set_unit (rows, &group_columns[GROUP_MODELLED], "Modelled", unit.name);
  for (int i = 0; i < ledger->n_groups; i++)
    add_group_row (rows, ledger, &ledger->groups[i], unit, time);
  seam_table_view_set_table (table, rows);
}
