/* SPDX-License-Identifier: MIT
 *
 * Changes described in text, applied to a session with SQLite.
 */
#include "tests/fuzz/session-image.h"

#include "app/session/blob.h"
#include "app/session/checksum.h"
#include "app/session/schema.h"
#include "app/session/session-private.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* The most that one line may write. Large files are slow, and show a search little that small ones
 * do not; the kept inputs have them. */
#define MAX_BYTES    (fuzz_is_search () ? 1 << 10 : 1 << 20)
#define MAX_COPIES   (fuzz_is_search () ? 4 : 5000)
#define MAX_LINES    64
#define LARGEST_MADE 512 /* bytes of an input that a search makes; each line takes a statement */

/* --- Memory of SQLite --- */

/* A search would spend a third of its time in the sanitizer's malloc() for SQLite, whose values lie
 * inside larger blocks anyway. So freed blocks of one power of two are kept in a list. Before each
 * block stands its power; larger ones come from malloc(). */
#define SMALLEST 6
#define LARGEST  15
#define HEADER   16

/* What these functions compare says nothing of the input. */
#ifdef __clang__
#define UNTRACED __attribute__ ((no_sanitize ("address", "coverage", "undefined")))
#else
#define UNTRACED
#endif

static char *freed[LARGEST + 1];

UNTRACED static int
get_power (int size)
{
  return size <= 1 << SMALLEST ? SMALLEST : 32 - __builtin_clz ((unsigned)size - 1);
}

UNTRACED static int
round_up (int size)
{
  return size > 1 << LARGEST ? size : 1 << get_power (size);
}

UNTRACED static void *
get_memory (int size)
{
  int power = size > 1 << LARGEST ? 0 : get_power (size);
  char *data = freed[power];

  if (power > 0 && data != NULL) {
    freed[power] = *(char **)(void *)data;
    return data;
  }
  data = malloc ((size_t)round_up (size) + HEADER);
  if (data == NULL)
    return NULL;
  *(int *)(void *)data = power > 0 ? power : size;
  return data + HEADER;
}

UNTRACED static int
get_size (void *data)
{
  int noted = *(int *)(void *)((char *)data - HEADER);

  return noted <= LARGEST ? 1 << noted : noted;
}

UNTRACED static void
free_memory (void *data)
{
  int power = *(int *)(void *)((char *)data - HEADER);

  if (power > LARGEST) {
    free ((char *)data - HEADER);
    return;
  }
  *(char **)data = freed[power];
  freed[power] = data;
}

UNTRACED static void *
resize_memory (void *data, int size)
{
  void *larger = size <= get_size (data) ? data : get_memory (size);

  if (larger != data && larger != NULL) {
    memcpy (larger, data, (size_t)get_size (data));
    free_memory (data);
  }
  return larger;
}

static int
begin_memory (void *data)
{
  return SQLITE_OK;
}

static void
end_memory (void *data)
{
}

