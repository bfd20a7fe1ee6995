/* SPDX-License-Identifier: MIT
 *
 * SeamPipelineDetails: what the browser says of the selected pipeline: its chain, what to know of
 * it, the last run, and the shape with which it would be used. It has choices of its own (a
 * SeamSetup), for which it asks the worker; the window's change only when the pipeline is used.
 *
 * Signals:
 *   "use", "last-run"   a button was pressed
 */
#pragma once

#include "app/pipeline/catalogue.h"
#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_PIPELINE_DETAILS (seam_pipeline_details_get_type ())
G_DECLARE_FINAL_TYPE (SeamPipelineDetails, seam_pipeline_details, SEAM, PIPELINE_DETAILS, AdwBin)

/* Call once, before the widget is shown. */
void seam_pipeline_details_set_model (SeamPipelineDetails *self, SeamModel *model);
/* Shows the entry; NULL: none. */
void seam_pipeline_details_show (SeamPipelineDetails *self, const SeamCatalogueEntry *entry);
/* The chain beside the other cards, instead of above them. */
void seam_pipeline_details_set_across (SeamPipelineDetails *self, gboolean across);
/* The choices: the pipeline and its shape. */
SeamSetup *seam_pipeline_details_get_setup (SeamPipelineDetails *self);
