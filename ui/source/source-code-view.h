/* SPDX-License-Identifier: MIT
 *
 * SeamSourceCodeView: a text of code in its scrolled window, in the colours of the window.
 *
 * Signals, none of them while the program writes:
 *   "edited"    the person changed the text
 *   "moved"     the cursor moved, or the view got the focus
 *   "restyled"  change to light, dark or high contrast: listeners set their colours again
 */
#pragma once

#include <adwaita.h>
#include <gtksourceview/gtksource.h>

#define SEAM_TYPE_SOURCE_CODE_VIEW (seam_source_code_view_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourceCodeView, seam_source_code_view, SEAM, SOURCE_CODE_VIEW, AdwBin)

/* `label` is for assistive technology. */
GtkWidget *seam_source_code_view_new (const char *label);

GtkSourceView *seam_source_code_view_get_view (SeamSourceCodeView *self);
GtkSourceBuffer *seam_source_code_view_get_buffer (SeamSourceCodeView *self);
GtkAdjustment *seam_source_code_view_get_hadjustment (SeamSourceCodeView *self);

/* Newly allocated. */
char *seam_source_code_view_get_text (SeamSourceCodeView *self);
/* The cursor moves to the start. */
void seam_source_code_view_set_text (SeamSourceCodeView *self, const char *text);

/* Line numbers start at 0. Scrolls as little as needed to show the line. */
guint seam_source_code_view_get_cursor_line (SeamSourceCodeView *self);
void seam_source_code_view_scroll_to_line (SeamSourceCodeView *self, guint line);
