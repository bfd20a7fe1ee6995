/* SPDX-License-Identifier: MIT
 *
 * The code that is shown, and where it comes from: see source-subject.h.
 */
#include "ui/source/source-subject.h"

#include "ui/class/class.h"
#include "ui/source/source-kept.h"

#include "app/runner/runner-source.h"

#include <string.h>

#define ASK_DELAY_MS 250

struct _SeamSourceSubject {
  GObject parent_instance;

  SeamModel *model;
  SeamCode *code;
  SeamPipeline *pipeline;
  gboolean is_kept;
  SeamSourcePlace place;
  gboolean is_chosen; /* the person chose the place */
  int expected_plan;  /* shown as soon as its code is there; -1: none */
  char *message;

  gboolean is_active;
  gboolean has_kept, wants_kept;
  gboolean is_dirty; /* `code` does not match the model */
  guint serial;      /* number of the last request; older answers are dropped */
  guint timeout;
};

G_DEFINE_FINAL_TYPE (SeamSourceSubject, seam_source_subject, G_TYPE_OBJECT)

/* --- What is shown --- */

const SeamPlanCode *
seam_source_subject_get_plan (SeamSourceSubject *self)
{
  return self->code != NULL && self->place.plan < self->code->n_plans
             ? &self->code->plans[self->place.plan]
             : NULL;
}

const SeamGroupCode *
seam_source_subject_get_group (SeamSourceSubject *self)
{
  const SeamPlanCode *plan = seam_source_subject_get_plan (self);

  return plan != NULL && self->place.group < plan->n_groups ? &plan->groups[self->place.group]
                                                            : NULL;
}

const SeamSource *
seam_source_subject_get_source (SeamSourceSubject *self)
{
  const SeamGroupCode *group = seam_source_subject_get_group (self);

  return group != NULL && self->place.part < (int)group->sources->len
             ? group->sources->pdata[self->place.part]
             : NULL;
}

const SeamChain *
seam_source_subject_get_chain (SeamSourceSubject *self, int plan)
{
  int chain = self->code->plans[plan].chain;

  return &self->pipeline->chains[chain < self->pipeline->n_chains ? chain : 0];
}

void
seam_source_subject_set_place (SeamSourceSubject *self, SeamSourcePlace place)
{
  self->place = place;
  seam_watch_notify (self, "place");
}

void
seam_source_subject_choose_place (SeamSourceSubject *self, SeamSourcePlace place)
{
  self->is_chosen = TRUE;
  self->expected_plan = -1;
  seam_source_subject_set_place (self, place);
}

typedef enum { WRITTEN, CHANGEABLE, ANY, N_WISHES } Wish;

static gboolean
has_text (const SeamGroupCode *group, int *part, Wish wish)
{
  for (*part = 0; *part < (int)group->sources->len; ++*part) {
    const SeamSource *source = group->sources->pdata[*part];
    if (wish == ANY || (wish == CHANGEABLE && seam_source_is_editable (source))
        || g_str_has_prefix (source->title, "edited "))
      return TRUE;
  }
  return FALSE;
}

SeamSourcePlace
seam_source_subject_find_place (SeamSourceSubject *self)
{
  SeamSourcePlace place;

  if (self->is_chosen || self->code == NULL)
    return self->place;
  for (Wish wish = 0; wish < N_WISHES; wish++)
    for (place.plan = 0; place.plan < self->code->n_plans; place.plan++)
      for (place.group = 0; place.group < self->code->plans[place.plan].n_groups; place.group++)
        if (has_text (&self->code->plans[place.plan].groups[place.group], &place.part, wish))
          return place;
  return self->place;
}

void
seam_source_subject_expect_plan (SeamSourceSubject *self, int plan)
{
  self->is_chosen = TRUE;
  self->expected_plan = plan;
}

/* Code that was requested before the expected plan was added lacks it, and keeps the place. */
static void
go_to_expected_plan (SeamSourceSubject *self)
{
  int expected = self->expected_plan;

  if (expected < 0 || self->code == NULL)
    return;
  if (expected < self->code->n_plans)
    self->place.plan = expected;
  if (expected < self->code->n_plans || expected >= seam_setup_get_n_plans (self->model->setup))
    self->expected_plan = -1;
}

/* --- The person's own text --- */

gboolean
seam_source_subject_is_editable (SeamSourceSubject *self)
{
  const SeamSource *source = seam_source_subject_get_source (self);

  return source != NULL && !self->is_kept && seam_source_is_editable (source);
}

