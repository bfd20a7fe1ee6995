/* SPDX-License-Identifier: MIT
 *
 * Reacts when another program changes the open session file: reads it again, and tells the person.
 * The window keeps what it shows. Save does not depend on this: it always adds to the file as it is
 * then.
 */
#include "ui/session/session-file-private.h"

#include "ui/session/session-load.h"

static gboolean
holds_same_run (const SeamSession *a, const SeamSession *b, guint i)
{
  const SeamResult *of_a, *of_b;

  if (i >= seam_session_get_n_runs (a) || i >= seam_session_get_n_runs (b))
    return FALSE;
  of_a = seam_session_get_heading (a, i);
  of_b = seam_session_get_heading (b, i);
  return g_strcmp0 (of_a->pipeline_id, of_b->pipeline_id) == 0
         && g_strcmp0 (of_a->started_at, of_b->started_at) == 0;
}

static void
reload_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamSessionFile) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) first = NULL;
  g_autoptr (SeamSession) session = seam_session_load_finish (result, &first, &error);
  g_autofree char *name = NULL, *text = NULL;
  guint n;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->reloading);
  name = g_filename_display_basename (self->path);
  if (session == NULL) {
    text = g_strdup_printf ("%s What is shown here stays; save it under another name.",
                            error->message);
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING,
                      "Another program changed the open session, and it cannot be read any more.",
                      text);
    return;
  }
  n = seam_session_get_n_runs (session);
  if (self->run >= 0 && !holds_same_run (self->session, session, (guint)self->run))
    self->run = -1;
  g_clear_pointer (&self->session, seam_session_free);
  self->session = g_steal_pointer (&session);
  text = g_strdup_printf ("Another program changed %s: it holds %u run%s now", name, n,
                          n == 1 ? "" : "s");
  seam_session_file_say (self, text);
  seam_session_file_emit_changed (self);
}

static void
monitor_cb (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
            SeamSessionFile *self)
{
  if (self->saving || self->reloading != NULL || self->session == NULL
      || seam_session_is_current (self->session))
    return;
  if (!g_file_test (self->path, G_FILE_TEST_EXISTS)) {
    g_autofree char *name = g_filename_display_basename (self->path);
    g_autofree char *text = g_strdup_printf ("%s was removed; Save as keeps what it held", name);

    if (event == G_FILE_MONITOR_EVENT_DELETED)
      seam_session_file_say (self, text);
    return;
  }
  self->reloading = g_cancellable_new ();
  seam_session_load_async (self->path, self->reloading, reload_cb, g_object_ref (self));
}

void
seam_session_file_watch (SeamSessionFile *self)
{
  g_autoptr (GFile) file = self->path != NULL ? g_file_new_for_path (self->path) : NULL;

  if (self->reloading != NULL)
    g_cancellable_cancel (self->reloading);
  g_clear_object (&self->reloading);
  g_clear_object (&self->monitor);
  if (file != NULL && self->session != NULL)
    self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (monitor_cb), self, 0);
}
