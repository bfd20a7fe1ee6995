/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceOverview: the map of the whole output, a cell for many elements, with the frame of
 * the slice on it. Click, drag and arrow keys move the frame; a cell says what it holds.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-navigator.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_OVERVIEW (seam_difference_overview_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceOverview, seam_difference_overview, SEAM, DIFFERENCE_OVERVIEW,
                      AdwBin)

/* Call once, before it is shown. */
void seam_difference_overview_follow (SeamDifferenceOverview *self,
                                      SeamDifferenceNavigator *navigator, SeamDifferenceLook *look);
