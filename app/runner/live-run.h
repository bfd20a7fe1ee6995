/* SPDX-License-Identifier: MIT
 *
 * A run that another process makes, as far as its progress tells: the samples so far, and a result
 * made of them (medians and intervals, no kernels). That is what a live verdict shows, and what is
 * left of a run whose process was lost.
 */
#pragma once

#include "app/runner/runner.h"

G_BEGIN_DECLS

typedef struct SeamLiveRun SeamLiveRun;

/* `plans`: those of the request as they are executed, in order. Both are copied. */
SeamLiveRun *seam_live_run_new (const SeamRunRequest *request, SeamPlan *const *plans, int n_plans);
void seam_live_run_free (SeamLiveRun *self);

/* Takes what is new; samples of a plan that the run does not have are left out. */
void seam_live_run_add (SeamLiveRun *self, const SeamProgress *progress);
/* The last progress, without its new samples; borrowed. NULL: there was none yet. */
const SeamProgress *seam_live_run_get_progress (const SeamLiveRun *self);
/* All samples so far of the k-th plan; borrowed until there are more. NULL: none. */
const SeamSample *seam_live_run_get_samples (const SeamLiveRun *self, int k, int *n_samples);
gboolean seam_live_run_has_samples (const SeamLiveRun *self);

/* `target`: where it runs, NULL: not known. `stopped`: nothing more will come. */
SeamResult *seam_live_run_make_result (const SeamLiveRun *self, const SeamDeviceInfo *target,
                                       gboolean stopped);
/* The same of a run whose process is gone: plans without a sample say why they have none. */
SeamResult *seam_live_run_make_remains (const SeamLiveRun *self, const SeamDeviceInfo *target);

G_END_DECLS
