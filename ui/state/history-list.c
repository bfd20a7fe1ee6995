/* SPDX-License-Identifier: MIT */
#include "ui/state/history-list.h"

#include "app/base/error.h"
#include "app/report/summary.h"

#include <string.h>

struct _SeamHistoryList {
  GObject parent_instance;

  SeamNotices *notices;
  SeamHistory *history; /* NULL: it could not be opened */
  GPtrArray *entries;   /* of SeamHistoryEntry, the newest first */
  GHashTable *lost;     /* id, negative -> GBytes of an entry that is not on disk */
  GHashTable *fresh;    /* ids that this window has added */
  gint64 next_lost;
  gboolean has_said; /* why it could not be opened */
  guint timer;
};

G_DEFINE_FINAL_TYPE (SeamHistoryList, seam_history_list, G_TYPE_OBJECT)

enum { PROP_ENTRIES = 1, N_PROPS };
static GParamSpec *properties[N_PROPS];
static guint collect_signal;

static void
notify (SeamHistoryList *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENTRIES]);
}

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

void
seam_history_list_collect (SeamHistoryList *self)
{
  g_signal_emit (self, collect_signal, 0);
}

/* Reads the list again; entries that are not on disk stay on top. */
static void
reload (SeamHistoryList *self)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *entries = self->history != NULL ? seam_history_list (self->history, &error) : NULL;

  if (error != NULL)
    seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, "The history cannot be read.",
                      error->message);
  if (entries == NULL)
    return;
  for (guint i = self->entries->len; i-- > 0;) {
    SeamHistoryEntry *entry = self->entries->pdata[i];
    if (entry->id < 0)
      g_ptr_array_insert (entries, 0, seam_history_entry_ref (entry));
  }
  g_ptr_array_unref (self->entries);
  self->entries = entries;
  notify (self);
}

GBytes *
seam_history_list_read (SeamHistoryList *self, gint64 id, GError **error)
{
  GBytes *lost = g_hash_table_lookup (self->lost, &id);

  if (lost == NULL && self->history == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                         "The history could not be opened, so it has no such entry.");
    return NULL;
  }
  return lost != NULL ? g_bytes_ref (lost) : seam_history_read (self->history, id, error);
}

SeamSession *
seam_history_list_load (SeamHistoryList *self, gint64 id, GError **error)
{
  g_autoptr (GBytes) bytes = seam_history_list_read (self, id, error);

  return bytes != NULL ? seam_session_from_bytes (bytes, "the history", error) : NULL;
}

char *
seam_history_list_format_time (const SeamHistoryEntry *entry)
{
  g_autoptr (GDateTime) utc =
      entry->ended_at != NULL ? g_date_time_new_from_iso8601 (entry->ended_at, NULL) : NULL;
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

  return local != NULL ? g_date_time_format (local, "%-d %b %H:%M") : g_strdup ("");
}

char *
seam_history_list_describe (const SeamHistoryEntry *entry)
{
  g_autofree char *time = seam_history_list_format_time (entry);

  if (entry->name != NULL)
    return g_strdup (entry->name);
  return g_strdup_printf ("%s, %s", entry->pipeline != NULL ? entry->pipeline : entry->detail,
                          time);
}

/* --- Writing --- */

/* Says what is wrong with the disk; what could not be written stays in memory. */
static void
say_not_written (SeamHistoryList *self, const GError *error)
{
  seam_notices_say (self->notices, SEAM_MESSAGE_WARNING,
                    "The result is not in the history: save it before you close the window.",
                    error != NULL ? error->message : NULL);
}

static gboolean
open_history (SeamHistoryList *self, GError **error)
{
  g_autofree char *path = seam_history_get_path ();

  if (self->history == NULL)
    self->history = seam_history_open (path, NULL, error);
  return self->history != NULL;
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

static gboolean
put (SeamHistoryList *self, SeamHistoryEntry *about, GBytes *content, GError **error)
{
  gint64 before = about->id;
  int removed = 0;

  if (!open_history (self, error))
    return FALSE;
  about->id = MAX (about->id, 0);
  if (!seam_history_put (self->history, about, content, &removed, error)) {
    about->id = before;
    return FALSE;
  }
  g_hash_table_add (self->fresh, make_key (about->id));
  if (removed > 0) {
    g_autofree char *text =
        g_strdup_printf ("The history was full (" SEAM_HISTORY_MAX_WORDS
                         "): %d of the oldest entries %s removed. Pin what you want to keep",
                         removed, removed == 1 ? "was" : "were");
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST, text, NULL);
  }
  return TRUE;
}

/* The disk may have room again. */
static void
retry (SeamHistoryList *self)
{
  for (guint i = self->entries->len; i-- > 0;) {
    SeamHistoryEntry *entry = self->entries->pdata[i];
    gint64 id = entry->id;
    GBytes *content = id < 0 ? g_hash_table_lookup (self->lost, &id) : NULL;

    if (content != NULL && put (self, entry, content, NULL))
      g_hash_table_remove (self->lost, &id);
  }
}

/* Another program may have unlocked the history, or changed it. */
void
seam_history_list_refresh (SeamHistoryList *self)
{
  g_autoptr (GError) error = NULL;
  guint n_lost = g_hash_table_size (self->lost);
  gboolean was_open = self->history != NULL;

  if (open_history (self, &error)) {
    retry (self);
    if (seam_history_has_changed (self->history) || !was_open
        || g_hash_table_size (self->lost) < n_lost)
      reload (self);
  } else if (!self->has_said) {
    self->has_said = TRUE;
    seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, "The history cannot be read.",
                      error->message);
  }
}

static gboolean
timer_cb (gpointer self)
{
  seam_history_list_refresh (self);
  return G_SOURCE_CONTINUE;
}

