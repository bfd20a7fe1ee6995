/* SPDX-License-Identifier: MIT
 *
 * The worst elements of a comparison: as a table for people and as CSV.
 */
#pragma once

#include "app/figure/map.h"
#include "app/report/table.h"
#include "app/result/result.h"

/* One row per element, largest error first: its place, both values, their difference. Rows have
 * plan 0 and the place in `worst` as index. With NULL, or if the elements were not kept, the table
 * has only columns. `names` NULL: A and B. */
SeamTable *seam_worst_table_make (const SeamDifference *difference, const SeamSideNames *names);

/* One row per worst element of plan `index` against `against` (-1: FP64) in `difference`; NULL: of
 * each plan in its own difference. One that lacks its worst elements (a session of format 1.0) has
 * no row. Newly allocated. */
char *seam_result_worst_to_csv (const SeamResult *result, int index, int against,
                                const SeamDifference *difference);
