/* SPDX-License-Identifier: MIT
 *
 * The table of a sweep's points. Fills a table; computes nothing.
 */
#pragma once

#include "app/explore/sweep.h"
#include "ui/table-view.h"

G_BEGIN_DECLS

SeamTableView *seam_points_table_new (void);
/* Rows have plan 0, index: the point. `sweep` NULL: empty. */
void seam_points_table_fill (SeamTableView *table, const SeamSweep *sweep);

G_END_DECLS
