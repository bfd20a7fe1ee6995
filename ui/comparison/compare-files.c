/* SPDX-License-Identifier: MIT
 *
 * Asks for the files of a comparison. Side A is the shown result, or the first file.
 */
#include "ui/comparison/compare-files.h"

#include "ui/comparison/comparison-window.h"
#include "ui/widgets/file-choice.h"
#include "ui/session/session-load.h"

typedef struct {
  GtkApplicationWindow *window;
  SeamModel *model;
  SeamSessionFile *session; /* borrowed; so is the window */
  char *first;              /* path of A, while B is asked for; NULL: A is the shown result */
  gboolean asks_first;
} CompareFiles;

static void ask (CompareFiles *self, gboolean asks_first);

static void
refuse (CompareFiles *self, const char *text)
{
  seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "Nothing is compared.", text);
}

/* The open session, or a session of the result that was measured here; NULL: there is neither. */
static SeamSession *
list_shown (CompareFiles *self, char **name, int *shown)
{
  SeamSession *session = seam_session_file_get_session (self->session);
  const char *stored = seam_store_get_name (self->model->store);
  SeamResult *result = seam_measurement_get_result (self->model->measurement);
  g_autoptr (SeamSessionRun) run = NULL;

  *shown = 0;
  if (stored != NULL && session != NULL && seam_session_file_get_run (self->session) >= 0) {
    *name = g_strdup (stored);
    *shown = seam_session_file_get_run (self->session);
    return seam_session_ref (session);
  }
  if (result == NULL)
    return NULL;
  *name = g_strdup ("measured here");
  session = seam_session_new ();
  run = seam_session_run_new (result, NULL);
  seam_session_add_run (session, run);
  return session;
}

/* A comparison whose files are being read. */
typedef struct {
  CompareFiles *self;
  GtkApplicationWindow *window; /* reference, which keeps `self` */
  char *paths[2];               /* NULL: A is the shown result */
  char *names[2];
  SeamSession *sessions[2];
  int shown; /* run of A */
} Comparison;

static void
comparison_free (Comparison *comparison)
{
  for (int side = 0; side < 2; side++) {
    g_free (comparison->paths[side]);
    g_free (comparison->names[side]);
    seam_session_free (comparison->sessions[side]);
  }
  g_object_unref (comparison->window);
  g_free (comparison);
}

static void load_next (Comparison *comparison);

static void
load_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Comparison *comparison = data;
  const int side = comparison->sessions[0] == NULL ? 0 : 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) first = NULL;
  g_autoptr (SeamSession) session = seam_session_load_finish (result, &first, &error);

  comparison->names[side] = g_filename_display_basename (comparison->paths[side]);
  if (session == NULL) {
    refuse (comparison->self, error->message);
    comparison_free (comparison);
  } else if (seam_session_get_n_runs (session) == 0) {
    g_autofree char *text =
        g_strdup_printf ("%s holds no run, only results of Explore, which are not compared.",
                         comparison->names[side]);
    refuse (comparison->self, text);
    comparison_free (comparison);
  } else {
    comparison->sessions[side] = g_steal_pointer (&session);
    load_next (comparison);
  }
}

static void
load_next (Comparison *comparison)
{
  for (int side = 0; side < 2; side++)
    if (comparison->sessions[side] == NULL) {
      seam_session_load_async (comparison->paths[side], NULL, load_cb, comparison);
      return;
    }
  /* The window may have been closed meanwhile. */
  if (gtk_widget_get_realized (GTK_WIDGET (comparison->window)))
    gtk_window_present (GTK_WINDOW (seam_comparison_window_new (
        GTK_WINDOW (comparison->window), comparison->sessions[0], comparison->names[0],
        comparison->shown, comparison->sessions[1], comparison->names[1])));
  comparison_free (comparison);
}

