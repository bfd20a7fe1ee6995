/* SPDX-License-Identifier: MIT
 *
 * Finds and opens GPUs.
 */
#include "app/backend/cuda/cuda-device.h"

#include "app/backend/cuda/cupti.h"
#include "app/backend/cuda/driver.h"
#include "app/backend/cuda/cuda-groups.h"
#include "app/backend/cuda/rates.h"
#include "app/base/text.h"
#include "kernels/cuda/kernels.h"

#include <string.h>

#define MAX_HAND_THREADS 640 /* threads in a block of a hand-written kernel */
/* Multiply-adds of the FP64 reference: chips of compute capability X.0 compute FP64 at half the
 * rate of FP32, others at a 32nd or less. */
#define FAST_REFERENCE_MACS 1e12
#define SLOW_REFERENCE_MACS 5e10

gboolean
cuda_device_enter (CudaDevice *device, GError **error)
{
  return CUDA_TRY (cudaSetDevice (device->ordinal), error);
}

gsize
cuda_device_workspace_limit (CudaDevice *device)
{
  gsize available = 0, total = 0;

  if (cudaMemGetInfo (&available, &total) != cudaSuccess)
    return device->workspace_bytes;
  /* cuDNN's NHWC kernels on NCHW tensors keep copies of input and output there: 1.3 GB for #1 at
   * kernelbench. A third of the free memory leaves room for the groups that are prepared later. */
  return MAX (device->workspace_bytes, MIN ((gsize)4 << 30, available / 3));
}

gboolean
cuda_device_reserve_workspace (CudaDevice *device, gsize bytes, GError **error)
{
  if (bytes <= device->workspace_bytes)
    return TRUE;
  /* Work that still uses the old workspace must end first; cudaFree waits for the device. */
  cudaFree (device->workspace);
  device->workspace = NULL;
  device->workspace_bytes = 0;
  if (!CUDA_TRY (cudaMalloc (&device->workspace, bytes), error))
    return FALSE;
  device->workspace_bytes = bytes;
  return TRUE;
}

cublasLtHandle_t
cuda_device_get_cublaslt (CudaDevice *device, GError **error)
{
  if (device->cublaslt == NULL && !CUBLAS_TRY (cublasLtCreate (&device->cublaslt), error))
    device->cublaslt = NULL;
  return device->cublaslt;
}

cudnnHandle_t
cuda_device_get_cudnn (CudaDevice *device, GError **error)
{
  if (device->cudnn == NULL) {
    if (!CUDNN_TRY (cudnnCreate (&device->cudnn), error)) {
      device->cudnn = NULL;
      return NULL;
    }
    if (!CUDNN_TRY (cudnnSetStream (device->cudnn, device->stream), error)) {
      cudnnDestroy (device->cudnn);
      device->cudnn = NULL;
    }
  }
  return device->cudnn;
}

/* "01234567-89ab-…", as in what nvidia-smi -L prints. */
static char *
format_uuid (const char *bytes)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < 16; i++)
    g_string_append_printf (text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                            (guint)(guint8)bytes[i]);
  return g_string_free (text, FALSE);
}

/* A function of the driver as of CUDA `version`; NULL if the driver is older. */
static gpointer
find_driver_function (const char *name, unsigned int version)
{
  enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  void *function = NULL;

  if (cudaGetDriverEntryPointByVersion (name, &function, version, cudaEnableDefault, &found)
          != cudaSuccess
      || found != cudaDriverEntryPointSuccess)
    return NULL;
  return function;
}

/* Of a MIG instance its own UUID, which only the driver says. */
static void
set_identity (SeamDeviceInfo *info, int ordinal, const struct cudaDeviceProp *properties)
{
  CUresult (*get_uuid) (CUuuid *, CUdevice) = find_driver_function ("cuDeviceGetUuid", 12000);
  g_autofree char *uuid = format_uuid (properties->uuid.bytes), *own = NULL;
  CUuuid bytes;

  info->identity = g_strdup_printf ("%s GPU-%s", properties->name, uuid);
  if (get_uuid != NULL && get_uuid (&bytes, ordinal) == CUDA_SUCCESS)
    own = format_uuid (bytes.bytes);
  seam_device_info_set_chip (info, own != NULL ? own : uuid);
}

