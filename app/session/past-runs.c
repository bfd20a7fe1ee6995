/* SPDX-License-Identifier: MIT
 *
 * Keeps the results of one pipeline on one device, because settings and shapes change more often.
 */
#include "app/session/past-runs.h"

#include "app/session/history.h"

/* Entries that are read: unpacking one takes milliseconds. */
#define MAX_ENTRIES 16

struct SeamPastRuns {
  char *path;
  SeamHistory *history; /* NULL: not opened yet */
  char *pipeline, *device;
  GPtrArray *results; /* of SeamResult, the newest first; NULL: not read yet */
};

SeamPastRuns *
seam_past_runs_new (const char *path)
{
  SeamPastRuns *self = g_new0 (SeamPastRuns, 1);

  self->path = path != NULL ? g_strdup (path) : seam_history_get_path ();
  return self;
}

void
seam_past_runs_free (SeamPastRuns *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->history, seam_history_free);
  g_clear_pointer (&self->results, g_ptr_array_unref);
  g_free (self->path);
  g_free (self->pipeline);
  g_free (self->device);
  g_free (self);
}

static void
read_entry (SeamPastRuns *self, const SeamHistoryEntry *entry)
{
  g_autoptr (GBytes) content = seam_history_read (self->history, entry->id, NULL);
  g_autoptr (SeamSession) session =
      content != NULL ? seam_session_from_bytes (content, "The entry of the history", NULL) : NULL;

  for (guint i = 0; session != NULL && i < seam_session_get_n_runs (session); i++) {
    g_autoptr (SeamSessionRun) run = seam_session_get_run (session, i, NULL);
    if (run != NULL)
      g_ptr_array_add (self->results, seam_result_ref (run->result));
  }
}

static void
read_results (SeamPastRuns *self)
{
  g_autoptr (GPtrArray) entries = seam_history_list (self->history, NULL);
  int n = 0;

  g_clear_pointer (&self->results, g_ptr_array_unref);
  self->results = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_result_unref);
  for (guint i = 0; entries != NULL && i < entries->len && n < MAX_ENTRIES; i++) {
    const SeamHistoryEntry *entry = entries->pdata[i];
    if (entry->kind != SEAM_ENTRY_RUN || g_strcmp0 (entry->pipeline, self->pipeline) != 0
        || g_strcmp0 (entry->device, self->device) != 0)
      continue;
    read_entry (self, entry);
    n++;
  }
}

static void
add_known (SeamKnown *known, const char *pipeline, gpointer data)
{
  SeamPastRuns *self = data;

  /* Opening would make the file. */
  if (self->history == NULL && g_file_test (self->path, G_FILE_TEST_EXISTS))
    self->history = seam_history_open (self->path, NULL, NULL);
  if (self->history == NULL)
    return;
  if (seam_history_has_changed (self->history) || self->results == NULL
      || g_strcmp0 (pipeline, self->pipeline) != 0
      || g_strcmp0 (known->device->name, self->device) != 0) {
    g_free (self->pipeline);
    g_free (self->device);
    self->pipeline = g_strdup (pipeline);
    self->device = g_strdup (known->device->name);
    read_results (self);
  }
  for (guint i = 0; i < self->results->len; i++)
    seam_known_add (known, self->results->pdata[i], -1);
}

SeamRecall
seam_past_runs_get_recall (SeamPastRuns *self)
{
  return (SeamRecall){ add_known, self };
}
