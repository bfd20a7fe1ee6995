/* SPDX-License-Identifier: MIT
 *
 * The rates that explain a result: those of its device, which are the basis of its floor, its
 * roofline and its estimate.
 */
#pragma once

#include "app/plan/ceiling.h"
#include "app/result/result.h"

/* `problem`: that of the result. If the result's own floor is lower than the rates of the device
 * give, because the fastest plan refuted them, the rates are raised by the same factor. FALSE if
 * nothing is known about the device. */
gboolean seam_bounds_get_rates (const SeamResult *result, const SeamProblem *problem,
                                SeamRates *rates);
