/* SPDX-License-Identifier: MIT
 *
 * Writes a session to a file, always as a new database: runs in memory from the variants of
 * app/result/; runs of another file row by row, without unpacking them. So the tables are always
 * this program's own, nothing is ever written into those of a foreign file, and older files get the
 * present format. A member without a column goes into the table `member`, so that new members of
 * results are kept without a change here. Before the new file replaces the old one, it is opened
 * and its new runs are read.
 */
#include "app/session/blob.h"
#include "app/session/checksum.h"
#include "app/session/session-private.h"

#include "app/base/error.h"
#include "app/base/file.h"
#include "app/version.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define LOCK_TIMEOUT_S 30
#define MAX_PATH_BYTES 500 /* SQLite's limit is 512 */

typedef struct {
  sqlite3 *db;
  sqlite3_stmt *insert[SEAM_N_TABLES];
  sqlite3_stmt *select[SEAM_N_TABLES]; /* one row by its key */
  sqlite3_stmt *insert_member;
  GChecksum *checksum; /* over the run or search that is being written */
} Writer;

/* The variant in little-endian order, as in files; a reference for the caller. */
static GVariant *
to_little_endian (GVariant *value)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return g_variant_ref (value);
  return g_variant_byteswap (value);
}

/* Executes an insertion and returns the new row's key, or 0 with the error. */
static gint64
finish_insert (Writer *writer, sqlite3_stmt *statement, GError **error)
{
  gboolean done = sqlite3_step (statement) == SQLITE_DONE;

  if (!done)
    seam_session_fail (writer->db, error);
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  return done ? sqlite3_last_insert_rowid (writer->db) : 0;
}

static gboolean
insert_member (Writer *writer, SeamTableId owner, gint64 row, const char *name, const char *type,
               const void *blob, gsize size, GError **error)
{
  sqlite3_stmt *statement = writer->insert_member;

  sqlite3_bind_text (statement, 1, seam_table_get (owner)->name, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 2, row);
  sqlite3_bind_text (statement, 3, name, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 4, type, -1, SQLITE_STATIC);
  sqlite3_bind_blob64 (statement, 5, blob, size, SQLITE_STATIC);
  seam_checksum_add_member (writer->checksum, name, type, size);
  g_checksum_update (writer->checksum, blob, (gssize)size);
  return finish_insert (writer, statement, error) != 0;
}

static gboolean
insert_variant (Writer *writer, SeamTableId owner, gint64 row, const char *name, GVariant *value,
                GError **error)
{
  g_autoptr (GVariant) normal = g_variant_get_normal_form (value);
  g_autoptr (GVariant) little = to_little_endian (normal);
  g_autoptr (GByteArray) blob =
      seam_blob_encode (g_variant_get_data (little), g_variant_get_size (little), 1);

  if (g_variant_get_size (little) > SEAM_SESSION_MAX_SMALL
      && !seam_table_takes_large (seam_table_get (owner), name))
    g_critical ("the member “%s” is large: schema.c has to say so, or it is not read", name);
  return insert_member (writer, owner, row, name, g_variant_get_type_string (value), blob->data,
                        blob->len, error);
}

/* Whether SQLite gives the same 64 bits back: it drops the sign of -0.0 and has no NaN, which is
 * stored as NULL. */
static gboolean
bind_real (sqlite3_stmt *statement, int i, double number)
{
  static const double unknown = NAN;

  if (memcmp (&number, &unknown, sizeof number) == 0)
    return TRUE;
  if (isnan (number) || (number == 0 && signbit (number)))
    return FALSE;
  return sqlite3_bind_double (statement, i, number) == SQLITE_OK;
}

static gboolean
bind_array (sqlite3_stmt *statement, int i, GVariant *value, SeamColumnKind kind)
{
  const char *type;
  guint element = seam_column_get_element (kind, &type);

  if (!g_variant_is_of_type (value, (const GVariantType *)type)
      || g_variant_get_size (value) % element != 0)
    return FALSE;
  g_autoptr (GVariant) little = to_little_endian (value);
  g_autoptr (GByteArray) blob =
      seam_blob_encode (g_variant_get_data (little), g_variant_get_size (little), element);
  return sqlite3_bind_blob (statement, i, blob->data, (int)blob->len, SQLITE_TRANSIENT)
         == SQLITE_OK;
}

