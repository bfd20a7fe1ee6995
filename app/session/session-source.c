/* SPDX-License-Identifier: MIT
 *
 * Opens and checks a file, and finds its rows.
 */
#include "app/session/session-source.h"

#include "app/session/checksum.h"

#include "app/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE_BYTES  ((guint64)1 << 36)  /* 64 GB: 100,000 runs */
#define MAX_BYTES       ((gsize)256 << 20)  /* of a file that is read into memory */
#define MAX_VALUE_BYTES (256 << 20)         /* of one text or BLOB */
#define MAX_ROWS        ((guint64)16 << 20) /* of one table */
#define MAX_PATH_BYTES  500                 /* SQLite's limit is 512 */
#define SMALL_FILE      (8 << 20)           /* bytes; verified at once */
#define HEADER_BYTES    100                 /* SQLite's file header */
#define CHECKSUM_PREFIX "sha256 "

static guint32
read_big_endian (const guint8 *data, int offset)
{
  guint32 number;

  memcpy (&number, data + offset, sizeof number);
  return GUINT32_FROM_BE (number);
}

void
seam_source_set_damaged (const char *what, GError *problem, GError **error)
{
  /* The message may quote damaged text. */
  g_autofree char *reason = g_utf8_make_valid (problem->message, -1);

  if (problem->code == SEAM_ERROR_MEMORY)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "%s It would take more memory than 256 MB, which no run does.", what);
  else
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "%s It is damaged; take another copy of it (%s).", what,
                 g_strdelimit (reason, "\n", ' '));
  g_error_free (problem);
}

/* Checks the first bytes; offsets are those of SQLite's file format. */
static gboolean
check_header (SeamSource *self, const guint8 *data, gsize n, GError **error)
{
  guint32 version, page;

  if (self->size == 0)
    return seam_fail (error, SEAM_ERROR_FILE, "The file is empty.");
  if (n < HEADER_BYTES || memcmp (data, "SQLite format 3", 16) != 0)
    return seam_fail (error, SEAM_ERROR_FILE, "This is no Seamscope session.");
  if (read_big_endian (data, 68) != SEAM_SESSION_APPLICATION_ID)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "This is a database of another program, no Seamscope session.");
  version = read_big_endian (data, 60);
  self->major = (int)(version / 1000);
  self->minor = (int)(version % 1000);
  if (version > G_MAXINT || self->major > SEAM_SESSION_MAJOR)
    return seam_fail (
        error, SEAM_ERROR_FILE,
        "It was written by a newer Seamscope (its format is %u.%u, this program reads "
        "up to %d): update this program to open it.",
        version / 1000, version % 1000, SEAM_SESSION_MAJOR);
  page = (guint32)data[16] << 8 | data[17];
  page = page == 1 ? 65536 : page;
  guint64 whole = (guint64)page * read_big_endian (data, 28);
  if (self->size < whole)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "It is cut short: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                      " bytes are there; copy it again.",
                      self->size, whole);
  if (data[18] > 1 || data[19] > 1)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "Another program left it in write-ahead mode; "
                      "sqlite3 FILE 'PRAGMA journal_mode = DELETE' ends that.");
  return TRUE;
}

/* The authorizer: from here on, statements may only read tables. */
static int
authorize_cb (void *data, int action, const char *a, const char *b, const char *c, const char *d)
{
  return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

static gboolean
restrict_connection (SeamSource *self, GError **error)
{
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
  sqlite3_limit (self->db, SQLITE_LIMIT_ATTACHED, 0);
  return seam_session_execute (self->db, "PRAGMA cell_size_check = ON;", error);
}

/* Allows only plain tables: SQLite would compute views, triggers, indexes on expressions and
 * generated columns when it reads them. */
static gboolean
check_tables (sqlite3 *db, GError **error)
{
  g_autoptr (GPtrArray) statements =
      seam_session_query_texts (db, "SELECT sql FROM sqlite_schema", error);

  if (statements == NULL)
    return FALSE;
  for (guint i = 0; i < statements->len; i++) {
    const char *sql = g_ptr_array_index (statements, i);
    if (sql == NULL || !g_str_has_prefix (sql, "CREATE TABLE "))
      return seam_fail (error, SEAM_ERROR_FILE, "it holds more than tables, which no session does");
  }
  g_autoptr (GPtrArray) generated = seam_session_query_texts (
      db,
      "SELECT c.name FROM sqlite_schema AS t, pragma_table_xinfo (t.name) AS c "
      "WHERE c.hidden <> 0",
      error);
  if (generated != NULL && generated->len > 0)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "its column “%s” is computed, which none of a session is",
                      (const char *)g_ptr_array_index (generated, 0));
  return generated != NULL;
}

