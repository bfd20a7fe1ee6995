/* SPDX-License-Identifier: MIT
 *
 * Readers and builders of a{sv} variants; see variant.h for the rules.
 */
#include "app/record/variant.h"

#include <math.h>
#include <string.h>

/* A dictionary with more members, which no record has, is not indexed. */
#define MAX_INDEXED 256

struct SeamReaderMember {
  GVariant *name, *value; /* owned */
  const char *key;        /* in `name` */
};

void
seam_reader_init (SeamReader *reader, GVariant *variant, const char *what)
{
  *reader = (SeamReader){ .dict = variant, .what = what };
  if (variant == NULL || !g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT)) {
    reader->dict = NULL;
    seam_reader_fail (reader, "it is no dictionary");
  }
}

void
seam_reader_index (SeamReader *reader)
{
  gsize n = reader->dict != NULL ? g_variant_n_children (reader->dict) : 0;

  if (n == 0 || n > MAX_INDEXED)
    return;
  reader->members = g_new (struct SeamReaderMember, n);
  reader->n_members = n;
  for (gsize i = 0; i < n; i++) {
    struct SeamReaderMember *member = &reader->members[i];
    g_autoptr (GVariant) entry = g_variant_get_child_value (reader->dict, i);
    g_autoptr (GVariant) boxed = g_variant_get_child_value (entry, 1);

    /* Not with the format “&”: that would flatten, and so copy, an entry that was just built. */
    member->name = g_variant_get_child_value (entry, 0);
    member->key = g_variant_get_string (member->name, NULL);
    member->value = g_variant_get_variant (boxed);
  }
}

static void
clear_index (SeamReader *reader)
{
  for (gsize i = 0; i < reader->n_members; i++) {
    g_variant_unref (reader->members[i].name);
    g_variant_unref (reader->members[i].value);
  }
  g_clear_pointer (&reader->members, g_free);
  reader->n_members = 0;
}

gboolean
seam_reader_finish (SeamReader *reader, GError **error)
{
  clear_index (reader);
  if (reader->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reader->error));
  return FALSE;
}

void
seam_reader_fail (SeamReader *reader, const char *format, ...)
{
  va_list arguments;

  if (reader->error != NULL)
    return;
  va_start (arguments, format);
  g_autofree char *reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (&reader->error, SEAM_ERROR, SEAM_ERROR_INPUT, "The %s cannot be read: %s.",
               reader->what, reason);
}

/* Searches from the last member found, because callers mostly ask for members in their order. */
static GVariant *
find_member (SeamReader *reader, const char *key)
{
  if (reader->members == NULL)
    return g_variant_lookup_value (reader->dict, key, NULL);
  for (gsize i = 0; i < reader->n_members; i++) {
    gsize at = (reader->next + i) % reader->n_members;
    if (strcmp (reader->members[at].key, key) == 0) {
      reader->next = at;
      return g_variant_ref (reader->members[at].value);
    }
  }
  return NULL;
}

static GVariant *
lookup (SeamReader *reader, const char *key)
{
  if (reader->error != NULL || reader->dict == NULL)
    return NULL;
  GVariant *value = find_member (reader, key);
  while (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    GVariant *inner = g_variant_get_variant (value);
    g_variant_unref (value);
    value = inner;
  }
  /* What is unknown is null in JSON, and reads as if it were missing. */
  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE)
      && g_variant_n_children (value) == 0)
    g_clear_pointer (&value, g_variant_unref);
  return value;
}

static void
fail_type (SeamReader *reader, const char *key, GVariant *value, const char *expected)
{
  seam_reader_fail (reader, "\"%s\" is of type %s, not %s", key, g_variant_get_type_string (value),
                    expected);
}

/* The integer of any integer type; FALSE for another type or a value beyond gint64. */
static gboolean
get_integer (GVariant *value, gint64 *integer)
{
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_BYTE:
    *integer = g_variant_get_byte (value);
    return TRUE;
  case G_VARIANT_CLASS_INT16:
    *integer = g_variant_get_int16 (value);
    return TRUE;
  case G_VARIANT_CLASS_UINT16:
    *integer = g_variant_get_uint16 (value);
    return TRUE;
  case G_VARIANT_CLASS_INT32:
    *integer = g_variant_get_int32 (value);
    return TRUE;
  case G_VARIANT_CLASS_UINT32:
    *integer = g_variant_get_uint32 (value);
    return TRUE;
  case G_VARIANT_CLASS_INT64:
    *integer = g_variant_get_int64 (value);
    return TRUE;
  case G_VARIANT_CLASS_UINT64: {
    guint64 number = g_variant_get_uint64 (value);
    *integer = (gint64)MIN (number, (guint64)G_MAXINT64);
    return number <= (guint64)G_MAXINT64;
  }
  case G_VARIANT_CLASS_DOUBLE: {
    double number = g_variant_get_double (value);
    /* 2^53: beyond it a double no longer distinguishes neighbouring integers. */
    if (!(fabs (number) <= 9007199254740992.0) || number != floor (number))
      return FALSE;
    *integer = (gint64)number;
    return TRUE;
  }
  default:
    return FALSE;
  }
}

