/* SPDX-License-Identifier: MIT
 *
 * Puts the entries of two plans side by side: tensors match if the ops that write them have the
 * same name, because an exhibit has the ops in another order.
 */
#include "app/explain/traffic-ledger.h"

#include "app/base/text.h"
#include "app/explain/read-result.h"

#include <math.h>
#include <string.h>

/* A parameter with at least this share of plan A's traffic has its own row. */
#define OWN_ROW_SHARE .01
/* Launches that move this much more than the model of their plan or group are mentioned. */
#define COPIES_SHARE .001

gboolean
seam_ledger_is_gone (double bytes_a, double bytes_b)
{
  return bytes_a > 0 && !(bytes_b > 0);
}

/* ---- rows ---- */

typedef struct {
  const SeamProblem *problem;
  const SeamPlan *plans[2];
  SeamLedger ledgers[2];
  SeamTrafficLedger *ledger;
  GArray *rows, *groups;
} Builder;

/* The number, in the chain of side `side`, of the tensor that is `tensor` in the first plan's
 * chain; input and parameters have the same number in all chains. -1: that chain has no such op. */
static int
find_tensor (const Builder *builder, int side, int tensor)
{
  const SeamChain *from = seam_plan_get_chain (builder->plans[0]);
  const SeamChain *to = seam_plan_get_chain (builder->plans[side]);
  int op = tensor - SEAM_TENSOR_OUTPUT (0);

  if (side == 0 || op < 0 || op >= from->n_ops)
    return tensor;
  for (int i = 0; i < to->n_ops; i++)
    if (strcmp (to->ops[i].name, from->ops[op].name) == 0)
      return SEAM_TENSOR_OUTPUT (i);
  return -1;
}

static void
add_transfers (SeamTransfers *sum, const SeamTransfers *more)
{
  sum->written += more->written;
  sum->read += more->read;
  sum->reread += more->reread;
}

static void
take_row (Builder *builder, SeamLedgerRow *row)
{
  for (int side = 0; side < builder->ledger->n_sides; side++)
    if (row->kind != SEAM_LEDGER_COPIES)
      row->sums[side] = seam_transfers_sum (&row->sides[side]);
  seam_keep (builder->ledger, row->label);
  seam_keep (builder->ledger, row->shape);
  g_array_append_val (builder->rows, *row);
}

static void
add_tensor (Builder *builder, SeamLedgerRow *row, int tensor)
{
  row->bytes += (double)builder->problem->tensors[tensor].bytes;
  for (int side = 0; side < builder->ledger->n_sides; side++) {
    int own = find_tensor (builder, side, tensor);

    if (own >= 0) {
      SeamTransfers transfers = seam_ledger_get_tensor (&builder->ledgers[side], own);
      add_transfers (&row->sides[side], &transfers);
    }
  }
}

static char *
describe_shape (const SeamProblem *problem, int tensor)
{
  return seam_text_dims (problem->tensors[tensor].shape.dims,
                         problem->tensors[tensor].shape.n_dims);
}

static void
add_activations (Builder *builder)
{
  const SeamChain *chain = seam_plan_get_chain (builder->plans[0]);
  SeamLedgerRow input = { .kind = SEAM_LEDGER_INPUT, .tensor = SEAM_TENSOR_INPUT };

  input.label = g_strdup ("input");
  input.shape = describe_shape (builder->problem, SEAM_TENSOR_INPUT);
  add_tensor (builder, &input, SEAM_TENSOR_INPUT);
  take_row (builder, &input);
  for (int op = 0; op < chain->n_ops; op++) {
    SeamLedgerRow row = { .kind = SEAM_LEDGER_ACTIVATION,
                          .tensor = SEAM_TENSOR_OUTPUT (op),
                          .op_kind = seam_op_get_kind (&chain->ops[op]) };

    row.label = g_strdup (chain->ops[op].label);
    row.shape = describe_shape (builder->problem, row.tensor);
    add_tensor (builder, &row, row.tensor);
    take_row (builder, &row);
  }
}

