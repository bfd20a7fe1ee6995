/* SPDX-License-Identifier: MIT
 *
 * Follows the choices of the sidebar and keeps the results. The worker of runs predicts, so that a
 * plan has the same guess here as elsewhere; points are measured by a worker of their own.
 */
#include "ui/state/exploration.h"

#include "app/base/text.h"
#include "app/base/error.h"
#include "app/explore/search-store.h"
#include "ui/class/class.h"

#include <math.h>
#include <string.h>

#define PREDICT_DELAY_MS 300
#define KEEP_EVERY_S     10
#define STOP_PATIENCE_MS 8000 /* a worker that does not stop by then is ended */

struct _SeamExploration {
  GObject parent_instance;

  SeamSearchKind kind;
  SeamModel *model;         /* owns this */
  SeamWorkerClient *worker; /* that measures; NULL until it is needed */
  GHashTable *searches;     /* key -> SeamSearch, all of this window's life */
  GHashTable *entries;      /* one of them -> SeamHistoryEntry */
  SeamSearch *search;       /* borrowed from `searches`; NULL: the shape is no shape */
  char *vary[2];            /* of a sweep; [0] NULL: nothing is chosen */
  char **plans;
  char *key;
  SeamSearch *stored; /* search of a session; NULL: none is open. Owned */
  char *stored_name;
  gboolean wanted, closed;
  gboolean predicted; /* `search`, from what is known now */
  SeamExplorationState state;
  SeamSearchProgress progress;
  int n_kept;     /* measured points when the measuring began, or went into the history */
  gint64 kept_us; /* when */
  double budget_s;
  char *problem; /* why the last request was refused */
  gboolean held; /* a lesson covers what is known */
  const char *ending;
  guint predict_timeout, stop_timeout;
};

G_DEFINE_FINAL_TYPE (SeamExploration, seam_exploration, G_TYPE_OBJECT)

static void sync_search (SeamExploration *self);
static void keep (SeamExploration *self);

static void
emit_changed (SeamExploration *self, gboolean points)
{
  g_signal_emit_by_name (self, "changed", points);
}

static const SeamSearchWords *
get_words (const SeamExploration *self)
{
  return &seam_search_words[self->kind];
}

static void
say (SeamExploration *self, SeamMessageKind kind, const char *title, const char *text)
{
  seam_notices_say (self->model->notices, kind, title, text);
}

/* --- the worker --- */

static void
search_cb (SeamWorkerClient *worker, const SeamSearchProgress *progress, GVariant *points,
           SeamExploration *self)
{
  g_autoptr (GError) error = NULL;

  if (self->state == SEAM_EXPLORATION_IDLE || self->search == NULL)
    return;
  self->progress = *progress;
  self->progress.fresh = NULL;
  self->progress.run = NULL;
  if (points != NULL && !seam_search_merge_variant (self->search, points, &error))
    g_warning ("A report of the worker could not be read: %s", error->message);
  /* A crash of the window costs at most these seconds of a long search. */
  if (g_get_monotonic_time () - self->kept_us > KEEP_EVERY_S * G_USEC_PER_SEC)
    keep (self);
  emit_changed (self, points != NULL);
}

/* The history's entry of the search; it grows with it. */
static SeamHistoryEntry *
get_entry (SeamExploration *self)
{
  SeamHistoryEntry *entry = g_hash_table_lookup (self->entries, self->search);

  if (entry == NULL) {
    entry = seam_history_entry_new (self->kind == SEAM_SEARCH_EXPLORE ? SEAM_ENTRY_EXPLORATION
                                                                      : SEAM_ENTRY_SWEEP);
    g_hash_table_insert (self->entries, self->search, entry);
  }
  return entry;
}

