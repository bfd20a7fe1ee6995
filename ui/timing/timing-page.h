/* SPDX-License-Identifier: MIT
 *
 * SeamTimingPage: the plans card, and under it their times: nothing yet, a
 * run in progress, or a result with its tables. Selection links bars, table and strips.
 *
 * Make one with g_object_new(): seam_timing_sheet_new() is the export sheet of app/report/sheets.h.
 */
#pragma once

#include "ui/page/page.h"

#include <adwaita.h>

#define SEAM_TYPE_TIMING_PAGE (seam_timing_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTimingPage, seam_timing_page, SEAM, TIMING_PAGE, AdwBin)
