/* SPDX-License-Identifier: MIT
 *
 * One table with one row for each entry. The journal is a write-ahead log: a kill loses nothing
 * that was committed, and a power cut loses at most the last entry.
 */
#include "app/session/history.h"

#include "app/base/error.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>

#define WAIT_MS 10000 /* for another program to finish writing */
#define VERSION 0     /* of the table, as SQLite's user_version; a later table has a higher one */

struct SeamHistory {
  sqlite3 *db;
  char *path;
  gint64 limit;
  gint64 version; /* SQLite's data version at the last question */
};

static const char *const kind_names[SEAM_N_ENTRY_KINDS] = {
  [SEAM_ENTRY_RUN] = "run", [SEAM_ENTRY_EXPLORATION] = "exploration", [SEAM_ENTRY_SWEEP] = "sweep",
  [SEAM_ENTRY_LAB] = "lab", [SEAM_ENTRY_CALIBRATION] = "calibration",
};

/* AUTOINCREMENT: the id of a removed entry is never given to another one. */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,"
    " pipeline TEXT, outcome TEXT, detail TEXT, device TEXT, ended_at TEXT, partial INTEGER,"
    " wrong INTEGER, saved INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0, name TEXT,"
    " bytes INTEGER NOT NULL, content BLOB NOT NULL)";

/* --- Entries --- */

static void
entry_clear (SeamHistoryEntry *entry)
{
  g_free (entry->pipeline);
  g_free (entry->outcome);
  g_free (entry->detail);
  g_free (entry->device);
  g_free (entry->ended_at);
  g_free (entry->name);
}

SeamHistoryEntry *
seam_history_entry_new (SeamEntryKind kind)
{
  SeamHistoryEntry *entry = g_rc_box_new0 (SeamHistoryEntry);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  entry->kind = kind;
  entry->ended_at = g_date_time_format_iso8601 (now);
  return entry;
}

SeamHistoryEntry *
seam_history_entry_ref (SeamHistoryEntry *entry)
{
  return g_rc_box_acquire (entry);
}

void
seam_history_entry_unref (SeamHistoryEntry *entry)
{
  g_rc_box_release_full (entry, (GDestroyNotify)entry_clear);
}

/* --- The database --- */

/* What a person can do about an error of SQLite. */
static const char *
get_remedy (int code)
{
  switch (code) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return "Another program has locked it: wait until that one has finished, or close it";
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH:
    return "Make it a file that you may write, in a folder that you may write";
  case SQLITE_FULL:
    return "Make room on the disk";
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return "It is damaged, or no history: move it away; then a new one is made";
  default:
    return "Try again; if that does not help, move it away: then a new one is made";
  }
}

static void
set_error (const SeamHistory *self, const char *what, GError **error)
{
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "The history in %s could not be %s: %s. %s.",
               self->path, what, sqlite3_errmsg (self->db),
               get_remedy (sqlite3_errcode (self->db)));
}

static sqlite3_stmt *
prepare (SeamHistory *self, const char *sql, const char *what, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL) != SQLITE_OK)
    set_error (self, what, error);
  return statement;
}

/* Executes a statement that returns no row, and frees it. */
static gboolean
finish (SeamHistory *self, sqlite3_stmt *statement, GError **error)
{
  int status = sqlite3_step (statement);

  /* The message belongs to the step; finalizing would replace it. */
  if (status != SQLITE_DONE)
    set_error (self, "written", error);
  sqlite3_finalize (statement);
  return status == SQLITE_DONE;
}

static gboolean
execute (SeamHistory *self, const char *sql, GError **error)
{
  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  set_error (self, "written", error);
  return FALSE;
}

/* -1: it cannot be read now. */
static gint64
query_int64 (SeamHistory *self, const char *sql)
{
  sqlite3_stmt *statement = prepare (self, sql, "read", NULL);
  gint64 value = -1;

  if (statement != NULL && sqlite3_step (statement) == SQLITE_ROW)
    value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return value;
}

char *
seam_history_get_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "seamscope", "history.db", NULL);
}

