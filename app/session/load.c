/* SPDX-License-Identifier: MIT
 *
 * A file becomes a session. The bytes are read whole and opened as a database in memory, so that
 * neither journals beside the file nor changes to it matter, and nothing is written. What it may
 * hold is narrow: tables and rows. Views, triggers and functions are refused; the checksum tells
 * damage from data. The rows become the variants of app/result/, whose readers check every value.
 */
#include "app/session/blob.h"
#include "app/session/schema.h"
#include "app/session/session.h"

#include "app/base/error.h"
#include "app/result/variant.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define MAX_FILE_BYTES   ((gsize)256 << 20) /* a session has some MB */
#define MAX_MEMORY_BYTES ((gsize)512 << 20) /* of its unpacked arrays together */
#define MAX_TEXT_BYTES   (16 << 20)
#define MAX_RUNS         256
#define MAX_PLANS        256
#define MAX_KERNELS      4096
#define MAX_SLICES       256
#define MAX_SURVEYS      256
#define MAX_POINTS       4096
#define HEADER_BYTES     100 /* SQLite's file header */

typedef struct {
  sqlite3 *db;
  gsize budget; /* bytes that arrays may still take */
} Loader;

static guint32
read_big_endian (const guint8 *data, int offset)
{
  guint32 number;

  memcpy (&number, data + offset, sizeof number);
  return GUINT32_FROM_BE (number);
}

G_GNUC_PRINTF (2, 3)
static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE, reason);
  return FALSE;
}

/* What can be told from the first bytes; offsets are those of SQLite's file format. */
static gboolean
check_header (const guint8 *data, gsize size, int *major, int *minor, GError **error)
{
  guint32 version, page;
  guint64 whole;

  if (size == 0)
    return refuse (error, "The file is empty.");
  if (size < HEADER_BYTES || memcmp (data, "SQLite format 3", 16) != 0)
    return refuse (error, "This is no Seamscope session.");
  if (read_big_endian (data, 68) != SEAM_SESSION_APPLICATION_ID)
    return refuse (error, "This is a database of another program, no Seamscope session.");
  version = read_big_endian (data, 60);
  *major = (int)(version / 1000);
  *minor = (int)(version % 1000);
  if (version > G_MAXINT || *major > SEAM_SESSION_MAJOR)
    return refuse (error,
                   "It was written by a newer Seamscope (its format is %u.%u, this program reads "
                   "up to %d): update this program to open it.",
                   version / 1000, version % 1000, SEAM_SESSION_MAJOR);
  page = (guint32)data[16] << 8 | data[17];
  page = page == 1 ? 65536 : page;
  whole = (guint64)page * read_big_endian (data, 28);
  if (size < whole)
    return refuse (error,
                   "It is cut short: %" G_GSIZE_FORMAT " of %" G_GUINT64_FORMAT
                   " bytes are there; copy it again.",
                   size, whole);
  if (data[18] > 1 || data[19] > 1)
    return refuse (error, "Another program left it in write-ahead mode; "
                          "sqlite3 FILE 'PRAGMA journal_mode = DELETE' ends that.");
  return TRUE;
}

