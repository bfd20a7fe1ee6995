/* SPDX-License-Identifier: MIT
 *
 * Opening, recent files and the actions. What is written, and how, is in session-save.c,
 * closing the window in session-question.c.
 */
#include "ui/session/session-file.h"

#include "ui/class/class.h"
#include "ui/session/session-file-private.h"
#include "ui/session/session-load.h"

#include "app/base/error.h"
#include "app/base/text.h"

#include <string.h>

#define MIME_TYPE  "application/x-seamscope"
#define MAX_RECENT 8

G_DEFINE_FINAL_TYPE (SeamSessionFile, seam_session_file, G_TYPE_OBJECT)

void
seam_session_file_emit_changed (SeamSessionFile *self)
{
  g_signal_emit_by_name (self, "changed");
}

void
seam_session_file_say (SeamSessionFile *self, const char *text)
{
  seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, text, NULL);
}

/* Recent files. */

void
seam_session_file_remember (const char *path)
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

gboolean
seam_session_file_is_sample (const char *path)
{
  g_autofree char *folder = g_strconcat (seam_data_dir (), G_DIR_SEPARATOR_S, NULL);

  return g_str_has_prefix (path, folder);
}

static GPtrArray *
list_searches (SeamSessionFile *self, const SeamSession *session, SeamSearchKind kind)
{
  const SeamPipeline *pipeline = seam_setup_get_pipeline (self->model->setup);
  GPtrArray *searches = session != NULL ? seam_session_get_searches (session) : NULL;
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; searches != NULL && i < searches->len; i++) {
    SeamSessionSearch *search = g_ptr_array_index (searches, i);
    const char *of = seam_session_search_get_text (search, "pipeline");

    if (seam_session_search_get_kind (search) == (int)kind
        && (seam_session_get_n_runs (session) == 0 || g_strcmp0 (of, pipeline->id) == 0))
      g_ptr_array_add (found, search);
  }
  return found;
}

/* A search that cannot be shown is no reason to refuse the file. */
static gboolean
show_search (SeamSessionFile *self, SeamSessionSearch *search, const char *name,
             SeamExploration *exploration)
{
  g_autoptr (GError) error = NULL;
  GVariant *content = seam_session_search_get_content (search, &error);
  gboolean done;

  /* The search chooses its pipeline. */
  seam_store_begin_entering (self->model->store);
  done = content != NULL && seam_exploration_show_stored (exploration, content, name, &error);
  seam_store_end_entering (self->model->store);
  if (done) {
    GVariant **shown = &self->shown[seam_exploration_get_kind (exploration)];

    g_clear_pointer (shown, g_variant_unref);
    *shown = g_variant_ref (content);
    return TRUE;
  }
  seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The exploration is not shown.",
                    error->message);
  return FALSE;
}

/* Shows the first search of each kind. */
static void
show_searches (SeamSessionFile *self, const SeamSession *session, const char *name)
{
  for (int i = G_N_ELEMENTS (self->model->explorations.all) - 1; i >= 0; i--) {
    g_autoptr (GPtrArray) searches = list_searches (self, session, (SeamSearchKind)i);

    g_clear_pointer (&self->shown[i], g_variant_unref);
    seam_exploration_close_stored (self->model->explorations.all[i]);
    if (searches->len > 0
        && show_search (self, searches->pdata[0], name, self->model->explorations.all[i]))
      self->shown_kind = (SeamSearchKind)i;
  }
}

GPtrArray *
seam_session_file_list_searches (SeamSessionFile *self, SeamSearchKind kind)
{
  return list_searches (self, self->session, kind);
}

int
seam_session_file_get_search (SeamSessionFile *self, SeamSearchKind kind)
{
  g_autoptr (GPtrArray) searches = seam_session_file_list_searches (self, kind);

  for (guint i = 0; i < searches->len; i++)
    if (self->shown[kind] != NULL
        && seam_session_search_holds (searches->pdata[i], self->shown[kind]))
      return (int)i;
  return -1;
}

