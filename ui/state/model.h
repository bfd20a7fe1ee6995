/* SPDX-License-Identifier: MIT
 *
 * The window's state as one object: pipeline, shape, two or three plans, options, what the worker
 * said about them (targets, estimate), the run in progress and the last result. Widgets read it and
 * call its setters; it talks to the worker and tells everybody by "changed". It draws nothing.
 *
 * Signals:
 *   "changed" (guint flags)        SeamModelChange bits
 *   "message" (guint kind, char *title, char *text)   SeamMessageKind; an error or a remark
 *   "list-unsaved"                 the list of unsaved things is about to be read: whoever measures
 *                                  in steps adds what it has so far
 */
#pragma once

#include "ui/state/chosen-settings.h"
#include "ui/state/worker-client.h"

#include "app/measure/statistics.h"
#include "app/session/session.h"

G_BEGIN_DECLS

#define SEAM_TYPE_MODEL (seam_model_get_type ())
G_DECLARE_FINAL_TYPE (SeamModel, seam_model, SEAM, MODEL, GObject)

typedef enum {
  SEAM_CHANGE_PIPELINES = 1 << 0, /* the list of pipelines */
  SEAM_CHANGE_PIPELINE = 1 << 1,  /* which one is chosen */
  SEAM_CHANGE_SHAPE = 1 << 2,     /* a field's value or validity, the preset */
  SEAM_CHANGE_PLANS = 1 << 3,
  SEAM_CHANGE_OPTIONS = 1 << 4,
  SEAM_CHANGE_TARGETS = 1 << 5,  /* the worker described targets and checks */
  SEAM_CHANGE_ESTIMATE = 1 << 6, /* arrived, or became unknown */
  SEAM_CHANGE_RUN = 1 << 7,      /* idle, running, stopping */
  SEAM_CHANGE_PROGRESS = 1 << 8,
  SEAM_CHANGE_RESULT = 1 << 9, /* a result, or whether it still belongs to what is shown */
  SEAM_CHANGE_ALL = (1 << 10) - 1,
} SeamModelChange;

typedef enum {
  SEAM_MESSAGE_WORKER_LOST, /* info bar: details, run A only, try again */
  SEAM_MESSAGE_RUN_FAILED,  /* info bar: try again */
  SEAM_MESSAGE_WARNING,     /* info bar */
  SEAM_MESSAGE_TOAST,       /* toast */
} SeamMessageKind;

typedef enum { SEAM_RUN_IDLE, SEAM_RUN_RUNNING, SEAM_RUN_STOPPING } SeamRunState;

/* `pipelines`: at least one SeamPipeline; the first is chosen. Keeps a reference. */
SeamModel *seam_model_new (GPtrArray *pipelines);
SeamWorkerClient *seam_model_get_worker (SeamModel *self);
/* Starts the worker and asks it for its targets. Call it after the first frame. */
void seam_model_start (SeamModel *self);
/* Ends the worker and whatever it does: the window closes. Answers still on their way are dropped.
 */
void seam_model_close (SeamModel *self);
/* Asks again (a driver was installed, a device came back). */
void seam_model_refresh_targets (SeamModel *self);

/* Pipelines. */
GPtrArray *seam_model_get_pipelines (SeamModel *self);   /* of SeamPipeline; borrowed */
SeamPipeline *seam_model_get_pipeline (SeamModel *self); /* borrowed */
void seam_model_set_pipeline (SeamModel *self, SeamPipeline *pipeline);
/* Adds a person's own file and chooses it. */
gboolean seam_model_open_pipeline (SeamModel *self, const char *path, GError **error);

/* Shape. */
const gint64 *seam_model_get_values (SeamModel *self);
const char *seam_model_get_preset (SeamModel *self); /* NULL: own values */
void seam_model_set_preset (SeamModel *self, const char *name);
/* Takes the text of a field as it is typed; invalid text is remembered as this field's error. */
void seam_model_set_field_text (SeamModel *self, int field, const char *text);
/* Sentence of what is wrong with a field, or NULL. */
const char *seam_model_get_field_error (SeamModel *self, int field);
/* The first thing wrong with the whole shape, or NULL. */
const char *seam_model_get_shape_error (SeamModel *self);
/* The last valid problem: what strips show; NULL only before a pipeline is chosen. */
const SeamProblem *seam_model_get_problem (SeamModel *self);

