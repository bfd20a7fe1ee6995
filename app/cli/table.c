/* SPDX-License-Identifier: MIT
 *
 * Alignment of a table's cells.
 */
#include "app/cli/table.h"

#include "app/base/text.h"

/* Characters of a cell: one absurd name would pad every other row to its width. The widest cells of
 * the program's own are plans in full notation, some 120. */
#define MAX_CELL 240

struct SeamTable {
  GPtrArray *titles; /* char * */
  GArray *to_the_right;
  GPtrArray *cells; /* char *, row by row */
};

SeamTable *
seam_table_new (void)
{
  SeamTable *table = g_new0 (SeamTable, 1);

  table->titles = g_ptr_array_new_with_free_func (g_free);
  table->to_the_right = g_array_new (FALSE, FALSE, sizeof (gboolean));
  table->cells = g_ptr_array_new_with_free_func (g_free);
  return table;
}

void
seam_table_free (SeamTable *table)
{
  if (table == NULL)
    return;
  g_ptr_array_unref (table->titles);
  g_array_unref (table->to_the_right);
  g_ptr_array_unref (table->cells);
  g_free (table);
}

void
seam_table_add_column (SeamTable *table, const char *title, gboolean to_the_right)
{
  g_ptr_array_add (table->titles, g_strdup (title));
  g_array_append_val (table->to_the_right, to_the_right);
}

void
seam_table_take (SeamTable *table, char *text)
{
  seam_table_add (table, text);
  g_free (text);
}

void
seam_table_add (SeamTable *table, const char *text)
{
  g_autofree char *printable = seam_text_make_printable (text, "");

  g_ptr_array_add (table->cells, seam_text_shorten (printable, MAX_CELL));
}

/* Columns of a terminal that `text` takes. */
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
append_row (GString *text, const SeamTable *table, char **cells, const int *widths)
{
  for (guint i = 0; i < table->titles->len; i++) {
    if (i > 0)
      g_string_append (text, "  ");
    append_cell (text, cells[i], widths[i], g_array_index (table->to_the_right, gboolean, i));
  }
  while (text->len > 0 && text->str[text->len - 1] == ' ')
    g_string_truncate (text, text->len - 1);
  g_string_append_c (text, '\n');
}

/* Line `line` of `n_lines` of the header; a title of fewer lines stands at the bottom. */
static void
append_title_line (GString *text, const SeamTable *table, int line, int n_lines, const int *widths)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < table->titles->len; i++) {
    g_auto (GStrv) lines = g_strsplit (g_ptr_array_index (table->titles, i), "\n", -1);
    int own = line - (n_lines - (int)g_strv_length (lines));
    g_ptr_array_add (cells, g_strdup (own >= 0 ? lines[own] : ""));
  }
  append_row (text, table, (char **)cells->pdata, widths);
}

char *
seam_table_format (const SeamTable *table)
{
  guint n_columns = table->titles->len;
  g_autofree int *widths = g_new0 (int, n_columns);
  GString *text = g_string_new (NULL);
  int n_lines = 1;

  for (guint i = 0; i < n_columns; i++) {
    g_auto (GStrv) lines = g_strsplit (g_ptr_array_index (table->titles, i), "\n", -1);
    for (int j = 0; lines[j]; j++)
      widths[i] = MAX (widths[i], get_width (lines[j]));
    n_lines = MAX (n_lines, (int)g_strv_length (lines));
  }
  for (guint i = 0; i < table->cells->len; i++)
    widths[i % n_columns] =
        MAX (widths[i % n_columns], get_width (g_ptr_array_index (table->cells, i)));
  for (int i = 0; i < n_lines; i++)
    append_title_line (text, table, i, n_lines, widths);
  for (guint i = 0; i + n_columns <= table->cells->len; i += n_columns)
    append_row (text, table, (char **)table->cells->pdata + i, widths);
  return g_string_free (text, FALSE);
}
