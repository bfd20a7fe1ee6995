/* SPDX-License-Identifier: MIT
 *
 * Reading problem and plans back from a result: it carries its pipeline, so that nothing beside it
 * is needed.
 */
#pragma once

#include "app/plan/plan.h"
#include "app/result/result.h"

G_BEGIN_DECLS

/* SEAM_ERROR_FILE when pipeline or shape cannot be read. */
SeamProblem *seam_explain_read_problem (const SeamResult *result, GError **error);
/* SEAM_ERROR_INPUT when there is no such plan. */
SeamPlan *seam_explain_read_plan (const SeamResult *result, int index, GError **error);

G_END_DECLS
