/* SPDX-License-Identifier: MIT
 *
 * The numbers of both sides of a comparison as tables for people. All have the columns A, B, B − A
 * and B / A; a row without a known value on either side is left out.
 */
#pragma once

#include "app/compare/run-comparison.h"
#include "app/report/table.h"

/* All numbers of plans, kernels and runs. With NULL the table has only columns. */
SeamTable *seam_comparison_table_make (const SeamComparison *comparison);

/* One row per plan, even without numbers: its elapsed median, and how B compares with A. */
SeamTable *seam_comparison_plans_table_make (const SeamComparison *comparison);
/* The kernels of a plan; with `all` every number, else time, traffic and registers. A kernel whose
 * time is unknown has a row, too. */
SeamTable *seam_comparison_kernels_table_make (const SeamComparison *comparison,
                                               const SeamPlanPair *plan, gboolean all);
/* The numbers of a pair of plans, or of a pair of runs. */
SeamTable *seam_comparison_numbers_table_make (const SeamNumber *numbers, int n_numbers);
