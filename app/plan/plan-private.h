/* SPDX-License-Identifier: MIT
 *
 * Private to app/plan: what the parser needs of plan.c.
 */
#pragma once

#include "app/plan/plan.h"

G_BEGIN_DECLS

/* `implementations` has one entry an op (that of a group's first op counts), or is NULL. `name` is
 * the name it was asked for by, or NULL: then it is found from the partition. */
SeamPlan *seam_plan_build (SeamPipeline *pipeline, int chain, guint32 fused_seams,
                           const SeamImplementation *implementations, const char *name);

/* Looks a plan's name up, without regard to case; `canonical` is borrowed from the pipeline. */
gboolean seam_plan_find_named (const SeamPipeline *pipeline, const char *name, int *chain,
                               guint32 *fused, const char **canonical);

G_END_DECLS
