/* SPDX-License-Identifier: MIT
 *
 * Reads problem and plans from a result, which contains its pipeline, so that nothing else is
 * needed.
 */
#pragma once

#include "app/plan/plan.h"
#include "app/result/result.h"

G_BEGIN_DECLS

/* SEAM_ERROR_FILE if pipeline or shape cannot be read. */
SeamProblem *seam_explain_read_problem (const SeamResult *result, GError **error);
/* SEAM_ERROR_INPUT if there is no such plan. */
SeamPlan *seam_explain_read_plan (const SeamResult *result, int index, GError **error);

G_END_DECLS
