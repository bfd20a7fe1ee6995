/* SPDX-License-Identifier: MIT
 *
 * Single values of records as words, and tables of CSV.
 */
#include "app/record/record-private.h"

#include "app/base/csv-text.h"
#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* Values. */

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
    *value = (SeamValue){ .kind = SEAM_KIND_BOOLEAN, .known = TRUE, .integer = boolean };
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
    seam_value_set_double (value, SEAM_FIELD_AT (double, record, field));
    break;
  case SEAM_KIND_TEXT:
    seam_value_set_text (value, SEAM_FIELD_AT (char *, record, field));
    break;
  case SEAM_KIND_CHOICE:
    seam_value_set_text (value,
                         seam_choice_get_name (field->choices, SEAM_FIELD_AT (int, record, field)));
    break;
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
}

static void
add_value (GString *csv, const SeamValue *value)
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
  add_value (text, value);
  return g_strndup (text->str, text->len - 1); /* without the comma */
}

char *
seam_field_format (const SeamField *field, gconstpointer record)
{
  SeamPath path = { .record = record };
  SeamValue value;
  char *text;

  seam_field_get (field, &path, 0, &value);
  text = seam_value_format (&value);
  seam_value_clear (&value);
  return text;
}

/* Tables. */

typedef struct {
  const SeamField *field;
  int depth;    /* how many records out from that of the row */
  int element;  /* of NUMBERS */
  gsize inside; /* where in that record the record with the field is */
  int pointer;  /* offset of the pointer to it; -1: it is no pointer */
} Column;

struct SeamViewWriter {
  GString *csv;
  GArray *columns; /* of Column */
};

static gboolean
matches (const SeamField *field, const char *name, Column *column)
{
  const char *own = field->column != NULL ? field->column : field->name;
  gsize n = strlen (own);

  column->field = field;
  column->element = 0;
  if (field->kind > SEAM_KIND_NUMBERS && field->kind != SEAM_KIND_COMPUTED)
    return FALSE; /* not a single value */
  if (strcmp (own, name) == 0)
    return TRUE;
  if (field->kind != SEAM_KIND_NUMBERS || strncmp (own, name, n) != 0 || name[n] != '_'
      || name[n + 1] < 'x' || name[n + 1] > 'z' || name[n + 2] != '\0')
    return FALSE;
  column->element = name[n + 1] - 'x';
  return TRUE;
}

static gboolean
find_in_record (const SeamRecordType *type, const char *name, gsize inside, Column *column)
{
  SEAM_FOR_EACH_FIELD (field, type)
  {
    if (field->kind == SEAM_KIND_INLINE) {
      if (find_in_record (field->type, name, inside + field->offset, column))
        return TRUE;
    } else if (matches (field, name, column)) {
      column->inside = inside;
      return TRUE;
    }
  }
  return FALSE;
}

/* In the records that fields of `type` point to. */
static gboolean
find_behind (const SeamRecordType *type, const char *name, Column *column)
{
  SEAM_FOR_EACH_FIELD (field, type)
  if (field->kind == SEAM_KIND_RECORD && find_in_record (field->type, name, 0, column)) {
    column->pointer = field->offset;
    return TRUE;
  }
  return FALSE;
}

static gboolean
find_column (const SeamView *view, const SeamPath *row, const char *name, Column *column)
{
  *column = (Column){ .pointer = -1 };
  for (const SeamField *field = view->computed; field != NULL && field->name != NULL; field++)
    if (matches (field, name, column))
      return TRUE;
  for (const SeamPath *path = row; path != NULL; path = path->outer, column->depth++)
    if (find_in_record (path->type, name, 0, column))
      return TRUE;
  column->depth = 0;
  for (const SeamPath *path = row; path != NULL; path = path->outer, column->depth++)
    if (find_behind (path->type, name, column))
      return TRUE;
  return FALSE;
}

SeamViewWriter *
seam_view_open (const SeamView *view, const SeamPath *path)
{
  g_auto (GStrv) names = g_strsplit (view->header, ",", -1);
  SeamViewWriter *writer = g_new0 (SeamViewWriter, 1);

  writer->csv = g_string_new (NULL);
  writer->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  for (int i = 0; names[i] != NULL; i++) {
    Column column;
    if (!find_column (view, path, names[i], &column))
      g_error ("No record has a field “%s”.", names[i]);
    g_array_append_val (writer->columns, column);
  }
  seam_csv_add_header (writer->csv, (const char *const *)names);
  return writer;
}

void
seam_view_add_row (SeamViewWriter *writer, const SeamPath *path)
{
  for (guint i = 0; i < writer->columns->len; i++) {
    const Column *column = &g_array_index (writer->columns, Column, i);
    const SeamPath *of = path;
    SeamValue value;

    for (int j = 0; j < column->depth; j++)
      of = of->outer;
    SeamPath at = *of;
    at.record = column->pointer < 0 ? of->record
                                    : G_STRUCT_MEMBER (gconstpointer, of->record, column->pointer);
    if (at.record == NULL) {
      seam_csv_add_text (writer->csv, NULL);
      continue;
    }
    at.record = (const char *)at.record + column->inside;
    seam_field_get (column->field, &at, column->element, &value);
    add_value (writer->csv, &value);
    seam_value_clear (&value);
  }
  seam_csv_end_row (writer->csv);
}

char *
seam_view_close (SeamViewWriter *writer)
{
  char *text = g_string_free (writer->csv, FALSE);

  g_array_unref (writer->columns);
  g_free (writer);
  return text;
}
