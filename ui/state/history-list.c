/* SPDX-License-Identifier: MIT */
#include "ui/state/history-list.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/report/summary.h"
#include "ui/state/watch.h"

#include <string.h>

/* What else than a SeamHistoryChange a job does. LOOK finds what other programs have changed. */
enum { PUT = SEAM_CHANGE_REMOVE + 1, LOOK };

/* Something to write, and what became of it. While it runs, it belongs to the thread, except for
 * `about`. */
typedef struct {
  int what;
  gint64 id;               /* of the entry */
  SeamHistoryEntry *about; /* reference to the caller's entry, which receives the id; NULL: none */
  SeamHistoryEntry *entry; /* what is written of it: its copy */
  SeamSession *session;    /* to be packed into `content`; NULL: nothing is */
  GBytes *content;         /* or the name */
  gboolean is_retry;       /* `about` is in memory and stays there if it cannot be written */

  gboolean done;
  int n_removed;
  GPtrArray *entries; /* of the history since then; NULL: as before, or it could not be read */
  GError *error;
} Job;

struct _SeamHistoryList {
  GObject parent_instance;

  SeamNotices *notices;
  SeamHistory *reader; /* of the main thread; NULL: nothing was read yet, or it was locked */
  SeamHistory *writer; /* of the running job; NULL: it could not be opened */
  GPtrArray *entries;  /* of SeamHistoryEntry, the newest first */
  GHashTable *lost;    /* id, negative -> GBytes of an entry that is not on disk */
  GHashTable *fresh;   /* ids that this window has added */
  gint64 next_lost;
  gboolean has_said; /* why it cannot be read */

  GThreadPool *pool;     /* of one thread */
  GAsyncQueue *finished; /* the job that has run */
  GQueue jobs;           /* that wait for it */
  Job *running;          /* NULL: none, and none waits */
};

G_DEFINE_FINAL_TYPE (SeamHistoryList, seam_history_list, G_TYPE_OBJECT)

static guint collect_signal;

#define NOT_WRITTEN "The result is not in the history: save it before you close the window."
#define NOT_READ    "The history cannot be read."

static gint64 *
make_key (gint64 id)
{
  gint64 *key = g_new (gint64, 1);

  *key = id;
  return key;
}

/* --- Reading --- */

static guint
find_index (SeamHistoryList *self, gint64 id)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (((SeamHistoryEntry *)self->entries->pdata[i])->id == id)
      return i;
  return G_MAXUINT;
}

GPtrArray *
seam_history_list_get (SeamHistoryList *self)
{
  return self->entries;
}

const SeamHistoryEntry *
seam_history_list_find (SeamHistoryList *self, gint64 id)
{
  guint i = find_index (self, id);

  return i != G_MAXUINT ? self->entries->pdata[i] : NULL;
}

const SeamHistoryEntry *
seam_history_list_find_run (SeamHistoryList *self, const SeamPipeline *pipeline)
{
  g_autofree char *heading = pipeline != NULL ? seam_pipeline_make_heading (pipeline) : NULL;

  for (guint i = 0; i < self->entries->len; i++) {
    const SeamHistoryEntry *entry = self->entries->pdata[i];

    if (entry->kind == SEAM_ENTRY_RUN
        && (heading == NULL || g_strcmp0 (entry->pipeline, heading) == 0))
      return entry;
  }
  return NULL;
}

void
seam_history_list_collect (SeamHistoryList *self)
{
  g_signal_emit (self, collect_signal, 0);
  seam_history_list_flush (self);
}

/* `tell`: as for seam_history_open(). */
static gboolean
open_history (SeamHistory **history, gboolean (*tell) (void), GError **error)
{
  g_autofree char *path = seam_history_get_path ();

  if (*history == NULL)
    *history = seam_history_open (path, tell, error);
  else
    seam_history_set_tell (*history, tell);
  return *history != NULL;
}

/* Takes the list as it is on disk; entries that are not there stay on top. */
static void
take_entries (SeamHistoryList *self, GPtrArray *entries)
{
  for (guint i = self->entries->len; i-- > 0;) {
    SeamHistoryEntry *entry = self->entries->pdata[i];
    if (entry->id < 0)
      g_ptr_array_insert (entries, 0, seam_history_entry_ref (entry));
  }
  g_ptr_array_unref (self->entries);
  self->entries = entries;
  if (self->has_said)
    seam_notices_say (self->notices, SEAM_MESSAGE_OVER, NOT_READ, NULL);
  self->has_said = FALSE;
  seam_watch_notify (self, "entries");
}

