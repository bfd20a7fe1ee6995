/* SPDX-License-Identifier: MIT
 *
 * The parts of CUDA's runtime, driver and cuBLASLt that the CUDA backend uses, on the CPU: slow and
 * as strict as possible. The emulated module links them instead of the libraries (meson.build), so
 * that the backend's own logic is tested where there is no GPU. Memory starts as NaN. See also
 * fake-cudnn.c, fake-cupti.c, fake-graph.c and fake-nvrtc.c.
 */
#include "kernels/cuda/geometry.h"
#include "kernels/cuda/nests.h"
#include "tests/gpu/emulate-tensor-map.h"
#include "tests/gpu/fake-graph.h"

#include <cublasLt.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include "kernels/operand.h"

#include <assert.h>
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- CUDA runtime; streams and graphs are in fake-graph.c --- */

void *fake_dlopen (const char *name, int flags);

/* The backend's files call this for dlopen(). There is always a driver, which the backend looks
 * for first; this library also serves as CUPTI. */
void *
fake_dlopen (const char *name, int flags)
{
  Dl_info info;

  if (strstr (name, "libcupti") != NULL && dladdr ((void *)fake_dlopen, &info) != 0)
    name = info.dli_fname;
  else if (strstr (name, "libcuda.so") != NULL)
    name = NULL;
  return dlopen (name, flags);
}

#define HOPPER_SHARED 232448 /* bytes a block */

/* Whether the emulated GPU has the shared memory that hand-written kernels ask for, which it has
 * only if a test wants them. */
static bool
fake_has_hand_kernels (void)
{
  return getenv ("SEAMSCOPE_EMULATE_HAND") != NULL;
}

cudaError_t
cudaGetDeviceCount (int *count)
{
  *count = 1;
  return cudaSuccess;
}

cudaError_t
cudaDriverGetVersion (int *version)
{
  *version = 13000;
  return cudaSuccess;
}

cudaError_t
cudaRuntimeGetVersion (int *version)
{
  *version = 13000;
  return cudaSuccess;
}

