/* SPDX-License-Identifier: MIT
 *
 * Kernels as a table and as CSV, and after those of each plan its other pieces
 * (app/explain/pieces.h). Columns of the CSV, which keep name, unit and place for good (new ones
 * come last):
 *   pipeline, plan, target, math_mode, shape, index, name, short_name, group, ops,
 *   implementation, is_copy, median_ns, start_ns, n_samples, modelled_bytes, bytes_per_s, share (of
 *   the elapsed median; those of a plan add up to 1), registers, shared_bytes, grid_x…z, block_x…z,
 *   dram_bytes_read, dram_bytes_written, l2_bytes, dram_percent, sm_percent, tensor_percent,
 *   occupancy_percent (measured by counters), call_start_ns, call_ns (of the host, tracing on),
 *   pitfalls, over_peak (sentences of measured rates that no device can have), launch_mode,
 * storage, init and kind (kernel, gaps, rest).
 */
#include "app/report/kernels-table.h"

#include "app/base/text.h"
#include "app/compare/exceeded.h"
#include "app/explain/pieces.h"
#include "app/explain/read-result.h"

#include <math.h>
#include <string.h>

/* Data that the rows of a plan need beside its record. */
typedef struct {
  SeamPieces pieces;
  GPtrArray *exceeded;
  SeamPlan *parsed;       /* NULL if the result's pipeline cannot be read */
  const SeamChain *chain; /* of `parsed` */
} PlanRows;

static void
plan_rows_init (PlanRows *rows, const SeamResult *result, int index)
{
  seam_pieces_init (&rows->pieces, result, index);
  rows->exceeded = seam_exceeded_list (result, index);
  rows->parsed = seam_explain_read_plan (result, index, NULL);
  rows->chain = rows->parsed != NULL ? seam_plan_get_chain (rows->parsed) : NULL;
}

static void
plan_rows_clear (PlanRows *rows)
{
  g_ptr_array_unref (rows->exceeded);
  seam_plan_unref (rows->parsed);
}

/* The ops of a kernel in the plan's notation: "conv+conv_bias". The notation names the ops of the
 * chain in order, so the k-th name is op k; the notation of an exhibit starts with the name of its
 * chain and a colon. */
static char *
get_ops (const char *notation, int first, int last)
{
  GString *text = g_string_new (NULL);
  const char *colon = strchr (notation, ':');
  g_auto (GStrv) words = g_strsplit_set (colon != NULL ? colon + 1 : notation, "+|", -1);

  for (int i = 0; words[i] != NULL; i++) {
    if (i < first || i > last)
      continue;
    char *at = strchr (words[i], '@');
    if (at != NULL)
      *at = '\0';
    g_string_append_printf (text, "%s%s", text->len > 0 ? "+" : "", words[i]);
  }
  return g_string_free (text, FALSE);
}

/* Gaps and rest are rows like kernels, of no group. */
static gboolean
is_kernel (const SeamPath *path)
{
  return ((const SeamKernel *)path->record)->group >= 0;
}

SEAM_COMPUTE (compute_kind, text,
              is_kernel (path)               ? "kernel"
              : path->index == SEAM_ROW_GAPS ? "gaps"
                                             : "rest")

static void
compute_index (const SeamPath *path, SeamValue *value)
{
  if (is_kernel (path))
    seam_value_set_integer (value, path->index);
}

static void
compute_group (const SeamPath *path, SeamValue *value)
{
  if (is_kernel (path))
    seam_value_set_integer (value, ((const SeamKernel *)path->record)->group);
}

static void
compute_ops (const SeamPath *path, SeamValue *value)
{
  const SeamKernel *kernel = path->record;
  const SeamPlanResult *plan = path->outer->record;
  g_autofree char *ops =
      get_ops (plan->notation != NULL ? plan->notation : "", kernel->first_op, kernel->last_op);

  seam_value_set_text (value, ops);
}

static void
compute_n_samples (const SeamPath *path, SeamValue *value)
{
  if (is_kernel (path) || path->index == SEAM_ROW_GAPS)
    seam_value_set_integer (value, ((const SeamKernel *)path->record)->n_samples);
}

static void
compute_rate (const SeamPath *path, SeamValue *value)
{
  const SeamKernel *kernel = path->record;

  seam_value_set_double (value,
                         kernel->median_ns > 0 ? kernel->bytes / (kernel->median_ns * 1e-9) : NAN);
}

