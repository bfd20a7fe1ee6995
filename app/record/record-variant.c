/* SPDX-License-Identifier: MIT
 *
 * Records as variants and back. Reading trusts nothing: it checks every count against the data.
 */
#include "app/record/record-private.h"

#include <math.h>
#include <string.h>

/* --- Writing --- */

/* The variant type of an element. */
static const char *
get_element_type (SeamKind kind)
{
  switch (kind) {
  case SEAM_KIND_DOUBLE:
  case SEAM_KIND_DOUBLES:
    return "d";
  case SEAM_KIND_NUMBERS:
  case SEAM_KIND_INT64:
  case SEAM_KIND_INT64S:
    return "x";
  case SEAM_KIND_INT:
  case SEAM_KIND_INTS:
    return "i";
  default:
    return "y";
  }
}

static gboolean
is_four_bytes (const SeamField *field)
{
  return field->kind == SEAM_KIND_FLOATS || field->kind == SEAM_KIND_WORDS;
}

static void
order_words (guint32 *words, gsize n)
{
  for (gsize i = 0; G_BYTE_ORDER != G_LITTLE_ENDIAN && i < n; i++)
    words[i] = GUINT32_SWAP_LE_BE (words[i]);
}

static void
add_array (GVariantBuilder *builder, const SeamField *field, gconstpointer record)
{
  gsize n = seam_field_count (field, record), size = seam_field_get_element_size (field);

  if (is_four_bytes (field)) {
    guint32 *words = g_memdup2 (SEAM_FIELD_AT (gpointer, record, field), n * size);
    order_words (words, n);
    g_variant_builder_add (
        builder, "{sv}", field->name,
        g_variant_new_from_data (G_VARIANT_TYPE_BYTESTRING, words, n * size, TRUE, g_free, words));
    return;
  }
  seam_builder_array (builder, field->name, get_element_type (field->kind), size,
                      SEAM_FIELD_AT (gpointer, record, field), n);
}

/* Writes one array for each field of the records. */
static void
add_columns (GVariantBuilder *builder, const SeamField *list, gconstpointer record)
{
  gsize n = seam_field_count (list, record);

  SEAM_FOR_EACH_FIELD (field, list->type)
  {
    gsize size = seam_field_get_size (field);
    g_autofree char *key = g_strconcat (list->name, "_", field->name, NULL);
    g_autofree char *data = g_malloc (MAX (n * size, 1));
    const char *from = SEAM_FIELD_AT (const char *, record, list);
    gboolean is_zero = TRUE;

    for (gsize i = 0; i < n; i++)
      memcpy (data + i * size, from + i * list->type->size + field->offset, size);
    for (gsize i = 0; is_zero && i < n * size; i++)
      is_zero = data[i] == 0;
    if (!is_zero || (field->flags & SEAM_OMITTED) == 0)
      seam_builder_array (builder, key, get_element_type (field->kind), size, data, n);
  }
}

static void
add_list (GVariantBuilder *builder, const SeamField *list, gconstpointer record, gboolean bulk)
{
  seam_builder_open_list (builder, list->name);
  for (gsize i = 0, n = seam_field_count (list, record); i < n; i++) {
    g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
    seam_record_build (list->type, seam_field_get_element (list, record, i), bulk, builder);
    g_variant_builder_close (builder);
  }
  seam_builder_close_list (builder);
}

static gboolean
is_initial (const SeamField *field, gconstpointer record)
{
  switch (field->kind) {
  case SEAM_KIND_BOOLEAN:
  case SEAM_KIND_INT:
  case SEAM_KIND_CHOICE:
  case SEAM_KIND_FLAGS:
    return SEAM_FIELD_AT (int, record, field) == (int)field->initial;
  case SEAM_KIND_INT64:
    return SEAM_FIELD_AT (gint64, record, field) == (gint64)field->initial;
  case SEAM_KIND_UINT64:
    return SEAM_FIELD_AT (guint64, record, field) == (guint64)field->initial;
  case SEAM_KIND_DOUBLE: {
    double value = SEAM_FIELD_AT (double, record, field), initial = seam_field_get_initial (field);
    return value == initial || (isnan (value) && isnan (initial));
  }
  case SEAM_KIND_ROW: {
    g_autofree gpointer fresh = seam_record_new (field->type);
    return seam_record_equal (field->type, &SEAM_FIELD_AT (char, record, field), fresh);
  }
  default:
    return seam_field_count (field, record) == 0;
  }
}

