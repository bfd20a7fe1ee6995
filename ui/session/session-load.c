/* SPDX-License-Identifier: MIT
 *
 * One task for each file; the session and its first run are handed to the main thread together.
 */
#include "ui/session/session-load.h"

typedef struct {
  SeamSession *session;
  SeamSessionRun *first;
} Loaded;

static void
loaded_free (gpointer data)
{
  Loaded *loaded = data;

  seam_session_free (loaded->session);
  seam_session_run_unref (loaded->first);
  g_free (loaded);
}

static void
load_thread (GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
  GError *error = NULL;
  SeamSession *session = seam_session_load (path, &error);
  Loaded *loaded;

  if (session == NULL) {
    g_task_return_error (task, error);
    return;
  }
  loaded = g_new0 (Loaded, 1);
  loaded->session = session;
  if (seam_session_get_n_runs (session) > 0)
    loaded->first = seam_session_get_run (session, 0, NULL);
  g_task_return_pointer (task, loaded, loaded_free);
}

void
seam_session_load_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, load_thread);
}

SeamSession *
seam_session_load_finish (GAsyncResult *result, SeamSessionRun **first, GError **error)
{
  Loaded *loaded = g_task_propagate_pointer (G_TASK (result), error);
  SeamSession *session;

  *first = NULL;
  if (loaded == NULL)
    return NULL;
  session = g_steal_pointer (&loaded->session);
  *first = g_steal_pointer (&loaded->first);
  loaded_free (loaded);
  return session;
}
