/* SPDX-License-Identifier: MIT
 *
 * Library status codes as errors that a person can read and a bug report can use.
 */
#include "app/backend/cuda/cuda-check.h"

#include <string.h>

/* The file's name from the source root on, as Meson passes longer paths. */
static const char *
shorten (const char *file)
{
  const char *app = g_strrstr (file, "app/");
  return app != NULL ? app : file;
}

/* The most likely meaning of an error; empty if its name says enough. Hand-written kernels trap if
 * one of their waits does not end (SEAM_SPIN_LIMIT). */
static const char *
explain (cudaError_t status)
{
  return status == cudaErrorLaunchFailure
             ? " The GPU ended a kernel: it waited for something that never came, or it used "
               "memory "
               "that is not its own. Run again; if it happens again, choose another implementation "
               "for this group, such as “@generated”."
             : "";
}

gboolean
seam_cuda_check (cudaError_t status, const char *call, const char *file, int line, GError **error)
{
  if (status == cudaSuccess)
    return TRUE;
  /* An error in a launch's arguments stays set until it is read. A lost context stays in any
   * case. */
  cudaGetLastError ();
  return seam_fail (error,
                    status == cudaErrorMemoryAllocation ? SEAM_ERROR_MEMORY : SEAM_ERROR_DEVICE,
                    "CUDA: %s (%s) in %s at %s:%d.%s", cudaGetErrorString (status),
                    cudaGetErrorName (status), call, shorten (file), line, explain (status));
}

gboolean
seam_cudnn_check (cudnnStatus_t status, const char *call, const char *file, int line,
                  GError **error)
{
  char message[1024] = "";
  int code = SEAM_ERROR_DEVICE;

  if (status == CUDNN_STATUS_SUCCESS)
    return TRUE;
  cudnnGetLastErrorString (message, sizeof message);
  /* From 9.0 on, codes 3000 to 3999 are all kinds of "not supported". */
  if (status / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000)
    code = SEAM_ERROR_UNSUPPORTED;
  else if (status == CUDNN_STATUS_ALLOC_FAILED
           || status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED)
    code = SEAM_ERROR_MEMORY;
  return seam_fail (error, code, "cuDNN: %s%s%s in %s at %s:%d.", cudnnGetErrorString (status),
                    message[0] != '\0' ? ", " : "", message, call, shorten (file), line);
}

gboolean
seam_cublas_check (cublasStatus_t status, const char *call, const char *file, int line,
                   GError **error)
{
  if (status == CUBLAS_STATUS_SUCCESS)
    return TRUE;
  return seam_fail (error,
                    status == CUBLAS_STATUS_NOT_SUPPORTED  ? SEAM_ERROR_UNSUPPORTED
                    : status == CUBLAS_STATUS_ALLOC_FAILED ? SEAM_ERROR_MEMORY
                                                           : SEAM_ERROR_DEVICE,
                    "cuBLASLt: %s in %s at %s:%d.", cublasLtGetStatusString (status), call,
                    shorten (file), line);
}

gboolean
seam_nvrtc_check (nvrtcResult status, const char *call, const char *file, int line, GError **error)
{
  if (status == NVRTC_SUCCESS)
    return TRUE;
  return seam_fail (
      error, status == NVRTC_ERROR_COMPILATION ? SEAM_ERROR_UNSUPPORTED : SEAM_ERROR_DEVICE,
      "NVRTC: %s in %s at %s:%d.", nvrtcGetErrorString (status), call, shorten (file), line);
}
