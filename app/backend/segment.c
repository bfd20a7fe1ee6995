/* SPDX-License-Identifier: MIT
 *
 * Cuts a group into launches.
 */
#include "app/backend/segment.h"

/* Whether an op of the group after `after`, except op + 1, reads the output of `op`. */
static gboolean
is_read_after (const SeamChain *chain, const SeamGroup *group, int op, int after)
{
  for (int i = MAX (op, after) + 1; i <= group->last; i++)
    if (seam_op_reads (&chain->ops[i], SEAM_TENSOR_OUTPUT (op)))
      return TRUE;
  return FALSE;
}

static gboolean
is_group_output (const SeamGroupTensors *tensors, int tensor)
{
  for (int i = 0; i < tensors->n_outputs; i++)
    if (tensors->outputs[i] == tensor)
      return TRUE;
  return FALSE;
}

gboolean
seam_segment_can_absorb (const SeamPlan *plan, int group, int last)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const SeamGroup *g = &plan->groups[group];
  SeamGroupTensors tensors;

  seam_plan_get_group_tensors (plan, group, &tensors);
  for (int op = g->first; op < last; op++) {
    if (is_group_output (&tensors, SEAM_TENSOR_OUTPUT (op)))
      return FALSE;
    for (int i = last + 1; i <= g->last; i++)
      if (chain->ops[i].inputs[1] == SEAM_TENSOR_OUTPUT (op))
        return FALSE;
  }
  return TRUE;
}

static void
add_input (SeamSegment *segment, int tensor)
{
  for (int i = 0; i < segment->n_inputs; i++)
    if (segment->inputs[i] == tensor)
      return;
  segment->inputs[segment->n_inputs++] = tensor;
}

void
seam_segments_build (const SeamPlan *plan, int group, int n_library, SeamSegments *segments)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const SeamGroup *g = &plan->groups[group];
  SeamGroupTensors tensors;
  int op = g->first;

  seam_plan_get_group_tensors (plan, group, &tensors);
  segments->n = 0;
  while (op <= g->last) {
    SeamSegment *s = &segments->segments[segments->n++];

    *s = (SeamSegment){ .first = op, .groupnorm = -1 };
    if (n_library < 0) {
      op++;
    } else if (seam_op_is_matrix (&chain->ops[op])) {
      s->library = TRUE;
      op += MAX (n_library, 1);
    } else {
      /* A second GroupNorm, or a library op in mid-chain, starts the next segment. */
      for (; op <= g->last && !seam_op_is_matrix (&chain->ops[op]); op++) {
        if (seam_op_is_normalisation (&chain->ops[op])) {
          if (s->groupnorm >= 0)
            break;
          s->groupnorm = op;
        }
      }
    }
    s->last = op - 1;

    add_input (s, chain->ops[s->first].inputs[0]);
    for (int i = s->first; i <= s->last; i++)
      if (chain->ops[i].inputs[1] >= 0
          && !(seam_tensor_get_op (chain, chain->ops[i].inputs[1]) >= s->first))
        add_input (s, chain->ops[i].inputs[1]);
    for (int i = s->first; i <= s->last; i++)
      if (i == s->last || is_group_output (&tensors, SEAM_TENSOR_OUTPUT (i))
          || is_read_after (chain, g, i, s->last))
        s->outputs[s->n_outputs++] = SEAM_TENSOR_OUTPUT (i);
  }
}
