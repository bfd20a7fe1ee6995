/* SPDX-License-Identifier: MIT
 *
 * Labels, boxes and buttons that code makes. `classes`: style classes (ui/style.css), separated by
 * spaces, or NULL.
 */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  SEAM_LABEL_WRAPS = 1 << 0,      /* several lines */
  SEAM_LABEL_SHORTENS = 1 << 1,   /* an ellipsis at the end */
  SEAM_LABEL_SELECTABLE = 1 << 2, /* its text can be copied */
} SeamLabelFlags;

/* A GtkLabel, with its text at the left. `text`: NULL for none. */
gpointer seam_label_new (const char *text, const char *classes, SeamLabelFlags flags);
/* A command for a terminal, with a button that copies it. */
GtkWidget *seam_command_new (const char *command);
/* A GtkBox with these widgets, in this order; NULL ends the list. */
gpointer seam_box_new (GtkOrientation orientation, int spacing, const char *classes,
                       ...) G_GNUC_NULL_TERMINATED;
/* A GtkScrolledWindow in which the widget, as wide as it is, scrolls down; it takes spare height.
 */
gpointer seam_scrolled_new (gpointer child);
/* A GtkButton. `label`: a text, or the name of a symbolic icon; `tooltip`: or NULL; `action`: with
 * its target, as in "win.lesson-go(3)", or NULL. */
gpointer seam_button_new (const char *label, const char *classes, const char *tooltip,
                          const char *action);
/* Of a GtkActionable, which may have had another one. */
void seam_widget_set_action (gpointer widget, const char *action);
/* The name by which assistive technology knows the widget. */
void seam_widget_set_name (gpointer widget, const char *name);
/* Calls gtk_box_remove(), or what else `remove` is, for each child of the container. */
void seam_widget_clear (gpointer container, GCallback remove);
