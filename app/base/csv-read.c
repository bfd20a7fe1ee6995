/* SPDX-License-Identifier: MIT
 *
 * Parses CSV text into rows of fields. The meaning of the columns is up to the callers.
 */
#include "app/base/csv-read.h"

#include "app/base/csv-text.h"
#include "app/base/error.h"

#include <math.h>
#include <string.h>

struct SeamCsv {
  GPtrArray *names; /* char *, owned */
  GPtrArray *rows;  /* GPtrArray of char *, each as long as `names` */
};

/* Reads one line of fields from `*position`, and moves it behind the line; NULL if a quote is not
 * closed. */
static GPtrArray *
read_row (const char **position, int *line)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  const char *p = *position;
  gboolean ended = FALSE;

  while (!ended) {
    g_autoptr (GString) field = g_string_new (NULL);

    if (*p == '"') {
      for (p++; *p != '"' || p[1] == '"'; p++) {
        if (*p == '\0')
          return NULL;
        if (*p == '\n')
          (*line)++;
        /* A doubled quote stands for one. */
        if (*p == '"')
          p++;
        g_string_append_c (field, *p);
      }
      p++;
    }
    while (*p != ',' && *p != '\r' && *p != '\n' && *p != '\0')
      g_string_append_c (field, *p++);
    if (field->str[0] == '\'' && seam_csv_is_guarded (field->str))
      g_string_erase (field, 0, 1);
    g_ptr_array_add (fields, g_string_free (g_steal_pointer (&field), FALSE));
    if (*p == ',') {
      p++;
      continue;
    }
    ended = TRUE;
    if (*p == '\r')
      p++;
    if (*p == '\n')
      p++;
    (*line)++;
  }
  *position = p;
  return g_steal_pointer (&fields);
}

SeamCsv *
seam_csv_parse (const char *text, GError **error)
{
  g_autoptr (SeamCsv) csv = g_new0 (SeamCsv, 1);
  const char *position = g_str_has_prefix (text, "\xef\xbb\xbf") ? text + 3 : text;
  int line = 1;

  if (!g_utf8_validate (text, -1, NULL))
    return seam_fail_null (error, SEAM_ERROR_FILE,
                           "The table is not in UTF-8: save it again in that encoding.");
  csv->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  while (*position != '\0') {
    int first_line = line;
    GPtrArray *row = read_row (&position, &line);

    if (row == NULL)
      return seam_fail_null (error, SEAM_ERROR_FILE,
                             "The quote that begins in line %d of the table does not end.",
                             first_line);
    if (row->len == 1 && ((char *)row->pdata[0])[0] == '\0') {
      g_ptr_array_unref (row);
    } else if (csv->names == NULL) {
      csv->names = row;
    } else if (row->len != csv->names->len) {
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                   "Line %d of the table has %u fields, and its first line names %u columns.",
                   first_line, row->len, csv->names->len);
      g_ptr_array_unref (row);
      return NULL;
    } else {
      g_ptr_array_add (csv->rows, row);
    }
  }
  if (csv->names == NULL)
    return seam_fail_null (error, SEAM_ERROR_FILE, "The table is empty.");
  return g_steal_pointer (&csv);
}

void
seam_csv_free (SeamCsv *csv)
{
  if (csv == NULL)
    return;
  g_clear_pointer (&csv->names, g_ptr_array_unref);
  g_clear_pointer (&csv->rows, g_ptr_array_unref);
  g_free (csv);
}

int
seam_csv_get_n_rows (const SeamCsv *csv)
{
  return (int)csv->rows->len;
}

static int
find_column (const SeamCsv *csv, const char *column)
{
  for (guint i = 0; i < csv->names->len; i++)
    if (strcmp (csv->names->pdata[i], column) == 0)
      return (int)i;
  return -1;
}

gboolean
seam_csv_has_column (const SeamCsv *csv, const char *column)
{
  return find_column (csv, column) >= 0;
}

const char *
seam_csv_get (const SeamCsv *csv, int row, const char *column)
{
  int index = find_column (csv, column);

  if (index < 0 || row < 0 || row >= seam_csv_get_n_rows (csv))
    return "";
  const GPtrArray *fields = csv->rows->pdata[row];
  return fields->pdata[index];
}

double
seam_csv_get_number (const SeamCsv *csv, int row, const char *column)
{
  const char *text = seam_csv_get (csv, row, column);
  char *end;
  double value = g_ascii_strtod (text, &end);

  return end == text || *end != '\0' ? NAN : value;
}

gint64
seam_csv_get_integer (const SeamCsv *csv, int row, const char *column, gint64 min, gint64 unknown)
{
  gint64 value;

  return g_ascii_string_to_signed (seam_csv_get (csv, row, column), 10, min, G_MAXINT64, &value,
                                   NULL)
             ? value
             : unknown;
}
