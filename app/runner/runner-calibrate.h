/* SPDX-License-Identifier: MIT
 *
 * Calibrates a target, keeps the result, and uses it at once. The command line and the worker call
 * this; app/measure/calibrate.h measures.
 */
#pragma once

#include "app/measure/calibrate.h"
#include "app/runner/runner.h"

/* Opens `target` (NULL: the best) on the runner and measures; changes no kept calibration. Errors
 * as in seam_calibrate(). */
SeamCalibration *seam_runner_calibrate (SeamRunner *runner, const char *target,
                                        const SeamCalibrateOptions *options, GError **error);
/* Writes the calibration to the file of `target`'s device and applies it to the open device. Rates
 * that runs have raised stay raised. If the file cannot be written, `not_kept` receives the reason
 * (newly allocated), else NULL, and the rates hold until the program ends. SEAM_ERROR_INPUT for a
 * calibration without a date. */
gboolean seam_runner_keep_calibration (SeamRunner *runner, const char *target,
                                       SeamCalibration *calibration, char **not_kept,
                                       GError **error);
/* Applies the calibration if the runner has its device open, for a second runner in the same
 * program. */
void seam_runner_use_calibration (SeamRunner *runner, const SeamCalibration *calibration);
/* Deletes the calibration that is kept for `target` and removes its rates from the open device.
 * FALSE if the file cannot be deleted; SEAM_ERROR_UNSUPPORTED if there was none. */
gboolean seam_runner_forget_calibration (SeamRunner *runner, const char *target, GError **error);
/* Undoes the calibration of the runner's open device if that is `identity`'s. */
void seam_runner_undo_calibration (SeamRunner *runner, const char *identity);

/* Appends a row for each target that can be opened: whether it is calibrated, and since when. */
void seam_run_check_calibrations (GPtrArray *checks);
