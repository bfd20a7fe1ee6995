/* SPDX-License-Identifier: MIT
 *
 * Every call of a CUDA library goes through one of these macros: TRUE if it succeeded, else FALSE
 * with an error that has the call's text, file and line, and the library's own message.
 */
#pragma once

#include "app/base/error.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <nvrtc.h>

#define CUDA_TRY(call, error)   seam_cuda_check ((call), #call, __FILE__, __LINE__, error)
#define CUDNN_TRY(call, error)  seam_cudnn_check ((call), #call, __FILE__, __LINE__, error)
#define CUBLAS_TRY(call, error) seam_cublas_check ((call), #call, __FILE__, __LINE__, error)
#define NVRTC_TRY(call, error)  seam_nvrtc_check ((call), #call, __FILE__, __LINE__, error)

/* SEAM_ERROR_MEMORY if memory ran out, SEAM_ERROR_DEVICE for everything else. */
gboolean seam_cuda_check (cudaError_t status, const char *call, const char *file, int line,
                          GError **error);
/* SEAM_ERROR_UNSUPPORTED if cuDNN says "not supported", which is an answer, not a failure. */
gboolean seam_cudnn_check (cudnnStatus_t status, const char *call, const char *file, int line,
                           GError **error);
gboolean seam_cublas_check (cublasStatus_t status, const char *call, const char *file, int line,
                            GError **error);
gboolean seam_nvrtc_check (nvrtcResult status, const char *call, const char *file, int line,
                           GError **error);
