/* SPDX-License-Identifier: MIT
 *
 * SeamPipelineResults: one row for each pipeline, with its chain and a run's times of A and B and
 * verdict. A switch selects the runs: those recorded on a GPU, which come with the program, or
 * those of this computer.
 *
 * Signals:
 *   "open"   (char *path) a recorded run was chosen
 *   "begin"  a pipeline was chosen for this computer; the model has it already
 */
#pragma once

#include "ui/state/model.h"
#include "ui/widgets/sample-list.h"

G_BEGIN_DECLS

#define SEAM_TYPE_PIPELINE_RESULTS (seam_pipeline_results_get_type ())
G_DECLARE_FINAL_TYPE (SeamPipelineResults, seam_pipeline_results, SEAM, PIPELINE_RESULTS, AdwBin)

/* Call once, before the widget is shown. `samples` reads the recorded runs. */
void seam_pipeline_results_set_model (SeamPipelineResults *self, SeamModel *model,
                                      SeamSampleList *samples);
/* The fastest plan after the first whose outputs are right; -1: none. */
int seam_pipeline_results_find_best (const SeamResult *result);
/* The recorded run of a pipeline, borrowed, or NULL. If there are several, the one in TF32, which
 * is the default of GPU libraries. */
const SeamSampleRun *seam_pipeline_results_find_recorded (SeamSampleList *samples,
                                                          const char *pipeline);

G_END_DECLS