static gboolean
has_column (SeamSource *self, const char *table, const char *column)
{
  return sqlite3_table_column_metadata (self->db, "main", table, column, NULL, NULL, NULL, NULL,
                                        NULL)
         == SQLITE_OK;
}

/* Checks that "key" is SQLite's own row number, because only then is looking up a row quick. */
static gboolean
check_key (SeamSource *self, const char *table, GError **error)
{
  const char *type = NULL;
  int is_primary = 0;

  if (sqlite3_table_column_metadata (self->db, "main", table, "key", &type, NULL, NULL, &is_primary,
                                     NULL)
      != SQLITE_OK)
    return seam_session_fail (self->db, error);
  if (!is_primary || type == NULL || g_ascii_strcasecmp (type, "INTEGER") != 0)
    return seam_fail (error, SEAM_ERROR_FILE, "its table “%s” has no keys", table);
  return TRUE;
}

static gboolean
prepare_table (SeamSource *self, SeamTableId id, GError **error)
{
  const SeamTable *table = seam_table_get (id);
  g_autofree char *all = g_strdup_printf ("SELECT * FROM \"%s\" WHERE \"key\" = ?", table->name);
  g_autoptr (GString) light = g_string_new ("SELECT \"key\"");

  if (!check_key (self, table->name, error))
    return FALSE;
  for (const SeamColumn *column = table->columns; column->name != NULL; column++)
    if (column->is_light && has_column (self, table->name, column->name))
      g_string_append_printf (light, ", \"%s\"", column->name);
  g_string_append_printf (light, " FROM \"%s\" WHERE \"key\" = ?", table->name);
  self->select[id] = seam_session_prepare (self->db, all, error);
  self->select_light[id] =
      self->select[id] != NULL ? seam_session_prepare (self->db, light->str, error) : NULL;
  return self->select_light[id] != NULL;
}

static gboolean
prepare_all (SeamSource *self, GError **error)
{
  for (int i = 0; i < SEAM_N_TABLES; i++)
    /* Files before format 1.3 have no searches. */
    if ((i < SEAM_TABLE_SEARCH || has_column (self, seam_table_get (i)->name, NULL))
        && !prepare_table (self, (SeamTableId)i, error))
      return FALSE;
  if (!check_key (self, "member", error))
    return FALSE;
  self->select_member =
      seam_session_prepare (self->db, "SELECT name, type FROM member WHERE \"key\" = ?", error);
  return self->select_member != NULL;
}

/* --- Finding rows --- */

static int
compare_rows_cb (gconstpointer a, gconstpointer b)
{
  const SeamRowKey *one = a, *two = b;

  if (one->parent != two->parent)
    return one->parent < two->parent ? -1 : 1;
  return (one->key > two->key) - (one->key < two->key);
}

static gboolean
add_row (SeamSource *self, GArray *rows, gint64 parent, gint64 key, guint64 n, GError **error)
{
  SeamRowKey row = { parent, key };

  /* A row takes more than 4 bytes. A page that is referred to repeatedly could otherwise stand for
   * any number of rows. */
  if (n > MIN (MAX_ROWS, self->size / 4))
    return seam_fail (error, SEAM_ERROR_FILE, "it holds too many rows");
  g_array_append_val (rows, row);
  return TRUE;
}

