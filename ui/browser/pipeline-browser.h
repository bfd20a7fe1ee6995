/* SPDX-License-Identifier: MIT
 *
 * SeamPipelineBrowser: the page with all pipelines: collections and filters, the list with its
 * search, and the details of the selected one. Files are read when the page is first shown, and
 * again when the person's folder changes.
 * It leaves by win.leave-pipelines.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_PIPELINE_BROWSER (seam_pipeline_browser_get_type ())
G_DECLARE_FINAL_TYPE (SeamPipelineBrowser, seam_pipeline_browser, SEAM, PIPELINE_BROWSER, AdwBin)

/* Call once, before the page is shown. */
void seam_pipeline_browser_set_model (SeamPipelineBrowser *self, SeamModel *model);
/* Folds the page for a width in px of text of the usual size. */
void seam_pipeline_browser_set_width (SeamPipelineBrowser *self, int width);
