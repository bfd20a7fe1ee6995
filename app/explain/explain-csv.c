/* SPDX-License-Identifier: MIT
 *
 * Ledger: pipeline, plan, target, math_mode, shape, tensor, tensor_kind ("input", "activation",
 *   "output", "parameter"), dims ("128x32x254x254"), tensor_bytes, group, ops, written_bytes,
 *   read_bytes, reread_bytes (again by the same group).
 * Traffic: pipeline, plan, target, math_mode, l2_state, shape, group, ops, executed, n_kernels,
 *   kernels_sum_median_ns, modelled_written_bytes, modelled_read_bytes, modelled_reread_bytes,
 *   copied_bytes (that launches move beyond the model of the plan), modelled_bytes (all of these),
 *   dram_bytes_read, dram_bytes_written (counters), apart (measured over modelled, - 1), remark,
 *   program_version.
 * Waterfall: pipeline, plan_a, plan_b, target, math_mode, shape, step, kind ("start", "gone",
 *   "added", "changed", "gaps", "remainder", "end"), label, group_a, group_b, from_ns, to_ns,
 *   delta_ns, detail, program_version.
 * Each has the columns pitfalls and storage, as in app/compare/csv.c.
 */
#include "app/explain/explain-csv.h"

#include "app/base/csv-text.h"
#include "app/explain/read-result.h"
#include "app/explain/traffic-ledger.h"
#include "app/explain/waterfall.h"

#include <math.h>
#include <string.h>

static const char *
get_name (const SeamPlanResult *plan)
{
  return plan->name != NULL ? plan->name : plan->notation;
}

static const char *
get_target (const SeamResult *result)
{
  return result->device != NULL ? result->device->id : NULL;
}

static char *
join_ops (const SeamPlan *plan, int group)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  GString *text = g_string_new (NULL);

  for (int op = plan->groups[group].first; op <= plan->groups[group].last; op++)
    g_string_append_printf (text, "%s%s", op > plan->groups[group].first ? "+" : "",
                            chain->ops[op].name);
  return g_string_free (text, FALSE);
}

static char *
join_dims (const SeamTensor *tensor)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < tensor->n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "x" : "", tensor->dims[i]);
  return g_string_free (text, FALSE);
}

static const char *
get_tensor_kind (const SeamChain *chain, int tensor)
{
  if (tensor == SEAM_TENSOR_INPUT)
    return "input";
  if (tensor >= SEAM_TENSOR_PARAM (chain->n_ops, 0))
    return "parameter";
  return tensor == SEAM_TENSOR_OUTPUT (chain->n_ops - 1) ? "output" : "activation";
}

static void
add_entry (GString *csv, const SeamResult *result, int index, const SeamProblem *problem,
           const SeamPlan *plan, int tensor, int group, const SeamTransfers *transfers)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const SeamTensor *info = &problem->tensors[tensor];
  const char *kind = get_tensor_kind (chain, tensor);
  gboolean by_op = strcmp (kind, "activation") == 0 || strcmp (kind, "output") == 0;
  g_autofree char *ops = join_ops (plan, group);
  g_autofree char *dims = join_dims (info);

  seam_csv_add_text (csv, result->pipeline_id);
  seam_csv_add_text (csv, get_name (&result->plans[index]));
  seam_csv_add_text (csv, get_target (result));
  seam_csv_add_text (csv, seam_math_mode_get_name (result->settings.math_mode));
  seam_csv_add_text (csv, result->shape);
  /* The problem names tensors by the ops of the pipeline; an exhibit has them in another order. */
  seam_csv_add_text (csv, by_op ? chain->ops[tensor - SEAM_TENSOR_OUTPUT (0)].name : info->name);
  seam_csv_add_text (csv, kind);
  seam_csv_add_text (csv, dims);
  seam_csv_add_integer (csv, info->bytes);
  seam_csv_add_integer (csv, group);
  seam_csv_add_text (csv, ops);
  seam_csv_add_number (csv, transfers->written);
  seam_csv_add_number (csv, transfers->read);
  seam_csv_add_number (csv, transfers->reread);
  seam_csv_add_text (csv, result->pitfalls);
  seam_csv_add_text (csv, seam_choice_get_name (seam_storages, result->settings.storage));
  seam_csv_end_row (csv);
}

