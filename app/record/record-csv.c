/* SPDX-License-Identifier: MIT
 *
 * Tables of records: views as CSV, as JSON and as JSON's members, and reading CSV back.
 */
#include "app/record/record-private.h"

#include "app/base/csv-text.h"

#include <math.h>
#include <string.h>

typedef struct {
  const SeamField *field;
  int depth;    /* records outwards from the record of the row */
  int element;  /* element of a NUMBERS field */
  gsize inside; /* offset of the record with the field inside that record */
  int pointer;  /* offset of the pointer to it; -1: no pointer */
} Column;

struct SeamViewWriter {
  GString *csv;
  GVariantBuilder *json; /* NULL: CSV */
  GPtrArray *names;      /* of the columns; ends with NULL */
  GArray *columns;       /* of Column */
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

static void
require_column (const SeamView *view, const SeamPath *row, const char *name, Column *column)
{
  if (!find_column (view, row, name, column))
    g_error ("No record has a field “%s”.", name);
}

/* FALSE, and nothing to clear, if there is no record with this value. */
static gboolean
get_value (const Column *column, const SeamPath *path, SeamValue *value)
{
  for (int j = 0; j < column->depth; j++)
    path = path->outer;
  SeamPath at = *path;
  if (column->pointer >= 0)
    at.record = G_STRUCT_MEMBER (gconstpointer, path->record, column->pointer);
  if (at.record == NULL)
    return FALSE;
  at.record = (const char *)at.record + column->inside;
  seam_field_get (column->field, &at, column->element, value);
  return TRUE;
}

static void
list_later (const SeamRecordType *type, GPtrArray *names)
{
  SEAM_FOR_EACH_FIELD (field, type)
  {
    const char *name = field->column != NULL ? field->column : field->name;

    if (field->kind == SEAM_KIND_INLINE)
      list_later (field->type, names);
    else if ((field->flags & SEAM_IN_TABLES) != 0
             && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
      g_ptr_array_add (names, g_strdup (name));
  }
}

/* The columns of the header, and those of fields with SEAM_IN_TABLES. */
static GPtrArray *
list_columns (const SeamView *view, const SeamPath *row)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char **promised = g_strsplit (view->header, ",", -1);

  for (int i = 0; promised[i] != NULL; i++)
    g_ptr_array_add (names, promised[i]);
  for (const SeamPath *path = row; path != NULL; path = path->outer)
    list_later (path->type, names);
  return names;
}

static void
build_value (GVariantBuilder *builder, const char *name, const SeamValue *value)
{
  switch (value->kind) {
  case SEAM_KIND_BOOLEAN:
    seam_builder_boolean (builder, name, (gboolean)value->integer);
    break;
  case SEAM_KIND_INT64:
    seam_builder_int64 (builder, name, value->integer);
    break;
  case SEAM_KIND_UINT64:
    seam_builder_uint64 (builder, name, value->natural);
    break;
  case SEAM_KIND_DOUBLE:
    seam_builder_double (builder, name, value->real);
    break;
  default:
    seam_builder_string (builder, name, value->text);
  }
}

SeamViewWriter *
seam_view_open_as (const SeamView *view, const SeamPath *path, SeamRowsFormat format)
{
  SeamViewWriter *writer = g_new0 (SeamViewWriter, 1);

  writer->csv = g_string_new (NULL);
  writer->names = list_columns (view, path);
  writer->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  for (guint i = 0; i < writer->names->len; i++) {
    Column column;
    require_column (view, path, writer->names->pdata[i], &column);
    g_array_append_val (writer->columns, column);
  }
  g_ptr_array_add (writer->names, NULL);
  seam_csv_add_header (writer->csv, (const char *const *)writer->names->pdata);
  if (format == SEAM_ROWS_JSON) {
    writer->json = g_variant_builder_new (G_VARIANT_TYPE_VARDICT);
    seam_builder_open_list (writer->json, "rows");
  }
  return writer;
}

void
seam_view_add_row (SeamViewWriter *writer, const SeamPath *path)
{
  if (writer->json != NULL)
    g_variant_builder_open (writer->json, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < writer->columns->len; i++) {
    SeamValue value = { .known = FALSE };
    gboolean found = get_value (&g_array_index (writer->columns, Column, i), path, &value);

    if (writer->json == NULL)
      seam_value_add (writer->csv, &value);
    else if (value.known)
      build_value (writer->json, writer->names->pdata[i], &value);
    else
      seam_builder_double (writer->json, writer->names->pdata[i], NAN); /* null */
    if (found)
      seam_value_clear (&value);
  }
  if (writer->json != NULL)
    g_variant_builder_close (writer->json);
  else
    seam_csv_end_row (writer->csv);
}

char *
seam_view_close (SeamViewWriter *writer)
{
  char *text = g_string_free (writer->csv, FALSE);

  if (writer->json != NULL) {
    seam_builder_close_list (writer->json);
    g_autoptr (GVariant) whole = g_variant_ref_sink (g_variant_builder_end (writer->json));
    g_variant_builder_unref (writer->json);
    g_free (text);
    text = seam_variant_to_json (whole);
  }
  g_ptr_array_unref (writer->names);
  g_array_unref (writer->columns);
  g_free (writer);
  return text;
}

void
seam_view_build (const SeamView *view, const SeamPath *path, GVariantBuilder *builder)
{
  g_auto (GStrv) names = g_strsplit (view->header, ",", -1);

  for (int i = 0; names[i] != NULL; i++) {
    Column column;
    SeamValue value;

    require_column (view, path, names[i], &column);
    if (!get_value (&column, path, &value))
      continue;
    build_value (builder, names[i], &value);
    seam_value_clear (&value);
  }
}

gboolean
seam_view_get (const SeamView *view, const SeamPath *path, const char *name, SeamValue *value)
{
  Column column;

  require_column (view, path, name, &column);
  return get_value (&column, path, value);
}

char *
seam_view_format (const SeamView *view, const SeamPath *path, const char *name)
{
  SeamValue value;

  if (!seam_view_get (view, path, name, &value))
    return NULL;
  char *text = seam_value_format (&value);
  seam_value_clear (&value);
  return text;
}

/* --- Reading back --- */

/* The integer within the field's limits; `initial` if the text is no number or below them. */
static gint64
parse_integer (const SeamField *field, const SeamCsv *csv, int row, const char *column,
               gint64 largest)
{
  gint64 value = seam_csv_get_integer (csv, row, column, field->min, (gint64)field->initial);

  return MIN (value, field->max > field->min ? field->max : largest);
}

void
seam_record_read_csv (const SeamRecordType *type, const SeamCsv *csv, int row, gpointer record)
{
  SEAM_FOR_EACH_FIELD (field, type)
  {
    const char *column = field->column != NULL ? field->column : field->name;
    const char *text = seam_csv_get (csv, row, column);

    if (*text == '\0')
      continue;
    switch (field->kind) {
    case SEAM_KIND_BOOLEAN:
      SEAM_FIELD_AT (gboolean, record, field) = strcmp (text, "yes") == 0;
      break;
    case SEAM_KIND_INT:
      SEAM_FIELD_AT (int, record, field) = (int)parse_integer (field, csv, row, column, G_MAXINT);
      break;
    case SEAM_KIND_INT64:
      SEAM_FIELD_AT (gint64, record, field) = parse_integer (field, csv, row, column, G_MAXINT64);
      break;
    case SEAM_KIND_DOUBLE:
      SEAM_FIELD_AT (double, record, field) = seam_csv_get_number (csv, row, column);
      break;
    case SEAM_KIND_TEXT:
      g_free (SEAM_FIELD_AT (char *, record, field));
      SEAM_FIELD_AT (char *, record, field) = g_strdup (text);
      break;
    case SEAM_KIND_CHOICE:
      if (seam_choice_find (field->choices, text) >= 0)
        SEAM_FIELD_AT (int, record, field) = seam_choice_find (field->choices, text);
      break;
    default: /* not a single value */
      break;
    }
  }
}
