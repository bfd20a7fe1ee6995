/* SPDX-License-Identifier: MIT
 *
 * Turns rows into variants; their readers in app/result/ check every value. Limits the memory that
 * one run may take when unpacked, and skips large members that no reader knows.
 */
#include "app/session/load.h"

#include "app/session/blob.h"
#include "app/session/checksum.h"

#include "app/base/error.h"
#include "app/record/variant.h"

#include <math.h>
#include <string.h>

#define MAX_MEMORY_BYTES ((gsize)256 << 20) /* of one run or search, unpacked */
#define MAX_TEXT_BYTES   (16 << 20)
#define ROW_BYTES        4096 /* overhead of a row beside the bytes of its values */
#define BLOB_HEADER      8    /* blob.h */
#define PART_BYTES       65536

typedef struct {
  SeamSource *source;
  GChecksum *checksum; /* over the data that is read; NULL: light */
  gsize budget;        /* bytes that may still be unpacked */
} Reader;

/* Takes `bytes` from the budget of a run. */
static gboolean
take (Reader *reader, gsize bytes, GError **error)
{
  if (bytes > reader->budget)
    return seam_fail (error, SEAM_ERROR_MEMORY, "it is too large");
  reader->budget -= bytes;
  return TRUE;
}

/* A variant of a BLOB; NULL with the error. */
static GVariant *
read_blob (Reader *reader, const void *blob, gsize blob_size, const char *type, guint element,
           GError **error)
{
  gsize size;
  gpointer data = seam_blob_decode (blob, blob_size, element, &reader->budget, &size, error);

  if (data == NULL)
    return NULL;
  /* Marked as untrusted, so that GVariant checks whether each value is where it belongs, except for
   * whole numbers of a column. Normalising a bad one could take a hundred times the memory. */
  gboolean is_valid = element > 1 && size % element == 0;
  g_autoptr (GVariant) value = g_variant_ref_sink (
      g_variant_new_from_data ((const GVariantType *)type, data, size, is_valid, g_free, data));
  if (!g_variant_is_normal_form (value))
    return seam_fail_null (error, SEAM_ERROR_FILE, "a value is damaged");
  return G_BYTE_ORDER == G_LITTLE_ENDIAN ? g_steal_pointer (&value) : g_variant_byteswap (value);
}

