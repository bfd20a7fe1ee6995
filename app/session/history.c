/* SPDX-License-Identifier: MIT
 *
 * One table with one row for each entry. The journal is a write-ahead log: a kill loses nothing
 * that was committed, and a power cut loses at most the last entry.
 */
#include "app/session/history.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/session/schema.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define WAIT_MS        10000      /* for another program to finish writing */
#define TELL_MS        1000       /* of it, after which a person is told */
#define LOOK_MS        20         /* between two looks at a lock */
#define APPLICATION_ID 0x53656148 /* "SeaH", in SQLite's header; 0 in older histories */
#define VERSION        0 /* of the table, as SQLite's user_version; a later table has a higher one */

struct SeamHistory {
  sqlite3 *db;
  char *path;
  gint64 limit;
  gint64 version;          /* SQLite's data version at the last question */
  gboolean (*tell) (void); /* that it waits for a lock; NULL: nothing waits */
};

static const SeamChoice kinds[] = {
  [SEAM_ENTRY_RUN] = { "run" },
  [SEAM_ENTRY_EXPLORATION] = { "exploration" },
  [SEAM_ENTRY_SWEEP] = { "sweep" },
  [SEAM_ENTRY_LAB] = { "lab" },
  [SEAM_ENTRY_CALIBRATION] = { "calibration" },
  { NULL },
};

/* clang-format off */
static const SeamField entry_fields[] = {
  { SEAM_FIELD (SeamHistoryEntry, id, INT64) },
  { SEAM_FIELD (SeamHistoryEntry, kind, CHOICE), .choices = kinds },
  { SEAM_FIELD (SeamHistoryEntry, pipeline, TEXT) },
  { SEAM_FIELD (SeamHistoryEntry, outcome, TEXT) },
  { SEAM_FIELD (SeamHistoryEntry, detail, TEXT) },
  { SEAM_FIELD (SeamHistoryEntry, device, TEXT) },
  { SEAM_FIELD (SeamHistoryEntry, ended_at, TEXT) },
  { SEAM_FIELD (SeamHistoryEntry, partial, BOOLEAN) },
  { SEAM_FIELD (SeamHistoryEntry, wrong, BOOLEAN) },
  { SEAM_FIELD (SeamHistoryEntry, saved, BOOLEAN) },
  { SEAM_FIELD (SeamHistoryEntry, pinned, BOOLEAN) },
  { SEAM_FIELD (SeamHistoryEntry, name, TEXT) },
  { SEAM_FIELD (SeamHistoryEntry, bytes, INT64), .flags = SEAM_OPTIONAL, .initial = -1 },
  { NULL },
};
/* clang-format on */

static const SeamRecordType entry_type = { "entry", sizeof (SeamHistoryEntry), entry_fields };

/* AUTOINCREMENT: the id of a removed entry is never given to another one. */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,"
    " pipeline TEXT, outcome TEXT, detail TEXT, device TEXT, ended_at TEXT, partial INTEGER,"
    " wrong INTEGER, saved INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0, name TEXT,"
    " bytes INTEGER NOT NULL, content BLOB NOT NULL)";

#define LISTED                                                                                     \
  "SELECT id, kind, pipeline, outcome, detail, device, ended_at, partial, wrong, saved, pinned,"   \
  " name, bytes"

/* --- Entries --- */

SeamHistoryEntry *
seam_history_entry_copy (const SeamHistoryEntry *entry)
{
  SeamHistoryEntry *copy = g_rc_box_new (SeamHistoryEntry);

  seam_record_copy (&entry_type, copy, entry);
  return copy;
}

static void
entry_clear (SeamHistoryEntry *entry)
{
  seam_record_clear (&entry_type, entry);
}

char *
seam_history_entry_describe (const SeamHistoryEntry *entry)
{
  return g_strconcat (entry->partial && entry->kind == SEAM_ENTRY_RUN ? "stopped early: " : "",
                      entry->outcome != NULL ? entry->outcome : "no outcome", NULL);
}

char *
seam_history_to_rows (const GPtrArray *entries, SeamRowsFormat format)
{
  static const SeamView view = {
    "id,kind,pipeline,outcome,detail,device,ended_at,partial,wrong,saved,pinned,name,bytes", NULL
  };
  SeamPath entry = { .type = &entry_type };
  SeamViewWriter *writer = seam_view_open_as (&view, &entry, format);

  for (guint i = 0; i < entries->len; i++) {
    entry.record = entries->pdata[i];
    seam_view_add_row (writer, &entry);
  }
  return seam_view_close (writer);
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

/* What a person can do about an error of SQLite, after which errno was `failure`. */
static const char *
get_remedy (int code, int failure)
{
  if (failure == EFBIG)
    return "It would become larger than files may be here: raise the limit (ulimit -f)";
  switch (code) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return "Another program has locked it: wait until that one has finished, or close it";
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
    return "Make it a file that you may write, in a folder that you may write";
  case SQLITE_FULL:
    return "Make room on the disk";
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_ERROR:
  case SQLITE_CONSTRAINT:
    return "It is damaged, or no history: move it away; then a new one is made";
  default:
    return "Try again; if that does not help, move it away: then a new one is made";
  }
}