GBytes *
seam_history_list_read (SeamHistoryList *self, gint64 id, GError **error)
{
  GBytes *lost = g_hash_table_lookup (self->lost, &id);

  if (lost != NULL)
    return g_bytes_ref (lost);
  return open_history (&self->reader, NULL, error) ? seam_history_read (self->reader, id, error)
                                                   : NULL;
}

SeamSession *
seam_history_list_load (SeamHistoryList *self, gint64 id, GError **error)
{
  g_autoptr (GBytes) bytes = seam_history_list_read (self, id, error);

  return bytes != NULL ? seam_session_from_bytes (bytes, "the history", error) : NULL;
}

char *
seam_history_list_describe (const SeamHistoryEntry *entry)
{
  g_autofree char *time = seam_text_when (entry->ended_at);

  if (entry->name != NULL)
    return g_strdup (entry->name);
  return g_strdup_printf ("%s, %s", entry->pipeline != NULL ? entry->pipeline : entry->detail,
                          time);
}

/* --- Writing --- */

/* An entry that is in memory alone no longer is, or is gone. FALSE: it was removed before. */
static gboolean
forget_lost (SeamHistoryList *self, gint64 id)
{
  gboolean was_lost = g_hash_table_remove (self->lost, &id);

  if (was_lost && g_hash_table_size (self->lost) == 0)
    seam_notices_say (self->notices, SEAM_MESSAGE_OVER, NOT_WRITTEN, NULL);
  return was_lost;
}

static void
keep_in_memory (SeamHistoryList *self, SeamHistoryEntry *about, GBytes *content)
{
  guint i = find_index (self, about->id);

  about->id = about->id < 0 ? about->id : --self->next_lost;
  if (i != G_MAXUINT)
    g_ptr_array_remove_index (self->entries, i);
  g_ptr_array_insert (self->entries, 0, seam_history_entry_ref (about));
  g_hash_table_insert (self->lost, make_key (about->id), g_bytes_ref (content));
}

/* --- The queue: one job after the other, in a thread --- */

static void
job_free (Job *job)
{
  g_clear_pointer (&job->about, seam_history_entry_unref);
  g_clear_pointer (&job->entry, seam_history_entry_unref);
  g_clear_pointer (&job->content, g_bytes_unref);
  seam_session_free (job->session);
  g_clear_error (&job->error);
  g_free (job);
}

static gboolean finished_cb (gpointer self);

static gboolean
write_job (SeamHistoryList *self, Job *job)
{
  if (job->what == PUT)
    return seam_history_put (self->writer, job->entry, job->content, &job->n_removed, &job->error);
  /* Without an id it is in memory alone. */
  return job->what == LOOK || job->id <= 0
         || seam_history_change (self->writer, job->id, job->what, job->content, &job->error);
}

/* A lock that another program keeps for long is left to the next retry. */
static gboolean
give_up (void)
{
  return FALSE;
}

static void
run_thread (gpointer data, gpointer list)
{
  Job *job = data;
  gboolean waits = job->what != LOOK && !job->is_retry;
  SeamHistoryList *self = list;
  gboolean was_open = self->writer != NULL;

  if (job->session != NULL)
    job->content = seam_session_to_bytes (job->session, &job->error);
  job->done = job->error == NULL
              && open_history (&self->writer, waits ? give_up : NULL, &job->error)
              && write_job (self, job);
  if (job->done && (job->what != LOOK || !was_open || seam_history_has_changed (self->writer)))
    job->entries = seam_history_list (self->writer, &job->error);
  g_async_queue_push (self->finished, job);
  g_idle_add_full (G_PRIORITY_DEFAULT, finished_cb, self, NULL);
}

static void
run_next (SeamHistoryList *self)
{
  Job *job = self->running == NULL ? g_queue_pop_head (&self->jobs) : NULL;

  if (job == NULL)
    return;
  /* Only now: the job before it may have given the entry its id. */
  if (job->about != NULL) {
    job->entry = seam_history_entry_copy (job->about);
    job->id = job->entry->id = MAX (job->about->id, 0);
  }
  self->running = job;
  g_thread_pool_push (self->pool, job, NULL);
}

static void
push (SeamHistoryList *self, const Job *job)
{
  g_queue_push_tail (&self->jobs, g_memdup2 (job, sizeof *job));
  run_next (self);
}

/* --- Writing --- */

/* The disk may have room again. */
static void
retry (SeamHistoryList *self)
{
  for (guint i = self->entries->len; i-- > 0;) {
    SeamHistoryEntry *entry = self->entries->pdata[i];
    GBytes *content = g_hash_table_lookup (self->lost, &entry->id);

    if (content != NULL)
      push (self, &(Job){ .what = PUT,
                          .about = seam_history_entry_ref (entry),
                          .content = g_bytes_ref (content),
                          .is_retry = TRUE });
  }
}

