/* SPDX-License-Identifier: MIT
 *
 * Writing a session: which entries of the history the file will hold, the question for a name, and
 * the file itself.
 */
#include "ui/session/session-file-private.h"

#include "app/base/file-name.h"
#include "ui/session/entry-choice.h"
#include "ui/widgets/file-choice.h"

/* One save on its way. */
typedef struct {
  SeamSessionFile *self; /* reference */
  char *path;
  GArray *ids;       /* gint64, of the history */
  SeamSession *more; /* what these hold */
  SeamSession *open; /* reference; NULL: none is open */
  gboolean appends;  /* to the file of `open` */
} Saving;

static void
saving_free (Saving *saving)
{
  saving->self->saving = FALSE;
  g_object_unref (saving->self);
  g_free (saving->path);
  g_array_unref (saving->ids);
  seam_session_free (saving->more);
  seam_session_free (saving->open);
  g_free (saving);
}

static gboolean
add_entry (Saving *saving, gint64 id, GError **error)
{
  SeamHistoryList *history = saving->self->model->history;
  const SeamHistoryEntry *entry = seam_history_list_find (history, id);
  g_autoptr (GBytes) content = seam_history_list_read (history, id, error);

  return content != NULL && seam_history_unpack (entry, content, saving->more, error);
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
    written = seam_session_append (saving->path, saving->more, &error);
  } else {
    session = saving->open != NULL ? seam_session_extend (saving->open) : seam_session_new ();
    seam_session_add_all (session, saving->more);
    if (seam_session_save (session, saving->path, &error))
      written = seam_session_load (saving->path, &error);
  }
  if (written != NULL)
    g_task_return_pointer (task, written, (GDestroyNotify)seam_session_free);
  else
    g_task_return_error (task, error);
}

static void
say_not_saved (SeamSessionFile *self, const GError *error)
{
  seam_session_file_stay (self);
  seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The session was not saved.",
                    error->message);
}

/* The file is the open one now, unless an entry of the history is looked at. */
static void
take_written (SeamSessionFile *self, SeamSession *session, const char *path)
{
  if (self->entry != 0)
    return;
  g_clear_pointer (&self->session, seam_session_free);
  self->session = seam_session_ref (session);
  g_free (self->path);
  self->path = g_strdup (path);
  if (seam_store_get_name (self->model->store) == NULL)
    self->run = -1;
  seam_session_file_watch (self);
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
  guint n = seam_session_get_n_runs (saving->more);
  guint n_entries = n + seam_session_get_searches (saving->more)->len;

  if (session == NULL) {
    saving_free (saving);
    say_not_saved (self, error);
    return;
  }
  text = n_entries > MAX (n, 1) ? g_strdup_printf ("Saved %u entries in %s", n_entries, name)
         : n > 1                ? g_strdup_printf ("Saved %u runs in %s", n, name)
         : seam_session_get_n_runs (session) > 1 && n > 0
             ? g_strdup_printf ("Saved as run %u of %s", seam_session_get_n_runs (session), name)
             : g_strdup_printf ("Saved %s", name);
  for (guint i = 0; i < saving->ids->len; i++)
    seam_history_list_change (self->model->history, g_array_index (saving->ids, gint64, i),
                              SEAM_CHANGE_SAVED, NULL);
  take_written (self, session, saving->path);
  seam_session_file_remember (saving->path);
  saving_free (saving);
  seam_session_file_say (self, text);
  seam_session_file_emit_changed (self);
  seam_session_file_proceed (self);
}

static void
save_entries (SeamSessionFile *self, const char *path, GArray *ids)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GTask) task = NULL;
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
  saving->ids = g_array_ref (ids);
  saving->more = seam_session_new ();
  seam_history_list_flush (self->model->history);
  /* In the order in which they were measured. */
  for (guint i = saving->ids->len; i-- > 0;)
    if (!add_entry (saving, g_array_index (saving->ids, gint64, i), &error)) {
      saving_free (saving);
      say_not_saved (self, error);
      return;
    }
  if (self->session != NULL && self->entry == 0)
    saving->open = seam_session_ref (self->session);
  saving->appends = saving->open != NULL && g_strcmp0 (saving->path, self->path) == 0;
  task = g_task_new (NULL, NULL, written_cb, saving);
  g_task_set_task_data (task, saving, NULL);
  g_task_run_in_thread (task, write_thread);
}