/* Puts what was measured since the last time into the history. */
static void
keep (SeamExploration *self)
{
  const SeamSearch *search = self->search;
  int n = search != NULL ? seam_search_count (search, SEAM_POINT_MEASURED) : 0;
  g_autoptr (SeamSession) session = NULL;
  SeamHistoryEntry *entry;

  if (!seam_exploration_is_busy (self) || n <= self->n_kept || search->device == NULL
      || search->math_mode == SEAM_N_MATH_MODES)
    return;
  entry = get_entry (self);
  g_free (entry->pipeline);
  entry->pipeline = seam_pipeline_make_heading (search->request->pipeline);
  g_free (entry->outcome);
  entry->outcome = g_strdup_printf ("%d of %d %s", n, search->n_points, get_words (self)->points);
  g_free (entry->detail);
  entry->detail =
      search->varied != NULL
          ? g_strdup_printf ("%s over %s", get_words (self)->search, search->varied)
          : g_strdup_printf ("%s · %s", get_words (self)->search, search->points[0].shape);
  entry->partial = n < search->n_points;
  session = seam_session_new ();
  seam_session_add_search (session, seam_search_store (search), NULL);
  seam_history_list_add (self->model->history, entry, session);
  self->n_kept = n;
  self->kept_us = g_get_monotonic_time ();
}

static void
end (SeamExploration *self)
{
  keep (self);
  if (seam_exploration_is_busy (self))
    seam_measurement_set_busy (self->model->measurement, NULL);
  self->state = SEAM_EXPLORATION_IDLE;
  self->progress.current = -1;
  g_clear_handle_id (&self->stop_timeout, g_source_remove);
  emit_changed (self, TRUE);
  sync_search (self);
}

static void
died_cb (SeamWorkerClient *worker, const char *reason, SeamExploration *self)
{
  SeamExplorationState state = self->state;
  int current = self->progress.current;

  if (state == SEAM_EXPLORATION_IDLE
      || (worker == self->worker) == (state == SEAM_EXPLORATION_PREDICTING))
    return;
  self->predicted = FALSE;
  if (state == SEAM_EXPLORATION_MEASURING && current >= 0 && self->search != NULL
      && current < self->search->n_points
      && self->search->points[current].state == SEAM_POINT_PENDING) {
    SeamPoint *point = &self->search->points[current];
    /* Not tried again: a point that took one worker down would take down the next one. */
    point->state = SEAM_POINT_FAILED;
    g_free (point->message);
    point->message = g_strdup_printf ("It ran when this happened: %s", reason);
  }
  self->ending = state == SEAM_EXPLORATION_PREDICTING ? NULL : "Ended early";
  g_free (self->problem);
  self->problem = state == SEAM_EXPLORATION_PREDICTING ? g_strdup (reason) : NULL;
  if (state == SEAM_EXPLORATION_STOPPING)
    say (self, SEAM_MESSAGE_TOAST, "Stopped; what was measured is kept", NULL);
  else if (state == SEAM_EXPLORATION_MEASURING)
    say (self, SEAM_MESSAGE_WARNING,
         "The worker stopped while it explored; what was measured is kept.", reason);
  end (self);
}

static SeamWorkerClient *
get_worker (SeamExploration *self)
{
  if (self->worker == NULL) {
    self->worker = seam_workers_open (&self->model->workers);
    g_signal_connect (self->worker, "search", G_CALLBACK (search_cb), self);
    g_signal_connect (self->worker, "died", G_CALLBACK (died_cb), self);
  }
  return self->worker;
}

