/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceControls: the row of controls above the maps: the pair that is compared, unit and
 * view of the maps, tolerances, tiles, and export. It sets the subject and the look, and follows
 * them.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-subject.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_CONTROLS (seam_difference_controls_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceControls, seam_difference_controls, SEAM, DIFFERENCE_CONTROLS,
                      AdwBin)

/* Call once, before it is shown. */
void seam_difference_controls_follow (SeamDifferenceControls *self, SeamDifferenceSubject *subject,
                                      SeamDifferenceLook *look);
void seam_difference_controls_set_narrow (SeamDifferenceControls *self, gboolean narrow);
