/* SPDX-License-Identifier: MIT
 *
 * The doctor's rows for the CUDA backend: each requirement, what was found, and a remedy if it is
 * missing. Opens no GPU.
 */
#include "app/backend/cuda/cuda-device.h"

#include "app/backend/cuda/compiler.h"
#include "app/backend/cuda/cupti.h"
#include "app/backend/cuda/driver.h"
#include "app/base/text.h"

#include <dlfcn.h>

static void
add (GPtrArray *checks, SeamCheckState state, const char *title, const char *detail,
     const char *remedy)
{
  g_ptr_array_add (checks, seam_check_new (state, title, detail, remedy));
}

/* Adds a row for a linked library. It is present, because this module was loaded; the row says
 * which one it is. */
static void
add_library (GPtrArray *checks, const char *name, const char *version, const void *symbol)
{
  Dl_info info = { 0 };
  g_autofree char *title = g_strdup_printf ("%s %s", name, version);

  if (dladdr (symbol, &info) != 0 && info.dli_fname != NULL)
    add (checks, SEAM_CHECK_OK, title, info.dli_fname, NULL);
  else
    add (checks, SEAM_CHECK_OK, title, "Loaded; its path is not known.", NULL);
}

static void
add_libraries (GPtrArray *checks)
{
  int version = 0;
  g_autofree char *runtime = NULL, *nvrtc = compiler_get_version ();
  g_autofree char *cudnn = driver_format_library_version (cudnnGetVersion ());
  g_autofree char *cublaslt = driver_format_library_version (cublasLtGetVersion ());

  cudaRuntimeGetVersion (&version);
  runtime = driver_format_version (version);
  add_library (checks, "CUDA runtime", runtime, (const void *)cudaRuntimeGetVersion);
  add_library (checks, "cuDNN", cudnn, (const void *)cudnnGetVersion);
  add_library (checks, "cuBLASLt", cublaslt, (const void *)cublasLtGetVersion);
  add_library (checks, "NVRTC", nvrtc, (const void *)nvrtcVersion);
}

static void
add_driver (GPtrArray *checks)
{
  g_autofree char *reason = NULL, *remedy = NULL;
  g_autofree char *version = nvml_driver_version ();
  int n = driver_count_devices (&reason, &remedy);

  if (n > 0) {
    g_autofree char *title = g_strdup_printf ("NVIDIA driver %s", version != NULL ? version : "");
    g_autofree char *detail =
        g_strdup_printf (n == 1 ? "It finds %d GPU." : "It finds %d GPUs.", n);
    int cuda = 0;
    g_autofree char *supports = NULL, *both = NULL;

    cudaDriverGetVersion (&cuda);
    supports = driver_format_version (cuda);
    both = g_strdup_printf ("%s It supports CUDA %s.", detail, supports);
    add (checks, SEAM_CHECK_OK, g_strchomp (title), both, NULL);
  } else {
    void *library = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    add (checks, SEAM_CHECK_FAILED,
         library == NULL ? "NVIDIA driver is missing" : "No GPU can be used", reason, remedy);
    if (library != NULL)
      dlclose (library);
  }
}

static void
add_devices (GPtrArray *checks)
{
  g_autoptr (GPtrArray) infos =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_device_info_free);

  cuda_probe (infos);
  for (guint i = 0; i < infos->len; i++) {
    const SeamDeviceInfo *info = infos->pdata[i];
    g_autofree char *title = NULL, *detail = NULL, *memory = NULL, *l2 = NULL;

    if (!info->available && info->compute_capability == NULL)
      continue; /* the driver's row has already said so */
    title = g_strdup_printf ("%s: %s", info->id, info->name);
    memory = seam_text_bytes ((double)info->memory_total);
    l2 = seam_text_bytes ((double)info->l2_bytes);
    detail = info->available
                 ? g_strdup_printf ("Compute capability %s, %d multiprocessors, %s memory, %s L2.",
                                    info->compute_capability, info->n_processors, memory, l2)
                 : g_strdup (info->reason);
    add (checks, info->available ? SEAM_CHECK_OK : SEAM_CHECK_FAILED, title, detail, info->remedy);
  }
}

static void
add_tracing (GPtrArray *checks)
{
  g_autofree char *reason = NULL, *path = NULL, *version = NULL;
  g_autofree char *unused_reason = NULL, *unused_remedy = NULL;
  gboolean has = cupti_get_library (&path, &version);

  if (cupti_available (&reason)) {
    g_autofree char *title =
        g_strdup_printf ("Kernel tracing works (CUPTI %s)", version != NULL ? version : "");
    add (checks, SEAM_CHECK_OK, title, path != NULL ? path : "CUPTI is loaded.", NULL);
  } else if (has && driver_count_devices (&unused_reason, &unused_remedy) <= 0) {
    /* The driver's check above names the remedy. */
    add (checks, SEAM_CHECK_UNKNOWN, "Kernel tracing",
         "Without a driver it cannot be told whether it works.", NULL);
  } else {
    add (checks, SEAM_CHECK_FAILED, "Kernel tracing does not work",
         reason != NULL ? reason : "CUPTI cannot be used; plans are timed by events alone.",
         has ? NULL : "sudo apt install cuda-cupti-13-0");
  }
}

static void
add_counters (GPtrArray *checks)
{
  g_autofree char *reason = NULL, *remedy = NULL, *unused_reason = NULL, *unused_remedy = NULL;

  if (driver_count_devices (&unused_reason, &unused_remedy) <= 0)
    add (checks, SEAM_CHECK_UNKNOWN, "Hardware counters",
         "Without a driver it cannot be told whether they may be read.", NULL);
  else if (cupti_counters_allowed (&reason, &remedy))
    add (checks, SEAM_CHECK_OK, "Hardware counters may be read",
         "This process has the permission the driver asks for.", NULL);
  else
    add (checks, SEAM_CHECK_FAILED, "Hardware counters are refused",
         reason != NULL ? reason : "The driver reserves them for administrators.", remedy);
}

void
cuda_check (GPtrArray *checks)
{
  add_driver (checks);
  add_devices (checks);
  add_libraries (checks);
  add_tracing (checks);
  add_counters (checks);
}
