/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceWalk: the ways from one worst element, or cell of the overview, to the next. It
 * moves a navigator there, and to the worst element of every new pair. Knows no widget.
 */
#pragma once

#include "ui/difference/difference-navigator.h"

#define SEAM_TYPE_DIFFERENCE_WALK (seam_difference_walk_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceWalk, seam_difference_walk, SEAM, DIFFERENCE_WALK, GObject)

SeamDifferenceWalk *seam_difference_walk_new (SeamDifferenceNavigator *navigator);

/* Goes to element `i` of the list of the worst elements; or to the next one, and from the last
 * to the first. */
void seam_difference_walk_go_to (SeamDifferenceWalk *self, int i);
void seam_difference_walk_go_to_next (SeamDifferenceWalk *self);
/* Goes to the next depth at which elements fail, of any sample and channel; with `step` -1 to the
 * one before. */
void seam_difference_walk_go_to_depth (SeamDifferenceWalk *self, int step);
/* Goes to the worst element of the next worst cell of the overview. */
void seam_difference_walk_go_to_next_cell (SeamDifferenceWalk *self);
