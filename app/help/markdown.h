/* SPDX-License-Identifier: MIT
 *
 * GitHub-flavoured Markdown as a tree that anything can draw: the terminal (help-text.c), a text
 * view of the window. Only this module uses the parser, cmark-gfm. Raw HTML is left out.
 */
#pragma once

#include "app/base/owner.h"

typedef enum {
  /* Blocks */
  SEAM_MARKDOWN_DOCUMENT,
  SEAM_MARKDOWN_HEADING, /* text: its anchor, as a repository's web page makes it */
  SEAM_MARKDOWN_PARAGRAPH,
  SEAM_MARKDOWN_QUOTE,
  SEAM_MARKDOWN_LIST, /* number: of the first item; 0: bullets */
  SEAM_MARKDOWN_ITEM,
  SEAM_MARKDOWN_CODE_BLOCK, /* text: the code; address: the language, or NULL */
  SEAM_MARKDOWN_RULE,
  SEAM_MARKDOWN_TABLE, /* number: of columns; the first row is the header */
  SEAM_MARKDOWN_ROW,
  SEAM_MARKDOWN_CELL, /* number: SeamMarkdownAlign */
  /* Inlines */
  SEAM_MARKDOWN_TEXT,
  SEAM_MARKDOWN_CODE,
  SEAM_MARKDOWN_EMPHASIS,
  SEAM_MARKDOWN_STRONG,
  SEAM_MARKDOWN_STRIKE,
  SEAM_MARKDOWN_LINK,  /* address */
  SEAM_MARKDOWN_IMAGE, /* address; the children are its description */
  SEAM_MARKDOWN_BREAK, /* number: 1 for a line end that is required, 0 for one that is optional */
} SeamMarkdownKind;

typedef enum {
  SEAM_MARKDOWN_LEFT,
  SEAM_MARKDOWN_CENTER,
  SEAM_MARKDOWN_RIGHT,
} SeamMarkdownAlign;

typedef struct SeamMarkdown SeamMarkdown;
struct SeamMarkdown {
  SeamMarkdownKind kind;
  int level;           /* level of a heading, from 1 */
  int number;          /* see the kinds */
  char *text;          /* of TEXT, CODE, CODE_BLOCK; anchor of a HEADING; else NULL */
  char *address;       /* LINK and IMAGE: as written; CODE_BLOCK: its language; else NULL */
  GPtrArray *children; /* SeamMarkdown *, owned; never NULL */
};

/* Takes any text; invalid UTF-8 is replaced. */
SeamMarkdown *seam_markdown_parse (const char *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamMarkdown, seam_owner_free)

const SeamMarkdown *seam_markdown_get_child (const SeamMarkdown *node, guint i);
/* The words of the node and below it, on one line; newly allocated. */
char *seam_markdown_get_words (const SeamMarkdown *node);
