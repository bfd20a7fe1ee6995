/* SPDX-License-Identifier: MIT
 *
 * The worst elements of a comparison: as a table for people and as CSV.
 */
#pragma once

#include "app/figure/map.h"
#include "app/report/table.h"
#include "app/result/result.h"

G_BEGIN_DECLS

/* One row an element, largest error first: where it is, both values, how far they are apart. Rows
 * have plan 0 and, as index, the place in `worst`. The columns alone for NULL, or where they were
 * not kept; `names` NULL: A and B. */
SeamTable *seam_worst_table_make (const SeamDifference *difference, const SeamSideNames *names);

/* One row a worst element of each plan that was compared; the first line is the header. A plan
 * whose difference does not know them (a session of format 1.0) has no row. Newly allocated. */
char *seam_result_worst_to_csv (const SeamResult *result);
/* The same columns for one comparison: of `plan` with `trusted` (-1: FP64). */
char *seam_comparison_worst_to_csv (const SeamResult *result, int plan, int trusted,
                                    const SeamDifference *difference);

G_END_DECLS
