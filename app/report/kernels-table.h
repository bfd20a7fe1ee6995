/* SPDX-License-Identifier: MIT
 *
 * The kernels of a result: as a table for people and as CSV.
 */
#pragma once

#include "app/report/table.h"
#include "app/result/result.h"

/* Index of the row with the time between a plan's kernels. That of its rest is n_kernels. */
#define SEAM_ROW_GAPS G_MAXINT

/* An empty table for a widget that is made before there is a result; newly allocated. */
SeamTable *seam_kernels_table_new (void);
/* A row for each kernel, for the gaps, and for the rest of each plan that was traced: of the first
 * `n_shown` plans, by their letters; 0: of all, by their names. */
SeamTable *seam_kernels_table_make (const SeamResult *result, int n_shown);

/* The same rows; the first line is the header, unknown values are empty. Newly allocated. */
char *seam_result_kernels_to_csv (const SeamResult *result);
