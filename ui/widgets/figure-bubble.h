/* SPDX-License-Identifier: MIT
 *
 * The tooltip of a figure. A GtkTooltip would stand beside the pointer and cover what it explains;
 * this one stands below the whole hit, and the keyboard can call it, too.
 */
#pragma once

#include "app/figure/figure.h"

#include <gtk/gtk.h>

/* A popover, child of `parent`, which presents it in its size_allocate and unparents it. */
GtkWidget *seam_figure_bubble_new (GtkWidget *parent);
/* Shows it below `rect` of the parent, and below all of the widget `below` (NULL: none); above
 * if there is no room. Hidden if `rect` is not in the window. */
void seam_figure_bubble_show (GtkWidget *bubble, const char *text, const SeamRect *rect,
                              GtkWidget *below);
