/* SPDX-License-Identifier: MIT */
#include "ui/help/help-markup.h"

#include <string.h>

/* Dark text on yellow is readable in light and dark style. */
#define MARK     "<span background=\"#f8e45c\" foreground=\"#241f31\">"
#define MARK_END "</span>"

/* Start of the next sought word, and its length in bytes; NULL: there is none. The comparison
 * ignores case and assumes that case does not change a character's length, as in ASCII and Latin
 * letters. */
static const char *
find_next (const char *text, char **words, gsize *length)
{
  const char *first = NULL;

  for (int i = 0; words[i] != NULL; i++) {
    gsize n = strlen (words[i]);
    for (const char *at = text; n > 0 && *at != '\0' && (first == NULL || at < first);
         at = g_utf8_next_char (at))
      if (g_ascii_strncasecmp (at, words[i], n) == 0) {
        first = at;
        *length = n;
        break;
      }
  }
  return first;
}

static void
append_text (GString *markup, const char *text, const char *sought, guint *n_marks)
{
  g_auto (GStrv) words = g_strsplit (sought != NULL ? sought : "", " ", -1);
  const char *found;
  gsize length = 0;

  while ((found = find_next (text, words, &length)) != NULL) {
    g_autofree char *before = g_markup_escape_text (text, found - text);
    g_autofree char *word = g_markup_escape_text (found, (gssize)length);

    g_string_append_printf (markup, "%s" MARK "%s" MARK_END, before, word);
    ++*n_marks;
    text = found + length;
  }
  g_autofree char *rest = g_markup_escape_text (text, -1);
  g_string_append (markup, rest);
}

static void append_children (GString *markup, const SeamMarkdown *node, const char *sought,
                             guint *n_marks);

static void
append_within (GString *markup, const char *tag, const SeamMarkdown *node, const char *sought,
               guint *n_marks)
{
  g_string_append_printf (markup, "<%s>", tag);
  append_children (markup, node, sought, n_marks);
  g_string_append_printf (markup, "</%s>", tag);
}

static void
append (GString *markup, const SeamMarkdown *node, const char *sought, guint *n_marks)
{
  g_autofree char *address = NULL;

  switch (node->kind) {
  case SEAM_MARKDOWN_TEXT:
    append_text (markup, node->text, sought, n_marks);
    break;
  case SEAM_MARKDOWN_CODE:
    g_string_append (markup, "<tt>");
    append_text (markup, node->text, sought, n_marks);
    g_string_append (markup, "</tt>");
    break;
  case SEAM_MARKDOWN_EMPHASIS:
    append_within (markup, "i", node, sought, n_marks);
    break;
  case SEAM_MARKDOWN_STRONG:
    append_within (markup, "b", node, sought, n_marks);
    break;
  case SEAM_MARKDOWN_STRIKE:
    append_within (markup, "s", node, sought, n_marks);
    break;
  case SEAM_MARKDOWN_LINK:
    address = g_markup_escape_text (node->address != NULL ? node->address : "", -1);
    g_string_append_printf (markup, "<a href=\"%s\">", address);
    append_children (markup, node, sought, n_marks);
    g_string_append (markup, "</a>");
    break;
  case SEAM_MARKDOWN_BREAK:
    g_string_append_c (markup, node->number != 0 ? '\n' : ' ');
    break;
  default:
    append_children (markup, node, sought, n_marks);
    break;
  }
}

static void
append_children (GString *markup, const SeamMarkdown *node, const char *sought, guint *n_marks)
{
  for (guint i = 0; i < node->children->len; i++)
    append (markup, seam_markdown_get_child (node, i), sought, n_marks);
}

char *
seam_help_markup_make (const SeamMarkdown *node, const char *sought, guint *n_marks)
{
  GString *markup = g_string_new (NULL);

  append_children (markup, node, sought, n_marks);
  return g_string_free (markup, FALSE);
}

char *
seam_help_markup_escape (const char *text, const char *sought, guint *n_marks)
{
  GString *markup = g_string_new (NULL);

  append_text (markup, text, sought, n_marks);
  return g_string_free (markup, FALSE);
}
