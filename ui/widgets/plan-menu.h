/* SPDX-License-Identifier: MIT
 *
 * SeamPlanMenu: the button that names a plan, and its popover: named plans, "copy the other plan",
 * and an entry for plan notation that reports errors as one types.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_PLAN_MENU (seam_plan_menu_get_type ())
G_DECLARE_FINAL_TYPE (SeamPlanMenu, seam_plan_menu, SEAM, PLAN_MENU, AdwBin)

/* `index`: 0 for plan A, 1 for plan B. */
GtkWidget *seam_plan_menu_new (SeamModel *model, int index);
/* "Unfused", "As published", or "Own plan": a plan's title as the button shows it; borrowed. */
const char *seam_plan_menu_get_title (const SeamPlan *plan);
