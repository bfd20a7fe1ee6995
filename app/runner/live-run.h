/* SPDX-License-Identifier: MIT
 *
 * A run of another process, built from its progress: the samples so far, and a result made of them
 * (medians and intervals, no kernels). A live verdict shows that result, and it is all that is left
 * of a run whose process was lost.
 */
#pragma once

#include "app/runner/runner.h"

typedef struct SeamLiveRun SeamLiveRun;

/* `plans`: the plans of the request in the order of execution. Both arguments are copied. */
SeamLiveRun *seam_live_run_new (const SeamRunRequest *request, SeamPlan *const *plans, int n_plans);
void seam_live_run_free (SeamLiveRun *self);

/* Adds the new samples; those of plans that the run does not have are ignored. */
void seam_live_run_add (SeamLiveRun *self, const SeamProgress *progress);
/* The last progress, without its new samples; borrowed. NULL if there is none yet. */
const SeamProgress *seam_live_run_get_progress (const SeamLiveRun *self);
/* All samples so far of the k-th plan; borrowed until more are added. NULL if there are none. */
const SeamSample *seam_live_run_get_samples (const SeamLiveRun *self, int k, int *n_samples);
gboolean seam_live_run_has_samples (const SeamLiveRun *self);

/* `target`: the device of the run, NULL: unknown. `stopped`: no more samples will come. */
SeamResult *seam_live_run_make_result (const SeamLiveRun *self, const SeamDeviceInfo *target,
                                       gboolean stopped);
/* The same for a run whose process was lost: plans without a sample say why they have none. */
SeamResult *seam_live_run_make_remains (const SeamLiveRun *self, const SeamDeviceInfo *target);