/* The description of a GPU, as far as it is known without a context. */
static SeamDeviceInfo *
describe (int ordinal)
{
  g_autofree char *id = g_strdup_printf ("cuda:%d", ordinal);
  SeamDeviceInfo *info = seam_device_info_new (id);
  struct cudaDeviceProp properties;
  cudaError_t status = cudaGetDeviceProperties (&properties, ordinal);

  info->driver = nvml_driver_version ();
  info->libraries = driver_describe_libraries ();
  if (status != cudaSuccess) {
    info->available = FALSE;
    info->reason =
        g_strdup_printf ("GPU %d does not answer: %s.", ordinal, cudaGetErrorString (status));
    return info;
  }
  info->name = g_strdup (properties.name);
  set_identity (info, ordinal, &properties);
  info->n_processors = properties.multiProcessorCount;
  info->memory_total = properties.totalGlobalMem;
  info->l2_bytes = properties.l2CacheSize;
  info->block_register_bytes = 4 * (guint64)properties.regsPerBlock;
  info->block_shared_bytes = properties.sharedMemPerBlockOptin;
  info->compute_capability = g_strdup_printf ("%d.%d", properties.major, properties.minor);
  info->available = TRUE;
  if (properties.major < 8) {
    info->available = FALSE;
    info->reason = g_strdup_printf ("%s has compute capability %d.%d; this program is built for "
                                    "8.0 and newer.",
                                    properties.name, properties.major, properties.minor);
  }
  info->abilities = SEAM_ABILITY_ALL;
  group_list_implementations (info);
  info->can_trace = cupti_available (&info->trace_reason);
  if (info->can_trace)
    g_clear_pointer (&info->trace_reason, g_free);
  return info;
}

void
cuda_probe (GPtrArray *infos)
{
  g_autofree char *reason = NULL, *remedy = NULL;
  int n = driver_count_devices (&reason, &remedy);

  if (n <= 0) {
    SeamDeviceInfo *info = seam_device_info_new ("cuda:0");
    info->name = g_strdup ("NVIDIA GPU");
    info->available = FALSE;
    info->reason = g_steal_pointer (&reason);
    info->remedy = g_steal_pointer (&remedy);
    g_ptr_array_add (infos, info);
    return;
  }
  for (int i = 0; i < n; i++)
    g_ptr_array_add (infos, describe (i));
}

gboolean
cuda_device_get_context (CUcontext *context, GError **error)
{
  CUresult (*get_current) (CUcontext *) = NULL;

  *context = NULL;
  if (!CUDA_TRY (cudaFree (NULL), error))
    return FALSE;
  get_current = find_driver_function ("cuCtxGetCurrent", 12000);
  if (get_current != NULL && get_current (context) == CUDA_SUCCESS && *context != NULL)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                    "The NVIDIA driver names no context for this program; update it.");
}

/* Multiprocessors that this process may use: fewer than the GPU has if the process has only a part
 * of the GPU (a green context, an MPS client with a share). */