/* Binds a value; FALSE: it does not fit the column and belongs in `member`. */
static gboolean
bind_value (sqlite3_stmt *statement, int i, GVariant *value, SeamColumnKind kind)
{
  switch (kind) {
  case SEAM_COLUMN_TEXT:
    return g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
           && sqlite3_bind_text (statement, i, g_variant_get_string (value, NULL), -1,
                                 SQLITE_TRANSIENT)
                  == SQLITE_OK;
  case SEAM_COLUMN_REAL:
    return g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)
           && bind_real (statement, i, g_variant_get_double (value));
  case SEAM_COLUMN_INTEGER:
    return g_variant_is_of_type (value, G_VARIANT_TYPE_INT64)
           && sqlite3_bind_int64 (statement, i, g_variant_get_int64 (value)) == SQLITE_OK;
  case SEAM_COLUMN_UNSIGNED:
    return g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64)
           && g_variant_get_uint64 (value) <= (guint64)G_MAXINT64
           && sqlite3_bind_int64 (statement, i, (gint64)g_variant_get_uint64 (value)) == SQLITE_OK;
  case SEAM_COLUMN_BOOLEAN:
    return g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN)
           && sqlite3_bind_int (statement, i, g_variant_get_boolean (value)) == SQLITE_OK;
  default:
    return bind_array (statement, i, value, kind);
  }
}

/* Adds the row to the checksum as SQLite has stored it, because a later check reads the stored
 * values. */
static gboolean
add_to_checksum (Writer *writer, SeamTableId table, gint64 key, GError **error)
{
  sqlite3_stmt *statement = writer->select[table];

  sqlite3_bind_int64 (statement, 1, key);
  gboolean found = sqlite3_step (statement) == SQLITE_ROW;
  if (found)
    seam_checksum_add_row (writer->checksum, seam_table_get (table), statement);
  else
    seam_session_fail (writer->db, error);
  sqlite3_reset (statement);
  return found;
}

static gboolean
is_child (SeamTableId parent, const char *name)
{
  for (int i = 0; i < SEAM_N_TABLES; i++)
    if (seam_table_get (i)->parent == (int)parent && strcmp (seam_table_get (i)->member, name) == 0)
      return TRUE;
  return FALSE;
}

/* Writes a row of `table` from a dictionary, and members for values that have no column there.
 * Returns the row's key, or 0 with the error. */
static gint64
insert_row (Writer *writer, SeamTableId table, gint64 parent, GVariant *dict, GError **error)
{
  g_autoptr (GHashTable) kept = g_hash_table_new (g_str_hash, g_str_equal);
  sqlite3_stmt *statement = writer->insert[table];
  GVariantIter iter;
  const char *name;
  GVariant *value;
  int i = 1;

  if (seam_table_get (table)->parent >= 0)
    sqlite3_bind_int64 (statement, i++, parent);
  for (const SeamColumn *column = seam_table_get (table)->columns; column->name != NULL;
       column++, i++) {
    g_autoptr (GVariant) found = g_variant_lookup_value (dict, column->name, NULL);
    if (found != NULL && bind_value (statement, i, found, column->kind))
      g_hash_table_add (kept, (gpointer)column->name);
  }
  gint64 key = finish_insert (writer, statement, error);
  if (key == 0 || !add_to_checksum (writer, table, key, error))
    return 0;
  g_variant_iter_init (&iter, dict);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &value)) {
    if (g_hash_table_contains (kept, name) || is_child (table, name)
        || insert_variant (writer, table, key, name, value, error))
      continue;
    g_variant_unref (value);
    return 0;
  }
  return key;
}

