/* SPDX-License-Identifier: MIT
 *
 * The sizes of a matrix op: see matrix.h.
 */
#include "app/backend/matrix.h"

SeamMatrixDims
seam_matrix_get_dims (const SeamProblem *problem, int op)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  const int param = chain->ops[op].params[0];
  const SeamShape *x = seam_problem_get_shape (problem, chain->ops[op].inputs[0]);
  const SeamShape *y = seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (op));
  const SeamShape *weight =
      seam_problem_get_shape (problem, SEAM_TENSOR_PARAM (chain->n_ops, param));
  const gboolean is_image = x->n_dims == 4;

  g_assert (seam_op_is_matrix (&chain->ops[op]) && (is_image || x->n_dims == 2));
  return (SeamMatrixDims){ .n = x->dims[0],
                           .c = x->dims[1],
                           .h = is_image ? x->dims[2] : 1,
                           .w = is_image ? x->dims[3] : 1,
                           .k = y->dims[1],
                           .r = is_image ? weight->dims[2] : 1,
                           .p = is_image ? y->dims[2] : 1,
                           .q = is_image ? y->dims[3] : 1,
                           .groups =
                               seam_chain_get_n_groups (problem, chain, op, chain->n_ops - 1) };
}
