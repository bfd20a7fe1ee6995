/* SPDX-License-Identifier: MIT
 *
 * Copies cmark-gfm's tree into ours and gives every heading its anchor.
 */
#include "app/help/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <string.h>

/* By the name of the node's type, because types of extensions have no constants. */
static const struct {
  const char *name;
  SeamMarkdownKind kind;
} kinds[] = {
  { "document", SEAM_MARKDOWN_DOCUMENT },
  { "heading", SEAM_MARKDOWN_HEADING },
  { "paragraph", SEAM_MARKDOWN_PARAGRAPH },
  { "block_quote", SEAM_MARKDOWN_QUOTE },
  { "list", SEAM_MARKDOWN_LIST },
  { "item", SEAM_MARKDOWN_ITEM },
  { "code_block", SEAM_MARKDOWN_CODE_BLOCK },
  { "thematic_break", SEAM_MARKDOWN_RULE },
  { "table", SEAM_MARKDOWN_TABLE },
  { "table_header", SEAM_MARKDOWN_ROW },
  { "table_row", SEAM_MARKDOWN_ROW },
  { "table_cell", SEAM_MARKDOWN_CELL },
  { "text", SEAM_MARKDOWN_TEXT },
  { "code", SEAM_MARKDOWN_CODE },
  { "emph", SEAM_MARKDOWN_EMPHASIS },
  { "strong", SEAM_MARKDOWN_STRONG },
  { "strikethrough", SEAM_MARKDOWN_STRIKE },
  { "link", SEAM_MARKDOWN_LINK },
  { "image", SEAM_MARKDOWN_IMAGE },
  { "softbreak", SEAM_MARKDOWN_BREAK },
  { "linebreak", SEAM_MARKDOWN_BREAK },
};

static const char *const extensions[] = { "table", "strikethrough", "autolink" };

static SeamMarkdown *
new_node (SeamMarkdownKind kind)
{
  SeamMarkdown *node = seam_owner_new (SeamMarkdown);

  node->kind = kind;
  node->children = seam_keep_array (node, seam_owner_free);
  return node;
}

/* The anchor of a heading on a repository's web page: lower case, with hyphens for blanks and
 * without punctuation; a second equal one gets "-1". `seen` counts each. */
static char *
make_anchor (const char *words, GHashTable *seen)
{
  g_autofree char *lower = g_utf8_strdown (words, -1);
  GString *anchor = g_string_new (NULL);

  for (const char *p = lower; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    if (g_unichar_isalnum (c) || g_unichar_ismark (c) || c == '-' || c == '_')
      g_string_append_unichar (anchor, c);
    else if (c == ' ')
      g_string_append_c (anchor, '-');
  }
  int n = GPOINTER_TO_INT (g_hash_table_lookup (seen, anchor->str));
  g_hash_table_insert (seen, g_strdup (anchor->str), GINT_TO_POINTER (n + 1));
  if (n > 0)
    g_string_append_printf (anchor, "-%d", n);
  return g_string_free (anchor, FALSE);
}

static void
read_table (SeamMarkdown *table, cmark_node *from)
{
  const guint8 *aligns = cmark_gfm_extensions_get_table_alignments (from);

  table->number = cmark_gfm_extensions_get_table_columns (from);
  for (guint i = 0; i < table->children->len; i++) {
    SeamMarkdown *row = table->children->pdata[i];
    for (guint k = 0; k < row->children->len && (int)k < table->number; k++)
      ((SeamMarkdown *)row->children->pdata[k])->number = aligns[k] == 'r'   ? SEAM_MARKDOWN_RIGHT
                                                          : aligns[k] == 'c' ? SEAM_MARKDOWN_CENTER
                                                                             : SEAM_MARKDOWN_LEFT;
  }
}

/* Copies a node; NULL if it is left out. The depth is bounded, because quotes in quotes can nest as
 * deep as the text is long. */
