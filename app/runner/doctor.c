/* SPDX-License-Identifier: MIT
 *
 * What works on this machine, what does not, why, and the remedy: rows of every backend, one for
 * the CUDA module itself where it cannot be opened, and one for the calibration of each target.
 */
#include "app/runner/calibrate.h"
#include "app/runner/run-private.h"

GPtrArray *
seam_run_doctor (void)
{
  GPtrArray *checks = seam_checks_new ();
  g_autofree char *reason = NULL;
  const SeamBackend *cuda;

  seam_backend_cpu.check (checks);
  cuda = seam_backend_get_cuda (&reason);
  if (cuda == NULL)
    g_ptr_array_add (checks,
                     seam_check_new (SEAM_CHECK_FAILED, "The CUDA module cannot be opened",
                                     reason != NULL ? reason : "No reason was given.",
                                     seam_backend_get_cuda_remedy (reason != NULL ? reason : "")));
  else if (cuda->check != NULL)
    cuda->check (checks);
  seam_run_check_calibrations (checks);
  return checks;
}