static void
set_error (const SeamHistory *self, const char *what, GError **error)
{
  int failure = errno, code = sqlite3_errcode (self->db);

  if (code != SQLITE_IOERR && code != SQLITE_CANTOPEN)
    failure = 0;
  else if (sqlite3_system_errno (self->db) != 0) /* SQLite does not note it at a COMMIT */
    failure = sqlite3_system_errno (self->db);
  if (failure == ENOSPC || failure == EDQUOT)
    code = SQLITE_FULL;
  /* All statements are the program's own, so one that is in error misses something in the file. */
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "The history in %s could not be %s: %s. %s.",
               self->path, what,
               code == SQLITE_ERROR  ? "a table or a column is missing"
               : code == SQLITE_FULL ? sqlite3_errstr (code)
                                     : sqlite3_errmsg (self->db),
               get_remedy (code, failure));
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

/* Executes SQL with values in it, as sqlite3_mprintf() writes them. */
static gboolean
execute (SeamHistory *self, GError **error, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  char *sql = sqlite3_vmprintf (format, values);
  va_end (values);
  gboolean done = sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK;
  sqlite3_free (sql);
  if (!done)
    set_error (self, "written", error);
  return done;
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

/* SQLite asks whether it shall look at a lock once more. */
static int
wait_cb (void *data, int n_looks)
{
  SeamHistory *self = data;

  if (self->tell == NULL || n_looks * LOOK_MS >= WAIT_MS
      || (n_looks * LOOK_MS == TELL_MS && !self->tell ()))
    return 0;
  sqlite3_sleep (LOOK_MS);
  return 1;
}

/* Opens the file and begins to read it; writes nothing. SQLite reads a database with a write-ahead
 * log only where it may write beside it, unless it is told that nobody changes the file. That holds
 * for one that nobody may write and that has no log. */
static gboolean
begin (SeamHistory *self, const char *folder)
{
  g_autofree char *uri = g_filename_to_uri (self->path, NULL, NULL);
  g_autofree char *immutable = g_strconcat (uri, "?immutable=1", NULL);
  g_autofree char *log = g_strconcat (self->path, "-wal", NULL);
  GStatBuf status;
  gboolean is_immutable = g_access (self->path, F_OK) == 0
                          && (g_access (self->path, W_OK) != 0 || g_access (folder, W_OK) != 0)
                          && (g_stat (log, &status) != 0 || status.st_size == 0);

  sqlite3_close (self->db);
  if (sqlite3_open_v2 (is_immutable ? immutable : self->path, &self->db,
                       is_immutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                    : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                       NULL)
      != SQLITE_OK)
    return FALSE;
  sqlite3_busy_handler (self->db, wait_cb, self);
  /* A foreign file runs no code of its own: no triggers, no views. */
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  return sqlite3_exec (self->db, "BEGIN; SELECT 1 FROM sqlite_schema", NULL, NULL, NULL)
         == SQLITE_OK;
}

/* Makes the table in an empty file, or sees that it is there. */
static gboolean
find_table (SeamHistory *self, gboolean is_new, gboolean is_marked, GError **error)
{
  if (sqlite3_db_readonly (self->db, "main") == 0) {
    sqlite3_db_config (self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    /* The vacuum mode counts only before the first table. */
    if ((is_new && !execute (self, error, "PRAGMA auto_vacuum = INCREMENTAL"))
        || !execute (self, error, "PRAGMA journal_mode = WAL")
        || !execute (self, error, "PRAGMA synchronous = NORMAL")
        || (is_new && !execute (self, error, schema)))
      return FALSE;
    /* If this fails, the next start does it. */
    if (!is_marked)
      execute (self, NULL, "PRAGMA application_id = %d", APPLICATION_ID);
  }
  sqlite3_stmt *statement = prepare (self, LISTED ", content FROM entry", "opened", error);
  sqlite3_finalize (statement);
  self->version = query_int64 (self, "PRAGMA data_version");
  return statement != NULL;
}

static gboolean
open_file (SeamHistory *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  gint64 id, version;
  const char *problem = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "The folder %s for the history could not be made: %s.", folder,
                      g_strerror (errno));
  if (!begin (self, folder)) {
    set_error (self, "opened", error);
    return FALSE;
  }
  id = query_int64 (self, "PRAGMA application_id");
  version = query_int64 (self, "PRAGMA user_version");
  gboolean is_new = id == 0 && query_int64 (self, "SELECT count (*) FROM sqlite_schema") == 0;
  /* Older histories have no id. */
  if (id == SEAM_SESSION_APPLICATION_ID)
    problem = "it is a session. Move it to another folder; then a new history is made";
  else if (id != APPLICATION_ID && !is_new
           && (id != 0 || version != 0
               || query_int64 (self, "SELECT count (*) FROM sqlite_schema WHERE type = 'table' "
                                     "AND name = 'entry'")
                      != 1))
    problem = "it is a database of another program. Move it away; then a new history is made";
  else if (version > VERSION)
    problem = "a newer Seamscope made it. Update this one, or move it away; then a new one is made";
  if (problem != NULL)
    return seam_fail (error, SEAM_ERROR_FILE, "The history in %s could not be opened: %s.",
                      self->path, problem);
  return execute (self, error, "COMMIT") && find_table (self, is_new, id != 0, error);
}

SeamHistory *
seam_history_open (const char *path, gboolean (*tell) (void), GError **error)
{
  g_autoptr (SeamHistory) self = g_new0 (SeamHistory, 1);

  self->path = g_strdup (path);
  self->limit = SEAM_HISTORY_MAX_BYTES;
  self->tell = tell;
  return open_file (self, error) ? g_steal_pointer (&self) : NULL;
}

void
seam_history_set_tell (SeamHistory *self, gboolean (*tell) (void))
{
  self->tell = tell;
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
    if (g_strcmp0 (kind, kinds[i].name) != 0)
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
    entry->bytes = MAX (sqlite3_column_int64 (statement, 12), -1);
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
  /* The program gives no other ids; the window has those below 0 for what is not in the file. */
  sqlite3_stmt *statement =
      prepare (self, LISTED " FROM entry WHERE id > 0 ORDER BY id DESC", "read", error);
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

  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, id);
  int status = sqlite3_step (statement);
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
  if (entry->kind == SEAM_ENTRY_CALIBRATION)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "A session holds no calibrations; export it from its window.");
  g_autoptr (SeamSession) packed =
      seam_session_from_bytes (content, "The entry of the history", error);
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
  GPtrArray *searches = seam_session_get_searches (packed);
  for (guint i = 0; i < searches->len; i++) {
    GVariant *search = seam_session_search_get_content (searches->pdata[i], error);
    if (search == NULL)
      return FALSE;
    seam_session_put_search (session, search, entry->name);
  }
  return TRUE;
}

