/* SPDX-License-Identifier: MIT
 *
 * Groups as a table and as CSV. Columns of the CSV, which keep name, unit and place for good (new
 * ones come last):
 *   pipeline, plan, target, math_mode, l2_state, shape, group, ops, executed, n_kernels,
 *   kernels_sum_median_ns, modelled_written_bytes, modelled_read_bytes, modelled_reread_bytes
 *   (again by the same group), copied_bytes (that launches move beyond the model of the plan),
 *   modelled_bytes (all of these), dram_bytes_read, dram_bytes_written (counters), apart (measured
 *   over modelled, - 1), remark, program_version, pitfalls and storage.
 */
#include "app/report/groups-table.h"

#include "app/explain/read-result.h"
#include "app/report/ledger-table.h"

#include <math.h>
#include <string.h>

static void
compute_ops (const SeamPath *path, SeamValue *value)
{
  const SeamLedgerGroup *group = path->record;
  g_autofree char *ops = seam_ledger_join_ops (path->outer->data, group->group);

  seam_value_set_text (value, ops);
}

/* The implementation that executed a group: the part after '@' of its text in the executed
 * notation. */
static void
compute_executed (const SeamPath *path, SeamValue *value)
{
  const SeamPlanResult *plan = path->outer->record;
  int group = ((const SeamLedgerGroup *)path->record)->group;
  g_auto (GStrv) groups = g_strsplit (plan->executed != NULL ? plan->executed : "", "|", -1);
  gboolean is_there = (int)g_strv_length (groups) == plan->n_groups && group < plan->n_groups;
  const char *at = is_there ? strrchr (groups[group], '@') : NULL;

  seam_value_set_text (value, at != NULL ? at + 1 : NULL);
}

static double
get_modelled (const SeamLedgerGroup *group)
{
  return seam_transfers_sum (&group->modelled) + group->copies;
}

SEAM_COMPUTE (compute_modelled, double, get_modelled (path->record))

#define BYTES(m, c)                                                                                \
  {                                                                                                \
    .name = c, SEAM_AT (SeamLedgerGroup, m, DOUBLE), .unit = "B"                                   \
  }

static const SeamField group_fields[] = {
  { SEAM_FIELD (SeamLedgerGroup, group, INT) },
  SEAM_COMPUTED ("ops", compute_ops),
  SEAM_COMPUTED ("executed", compute_executed),
  { SEAM_FIELD (SeamLedgerGroup, n_kernels, INT), .flags = SEAM_OPTIONAL, .initial = -1 },
  { .name = "kernels_sum_median_ns", SEAM_AT (SeamLedgerGroup, time_ns, DOUBLE), .unit = "ns" },
  BYTES (modelled.written, "modelled_written_bytes"),
  BYTES (modelled.read, "modelled_read_bytes"),
  BYTES (modelled.reread, "modelled_reread_bytes"),
  BYTES (copies, "copied_bytes"),
  SEAM_COMPUTED ("modelled_bytes", compute_modelled),
  BYTES (measured_read, "dram_bytes_read"),
  BYTES (measured_write, "dram_bytes_written"),
  { SEAM_FIELD (SeamLedgerGroup, apart, DOUBLE) },
  { SEAM_FIELD (SeamLedgerGroup, remark, TEXT) },
  { NULL },
};

static const SeamRecordType group_type = {
  .name = "group",
  .size = sizeof (SeamLedgerGroup),
  .fields = group_fields,
};

static const SeamView groups_view = {
  .header = "pipeline,plan,target,math_mode,l2_state,shape,group,ops,executed,n_kernels,"
            "kernels_sum_median_ns,modelled_written_bytes,modelled_read_bytes,"
            "modelled_reread_bytes,copied_bytes,modelled_bytes,dram_bytes_read,"
            "dram_bytes_written,apart,remark,program_version,pitfalls,storage",
};

