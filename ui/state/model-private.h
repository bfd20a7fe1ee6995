/* SPDX-License-Identifier: MIT
 *
 * The fields of SeamModel, shared by model.c, model-plans.c and model-options.c (what the person
 * chose), model-run.c (what the worker is asked and answers), model-stored.c (a run of a session),
 * model-unsaved.c and model-edit.c. Nobody else includes this.
 */
#pragma once

#include "ui/state/model.h"

G_BEGIN_DECLS

#define SEAM_UNDO_LIMIT 100

/* The plans before an edit, the last may be NULL; and the shape, where that was edited too. */
typedef struct {
  SeamPlan *plans[SEAM_MODEL_MAX_PLANS];
  gint64 *values; /* [SEAM_MAX_FIELDS]; NULL: it was not */
  char *preset;
} SeamPlanSet;

/* One plan of the run in progress or of the last result. */
typedef struct {
  SeamPlan *plan;  /* as shown when the run started */
  char letter;     /* 'A', 'B' or 'C' */
  GArray *samples; /* of SeamSample, so far */
} SeamRunPlan;

struct _SeamModel {
  GObject parent_instance;

  SeamWorkerClient *worker;
  GPtrArray *pipelines; /* of SeamPipeline */

  /* What the person chose. */
  SeamRunRequest *request;
  SeamProblem *problem; /* last valid one */
  char *field_errors[SEAM_MAX_FIELDS];
  char *problem_error;
  int edited_field;             /* the field a problem_error belongs to; -1 */
  SeamChosenSettings *settings; /* the request has what the target can do */
  gboolean target_chosen;       /* by the person or remembered, rather than "the best there is" */
  SeamPlan *plans[SEAM_MODEL_MAX_PLANS]; /* the last may be NULL */
  SeamPlan *shown[SEAM_MODEL_MAX_PLANS]; /* as the target would execute them, from the estimate */
  int compared;                          /* with A: 1 or 2 */
  GArray *undo;                          /* of SeamPlanSet */

  /* What the worker said. */
  GPtrArray *targets, *checks;
  gboolean started;
  gboolean announce_worker; /* say so when the new worker answers */
  gboolean expected_death;  /* we end the worker ourselves, and have said why */
  int deaths;               /* in a row, without an answer between */
  SeamEstimate *estimate;
  char *estimate_error;
  guint estimate_timeout;
  guint estimate_serial; /* of the state now; an answer for an older one is dropped */
  gboolean estimate_pending;
  gboolean calibrating;

  SeamEdits edits;        /* see model-edit.c */
  gint64 sign_of_life_us; /* of a run with edits */
  guint watch_timeout;

  /* The run, and the result that it left. */
  SeamRunState run_state;
  guint run_serial;
  guint stop_timeout;
  int n_run_plans;
  SeamRunPlan run_plans[SEAM_MODEL_MAX_PLANS];
  SeamRunRequest *run_request; /* as sent */
  SeamProgress progress;
  gboolean has_progress;
  SeamResult *partial;
  SeamResult *result;
  SeamPipeline *result_pipeline;
  char *result_plans_key;
  SeamRunRequest *result_request; /* shape, target and settings that it belongs to */
  char *stale_reason;
  gboolean has_outputs;
  GPtrArray *unsaved; /* of SeamUnsaved, see model-unsaved.c; never NULL */

  /* A run from a session, of which `result` shows two or three plans. */
  SeamSessionRun *stored, *stored_pair;
  char *stored_name;       /* of the file, for people */
  GPtrArray *stored_plans; /* of SeamPlan, in the order of the run */
};

/* model-plans.c: an empty list of SeamPlanSet. */
GArray *seam_model_new_undo (void);
/* One plan for another, without a step back and without a signal; NULL: C is not there any more. */
void seam_model_replace_plan (SeamModel *self, int index, SeamPlan *plan);
/* After a change of settings, target or problem: the request and the problem have them. */
void seam_model_update_settings (SeamModel *self);
void seam_model_emit_changed (SeamModel *self, guint flags);
void seam_model_emit_message (SeamModel *self, SeamMessageKind kind, const char *title,
                              const char *text);
/* Something that an estimate depends on has changed. */
void seam_model_queue_estimate (SeamModel *self);
void seam_model_forget_estimate (SeamModel *self);
/* What identifies the plans of a run, to tell whether a result is stale. */
char *seam_model_make_plans_key (SeamModel *self);
/* The result belongs to what is chosen now; for a stored run, after it became the model's. */
void seam_model_keep_result_request (SeamModel *self);
/* Of that request: tells results apart. */
char *seam_model_make_result_key (SeamModel *self);
/* Adds what is chosen otherwise since: "shape", "math mode"; borrowed. */
void seam_model_list_changes (SeamModel *self, GPtrArray *nouns);
void seam_model_connect_settings (SeamModel *self);
void seam_model_clear_run (SeamModel *self);
/* The name of the preset that has exactly the values of the shape, or NULL. */
const char *seam_model_match_preset (SeamModel *self);
/* Takes a whole shape over; it has been checked. */
void seam_model_adopt_shape (SeamModel *self, const gint64 *values, const char *preset);
/* model-stored.c: the plans have changed; shows those of the stored run where it has them. */
void seam_model_update_stored (SeamModel *self);
/* Whether what is shown are plans of a stored run, as they were executed there. */
gboolean seam_model_is_stored_current (SeamModel *self);
void seam_model_clear_stored (SeamModel *self);
void seam_model_connect_worker (SeamModel *self);
/* model-unsaved.c: an empty list, and the result of a run whose keys are the model's. */
GPtrArray *seam_model_new_unsaved (void);
void seam_model_add_unsaved_result (SeamModel *self, SeamResult *result);
/* model-edit.c: the texts that a run from a session was made with; they are shown, not run. */
void seam_model_adopt_edits (SeamModel *self, const SeamResult *result);
/* The run has begun: ends the worker when a run with edits shows no progress for too long. */
void seam_model_watch_edits (SeamModel *self);

G_END_DECLS
