/* SPDX-License-Identifier: MIT
 *
 * The rule about needs: each element of the group's output needs one element of each value in the
 * group, except through the GroupNorm, or through a last op that reads whole sets.
 */
#include "app/plan/fuse.h"

/* Why an op cannot be part of such a kernel, as the end of a sentence; NULL: it can. */
static const char *
find_obstacle (const SeamProblem *problem, const SeamChain *chain, int op)
{
  SeamOpCase c;

  seam_op_get_case (problem, chain, op, &c);
  switch (c.info->op_class) {
  case SEAM_CLASS_MATRIX:
    if (!c.info->fuses)
      return "is a matrix op with which this program fuses nothing yet";
    return seam_op_has_number (c.op, SEAM_NUMBER_STRIDE)
                   && (c.numbers[SEAM_NUMBER_STRIDE] != 1 || c.numbers[SEAM_NUMBER_PADDING] != 0)
               ? "has a stride or a padding, with which this program fuses nothing yet"
               : NULL;
  case SEAM_CLASS_MAP:
    return !seam_shape_equal (&c.in[0], &c.out)
                   || (c.info->reads == SEAM_READS_TENSOR && !seam_shape_equal (&c.in[1], &c.out))
               ? "reads values of different shapes"
               : NULL;
  case SEAM_CLASS_NORMALISE:
    if (seam_op_has_number (c.op, SEAM_NUMBER_GROUPS) && c.op->scalars[0] == SEAM_GROUPNORM_EPSILON)
      return NULL;
    return "normalises in a way that this program fuses with nothing yet";
  case SEAM_CLASS_WINDOW:
    return "needs windows of its input, which this program does not fuse yet";
  case SEAM_CLASS_REDUCE:
  default:
    return "needs whole axes of its input, and this program fuses only maps onto its "
           "input";
  }
}

gboolean
seam_op_takes_maps (const SeamProblem *problem, const SeamChain *chain, int op)
{
  const SeamOpClass op_class = seam_op_get_info (&chain->ops[op])->op_class;

  return (op_class == SEAM_CLASS_REDUCE || op_class == SEAM_CLASS_NORMALISE)
         && find_obstacle (problem, chain, op) != NULL;
}

/* Why ops cannot be the maps before an op that reads whole sets; NULL: they can. */
static char *
find_obstacle_of_maps (const SeamProblem *problem, const SeamChain *chain, int first, int last)
{
  for (int i = first; i < last; i++) {
    const SeamOp *op = &chain->ops[i];
    const char *obstacle = find_obstacle (problem, chain, i);

    if (!seam_op_is_map (op))
      return g_strdup_printf ("“%s” is no map, and a kernel of “%s” takes only maps onto its input",
                              op->label, chain->ops[last].label);
    if (obstacle != NULL)
      return g_strdup_printf ("“%s” %s", op->label, obstacle);
    if (i > first && op->inputs[0] != SEAM_TENSOR_OUTPUT (i - 1))
      return g_strdup_printf ("“%s” does not work on the value before it", op->label);
    if (seam_chain_reads (chain, last + 1, chain->n_ops - 1, SEAM_TENSOR_OUTPUT (i)))
      return g_strdup_printf ("“%s” is read again after “%s”, whose kernel does not write it",
                              op->label, chain->ops[last].label);
  }
  if (chain->ops[last].inputs[0] != SEAM_TENSOR_OUTPUT (last - 1))
    return g_strdup_printf ("“%s” does not work on the value before it", chain->ops[last].label);
  return NULL;
}

gboolean
seam_ops_can_fuse (const SeamProblem *problem, const SeamChain *chain, int first, int last,
                   char **reason)
{
  const gboolean takes_maps = first < last && seam_op_takes_maps (problem, chain, last);
  g_autofree char *why = takes_maps ? find_obstacle_of_maps (problem, chain, first, last) : NULL;
  int n_norms = 0;

  for (int i = first; i <= last && why == NULL && !takes_maps; i++) {
    const SeamOp *op = &chain->ops[i];
    const char *obstacle = find_obstacle (problem, chain, i);

    n_norms += seam_op_is_normalisation (op);
    if (obstacle != NULL)
      why = g_strdup_printf ("“%s” %s", op->label, obstacle);
    else if (i > first && seam_op_is_matrix (op))
      why = g_strdup_printf (
          "“%s” is a matrix op behind another op, and a kernel begins with its matrix op",
          op->label);
    else if (i > first && op->inputs[0] != SEAM_TENSOR_OUTPUT (i - 1))
      why = g_strdup_printf ("“%s” does not work on the value before it", op->label);
    else if (n_norms > 1)
      why = g_strdup_printf ("“%s” is the second GroupNorm, and a kernel has one", op->label);
  }
  if (why == NULL)
    return TRUE;
  if (reason != NULL)
    *reason = g_strconcat (why, ".", NULL);
  return FALSE;
}
