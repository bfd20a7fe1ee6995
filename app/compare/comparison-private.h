/* SPDX-License-Identifier: MIT
 *
 * Declarations that the files of a comparison share.
 */
#pragma once

#include "app/compare/run-comparison.h"

/* comparison-conditions.c: fills conditions and obstacle. */
void seam_comparison_add_conditions (SeamComparison *comparison);

/* run-comparison-numbers.c: newly allocated arrays; a side that is NULL is unknown. */
SeamNumber *seam_comparison_list_run_numbers (const SeamResult *a, const SeamResult *b, int *n);
SeamNumber *seam_comparison_list_plan_numbers (const SeamPlanResult *a, const SeamPlanResult *b,
                                               int *n);
SeamNumber *seam_comparison_list_kernel_numbers (const SeamKernel *a, const SeamKernel *b, int *n);
