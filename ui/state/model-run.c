/* SPDX-License-Identifier: MIT
 *
 * The worker's side of the window's state: targets, estimates while one types, the run with its
 * live samples, its result or its loss. An answer to a question that is no longer asked is dropped;
 * an error is always shown.
 */
#include "ui/state/model-private.h"

#include "app/base/text.h"
#include "app/version.h"

#include <math.h>
#include <string.h>

#define ESTIMATE_DELAY_MS 150
#define STOP_PATIENCE_MS  5000 /* a worker that does not stop by then is ended */

/* Targets. */

static const char *
choose_best_target (GPtrArray *targets)
{
  const SeamDeviceInfo *best = seam_device_info_find_best (targets);

  return best != NULL ? best->id : "cpu";
}

static void
describe_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamModel) self = data;
  g_autoptr (GPtrArray) targets = NULL;
  g_autoptr (GPtrArray) checks = NULL;
  g_autoptr (GError) error = NULL;

  if (!seam_worker_client_describe_finish (SEAM_WORKER_CLIENT (source), result, &targets, &checks,
                                           &error)) {
    if (self->worker != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)
        && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      seam_model_emit_message (self, SEAM_MESSAGE_WARNING, "The targets are not known.",
                               error->message);
    return;
  }
  if (self->worker == NULL)
    return;
  g_clear_pointer (&self->targets, g_ptr_array_unref);
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  self->targets = g_steal_pointer (&targets);
  self->checks = g_steal_pointer (&checks);
  self->deaths = 0;

  const SeamDeviceInfo *chosen = seam_model_get_target (self);
  if (chosen == NULL || !chosen->available || !self->target_chosen) {
    const char *best = choose_best_target (self->targets);
    if (self->target_chosen && g_strcmp0 (best, self->request->target) != 0) {
      g_autofree char *text = g_strdup_printf ("Target %s is not available now; %s is used.",
                                               self->request->target, best);
      seam_model_emit_message (self, SEAM_MESSAGE_TOAST, text, NULL);
      self->target_chosen = FALSE;
    }
    g_free (self->request->target);
    self->request->target = g_strdup (best);
  }
  seam_model_update_settings (self);
  seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_TARGETS | SEAM_CHANGE_OPTIONS | SEAM_CHANGE_ESTIMATE);
  if (self->announce_worker) {
    self->announce_worker = FALSE;
    seam_model_emit_message (self, SEAM_MESSAGE_TOAST,
                             "A new worker is ready; nothing you set was lost", NULL);
  }
}

void
seam_model_refresh_targets (SeamModel *self)
{
  seam_worker_client_describe (self->worker, NULL, describe_cb, g_object_ref (self));
}

void
seam_model_start (SeamModel *self)
{
  if (self->started)
    return;
  self->started = TRUE;
  seam_model_refresh_targets (self);
}

/* Estimates. */

static SeamRunRequest *
make_request (SeamModel *self, int only)
{
  SeamRunRequest *request = seam_run_request_copy (self->request);
  g_autoptr (GStrvBuilder) plans = g_strv_builder_new ();

  for (int i = 0; i < seam_model_get_n_plans (self); i++) {
    /* A name, where the plan has one, lets the target choose the best cut of `full`. */
    if (only < 0 || only == i)
      g_strv_builder_add (plans, self->plans[i]->name != NULL ? self->plans[i]->name
                                                              : self->plans[i]->notation);
  }
  g_strfreev (request->plans);
  request->plans = g_strv_builder_end (plans);
  seam_model_add_edits (self, request);
  return request;
}

void
seam_model_forget_estimate (SeamModel *self)
{
  g_clear_pointer (&self->estimate, seam_estimate_free);
  g_clear_pointer (&self->estimate_error, g_free);
}

typedef struct {
  SeamModel *self;
  guint serial;
} Question;

static void
take_estimate (SeamModel *self, SeamEstimate *estimate)
{
  seam_model_forget_estimate (self);
  self->estimate = estimate;
  for (int i = 0; i < seam_model_get_n_plans (self); i++) {
    g_clear_pointer (&self->shown[i], seam_plan_unref);
    if (i >= estimate->n_plans || estimate->plans[i].notation == NULL)
      continue;
    g_autoptr (SeamPlan) plan =
        seam_plan_parse (self->request->pipeline, estimate->plans[i].notation, NULL);
    if (plan != NULL && !seam_plan_equal (plan, self->plans[i]))
      self->shown[i] = g_steal_pointer (&plan);
  }
}

