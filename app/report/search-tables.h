/* SPDX-License-Identifier: MIT
 *
 * Tables of searches for people; partitions.h has one more. For an exploration: the worth of each
 * seam, and how pairs of seams interact. For a sweep: its shapes and its points. All are newly
 * allocated.
 */
#pragma once

#include "app/explore/explore.h"
#include "app/explore/sweep.h"
#include "app/report/table.h"

/* One row per seam. Numbers have the unit of seam_partitions_get_unit(), which stands over the
 * table. */
SeamTable *seam_worth_table_make (const SeamSearch *search, const SeamExploreView *view);
/* One row per seam, and a column for each seam after it; the same unit. */
SeamTable *seam_pairs_table_make (const SeamSearch *search, const SeamExploreView *view);

/* One row per shape, with the times of all plans and the fastest plan. */
SeamTable *seam_shapes_table_make (const SeamSweep *sweep);
/* One row per point, with plan 0 and the point as index. */
SeamTable *seam_points_table_make (const SeamSweep *sweep);
