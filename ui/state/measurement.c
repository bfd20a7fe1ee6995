/* SPDX-License-Identifier: MIT */
#include "ui/state/measurement.h"

#include "app/base/text.h"
#include "ui/class/class.h"
#include "ui/state/run-subject.h"
#include "ui/state/watch.h"

#include <string.h>

#define STOP_PATIENCE_MS 5000 /* a worker that does not stop within this time is killed */
#define LOOK_MS          500

struct _SeamMeasurement {
  GObject parent_instance;

  SeamSetup *setup;
  SeamAdvice *advice;
  SeamHistoryList *history;
  SeamWorkerClient *worker; /* NULL: closed */
  SeamNotices *notices;

  SeamRunState state;
  const char *busy;      /* what else the worker measures, as a sentence; NULL: nothing */
  const char *held;      /* why no run may start now; NULL: it may */
  gboolean covers_model; /* what is modelled is covered */
  guint serial;          /* number of the run; an answer for an older one is dropped */
  guint stop_timeout;
  gboolean expected_death; /* the program ended the worker itself, and has said why */
  gint64 sign_of_life_us;  /* last progress of a run with edited code */
  gboolean may_be_quiet;   /* since then no edited code runs, and libraries are tried */
  guint watch_timeout;

  SeamRunSubject of;  /* the run, or what the result is of */
  SeamRunSubject own; /* what was measured here, while a recorded result is shown */

  char *stale_reason;
};

G_DEFINE_FINAL_TYPE (SeamMeasurement, seam_measurement, G_TYPE_OBJECT)

typedef struct {
  SeamMeasurement *self;
  guint serial; /* of a run */
} Question;

/* --- What the result belongs to --- */

/* The settings of a recorded run do not depend on the abilities of this target. */
static const SeamSettings *
get_compared_settings (SeamMeasurement *self)
{
  return self->of.is_recorded ? seam_chosen_settings_get (seam_setup_get_settings (self->setup))
                              : &seam_setup_get_request (self->setup)->settings;
}

/* Stores the current choices as the request that the result belongs to. */
static void
keep_request (SeamMeasurement *self)
{
  SeamRunRequest *request = seam_run_request_copy (seam_setup_get_request (self->setup));

  seam_record_clear (&seam_settings_type, &request->settings);
  seam_record_copy (&seam_settings_type, &request->settings, get_compared_settings (self));
  /* Nor where it was made on what is chosen here. */
  if (self->of.is_recorded)
    g_clear_pointer (&request->target, g_free);
  g_clear_pointer (&self->of.request, seam_run_request_free);
  self->of.request = request;
}

/* Lists the choices that have changed since the run: "shape", "math mode"; borrowed. */
static void
list_changes (SeamMeasurement *self, GPtrArray *nouns)
{
  const SeamRunRequest *before = self->of.request, *now = seam_setup_get_request (self->setup);

  if (memcmp (before->values, now->values, sizeof *now->values * (gsize)now->pipeline->n_fields)
      != 0)
    g_ptr_array_add (nouns, "shape");
  if (before->target != NULL && g_strcmp0 (before->target, now->target) != 0)
    g_ptr_array_add (nouns, "target");
  seam_settings_list_changes (&before->settings, get_compared_settings (self), nouns);
}

static gboolean
has_same_plans (SeamMeasurement *self)
{
  g_autofree char *key = seam_setup_make_plans_key (self->setup);

  return g_strcmp0 (key, self->of.plans_key) == 0;
}

static gboolean
is_of_pipeline (SeamMeasurement *self)
{
  return self->of.pipeline == seam_setup_get_pipeline (self->setup);
}

/* Whether the shown plans come from a session, as they were executed there. */
static gboolean
is_recorded_current (SeamMeasurement *self)
{
  return self->of.is_recorded && self->of.result != NULL && is_of_pipeline (self)
         && has_same_plans (self);
}

const SeamHistoryEntry *
seam_measurement_get_entry (SeamMeasurement *self)
{
  return self->of.entry;
}

const char *
seam_measurement_get_stale_reason (SeamMeasurement *self)
{
  g_autoptr (GPtrArray) nouns = g_ptr_array_new ();
  g_autofree char *list = NULL;

  g_clear_pointer (&self->stale_reason, g_free);
  if (seam_measurement_get_result (self) == NULL)
    return NULL;
  if (!has_same_plans (self)) {
    if (self->of.is_recorded)
      return seam_setup_get_n_plans (self->setup) > 2
                 ? "The file does not hold these three plans; Run measures them here"
                 : "The file does not hold these two plans; Run measures them here";
    g_ptr_array_add (nouns, "plans");
  }
  list_changes (self, nouns);
  if (nouns->len == 0)
    return NULL;
  g_ptr_array_add (nouns, NULL);
  list = seam_text_list ((const char *const *)nouns->pdata);
  list[0] = g_ascii_toupper (list[0]);
  self->stale_reason = g_strdup_printf ("%s changed since this run", list);
  return self->stale_reason;
}