static void
estimate_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Question *question = data;
  g_autoptr (SeamModel) self = question->self;
  guint serial = question->serial;
  g_autoptr (GError) error = NULL;
  SeamEstimate *estimate =
      seam_worker_client_estimate_finish (SEAM_WORKER_CLIENT (source), result, &error);

  g_free (question);
  self->estimate_pending = FALSE;
  if (serial != self->estimate_serial || self->worker == NULL) {
    /* The question has changed meanwhile; the new one is asked when its delay is over. */
    g_clear_pointer (&estimate, seam_estimate_free);
    if (self->worker != NULL && self->estimate_timeout == 0)
      seam_model_queue_estimate (self);
    return;
  }
  if (estimate != NULL) {
    take_estimate (self, estimate);
  } else {
    seam_model_forget_estimate (self);
    if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
      self->estimate_error = g_strdup (error->message);
  }
  seam_model_emit_changed (self, SEAM_CHANGE_ESTIMATE | SEAM_CHANGE_PLANS | SEAM_CHANGE_RESULT);
}

static gboolean
ask_estimate_cb (gpointer data)
{
  SeamModel *self = data;

  self->estimate_timeout = 0;
  if (self->estimate_pending || self->run_state != SEAM_RUN_IDLE)
    return G_SOURCE_REMOVE; /* asked again when the answer or the run's end comes */
  if (seam_model_get_shape_error (self) != NULL || self->request->target == NULL)
    return G_SOURCE_REMOVE;

  g_autoptr (SeamRunRequest) request = make_request (self, -1);
  Question *question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->serial = self->estimate_serial;
  self->estimate_pending = TRUE;
  seam_worker_client_estimate (self->worker, request, NULL, estimate_cb, question);
  return G_SOURCE_REMOVE;
}

gboolean
seam_model_is_asking (SeamModel *self)
{
  return self->started && self->estimate == NULL && self->estimate_error == NULL
         && seam_model_get_shape_error (self) == NULL
         && (self->estimate_timeout != 0 || self->estimate_pending);
}

void
seam_model_queue_estimate (SeamModel *self)
{
  self->estimate_serial++;
  seam_model_forget_estimate (self);
  g_clear_handle_id (&self->estimate_timeout, g_source_remove);
  if (self->started)
    self->estimate_timeout = g_timeout_add (ESTIMATE_DELAY_MS, ask_estimate_cb, self);
}

/* The run. */

void
seam_model_clear_run (SeamModel *self)
{
  for (int k = 0; k < SEAM_MODEL_MAX_PLANS; k++) {
    g_clear_pointer (&self->run_plans[k].plan, seam_plan_unref);
    g_clear_pointer (&self->run_plans[k].samples, g_array_unref);
  }
  self->n_run_plans = 0;
  g_clear_pointer (&self->run_request, seam_run_request_free);
  g_clear_pointer (&self->partial, seam_result_unref);
  g_clear_pointer (&self->result, seam_result_unref);
  g_clear_pointer (&self->result_pipeline, seam_pipeline_unref);
  g_clear_pointer (&self->result_plans_key, g_free);
  g_clear_pointer (&self->result_request, seam_run_request_free);
  seam_record_clear (&seam_progress_type, &self->progress);
  self->has_progress = FALSE;
  self->has_outputs = FALSE;
  seam_model_clear_stored (self);
}

static void
end_run (SeamModel *self, SeamResult *result, gboolean has_outputs)
{
  self->run_state = SEAM_RUN_IDLE;
  self->run_serial++;
  g_clear_handle_id (&self->stop_timeout, g_source_remove);
  if (result != NULL) {
    g_clear_pointer (&self->result, seam_result_unref);
    self->result = seam_result_ref (result);
    seam_model_add_unsaved_result (self, result);
  }
  self->has_outputs = has_outputs && result != NULL;
  seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_RUN | SEAM_CHANGE_RESULT | SEAM_CHANGE_ESTIMATE);
}

/* What is left of a run that did not come to its end. */
static SeamResult *
take_remains (SeamModel *self)
{
  if (self->partial != NULL)
    return seam_result_ref (self->partial);
  for (int k = 0; k < self->n_run_plans; k++) {
    if (self->run_plans[k].samples->len == 0)
      continue;
    SeamResult *remains = seam_model_make_live_result (self);
    remains->stopped = TRUE;
    return remains;
  }
  return NULL;
}

