/* SPDX-License-Identifier: MIT
 *
 * Lists, loads and searches the help pages of data/help, and finds the glossary's terms. Pages are
 * trees that the caller displays: help-text.h for a terminal; the window draws its own.
 */
#pragma once

#include "app/help/markdown.h"

/* Topics of pages with a special role. */
#define SEAM_HELP_INDEX    "index"
#define SEAM_HELP_GLOSSARY "glossary"

/* A heading of the first three levels and the blocks below it, up to the next one. */
typedef struct {
  char *title;
  char *anchor;     /* as in "plans.md#exhibits" */
  int level;        /* 1 to 3 */
  guint first, end; /* children of the page's tree: the heading, and one past its last block */
  char *words;      /* all words on one line, without the heading */
} SeamHelpSection;

typedef struct {
  char *topic;   /* "plans": the file's name */
  char *title;   /* its first heading */
  char *summary; /* from the table in the index, else the title */
  SeamMarkdown *tree;
  GPtrArray *sections; /* SeamHelpSection *; the first begins with the page's title */
} SeamHelpPage;

typedef struct {
  const SeamHelpPage *page; /* borrowed */
  const SeamHelpSection *section;
  char *excerpt; /* on one line, around the first match */
} SeamHelpHit;

typedef struct {
  char *term;
  char **also; /* other names of the term; NULL-terminated, may be empty */
  char *definition;
} SeamHelpTerm;

/* Makes a page of any Markdown text. */
SeamHelpPage *seam_help_page_parse (const char *topic, const char *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamHelpPage, seam_owner_free)

/* Every page that came with the program: "index" first, "glossary" last, the others in the order of
 * the index's links. SEAM_ERROR_FILE if they are not installed. Elements are SeamHelpPage; free
 * with g_ptr_array_unref(). */
GPtrArray *seam_help_list (GError **error);
/* Finds a page by topic ("plans", "plans.md"), or NULL; borrowed. */
const SeamHelpPage *seam_help_find (const GPtrArray *pages, const char *topic);
/* Sections that contain every word of `text`, in any case; sections with the words in the title
 * come first. Elements are SeamHelpHit; free with g_ptr_array_unref(). Valid as long as `pages`. */
GPtrArray *seam_help_search (const GPtrArray *pages, const char *text);

/* The terms of a page, one for each paragraph "**term** (also: a, b): definition". Elements are
 * SeamHelpTerm; free with g_ptr_array_unref(). */
GPtrArray *seam_help_list_terms (const SeamHelpPage *glossary);
/* Finds a term by any of its names, in any case, or NULL; borrowed. */
const SeamHelpTerm *seam_help_find_term (const GPtrArray *terms, const char *name);
