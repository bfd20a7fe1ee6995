/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceDepth: the planes of all depths of the sample and channel that the slice is of,
 * small beside each other; a click on one, or its key, moves the slice there. Invisible where an
 * output has no depth.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-navigator.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_DEPTH (seam_difference_depth_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceDepth, seam_difference_depth, SEAM, DIFFERENCE_DEPTH, AdwBin)

/* Call once, before it is shown. */
void seam_difference_depth_follow (SeamDifferenceDepth *self, SeamDifferenceNavigator *navigator,
                                   SeamDifferenceLook *look);
