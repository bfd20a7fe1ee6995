/* SPDX-License-Identifier: MIT
 *
 * SeamSourceText: the text of the source that is shown, or of a file that it includes, its lines
 * tinted in the colours of their ops. What the person types is the subject's edit.
 *
 * Signals:
 *   "shown"   a text was written, or reloaded code has the same text
 *   "edited"  the person changed the text
 */
#pragma once

#include "ui/source/source-code-view.h"
#include "ui/source/source-subject.h"

#define SEAM_TYPE_SOURCE_TEXT (seam_source_text_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourceText, seam_source_text, SEAM, SOURCE_TEXT, AdwBin)

/* Call once, before it is shown. The text alone controls `files`, the choice of a file, and
 * `legend`, which explains the colours. */
void seam_source_text_follow (SeamSourceText *self, SeamSourceSubject *subject, GtkDropDown *files,
                              GtkLabel *legend);

SeamSourceCodeView *seam_source_text_get_code_view (SeamSourceText *self);
/* "" for the source's own text. */
const char *seam_source_text_get_file_name (SeamSourceText *self);
gboolean seam_source_text_is_editable (SeamSourceText *self);
const char *seam_source_text_get_text (SeamSourceText *self);
/* Replaces the shown text, which must be editable, by the person's text. */
void seam_source_text_replace (SeamSourceText *self, const char *text);
/* Restores the program's own text. */
void seam_source_text_reset (SeamSourceText *self);