static void
explored_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (SeamExploration) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) found = seam_worker_client_finish (async, &error);
  g_autoptr (GVariant) points =
      found != NULL ? g_variant_lookup_value (found, "search", NULL) : NULL;
  gboolean was_measuring = seam_exploration_is_busy (self);
  const char *how = "";

  if (self->closed || self->state == SEAM_EXPLORATION_IDLE)
    return;
  if (points != NULL && seam_search_merge_variant (self->search, points, &error)) {
    g_variant_lookup (found, "end", "&s", &how);
    self->predicted = TRUE;
    if (was_measuring)
      self->ending = strcmp (how, "done") == 0     ? NULL
                     : strcmp (how, "budget") == 0 ? "The budget is used up"
                                                   : "Stopped";
    end (self);
    return;
  }
  /* "died" reports the reason, before or after this. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    return;
  self->predicted = TRUE; /* the request was answered, if only with a refusal */
  if (was_measuring && g_error_matches (error, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    self->ending = "Stopped";
  } else {
    g_free (self->problem);
    self->problem = g_strdup (error->message);
    if (was_measuring) {
      self->ending = "Ended early";
      g_autofree char *title =
          g_strdup_printf ("Not every %s could be measured.", get_words (self)->point);
      say (self, SEAM_MESSAGE_WARNING, title, error->message);
    }
  }
  end (self);
}

/* Asks to predict the points of `search` and, with `measure`, to measure those that are pending. */
static GVariant *
make_params (const SeamSearch *search, gboolean measure)
{
  const SeamSweep *sweep = search->sweep;
  g_autoptr (GVariant) request = g_variant_ref_sink (seam_run_request_to_variant (search->request));
  GVariantDict dict;

  g_variant_dict_init (&dict, request);
  g_variant_dict_insert (&dict, "measure", "b", measure);
  for (int i = 0; sweep != NULL && i < sweep->n_axes; i++) {
    g_autofree char *text = seam_sweep_axis_format (&sweep->axes[i]);
    g_variant_dict_insert (&dict, i == 0 ? "vary_x" : "vary_y", "s", text);
  }
  g_variant_dict_insert_value (&dict, "search", seam_search_to_variant (search, NULL, 0));
  return g_variant_dict_end (&dict);
}

static void
ask (SeamExploration *self, SeamExplorationState state)
{
  self->state = state;
  self->search->request->settings.budget_s = self->budget_s;
  self->kept_us = g_get_monotonic_time ();
  self->n_kept = seam_search_count (self->search, SEAM_POINT_MEASURED);
  self->progress = (SeamSearchProgress){
    .n_points = self->search->n_points,
    .n_pending = seam_search_count (self->search, SEAM_POINT_PENDING),
    .budget_s = self->budget_s,
    .expected_s = NAN,
    .current = -1,
  };
  g_clear_pointer (&self->problem, g_free);
  gboolean measure = state == SEAM_EXPLORATION_MEASURING;
  if (measure)
    seam_measurement_set_busy (
        self->model->measurement,
        "Partitions or shapes are being explored, and two runs at once would "
        "spoil each other's times. Stop it with Escape first.");
  seam_worker_client_call (measure ? get_worker (self) : self->model->workers.here,
                           SEAM_METHOD_EXPLORE, make_params (self->search, measure), NULL,
                           explored_cb, g_object_ref (self));
  emit_changed (self, FALSE);
}

/* --- following the sidebar --- */

/* A key of what the points of a search have in common. A sweep's key uses its first point
 * instead of the sidebar's shape, so that the sidebar's values of varying fields do not matter. */
static char *
make_key (const SeamSearch *search)
{
  const SeamRunRequest *request = search->request;
  const SeamSweep *sweep = search->sweep;
  /* Points are compared with the search's own plan, whatever a run is. */
  g_autofree char *settings =
      seam_settings_make_key (&request->settings, SEAM_CONCERN_ALL & ~SEAM_CONCERN_AGAINST);
  GString *key = g_string_new (request->pipeline->id);
  const gint64 *values = search->points[0].values;

  g_string_append_printf (key, "|%u", g_str_hash (request->pipeline->text));
  for (int i = 0; i < request->pipeline->n_fields; i++)
    g_string_append_printf (key, ",%" G_GINT64_FORMAT, values[i]);
  for (int i = 0; sweep != NULL && i < sweep->n_axes; i++) {
    g_autofree char *text = seam_sweep_axis_format (&sweep->axes[i]);
    g_string_append_printf (key, "|%s", text);
  }
  for (int i = 0; sweep != NULL && i < sweep->n_plans; i++)
    g_string_append_printf (key, "|%s", sweep->plans[i]);
  g_string_append_printf (key, "|%s|%s", request->target, settings);
  return g_string_free (key, FALSE);
}