/* What has become of the entry of a job. */
static void
take_entry (SeamHistoryList *self, Job *job)
{
  gint64 before = job->about->id;

  if (!job->done) {
    if (job->is_retry)
      return;
    if (job->content != NULL)
      keep_in_memory (self, job->about, job->content);
    seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, NOT_WRITTEN, job->error->message);
    seam_watch_notify (self, "entries");
    return;
  }
  job->about->id = job->entry->id;
  job->about->bytes = job->entry->bytes;
  g_hash_table_add (self->fresh, make_key (job->about->id));
  g_debug ("%s is entry %" G_GINT64_FORMAT, job->about->detail, job->about->id);
  /* It was removed while it was written. */
  if (before < 0 && !forget_lost (self, before))
    push (self, &(Job){ .what = SEAM_CHANGE_REMOVE, .id = job->about->id });
  if (!job->is_retry)
    retry (self);
  if (job->n_removed > 0) {
    g_autofree char *text =
        g_strdup_printf ("The history was full (" SEAM_HISTORY_MAX_WORDS
                         "): %d of the oldest entries %s removed. Pin what you want to keep",
                         job->n_removed, job->n_removed == 1 ? "was" : "were");
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST, text, NULL);
  }
}

/* In the main thread: what has become of a job. */
static void
finish (SeamHistoryList *self, Job *job)
{
  self->running = NULL;
  if (job->what == PUT) {
    take_entry (self, job);
  } else if (job->what != LOOK && !job->done) {
    seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, "The history was not changed.",
                      job->error->message);
  }
  if (job->entries != NULL) {
    take_entries (self, job->entries);
  } else if (job->error != NULL && (job->done || job->what == LOOK) && !self->has_said) {
    self->has_said = TRUE;
    seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, NOT_READ, job->error->message);
  }
  job_free (job);
  run_next (self);
}

static gboolean
finished_cb (gpointer list)
{
  SeamHistoryList *self = list;
  Job *job = g_async_queue_try_pop (self->finished);

  if (job != NULL)
    finish (self, job);
  return G_SOURCE_REMOVE;
}

void
seam_history_list_flush (SeamHistoryList *self)
{
  while (self->running != NULL)
    finish (self, g_async_queue_pop (self->finished));
}

/* Another program may have unlocked the history, or changed it. */
void
seam_history_list_refresh (SeamHistoryList *self)
{
  if (self->running != NULL)
    return;
  retry (self);
  push (self, &(Job){ .what = LOOK });
}

static gboolean
timer_cb (gpointer self)
{
  seam_history_list_refresh (self);
  return G_SOURCE_CONTINUE;
}

void
seam_history_list_add_bytes (SeamHistoryList *self, SeamHistoryEntry *about, GBytes *content)
{
  push (self, &(Job){ .what = PUT,
                      .about = seam_history_entry_ref (about),
                      .content = g_bytes_ref (content) });
}

void
seam_history_list_add (SeamHistoryList *self, SeamHistoryEntry *about, SeamSession *session)
{
  push (self, &(Job){ .what = PUT,
                      .about = seam_history_entry_ref (about),
                      .session = seam_session_ref (session) });
}

/* "unfused, full · N 8, C 16→K 64 · FP32" */
static char *
describe_run (const SeamResult *result)
{
  g_autofree char *types = seam_settings_describe_types (&result->settings);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < result->n_plans; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            result->plans[i].name != NULL ? result->plans[i].name
                                                          : result->plans[i].notation);
  if (result->shape_text != NULL)
    g_string_append_printf (text, " · %s", result->shape_text);
  g_string_append_printf (text, " · %s", types);
  return g_string_free (text, FALSE);
}

/* Whether the run ended early: by Stop, or because its worker or device was lost. A plan that
 * cannot run ends nothing. */
static gboolean
is_partial (const SeamResult *result)
{
  for (int i = 0; i < result->n_plans; i++)
    if (result->plans[i].state == SEAM_PLAN_FAULTED)
      return TRUE;
  return result->stopped;
}