static const SeamRowKey *
find (const GArray *rows, gint64 parent, guint *n)
{
  const SeamRowKey *data = (const SeamRowKey *)(const void *)rows->data;
  guint from = 0, to = rows->len, end;

  while (from < to) {
    guint middle = from + (to - from) / 2;
    if (data[middle].parent < parent)
      from = middle + 1;
    else
      to = middle;
  }
  for (end = from; end < rows->len && data[end].parent == parent;)
    end++;
  *n = end - from;
  return data + from;
}

/* Ends a scan; TRUE when it reached its end. */
static gboolean
finish_scan (SeamSource *self, sqlite3_stmt *statement, int step, gboolean good, GError **error)
{
  if (good && step != SQLITE_DONE)
    seam_session_fail (self->db, error);
  sqlite3_finalize (statement);
  return good && step == SQLITE_DONE;
}

static GArray *
list_rows (SeamSource *self, SeamTableId id, GError **error)
{
  const SeamTable *table = seam_table_get (id);
  g_autoptr (GArray) rows = g_array_sized_new (FALSE, FALSE, sizeof (SeamRowKey), 16);
  g_autofree char *parent =
      table->parent >= 0 ? g_strdup_printf ("\"%s_key\"", seam_table_get (table->parent)->name)
                         : NULL;
  g_autofree char *sql = g_strdup_printf ("SELECT \"key\", %s FROM \"%s\" ORDER BY \"key\"",
                                          parent != NULL ? parent : "0", table->name);
  gboolean good = TRUE;
  int step = SQLITE_DONE;

  if (self->select[id] == NULL)
    return g_steal_pointer (&rows);
  sqlite3_stmt *statement = seam_session_prepare (self->db, sql, error);
  if (statement == NULL)
    return NULL;
  while (good && (step = sqlite3_step (statement)) == SQLITE_ROW)
    good = add_row (self, rows, sqlite3_column_int64 (statement, 1),
                    sqlite3_column_int64 (statement, 0), rows->len, error);
  if (!finish_scan (self, statement, step, good, error))
    return NULL;
  g_array_sort (rows, compare_rows_cb);
  return g_steal_pointer (&rows);
}

/* Finds all members of all tables, in one pass. */
static gboolean
list_members (SeamSource *self, GError **error)
{
  sqlite3_stmt *statement = seam_session_prepare (
      self->db, "SELECT \"key\", owner, \"row\" FROM member ORDER BY \"key\"", error);
  gboolean good = statement != NULL;
  int step = SQLITE_DONE;
  guint64 n = 0;

  for (int i = 0; i < SEAM_N_TABLES; i++)
    self->members[i] = g_array_sized_new (FALSE, FALSE, sizeof (SeamRowKey), 16);
  while (good && (step = sqlite3_step (statement)) == SQLITE_ROW) {
    const char *owner = (const char *)sqlite3_column_text (statement, 1);
    for (int i = 0; i < SEAM_N_TABLES && good; i++)
      if (g_strcmp0 (owner, seam_table_get (i)->name) == 0)
        good = add_row (self, self->members[i], sqlite3_column_int64 (statement, 2),
                        sqlite3_column_int64 (statement, 0), n++, error);
  }
  if (statement == NULL || !finish_scan (self, statement, step, good, error)) {
    for (int i = 0; i < SEAM_N_TABLES; i++)
      g_clear_pointer (&self->members[i], g_array_unref);
    return FALSE;
  }
  for (int i = 0; i < SEAM_N_TABLES; i++)
    g_array_sort (self->members[i], compare_rows_cb);
  return TRUE;
}

const SeamRowKey *
seam_source_find_rows (SeamSource *self, SeamTableId table, gint64 parent, guint *n, GError **error)
{
  if (self->rows[table] == NULL)
    self->rows[table] = list_rows (self, table, error);
  return self->rows[table] != NULL ? find (self->rows[table], parent, n) : NULL;
}

