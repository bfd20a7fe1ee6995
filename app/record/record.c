/* SPDX-License-Identifier: MIT
 *
 * Creates, copies, frees and compares records.
 */
#include "app/record/record-private.h"

#include <math.h>
#include <string.h>

gsize
seam_field_get_element_size (const SeamField *field)
{
  switch (field->kind) {
  case SEAM_KIND_NUMBERS:
  case SEAM_KIND_DOUBLES:
  case SEAM_KIND_INT64S:
    return 8;
  case SEAM_KIND_INTS:
  case SEAM_KIND_FLOATS:
  case SEAM_KIND_WORDS:
    return 4;
  case SEAM_KIND_BYTES:
    return 1;
  case SEAM_KIND_RECORDS:
  case SEAM_KIND_ROWS:
  case SEAM_KIND_COLUMNS:
    return field->type->size;
  default:
    return 0;
  }
}

gsize
seam_field_get_size (const SeamField *field)
{
  switch (field->kind) {
  case SEAM_KIND_BOOLEAN:
  case SEAM_KIND_INT:
  case SEAM_KIND_CHOICE:
  case SEAM_KIND_FLAGS:
    return sizeof (int);
  case SEAM_KIND_NUMBERS:
    return field->length * sizeof (gint64);
  case SEAM_KIND_INLINE:
  case SEAM_KIND_PREFIXED:
  case SEAM_KIND_ROW:
    return field->type->size;
  case SEAM_KIND_COMPUTED:
    return 0;
  default:
    return 8;
  }
}

gboolean
seam_field_is_array (const SeamField *field)
{
  return field->kind >= SEAM_KIND_DOUBLES && field->kind <= SEAM_KIND_WORDS;
}

gboolean
seam_field_is_inside (const SeamField *field)
{
  return field->kind >= SEAM_KIND_INLINE && field->kind <= SEAM_KIND_ROW;
}

/* Elements of an array. A missing array has none, even if its count says otherwise: -1 may mean
 * "not traced", and a count may be a fact of its own. */
gsize
seam_field_count (const SeamField *field, gconstpointer record)
{
  if (field->kind == SEAM_KIND_NUMBERS)
    return field->length;
  if (SEAM_FIELD_AT (gpointer, record, field) == NULL)
    return 0;
  if (field->measure != NULL)
    return field->measure (record);
  if (field->count == 0)
    return field->length;
  return (gsize)MAX (G_STRUCT_MEMBER (int, record, field->count), 0);
}

gpointer
seam_field_get_element (const SeamField *field, gconstpointer record, gsize i)
{
  return SEAM_FIELD_AT (char *, record, field) + i * seam_field_get_element_size (field);
}

void
seam_record_init (const SeamRecordType *type, gpointer record)
{
  memset (record, 0, type->size);
  SEAM_FOR_EACH_FIELD (field, type)
  {
    switch (field->kind) {
    case SEAM_KIND_BOOLEAN:
    case SEAM_KIND_INT:
    case SEAM_KIND_CHOICE:
    case SEAM_KIND_FLAGS:
      SEAM_FIELD_AT (int, record, field) = (int)field->initial;
      break;
    case SEAM_KIND_INT64:
      SEAM_FIELD_AT (gint64, record, field) = (gint64)field->initial;
      break;
    case SEAM_KIND_UINT64:
      SEAM_FIELD_AT (guint64, record, field) = (guint64)field->initial;
      break;
    case SEAM_KIND_DOUBLE:
      SEAM_FIELD_AT (double, record, field) = seam_field_get_initial (field);
      break;
    case SEAM_KIND_INLINE:
    case SEAM_KIND_PREFIXED:
    case SEAM_KIND_ROW:
      seam_record_init (field->type, &SEAM_FIELD_AT (char, record, field));
      break;
    default:
      break;
    }
  }
}

double
seam_field_get_initial (const SeamField *field)
{
  return field->from_zero || field->high > field->low ? field->initial : NAN;
}

