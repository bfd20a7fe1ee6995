/* SPDX-License-Identifier: MIT
 *
 * The inline parts of Markdown as Pango markup, with words that are sought marked.
 */
#pragma once

#include "app/help/markdown.h"

G_BEGIN_DECLS

/* Of the node's children. `sought` may be NULL; `n_marks` is added to. Newly allocated. */
char *seam_help_markup_make (const SeamMarkdown *node, const char *sought, guint *n_marks);
/* The same of plain text. */
char *seam_help_markup_escape (const char *text, const char *sought, guint *n_marks);

G_END_DECLS
