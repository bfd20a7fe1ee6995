/* SPDX-License-Identifier: MIT
 *
 * The rates of a calibration as a table for people.
 */
#pragma once

#include "app/report/table.h"
#include "app/result/calibration.h"

/* One row per rate: median, its interval, extremes and number of samples; on sheets also why a rate
 * is missing or impossible. Rows have plan 0 and the rate as index. With NULL the table has only
 * columns. */
SeamTable *seam_calibrated_rates_table_make (const SeamCalibration *calibration);