static void
lose_run (SeamModel *self, const char *reason)
{
  int k = self->has_progress ? self->progress.plan : -1;
  gboolean stopping = self->run_state == SEAM_RUN_STOPPING;
  g_autoptr (SeamResult) remains = take_remains (self);
  g_autofree char *title =
      k >= 0 && k < self->n_run_plans
          ? g_strdup_printf ("The worker stopped while it ran plan %c.", self->run_plans[k].letter)
          : g_strdup ("The worker stopped during the run.");

  if (remains != NULL) {
    for (int i = 0; i < remains->n_plans && remains != self->partial; i++) {
      SeamPlanResult *plan = &remains->plans[i];
      if (plan->n_samples == 0) {
        plan->state = i == k ? SEAM_PLAN_FAULTED : SEAM_PLAN_NOT_MEASURED;
        plan->message = g_strdup (i == k ? "not measured: the worker stopped in this plan"
                                         : "not measured: the worker stopped before this plan");
      }
    }
  }
  end_run (self, remains, FALSE);
  if (stopping)
    seam_model_emit_message (self, SEAM_MESSAGE_TOAST,
                             "Stopped. The worker had to be ended; the samples so far are kept",
                             NULL);
  else
    seam_model_emit_message (self, SEAM_MESSAGE_WORKER_LOST, title, reason);
}

static void
run_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  Question *question = data;
  g_autoptr (SeamModel) self = question->self;
  guint serial = question->serial;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result =
      seam_worker_client_run_finish (SEAM_WORKER_CLIENT (source), async, &error);

  g_free (question);
  if (self->worker == NULL)
    return;
  if (result != NULL) {
    if (serial == self->run_serial)
      end_run (self, result, TRUE);
    return;
  }
  /* "died" comes, or has come, with the reason. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    return;
  if (serial != self->run_serial) {
    seam_model_emit_message (self, SEAM_MESSAGE_WARNING, "An earlier run failed.", error->message);
    return;
  }
  if (g_error_matches (error, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    g_autoptr (SeamResult) remains = take_remains (self);
    end_run (self, remains, FALSE);
    seam_model_emit_message (self, SEAM_MESSAGE_TOAST,
                             remains != NULL ? "Stopped; the samples so far are kept"
                                             : "Stopped before the first sample",
                             NULL);
    return;
  }
  if (g_error_matches (error, SEAM_ERROR, SEAM_ERROR_DEVICE)
      && seam_worker_client_is_alive (self->worker)) {
    /* The device's context is lost for good: this worker is of no more use. */
    self->expected_death = TRUE;
    lose_run (self, error->message);
    seam_worker_client_kill (self->worker, error->message);
    return;
  }
  g_autoptr (SeamResult) remains = take_remains (self);
  end_run (self, remains, FALSE);
  seam_model_emit_message (self, SEAM_MESSAGE_RUN_FAILED, "The run could not be made.",
                           error->message);
}

static void
start_run (SeamModel *self, int only)
{
  const char *blocker = seam_model_get_blocker (self);

  if (self->run_state != SEAM_RUN_IDLE)
    return;
  if (blocker != NULL) {
    seam_model_emit_message (self, SEAM_MESSAGE_TOAST, blocker, NULL);
    return;
  }
  seam_model_clear_run (self);
  for (int i = 0; i < seam_model_get_n_plans (self); i++) {
    if (only >= 0 && only != i)
      continue;
    SeamRunPlan *plan = &self->run_plans[self->n_run_plans++];
    plan->plan = seam_plan_ref (seam_model_get_shown_plan (self, i));
    plan->letter = (char)('A' + i);
    plan->samples = g_array_new (FALSE, TRUE, sizeof (SeamSample));
  }
  self->result_pipeline = seam_pipeline_ref (self->request->pipeline);
  self->result_plans_key = seam_model_make_plans_key (self);
  seam_model_keep_result_request (self);
  self->run_request = make_request (self, only);
  self->run_state = SEAM_RUN_RUNNING;
  seam_model_watch_edits (self);

  Question *question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->serial = ++self->run_serial;
  seam_model_emit_changed (self, SEAM_CHANGE_RUN | SEAM_CHANGE_RESULT);
  seam_worker_client_run (self->worker, self->run_request, NULL, run_cb, question);
}

void
seam_model_run (SeamModel *self)
{
  start_run (self, -1);
}

