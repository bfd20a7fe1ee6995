/* SPDX-License-Identifier: MIT
 *
 * Opening, saving, recent files, and the question before closing.
 */
#include "ui/session-file.h"

#include "ui/settings.h"

#include "app/base/error.h"
#include "app/figure/map.h"

#include <string.h>

#define MIME_TYPE  "application/x-seamscope"
#define MAX_RECENT 8

struct _SeamSessionFile {
  GObject parent_instance;

  GtkApplicationWindow *window; /* owns this; weak */
  SeamModel *model;
  SeamExploration *explorations[2]; /* by SeamSurveyKind; may be NULL */
  SeamSurveyKind shown_kind;
  GVariant *shown[2];   /* by SeamSurveyKind; content of a survey of `session`; NULL: none */
  SeamSession *session; /* NULL: none open */
  char *path;           /* of the open or saved file; NULL: Save asks for one */
  int run;              /* shown; -1 */
  GtkFileChooserNative *chooser;
  gboolean closing; /* the window closes when the save is done */
};

G_DEFINE_FINAL_TYPE (SeamSessionFile, seam_session_file, G_TYPE_OBJECT)

static guint changed_signal;

static void
emit_changed (SeamSessionFile *self)
{
  g_signal_emit (self, changed_signal, 0);
}

static void
say (SeamSessionFile *self, const char *text)
{
  seam_model_say (self->model, SEAM_MESSAGE_TOAST, text, NULL);
}

/* Recent files. */

static void
remember (const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  char *groups[] = { "Seamscope", NULL };
  GtkRecentData data = {
    .mime_type = (char *)MIME_TYPE,
    .app_name = (char *)"Seamscope",
    .app_exec = (char *)"seamscope %f",
    .groups = groups,
  };

  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static int
compare_recent_cb (gconstpointer a, gconstpointer b)
{
  GtkRecentInfo *one = *(GtkRecentInfo *const *)a, *two = *(GtkRecentInfo *const *)b;
  return g_date_time_compare (gtk_recent_info_get_modified (two),
                              gtk_recent_info_get_modified (one));
}

GPtrArray *
seam_session_file_list_recent (void)
{
  GPtrArray *uris = g_ptr_array_new_with_free_func (g_free);
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  g_autoptr (GPtrArray) own =
      g_ptr_array_new_with_free_func ((GDestroyNotify)gtk_recent_info_unref);

  for (GList *item = items; item != NULL; item = item->next)
    if (gtk_recent_info_has_application (item->data, "Seamscope")
        && g_str_has_suffix (gtk_recent_info_get_uri (item->data), SEAM_SESSION_SUFFIX)
        && gtk_recent_info_exists (item->data))
      g_ptr_array_add (own, gtk_recent_info_ref (item->data));
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
  g_ptr_array_sort (own, compare_recent_cb);
  for (guint i = 0; i < MIN (own->len, MAX_RECENT); i++)
    g_ptr_array_add (uris, g_strdup (gtk_recent_info_get_uri (own->pdata[i])));
  return uris;
}

/* Opening. */

gboolean
seam_session_file_is_session (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = NULL;
  char first[15] = { 0 };

  if (g_str_has_suffix (path, SEAM_SESSION_SUFFIX))
    return TRUE;
  if (g_str_has_suffix (path, ".ini")
      || g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
    return FALSE;
  stream = g_file_read (file, NULL, NULL);
  return stream != NULL
         && g_input_stream_read_all (G_INPUT_STREAM (stream), first, sizeof first, NULL, NULL, NULL)
         && memcmp (first, "SQLite format 3", sizeof first) == 0;
}

/* Recordings that come with the program are looked at, never written to. */
static gboolean
is_sample (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *samples = g_build_filename (seam_data_dir (), "samples", NULL);
  return strcmp (folder, samples) == 0;
}

static gboolean
show_run (SeamSessionFile *self, SeamSession *session, const char *path, int index, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);

  return seam_model_show_stored (self->model, g_ptr_array_index (session->runs, index), name,
                                 error);
}

static GPtrArray *
list_surveys (SeamSessionFile *self, const SeamSession *session, SeamSurveyKind kind)
{
  const SeamPipeline *pipeline = seam_model_get_pipeline (self->model);
  const char *name = kind == SEAM_SURVEY_SWEEP ? "sweep" : "explore";
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; session != NULL && i < session->surveys->len; i++) {
    SeamSessionSurvey *survey = g_ptr_array_index (session->surveys, i);
    const char *of = NULL;

    g_variant_lookup (survey->content, "pipeline", "&s", &of);
    if (g_strcmp0 (seam_session_survey_get_kind (survey), name) == 0
        && (session->runs->len == 0 || g_strcmp0 (of, pipeline->id) == 0))
      g_ptr_array_add (found, survey);
  }
  return found;
}

