/* SPDX-License-Identifier: MIT
 *
 * Reads problem and plans from a result, which contains its pipeline, so that nothing else is
 * needed.
 */
#pragma once

#include "app/plan/plan.h"
#include "app/result/result.h"

/* SEAM_ERROR_FILE if pipeline or shape cannot be read. */
SeamProblem *seam_explain_read_problem (const SeamResult *result, GError **error);
/* SEAM_ERROR_INPUT if there is no such plan. */
SeamPlan *seam_explain_read_plan (const SeamResult *result, int index, GError **error);
/* The kind of a matrix op, else of a normalisation, else of the first of these ops; a range outside
 * the chain is a copy. */
SeamOpKind seam_explain_get_main_kind (const SeamChain *chain, int first, int last);