char *
seam_ledger_to_csv (const SeamResult *result, GError **error)
{
  static const char *const names[] = {
    "pipeline",    "plan",         "target",       "math_mode", "shape", "tensor",
    "tensor_kind", "dims",         "tensor_bytes", "group",     "ops",   "written_bytes",
    "read_bytes",  "reread_bytes", "pitfalls",     "storage",   NULL
  };
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (GString) csv = g_string_new (NULL);

  if (problem == NULL)
    return NULL;
  seam_csv_add_header (csv, names);
  for (int index = 0; index < result->n_plans; index++) {
    g_autoptr (SeamPlan) plan = seam_explain_read_plan (result, index, error);
    g_autofree SeamLedger *ledger = g_new (SeamLedger, 1);

    if (plan == NULL)
      return NULL;
    seam_ledger_fill (problem, plan, ledger);
    for (int group = 0; group < ledger->n_groups; group++)
      for (int tensor = 0; tensor < ledger->n_tensors; tensor++) {
        const SeamTransfers *cell = &ledger->cells[tensor][group];

        if (seam_transfers_sum (cell) > 0)
          add_entry (csv, result, index, problem, plan, tensor, group, cell);
      }
  }
  return g_string_free (g_steal_pointer (&csv), FALSE);
}

/* Who executed a group: the part after '@' of its place in the executed notation. */
static char *
get_executed (const SeamPlanResult *plan, int group)
{
  g_auto (GStrv) groups = g_strsplit (plan->executed != NULL ? plan->executed : "", "|", -1);
  const char *at;

  if ((int)g_strv_length (groups) != plan->n_groups || group >= plan->n_groups)
    return NULL;
  at = strrchr (groups[group], '@');
  return at != NULL ? g_strdup (at + 1) : NULL;
}

static void
add_group (GString *csv, const SeamResult *result, int index, const SeamPlan *plan,
           const SeamLedgerGroup *group)
{
  g_autofree char *ops = join_ops (plan, group->group);
  g_autofree char *executed = get_executed (&result->plans[index], group->group);

  seam_csv_add_text (csv, result->pipeline_id);
  seam_csv_add_text (csv, get_name (&result->plans[index]));
  seam_csv_add_text (csv, get_target (result));
  seam_csv_add_text (csv, seam_math_mode_get_name (result->settings.math_mode));
  seam_csv_add_text (csv, result->settings.cold ? "cold" : "warm");
  seam_csv_add_text (csv, result->shape);
  seam_csv_add_integer (csv, group->group);
  seam_csv_add_text (csv, ops);
  seam_csv_add_text (csv, executed);
  seam_csv_add_known (csv, group->n_kernels, group->n_kernels >= 0);
  seam_csv_add_number (csv, group->time_ns);
  seam_csv_add_number (csv, group->modelled.written);
  seam_csv_add_number (csv, group->modelled.read);
  seam_csv_add_number (csv, group->modelled.reread);
  seam_csv_add_number (csv, group->copies);
  seam_csv_add_number (csv, seam_transfers_sum (&group->modelled) + group->copies);
  seam_csv_add_number (csv, group->measured_read);
  seam_csv_add_number (csv, group->measured_write);
  seam_csv_add_number (csv, group->apart);
  seam_csv_add_text (csv, group->remark);
  seam_csv_add_text (csv, result->program_version);
  seam_csv_add_text (csv, result->pitfalls);
  seam_csv_add_text (csv, seam_choice_get_name (seam_storages, result->settings.storage));
  seam_csv_end_row (csv);
}