/* Reading tables is all that any statement may do from here on. */
static int
authorize_cb (void *data, int action, const char *a, const char *b, const char *c, const char *d)
{
  return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

static sqlite3 *
open_image (const guint8 *data, gsize size, GError **error)
{
  sqlite3 *db = NULL;
  guint8 *copy = sqlite3_malloc64 (size);

  if (copy == NULL || sqlite3_open (":memory:", &db) != SQLITE_OK) {
    seam_session_set_error (db, error);
    sqlite3_free (copy);
    sqlite3_close (db);
    return NULL;
  }
  memcpy (copy, data, size);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_limit (db, SQLITE_LIMIT_LENGTH, (int)MAX_FILE_BYTES);
  sqlite3_limit (db, SQLITE_LIMIT_ATTACHED, 0);
  /* Takes the copy, also when it fails. */
  if (sqlite3_deserialize (db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                           SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
          != SQLITE_OK
      || !seam_session_execute (db, "PRAGMA cell_size_check = ON;", error)) {
    if (error != NULL && *error == NULL)
      seam_session_set_error (db, error);
    sqlite3_close (db);
    return NULL;
  }
  return db;
}

/* The first column of a statement's rows, as texts. */
static GPtrArray *
query_texts (sqlite3 *db, const char *sql, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement = NULL;
  int step = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);

  if (step == SQLITE_OK)
    while ((step = sqlite3_step (statement)) == SQLITE_ROW)
      g_ptr_array_add (texts, g_strdup ((const char *)sqlite3_column_text (statement, 0)));
  if (step != SQLITE_DONE)
    seam_session_set_error (db, error);
  sqlite3_finalize (statement);
  return step == SQLITE_DONE ? g_steal_pointer (&texts) : NULL;
}

/* Nothing but plain tables: a view, a trigger, an index on an expression or a generated column
 * would be computed when it is read. */
static gboolean
check_tables (sqlite3 *db, GError **error)
{
  g_autoptr (GPtrArray) statements = query_texts (db, "SELECT sql FROM sqlite_schema", error);
  g_autoptr (GPtrArray) generated = NULL;

  if (statements == NULL)
    return FALSE;
  for (guint i = 0; i < statements->len; i++) {
    const char *sql = g_ptr_array_index (statements, i);
    if (sql == NULL || !g_str_has_prefix (sql, "CREATE TABLE "))
      return refuse (error, "it holds more than tables, which no session does");
  }
  generated =
      query_texts (db,
                   "SELECT c.name FROM sqlite_schema AS t, pragma_table_xinfo (t.name) AS c "
                   "WHERE c.hidden <> 0",
                   error);
  if (generated != NULL && generated->len > 0)
    return refuse (error, "its column “%s” is computed, which none of a session is",
                   (const char *)g_ptr_array_index (generated, 0));
  return generated != NULL;
}

/* The rows are those that were written. */
static gboolean
check_checksum (sqlite3 *db, int major, GError **error)
{
  g_autoptr (GPtrArray) stored = NULL;
  g_autofree char *made = NULL;

  /* The draft had no checksum. */
  if (major == 0)
    return TRUE;
  stored = query_texts (db, "SELECT value FROM meta WHERE \"key\" = 'sha256'", error);
  if (stored == NULL)
    return FALSE;
  made = seam_session_make_checksum (db, error);
  if (made == NULL)
    return FALSE;
  if (stored->len != 1 || g_strcmp0 (g_ptr_array_index (stored, 0), made) != 0)
    return refuse (error, "its checksum does not fit");
  return TRUE;
}

/* A variant of the BLOB in column `i`; NULL with the error. */
static GVariant *
read_blob (Loader *loader, sqlite3_stmt *statement, int i, const char *type, guint element,
           GError **error)
{
  const void *blob = sqlite3_column_blob (statement, i);
  gsize size, blob_size = (gsize)sqlite3_column_bytes (statement, i);
  gpointer data = seam_blob_decode (blob, blob_size, element, &loader->budget, &size, error);

  if (data == NULL)
    return NULL;
  /* Not trusted: GVariant checks it, and gives defaults for what is malformed. */
  g_autoptr (GVariant) value = g_variant_ref_sink (
      g_variant_new_from_data ((const GVariantType *)type, data, size, FALSE, g_free, data));
  return G_BYTE_ORDER == G_LITTLE_ENDIAN ? g_steal_pointer (&value) : g_variant_byteswap (value);
}

/* A NULL in a REAL column is NaN, elsewhere no value. NULL without an error: no value. */
static GVariant *
read_value (Loader *loader, sqlite3_stmt *statement, int i, const SeamColumn *column,
            GError **error)
{
  int type = sqlite3_column_type (statement, i);
  const char *array_type;
  guint element = seam_column_get_element (column->kind, &array_type);

  if (type == SQLITE_NULL)
    return column->kind == SEAM_COLUMN_REAL ? g_variant_ref_sink (g_variant_new_double (NAN))
                                            : NULL;
  if (element > 0 && type == SQLITE_BLOB)
    return read_blob (loader, statement, i, array_type, element, error);
  if (column->kind == SEAM_COLUMN_TEXT && type == SQLITE_TEXT) {
    const char *text = (const char *)sqlite3_column_text (statement, i);
    int length = sqlite3_column_bytes (statement, i);
    if (text != NULL && length <= MAX_TEXT_BYTES && g_utf8_validate (text, length, NULL))
      return g_variant_ref_sink (g_variant_new_string (text));
  }
  if (column->kind == SEAM_COLUMN_REAL && type == SQLITE_FLOAT)
    return g_variant_ref_sink (g_variant_new_double (sqlite3_column_double (statement, i)));
  if (type == SQLITE_INTEGER) {
    gint64 number = sqlite3_column_int64 (statement, i);
    if (column->kind == SEAM_COLUMN_INTEGER)
      return g_variant_ref_sink (g_variant_new_int64 (number));
    if (column->kind == SEAM_COLUMN_UNSIGNED && number >= 0)
      return g_variant_ref_sink (g_variant_new_uint64 ((guint64)number));
    if (column->kind == SEAM_COLUMN_BOOLEAN && (number == 0 || number == 1))
      return g_variant_ref_sink (g_variant_new_boolean (number != 0));
  }
  refuse (error, "“%s” holds something that does not belong there", column->name);
  return NULL;
}

static sqlite3_stmt *
prepare (Loader *loader, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (loader->db, sql, -1, &statement, NULL) == SQLITE_OK)
    return statement;
  seam_session_set_error (loader->db, error);
  return NULL;
}