void
seam_session_file_show_search (SeamSessionFile *self, SeamSearchKind kind, int index)
{
  g_autoptr (GPtrArray) searches = seam_session_file_list_searches (self, kind);

  if (index < 0 || index >= (int)searches->len
      || index == seam_session_file_get_search (self, kind))
    return;
  g_autofree char *name = seam_session_file_get_name (self);
  show_search (self, searches->pdata[index], name, self->model->explorations.all[kind]);
  seam_session_file_emit_changed (self);
}

/* Code in a file is somebody's; that in the history was typed here. */
static gboolean
show_run (SeamSessionFile *self, SeamSessionRun *run, const char *path, const char *name,
          GError **error)
{
  const SeamEdits *edits = &run->result->edits;

  for (int i = 0; i < edits->n && path != NULL; i++)
    seam_setup_mark_foreign (self->model->setup, edits->list[i].text, FALSE);
  return seam_store_show (self->model->store, run, name, error);
}

static gboolean
show_first_run (SeamSessionFile *self, const SeamSession *session, SeamSessionRun *first,
                const char *path, const char *name, GError **error)
{
  g_autoptr (SeamSessionRun) run = first != NULL ? seam_session_run_ref (first) : NULL;

  /* One that the thread could not read says why. */
  if (run == NULL)
    run = seam_session_get_run (session, 0, error);
  return run != NULL && show_run (self, run, path, name, error);
}

/* Shows a session with its first run, NULL where it was not read yet. `path` NULL: of the history,
 * with that entry. */
static gboolean
show_session (SeamSessionFile *self, SeamSession *session, SeamSessionRun *first, const char *path,
              gint64 entry, const char *name, GError **error)
{
  gboolean has_runs = seam_session_get_n_runs (session) > 0;

  if (has_runs && !show_first_run (self, session, first, path, name, error))
    return FALSE;
  show_searches (self, session, name);
  g_clear_pointer (&self->session, seam_session_free);
  self->session = seam_session_ref (session);
  g_free (self->path);
  self->path = g_strdup (path);
  g_free (self->name);
  self->name = g_strdup (name);
  self->entry = entry;
  self->is_view = TRUE;
  self->run = has_runs ? 0 : -1;
  seam_session_file_watch (self);
  seam_session_file_emit_changed (self);
  g_signal_emit_by_name (self, "opened");
  return TRUE;
}

static void
say_not_opened (SeamSessionFile *self, const char *why)
{
  seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The session was not opened.", why);
}

static void
load_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamSessionFile) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) first = NULL;
  g_autoptr (SeamSession) session = seam_session_load_finish (result, &first, &error);
  g_autofree char *path = NULL, *name = NULL;

  /* The window was closed, or the person has chosen another file since. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->loading);
  path = g_steal_pointer (&self->loading_path);
  name = g_filename_display_basename (path);
  if (session == NULL) {
    say_not_opened (self, error->message);
    return;
  }
  if (self->saving) {
    say_not_opened (self, "A session is being saved: open this one when that is done.");
    return;
  }
  seam_session_file_stay (self);
  if (!show_session (self, session, first, path, 0, name, &error)) {
    say_not_opened (self, error->message);
    return;
  }
  if (!seam_session_file_is_sample (path))
    seam_session_file_remember (path);
  if (seam_session_is_partial (session))
    seam_session_file_say (
        self, "A newer Seamscope wrote this file; what this one does not know is left out");
}

void
seam_session_file_open (SeamSessionFile *self, const char *path)
{
  seam_session_file_stay (self);
  self->loading_path = g_canonicalize_filename (path, NULL);
  self->loading = g_cancellable_new ();
  seam_session_load_async (self->loading_path, self->loading, load_cb, g_object_ref (self));
}

void
seam_session_file_open_entry (SeamSessionFile *self, gint64 id)
{
  const SeamHistoryEntry *entry = seam_history_list_find (self->model->history, id);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_history_list_load (self->model->history, id, &error);
  g_autofree char *time = NULL, *name = NULL;

  if (session == NULL) {
    say_not_opened (self, error->message);
    return;
  }
  time = seam_text_when (entry->ended_at);
  name = entry->name != NULL ? g_strdup_printf ("the history: %s, %s", entry->name, time)
                             : g_strdup_printf ("the history, %s", time);
  seam_session_file_stay (self);
  if (!show_session (self, session, NULL, NULL, id, name, &error))
    say_not_opened (self, error->message);
}

gint64
seam_session_file_get_entry (SeamSessionFile *self)
{
  return self->entry;
}

static void
stop_loading (SeamSessionFile *self)
{
  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_pointer (&self->loading_path, g_free);
}

/* Nothing is loaded any more, and the window stays. */
void
seam_session_file_stay (SeamSessionFile *self)
{
  self->closes = self->waits = FALSE;
  stop_loading (self);
}