static void
compute_share (const SeamPath *path, SeamValue *value)
{
  const SeamPlanResult *plan = path->outer->record;
  double ns = ((const SeamKernel *)path->record)->median_ns;

  seam_value_set_double (value, plan->median_ns > 0 ? ns / plan->median_ns : NAN);
}

static void
compute_kernel_over_peak (const SeamPath *path, SeamValue *value)
{
  const PlanRows *plan = path->outer->data;
  g_autofree char *over = seam_exceeded_describe (plan->exceeded, path->index);

  seam_value_set_text (value, over);
}

static const SeamField kernel_columns[] = {
  SEAM_COMPUTED ("index", compute_index),
  SEAM_COMPUTED ("group", compute_group),
  SEAM_COMPUTED ("ops", compute_ops),
  SEAM_COMPUTED ("kind", compute_kind),
  SEAM_COMPUTED ("n_samples", compute_n_samples),
  SEAM_COMPUTED ("bytes_per_s", compute_rate),
  SEAM_COMPUTED ("share", compute_share),
  SEAM_COMPUTED ("over_peak", compute_kernel_over_peak),
  { NULL },
};

static const SeamView kernels_view = {
  .header = "pipeline,plan,target,math_mode,shape,index,name,short_name,group,ops,implementation,"
            "is_copy,median_ns,start_ns,n_samples,modelled_bytes,bytes_per_s,share,registers,"
            "shared_bytes,grid_x,grid_y,grid_z,block_x,block_y,block_z,dram_bytes_read,"
            "dram_bytes_written,l2_bytes,dram_percent,sm_percent,tensor_percent,occupancy_percent,"
            "call_start_ns,call_ns,pitfalls,over_peak,launch_mode,storage,init,kind",
  .computed = kernel_columns,
};

typedef void (*AddRow) (const SeamPath *kernel, gpointer data);

/* Calls `add` for every kernel of the plan and, as if they were kernels, for gaps and rest. */
static void
for_each_piece (const SeamPath *plan, AddRow add, gpointer data)
{
  const SeamPlanResult *of = plan->record;
  const PlanRows *rows = plan->data;
  SeamPath path = { .type = &seam_kernel_type, .outer = plan };
  SeamKernel piece;

  for (path.index = 0; path.index < of->n_kernels; path.index++) {
    path.record = &of->kernels[path.index];
    add (&path, data);
  }
  if (isnan (rows->pieces.rest_ns))
    return;
  seam_kernel_init (&piece);
  piece.group = -1;
  piece.first_op = SEAM_MAX_OP; /* none of the chain's */
  path.record = &piece;
  if (rows->pieces.gaps_ns > 0) {
    piece.short_name = (char *)"gaps";
    piece.median_ns = rows->pieces.gaps_ns;
    piece.n_samples = of->n_traces;
    path.index = SEAM_ROW_GAPS;
    add (&path, data);
  }
  piece.short_name = (char *)seam_pieces_get_name (&rows->pieces);
  piece.median_ns = rows->pieces.rest_ns;
  piece.n_samples = 0;
  path.index = of->n_kernels;
  add (&path, data);
}

static void
add_csv_row (const SeamPath *kernel, gpointer data)
{
  seam_view_add_row (data, kernel);
}

char *
seam_result_kernels_to_csv (const SeamResult *result)
{
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  SeamPath kernel = { .type = &seam_kernel_type, .outer = &plan };
  SeamViewWriter *writer = seam_view_open (&kernels_view, &kernel);

  for (plan.index = 0; plan.index < result->n_plans; plan.index++) {
    PlanRows rows;

    plan_rows_init (&rows, result, plan.index);
    plan.record = &result->plans[plan.index];
    plan.data = &rows;
    for_each_piece (&plan, add_csv_row, writer);
    plan_rows_clear (&rows);
  }
  return seam_view_close (writer);
}

/* The table for people. */

static const SeamColumn columns[] = {
  { .name = "plan", .title = "Plan", .bold = TRUE },
  { .name = "kernel", .title = "Kernel", .value = "short_name", .expand = TRUE },
  { .name = "ops", .title = "Ops", .expand = TRUE, .dim = TRUE, .shows_kinds = TRUE },
  { .name = "implementation",
    .title = "Implementation",
    .value = "implementation",
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "median", .title = "Median", .kind = SEAM_CELL_TIME, .value = "median_ns" },
  { .name = "share", .title = "Share", .kind = SEAM_CELL_PERCENT, .value = "share" },
  { .name = "traffic", .title = "Traffic", .kind = SEAM_CELL_BYTES, .value = "modelled_bytes" },
  { .name = "rate", .title = "Rate", .kind = SEAM_CELL_RATE, .value = "bytes_per_s" },
  { .name = "samples",
    .title = "Samples",
    .kind = SEAM_CELL_COUNT,
    .value = "n_samples",
    .dim = TRUE,
    .wide_only = TRUE },
};