/* Adds what has no column: before the columns, because a value that does not fit its column (NULL
 * there) lies here. */
static gboolean
read_members (Loader *loader, const char *owner, gint64 row, GVariantDict *dict, GError **error)
{
  sqlite3_stmt *statement = prepare (
      loader,
      "SELECT name, type, value FROM member WHERE owner = ? AND \"row\" = ? ORDER BY \"key\"",
      error);
  int step;
  gboolean good = TRUE;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, owner, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64 (statement, 2, row);
  while (good && (step = sqlite3_step (statement)) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text (statement, 0);
    const char *type = (const char *)sqlite3_column_text (statement, 1);
    if (name == NULL || !g_utf8_validate (name, -1, NULL) || type == NULL
        || !g_variant_type_string_is_valid (type)
        || !g_variant_type_is_definite ((const GVariantType *)type)) {
      good = refuse (error, "a member is damaged");
      break;
    }
    g_autoptr (GVariant) value = read_blob (loader, statement, 2, type, 1, error);
    good = value != NULL;
    if (good) {
      g_autoptr (GVariant) normal = g_variant_get_normal_form (value);
      g_variant_dict_insert_value (dict, name, normal);
    }
  }
  if (good && step != SQLITE_DONE) {
    seam_session_set_error (loader->db, error);
    good = FALSE;
  }
  sqlite3_finalize (statement);
  return good;
}

/* The row that `statement` stands at, as a dictionary. */
static GVariantDict *
read_row (Loader *loader, const SeamTable *table, sqlite3_stmt *statement, GError **error)
{
  g_autoptr (GVariantDict) dict = g_variant_dict_new (NULL);
  int n = sqlite3_column_count (statement);

  if (!read_members (loader, table->name, sqlite3_column_int64 (statement, 0), dict, error))
    return NULL;
  for (const SeamColumn *column = table->columns; column->name != NULL; column++) {
    GError *problem = NULL;
    int i = 1;
    while (i < n && strcmp (sqlite3_column_name (statement, i), column->name) != 0)
      i++;
    if (i == n || g_variant_dict_contains (dict, column->name))
      continue;
    g_autoptr (GVariant) value = read_value (loader, statement, i, column, &problem);
    if (problem != NULL) {
      g_propagate_error (error, problem);
      return NULL;
    }
    if (value != NULL)
      g_variant_dict_insert_value (dict, column->name, value);
  }
  return g_steal_pointer (&dict);
}

typedef struct {
  gint64 key;
  GVariantDict *dict;
} Row;

static void
row_free (Row *row)
{
  g_variant_dict_unref (row->dict);
  g_free (row);
}

/* All rows of `table` that belong to `parent`, in order; at most `max`. */
static GPtrArray *
read_rows (Loader *loader, const SeamTable *table, gint64 parent, guint max, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)row_free);
  g_autofree char *where =
      table->parent != NULL ? g_strdup_printf (" WHERE \"%s_key\" = ?", table->parent) : NULL;
  /* "key" comes first, whatever the file's order of columns. */
  g_autofree char *sql = g_strdup_printf ("SELECT \"key\", * FROM \"%s\"%s ORDER BY \"key\"",
                                          table->name, where != NULL ? where : "");
  sqlite3_stmt *statement = prepare (loader, sql, error);
  gboolean good = statement != NULL;
  int step = SQLITE_DONE;

  if (good && table->parent != NULL)
    sqlite3_bind_int64 (statement, 1, parent);
  while (good && (step = sqlite3_step (statement)) == SQLITE_ROW) {
    GVariantDict *dict = rows->len < max ? read_row (loader, table, statement, error) : NULL;
    Row *row;
    good = dict != NULL;
    if (!good)
      break;
    row = g_new0 (Row, 1);
    row->key = sqlite3_column_int64 (statement, 0);
    row->dict = dict;
    g_ptr_array_add (rows, row);
  }
  if (rows->len == max && !good && error != NULL && *error == NULL)
    refuse (error, "it holds too many rows of “%s”", table->name);
  if (good && step != SQLITE_DONE) {
    seam_session_set_error (loader->db, error);
    good = FALSE;
  }
  sqlite3_finalize (statement);
  return good ? g_steal_pointer (&rows) : NULL;
}

