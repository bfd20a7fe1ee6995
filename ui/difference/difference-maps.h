/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceMaps: overview and slice with their legend, the readout of the element that is
 * pointed at, and the note about the tiles that lie over both maps.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-navigator.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_DIFFERENCE_MAPS (seam_difference_maps_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceMaps, seam_difference_maps, SEAM, DIFFERENCE_MAPS, AdwBin)

/* Call once, before it is shown. */
void seam_difference_maps_follow (SeamDifferenceMaps *self, SeamDifferenceNavigator *navigator,
                                  SeamDifferenceLook *look);

G_END_DECLS