cudaError_t
cudaGetDeviceProperties (struct cudaDeviceProp *p, int device)
{
  (void)device;
  memset (p, 0, sizeof *p);
  strcpy (p->name, "Emulated GPU");
  p->major = 9;
  p->multiProcessorCount = fake_has_hand_kernels () ? 4 : 1;
  p->totalGlobalMem = (size_t)1 << 30;
  p->l2CacheSize = 1 << 16;
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetAttribute (int *value, enum cudaDeviceAttr attribute, int device)
{
  (void)device;
  *value = attribute == cudaDevAttrComputeCapabilityMajor   ? 9
           : attribute == cudaDevAttrComputeCapabilityMinor ? 0
           : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin && fake_has_hand_kernels ()
               ? HOPPER_SHARED
               : 1000;
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetPCIBusId (char *id, int length, int device)
{
  (void)device;
  snprintf (id, (size_t)length, "0000:00:00.0");
  return cudaSuccess;
}

cudaError_t
cudaMemGetInfo (size_t *available, size_t *total)
{
  *total = (size_t)1 << 30;
  *available = (size_t)1 << 29;
  return cudaSuccess;
}

cudaError_t
cudaMalloc (void **data, size_t bytes)
{
  if (!fake_may_wait ())
    return cudaErrorStreamCaptureUnsupported;
  if (bytes > (size_t)4 << 30)
    return cudaErrorMemoryAllocation;
  *data = aligned_alloc (256, (bytes + 255) / 256 * 256);
  memset (*data, 0xff, bytes); /* NaN */
  return cudaSuccess;
}

cudaError_t
cudaFree (void *data)
{
  free (data);
  return cudaSuccess;
}

cudaError_t
cudaHostAlloc (void **data, size_t bytes, unsigned int flags)
{
  (void)flags;
  *data = malloc (bytes);
  return cudaSuccess;
}

cudaError_t
cudaFreeHost (void *data)
{
  free (data);
  return cudaSuccess;
}

cudaError_t
cudaMemcpyAsync (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                 cudaStream_t stream)
{
  (void)kind;
  (void)stream;
  if (!fake_may_wait ())
    return cudaErrorStreamCaptureUnsupported;
  memcpy (to, from, bytes);
  return cudaSuccess;
}

typedef struct {
  void *data;
  int value;
  size_t bytes;
} FakeMemset;

static cudaError_t
set_memory (void *data)
{
  const FakeMemset *m = data;

  memset (m->data, m->value, m->bytes);
  return cudaSuccess;
}

cudaError_t
cudaMemsetAsync (void *data, int value, size_t bytes, cudaStream_t stream)
{
  const FakeMemset m = { data, value, bytes };

  (void)stream;
  return fake_launch (set_memory, &m, sizeof m, "memset");
}

#define DONE(name, parameters)                                                                     \
  cudaError_t name parameters                                                                      \
  {                                                                                                \
    return cudaSuccess;                                                                            \
  }

#pragma GCC diagnostic ignored "-Wunused-parameter"
DONE (cudaSetDevice, (int device))
DONE (cudaGetLastError, (void))
DONE (cudaStreamDestroy, (cudaStream_t stream))
DONE (cudaEventDestroy, (cudaEvent_t event))
DONE (cudaEventRecord, (cudaEvent_t event, cudaStream_t stream))
DONE (cudaEventSynchronize, (cudaEvent_t event))

cudaError_t
cudaStreamSynchronize (cudaStream_t stream)
{
  return fake_may_wait () ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

cudaError_t
cudaStreamCreateWithFlags (cudaStream_t *stream, unsigned int flags)
{
  *stream = (cudaStream_t)1;
  return cudaSuccess;
}

cudaError_t
cudaEventCreate (cudaEvent_t *event)
{
  *event = (cudaEvent_t)1;
  return cudaSuccess;
}

cudaError_t
cudaEventElapsedTime (float *ms, cudaEvent_t start, cudaEvent_t end)
{
  static unsigned int calls;
  /* Times vary, so that either of two candidates is chosen now and then. */
  *ms = 0.01f + 0.001f * (float)(calls++ * 7919 % 13);
  return cudaSuccess;
}

const char *
cudaGetErrorString (cudaError_t error)
{
  return error == cudaErrorMemoryAllocation ? "out of memory" : "emulated error";
}

const char *
cudaGetErrorName (cudaError_t error)
{
  return "cudaErrorEmulated";
}

/* --- Kernels; code is the path of a shared object (fake-nvrtc.c) --- */

cudaError_t
cudaLibraryLoadData (cudaLibrary_t *library, const void *code, enum cudaJitOption *options,
                     void **values, unsigned int n, enum cudaLibraryOption *library_options,
                     void **library_values, unsigned int n_library)
{
  *library = (cudaLibrary_t)dlopen (code, RTLD_NOW | RTLD_LOCAL);
  if (*library == NULL)
    fprintf (stderr, "%s\n", dlerror ());
  return *library != NULL ? cudaSuccess : cudaErrorInvalidSource;
}

cudaError_t
cudaLibraryUnload (cudaLibrary_t library)
{
  dlclose (library);
  return cudaSuccess;
}

typedef struct {
  void *kernel;
  int (*call) (void *kernel, long long blocks, unsigned int threads, const void *a);
  const unsigned int *bytes; /* of a generated kernel's argument */
} FakeKernel;

cudaError_t
cudaLibraryGetKernel (cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
  static FakeKernel kernels[4096];
  static int n;
  FakeKernel *k = &kernels[n++ % 4096];
  k->kernel = dlsym ((void *)library, name);
  k->call = dlsym ((void *)library, "emulate_kernel");
  k->bytes = dlsym ((void *)library, "emulate_bytes");
  *kernel = (cudaKernel_t)k;
  return k->kernel != NULL && k->call != NULL ? cudaSuccess : cudaErrorSymbolNotFound;
}

typedef struct {
  FakeKernel kernel;
  unsigned int blocks, threads;
  union {
    SeamCudaArguments group;
    SeamNestArguments nest;
  } arguments;
} FakeCall;

static cudaError_t
call_kernel (void *data)
{
  FakeCall *c = data;

  return (cudaError_t)c->kernel.call (c->kernel.kernel, c->blocks, c->threads, &c->arguments);
}

cudaError_t
cudaLaunchKernel (const void *function, dim3 grid, dim3 block, void **parameters, size_t shared,
                  cudaStream_t stream)
{
  FakeCall c = { *(const FakeKernel *)function, grid.x, block.x };
  Dl_info info = { 0 };

  memcpy (&c.arguments, parameters[0], *c.kernel.bytes);
  if (dladdr (c.kernel.kernel, &info) == 0 || info.dli_sname == NULL)
    info.dli_sname = "generated";
  return fake_launch (call_kernel, &c, sizeof c, info.dli_sname);
}

/* Hand-written kernels. Their arguments live as long as the launch. */
typedef struct {
  FakeKernel kernel;
  dim3 grid;
  unsigned int threads, cluster;
  bool cooperative;
  const void *arguments;
} FakeHandCall;

static cudaError_t
call_hand_kernel (void *data)
{
  const FakeHandCall *c = data;
  int (*call) (void *, dim3, unsigned int, unsigned int, bool, const void *) =
      (int (*) (void *, dim3, unsigned int, unsigned int, bool, const void *))c->kernel.call;

  return (cudaError_t)call (c->kernel.kernel, c->grid, c->threads, c->cluster, c->cooperative,
                            c->arguments);
}

cudaError_t
cudaLaunchKernelExC (const cudaLaunchConfig_t *config, const void *function, void **parameters)
{
  FakeHandCall c = { .kernel = *(const FakeKernel *)function,
                     .grid = config->gridDim,
                     .threads = config->blockDim.x,
                     .cluster = 1,
                     .arguments = parameters[0] };
  Dl_info info = { 0 };

  if (config->dynamicSmemBytes > HOPPER_SHARED)
    return cudaErrorInvalidValue;
  for (unsigned int i = 0; i < config->numAttrs; i++) {
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      c.cluster = config->attrs[i].val.clusterDim.x;
    else if (config->attrs[i].id == cudaLaunchAttributeCooperative)
      c.cooperative = config->attrs[i].val.cooperative != 0;
  }
  if (dladdr (c.kernel.kernel, &info) == 0 || info.dli_sname == NULL)
    info.dli_sname = "hand";
  return fake_launch (call_hand_kernel, &c, sizeof c, info.dli_sname);
}

cudaError_t
cudaKernelSetAttributeForDevice (cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
                                 int device)
{
  (void)kernel;
  (void)device;
  return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && value <= HOPPER_SHARED
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

/* --- The driver --- */

static CUresult
encode_tiled (CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *data,
              const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
              const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
              CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
  EmulateTensorMap m = {
    .data = data,
    .magic = EMULATE_TENSOR_MAP,
    .rank = (uint8_t)rank,
    .element_bytes =
        type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 || type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 ? 2 : 4,
    .swizzle = swizzle == CU_TENSOR_MAP_SWIZZLE_128B,
    .round = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  };

  if (rank < 1 || rank > 5 || (uintptr_t)data % 16 != 0
      || (m.swizzle && box[0] * m.element_bytes > 128))
    return CUDA_ERROR_INVALID_VALUE;
  for (cuuint32_t i = 0; i < rank; i++) {
    if (box[i] < 1 || box[i] > 256 || steps[i] != 1 || sizes[i] < 1 || sizes[i] > UINT32_MAX
        || (i + 1 < rank && strides[i] % 16 != 0))
      return CUDA_ERROR_INVALID_VALUE;
    m.sizes[i] = (uint32_t)sizes[i];
    m.box[i] = (uint16_t)box[i];
    if (i + 1 < rank)
      m.strides[i] = (int64_t)strides[i];
  }
  memcpy (map, &m, sizeof m);
  return CUDA_SUCCESS;
}

cudaError_t
cudaGetDriverEntryPointByVersion (const char *name, void **function, unsigned int version,
                                  unsigned long long flags,
                                  enum cudaDriverEntryPointQueryResult *found)
{
  (void)version;
  (void)flags;
  *function = fake_has_hand_kernels () && strcmp (name, "cuTensorMapEncodeTiled") == 0
                  ? (void *)encode_tiled
                  : NULL;
  *found = *function != NULL ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

/* --- cuBLASLt --- */

typedef struct {
  cublasOperation_t transa;
  cublasLtEpilogue_t epilogue;
  const float *bias;
} FakeMatmul;

typedef struct {
  uint64_t rows, columns;
  int64_t pitch;
  cudaDataType type;
} FakeLayout;

static float
get_element (const FakeLayout *layout, const void *data, uint64_t at)
{
  if (layout->type == CUDA_R_32F)
    return ((const float *)data)[at];
  return seam_operand_unpack (layout->type == CUDA_R_16F ? SEAM_OPERAND_FP16 : SEAM_OPERAND_BF16,
                              ((const uint16_t *)data)[at]);
}

static void
set_element (const FakeLayout *layout, void *data, uint64_t at, float value)
{
  if (layout->type == CUDA_R_32F)
    ((float *)data)[at] = value;
  else
    ((uint16_t *)data)[at] = seam_operand_pack (
        layout->type == CUDA_R_16F ? SEAM_OPERAND_FP16 : SEAM_OPERAND_BF16, value);
}

cublasStatus_t
cublasLtCreate (cublasLtHandle_t *handle)
{
  *handle = (cublasLtHandle_t)1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtDestroy (cublasLtHandle_t handle)
{
  return CUBLAS_STATUS_SUCCESS;
}

size_t
cublasLtGetVersion (void)
{
  return 130100;
}

const char *
cublasLtGetStatusString (cublasStatus_t status)
{
  return "emulated cuBLASLt error";
}

cublasStatus_t
cublasLtMatmulDescCreate (cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
                          cudaDataType_t scale)
{
  FakeMatmul *m = calloc (1, sizeof *m);
  assert (scale == CUDA_R_32F);
  m->transa = CUBLAS_OP_N;
  m->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  *desc = (cublasLtMatmulDesc_t)m;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulDescDestroy (cublasLtMatmulDesc_t desc)
{
  free (desc);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulDescSetAttribute (cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute,
                                const void *value, size_t size)
{
  FakeMatmul *m = (FakeMatmul *)desc;
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_TRANSA:
    assert (size == sizeof m->transa);
    memcpy (&m->transa, value, size);
    break;
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    assert (size == sizeof m->epilogue);
    memcpy (&m->epilogue, value, size);
    break;
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    assert (size == sizeof m->bias);
    memcpy (&m->bias, value, size);
    break;
  default:
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatrixLayoutCreate (cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows,
                            uint64_t columns, int64_t pitch)
{
  FakeLayout *l = calloc (1, sizeof *l);
  assert (type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF);
  *l = (FakeLayout){ rows, columns, pitch, type };
  *layout = (cublasLtMatrixLayout_t)l;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatrixLayoutDestroy (cublasLtMatrixLayout_t layout)
{
  free (layout);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceCreate (cublasLtMatmulPreference_t *preference)
{
  *preference = malloc (1);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceDestroy (cublasLtMatmulPreference_t preference)
{
  free (preference);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceSetAttribute (cublasLtMatmulPreference_t preference,
                                      cublasLtMatmulPreferenceAttributes_t attribute,
                                      const void *value, size_t size)
{
  return size == sizeof (size_t) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t
cublasLtMatmulAlgoGetHeuristic (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                cublasLtMatmulPreference_t preference, int n,
                                cublasLtMatmulHeuristicResult_t results[], int *n_results)
{
  *n_results = 2;
  for (int i = 0; i < *n_results; i++)
    results[i].algo.data[0] = (uint64_t)i;
  return CUBLAS_STATUS_SUCCESS;
}

typedef struct {
  const FakeMatmul *m;
  const FakeLayout *la, *lb, *ld;
  const void *a_data, *b_data;
  void *d;
  bool is_wrong;
} FakeProduct;

static cudaError_t
multiply (void *data)
{
  const FakeProduct *p = data;

  for (uint64_t j = 0; j < p->ld->columns; j++) {
    for (uint64_t i = 0; i < p->ld->rows; i++) {
      float sum = 0;
      for (uint64_t k = 0; k < p->la->rows; k++)
        sum += get_element (p->la, p->a_data, k + i * (uint64_t)p->la->pitch)
               * get_element (p->lb, p->b_data, k + j * (uint64_t)p->lb->pitch);
      if (p->m->epilogue & CUBLASLT_EPILOGUE_BIAS)
        sum += p->m->bias[i];
      if ((p->m->epilogue & CUBLASLT_EPILOGUE_RELU) && sum < 0)
        sum = 0;
      if (p->is_wrong)
        sum += 0.5f;
      set_element (p->ld, p->d, i + j * (uint64_t)p->ld->pitch, sum);
    }
  }
  return cudaSuccess;
}

cublasStatus_t
cublasLtMatmul (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                const void *a_data, cublasLtMatrixLayout_t a_layout, const void *b_data,
                cublasLtMatrixLayout_t b_layout, const void *beta, const void *c_data,
                cublasLtMatrixLayout_t c_layout, void *d_data, cublasLtMatrixLayout_t d_layout,
                const cublasLtMatmulAlgo_t *algo, void *workspace, size_t workspace_bytes,
                cudaStream_t stream)
{
  const FakeMatmul *m = (const FakeMatmul *)desc;
  const FakeLayout *la = (const FakeLayout *)a_layout, *lb = (const FakeLayout *)b_layout;
  const FakeLayout *ld = (const FakeLayout *)d_layout;
  /* The environment can make algorithms wrong: "0", "1", "01". */
  const char *wrong = getenv ("SEAMSCOPE_EMULATE_WRONG_ALGORITHMS");
  const FakeProduct p = {
    m,      la,     lb,     ld,
    a_data, b_data, d_data, wrong != NULL && strchr (wrong, '0' + (int)algo->data[0]) != NULL
  };

  /* A bias must have the output's type, and ours is FP32. */
  assert (la->type == lb->type
          && (ld->type == CUDA_R_32F
              || (ld->type == la->type && !(m->epilogue & CUBLASLT_EPILOGUE_BIAS))));
  assert (m->transa == CUBLAS_OP_T && la->rows == lb->rows && ld->rows == la->columns
          && ld->columns == lb->columns && workspace != NULL);
  /* A library that waits inside its call breaks a capture in this way. */
  if (getenv ("SEAMSCOPE_EMULATE_WAITING") != NULL && cudaStreamSynchronize (stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return fake_launch (multiply, &p, sizeof p, "emulated_matmul") == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}
