/* SPDX-License-Identifier: MIT
 *
 * Zoom of a figure view in a scrolled window of its own: buttons, the keys +, - and
 * 0, and the wheel with Ctrl. Zooming in gives the figure more width than the window has, so that
 * its parts have more room, and it is moved by scrolling; zooming out draws it smaller.
 */
#pragma once

#include "ui/widgets/figure-view.h"

/* A box with the buttons, for `view`, a child of a GtkBox, whose width without zoom is at least
 * `minimum_width`. The keys work while the view is on the screen and no text field takes them. */
GtkWidget *seam_figure_zoom_new (SeamFigureView *view, int minimum_width);
