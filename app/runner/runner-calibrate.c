/* SPDX-License-Identifier: MIT
 *
 * Calibrates a target, keeps the result in a file, and lists calibrations for doctor.
 */
#include "app/runner/runner-calibrate.h"

#include "app/base/text.h"
#include "app/runner/run-private.h"
#include "app/version.h"

void
seam_runner_use_calibration (SeamRunner *runner, const SeamCalibration *calibration)
{
  if (runner->device != NULL
      && g_strcmp0 (runner->device->info->identity, calibration->identity) == 0)
    seam_calibration_apply (calibration, runner->device->info);
}

void
seam_runner_undo_calibration (SeamRunner *runner, const char *identity)
{
  if (runner->device != NULL && runner->device->uncalibrated != NULL
      && g_strcmp0 (runner->device->info->identity, identity) == 0)
    seam_calibration_undo (runner->device->info, runner->device->uncalibrated);
}

gboolean
seam_runner_forget_calibration (SeamRunner *runner, const char *target, GError **error)
{
  SeamDevice *device = seam_runner_open (runner, target, error);
  gboolean existed = FALSE;

  if (device == NULL || !seam_calibration_forget (device->info->identity, &existed, error))
    return FALSE;
  seam_runner_undo_calibration (runner, device->info->identity);
  if (existed)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s was not calibrated.", device->info->name);
}

SeamCalibration *
seam_runner_calibrate (SeamRunner *runner, const char *target, const SeamCalibrateOptions *options,
                       GError **error)
{
  SeamDevice *device = seam_runner_open (runner, target, error);
  SeamCalibration *calibration = device != NULL ? seam_calibrate (device, options, error) : NULL;

  if (calibration != NULL)
    calibration->program_version = g_strdup (seam_version ());
  return calibration;
}

gboolean
seam_runner_keep_calibration (SeamRunner *runner, const char *target, SeamCalibration *calibration,
                              char **not_kept, GError **error)
{
  SeamDevice *device = seam_runner_open (runner, target, error);
  g_autofree char *date = seam_calibration_format_date (calibration->measured_at);
  g_autoptr (SeamCalibration) older = NULL;
  g_autoptr (GError) problem = NULL;

  *not_kept = NULL;
  if (device == NULL)
    return FALSE;
  if (date == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT, "A calibration without a date cannot be kept.");
  g_free (calibration->identity);
  calibration->identity = g_strdup (device->info->identity);
  /* A damaged calibration is replaced. */
  if (seam_calibration_load_kept (calibration->identity, &older, NULL) && older != NULL)
    seam_calibration_inherit (calibration, older);
  /* Rates that the new calibration lacks return to those from before any calibration, not to those
   * of the last one. */
  seam_calibration_undo (device->info, device->uncalibrated);
  seam_calibration_apply (calibration, device->info);
  if (!seam_calibration_save (calibration, &problem))
    *not_kept = g_strdup (problem->message);
  return TRUE;
}

static void
check_target (GPtrArray *checks, const SeamDeviceInfo *info)
{
  g_autofree char *title = g_strdup_printf ("Calibration of %s", info->id);
  g_autofree char *remedy = g_strdup_printf ("seamscope-cli calibrate --target %s", info->id);
  g_autoptr (SeamCalibration) calibration = NULL;
  g_autoptr (GError) error = NULL;

  if (!seam_calibration_load (info->identity, &calibration, &error)) {
    g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_FAILED, title, error->message, remedy));
  } else if (calibration == NULL) {
    g_ptr_array_add (checks,
                     seam_check_new (SEAM_CHECK_UNKNOWN, title,
                                     seam_device_info_get_words (info)->uncalibrated, remedy));
  } else {
    g_autoptr (SeamDeviceInfo) rated = seam_device_info_copy (info);
    g_autofree char *detail = NULL, *bytes = NULL, *fp32 = NULL;

    seam_calibration_apply (calibration, rated);
    bytes = seam_text_rate (rated->bytes_per_s);
    fp32 = seam_text_flop_rate (rated->flop_fp32);
    detail = g_strdup_printf ("%s: memory %s, FP32 %s.", rated->rates_source, bytes, fp32);
    g_ptr_array_add (checks, seam_check_new (SEAM_CHECK_OK, title, detail, NULL));
  }
}

void
seam_run_check_calibrations (GPtrArray *checks)
{
  g_autoptr (GPtrArray) targets = seam_backend_list_targets ();

  for (guint i = 0; i < targets->len; i++) {
    const SeamDeviceInfo *info = targets->pdata[i];

    if (info->available)
      check_target (checks, info);
  }
}