/* A NULL in a REAL column is NaN; elsewhere it is no value. NULL without an error: no value. */
static GVariant *
read_value (Reader *reader, sqlite3_stmt *statement, int i, const SeamColumn *column,
            GError **error)
{
  int type = sqlite3_column_type (statement, i);
  const char *array_type;
  guint element = seam_column_get_element (column->kind, &array_type);

  if (type == SQLITE_NULL)
    return column->kind == SEAM_COLUMN_REAL ? g_variant_ref_sink (g_variant_new_double (NAN))
                                            : NULL;
  if (element > 0 && type == SQLITE_BLOB)
    return read_blob (reader, sqlite3_column_blob (statement, i),
                      (gsize)sqlite3_column_bytes (statement, i), array_type, element, error);
  if (column->kind == SEAM_COLUMN_TEXT && type == SQLITE_TEXT) {
    const char *text = (const char *)sqlite3_column_text (statement, i);
    int length = sqlite3_column_bytes (statement, i);
    if (text != NULL && length <= MAX_TEXT_BYTES && g_utf8_validate (text, length, NULL))
      return take (reader, (gsize)length, error) ? g_variant_ref_sink (g_variant_new_string (text))
                                                 : NULL;
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
  return seam_fail_null (error, SEAM_ERROR_FILE, "“%s” holds something that does not belong there",
                         column->name);
}

/* Whether a member is unpacked: by its name, and by the size that its header states. */
static gboolean
is_wanted (const SeamTable *table, const char *name, const guint8 *header, gboolean light)
{
  guint32 size;

  memcpy (&size, header + 4, sizeof size);
  size = GUINT32_FROM_LE (size);
  if (light && !seam_table_shows (table, name))
    return FALSE;
  return size <= SEAM_SESSION_MAX_SMALL || seam_table_takes_large (table, name);
}

/* Adds the member's value to the checksum and, if it is unpacked, to `dict`. */
static gboolean
read_value_of_member (Reader *reader, const SeamTable *table, gint64 key, const char *name,
                      const char *type, GVariantDict *dict, GError **error)
{
  SeamSource *source = reader->source;
  guint8 header[BLOB_HEADER] = { 0 };
  gboolean is_light = reader->checksum == NULL, wanted;
  guint64 size, part;

  if (!seam_source_open_value (source, key, &size, error))
    return FALSE;
  if (size < BLOB_HEADER)
    return seam_fail (error, SEAM_ERROR_FILE, "a member is damaged");
  if (sqlite3_blob_read (source->value, header, BLOB_HEADER, 0) != SQLITE_OK)
    return seam_session_fail (source->db, error);
  wanted = is_wanted (table, name, header, is_light);
  if (is_light && !wanted)
    return TRUE;
  if (reader->checksum != NULL)
    seam_checksum_add_member (reader->checksum, name, type, size);
  part = wanted ? size : MIN (size, PART_BYTES);
  g_autofree guint8 *data = g_malloc (part);
  for (guint64 done = 0; done < size; done += part) {
    part = MIN (part, size - done);
    if (sqlite3_blob_read (source->value, data, (int)part, (int)done) != SQLITE_OK)
      return seam_session_fail (source->db, error);
    if (reader->checksum != NULL)
      g_checksum_update (reader->checksum, data, (gssize)part);
  }
  if (!wanted)
    return TRUE;
  g_autoptr (GVariant) value = read_blob (reader, data, size, type, 1, error);
  if (value != NULL)
    g_variant_dict_insert_value (dict, name, value);
  return value != NULL;
}

/* Reads the members of a row: values that have no column. */
static gboolean
read_members (Reader *reader, SeamTableId id, gint64 row, GVariantDict *dict, GError **error)
{
  guint n;
  const SeamRowKey *members = seam_source_find_members (reader->source, id, row, &n, error);

  if (members == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const char *name, *type;
    /* Skipping a member takes time as well, so it counts. */
    if (!take (reader, 64, error)
        || !seam_source_select_member (reader->source, members[i].key, &name, &type, error)
        || !read_value_of_member (reader, seam_table_get (id), members[i].key, name, type, dict,
                                  error))
      return FALSE;
  }
  return TRUE;
}

/* Members come first: a value that does not fit its column (which is NULL then) is a member. */
static gboolean
read_columns (Reader *reader, const SeamTable *table, sqlite3_stmt *statement, GVariantDict *dict,
              GError **error)
{
  int n = sqlite3_column_count (statement);

  for (const SeamColumn *column = table->columns; column->name != NULL; column++) {
    GError *problem = NULL;
    int i = 0;
    while (i < n && strcmp (sqlite3_column_name (statement, i), column->name) != 0)
      i++;
    if (i == n || g_variant_dict_contains (dict, column->name))
      continue;
    g_autoptr (GVariant) value = read_value (reader, statement, i, column, &problem);
    if (problem != NULL) {
      g_propagate_error (error, problem);
      return FALSE;
    }
    if (value != NULL)
      g_variant_dict_insert_value (dict, column->name, value);
  }
  return TRUE;
}

static GVariant *read_tree (Reader *reader, SeamTableId id, gint64 key, GError **error);

/* Adds the rows of `child` that belong to `key`, as a member of its dictionary. */
static gboolean
read_children (Reader *reader, SeamTableId child, gint64 key, GVariantDict *dict, GError **error)
{
  const SeamTable *table = seam_table_get (child);
  GVariantBuilder builder;
  gboolean good = TRUE;
  guint n;
  const SeamRowKey *rows = seam_source_find_rows (reader->source, child, key, &n, error);

  if (rows == NULL)
    return FALSE;
  if (n > table->max)
    return seam_fail (error, SEAM_ERROR_FILE, "it holds too many rows of “%s”", table->name);
  if (table->max == 1) {
    g_autoptr (GVariant) one = n > 0 ? read_tree (reader, child, rows[0].key, error) : NULL;
    if (one != NULL)
      g_variant_dict_insert_value (dict, table->member, one);
    return n == 0 || one != NULL;
  }
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < n && good; i++) {
    g_autoptr (GVariant) row = read_tree (reader, child, rows[i].key, error);
    good = row != NULL;
    if (good)
      g_variant_builder_add_value (&builder, row);
  }
  if (good)
    g_variant_dict_insert_value (dict, table->member, g_variant_builder_end (&builder));
  else
    g_variant_builder_clear (&builder);
  return good;
}

static gboolean
has_light_columns (const SeamTable *table)
{
  for (const SeamColumn *column = table->columns; column->name != NULL; column++)
    if (column->is_light)
      return TRUE;
  return FALSE;
}

static GVariant *
read_tree (Reader *reader, SeamTableId id, gint64 key, GError **error)
{
  const SeamTable *table = seam_table_get (id);
  gboolean light = reader->checksum == NULL;
  g_autoptr (GVariantDict) dict = g_variant_dict_new (NULL);
  sqlite3_stmt *row = NULL;

  if (take (reader, ROW_BYTES, error))
    row = seam_source_select (reader->source, id, key, light, error);
  if (row == NULL)
    return NULL;
  if (reader->checksum != NULL)
    seam_checksum_add_row (reader->checksum, table, row);
  gboolean good =
      read_members (reader, id, key, dict, error) && read_columns (reader, table, row, dict, error);
  sqlite3_reset (row);
  for (int child = 0; child < SEAM_N_TABLES && good; child++)
    if (seam_table_get (child)->parent == (int)id
        && (!light || has_light_columns (seam_table_get (child))))
      good = read_children (reader, (SeamTableId)child, key, dict, error);
  return good ? g_variant_ref_sink (g_variant_dict_end (dict)) : NULL;
}

