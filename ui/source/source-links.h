/* SPDX-License-Identifier: MIT
 *
 * SeamSourceLinks: which lines of a text and of its machine code belong together. The line that the
 * cursor is on, on either side, marks the lines of the other that belong to it, and a sentence says
 * which.
 */
#pragma once

#include "ui/source/source-text.h"

#define SEAM_TYPE_SOURCE_LINKS (seam_source_links_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourceLinks, seam_source_links, SEAM, SOURCE_LINKS, GObject)

/* Only the links may change `sentence`. */
SeamSourceLinks *seam_source_links_new (SeamSourceText *text, SeamSourceCodeView *code,
                                        GtkLabel *sentence);
/* Sets the listing in `code`, borrowed until the next call; NULL: none. `word` names it: "PTX". */
void seam_source_links_set_listing (SeamSourceLinks *self, const SeamListing *listing,
                                    const char *word);
/* Marks the same lines again after a text was written or coloured. */
void seam_source_links_mark_again (SeamSourceLinks *self);