static gboolean
predict_cb (gpointer data)
{
  SeamExploration *self = data;

  self->predict_timeout = 0;
  if (self->state == SEAM_EXPLORATION_IDLE && self->search != NULL && self->wanted && !self->held
      && !self->predicted && seam_measurement_get_state (self->model->measurement) == SEAM_RUN_IDLE)
    ask (self, SEAM_EXPLORATION_PREDICTING);
  return G_SOURCE_REMOVE;
}

static void
queue_prediction (SeamExploration *self)
{
  if (!self->wanted || self->predicted || self->search == NULL || self->closed || self->held
      || self->state != SEAM_EXPLORATION_IDLE)
    return;
  g_clear_handle_id (&self->predict_timeout, g_source_remove);
  self->predict_timeout = g_timeout_add (PREDICT_DELAY_MS, predict_cb, self);
}

/* Makes the search of the current choices; NULL with a sentence. */
static SeamSearch *
make_search (SeamExploration *self, const SeamRunRequest *request, GError **error)
{
  g_autoptr (SeamRunRequest) own = NULL;

  if (self->kind == SEAM_SEARCH_EXPLORE)
    return seam_explore_new (request, error);
  if (self->vary[0] == NULL || self->plans == NULL || self->plans[0] == NULL)
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "Choose what varies, and the plans to compare.");
  g_autofree char *x = seam_sweep_read_typed (self->vary[0], error);
  g_autofree char *y =
      x != NULL && self->vary[1] != NULL ? seam_sweep_read_typed (self->vary[1], error) : NULL;
  if (x == NULL || (self->vary[1] != NULL && y == NULL))
    return NULL;
  own = seam_run_request_copy (request);
  g_strfreev (own->plans);
  own->plans = g_strdupv (self->plans);
  g_clear_pointer (&own->preset, g_free);
  g_clear_pointer (&own->settings.against, g_free);
  return seam_sweep_new_from_texts (own, x, y, error);
}

static void
take_key (SeamExploration *self, char *key)
{
  g_free (self->key);
  self->key = key;
  self->predicted = FALSE;
  self->ending = NULL;
  g_clear_pointer (&self->problem, g_free);
}

static void
refuse_search (SeamExploration *self, const char *problem)
{
  if (self->search == NULL && g_strcmp0 (self->problem, problem) == 0)
    return;
  self->search = NULL;
  take_key (self, NULL);
  self->problem = g_strdup (problem);
  emit_changed (self, TRUE);
}

static void
sync_search (SeamExploration *self)
{
  const SeamRunRequest *request = seam_setup_get_request (self->model->setup);
  g_autoptr (SeamSearch) search = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *key = NULL;

  if (self->closed || self->state != SEAM_EXPLORATION_IDLE)
    return;
  if (request->target == NULL || seam_setup_get_problem (self->model->setup) == NULL)
    return;
  /* What is known of another shape is not shown for this one. */
  const char *wrong = seam_setup_get_shape_error (self->model->setup);
  search = wrong == NULL ? make_search (self, request, &error) : NULL;
  if (search == NULL) {
    refuse_search (self, wrong != NULL ? wrong : error->message);
    return;
  }
  key = make_key (search);
  if (g_strcmp0 (key, self->key) != 0) {
    self->search = g_hash_table_lookup (self->searches, key);
    if (self->search == NULL) {
      self->search = g_steal_pointer (&search);
      g_hash_table_insert (self->searches, g_strdup (key), self->search);
    }
    take_key (self, g_steal_pointer (&key));
    queue_prediction (self);
    emit_changed (self, TRUE);
    return;
  }
  queue_prediction (self);
}