SeamTable *
seam_kernels_table_new (void)
{
  return seam_table_new (columns, G_N_ELEMENTS (columns));
}

/* The ops of a kernel: their names, and their kinds for the chips. */
static void
fill_ops (SeamTableRow *row, SeamCell *cell, const SeamChain *chain, const SeamKernel *kernel)
{
  GString *names = g_string_new (NULL);

  for (int op = MAX (kernel->first_op, 0);
       chain != NULL && op <= kernel->last_op && op < chain->n_ops; op++) {
    g_string_append_printf (names, "%s%s", row->n_kinds > 0 ? " + " : "", chain->ops[op].label);
    row->kinds[row->n_kinds++] = seam_op_get_kind (&chain->ops[op]);
  }
  if (kernel->is_copy) {
    row->kinds[0] = SEAM_KIND_COPY;
    row->n_kinds = 1;
    /* The copy may be a memset with which a library clears its workspace. */
    g_string_prepend (names,
                      kernel->short_name != NULL && g_str_has_suffix (kernel->short_name, " memset")
                          ? "memset for "
                          : "copy for ");
  }
  if (names->len > 0)
    seam_cell_take (cell, g_strdup (names->str), names->str);
  g_string_free (names, TRUE);
}

/* What gaps and rest are, in the place of the ops; why there is a rest, as the tooltip. */
static void
fill_piece (SeamCell *name, SeamCell *ops, const SeamPieces *pieces, gboolean is_gaps)
{
  const SeamUnit unit = seam_unit_for_time (pieces->traced_ns + fmax (0, pieces->rest_ns));

  name->words = is_gaps ? g_strdup ("Time between kernels in which none runs")
                        : seam_pieces_explain (pieces, unit);
  name->words[0] = g_ascii_toupper (name->words[0]);
  ops->text = g_strdup (is_gaps               ? "span − sum of kernels"
                        : pieces->rest_ns < 0 ? "elapsed − traced, negative: the trace took longer"
                                              : "elapsed − traced");
}

typedef struct {
  SeamTable *table;
  const char *plan; /* as the rows name it */
} TableRows;

static void
add_table_row (const SeamPath *path, gpointer data)
{
  const TableRows *rows = data;
  const SeamKernel *kernel = path->record;
  const PlanRows *plan = path->outer->data;
  SeamTable *table = rows->table;
  SeamTableRow *row = seam_table_append (table, path->outer->index, path->index);
  SeamCell *name = seam_table_get_cell (table, row, "kernel");
  SeamCell *rate = seam_table_get_cell (table, row, "rate");

  seam_table_read_row (table, row, &kernels_view, path);
  seam_cell_take (seam_table_get_cell (table, row, "plan"), g_strdup (rows->plan), NULL);
  if (!is_kernel (path)) {
    fill_piece (name, seam_table_get_cell (table, row, "ops"), &plan->pieces,
                path->index == SEAM_ROW_GAPS);
    return;
  }
  if (name->text == NULL)
    name->text = g_strdup (kernel->name);
  name->words = g_strdup (kernel->name != NULL ? kernel->name : kernel->short_name);
  fill_ops (row, seam_table_get_cell (table, row, "ops"), plan->chain, kernel);
  rate->words = seam_exceeded_describe (plan->exceeded, path->index);
  if (rate->words != NULL)
    rate->tone = SEAM_TONE_BAD;
}

SeamTable *
seam_kernels_table_make (const SeamResult *result, int n_shown)
{
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  TableRows rows = { .table = seam_kernels_table_new () };
  int n = n_shown > 0 ? MIN (n_shown, result->n_plans) : result->n_plans;

  for (plan.index = 0; plan.index < n; plan.index++) {
    const SeamPlanResult *of = &result->plans[plan.index];
    const char letter[] = { seam_plan_get_letter (plan.index), '\0' };
    PlanRows data;

    plan_rows_init (&data, result, plan.index);
    plan.record = of;
    plan.data = &data;
    rows.plan = n_shown > 0 ? letter : seam_plan_result_get_name (of);
    for_each_piece (&plan, add_table_row, &rows);
    plan_rows_clear (&data);
  }
  return rows.table;
}
