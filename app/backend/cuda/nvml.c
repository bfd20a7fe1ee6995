/* SPDX-License-Identifier: MIT
 *
 * NVML through dlopen. The prototypes and constants below are those of NVML's stable C interface
 * (nvml.h, API version 13); only what is used is declared.
 */
#include "app/backend/cuda/nvml.h"

#include "app/result/throttle.h"

#include <dlfcn.h>
#include <math.h>

typedef struct nvmlDevice_st *NvmlDevice;

enum { NVML_OK = 0, NVML_CLOCK_SM = 1, NVML_TEMPERATURE_GPU = 0, NVML_DRIVER_VERSION_SIZE = 80 };

typedef struct {
  void *library;
  int (*init) (void);
  int (*shutdown) (void);
  int (*get_driver_version) (char *version, unsigned int length);
  int (*get_handle) (const char *pci_bus_id, NvmlDevice *device);
  int (*get_clock) (NvmlDevice device, int type, unsigned int *mhz);
  int (*get_max_clock) (NvmlDevice device, int type, unsigned int *mhz);
  int (*get_power) (NvmlDevice device, unsigned int *milliwatts);
  int (*get_temperature) (NvmlDevice device, int sensor, unsigned int *celsius);
  int (*get_throttle) (NvmlDevice device, unsigned long long *mask);
} NvmlLibrary;

struct Nvml {
  NvmlLibrary api;
  NvmlDevice device;
};

static void
close_library (NvmlLibrary *api)
{
  if (api->library == NULL)
    return;
  if (api->shutdown != NULL)
    api->shutdown ();
  dlclose (api->library);
  api->library = NULL;
}

static gboolean
open_library (NvmlLibrary *api)
{
  int (*init) (void);

  *api = (NvmlLibrary){ .library = dlopen ("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL) };
  if (api->library == NULL)
    return FALSE;

  /* These functions are required; each of the others may be missing. */
  init = (int (*) (void))dlsym (api->library, "nvmlInit_v2");
  api->get_handle = (int (*) (const char *, NvmlDevice *))dlsym (
      api->library, "nvmlDeviceGetHandleByPciBusId_v2");
  if (init == NULL || init () != NVML_OK) {
    close_library (api);
    return FALSE;
  }
  api->shutdown = (int (*) (void))dlsym (api->library, "nvmlShutdown");
  api->get_driver_version =
      (int (*) (char *, unsigned int))dlsym (api->library, "nvmlSystemGetDriverVersion");
  api->get_clock =
      (int (*) (NvmlDevice, int, unsigned int *))dlsym (api->library, "nvmlDeviceGetClockInfo");
  api->get_max_clock =
      (int (*) (NvmlDevice, int, unsigned int *))dlsym (api->library, "nvmlDeviceGetMaxClockInfo");
  api->get_power =
      (int (*) (NvmlDevice, unsigned int *))dlsym (api->library, "nvmlDeviceGetPowerUsage");
  api->get_temperature =
      (int (*) (NvmlDevice, int, unsigned int *))dlsym (api->library, "nvmlDeviceGetTemperature");
  /* Renamed in driver 530, which keeps both names; the old name also works with older drivers. */
  api->get_throttle = (int (*) (NvmlDevice, unsigned long long *))dlsym (
      api->library, "nvmlDeviceGetCurrentClocksEventReasons");
  if (api->get_throttle == NULL)
    api->get_throttle = (int (*) (NvmlDevice, unsigned long long *))dlsym (
        api->library, "nvmlDeviceGetCurrentClocksThrottleReasons");
  return TRUE;
}

Nvml *
nvml_open (const char *pci_bus_id)
{
  g_autoptr (Nvml) nvml = g_new0 (Nvml, 1);

  if (pci_bus_id == NULL || !open_library (&nvml->api))
    return NULL;
  if (nvml->api.get_handle == NULL || nvml->api.get_handle (pci_bus_id, &nvml->device) != NVML_OK)
    return NULL;
  return g_steal_pointer (&nvml);
}

void
nvml_close (Nvml *nvml)
{
  if (nvml == NULL)
    return;
  close_library (&nvml->api);
  g_free (nvml);
}

static double
read_mhz (Nvml *nvml, int (*get) (NvmlDevice, int, unsigned int *))
{
  unsigned int mhz = 0;

  return get != NULL && get (nvml->device, NVML_CLOCK_SM, &mhz) == NVML_OK ? mhz : NAN;
}

double
nvml_read_clock (Nvml *nvml)
{
  return nvml != NULL ? read_mhz (nvml, nvml->api.get_clock) : NAN;
}

double
nvml_read_max_clock (Nvml *nvml)
{
  return nvml != NULL ? read_mhz (nvml, nvml->api.get_max_clock) : NAN;
}

gint32
nvml_read_throttle (Nvml *nvml)
{
  unsigned long long mask = 0;

  if (nvml == NULL || nvml->api.get_throttle == NULL
      || nvml->api.get_throttle (nvml->device, &mask) != NVML_OK)
    return 0;
  return (gint32)(mask & (SEAM_THROTTLE_KNOWN - 1)) | SEAM_THROTTLE_KNOWN;
}

void
nvml_read (Nvml *nvml, SeamVitals *vitals)
{
  unsigned int value = 0;

  *vitals = (SeamVitals){ nvml_read_clock (nvml), NAN, NAN };
  if (nvml == NULL)
    return;
  if (nvml->api.get_power != NULL && nvml->api.get_power (nvml->device, &value) == NVML_OK)
    vitals->power_w = value / 1000.0;
  if (nvml->api.get_temperature != NULL
      && nvml->api.get_temperature (nvml->device, NVML_TEMPERATURE_GPU, &value) == NVML_OK)
    vitals->temperature_c = value;
}

char *
nvml_driver_version (void)
{
  NvmlLibrary api;
  char version[NVML_DRIVER_VERSION_SIZE] = "";

  if (!open_library (&api))
    return NULL;
  gboolean known = api.get_driver_version != NULL
                   && api.get_driver_version (version, sizeof version) == NVML_OK
                   && version[0] != '\0';
  close_library (&api);
  return known ? g_strdup (version) : NULL;
}
