/* SPDX-License-Identifier: MIT
 *
 * The worker as its caller sees it: a child process (`seamscope-cli worker`) spoken to by JSON-RPC
 * over its standard input and output. Every call is asynchronous and runs its callback in the main
 * loop. A worker that dies fails the calls that waited for it, says why in "died", and is replaced
 * at the next call. Protocol: app/worker/protocol.h.
 *
 * Signals:
 *   "progress" (SeamProgress *)  while a run goes on; valid during the emission only
 *   "partial"  (SeamResult *)    the measurements from before the device was lost
 *   "search"   (SeamSearchProgress *, GVariant *search or NULL)  while partitions are explored; the
 *              variant is for seam_search_merge_variant()
 *   "calibration" (char *what, double fraction)  while a target is calibrated
 *   "hello"    (GVariant *)  a worker has started, says this, and speaks this program's protocol;
 *              if it speaks another, or says nothing within 10 s, all calls fail with a sentence
 *              that says so
 *   "died"     (char *reason)    a sentence; the client is usable again when it is emitted
 */
#pragma once

#include "app/explore/explore.h"
#include "app/explore/sweep.h"
#include "app/result/calibration.h"
#include "app/result/check.h"
#include "app/result/result.h"
#include "app/runner/runner.h"
#include "app/runner/runner-source.h"
#include "app/session/session.h"
#include "app/worker/protocol.h"

#include <gio/gio.h>

#define SEAM_TYPE_WORKER_CLIENT (seam_worker_client_get_type ())
G_DECLARE_FINAL_TYPE (SeamWorkerClient, seam_worker_client, SEAM, WORKER_CLIENT, GObject)

/* `machine`: the name of the worker's machine, which it is told; "": this one. */
SeamWorkerClient *seam_worker_client_new (const char *machine);

/* For tests: a limit other than 10 s for a worker's answer to hello. */
void seam_worker_client_set_hello_limit (SeamWorkerClient *self, guint limit_ms);

/* Whether a worker process exists now. Calls start one if it does not. */
gboolean seam_worker_client_is_alive (SeamWorkerClient *self);
/* The end of what workers wrote to standard error, for "Details"; borrowed, "" if nothing. */
const char *seam_worker_client_get_log (SeamWorkerClient *self);

/* Calls a method (SEAM_METHOD_…, app/worker/protocol.h); starts a worker if there is none.
 * `params`, a{sv}, may be floating. A call that is cancelled is still answered, to nobody. */
void seam_worker_client_call (SeamWorkerClient *self, const char *method, GVariant *params,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer data);
/* The reply, which the caller frees: a SeamSessionRun of `run`, a SeamEstimate of `estimate`, a
 * SeamCode of `source`, a SeamListing, a SeamDifference, a SeamSlice, and these of `describe` and
 * `calibrate`; a GVariant of others. NULL with the worker's error, or with
 * G_IO_ERROR_CONNECTION_CLOSED if it died: then "died" tells the person why. */
gpointer seam_worker_client_finish (GAsyncResult *result, GError **error);

typedef struct {
  GPtrArray *targets; /* of SeamDeviceInfo */
  GPtrArray *checks;  /* of SeamCheck */
} SeamDescription;

typedef struct {
  SeamCalibration *calibration;
  char *not_kept; /* why it could not be written to its file, or NULL */
  char *unsteady; /* why it was not stored without asking, or NULL */
} SeamCalibrated;

void seam_description_free (SeamDescription *self);
void seam_calibrated_free (SeamCalibrated *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamDescription, seam_description_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamCalibrated, seam_calibrated_free)

/* Parameters of `slice`: the rectangle of `wanted`, whose grids are not read. */
GVariant *seam_worker_params_slice (int a, int b, const SeamSlice *wanted);

/* Asks the worker to end every call, running or waiting, as soon as it can; a run ends with what
 * it has measured. */
void seam_worker_client_cancel (SeamWorkerClient *self);
/* Ends the worker process at once, for example if it does not answer; "died" is emitted with
 * `reason`. */
void seam_worker_client_kill (SeamWorkerClient *self, const char *reason);

/* Ends the worker process without a signal, because the window closes. */
void seam_worker_client_close (SeamWorkerClient *self);