/* A whole number in a numeric type that the readers ask for, floating; NULL when it does not fit.
 */
static GVariant *
number_as_type (GVariant *value, const GVariantType *type)
{
  gint64 integer;

  if (!get_integer (value, &integer))
    return NULL;
  switch (*g_variant_type_peek_string (type)) {
  case 'd':
    return g_variant_new_double ((double)integer);
  case 'x':
    return g_variant_new_int64 (integer);
  case 'i':
    return integer == (gint32)integer ? g_variant_new_int32 ((gint32)integer) : NULL;
  case 'u':
    return integer == (guint32)integer ? g_variant_new_uint32 ((guint32)integer) : NULL;
  case 'y':
    return integer == (guchar)integer ? g_variant_new_byte ((guchar)integer) : NULL;
  default:
    return NULL;
  }
}

/* The value converted to this type, if it has the type or came as JSON text, which knows only lists
 * of anything and one kind of number; owned by the caller. NULL otherwise. */
static GVariant *
as_type (GVariant *value, const GVariantType *type)
{
  if (g_variant_is_of_type (value, type))
    return g_variant_ref (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    g_autoptr (GVariant) inner = g_variant_get_variant (value);
    return as_type (inner, type);
  }
  if (g_variant_type_is_basic (type)) {
    GVariant *number = number_as_type (value, type);
    return number != NULL ? g_variant_ref_sink (number) : NULL;
  }
  /* Lists, and tuples, which are lists in JSON. A dictionary needs no conversion: it has
   * its type already, or it is not a dictionary. */
  gboolean is_tuple = g_variant_type_is_tuple (type);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("av"))
      || !(is_tuple || g_variant_type_is_array (type)))
    return NULL;
  gsize n = g_variant_n_children (value);
  if (is_tuple && n != g_variant_type_n_items (type))
    return NULL;
  g_autoptr (GPtrArray) children = g_ptr_array_new_with_free_func ((GDestroyNotify)g_variant_unref);
  const GVariantType *item = is_tuple ? g_variant_type_first (type) : g_variant_type_element (type);
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
    GVariant *converted = as_type (child, item);
    if (converted == NULL)
      return NULL;
    g_ptr_array_add (children, converted);
    if (is_tuple)
      item = g_variant_type_next (item);
  }
  GVariant *const *data = (GVariant *const *)children->pdata;
  return g_variant_ref_sink (is_tuple ? g_variant_new_tuple (data, n)
                                      : g_variant_new_array (item, data, n));
}

void
seam_reader_double (SeamReader *reader, const char *key, double *value)
{
  g_autoptr (GVariant) member = lookup (reader, key);
  gint64 integer;

  if (member == NULL)
    return;
  if (g_variant_is_of_type (member, G_VARIANT_TYPE_DOUBLE))
    *value = g_variant_get_double (member);
  else if (get_integer (member, &integer))
    *value = (double)integer;
  else
    fail_type (reader, key, member, "a number");
}

void
seam_reader_int64 (SeamReader *reader, const char *key, gint64 min, gint64 max, gint64 *value)
{
  g_autoptr (GVariant) member = lookup (reader, key);
  gint64 integer;

  if (member == NULL)
    return;
  if (!get_integer (member, &integer))
    fail_type (reader, key, member, "an integer");
  else if (integer < min || integer > max)
    seam_reader_fail (
        reader, "\"%s\" is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
        key, integer, min, max);
  else
    *value = integer;
}

void
seam_reader_int (SeamReader *reader, const char *key, int min, int max, int *value)
{
  gint64 wide = *value;

  seam_reader_int64 (reader, key, min, max, &wide);
  *value = (int)wide;
}

void
seam_reader_uint64 (SeamReader *reader, const char *key, guint64 *value)
{
  g_autoptr (GVariant) member = lookup (reader, key);
  gint64 integer;

  if (member == NULL)
    return;
  if (g_variant_is_of_type (member, G_VARIANT_TYPE_UINT64))
    *value = g_variant_get_uint64 (member);
  else if (get_integer (member, &integer) && integer >= 0)
    *value = (guint64)integer;
  else
    fail_type (reader, key, member, "a number of at least 0");
}

void
seam_reader_boolean (SeamReader *reader, const char *key, gboolean *value)
{
  g_autoptr (GVariant) member = lookup (reader, key);

  if (member == NULL)
    return;
  if (g_variant_is_of_type (member, G_VARIANT_TYPE_BOOLEAN))
    *value = g_variant_get_boolean (member);
  else
    fail_type (reader, key, member, "true or false");
}

