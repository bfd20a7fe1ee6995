/* SPDX-License-Identifier: MIT
 *
 * The choice of the implementation of the group that starts with the matrix op, in the plan's
 * popover.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_PLAN_CHOICE (seam_plan_choice_get_type ())
G_DECLARE_FINAL_TYPE (SeamPlanChoice, seam_plan_choice, SEAM, PLAN_CHOICE, AdwBin)

GtkWidget *seam_plan_choice_new (SeamModel *model, int index);
/* Shows the current plan; call it when the popover opens. */
void seam_plan_choice_update (SeamPlanChoice *self);
