/* SPDX-License-Identifier: MIT
 *
 * Writes a session: chooses the runs and searches that the file will hold, fetches elements and
 * code of the new run from the worker, asks for a name, and writes the file.
 */
#include "ui/session/session-file-private.h"

#include "app/base/file-name.h"
#include "app/explain/read-result.h"
#include "app/figure/map.h"
#include "ui/widgets/file-choice.h"

#include <string.h>

/* One save in progress. The elements around the worst one of each plan are fetched first. */
typedef struct {
  SeamSessionFile *self; /* reference */
  char *path;
  GPtrArray *items;     /* SeamUnsaved items to save besides what the session holds */
  GPtrArray *runs;      /* the SeamSessionRun items among them */
  guint run;            /* index of the run that is being completed */
  SeamProblem *problem; /* the problem of that run; NULL: not known */
  int plan;             /* index of the plan whose slice is requested */
  gboolean asked_code;
  SeamSession *open; /* reference; NULL: no session is open */
  gboolean appends;  /* whether it writes to the file of `open` */
} Saving;

static void
saving_free (Saving *saving)
{
  saving->self->saving = FALSE;
  g_object_unref (saving->self);
  g_free (saving->path);
  g_ptr_array_unref (saving->items);
  g_ptr_array_unref (saving->runs);
  seam_problem_free (saving->problem);
  seam_session_free (saving->open);
  g_free (saving);
}

/* Adds what is to be saved besides the file's content. */
static void
add_new (const Saving *saving, SeamSession *session)
{
  for (guint i = 0; i < saving->runs->len; i++)
    seam_session_add_run (session, g_ptr_array_index (saving->runs, i));
  for (guint i = 0; i < saving->items->len; i++) {
    const SeamUnsaved *item = g_ptr_array_index (saving->items, i);
    if (item->search != NULL)
      seam_session_put_search (session, item->search, NULL);
  }
}

/* Adds to the open file, including what other programs have added to it in the meantime; or
 * writes another file with the open session and the new results. Waits for the disk and for other
 * writers. */
static void
write_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Saving *saving = data;
  g_autoptr (SeamSession) session = NULL;
  SeamSession *written = NULL;
  GError *error = NULL;

  if (saving->appends && g_file_test (saving->path, G_FILE_TEST_EXISTS)) {
    session = seam_session_new ();
    add_new (saving, session);
    written = seam_session_append (saving->path, session, &error);
  } else {
    session = saving->open != NULL ? seam_session_extend (saving->open) : seam_session_new ();
    add_new (saving, session);
    if (seam_session_save (session, saving->path, &error))
      written = seam_session_load (saving->path, &error);
  }
  if (written != NULL)
    g_task_return_pointer (task, written, (GDestroyNotify)seam_session_free);
  else
    g_task_return_error (task, error);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  g_autoptr (SeamSessionFile) self = g_object_ref (saving->self);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *name = g_filename_display_basename (saving->path);
  g_autofree char *text = NULL;

  if (session == NULL) {
    saving_free (saving);
    seam_session_file_stay (self);
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The session was not saved.",
                      error->message);
    return;
  }
  text = saving->runs->len > 1 ? g_strdup_printf ("Saved %u runs in %s", saving->runs->len, name)
         : seam_session_get_n_runs (session) > 1 && saving->runs->len > 0
             ? g_strdup_printf ("Saved as run %u of %s", seam_session_get_n_runs (session), name)
             : g_strdup_printf ("Saved %s", name);
  seam_unsaved_list_drop (self->model->unsaved, saving->items);
  g_clear_pointer (&self->session, seam_session_free);
  self->session = g_steal_pointer (&session);
  g_free (self->path);
  self->path = g_strdup (saving->path);
  if (seam_store_get_name (self->model->store) == NULL)
    self->run = -1;
  saving_free (saving);
  seam_session_file_watch (self);
  seam_session_file_remember (self->path);
  seam_session_file_say (self, text);
  seam_session_file_emit_changed (self);
  seam_session_file_proceed (self);
}