void
seam_exploration_set_sweep (SeamExploration *self, const char *vary_x, const char *vary_y,
                            const char *const *plans)
{
  const char *texts[] = { vary_x, vary_y };

  for (int i = 0; i < 2; i++) {
    g_free (self->vary[i]);
    self->vary[i] = g_strdup (texts[i]);
  }
  g_strfreev (self->plans);
  self->plans = g_strdupv ((char **)plans);
  sync_search (self);
}

static void
pipeline_changed_cb (SeamExploration *self)
{
  sync_search (self);
  if (self->stored != NULL)
    emit_changed (self, TRUE);
}

static void
choice_changed_cb (gpointer owner)
{
  sync_search (owner);
  emit_changed (owner, FALSE);
}

static void
state_changed_cb (gpointer owner)
{
  SeamExploration *self = owner;
  gboolean held = seam_measurement_get_held (self->model->measurement) != NULL,
           was_held = self->held;

  self->held = held;
  /* A run tells more of the device and of its plans. */
  self->predicted =
      self->predicted && seam_measurement_get_state (self->model->measurement) == SEAM_RUN_IDLE;
  choice_changed_cb (self);
  if (held != was_held)
    emit_changed (self, TRUE);
}

void
seam_exploration_set_wanted (SeamExploration *self, gboolean wanted)
{
  self->wanted = wanted;
  sync_search (self);
}

/* --- what is known --- */

/* Whether a recorded search is shown: it is of the current pipeline, and nothing is being
 * measured. */
gboolean
seam_exploration_is_stored (SeamExploration *self)
{
  return self->stored != NULL && !seam_exploration_is_busy (self)
         && seam_setup_get_pipeline (self->model->setup) == self->stored->request->pipeline;
}

const SeamSearch *
seam_exploration_get_search (SeamExploration *self)
{
  if (seam_measurement_get_held (self->model->measurement) != NULL)
    return NULL;
  return seam_exploration_is_stored (self) ? self->stored : self->search;
}

SeamSearchKind
seam_exploration_get_kind (SeamExploration *self)
{
  return self->kind;
}

SeamExplorationState
seam_exploration_get_state (SeamExploration *self)
{
  return self->state;
}

gboolean
seam_exploration_is_busy (SeamExploration *self)
{
  return self->state == SEAM_EXPLORATION_MEASURING || self->state == SEAM_EXPLORATION_STOPPING;
}

gboolean
seam_exploration_is_asking (SeamExploration *self)
{
  if (seam_exploration_is_stored (self) || seam_exploration_is_busy (self))
    return FALSE;
  return self->state == SEAM_EXPLORATION_PREDICTING
         || (self->wanted && !self->held && !self->predicted && self->problem == NULL);
}

const char *
seam_exploration_get_blocker (SeamExploration *self)
{
  if (seam_measurement_get_held (self->model->measurement) != NULL)
    return seam_measurement_get_held (self->model->measurement);
  if (seam_exploration_is_stored (self))
    return self->stored_name;
  if (seam_setup_get_shape_error (self->model->setup) != NULL)
    return seam_setup_get_shape_error (self->model->setup);
  if (!seam_exploration_is_busy (self)
      && seam_measurement_get_busy (self->model->measurement) != NULL)
    return seam_measurement_get_busy (self->model->measurement);
  if (self->problem != NULL)
    return self->problem;
  if (self->search == NULL || self->state == SEAM_EXPLORATION_PREDICTING || !self->predicted)
    return self->kind == SEAM_SEARCH_SWEEP ? "The target is being asked about the shapes."
                                           : "The target is being asked about the partitions.";
  if (seam_search_count (self->search, SEAM_POINT_PENDING) == 0)
    return self->kind == SEAM_SEARCH_SWEEP ? "Every point is measured."
                                           : "Every partition is measured.";
  return NULL;
}