static void
read_text (SeamReader *reader, const char *key, gsize max, char **value)
{
  g_autoptr (GVariant) member = lookup (reader, key);

  if (member == NULL)
    return;
  if (!g_variant_is_of_type (member, G_VARIANT_TYPE_STRING)) {
    fail_type (reader, key, member, "a text");
    return;
  }
  if (g_variant_get_size (member) > max) {
    seam_reader_fail (reader, "\"%s\" is a text of %" G_GSIZE_FORMAT " bytes, and has at most %d",
                      key, g_variant_get_size (member), SEAM_READER_MAX_NAME);
    return;
  }
  g_free (*value);
  *value = g_variant_dup_string (member, NULL);
}

void
seam_reader_string (SeamReader *reader, const char *key, char **value)
{
  read_text (reader, key, SEAM_READER_MAX_NAME, value);
}

void
seam_reader_text (SeamReader *reader, const char *key, char **value)
{
  read_text (reader, key, G_MAXSIZE, value);
}

void
seam_reader_strings (SeamReader *reader, const char *key, char ***value)
{
  g_autoptr (GVariant) list = seam_reader_value (reader, key, "as");

  if (list == NULL)
    return;
  g_strfreev (*value);
  *value = g_variant_dup_strv (list, NULL);
}

void
seam_reader_require (SeamReader *reader, const char *key)
{
  g_autoptr (GVariant) member = lookup (reader, key);

  if (member == NULL && reader->error == NULL)
    seam_reader_fail (reader, "\"%s\" is missing", key);
}

gpointer
seam_reader_array (SeamReader *reader, const char *key, const char *element_type,
                   gsize element_size, gsize *n)
{
  *n = 0;
  char type[] = { 'a', element_type[0], '\0' };
  g_autoptr (GVariant) member = seam_reader_value (reader, key, type);
  if (member == NULL)
    return NULL;
  gconstpointer data = g_variant_get_fixed_array (member, n, element_size);
  return *n == 0 ? NULL : g_memdup2 (data, *n * element_size);
}

static const char *
describe_type (const char *type)
{
  if (type[0] != 'a' || type[1] == '{')
    return "an object";
  if (type[1] == 's')
    return "a list of texts";
  if (type[1] == 'd')
    return "a list of numbers";
  return strchr ("iuxy", type[1]) != NULL ? "a list of integers" : "a list of objects";
}

GVariant *
seam_reader_value (SeamReader *reader, const char *key, const char *type)
{
  g_autoptr (GVariant) member = lookup (reader, key);

  if (member == NULL)
    return NULL;
  GVariant *value = as_type (member, (const GVariantType *)type);
  if (value == NULL)
    fail_type (reader, key, member, describe_type (type));
  return value;
}

void
seam_builder_string (GVariantBuilder *builder, const char *key, const char *value)
{
  if (value == NULL)
    return;
  /* A library's message need not be UTF-8, a variant's text must be. */
  g_autofree char *valid = g_utf8_make_valid (value, -1);
  g_variant_builder_add (builder, "{sv}", key, g_variant_new_string (valid));
}

void
seam_builder_double (GVariantBuilder *builder, const char *key, double value)
{
  g_variant_builder_add (builder, "{sv}", key, g_variant_new_double (value));
}

void
seam_builder_int64 (GVariantBuilder *builder, const char *key, gint64 value)
{
  g_variant_builder_add (builder, "{sv}", key, g_variant_new_int64 (value));
}

void
seam_builder_uint64 (GVariantBuilder *builder, const char *key, guint64 value)
{
  g_variant_builder_add (builder, "{sv}", key, g_variant_new_uint64 (value));
}

void
seam_builder_boolean (GVariantBuilder *builder, const char *key, gboolean value)
{
  g_variant_builder_add (builder, "{sv}", key, g_variant_new_boolean (value));
}

void
seam_builder_array (GVariantBuilder *builder, const char *key, const char *element_type,
                    gsize element_size, const void *data, gsize n)
{
  g_variant_builder_add (builder, "{sv}", key,
                         g_variant_new_fixed_array ((const GVariantType *)element_type,
                                                    n == 0 ? NULL : data, n, element_size));
}

void
seam_builder_open_list (GVariantBuilder *builder, const char *key)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE ("{sv}"));
  g_variant_builder_add (builder, "s", key);
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARIANT);
  g_variant_builder_open (builder, G_VARIANT_TYPE ("aa{sv}"));
}

void
seam_builder_close_list (GVariantBuilder *builder)
{
  g_variant_builder_close (builder);
  g_variant_builder_close (builder);
  g_variant_builder_close (builder);
}
