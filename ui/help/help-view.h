/* SPDX-License-Identifier: MIT
 *
 * SeamHelpView: a page of Markdown as widgets, one label a paragraph, so that all of it can be
 * selected, read aloud and searched. Help uses it; anything else that is written in Markdown can.
 *
 * Signals:
 *   "follow" (char *address)   a link was activated; the address as written in the page
 */
#pragma once

#include "app/help/markdown.h"

#include <gtk/gtk.h>

#define SEAM_TYPE_HELP_VIEW (seam_help_view_get_type ())
G_DECLARE_FINAL_TYPE (SeamHelpView, seam_help_view, SEAM, HELP_VIEW, GtkBox)

GtkWidget *seam_help_view_new (void);
/* Shows a page. `folder`: the folder of its pictures. `sought`: words to mark, or NULL. The tree
 * may be freed afterwards. */
void seam_help_view_show (SeamHelpView *self, const SeamMarkdown *tree, const char *folder,
                          const char *sought);
/* The heading with this anchor, or NULL; borrowed. */
GtkWidget *seam_help_view_find_heading (SeamHelpView *self, const char *anchor);
/* The number of sought words on the page, and the label of the i-th one, borrowed. */
guint seam_help_view_get_n_marks (SeamHelpView *self);
GtkWidget *seam_help_view_get_mark (SeamHelpView *self, guint i);
