/* SPDX-License-Identifier: MIT
 *
 * Tensors as a table and as CSV. Columns of the CSV, which keep name, unit and place for good (new
 * ones come last):
 *   pipeline, plan, target, math_mode, shape, tensor, tensor_kind ("input", "activation", "output",
 *   "parameter"), dims ("128x32x254x254"), tensor_bytes, group, ops, written_bytes, read_bytes,
 *   reread_bytes (again by the same group), pitfalls and storage.
 */
#include "app/report/ledger-table.h"

#include "app/explain/read-result.h"

#include <math.h>
#include <string.h>

char *
seam_ledger_join_ops (const SeamPlan *plan, int group)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  GString *text = g_string_new (NULL);

  for (int op = plan->groups[group].first; op <= plan->groups[group].last; op++)
    g_string_append_printf (text, "%s%s", op > plan->groups[group].first ? "+" : "",
                            chain->ops[op].name);
  return g_string_free (text, FALSE);
}

/* The CSV. */

/* The traffic between one group and one tensor. */
typedef struct {
  const SeamPlan *plan;
  int tensor, group;
  const SeamTensor *info; /* the tensor's */
  SeamTransfers transfers;
} Entry;

static const char *
get_kind (const Entry *entry)
{
  const SeamChain *chain = seam_plan_get_chain (entry->plan);

  const int param = entry->tensor - SEAM_TENSOR_PARAM (chain->n_ops, 0);

  if (entry->tensor == SEAM_TENSOR_INPUT
      || (param >= 0 && entry->plan->pipeline->params[param].role == SEAM_PARAM_INPUT))
    return "input";
  if (entry->tensor >= SEAM_TENSOR_PARAM (chain->n_ops, 0))
    return "parameter";
  return entry->tensor == SEAM_TENSOR_OUTPUT (chain->n_ops - 1) ? "output" : "activation";
}

SEAM_COMPUTE (compute_kind, text, get_kind (path->record))

/* The problem names output tensors by the ops of the pipeline. An exhibit has these in another
 * order, so the name is that of the op in its own chain. */
static void
compute_tensor (const SeamPath *path, SeamValue *value)
{
  const Entry *entry = path->record;
  const SeamChain *chain = seam_plan_get_chain (entry->plan);
  const char *kind = get_kind (entry);
  gboolean by_op = strcmp (kind, "activation") == 0 || strcmp (kind, "output") == 0;

  seam_value_set_text (value, by_op ? chain->ops[entry->tensor - SEAM_TENSOR_OUTPUT (0)].name
                                    : entry->info->name);
}

static void
compute_dims (const SeamPath *path, SeamValue *value)
{
  const SeamTensor *tensor = ((const Entry *)path->record)->info;
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < tensor->shape.n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "x" : "", tensor->shape.dims[i]);
  seam_value_set_text (value, text->str);
}

SEAM_COMPUTE (compute_bytes, integer, SEAM_RECORD (Entry, path)->info->bytes)

static void
compute_ops (const SeamPath *path, SeamValue *value)
{
  const Entry *entry = path->record;
  g_autofree char *ops = seam_ledger_join_ops (entry->plan, entry->group);

  seam_value_set_text (value, ops);
}

static const SeamField entry_fields[] = {
  SEAM_COMPUTED ("tensor", compute_tensor),
  SEAM_COMPUTED ("tensor_kind", compute_kind),
  SEAM_COMPUTED ("dims", compute_dims),
  SEAM_COMPUTED ("tensor_bytes", compute_bytes),
  { SEAM_FIELD (Entry, group, INT) },
  SEAM_COMPUTED ("ops", compute_ops),
  { .name = "written_bytes", SEAM_AT (Entry, transfers.written, DOUBLE), .unit = "B" },
  { .name = "read_bytes", SEAM_AT (Entry, transfers.read, DOUBLE), .unit = "B" },
  { .name = "reread_bytes", SEAM_AT (Entry, transfers.reread, DOUBLE), .unit = "B" },
  { NULL },
};

static const SeamRecordType entry_type = {
  .name = "entry",
  .size = sizeof (Entry),
  .fields = entry_fields,
};

static const SeamView entries_view = {
  .header = "pipeline,plan,target,math_mode,shape,tensor,tensor_kind,dims,tensor_bytes,group,ops,"
            "written_bytes,read_bytes,reread_bytes,pitfalls,storage",
};

static gboolean
add_plan (SeamViewWriter *writer, SeamPath *plan, const SeamProblem *problem, GError **error)
{
  const SeamResult *result = plan->outer->record;
  g_autoptr (SeamPlan) parsed = seam_explain_read_plan (result, plan->index, error);
  g_autofree SeamLedger *ledger = g_new (SeamLedger, 1);
  Entry entry = { .plan = parsed };
  SeamPath path = { .type = &entry_type, .record = &entry, .outer = plan };

  if (parsed == NULL)
    return FALSE;
  plan->record = &result->plans[plan->index];
  seam_ledger_fill (problem, parsed, ledger);
  for (entry.group = 0; entry.group < ledger->n_groups; entry.group++)
    for (entry.tensor = 0; entry.tensor < ledger->n_tensors; entry.tensor++) {
      entry.info = &problem->tensors[entry.tensor];
      entry.transfers = ledger->cells[entry.tensor][entry.group];
      if (seam_transfers_sum (&entry.transfers) > 0)
        seam_view_add_row (writer, &path);
    }
  return TRUE;
}

char *
seam_ledger_to_csv (const SeamResult *result, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  SeamPath entry = { .type = &entry_type, .outer = &plan };
  SeamViewWriter *writer;
  gboolean is_whole = TRUE;
  char *csv;

  if (problem == NULL)
    return NULL;
  writer = seam_view_open (&entries_view, &entry);
  for (plan.index = 0; is_whole && plan.index < result->n_plans; plan.index++)
    is_whole = add_plan (writer, &plan, problem, error);
  csv = seam_view_close (writer);
  if (is_whole)
    return csv;
  g_free (csv);
  return NULL;
}

