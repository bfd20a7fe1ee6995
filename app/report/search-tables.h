/* SPDX-License-Identifier: MIT
 *
 * The tables of searches for people, besides partitions.h: of an exploration what each seam is
 * worth and how pairs of seams work together, of a sweep its shapes and its points. All are newly
 * allocated.
 */
#pragma once

#include "app/explore/explore.h"
#include "app/explore/sweep.h"
#include "app/report/table.h"

G_BEGIN_DECLS

/* A row a seam. The numbers are in seam_partitions_get_unit(), which stands over the table. */
SeamTable *seam_worth_table_make (const SeamSearch *search, const SeamExploreView *view);
/* A row a seam and a column for each seam after it; the same unit. */
SeamTable *seam_pairs_table_make (const SeamSearch *search, const SeamExploreView *view);

/* A row a shape, with the times of all plans and the fastest. */
SeamTable *seam_shapes_table_make (const SeamSweep *sweep);
/* A row a point, whose plan is 0 and whose index is the point. */
SeamTable *seam_points_table_make (const SeamSweep *sweep);

G_END_DECLS