/* --- The run --- */

static void
forget_result (SeamMeasurement *self)
{
  seam_run_subject_clear (&self->of);
  seam_run_subject_init (&self->of);
}

/* --- The end of a run --- */

static void
end_run (SeamMeasurement *self, SeamSessionRun *run, gboolean has_outputs)
{
  self->state = SEAM_RUN_IDLE;
  self->serial++;
  g_clear_handle_id (&self->stop_timeout, g_source_remove);
  if (run != NULL) {
    g_clear_pointer (&self->of.result, seam_result_unref);
    self->of.result = seam_result_ref (run->result);
    g_clear_pointer (&self->of.entry, seam_history_entry_unref);
    self->of.entry = seam_history_list_add_run (self->history, run);
  }
  self->of.has_outputs = has_outputs && run != NULL;
  seam_advice_set_paused (self->advice, FALSE);
  seam_watch_notify (self, "state result");
}

/* What a failed run has measured; NULL: nothing. */
static SeamSessionRun *
take_remains (SeamMeasurement *self, gboolean is_lost)
{
  const SeamDeviceInfo *target = seam_setup_get_target (self->setup);
  g_autoptr (SeamResult) result = NULL;

  if (self->of.partial != NULL)
    result = seam_result_ref (self->of.partial);
  else if (seam_live_run_has_samples (self->of.live))
    result = is_lost ? seam_live_run_make_remains (self->of.live, target)
                     : seam_live_run_make_result (self->of.live, target, TRUE);
  return result != NULL ? seam_session_run_new (result, NULL) : NULL;
}

static void
lose_run (SeamMeasurement *self, const char *reason)
{
  const SeamProgress *progress = seam_live_run_get_progress (self->of.live);
  int k = progress != NULL ? progress->plan : -1;
  gboolean stopping = self->state == SEAM_RUN_STOPPING;
  g_autoptr (SeamSessionRun) remains = take_remains (self, TRUE);
  g_autofree char *title =
      k >= 0 && k < (int)self->of.plans->len
          ? g_strdup_printf ("The worker stopped while it ran plan %c.", seam_plan_get_letter (k))
          : g_strdup ("The worker stopped during the run.");

  end_run (self, remains, FALSE);
  if (stopping)
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST,
                      "Stopped. The worker had to be ended; the samples so far are kept", NULL);
  else
    seam_notices_say (self->notices, SEAM_MESSAGE_WORKER_LOST, title, reason);
}

static void
fail_run (SeamMeasurement *self, const GError *error)
{
  g_autoptr (SeamSessionRun) remains = NULL;

  if (g_error_matches (error, SEAM_ERROR, SEAM_ERROR_DEVICE)
      && seam_worker_client_is_alive (self->worker)) {
    /* The device's context is lost for good, so this worker is useless. */
    self->expected_death = TRUE;
    lose_run (self, error->message);
    seam_worker_client_kill (self->worker, error->message);
    return;
  }
  remains = take_remains (self, FALSE);
  seam_setup_set_mistake (self->setup, error->message);
  end_run (self, remains, FALSE);
  if (!g_error_matches (error, SEAM_ERROR, SEAM_ERROR_CANCELLED))
    seam_notices_say (self->notices, SEAM_MESSAGE_RUN_FAILED, "The run could not be made.",
                      error->message);
  else
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST,
                      remains != NULL ? "Stopped; the samples so far are kept"
                                      : "Stopped before the first sample",
                      NULL);
}

static void
run_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  Question *question = data;
  g_autoptr (SeamMeasurement) self = question->self;
  guint serial = question->serial;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) run = seam_worker_client_finish (async, &error);

  g_free (question);
  if (self->worker == NULL)
    return;
  if (run != NULL) {
    if (serial == self->serial)
      end_run (self, run, seam_worker_client_is_alive (self->worker));
  } else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)) {
    /* "died" reports the reason, before or after this. */
  } else if (serial != self->serial) {
    seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, "An earlier run failed.",
                      error->message);
  } else {
    fail_run (self, error);
  }
}

