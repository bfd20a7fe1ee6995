/* SPDX-License-Identifier: MIT
 *
 * The tables of the explore page: what each seam is worth, how pairs of them work together, all
 * partitions. Fills tables from a survey and its view; computes nothing.
 */
#pragma once

#include "app/base/text.h"
#include "app/explore/explore.h"
#include "ui/table-view.h"

G_BEGIN_DECLS

/* One unit for all times of the page. */
SeamUnit seam_explore_get_unit (const SeamExploreView *view, const SeamSurvey *survey);

SeamTableView *seam_worth_table_new (void);
void seam_worth_table_fill (SeamTableView *table, const SeamSurvey *survey,
                            const SeamExploreView *view);
SeamTableView *seam_pairs_table_new (void);
void seam_pairs_table_fill (SeamTableView *table, const SeamSurvey *survey,
                            const SeamExploreView *view);
/* Rows have plan 0, index: the node. */
SeamTableView *seam_nodes_table_new (void);
void seam_nodes_table_fill (SeamTableView *table, const SeamSurvey *survey,
                            const SeamExploreView *view);

/* "best, Pareto": newly allocated. */
char *seam_explore_describe_marks (const SeamSurvey *survey, const SeamExploreView *view, int node);

G_END_DECLS
