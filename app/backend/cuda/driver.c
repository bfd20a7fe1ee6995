/* SPDX-License-Identifier: MIT
 *
 * Looks for the driver with dlopen() before it calls the CUDA runtime, so that a machine without
 * one gets a sentence instead of a status code.
 */
#include "app/backend/cuda/driver.h"

#include "app/backend/cuda/cuda-check.h"
#include "app/backend/cuda/compiler.h"

#include <dlfcn.h>

#define DRIVER_REMEDY "sudo apt install nvidia-driver"

char *
driver_format_version (int version)
{
  return g_strdup_printf ("%d.%d", version / 1000, version % 1000 / 10);
}

char *
driver_format_library_version (gsize version)
{
  return g_strdup_printf ("%" G_GSIZE_FORMAT ".%" G_GSIZE_FORMAT ".%" G_GSIZE_FORMAT,
                          version / 10000, version % 10000 / 100, version % 100);
}

int
driver_count_devices (char **reason, char **remedy)
{
  void *library = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  int n = 0, driver = 0, runtime = 0;

  if (library == NULL) {
    *reason = g_strdup ("libcuda.so.1 was not found, so no GPU can be opened.");
    *remedy = g_strdup (DRIVER_REMEDY);
    return 0;
  }
  dlclose (library);
  cudaError_t status = cudaGetDeviceCount (&n);
  if (status == cudaSuccess && n > 0)
    return n;
  cudaGetLastError ();
  cudaDriverGetVersion (&driver);
  cudaRuntimeGetVersion (&runtime);
  if (status == cudaErrorInsufficientDriver && driver > 0) {
    g_autofree char *has = driver_format_version (driver);
    g_autofree char *wants = driver_format_version (runtime);
    *reason = g_strdup_printf (
        "The NVIDIA driver supports CUDA %s, but this program was built with CUDA %s.", has, wants);
    *remedy = g_strdup (DRIVER_REMEDY);
  } else if (status == cudaErrorNoDevice || (status == cudaSuccess && n == 0)) {
    *reason = g_strdup ("The NVIDIA driver is installed, but it finds no GPU.");
    *remedy = g_strdup ("nvidia-smi");
  } else {
    *reason =
        g_strdup_printf ("The NVIDIA driver does not start: %s.", cudaGetErrorString (status));
    *remedy = g_strdup ("nvidia-smi");
  }
  return 0;
}

char *
driver_describe_libraries (void)
{
  int version = 0;
  g_autofree char *runtime = NULL, *nvrtc = compiler_get_version ();
  g_autofree char *cudnn = driver_format_library_version (cudnnGetVersion ());
  g_autofree char *cublaslt = driver_format_library_version (cublasLtGetVersion ());

  cudaRuntimeGetVersion (&version);
  runtime = driver_format_version (version);
  return g_strdup_printf ("CUDA %s, cuDNN %s, cuBLASLt %s, NVRTC %s", runtime, cudnn, cublaslt,
                          nvrtc);
}
