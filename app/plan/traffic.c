/* SPDX-License-Identifier: MIT
 *
 * The byte and operation model. Doubles are exact for every size that fits a machine.
 */
#include "app/plan/traffic.h"

#include <math.h>
#include <string.h>

/* The groupnorm of a group if it has to read its input twice, or -1. If the group begins with the
 * matrix op, it produces that input on the chip: then the model counts one read, as full fusion
 * needs. */
static int
find_two_pass_norm (const SeamProblem *problem, const SeamPlan *plan, const SeamGroup *group)
{
  const SeamChain *chain = seam_plan_get_chain (plan);

  if (seam_op_is_matrix (&chain->ops[group->first]))
    return -1;
  for (int i = group->first; i <= group->last; i++)
    if (seam_op_is_normalisation (&chain->ops[i])
        && seam_op_get_reach (problem, chain, i) > SEAM_GROUPNORM_ONE_PASS_ELEMENTS)
      return i;
  return -1;
}

/* Whether an op of the group up to and including `norm` reads `tensor`. */
static gboolean
is_read_before (const SeamChain *chain, const SeamGroup *group, int norm, int tensor)
{
  for (int i = group->first; i <= norm; i++)
    if (seam_op_reads (&chain->ops[i], tensor))
      return TRUE;
  return FALSE;
}

int
seam_group_cost_count_threads (const SeamGroupCost *cost, double copied_bytes, double thread_bytes,
                               double thread_flop, int most)
{
  double bytes = cost->bytes_read + cost->bytes_written + copied_bytes;

  return (int)CLAMP (MAX (bytes / thread_bytes, cost->flop / thread_flop), 1, most);
}

int
seam_group_count_reads (const SeamProblem *problem, const SeamPlan *plan, int group, int tensor)
{
  const SeamGroup *range = &plan->groups[group];
  int norm = find_two_pass_norm (problem, plan, range);

  return norm >= 0 && is_read_before (seam_plan_get_chain (plan), range, norm, tensor) ? 2 : 1;
}

void
seam_group_cost (const SeamProblem *problem, const SeamPlan *plan, int group, SeamGroupCost *cost)
{
  const SeamGroup *range = &plan->groups[group];
  int norm = find_two_pass_norm (problem, plan, range);
  SeamGroupTensors tensors;

  memset (cost, 0, sizeof *cost);
  seam_plan_get_group_tensors (plan, group, &tensors);
  cost->n_passes = norm >= 0 ? 2 : 1;
  for (int i = 0; i < tensors.n_inputs; i++) {
    int tensor = tensors.inputs[i];
    int n_reads = seam_group_count_reads (problem, plan, group, tensor);
    cost->bytes_read += n_reads * (double)problem->tensors[tensor].bytes;
  }
  for (int i = 0; i < tensors.n_params; i++)
    cost->bytes_read += (double)problem->tensors[tensors.params[i]].bytes;
  for (int i = 0; i < tensors.n_outputs; i++)
    cost->bytes_written += (double)problem->tensors[tensors.outputs[i]].bytes;
  for (int op = range->first; op <= range->last; op++)
    cost->flop += seam_op_get_flop (problem, seam_plan_get_chain (plan), op);
}

void
seam_plan_cost (const SeamProblem *problem, const SeamPlan *plan, SeamPlanCost *cost)
{
  memset (cost, 0, sizeof *cost);
  for (int i = 0; i < plan->n_groups; i++) {
    SeamGroupCost group;
    seam_group_cost (problem, plan, i, &group);
    cost->bytes += group.bytes_read + group.bytes_written;
    cost->flop += group.flop;
  }
  for (int i = 0; i < problem->n_tensors; i++)
    if (seam_plan_is_materialised (plan, i))
      cost->bytes_allocated += (double)problem->tensors[i].bytes;
}

double
seam_plan_seam_bytes (const SeamProblem *problem, const SeamPlan *plan, int seam)
{
  g_autoptr (SeamPlan) toggled = seam_plan_toggle (plan, seam);
  SeamPlanCost now, then;

  seam_plan_cost (problem, plan, &now);
  seam_plan_cost (problem, toggled, &then);
  return fabs (now.bytes - then.bytes);
}

void
seam_problem_get_floor (const SeamProblem *problem, double cache_bytes, gboolean cold,
                        double bytes_per_s, double flop_per_s, SeamFloor *floor)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  const int n_ops = chain->n_ops;
  double output = (double)problem->tensors[SEAM_TENSOR_OUTPUT (n_ops - 1)].bytes;
  double kept, memory_ns, compute_ns;

  floor->bytes = (double)problem->tensors[SEAM_TENSOR_INPUT].bytes + output;
  for (int i = SEAM_TENSOR_PARAM (n_ops, 0); i < problem->n_tensors; i++)
    floor->bytes += (double)problem->tensors[i].bytes;
  floor->flop = 0;
  for (int op = 0; op < n_ops; op++)
    floor->flop += seam_op_get_flop (problem, chain, op);
  kept = fmin (cache_bytes, cold ? output : floor->bytes);
  memory_ns = bytes_per_s > 0 ? 1e9 * (floor->bytes - kept) / bytes_per_s : NAN;
  compute_ns = flop_per_s > 0 ? 1e9 * floor->flop / flop_per_s : NAN;
  /* fmax() returns the other bound if one is NaN. */
  floor->floor_ns = fmax (memory_ns, compute_ns);
  floor->memory_bound = !isnan (memory_ns) && !(compute_ns > memory_ns);
}
