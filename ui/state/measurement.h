/* SPDX-License-Identifier: MIT
 *
 * The run in progress and the last result: live samples, progress, Stop, the samples of a run whose
 * worker was lost, and whether the result still belongs to what is chosen.
 *
 * Properties, for notify:::
 *   "state"     idle, running or stopping; also notified if something else allows or prevents runs
 *   "progress"  new samples
 *   "result"    another result, or whether it still belongs to the chosen settings
 */
#pragma once

#include "ui/state/advice.h"
#include "ui/state/history-list.h"

#define SEAM_TYPE_MEASUREMENT (seam_measurement_get_type ())
G_DECLARE_FINAL_TYPE (SeamMeasurement, seam_measurement, SEAM, MEASUREMENT, GObject)

typedef enum { SEAM_RUN_IDLE, SEAM_RUN_RUNNING, SEAM_RUN_STOPPING } SeamRunState;

SeamMeasurement *seam_measurement_new (SeamSetup *setup, SeamAdvice *advice,
                                       SeamHistoryList *history, SeamWorkerClient *worker,
                                       SeamNotices *notices);
/* Drops answers that are still on their way. */
void seam_measurement_close (SeamMeasurement *self);

/* --- Running --- */

SeamRunState seam_measurement_get_state (SeamMeasurement *self);
const char *
seam_measurement_get_blocker (SeamMeasurement *self); /* why Run cannot start, or NULL */
void seam_measurement_run_first (SeamMeasurement *self, int n_plans); /* the first of the plans */
void seam_measurement_run (SeamMeasurement *self);                    /* all */
/* Makes C from plan `index` with that group edited, and runs all plans; C is compared with A
 * then. FALSE: during a run, which a message says, and for a plan that has been removed. */
gboolean seam_measurement_run_edited (SeamMeasurement *self, int index, int group);
void seam_measurement_stop (SeamMeasurement *self);
/* No run starts while there is a reason, a static sentence; NULL: none. `model_too`: what is
 * modelled of the plans without a run is covered, too. */
void seam_measurement_hold (SeamMeasurement *self, const char *why, gboolean model_too);
gboolean seam_measurement_covers_model (SeamMeasurement *self);
#define SEAM_COVERED_TITLE "Covered until you commit"
/* That reason; NULL: none. What a run or an exploration would tell is covered while there is one.
 */
const char *seam_measurement_get_held (SeamMeasurement *self);
/* No run starts while the worker measures something else: `why` says what, a static sentence. With
 * NULL the estimate is requested again. */
void seam_measurement_set_busy (SeamMeasurement *self, const char *why);
/* That sentence, or one about the run in progress; NULL: nothing is measured. */
const char *seam_measurement_get_busy (SeamMeasurement *self);
/* The worker has run something else, so that it holds no output of the result any more. */
void seam_measurement_forget_outputs (SeamMeasurement *self);
const SeamProgress *seam_measurement_get_progress (SeamMeasurement *self); /* while running */

/* --- Plans of the run in progress, or shown plans of the result --- */

/* One to three. A result from a session may hold more plans behind them, which they were
 * compared with. */
int seam_measurement_get_n_plans (SeamMeasurement *self);
/* All samples so far of the k-th plan. */
const SeamSample *seam_measurement_get_live_samples (SeamMeasurement *self, int k, int *n_samples);
/* The plan as it was when the run started. */
SeamPlan *seam_measurement_get_plan (SeamMeasurement *self, int k);
/* A result made of the samples so far (medians and intervals, no kernels): what a live verdict and
 * a lost run need. */
SeamResult *seam_measurement_make_live_result (SeamMeasurement *self);

/* --- The result --- */

/* The last result of the chosen pipeline, or NULL; borrowed. Its plans are those above, in the
 * same order. */
SeamResult *seam_measurement_get_result (SeamMeasurement *self);
/* Its entry in the history, whose id is 0 until it is written; borrowed. NULL: the result was not
 * measured by this window. */
const SeamHistoryEntry *seam_measurement_get_entry (SeamMeasurement *self);
/* A sentence on what has changed since then, borrowed until the next call; NULL if the result is
 * current. */
const char *seam_measurement_get_stale_reason (SeamMeasurement *self);
/* Whether the worker still holds the outputs of that result, which slices and differences need. */
gboolean seam_measurement_has_outputs (SeamMeasurement *self);
/* The plan that stands beside A: index among the plans of the result, or of the setup without a
 * result; -1: there is no second plan. */
int seam_measurement_get_compared (SeamMeasurement *self);

/* --- A result from a session (store.c) --- */

/* Puts what was measured here aside; the pipeline that is chosen now is that of the results to be
 * shown. Not during a run. */
void seam_measurement_begin_recorded (SeamMeasurement *self);
/* What was measured here is shown again, in the place of what came after it. */
void seam_measurement_end_recorded (SeamMeasurement *self);
/* The plans that are chosen now, and the result that holds them. */
void seam_measurement_show_recorded (SeamMeasurement *self, SeamResult *result,
                                     SeamPlan *const *plans, int n_plans);
/* --- Plans as they are shown --- */

/* Plan `index` as it was executed if the shown result comes from a session and is current, else
 * as the target would execute it; borrowed. */
SeamPlan *seam_measurement_get_shown_plan (SeamMeasurement *self, int index);
/* NULL: not known, or the plan ran on another machine, for which this one has no estimate. */
const SeamPlanEstimate *seam_measurement_get_plan_estimate (SeamMeasurement *self, int index);
