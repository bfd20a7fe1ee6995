/* SPDX-License-Identifier: MIT
 *
 * For tests of CSV: the first columns of a table are a promise, and new ones come after them.
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Whether the table has these cells. They begin a line, unless they start with a comma or inside a
 * text. Where they end with "\r\n", the last of them is whole, and columns that were added later
 * may follow. */
static inline gboolean
csv_has (const char *csv, const char *cells)
{
  gsize length = strlen (cells) - (g_str_has_suffix (cells, "\r\n") ? 2 : 0);
  g_autofree char *own = g_strndup (cells, length);

  for (const char *p = strstr (csv, own); p != NULL; p = strstr (p + 1, own))
    if ((!g_ascii_isalnum (cells[0]) || p == csv || p[-1] == '\n')
        && (cells[length] == '\0' || strchr (",\r", p[length]) != NULL))
      return TRUE;
  return FALSE;
}