void
fuzz_session_init (void)
{
  sqlite3_mem_methods methods = { get_memory, free_memory,  resize_memory, get_size,
                                  round_up,   begin_memory, end_memory,    NULL };

  /* One thread reads, and nobody asks how much memory is in use. */
  if (sqlite3_config (SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK
      || sqlite3_config (SQLITE_CONFIG_SINGLETHREAD) != SQLITE_OK
      || sqlite3_config (SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK)
    g_error ("SQLite is in use already");
}

static const SeamTable *
find_table (const char *name)
{
  for (gsize i = 0; i < SEAM_N_TABLES; i++)
    if (strcmp (seam_table_get (i)->name, name) == 0)
      return seam_table_get (i);
  return NULL;
}

static sqlite3 *
open_image (GBytes *image)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (image, &size);
  guint8 *copy = sqlite3_malloc64 (size);
  sqlite3 *db = NULL;

  memcpy (copy, data, size);
  if (sqlite3_open (":memory:", &db) != SQLITE_OK
      || sqlite3_deserialize (db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                              SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
             != SQLITE_OK)
    g_error ("SQLite says: %s", sqlite3_errmsg (db));
  return db;
}

/* The session as a file without checksums of its runs, which readers then do not check, and with a
 * correct checksum of the file if one is wanted. */
static GBytes *
make_file (sqlite3 *db, gboolean with_checksum)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *checksum = NULL;
  g_autofree char *sql = NULL;
  sqlite3_int64 size = 0;
  guint8 *data;
  GBytes *bytes;

  seam_session_execute (db, "DELETE FROM meta WHERE \"key\" LIKE 'sha256 %'", &error);
  g_assert_no_error (error);
  if (with_checksum) {
    checksum = seam_session_make_checksum (db, 1 << 30, &error);
    g_assert_no_error (error);
    sql = g_strdup_printf ("UPDATE meta SET value = '%s' WHERE \"key\" = 'sha256'", checksum);
    seam_session_execute (db, sql, &error);
    g_assert_no_error (error);
  }
  data = sqlite3_serialize (db, "main", &size, 0);
  bytes = g_bytes_new (data, (gsize)size);
  sqlite3_free (data);
  return bytes;
}

/* The session as an open database in memory, whose schema is parsed once for all inputs. A copy by
 * SQLite: what a transaction has changed could not be read from the image itself. */
static sqlite3 *
get_database (GBytes *base)
{
  static GBytes *opened;
  static sqlite3 *db;
  sqlite3 *image;
  sqlite3_backup *backup;

  if (opened == base)
    return db;
  sqlite3_close (db);
  opened = base;
  image = open_image (base);
  if (sqlite3_open (":memory:", &db) != SQLITE_OK
      || (backup = sqlite3_backup_init (db, "main", image, "main")) == NULL
      || sqlite3_backup_step (backup, -1) != SQLITE_DONE
      || sqlite3_backup_finish (backup) != SQLITE_OK)
    g_error ("SQLite says: %s", sqlite3_errmsg (db));
  sqlite3_close (image);
  return db;
}

GBytes *
fuzz_session_make_base (const char *name, const char *sql)
{
  g_autofree char *path = g_build_filename (FUZZ_SAMPLES, name, NULL);
  g_autofree char *data = NULL;
  g_autoptr (GBytes) whole = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  sqlite3 *db;
  GBytes *bytes;

  g_file_get_contents (path, &data, &size, &error);
  g_assert_no_error (error);
  whole = g_bytes_new_take (g_steal_pointer (&data), size);
  db = open_image (whole);
  seam_session_execute (db, sql, &error);
  g_assert_no_error (error);
  seam_session_execute (db, "VACUUM", &error);
  g_assert_no_error (error);
  bytes = make_file (db, TRUE);
  sqlite3_close (db);
  return bytes;
}

/* Packs an array as in the file, little-endian; the readers have yet to check it. */
static GByteArray *
pack (GVariant *value, guint element_size)
{
  g_autoptr (GVariant) normal = g_variant_get_normal_form (value);
  g_autoptr (GVariant) little =
      G_BYTE_ORDER == G_LITTLE_ENDIAN ? g_variant_ref (normal) : g_variant_byteswap (normal);

  return seam_blob_encode (g_variant_get_data (little), g_variant_get_size (little), element_size);
}

static GByteArray *
read_hex (const char *text)
{
  GByteArray *bytes = g_byte_array_new ();

  for (; g_ascii_isxdigit (text[0]) && g_ascii_isxdigit (text[1]); text += 2) {
    const guint8 byte =
        (guint8)(g_ascii_xdigit_value (text[0]) << 4 | g_ascii_xdigit_value (text[1]));
    g_byte_array_append (bytes, &byte, 1);
  }
  return bytes;
}

/* Executes `sql`, a format of SQLite's, with a BLOB as its parameter. A statement that SQLite
 * refuses has no effect. */
static void
write_blob (sqlite3 *db, GByteArray *blob, const char *format, ...)
{
  sqlite3_stmt *statement = NULL;
  va_list arguments;
  char *sql;

  va_start (arguments, format);
  sql = sqlite3_vmprintf (format, arguments);
  va_end (arguments);
  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK) {
    sqlite3_bind_blob (statement, 1, blob->data, (int)blob->len, SQLITE_STATIC);
    sqlite3_step (statement);
  }
  sqlite3_finalize (statement);
  sqlite3_free (sql);
}

