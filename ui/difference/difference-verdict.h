/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceVerdict: whether two outputs agree, in words, with three numbers beside it.
 */
#pragma once

#include "ui/difference/difference-look.h"
#include "ui/difference/difference-subject.h"

#include <adwaita.h>

#define SEAM_TYPE_DIFFERENCE_VERDICT (seam_difference_verdict_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceVerdict, seam_difference_verdict, SEAM, DIFFERENCE_VERDICT,
                      AdwBin)

/* Call once, before it is shown. */
void seam_difference_verdict_follow (SeamDifferenceVerdict *self, SeamDifferenceSubject *subject,
                                     SeamDifferenceLook *look);
