/* SPDX-License-Identifier: MIT
 *
 * Reads problem and plans of a result, with a sentence about damaged parts.
 */
#include "app/explain/read-result.h"

#include "app/base/error.h"

SeamProblem *
seam_explain_read_problem (const SeamResult *result, GError **error)
{
  SeamPipeline *pipeline = seam_result_get_pipeline (result, error);

  if (pipeline == NULL)
    return NULL;
  if (result->values == NULL || result->n_values != pipeline->n_fields)
    return seam_fail_null (
        error, SEAM_ERROR_FILE,
        "The result names %d shape values, its pipeline has %d, so its figure cannot be drawn.",
        result->values == NULL ? 0 : result->n_values, pipeline->n_fields);
  return seam_problem_new_with_storage (pipeline, result->values, &result->settings, error);
}

SeamPlan *
seam_explain_read_plan (const SeamResult *result, int index, GError **error)
{
  if (index < 0 || index >= result->n_plans)
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "The result has %d plan%s, so there is no plan number %d to draw.",
                           result->n_plans, result->n_plans == 1 ? "" : "s", index);
  SeamPipeline *pipeline = seam_result_get_pipeline (result, error);
  if (pipeline == NULL)
    return NULL;
  const SeamPlanResult *plan = &result->plans[index];
  return seam_plan_parse_as (pipeline, plan->notation != NULL ? plan->notation : "", plan->name,
                             error);
}

SeamOpKind
seam_explain_get_main_kind (const SeamChain *chain, int first, int last)
{
  SeamOpKind kind = SEAM_KIND_COPY;

  for (int op = first; op <= MIN (last, chain->n_ops - 1); op++) {
    SeamOpKind own = seam_op_get_kind (&chain->ops[op]);

    if (op == first || own == SEAM_KIND_NORMALISATION)
      kind = own;
    if (own == SEAM_KIND_MATRIX)
      return own;
  }
  return kind;
}
