/* SPDX-License-Identifier: MIT
 *
 * NVML on a machine without it, without such a device, or with one of scripted answers: the program
 * opens the library at run time, so the test needs no CUDA.
 */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

/* The stand-in: functions are found by name in a table of this file. */
static void *fake_open (const char *name, int mode);
static void *fake_find (void *library, const char *name);
static int fake_close (void *library);
#define dlopen  fake_open
#define dlsym   fake_find
#define dlclose fake_close
#include "app/backend/cuda/nvml.c"

static struct {
  gboolean is_installed;
  const char *missing; /* a function that this version lacks */
  const char *failing; /* one that returns an error */
  int n_open;
} fake;

#define FAILS(name) (g_strcmp0 (fake.failing, name) == 0 ? 999 : NVML_OK)

static int
nvmlInit_v2 (void)
{
  return NVML_OK;
}

static int
nvmlDeviceGetHandleByPciBusId_v2 (const char *bus_id, NvmlDevice *device)
{
  *device = (NvmlDevice)&fake;
  return strcmp (bus_id, "0000:3B:00.0") == 0 ? NVML_OK : 6;
}

/* Both have the type of the clock: nvmlClockType_t, of which 0 is graphics, 1 SM, 2 memory. */
static int
nvmlDeviceGetClockInfo (NvmlDevice device, int type, unsigned int *mhz)
{
  *mhz = type == 1 ? 1440 : 2619;
  return FAILS ("nvmlDeviceGetClockInfo");
}

static int
nvmlDeviceGetMaxClockInfo (NvmlDevice device, int type, unsigned int *mhz)
{
  *mhz = type == 1 ? 1980 : 3201;
  return FAILS ("nvmlDeviceGetMaxClockInfo");
}

static int
nvmlDeviceGetPowerUsage (NvmlDevice device, unsigned int *milliwatts)
{
  *milliwatts = 698250;
  return FAILS ("nvmlDeviceGetPowerUsage");
}

static int
nvmlDeviceGetTemperature (NvmlDevice device, int sensor, unsigned int *celsius)
{
  *celsius = sensor == 0 ? 63 : 0;
  return FAILS ("nvmlDeviceGetTemperature");
}

static int
nvmlDeviceGetCurrentClocksThrottleReasons (NvmlDevice device, unsigned long long *mask)
{
  *mask = 0x24;
  return FAILS ("nvmlDeviceGetCurrentClocksThrottleReasons");
}

static void *
fake_open (const char *name, int mode)
{
  fake.n_open += fake.is_installed;
  return fake.is_installed && strcmp (name, "libnvidia-ml.so.1") == 0 ? &fake : NULL;
}

static int
fake_close (void *library)
{
  fake.n_open--;
  return 0;
}

static void *
fake_find (void *library, const char *name)
{
#define FUNCTION(f)                                                                                \
  {                                                                                                \
#f, (void *)f                                                                                  \
  }
  static const struct {
    const char *name;
    void *function;
  } functions[] = {
    FUNCTION (nvmlInit_v2),
    FUNCTION (nvmlDeviceGetHandleByPciBusId_v2),
    FUNCTION (nvmlDeviceGetClockInfo),
    FUNCTION (nvmlDeviceGetMaxClockInfo),
    FUNCTION (nvmlDeviceGetPowerUsage),
    FUNCTION (nvmlDeviceGetTemperature),
    FUNCTION (nvmlDeviceGetCurrentClocksThrottleReasons),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (functions[i].name, name) == 0 && g_strcmp0 (name, fake.missing) != 0)
      return functions[i].function;
  return NULL;
}

static void
test_values (void)
{
  SeamVitals vitals;

  fake.is_installed = TRUE;
  g_assert_null (nvml_open ("0000:5E:00.0"));
  Nvml *nvml = nvml_open ("0000:3B:00.0");
  g_assert_nonnull (nvml);
  g_assert_cmpfloat (nvml_read_clock (nvml), ==, 1440);
  g_assert_cmpfloat (nvml_read_max_clock (nvml), ==, 1980);
  g_assert_cmpint (nvml_read_throttle (nvml), ==, SEAM_THROTTLE_KNOWN | 0x24);
  nvml_read (nvml, &vitals);
  g_assert_cmpfloat (vitals.clock_mhz, ==, 1440);
  g_assert_cmpfloat (vitals.power_w, ==, 698.25);
  g_assert_cmpfloat (vitals.temperature_c, ==, 63);
  nvml_close (nvml);
  g_assert_cmpint (fake.n_open, ==, 0);
  fake.is_installed = FALSE;
}

/* What an old library lacks, or a device refuses, is unknown; the rest is read all the same. */
static void
test_refused (void)
{
  static const char *const names[] = { "nvmlDeviceGetClockInfo", "nvmlDeviceGetMaxClockInfo",
                                       "nvmlDeviceGetPowerUsage" };

  fake.is_installed = TRUE;
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (names); i++) {
    const char *name = names[i / 2];
    SeamVitals vitals;
    fake.missing = i % 2 == 0 ? name : NULL;
    fake.failing = i % 2 == 1 ? name : NULL;
    Nvml *nvml = nvml_open ("0000:3B:00.0");
    nvml_read (nvml, &vitals);
    g_assert_cmpint (isnan (nvml_read_clock (nvml)) != 0, ==, name == names[0]);
    g_assert_cmpint (isnan (nvml_read_max_clock (nvml)) != 0, ==, name == names[1]);
    g_assert_cmpint (isnan (vitals.power_w) != 0, ==, name == names[2]);
    g_assert_cmpfloat (vitals.temperature_c, ==, 63);
    nvml_close (nvml);
  }
  g_assert_cmpint (fake.n_open, ==, 0);
  memset (&fake, 0, sizeof fake);
}

/* A value that cannot be read is unknown, never zero. */
static void
test_none (void)
{
  Nvml *nvml = nvml_open ("ffff:ff:1f.7");
  SeamVitals vitals = { 1.0, 1.0, 1.0 };

  g_assert_null (nvml);
  g_assert_null (nvml_open (NULL));
  g_assert_true (isnan (nvml_read_clock (nvml)));
  g_assert_true (isnan (nvml_read_max_clock (nvml)));
  g_assert_cmpint (nvml_read_throttle (nvml), ==, 0);
  nvml_read (nvml, &vitals);
  g_assert_true (isnan (vitals.clock_mhz));
  g_assert_true (isnan (vitals.power_w));
  g_assert_true (isnan (vitals.temperature_c));
  nvml_close (nvml);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nvml/none", test_none);
  g_test_add_func ("/nvml/values", test_values);
  g_test_add_func ("/nvml/refused", test_refused);
  return g_test_run ();
}
