/* SPDX-License-Identifier: MIT
 *
 * Definitions of the glossary for words in the window: a tooltip on hover, the help on click.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* The definition of a term like "floor", in any case, or of one of its other names. Borrowed
 * forever; NULL if the glossary has none. */
const char *seam_definition_find (const char *term);
/* Lets a label explain that word. Does nothing without a definition. */
void seam_definition_add (GtkWidget *label, const char *term);

/* A label for templates that explains its word. Properties: "label", and "term" if the word
 * differs. */
#define SEAM_TYPE_TERM (seam_term_get_type ())
G_DECLARE_FINAL_TYPE (SeamTerm, seam_term, SEAM, TERM, AdwBin)

G_END_DECLS
