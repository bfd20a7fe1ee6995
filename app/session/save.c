/* SPDX-License-Identifier: MIT
 *
 * A session becomes a file: the database is built in memory, then its bytes replace the old file in
 * one step. Rows are made from the variants of app/result/; a member without a column goes into the
 * table `member`, so that what is added to results is kept without a change here.
 */
#include "app/base/npy.h"
#include "app/session/blob.h"
#include "app/session/schema.h"
#include "app/session/session.h"

#include "app/base/error.h"
#include "app/version.h"

#include <math.h>
#include <string.h>

/* Little-endian, as files are; a reference for the caller. */
static GVariant *
to_little_endian (GVariant *value)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return g_variant_ref (value);
  return g_variant_byteswap (value);
}

static gboolean
finish_insert (sqlite3 *db, sqlite3_stmt *statement, GError **error)
{
  gboolean done = statement != NULL && sqlite3_step (statement) == SQLITE_DONE;

  if (!done)
    seam_session_set_error (db, error);
  sqlite3_finalize (statement);
  return done;
}

static gboolean
insert_member (sqlite3 *db, const char *owner, gint64 row, const char *name, GVariant *value,
               GError **error)
{
  g_autoptr (GVariant) normal = g_variant_get_normal_form (value);
  g_autoptr (GVariant) little = to_little_endian (normal);
  g_autoptr (GByteArray) blob =
      seam_blob_encode (g_variant_get_data (little), g_variant_get_size (little), 1);
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db,
                          "INSERT INTO member (owner, \"row\", name, type, value) "
                          "VALUES (?, ?, ?, ?, ?)",
                          -1, &statement, NULL)
      == SQLITE_OK) {
    sqlite3_bind_text (statement, 1, owner, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64 (statement, 2, row);
    sqlite3_bind_text (statement, 3, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text (statement, 4, g_variant_get_type_string (value), -1, SQLITE_TRANSIENT);
    sqlite3_bind_blob (statement, 5, blob->data, (int)blob->len, SQLITE_TRANSIENT);
  }
  return finish_insert (db, statement, error);
}

/* Whether SQLite gives the same 64 bits back: it drops the sign of -0.0 and knows no NaN, for which
 * NULL stands. */
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

/* FALSE: the value does not fit the column and belongs into `member`. */
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

static sqlite3_stmt *
prepare_insert (sqlite3 *db, const SeamTable *table)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  sqlite3_stmt *statement = NULL;
  int n = table->parent != NULL;

  g_string_printf (sql, "INSERT INTO \"%s\" (", table->name);
  if (table->parent != NULL)
    g_string_append_printf (sql, "\"%s_key\"", table->parent);
  for (const SeamColumn *column = table->columns; column->name != NULL; column++, n++)
    g_string_append_printf (sql, "%s\"%s\"", n > 0 ? ", " : "", column->name);
  g_string_append (sql, ") VALUES (?");
  for (int i = 1; i < n; i++)
    g_string_append (sql, ", ?");
  g_string_append (sql, ")");
  return sqlite3_prepare_v2 (db, sql->str, -1, &statement, NULL) == SQLITE_OK ? statement : NULL;
}

/* A row of `table` from a dictionary, and `member` rows for what has no column there. Members that
 * are tables of their own are named by `apart`. Returns the row's key, or 0 with the error. */
static gint64
insert_row (sqlite3 *db, const SeamTable *table, gint64 parent, GVariant *dict,
            const char *const *apart, GError **error)
{
  g_autoptr (GHashTable) kept = g_hash_table_new (g_str_hash, g_str_equal);
  sqlite3_stmt *statement = prepare_insert (db, table);
  gint64 key;
  GVariantIter iter;
  const char *name;
  GVariant *value;
  int i = 1;

  if (statement != NULL && table->parent != NULL)
    sqlite3_bind_int64 (statement, i++, parent);
  for (const SeamColumn *column = table->columns; statement != NULL && column->name != NULL;
       column++, i++) {
    g_autoptr (GVariant) found = g_variant_lookup_value (dict, column->name, NULL);
    if (found != NULL && bind_value (statement, i, found, column->kind))
      g_hash_table_add (kept, (gpointer)column->name);
  }
  if (!finish_insert (db, statement, error))
    return 0;
  key = sqlite3_last_insert_rowid (db);
  g_variant_iter_init (&iter, dict);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &value)) {
    if (g_hash_table_contains (kept, name) || (apart != NULL && g_strv_contains (apart, name)))
      continue;
    if (!insert_member (db, table->name, key, name, value, error)) {
      g_variant_unref (value);
      return 0;
    }
  }
  return key;
}

