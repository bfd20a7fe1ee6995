/* SPDX-License-Identifier: MIT
 *
 * SeamTimelinePage: kernels and copies of both plans of the result on one time scale. Zoom and pan
 * with wheel, buttons and the keys W A S D, F shows all; a drag, Enter and M measure, Escape
 * clears.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_TIMELINE_PAGE (seam_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTimelinePage, seam_timeline_page, SEAM, TIMELINE_PAGE, AdwBin)

/* Once, before it is shown. Make one with g_object_new(): seam_timeline_page_new() is the export
 * sheet of app/report/page.h. */
void seam_timeline_page_set_model (SeamTimelinePage *self, SeamModel *model);
void seam_timeline_page_set_narrow (SeamTimelinePage *self, gboolean narrow);

G_END_DECLS