static SeamHistory *
open_waiting (const char *path, int wait_ms, GError **error)
{
  g_autoptr (SeamHistory) self = g_new0 (SeamHistory, 1);
  g_autofree char *folder = g_path_get_dirname (path);

  self->path = g_strdup (path);
  self->limit = SEAM_HISTORY_MAX_BYTES;
  if (g_mkdir_with_parents (folder, 0700) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "The folder %s for the history could not be made: %s.", folder,
                 g_strerror (errno));
    return NULL;
  }
  if (sqlite3_open (path, &self->db) != SQLITE_OK) {
    set_error (self, "opened", error);
    return NULL;
  }
  sqlite3_busy_timeout (self->db, wait_ms);
  /* A foreign file runs no code of its own: no triggers, no views. */
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  /* The vacuum mode counts only before the first table. */
  if (!execute (self, "PRAGMA auto_vacuum = INCREMENTAL", error)
      || !execute (self, "PRAGMA journal_mode = WAL", error)
      || !execute (self, "PRAGMA synchronous = NORMAL", error) || !execute (self, schema, error))
    return NULL;
  if (query_int64 (self, "PRAGMA user_version") > VERSION) {
    g_set_error (
        error, SEAM_ERROR, SEAM_ERROR_FILE,
        "A newer Seamscope made the history in %s. Update this one, or move the file away; "
        "then a new one is made.",
        path);
    return NULL;
  }
  self->version = query_int64 (self, "PRAGMA data_version");
  return g_steal_pointer (&self);
}

SeamHistory *
seam_history_open (const char *path, GError **error)
{
  return open_waiting (path, WAIT_MS, error);
}

SeamHistory *
seam_history_open_now (const char *path, GError **error)
{
  return open_waiting (path, 0, error);
}

void
seam_history_free (SeamHistory *self)
{
  if (self == NULL)
    return;
  sqlite3_close (self->db);
  g_free (self->path);
  g_free (self);
}

void
seam_history_set_limit (SeamHistory *self, gint64 bytes)
{
  self->limit = bytes;
}

/* --- Reading --- */

static char *
get_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *)sqlite3_column_text (statement, column);

  return text != NULL && g_utf8_validate (text, -1, NULL) ? g_strdup (text) : NULL;
}

/* NULL for a kind that this version does not know. */
static SeamHistoryEntry *
read_entry (sqlite3_stmt *statement)
{
  const char *kind = (const char *)sqlite3_column_text (statement, 1);
  SeamHistoryEntry *entry;

  for (int i = 0; i < SEAM_N_ENTRY_KINDS; i++) {
    if (g_strcmp0 (kind, kind_names[i]) != 0)
      continue;
    entry = g_rc_box_new0 (SeamHistoryEntry);
    entry->kind = (SeamEntryKind)i;
    entry->id = sqlite3_column_int64 (statement, 0);
    entry->pipeline = get_text (statement, 2);
    entry->outcome = get_text (statement, 3);
    entry->detail = get_text (statement, 4);
    entry->device = get_text (statement, 5);
    entry->ended_at = get_text (statement, 6);
    entry->partial = sqlite3_column_int (statement, 7) != 0;
    entry->wrong = sqlite3_column_int (statement, 8) != 0;
    entry->saved = sqlite3_column_int (statement, 9) != 0;
    entry->pinned = sqlite3_column_int (statement, 10) != 0;
    entry->name = get_text (statement, 11);
    entry->bytes = sqlite3_column_int64 (statement, 12);
    return entry;
  }
  return NULL;
}

gboolean
seam_history_has_changed (SeamHistory *self)
{
  gint64 before = self->version, now = query_int64 (self, "PRAGMA data_version");

  /* SQLite changes this number when another connection commits, and not at its own commits. */
  if (now >= 0)
    self->version = now;
  return self->version != before;
}