/* An op and its vector may have the same name, so the parameter's label says "parameter". */
static char *
describe_parameter (const SeamProblem *problem, int tensor)
{
  return g_strdup_printf ("parameter %s", problem->tensors[tensor].name);
}

static void
add_parameters (Builder *builder)
{
  const SeamProblem *problem = builder->problem;
  int first = SEAM_TENSOR_PARAM (problem->pipeline->chains[0].n_ops, 0), n_small = 0, last = -1;
  SeamLedgerRow small = { .kind = SEAM_LEDGER_PARAMETER, .tensor = -1 };

  for (int tensor = first; tensor < problem->n_tensors; tensor++) {
    SeamLedgerRow row = { .kind = SEAM_LEDGER_PARAMETER, .tensor = tensor };

    add_tensor (builder, &row, tensor);
    if (seam_transfers_sum (&row.sides[0]) < OWN_ROW_SHARE * builder->ledger->modelled[0]) {
      add_tensor (builder, &small, tensor);
      n_small++;
      last = tensor;
      continue;
    }
    row.label = describe_parameter (problem, tensor);
    row.shape = describe_shape (problem, tensor);
    take_row (builder, &row);
  }
  if (n_small == 0)
    return;
  if (n_small == 1) {
    small.tensor = last;
    small.label = describe_parameter (problem, last);
    small.shape = describe_shape (problem, last);
  } else {
    small.label = g_strdup_printf ("%d parameters", n_small);
    small.shape = g_strdup ("");
  }
  take_row (builder, &small);
}

/* The bytes that the launches of a plan move beyond its own model. */
static void
add_copies (Builder *builder, const SeamResult *result, const int *indices,
            const SeamExpectedCopies *copies)
{
  SeamLedgerRow row = { .kind = SEAM_LEDGER_COPIES, .tensor = -1, .bytes = NAN };
  gboolean any = FALSE;

  for (int side = 0; side < builder->ledger->n_sides; side++) {
    double beyond = 0;

    if (result != NULL)
      beyond = result->plans[indices[side]].bytes - builder->ledger->modelled[side];
    else
      for (int i = 0; copies != NULL && i < builder->plans[side]->n_groups; i++)
        beyond += copies[side].bytes[i];
    if (beyond > COPIES_SHARE * builder->ledger->modelled[side]) {
      row.sums[side] = beyond;
      builder->ledger->modelled[side] += beyond;
      any = TRUE;
    }
  }
  if (!any)
    return;
  row.label = g_strdup ("operand, layout copies");
  row.shape = g_strdup ("");
  take_row (builder, &row);
}

/* ---- groups ---- */

static char *
describe_ops (const SeamChain *chain, const SeamGroup *group)
{
  GString *text = g_string_new (NULL);

  for (int op = group->first; op <= group->last; op++)
    g_string_append_printf (text, "%s%s", op > group->first ? " + " : "", chain->ops[op].label);
  return g_string_free (text, FALSE);
}

/* Times and counters of the kernels of a group; NaN if a kernel has none. */
static void
add_kernels (SeamLedgerGroup *row, const SeamPlanResult *plan)
{
  double launched = 0, modelled = seam_transfers_sum (&row->modelled);

  if (plan->n_kernels < 0)
    return;
  row->n_kernels = 0;
  row->time_ns = row->measured_read = row->measured_write = 0;
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernel *kernel = &plan->kernels[i];

    if (kernel->group != row->group)
      continue;
    row->n_kernels++;
    row->time_ns += kernel->median_ns;
    /* A memset beside a kernel has no counters, but moves hardly any bytes. */
    if (!kernel->is_copy || seam_kernel_is_counted (kernel)) {
      row->measured_read += kernel->dram_bytes_read;
      row->measured_write += kernel->dram_bytes_written;
    }
    if (!isnan (kernel->bytes))
      launched += kernel->bytes;
  }
  if (launched > modelled * (1 + COPIES_SHARE))
    row->copies = launched - modelled;
  if (row->n_kernels == 0)
    row->time_ns = row->measured_read = row->measured_write = NAN;
}

