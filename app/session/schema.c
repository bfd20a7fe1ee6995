/* SPDX-License-Identifier: MIT
 *
 * The tables of a session file. Their columns come from the fields of records; tables are created,
 * written and read by them.
 */
#include "app/session/schema.h"

#include "app/base/error.h"
#include "app/explore/search-part.h"

#include <string.h>

/* Columns that only a session has come before the columns of records. */
static const SeamColumn note_columns[] = {
  { "note", SEAM_COLUMN_TEXT, "the person's own words", TRUE },
  { NULL },
};

static const SeamColumn slice_columns[] = {
  { "trusted", SEAM_COLUMN_INTEGER, "position of the plan compared with; -1: fp64" },
  { NULL },
};

static const char *const run_large[] = { "code", NULL };
static const char *const search_large[] = { "request", NULL };

static const struct {
  const char *name;
  int parent;
  const char *member;
  guint max;
  const SeamRecordType *type;
  const SeamColumn *first;
  const char *const *large;
} sources[SEAM_N_TABLES] = {
  [SEAM_TABLE_RUN] = { "run", -1, NULL, 100000, &seam_result_type, note_columns, run_large },
  [SEAM_TABLE_DEVICE] = { "device", SEAM_TABLE_RUN, "device", 1, &seam_device_info_type },
  [SEAM_TABLE_PLAN] = { "plan", SEAM_TABLE_RUN, "plans", 256, &seam_plan_result_type },
  [SEAM_TABLE_KERNEL] = { "kernel", SEAM_TABLE_PLAN, "kernels", 4096, &seam_kernel_type },
  [SEAM_TABLE_DIFFERENCE] = { "difference", SEAM_TABLE_PLAN, "difference", 1,
                              &seam_difference_type },
  [SEAM_TABLE_SLICE] = { "slice", SEAM_TABLE_PLAN, "slices", 256, &seam_slice_type, slice_columns },
  [SEAM_TABLE_SEARCH] = { "survey", -1, NULL, 100000, &seam_stored_search_type, note_columns,
                          search_large },
  [SEAM_TABLE_POINT] = { "point", SEAM_TABLE_SEARCH, "points", 4097, &seam_point_type },
};

/* The column of a field, or -1: it has none. */
static int
get_kind (const SeamField *field)
{
  if ((field->flags & (SEAM_AS_MEMBER | SEAM_PRIVATE)) != 0)
    return -1;
  switch (field->kind) {
  case SEAM_KIND_BOOLEAN:
    return SEAM_COLUMN_BOOLEAN;
  case SEAM_KIND_INT:
  case SEAM_KIND_INT64:
    return SEAM_COLUMN_INTEGER;
  case SEAM_KIND_UINT64:
    return SEAM_COLUMN_UNSIGNED;
  case SEAM_KIND_DOUBLE:
    return SEAM_COLUMN_REAL;
  case SEAM_KIND_TEXT:
    return SEAM_COLUMN_TEXT;
  case SEAM_KIND_CHOICE:
    return (field->flags & SEAM_AS_NUMBER) != 0 ? SEAM_COLUMN_INTEGER : SEAM_COLUMN_TEXT;
  case SEAM_KIND_DOUBLES:
    return SEAM_COLUMN_DOUBLES;
  case SEAM_KIND_NUMBERS:
  case SEAM_KIND_INT64S:
    return SEAM_COLUMN_INT64S;
  case SEAM_KIND_INTS:
    return SEAM_COLUMN_INT32S;
  case SEAM_KIND_FLOATS:
  case SEAM_KIND_WORDS:
    return SEAM_COLUMN_WORDS;
  default: /* rows of a separate table, or members */
    return -1;
  }
}

static void
add_column (GArray *columns, const char *name, SeamColumnKind kind, const SeamField *field)
{
  SeamColumn column = { name, kind, field->words != NULL ? field->words : "",
                        (field->flags & SEAM_LISTED) != 0 };

  g_array_append_val (columns, column);
}

/* Collects the columns and members for the fields of a list. */
static void
add_lists (GArray *columns, const SeamField *list)
{
  SEAM_FOR_EACH_FIELD (field, list->type)
  add_column (columns, g_strconcat (list->name, "_", field->name, NULL),
              field->kind == SEAM_KIND_DOUBLE  ? SEAM_COLUMN_DOUBLES
              : field->kind == SEAM_KIND_INT64 ? SEAM_COLUMN_INT64S
                                               : SEAM_COLUMN_INT32S,
              field);
}

