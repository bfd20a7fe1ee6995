/* SPDX-License-Identifier: MIT
 *
 * Help pages: the tree of a Markdown text, sections and their anchors, search, the glossary, and a
 * page as plain text; then the pages that come with the program.
 */
#include "app/help/help-text.h"
#include "app/help/help.h"

#include <string.h>

static const char page_text[] = "# Plans & cuts\n"
                                "\n"
                                "A *plan* says where a **chain** is `cut`; see [the\n"
                                "glossary](glossary.md#seam).\n"
                                "\n"
                                "## Named plans\n"
                                "\n"
                                "| name | ms |\n"
                                "|---|---:|\n"
                                "| `full` | 0.5 |\n"
                                "| a\\|b | 12.25 |\n"
                                "\n"
                                "## Named plans\n"
                                "\n"
                                "1. first\n"
                                "2. second\n"
                                "   - inner\n"
                                "\n"
                                "```sh\n"
                                "run  it\n"
                                "```\n"
                                "\n"
                                "<b>raw</b> <script>\n";

static const SeamMarkdown *
get (const SeamMarkdown *node, int kind, guint i)
{
  const SeamMarkdown *child = seam_markdown_get_child (node, i);

  g_assert_nonnull (child);
  g_assert_cmpint (child->kind, ==, kind);
  return child;
}

static void
test_tree (void)
{
  g_autoptr (SeamMarkdown) tree = seam_markdown_parse (page_text);
  const SeamMarkdown *paragraph, *table, *list, *code, *link;
  g_autofree char *words = NULL;

  g_assert_cmpint (tree->kind, ==, SEAM_MARKDOWN_DOCUMENT);
  g_assert_cmpint (get (tree, SEAM_MARKDOWN_HEADING, 0)->level, ==, 1);
  paragraph = get (tree, SEAM_MARKDOWN_PARAGRAPH, 1);
  words = seam_markdown_get_words (paragraph);
  g_assert_cmpstr (words, ==, "A plan says where a chain is cut; see the glossary.");
  get (paragraph, SEAM_MARKDOWN_EMPHASIS, 1);
  get (paragraph, SEAM_MARKDOWN_STRONG, 3);
  g_assert_cmpstr (get (paragraph, SEAM_MARKDOWN_CODE, 5)->text, ==, "cut");
  link = get (paragraph, SEAM_MARKDOWN_LINK, 7);
  g_assert_cmpstr (link->address, ==, "glossary.md#seam");
  g_assert_cmpint (get (link, SEAM_MARKDOWN_BREAK, 1)->number, ==, 0);
  table = get (tree, SEAM_MARKDOWN_TABLE, 3);
  g_assert_cmpint (table->number, ==, 2);
  g_assert_cmpuint (table->children->len, ==, 3);
  for (guint i = 0; i < 3; i++) {
    const SeamMarkdown *row = get (table, SEAM_MARKDOWN_ROW, i);
    g_assert_cmpint (get (row, SEAM_MARKDOWN_CELL, 0)->number, ==, SEAM_MARKDOWN_LEFT);
    g_assert_cmpint (get (row, SEAM_MARKDOWN_CELL, 1)->number, ==, SEAM_MARKDOWN_RIGHT);
  }
  list = get (tree, SEAM_MARKDOWN_LIST, 5);
  g_assert_cmpint (list->number, ==, 1);
  g_assert_cmpint (get (get (list, SEAM_MARKDOWN_ITEM, 1), SEAM_MARKDOWN_LIST, 1)->number, ==, 0);
  code = get (tree, SEAM_MARKDOWN_CODE_BLOCK, 6);
  g_assert_cmpstr (code->text, ==, "run  it\n");
  g_assert_cmpstr (code->address, ==, "sh");
}

/* No text makes the parser fail: neither bytes that are not UTF-8, nor quotes nested without
 * end. */
static void
test_foreign (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (SeamMarkdown) invalid = seam_markdown_parse ("# a\xff"
                                                          "b\n");
  g_autoptr (SeamMarkdown) nested = NULL;
  g_autoptr (SeamMarkdown) empty = seam_markdown_parse ("");
  g_autofree char *words = seam_markdown_get_words (invalid);
  g_autofree char *text = NULL;

  g_assert_cmpstr (words, ==, "a\uFFFDb");
  g_assert_cmpuint (empty->children->len, ==, 0);
  for (int i = 0; i < 2000; i++)
    g_string_append_c (deep, '>');
  g_string_append (deep, " x\n");
  nested = seam_markdown_parse (deep->str);
  text = seam_help_to_text (nested, 80);
  g_assert_nonnull (text);
}