GPtrArray *
seam_history_list (SeamHistory *self, GError **error)
{
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_history_entry_unref);
  sqlite3_stmt *statement =
      prepare (self,
               "SELECT id, kind, pipeline, outcome, detail, device, ended_at, partial, wrong,"
               " saved, pinned, name, bytes FROM entry ORDER BY id DESC",
               "read", error);
  int status;

  if (statement == NULL)
    return NULL;
  while ((status = sqlite3_step (statement)) == SQLITE_ROW) {
    SeamHistoryEntry *entry = read_entry (statement);
    if (entry != NULL)
      g_ptr_array_add (entries, entry);
  }
  if (status != SQLITE_DONE) {
    set_error (self, "read", error);
    self->version = -1; /* it is asked for again */
  }
  sqlite3_finalize (statement);
  return status == SQLITE_DONE ? g_steal_pointer (&entries) : NULL;
}

GBytes *
seam_history_read (SeamHistory *self, gint64 id, GError **error)
{
  sqlite3_stmt *statement = prepare (self, "SELECT content FROM entry WHERE id = ?", "read", error);
  GBytes *content = NULL;
  int status;

  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, id);
  status = sqlite3_step (statement);
  if (status == SQLITE_ROW)
    content = g_bytes_new (sqlite3_column_blob (statement, 0),
                           (gsize)sqlite3_column_bytes (statement, 0));
  else if (status == SQLITE_DONE)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                         "The history does not hold this entry any more.");
  else
    set_error (self, "read", error);
  sqlite3_finalize (statement);
  return content;
}

gboolean
seam_history_unpack (const SeamHistoryEntry *entry, GBytes *content, SeamSession *session,
                     GError **error)
{
  g_autoptr (SeamSession) packed = NULL;
  GPtrArray *searches;

  if (entry->kind == SEAM_ENTRY_CALIBRATION) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "A session holds no calibrations; export it from its window.");
    return FALSE;
  }
  packed = seam_session_from_bytes (content, "The entry of the history", error);
  if (packed == NULL)
    return FALSE;
  for (guint i = 0; i < seam_session_get_n_runs (packed); i++) {
    g_autoptr (SeamSessionRun) run = seam_session_get_run (packed, i, error);
    if (run == NULL)
      return FALSE;
    if (run->note == NULL)
      run->note = g_strdup (entry->name);
    seam_session_add_run (session, run);
  }
  searches = seam_session_get_searches (packed);
  for (guint i = 0; i < searches->len; i++) {
    GVariant *search = seam_session_search_get_content (searches->pdata[i], error);
    if (search == NULL)
      return FALSE;
    seam_session_put_search (session, search, entry->name);
  }
  return TRUE;
}

/* --- Writing --- */

/* total() sums as doubles, which no size in a foreign file overflows.
 * Removes the oldest entries that are not pinned until the rest is within the limit; entry `keep`
 * stays. */
static gboolean
make_room (SeamHistory *self, gint64 keep, int *n_removed, GError **error)
{
  gint64 total = query_int64 (self, "SELECT total (bytes) FROM entry");
  g_autofree char *sql = NULL;
  int before;

  if (n_removed != NULL)
    *n_removed = 0;
  if (total <= self->limit)
    return TRUE;
  /* Sums up sizes from the newest entry on, pinned entries first, and removes what exceeds the
   * limit. */
  sql = g_strdup_printf (
      "DELETE FROM entry WHERE pinned = 0 AND id <> %" G_GINT64_FORMAT " AND id IN"
      " (SELECT id FROM (SELECT id, total (bytes) OVER (ORDER BY pinned DESC, id DESC) AS so_far"
      " FROM entry) WHERE so_far > %" G_GINT64_FORMAT ")",
      keep, self->limit);
  before = sqlite3_total_changes (self->db);
  if (!execute (self, sql, error))
    return FALSE;
  if (n_removed != NULL)
    *n_removed = sqlite3_total_changes (self->db) - before;
  return TRUE;
}

