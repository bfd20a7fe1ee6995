/* SPDX-License-Identifier: MIT
 *
 * Checks of this machine, each with the reason and the remedy if something does not work: the rows
 * of every backend, and one row for the calibration of each target.
 */
#include "app/runner/runner-calibrate.h"
#include "app/runner/run-private.h"

GPtrArray *
seam_run_doctor (void)
{
  GPtrArray *checks = seam_checks_new ();

  seam_backend_check_all (checks);
  seam_run_check_calibrations (checks);
  return checks;
}