char *
seam_exploration_describe_status (SeamExploration *self)
{
  const SeamSearch *search = seam_exploration_get_search (self);
  const SeamSearchProgress *progress = &self->progress;
  const char *blocker = seam_exploration_get_blocker (self);
  int n_pending, n_measured;

  if (search == NULL)
    return g_strdup (blocker != NULL ? blocker : "");
  n_pending = seam_search_count (search, SEAM_POINT_PENDING);
  n_measured = seam_search_count (search, SEAM_POINT_MEASURED);
  if (self->state == SEAM_EXPLORATION_PREDICTING && !seam_exploration_is_stored (self))
    return g_strdup ("Predicting…");
  if (self->state == SEAM_EXPLORATION_STOPPING)
    return g_strdup ("Stopping…");
  if (self->state == SEAM_EXPLORATION_MEASURING) {
    g_autofree char *time = seam_search_progress_describe_time (progress);
    return g_strdup_printf ("%d of %d measured, %s", n_measured, search->n_points, time);
  }
  if (n_pending == 0)
    return g_strdup_printf ("%d of %d measured", n_measured, search->n_points);
  if (self->ending != NULL && !seam_exploration_is_stored (self))
    return g_strdup_printf ("%s: %d of %d measured, %d left. “Measure all” goes on with them.",
                            self->ending, n_measured, search->n_points, n_pending);
  if (blocker != NULL)
    return g_strdup (blocker);
  g_autofree char *needs = seam_search_describe_needs (search, self->budget_s);
  return g_strdup_printf ("%d to measure, %s", n_pending, needs);
}

/* --- sessions --- */

/* Plans refer to chains by their place. */
static gboolean
has_places (const SeamPipeline *pipeline, const SeamPipeline *older)
{
  for (int i = 0; i < older->n_chains; i++)
    if (i >= pipeline->n_chains || strcmp (pipeline->chains[i].name, older->chains[i].name) != 0)
      return FALSE;
  return TRUE;
}

/* The model's own pipeline that has these chains, and perhaps more, such as an exhibit that is new;
 * NULL: it has none. */
static SeamPipeline *
find_pipeline (SeamExploration *self, const SeamPipeline *wanted)
{
  GPtrArray *pipelines = seam_setup_get_pipelines (self->model->setup);

  for (guint i = 0; i < pipelines->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
    if (seam_pipeline_covers (pipeline, wanted) && has_places (pipeline, wanted))
      return pipeline;
  }
  return NULL;
}

gboolean
seam_exploration_show_stored (SeamExploration *self, GVariant *content, const char *name,
                              GError **error)
{
  g_autoptr (SeamSearch) search = seam_search_restore (content, error);
  SeamPipeline *pipeline;

  if (search == NULL)
    return FALSE;
  g_return_val_if_fail (search->kind == self->kind, FALSE);
  pipeline = find_pipeline (self, search->request->pipeline);
  if (pipeline == NULL) {
    seam_setup_add_pipeline (self->model->setup, search->request->pipeline);
  } else {
    seam_pipeline_unref (search->request->pipeline);
    search->request->pipeline = seam_pipeline_ref (pipeline);
  }
  seam_exploration_close_stored (self);
  self->stored = g_steal_pointer (&search);
  self->stored_name =
      g_strdup_printf ("These %s were recorded in %s: close the session to measure here.",
                       get_words (self)->points, name);
  /* A recorded run is shown unchanged. */
  if (seam_store_get_run (self->model->store) == NULL)
    seam_setup_set_pipeline (self->model->setup, self->stored->request->pipeline);
  emit_changed (self, TRUE);
  return TRUE;
}