void
seam_model_run_only (SeamModel *self, int index)
{
  start_run (self, index);
}

static gboolean
stop_patience_cb (gpointer data)
{
  SeamModel *self = data;

  self->stop_timeout = 0;
  seam_worker_client_kill (self->worker, "The worker did not answer to Stop and was ended.");
  return G_SOURCE_REMOVE;
}

void
seam_model_stop (SeamModel *self)
{
  if (self->run_state != SEAM_RUN_RUNNING)
    return;
  self->run_state = SEAM_RUN_STOPPING;
  seam_worker_client_cancel (self->worker);
  self->stop_timeout = g_timeout_add (STOP_PATIENCE_MS, stop_patience_cb, self);
  seam_model_emit_changed (self, SEAM_CHANGE_RUN);
}

static void
progress_cb (SeamWorkerClient *worker, const SeamProgress *progress, SeamModel *self)
{
  if (self->run_state == SEAM_RUN_IDLE)
    return;
  self->sign_of_life_us = g_get_monotonic_time ();
  for (int i = 0; i < progress->n_new; i++) {
    int k = progress->new_plans[i];
    if (k >= 0 && k < self->n_run_plans)
      g_array_append_val (self->run_plans[k].samples, progress->new_samples[i]);
  }
  seam_record_clear (&seam_progress_type, &self->progress);
  self->progress = *progress;
  self->progress.throttle = g_strdup (progress->throttle);
  self->progress.n_new = 0;
  self->progress.new_plans = NULL;
  self->progress.new_samples = NULL;
  self->has_progress = TRUE;
  seam_model_emit_changed (self, SEAM_CHANGE_PROGRESS);
}

static void
partial_cb (SeamWorkerClient *worker, SeamResult *partial, SeamModel *self)
{
  if (self->run_state == SEAM_RUN_IDLE)
    return;
  g_clear_pointer (&self->partial, seam_result_unref);
  self->partial = seam_result_ref (partial);
}

static void
died_cb (SeamWorkerClient *worker, const char *reason, SeamModel *self)
{
  gboolean expected = self->expected_death;

  self->expected_death = FALSE;
  self->has_outputs = FALSE;
  self->deaths++;
  if (self->run_state != SEAM_RUN_IDLE)
    lose_run (self, reason);
  else if (!expected)
    seam_model_emit_message (self, SEAM_MESSAGE_WARNING, "The worker stopped.", reason);
  seam_model_emit_changed (self, SEAM_CHANGE_RESULT);

  /* Another one at once, unless it cannot even say what it is: then the next Run tries again. */
  if (self->deaths <= 2) {
    self->announce_worker = TRUE;
    seam_model_refresh_targets (self);
  }
}

void
seam_model_connect_worker (SeamModel *self)
{
  g_signal_connect (self->worker, "progress", G_CALLBACK (progress_cb), self);
  g_signal_connect (self->worker, "partial", G_CALLBACK (partial_cb), self);
  g_signal_connect (self->worker, "died", G_CALLBACK (died_cb), self);
}

SeamRunState
seam_model_get_run_state (SeamModel *self)
{
  return self->run_state;
}

const SeamProgress *
seam_model_get_progress (SeamModel *self)
{
  return self->has_progress ? &self->progress : NULL;
}

int
seam_model_get_n_running (SeamModel *self)
{
  return self->n_run_plans;
}

const SeamSample *
seam_model_get_live_samples (SeamModel *self, int k, int *n_samples)
{
  GArray *samples = k < self->n_run_plans ? self->run_plans[k].samples : NULL;

  *n_samples = samples != NULL ? (int)samples->len : 0;
  return samples != NULL ? (const SeamSample *)(void *)samples->data : NULL;
}

SeamPlan *
seam_model_get_run_plan (SeamModel *self, int k)
{
  return k < self->n_run_plans ? self->run_plans[k].plan : NULL;
}

char
seam_model_get_run_letter (SeamModel *self, int k)
{
  return k < self->n_run_plans ? self->run_plans[k].letter : '?';
}

