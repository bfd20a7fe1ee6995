/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceNavigator: where the person looks: the plane and the window of the slice, and the
 * element that is pointed at. It asks the source for the slice of its window. Knows no widget.
 *
 * Properties, each notified when it changes:
 *   "sample", "channel", "depth"  the plane of the slice; can be set
 *   "window"             a SeamDifferenceWindow
 *   "place"              the element under the pointer
 *   "refusal"            why the last wish was refused: which elements are held; NULL: granted
 */
#pragma once

#include "ui/difference/difference-subject.h"

#define SEAM_TYPE_DIFFERENCE_NAVIGATOR (seam_difference_navigator_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceNavigator, seam_difference_navigator, SEAM,
                      DIFFERENCE_NAVIGATOR, GObject)

/* The part of the plane or matrix that the slice shows; no rows: nothing yet. */
typedef struct {
  gint64 first_row, first_column, n_rows, n_columns;
} SeamDifferenceWindow;

/* An element of the plane or matrix. */
typedef struct {
  gint64 row, column; /* -1: none yet */
  gboolean elsewhere; /* no slice is available for it: it is described in words only */
} SeamDifferencePlace;

SeamDifferenceNavigator *seam_difference_navigator_new (SeamDifferenceSubject *subject);

SeamDifferenceSubject *seam_difference_navigator_get_subject (SeamDifferenceNavigator *self);
gint64 seam_difference_navigator_get_sample (SeamDifferenceNavigator *self);
gint64 seam_difference_navigator_get_channel (SeamDifferenceNavigator *self);
gint64 seam_difference_navigator_get_depth (SeamDifferenceNavigator *self);
const SeamDifferenceWindow *seam_difference_navigator_get_window (SeamDifferenceNavigator *self);
const SeamDifferencePlace *seam_difference_navigator_get_place (SeamDifferenceNavigator *self);
const char *seam_difference_navigator_get_refusal (SeamDifferenceNavigator *self);

/* Sets how many elements the slice has room for. The element that is pointed at stays visible. */
void seam_difference_navigator_resize_window (SeamDifferenceNavigator *self, gint64 n_rows,
                                              gint64 n_columns);
/* Points at an element of the shown slice; or moves the pointer by some elements. */
void seam_difference_navigator_point_at (SeamDifferenceNavigator *self, gint64 row, gint64 column);
void seam_difference_navigator_move_pointer (SeamDifferenceNavigator *self, gint64 rows,
                                             gint64 columns);
/* Shows the slice of a cell of the overview; or moves by half windows, or by planes. */
void seam_difference_navigator_show_cell (SeamDifferenceNavigator *self, gint64 cell_row,
                                          gint64 cell_column);
void seam_difference_navigator_move_window (SeamDifferenceNavigator *self, gint64 rows,
                                            gint64 columns);

/* Points at any element. If no slice is available for it, it is described in words only. */
void seam_difference_navigator_go_to (SeamDifferenceNavigator *self,
                                      const SeamDifferenceElement *element);
