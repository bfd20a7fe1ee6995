/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceNumbers: the card with the numbers behind a difference: how many elements differ by
 * how much, and the table of the worst, where a row moves the pointer and follows it.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-walk.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_DIFFERENCE_NUMBERS (seam_difference_numbers_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceNumbers, seam_difference_numbers, SEAM, DIFFERENCE_NUMBERS,
                      AdwBin)

/* Call once, before it is shown. `walk` moves `navigator`. */
void seam_difference_numbers_follow (SeamDifferenceNumbers *self,
                                     SeamDifferenceNavigator *navigator, SeamDifferenceWalk *walk,
                                     SeamDifferenceLook *look);

G_END_DECLS
