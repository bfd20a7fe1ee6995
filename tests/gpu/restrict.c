/* SPDX-License-Identifier: MIT
 *
 * A part of a GPU, as a service may give it to a program. Preloaded into seamscope-cli
 * (LD_PRELOAD), it makes a green context with SEAM_RESTRICT_SMS multiprocessors (or the next number
 * that the driver can give) and puts it in the place of the primary context whenever the program
 * chooses its GPU. Nothing of the program knows of it.
 *
 *   gcc -shared -fPIC -I/usr/local/cuda/include -o restrict.so tests/gpu/restrict.c -ldl
 */
#define _GNU_SOURCE
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *
find (const char *library, const char *name)
{
  void *handle = dlopen (library, RTLD_LAZY);
  void *function = handle != NULL ? dlsym (handle, name) : NULL;

  if (function == NULL) {
    fprintf (stderr, "restrict: no %s in %s\n", name, library);
    exit (1);
  }
  return function;
}

#define DRIVER(name) __typeof__ (&name) p_##name = find ("libcuda.so.1", #name)

static void
check (CUresult result, const char *what)
{
  if (result != CUDA_SUCCESS) {
    fprintf (stderr, "restrict: %s gives error %d\n", what, (int)result);
    exit (1);
  }
}

static CUcontext
make_context (int ordinal)
{
  DRIVER (cuDeviceGet);
  DRIVER (cuDeviceGetDevResource);
  DRIVER (cuDevSmResourceSplitByCount);
  DRIVER (cuDevResourceGenerateDesc);
  DRIVER (cuGreenCtxCreate);
  DRIVER (cuCtxFromGreenCtx);
  const char *wanted = getenv ("SEAM_RESTRICT_SMS");
  CUdevResource all, part, rest;
  CUdevResourceDesc description;
  CUgreenCtx green;
  CUcontext context;
  CUdevice device;
  unsigned int n = 1;

  check (p_cuDeviceGet (&device, ordinal), "cuDeviceGet");
  check (p_cuDeviceGetDevResource (device, &all, CU_DEV_RESOURCE_TYPE_SM),
         "cuDeviceGetDevResource");
  check (p_cuDevSmResourceSplitByCount (&part, &n, &all, &rest, 0,
                                        wanted != NULL ? (unsigned int)atoi (wanted) : 32),
         "cuDevSmResourceSplitByCount");
  check (p_cuDevResourceGenerateDesc (&description, &part, 1), "cuDevResourceGenerateDesc");
  check (p_cuGreenCtxCreate (&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM),
         "cuGreenCtxCreate");
  check (p_cuCtxFromGreenCtx (&context, green), "cuCtxFromGreenCtx");
  fprintf (stderr, "restrict: %u of %u multiprocessors\n", part.sm.smCount, all.sm.smCount);
  return context;
}

cudaError_t
cudaSetDevice (int ordinal)
{
  static CUcontext context;
  cudaError_t (*set_device) (int) = find ("libcudart.so.13", "cudaSetDevice");
  DRIVER (cuCtxSetCurrent);
  const cudaError_t error = set_device (ordinal);

  if (error != cudaSuccess)
    return error;
  if (context == NULL)
    context = make_context (ordinal);
  check (p_cuCtxSetCurrent (context), "cuCtxSetCurrent");
  return cudaSuccess;
}
