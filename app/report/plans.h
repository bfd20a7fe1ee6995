/* SPDX-License-Identifier: MIT
 *
 * The plans of a result: as a table for people, while they are measured, and as CSV.
 */
#pragma once

#include "app/report/table.h"
#include "app/result/result.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

/* The columns alone, for a widget that is made before there is a result; newly allocated. */
SeamTable *seam_plans_table_new (void);
/* One row a plan, compared with plan `baseline`. `letters` names the first plans, and the table is
 * of these; NULL: of all, by their names. */
SeamTable *seam_plans_table_make (const SeamResult *result, int baseline, const char *letters);

SeamTable *seam_live_table_new (void);
/* The plans of a run in progress. `implementations`: who executes each plan's groups; items may be
 * NULL. */
SeamTable *seam_live_table_make (const SeamResult *live, const char *letters,
                                 const char *const *implementations);

/* One row a plan; the first line is the header, unknown figures are empty. Newly allocated. */
char *seam_result_to_csv (const SeamResult *result);

/* "cudnn | generated × 5": who executes the groups of a plan; newly allocated. */
char *seam_plans_format_groups (const SeamPlanEstimate *estimate);

G_END_DECLS
