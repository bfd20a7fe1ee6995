/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceMaps: overview and slice with their legend, the readout of the element that is
 * pointed at, and the note about the tiles that lie over both maps.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-navigator.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_MAPS (seam_difference_maps_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceMaps, seam_difference_maps, SEAM, DIFFERENCE_MAPS, AdwBin)

/* Call once, before it is shown. */
void seam_difference_maps_follow (SeamDifferenceMaps *self, SeamDifferenceNavigator *navigator,
                                  SeamDifferenceLook *look);
/* The height of the maps with legend and readout, px; 0: none is shown. */
int seam_difference_maps_get_height (SeamDifferenceMaps *self);
/* The height that the page has for them. */
void seam_difference_maps_set_room (SeamDifferenceMaps *self, int room);