GVariant *
seam_session_read_tree (SeamSource *source, SeamTableId table, gint64 key, gboolean light,
                        GError **error)
{
  g_autoptr (GChecksum) checksum = light ? NULL : g_checksum_new (G_CHECKSUM_SHA256);
  Reader reader = { source, checksum, MAX_MEMORY_BYTES };
  const char *stored = seam_source_get_checksum (source, table, key);

  if (!light && stored == NULL && !seam_source_verify (source, error))
    return NULL;
  g_autoptr (GVariant) tree = read_tree (&reader, table, key, error);
  if (tree == NULL)
    return NULL;
  if (!light && stored != NULL && strcmp (stored, g_checksum_get_string (checksum)) != 0)
    return seam_fail_null (error, SEAM_ERROR_FILE, "its checksum does not fit");
  return g_steal_pointer (&tree);
}

/* Puts the plans of a file, which may be older, into the order of seam_plan_get_place(). Returns
 * where `full` stood, if that counts; else -1. */
static int
place_plans (SeamResult *result)
{
  int full = -1, n = result->n_plans;
  g_autofree SeamPlanResult *read = g_memdup2 (result->plans, sizeof *read * (gsize)n);

  for (int i = 0; i < n && result->edits.n == 0; i++)
    if (g_strcmp0 (read[i].name, "full") == 0)
      full = i;
  for (int i = 0; i < n; i++)
    result->plans[seam_plan_get_place (i, full, n)] = read[i];
  result->against = seam_plan_get_place (result->against, full, n);
  return full;
}

static gboolean
read_slice (SeamSessionRun *run, int full, int plan, GVariant *variant, GError **error)
{
  g_autoptr (SeamSlice) slice = seam_record_new_from_variant (&seam_slice_type, variant, error);
  SeamReader reader;
  int n = run->result->n_plans, against = -1;

  if (slice == NULL)
    return FALSE;
  seam_reader_init (&reader, variant, "slice");
  seam_reader_require (&reader, "trusted");
  seam_reader_int (&reader, "trusted", -1, n - 1, &against);
  if (slice->a == NULL)
    seam_reader_fail (&reader, "it has no values");
  if (!seam_reader_finish (&reader, error))
    return FALSE;
  seam_session_run_add_slice (run, seam_plan_get_place (plan, full, n),
                              seam_plan_get_place (against, full, n), g_steal_pointer (&slice));
  return TRUE;
}

static gboolean
read_slices (SeamSessionRun *run, int full, GVariant *tree, GError **error)
{
  g_autoptr (GVariant) plans = g_variant_lookup_value (tree, "plans", G_VARIANT_TYPE ("aa{sv}"));

  for (int i = 0; plans != NULL && i < run->result->n_plans; i++) {
    g_autoptr (GVariant) plan = g_variant_get_child_value (plans, (gsize)i);
    g_autoptr (GVariant) slices =
        g_variant_lookup_value (plan, "slices", G_VARIANT_TYPE ("aa{sv}"));
    for (gsize k = 0; slices != NULL && k < g_variant_n_children (slices); k++) {
      g_autoptr (GVariant) slice = g_variant_get_child_value (slices, k);
      if (!read_slice (run, full, i, slice, error))
        return FALSE;
    }
  }
  return TRUE;
}

SeamSessionRun *
seam_session_read_run (SeamSource *source, gint64 key, GError **error)
{
  g_autoptr (GVariant) tree = seam_session_read_tree (source, SEAM_TABLE_RUN, key, FALSE, error);

  return tree != NULL ? seam_session_run_from_variant (tree, error) : NULL;
}

SeamSessionRun *
seam_session_run_from_variant (GVariant *tree, GError **error)
{
  g_autoptr (SeamResult) result = seam_result_from_variant (tree, error);
  g_autoptr (GVariant) code = NULL;
  const char *note = NULL;
  int full;

  if (result == NULL)
    return NULL;
  full = place_plans (result);
  g_variant_lookup (tree, "note", "&s", &note);
  g_autoptr (SeamSessionRun) run = seam_session_run_new (result, note);
  code = g_variant_lookup_value (tree, "code", G_VARIANT_TYPE_VARDICT);
  if (code != NULL)
    seam_session_run_set_code (run, code);
  return read_slices (run, full, tree, error) ? g_steal_pointer (&run) : NULL;
}
