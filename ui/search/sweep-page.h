/* SPDX-License-Identifier: MIT
 *
 * SeamSweepPage: the tab with the choice of fields that vary and plans that are compared, the
 * figure of what is measured so far, and every point as a table. app/explore/sweep.h has the logic.
 */
#pragma once

#include "ui/search/search-page.h"

#define SEAM_TYPE_SWEEP_PAGE (seam_sweep_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamSweepPage, seam_sweep_page, SEAM, SWEEP_PAGE, SeamSearchPage)
