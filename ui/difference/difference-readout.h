/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceReadout: the panel beside the maps that always shows the element under the
 * pointer: where it is, both values, their difference, the limit, and how much of the slice fails.
 * The plane of the slice is chosen here too.
 *
 * Property "text": the element in one sentence, for assistive technology.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-navigator.h"

#include <gtk/gtk.h>

#define SEAM_TYPE_DIFFERENCE_READOUT (seam_difference_readout_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceReadout, seam_difference_readout, SEAM, DIFFERENCE_READOUT,
                      GtkWidget)

/* Call once, before it is shown. */
void seam_difference_readout_follow (SeamDifferenceReadout *self,
                                     SeamDifferenceNavigator *navigator, SeamDifferenceLook *look);
const char *seam_difference_readout_get_text (SeamDifferenceReadout *self);
