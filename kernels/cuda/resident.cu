/* SPDX-License-Identifier: MIT
 *
 * Asks the driver how many blocks of a kernel a multiprocessor can hold at once, for kernels whose
 * blocks wait for each other. The device properties are not enough: a debugger, a profiler or
 * another partition of the GPU may have taken shared memory that the device properties still list.
 */
#include "kernels/cuda/kernels.h"

#ifndef SEAM_CUDA_EMULATE
/* A stand-in of the same size. Registers never limit it: a kernel of t threads is compiled for
 * 65536 / t of them. */
static __global__ void
stand_in ()
{
}
#endif

extern "C" cudaError_t
seam_cuda_count_resident (int threads, int shared_bytes, int *n_blocks)
{
#ifdef SEAM_CUDA_EMULATE
  (void)threads;
  (void)shared_bytes;
  *n_blocks = 1;
  return cudaSuccess;
#else
  const void *kernel = reinterpret_cast<const void *> (stand_in);
  const cudaError_t error =
      cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  if (error != cudaSuccess)
    return error;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor (n_blocks, kernel, threads,
                                                        (size_t)shared_bytes);
#endif
}