/* Writes a row with the rows of the tables below it. Returns the row's key, or 0 with the error. */
static gint64
insert_tree (Writer *writer, SeamTableId table, gint64 parent, GVariant *dict, GError **error)
{
  gint64 key = insert_row (writer, table, parent, dict, error);

  for (int i = 0; i < SEAM_N_TABLES && key != 0; i++) {
    const SeamTable *child = seam_table_get (i);

    if (child->parent != (int)table)
      continue;
    g_autoptr (GVariant) rows = g_variant_lookup_value (
        dict, child->member, child->max == 1 ? G_VARIANT_TYPE_VARDICT : G_VARIANT_TYPE ("aa{sv}"));
    if (rows != NULL && child->max == 1) {
      if (insert_tree (writer, (SeamTableId)i, key, rows, error) == 0)
        return 0;
      continue;
    }
    for (gsize k = 0; rows != NULL && k < g_variant_n_children (rows); k++) {
      g_autoptr (GVariant) row = g_variant_get_child_value (rows, k);
      if (insert_tree (writer, (SeamTableId)i, key, row, error) == 0)
        return 0;
    }
  }
  return key;
}

static GVariant *
make_slices (const SeamSessionRun *run, int plan)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    if (kept->plan != plan)
      continue;
    g_autoptr (GVariant) slice =
        g_variant_ref_sink (seam_record_to_variant (&seam_slice_type, kept->slice, TRUE));
    g_autoptr (GVariantDict) dict = g_variant_dict_new (slice);
    g_variant_dict_insert (dict, "trusted", "x", (gint64)kept->against);
    g_variant_builder_add_value (&builder, g_variant_dict_end (dict));
  }
  return g_variant_builder_end (&builder);
}

/* A run with all its rows, nested as in the file. */
GVariant *
seam_session_run_to_variant (const SeamSessionRun *run, gboolean with_bulk)
{
  g_autoptr (GVariant) result =
      g_variant_ref_sink (seam_result_to_variant (run->result, with_bulk));
  g_autoptr (GVariant) plans = g_variant_lookup_value (result, "plans", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GVariantDict) dict = g_variant_dict_new (result);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; i < g_variant_n_children (plans); i++) {
    g_autoptr (GVariant) plan = g_variant_get_child_value (plans, i);
    g_autoptr (GVariantDict) with_slices = g_variant_dict_new (plan);
    g_variant_dict_insert_value (with_slices, "slices", make_slices (run, (int)i));
    g_variant_builder_add_value (&builder, g_variant_dict_end (with_slices));
  }
  g_variant_dict_insert_value (dict, "plans", g_variant_builder_end (&builder));
  if (run->note != NULL) {
    g_autofree char *note = g_utf8_make_valid (run->note, -1);
    g_variant_dict_insert (dict, "note", "s", note);
  }
  if (run->code != NULL)
    g_variant_dict_insert_value (dict, "code", run->code);
  return g_variant_dict_end (dict);
}

/* --- Copying rows from a file --- */

static gboolean
copy_member (Writer *writer, SeamSource *source, SeamTableId owner, gint64 row, gint64 key,
             GError **error)
{
  const char *name, *type;
  guint64 size;

  if (!seam_source_select_member (source, key, &name, &type, error)
      || !seam_source_open_value (source, key, &size, error))
    return FALSE;
  g_autofree guint8 *blob = g_malloc (size);
  if (sqlite3_blob_read (source->value, blob, (int)size, 0) != SQLITE_OK)
    return seam_session_fail (source->db, error);
  return insert_member (writer, owner, row, name, type, blob, size, error);
}

static gint64
copy_row (Writer *writer, SeamSource *source, SeamTableId table, gint64 key, gint64 parent,
          GError **error)
{
  sqlite3_stmt *from = seam_source_select (source, table, key, FALSE, error);
  sqlite3_stmt *to = writer->insert[table];
  guint n;
  int i = 1;

  if (from == NULL)
    return 0;
  if (seam_table_get (table)->parent >= 0)
    sqlite3_bind_int64 (to, i++, parent);
  for (const SeamColumn *column = seam_table_get (table)->columns; column->name != NULL;
       column++, i++)
    for (int k = 0; k < sqlite3_column_count (from); k++)
      if (strcmp (sqlite3_column_name (from, k), column->name) == 0)
        sqlite3_bind_value (to, i, sqlite3_column_value (from, k));
  gint64 copy = finish_insert (writer, to, error);
  sqlite3_reset (from);
  const SeamRowKey *members = copy != 0 && add_to_checksum (writer, table, copy, error)
                                  ? seam_source_find_members (source, table, key, &n, error)
                                  : NULL;
  for (guint k = 0; members != NULL && k < n; k++)
    if (!copy_member (writer, source, table, copy, members[k].key, error))
      return 0;
  return members != NULL ? copy : 0;
}