/* Puts the only row of `table`, if there is one, into `dict` under the table's name. */
static gboolean
nest_one (Loader *loader, const SeamTable *table, gint64 parent, GVariantDict *dict, GError **error)
{
  g_autoptr (GPtrArray) rows = read_rows (loader, table, parent, 1, error);

  if (rows == NULL)
    return FALSE;
  if (rows->len == 1)
    g_variant_dict_insert_value (dict, table->name,
                                 g_variant_dict_end (((Row *)rows->pdata[0])->dict));
  return TRUE;
}

static void
nest_all (GPtrArray *rows, const char *name, GVariantDict *dict)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < rows->len; i++)
    g_variant_builder_add_value (&builder, g_variant_dict_end (((Row *)rows->pdata[i])->dict));
  g_variant_dict_insert_value (dict, name, g_variant_builder_end (&builder));
}

static GPtrArray *
read_plans (Loader *loader, gint64 run, GVariantDict *dict, GError **error)
{
  g_autoptr (GPtrArray) plans = read_rows (loader, &seam_table_plan, run, MAX_PLANS, error);

  for (guint i = 0; plans != NULL && i < plans->len; i++) {
    Row *plan = g_ptr_array_index (plans, i);
    g_autoptr (GPtrArray) kernels =
        read_rows (loader, &seam_table_kernel, plan->key, MAX_KERNELS, error);
    if (kernels == NULL || !nest_one (loader, &seam_table_difference, plan->key, plan->dict, error))
      return NULL;
    nest_all (kernels, "kernels", plan->dict);
  }
  if (plans != NULL)
    nest_all (plans, "plans", dict);
  return g_steal_pointer (&plans);
}

static gboolean
read_slices (Loader *loader, SeamSessionRun *run, int plan, gint64 key, GError **error)
{
  g_autoptr (GPtrArray) rows = read_rows (loader, &seam_table_slice, key, MAX_SLICES, error);

  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    g_autoptr (GVariant) variant =
        g_variant_ref_sink (g_variant_dict_end (((Row *)rows->pdata[i])->dict));
    g_autoptr (SeamSlice) slice = seam_slice_from_variant (variant, error);
    SeamReader reader;
    int trusted = -1;

    if (slice == NULL)
      return FALSE;
    seam_reader_init (&reader, variant, "slice");
    seam_reader_require (&reader, "trusted");
    seam_reader_int (&reader, "trusted", -1, run->result->n_plans - 1, &trusted);
    if (slice->a == NULL)
      seam_reader_fail (&reader, "it has no values");
    if (!seam_reader_finish (&reader, error))
      return FALSE;
    seam_session_run_add_slice (run, plan, trusted, g_steal_pointer (&slice));
  }
  return rows != NULL;
}

static SeamSessionRun *
read_run (Loader *loader, Row *row, GError **error)
{
  g_autoptr (SeamSessionRun) run = NULL;
  g_autoptr (SeamResult) result = NULL;
  g_autoptr (GPtrArray) plans = NULL;
  const char *note = NULL;

  if (!nest_one (loader, &seam_table_device, row->key, row->dict, error))
    return NULL;
  plans = read_plans (loader, row->key, row->dict, error);
  if (plans == NULL)
    return NULL;
  g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_dict_end (row->dict));
  result = seam_result_from_variant (variant, error);
  if (result == NULL)
    return NULL;
  g_variant_lookup (variant, "note", "&s", &note);
  run = seam_session_run_new (result, note);
  g_autoptr (GVariant) code = g_variant_lookup_value (variant, "code", G_VARIANT_TYPE_VARDICT);
  if (code != NULL)
    seam_session_run_set_code (run, code);
  for (guint i = 0; i < plans->len; i++)
    if (!read_slices (loader, run, (int)i, ((Row *)plans->pdata[i])->key, error))
      return NULL;
  return g_steal_pointer (&run);
}