static int
count_processors (int n_all)
{
  CUresult (*get_resource) (CUcontext, CUdevResource *, CUdevResourceType) =
      find_driver_function ("cuCtxGetDevResource", 12040);
  CUdevResource resource = { 0 };
  CUcontext context = NULL;

  if (get_resource == NULL || !cuda_device_get_context (&context, NULL)
      || get_resource (context, &resource, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS)
    return n_all;
  return MIN (n_all, (int)resource.sm.smCount);
}

static gboolean
count_resident_blocks (CudaDevice *device, GError **error)
{
  int n_blocks = 0;

  if (!CUDA_TRY (seam_cuda_count_resident (MAX_HAND_THREADS, device->shared_limit, &n_blocks),
                 error))
    return FALSE;
  device->n_resident_blocks = n_blocks * count_processors (device->base.info->n_processors);
  return TRUE;
}

static gboolean
open_resources (CudaDevice *device, GError **error)
{
  SeamDeviceInfo *info = device->base.info;
  char bus_id[32] = "";
  gsize available = 0, total = 0;

  /* The first call that makes a context: it fails for a GPU in exclusive use or a broken driver. */
  if (!cuda_device_enter (device, error) || !CUDA_TRY (cudaFree (NULL), error)
      || !CUDA_TRY (cudaDeviceGetAttribute (&device->major, cudaDevAttrComputeCapabilityMajor,
                                            device->ordinal),
                    error)
      || !CUDA_TRY (cudaDeviceGetAttribute (&device->minor, cudaDevAttrComputeCapabilityMinor,
                                            device->ordinal),
                    error)
      || !CUDA_TRY (cudaDeviceGetAttribute (&device->shared_limit,
                                            cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                            device->ordinal),
                    error)
      || !count_resident_blocks (device, error)
      || !CUDA_TRY (cudaMemGetInfo (&available, &total), error)
      || !CUDA_TRY (cudaStreamCreateWithFlags (&device->stream, cudaStreamNonBlocking), error)
      || !CUDA_TRY (cudaEventCreate (&device->start), error)
      || !CUDA_TRY (cudaEventCreate (&device->end), error))
    return FALSE;
  info->memory_free = available;
  if (cudaDeviceGetPCIBusId (bus_id, sizeof bus_id, device->ordinal) == cudaSuccess)
    device->nvml = nvml_open (bus_id);
  info->max_clock_mhz = nvml_read_max_clock (device->nvml);
  rates_measure (device);
  return TRUE;
}

SeamDevice *
cuda_open (const char *target, GError **error)
{
  g_autofree char *reason = NULL, *remedy = NULL, *title = NULL;
  gint64 ordinal = 0;

  if (!g_str_has_prefix (target, "cuda:")
      || !seam_text_parse_int64 (target + strlen ("cuda:"), "the GPU's number", 0, 1023, &ordinal,
                                 NULL))
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "There is no target “%s”; GPUs are named cuda:0, cuda:1 and so on.",
                           target);
  int n = driver_count_devices (&reason, &remedy);
  if (n <= 0)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED, "%s Choose the target cpu.", reason);
  if (ordinal >= n)
    return seam_fail_null (
        error, SEAM_ERROR_INPUT,
        n == 1 ? "There is no target cuda:%d; this machine has %d GPU, cuda:0."
               : "There is no target cuda:%d; this machine has %d GPUs, from cuda:0 on.",
        (int)ordinal, n);

  CudaDevice *device = g_new0 (CudaDevice, 1);
  device->base.backend = &cuda_backend;
  device->ordinal = (int)ordinal;
  device->base.info = describe (device->ordinal);
  title = g_strdup_printf ("%s, driver %s, %s", device->base.info->name, device->base.info->driver,
                           device->base.info->libraries);
  device->choices = seam_choices_new (title);
  device->answers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!device->base.info->available) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, device->base.info->reason);
    cuda_close (&device->base);
    return NULL;
  }
  device->base.reference_macs = g_str_has_suffix (device->base.info->compute_capability, ".0")
                                    ? FAST_REFERENCE_MACS
                                    : SLOW_REFERENCE_MACS;
  if (!open_resources (device, error)) {
    cuda_close (&device->base);
    return NULL;
  }
  return &device->base;
}

void
cuda_close (SeamDevice *base)
{
  CudaDevice *device = (CudaDevice *)base;

  if (device == NULL)
    return;
  /* Errors are ignored: after a lost context each of these calls fails, and nothing is left to
   * free. */
  cudaSetDevice (device->ordinal);
  if (device->stream != NULL)
    cudaStreamSynchronize (device->stream);
  cuda_end_benchmarks (base);
  if (device->cudnn != NULL)
    cudnnDestroy (device->cudnn);
  if (device->cublaslt != NULL)
    cublasLtDestroy (device->cublaslt);
  cudaFree (device->workspace);
  cudaFree (device->flush);
  cudaFreeHost (device->staging);
  if (device->end != NULL)
    cudaEventDestroy (device->end);
  if (device->start != NULL)
    cudaEventDestroy (device->start);
  if (device->stream != NULL)
    cudaStreamDestroy (device->stream);
  cudaGetLastError ();
  nvml_close (device->nvml);
  seam_choices_free (device->choices);
  g_hash_table_unref (device->answers);
  seam_device_info_free (device->base.info);
  g_free (device);
}

void
cuda_get_vitals (SeamDevice *device, SeamVitals *vitals)
{
  nvml_read (((CudaDevice *)device)->nvml, vitals);
}