static void
write_text (sqlite3 *db, const SeamTable *table, const SeamColumn *column, gint64 key,
            const char *text)
{
  char *sql = sqlite3_mprintf ("UPDATE \"%w\" SET \"%w\" = %Q WHERE \"key\" = %lld", table->name,
                               column->name, text, (long long)key);

  seam_session_execute (db, sql, NULL);
  sqlite3_free (sql);
}

static void
write_member (sqlite3 *db, const SeamTable *table, gint64 key, const char *name, const char *type,
              GByteArray *blob)
{
  write_blob (db, blob, "DELETE FROM member WHERE owner = %Q AND \"row\" = %lld AND name = %Q",
              table->name, (long long)key, name);
  write_blob (db, blob,
              "INSERT INTO member (owner, \"row\", name, type, value) "
              "VALUES (%Q, %lld, %Q, %Q, ?)",
              table->name, (long long)key, name, type);
}

/* --- One function for each kind of line; `words` are the line's words after the key --- */

static void
set_value (sqlite3 *db, const SeamTable *table, gint64 key, const char *name, const char *rest)
{
  const SeamColumn *column = seam_table_find_column (table, name);
  const char *type = NULL;
  guint element = column != NULL ? seam_column_get_element (column->kind, &type) : 0;
  g_autoptr (GVariant) value = NULL;

  if (column == NULL)
    return;
  if (strcmp (rest, "null") == 0) {
    write_text (db, table, column, key, NULL);
    return;
  }
  if (column->kind == SEAM_COLUMN_TEXT)
    type = "s";
  /* A BLOB of 4-byte words is "ay"; its bytes are given as text of such an array. */
  value = g_variant_parse ((const GVariantType *)type, rest, NULL, NULL, NULL);
  if (value == NULL)
    return;
  if (element > 0) {
    g_autoptr (GByteArray) blob = pack (value, element);
    write_blob (db, blob, "UPDATE \"%w\" SET \"%w\" = ? WHERE \"key\" = %lld", table->name, name,
                (long long)key);
  } else if (column->kind == SEAM_COLUMN_TEXT) {
    write_text (db, table, column, key, g_variant_get_string (value, NULL));
  } else {
    g_autofree char *number = g_variant_print (value, FALSE);
    write_text (db, table, column, key, number);
  }
}

static void
set_long (sqlite3 *db, const SeamTable *table, gint64 key, const char *name, const char *rest)
{
  const SeamColumn *column = seam_table_find_column (table, name);
  char *end = NULL;
  guint64 n = g_ascii_strtoull (rest, &end, 10);
  g_autoptr (GString) text = g_string_new (NULL);

  if (column == NULL || *end != ' ' || end[1] == '\0')
    return;
  while (n-- > 0 && text->len < MAX_BYTES)
    g_string_append (text, end + 1);
  write_text (db, table, column, key, text->str);
}

static void
set_hex (sqlite3 *db, const SeamTable *table, gint64 key, const char *name, const char *rest)
{
  g_autoptr (GByteArray) bytes = read_hex (rest);

  write_blob (db, bytes, "UPDATE \"%w\" SET \"%w\" = ? WHERE \"key\" = %lld", table->name, name,
              (long long)key);
}

static void
set_member (sqlite3 *db, const SeamTable *table, gint64 key, const char *name, const char *rest)
{
  g_autoptr (GVariant) value = g_variant_parse (NULL, rest, NULL, NULL, NULL);
  g_autoptr (GByteArray) blob = value != NULL ? pack (value, 1) : NULL;

  if (blob != NULL)
    write_member (db, table, key, name, g_variant_get_type_string (value), blob);
}

static void
set_raw (sqlite3 *db, const SeamTable *table, gint64 key, const char *name, const char *rest)
{
  g_auto (GStrv) words = g_strsplit (rest, " ", 2);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GByteArray) blob = NULL;

  if (words[0] == NULL || words[1] == NULL)
    return;
  bytes = read_hex (words[1]);
  blob = seam_blob_encode (bytes->data, bytes->len, 1);
  write_member (db, table, key, name, words[0], blob);
}