/* Collects columns and members for the fields that have this place. */
static void
add_fields (GArray *columns, GPtrArray *light, GPtrArray *large, const SeamRecordType *type,
            guint place, guint *last)
{
  SEAM_FOR_EACH_FIELD (field, type)
  {
    *last = MAX (*last, field->place);
    if (field->kind == SEAM_KIND_INLINE) {
      add_fields (columns, light, large, field->type, place, last);
      continue;
    }
    if (field->place != place)
      continue;
    if (field->kind == SEAM_KIND_COLUMNS)
      add_lists (columns, field);
    else if (get_kind (field) >= 0)
      add_column (columns, field->name, (SeamColumnKind)get_kind (field), field);
    else if ((field->flags & SEAM_LISTED) != 0)
      g_ptr_array_add (light, (char *)field->name);
    if ((field->flags & SEAM_LARGE) != 0)
      g_ptr_array_add (large, (char *)field->name);
  }
}

static const SeamTable *
make_tables (void)
{
  SeamTable *tables = g_new0 (SeamTable, SEAM_N_TABLES);

  for (int i = 0; i < SEAM_N_TABLES; i++) {
    GArray *columns = g_array_new (TRUE, TRUE, sizeof (SeamColumn));
    GPtrArray *light = g_ptr_array_new_null_terminated (8, NULL, TRUE);
    GPtrArray *large = g_ptr_array_new_null_terminated (8, NULL, TRUE);
    const char *const *own = sources[i].large;
    guint last = 0;

    for (const SeamColumn *column = sources[i].first; column != NULL && column->name != NULL;
         column++)
      g_array_append_val (columns, *column);
    for (; own != NULL && *own != NULL; own++)
      g_ptr_array_add (large, (char *)*own);
    for (guint place = 0; sources[i].type != NULL && place <= last; place++)
      add_fields (columns, light, large, sources[i].type, place, &last);
    tables[i] = (SeamTable){
      .name = sources[i].name,
      .parent = sources[i].parent,
      .member = sources[i].member,
      .max = sources[i].max,
      .columns = (const SeamColumn *)(void *)g_array_free (columns, FALSE),
      .light = (const char *const *)g_ptr_array_free (light, FALSE),
      .large = (const char *const *)g_ptr_array_free (large, FALSE),
    };
  }
  return tables;
}

const SeamTable *
seam_table_get (SeamTableId id)
{
  static gsize made;
  static const SeamTable *tables;

  if (g_once_init_enter (&made)) {
    tables = make_tables ();
    g_once_init_leave (&made, 1);
  }
  return &tables[id];
}

guint
seam_column_get_element (SeamColumnKind kind, const char **type)
{
  switch (kind) {
  case SEAM_COLUMN_DOUBLES:
    *type = "ad";
    return 8;
  case SEAM_COLUMN_INT64S:
    *type = "ax";
    return 8;
  case SEAM_COLUMN_INT32S:
    *type = "ai";
    return 4;
  case SEAM_COLUMN_WORDS:
    *type = "ay";
    return 4;
  default:
    *type = NULL;
    return 0;
  }
}

const SeamColumn *
seam_table_find_column (const SeamTable *table, const char *name)
{
  for (const SeamColumn *column = table->columns; column->name != NULL; column++)
    if (strcmp (column->name, name) == 0)
      return column;
  return NULL;
}

gboolean
seam_table_shows (const SeamTable *table, const char *member)
{
  const SeamColumn *column = seam_table_find_column (table, member);

  return (column != NULL && column->is_light) || g_strv_contains (table->light, member);
}

gboolean
seam_table_takes_large (const SeamTable *table, const char *member)
{
  return seam_table_find_column (table, member) != NULL || g_strv_contains (table->large, member);
}

static const char *
get_sql_type (SeamColumnKind kind)
{
  switch (kind) {
  case SEAM_COLUMN_TEXT:
    return "TEXT";
  case SEAM_COLUMN_REAL:
    return "REAL";
  case SEAM_COLUMN_INTEGER:
  case SEAM_COLUMN_UNSIGNED:
  case SEAM_COLUMN_BOOLEAN:
    return "INTEGER";
  default:
    return "BLOB";
  }
}

