/* SPDX-License-Identifier: MIT
 *
 * A help page as plain text of a given width: headings underlined, lists indented, tables aligned.
 */
#pragma once

#include "app/help/markdown.h"

/* `width` is in columns of the terminal, at least 40. Lines of code are never broken; cells of a
 * table that is too wide are. Newly allocated. */
char *seam_help_to_text (const SeamMarkdown *tree, int width);
/* One paragraph of words, broken into lines; newly allocated. */
char *seam_help_wrap (const char *words, int width);