/* The table for people. */

#define TRANSFERS(n, t)                                                                            \
  {                                                                                                \
    .name = n, .title = t, .kind = SEAM_CELL_BYTES, .shares_unit = TRUE, .zero_is_dash = TRUE      \
  }

static const SeamColumn columns[] = {
  { .name = "tensor", .title = "Tensor written by", .expand = TRUE, .shows_kinds = TRUE },
  { .name = "shape", .title = "Shape", .dim = TRUE, .expand = TRUE, .wide_only = TRUE },
  { .name = "size", .title = "Size", .kind = SEAM_CELL_BYTES, .zero_is_dash = TRUE },
  TRANSFERS ("a-write", "A write"),
  TRANSFERS ("a-read", "A read"),
  TRANSFERS ("b-write", "B write"),
  TRANSFERS ("b-read", "B read"),
  { .name = "change", .title = "B − A", .kind = SEAM_CELL_MOVED, .bold = TRUE },
};

SeamUnit
seam_ledger_get_unit (const SeamTrafficLedger *ledger)
{
  double largest = ledger->modelled[0];

  if (ledger->n_sides > 1)
    largest = fmax (largest, ledger->modelled[1]);
  return seam_unit_for_bytes (largest);
}

SeamTable *
seam_ledger_table_new (void)
{
  return seam_table_new (columns, G_N_ELEMENTS (columns));
}

/* A transfer that A makes and B does not stands in B's column as A's number, struck through. */
static void
fill_pair (SeamTable *table, SeamTableRow *row, const char *column_a, const char *column_b,
           double a, double b)
{
  SeamCell *cell = seam_table_get_cell (table, row, column_b);

  seam_table_get_cell (table, row, column_a)->value = a;
  cell->value = b;
  if (!seam_ledger_is_gone (a, b))
    return;
  cell->value = a;
  cell->tone = SEAM_TONE_GONE;
  cell->words = g_strdup ("This transfer is not made: it stays on the chip");
}

static void
fill_change (SeamCell *cell, double change)
{
  cell->value = change;
  if (change != 0 && !isnan (change))
    cell->tone = change < 0 ? SEAM_TONE_GOOD : SEAM_TONE_BAD;
}

static double
get_read (const SeamTransfers *transfers)
{
  return transfers->read + transfers->reread;
}

static void
add_row (SeamTable *table, const SeamLedgerRow *source, int index)
{
  SeamTableRow *row = seam_table_append (table, -1, index);
  const SeamTransfers *a = &source->sides[0], *b = &source->sides[1];

  seam_cell_take (seam_table_get_cell (table, row, "tensor"), g_strdup (source->label),
                  source->shape);
  if (source->kind == SEAM_LEDGER_ACTIVATION)
    seam_row_set_kinds (row, &source->op_kind, 1);
  seam_cell_take (seam_table_get_cell (table, row, "shape"), g_strdup (source->shape), NULL);
  seam_table_get_cell (table, row, "size")->value = source->bytes;
  if (source->kind == SEAM_LEDGER_COPIES) {
    fill_pair (table, row, "a-read", "b-read", source->sums[0], source->sums[1]);
  } else {
    fill_pair (table, row, "a-write", "b-write", a->written, b->written);
    fill_pair (table, row, "a-read", "b-read", get_read (a), get_read (b));
  }
  fill_change (seam_table_get_cell (table, row, "change"), source->sums[1] - source->sums[0]);
}

/* The sum of a whole plan stands in its column of reads. */
static void
add_total (SeamTable *table, const char *title, const double *sums)
{
  static const char *const names[] = { "a-read", "b-read" };
  SeamTableRow *row = seam_table_append (table, -1, -1);

  row->is_total = TRUE;
  seam_cell_take (seam_table_get_cell (table, row, "tensor"), g_strdup (title), NULL);
  for (int side = 0; side < 2; side++) {
    SeamCell *cell = seam_table_get_cell (table, row, names[side]);

    cell->value = sums[side];
    if (isnan (sums[side]))
      cell->text = g_strdup (SEAM_DASH);
  }
  fill_change (seam_table_get_cell (table, row, "change"), sums[1] - sums[0]);
}

/* Puts the letters of the plans into the titles of their columns, and leaves out those of a second
 * plan if there is none. */
static void
set_letters (SeamTable *table, const SeamTrafficLedger *ledger)
{
  static const struct {
    const char *column, *format;
    int side;
  } titles[] = { { "a-write", "%c write", 0 },
                 { "a-read", "%c read", 0 },
                 { "b-write", "%c write", 1 },
                 { "b-read", "%c read", 1 },
                 { "change", "%c − %c", 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++) {
    g_autofree char *title =
        g_strdup_printf (titles[i].format, ledger->letters[titles[i].side], ledger->letters[0]);

    if (titles[i].side < ledger->n_sides)
      seam_table_set_title (table, titles[i].column, title);
    else
      seam_table_leave_out (table, titles[i].column);
  }
}

SeamTable *
seam_ledger_table_make (const SeamTrafficLedger *ledger)
{
  SeamTable *table = seam_ledger_table_new ();

  set_letters (table, ledger);
  seam_table_set_unit (table, SEAM_CELL_BYTES, seam_ledger_get_unit (ledger));
  for (int i = 0; i < ledger->n_rows; i++)
    add_row (table, &ledger->rows[i], i);
  add_total (table, "Modelled", ledger->modelled);
  add_total (table, "DRAM counters", ledger->measured);
  return table;
}
