/* SPDX-License-Identifier: MIT
 *
 * Definitions of the glossary for words in the window: a tooltip on hover, the help on click.
 */
#pragma once

#include <adwaita.h>

/* Lets a label explain a term of the glossary, by any of its names and in any case. Does nothing
 * without a definition. */
void seam_definition_add (GtkWidget *label, const char *term);

/* A label for templates that explains its word. Properties: "label", and "term" if the word
 * differs. */
#define SEAM_TYPE_TERM (seam_term_get_type ())
G_DECLARE_FINAL_TYPE (SeamTerm, seam_term, SEAM, TERM, AdwBin)
