/* SPDX-License-Identifier: MIT
 *
 * The help pages of data/help: listed, loaded as trees, searched, and the glossary's terms. What is
 * drawn of them is the caller's: help-text.h for a terminal, the window for itself.
 */
#pragma once

#include "app/help/markdown.h"

G_BEGIN_DECLS

/* Topics of pages that have a part of their own. */
#define SEAM_HELP_INDEX    "index"
#define SEAM_HELP_GLOSSARY "glossary"

/* A heading of the first three levels and what stands under it, up to the next one. */
typedef struct {
  char *title;
  char *anchor;     /* as in "plans.md#exhibits" */
  int level;        /* 1 to 3 */
  guint first, end; /* children of the page's tree: the heading, and one past its last block */
  char *words;      /* all of it on one line, without the heading */
} SeamHelpSection;

typedef struct {
  char *topic;   /* "plans": the file's name */
  char *title;   /* its first heading */
  char *summary; /* what the table in the index says of it, else its title */
  SeamMarkdown *tree;
  GPtrArray *sections; /* SeamHelpSection *; the first begins with the page's title */
} SeamHelpPage;

typedef struct {
  const SeamHelpPage *page; /* borrowed */
  const SeamHelpSection *section;
  char *excerpt; /* on one line, around the first word that was found */
} SeamHelpHit;

typedef struct {
  char *term;
  char **also; /* other names of it; NULL-terminated, may be empty */
  char *definition;
} SeamHelpTerm;

/* A page of any Markdown text. */
SeamHelpPage *seam_help_page_parse (const char *topic, const char *text);
void seam_help_page_free (SeamHelpPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamHelpPage, seam_help_page_free)

/* Every page that came with the program: "index" first, "glossary" last, the others in the order in
 * which the index links to them. SEAM_ERROR_FILE where they are not installed. Elements are
 * SeamHelpPage; free with g_ptr_array_unref(). */
GPtrArray *seam_help_list (GError **error);
/* By topic ("plans", "plans.md"), or NULL; borrowed. */
const SeamHelpPage *seam_help_find (const GPtrArray *pages, const char *topic);
/* NULL if it has no heading of that anchor; borrowed. */
const SeamHelpSection *seam_help_page_find_section (const SeamHelpPage *page, const char *anchor);
/* Sections that contain every word of `text`, whatever the case; those whose titles do come first.
 * Elements are SeamHelpHit; free with g_ptr_array_unref(). Valid as long as `pages`. */
GPtrArray *seam_help_search (const GPtrArray *pages, const char *text);

/* The terms of a page: of each paragraph "**term** (also: a, b): definition". Elements are
 * SeamHelpTerm; free with g_ptr_array_unref(). */
GPtrArray *seam_help_list_terms (const SeamHelpPage *glossary);
/* By its name or another one of its names, whatever the case, or NULL; borrowed. */
const SeamHelpTerm *seam_help_find_term (const GPtrArray *terms, const char *name);

G_END_DECLS