static gboolean
read_survey (Loader *loader, SeamSession *session, Row *row, GError **error)
{
  g_autoptr (GPtrArray) points =
      read_rows (loader, &seam_table_point, row->key, MAX_POINTS + 1, error);
  const char *note = NULL;

  if (points == NULL)
    return FALSE;
  nest_all (points, "points", row->dict);
  g_autoptr (GVariant) content = g_variant_ref_sink (g_variant_dict_end (row->dict));
  g_variant_lookup (content, "note", "&s", &note);
  seam_session_add_survey (session, content, note);
  return TRUE;
}

/* Files before format 1.3 have no such table. */
static gboolean
read_surveys (Loader *loader, SeamSession *session, GError **error)
{
  g_autoptr (GPtrArray) names = query_texts (
      loader->db, "SELECT name FROM sqlite_schema WHERE name IN ('survey', 'point')", error);
  g_autoptr (GPtrArray) rows = NULL;

  if (names == NULL || names->len < 2)
    return names != NULL;
  rows = read_rows (loader, &seam_table_survey, 0, MAX_SURVEYS, error);
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    if (!read_survey (loader, session, g_ptr_array_index (rows, i), error))
      return FALSE;
  return rows != NULL;
}

static SeamSession *
read_session (Loader *loader, GError **error)
{
  g_autoptr (SeamSession) session = seam_session_new ();
  g_autoptr (GPtrArray) rows = read_rows (loader, &seam_table_run, 0, MAX_RUNS, error);

  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    g_autoptr (SeamSessionRun) run = read_run (loader, g_ptr_array_index (rows, i), error);
    if (run == NULL)
      return NULL;
    seam_session_add_run (session, run);
  }
  if (rows == NULL || !read_surveys (loader, session, error))
    return NULL;
  if (rows->len > 0 || session->surveys->len > 0)
    return g_steal_pointer (&session);
  refuse (error, "it holds no run");
  return NULL;
}

static SeamSession *
read_image (Loader *loader, int major, GError **error)
{
  if (!check_tables (loader->db, error))
    return NULL;
  sqlite3_set_authorizer (loader->db, authorize_cb, NULL);
  if (!check_checksum (loader->db, major, error))
    return NULL;
  sqlite3_set_authorizer (loader->db, NULL, NULL);
  if (!seam_session_migrate (loader->db, major, error))
    return NULL;
  sqlite3_set_authorizer (loader->db, authorize_cb, NULL);
  return read_session (loader, error);
}

static SeamSession *
load_image (const guint8 *data, gsize size, GError **error)
{
  SeamSession *session = NULL;
  g_autoptr (GError) problem = NULL;
  Loader loader = { NULL, MAX_MEMORY_BYTES };
  int major = 0, minor = 0;

  if (!check_header (data, size, &major, &minor, error))
    return NULL;
  loader.db = open_image (data, size, &problem);
  if (loader.db != NULL)
    session = read_image (&loader, major, &problem);
  sqlite3_close (loader.db);
  if (session == NULL) {
    /* It may quote what is damaged. */
    g_autofree char *reason = g_utf8_make_valid (problem->message, -1);
    refuse (error, "It is damaged; take another copy of it (%s).",
            g_strdelimit (reason, "\n", ' '));
  } else {
    session->partial = major == SEAM_SESSION_MAJOR && minor > SEAM_SESSION_MINOR;
  }
  return session;
}

SeamSession *
seam_session_from_bytes (GBytes *bytes, const char *name, GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  SeamSession *session = NULL;

  if (size > MAX_FILE_BYTES)
    refuse (error, "It is larger than any session.");
  else
    session = load_image (data, size, error);
  if (session == NULL)
    g_prefix_error (error, "%s cannot be opened. ", name);
  return session;
}

/* What can be said of a path before it is read; NULL: nothing. */
static const char *
judge_path (const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return errno == ENOENT ? "There is no such file." : g_strerror (errno);
  if (S_ISDIR (status.st_mode))
    return "It is a folder.";
  if (!S_ISREG (status.st_mode))
    return "It is no regular file.";
  return status.st_size > (goffset)MAX_FILE_BYTES ? "It is larger than any session." : NULL;
}

SeamSession *
seam_session_load (const char *path, GError **error)
{
  g_autofree char *data = NULL;
  g_autoptr (GError) problem = NULL;
  const char *reason = judge_path (path);
  gsize size;

  if (reason == NULL && !g_file_get_contents (path, &data, &size, &problem))
    reason = problem->message;
  if (reason != NULL) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "%s cannot be opened. %s", path, reason);
    return NULL;
  }
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&data), size);
  return seam_session_from_bytes (bytes, path, error);
}
