/* SPDX-License-Identifier: MIT
 *
 * Calibrating a target, keeping what was found, and using it at once. The command line and the
 * worker call this; the measuring is app/measure/calibrate.h.
 */
#pragma once

#include "app/measure/calibrate.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

/* Opens `target` (NULL: the best) on the runner and measures; changes nothing that is kept. Errors
 * as of seam_calibrate(). */
SeamCalibration *seam_runner_calibrate (SeamRunner *runner, const char *target,
                                        const SeamCalibrateOptions *options, GError **error);
/* Writes the calibration to the file of `target`'s device and applies it to the open device. What
 * runs have raised before stays raised. Where the file cannot be written, `not_kept` receives the
 * sentence (newly allocated), else NULL, and the rates hold until the program ends.
 * SEAM_ERROR_INPUT for a calibration without a date. */
gboolean seam_runner_keep_calibration (SeamRunner *runner, const char *target,
                                       SeamCalibration *calibration, char **not_kept,
                                       GError **error);
/* Applies it where the runner has that device open; another runner of the same program. */
void seam_runner_use_calibration (SeamRunner *runner, const SeamCalibration *calibration);
/* Deletes the one that is kept of `target` and takes its rates from the open device. FALSE where
 * the file cannot be deleted; SEAM_ERROR_UNSUPPORTED when there was none. */
gboolean seam_runner_forget_calibration (SeamRunner *runner, const char *target, GError **error);
/* The rates of the device that the runner has open go back, where it is `identity`'s. */
void seam_runner_undo_calibration (SeamRunner *runner, const char *identity);

/* Appends a row for each target that can be opened: whether it is calibrated, and since when. */
void seam_run_check_calibrations (GPtrArray *checks);

G_END_DECLS
