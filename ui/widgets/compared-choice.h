/* SPDX-License-Identifier: MIT
 *
 * SeamComparedChoice: the choice of the plan beside A on a tab that shows two of three plans. It is
 * hidden while there are only two, and the same on every tab.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_COMPARED_CHOICE (seam_compared_choice_get_type ())
G_DECLARE_FINAL_TYPE (SeamComparedChoice, seam_compared_choice, SEAM, COMPARED_CHOICE, AdwBin)

/* Call once, before it is shown. */
void seam_compared_choice_set_model (SeamComparedChoice *self, SeamModel *model);
