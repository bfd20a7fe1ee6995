/* SPDX-License-Identifier: MIT
 *
 * The shortcuts window and the About window. Which key does what is set where the action lives
 * (application.c, the widgets); shortcuts.ui lists them for people.
 */
#pragma once

#include <gtk/gtk.h>

/* For gtk_application_window_set_help_overlay(), which adds win.show-help-overlay (Ctrl+?). */
GtkShortcutsWindow *seam_shortcuts_window_new (void);
void seam_show_about (GtkWindow *parent);
