/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceLayout: places its two children, overview and slice, so that both get large: side
 * by side, or one above the other where the overview is flat (few samples, many channels).
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define SEAM_TYPE_DIFFERENCE_LAYOUT (seam_difference_layout_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceLayout, seam_difference_layout, SEAM, DIFFERENCE_LAYOUT,
                      GtkWidget)

/* Number of cells of the overview, which decides the arrangement. */
void seam_difference_layout_set_cells (SeamDifferenceLayout *self, gint64 n_rows, gint64 n_columns);

G_END_DECLS