const char *
seam_source_subject_get_edit (SeamSourceSubject *self)
{
  const SeamGroupCode *group = seam_source_subject_get_group (self);
  const char *edit;

  if (!seam_source_subject_is_editable (self))
    return NULL;
  edit = seam_setup_get_edit (self->model->setup, self->code->plans[self->place.plan].chain,
                              group->first, group->last);
  return edit != NULL && seam_source_takes_edit (seam_source_subject_get_source (self), edit)
             ? edit
             : NULL;
}

void
seam_source_subject_set_edit (SeamSourceSubject *self, const char *text)
{
  const SeamGroupCode *group = seam_source_subject_get_group (self);
  const SeamSource *source = seam_source_subject_get_source (self);
  gboolean is_same =
      strcmp (text, source->text) == 0 && !g_str_has_prefix (source->title, "edited ");

  int chain = self->code->plans[self->place.plan].chain;
  SeamSetup *setup = self->model->setup;
  const char *before = seam_setup_get_edit (setup, chain, group->first, group->last);

  /* A word typed into somebody's code does not make it the person's own. */
  if (before != NULL && seam_setup_is_foreign (setup, before))
    seam_setup_mark_foreign (setup, text, FALSE);
  seam_setup_set_edit (setup, chain, group->first, group->last, is_same ? NULL : text);
}

void
seam_source_subject_reset_edit (SeamSourceSubject *self)
{
  const SeamGroupCode *group = seam_source_subject_get_group (self);

  if (group != NULL)
    seam_setup_reset_edit (self->model->setup, self->code->plans[self->place.plan].chain,
                           group->first, group->last);
}

/* --- Asking --- */

typedef struct {
  GWeakRef self;
  SeamPipeline *pipeline;
  guint serial;
} Question;

static Question *
question_new (SeamSourceSubject *self, SeamPipeline *pipeline)
{
  Question *question = g_new0 (Question, 1);

  g_weak_ref_init (&question->self, self);
  question->pipeline = seam_pipeline_ref (pipeline);
  question->serial = self->serial;
  return question;
}

static void
question_free (Question *question)
{
  g_weak_ref_clear (&question->self);
  seam_pipeline_unref (question->pipeline);
  g_free (question);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static void
say (SeamSourceSubject *self, const char *message)
{
  g_free (self->message);
  self->message = g_strdup (message);
  seam_watch_notify (self, "message");
}

/* Takes `code`. */
static void
take_code (SeamSourceSubject *self, SeamCode *code, SeamPipeline *pipeline, gboolean is_kept)
{
  self->is_kept = is_kept;
  g_clear_pointer (&self->code, seam_code_free);
  g_clear_pointer (&self->pipeline, seam_pipeline_unref);
  self->code = code;
  self->pipeline = seam_pipeline_ref (pipeline);
  go_to_expected_plan (self);
  seam_watch_notify (self, "code");
}

static void
answer_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (Question) question = data;
  g_autoptr (SeamSourceSubject) self = g_weak_ref_get (&question->self);
  g_autoptr (GError) error = NULL;
  SeamCode *code = seam_worker_client_finish (async, &error);

  if (self == NULL || question->serial != self->serial) {
    seam_code_free (code);
    return;
  }
  take_code (self, code, question->pipeline, FALSE);
  if (code == NULL)
    say (self, error->message);
}

SeamRunRequest *
seam_source_subject_make_request (SeamSourceSubject *self, char **plans)
{
  SeamRunRequest *request = seam_run_request_copy (seam_setup_get_request (self->model->setup));

  g_strfreev (request->plans);
  request->plans = plans;
  seam_setup_add_edits (self->model->setup, request);
  return request;
}

static char **
list_plans (SeamSourceSubject *self)
{
  char **plans = g_new0 (char *, SEAM_MAX_CHOSEN_PLANS + 1);

  for (int i = 0; i < seam_setup_get_n_plans (self->model->setup); i++) {
    SeamPlan *plan = seam_setup_get_plan (self->model->setup, i);
    plans[i] = g_strdup (plan->name != NULL ? plan->name : plan->notation);
  }
  return plans;
}

/* --- What a session kept --- */

