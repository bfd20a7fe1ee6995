/* SPDX-License-Identifier: MIT
 *
 * The plans of a result, finished or in progress, as a table for people, and as CSV.
 */
#pragma once

#include "app/report/table.h"
#include "app/result/result.h"
#include "app/runner/runner.h"

/* An empty table for a widget that is made before there is a result; newly allocated. */
SeamTable *seam_plans_table_new (void);
/* One row per plan, compared with plan `baseline`: the first `n_shown` by their letters; 0: all, by
 * their names. */
SeamTable *seam_plans_table_make (const SeamResult *result, int baseline, int n_shown);

SeamTable *seam_live_table_new (void);
/* The plans of a run in progress. `implementations`: the text for each plan's groups, as
 * seam_plans_format_groups() makes it; items may be NULL. */
SeamTable *seam_live_table_make (const SeamResult *live, const char *const *implementations);

/* One row per plan; the first line is the header, unknown values are empty. Newly allocated. */
char *seam_result_to_csv (const SeamResult *result);
/* Everything, with verdict and ratio in each plan, and the smallest claimable difference or NULL.
 */
char *seam_result_to_json (const SeamResult *result, const double *claimable);

/* "cudnn | generated × 5": the implementations of a plan's groups; newly allocated. */
char *seam_plans_format_groups (const SeamPlanEstimate *estimate);
