/* SPDX-License-Identifier: MIT
 *
 * Launches a precompiled kernel: one argument block, no dynamic shared memory; returns the error of
 * the launch.
 */
#pragma once

#include "kernels/cuda/geometry.h"

#include <cuda_runtime.h>

#ifndef SEAM_CUDA_EMULATE /* tests/gpu/emulate.h has another definition, for the CPU */
template <typename Kernel, typename Arguments>
static cudaError_t
seam_launch (Kernel kernel, long long blocks, unsigned int threads, const Arguments &arguments,
             cudaStream_t stream)
{
  if (blocks <= 0 || blocks > SEAM_CUDA_MAX_BLOCKS)
    return cudaErrorInvalidConfiguration;
  void *parameters[] = { const_cast<Arguments *> (&arguments) };
  const cudaError_t error =
      cudaLaunchKernel (reinterpret_cast<const void *> (kernel), dim3 ((unsigned int)blocks),
                        dim3 (threads), parameters, 0, stream);
  return error != cudaSuccess ? error : cudaGetLastError ();
}
#endif
