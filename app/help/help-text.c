/* SPDX-License-Identifier: MIT
 *
 * Formats a tree of Markdown as plain text.
 */
#include "app/help/help-text.h"

#include <string.h>

#define MIN_WIDTH  40
#define MIN_COLUMN 8 /* narrowest column of a table that is made to fit */
#define GAP        2 /* between columns of a table */

static int
get_width (const char *text)
{
  int width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
  }
  return width;
}

/* ---- Words ---- */

static void
append_inlines (const SeamMarkdown *node, GString *text)
{
  for (guint i = 0; i < node->children->len; i++) {
    const SeamMarkdown *child = node->children->pdata[i];
    switch (child->kind) {
    case SEAM_MARKDOWN_TEXT:
    case SEAM_MARKDOWN_CODE:
      g_string_append (text, child->text);
      break;
    case SEAM_MARKDOWN_BREAK:
      g_string_append_c (text, child->number ? '\n' : ' ');
      break;
    case SEAM_MARKDOWN_IMAGE:
      g_string_append (text, "[Picture: ");
      append_inlines (child, text);
      g_string_append_c (text, ']');
      break;
    case SEAM_MARKDOWN_LINK: {
      gsize before = text->len;
      append_inlines (child, text);
      /* A link to the web is shown with its address, the only way to reach it. */
      if (strstr (child->address, "://") != NULL
          && strcmp (text->str + before, child->address) != 0)
        g_string_append_printf (text, " (%s)", child->address);
      break;
    }
    default:
      append_inlines (child, text);
    }
  }
}

static char *
get_inlines (const SeamMarkdown *node)
{
  GString *text = g_string_new (NULL);

  append_inlines (node, text);
  return g_string_free (text, FALSE);
}

/* `text` in lines of at most `width`, except for longer words; char *. */
static GPtrArray *
break_lines (const char *text, int width)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n", -1);

  for (int i = 0; paragraphs[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (paragraphs[i], " ", -1);
    GString *line = g_string_new (NULL);
    int used = 0;
    for (int k = 0; words[k] != NULL; k++) {
      int wide = get_width (words[k]);
      if (wide == 0)
        continue;
      if (used > 0 && used + 1 + wide > width) {
        g_ptr_array_add (lines, g_string_free (line, FALSE));
        line = g_string_new (NULL);
        used = 0;
      }
      g_string_append_printf (line, "%s%s", used > 0 ? " " : "", words[k]);
      used += wide + (used > 0);
    }
    g_ptr_array_add (lines, g_string_free (line, FALSE));
  }
  return lines;
}

static void
append_lines (GString *out, const char *text, const char *first, const char *others, int width)
{
  g_autoptr (GPtrArray) lines = break_lines (text, width - get_width (others));

  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (out, "%s%s\n", i == 0 ? first : others, (char *)lines->pdata[i]);
}

char *
seam_help_wrap (const char *words, int width)
{
  GString *out = g_string_new (NULL);

  append_lines (out, words, "", "", MAX (width, MIN_WIDTH));
  return g_string_free (out, FALSE);
}

/* ---- Tables ---- */

/* Narrows the widest columns until the table fits. */
static void
fit_columns (int *widths, int n_columns, int width)
{
  int total = GAP * (n_columns - 1);

  for (int i = 0; i < n_columns; i++)
    total += widths[i];
  while (total > width) {
    int widest = 0;
    for (int i = 1; i < n_columns; i++)
      if (widths[i] > widths[widest])
        widest = i;
    if (widths[widest] <= MIN_COLUMN)
      return;
    widths[widest]--;
    total--;
  }
}

static void
append_cell (GString *line, const char *text, int width, SeamMarkdownAlign align)
{
  int pad = MAX (0, width - get_width (text));
  int before = align == SEAM_MARKDOWN_RIGHT ? pad : align == SEAM_MARKDOWN_CENTER ? pad / 2 : 0;

  g_string_append_printf (line, "%*s%s%*s", before, "", text, pad - before, "");
}

static void
end_line (GString *out)
{
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void
append_row (GString *out, const SeamMarkdown *row, const int *widths, int n_columns,
            const char *indent)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  guint n_lines = 0;

  for (int i = 0; i < n_columns; i++) {
    const SeamMarkdown *cell = seam_markdown_get_child (row, i);
    g_autofree char *text = cell != NULL ? get_inlines (cell) : g_strdup ("");
    GPtrArray *lines = break_lines (text, widths[i]);
    g_ptr_array_add (cells, lines);
    n_lines = MAX (n_lines, lines->len);
  }
  for (guint k = 0; k < n_lines; k++) {
    g_string_append (out, indent);
    for (int i = 0; i < n_columns; i++) {
      const SeamMarkdown *cell = seam_markdown_get_child (row, i);
      const GPtrArray *lines = cells->pdata[i];
      g_string_append_printf (out, "%*s", i > 0 ? GAP : 0, "");
      append_cell (out, k < lines->len ? lines->pdata[k] : "", widths[i],
                   cell != NULL ? (SeamMarkdownAlign)cell->number : SEAM_MARKDOWN_LEFT);
    }
    end_line (out);
  }
}

