// SPDX-License-Identifier: MIT
//
// Calibration times these: reading, writing and copying a working set repeatedly with 16-byte
// accesses, and launches that do nothing. All threads of a launch walk through the set together,
// and start over at its end, so that every pass brings other addresses to every multiprocessor.
// Data that is not in the L2 comes from DRAM; loads bypass the L1. Bytes moved: threads x
// iterations x 16 (copy: twice that).

#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"

#define CALIBRATE_UNROLL 4 /* accesses in flight for each thread */

typedef struct {
  float4 *to;
  const float4 *from;
  long long n;    /* 16-byte words of the working set */
  long long step; /* from one access of a thread to its next: threads of the launch, modulo n */
  long long iterations;
  float never; /* NaN: equals no sum, so that sums are needed but never written */
} CalibrateArguments;

static __device__ __forceinline__ long long
advance (long long at, long long step, long long n)
{
  at += step;
  return at >= n ? at - n : at;
}

/* A load that bypasses the L1. */
static __device__ __forceinline__ float4
load_l2 (const float4 *from)
{
#ifdef SEAM_CUDA_EMULATE
  return *from;
#else
  return __ldcg (from);
#endif
}

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) calibrate_read (const CalibrateArguments a)
{
  long long at = ((long long)blockIdx.x * blockDim.x + threadIdx.x) % a.n;
  float sum = 0;

  for (long long i = 0; i < a.iterations; i += CALIBRATE_UNROLL) {
    float4 x[CALIBRATE_UNROLL];
#pragma unroll
    for (int j = 0; j < CALIBRATE_UNROLL; j++) {
      x[j] = load_l2 (a.from + at);
      at = advance (at, a.step, a.n);
    }
#pragma unroll
    for (int j = 0; j < CALIBRATE_UNROLL; j++)
      sum += x[j].x + x[j].y + x[j].z + x[j].w;
  }
  if (sum == a.never)
    a.to[0] = make_float4 (sum, sum, sum, sum);
}

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) calibrate_write (const CalibrateArguments a)
{
  long long at = ((long long)blockIdx.x * blockDim.x + threadIdx.x) % a.n;

  for (long long i = 0; i < a.iterations; i++) {
    const float value = 0.5f + (float)(i & 1) * 0.25f;
    a.to[at] = make_float4 (value, value, value, value);
    at = advance (at, a.step, a.n);
  }
}

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) calibrate_copy (const CalibrateArguments a)
{
  long long at = ((long long)blockIdx.x * blockDim.x + threadIdx.x) % a.n;

  for (long long i = 0; i < a.iterations; i += CALIBRATE_UNROLL) {
    float4 x[CALIBRATE_UNROLL];
    long long first = at;
#pragma unroll
    for (int j = 0; j < CALIBRATE_UNROLL; j++) {
      x[j] = load_l2 (a.from + at);
      at = advance (at, a.step, a.n);
    }
#pragma unroll
    for (int j = 0; j < CALIBRATE_UNROLL; j++) {
      a.to[first] = x[j];
      first = advance (first, a.step, a.n);
    }
  }
}

extern "C" long long
seam_cuda_calibrate_bytes (const SeamCudaCalibrate *calibrate)
{
  const long long threads = calibrate->n_blocks * SEAM_CUDA_THREADS;
  const long long once = threads * 16 * CALIBRATE_UNROLL;

  return seam_cuda_divide_up (calibrate->least_bytes, once) * once;
}

extern "C" cudaError_t
seam_cuda_calibrate (SeamCudaMovement movement, const SeamCudaCalibrate *calibrate,
                     cudaStream_t stream)
{
  const long long threads = calibrate->n_blocks * SEAM_CUDA_THREADS;
  CalibrateArguments a = {};

  if (calibrate->bytes < 16 || calibrate->n_blocks < 1)
    return cudaErrorInvalidValue;
  a.to = reinterpret_cast<float4 *> (calibrate->to);
  a.from = reinterpret_cast<const float4 *> (calibrate->from);
  a.n = calibrate->bytes / 16;
  a.step = threads % a.n;
  a.iterations = seam_cuda_calibrate_bytes (calibrate) / (threads * 16);
  a.never = nanf ("");
  switch (movement) {
  case SEAM_CUDA_READ:
    return seam_launch (calibrate_read, calibrate->n_blocks, SEAM_CUDA_THREADS, a, stream);
  case SEAM_CUDA_WRITE:
    return seam_launch (calibrate_write, calibrate->n_blocks, SEAM_CUDA_THREADS, a, stream);
  default:
    return seam_launch (calibrate_copy, calibrate->n_blocks, SEAM_CUDA_THREADS, a, stream);
  }
}

typedef struct {
  unsigned int *words;
  long long n;
  int is_bf16;
} NoiseArguments;

/* One of Wellons' 32-bit mixers ("triple32"): every bit of the index reaches every bit. */
static __device__ __forceinline__ unsigned int
mix (unsigned int x)
{
  x ^= x >> 17;
  x *= 0xed5ad4bbu;
  x ^= x >> 11;
  x *= 0xac4c1b51u;
  x ^= x >> 15;
  x *= 0x31848babu;
  return x ^ (x >> 14);
}

/* Random signs and mantissas, magnitudes from 0.5 to 1. With equal numbers or zeros the GPU would
 * draw less power, and its clock would be higher than in real work. */
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) noise (const NoiseArguments a)
{
  const long long stride = (long long)gridDim.x * blockDim.x;

  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < a.n; i += stride) {
    const unsigned int bits = mix ((unsigned int)i + 1);
    a.words[i] = a.is_bf16 ? 0x3f003f00u | (bits & 0x807f807fu) : 0x3f000000u | (bits & 0x807fffffu);
  }
}

extern "C" cudaError_t
seam_cuda_noise (void *data, long long bytes, int is_bf16, long long n_blocks, cudaStream_t stream)
{
  const NoiseArguments a = { static_cast<unsigned int *> (data), bytes / 4, is_bf16 };
  return seam_launch (noise, n_blocks, SEAM_CUDA_THREADS, a, stream);
}

typedef struct {
  int unused;
} NothingArguments;

static __global__ void
nothing (const NothingArguments)
{
}

extern "C" cudaError_t
seam_cuda_nothing (cudaStream_t stream)
{
  const NothingArguments a = { 0 };
  return seam_launch (nothing, 1, 32, a, stream);
}