static gint64
copy_tree (Writer *writer, SeamSource *source, SeamTableId table, gint64 key, gint64 parent,
           GError **error)
{
  gint64 copy = copy_row (writer, source, table, key, parent, error);

  for (int child = 0; child < SEAM_N_TABLES && copy != 0; child++) {
    guint n;

    if (seam_table_get (child)->parent != (int)table)
      continue;
    const SeamRowKey *rows = seam_source_find_rows (source, (SeamTableId)child, key, &n, error);
    if (rows == NULL)
      return 0;
    for (guint i = 0; i < n; i++)
      if (copy_tree (writer, source, (SeamTableId)child, rows[i].key, copy, error) == 0)
        return 0;
  }
  return copy;
}

/* Copies a run or search from a file, but not if it is damaged: in the new file its checksum would
 * match. */
static gint64
copy_checked (Writer *writer, SeamSource *source, SeamTableId table, gint64 key, GError **error)
{
  const char *stored = seam_source_get_checksum (source, table, key);

  if (stored == NULL && !seam_source_verify (source, error))
    return 0;
  gint64 copy = copy_tree (writer, source, table, key, 0, error);
  if (copy == 0 || stored == NULL || strcmp (stored, g_checksum_get_string (writer->checksum)) == 0)
    return copy;
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "the checksum of a run in %s does not fit",
               source->name);
  return 0;
}

/* --- The database --- */

static gboolean
insert_meta (Writer *writer, const char *key, const char *value, GError **error)
{
  char *sql = sqlite3_mprintf ("INSERT INTO meta VALUES (%Q, %Q)", key, value);
  gboolean done = seam_session_execute (writer->db, sql, error);

  sqlite3_free (sql);
  return done;
}

static sqlite3_stmt *
prepare_insert (Writer *writer, const SeamTable *table, GError **error)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  int n = table->parent >= 0;

  g_string_printf (sql, "INSERT INTO \"%s\" (", table->name);
  if (table->parent >= 0)
    g_string_append_printf (sql, "\"%s_key\"", seam_table_get (table->parent)->name);
  for (const SeamColumn *column = table->columns; column->name != NULL; column++, n++)
    g_string_append_printf (sql, "%s\"%s\"", n > 0 ? ", " : "", column->name);
  g_string_append (sql, ") VALUES (?");
  for (int i = 1; i < n; i++)
    g_string_append (sql, ", ?");
  g_string_append (sql, ")");
  return seam_session_prepare (writer->db, sql->str, error);
}

static gboolean
begin (Writer *writer, GError **error)
{
  g_autofree char *schema = seam_session_make_schema ();
  g_autofree char *program = g_strconcat ("Seamscope ", seam_version (), NULL);

  /* No journal: there is no older state to restore, and the commit brings everything to the
   * disk. */
  if (!seam_session_execute (writer->db,
                             "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;", error)
      || !seam_session_execute (writer->db, schema, error)
      || !insert_meta (writer, "written_by", program, error))
    return FALSE;
  writer->insert_member =
      seam_session_prepare (writer->db,
                            "INSERT INTO member (owner, \"row\", name, type, value) "
                            "VALUES (?, ?, ?, ?, ?)",
                            error);
  for (int i = 0; i < SEAM_N_TABLES && writer->insert_member != NULL; i++) {
    g_autofree char *select =
        g_strdup_printf ("SELECT * FROM \"%s\" WHERE \"key\" = ?", seam_table_get (i)->name);
    writer->insert[i] = prepare_insert (writer, seam_table_get (i), error);
    writer->select[i] =
        writer->insert[i] != NULL ? seam_session_prepare (writer->db, select, error) : NULL;
    if (writer->select[i] == NULL)
      return FALSE;
  }
  return writer->insert_member != NULL;
}

