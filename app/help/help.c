/* SPDX-License-Identifier: MIT
 *
 * Help pages: files, sections, search, glossary.
 */
#include "app/help/help.h"

#include "app/base/error.h"
#include "app/pipeline/pipeline.h"

#include <string.h>

#define SUFFIX       ".md"
#define MAX_LEVEL    3  /* lowest level of heading that begins a section */
#define EXCERPT      90 /* characters; one line of a terminal or a row of a list */
#define BEFORE_MATCH 30 /* characters of an excerpt before the match */

/* ---- Sections ---- */

static gboolean
begins_section (const SeamMarkdown *node)
{
  return node->kind == SEAM_MARKDOWN_HEADING && node->level <= MAX_LEVEL;
}

static SeamHelpSection *
read_section (const SeamMarkdown *tree, guint first)
{
  const SeamMarkdown *heading = seam_markdown_get_child (tree, first);
  SeamHelpSection *section = seam_owner_new (SeamHelpSection);
  GString *words = g_string_new (NULL);
  guint i = first;

  section->first = first;
  if (begins_section (heading)) {
    section->title = seam_keep (section, seam_markdown_get_words (heading));
    section->anchor = seam_keep (section, g_strdup (heading->text));
    section->level = heading->level;
    i++;
  } else {
    section->title = section->anchor = "";
    section->level = 1;
  }
  for (; i < tree->children->len && !begins_section (seam_markdown_get_child (tree, i)); i++) {
    g_autofree char *block = seam_markdown_get_words (seam_markdown_get_child (tree, i));
    g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", block);
  }
  section->end = i;
  section->words = seam_keep (section, g_string_free (words, FALSE));
  return section;
}

SeamHelpPage *
seam_help_page_parse (const char *topic, const char *text)
{
  SeamHelpPage *page = seam_owner_new (SeamHelpPage);

  page->topic = seam_keep (page, g_strdup (topic));
  page->tree = seam_keep_full (page, seam_markdown_parse (text), seam_owner_free);
  page->sections = seam_keep_array (page, seam_owner_free);
  for (guint i = 0; i < page->tree->children->len;) {
    SeamHelpSection *section = read_section (page->tree, i);
    g_ptr_array_add (page->sections, section);
    i = section->end;
    if (page->title == NULL && section->title[0] != '\0')
      page->title = section->title;
  }
  if (page->title == NULL)
    page->title = page->topic;
  page->summary = page->title;
  return page;
}

/* ---- Pages ---- */

static void
list_links (const SeamMarkdown *node, GPtrArray *addresses)
{
  if (node->kind == SEAM_MARKDOWN_LINK)
    g_ptr_array_add (addresses, node->address);
  for (guint i = 0; i < node->children->len; i++)
    list_links (node->children->pdata[i], addresses);
}

static gboolean
is_topic (const SeamHelpPage *page, const char *name)
{
  gsize length = strlen (page->topic);

  return strncmp (name, page->topic, length) == 0
         && (name[length] == '\0' || strcmp (name + length, SUFFIX) == 0);
}

/* Its place in a list of pages: the index, pages that the index links to, other pages, the
 * glossary. */
static guint
get_place (const SeamHelpPage *page, const GPtrArray *addresses)
{
  guint i = 0;

  if (strcmp (page->topic, SEAM_HELP_INDEX) == 0)
    return 0;
  if (strcmp (page->topic, SEAM_HELP_GLOSSARY) == 0)
    return addresses->len + 2;
  while (i < addresses->len && !is_topic (page, addresses->pdata[i]))
    i++;
  return i + 1;
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer addresses)
{
  const SeamHelpPage *first = *(SeamHelpPage *const *)a;
  const SeamHelpPage *second = *(SeamHelpPage *const *)b;
  guint one = get_place (first, addresses), other = get_place (second, addresses);

  return one != other ? (one < other ? -1 : 1) : strcmp (first->topic, second->topic);
}

/* Sets summaries from tables whose first cell links to a page: the second cell is that page's
 * summary. */