static void
add_groups (Builder *builder, int side, const SeamPlanResult *result,
            const SeamExpectedCopies *copies, double cache_bytes)
{
  const SeamPlan *plan = builder->plans[side];
  const SeamChain *chain = seam_plan_get_chain (plan);
  double measured = 0;

  for (int i = 0; i < plan->n_groups; i++) {
    SeamLedgerGroup row = {
      .side = side,
      .group = i,
      .op_kind = seam_explain_get_main_kind (chain, plan->groups[i].first, plan->groups[i].last),
      .ops = seam_keep (builder->ledger, describe_ops (chain, &plan->groups[i])),
      .modelled = seam_ledger_get_group (&builder->ledgers[side], i),
      .n_kernels = -1,
      .time_ns = NAN,
      .measured_read = NAN,
      .measured_write = NAN
    };
    double modelled, both;

    if (result != NULL)
      add_kernels (&row, result);
    else if (copies != NULL)
      row.copies = copies[side].bytes[i];
    modelled = seam_transfers_sum (&row.modelled) + row.copies;
    both = row.measured_read + row.measured_write;
    row.apart = both / modelled - 1;
    row.remark = seam_keep (builder->ledger, seam_ledger_explain (modelled, both, cache_bytes,
                                                                  row.op_kind == SEAM_KIND_MATRIX,
                                                                  row.modelled.reread > 0));
    measured += both;
    g_array_append_val (builder->groups, row);
  }
  builder->ledger->measured[side] = measured;
}

char *
seam_ledger_explain (double modelled, double measured, double cache_bytes, gboolean has_matrix_op,
                     gboolean has_reread)
{
  g_autofree char *percent = NULL, *cache = NULL;
  double apart = measured / modelled - 1;

  if (isnan (apart) || fabs (apart) <= SEAM_LEDGER_APART)
    return NULL;
  percent = seam_text_percent (fabs (apart));
  cache = cache_bytes > 0 ? seam_text_bytes (cache_bytes) : g_strdup ("size unknown");
  if (apart < 0)
    return g_strdup_printf ("%s %% less came from memory than modelled: the last-level cache (%s) "
                            "still held what %s.",
                            percent, cache,
                            has_reread ? "the first pass or the kernel before had touched"
                                       : "the kernel before had touched");
  return g_strdup_printf ("%s %% more moved than modelled: %s.", percent,
                          has_matrix_op
                              ? "tiles of the matrix op read their operands more than once, or the "
                                "library copies them"
                              : "lines were read again after they had left the cache");
}

/* ---- the whole ---- */

SeamTrafficLedger *
seam_traffic_ledger_new (const SeamProblem *problem, const SeamPlan *plan_a, const SeamPlan *plan_b,
                         const SeamResult *result, int a, int b, const SeamExpectedCopies *copies)
{
  SeamTrafficLedger *ledger = seam_owner_new (SeamTrafficLedger);
  Builder *builder = g_new0 (Builder, 1);
  const int indices[] = { a, b };
  double cache_bytes =
      result != NULL && result->device != NULL ? (double)result->device->l2_bytes : 0;

  builder->problem = problem;
  builder->plans[0] = plan_a;
  builder->plans[1] = plan_b;
  builder->ledger = ledger;
  builder->rows = g_array_new (FALSE, TRUE, sizeof (SeamLedgerRow));
  builder->groups = g_array_new (FALSE, TRUE, sizeof (SeamLedgerGroup));
  ledger->n_sides = plan_b != NULL ? 2 : 1;
  ledger->letters[0] = seam_plan_get_letter (a);
  ledger->letters[1] = seam_plan_get_letter (b);
  ledger->not_measured = (seam_device_info_get_abilities (result != NULL ? result->device : NULL)
                          & SEAM_ABILITY_COUNTERS)
                                 != 0
                             ? "not measured"
                             : "this target has none";
  ledger->modelled[1] = ledger->measured[0] = ledger->measured[1] = NAN;
  for (int side = 0; side < ledger->n_sides; side++) {
    seam_ledger_fill (problem, builder->plans[side], &builder->ledgers[side]);
    SeamTransfers total = seam_ledger_get_total (&builder->ledgers[side]);
    ledger->modelled[side] = seam_transfers_sum (&total);
  }
  add_activations (builder);
  add_parameters (builder);
  add_copies (builder, result, indices, copies);
  for (int side = 0; side < ledger->n_sides; side++)
    add_groups (builder, side, result != NULL ? &result->plans[indices[side]] : NULL, copies,
                cache_bytes);

  ledger->n_rows = (int)builder->rows->len;
  ledger->rows = seam_keep (ledger, g_array_free (builder->rows, FALSE));
  ledger->n_groups = (int)builder->groups->len;
  ledger->groups = seam_keep (ledger, g_array_free (builder->groups, FALSE));
  g_free (builder);
  return ledger;
}