static void
fill_live_plan (SeamRunPlan *run_plan, SeamPlanResult *plan)
{
  int n = (int)run_plan->samples->len;
  g_autofree double *values = g_new (double, MAX (n, 1));

  plan->name = g_strdup (run_plan->plan->name);
  plan->notation = g_strdup (run_plan->plan->notation);
  plan->executed = g_strdup (run_plan->plan->notation);
  plan->exhibit = run_plan->plan->chain > 0;
  plan->n_groups = run_plan->plan->n_groups;
  plan->state = n > 0 ? SEAM_PLAN_STOPPED_EARLY : SEAM_PLAN_NOT_MEASURED;
  plan->n_samples = n;
  plan->samples = n > 0 ? g_memdup2 (run_plan->samples->data, sizeof (SeamSample) * n) : NULL;
  for (int i = 0; i < n; i++)
    values[i] = plan->samples[i].elapsed_ns;
  SeamMedian median = seam_median (values, n, 0.95);
  plan->median_ns = median.median;
  plan->ci_low_ns = median.low;
  plan->ci_high_ns = median.high;
}

SeamResult *
seam_model_make_live_result (SeamModel *self)
{
  const SeamRunRequest *request = self->run_request;
  SeamResult *result = seam_result_new (self->n_run_plans);
  const SeamDeviceInfo *target = seam_model_get_target (self);
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, NULL);

  seam_result_set_pipeline (result, request->pipeline);
  if (problem != NULL) {
    result->shape = seam_problem_format_shape (problem);
    result->shape_text = seam_problem_describe_shape (problem);
  }
  result->n_values = request->pipeline->n_fields;
  result->values = g_memdup2 (request->values, sizeof (gint64) * result->n_values);
  result->preset = g_strdup (request->preset);
  seam_record_clear (&seam_settings_type, &result->settings);
  seam_record_copy (&seam_settings_type, &result->settings, &request->settings);
  if (target != NULL) {
    g_clear_pointer (&result->device, seam_device_info_free);
    result->device = seam_device_info_copy (target);
  }
  result->program_version = g_strdup (seam_version ());
  result->stopped = self->run_state != SEAM_RUN_RUNNING;
  if (self->has_progress) {
    result->power_w = self->progress.power_w;
    result->temperature_c = self->progress.temperature_c;
    result->throttle = g_strdup (self->progress.throttle);
  }
  result->reference = seam_settings_is_against_fp64 (&request->settings) ? -1 : 0;
  for (int k = 0; k < self->n_run_plans; k++) {
    SeamPlanCost cost;
    fill_live_plan (&self->run_plans[k], &result->plans[k]);
    if (problem != NULL) {
      seam_plan_cost (problem, self->run_plans[k].plan, &cost);
      result->plans[k].bytes = cost.bytes;
      result->plans[k].flop = cost.flop;
    }
  }
  return result;
}

gboolean
seam_model_has_live_samples (SeamModel *self)
{
  for (int k = 0; self->run_state != SEAM_RUN_IDLE && k < self->n_run_plans; k++)
    if (self->run_plans[k].samples->len > 0)
      return TRUE;
  return FALSE;
}

SeamResult *
seam_model_get_result (SeamModel *self)
{
  if (self->run_state != SEAM_RUN_IDLE || self->result_pipeline != self->request->pipeline)
    return NULL;
  return self->result;
}

const char *
seam_model_get_stale_reason (SeamModel *self)
{
  g_autoptr (GPtrArray) nouns = g_ptr_array_new ();
  g_autofree char *plans = seam_model_make_plans_key (self), *list = NULL;

  g_clear_pointer (&self->stale_reason, g_free);
  if (seam_model_get_result (self) == NULL)
    return NULL;
  if (g_strcmp0 (plans, self->result_plans_key) != 0) {
    if (self->stored != NULL)
      return seam_model_get_n_plans (self) > 2
                 ? "The file does not hold these three plans; Run measures them here"
                 : "The file does not hold these two plans; Run measures them here";
    g_ptr_array_add (nouns, "plans");
  }
  seam_model_list_changes (self, nouns);
  if (nouns->len == 0)
    return NULL;
  g_ptr_array_add (nouns, NULL);
  list = seam_text_list ((const char *const *)nouns->pdata);
  list[0] = g_ascii_toupper (list[0]);
  self->stale_reason = g_strdup_printf ("%s changed since this run", list);
  return self->stale_reason;
}

gboolean
seam_model_has_outputs_of (SeamModel *self, const SeamResult *result)
{
  return self->has_outputs && self->run_state == SEAM_RUN_IDLE && self->result == result;
}

gboolean
seam_model_has_outputs (SeamModel *self)
{
  return self->has_outputs && seam_model_get_result (self) != NULL;
}
