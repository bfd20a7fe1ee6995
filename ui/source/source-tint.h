/* SPDX-License-Identifier: MIT
 *
 * How the text of the source page looks: scheme, language, lines tinted in the colours of their
 * ops, and lines that a compiler complains about.
 */
#pragma once

#include "app/backend/diagnostic.h"
#include "app/backend/source.h"

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* Light, dark or high contrast, as the window is. */
void seam_source_set_scheme (GtkSourceBuffer *buffer);
/* Highlighting of the text's language; `source` may be NULL. */
void seam_source_set_language (GtkSourceBuffer *buffer, const SeamSource *source);

/* Tints the lines of `text`, which is in the buffer, and lists the colours' ops in `legend`, which
 * is hidden where there is none. `source` NULL: none. */
void seam_source_tint (GtkSourceBuffer *buffer, const SeamSource *source, const char *text,
                       const SeamChain *chain, GtkLabel *legend);
void seam_source_clear_tint (GtkSourceBuffer *buffer);

/* Marks these lines of the view, and no others, as belonging to what is chosen beside it. Numbers
 * from 0. */
void seam_source_choose_lines (GtkTextView *view, const guint *lines, guint n);

/* Marks the lines at the edge of the view, and lists the first few (SeamDiagnostic) as rows of
 * `list`; a row that is activated goes to its line. Empty or NULL: nothing, and the list is hidden.
 * seam_source_prepare_errors() once before. */
void seam_source_prepare_errors (GtkSourceView *view, GtkListBox *list);
void seam_source_show_errors (GtkSourceView *view, GtkListBox *list, GPtrArray *diagnostics);

G_END_DECLS