/* One that cannot be shown is no reason to refuse the file. */
static gboolean
show_survey (SeamSessionFile *self, const SeamSessionSurvey *survey, const char *path,
             SeamExploration *exploration)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GError) error = NULL;

  if (seam_exploration_show_stored (exploration, survey->content, name, &error)) {
    GVariant **shown = &self->shown[seam_exploration_get_kind (exploration)];

    g_clear_pointer (shown, g_variant_unref);
    *shown = g_variant_ref (survey->content);
    return TRUE;
  }
  seam_model_say (self->model, SEAM_MESSAGE_WARNING, "The exploration is not shown.",
                  error->message);
  return FALSE;
}

/* The first of each kind. */
static void
show_surveys (SeamSessionFile *self, const SeamSession *session, const char *path)
{
  for (int i = G_N_ELEMENTS (self->explorations) - 1; i >= 0; i--) {
    g_autoptr (GPtrArray) surveys = list_surveys (self, session, (SeamSurveyKind)i);

    g_clear_pointer (&self->shown[i], g_variant_unref);
    if (self->explorations[i] == NULL)
      continue;
    seam_exploration_close_stored (self->explorations[i]);
    if (surveys->len > 0 && show_survey (self, surveys->pdata[0], path, self->explorations[i]))
      self->shown_kind = (SeamSurveyKind)i;
  }
}

GPtrArray *
seam_session_file_list_surveys (SeamSessionFile *self, SeamSurveyKind kind)
{
  return list_surveys (self, self->session, kind);
}

int
seam_session_file_get_survey (SeamSessionFile *self, SeamSurveyKind kind)
{
  g_autoptr (GPtrArray) surveys = seam_session_file_list_surveys (self, kind);

  for (guint i = 0; i < surveys->len; i++)
    if (((SeamSessionSurvey *)surveys->pdata[i])->content == self->shown[kind])
      return (int)i;
  return -1;
}

void
seam_session_file_show_survey (SeamSessionFile *self, SeamSurveyKind kind, int index)
{
  g_autoptr (GPtrArray) surveys = seam_session_file_list_surveys (self, kind);

  if (index < 0 || index >= (int)surveys->len || self->explorations[kind] == NULL
      || index == seam_session_file_get_survey (self, kind))
    return;
  show_survey (self, surveys->pdata[index], self->path, self->explorations[kind]);
  emit_changed (self);
}

gboolean
seam_session_file_open (SeamSessionFile *self, const char *path, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autoptr (SeamSession) session = seam_session_load (full, error);

  if (session == NULL || (session->runs->len > 0 && !show_run (self, session, full, 0, error)))
    return FALSE;
  if (session->runs->len == 0)
    seam_model_close_stored (self->model);
  show_surveys (self, session, full);
  g_clear_pointer (&self->session, seam_session_free);
  self->session = g_steal_pointer (&session);
  g_free (self->path);
  self->path = g_strdup (full);
  self->run = self->session->runs->len > 0 ? 0 : -1;
  if (!is_sample (full))
    remember (full);
  emit_changed (self);
  if (self->session->partial)
    say (self, "A newer Seamscope wrote this file; what this one does not know is left out");
  return TRUE;
}

GPtrArray *
seam_session_file_get_runs (SeamSessionFile *self)
{
  return self->session != NULL ? self->session->runs : NULL;
}

guint
seam_session_file_get_n_surveys (SeamSessionFile *self)
{
  return self->session != NULL ? self->session->surveys->len : 0;
}