SeamSession *
seam_session_file_get_session (SeamSessionFile *self)
{
  return self->session;
}

guint
seam_session_file_get_n_searches (SeamSessionFile *self)
{
  return self->session != NULL ? seam_session_get_searches (self->session)->len : 0;
}

char *
seam_session_file_get_name (SeamSessionFile *self)
{
  return self->path != NULL ? g_filename_display_basename (self->path) : g_strdup (self->name);
}

SeamSearchKind
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
  g_autoptr (SeamSessionRun) run = NULL;

  if (self->session == NULL || index < 0 || index >= (int)seam_session_get_n_runs (self->session)
      || index == self->run)
    return;
  run = seam_session_get_run (self->session, (guint)index, &error);
  g_autofree char *name = seam_session_file_get_name (self);
  if (run != NULL && show_run (self, run, self->path, name, &error))
    self->run = index;
  else
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The run is not shown.",
                      error->message);
  seam_session_file_emit_changed (self);
}

void
seam_session_file_close (SeamSessionFile *self)
{
  stop_loading (self);
  self->is_view = FALSE;
  g_clear_pointer (&self->session, seam_session_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->name, g_free);
  self->entry = 0;
  seam_session_file_watch (self);
  self->run = -1;
  for (guint i = 0; i < G_N_ELEMENTS (self->model->explorations.all); i++) {
    g_clear_pointer (&self->shown[i], g_variant_unref);
    seam_exploration_close_stored (self->model->explorations.all[i]);
  }
  seam_store_close (self->model->store);
  seam_session_file_emit_changed (self);
}

/* Actions. */

static void
save_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  seam_session_file_save (data);
}

static void
save_as_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSessionFile *self = data;

  if (seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE)
    seam_session_file_say (self, "A run is being measured: save when it is done");
  else if (seam_session_file_has_something (self))
    seam_session_file_save_as (self);
  else
    seam_session_file_say (self, "There is no result to save yet: press Run first");
}

static void
save_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSessionFile *self = data;

  if (seam_session_file_has_something (self))
    seam_session_file_save_to (self, g_variant_get_string (parameter, NULL));
  else
    seam_session_file_say (self, "There is no result to save yet: press Run first");
}

static const GActionEntry actions[] = {
  { .name = "save", .activate = save_cb },
  { .name = "save-as", .activate = save_as_cb },
  { .name = "save-to", .parameter_type = "s", .activate = save_to_cb },
};

/* The object. */

/* A run that is measured here replaces the stored one; the file stays open for Save. */
static void
state_changed_cb (SeamSessionFile *self)
{
  if (self->run < 0 || seam_store_get_run (self->model->store) != NULL)
    return;
  self->run = -1;
  seam_session_file_emit_changed (self);
}

/* The person has chosen another pipeline: the view has ended. */
static void
viewing_changed_cb (SeamSessionFile *self)
{
  if (self->is_view && !seam_store_is_viewing (self->model->store))
    seam_session_file_close (self);
}

static void
dispose (GObject *object)
{
  SeamSessionFile *self = SEAM_SESSION_FILE (object);

  g_clear_weak_pointer (&self->window);
  g_clear_weak_pointer (&self->question);
  seam_session_file_stay (self);
  g_clear_pointer (&self->session, seam_session_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->chosen, g_array_unref);
  seam_session_file_watch (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->shown); i++)
    g_clear_pointer (&self->shown[i], g_variant_unref);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (seam_session_file_parent_class)->dispose (object);
}

static void
seam_session_file_class_init (SeamSessionFileClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  seam_signals_install (klass, G_TYPE_NONE, "changed opened");
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
  seam_watch_now (self, G_CALLBACK (state_changed_cb), model->measurement, "state");
  seam_watch_now (self, G_CALLBACK (viewing_changed_cb), model->store, "viewing");
  seam_session_file_connect_question (self);
  return self;
}
