/* SPDX-License-Identifier: MIT
 *
 * Inline parts of Markdown as Pango markup, with the sought words marked.
 */
#pragma once

#include "app/help/markdown.h"

/* Markup of the node's children. `sought` may be NULL; the number of marks is added to
 * `n_marks`. Newly allocated. */
char *seam_help_markup_make (const SeamMarkdown *node, const char *sought, guint *n_marks);
/* The same for plain text. */
char *seam_help_markup_escape (const char *text, const char *sought, guint *n_marks);