char *
seam_session_file_get_name (SeamSessionFile *self)
{
  return self->path != NULL ? g_path_get_basename (self->path) : NULL;
}

void
seam_session_file_add_exploration (SeamSessionFile *self, SeamExploration *exploration)
{
  g_set_object (&self->explorations[seam_exploration_get_kind (exploration)], exploration);
}

SeamSurveyKind
seam_session_file_get_shown_kind (SeamSessionFile *self)
{
  return self->shown_kind;
}

int
seam_session_file_get_run (SeamSessionFile *self)
{
  return self->run;
}

void
seam_session_file_show_run (SeamSessionFile *self, int index)
{
  g_autoptr (GError) error = NULL;

  if (self->session == NULL || index < 0 || index >= (int)self->session->runs->len
      || index == self->run)
    return;
  if (show_run (self, self->session, self->path, index, &error))
    self->run = index;
  else
    seam_model_say (self->model, SEAM_MESSAGE_WARNING, "The run is not shown.", error->message);
  emit_changed (self);
}

void
seam_session_file_close (SeamSessionFile *self)
{
  g_clear_pointer (&self->session, seam_session_free);
  g_clear_pointer (&self->path, g_free);
  self->run = -1;
  for (guint i = 0; i < G_N_ELEMENTS (self->explorations); i++) {
    g_clear_pointer (&self->shown[i], g_variant_unref);
    if (self->explorations[i] != NULL)
      seam_exploration_close_stored (self->explorations[i]);
  }
  seam_model_close_stored (self->model);
  emit_changed (self);
}

/* Saving. */

/* Later: the dialog goes with its window, and is in the middle of its answer. */
static void
close_later_cb (gpointer window)
{
  gtk_window_close (window);
  g_object_unref (window);
}

/* One save on its way: the elements around the worst one of each plan come first. */
typedef struct {
  SeamSessionFile *self; /* reference */
  char *path;
  SeamSessionRun *run; /* NULL: only what the session holds already */
  SeamProblem *problem;
  int plan; /* asked for now */
  gboolean asked_code;
} Saving;

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->self);
  g_free (saving->path);
  seam_session_run_unref (saving->run);
  seam_problem_free (saving->problem);
  g_free (saving);
}

/* What was explored here and is not in the open session as it is now; NULL: nothing. */
static GVariant *
make_new_survey (SeamSessionFile *self, SeamExploration *exploration)
{
  g_autoptr (GVariant) content = NULL;

  if (exploration != NULL)
    content = seam_exploration_make_stored (exploration);
  if (content == NULL)
    return NULL;
  g_variant_ref_sink (content);
  for (guint i = 0; self->session != NULL && i < self->session->surveys->len; i++) {
    const SeamSessionSurvey *survey = g_ptr_array_index (self->session->surveys, i);
    if (g_variant_equal (survey->content, content))
      return NULL;
  }
  return g_steal_pointer (&content);
}

/* Of every kind; often empty. */
static GPtrArray *
make_new_surveys (SeamSessionFile *self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify)g_variant_unref);

  for (guint i = 0; i < G_N_ELEMENTS (self->explorations); i++) {
    GVariant *content = make_new_survey (self, self->explorations[i]);
    if (content != NULL)
      g_ptr_array_add (all, content);
  }
  return all;
}

