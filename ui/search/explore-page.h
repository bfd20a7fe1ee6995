/* SPDX-License-Identifier: MIT
 *
 * SeamExplorePage: the lattice of all partitions as they are predicted and measured, the node that
 * is plan B, what each seam is worth, and all partitions as a table.
 */
#pragma once

#include "ui/search/search-page.h"

#define SEAM_TYPE_EXPLORE_PAGE (seam_explore_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamExplorePage, seam_explore_page, SEAM, EXPLORE_PAGE, SeamSearchPage)
