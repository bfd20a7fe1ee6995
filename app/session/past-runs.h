/* SPDX-License-Identifier: MIT
 *
 * The runs in the history, as what the model's guess knows (app/explain/known.h): the newest of a
 * pipeline on a device, read once and again when the history has changed.
 */
#pragma once

#include "app/runner/runner.h"

typedef struct SeamPastRuns SeamPastRuns;

/* `path` NULL: the history of this computer. The file is opened when something is asked, and need
 * not exist. */
SeamPastRuns *seam_past_runs_new (const char *path);
void seam_past_runs_free (SeamPastRuns *self); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamPastRuns, seam_past_runs_free)
/* For seam_runner_set_recall(); valid as long as `self`. A damaged history adds nothing. */
SeamRecall seam_past_runs_get_recall (SeamPastRuns *self);