/* Edited code may never end: the worker is ended if it shows no progress for too long. */
static gboolean
look_cb (gpointer data)
{
  SeamMeasurement *self = data;
  double quiet_s = (double)(g_get_monotonic_time () - self->sign_of_life_us) / G_USEC_PER_SEC;

  if (self->state != SEAM_RUN_IDLE && self->worker != NULL
      && (self->may_be_quiet || quiet_s < seam_edit_get_limit_s ()))
    return G_SOURCE_CONTINUE;
  self->watch_timeout = 0;
  if (self->state != SEAM_RUN_IDLE && self->worker != NULL) {
    g_autofree char *reason = seam_edit_describe_limit ();
    seam_worker_client_kill (self->worker, reason);
  }
  return G_SOURCE_REMOVE;
}

static void
watch_edits (SeamMeasurement *self, const SeamRunRequest *request)
{
  self->sign_of_life_us = g_get_monotonic_time ();
  self->may_be_quiet = FALSE;
  g_clear_handle_id (&self->watch_timeout, g_source_remove);
  if (request->edits.n > 0)
    self->watch_timeout = g_timeout_add (LOOK_MS, look_cb, self);
}

void
seam_measurement_run_first (SeamMeasurement *self, int n_plans)
{
  const char *blocker = seam_measurement_get_blocker (self);
  g_autoptr (SeamRunRequest) request = seam_setup_make_request (self->setup, n_plans);
  const char *foreign = seam_setup_find_foreign (self->setup, &request->edits);
  Question *question;

  if (self->state != SEAM_RUN_IDLE)
    return;
  if (blocker != NULL) {
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST, blocker, NULL);
    return;
  }
  if (foreign != NULL) {
    seam_notices_say (self->notices, SEAM_MESSAGE_ASK, "Run somebody else's code?", foreign);
    return;
  }
  g_object_freeze_notify (G_OBJECT (self));
  forget_result (self);
  seam_watch_notify (self, "result");
  self->own.has_outputs = FALSE;
  for (int i = 0; i < n_plans; i++)
    g_ptr_array_add (self->of.plans, seam_plan_ref (seam_setup_get_executed_plan (self->setup, i)));
  self->of.pipeline = seam_pipeline_ref (seam_setup_get_pipeline (self->setup));
  self->of.plans_key = seam_setup_make_plans_key (self->setup);
  keep_request (self);
  self->of.live = seam_live_run_new (request, (SeamPlan *const *)self->of.plans->pdata,
                                     (int)self->of.plans->len);
  self->state = SEAM_RUN_RUNNING;
  seam_advice_set_paused (self->advice, TRUE);
  seam_setup_set_mistake (self->setup, NULL);
  watch_edits (self, request);
  question = g_new (Question, 1);
  *question = (Question){ g_object_ref (self), ++self->serial };
  seam_watch_notify (self, "state");
  g_object_thaw_notify (G_OBJECT (self));
  g_autoptr (GVariant) params = g_variant_ref_sink (seam_run_request_to_variant (request));
  GVariantDict dict = G_VARIANT_DICT_INIT (params);
  g_variant_dict_insert (&dict, "details", "b", TRUE);
  seam_worker_client_call (self->worker, SEAM_METHOD_RUN, g_variant_dict_end (&dict), NULL, run_cb,
                           question);
}

void
seam_measurement_run (SeamMeasurement *self)
{
  seam_measurement_run_first (self, seam_setup_get_n_plans (self->setup));
}

gboolean
seam_measurement_run_edited (SeamMeasurement *self, int index, int group)
{
  SeamPlan *shown = seam_measurement_get_shown_plan (self, index);

  if (self->state != SEAM_RUN_IDLE) {
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST, seam_measurement_get_busy (self), NULL);
    return FALSE;
  }
  /* The calling page may not know yet that the plan has been removed. */
  if (shown == NULL || group >= shown->n_groups)
    return FALSE;
  /* A and B do not change: the edited plan is measured beside them. */
  g_autoptr (SeamPlan) plan = seam_plan_choose (shown, group, SEAM_IMPLEMENTATION_EDITED);
  seam_setup_set_third_plan (self->setup, plan);
  seam_setup_set_compared (self->setup, 2);
  seam_measurement_run (self);
  return TRUE;
}

static gboolean
stop_patience_cb (gpointer data)
{
  SeamMeasurement *self = data;

  self->stop_timeout = 0;
  seam_worker_client_kill (self->worker, "The worker did not answer to Stop and was ended.");
  return G_SOURCE_REMOVE;
}