static gboolean
is_written (const SeamField *field, gconstpointer record, gboolean bulk)
{
  if (field->kind == SEAM_KIND_COMPUTED || (field->flags & SEAM_PRIVATE) != 0
      || ((field->flags & SEAM_BULK) != 0 && !bulk)
      || (field->is_written != NULL && !field->is_written (record)))
    return FALSE;
  if (seam_field_is_array (field) && field->count == 0
      && SEAM_FIELD_AT (gpointer, record, field) == NULL)
    return FALSE;
  return (field->flags & SEAM_OMITTED) == 0 || !is_initial (field, record);
}

/* The field of a PREFIXED record, with its full name; `name` receives that name, which the caller
 * owns. */
static SeamField
prefix (const SeamField *field, const SeamField *inner, char **name)
{
  SeamField prefixed = *inner;

  prefixed.name = *name = g_strconcat (field->name, "_", inner->name, NULL);
  return prefixed;
}

static void add_field (GVariantBuilder *builder, const SeamField *field, gconstpointer record,
                       gboolean bulk);

static void
add_prefixed (GVariantBuilder *builder, const SeamField *field, gconstpointer record, gboolean bulk)
{
  gconstpointer inside = &SEAM_FIELD_AT (char, record, field);

  SEAM_FOR_EACH_FIELD (inner, field->type)
  {
    g_autofree char *name = NULL;
    SeamField prefixed = prefix (field, inner, &name);
    if (is_written (&prefixed, inside, bulk))
      add_field (builder, &prefixed, inside, bulk);
  }
}

static void
add_strings (GVariantBuilder *builder, const SeamField *field, gconstpointer record)
{
  const char *const *strings = SEAM_FIELD_AT (gpointer, record, field);

  if (strings != NULL)
    g_variant_builder_add (builder, "{sv}", field->name, g_variant_new_strv (strings, -1));
}

static void
add_flags (GVariantBuilder *builder, const SeamField *field, gconstpointer record)
{
  g_auto (GStrv) names = seam_field_list_flags (field, record);

  g_variant_builder_add (builder, "{sv}", field->name,
                         g_variant_new_strv ((const char *const *)names, -1));
}