/* --- Which entries --- */

/* What this window has measured and no file holds, and the entry that is looked at: gint64, the
 * newest first. */
static GArray *
list_unsaved (SeamSessionFile *self)
{
  SeamHistoryList *history = self->model->history;
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  GPtrArray *entries;

  seam_history_list_collect (history);
  entries = seam_history_list_get (history);
  for (guint i = 0; i < entries->len; i++) {
    const SeamHistoryEntry *entry = g_ptr_array_index (entries, i);
    if (entry->kind != SEAM_ENTRY_CALIBRATION
        && (entry->id == self->entry
            || (seam_history_list_is_fresh (history, entry->id) && !entry->saved)))
      g_array_append_val (ids, entry->id);
  }
  return ids;
}

gboolean
seam_session_file_has_something (SeamSessionFile *self)
{
  seam_history_list_flush (self->model->history);
  return self->session != NULL || seam_history_list_get (self->model->history)->len > 0;
}

void
seam_session_file_save_to (SeamSessionFile *self, const char *path)
{
  g_autoptr (GArray) ids = list_unsaved (self);

  save_entries (self, path, ids);
}

/* --- The questions --- */

static void
name_cb (const char *path, const char *reason, gpointer data)
{
  SeamSessionFile *self = data;
  g_autoptr (GArray) ids = g_steal_pointer (&self->chosen);

  if (path != NULL)
    save_entries (self, path, ids);
  else
    seam_session_file_stay (self);
  if (reason != NULL)
    seam_session_file_say (self, reason);
}

/* Takes `ids`. */
static void
ask_name (SeamSessionFile *self, GArray *ids)
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

  g_clear_pointer (&self->chosen, g_array_unref);
  self->chosen = ids;
  seam_file_choice_ask (GTK_WINDOW (self->window), &question, name_cb, self, NULL);
}

static void
entries_cb (GArray *ids, gpointer data)
{
  SeamSessionFile *self = data;

  if (ids != NULL)
    ask_name (self, g_array_ref (ids));
  else
    seam_session_file_stay (self);
}

void
seam_session_file_save_as (SeamSessionFile *self)
{
  GArray *unsaved = list_unsaved (self);
  g_autofree char *open =
      self->session != NULL && self->entry == 0 ? seam_session_file_get_name (self) : NULL;
  guint n = 0;

  for (guint i = 0; i < seam_history_list_get (self->model->history)->len; i++)
    n += ((SeamHistoryEntry *)seam_history_list_get (self->model->history)->pdata[i])->kind
         != SEAM_ENTRY_CALIBRATION;
  /* There is nothing to choose from. */
  if (n == unsaved->len && n < 2) {
    ask_name (self, unsaved);
    return;
  }
  seam_entry_choice_ask (GTK_WINDOW (self->window), self->model->history, unsaved, open, entries_cb,
                         self);
  g_array_unref (unsaved);
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
  g_autoptr (GArray) unsaved = list_unsaved (self);

  if (seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE) {
    seam_session_file_say (self, "A run is being measured: save when it is done");
  } else if (!seam_session_file_has_something (self)) {
    seam_session_file_say (self, "There is no result to save yet: press Run first");
  } else if (seam_session_file_get_target (self) == NULL) {
    seam_session_file_save_as (self);
  } else if (unsaved->len == 0) {
    g_autofree char *name = g_filename_display_basename (self->path);
    g_autofree char *text = g_strdup_printf ("%s holds this already", name);
    seam_session_file_say (self, text);
  } else {
    save_entries (self, self->path, unsaved);
  }
}
