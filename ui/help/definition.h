/* SPDX-License-Identifier: MIT
 *
 * The glossary's definitions where a word stands in the window: one hover away as a tooltip, one
 * click away in the help.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* "floor", whatever its case, or one of its other names: the definition, borrowed for good; NULL
 * where the glossary has none. */
const char *seam_definition_find (const char *term);
/* Makes a label of that word explain itself. Nothing happens where there is no definition. */
void seam_definition_add (GtkWidget *label, const char *term);

/* A label for templates that does so. Properties: "label", and "term" where the word differs. */
#define SEAM_TYPE_TERM (seam_term_get_type ())
G_DECLARE_FINAL_TYPE (SeamTerm, seam_term, SEAM, TERM, AdwBin)

G_END_DECLS