static void
add_field (GVariantBuilder *builder, const SeamField *field, gconstpointer record, gboolean bulk)
{
  switch (field->kind) {
  case SEAM_KIND_BOOLEAN:
    seam_builder_boolean (builder, field->name, SEAM_FIELD_AT (gboolean, record, field));
    break;
  case SEAM_KIND_INT:
    seam_builder_int64 (builder, field->name, SEAM_FIELD_AT (int, record, field));
    break;
  case SEAM_KIND_INT64:
    seam_builder_int64 (builder, field->name, SEAM_FIELD_AT (gint64, record, field));
    break;
  case SEAM_KIND_UINT64:
    seam_builder_uint64 (builder, field->name, SEAM_FIELD_AT (guint64, record, field));
    break;
  case SEAM_KIND_DOUBLE:
    seam_builder_double (builder, field->name, SEAM_FIELD_AT (double, record, field));
    break;
  case SEAM_KIND_TEXT:
    seam_builder_string (builder, field->name, SEAM_FIELD_AT (char *, record, field));
    break;
  case SEAM_KIND_CHOICE:
    if ((field->flags & SEAM_AS_NUMBER) != 0)
      seam_builder_int64 (builder, field->name, SEAM_FIELD_AT (int, record, field));
    else
      seam_builder_string (
          builder, field->name,
          seam_choice_get_name (field->choices, SEAM_FIELD_AT (int, record, field)));
    break;
  case SEAM_KIND_FLAGS:
    add_flags (builder, field, record);
    break;
  case SEAM_KIND_NUMBERS:
    seam_builder_array (builder, field->name, "x", sizeof (gint64),
                        &SEAM_FIELD_AT (gint64, record, field), field->length);
    break;
  case SEAM_KIND_DOUBLES:
  case SEAM_KIND_INT64S:
  case SEAM_KIND_INTS:
  case SEAM_KIND_BYTES:
  case SEAM_KIND_FLOATS:
  case SEAM_KIND_WORDS:
    add_array (builder, field, record);
    break;
  case SEAM_KIND_STRINGS:
    add_strings (builder, field, record);
    break;
  case SEAM_KIND_RECORD:
    if (SEAM_FIELD_AT (gpointer, record, field) != NULL)
      g_variant_builder_add (
          builder, "{sv}", field->name,
          seam_record_to_variant (field->type, SEAM_FIELD_AT (gpointer, record, field), bulk));
    break;
  case SEAM_KIND_RECORDS:
    add_list (builder, field, record, bulk);
    break;
  case SEAM_KIND_ROWS:
    seam_field_add_rows (builder, field, SEAM_FIELD_AT (const char *, record, field),
                         seam_field_count (field, record));
    break;
  case SEAM_KIND_COLUMNS:
    add_columns (builder, field, record);
    break;
  case SEAM_KIND_INLINE:
    seam_record_build (field->type, &SEAM_FIELD_AT (char, record, field), bulk, builder);
    break;
  case SEAM_KIND_PREFIXED:
    add_prefixed (builder, field, record, bulk);
    break;
  case SEAM_KIND_ROW:
    seam_field_add_rows (builder, field, &SEAM_FIELD_AT (const char, record, field), 1);
    break;
  case SEAM_KIND_COMPUTED:
    break;
  }
}

void
seam_record_build (const SeamRecordType *type, gconstpointer record, gboolean bulk,
                   GVariantBuilder *builder)
{
  SEAM_FOR_EACH_FIELD (field, type)
  if (is_written (field, record, bulk))
    add_field (builder, field, record, bulk);
}

GVariant *
seam_record_to_variant (const SeamRecordType *type, gconstpointer record, gboolean bulk)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_record_build (type, record, bulk, &builder);
  return g_variant_builder_end (&builder);
}

char *
seam_record_to_json (const SeamRecordType *type, gconstpointer record)
{
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_record_to_variant (type, record, FALSE));

  return seam_variant_to_json (variant);
}

/* --- Reading --- */

static void
read_choice (SeamReader *reader, const SeamField *field, const SeamRecordType *type,
             gpointer record)
{
  g_autofree char *name = NULL;
  int choice, n = 0;

  while (field->choices[n].name != NULL)
    n++;
  if ((field->flags & SEAM_AS_NUMBER) != 0) {
    seam_reader_int (reader, field->name, 0, n - 1, &SEAM_FIELD_AT (int, record, field));
    return;
  }
  seam_reader_string (reader, field->name, &name);
  choice = seam_choice_find (field->choices, name);
  if (choice >= 0) {
    SEAM_FIELD_AT (int, record, field) = choice;
  } else if (name != NULL && (field->flags & SEAM_LATER) != 0) {
    SEAM_FIELD_AT (int, record, field) = seam_choice_keep (name);
  } else if (name != NULL && (field->flags & SEAM_LENIENT) == 0) {
    g_autofree char *list = seam_choice_list (field->choices, n);
    seam_reader_fail (reader, "the %s's %s is %s, not “%s”", type->name, field->name, list, name);
  }
}

static void
read_flags (SeamReader *reader, const SeamField *field, gpointer record)
{
  g_auto (GStrv) names = NULL;

  seam_reader_strings (reader, field->name, &names);
  if (names == NULL)
    return;
  SEAM_FIELD_AT (guint, record, field) = 0;
  for (int i = 0; names[i] != NULL; i++) {
    int bit = seam_choice_find (field->choices, names[i]);
    if (bit >= 0)
      SEAM_FIELD_AT (guint, record, field) |= 1u << bit;
  }
}

