/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceLayout: places overview, slice, legend and readout so that both maps get large:
 * side by side, or one above the other where the overview is flat (few samples, many channels) or
 * the page narrow.
 */
#pragma once

#include <gtk/gtk.h>

#define SEAM_TYPE_DIFFERENCE_LAYOUT (seam_difference_layout_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceLayout, seam_difference_layout, SEAM, DIFFERENCE_LAYOUT,
                      GtkWidget)

/* Number of cells of the overview, which decides the arrangement. */
void seam_difference_layout_set_cells (SeamDifferenceLayout *self, gint64 n_rows, gint64 n_columns);

/* The height that leaves room for what is below the maps, px: they request no more of it than is of
 * use to them, and no less than they need. */
void seam_difference_layout_set_room (SeamDifferenceLayout *self, int room);
