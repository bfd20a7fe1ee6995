/* SPDX-License-Identifier: MIT
 *
 * A style class (ui/style.css) that a widget has in one state and not in another.
 */
#pragma once

#include <gtk/gtk.h>

/* `widget`: a GtkWidget. */
void seam_css_class_set (gpointer widget, const char *css_class, gboolean on);