static void
read_numbers (SeamReader *reader, const SeamField *field, gpointer record)
{
  gint64 *numbers = &SEAM_FIELD_AT (gint64, record, field);
  gsize n;
  g_autofree gint64 *values = seam_reader_array (reader, field->name, "x", sizeof (gint64), &n);

  if (values == NULL)
    return;
  if (n != field->length && (field->flags & SEAM_LENIENT) == 0) {
    seam_reader_fail (reader, "\"%s\" has %" G_GSIZE_FORMAT " numbers, not %d", field->name, n,
                      field->length);
    return;
  }
  for (gsize i = 0; i < MIN (n, field->length); i++)
    numbers[i] = (field->flags & SEAM_CLIPPED) != 0 ? MAX (values[i], field->min) : values[i];
}

static void
read_array (SeamReader *reader, const SeamField *field, gpointer record)
{
  gsize n, expected, size = seam_field_get_element_size (field);
  gpointer data = seam_reader_array (reader, field->name, get_element_type (field->kind),
                                     is_four_bytes (field) ? 1 : size, &n);

  if (data == NULL)
    return;
  SEAM_FIELD_AT (gpointer, record, field) = data;
  if (field->count != 0) {
    G_STRUCT_MEMBER (int, record, field->count) =
        (int)MIN (n, field->max > 0 ? (gsize)field->max : G_MAXINT / size);
    return;
  }
  expected = seam_field_count (field, record) * (is_four_bytes (field) ? size : 1);
  if (n != expected) {
    seam_reader_fail (reader, "\"%s\" has %" G_GSIZE_FORMAT " %s, not %" G_GSIZE_FORMAT,
                      field->name, n, is_four_bytes (field) ? "bytes" : "elements", expected);
    g_clear_pointer (&SEAM_FIELD_AT (gpointer, record, field), g_free);
  } else if (is_four_bytes (field)) {
    order_words (data, n / size);
  }
}

/* Whether the count is known before the list is read: from a field of its own, or from an array
 * with the same count. */
static gboolean
is_count_known (const SeamField *list, const SeamRecordType *type)
{
  SEAM_FOR_EACH_FIELD (field, type)
  {
    if (field == list)
      return FALSE;
    if ((field->count == list->count && field->count != 0)
        || (field->kind == SEAM_KIND_INT && field->offset == list->count
            && (field->flags & SEAM_DERIVED) == 0))
      return TRUE;
  }
  return FALSE;
}

static void
fail_count (SeamReader *reader, const SeamField *list, int stated, gsize n)
{
  seam_reader_fail (reader, "it states %d %s and holds %" G_GSIZE_FORMAT, stated, list->name, n);
}

/* Reads the array of one field of the records; the lists of all fields have the same length. */
static void
read_column (SeamReader *reader, const SeamField *list, const SeamField *field, gpointer record)
{
  const char type[] = { 'a', get_element_type (field->kind)[0], '\0' };
  gsize n = 0, size = seam_field_get_size (field), n_before = seam_field_count (list, record);
  g_autofree char *key = g_strconcat (list->name, "_", field->name, NULL);
  g_autoptr (GVariant) member = seam_reader_value (reader, key, type);
  const char *data = member != NULL ? g_variant_get_fixed_array (member, &n, size) : NULL;

  if (reader->error != NULL || (member == NULL && (field->flags & SEAM_REQUIRED) == 0))
    return;
  if (field == list->type->fields && n > 0 && n <= list->type->max) {
    SEAM_FIELD_AT (char *, record, list) = g_malloc (n * list->type->size);
    for (gsize i = 0; i < n; i++)
      seam_record_init (list->type, seam_field_get_element (list, record, i));
    G_STRUCT_MEMBER (int, record, list->count) = (int)n;
  } else if (n != n_before) {
    seam_reader_fail (reader, "the lists of %s have different lengths", list->name);
    return;
  }
  for (gsize i = 0; i < n; i++)
    memcpy ((char *)seam_field_get_element (list, record, i) + field->offset, data + i * size,
            size);
}

