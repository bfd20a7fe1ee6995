/* SPDX-License-Identifier: MIT
 *
 * The numbers of both sides of a comparison as tables for people. All have the columns A, B, B − A
 * and B / A; a row of which neither side is known is left out.
 */
#pragma once

#include "app/compare/run-comparison.h"
#include "app/report/table.h"

G_BEGIN_DECLS

/* Every number of plans, kernels and runs. NULL: the columns alone. */
SeamTable *seam_comparison_table_make (const SeamComparison *comparison);

/* One row a plan, always: its elapsed median, and what B is against A. */
SeamTable *seam_comparison_plans_table_make (const SeamComparison *comparison);
/* The kernels of a plan; with `all` every number, else time, traffic and registers. A kernel whose
 * time is unknown has a row all the same. */
SeamTable *seam_comparison_kernels_table_make (const SeamComparison *comparison,
                                               const SeamPlanPair *plan, gboolean all);
/* The numbers of a pair of plans, or of the two runs. */
SeamTable *seam_comparison_numbers_table_make (const SeamNumber *numbers, int n_numbers);

G_END_DECLS
