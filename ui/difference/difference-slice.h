/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceSlice: the map of the elements in the window of the navigator, one by one: how far
 * apart the sides are, or the values of one of them. Pointer and arrow keys choose an element.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-navigator.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_SLICE (seam_difference_slice_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceSlice, seam_difference_slice, SEAM, DIFFERENCE_SLICE, AdwBin)

/* Call once, before it is shown. */
void seam_difference_slice_follow (SeamDifferenceSlice *self, SeamDifferenceNavigator *navigator,
                                   SeamDifferenceLook *look);
/* Describes the element that is pointed at, for assistive technology. */
void seam_difference_slice_set_description (SeamDifferenceSlice *self, const char *text);