void
seam_measurement_stop (SeamMeasurement *self)
{
  if (self->state != SEAM_RUN_RUNNING)
    return;
  self->state = SEAM_RUN_STOPPING;
  seam_worker_client_cancel (self->worker);
  self->stop_timeout = g_timeout_add (STOP_PATIENCE_MS, stop_patience_cb, self);
  seam_watch_notify (self, "state");
}

/* --- What the worker says --- */

static void
progress_cb (SeamWorkerClient *worker, const SeamProgress *progress, SeamMeasurement *self)
{
  if (self->state == SEAM_RUN_IDLE)
    return;
  self->sign_of_life_us = g_get_monotonic_time ();
  self->may_be_quiet = progress->step == SEAM_STEP_ALLOCATE;
  seam_live_run_add (self->of.live, progress);
  seam_watch_notify (self, "progress");
}

static void
partial_cb (SeamWorkerClient *worker, SeamResult *partial, SeamMeasurement *self)
{
  if (self->state == SEAM_RUN_IDLE)
    return;
  g_clear_pointer (&self->of.partial, seam_result_unref);
  self->of.partial = seam_result_ref (partial);
}

static void
died_cb (SeamWorkerClient *worker, const char *reason, SeamMeasurement *self)
{
  gboolean expected = self->expected_death;

  self->expected_death = FALSE;
  self->of.has_outputs = self->own.has_outputs = FALSE;
  if (self->state != SEAM_RUN_IDLE)
    lose_run (self, reason);
  else if (!expected)
    seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, "The worker stopped.", reason);
  seam_watch_notify (self, "result");
}

/* --- State --- */

SeamRunState
seam_measurement_get_state (SeamMeasurement *self)
{
  return self->state;
}

const char *
seam_measurement_get_busy (SeamMeasurement *self)
{
  return self->state != SEAM_RUN_IDLE ? "A run is being measured: wait for it, or stop it first"
                                      : self->busy;
}

const char *
seam_measurement_get_blocker (SeamMeasurement *self)
{
  const SeamDeviceInfo *target = seam_setup_get_target (self->setup);
  const char *const reasons[] = {
    self->held,
    seam_setup_get_shape_error (self->setup),
    seam_chosen_settings_get_first_error (seam_setup_get_settings (self->setup)),
    seam_advice_get_error (self->advice),
    target != NULL && !target->available ? target->reason : NULL,
    self->busy,
  };
  gsize i = 0;

  while (i + 1 < G_N_ELEMENTS (reasons) && reasons[i] == NULL)
    i++;
  return reasons[i];
}

const char *
seam_measurement_get_held (SeamMeasurement *self)
{
  return self->held;
}

void
seam_measurement_hold (SeamMeasurement *self, const char *why, gboolean model_too)
{
  self->held = why;
  self->covers_model = model_too;
  seam_watch_notify (self, "state");
}

gboolean
seam_measurement_covers_model (SeamMeasurement *self)
{
  return self->covers_model;
}

void
seam_measurement_set_busy (SeamMeasurement *self, const char *why)
{
  if (self->busy == why)
    return;
  self->busy = why;
  if (why == NULL)
    seam_advice_ask_again (self->advice);
  seam_watch_notify (self, "state");
}

void
seam_measurement_forget_outputs (SeamMeasurement *self)
{
  self->of.has_outputs = self->own.has_outputs = FALSE;
  seam_watch_notify (self, "result");
}

const SeamProgress *
seam_measurement_get_progress (SeamMeasurement *self)
{
  return self->of.live != NULL ? seam_live_run_get_progress (self->of.live) : NULL;
}

int
seam_measurement_get_n_plans (SeamMeasurement *self)
{
  return (int)self->of.plans->len;
}

const SeamSample *
seam_measurement_get_live_samples (SeamMeasurement *self, int k, int *n_samples)
{
  *n_samples = 0;
  return self->of.live != NULL ? seam_live_run_get_samples (self->of.live, k, n_samples) : NULL;
}

SeamPlan *
seam_measurement_get_plan (SeamMeasurement *self, int k)
{
  return k < (int)self->of.plans->len ? self->of.plans->pdata[k] : NULL;
}

SeamResult *
seam_measurement_make_live_result (SeamMeasurement *self)
{
  return seam_live_run_make_result (self->of.live, seam_setup_get_target (self->setup),
                                    self->state != SEAM_RUN_RUNNING);
}

SeamResult *
seam_measurement_get_result (SeamMeasurement *self)
{
  return self->state == SEAM_RUN_IDLE && is_of_pipeline (self) ? self->of.result : NULL;
}

gboolean
seam_measurement_has_outputs (SeamMeasurement *self)
{
  return self->of.has_outputs && seam_measurement_get_result (self) != NULL;
}