static void
finalize (Writer *writer)
{
  for (int i = 0; i < SEAM_N_TABLES; i++) {
    sqlite3_finalize (writer->insert[i]);
    sqlite3_finalize (writer->select[i]);
  }
  sqlite3_finalize (writer->insert_member);
}

/* Writes a run or search and its checksum; from a file if `source` is given. */
static gboolean
write_tree (Writer *writer, SeamTableId table, SeamSource *source, gint64 key, GVariant *tree,
            GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gint64 copy;

  writer->checksum = checksum;
  if (source != NULL) {
    g_mutex_lock (&source->lock);
    copy = copy_checked (writer, source, table, key, error);
    g_mutex_unlock (&source->lock);
  } else {
    copy = insert_tree (writer, table, 0, tree, error);
  }
  writer->checksum = NULL;
  g_autofree char *name = seam_session_name_checksum (table, copy);
  return copy != 0 && insert_meta (writer, name, g_checksum_get_string (checksum), error);
}

static gboolean
write_all (Writer *writer, const SeamSession *session, GError **error)
{
  for (guint i = 0; i < session->runs->len; i++) {
    const SeamSessionEntry *entry = g_ptr_array_index (session->runs, i);
    g_autoptr (GVariant) tree =
        entry->run != NULL ? seam_session_run_to_variant (entry->run, TRUE) : NULL;
    if (tree != NULL)
      g_variant_ref_sink (tree);
    if (!write_tree (writer, SEAM_TABLE_RUN, entry->source, entry->key, tree, error))
      return FALSE;
  }
  for (guint i = 0; i < session->searches->len; i++) {
    const SeamSessionSearch *search = g_ptr_array_index (session->searches, i);
    if (!write_tree (writer, SEAM_TABLE_SEARCH, search->source, search->key,
                     search->source == NULL ? search->content : NULL, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
fill (sqlite3 *db, const SeamSession *session, GError **error)
{
  Writer writer = { .db = db };
  gboolean good = begin (&writer, error) && write_all (&writer, session, error);
  g_autofree char *checksum = good ? seam_session_make_checksum (db, G_MAXUINT32, error) : NULL;

  good = checksum != NULL && insert_meta (&writer, "sha256", checksum, error);
  finalize (&writer);
  return good && seam_session_execute (db, "COMMIT;", error);
}

GBytes *
seam_session_to_bytes (const SeamSession *session, GError **error)
{
  GBytes *bytes = NULL;
  sqlite3 *db = NULL;

  if (sqlite3_open (":memory:", &db) != SQLITE_OK) {
    seam_session_fail (db, error);
  } else if (fill (db, session, error)) {
    sqlite3_int64 size;
    unsigned char *image = sqlite3_serialize (db, "main", &size, 0);
    if (image != NULL)
      bytes = g_bytes_new_with_free_func (image, (gsize)size, sqlite3_free, image);
    else
      seam_session_fail (db, error);
  }
  sqlite3_close (db);
  return bytes;
}

/* --- Files --- */

/* Opens the written file like any other, and reads the entries that were in no file before. */
static SeamSession *
read_back (SeamSource *opened, const char *path, const SeamSession *session, GError **error)
{
  g_autoptr (SeamSource) source = opened;

  if (source == NULL)
    return NULL;
  seam_source_set_path (source, path);
  g_autoptr (SeamSession) again = seam_session_new_from_source (source, error);
  if (again == NULL)
    return NULL;
  for (guint i = 0; i < session->runs->len; i++) {
    const SeamSessionEntry *entry = g_ptr_array_index (session->runs, i);
    g_autoptr (SeamSessionRun) run =
        entry->run != NULL ? seam_session_get_run (again, i, error) : NULL;
    if (entry->run != NULL && run == NULL)
      return NULL;
  }
  for (guint i = 0; i < session->searches->len; i++) {
    const SeamSessionSearch *search = g_ptr_array_index (session->searches, i);
    if (search->source == NULL
        && seam_session_search_get_content (again->searches->pdata[i], error) == NULL)
      return NULL;
  }
  return g_steal_pointer (&again);
}

/* The errno of a failed write. SQLite keeps the reason only until its next call, so `number`, errno
 * after the failure, is more reliable than sqlite3_system_errno(). */
static int
find_reason (int number)
{
  return number == EFBIG || number == EDQUOT || number == EIO ? number : ENOSPC;
}

static gpointer
fail_save (const char *path, const GError *problem, GError **error)
{
  return seam_fail_null (error, SEAM_ERROR_FILE, "%s cannot be saved. %s", path, problem->message);
}

static gboolean
fill_file (const char *temporary, const char *path, const SeamSession *session, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (temporary, NULL);
  g_autoptr (GError) problem = NULL;
  sqlite3 *db = NULL;
  gboolean good = FALSE;
  int code, number;

  /* No other program knows the file, so SQLite need not lock it. */
  if (sqlite3_open_v2 (absolute, &db, SQLITE_OPEN_READWRITE, "unix-none") != SQLITE_OK)
    seam_session_fail (db, &problem);
  else
    good = fill (db, session, &problem);
  number = errno;
  code = db != NULL ? sqlite3_errcode (db) : SQLITE_NOMEM;
  if (!good && (code == SQLITE_FULL || code == SQLITE_IOERR))
    seam_file_fail_write (error, path, find_reason (number));
  else if (!good)
    fail_save (path, problem, error);
  sqlite3_close (db);
  return good;
}

/* Builds the file in memory, for a path that SQLite cannot open: a device, a pipe, or a long
 * one. */
static SeamSession *
write_bytes (const char *path, const SeamSession *session, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GBytes) bytes = seam_session_to_bytes (session, &problem);
  g_autoptr (SeamSession) again = NULL;

  if (bytes != NULL)
    again = read_back (seam_source_open_bytes (bytes, path, &problem), path, session, &problem);
  if (again == NULL)
    return fail_save (path, problem, error);
  if (!seam_file_write (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error))
    return NULL;
  return g_steal_pointer (&again);
}

static SeamSession *
write_file (const char *path, const SeamSession *session, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autoptr (GError) problem = NULL;
  struct stat st;

  if ((stat (absolute, &st) == 0 && !S_ISREG (st.st_mode) && !S_ISDIR (st.st_mode))
      || strlen (absolute) > MAX_PATH_BYTES)
    return write_bytes (path, session, error);
  g_autoptr (SeamFileWriter) writer = seam_file_writer_new (path, error);
  const char *temporary = writer != NULL ? seam_file_writer_get_temporary (writer) : NULL;
  if (writer == NULL || !fill_file (temporary, path, session, error))
    return NULL;
  g_autoptr (SeamSession) again =
      read_back (seam_source_open (temporary, &problem), absolute, session, &problem);
  if (again == NULL)
    return fail_save (path, problem, error);
  return seam_file_writer_commit (writer, error) ? g_steal_pointer (&again) : NULL;
}

gboolean
seam_session_save (const SeamSession *session, const char *path, GError **error)
{
  g_autoptr (SeamSession) again = write_file (path, session, error);

  return again != NULL;
}

gboolean
seam_session_may_append (const SeamSession *session, GError **error)
{
  if (!session->partial)
    return TRUE;
  return seam_fail (
      error, SEAM_ERROR_FILE,
      "%s was written by a newer Seamscope; adding to it would lose what this program "
      "does not know. Give another file.",
      session->source->name);
}

/* The session that the file holds now, or an empty one if there is no file. */
static SeamSession *
load_present (const char *path, GError **error)
{
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return seam_session_new ();
  g_autoptr (SeamSession) present = seam_session_load (path, error);
  return present != NULL && seam_session_may_append (present, error) ? g_steal_pointer (&present)
                                                                     : NULL;
}

SeamSession *
seam_session_append (const char *path, const SeamSession *more, GError **error)
{
  g_autoptr (SeamFileLock) lock = seam_file_lock (path, LOCK_TIMEOUT_S, error);
  g_autoptr (SeamSession) present = lock != NULL ? load_present (path, error) : NULL;
  g_autoptr (SeamSession) whole = present != NULL ? seam_session_extend (present) : NULL;

  if (whole == NULL)
    return NULL;
  seam_session_add_all (whole, more);
  return write_file (path, whole, error);
}
