/* SPDX-License-Identifier: MIT
 *
 * A run beside what the window shows: neither what is chosen nor the result changes, only that the
 * worker holds no outputs of the result afterwards. The history has the run.
 */
#pragma once

#include "ui/state/model.h"

/* SEAM_ERROR_UNSUPPORTED if something else is measured. Cancelling ends the run as Stop does. */
void seam_aside_run (SeamModel *model, const SeamRunRequest *request, GCancellable *cancellable,
                     GAsyncReadyCallback callback, gpointer data);