static void
append_table (GString *out, const SeamMarkdown *table, const char *indent, int width)
{
  g_autofree int *widths = g_new0 (int, MAX (1, table->number));

  for (guint i = 0; i < table->children->len; i++)
    for (int k = 0; k < table->number; k++) {
      const SeamMarkdown *cell = seam_markdown_get_child (table->children->pdata[i], k);
      g_autofree char *text = cell != NULL ? get_inlines (cell) : g_strdup ("");
      widths[k] = MAX (widths[k], get_width (text));
    }
  fit_columns (widths, table->number, width - get_width (indent));
  for (guint i = 0; i < table->children->len; i++) {
    append_row (out, table->children->pdata[i], widths, table->number, indent);
    if (i > 0)
      continue;
    g_string_append (out, indent);
    for (int k = 0; k < table->number; k++) {
      g_string_append_printf (out, "%*s", k > 0 ? GAP : 0, "");
      for (int w = 0; w < widths[k]; w++)
        g_string_append (out, "─");
    }
    g_string_append_c (out, '\n');
  }
}

/* ---- Blocks ---- */

static void append_blocks (GString *out, const SeamMarkdown *node, const char *indent, int width);

static void
append_heading (GString *out, const SeamMarkdown *heading, int width)
{
  g_autofree char *text = get_inlines (heading);
  const char *under = heading->level == 1 ? "═" : heading->level == 2 ? "─" : NULL;

  g_string_append_printf (out, "%s\n", text);
  for (int i = 0; under != NULL && i < MIN (get_width (text), width); i++)
    g_string_append (out, under);
  if (under != NULL)
    g_string_append_c (out, '\n');
}

static void
append_list (GString *out, const SeamMarkdown *list, const char *indent, int width)
{
  for (guint i = 0; i < list->children->len; i++) {
    g_autofree char *mark =
        list->number > 0 ? g_strdup_printf ("%d. ", list->number + (int)i) : g_strdup ("- ");
    g_autofree char *first = g_strconcat (indent, mark, NULL);
    g_autofree char *others = g_strdup_printf ("%s%*s", indent, (int)strlen (mark), "");
    GString *item = g_string_new (NULL);
    append_blocks (item, list->children->pdata[i], others, width);
    /* The mark takes the place of the first line's indentation. */
    if (g_str_has_prefix (item->str, others))
      g_string_erase (item, 0, strlen (others));
    g_string_append_printf (out, "%s%s", first, item->str);
    g_string_free (item, TRUE);
  }
}

static void
append_code (GString *out, const SeamMarkdown *code, const char *indent)
{
  g_auto (GStrv) lines = g_strsplit (code->text, "\n", -1);

  for (int i = 0; lines[i] != NULL && (lines[i][0] != '\0' || lines[i + 1] != NULL); i++) {
    g_string_append_printf (out, "%s    %s", indent, lines[i]);
    end_line (out);
  }
}

static void
append_block (GString *out, const SeamMarkdown *block, const char *indent, int width)
{
  switch (block->kind) {
  case SEAM_MARKDOWN_HEADING:
    append_heading (out, block, width);
    break;
  case SEAM_MARKDOWN_LIST:
    append_list (out, block, indent, width);
    break;
  case SEAM_MARKDOWN_QUOTE: {
    g_autofree char *inner = g_strconcat (indent, "  ", NULL);
    append_blocks (out, block, inner, width);
    break;
  }
  case SEAM_MARKDOWN_CODE_BLOCK:
    append_code (out, block, indent);
    break;
  case SEAM_MARKDOWN_TABLE:
    append_table (out, block, indent, width);
    break;
  case SEAM_MARKDOWN_RULE:
    g_string_append_printf (out, "%s* * *\n", indent);
    break;
  default: {
    g_autofree char *text = get_inlines (block);
    append_lines (out, text, indent, indent, width);
  }
  }
}

static void
append_blocks (GString *out, const SeamMarkdown *node, const char *indent, int width)
{
  for (guint i = 0; i < node->children->len; i++) {
    const SeamMarkdown *block = node->children->pdata[i];
    /* An empty line between blocks; none between the words of an item and the list below them. */
    if (i > 0 && !(node->kind == SEAM_MARKDOWN_ITEM && block->kind == SEAM_MARKDOWN_LIST))
      g_string_append_c (out, '\n');
    append_block (out, block, indent, width);
  }
}

char *
seam_help_to_text (const SeamMarkdown *tree, int width)
{
  GString *out = g_string_new (NULL);

  append_blocks (out, tree, "", MAX (width, MIN_WIDTH));
  return g_string_free (out, FALSE);
}
