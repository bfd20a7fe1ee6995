/* SPDX-License-Identifier: MIT
 *
 * Single values of records as text.
 */
#include "app/record/record-private.h"

#include "app/base/csv-text.h"

#include <math.h>

void
seam_value_clear (SeamValue *value)
{
  g_clear_pointer (&value->text, g_free);
}

void
seam_value_set_double (SeamValue *value, double real)
{
  *value = (SeamValue){ .kind = SEAM_KIND_DOUBLE, .known = !isnan (real), .real = real };
}

void
seam_value_set_boolean (SeamValue *value, gboolean boolean)
{
  *value = (SeamValue){ .kind = SEAM_KIND_BOOLEAN, .known = TRUE, .integer = boolean };
}

void
seam_value_set_integer (SeamValue *value, gint64 integer)
{
  *value = (SeamValue){ .kind = SEAM_KIND_INT64, .known = TRUE, .integer = integer };
}

void
seam_value_set_text (SeamValue *value, const char *text)
{
  *value = (SeamValue){ .kind = SEAM_KIND_TEXT, .known = text != NULL, .text = g_strdup (text) };
}

static void
get_boolean (const SeamField *field, gboolean boolean, SeamValue *value)
{
  if (field->choices != NULL)
    seam_value_set_text (value, seam_choice_get_name (field->choices, boolean != 0));
  else
    seam_value_set_boolean (value, boolean);
}

/* Keeps NaN, which may be a value. */
static void
get_double (const SeamField *field, double real, SeamValue *value)
{
  if (isnan (real) && (field->flags & SEAM_WITH_NAN) != 0)
    seam_value_set_text (value, "nan");
  else
    seam_value_set_double (value, real);
}

char **
seam_field_list_flags (const SeamField *field, gconstpointer record)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint flags = SEAM_FIELD_AT (guint, record, field);

  for (int i = 0; field->choices[i].name != NULL; i++)
    if ((flags >> i & 1) != 0)
      g_strv_builder_add (builder, field->choices[i].name);
  return g_strv_builder_end (builder);
}

void
seam_field_get (const SeamField *field, const SeamPath *path, int element, SeamValue *value)
{
  gconstpointer record = path->record;

  switch (field->kind) {
  case SEAM_KIND_BOOLEAN:
    get_boolean (field, SEAM_FIELD_AT (gboolean, record, field), value);
    break;
  case SEAM_KIND_INT:
    seam_value_set_integer (value, SEAM_FIELD_AT (int, record, field));
    break;
  case SEAM_KIND_INT64:
    seam_value_set_integer (value, SEAM_FIELD_AT (gint64, record, field));
    break;
  case SEAM_KIND_NUMBERS:
    seam_value_set_integer (value, (&SEAM_FIELD_AT (gint64, record, field))[element]);
    break;
  case SEAM_KIND_UINT64:
    *value = (SeamValue){ .kind = SEAM_KIND_UINT64,
                          .known = TRUE,
                          .natural = SEAM_FIELD_AT (guint64, record, field) };
    break;
  case SEAM_KIND_DOUBLE:
    get_double (field, SEAM_FIELD_AT (double, record, field), value);
    break;
  case SEAM_KIND_TEXT:
    seam_value_set_text (value, SEAM_FIELD_AT (char *, record, field));
    break;
  case SEAM_KIND_CHOICE:
    seam_value_set_text (value,
                         seam_choice_get_name (field->choices, SEAM_FIELD_AT (int, record, field)));
    break;
  case SEAM_KIND_FLAGS: {
    g_auto (GStrv) names = seam_field_list_flags (field, path->record);
    g_autofree char *text = g_strjoinv (" ", names);
    seam_value_set_text (value, text);
    break;
  }
  case SEAM_KIND_COMPUTED:
    *value = (SeamValue){ .kind = SEAM_KIND_TEXT };
    field->compute (path, value);
    break;
  default:
    seam_value_set_text (value, NULL);
    value->text = g_strdup_printf ("%" G_GSIZE_FORMAT " of them", seam_field_count (field, record));
    value->known = TRUE;
  }
  if ((field->flags & SEAM_OPTIONAL) != 0 && value->kind == SEAM_KIND_INT64)
    value->known = value->integer != (gint64)field->initial;
  if ((field->flags & SEAM_OPTIONAL) != 0 && value->kind == SEAM_KIND_DOUBLE)
    value->known &= value->real != field->initial;
  if (field->is_known != NULL && !field->is_known (record))
    value->known = FALSE;
  value->unit = field->unit;
}

void
seam_value_add (GString *csv, const SeamValue *value)
{
  if (!value->known)
    seam_csv_add_text (csv, NULL);
  else if (value->kind == SEAM_KIND_TEXT)
    seam_csv_add_text (csv, value->text);
  else if (value->kind == SEAM_KIND_BOOLEAN)
    seam_csv_add_boolean (csv, (gboolean)value->integer);
  else if (value->kind == SEAM_KIND_INT64)
    seam_csv_add_integer (csv, value->integer);
  else if (value->kind == SEAM_KIND_UINT64)
    g_string_append_printf (csv, "%" G_GUINT64_FORMAT ",", value->natural);
  else
    seam_csv_add_number (csv, value->real);
}

char *
seam_value_format (const SeamValue *value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!value->known || value->kind == SEAM_KIND_TEXT)
    return value->known ? g_strdup (value->text) : NULL;
  seam_value_add (text, value);
  return g_strndup (text->str, text->len - 1); /* without the comma */
}

char *
seam_field_format (const SeamField *field, gconstpointer record)
{
  SeamPath path = { .record = record };
  SeamValue value;

  seam_field_get (field, &path, 0, &value);
  char *text = seam_value_format (&value);
  seam_value_clear (&value);
  return text;
}
