/* SPDX-License-Identifier: MIT
 *
 * The table of the pitfall lab: one row a case, times of A and B and the ratio, with intervals.
 */
#pragma once

#include "ui/table-view.h"

#include "app/explore/pitfall-lab.h"

G_BEGIN_DECLS

SeamTableView *seam_pitfall_table_new (void);
void seam_pitfall_table_fill (SeamTableView *table, const SeamLab *lab);

G_END_DECLS
