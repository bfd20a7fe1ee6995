/* SPDX-License-Identifier: MIT
 *
 * Carries the model's choices to the settings and back, so that the window opens as it was left. A
 * choice that no longer fits (a pipeline file that is gone, a bad shape) is left out silently: the
 * defaults are always good.
 */
#pragma once

#include "ui/state/model.h"

void seam_state_load (SeamModel *model);
void seam_state_save (SeamModel *model);
