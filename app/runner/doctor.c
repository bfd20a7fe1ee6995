/* SPDX-License-Identifier: MIT
 *
 * What works on this machine, what does not, why, and the remedy: rows of every backend, and one
 * for the calibration of each target.
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