static void
flip_blob (sqlite3 *db, char *select, char *update, guint element, guint64 offset, guint8 bits)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, select, -1, &statement, NULL) == SQLITE_OK
      && sqlite3_step (statement) == SQLITE_ROW) {
    gsize budget = 1 << 20, size = 0;
    gconstpointer data = sqlite3_column_blob (statement, 0);
    g_autofree guint8 *bytes = seam_blob_decode (data, (gsize)sqlite3_column_bytes (statement, 0),
                                                 element, &budget, &size, NULL);
    if (bytes != NULL && size > 0) {
      bytes[offset % size] ^= bits;
      g_autoptr (GByteArray) blob = seam_blob_encode (bytes, size, element);
      sqlite3_reset (statement);
      write_blob (db, blob, "%s", update);
    }
  }
  sqlite3_finalize (statement);
  sqlite3_free (select);
  sqlite3_free (update);
}

static void
flip (sqlite3 *db, const SeamTable *table, gint64 key, const char *name, const char *rest)
{
  const SeamColumn *column = seam_table_find_column (table, name);
  const char *type;
  guint element = column != NULL ? seam_column_get_element (column->kind, &type) : 0;
  char *end = NULL;
  guint64 offset = g_ascii_strtoull (rest, &end, 10);
  guint8 bits = (guint8)g_ascii_strtoull (end, NULL, 10);

  if (element > 0)
    flip_blob (db,
               sqlite3_mprintf ("SELECT \"%w\" FROM \"%w\" WHERE \"key\" = %lld", name, table->name,
                                (long long)key),
               sqlite3_mprintf ("UPDATE \"%w\" SET \"%w\" = ? WHERE \"key\" = %lld", table->name,
                                name, (long long)key),
               element, offset, bits);
  else
    flip_blob (db,
               sqlite3_mprintf (
                   "SELECT value FROM member WHERE owner = %Q AND \"row\" = %lld AND name = %Q",
                   table->name, (long long)key, name),
               sqlite3_mprintf (
                   "UPDATE member SET value = ? WHERE owner = %Q AND \"row\" = %lld AND name = %Q",
                   table->name, (long long)key, name),
               1, offset, bits);
}

/* Rows that belong to the copied row stay with the original. */
static void
copy_row (sqlite3 *db, const SeamTable *table, gint64 key, guint64 n)
{
  g_autoptr (GString) columns = g_string_new (NULL);
  char *sql;

  if (table->parent >= 0)
    g_string_append_printf (columns, ", \"%s_key\"", seam_table_get (table->parent)->name);
  for (const SeamColumn *column = table->columns; column->name != NULL; column++)
    g_string_append_printf (columns, ", \"%s\"", column->name);
  sql = sqlite3_mprintf (
      "WITH RECURSIVE count (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM count WHERE i < %lld) "
      "INSERT INTO \"%w\" (%s) SELECT %s FROM \"%w\", count WHERE \"key\" = %lld",
      (long long)MIN (n, MAX_COPIES), table->name, columns->str + 2, columns->str + 2, table->name,
      (long long)key);
  seam_session_execute (db, sql, NULL);
  sqlite3_free (sql);
}

static void
delete_row (sqlite3 *db, const SeamTable *table, gint64 key)
{
  char *sql =
      sqlite3_mprintf ("DELETE FROM \"%w\" WHERE \"key\" = %lld", table->name, (long long)key);

  seam_session_execute (db, sql, NULL);
  sqlite3_free (sql);
}

static const struct {
  const char *name;
  void (*function) (sqlite3 *db, const SeamTable *table, gint64 key, const char *name,
                    const char *rest);
} changes_by_name[] = {
  { "set", set_value },     { "long", set_long }, { "hex", set_hex },
  { "member", set_member }, { "raw", set_raw },   { "flip", flip },
};