static void
read_columns (SeamReader *reader, const SeamField *list, const SeamPath *path, gpointer record)
{
  int stated = G_STRUCT_MEMBER (int, record, list->count);
  gboolean is_known = is_count_known (list, path->type);

  if (is_known && stated < 0)
    return;
  SEAM_FOR_EACH_FIELD (field, list->type)
  read_column (reader, list, field, record);
  gsize n = seam_field_count (list, record);
  if (is_known && n != (gsize)stated)
    fail_count (reader, list, stated, n);
  for (gsize i = 0; i < n && list->type->complete != NULL && reader->error == NULL; i++)
    list->type->complete (seam_field_get_element (list, record, i), path, reader);
}

/* Reads one record of a list, or the record that a field points to. */
static void
read_inner (SeamReader *reader, const SeamRecordType *type, GVariant *variant, const SeamPath *path,
            gpointer into)
{
  g_autoptr (GError) error = NULL;

  if (!seam_record_from_variant (type, variant, reader->what, path, into, &error))
    seam_reader_fail (reader, "its %s is damaged (%s)", type->name, error->message);
}

static void
read_list (SeamReader *reader, const SeamField *list, const SeamPath *path, gpointer record)
{
  g_autoptr (GVariant) variant = seam_reader_value (reader, list->name, "aa{sv}");
  int *count = &G_STRUCT_MEMBER (int, record, list->count);
  gsize n = variant != NULL ? g_variant_n_children (variant) : 0;

  if (is_count_known (list, path->type) && (variant != NULL || (list->flags & SEAM_OMITTED) == 0)
      && n != (gsize)MAX (*count, 0)) {
    fail_count (reader, list, *count, n);
    *count = 0;
    return;
  }
  if (n > list->type->max)
    seam_reader_fail (reader, "it has %" G_GSIZE_FORMAT " %s", n, list->name);
  if (n == 0 || reader->error != NULL)
    return;
  SEAM_FIELD_AT (char *, record, list) = g_malloc (n * list->type->size);
  for (gsize i = 0; i < n; i++)
    seam_record_init (list->type, SEAM_FIELD_AT (char *, record, list) + i * list->type->size);
  *count = (int)n;
  for (gsize i = 0; i < n && reader->error == NULL; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (variant, i);
    read_inner (reader, list->type, child, path, seam_field_get_element (list, record, i));
  }
}

static void
read_record (SeamReader *reader, const SeamField *field, const SeamPath *path, gpointer record)
{
  g_autoptr (GVariant) variant = seam_reader_value (reader, field->name, "a{sv}");

  if (variant == NULL || reader->error != NULL)
    return;
  seam_record_free (field->type, SEAM_FIELD_AT (gpointer, record, field));
  SEAM_FIELD_AT (gpointer, record, field) = g_malloc (field->type->size);
  read_inner (reader, field->type, variant, path, SEAM_FIELD_AT (gpointer, record, field));
}

static void
read_double (SeamReader *reader, const SeamField *field, double *value)
{
  seam_reader_double (reader, field->name, value);
  if ((field->flags & SEAM_CLIPPED) != 0 && !(*value >= field->low))
    *value = field->low; /* also for NaN */
  if (field->high > field->low && !(*value >= field->low && *value <= field->high))
    seam_reader_fail (reader, "\"%s\" is outside the range %g to %g", field->name, field->low,
                      field->high);
}

static void read_member (SeamReader *reader, const SeamField *field, const SeamPath *path,
                         gpointer record);

static void
read_prefixed (SeamReader *reader, const SeamField *field, const SeamPath *outer, gpointer record)
{
  gpointer inside = &SEAM_FIELD_AT (char, record, field);
  SeamPath path = { field->type, inside, 0, outer };

  SEAM_FOR_EACH_FIELD (inner, field->type)
  {
    g_autofree char *name = NULL;
    SeamField prefixed = prefix (field, inner, &name);
    read_member (reader, &prefixed, &path, inside);
  }
}