const SeamRowKey *
seam_source_find_members (SeamSource *self, SeamTableId table, gint64 row, guint *n, GError **error)
{
  if (self->members[table] == NULL && !list_members (self, error))
    return NULL;
  return find (self->members[table], row, n);
}

/* --- Reading rows --- */

static gboolean
move (SeamSource *self, sqlite3_stmt *statement, gint64 key, GError **error)
{
  sqlite3_reset (statement);
  sqlite3_bind_int64 (statement, 1, key);
  int step = sqlite3_step (statement);
  if (step == SQLITE_ROW)
    return TRUE;
  if (step == SQLITE_DONE)
    return seam_fail (error, SEAM_ERROR_FILE, "a row is missing");
  return seam_session_fail (self->db, error);
}

sqlite3_stmt *
seam_source_select (SeamSource *self, SeamTableId table, gint64 key, gboolean light, GError **error)
{
  sqlite3_stmt *statement = light ? self->select_light[table] : self->select[table];

  return move (self, statement, key, error) ? statement : NULL;
}

gboolean
seam_source_select_member (SeamSource *self, gint64 key, const char **name, const char **type,
                           GError **error)
{
  if (!move (self, self->select_member, key, error))
    return FALSE;
  *name = (const char *)sqlite3_column_text (self->select_member, 0);
  *type = (const char *)sqlite3_column_text (self->select_member, 1);
  if (*name != NULL && g_utf8_validate (*name, -1, NULL) && *type != NULL
      && g_variant_type_string_is_valid (*type)
      && g_variant_type_is_definite ((const GVariantType *)*type))
    return TRUE;
  return seam_fail (error, SEAM_ERROR_FILE, "a member is damaged");
}

gboolean
seam_source_open_value (SeamSource *self, gint64 key, guint64 *size, GError **error)
{
  int code = self->value != NULL
                 ? sqlite3_blob_reopen (self->value, key)
                 : sqlite3_blob_open (self->db, "main", "member", "value", key, 0, &self->value);

  if (code == SQLITE_OK) {
    *size = (guint64)sqlite3_blob_bytes (self->value);
    return TRUE;
  }
  seam_session_fail (self->db, error);
  sqlite3_blob_close (self->value);
  self->value = NULL;
  return FALSE;
}

/* --- Checksums --- */

char *
seam_session_name_checksum (SeamTableId table, gint64 key)
{
  return g_strdup_printf (CHECKSUM_PREFIX "%s %" G_GINT64_FORMAT, seam_table_get (table)->name,
                          key);
}

const char *
seam_source_get_checksum (SeamSource *self, SeamTableId table, gint64 key)
{
  g_autofree char *name = seam_session_name_checksum (table, key);

  return g_hash_table_lookup (self->checksums, name);
}

static gboolean
read_checksums (SeamSource *self, GError **error)
{
  int step;

  self->checksums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  /* The draft format has no table `meta`. */
  if (!has_column (self, "meta", NULL))
    return TRUE;
  sqlite3_stmt *statement =
      seam_session_prepare (self->db, "SELECT \"key\", value FROM meta", error);
  if (statement == NULL)
    return FALSE;
  while ((step = sqlite3_step (statement)) == SQLITE_ROW) {
    const char *key = (const char *)sqlite3_column_text (statement, 0);
    const char *value = (const char *)sqlite3_column_text (statement, 1);
    if (key != NULL && value != NULL && g_str_has_prefix (key, CHECKSUM_PREFIX)
        && g_hash_table_size (self->checksums) < MIN (MAX_ROWS, self->size / 4))
      g_hash_table_insert (self->checksums, g_strdup (key), g_strndup (value, 64));
  }
  return finish_scan (self, statement, step, TRUE, error);
}

