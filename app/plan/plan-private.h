/* SPDX-License-Identifier: MIT
 *
 * Private to app/plan: functions of plan.c for the parser.
 */
#pragma once

#include "app/plan/plan.h"

/* `implementations` has one entry per op (that of a group's first op counts; NULL: AUTO), or is
 * NULL. `name` is the name that was asked for; NULL: it is found from the partition. */
SeamPlan *seam_plan_build (SeamPipeline *pipeline, int chain, guint32 fused_seams,
                           const char *const *implementations, const char *name);

/* Finds a plan by its name, without regard to case: a cut of the file, or (`cut` NULL) the seams
 * that "unfused" or "full" fuse. `cut` and `canonical` are borrowed. */
gboolean seam_plan_find_named (const SeamPipeline *pipeline, const char *name, guint32 *fused,
                               const SeamNamedCut **cut, const char **canonical);