static void
change (sqlite3 *db, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 5);
  guint n = g_strv_length (words);
  const SeamTable *table = n >= 3 ? find_table (words[1]) : NULL;
  gint64 key = n >= 3 ? g_ascii_strtoll (words[2], NULL, 10) : 0;

  if (table == NULL)
    return;
  if (n == 3 && strcmp (words[0], "delete") == 0)
    delete_row (db, table, key);
  else if (n == 4 && strcmp (words[0], "copy") == 0)
    copy_row (db, table, key, g_ascii_strtoull (words[3], NULL, 10));
  for (gsize i = 0; n == 5 && i < G_N_ELEMENTS (changes_by_name); i++)
    if (strcmp (words[0], changes_by_name[i].name) == 0)
      changes_by_name[i].function (db, table, key, words[3], words[4]);
}

GBytes *
fuzz_session_change (GBytes *base, const char *changes, gboolean with_checksum)
{
  g_autofree char *valid = g_utf8_make_valid (changes, -1); /* GVariant's texts have to be */
  g_auto (GStrv) lines = g_strsplit (valid, "\n", MAX_LINES);
  sqlite3 *db = get_database (base);
  GBytes *bytes;

  /* Foreign keys are not checked. */
  seam_session_execute (db, "BEGIN", NULL);
  for (int i = 0; lines[i] != NULL; i++)
    change (db, lines[i]);
  bytes = make_file (db, with_checksum);
  seam_session_execute (db, "ROLLBACK", NULL);
  return bytes;
}

GBytes *
fuzz_session_damage (GBytes *session, const char *changes)
{
  g_auto (GStrv) lines = g_strsplit (changes, "\n", MAX_LINES);
  gsize size;
  gconstpointer data = g_bytes_get_data (session, &size);
  guint8 *copy = g_memdup2 (data, size);

  for (int i = 0; lines[i] != NULL; i++) {
    char *end = NULL;
    guint64 offset;

    if (!g_str_has_prefix (lines[i], "damage "))
      continue;
    offset = g_ascii_strtoull (lines[i] + strlen ("damage "), &end, 10);
    copy[offset % size] ^= (guint8)g_ascii_strtoull (end, NULL, 10);
  }
  return g_bytes_new_take (copy, size);
}

void
fuzz_session_trust (SeamSession *session)
{
  session->source->is_verified = TRUE;
}

/* --- Mutation --- */

static const char *
choose (GRand *random, const char *const *words, gsize n)
{
  return words[g_rand_int_range (random, 0, (gint32)n)];
}

/* A value that readers tend to get wrong, in the form of the column's kind. */
static const char *
choose_value (GRand *random, SeamColumnKind kind)
{
  static const char *const texts[] = { "null",           "''",     "'../../../x'",
                                       "'a\\u001b[31m'", "'=1+1'", "'conv+conv_bias|relu+bias'",
                                       "'cuda'",         "'tf32'", "'measured'",
                                       "'unfused'",      "'%s%n'", "'<b>&amp;</b>'" };
  static const char *const numbers[] = {
    "null", "0",   "1",     "-1",         "2",           "3",
    "64",   "255", "65536", "2147483647", "-2147483648", "9223372036854775807"
  };
  static const char *const reals[] = { "null",  "0.0",    "-0.0",   "1.0",    "-1.0",
                                       "1e308", "-1e308", "1e-308", "1e+999", "123456.75" };
  static const char *const doubles[] = { "null", "@ad []", "[1.0]", "[1.0, nan, -1.0, 1e308]",
                                         "[1e6, 1.1e6, 0.9e6, 1e6, 1e6, 1e6, 1e6, 1e6]" };
  static const char *const integers[] = { "null", "@ax []", "[1]", "[-1, 0, 1]",
                                          "[9223372036854775807, 1, 1, 1]" };
  static const char *const shorts[] = { "null", "@ai []", "[0]", "[-1, 2147483647]" };
  static const char *const words[] = { "null", "b''", "b'\\377\\377\\377\\177'" };

  switch (kind) {
  case SEAM_COLUMN_TEXT:
    return choose (random, texts, G_N_ELEMENTS (texts));
  case SEAM_COLUMN_REAL:
    return choose (random, reals, G_N_ELEMENTS (reals));
  case SEAM_COLUMN_DOUBLES:
    return choose (random, doubles, G_N_ELEMENTS (doubles));
  case SEAM_COLUMN_INT64S:
    return choose (random, integers, G_N_ELEMENTS (integers));
  case SEAM_COLUMN_INT32S:
    return choose (random, shorts, G_N_ELEMENTS (shorts));
  case SEAM_COLUMN_WORDS:
    return choose (random, words, G_N_ELEMENTS (words));
  default:
    return choose (random, numbers, G_N_ELEMENTS (numbers));
  }
}