gint64
seam_history_list_add_bytes (SeamHistoryList *self, SeamHistoryEntry *about, GBytes *content)
{
  g_autoptr (GError) error = NULL;
  gint64 before = about->id;

  if (put (self, about, content, &error)) {
    if (before < 0)
      g_hash_table_remove (self->lost, &before);
    retry (self);
    reload (self);
  } else {
    keep_in_memory (self, about, content);
    say_not_written (self, error);
    notify (self);
  }
  return about->id;
}

gint64
seam_history_list_add (SeamHistoryList *self, SeamHistoryEntry *about, const SeamSession *session)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) content = seam_session_to_bytes (session, &error);

  if (content != NULL)
    return seam_history_list_add_bytes (self, about, content);
  say_not_written (self, error);
  return 0;
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

gint64
seam_history_list_add_result (SeamHistoryList *self, SeamResult *result)
{
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
  g_autoptr (SeamSession) session = seam_session_new ();
  g_autoptr (SeamSessionRun) run = seam_session_run_new (result, NULL);
  SeamSummarySides sides;
  g_autoptr (SeamSummary) summary = NULL;

  seam_summary_sides_init (&sides, result, 0, result->n_plans > 1 ? 1 : -1);
  summary = seam_summary_new (&sides);
  entry->pipeline = g_strdup (result->pipeline_id);
  entry->outcome = g_strdup (summary->headline);
  entry->detail = describe_run (result);
  entry->device = g_strdup (result->device->name);
  entry->partial = is_partial (result);
  entry->wrong = summary->struck != NULL;
  seam_session_add_run (session, run);
  return seam_history_list_add (self, entry, session);
}

void
seam_history_list_complete (SeamHistoryList *self, gint64 id, SeamSessionRun *run)
{
  g_autoptr (SeamSession) session = seam_session_new ();
  g_autoptr (GBytes) content = NULL;

  seam_session_add_run (session, run);
  content = seam_session_to_bytes (session, NULL);
  if (content == NULL || find_index (self, id) == G_MAXUINT)
    return;
  if (id < 0)
    g_hash_table_insert (self->lost, make_key (id), g_steal_pointer (&content));
  else
    seam_history_set_content (self->history, id, content, NULL);
}

static void
report (SeamHistoryList *self, gboolean done, const GError *error)
{
  if (!done)
    seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, "The history was not changed.",
                      error->message);
  else
    reload (self);
}

/* An entry in memory alone has marks only there. */
static SeamHistoryEntry *
find_lost (SeamHistoryList *self, gint64 id)
{
  guint i = id < 0 ? find_index (self, id) : G_MAXUINT;

  return i != G_MAXUINT ? self->entries->pdata[i] : NULL;
}

void
seam_history_list_set_name (SeamHistoryList *self, gint64 id, const char *name)
{
  SeamHistoryEntry *lost = find_lost (self, id);
  g_autoptr (GError) error = NULL;

  name = name != NULL && name[0] != '\0' ? name : NULL;
  if (lost != NULL) {
    g_free (lost->name);
    lost->name = g_strdup (name);
    notify (self);
  } else if (self->history != NULL) {
    report (self, seam_history_set_name (self->history, id, name, &error), error);
  }
}

void
seam_history_list_set_pinned (SeamHistoryList *self, gint64 id, gboolean pinned)
{
  SeamHistoryEntry *lost = find_lost (self, id);
  g_autoptr (GError) error = NULL;

  if (lost != NULL) {
    lost->pinned = pinned;
    notify (self);
  } else if (self->history != NULL) {
    report (self, seam_history_set_pinned (self->history, id, pinned, &error), error);
  }
}

static void
forget_lost (SeamHistoryList *self, gint64 id)
{
  g_ptr_array_remove_index (self->entries, find_index (self, id));
  g_hash_table_remove (self->lost, &id);
  notify (self);
}

void
seam_history_list_set_saved (SeamHistoryList *self, gint64 id)
{
  g_autoptr (GError) error = NULL;

  /* A file holds it now: nothing would be lost with the window. */
  if (find_lost (self, id) != NULL)
    forget_lost (self, id);
  else if (self->history != NULL)
    report (self, seam_history_set_saved (self->history, id, TRUE, &error), error);
}

void
seam_history_list_remove (SeamHistoryList *self, gint64 id)
{
  g_autoptr (GError) error = NULL;

  if (find_lost (self, id) != NULL)
    forget_lost (self, id);
  else if (self->history != NULL)
    report (self, seam_history_remove (self->history, id, &error), error);
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
  notify (self);
}

/* --- The object --- */

static void
seam_history_list_finalize (GObject *object)
{
  SeamHistoryList *self = SEAM_HISTORY_LIST (object);

  g_source_remove (self->timer);
  seam_history_free (self->history);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->lost);
  g_hash_table_unref (self->fresh);
  g_object_unref (self->notices);
  G_OBJECT_CLASS (seam_history_list_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boxed (value, SEAM_HISTORY_LIST (object)->entries);
}

static void
seam_history_list_class_init (SeamHistoryListClass *klass)
{
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->finalize = seam_history_list_finalize;
  properties[PROP_ENTRIES] =
      g_param_spec_boxed ("entries", NULL, NULL, G_TYPE_PTR_ARRAY,
                          G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
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
}

SeamHistoryList *
seam_history_list_new (SeamNotices *notices)
{
  SeamHistoryList *self = g_object_new (SEAM_TYPE_HISTORY_LIST, NULL);

  self->notices = g_object_ref (notices);
  /* One that cannot be opened is tried again, and named then. */
  if (open_history (self, NULL))
    reload (self);
  self->timer = g_timeout_add_seconds (SEAM_HISTORY_LIST_SECONDS, timer_cb, self);
  return self;
}