/* `first` NULL: the shown result. */
static void
compare (CompareFiles *self, const char *first, const char *second)
{
  Comparison *comparison = g_new0 (Comparison, 1);

  comparison->self = self;
  comparison->window = g_object_ref (self->window);
  comparison->paths[0] = g_strdup (first);
  comparison->paths[1] = g_strdup (second);
  if (first == NULL)
    comparison->sessions[0] = list_shown (self, &comparison->names[0], &comparison->shown);
  if (first == NULL && comparison->sessions[0] == NULL) {
    refuse (self, "There is no result yet: press Run, or open a session, then compare.");
    comparison_free (comparison);
    return;
  }
  load_next (comparison);
}

static void
answer_cb (const char *path, const char *reason, gpointer data)
{
  CompareFiles *self = data;

  if (reason != NULL)
    refuse (self, reason);
  if (path == NULL)
    return;
  if (self->asks_first) {
    g_free (self->first);
    self->first = g_strdup (path);
    ask (self, FALSE);
  } else {
    compare (self, self->first, path);
  }
}

static void
ask (CompareFiles *self, gboolean asks_first)
{
  static const char *const endings[] = { SEAM_SESSION_SUFFIX, NULL };
  const SeamFileQuestion question = {
    .title = asks_first ? "First session (A)" : "Session to compare with (B)",
    .accept = asks_first ? "_Next" : "_Compare",
    .endings = endings,
    .kind = "Sessions",
  };

  self->asks_first = asks_first;
  seam_file_choice_ask (GTK_WINDOW (self->window), &question, answer_cb, self, NULL);
}

static void
compare_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CompareFiles *self = data;
  g_autofree char *name = NULL;
  g_autoptr (SeamSession) shown = NULL;
  int index;

  shown = list_shown (self, &name, &index);
  g_clear_pointer (&self->first, g_free);
  /* Without a shown result the person is asked for side A, too. */
  ask (self, shown == NULL);
}

static void
compare_two_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask (data, TRUE);
}

static void
compare_with_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  compare (data, NULL, g_variant_get_string (parameter, NULL));
}

/* What is shown beside an entry of the history. */
static void
compare_entry_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CompareFiles *self = data;
  gint64 id = g_variant_get_int64 (parameter);
  const SeamHistoryEntry *entry = seam_history_list_find (self->model->history, id);
  g_autofree char *shown_name = NULL, *name = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_history_list_load (self->model->history, id, &error);
  g_autoptr (SeamSession) shown = NULL;
  int index;

  if (session == NULL) {
    refuse (self, error->message);
    return;
  }
  shown = list_shown (self, &shown_name, &index);
  if (shown == NULL) {
    refuse (self, "Nothing is shown that the run could be compared with: press Run, or choose "
                  "another run first.");
    return;
  }
  name = seam_history_list_describe (entry);
  gtk_window_present (GTK_WINDOW (seam_comparison_window_new (GTK_WINDOW (self->window), shown,
                                                              shown_name, index, session, name)));
}

static void
compare_files_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree const char **paths = g_variant_get_strv (parameter, NULL);

  if (paths[0] != NULL && paths[1] != NULL)
    compare (data, paths[0], paths[1]);
}

static const GActionEntry actions[] = {
  { .name = "compare", .activate = compare_cb },
  { .name = "compare-two", .activate = compare_two_cb },
  { .name = "compare-with", .parameter_type = "s", .activate = compare_with_cb },
  { .name = "compare-entry", .parameter_type = "x", .activate = compare_entry_cb },
  { .name = "compare-files", .parameter_type = "as", .activate = compare_files_cb },
};

static void
compare_files_free (CompareFiles *self)
{
  g_clear_object (&self->model);
  g_free (self->first);
  g_free (self);
}

void
seam_compare_files_install (GtkApplicationWindow *window, SeamModel *model,
                            SeamSessionFile *session)
{
  CompareFiles *self = g_new0 (CompareFiles, 1);

  self->window = window;
  self->model = g_object_ref (model);
  self->session = session;
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), self);
  g_object_set_data_full (G_OBJECT (window), "seam-compare-files", self,
                          (GDestroyNotify)compare_files_free);
}