static char *
make_line (GRand *random)
{
  static const char *const members[] = {
    "run code",
    "run storage",
    "plan tiles",
    "difference ulps",
    "difference hits",
    "difference max_ulps",
    "difference mean_ulps",
    "device calibrated",
    "device launch_ns",
    "difference plane_width",
    "survey request",
    "survey device",
    "device peak_bytes_per_s",
    "difference histogram_ulps",
    "kernel launches",
    "plan name",
  };
  static const char *const values[] = { "1",     "-1",       "1e308",      "nan",
                                        "'x'",   "true",     "@ad []",     "@a{sv} {}",
                                        "[<1>]", "int64 -1", "[1.0, nan]", "@ay []" };
  const SeamTable *table = seam_table_get (g_rand_int_range (random, 0, SEAM_N_TABLES));
  int key = g_rand_int_range (random, 1, 5), n_columns = 0;
  const SeamColumn *column;

  while (table->columns[n_columns].name != NULL)
    n_columns++;
  column = &table->columns[g_rand_int_range (random, 0, n_columns)];
  switch (g_rand_int_range (random, 0, 14)) {
  case 0:
  case 1: {
    g_auto (GStrv) member = g_strsplit (choose (random, members, G_N_ELEMENTS (members)), " ", 2);
    if (g_rand_boolean (random))
      return g_strdup_printf ("member %s %d %s %s", member[0], key, member[1],
                              choose (random, values, G_N_ELEMENTS (values)));
    return g_strdup_printf ("flip %s %d %s %d %d", member[0], key, member[1],
                            g_rand_int_range (random, 0, 4000),
                            1 << g_rand_int_range (random, 0, 8));
  }
  case 2:
    return g_strdup_printf ("long %s %d %s %d %c", table->name, key, column->name,
                            1 << g_rand_int_range (random, 4, 19),
                            " ab\n_|+\""[g_rand_int_range (random, 0, 8)]);
  case 3:
    return g_strdup_printf ("flip %s %d %s %d %d", table->name, key, column->name,
                            g_rand_int_range (random, 0, 4000),
                            1 << g_rand_int_range (random, 0, 8));
  case 4:
    return g_strdup_printf ("copy %s %d %d", table->name, key,
                            1 << g_rand_int_range (random, 0, 13));
  case 5:
    return g_strdup_printf ("damage %d %d", g_rand_int_range (random, 0, 1 << 18),
                            1 << g_rand_int_range (random, 0, 8));
  case 6:
    return g_strdup_printf ("delete %s %d", table->name, key);
  default:
    return g_strdup_printf ("set %s %d %s %s", table->name, key, column->name,
                            choose_value (random, column->kind));
  }
}

size_t
fuzz_session_mutate (uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autofree char *text = size > 0 ? g_strndup ((const char *)data, size) : g_strdup ("");
  g_autoptr (GString) changed = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = g_strv_length (lines);
  int kind = g_rand_int_range (random, 0, 4);
  guint where = (guint)g_rand_int_range (random, 0, (gint32)n + 1);

  max_size = MIN (max_size, LARGEST_MADE);
  if (kind == 0 && fuzz_is_search () && size <= max_size)
    return LLVMFuzzerMutate (data, size, max_size);
  for (guint i = 0; i <= n; i++) {
    if (i == where && kind != 1) {
      g_autofree char *line = make_line (random);
      g_string_append_printf (changed, "%s\n", line);
    }
    if (i < n && *lines[i] != '\0' && (i != where || kind == 2))
      g_string_append_printf (changed, "%s\n", lines[i]);
  }
  size = MIN (changed->len, max_size);
  memcpy (data, changed->str, size);
  return size;
}