static void
read_summaries (const SeamMarkdown *node, const GPtrArray *pages)
{
  const SeamMarkdown *name = seam_markdown_get_child (node, 0);
  const SeamMarkdown *link = name != NULL ? seam_markdown_get_child (name, 0) : NULL;

  for (guint i = 0; i < node->children->len && node->kind != SEAM_MARKDOWN_ROW; i++)
    read_summaries (node->children->pdata[i], pages);
  if (node->kind == SEAM_MARKDOWN_ROW && node->children->len > 1 && link != NULL
      && link->kind == SEAM_MARKDOWN_LINK) {
    SeamHelpPage *page = (SeamHelpPage *)seam_help_find (pages, link->address);
    if (page != NULL)
      page->summary = seam_keep (page, seam_markdown_get_words (seam_markdown_get_child (node, 1)));
  }
}

static void
sort_pages (GPtrArray *pages)
{
  g_autoptr (GPtrArray) addresses = g_ptr_array_new ();
  const SeamHelpPage *index = seam_help_find (pages, SEAM_HELP_INDEX);

  if (index != NULL) {
    list_links (index->tree, addresses);
    read_summaries (index->tree, pages);
  }
  g_ptr_array_sort_with_data (pages, compare_places, addresses);
}

GPtrArray *
seam_help_list (GError **error)
{
  g_autofree char *folder = g_build_filename (seam_data_dir (), "help", NULL);
  g_autoptr (GPtrArray) pages = g_ptr_array_new_with_free_func (seam_owner_free);
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *text = NULL;
    if (!g_str_has_suffix (name, SUFFIX))
      continue;
    g_autofree char *topic = g_strndup (name, strlen (name) - strlen (SUFFIX));
    if (!g_file_get_contents (path, &text, NULL, &local))
      break;
    g_ptr_array_add (pages, seam_help_page_parse (topic, text));
  }
  if (local != NULL)
    return seam_fail_null (error, SEAM_ERROR_FILE,
                           "The help pages cannot be read: %s; install the program again, or set "
                           "SEAMSCOPE_DATADIR to its data folder.",
                           local->message);
  sort_pages (pages);
  return g_steal_pointer (&pages);
}

const SeamHelpPage *
seam_help_find (const GPtrArray *pages, const char *topic)
{
  for (guint i = 0; i < pages->len; i++)
    if (is_topic (pages->pdata[i], topic))
      return pages->pdata[i];
  return NULL;
}

/* ---- Search ---- */

/* All characters in lower case, one for one, so that positions equal those in `text`. */
static gunichar *
fold (const char *text, glong *length)
{
  gunichar *folded = g_utf8_to_ucs4_fast (text, -1, length);

  for (glong i = 0; i < *length; i++)
    folded[i] = g_unichar_tolower (folded[i]);
  return folded;
}

/* Position of `word` in `text`, in characters, or -1. */
static glong
find_word (const char *text, const char *word)
{
  glong n, m;
  g_autofree gunichar *in = fold (text, &n);
  g_autofree gunichar *what = fold (word, &m);

  for (glong i = 0; i + m <= n; i++)
    if (memcmp (in + i, what, (gsize)m * sizeof *in) == 0)
      return i;
  return -1;
}

static char *
make_excerpt (const char *words, glong at)
{
  glong length = g_utf8_strlen (words, -1);
  glong begin = MAX (0, at - BEFORE_MATCH);

  /* Moves to the beginning of a word. */
  while (begin > 0 && *g_utf8_offset_to_pointer (words, begin - 1) != ' ')
    begin--;
  glong end = MIN (length, begin + EXCERPT);
  g_autofree char *part = g_utf8_substring (words, begin, end);
  return g_strconcat (begin > 0 ? "… " : "", part, end < length ? "…" : "", NULL);
}