/* Frees what the field owns, without resetting it. */
static void
field_free (const SeamField *field, gpointer record)
{
  switch (field->kind) {
  case SEAM_KIND_RECORDS:
  case SEAM_KIND_ROWS:
  case SEAM_KIND_COLUMNS:
    for (gsize i = 0, n = seam_field_count (field, record); i < n; i++)
      seam_record_clear (field->type, seam_field_get_element (field, record, i));
    g_free (SEAM_FIELD_AT (gpointer, record, field));
    break;
  case SEAM_KIND_RECORD:
    seam_record_free (field->type, SEAM_FIELD_AT (gpointer, record, field));
    break;
  case SEAM_KIND_INLINE:
  case SEAM_KIND_PREFIXED:
  case SEAM_KIND_ROW:
    seam_record_clear (field->type, &SEAM_FIELD_AT (char, record, field));
    break;
  case SEAM_KIND_STRINGS:
    g_strfreev (SEAM_FIELD_AT (char **, record, field));
    break;
  default:
    if (field->kind == SEAM_KIND_TEXT || seam_field_is_array (field))
      g_free (SEAM_FIELD_AT (gpointer, record, field));
  }
}

void
seam_record_clear (const SeamRecordType *type, gpointer record)
{
  SEAM_FOR_EACH_FIELD (field, type)
  field_free (field, record);
  seam_record_init (type, record);
}

static gpointer
copy_array (const SeamField *field, gconstpointer from)
{
  gsize n = seam_field_count (field, from), size = seam_field_get_element_size (field);
  char *copy = g_malloc0 (MAX (n * size, 1));

  if (field->type == NULL)
    return memcpy (copy, SEAM_FIELD_AT (gpointer, from, field), n * size);
  for (gsize i = 0; i < n; i++)
    seam_record_copy (field->type, copy + i * size, seam_field_get_element (field, from, i));
  return copy;
}

/* Copies what the field owns; its memory in the struct is already copied. */
static void
copy_owned (const SeamField *field, gpointer to, gconstpointer from)
{
  gpointer *pointer = &SEAM_FIELD_AT (gpointer, to, field);

  if (seam_field_is_inside (field))
    seam_record_copy (field->type, pointer, &SEAM_FIELD_AT (char, from, field));
  else if (field->kind == SEAM_KIND_TEXT)
    *pointer = g_strdup (*pointer);
  else if (field->kind == SEAM_KIND_STRINGS)
    *pointer = g_strdupv (*pointer);
  else if (field->kind == SEAM_KIND_RECORD)
    *pointer = seam_record_dup (field->type, *pointer);
  else if (field->kind >= SEAM_KIND_DOUBLES && field->kind <= SEAM_KIND_COLUMNS && *pointer != NULL)
    *pointer = copy_array (field, from);
}

void
seam_record_copy (const SeamRecordType *type, gpointer to, gconstpointer from)
{
  memcpy (to, from, type->size);
  SEAM_FOR_EACH_FIELD (field, type)
  copy_owned (field, to, from);
}

void
seam_field_copy (const SeamField *field, gpointer to, gconstpointer from)
{
  field_free (field, to);
  memcpy (&SEAM_FIELD_AT (char, to, field), &SEAM_FIELD_AT (char, from, field),
          seam_field_get_size (field));
  copy_owned (field, to, from);
}

gpointer
seam_record_new (const SeamRecordType *type)
{
  gpointer record = g_malloc (type->size);

  seam_record_init (type, record);
  return record;
}

gpointer
seam_record_dup (const SeamRecordType *type, gconstpointer record)
{
  gpointer copy = record != NULL ? g_malloc (type->size) : NULL;

  if (record != NULL)
    seam_record_copy (type, copy, record);
  return copy;
}

void
seam_record_free (const SeamRecordType *type, gpointer record)
{
  if (record == NULL)
    return;
  SEAM_FOR_EACH_FIELD (field, type)
  field_free (field, record);
  g_free (record);
}

const SeamField *
seam_record_find (const SeamRecordType *type, const char *name)
{
  SEAM_FOR_EACH_FIELD (field, type)
  if (strcmp (field->name, name) == 0)
    return field;
  return NULL;
}

/* --- Differences --- */