static void
finish_saving (Saving *saving)
{
  const SeamSessionFile *self = saving->self;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, written_cb, saving);

  saving->open = self->session != NULL ? seam_session_ref (self->session) : NULL;
  saving->appends = self->session != NULL && g_strcmp0 (saving->path, self->path) == 0;
  g_task_set_task_data (task, saving, NULL);
  g_task_run_in_thread (task, write_thread);
}

static void fetch_next (Saving *saving);

static SeamSessionRun *
get_run (const Saving *saving)
{
  return g_ptr_array_index (saving->runs, saving->run);
}

static void
slice_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  SeamSlice *slice = seam_worker_client_slice_finish (SEAM_WORKER_CLIENT (source), result, NULL);

  /* Without the slice the file lacks only these elements, and the Difference tab says so. */
  if (slice != NULL)
    seam_session_run_add_slice (get_run (saving), saving->plan, get_run (saving)->result->reference,
                                slice);
  saving->plan++;
  fetch_next (saving);
}

static void
code_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  g_autoptr (SeamCode) code =
      seam_worker_client_source_finish (SEAM_WORKER_CLIENT (source), result, NULL);

  /* If a target shows no code, the run is saved without it. */
  if (code != NULL)
    seam_session_run_set_code (get_run (saving), seam_code_to_variant (code));
  fetch_next (saving);
}

/* The run's request, as far as the code depends on it; NULL if the result does not say. */
static SeamRunRequest *
make_request (const Saving *saving)
{
  const SeamResult *result = get_run (saving)->result;
  g_autoptr (SeamRunRequest) request = seam_run_request_new (saving->problem->pipeline);

  memcpy (request->values, result->values,
          sizeof *request->values * (gsize)saving->problem->pipeline->n_fields);
  g_strfreev (request->plans);
  request->plans = g_new0 (char *, result->n_plans + 1);
  for (int i = 0; i < result->n_plans; i++)
    request->plans[i] = g_strdup (result->plans[i].name != NULL ? result->plans[i].name
                                                                : result->plans[i].notation);
  request->target = g_strdup (result->device->id);
  seam_record_copy (&seam_edits_type, &request->edits, &result->edits);
  seam_settings_adopt (&request->settings, &result->settings);
  return g_steal_pointer (&request);
}

static gboolean
fetch_code (Saving *saving)
{
  SeamWorkerClient *worker = saving->self->model->worker;
  g_autoptr (SeamRunRequest) request = NULL;

  /* Runs of the pitfall lab have a note; their code is that of the honest plans. */
  if (saving->asked_code || saving->problem == NULL || worker == NULL
      || !seam_worker_client_is_alive (worker) || get_run (saving)->note != NULL)
    return FALSE;
  saving->asked_code = TRUE;
  request = make_request (saving);
  if (request == NULL)
    return FALSE;
  seam_worker_client_source (worker, request, NULL, code_cb, saving);
  return TRUE;
}

static gboolean
fetch_slice (Saving *saving)
{
  SeamModel *model = saving->self->model;
  const SeamResult *result = get_run (saving)->result;

  /* The worker answers only about its last run. */
  for (; saving->problem != NULL && saving->plan < result->n_plans && model->worker != NULL
         && seam_measurement_has_outputs_of (model->measurement, result);
       saving->plan++) {
    const SeamDifference *difference = result->plans[saving->plan].difference;
    SeamSlice wanted;
    if (difference == NULL || difference->cells == NULL)
      continue;
    seam_slice_choose_worst (saving->problem, difference, &wanted);
    seam_worker_client_slice (model->worker, saving->plan, result->reference, &wanted, NULL,
                              slice_cb, saving);
    return TRUE;
  }
  return FALSE;
}

static void
begin_run (Saving *saving)
{
  g_clear_pointer (&saving->problem, seam_problem_free);
  saving->problem = seam_explain_read_problem (get_run (saving)->result, NULL);
  saving->plan = 0;
  saving->asked_code = FALSE;
}

