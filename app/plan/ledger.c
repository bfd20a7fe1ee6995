/* SPDX-License-Identifier: MIT
 *
 * Fills and sums the ledger.
 */
#include "app/plan/ledger.h"

#include "app/plan/traffic.h"

#include <string.h>

void
seam_ledger_fill (const SeamProblem *problem, const SeamPlan *plan, SeamLedger *ledger)
{
  memset (ledger, 0, sizeof *ledger);
  ledger->n_tensors = problem->n_tensors;
  ledger->n_groups = plan->n_groups;
  for (int group = 0; group < plan->n_groups; group++) {
    SeamGroupTensors tensors;

    seam_plan_get_group_tensors (plan, group, &tensors);
    for (int i = 0; i < tensors.n_inputs; i++) {
      int tensor = tensors.inputs[i];
      double bytes = (double)problem->tensors[tensor].bytes;

      ledger->cells[tensor][group].read = bytes;
      if (seam_group_count_reads (problem, plan, group, tensor) == 2)
        ledger->cells[tensor][group].reread = bytes;
    }
    for (int i = 0; i < tensors.n_params; i++)
      ledger->cells[tensors.params[i]][group].read =
          (double)problem->tensors[tensors.params[i]].bytes;
    for (int i = 0; i < tensors.n_outputs; i++)
      ledger->cells[tensors.outputs[i]][group].written =
          (double)problem->tensors[tensors.outputs[i]].bytes;
  }
}

static void
add (SeamTransfers *sum, const SeamTransfers *cell)
{
  sum->written += cell->written;
  sum->read += cell->read;
  sum->reread += cell->reread;
}

SeamTransfers
seam_ledger_get_tensor (const SeamLedger *ledger, int tensor)
{
  SeamTransfers sum = { 0 };

  g_return_val_if_fail (tensor >= 0 && tensor < ledger->n_tensors, sum);
  for (int group = 0; group < ledger->n_groups; group++)
    add (&sum, &ledger->cells[tensor][group]);
  return sum;
}

SeamTransfers
seam_ledger_get_group (const SeamLedger *ledger, int group)
{
  SeamTransfers sum = { 0 };

  g_return_val_if_fail (group >= 0 && group < ledger->n_groups, sum);
  for (int tensor = 0; tensor < ledger->n_tensors; tensor++)
    add (&sum, &ledger->cells[tensor][group]);
  return sum;
}

SeamTransfers
seam_ledger_get_total (const SeamLedger *ledger)
{
  SeamTransfers sum = { 0 };

  for (int group = 0; group < ledger->n_groups; group++) {
    SeamTransfers of_group = seam_ledger_get_group (ledger, group);
    add (&sum, &of_group);
  }
  return sum;
}
