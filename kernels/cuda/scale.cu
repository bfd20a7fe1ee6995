// SPDX-License-Identifier: MIT
//
// Operands of math mode tf32x: multiplies each row of FP32 numbers by a power of two that brings
// its largest number to FP16's upper end (kernels/operand.h says which, and what it costs), and
// rounds it to FP16. A row is read once if its threads can hold it in registers, so the copy moves
// 6 bytes a number and takes as long as one without scales. All threads of a row load, then meet,
// then store, so many warps are needed to hide the wait: eight accesses a thread with half as many
// threads a row are slower, and so are 1,024 threads for a row of 8192.
//
// A convolution rounds its own operands and needs only the powers of two. Looking at every number
// of x would take as long as the convolution's own reading, so that of a sample is guessed from
// lines of 128 bytes that are spread over it, and found exactly only if the guess was wrong.

#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/stored.cuh"

#define SCALE_LOADS 4 /* 16-byte accesses a thread */

static __device__ __forceinline__ unsigned int
larger (unsigned int a, unsigned int b)
{
  return a > b ? a : b;
}

static __device__ __forceinline__ unsigned int
find_larger (float4 x, unsigned int largest)
{
  largest = larger (largest, seam_operand_get_size (x.x));
  largest = larger (largest, seam_operand_get_size (x.y));
  largest = larger (largest, seam_operand_get_size (x.z));
  return larger (largest, seam_operand_get_size (x.w));
}

static __device__ __forceinline__ uint2
pack_scaled (float4 x, float scale)
{
  return make_uint2 (seam_pack_pair<SEAM_OPERAND_FP16> (x.x * scale, x.y * scale),
                     seam_pack_pair<SEAM_OPERAND_FP16> (x.z * scale, x.w * scale));
}

/* THREADS threads of a block of BLOCK take a row of either matrix, 4 neighbouring numbers each at a
 * time. The part of a longer row that does not fit in their registers is read again. */
template <int BLOCK, int THREADS>
static __global__ void
__launch_bounds__ (BLOCK) scale_rows (const SeamCudaScaling a)
{
  constexpr int n_warps = THREADS / 32;
  __shared__ unsigned int of_warps[BLOCK / 32];
  const int place = (int)threadIdx.x / THREADS, first = (int)threadIdx.x % THREADS;
  const long long at_row = (long long)blockIdx.x * (BLOCK / THREADS) + place;
  const int which = at_row >= a.rows[0];
  const long long row = which ? at_row - a.rows[0] : at_row;
  const long long n = row < (which ? a.rows[1] : a.rows[0]) ? a.columns / 4 : 0;
  const float4 *const from =
      reinterpret_cast<const float4 *> (which ? a.from[1] : a.from[0]) + row * (a.columns / 4);
  uint2 *const to = reinterpret_cast<uint2 *> (which ? a.to[1] : a.to[0]) + row * (a.columns / 4);
  float4 kept[SCALE_LOADS];
  unsigned int largest = 0;

#pragma unroll
  for (int j = 0; j < SCALE_LOADS; j++)
    kept[j] = first + j * THREADS < n ? from[first + j * THREADS] : make_float4 (0, 0, 0, 0);
#pragma unroll
  for (int j = 0; j < SCALE_LOADS; j++)
    largest = find_larger (kept[j], largest);
  for (long long at = first + SCALE_LOADS * THREADS; at < n; at += THREADS)
    largest = find_larger (from[at], largest);
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    largest = larger (largest, __shfl_xor_sync (0xffffffffu, largest, offset));
  if (threadIdx.x % 32 == 0)
    of_warps[threadIdx.x / 32] = largest;
  __syncthreads ();
#pragma unroll
  for (int warp = 0; warp < n_warps; warp++)
    largest = larger (largest, of_warps[place * n_warps + warp]);

  const float scale = seam_operand_get_scale (largest);
#pragma unroll
  for (int j = 0; j < SCALE_LOADS; j++)
    if (first + j * THREADS < n)
      to[first + j * THREADS] = pack_scaled (kept[j], scale);
  for (long long at = first + SCALE_LOADS * THREADS; at < n; at += THREADS)
    to[at] = pack_scaled (from[at], scale);
  if (first == 0 && n > 0)
    (which ? a.inverses[1] : a.inverses[0])[row] = seam_operand_invert_scale (scale);
}

