/* SPDX-License-Identifier: MIT
 *
 * The partitions of an exploration as a table for people.
 */
#pragma once

#include "app/base/text.h"
#include "app/explore/explore.h"
#include "app/report/table.h"

/* How many times faster a point is than the plan compared with, with “?” where the verdict claims
 * no difference; the tooltip has its interval. */
void seam_partitions_fill_ratio (SeamCell *cell, double ratio, const SeamSearch *search, int index);
/* The one unit for all times of an exploration. */
SeamUnit seam_partitions_get_unit (const SeamExploreView *view, const SeamSearch *search);

/* Rows have plan 0 and the node as index. `nodes`: which nodes, in this order; NULL: the first
 * `n`. */
SeamTable *seam_partitions_table_make (const SeamSearch *search, const SeamExploreView *view,
                                       const int *nodes, int n);

/* "best, Pareto"; newly allocated. */
char *seam_partitions_describe_marks (const SeamSearch *search, const SeamExploreView *view,
                                      int node);
