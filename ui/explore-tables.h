/* SPDX-License-Identifier: MIT
 *
 * The tables of the explore page: what each seam is worth, how pairs of them work together.
 * Fills tables from a survey and its view; computes nothing.
 */
#pragma once

#include "app/base/text.h"
#include "app/explore/explore.h"
#include "ui/table-view.h"

G_BEGIN_DECLS

SeamTableView *seam_worth_table_new (void);
void seam_worth_table_fill (SeamTableView *table, const SeamSurvey *survey,
                            const SeamExploreView *view);
SeamTableView *seam_pairs_table_new (void);
void seam_pairs_table_fill (SeamTableView *table, const SeamSurvey *survey,
                            const SeamExploreView *view);

G_END_DECLS
