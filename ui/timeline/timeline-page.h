/* SPDX-License-Identifier: MIT
 *
 * SeamTimelinePage: kernels and copies of both plans of the result on one time scale. Zoom and pan
 * with wheel, buttons and the keys W A S D, F shows all; a drag, Enter and M measure, Escape
 * clears.
 */
#pragma once

#include "ui/page/page.h"

#include <adwaita.h>

#define SEAM_TYPE_TIMELINE_PAGE (seam_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTimelinePage, seam_timeline_page, SEAM, TIMELINE_PAGE, AdwBin)
