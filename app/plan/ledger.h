/* SPDX-License-Identifier: MIT
 *
 * The ledger of a plan: which group reads and writes which tensor, and how often. It is the byte
 * model of traffic.h in single entries, whose sums are seam_group_cost() and seam_plan_cost().
 */
#pragma once

#include "app/plan/plan.h"

/* Bytes that cross to memory and back. */
typedef struct {
  double written;
  double read;   /* for the first time by a group */
  double reread; /* again by the same group: the second pass of a large groupnorm */
} SeamTransfers;

typedef struct {
  int n_tensors, n_groups; /* of the problem, of the plan */
  /* By tensor number and group. */
  SeamTransfers cells[SEAM_MAX_TENSORS][SEAM_MAX_OPS];
} SeamLedger;

void seam_ledger_fill (const SeamProblem *problem, const SeamPlan *plan, SeamLedger *ledger);

/* Sums over the groups, over the tensors, over both. */
SeamTransfers seam_ledger_get_tensor (const SeamLedger *ledger, int tensor);
SeamTransfers seam_ledger_get_group (const SeamLedger *ledger, int group);
SeamTransfers seam_ledger_get_total (const SeamLedger *ledger);
static inline double
seam_transfers_sum (const SeamTransfers *transfers)
{
  return transfers->written + transfers->read + transfers->reread;
}