static gboolean
insert (SeamHistory *self, SeamHistoryEntry *about, GBytes *content, GError **error)
{
  sqlite3_stmt *statement =
      about->id == 0
          ? prepare (self,
                     "INSERT INTO entry (kind, pipeline, outcome, detail, device, ended_at,"
                     " partial, wrong, bytes, content)"
                     " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                     "written", error)
          : prepare (self,
                     "UPDATE entry SET kind = ?1, pipeline = ?2, outcome = ?3, detail = ?4,"
                     " device = ?5, ended_at = ?6, partial = ?7, wrong = ?8, bytes = ?9,"
                     " content = ?10, saved = 0 WHERE id = ?11",
                     "written", error);
  const char *const texts[] = { kind_names[about->kind], about->pipeline, about->outcome,
                                about->detail,           about->device,   about->ended_at };
  gsize size;
  const void *data = g_bytes_get_data (content, &size);

  if (statement == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    sqlite3_bind_text (statement, (int)i + 1, texts[i], -1, SQLITE_STATIC);
  sqlite3_bind_int (statement, 7, about->partial);
  sqlite3_bind_int (statement, 8, about->wrong);
  sqlite3_bind_int64 (statement, 9, (gint64)size);
  sqlite3_bind_blob64 (statement, 10, data, size, SQLITE_STATIC);
  if (about->id != 0)
    sqlite3_bind_int64 (statement, 11, about->id);
  if (!finish (self, statement, error))
    return FALSE;
  /* The person has removed the older entry meanwhile. */
  if (about->id != 0 && sqlite3_changes (self->db) == 0) {
    about->id = 0;
    return insert (self, about, content, error);
  }
  if (about->id == 0)
    about->id = sqlite3_last_insert_rowid (self->db);
  about->bytes = (gint64)size;
  return TRUE;
}

gboolean
seam_history_put (SeamHistory *self, SeamHistoryEntry *about, GBytes *content, int *n_removed,
                  GError **error)
{
  int removed = 0;

  if (!execute (self, "BEGIN IMMEDIATE", error))
    return FALSE;
  if (!insert (self, about, content, error) || !make_room (self, about->id, &removed, error)
      || !execute (self, "COMMIT", error)) {
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
    return FALSE;
  }
  /* Returns the pages of removed entries to the disk; a failure costs only room. */
  if (removed > 0)
    sqlite3_exec (self->db, "PRAGMA incremental_vacuum", NULL, NULL, NULL);
  if (n_removed != NULL)
    *n_removed = removed;
  return TRUE;
}

/* Prepares a statement that sets one column of one entry; the caller binds the value as the first
 * parameter. */
static sqlite3_stmt *
prepare_set (SeamHistory *self, const char *sql, gint64 id, GError **error)
{
  sqlite3_stmt *statement = prepare (self, sql, "written", error);

  if (statement != NULL)
    sqlite3_bind_int64 (statement, 2, id);
  return statement;
}

gboolean
seam_history_set_content (SeamHistory *self, gint64 id, GBytes *content, GError **error)
{
  gsize size;
  const void *data = g_bytes_get_data (content, &size);
  sqlite3_stmt *statement = prepare_set (
      self, "UPDATE entry SET content = ?1, bytes = length (?1) WHERE id = ?2", id, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_blob64 (statement, 1, data, size, SQLITE_STATIC);
  return finish (self, statement, error);
}

gboolean
seam_history_set_name (SeamHistory *self, gint64 id, const char *name, GError **error)
{
  sqlite3_stmt *statement =
      prepare_set (self, "UPDATE entry SET name = ?1 WHERE id = ?2", id, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
  return finish (self, statement, error);
}

static gboolean
set_mark (SeamHistory *self, const char *sql, gint64 id, gboolean value, GError **error)
{
  sqlite3_stmt *statement = prepare_set (self, sql, id, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int (statement, 1, value);
  return finish (self, statement, error);
}

gboolean
seam_history_set_pinned (SeamHistory *self, gint64 id, gboolean pinned, GError **error)
{
  return set_mark (self, "UPDATE entry SET pinned = ?1 WHERE id = ?2", id, pinned, error);
}

gboolean
seam_history_set_saved (SeamHistory *self, gint64 id, gboolean saved, GError **error)
{
  return set_mark (self, "UPDATE entry SET saved = ?1 WHERE id = ?2", id, saved, error);
}

gboolean
seam_history_remove (SeamHistory *self, gint64 id, GError **error)
{
  sqlite3_stmt *statement = prepare (self, "DELETE FROM entry WHERE id = ?", "written", error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  return finish (self, statement, error);
}
