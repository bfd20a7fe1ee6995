/* SPDX-License-Identifier: MIT
 *
 * Checksums; checksum.h says what they cover.
 */
#include "app/session/checksum.h"

#include "app/base/error.h"

#include <string.h>

/* The rows of an undamaged file have at most this many bytes for each of its bytes. A file whose
 * pages refer to each other may have any number. */
#define MAX_GROWTH 64

/* Adds type, length and bytes, so that no two different rows have the same input. */
static void
add_head (GChecksum *checksum, char type, guint64 length)
{
  guint64 size = GUINT64_TO_LE (length);

  g_checksum_update (checksum, (const guchar *)&type, 1);
  g_checksum_update (checksum, (const guchar *)&size, sizeof size);
}

static void
add (GChecksum *checksum, char type, const void *data, gsize length)
{
  add_head (checksum, type, length);
  if (length > 0)
    g_checksum_update (checksum, data, (gssize)length);
}

static void
add_text (GChecksum *checksum, const char *text)
{
  add (checksum, 't', text, strlen (text));
}

/* Returns the number of bytes that it added. */
static gsize
add_value (GChecksum *checksum, sqlite3_stmt *statement, int i)
{
  int type = sqlite3_column_type (statement, i);
  gsize size = sizeof (guint64);

  if (type == SQLITE_INTEGER) {
    gint64 number = GINT64_TO_LE (sqlite3_column_int64 (statement, i));
    add (checksum, 'i', &number, sizeof number);
  } else if (type == SQLITE_FLOAT) {
    double number = sqlite3_column_double (statement, i);
    guint64 bits;
    memcpy (&bits, &number, sizeof bits);
    bits = GUINT64_TO_LE (bits);
    add (checksum, 'r', &bits, sizeof bits);
  } else if (type == SQLITE_NULL) {
    add (checksum, 'n', NULL, 0);
  } else {
    const void *data = sqlite3_column_blob (statement, i);
    size = (gsize)sqlite3_column_bytes (statement, i);
    add (checksum, type == SQLITE_TEXT ? 't' : 'b', data, size);
  }
  return size;
}

static gboolean
add_rows (sqlite3 *db, GChecksum *checksum, const char *sql, guint64 *budget, GError **error)
{
  sqlite3_stmt *statement = NULL;
  int step = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);
  gboolean good = TRUE;

  if (step == SQLITE_OK)
    while (good && (step = sqlite3_step (statement)) == SQLITE_ROW)
      for (int i = 0; i < sqlite3_column_count (statement) && good; i++) {
        gsize size = add_value (checksum, statement, i);
        good = size <= *budget;
        *budget -= good ? size : 0;
      }
  if (!good)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE, "its pages refer to each other");
  else if (step != SQLITE_DONE)
    seam_session_fail (db, error);
  sqlite3_finalize (statement);
  return good && step == SQLITE_DONE;
}

char *
seam_session_make_checksum (sqlite3 *db, guint64 size, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GPtrArray) names =
      seam_session_query_texts (db, "SELECT name FROM sqlite_schema ORDER BY name", error);
  guint64 budget = MAX_GROWTH * size;

  if (names == NULL
      || !add_rows (db, checksum,
                    "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name", &budget,
                    error))
    return NULL;
  for (guint i = 0; i < names->len; i++) {
    const char *name = g_ptr_array_index (names, i);
    char *sql = sqlite3_mprintf ("SELECT rowid, * FROM \"%w\" %s ORDER BY rowid", name,
                                 strcmp (name, "meta") == 0 ? "WHERE \"key\" <> 'sha256'" : "");
    gboolean added = add_rows (db, checksum, sql, &budget, error);
    sqlite3_free (sql);
    if (!added)
      return NULL;
  }
  return g_strdup (g_checksum_get_string (checksum));
}

static gboolean
is_key (const SeamTable *table, const char *column)
{
  if (strcmp (column, "key") == 0)
    return TRUE;
  if (table->parent < 0 || !g_str_has_suffix (column, "_key"))
    return FALSE;
  const char *parent = seam_table_get (table->parent)->name;
  return g_str_has_prefix (column, parent) && strlen (column) == strlen (parent) + strlen ("_key");
}

void
seam_checksum_add_row (GChecksum *checksum, const SeamTable *table, sqlite3_stmt *statement)
{
  add_text (checksum, table->name);
  for (int i = 0; i < sqlite3_column_count (statement); i++) {
    const char *name = sqlite3_column_name (statement, i);
    if (sqlite3_column_type (statement, i) == SQLITE_NULL || is_key (table, name))
      continue;
    add_text (checksum, name);
    add_value (checksum, statement, i);
  }
}

void
seam_checksum_add_member (GChecksum *checksum, const char *name, const char *type, guint64 size)
{
  add_text (checksum, name);
  add_text (checksum, type);
  add_head (checksum, 'b', size);
}
