/* SPDX-License-Identifier: MIT
 *
 * SeamPipelineResults: a row a pipeline with its chain and what a run of it says: the times of A
 * and B and the verdict. A switch tells whose runs they are: those recorded on a GPU, which come
 * with the program, or those of this computer.
 *
 * Signals:
 *   "open"   (char *path) a recorded run was chosen
 *   "begin"  a pipeline was chosen, to be run or looked at on this computer; it is that of the
 * model
 */
#pragma once

#include "ui/state/model.h"
#include "ui/widgets/sample-list.h"

G_BEGIN_DECLS

#define SEAM_TYPE_PIPELINE_RESULTS (seam_pipeline_results_get_type ())
G_DECLARE_FINAL_TYPE (SeamPipelineResults, seam_pipeline_results, SEAM, PIPELINE_RESULTS, AdwBin)

/* Once, before it is shown. `samples` reads the recorded runs. */
void seam_pipeline_results_set_model (SeamPipelineResults *self, SeamModel *model,
                                      SeamSampleList *samples);

G_END_DECLS