static void
test_sections (void)
{
  static const struct {
    const char *title, *anchor;
    int level;
  } expected[] = {
    { "Plans & cuts", "plans--cuts", 1 },
    { "Named plans", "named-plans", 2 },
    { "Named plans", "named-plans-1", 2 },
  };
  g_autoptr (SeamHelpPage) page = seam_help_page_parse ("plans", page_text);

  g_assert_cmpstr (page->title, ==, "Plans & cuts");
  g_assert_cmpuint (page->sections->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < page->sections->len; i++) {
    const SeamHelpSection *section = page->sections->pdata[i];
    g_assert_cmpstr (section->title, ==, expected[i].title);
    g_assert_cmpstr (section->anchor, ==, expected[i].anchor);
    g_assert_cmpint (section->level, ==, expected[i].level);
  }
  g_assert_cmpstr (((SeamHelpSection *)page->sections->pdata[1])->words, ==,
                   "name ms full 0.5 a|b 12.25");
}

static void
test_text (void)
{
  g_autoptr (SeamMarkdown) tree = seam_markdown_parse (page_text);
  g_autofree char *text = seam_help_to_text (tree, 40);

  g_assert_cmpstr (text, ==,
                   "Plans & cuts\n"
                   "════════════\n"
                   "\n"
                   "A plan says where a chain is cut; see\n"
                   "the glossary.\n"
                   "\n"
                   "Named plans\n"
                   "───────────\n"
                   "\n"
                   "name     ms\n"
                   "────  ─────\n"
                   "full    0.5\n"
                   "a|b   12.25\n"
                   "\n"
                   "Named plans\n"
                   "───────────\n"
                   "\n"
                   "1. first\n"
                   "2. second\n"
                   "   - inner\n"
                   "\n"
                   "    run  it\n"
                   "\n"
                   "raw\n");
}

/* A table wider than the terminal wraps its cells, and every line keeps the width. */
static void
test_wide_table (void)
{
  static const char wide[] = "| a | words |\n|---|---|\n"
                             "| x | one two three four five six seven eight nine ten eleven |\n"
                             "| y | 次の 語 |\n";
  g_autoptr (SeamMarkdown) tree = seam_markdown_parse (wide);
  g_autofree char *text = seam_help_to_text (tree, 40);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 6);
  for (int i = 0; lines[i] != NULL; i++)
    g_assert_cmpint (g_utf8_strlen (lines[i], -1), <=, 40);
  g_assert_cmpstr (lines[2], ==, "x  one two three four five six seven");
  g_assert_cmpstr (lines[3], ==, "   eight nine ten eleven");
}

static void
test_search (void)
{
  g_autoptr (GPtrArray) pages = g_ptr_array_new_with_free_func (seam_owner_free);
  g_autoptr (GPtrArray) both = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) blank = NULL;
  g_autoptr (GPtrArray) far = NULL;
  g_autoptr (GString) text = g_string_new ("# Far\n\n");
  const SeamHelpHit *hit;

  for (int i = 0; i < 100; i++)
    g_string_append (text, "Ünïcode filler ");
  g_string_append (text, "the Needle is here\n");
  g_ptr_array_add (pages,
                   seam_help_page_parse ("one", "# One\n\nThe seam is cut.\n\n## Other\n\nno\n"));
  g_ptr_array_add (pages, seam_help_page_parse ("two", "# Seam\n\nWhere it is CUT.\n"));
  g_ptr_array_add (pages, seam_help_page_parse ("far", text->str));
  both = seam_help_search (pages, " seam  Cut ");
  g_assert_cmpuint (both->len, ==, 2);
  hit = both->pdata[0];
  g_assert_cmpstr (hit->page->topic, ==, "one");
  g_assert_cmpstr (hit->excerpt, ==, "The seam is cut.");
  g_ptr_array_unref (g_steal_pointer (&both));
  /* A page with that title comes before one that only mentions it. */
  both = seam_help_search (pages, "SEAM");
  g_assert_cmpuint (both->len, ==, 2);
  g_assert_cmpstr (((SeamHelpHit *)both->pdata[0])->page->topic, ==, "two");
  far = seam_help_search (pages, "needle");
  g_assert_cmpuint (far->len, ==, 1);
  hit = far->pdata[0];
  g_assert_nonnull (strstr (hit->excerpt, "the Needle is here"));
  g_assert_true (g_str_has_prefix (hit->excerpt, "… "));
  g_assert_cmpint (g_utf8_strlen (hit->excerpt, -1), <, 100);
  none = seam_help_search (pages, "seam needle");
  g_assert_cmpuint (none->len, ==, 0);
  blank = seam_help_search (pages, "  ");
  g_assert_cmpuint (blank->len, ==, 0);
}