static gboolean
insert_slices (sqlite3 *db, const SeamSessionRun *run, int plan, gint64 key, GError **error)
{
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    if (kept->plan != plan)
      continue;
    g_autoptr (GVariant) slice = g_variant_ref_sink (seam_slice_to_variant (kept->slice));
    g_autoptr (GVariantDict) dict = g_variant_dict_new (slice);
    g_variant_dict_insert (dict, "trusted", "x", (gint64)kept->trusted);
    g_autoptr (GVariant) whole = g_variant_ref_sink (g_variant_dict_end (dict));
    if (!insert_row (db, &seam_table_slice, key, whole, NULL, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
insert_plan (sqlite3 *db, gint64 run_key, GVariant *plan, gint64 *key, GError **error)
{
  static const char *const apart[] = { "kernels", "difference", NULL };
  g_autoptr (GVariant) kernels =
      g_variant_lookup_value (plan, "kernels", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GVariant) difference =
      g_variant_lookup_value (plan, "difference", G_VARIANT_TYPE_VARDICT);

  *key = insert_row (db, &seam_table_plan, run_key, plan, apart, error);
  if (*key == 0)
    return FALSE;
  for (gsize i = 0; kernels != NULL && i < g_variant_n_children (kernels); i++) {
    g_autoptr (GVariant) kernel = g_variant_get_child_value (kernels, i);
    if (insert_row (db, &seam_table_kernel, *key, kernel, NULL, error) == 0)
      return FALSE;
  }
  return difference == NULL
         || insert_row (db, &seam_table_difference, *key, difference, NULL, error) != 0;
}

static gboolean
insert_run (sqlite3 *db, const SeamSessionRun *run, GError **error)
{
  static const char *const apart[] = { "device", "plans", NULL };
  g_autoptr (GVariant) result = g_variant_ref_sink (seam_result_to_variant (run->result, TRUE));
  g_autoptr (GVariant) device = g_variant_lookup_value (result, "device", G_VARIANT_TYPE_VARDICT);
  g_autoptr (GVariant) plans = g_variant_lookup_value (result, "plans", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GVariantDict) dict = g_variant_dict_new (result);
  gint64 run_key, plan_key;

  if (run->note != NULL) {
    g_autofree char *note = g_utf8_make_valid (run->note, -1);
    g_variant_dict_insert (dict, "note", "s", note);
  }
  if (run->code != NULL)
    g_variant_dict_insert_value (dict, "code", run->code);
  g_autoptr (GVariant) whole = g_variant_ref_sink (g_variant_dict_end (dict));
  run_key = insert_row (db, &seam_table_run, 0, whole, apart, error);
  if (run_key == 0
      || (device != NULL && !insert_row (db, &seam_table_device, run_key, device, NULL, error)))
    return FALSE;
  for (gsize i = 0; i < g_variant_n_children (plans); i++) {
    g_autoptr (GVariant) plan = g_variant_get_child_value (plans, i);
    if (!insert_plan (db, run_key, plan, &plan_key, error)
        || !insert_slices (db, run, (int)i, plan_key, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
insert_survey (sqlite3 *db, const SeamSessionSurvey *survey, GError **error)
{
  static const char *const apart[] = { "points", NULL };
  g_autoptr (GVariant) points =
      g_variant_lookup_value (survey->content, "points", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GVariantDict) dict = g_variant_dict_new (survey->content);
  gint64 key;

  if (survey->note != NULL) {
    g_autofree char *note = g_utf8_make_valid (survey->note, -1);
    g_variant_dict_insert (dict, "note", "s", note);
  }
  g_autoptr (GVariant) whole = g_variant_ref_sink (g_variant_dict_end (dict));
  key = insert_row (db, &seam_table_survey, 0, whole, apart, error);
  for (gsize i = 0; key != 0 && points != NULL && i < g_variant_n_children (points); i++) {
    g_autoptr (GVariant) point = g_variant_get_child_value (points, i);
    if (insert_row (db, &seam_table_point, key, point, NULL, error) == 0)
      return FALSE;
  }
  return key != 0;
}

static gboolean
insert_meta (sqlite3 *db, const char *key, const char *value, GError **error)
{
  char *sql = sqlite3_mprintf ("INSERT INTO meta VALUES (%Q, %Q)", key, value);
  gboolean done = seam_session_execute (db, sql, error);

  sqlite3_free (sql);
  return done;
}

static gboolean
fill (sqlite3 *db, const SeamSession *session, GError **error)
{
  g_autofree char *schema = seam_session_make_schema ();
  g_autofree char *writer = g_strconcat ("Seamscope ", seam_version (), NULL);

  if (!seam_session_execute (db, "PRAGMA foreign_keys = ON; BEGIN;", error)
      || !seam_session_execute (db, schema, error)
      || !insert_meta (db, "written_by", writer, error))
    return FALSE;
  for (guint i = 0; i < session->runs->len; i++)
    if (!insert_run (db, g_ptr_array_index (session->runs, i), error))
      return FALSE;
  for (guint i = 0; i < session->surveys->len; i++)
    if (!insert_survey (db, g_ptr_array_index (session->surveys, i), error))
      return FALSE;
  g_autofree char *checksum = seam_session_make_checksum (db, error);
  return checksum != NULL && insert_meta (db, "sha256", checksum, error)
         && seam_session_execute (db, "COMMIT;", error);
}

GBytes *
seam_session_to_bytes (const SeamSession *session, GError **error)
{
  GBytes *bytes = NULL;
  sqlite3 *db = NULL;

  if (sqlite3_open (":memory:", &db) != SQLITE_OK) {
    seam_session_set_error (db, error);
  } else if (fill (db, session, error)) {
    sqlite3_int64 size;
    unsigned char *image = sqlite3_serialize (db, "main", &size, 0);
    if (image != NULL)
      bytes = g_bytes_new_with_free_func (image, (gsize)size, sqlite3_free, image);
    else
      seam_session_set_error (db, error);
  }
  sqlite3_close (db);
  return bytes;
}

gboolean
seam_session_save (const SeamSession *session, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = seam_session_to_bytes (session, error);
  gsize size;
  const void *data;

  if (bytes == NULL) {
    g_prefix_error (error, "%s cannot be saved. ", path);
    return FALSE;
  }
  data = g_bytes_get_data (bytes, &size);
  return seam_file_write (path, data, size, error);
}