/* Whether they are one exploration that went on. */
static gboolean
asks_the_same (GVariant *a, GVariant *b)
{
  static const char *const keys[] = { "request", "vary_x", "vary_y" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_autoptr (GVariant) of_a = g_variant_lookup_value (a, keys[i], NULL);
    g_autoptr (GVariant) of_b = g_variant_lookup_value (b, keys[i], NULL);

    if (of_a != NULL && of_b != NULL ? !g_variant_equal (of_a, of_b) : of_a != of_b)
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_replaced (const SeamSessionSurvey *survey, const GPtrArray *fresh)
{
  for (guint i = 0; i < fresh->len; i++)
    if (asks_the_same (survey->content, g_ptr_array_index (fresh, i)))
      return TRUE;
  return FALSE;
}

static void
add_surveys (SeamSessionFile *self, SeamSession *session)
{
  g_autoptr (GPtrArray) fresh = make_new_surveys (self);

  for (guint i = 0; self->session != NULL && i < self->session->surveys->len; i++) {
    const SeamSessionSurvey *survey = g_ptr_array_index (self->session->surveys, i);
    if (!is_replaced (survey, fresh))
      seam_session_add_survey (session, survey->content, survey->note);
  }
  for (guint i = 0; i < fresh->len; i++)
    seam_session_add_survey (session, g_ptr_array_index (fresh, i), NULL);
}

/* What the file will hold: the runs of the open session, the new one after them, explorations. */
static SeamSession *
make_session (SeamSessionFile *self, SeamSessionRun *run)
{
  SeamSession *session = seam_session_new ();

  for (guint i = 0; self->session != NULL && i < self->session->runs->len; i++)
    seam_session_add_run (session, g_ptr_array_index (self->session->runs, i));
  if (run != NULL)
    seam_session_add_run (session, run);
  add_surveys (self, session);
  return session;
}

static void
finish_saving (Saving *saving)
{
  SeamSessionFile *self = saving->self;
  g_autoptr (SeamSession) session = make_session (self, saving->run);
  g_autofree char *name = g_path_get_basename (saving->path);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!seam_session_save (session, saving->path, &error)) {
    self->closing = FALSE;
    seam_model_say (self->model, SEAM_MESSAGE_WARNING, "The session was not saved.",
                    error->message);
    saving_free (saving);
    return;
  }
  text = session->runs->len > 1 && saving->run != NULL
             ? g_strdup_printf ("Saved as run %u of %s", session->runs->len, name)
             : g_strdup_printf ("Saved %s", name);
  if (saving->run != NULL)
    seam_model_set_saved (self->model, saving->run->result);
  g_clear_pointer (&self->session, seam_session_free);
  self->session = g_steal_pointer (&session);
  g_free (self->path);
  self->path = g_strdup (saving->path);
  if (seam_model_get_stored_name (self->model) == NULL)
    self->run = -1;
  remember (self->path);
  say (self, text);
  emit_changed (self);
  if (self->closing && self->window != NULL && !seam_model_has_unsaved (self->model))
    g_idle_add_once (close_later_cb, g_object_ref (self->window));
  self->closing = FALSE;
  saving_free (saving);
}

static void fetch_next (Saving *saving);

static void
slice_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  SeamSlice *slice = seam_worker_client_slice_finish (SEAM_WORKER_CLIENT (source), result, NULL);

  /* Without it the file is whole but for these elements, and the page will say so. */
  if (slice != NULL)
    seam_session_run_add_slice (saving->run, saving->plan, saving->run->result->reference, slice);
  saving->plan++;
  fetch_next (saving);
}

static void
code_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  g_autoptr (SeamCode) code =
      seam_worker_client_source_finish (SEAM_WORKER_CLIENT (source), result, NULL);

  /* A target that shows no code is no reason not to keep the run. */
  if (code != NULL)
    seam_session_run_set_code (saving->run, seam_code_to_variant (code));
  finish_saving (saving);
}

/* What the run asked for, as far as the code depends on it; NULL where the result does not say. */
static SeamRunRequest *
make_request (const Saving *saving)
{
  const SeamResult *result = saving->run->result;
  g_autoptr (SeamRunRequest) request = seam_run_request_new (saving->problem->pipeline);

  memcpy (request->values, result->values,
          sizeof *request->values * (gsize)saving->problem->pipeline->n_fields);
  g_strfreev (request->plans);
  request->plans = g_new0 (char *, result->n_plans + 1);
  for (int i = 0; i < result->n_plans; i++)
    request->plans[i] = g_strdup (result->plans[i].name != NULL ? result->plans[i].name
                                                                : result->plans[i].notation);
  request->target = g_strdup (result->device->id);
  g_ptr_array_unref (request->edits);
  request->edits = seam_edits_copy (result->edits);
  if (!seam_math_mode_parse (result->math_mode, &request->math_mode, NULL))
    return NULL;
  return g_steal_pointer (&request);
}

