/* SPDX-License-Identifier: MIT
 *
 * The tables of the timing page: kernels of a traced result, plans of one that was not traced, and
 * plans of a run in progress. Texts and sort values only; SeamTable shows them.
 */
#pragma once

#include "ui/table.h"

#include "app/result/result.h"
#include "app/runner/run.h"

G_BEGIN_DECLS

/* Row index of the gaps of a plan in the kernel table. */
#define SEAM_ROW_GAPS G_MAXINT

SeamTable *seam_kernel_table_new (void);
/* `letters`: of the result's first plans; the table is of these. */
void seam_kernel_table_fill (SeamTable *table, const SeamResult *result, const char *letters);

SeamTable *seam_plan_table_new (void);
void seam_plan_table_fill (SeamTable *table, const SeamResult *result, const char *letters);

SeamTable *seam_live_table_new (void);
/* `implementations`: of each plan's groups; items may be NULL. */
void seam_live_table_fill (SeamTable *table, const SeamResult *live, const char *letters,
                           const char *const *implementations);

/* "cudnn | generated × 5": who executes the groups of a plan; newly allocated. */
char *seam_format_estimate_groups (const SeamPlanEstimate *estimate);
/* The same from a plan's executed notation ("conv@cudnn|bias@generated"). */
char *seam_format_executed_groups (const char *executed);

G_END_DECLS
