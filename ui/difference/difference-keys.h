/* SPDX-License-Identifier: MIT
 *
 * Arrow keys on a map of the Difference tab.
 */
#pragma once

#include <gtk/gtk.h>

/* Moves by this many elements, or windows, down and to the right. */
typedef void (*SeamDifferenceMoveFunc) (gpointer data, gint64 rows, gint64 columns);

/* The direction of an arrow key; FALSE: another key. */
gboolean seam_difference_read_arrow (guint key, int *rows, int *columns);
/* The arrows move by one, with Shift by 16. `data` outlives the widget. */
void seam_difference_add_arrow_keys (GtkWidget *widget, SeamDifferenceMoveFunc move, gpointer data);
