/* SPDX-License-Identifier: MIT
 *
 * The rates of a calibration as a table for people.
 */
#pragma once

#include "app/report/table.h"
#include "app/result/calibration.h"

G_BEGIN_DECLS

/* One row a rate: median, its interval, extremes and number of samples; on sheets also why there is
 * none, or what cannot be. Rows have plan 0 and, as index, the rate. NULL: the columns alone. */
SeamTable *seam_calibrated_rates_table_make (const SeamCalibration *calibration);

G_END_DECLS
