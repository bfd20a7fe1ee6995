/* SPDX-License-Identifier: MIT
 *
 * SeamSidebar: pipelines, shape, options of the run, and the memory they need. It edits the model
 * and shows what the model says; it keeps no state of its own.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_SIDEBAR (seam_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (SeamSidebar, seam_sidebar, SEAM, SIDEBAR, AdwBin)

/* Call once, before it is shown. Keeps a reference. */
void seam_sidebar_set_model (SeamSidebar *self, SeamModel *model);
