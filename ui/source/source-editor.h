/* SPDX-License-Identifier: MIT
 *
 * SeamSourceEditor: the buttons for a text that the person can change, and what is to be said of
 * it: the lines that compilers complain about, and a text that is for another storage. The text is
 * kept by the model, and nothing of it runs before Run edited. Hidden where nothing can be changed.
 */
#pragma once

#include "ui/source/source-listing.h"
#include "ui/source/source-text.h"

#define SEAM_TYPE_SOURCE_EDITOR (seam_source_editor_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourceEditor, seam_source_editor, SEAM, SOURCE_EDITOR, AdwBin)

/* Call once, before it is shown. Adds run-edited, source-line (from 1), reset-edit and
 * without-third-plan to `map`. The editor alone controls `errors`, the list of complaints, and
 * `storage_note`. */
void seam_source_editor_follow (SeamSourceEditor *self, SeamSourceSubject *subject,
                                SeamSourceText *text, SeamSourceListing *listing, GActionMap *map,
                                GtkListBox *errors, GtkLabel *storage_note);