template <int BLOCK, int THREADS>
static cudaError_t
launch (const SeamCudaScaling &a, cudaStream_t stream)
{
  return seam_launch (scale_rows<BLOCK, THREADS>,
                      seam_cuda_divide_up (a.rows[0] + a.rows[1], BLOCK / THREADS), BLOCK, a,
                      stream);
}

#define GUESS_THREADS 1024 /* so that all loads of a sample are under way at once */
#define GUESS_LINES   (SEAM_CUDA_GUESS_ELEMENTS / 32)

/* First element of line `i`: somewhere in the i-th part of the sample, so that lines do not follow
 * its rows. */
static __device__ __forceinline__ long long
find_line (int i, long long n)
{
  const long long part = n / GUESS_LINES;
  return i * part + (long long)((unsigned int)i * 2654435761u >> 8) % (part - 31);
}

/* One block for each sample, then for each filter. */
static __global__ void
__launch_bounds__ (GUESS_THREADS) guess_scales (const SeamCudaGuess a)
{
  __shared__ unsigned int of_warps[GUESS_THREADS / 32];
  const bool is_sample = blockIdx.x < a.samples;
  const long long row = is_sample ? blockIdx.x : blockIdx.x - a.samples;
  const long long n = is_sample ? a.sample_elements : a.filter_elements;
  const float *const from = (is_sample ? a.x : a.weight) + row * n;
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  const bool guesses = is_sample && !a.again && n > SEAM_CUDA_GUESS_ELEMENTS;
  unsigned int largest = 0;

  if (a.again && *a.exceeded == 0)
    return;
  if (guesses) {
#pragma unroll 8
    for (int i = warp; i < GUESS_LINES; i += GUESS_THREADS / 32)
      largest = larger (largest, seam_operand_get_size (from[find_line (i, n) + lane]));
  } else {
#pragma unroll 4
    for (long long i = threadIdx.x; i < n; i += GUESS_THREADS)
      largest = larger (largest, seam_operand_get_size (from[i]));
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    largest = larger (largest, __shfl_xor_sync (0xffffffffu, largest, offset));
  if (lane == 0)
    of_warps[warp] = largest;
  __syncthreads ();
  if (threadIdx.x != 0)
    return;
  for (int i = 0; i < GUESS_THREADS / 32; i++)
    largest = larger (largest, of_warps[i]);
  a.scales[blockIdx.x] =
      seam_operand_get_scale (largest) * (guesses ? 1.0f / (1 << SEAM_CUDA_GUESS_ROOM) : 1.0f);
  if (blockIdx.x == 0 && !a.again)
    *a.exceeded = 0;
}

extern "C" cudaError_t
seam_cuda_guess_scales (const SeamCudaGuess *a, cudaStream_t stream)
{
  return seam_launch (guess_scales, a->samples + a->filters, GUESS_THREADS, *a, stream);
}

/* Uses as few threads as can hold a row, but at least two warps. */
extern "C" cudaError_t
seam_cuda_scale (const SeamCudaScaling *a, cudaStream_t stream)
{
  if (a->columns % 4 != 0)
    return cudaErrorInvalidValue;
  if (a->columns <= SCALE_LOADS * 4 * 64)
    return launch<256, 64> (*a, stream);
  if (a->columns <= SCALE_LOADS * 4 * 256)
    return launch<256, 256> (*a, stream);
  return launch<512, 512> (*a, stream);
}
