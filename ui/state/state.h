/* SPDX-License-Identifier: MIT
 *
 * Carries the model's choices to the settings and back, so that the window opens as it was left. A
 * choice that no longer fits (a pipeline file that is gone, a bad shape) is left out silently: the
 * defaults are always good.
 */
#pragma once

#include "ui/state/model.h"

/* Lists of pipelines (ui/state/remembered.h). */
#define SEAM_FAVOURITE_PIPELINES "favourite-pipelines"
#define SEAM_USED_PIPELINES      "used-pipelines"
#define SEAM_MAX_USED            6

void seam_state_load (SeamModel *model);
void seam_state_save (SeamModel *model);