gboolean
seam_source_verify (SeamSource *self, GError **error)
{
  /* The draft format has no checksum. */
  if (self->is_verified || self->major == 0)
    return TRUE;
  g_autoptr (GPtrArray) stored =
      seam_session_query_texts (self->db, "SELECT value FROM meta WHERE \"key\" = 'sha256'", error);
  g_autofree char *made =
      stored != NULL ? seam_session_make_checksum (self->db, self->size, error) : NULL;
  if (made == NULL)
    return FALSE;
  if (stored->len != 1 || g_strcmp0 (g_ptr_array_index (stored, 0), made) != 0)
    return seam_fail (error, SEAM_ERROR_FILE, "its checksum does not fit");
  self->is_verified = TRUE;
  return TRUE;
}

/* --- Opening --- */

static gboolean
check_content (SeamSource *self, GError **error)
{
  if (!restrict_connection (self, error) || !check_tables (self->db, error))
    return FALSE;
  if (self->major < SEAM_SESSION_MAJOR && !seam_session_migrate (self->db, self->major, error))
    return FALSE;
  sqlite3_set_authorizer (self->db, authorize_cb, NULL);
  if (!prepare_all (self, error) || !read_checksums (self, error))
    return FALSE;
  /* From 1.5 on each run has a checksum, so only small older files are verified at once. */
  return self->minor >= 5 || self->size > SMALL_FILE || seam_source_verify (self, error);
}

