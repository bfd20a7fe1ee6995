/* SPDX-License-Identifier: MIT
 *
 * The worker as the window sees it: a child process (`seamscope-cli worker`) spoken to by JSON-RPC
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

#include <gio/gio.h>

G_BEGIN_DECLS

#define SEAM_TYPE_WORKER_CLIENT (seam_worker_client_get_type ())
G_DECLARE_FINAL_TYPE (SeamWorkerClient, seam_worker_client, SEAM, WORKER_CLIENT, GObject)

SeamWorkerClient *seam_worker_client_new (void);

/* Whether a worker process exists now. Calls start one if it does not. */
gboolean seam_worker_client_is_alive (SeamWorkerClient *self);
/* The end of what workers wrote to standard error, for "Details"; borrowed, "" if nothing. */
const char *seam_worker_client_get_log (SeamWorkerClient *self);

/* Asks what the worker can do: targets (SeamDeviceInfo) and the doctor's rows (SeamCheck). */
void seam_worker_client_describe (SeamWorkerClient *self, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer data);
/* Either array may be NULL if it is not wanted; the caller owns both. */
gboolean seam_worker_client_describe_finish (SeamWorkerClient *self, GAsyncResult *result,
                                             GPtrArray **targets, GPtrArray **checks,
                                             GError **error);

void seam_worker_client_estimate (SeamWorkerClient *self, const SeamRunRequest *request,
                                  GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer data);
SeamEstimate *seam_worker_client_estimate_finish (SeamWorkerClient *self, GAsyncResult *result,
                                                  GError **error);

/* Asks for the code of every group of the request's plans; nothing is run. */
void seam_worker_client_source (SeamWorkerClient *self, const SeamRunRequest *request,
                                GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer data);
SeamCode *seam_worker_client_source_finish (SeamWorkerClient *self, GAsyncResult *result,
                                            GError **error);
/* Asks for what a compiler makes of one text of that code. */
void seam_worker_client_listing (SeamWorkerClient *self, const SeamRunRequest *request, int plan,
                                 int group, int part, SeamListingKind kind,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer data);
SeamListing *seam_worker_client_listing_finish (SeamWorkerClient *self, GAsyncResult *result,
                                                GError **error);

void seam_worker_client_run (SeamWorkerClient *self, const SeamRunRequest *request,
                             GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer data);
SeamResult *seam_worker_client_run_finish (SeamWorkerClient *self, GAsyncResult *result,
                                           GError **error);

/* Predicts the points of `search` and, with `measure`, measures those that are pending. */
void seam_worker_client_explore (SeamWorkerClient *self, const SeamSearch *search, gboolean measure,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer data);
/* The search's points for seam_search_merge_variant(), owned by the caller; `end` is newly
 * allocated: "done", "stopped", "budget". */
GVariant *seam_worker_client_explore_finish (SeamWorkerClient *self, GAsyncResult *result,
                                             char **end, GError **error);

/* Calibrates `target`, or with `measure` FALSE asks for its stored calibration
 * (SEAM_ERROR_UNSUPPORTED: none). */
void seam_worker_client_calibrate (SeamWorkerClient *self, const char *target, gboolean measure,
                                   double budget_s, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer data);
/* Stores a calibration that was measured but not stored, because it was unsteady. */
void seam_worker_client_keep_calibration (SeamWorkerClient *self, const char *target,
                                          const SeamCalibration *calibration,
                                          GAsyncReadyCallback callback, gpointer data);
/* Ends both calls above. `not_kept` (newly allocated): why the calibration could not be written
 * to its file, or NULL. `unsteady` (newly allocated): why it was not stored without asking, or
 * NULL. */
SeamCalibration *seam_worker_client_calibrate_finish (SeamWorkerClient *self, GAsyncResult *result,
                                                      char **not_kept, char **unsteady,
                                                      GError **error);
/* Deletes the stored calibration of `target`. */
void seam_worker_client_forget_calibration (SeamWorkerClient *self, const char *target,
                                            GAsyncReadyCallback callback, gpointer data);
gboolean seam_worker_client_forget_calibration_finish (SeamWorkerClient *self, GAsyncResult *result,
                                                       GError **error);

/* For the last run: plan `a` against the trusted plan `b` (-1: FP64). max_side bounds the
 * overview. */
void seam_worker_client_difference (SeamWorkerClient *self, int a, int b, double atol, double rtol,
                                    gint64 max_side, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer data);
SeamDifference *seam_worker_client_difference_finish (SeamWorkerClient *self, GAsyncResult *result,
                                                      GError **error);

/* Asks for a rectangle of both outputs: that of `wanted`, whose grids are not read. */
void seam_worker_client_slice (SeamWorkerClient *self, int a, int b, const SeamSlice *wanted,
                               GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer data);
SeamSlice *seam_worker_client_slice_finish (SeamWorkerClient *self, GAsyncResult *result,
                                            GError **error);

/* Asks the worker to end every call, running or waiting, as soon as it can; a run ends with what
 * it has measured. */
void seam_worker_client_cancel (SeamWorkerClient *self);
/* Ends the worker process at once, for example if it does not answer; "died" is emitted with
 * `reason`. */
void seam_worker_client_kill (SeamWorkerClient *self, const char *reason);

/* Ends the worker process without a signal, because the window closes. */
void seam_worker_client_close (SeamWorkerClient *self);

G_END_DECLS
