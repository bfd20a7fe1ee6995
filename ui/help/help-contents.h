/* SPDX-License-Identifier: MIT
 *
 * The left side of the help window: a search entry and the list of pages, each with the number of
 * places where the words that are sought stand; under the page that is shown its sections.
 *
 * Signals:
 *   "go" (char *address)   "plans", "plans#exhibits"
 *   "search" (char *text)  the text that is searched for; "" for none
 */
#pragma once

#include "app/help/help.h"

#include <gtk/gtk.h>

#define SEAM_TYPE_HELP_CONTENTS (seam_help_contents_get_type ())
G_DECLARE_FINAL_TYPE (SeamHelpContents, seam_help_contents, SEAM, HELP_CONTENTS, GtkBox)

/* `pages` must outlive the widget. */
GtkWidget *seam_help_contents_new (const GPtrArray *pages);
/* Sets the page that is shown. */
void seam_help_contents_set_page (SeamHelpContents *self, const SeamHelpPage *page);
void seam_help_contents_focus_search (SeamHelpContents *self);
/* Text typed anywhere in `window` goes to the search entry. */
void seam_help_contents_capture_keys (SeamHelpContents *self, GtkWidget *window);