int
seam_measurement_get_compared (SeamMeasurement *self)
{
  int n = seam_measurement_get_result (self) != NULL ? (int)self->of.plans->len
                                                     : seam_setup_get_n_plans (self->setup);

  return n < 2 ? -1 : MIN (seam_setup_get_compared (self->setup), n - 1);
}

/* --- A result from a session --- */

void
seam_measurement_begin_recorded (SeamMeasurement *self)
{
  if (!self->of.is_recorded) {
    seam_run_subject_clear (&self->own);
    self->own = self->of;
    seam_run_subject_init (&self->of);
  } else {
    forget_result (self);
  }
  self->of.is_recorded = TRUE;
  self->of.pipeline = seam_pipeline_ref (seam_setup_get_pipeline (self->setup));
  keep_request (self);
  seam_watch_notify (self, "result");
}

void
seam_measurement_end_recorded (SeamMeasurement *self)
{
  if (self->own.plans == NULL)
    return;
  /* A run that was started in the view goes on. */
  if (self->state != SEAM_RUN_IDLE) {
    seam_run_subject_clear (&self->own);
    return;
  }
  seam_run_subject_clear (&self->of);
  self->of = self->own;
  self->own = (SeamRunSubject){ 0 };
  seam_watch_notify (self, "result");
}

void
seam_measurement_show_recorded (SeamMeasurement *self, SeamResult *result, SeamPlan *const *plans,
                                int n_plans)
{
  g_ptr_array_set_size (self->of.plans, 0);
  for (int k = 0; k < n_plans; k++)
    g_ptr_array_add (self->of.plans, seam_plan_ref (plans[k]));
  g_clear_pointer (&self->of.result, seam_result_unref);
  self->of.result = seam_result_ref (result);
  g_free (self->of.plans_key);
  self->of.plans_key = seam_setup_make_plans_key (self->setup);
  seam_watch_notify (self, "result");
}

/* --- Shown plans --- */

SeamPlan *
seam_measurement_get_shown_plan (SeamMeasurement *self, int index)
{
  return is_recorded_current (self) && index < (int)self->of.plans->len
             ? self->of.plans->pdata[index]
             : seam_setup_get_executed_plan (self->setup, index);
}

const SeamPlanEstimate *
seam_measurement_get_plan_estimate (SeamMeasurement *self, int index)
{
  const SeamEstimate *estimate = seam_advice_get_estimate (self->advice);

  return estimate != NULL && index < estimate->n_plans && !is_recorded_current (self)
             ? &estimate->plans[index]
             : NULL;
}

/* --- The object --- */

/* Whether the result still belongs to the current choices may have changed. */
static void
choice_changed_cb (gpointer owner)
{
  seam_watch_notify (owner, "result");
}

void
seam_measurement_close (SeamMeasurement *self)
{
  g_clear_handle_id (&self->stop_timeout, g_source_remove);
  g_clear_handle_id (&self->watch_timeout, g_source_remove);
  if (self->worker != NULL)
    g_signal_handlers_disconnect_by_data (self->worker, self);
  g_clear_object (&self->worker);
}

static void
let_go (SeamMeasurement *self)
{
  seam_measurement_close (self);
  seam_run_subject_clear (&self->of);
  seam_run_subject_clear (&self->own);
}

static void
seam_measurement_class_init (SeamMeasurementClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (let_go));
  SEAM_OWNS (klass, SeamMeasurement, g_free, stale_reason);
  SEAM_OWNS (klass, SeamMeasurement, g_object_unref, setup, advice, history, notices);
  seam_watch_install (klass, "state progress result");
}

static void
seam_measurement_init (SeamMeasurement *self)
{
  seam_run_subject_init (&self->of);
}

SeamMeasurement *
seam_measurement_new (SeamSetup *setup, SeamAdvice *advice, SeamHistoryList *history,
                      SeamWorkerClient *worker, SeamNotices *notices)
{
  SeamMeasurement *self = g_object_new (SEAM_TYPE_MEASUREMENT, NULL);

  self->setup = g_object_ref (setup);
  self->advice = g_object_ref (advice);
  self->history = g_object_ref (history);
  self->worker = g_object_ref (worker);
  self->notices = g_object_ref (notices);
  seam_watch_now (self, G_CALLBACK (choice_changed_cb), setup,
                  "pipeline shape plans compared options");
  g_signal_connect (worker, "progress", G_CALLBACK (progress_cb), self);
  g_signal_connect (worker, "partial", G_CALLBACK (partial_cb), self);
  g_signal_connect (worker, "died", G_CALLBACK (died_cb), self);
  return self;
}
