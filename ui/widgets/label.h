/* SPDX-License-Identifier: MIT
 *
 * Labels that code makes: their text is at the left.
 */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  SEAM_LABEL_WRAPS = 1 << 0,      /* several lines */
  SEAM_LABEL_SHORTENS = 1 << 1,   /* an ellipsis at the end */
  SEAM_LABEL_SELECTABLE = 1 << 2, /* its text can be copied */
} SeamLabelFlags;

/* A GtkLabel. `text`: NULL for none; `classes`: style classes (ui/style.css), separated by spaces,
 * or NULL. */
gpointer seam_label_new (const char *text, const char *classes, SeamLabelFlags flags);
/* A command for a terminal, with a button that copies it. */
GtkWidget *seam_command_new (const char *command);
