/* SPDX-License-Identifier: MIT
 *
 * SeamPipelineResults: one row for each pipeline, with a run's times of A and B and verdict. A
 * switch selects the runs: those recorded on a GPU, which come with the program (data/samples), or
 * those of this computer. Recordings that stand for no pipeline are below the others.
 *
 * Signals:
 *   "read"  the recordings are there
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_PIPELINE_RESULTS (seam_pipeline_results_get_type ())
G_DECLARE_FINAL_TYPE (SeamPipelineResults, seam_pipeline_results, SEAM, PIPELINE_RESULTS, AdwBin)

/* Call once, before the widget is shown. */
void seam_pipeline_results_set_model (SeamPipelineResults *self, SeamModel *model);
/* The fastest plan after the first whose outputs are right; -1: none. */
int seam_pipeline_results_find_best (const SeamResult *result);
/* The run of a pipeline that was recorded on a GPU, and the action that opens it, borrowed; NULL:
 * there is none. If there are several, the one in TF32, which is the default of GPU libraries. */
SeamResult *seam_pipeline_results_find_recorded (SeamPipelineResults *self, const char *pipeline,
                                                 const char **action);