static void
test_terms (void)
{
  g_autoptr (SeamHelpPage) page =
      seam_help_page_parse ("glossary", "# Glossary\n\nWords.\n\n"
                                        "**seam** (also: seams, gap): where *two* ops\nmeet.\n\n"
                                        "**plan**: one choice (of many): all seams.\n\n"
                                        "**bold** words that define nothing.\n");
  g_autoptr (GPtrArray) terms = seam_help_list_terms (page);
  const SeamHelpTerm *seam = seam_help_find_term (terms, "Seam");

  g_assert_cmpuint (terms->len, ==, 2);
  g_assert_nonnull (seam);
  g_assert_cmpstr (seam->definition, ==, "where two ops meet.");
  g_assert_cmpuint (g_strv_length (seam->also), ==, 2);
  g_assert_true (seam_help_find_term (terms, "GAP") == seam);
  g_assert_cmpstr (seam_help_find_term (terms, "plan")->definition, ==,
                   "one choice (of many): all seams.");
  g_assert_null (seam_help_find_term (terms, "bold"));
}

static void
check_page (const SeamHelpPage *page)
{
  g_autofree char *text = seam_help_to_text (page->tree, 100);
  const SeamMarkdown *first = get (page->tree, SEAM_MARKDOWN_HEADING, 0);

  g_test_message ("%s: %s", page->topic, page->title);
  g_assert_cmpint (first->level, ==, 1);
  for (guint i = 1; i < page->sections->len; i++)
    g_assert_cmpint (((SeamHelpSection *)page->sections->pdata[i])->level, >, 1);
  /* The index asks a question for every other page. */
  if (strcmp (page->topic, SEAM_HELP_INDEX) != 0)
    g_assert_true (g_str_has_suffix (page->summary, "?"));
  g_assert_true (g_utf8_validate (text, -1, NULL));
}

/* The program's own pages: each begins with its title, the index comes first, the glossary last. */
static void
test_pages (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pages = seam_help_list (&error);
  g_autoptr (GPtrArray) terms = NULL;
  const SeamHelpPage *index, *glossary;

  g_assert_no_error (error);
  g_assert_cmpuint (pages->len, >=, 10);
  index = pages->pdata[0];
  glossary = pages->pdata[pages->len - 1];
  g_assert_cmpstr (index->topic, ==, SEAM_HELP_INDEX);
  g_assert_cmpstr (glossary->topic, ==, SEAM_HELP_GLOSSARY);
  for (guint i = 0; i < pages->len; i++)
    check_page (pages->pdata[i]);
  g_assert_true (seam_help_find (pages, "plans") == seam_help_find (pages, "plans.md"));
  g_assert_null (seam_help_find (pages, "plan"));
  terms = seam_help_list_terms (glossary);
  /* Every paragraph but the introduction is a term, in alphabetical order. */
  g_assert_cmpuint (terms->len + 2, ==, glossary->tree->children->len);
  for (guint i = 0; i < terms->len; i++) {
    const SeamHelpTerm *term = terms->pdata[i];
    g_test_message ("%s", term->term);
    g_assert_true (g_str_has_suffix (term->definition, "."));
    g_assert_true (seam_help_find_term (terms, term->term) == term);
    for (int k = 0; term->also[k] != NULL; k++)
      g_assert_true (seam_help_find_term (terms, term->also[k]) == term);
    if (i > 0)
      g_assert_cmpint (g_ascii_strcasecmp (((SeamHelpTerm *)terms->pdata[i - 1])->term, term->term),
                       <, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/help/tree", test_tree);
  g_test_add_func ("/help/foreign", test_foreign);
  g_test_add_func ("/help/sections", test_sections);
  g_test_add_func ("/help/text", test_text);
  g_test_add_func ("/help/wide-table", test_wide_table);
  g_test_add_func ("/help/search", test_search);
  g_test_add_func ("/help/terms", test_terms);
  g_test_add_func ("/help/pages", test_pages);
  return g_test_run ();
}
