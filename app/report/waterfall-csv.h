/* SPDX-License-Identifier: MIT
 *
 * The steps of a waterfall as CSV.
 */
#pragma once

#include "app/result/result.h"

/* One row per step of the way from plan `a` to plan `b`. Newly allocated. */
char *seam_waterfall_to_csv (const SeamResult *result, int a, int b, GError **error);
