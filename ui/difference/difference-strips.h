/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceStrips: the two plans that stand beside each other, one line each, with the pill
 * that says when one of them is wrong on purpose. A click shows the Timing tab, where plans are
 * edited.
 */
#pragma once

#include "ui/difference/difference-subject.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_STRIPS (seam_difference_strips_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceStrips, seam_difference_strips, SEAM, DIFFERENCE_STRIPS, AdwBin)

/* Call once, before it is shown. */
void seam_difference_strips_follow (SeamDifferenceStrips *self, SeamDifferenceSubject *subject);