static gboolean
equal_elements (const SeamField *field, gconstpointer a, gconstpointer b)
{
  gsize n = seam_field_count (field, a);

  if (n != seam_field_count (field, b)
      || (SEAM_FIELD_AT (gpointer, a, field) == NULL)
             != (SEAM_FIELD_AT (gpointer, b, field) == NULL))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    gconstpointer x = seam_field_get_element (field, a, i);
    gconstpointer y = seam_field_get_element (field, b, i);
    if (field->type != NULL ? !seam_record_equal (field->type, x, y)
                            : memcmp (x, y, seam_field_get_element_size (field)) != 0)
      return FALSE;
  }
  return TRUE;
}

gboolean
seam_field_equal (const SeamField *field, gconstpointer a, gconstpointer b)
{
  gconstpointer x = &SEAM_FIELD_AT (char, a, field), y = &SEAM_FIELD_AT (char, b, field);

  switch (field->kind) {
  case SEAM_KIND_COMPUTED:
    return TRUE;
  case SEAM_KIND_INLINE:
  case SEAM_KIND_PREFIXED:
  case SEAM_KIND_ROW:
    return seam_record_equal (field->type, x, y);
  case SEAM_KIND_DOUBLE: {
    double p = SEAM_FIELD_AT (double, a, field), q = SEAM_FIELD_AT (double, b, field);
    return p == q || (isnan (p) && isnan (q));
  }
  case SEAM_KIND_TEXT:
    return g_strcmp0 (SEAM_FIELD_AT (char *, a, field), SEAM_FIELD_AT (char *, b, field)) == 0;
  case SEAM_KIND_STRINGS: {
    const char *const *p = SEAM_FIELD_AT (gpointer, a, field);
    const char *const *q = SEAM_FIELD_AT (gpointer, b, field);
    return p == NULL || q == NULL ? p == q : g_strv_equal (p, q);
  }
  case SEAM_KIND_RECORD: {
    gconstpointer p = SEAM_FIELD_AT (gpointer, a, field), q = SEAM_FIELD_AT (gpointer, b, field);
    return p == NULL || q == NULL ? p == q : seam_record_equal (field->type, p, q);
  }
  case SEAM_KIND_RECORDS:
  case SEAM_KIND_ROWS:
  case SEAM_KIND_COLUMNS:
    return equal_elements (field, a, b);
  default:
    return seam_field_is_array (field) ? equal_elements (field, a, b)
                                       : memcmp (x, y, seam_field_get_size (field)) == 0;
  }
}

gboolean
seam_record_equal (const SeamRecordType *type, gconstpointer a, gconstpointer b)
{
  SEAM_FOR_EACH_FIELD (field, type)
  if (!seam_field_equal (field, a, b))
    return FALSE;
  return TRUE;
}

/* --- Choices --- */

/* A name that this version does not know becomes a quark; such choices start here. */
#define LATER (1 << 16)

int
seam_choice_keep (const char *name)
{
  return LATER + (int)g_quark_from_string (name);
}

int
seam_choice_find (const SeamChoice *choices, const char *name)
{
  for (int i = 0; name != NULL && choices[i].name != NULL; i++)
    if (strcmp (choices[i].name, name) == 0)
      return i;
  return -1;
}

const char *
seam_choice_get_name (const SeamChoice *choices, int choice)
{
  return choice < LATER ? choices[choice].name : g_quark_to_string ((GQuark)(choice - LATER));
}

char *
seam_choice_list (const SeamChoice *choices, int n)
{
  GString *list = g_string_new (NULL);

  for (int i = 0; i < n; i++) {
    g_string_append_printf (list, "%s%s",
                            i == 0       ? ""
                            : i == n - 1 ? " or "
                                         : ", ",
                            choices[i].name);
    if (choices[i].words != NULL)
      g_string_append_printf (list, " (%s)", choices[i].words);
  }
  return g_string_free (list, FALSE);
}

const char *
seam_choice_get_title (const SeamChoice *choices, int choice)
{
  return choice < LATER && choices[choice].title != NULL ? choices[choice].title
                                                         : seam_choice_get_name (choices, choice);
}
