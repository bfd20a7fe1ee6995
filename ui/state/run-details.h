/* SPDX-License-Identifier: MIT
 *
 * What a worker still has of a run and its result does not hold: the elements around the worst one
 * of each plan, and the code that ran. They are asked for one after the other and added to the run.
 */
#pragma once

#include "app/session/session.h"
#include "app/worker/client.h"

G_BEGIN_DECLS

/* Adds them to `run`, which nobody else has yet, and calls `callback` on the worker. Elements are
 * asked for only with `has_outputs`: the worker answers about its last run. Cancel it before
 * another run starts; it ends then with what it has. */
void seam_run_details_fetch (SeamWorkerClient *worker, SeamSessionRun *run, gboolean has_outputs,
                             GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer data);
/* The run, with what could be had; a new reference. Never fails: a run is whole without details. */
SeamSessionRun *seam_run_details_finish (GAsyncResult *result);

G_END_DECLS