static gboolean
fetch_code (Saving *saving)
{
  SeamWorkerClient *worker = seam_model_get_worker (saving->self->model);
  g_autoptr (SeamRunRequest) request = NULL;

  if (saving->asked_code || saving->run == NULL || saving->problem == NULL || worker == NULL
      || !seam_model_has_outputs (saving->self->model))
    return FALSE;
  saving->asked_code = TRUE;
  request = make_request (saving);
  if (request == NULL)
    return FALSE;
  seam_worker_client_source (worker, request, NULL, code_cb, saving);
  return TRUE;
}

static void
fetch_next (Saving *saving)
{
  SeamModel *model = saving->self->model;
  const SeamResult *result = saving->run != NULL ? saving->run->result : NULL;

  /* The worker answers about its last run only. */
  for (; result != NULL && saving->problem != NULL && saving->plan < result->n_plans
         && seam_model_get_worker (model) != NULL && seam_model_has_outputs (model)
         && seam_model_get_result (model) == result;
       saving->plan++) {
    const SeamDifference *difference = result->plans[saving->plan].difference;
    SeamSlice wanted;
    if (difference == NULL || difference->cells == NULL)
      continue;
    seam_slice_choose_worst (saving->problem, difference, &wanted);
    seam_worker_client_slice (seam_model_get_worker (model), saving->plan, result->reference,
                              &wanted, NULL, slice_cb, saving);
    return;
  }
  if (!fetch_code (saving))
    finish_saving (saving);
}

static void
save_to (SeamSessionFile *self, const char *path)
{
  Saving *saving = g_new0 (Saving, 1);
  SeamResult *result = seam_model_get_result (self->model);

  saving->self = g_object_ref (self);
  saving->path = g_str_has_suffix (path, SEAM_SESSION_SUFFIX)
                     ? g_strdup (path)
                     : g_strconcat (path, SEAM_SESSION_SUFFIX, NULL);
  if (seam_model_has_unsaved (self->model) && result != NULL) {
    g_autoptr (SeamPipeline) pipeline =
        seam_pipeline_parse (result->pipeline_text, result->pipeline_id, NULL);
    saving->run = seam_session_run_new (result, NULL);
    if (pipeline != NULL)
      saving->problem = seam_problem_new_stored (pipeline, result->values, result->storage,
                                                 result->math_mode, NULL);
  }
  fetch_next (saving);
}

static gboolean
has_something (SeamSessionFile *self)
{
  g_autoptr (GPtrArray) explored = make_new_surveys (self);

  return self->session != NULL || explored->len > 0
         || (seam_model_has_unsaved (self->model) && seam_model_get_result (self->model) != NULL);
}

static void
response_cb (GtkNativeDialog *dialog, int response, SeamSessionFile *self)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  path = file != NULL ? g_file_get_path (file) : NULL;
  g_clear_object (&self->chooser);
  if (path != NULL)
    save_to (self, path);
  else
    self->closing = FALSE;
  if (file != NULL && path == NULL)
    say (self, "That place is not a folder of this machine: choose another");
}

static void
ask_name (SeamSessionFile *self)
{
  const SeamResult *result = seam_model_get_result (self->model);
  g_autofree char *name =
      self->path != NULL ? g_path_get_basename (self->path)
      : result != NULL   ? g_strdup_printf ("%s-%s" SEAM_SESSION_SUFFIX, result->pipeline_id,
                                          result->preset != NULL ? result->preset : "own-shape")
                         : g_strdup ("run" SEAM_SESSION_SUFFIX);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new ("Save session", GTK_WINDOW (self->window),
                                               GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
  gtk_file_filter_set_name (filter, "Sessions (*" SEAM_SESSION_SUFFIX ")");
  gtk_file_filter_add_pattern (filter, "*" SEAM_SESSION_SUFFIX);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect (self->chooser, "response", G_CALLBACK (response_cb), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
save (SeamSessionFile *self)
{
  g_autoptr (GPtrArray) explored = make_new_surveys (self);
  gboolean unsaved =
      explored->len > 0
      || (seam_model_has_unsaved (self->model) && seam_model_get_result (self->model) != NULL);

  if (seam_model_get_run_state (self->model) != SEAM_RUN_IDLE) {
    say (self, "A run is being measured: save when it is done");
  } else if (!has_something (self)) {
    say (self, "There is no result to save yet: press Run first");
  } else if (self->path == NULL || is_sample (self->path)
             || (self->session != NULL && self->session->partial)) {
    ask_name (self);
  } else if (!unsaved) {
    g_autofree char *name = g_path_get_basename (self->path);
    g_autofree char *text = g_strdup_printf ("%s holds this already", name);
    say (self, text);
  } else {
    save_to (self, self->path);
  }
}

/* Actions. */

static void
save_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save (data);
}

static void
save_as_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSessionFile *self = data;

  if (seam_model_get_run_state (self->model) != SEAM_RUN_IDLE)
    say (self, "A run is being measured: save when it is done");
  else if (has_something (self))
    ask_name (self);
  else
    say (self, "There is no result to save yet: press Run first");
}

static void
save_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSessionFile *self = data;

  if (has_something (self))
    save_to (self, g_variant_get_string (parameter, NULL));
  else
    say (self, "There is no result to save yet: press Run first");
}

