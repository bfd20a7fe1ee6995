/* SPDX-License-Identifier: MIT
 *
 * The look of the text in the Source tab: scheme, language, lines tinted in the colours of their
 * ops, and lines that a compiler complains about.
 */
#pragma once

#include "app/backend/diagnostic.h"
#include "app/backend/source.h"

#include <gtksourceview/gtksource.h>

/* Follows the window: light, dark or high contrast. */
void seam_source_set_scheme (GtkSourceBuffer *buffer);
/* Highlighting of the text's language; `source` may be NULL. */
void seam_source_set_language (GtkSourceBuffer *buffer, const SeamSource *source);

/* Tints the lines of `text`, which is in the buffer, and lists the ops of the colours in
 * `legend`, which is hidden if there are none. `source` NULL: no tints. */
void seam_source_tint (GtkSourceBuffer *buffer, const SeamSource *source, const char *text,
                       const SeamChain *chain, GtkLabel *legend);
void seam_source_clear_tint (GtkSourceBuffer *buffer);

/* Marks only these lines of the view, as belonging to the chosen line beside it. Numbers start
 * at 0. */
void seam_source_choose_lines (GtkTextView *view, const guint *lines, guint n);

/* Marks the lines at the edge of the view, and lists the first few (SeamDiagnostic) as rows of
 * `list`; activating a row goes to its line. Empty or NULL: removes the marks and hides the list.
 * Call seam_source_prepare_errors() once before. */
void seam_source_prepare_errors (GtkSourceView *view, GtkListBox *list);
void seam_source_show_errors (GtkSourceView *view, GtkListBox *list, GPtrArray *diagnostics);

/* Puts the cursor at the start of a line, from 1, with the focus; 0: nowhere. */
void seam_source_go_to_line (GtkTextView *view, int line);
