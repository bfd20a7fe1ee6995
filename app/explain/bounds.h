/* SPDX-License-Identifier: MIT
 *
 * The rates that a result is explained by: those of its device, which its floor, its roofline and
 * what is shown as known before the run rest on.
 */
#pragma once

#include "app/plan/ceiling.h"
#include "app/result/result.h"

G_BEGIN_DECLS

/* `problem` is that of the result. The result's own floor holds: where it is lower than what the
 * rates of the device give, because the fastest plan refuted them, the rates are higher by as much.
 * FALSE where nothing is known of the device. */
gboolean seam_bounds_get_rates (const SeamResult *result, const SeamProblem *problem,
                                SeamRates *rates);

G_END_DECLS