static gboolean
add_plan (SeamViewWriter *writer, SeamPath *plan, SeamPath *group, const SeamProblem *problem,
          GError **error)
{
  const SeamResult *result = plan->outer->record;
  g_autoptr (SeamPlan) parsed = seam_explain_read_plan (result, plan->index, error);
  g_autoptr (SeamTrafficLedger) ledger = NULL;

  if (parsed == NULL)
    return FALSE;
  ledger = seam_traffic_ledger_new (problem, parsed, NULL, result, plan->index, -1, NULL);
  plan->record = &result->plans[plan->index];
  plan->data = parsed;
  for (group->index = 0; group->index < ledger->n_groups; group->index++) {
    group->record = &ledger->groups[group->index];
    seam_view_add_row (writer, group);
  }
  return TRUE;
}

char *
seam_traffic_to_csv (const SeamResult *result, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  SeamPath group = { .type = &group_type, .outer = &plan };
  SeamViewWriter *writer;
  gboolean is_whole = TRUE;
  char *csv;

  if (problem == NULL)
    return NULL;
  writer = seam_view_open (&groups_view, &group);
  for (plan.index = 0; is_whole && plan.index < result->n_plans; plan.index++)
    is_whole = add_plan (writer, &plan, &group, problem, error);
  csv = seam_view_close (writer);
  if (is_whole)
    return csv;
  g_free (csv);
  return NULL;
}

/* The table for people. */

#define TRANSFERS(n, t, v)                                                                         \
  .name = n, .title = t, .kind = SEAM_CELL_BYTES, .value = v, .zero_is_dash = TRUE

static const SeamColumn columns[] = {
  { .name = "plan", .title = "Plan", .bold = TRUE },
  { .name = "ops", .title = "Ops", .expand = TRUE },
  { .name = "kernels",
    .title = "Kernels",
    .kind = SEAM_CELL_COUNT,
    .value = "n_kernels",
    .dim = TRUE,
    .wide_only = TRUE },
  { .name = "time", .title = "Time", .kind = SEAM_CELL_TIME, .value = "kernels_sum_median_ns" },
  { TRANSFERS ("writes", "Writes", "modelled_written_bytes") },
  { TRANSFERS ("reads", "Reads", "modelled_read_bytes"), .shares_unit = TRUE },
  { TRANSFERS ("rereads", "Reads again", "modelled_reread_bytes"), .shares_unit = TRUE,
    .wide_only = TRUE },
  { TRANSFERS ("copies", "Copies", "copied_bytes"), .shares_unit = TRUE, .wide_only = TRUE },
  { TRANSFERS ("modelled", "Modelled", "modelled_bytes") },
  { TRANSFERS ("measured", "Measured", NULL), .shares_unit = TRUE },
  { .name = "apart", .title = "Apart", .kind = SEAM_CELL_APART, .value = "apart" },
};

SeamTable *
seam_groups_table_new (void)
{
  return seam_table_new (columns, G_N_ELEMENTS (columns));
}

static void
add_row (SeamTable *table, const SeamTrafficLedger *ledger, const SeamPath *path)
{
  const SeamLedgerGroup *group = path->record;
  SeamTableRow *row = seam_table_append (table, group->side, group->group);
  SeamCell *measured = seam_table_get_cell (table, row, "measured");
  SeamCell *apart = seam_table_get_cell (table, row, "apart");

  seam_table_read_row (table, row, &groups_view, path);
  seam_cell_take (seam_table_get_cell (table, row, "plan"),
                  g_strndup (&ledger->letters[group->side], 1), NULL);
  seam_cell_take (seam_table_get_cell (table, row, "ops"), g_strdup (group->ops), group->ops);
  measured->value = group->measured_read + group->measured_write;
  if (isnan (group->apart))
    measured->words = g_strdup_printf ("DRAM counters: %s", ledger->not_measured);
  apart->words = g_strdup (group->remark);
  apart->is_marked = group->remark != NULL;
  if (apart->is_marked)
    apart->tone = SEAM_TONE_WARNING;
}

SeamTable *
seam_groups_table_make (const SeamTrafficLedger *ledger)
{
  SeamTable *table = seam_groups_table_new ();
  SeamPath group = { .type = &group_type };

  seam_table_set_unit (table, SEAM_CELL_BYTES, seam_ledger_get_unit (ledger));
  for (group.index = 0; group.index < ledger->n_groups; group.index++) {
    group.record = &ledger->groups[group.index];
    add_row (table, ledger, &group);
  }
  return table;
}