static const GActionEntry actions[] = {
  { .name = "save", .activate = save_cb },
  { .name = "save-as", .activate = save_as_cb },
  { .name = "save-to", .parameter_type = "s", .activate = save_to_cb },
};

/* The question before closing. */

static void
question_cb (AdwMessageDialog *dialog, const char *response, SeamSessionFile *self)
{
  GtkWidget *never = adw_message_dialog_get_extra_child (dialog);

  if (strcmp (response, "cancel") == 0)
    return;
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (never)))
    seam_settings_set_boolean ("ask-to-save", FALSE);
  if (strcmp (response, "discard") == 0) {
    seam_model_set_saved (self->model, seam_model_get_result (self->model));
    g_idle_add_once (close_later_cb, g_object_ref (self->window));
    return;
  }
  self->closing = TRUE;
  save (self);
}

gboolean
seam_session_file_may_close (SeamSessionFile *self)
{
  GtkWidget *dialog;

  if (!seam_model_has_unsaved (self->model) || seam_model_get_result (self->model) == NULL
      || !seam_settings_get_boolean ("ask-to-save"))
    return TRUE;
  dialog = adw_message_dialog_new (GTK_WINDOW (self->window), "Save the measured result?",
                                   "It is in no session yet; closed without saving it is gone.");
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "_Cancel", "discard",
                                    "Close _without saving", "save", "_Save…", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog),
                                      gtk_check_button_new_with_mnemonic ("Do not _ask again"));
  g_signal_connect_object (dialog, "response", G_CALLBACK (question_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  /* Else Return would tick the box. */
  gtk_window_set_focus (GTK_WINDOW (dialog), gtk_window_get_default_widget (GTK_WINDOW (dialog)));
  return FALSE;
}

/* The object. */

static void
model_changed_cb (SeamModel *model, guint flags, SeamSessionFile *self)
{
  /* A run of one's own takes the place of the stored one; the file stays open for Save. */
  if ((flags & SEAM_CHANGE_RUN) && self->run >= 0 && seam_model_get_stored (model) == NULL) {
    self->run = -1;
    emit_changed (self);
  }
}

static void
dispose (GObject *object)
{
  SeamSessionFile *self = SEAM_SESSION_FILE (object);

  g_clear_weak_pointer (&self->window);
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->session, seam_session_free);
  g_clear_pointer (&self->path, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->explorations); i++) {
    g_clear_object (&self->explorations[i]);
    g_clear_pointer (&self->shown[i], g_variant_unref);
  }
  g_clear_object (&self->model);
  G_OBJECT_CLASS (seam_session_file_parent_class)->dispose (object);
}

static void
seam_session_file_class_init (SeamSessionFileClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
seam_session_file_init (SeamSessionFile *self)
{
  self->run = -1;
}

SeamSessionFile *
seam_session_file_new (GtkApplicationWindow *window, SeamModel *model)
{
  SeamSessionFile *self = g_object_new (SEAM_TYPE_SESSION_FILE, NULL);

  g_set_weak_pointer (&self->window, window);
  self->model = g_object_ref (model);
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (model, "changed", G_CALLBACK (model_changed_cb), self, 0);
  return self;
}