SeamHistoryEntry *
seam_history_list_add_run (SeamHistoryList *self, SeamSessionRun *run)
{
  const SeamResult *result = run->result;
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
  g_autoptr (SeamSession) session = seam_session_new ();
  SeamSummarySides sides;
  g_autoptr (SeamSummary) summary = NULL;

  seam_summary_sides_init (&sides, result, 0, result->n_plans > 1 ? 1 : -1);
  summary = seam_summary_new (&sides);
  const SeamPipeline *pipeline = seam_result_get_pipeline (result, NULL);
  entry->pipeline =
      pipeline != NULL ? seam_pipeline_make_heading (pipeline) : g_strdup (result->pipeline_id);
  entry->outcome = g_strdup (summary->headline);
  entry->detail = describe_run (result);
  entry->device = g_strdup (result->device->name);
  entry->partial = is_partial (result);
  entry->wrong = summary->struck != NULL;
  seam_session_add_run (session, run);
  seam_history_list_add (self, entry, session);
  return g_steal_pointer (&entry);
}

void
seam_history_list_change (SeamHistoryList *self, gint64 id, SeamHistoryChange change,
                          const char *name)
{
  guint i = id < 0 ? find_index (self, id) : G_MAXUINT;
  SeamHistoryEntry *lost = i != G_MAXUINT ? self->entries->pdata[i] : NULL;

  name = name != NULL && name[0] != '\0' ? name : NULL;
  if (lost == NULL) {
    push (self, &(Job){ .what = change,
                        .id = id,
                        .content = name != NULL ? g_bytes_new (name, strlen (name)) : NULL });
    return;
  }
  /* An entry in memory alone has marks only there. */
  if (change == SEAM_CHANGE_NAME) {
    g_free (lost->name);
    lost->name = g_strdup (name);
  } else if (change == SEAM_CHANGE_PIN || change == SEAM_CHANGE_UNPIN) {
    lost->pinned = change == SEAM_CHANGE_PIN;
  } else {
    /* It is removed, or a file holds it, so that nothing would be lost with the window. */
    g_ptr_array_remove_index (self->entries, i);
    forget_lost (self, id);
  }
  seam_watch_notify (self, "entries");
}

gboolean
seam_history_list_is_fresh (SeamHistoryList *self, gint64 id)
{
  return id < 0 || g_hash_table_contains (self->fresh, &id);
}

guint
seam_history_list_count_lost (SeamHistoryList *self)
{
  return g_hash_table_size (self->lost);
}

gboolean
seam_history_list_is_lost (SeamHistoryList *self, gint64 id)
{
  return g_hash_table_contains (self->lost, &id);
}

void
seam_history_list_drop_lost (SeamHistoryList *self)
{
  for (guint i = self->entries->len; i-- > 0;)
    if (((SeamHistoryEntry *)self->entries->pdata[i])->id < 0)
      g_ptr_array_remove_index (self->entries, i);
  g_hash_table_remove_all (self->lost);
  seam_watch_notify (self, "entries");
}

/* --- The object --- */

static void
seam_history_list_dispose (GObject *object)
{
  seam_history_list_flush (SEAM_HISTORY_LIST (object));
  G_OBJECT_CLASS (seam_history_list_parent_class)->dispose (object);
}

static void
seam_history_list_finalize (GObject *object)
{
  SeamHistoryList *self = SEAM_HISTORY_LIST (object);

  g_thread_pool_free (self->pool, FALSE, TRUE);
  /* The timer, too. */
  while (g_source_remove_by_user_data (self))
    ;
  g_async_queue_unref (self->finished);
  seam_history_free (self->reader);
  seam_history_free (self->writer);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->lost);
  g_hash_table_unref (self->fresh);
  g_object_unref (self->notices);
  G_OBJECT_CLASS (seam_history_list_parent_class)->finalize (object);
}

static void
seam_history_list_class_init (SeamHistoryListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = seam_history_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = seam_history_list_finalize;
  seam_watch_install (klass, "entries");
  collect_signal = g_signal_new ("collect", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
seam_history_list_init (SeamHistoryList *self)
{
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_history_entry_unref);
  self->lost =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_bytes_unref);
  self->fresh = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->finished = g_async_queue_new ();
  self->pool = g_thread_pool_new (run_thread, self, 1, TRUE, NULL);
}

SeamHistoryList *
seam_history_list_new (SeamNotices *notices)
{
  SeamHistoryList *self = g_object_new (SEAM_TYPE_HISTORY_LIST, NULL);
  GPtrArray *entries = NULL;

  self->notices = g_object_ref (notices);
  /* Read before the first frame. One that cannot be opened is tried again, and named then. */
  if (open_history (&self->writer, NULL, NULL))
    entries = seam_history_list (self->writer, NULL);
  if (entries != NULL)
    take_entries (self, entries);
  g_timeout_add_seconds (SEAM_HISTORY_LIST_SECONDS, timer_cb, self);
  return self;
}