static void
search_section (const SeamHelpPage *page, const SeamHelpSection *section, char **words,
                GPtrArray *in_titles, GPtrArray *in_text)
{
  gboolean all_in_title = TRUE;
  glong first = -1;

  for (int i = 0; words[i] != NULL; i++) {
    gboolean in_title = find_word (section->title, words[i]) >= 0;
    glong at = find_word (section->words, words[i]);
    if (!in_title && at < 0)
      return;
    all_in_title = all_in_title && in_title;
    if (first < 0)
      first = at;
  }
  SeamHelpHit *hit = seam_owner_new (SeamHelpHit);
  hit->page = page;
  hit->section = section;
  hit->excerpt = seam_keep (hit, make_excerpt (section->words, MAX (0, first)));
  g_ptr_array_add (all_in_title ? in_titles : in_text, hit);
}

GPtrArray *
seam_help_search (const GPtrArray *pages, const char *text)
{
  GPtrArray *hits = g_ptr_array_new_with_free_func (seam_owner_free);
  g_autoptr (GPtrArray) in_text = g_ptr_array_new ();
  g_autoptr (GPtrArray) words = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  if (!g_utf8_validate (text, -1, NULL))
    return hits;
  g_auto (GStrv) split = g_strsplit_set (text, " \t\n", -1);
  for (int i = 0; split[i] != NULL; i++)
    if (split[i][0] != '\0')
      g_ptr_array_add (words, split[i]);
  if (words->len == 0)
    return hits;
  for (guint i = 0; i < pages->len; i++) {
    const SeamHelpPage *page = pages->pdata[i];
    for (guint k = 0; k < page->sections->len; k++)
      search_section (page, page->sections->pdata[k], (char **)words->pdata, hits, in_text);
  }
  g_ptr_array_extend (hits, in_text, NULL, NULL);
  return hits;
}

/* ---- Glossary ---- */

static SeamHelpTerm *
read_term (const SeamMarkdown *paragraph)
{
  static const char also[] = " (also: ";
  const SeamMarkdown *strong = seam_markdown_get_child (paragraph, 0);
  g_auto (GStrv) names = g_new0 (char *, 1);
  const char *rest, *end;

  if (paragraph->kind != SEAM_MARKDOWN_PARAGRAPH || strong == NULL
      || strong->kind != SEAM_MARKDOWN_STRONG)
    return NULL;
  g_autofree char *words = seam_markdown_get_words (paragraph);
  g_autofree char *term = seam_markdown_get_words (strong);
  rest = words + strlen (term);
  if (g_str_has_prefix (rest, also) && (end = strchr (rest, ')')) != NULL) {
    g_autofree char *list = g_strndup (rest + strlen (also), end - rest - strlen (also));
    g_strfreev (names);
    names = g_strsplit (list, ", ", -1);
    rest = end + 1;
  }
  if (!g_str_has_prefix (rest, ": "))
    return NULL;
  SeamHelpTerm *entry = seam_owner_new (SeamHelpTerm);
  entry->term = seam_keep (entry, g_steal_pointer (&term));
  entry->also = seam_keep_full (entry, g_steal_pointer (&names), (GDestroyNotify)g_strfreev);
  entry->definition = seam_keep (entry, g_strdup (rest + 2));
  return entry;
}

GPtrArray *
seam_help_list_terms (const SeamHelpPage *glossary)
{
  GPtrArray *terms = g_ptr_array_new_with_free_func (seam_owner_free);

  for (guint i = 0; i < glossary->tree->children->len; i++) {
    SeamHelpTerm *term = read_term (glossary->tree->children->pdata[i]);
    if (term != NULL)
      g_ptr_array_add (terms, term);
  }
  return terms;
}

static gboolean
is_name (const char *name, const char *of)
{
  g_autofree char *one = g_utf8_casefold (name, -1);
  g_autofree char *other = g_utf8_casefold (of, -1);

  return strcmp (one, other) == 0;
}

const SeamHelpTerm *
seam_help_find_term (const GPtrArray *terms, const char *name)
{
  if (!g_utf8_validate (name, -1, NULL))
    return NULL;
  for (guint i = 0; i < terms->len; i++) {
    const SeamHelpTerm *term = terms->pdata[i];
    if (is_name (name, term->term))
      return term;
    for (int k = 0; term->also[k] != NULL; k++)
      if (is_name (name, term->also[k]))
        return term;
  }
  return NULL;
}