void
seam_exploration_close_stored (SeamExploration *self)
{
  if (self->stored == NULL)
    return;
  g_clear_pointer (&self->stored, seam_search_free);
  g_clear_pointer (&self->stored_name, g_free);
  if (!self->closed)
    emit_changed (self, TRUE);
}

/* --- measuring --- */

double
seam_exploration_get_budget (SeamExploration *self)
{
  return self->budget_s;
}

void
seam_exploration_set_budget (SeamExploration *self, double budget_s)
{
  if (budget_s == self->budget_s)
    return;
  self->budget_s = budget_s;
  emit_changed (self, FALSE);
}

void
seam_exploration_start (SeamExploration *self)
{
  if (self->state != SEAM_EXPLORATION_IDLE || seam_exploration_get_blocker (self) != NULL)
    return;
  self->ending = NULL;
  ask (self, SEAM_EXPLORATION_MEASURING);
}

static gboolean
stop_timeout_cb (gpointer data)
{
  SeamExploration *self = data;

  self->stop_timeout = 0;
  seam_worker_client_kill (self->worker, "It did not stop in time, so it was ended.");
  return G_SOURCE_REMOVE;
}

void
seam_exploration_stop (SeamExploration *self)
{
  if (self->state != SEAM_EXPLORATION_MEASURING)
    return;
  self->state = SEAM_EXPLORATION_STOPPING;
  seam_worker_client_cancel (self->worker);
  self->stop_timeout = g_timeout_add (STOP_PATIENCE_MS, stop_timeout_cb, self);
  emit_changed (self, FALSE);
}

/* --- life --- */

void
seam_exploration_close (SeamExploration *self)
{
  /* Owners of other references may outlive the model, which closes this. */
  if (self->closed)
    return;
  self->closed = TRUE;
  g_clear_handle_id (&self->predict_timeout, g_source_remove);
  g_clear_handle_id (&self->stop_timeout, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->model->setup, self);
  g_signal_handlers_disconnect_by_data (self->model->measurement, self);
  g_signal_handlers_disconnect_by_data (self->model->workers.here, self);
  if (self->worker != NULL) {
    g_signal_handlers_disconnect_by_data (self->worker, self);
    seam_worker_client_close (self->worker);
  }
}

static void
seam_exploration_class_init (SeamExplorationClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_exploration_close));
  SEAM_OWNS (klass, SeamExploration, g_object_unref, worker);
  SEAM_OWNS (klass, SeamExploration, g_hash_table_unref, entries, searches);
  SEAM_OWNS (klass, SeamExploration, seam_search_free, stored);
  SEAM_OWNS (klass, SeamExploration, g_free, stored_name, vary[0], vary[1], key, problem);
  SEAM_OWNS (klass, SeamExploration, g_strfreev, plans);
  seam_signals_install (klass, G_TYPE_BOOLEAN, "changed");
}

static void
seam_exploration_init (SeamExploration *self)
{
  self->budget_s = SEAM_SEARCH_DEFAULT_BUDGET_S;
  self->progress = (SeamSearchProgress){ .expected_s = NAN, .current = -1 };
}

SeamExploration *
seam_exploration_new (SeamModel *model, SeamSearchKind kind)
{
  SeamExploration *self = g_object_new (SEAM_TYPE_EXPLORATION, NULL);

  self->kind = kind;
  self->searches =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)seam_search_free);
  self->entries =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)seam_history_entry_unref);
  self->model = model;
  seam_watch_now (self, G_CALLBACK (pipeline_changed_cb), model->setup, "pipeline");
  seam_watch_now (self, G_CALLBACK (choice_changed_cb), model->setup, "shape options targets");
  seam_watch_now (self, G_CALLBACK (state_changed_cb), model->measurement, "state");
  g_signal_connect (model->workers.here, "died", G_CALLBACK (died_cb), self);
  g_signal_connect_object (model->history, "collect", G_CALLBACK (keep), self, G_CONNECT_SWAPPED);
  return self;
}