char *
seam_traffic_to_csv (const SeamResult *result, GError **error)
{
  static const char *const names[] = { "pipeline",
                                       "plan",
                                       "target",
                                       "math_mode",
                                       "l2_state",
                                       "shape",
                                       "group",
                                       "ops",
                                       "executed",
                                       "n_kernels",
                                       "kernels_sum_median_ns",
                                       "modelled_written_bytes",
                                       "modelled_read_bytes",
                                       "modelled_reread_bytes",
                                       "copied_bytes",
                                       "modelled_bytes",
                                       "dram_bytes_read",
                                       "dram_bytes_written",
                                       "apart",
                                       "remark",
                                       "program_version",
                                       "pitfalls",
                                       "storage",
                                       NULL };
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (GString) csv = g_string_new (NULL);

  if (problem == NULL)
    return NULL;
  seam_csv_add_header (csv, names);
  for (int index = 0; index < result->n_plans; index++) {
    g_autoptr (SeamPlan) plan = seam_explain_read_plan (result, index, error);
    g_autoptr (SeamTrafficLedger) ledger = NULL;

    if (plan == NULL)
      return NULL;
    ledger = seam_traffic_ledger_new (problem, plan, NULL, result, index, -1, NULL);
    for (int i = 0; i < ledger->n_groups; i++)
      add_group (csv, result, index, plan, &ledger->groups[i]);
  }
  return g_string_free (g_steal_pointer (&csv), FALSE);
}

char *
seam_waterfall_to_csv (const SeamResult *result, int a, int b, GError **error)
{
  static const char *const names[] = { "pipeline",  "plan_a",   "plan_b",  "target",
                                       "math_mode", "shape",    "step",    "kind",
                                       "label",     "group_a",  "group_b", "from_ns",
                                       "to_ns",     "delta_ns", "detail",  "program_version",
                                       "pitfalls",  "storage",  NULL };
  static const char *const kinds[] = {
    [SEAM_STEP_START] = "start",     [SEAM_STEP_GONE] = "gone", [SEAM_STEP_ADDED] = "added",
    [SEAM_STEP_CHANGED] = "changed", [SEAM_STEP_GAPS] = "gaps", [SEAM_STEP_REMAINDER] = "remainder",
    [SEAM_STEP_END] = "end",
  };
  g_autoptr (SeamWaterfall) waterfall = seam_waterfall_new (result, a, b, error);
  GString *csv;

  if (waterfall == NULL)
    return NULL;
  csv = g_string_new (NULL);
  seam_csv_add_header (csv, names);
  for (int i = 0; i < waterfall->n_steps; i++) {
    const SeamWaterfallStep *step = &waterfall->steps[i];

    seam_csv_add_text (csv, result->pipeline_id);
    seam_csv_add_text (csv, get_name (&result->plans[a]));
    seam_csv_add_text (csv, get_name (&result->plans[b]));
    seam_csv_add_text (csv, get_target (result));
    seam_csv_add_text (csv, seam_math_mode_get_name (result->settings.math_mode));
    seam_csv_add_text (csv, result->shape);
    seam_csv_add_integer (csv, i);
    seam_csv_add_text (csv, kinds[step->kind]);
    seam_csv_add_text (csv, step->label);
    seam_csv_add_known (csv, step->group_a, step->group_a >= 0);
    seam_csv_add_known (csv, step->group_b, step->group_b >= 0);
    seam_csv_add_number (csv, step->from_ns);
    seam_csv_add_number (csv, step->to_ns);
    seam_csv_add_number (csv, step->to_ns - step->from_ns);
    seam_csv_add_text (csv, step->detail);
    seam_csv_add_text (csv, result->program_version);
    seam_csv_add_text (csv, result->pitfalls);
    seam_csv_add_text (csv, seam_choice_get_name (seam_storages, result->settings.storage));
    seam_csv_end_row (csv);
  }
  return g_string_free (csv, FALSE);
}
