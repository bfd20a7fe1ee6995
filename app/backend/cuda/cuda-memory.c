/* SPDX-License-Identifier: MIT
 *
 * Device memory, and copies to and from it through one pinned buffer for each device.
 */
#include "app/backend/cuda/cuda-device.h"

#include "app/base/text.h"
#include "kernels/cuda/kernels.h"

#include <math.h>
#include <string.h>

#define STAGING_BYTES (G_GINT64_CONSTANT (32) << 20)

guint64
cuda_get_free_memory (SeamDevice *base)
{
  gsize available = 0, total = 0;

  if (!cuda_device_enter ((CudaDevice *)base, NULL)
      || cudaMemGetInfo (&available, &total) != cudaSuccess)
    return 0;
  return available;
}

SeamBuffer *
cuda_allocate (SeamDevice *base, gint64 bytes, GError **error)
{
  void *data = NULL;

  if (!cuda_device_enter ((CudaDevice *)base, error))
    return NULL;
  if (cudaMalloc (&data, MAX (bytes, 1)) != cudaSuccess) {
    g_autofree char *wanted = seam_text_bytes ((double)bytes);
    g_autofree char *available = seam_text_bytes ((double)cuda_get_free_memory (base));

    cudaGetLastError ();
    return seam_fail_null (
        error, SEAM_ERROR_MEMORY,
        "%s has no room for a tensor of %s: %s are free. Choose a smaller shape.", base->info->name,
        wanted, available);
  }
  SeamBuffer *buffer = g_new0 (SeamBuffer, 1);
  buffer->data = data;
  buffer->bytes = bytes;
  return buffer;
}

void
cuda_release (SeamDevice *base, SeamBuffer *buffer)
{
  if (buffer == NULL)
    return;
  cuda_device_enter ((CudaDevice *)base, NULL);
  cudaFree (buffer->data);
  cudaGetLastError ();
  g_free (buffer);
}

/* Makes the staging buffer, and checks that the range lies in `buffer`. */
static gboolean
begin_transfer (CudaDevice *device, const SeamBuffer *buffer, gint64 offset, gint64 bytes,
                GError **error)
{
  if (offset < 0 || bytes < 0 || offset > buffer->bytes || bytes > buffer->bytes - offset)
    return seam_fail (error, SEAM_ERROR_INTERNAL,
                      "A transfer of %" G_GINT64_FORMAT " bytes at %" G_GINT64_FORMAT
                      " leaves its tensor of %" G_GINT64_FORMAT " bytes.",
                      bytes, offset, buffer->bytes);
  if (!cuda_device_enter (device, error))
    return FALSE;
  if (device->staging == NULL
      && !CUDA_TRY (cudaHostAlloc (&device->staging, STAGING_BYTES, cudaHostAllocDefault), error)) {
    device->staging = NULL;
    return FALSE;
  }
  return TRUE;
}

gboolean
cuda_upload (SeamDevice *base, SeamBuffer *buffer, gint64 offset, const void *data, gint64 bytes,
             GError **error)
{
  CudaDevice *device = (CudaDevice *)base;

  if (!begin_transfer (device, buffer, offset, bytes, error))
    return FALSE;
  for (gint64 done = 0; done < bytes; done += STAGING_BYTES) {
    gint64 part = MIN (STAGING_BYTES, bytes - done);

    memcpy (device->staging, (const char *)data + done, part);
    if (!CUDA_TRY (cudaMemcpyAsync ((char *)buffer->data + offset + done, device->staging, part,
                                    cudaMemcpyHostToDevice, device->stream),
                   error)
        || !CUDA_TRY (cudaStreamSynchronize (device->stream), error))
      return FALSE;
  }
  return TRUE;
}

gboolean
cuda_download (SeamDevice *base, void *data, SeamBuffer *buffer, gint64 offset, gint64 bytes,
               GError **error)
{
  CudaDevice *device = (CudaDevice *)base;

  if (!begin_transfer (device, buffer, offset, bytes, error))
    return FALSE;
  for (gint64 done = 0; done < bytes; done += STAGING_BYTES) {
    gint64 part = MIN (STAGING_BYTES, bytes - done);

    if (!CUDA_TRY (cudaMemcpyAsync (device->staging, (char *)buffer->data + offset + done, part,
                                    cudaMemcpyDeviceToHost, device->stream),
                   error)
        || !CUDA_TRY (cudaStreamSynchronize (device->stream), error))
      return FALSE;
    memcpy ((char *)data + done, device->staging, part);
  }
  return TRUE;
}

gboolean
cuda_poison (SeamDevice *base, SeamBuffer *buffer, SeamCancel *cancel, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;

  if (!cuda_device_enter (device, error))
    return FALSE;
  /* All ones are a quiet NaN in every type that a tensor may have. */
  return CUDA_TRY (cudaMemsetAsync (buffer->data, 0xff, (size_t)buffer->bytes, device->stream),
                   error)
         && CUDA_TRY (cudaStreamSynchronize (device->stream), error);
}