static void
fetch_next (Saving *saving)
{
  while (saving->run < saving->runs->len) {
    if (fetch_slice (saving) || fetch_code (saving))
      return;
    if (++saving->run < saving->runs->len)
      begin_run (saving);
  }
  finish_saving (saving);
}

void
seam_session_file_save_to (SeamSessionFile *self, const char *path)
{
  Saving *saving;

  if (self->saving) {
    seam_session_file_say (self, "Another save is not done yet");
    return;
  }
  self->saving = TRUE;
  saving = g_new0 (Saving, 1);
  saving->self = g_object_ref (self);
  saving->path = g_str_has_suffix (path, SEAM_SESSION_SUFFIX)
                     ? g_strdup (path)
                     : g_strconcat (path, SEAM_SESSION_SUFFIX, NULL);
  saving->items = seam_unsaved_list_read (self->model->unsaved);
  saving->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_session_run_unref);
  for (guint i = 0; i < saving->items->len; i++) {
    const SeamUnsaved *item = g_ptr_array_index (saving->items, i);
    for (guint k = 0; k < item->runs->len; k++) {
      const SeamSessionRun *run = g_ptr_array_index (item->runs, k);
      /* A copy: slices and code are added to it. */
      g_ptr_array_add (saving->runs, seam_session_run_new (run->result, run->note));
    }
  }
  if (saving->runs->len > 0)
    begin_run (saving);
  fetch_next (saving);
}

gboolean
seam_session_file_has_something (SeamSessionFile *self)
{
  g_autoptr (GPtrArray) unsaved = seam_unsaved_list_read (self->model->unsaved);

  return self->session != NULL || unsaved->len > 0;
}

static void
answer_cb (const char *path, const char *reason, gpointer data)
{
  if (path != NULL)
    seam_session_file_save_to (data, path);
  else
    seam_session_file_stay (data);
  if (reason != NULL)
    seam_session_file_say (data, reason);
}

void
seam_session_file_ask_name (SeamSessionFile *self)
{
  const SeamResult *result = seam_measurement_get_result (self->model->measurement);
  g_autofree char *own =
      result != NULL ? g_strdup_printf ("%s-%s" SEAM_SESSION_SUFFIX, result->pipeline_id,
                                        result->preset != NULL ? result->preset : "own-shape")
                     : g_strdup ("run" SEAM_SESSION_SUFFIX);
  g_autofree char *name =
      self->path != NULL ? g_filename_display_basename (self->path) : seam_file_name_make (own);
  static const char *const endings[] = { SEAM_SESSION_SUFFIX, NULL };
  const SeamFileQuestion question = {
    .title = "Save session",
    .accept = "_Save",
    .saves = TRUE,
    .name = name,
    .endings = endings,
    .kind = "Sessions",
  };

  seam_file_choice_ask (GTK_WINDOW (self->window), &question, answer_cb, self, NULL);
}

const char *
seam_session_file_get_target (SeamSessionFile *self)
{
  gboolean asks = self->path == NULL || seam_session_file_is_sample (self->path)
                  || (self->session != NULL && seam_session_is_partial (self->session));

  return asks ? NULL : self->path;
}

void
seam_session_file_save (SeamSessionFile *self)
{
  g_autoptr (GPtrArray) unsaved = seam_unsaved_list_read (self->model->unsaved);

  if (seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE) {
    seam_session_file_say (self, "A run is being measured: save when it is done");
  } else if (!seam_session_file_has_something (self)) {
    seam_session_file_say (self, "There is no result to save yet: press Run first");
  } else if (seam_session_file_get_target (self) == NULL) {
    seam_session_file_ask_name (self);
  } else if (unsaved->len == 0) {
    g_autofree char *name = g_filename_display_basename (self->path);
    g_autofree char *text = g_strdup_printf ("%s holds this already", name);
    seam_session_file_say (self, text);
  } else {
    seam_session_file_save_to (self, self->path);
  }
}
