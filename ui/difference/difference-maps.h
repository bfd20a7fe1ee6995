/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceMaps: places its two children, overview and slice, so that both get large: side by
 * side, or one above the other where the overview is flat (few samples, many channels).
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define SEAM_TYPE_DIFFERENCE_MAPS (seam_difference_maps_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceMaps, seam_difference_maps, SEAM, DIFFERENCE_MAPS, GtkWidget)

/* Cells of the overview; decides the arrangement. */
void seam_difference_maps_set_cells (SeamDifferenceMaps *self, gint64 n_rows, gint64 n_columns);

G_END_DECLS