char *
seam_history_format_room (const GPtrArray *entries)
{
  double bytes = 0; /* sizes from a foreign file could overflow an integer */

  for (guint i = 0; i < entries->len; i++) {
    gint64 own = ((SeamHistoryEntry *)entries->pdata[i])->bytes;
    bytes += own < 0 ? NAN : (double)own;
  }
  g_autofree char *size = bytes < 1e18 ? g_format_size ((guint64)bytes) : g_strdup (SEAM_DASH);
  return g_strconcat (size, " of " SEAM_HISTORY_MAX_WORDS, NULL);
}

/* --- Writing --- */

/* total() sums as doubles, which no size in a foreign file overflows.
 * Removes the oldest entries that are not pinned until the rest is within the limit; entry `keep`
 * stays. */
static gboolean
make_room (SeamHistory *self, gint64 keep, int *n_removed, GError **error)
{
  gint64 total = query_int64 (self, "SELECT total (bytes) FROM entry");

  if (n_removed != NULL)
    *n_removed = 0;
  if (total <= self->limit)
    return TRUE;
  /* Sums up sizes from the newest entry on, pinned entries first, and removes what exceeds the
   * limit. */
  int before = sqlite3_total_changes (self->db);
  if (!execute (self, error,
                "DELETE FROM entry WHERE pinned = 0 AND id <> %lld AND id IN"
                " (SELECT id FROM (SELECT id, total (bytes) OVER (ORDER BY pinned DESC, id DESC)"
                " AS so_far FROM entry) WHERE so_far > %lld)",
                (long long)keep, (long long)self->limit))
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
  const char *const texts[] = { kinds[about->kind].name, about->pipeline, about->outcome,
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

  /* A file that could only be read may be writable by now; then its list may be another one. */
  if (sqlite3_db_readonly (self->db, "main") != 0) {
    if (!open_file (self, error))
      return FALSE;
    self->version = -1;
  }
  if (!execute (self, error, "BEGIN IMMEDIATE"))
    return FALSE;
  if (!insert (self, about, content, error) || !make_room (self, about->id, &removed, error)
      || !execute (self, error, "COMMIT")) {
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

gboolean
seam_history_change (SeamHistory *self, gint64 id, SeamHistoryChange change, GBytes *value,
                     GError **error)
{
  static const char *const statements[] = {
    [SEAM_CHANGE_NAME] = "UPDATE entry SET name = CAST (?2 AS TEXT) WHERE id = ?1",
    [SEAM_CHANGE_PIN] = "UPDATE entry SET pinned = 1 WHERE id = ?1",
    [SEAM_CHANGE_UNPIN] = "UPDATE entry SET pinned = 0 WHERE id = ?1",
    [SEAM_CHANGE_SAVED] = "UPDATE entry SET saved = 1 WHERE id = ?1",
    [SEAM_CHANGE_REMOVE] = "DELETE FROM entry WHERE id = ?1",
  };
  sqlite3_stmt *statement = prepare (self, statements[change], "written", error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  if (value != NULL)
    sqlite3_bind_blob64 (statement, 2, g_bytes_get_data (value, NULL), g_bytes_get_size (value),
                         SQLITE_STATIC);
  return finish (self, statement, error);
}
