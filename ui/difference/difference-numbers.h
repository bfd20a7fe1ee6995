/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceNumbers: the card with the numbers behind a difference: how many elements differ by
 * how much, and the table of the worst, where a row moves the pointer and follows it.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-walk.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_NUMBERS (seam_difference_numbers_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceNumbers, seam_difference_numbers, SEAM, DIFFERENCE_NUMBERS,
                      AdwBin)

/* Call once, before it is shown. `walk` moves `navigator`. */
void seam_difference_numbers_follow (SeamDifferenceNumbers *self,
                                     SeamDifferenceNavigator *navigator, SeamDifferenceWalk *walk,
                                     SeamDifferenceLook *look);
/* The width that the page has for them: in a wide one the table stands beside the figure. Not their
 * own width, because side by side they would keep a page wide that has become narrow. */
void seam_difference_numbers_set_room (SeamDifferenceNumbers *self, int width);
/* The figure, borrowed; the worst elements may stand below it. */
GtkWidget *seam_difference_numbers_get_figure (SeamDifferenceNumbers *self);
