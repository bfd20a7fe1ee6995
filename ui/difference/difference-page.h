/* SPDX-License-Identifier: MIT
 *
 * SeamDifferencePage: where and by how much two outputs differ. Verdict in words, overview of the
 * whole output, a slice of it at full resolution, and a panel that always shows the element under
 * the pointer. Grids come from the worker (app/worker), asked for as they are looked at; nothing is
 * computed here but counts over the slice that is on the screen.
 */
#pragma once

#include "ui/page/page.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_PAGE (seam_difference_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferencePage, seam_difference_page, SEAM, DIFFERENCE_PAGE, AdwBin)

/* Make one with g_object_new (SEAM_TYPE_DIFFERENCE_PAGE, NULL): seam_difference_sheet_new() is the
 * export sheet of app/report/sheets.h. */
