/* SPDX-License-Identifier: MIT
 *
 * The run in progress and the last result: live samples, progress, Stop, what is left of a run
 * whose worker was lost, and whether the result still belongs to what is chosen.
 *
 * Properties, for notify:::
 *   "state"     idle, running, stopping; or whether a run may start (a calibration)
 *   "progress"  new samples
 *   "result"    another result, or whether it still belongs to what is chosen
 */
#pragma once

#include "ui/state/advice.h"
#include "ui/state/history-list.h"

G_BEGIN_DECLS

#define SEAM_TYPE_MEASUREMENT (seam_measurement_get_type ())
G_DECLARE_FINAL_TYPE (SeamMeasurement, seam_measurement, SEAM, MEASUREMENT, GObject)

typedef enum { SEAM_RUN_IDLE, SEAM_RUN_RUNNING, SEAM_RUN_STOPPING } SeamRunState;

SeamMeasurement *seam_measurement_new (SeamSetup *setup, SeamAdvice *advice,
                                       SeamHistoryList *history, SeamWorkerClient *worker,
                                       SeamNotices *notices);
/* Answers still on their way are dropped. */
void seam_measurement_close (SeamMeasurement *self);

/* --- Running --- */

SeamRunState seam_measurement_get_state (SeamMeasurement *self);
const char *
seam_measurement_get_blocker (SeamMeasurement *self); /* why Run cannot start, or NULL */
void seam_measurement_run (SeamMeasurement *self);
void seam_measurement_run_only (SeamMeasurement *self, int index); /* one of the plans */
/* Plan `index` with that group edited becomes C, and all are run; C is compared with A then. */
void seam_measurement_run_edited (SeamMeasurement *self, int index, int group);
void seam_measurement_stop (SeamMeasurement *self);
/* While a calibration goes on, no run starts; at its end the estimate is asked for anew. */
void seam_measurement_set_calibrating (SeamMeasurement *self, gboolean calibrating);
const SeamProgress *seam_measurement_get_progress (SeamMeasurement *self); /* while running */

/* --- Plans of the run in progress, or of the result that are looked at --- */

/* One to three. A result from a session may hold another one behind them, which they were compared
 * with. */
int seam_measurement_get_n_plans (SeamMeasurement *self);
/* All samples so far of the k-th one. */
const SeamSample *seam_measurement_get_live_samples (SeamMeasurement *self, int k, int *n_samples);
/* As it was when the run started. */
SeamPlan *seam_measurement_get_plan (SeamMeasurement *self, int k);
char seam_measurement_get_letter (SeamMeasurement *self, int k); /* 'A', 'B' or 'C' */
/* Whether a run is in progress that has samples already. */
gboolean seam_measurement_has_live_samples (SeamMeasurement *self);
/* A result made of the samples so far (medians and intervals, no kernels): what a live verdict and
 * a lost run need. */
SeamResult *seam_measurement_make_live_result (SeamMeasurement *self);

/* --- The result --- */

/* The last one of the chosen pipeline, or NULL; borrowed. Its plans are those above, in order. */
SeamResult *seam_measurement_get_result (SeamMeasurement *self);
/* What has changed since then: a sentence, borrowed until it is asked for again; NULL when it is
 * current. */
const char *seam_measurement_get_stale_reason (SeamMeasurement *self);
/* Whether the worker still holds the outputs of that result (slices and differences work). */
gboolean seam_measurement_has_outputs (SeamMeasurement *self);
/* Whether it holds those of `result`, even if another pipeline is shown. */
gboolean seam_measurement_has_outputs_of (SeamMeasurement *self, const SeamResult *result);
/* The plan that stands beside A: place among the plans of the result, or of the setup where there
 * is none; -1: there is no second one. */
int seam_measurement_get_compared (SeamMeasurement *self);

/* Calls back once the history holds all that the worker still has of the last run: the elements
 * around the worst ones, and the code. */
void seam_measurement_complete_async (SeamMeasurement *self, GAsyncReadyCallback callback,
                                      gpointer data);

/* --- A result from a session (store.c) --- */

/* Puts what was measured here aside; the pipeline that is chosen now is that of the results to be
 * shown. */
void seam_measurement_begin_recorded (SeamMeasurement *self);
/* What was measured here is shown again, in the place of what came after it. */
void seam_measurement_end_recorded (SeamMeasurement *self);
/* The plans that are chosen now, and the result that holds them. */
void seam_measurement_show_recorded (SeamMeasurement *self, SeamResult *result,
                                     SeamPlan *const *plans, int n_plans);
/* --- Plans as they are shown --- */

/* As plan `index` was executed where the shown result comes from a session and is current, else as
 * the target would execute it; borrowed. */
SeamPlan *seam_measurement_get_shown_plan (SeamMeasurement *self, int index);
/* NULL: not known, or the plan ran elsewhere, of which this machine can say nothing. */
const SeamPlanEstimate *seam_measurement_get_plan_estimate (SeamMeasurement *self, int index);
/* Cuts or fuses a seam; a locked seam gives SEAM_ERROR_UNSUPPORTED with the backend's sentence. */
gboolean seam_measurement_toggle_seam (SeamMeasurement *self, int index, int seam, GError **error);

G_END_DECLS
