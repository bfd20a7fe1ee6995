/* SPDX-License-Identifier: MIT
 *
 * What a run measured about the kernels that a group's code became, in words for the Source tab.
 */
#pragma once

#include "app/backend/source.h"
#include "app/result/result.h"

/* Appends a line for each kernel of the group to `note`; nothing where the plan was executed
 * otherwise than `notation`. Where the result is of another device than `target` (may be NULL), as
 * a recorded one, that is all there is to say. */
void seam_source_append_measured (const SeamResult *result, const SeamDeviceInfo *target, int plan,
                                  const char *notation, int group, const SeamSource *source,
                                  GString *note);