static void
read_field (SeamReader *reader, const SeamField *field, const SeamPath *path, gpointer record)
{
  gboolean is_limited = field->min < field->max;

  switch (field->kind) {
  case SEAM_KIND_BOOLEAN:
    seam_reader_boolean (reader, field->name, &SEAM_FIELD_AT (gboolean, record, field));
    break;
  case SEAM_KIND_INT:
    seam_reader_int (reader, field->name, is_limited ? (int)field->min : G_MININT,
                     is_limited ? (int)field->max : G_MAXINT, &SEAM_FIELD_AT (int, record, field));
    break;
  case SEAM_KIND_INT64:
    seam_reader_int64 (reader, field->name, is_limited ? field->min : G_MININT64,
                       is_limited ? field->max : G_MAXINT64,
                       &SEAM_FIELD_AT (gint64, record, field));
    break;
  case SEAM_KIND_UINT64:
    seam_reader_uint64 (reader, field->name, &SEAM_FIELD_AT (guint64, record, field));
    break;
  case SEAM_KIND_DOUBLE:
    read_double (reader, field, &SEAM_FIELD_AT (double, record, field));
    break;
  case SEAM_KIND_TEXT:
    if ((field->flags & SEAM_LONG) != 0)
      seam_reader_text (reader, field->name, &SEAM_FIELD_AT (char *, record, field));
    else
      seam_reader_string (reader, field->name, &SEAM_FIELD_AT (char *, record, field));
    break;
  case SEAM_KIND_CHOICE:
    read_choice (reader, field, path->type, record);
    break;
  case SEAM_KIND_FLAGS:
    read_flags (reader, field, record);
    break;
  case SEAM_KIND_NUMBERS:
    read_numbers (reader, field, record);
    break;
  case SEAM_KIND_STRINGS:
    seam_reader_strings (reader, field->name, &SEAM_FIELD_AT (char **, record, field));
    break;
  case SEAM_KIND_RECORD:
    read_record (reader, field, path, record);
    break;
  case SEAM_KIND_RECORDS:
    read_list (reader, field, path, record);
    break;
  case SEAM_KIND_ROWS:
    seam_field_read_rows (reader, field, record);
    break;
  case SEAM_KIND_COLUMNS:
    read_columns (reader, field, path, record);
    break;
  case SEAM_KIND_INLINE:
    seam_record_read (field->type, reader, path, &SEAM_FIELD_AT (char, record, field));
    break;
  case SEAM_KIND_PREFIXED:
    read_prefixed (reader, field, path, record);
    break;
  case SEAM_KIND_ROW:
    seam_field_read_row (reader, field, record);
    break;
  case SEAM_KIND_COMPUTED:
    break;
  default:
    read_array (reader, field, record);
  }
}

static void
read_member (SeamReader *reader, const SeamField *field, const SeamPath *path, gpointer record)
{
  if ((field->flags & SEAM_REQUIRED) != 0)
    seam_reader_require (reader, field->name);
  if ((field->flags & (SEAM_DERIVED | SEAM_PRIVATE)) == 0)
    read_field (reader, field, path, record);
  if (field->check != NULL && reader->error == NULL)
    field->check (field, record, path->outer, reader);
}

void
seam_record_read (const SeamRecordType *type, SeamReader *reader, const SeamPath *outer,
                  gpointer record)
{
  SeamPath path = { type, record, 0, outer };

  SEAM_FOR_EACH_FIELD (field, type)
  {
    read_member (reader, field, &path, record);
    if (type->is_lenient)
      g_clear_error (&reader->error);
  }
  if (type->complete != NULL && reader->error == NULL)
    type->complete (record, outer, reader);
}

gboolean
seam_record_from_variant (const SeamRecordType *type, GVariant *variant, const char *what,
                          const SeamPath *outer, gpointer into, GError **error)
{
  SeamReader reader;

  seam_record_init (type, into);
  seam_reader_init (&reader, variant, what);
  seam_reader_index (&reader);
  seam_record_read (type, &reader, outer, into);
  if (seam_reader_finish (&reader, error))
    return TRUE;
  seam_record_clear (type, into);
  return FALSE;
}

gpointer
seam_record_new_from_variant (const SeamRecordType *type, GVariant *variant, GError **error)
{
  gpointer record = g_malloc (type->size);

  if (seam_record_from_variant (type, variant, type->name, NULL, record, error))
    return record;
  seam_record_free (type, record);
  return NULL;
}
