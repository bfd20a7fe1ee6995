/* SPDX-License-Identifier: MIT
 *
 * The file that keeps a device's calibration, and all descriptions of its contents.
 */
#include "app/result/calibration.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static char *path;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  g_autofree char *folder = NULL;

  fuzz_init ();
  path = seam_calibration_get_path ("fuzz");
  folder = g_path_get_dirname (path);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  return 0;
}

static void
use (const SeamCalibration *calibration)
{
  g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("cpu");

  fuzz_take_text (seam_calibration_to_csv (calibration));
  fuzz_take_text (seam_calibration_describe_knee (calibration));
  fuzz_take_text (seam_calibration_describe_unsteady (calibration));
  fuzz_take_text (seam_calibration_describe_doubts (calibration));
  fuzz_take_text (seam_calibration_get_provenance (calibration));
  for (int i = 0; i < SEAM_N_RATES; i++) {
    fuzz_take_text (seam_rate_format (i, calibration->rates[i].median));
    fuzz_take_text (seam_calibration_describe_over_peak (calibration, i));
  }
  seam_calibration_apply (calibration, info);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (SeamCalibration) calibration = NULL;
  g_autoptr (SeamCalibration) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  gboolean is_read;

  g_file_set_contents (path, size > 0 ? (const char *)data : "", (gssize)size, NULL);
  is_read = seam_calibration_load ("fuzz", &calibration, &error);
  fuzz_check_sentence (is_read, error);
  if (calibration == NULL)
    return 0;
  use (calibration);
  /* The calibration survives writing and reading unchanged. */
  first = seam_calibration_to_json (calibration);
  if (!seam_calibration_save (calibration, &error)
      || !seam_calibration_load ("fuzz", &again, &error))
    g_error ("%s", error->message);
  second = seam_calibration_to_json (again);
  if (strcmp (first, second) != 0)
    g_error ("written %s\nread %s", first, second);
  return 0;
}