/* Plans: 0 is A, 1 is B, 2 is C, one more to measure, which is there only where it was asked for.
 */
#define SEAM_MODEL_MAX_PLANS 3
int seam_model_get_n_plans (SeamModel *self);
SeamPlan *seam_model_get_plan (SeamModel *self, int index); /* as asked for; borrowed; C: or NULL */
/* As the target would execute it (`full` becomes the best cut there is); borrowed. */
SeamPlan *seam_model_get_shown_plan (SeamModel *self, int index);
const SeamPlanEstimate *seam_model_get_plan_estimate (SeamModel *self, int index); /* or NULL */
void seam_model_set_plan (SeamModel *self, int index, SeamPlan *plan);
/* A plan whose implementations the target has, as far as it is known. */
SeamPlan *seam_model_parse_plan (SeamModel *self, const char *text, GError **error);
gboolean seam_model_set_plan_text (SeamModel *self, int index, const char *text, GError **error);
/* Cuts or fuses a seam; a locked seam gives SEAM_ERROR_UNSUPPORTED with the backend's sentence. */
gboolean seam_model_toggle_seam (SeamModel *self, int index, int seam, GError **error);
/* A point of a sweep: its shape becomes the current one, and its plan B, unless it is A. Undone in
 * one step. */
void seam_model_take_point (SeamModel *self, const gint64 *values, SeamPlan *plan);
/* C; NULL: not any more. */
void seam_model_set_third_plan (SeamModel *self, SeamPlan *plan);
/* The plan that stands beside A where two are compared: place among the plans of the result, or
 * of the choice where there is none; -1: there is no second one. */
int seam_model_get_compared (SeamModel *self);
void seam_model_set_compared (SeamModel *self, int index);
gboolean seam_model_can_undo (SeamModel *self);
void seam_model_undo (SeamModel *self);
void seam_model_forget_undo (SeamModel *self);

/* Options. `request` holds target and settings. */
const SeamRunRequest *seam_model_get_request (SeamModel *self);
GPtrArray *seam_model_get_targets (SeamModel *self); /* of SeamDeviceInfo; NULL before known */
GPtrArray *seam_model_get_checks (SeamModel *self);  /* of SeamCheck; NULL before known */
const SeamDeviceInfo *seam_model_get_target (SeamModel *self); /* chosen; NULL unknown */
void seam_model_set_target (SeamModel *self, const char *id);
/* Whether the person chose the target, rather than "the best there is". */
gboolean seam_model_is_target_chosen (SeamModel *self);
/* Math mode, storage, cache, launch mode, values, seed, budget, …: as they were chosen. The request
 * has them as they were resolved for the target. */
SeamChosenSettings *seam_model_get_settings (SeamModel *self);

const SeamEstimate *seam_model_get_estimate (SeamModel *self); /* NULL unknown */
const char *seam_model_get_estimate_error (SeamModel *self);   /* NULL when there is none */

/* Whether the target was asked about what is chosen now, or will be, and has not answered. */
gboolean seam_model_is_asking (SeamModel *self);

/* While a calibration goes on, no run starts; at its end the estimate is asked for anew. */
void seam_model_set_calibrating (SeamModel *self, gboolean calibrating);

/* Running. */
SeamRunState seam_model_get_run_state (SeamModel *self);
const char *seam_model_get_blocker (SeamModel *self); /* why Run cannot start, or NULL */
void seam_model_run (SeamModel *self);
void seam_model_run_only (SeamModel *self, int index); /* one of the two plans */
void seam_model_stop (SeamModel *self);
const SeamProgress *seam_model_get_progress (SeamModel *self); /* last one; while running */
/* Plans in the run, or of the result that are looked at: one to three. A result from a session may
 * hold another one behind them, which they were compared with. */
int seam_model_get_n_running (SeamModel *self);
/* All samples so far of the k-th plan of the run. */
const SeamSample *seam_model_get_live_samples (SeamModel *self, int k, int *n_samples);
/* The k-th plan of the run, as it was when it started. */
SeamPlan *seam_model_get_run_plan (SeamModel *self, int k);
char seam_model_get_run_letter (SeamModel *self, int k); /* 'A', 'B' or 'C' */
/* Edited code (model-edit.c): the person's own text in place of the generated code of the group
 * with these ops; borrowed, or NULL. Setting it runs nothing and changes no plan; NULL forgets it.
 */
