/* SPDX-License-Identifier: MIT
 *
 * The table of the worst elements on the difference page: its columns, and its rows from a
 * difference. What a selected row does is the page's business.
 */
#pragma once

#include "ui/table-view.h"

#include "app/figure/map.h"

G_BEGIN_DECLS

SeamTableView *seam_worst_table_new (void);
/* Row `i` (plan 0, index i) is worst[i]. NULL, or one that did not keep them: no rows. */
void seam_worst_table_fill (SeamTableView *table, const SeamDifference *difference);
/* Titles of the columns, and which there are. */
void seam_worst_table_set_titles (SeamTableView *table, const SeamSideNames *names,
                                  gboolean is_plane);

G_END_DECLS