/* Shows the kept code if it is there and wanted; FALSE if not. */
static gboolean
show_kept (SeamSourceSubject *self)
{
  gboolean is_stale = seam_measurement_get_stale_reason (self->model->measurement) != NULL;
  SeamSessionRun *run = seam_store_get_shown (self->model->store);
  SeamCode *kept = run != NULL && !is_stale ? seam_source_read_kept (run) : NULL;

  self->has_kept = kept != NULL;
  seam_watch_notify (self, "has-kept");
  if (kept == NULL || !self->wants_kept) {
    seam_code_free (kept);
    return FALSE;
  }
  self->is_dirty = FALSE;
  self->serial++;
  take_code (self, kept, seam_setup_get_pipeline (self->model->setup), TRUE);
  return TRUE;
}

/* --- Following --- */

static gboolean
ask_cb (gpointer data)
{
  SeamSourceSubject *self = data;
  SeamWorkerClient *worker = self->model->workers.here;
  const char *wrong = seam_setup_get_shape_error (self->model->setup);

  self->timeout = 0;
  if (show_kept (self))
    return G_SOURCE_REMOVE;
  /* The worker starts after the first frame; its targets are reported as a change. */
  if (worker == NULL || seam_setup_get_targets (self->model->setup) == NULL)
    return G_SOURCE_REMOVE;
  self->is_dirty = FALSE;
  self->serial++;
  if (wrong != NULL) {
    take_code (self, NULL, seam_setup_get_pipeline (self->model->setup), FALSE);
    say (self, wrong);
    return G_SOURCE_REMOVE;
  }
  g_autoptr (SeamRunRequest) request = seam_source_subject_make_request (self, list_plans (self));
  if (seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE)
    say (self, "The code is read again when the run is over.");
  seam_worker_client_call (worker, SEAM_METHOD_SOURCE, seam_run_request_to_variant (request), NULL,
                           answer_cb, question_new (self, request->pipeline));
  return G_SOURCE_REMOVE;
}

static void
queue_question (SeamSourceSubject *self)
{
  if (!self->is_dirty || !self->is_active)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add (ASK_DELAY_MS, ask_cb, self);
}

/* After a run the code may differ: a layout may have been chosen, and there are new
 * measurements. Stop also ends a request that waits for the run. */
static void
choice_changed_cb (SeamSourceSubject *self)
{
  self->is_dirty = TRUE;
  queue_question (self);
}

void
seam_source_subject_set_wants_kept (SeamSourceSubject *self, gboolean wants)
{
  self->wants_kept = wants;
  choice_changed_cb (self);
}

void
seam_source_subject_set_active (SeamSourceSubject *self, gboolean active)
{
  self->is_active = active;
  queue_question (self);
}

/* --- Object --- */

static void
seam_source_subject_class_init (SeamSourceSubjectClass *klass)
{
  SEAM_OWNS (klass, SeamSourceSubject, g_source_remove, timeout);
  SEAM_OWNS (klass, SeamSourceSubject, g_object_unref, model);
  SEAM_OWNS (klass, SeamSourceSubject, seam_code_free, code);
  SEAM_OWNS (klass, SeamSourceSubject, seam_pipeline_unref, pipeline);
  SEAM_OWNS (klass, SeamSourceSubject, g_free, message);
  seam_watch_install (klass, "code place message has-kept");
}

static void
seam_source_subject_init (SeamSourceSubject *self)
{
  self->is_dirty = TRUE;
  self->wants_kept = TRUE;
  self->expected_plan = -1;
}

SeamSourceSubject *
seam_source_subject_new (SeamModel *model)
{
  SeamSourceSubject *self = g_object_new (SEAM_TYPE_SOURCE_SUBJECT, NULL);

  self->model = g_object_ref (model);
  seam_watch (self, G_CALLBACK (choice_changed_cb), model->setup,
              "pipeline shape plans compared options targets", model->advice, "estimate",
              model->measurement, "result", NULL);
  return self;
}

SeamModel *
seam_source_subject_get_model (SeamSourceSubject *self)
{
  return self->model;
}

const SeamCode *
seam_source_subject_get_code (SeamSourceSubject *self)
{
  return self->code;
}

const SeamPipeline *
seam_source_subject_get_pipeline (SeamSourceSubject *self)
{
  return self->pipeline;
}

gboolean
seam_source_subject_is_kept (SeamSourceSubject *self)
{
  return self->is_kept;
}

gboolean
seam_source_subject_has_kept (SeamSourceSubject *self)
{
  return self->has_kept;
}

const char *
seam_source_subject_get_message (SeamSourceSubject *self)
{
  return self->message;
}

SeamSourcePlace
seam_source_subject_get_place (SeamSourceSubject *self)
{
  return self->place;
}
