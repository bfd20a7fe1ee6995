/* SPDX-License-Identifier: MIT
 *
 * SeamSourceListing: machine code beside a text. It is asked for when a kind is chosen, and again
 * when the text has changed; source-links.h marks the lines that belong together. Hidden while no
 * kind is chosen.
 *
 * Property "diagnostics": a GPtrArray of SeamDiagnostic, why the text has no machine code; NULL:
 * none of these.
 */
#pragma once

#include "ui/source/source-text.h"

#define SEAM_TYPE_SOURCE_LISTING (seam_source_listing_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourceListing, seam_source_listing, SEAM, SOURCE_LISTING, AdwBin)

/* Call once, before it is shown. The listing alone controls `kinds`, the choice of a kind, and
 * `link_note`, the sentence. */
void seam_source_listing_follow (SeamSourceListing *self, SeamSourceSubject *subject,
                                 SeamSourceText *text, GtkDropDown *kinds, GtkLabel *link_note);
/* Borrowed. */
GPtrArray *seam_source_listing_get_diagnostics (SeamSourceListing *self);
