/* SPDX-License-Identifier: MIT
 *
 * Fields and lines of CSV text. The columns are up to the callers.
 */
#include "app/base/csv-text.h"

#include <math.h>
#include <string.h>

void
seam_csv_end_row (GString *csv)
{
  /* Every field writes a comma after it; the last one's becomes the end of the line. */
  g_string_truncate (csv, csv->len - 1);
  g_string_append (csv, "\r\n");
}

gboolean
seam_csv_is_guarded (const char *text)
{
  text += strspn (text, "'");
  return *text != '\0' && strchr ("=+-@\t\r", *text) != NULL;
}

/* RFC 4180: quotes a field that contains a comma, a quote or a line end, and doubles its quotes. */
void
seam_csv_add_text (GString *csv, const char *text)
{
  g_autofree char *guarded =
      text != NULL && seam_csv_is_guarded (text) ? g_strconcat ("'", text, NULL) : NULL;

  if (guarded != NULL)
    text = guarded;
  if (text != NULL && strpbrk (text, ",\"\r\n") != NULL) {
    g_string_append_c (csv, '"');
    for (const char *p = text; *p != '\0'; p++) {
      if (*p == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *p);
    }
    g_string_append_c (csv, '"');
  } else if (text != NULL) {
    g_string_append (csv, text);
  }
  g_string_append_c (csv, ',');
}

/* The shortest text that reads back as the same number; empty if the number is unknown. */
void
seam_csv_add_number (GString *csv, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE] = "";

  if (isfinite (value)) {
    for (int digits = 15; digits <= 17; digits++) {
      g_autofree char *format = g_strdup_printf ("%%.%dg", digits);
      g_ascii_formatd (text, sizeof text, format, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  } else if (isinf (value)) {
    g_strlcpy (text, value > 0 ? "inf" : "-inf", sizeof text);
  }
  g_string_append (csv, text);
  g_string_append_c (csv, ',');
}

void
seam_csv_add_integer (GString *csv, gint64 value)
{
  g_string_append_printf (csv, "%" G_GINT64_FORMAT ",", value);
}

/* For counts that have a special value for unknown (-1, or 0 for sizes of a launch). */
void
seam_csv_add_known (GString *csv, gint64 value, gboolean known)
{
  if (known)
    seam_csv_add_integer (csv, value);
  else
    g_string_append_c (csv, ',');
}

void
seam_csv_add_boolean (GString *csv, gboolean value)
{
  seam_csv_add_text (csv, value ? "yes" : "no");
}

void
seam_csv_add_header (GString *csv, const char *const *names)
{
  for (int i = 0; names[i] != NULL; i++)
    seam_csv_add_text (csv, names[i]);
  seam_csv_end_row (csv);
}
