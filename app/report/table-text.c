/* SPDX-License-Identifier: MIT
 *
 * A table on the terminal.
 */
#include "app/base/text.h"
#include "app/report/table.h"

/* Most characters of a cell; a single longer name would pad every other row to its width. The
 * widest regular cells are plans in full notation, about 120 characters. */
#define MAX_CELL 240

/* The texts of the table. */
typedef struct {
  int n_columns, n_title_lines;
  GPtrArray *titles; /* char **, lines */
  GPtrArray *cells;  /* char *, row by row */
  int *widths;       /* in columns of the terminal */
  gboolean *to_the_right;
} Lines;

/* Number of terminal columns that `text` takes. */
static int
get_width (const char *text)
{
  int width = 0;

  for (const char *p = text; *p; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
  }
  return width;
}

static void
append_cell (GString *line, const char *text, int width, gboolean to_the_right)
{
  int pad = width - get_width (text);

  g_string_append_printf (line, "%*s%s%*s", to_the_right ? pad : 0, "", text,
                          to_the_right ? 0 : pad, "");
}

static void
append_row (GString *text, const Lines *lines, char **cells)
{
  for (int i = 0; i < lines->n_columns; i++) {
    if (i > 0)
      g_string_append (text, "  ");
    append_cell (text, cells[i], lines->widths[i], lines->to_the_right[i]);
  }
  while (text->len > 0 && text->str[text->len - 1] == ' ')
    g_string_truncate (text, text->len - 1);
  g_string_append_c (text, '\n');
}

/* Appends line `line` of the header; a title with fewer lines stands at the bottom. */
static void
append_title_line (GString *text, const Lines *lines, int line)
{
  g_autofree char **cells = g_new (char *, lines->n_columns);

  for (int i = 0; i < lines->n_columns; i++) {
    char **title = lines->titles->pdata[i];
    int own = line - (lines->n_title_lines - (int)g_strv_length (title));

    cells[i] = own >= 0 ? title[own] : (char *)"";
  }
  append_row (text, lines, cells);
}

static void
add_title (Lines *lines, const SeamTable *table, int column)
{
  const char *title = seam_table_get_column (table, column)->title;
  const char *unit = seam_table_get_unit (table, column);
  g_autofree char *whole = unit != NULL ? g_strdup_printf ("%s\n(%s)", title, unit) : NULL;
  char **split = g_strsplit (whole != NULL ? whole : title, "\n", -1);
  int i = lines->n_columns++;

  for (int k = 0; split[k] != NULL; k++)
    lines->widths[i] = MAX (lines->widths[i], get_width (split[k]));
  lines->to_the_right[i] = seam_table_get_column (table, column)->kind != SEAM_CELL_TEXT;
  lines->n_title_lines = MAX (lines->n_title_lines, (int)g_strv_length (split));
  g_ptr_array_add (lines->titles, split);
}

static void
add_cell (Lines *lines, const SeamTable *table, int row, int column)
{
  g_autofree char *text = seam_table_format_cell (table, row, column);
  g_autofree char *printable = seam_text_make_printable (text, "");
  int i = (int)lines->cells->len % lines->n_columns;
  char *shortened = seam_text_shorten (printable, MAX_CELL);

  lines->widths[i] = MAX (lines->widths[i], get_width (shortened));
  g_ptr_array_add (lines->cells, shortened);
}

char *
seam_table_format (const SeamTable *table)
{
  int n_columns = seam_table_get_n_columns (table);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_autofree int *widths = g_new0 (int, n_columns);
  g_autofree gboolean *to_the_right = g_new0 (gboolean, n_columns);
  Lines lines = { 0, 1, titles, cells, widths, to_the_right };
  GString *text = g_string_new (NULL);

  for (int c = 0; c < n_columns; c++)
    if (seam_table_is_shown (table, c, SEAM_SHOWN_ON_TERMINAL))
      add_title (&lines, table, c);
  for (int r = 0; r < seam_table_get_n_rows (table); r++)
    for (int c = 0; c < n_columns; c++)
      if (seam_table_is_shown (table, c, SEAM_SHOWN_ON_TERMINAL))
        add_cell (&lines, table, r, c);
  for (int i = 0; i < lines.n_title_lines; i++)
    append_title_line (text, &lines, i);
  for (guint i = 0; i + (guint)lines.n_columns <= cells->len; i += (guint)lines.n_columns)
    append_row (text, &lines, (char **)cells->pdata + i);
  return g_string_free (text, FALSE);
}
