/* SPDX-License-Identifier: MIT
 *
 * A scrollbar beside a scrolled window whose own are switched off (policy external), for text that
 * measures its lines while it is drawn: GTK 4.8 moves the window's own scrollbar then, after it has
 * been given its place, and warns. This one follows a moment later.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Of one of the window's adjustments; gone from sight while there is nothing to scroll. */
GtkWidget *seam_late_scrollbar_new (GtkOrientation orientation, GtkAdjustment *of);

G_END_DECLS