static void
append_table (GString *sql, const SeamTable *table)
{
  g_string_append_printf (sql, "CREATE TABLE IF NOT EXISTS \"%s\" (\n  \"key\" INTEGER PRIMARY KEY",
                          table->name);
  if (table->parent >= 0)
    g_string_append_printf (sql, ",\n  \"%s_key\" INTEGER NOT NULL REFERENCES \"%s\" (\"key\")",
                            seam_table_get (table->parent)->name,
                            seam_table_get (table->parent)->name);
  for (const SeamColumn *column = table->columns; column->name != NULL; column++) {
    const char *before = column == table->columns ? "" : column[-1].meaning;
    g_string_append_printf (sql, ",%s%s\n  \"%s\" %s", *before != '\0' ? " -- " : "", before,
                            column->name, get_sql_type (column->kind));
    if (column[1].name == NULL && *column->meaning != '\0')
      g_string_append_printf (sql, " -- %s", column->meaning);
  }
  g_string_append (sql, "\n) STRICT;\n");
}

char *
seam_session_make_schema (void)
{
  GString *sql = g_string_new (NULL);

  g_string_append_printf (sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
                          SEAM_SESSION_APPLICATION_ID,
                          1000 * SEAM_SESSION_MAJOR + SEAM_SESSION_MINOR);
  g_string_append (sql, "CREATE TABLE IF NOT EXISTS \"meta\" (\n  \"key\" TEXT NOT NULL,\n"
                        "  \"value\" TEXT NOT NULL\n) STRICT;\n");
  for (int i = 0; i < SEAM_N_TABLES; i++)
    append_table (sql, seam_table_get (i));
  g_string_append (sql, "CREATE TABLE IF NOT EXISTS \"member\" (\n"
                        "  \"key\" INTEGER PRIMARY KEY,\n"
                        "  \"owner\" TEXT NOT NULL, -- table\n"
                        "  \"row\" INTEGER NOT NULL, -- key in that table\n"
                        "  \"name\" TEXT NOT NULL,\n"
                        "  \"type\" TEXT NOT NULL, -- GVariant's\n"
                        "  \"value\" BLOB NOT NULL -- GVariant's bytes, little-endian\n"
                        ") STRICT;\n");
  return g_string_free (sql, FALSE);
}

gboolean
seam_session_fail (sqlite3 *db, GError **error)
{
  return seam_fail (error, SEAM_ERROR_FILE, "SQLite says: %s",
                    db != NULL ? sqlite3_errmsg (db) : "out of memory");
}

gboolean
seam_session_execute (sqlite3 *db, const char *sql, GError **error)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  return seam_session_fail (db, error);
}

sqlite3_stmt *
seam_session_prepare (sqlite3 *db, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK)
    seam_session_fail (db, error);
  return statement;
}

GPtrArray *
seam_session_query_texts (sqlite3 *db, const char *sql, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement = seam_session_prepare (db, sql, error);
  int step;

  if (statement == NULL)
    return NULL;
  while ((step = sqlite3_step (statement)) == SQLITE_ROW)
    g_ptr_array_add (texts, g_strdup ((const char *)sqlite3_column_text (statement, 0)));
  if (step != SQLITE_DONE)
    seam_session_fail (db, error);
  sqlite3_finalize (statement);
  return step == SQLITE_DONE ? g_steal_pointer (&texts) : NULL;
}

/* Statement i migrates major version i to i + 1, as far as existing tables change; missing ones are
 * created afterwards. Version 0 is the draft of 21 November 2026, which no release wrote: its plans
 * had "median_ns", and it had no notes, slices, members or checksum. */
static const char *const migrations[] = {
  "ALTER TABLE \"plan\" RENAME COLUMN \"median_ns\" TO \"elapsed_median_ns\";",
};
G_STATIC_ASSERT (G_N_ELEMENTS (migrations) == SEAM_SESSION_MAJOR);

gboolean
seam_session_migrate (sqlite3 *db, int major, GError **error)
{
  if (major == SEAM_SESSION_MAJOR)
    return TRUE;
  for (; major < SEAM_SESSION_MAJOR; major++)
    if (!seam_session_execute (db, migrations[major], error))
      return FALSE;
  g_autofree char *schema = seam_session_make_schema ();
  return seam_session_execute (db, schema, error);
}