/* ---- in words ---- */

static void
append_rereads (GString *text, const SeamTrafficLedger *ledger)
{
  for (int i = 0; i < ledger->n_rows; i++) {
    const SeamLedgerRow *row = &ledger->rows[i];
    gboolean a = row->sides[0].reread > 0;
    gboolean b = ledger->n_sides > 1 && row->sides[1].reread > 0;

    if (a || b) {
      char one[] = { ledger->letters[a ? 0 : 1], '\0' };

      g_string_append_printf (text, " %s %s %s twice: statistics first, then apply.",
                              a && b ? "Both plans" : one, a && b ? "read" : "reads", row->label);
    }
  }
}

static void
append_more (GString *text, const SeamTrafficLedger *ledger)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < ledger->n_rows; i++)
    if (ledger->rows[i].sums[1] > ledger->rows[i].sums[0])
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", ledger->rows[i].label);
  if (names->len > 0)
    g_string_append_printf (text, " %c moves more of %s (+).", ledger->letters[1], names->str);
}

static void
append_counters (GString *text, const SeamTrafficLedger *ledger)
{
  gboolean all = TRUE, agree = TRUE;

  for (int side = 0; side < ledger->n_sides; side++) {
    double apart = ledger->measured[side] / ledger->modelled[side] - 1;

    all = all && !isnan (apart);
    agree = agree && fabs (apart) <= SEAM_LEDGER_APART;
  }
  if (!all) {
    g_string_append_printf (text, " DRAM counters: %s.", ledger->not_measured);
    return;
  }
  if (agree)
    g_string_append_printf (text, " %s with the counters within %g %%.",
                            ledger->n_sides > 1 ? "Both plans agree" : "The model agrees",
                            SEAM_LEDGER_APART * 100);
  for (int i = 0; i < ledger->n_groups; i++)
    if (ledger->groups[i].remark != NULL)
      g_string_append_printf (text, " %c, %s: %s", ledger->letters[ledger->groups[i].side],
                              ledger->groups[i].ops, ledger->groups[i].remark);
}

char *
seam_traffic_ledger_describe (const SeamTrafficLedger *ledger)
{
  GString *text = g_string_new (NULL);
  gboolean any_gone = FALSE;

  if (ledger->n_sides > 1) {
    for (int i = 0; i < ledger->n_rows; i++) {
      const SeamLedgerRow *row = &ledger->rows[i];

      any_gone = any_gone || seam_ledger_is_gone (row->sides[0].written, row->sides[1].written)
                 || seam_ledger_is_gone (row->sides[0].read, row->sides[1].read);
    }
    if (any_gone)
      g_string_append_printf (text,
                              "Struck through: in %c it stays on the chip, the transfer is gone.",
                              ledger->letters[1]);
    append_more (text, ledger);
  }
  append_rereads (text, ledger);
  append_counters (text, ledger);
  return g_strchug (g_string_free (text, FALSE));
}
