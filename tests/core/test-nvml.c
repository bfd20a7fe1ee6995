/* SPDX-License-Identifier: MIT
 *
 * NVML on a machine without it, or without such a device: the program opens it at run time, so the
 * test needs no CUDA.
 */
#include "app/backend/cuda/nvml.h"

#include <glib.h>
#include <math.h>

/* A value that cannot be read is unknown, never zero. */
static void
test_none (void)
{
  Nvml *nvml = nvml_open ("ffff:ff:1f.7");
  SeamVitals vitals = { 1.0, 1.0, 1.0, NULL };

  g_assert_null (nvml);
  g_assert_null (nvml_open (NULL));
  g_assert_true (isnan (nvml_read_clock (nvml)));
  g_assert_cmpint (nvml_read_throttle (nvml), ==, 0);
  nvml_read (nvml, &vitals);
  g_assert_true (isnan (vitals.clock_mhz));
  g_assert_true (isnan (vitals.power_w));
  g_assert_true (isnan (vitals.temperature_c));
  g_assert_null (vitals.throttle);
  nvml_close (nvml);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nvml/none", test_none);
  return g_test_run ();
}