/* Copies `data`, because a draft is migrated in memory. */
static gboolean
open_image (SeamSource *self, const guint8 *data, GError **error)
{
  guint8 *copy = sqlite3_malloc64 (self->size);

  if (copy == NULL || sqlite3_open (":memory:", &self->db) != SQLITE_OK) {
    seam_session_fail (self->db, error);
    sqlite3_free (copy);
    return FALSE;
  }
  memcpy (copy, data, self->size);
  /* Takes ownership of the copy, also if it fails. */
  if (sqlite3_deserialize (self->db, "main", copy, (sqlite3_int64)self->size,
                           (sqlite3_int64)self->size,
                           SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
      == SQLITE_OK)
    return TRUE;
  return seam_session_fail (self->db, error);
}

/* Opens the file as immutable: SQLite neither locks it nor looks for journals beside it. */
static gboolean
open_pages (SeamSource *self, GError **error)
{
  g_autofree char *uri = g_filename_to_uri (self->path, NULL, error);
  g_autofree char *immutable = uri != NULL ? g_strconcat (uri, "?immutable=1", NULL) : NULL;

  if (immutable == NULL)
    return FALSE;
  if (sqlite3_open_v2 (immutable, &self->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL)
      == SQLITE_OK)
    return TRUE;
  return seam_session_fail (self->db, error);
}

static SeamSource *
source_new (const char *name, guint64 size)
{
  SeamSource *self = g_new0 (SeamSource, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->name = g_strdup (name);
  self->size = size;
  return self;
}

SeamSource *
seam_source_ref (SeamSource *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
seam_source_unref (SeamSource *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  sqlite3_blob_close (self->value);
  sqlite3_finalize (self->select_member);
  for (int i = 0; i < SEAM_N_TABLES; i++) {
    sqlite3_finalize (self->select[i]);
    sqlite3_finalize (self->select_light[i]);
    g_clear_pointer (&self->rows[i], g_array_unref);
    g_clear_pointer (&self->members[i], g_array_unref);
  }
  g_clear_pointer (&self->checksums, g_hash_table_unref);
  sqlite3_close (self->db);
  g_mutex_clear (&self->lock);
  g_free (self->name);
  g_free (self->path);
  g_free (self);
}

/* Replaces the error by a sentence about the whole file. */
static SeamSource *
refuse_file (const char *name, const char *reason, GError **error)
{
  return seam_fail_null (error, SEAM_ERROR_FILE, "%s cannot be opened. %s", name, reason);
}

/* Finishes opening: the connection is open, or `problem` says why not. */
static SeamSource *
finish_open (SeamSource *opened, GError *problem, GError **error)
{
  g_autoptr (SeamSource) self = opened;
  g_autofree char *what = g_strdup_printf ("%s cannot be opened.", self->name);

  if (problem == NULL && check_content (self, &problem))
    return g_steal_pointer (&self);
  seam_source_set_damaged (what, problem, error);
  return NULL;
}

SeamSource *
seam_source_open_bytes (GBytes *bytes, const char *name, GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autoptr (SeamSource) self = source_new (name, size);
  g_autoptr (GError) reason = NULL;
  GError *problem = NULL;

  if (size > MAX_BYTES)
    return refuse_file (name, "It is larger than any session.", error);
  if (!check_header (self, data, size, &reason))
    return refuse_file (name, reason->message, error);
  open_image (self, data, &problem);
  return finish_open (g_steal_pointer (&self), problem, error);
}

static gboolean
is_same (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size
         && a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

gboolean
seam_source_is_current (const SeamSource *self)
{
  struct stat now;

  return self->path == NULL || (stat (self->path, &now) == 0 && is_same (&self->stamp, &now));
}

void
seam_source_set_path (SeamSource *self, const char *path)
{
  g_free (self->name);
  self->name = g_strdup (path);
  if (self->path != NULL) {
    g_free (self->path);
    self->path = g_strdup (path);
  }
}

/* Reads the whole file into memory: for a draft, which has to be changed, and for a path that is
 * too long for SQLite. */
static SeamSource *
open_whole (const char *path, const struct stat *stamp, GError **error)
{
  g_autofree char *data = NULL;
  g_autoptr (GError) problem = NULL;
  gsize size;

  if ((gsize)stamp->st_size > MAX_BYTES)
    return refuse_file (path, "It is larger than any session.", error);
  if (!g_file_get_contents (path, &data, &size, &problem))
    return refuse_file (path, problem->message, error);
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&data), size);
  SeamSource *self = seam_source_open_bytes (bytes, path, error);
  if (self != NULL) {
    self->path = g_canonicalize_filename (path, NULL);
    self->stamp = *stamp;
  }
  return self;
}

/* Reads the file's current state and its first bytes; NULL, or the reason why it cannot be read. */
static const char *
look_at (const char *path, struct stat *stamp, guint8 *header, gssize *n)
{
  /* Non-blocking, so that a named pipe is refused rather than waited for. */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const char *reason = NULL;

  if (fd < 0 && errno == ENOENT)
    return "There is no such file.";
  if (fd < 0 || fstat (fd, stamp) != 0)
    reason = g_strerror (errno);
  else if (S_ISDIR (stamp->st_mode))
    reason = "It is a folder.";
  else if (!S_ISREG (stamp->st_mode))
    reason = "It is no regular file.";
  else if (stamp->st_size > (goffset)MAX_FILE_BYTES)
    reason = "It is larger than any session.";
  else if ((*n = pread (fd, header, HEADER_BYTES, 0)) < 0)
    reason = g_strerror (errno);
  if (fd >= 0)
    close (fd);
  return reason;
}

SeamSource *
seam_source_open (const char *path, GError **error)
{
  /* Tries again if another program replaces the file between this look at it and SQLite's. */
  for (int attempt = 0;; attempt++) {
    guint8 header[HEADER_BYTES];
    gssize n = 0;
    struct stat stamp, again;
    const char *reason = look_at (path, &stamp, header, &n);
    g_autoptr (SeamSource) self = NULL;
    g_autoptr (GError) problem = NULL;
    GError *failure = NULL;

    if (reason != NULL)
      return refuse_file (path, reason, error);
    self = source_new (path, (guint64)stamp.st_size);
    if (!check_header (self, header, (gsize)n, &problem))
      return refuse_file (path, problem->message, error);
    self->path = g_canonicalize_filename (path, NULL);
    self->stamp = stamp;
    if (self->major < SEAM_SESSION_MAJOR || strlen (self->path) > MAX_PATH_BYTES)
      return open_whole (path, &stamp, error);
    open_pages (self, &failure);
    if (attempt < 100 && stat (path, &again) == 0 && !is_same (&stamp, &again)) {
      g_clear_error (&failure);
      continue;
    }
    return finish_open (g_steal_pointer (&self), failure, error);
  }
}