static SeamMarkdown *
copy_node (cmark_node *from, GHashTable *seen, int depth)
{
  const char *name = cmark_node_get_type_string (from);
  SeamMarkdown *node = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (kinds) && node == NULL; i++)
    if (strcmp (kinds[i].name, name) == 0)
      node = new_node (kinds[i].kind);
  if (node == NULL)
    return NULL;
  for (cmark_node *child = cmark_node_first_child (from); child != NULL && depth < 64;
       child = cmark_node_next (child)) {
    SeamMarkdown *copy = copy_node (child, seen, depth + 1);
    if (copy != NULL)
      g_ptr_array_add (node->children, copy);
  }
  switch (node->kind) {
  case SEAM_MARKDOWN_HEADING: {
    g_autofree char *words = seam_markdown_get_words (node);
    node->level = cmark_node_get_heading_level (from);
    node->text = seam_keep (node, make_anchor (words, seen));
    break;
  }
  case SEAM_MARKDOWN_LIST:
    node->number = cmark_node_get_list_type (from) == CMARK_ORDERED_LIST
                       ? MAX (1, cmark_node_get_list_start (from))
                       : 0;
    break;
  case SEAM_MARKDOWN_CODE_BLOCK:
    node->text = seam_keep (node, g_strdup (cmark_node_get_literal (from)));
    node->address = seam_keep (node, g_strdup (cmark_node_get_fence_info (from)));
    break;
  case SEAM_MARKDOWN_TABLE:
    read_table (node, from);
    break;
  case SEAM_MARKDOWN_TEXT:
  case SEAM_MARKDOWN_CODE:
    node->text = seam_keep (node, g_strdup (cmark_node_get_literal (from)));
    break;
  case SEAM_MARKDOWN_LINK:
  case SEAM_MARKDOWN_IMAGE:
    node->address = seam_keep (node, g_strdup (cmark_node_get_url (from)));
    break;
  case SEAM_MARKDOWN_BREAK:
    node->number = strcmp (name, "linebreak") == 0;
    break;
  default:
    break;
  }
  return node;
}

SeamMarkdown *
seam_markdown_parse (const char *text)
{
  static gsize once = 0;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (g_once_init_enter (&once)) {
    cmark_gfm_core_extensions_ensure_registered ();
    g_once_init_leave (&once, 1);
  }
  cmark_parser *parser = cmark_parser_new (CMARK_OPT_VALIDATE_UTF8);
  for (gsize i = 0; i < G_N_ELEMENTS (extensions); i++) {
    cmark_syntax_extension *extension = cmark_find_syntax_extension (extensions[i]);
    if (extension != NULL)
      cmark_parser_attach_syntax_extension (parser, extension);
  }
  cmark_parser_feed (parser, text, strlen (text));
  cmark_node *document = cmark_parser_finish (parser);
  SeamMarkdown *copy = copy_node (document, seen, 0);
  cmark_node_free (document);
  cmark_parser_free (parser);
  return copy;
}

const SeamMarkdown *
seam_markdown_get_child (const SeamMarkdown *node, guint i)
{
  return node != NULL && i < node->children->len ? node->children->pdata[i] : NULL;
}

static void
append_words (const SeamMarkdown *node, GString *words)
{
  gboolean inline_text = node->kind == SEAM_MARKDOWN_TEXT || node->kind == SEAM_MARKDOWN_CODE;

  if (inline_text)
    g_string_append (words, node->text);
  /* Blocks and line ends separate words. */
  else if (node->kind < SEAM_MARKDOWN_TEXT || node->kind == SEAM_MARKDOWN_BREAK)
    g_string_append_c (words, ' ');
  if (node->kind == SEAM_MARKDOWN_CODE_BLOCK)
    g_string_append (words, node->text);
  for (guint i = 0; i < node->children->len; i++)
    append_words (node->children->pdata[i], words);
}

char *
seam_markdown_get_words (const SeamMarkdown *node)
{
  g_autoptr (GString) words = g_string_new (NULL);
  GString *line = g_string_new (NULL);

  append_words (node, words);
  for (const char *p = words->str; *p != '\0'; p++) {
    gboolean blank = *p == ' ' || *p == '\n' || *p == '\t';
    if (!blank)
      g_string_append_c (line, *p);
    else if (line->len > 0 && line->str[line->len - 1] != ' ')
      g_string_append_c (line, ' ');
  }
  if (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
  return g_string_free (line, FALSE);
}