const char *seam_model_get_edit (SeamModel *self, int chain, int first, int last);
void seam_model_set_edit (SeamModel *self, int chain, int first, int last, const char *text);
/* Forgets it, and lets plans that use it use generated code again. */
void seam_model_reset_edit (SeamModel *self, int chain, int first, int last);
/* Plan `index` with that group edited becomes C, and all are run; C is compared with A then. */
void seam_model_run_edited (SeamModel *self, int index, int group);
/* Adds the texts of the “@edited” groups of the request's plans. */
void seam_model_add_edits (SeamModel *self, SeamRunRequest *request);
/* A result made of the samples so far (medians and intervals, no kernels): what a live verdict and
 * a lost run need. */
SeamResult *seam_model_make_live_result (SeamModel *self);

/* The last result of the chosen pipeline, or NULL; borrowed. Plans of the result are the plans of
 * the run in order: seam_model_get_run_plan() and _letter() still describe them. */
SeamResult *seam_model_get_result (SeamModel *self);
/* What has changed since that result: a sentence, borrowed until it is asked for again; NULL when
 * it is current. */
const char *seam_model_get_stale_reason (SeamModel *self);
/* Whether the worker still holds the outputs of that result (slices and differences work). */
gboolean seam_model_has_outputs (SeamModel *self);
/* Whether it holds those of `result`, even if another pipeline is shown. */
gboolean seam_model_has_outputs_of (SeamModel *self, const SeamResult *result);

/* Sessions (model-stored.c). */

/* Shows a run of a session: pipeline, shape, options and plans become those of the run, and the
 * result is there without a worker. Choosing other plans of the run shows those. `name` is the
 * file's, for people. SEAM_ERROR_FILE where the run cannot be shown, SEAM_ERROR_INPUT while another
 * one is measured. */
gboolean seam_model_show_stored (SeamModel *self, SeamSessionRun *run, const char *name,
                                 GError **error);
/* The file that the shown result comes from; NULL when it was measured here. */
const char *seam_model_get_stored_name (SeamModel *self);
/* The whole stored run, and the part of it that seam_model_get_result() is; NULL when measured. */
SeamSessionRun *seam_model_get_stored (SeamModel *self);
SeamSessionRun *seam_model_get_stored_pair (SeamModel *self);
void seam_model_close_stored (SeamModel *self);
/* A remark of another part of the window, shown like the model's own. `text` may be NULL. */
void seam_model_say (SeamModel *self, SeamMessageKind kind, const char *title, const char *text);
/* seam_result_get_provenance(), and the file where it comes from one; newly allocated. */
char *seam_model_get_provenance (SeamModel *self);

/* What was measured in this window and is in no file (model-unsaved.c). */

typedef enum {
  SEAM_UNSAVED_RUN,    /* of the window's own plans; opening a session puts it away */
  SEAM_UNSAVED_SURVEY, /* its page still has it then */
  SEAM_UNSAVED_LAB,    /* and so has the pitfall lab */
} SeamUnsavedKind;

typedef struct {
  SeamUnsavedKind kind;
  char *key;        /* a new one with the same key takes the place of the older one */
  char *name;       /* for people: "conv-relu-bias, 3 plans, 20:14" */
  GPtrArray *runs;  /* of SeamSessionRun; may be empty */
  GVariant *survey; /* an exploration or a sweep, as app/explore/survey-store.h makes it; or NULL */
} SeamUnsaved;

/* All of it, of SeamUnsaved, the oldest first; free with g_ptr_array_unref(). */
GPtrArray *seam_model_list_unsaved (SeamModel *self);
/* `what` is its name without the time. `runs` and `survey` may be NULL; takes a floating `survey`.
 */
void seam_model_add_unsaved (SeamModel *self, SeamUnsavedKind kind, const char *key,
                             const char *what, GPtrArray *runs, GVariant *survey);
/* These are in a file now, or were given up; those that have grown since they were listed stay. */
void seam_model_drop_unsaved (SeamModel *self, GPtrArray *items);
/* The same for all SEAM_UNSAVED_RUN: a session was opened in their place. */
void seam_model_drop_unsaved_runs (SeamModel *self);
/* Whether a run is in progress that has samples already. */
gboolean seam_model_has_live_samples (SeamModel *self);

G_END_DECLS
