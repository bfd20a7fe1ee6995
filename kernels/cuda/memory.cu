// SPDX-License-Identifier: MIT
//
// Fill, copy, changes of layout and of type: kernels that only move numbers. The copy is the
// yardstick of every memory-bound kernel here; the changes surround library calls that need
// channels last or 16-bit operands, and every figure counts them as copies.

#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/stored.cuh"

#define MOVE_LOADS 1 /* 16-byte accesses a thread: see geometry.h */

typedef struct {
  float *to;
  const float *from;
  long long n;
  float value;
} MoveArguments;

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) fill (const MoveArguments a)
{
  const long long n = a.n / 4,
                  first = (long long)blockIdx.x * (blockDim.x * MOVE_LOADS) + threadIdx.x;
  float4 *to = reinterpret_cast<float4 *> (a.to);

#pragma unroll
  for (int j = 0; j < MOVE_LOADS; j++) {
    const long long at = first + j * blockDim.x;
    if (at < n)
      to[at] = make_float4 (a.value, a.value, a.value, a.value);
  }
  if (blockIdx.x == 0 && threadIdx.x < a.n - n * 4)
    a.to[n * 4 + threadIdx.x] = a.value;
}

static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) copy (const MoveArguments a)
{
  const long long n = a.n / 4,
                  first = (long long)blockIdx.x * (blockDim.x * MOVE_LOADS) + threadIdx.x;
  const float4 *from = reinterpret_cast<const float4 *> (a.from);
  float4 *to = reinterpret_cast<float4 *> (a.to);
  float4 x[MOVE_LOADS];

#pragma unroll
  for (int j = 0; j < MOVE_LOADS; j++) {
    const long long at = first + j * blockDim.x;
    if (at < n)
      x[j] = from[at];
  }
#pragma unroll
  for (int j = 0; j < MOVE_LOADS; j++) {
    const long long at = first + j * blockDim.x;
    if (at < n)
      to[at] = x[j];
  }
  if (blockIdx.x == 0 && threadIdx.x < a.n - n * 4)
    a.to[n * 4 + threadIdx.x] = a.from[n * 4 + threadIdx.x];
}

static long long
move_blocks (long long n)
{
  const long long blocks = seam_cuda_divide_up (n / 4, SEAM_CUDA_THREADS * MOVE_LOADS);
  return blocks > 0 ? blocks : 1;
}

extern "C" cudaError_t
seam_cuda_fill (float *data, long long n, float value, cudaStream_t stream)
{
  const MoveArguments a = { data, nullptr, n, value };
  return seam_launch (fill, move_blocks (n), SEAM_CUDA_THREADS, a, stream);
}

extern "C" cudaError_t
seam_cuda_copy (float *to, const float *from, long long n, cudaStream_t stream)
{
  const MoveArguments a = { to, from, n, 0.0f };
  return seam_launch (copy, move_blocks (n), SEAM_CUDA_THREADS, a, stream);
}

template <SeamOperandType TYPE>
static __device__ __forceinline__ typename SeamElement<TYPE>::Stored4
store_4_as (float x, float y, float z, float w)
{
  typename SeamElement<TYPE>::Stored4 packed;
  packed.x = seam_store_as<TYPE> (x);
  packed.y = seam_store_as<TYPE> (y);
  packed.z = seam_store_as<TYPE> (z);
  packed.w = seam_store_as<TYPE> (w);
  return packed;
}

template <SeamOperandType TYPE>
static __device__ __forceinline__ float4
load_4_as (typename SeamElement<TYPE>::Stored4 x)
{
  return make_float4 (seam_load_as<TYPE> (x.x), seam_load_as<TYPE> (x.y), seam_load_as<TYPE> (x.z),
                      seam_load_as<TYPE> (x.w));
}

typedef struct {
  void *to;
  const void *from;
  long long n;
} ConvertArguments;

/* Four numbers a thread: 16 bytes on the FP32 side, 8 bytes on the other. */
template <SeamOperandType FROM, SeamOperandType TO>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) convert (const ConvertArguments a)
{
  typedef typename SeamElement<FROM>::Stored From;
  typedef typename SeamElement<TO>::Stored To;
  const long long n = a.n / 4, at = (long long)blockIdx.x * blockDim.x + threadIdx.x;

  if (at < n) {
    const float4 x = load_4_as<FROM> (
        reinterpret_cast<const typename SeamElement<FROM>::Stored4 *> (a.from)[at]);
    reinterpret_cast<typename SeamElement<TO>::Stored4 *> (a.to)[at] =
        store_4_as<TO> (x.x, x.y, x.z, x.w);
  }
  if (blockIdx.x == 0 && threadIdx.x < a.n - n * 4) {
    const long long last = n * 4 + threadIdx.x;
    reinterpret_cast<To *> (a.to)[last] =
        seam_store_as<TO> (seam_load_as<FROM> (reinterpret_cast<const From *> (a.from)[last]));
  }
}

extern "C" cudaError_t
seam_cuda_to_operand (SeamOperandType type, void *to, const float *from, long long n,
                      cudaStream_t stream)
{
  const ConvertArguments a = { to, from, n };

  if (type == SEAM_OPERAND_FP16)
    return seam_launch (convert<SEAM_OPERAND_FP32, SEAM_OPERAND_FP16>, move_blocks (n),
                        SEAM_CUDA_THREADS, a, stream);
  if (type == SEAM_OPERAND_BF16)
    return seam_launch (convert<SEAM_OPERAND_FP32, SEAM_OPERAND_BF16>, move_blocks (n),
                        SEAM_CUDA_THREADS, a, stream);
  return cudaErrorInvalidValue;
}

extern "C" cudaError_t
seam_cuda_from_operand (SeamOperandType type, float *to, const void *from, long long n,
                        cudaStream_t stream)
{
  const ConvertArguments a = { to, from, n };

  if (type == SEAM_OPERAND_FP16)
    return seam_launch (convert<SEAM_OPERAND_FP16, SEAM_OPERAND_FP32>, move_blocks (n),
                        SEAM_CUDA_THREADS, a, stream);
  if (type == SEAM_OPERAND_BF16)
    return seam_launch (convert<SEAM_OPERAND_BF16, SEAM_OPERAND_FP32>, move_blocks (n),
                        SEAM_CUDA_THREADS, a, stream);
  return cudaErrorInvalidValue;
}

#define LAYOUT_CHANNELS 32  /* a tile: 32 channels (one 128-byte line, channels last) … */
#define LAYOUT_PIXELS   128 /* … of 128 pixels (four lines a channel, channels first) */

typedef struct {
  void *to;
  const void *from;
  long long channels, plane;
  unsigned int channel_tiles, pixel_tiles;
} LayoutArguments;

/* Moves one tile through shared memory, so that both sides are read and written along their own
 * contiguous dimension. The odd pitch puts the elements of a column into different banks. FIRST and
 * LAST are the types of the tensors with channels first and last. */
template <bool TO_LAST, SeamOperandType FIRST, SeamOperandType LAST>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) change_layout (const LayoutArguments a)
{
  typedef typename SeamElement<FIRST>::Stored First;
  typedef typename SeamElement<LAST>::Stored Last;
  __shared__ float tile[LAYOUT_CHANNELS * (LAYOUT_PIXELS + 1)];
  const unsigned int pixel_tile = blockIdx.x % a.pixel_tiles, rest = blockIdx.x / a.pixel_tiles;
  const long long first_channel = (long long)(rest % a.channel_tiles) * LAYOUT_CHANNELS;
  const long long first_pixel = (long long)pixel_tile * LAYOUT_PIXELS;
  const long long sample = (rest / a.channel_tiles) * (a.channels * a.plane);
  const unsigned int channels = a.channels - first_channel < LAYOUT_CHANNELS
                                    ? (unsigned int)(a.channels - first_channel)
                                    : LAYOUT_CHANNELS;
  const unsigned int pixels =
      a.plane - first_pixel < LAYOUT_PIXELS ? (unsigned int)(a.plane - first_pixel) : LAYOUT_PIXELS;
  const unsigned int n = channels * LAYOUT_PIXELS;

#pragma unroll 4
  for (unsigned int i = threadIdx.x; i < n; i += SEAM_CUDA_THREADS) {
    if (TO_LAST) {
      const unsigned int channel = i / LAYOUT_PIXELS, pixel = i % LAYOUT_PIXELS;
      if (pixel < pixels)
        tile[channel * (LAYOUT_PIXELS + 1) + pixel] =
            seam_load_as<FIRST> (reinterpret_cast<const First *> (
                a.from)[sample + (first_channel + channel) * a.plane + first_pixel + pixel]);
    } else {
      const unsigned int pixel = i / channels, channel = i - pixel * channels;
      if (pixel < pixels)
        tile[channel * (LAYOUT_PIXELS + 1) + pixel] =
            seam_load_as<LAST> (reinterpret_cast<const Last *> (
                a.from)[sample + (first_pixel + pixel) * a.channels + first_channel + channel]);
    }
  }
  __syncthreads ();
#pragma unroll 4
  for (unsigned int i = threadIdx.x; i < n; i += SEAM_CUDA_THREADS) {
    if (TO_LAST) {
      const unsigned int pixel = i / channels, channel = i - pixel * channels;
      if (pixel < pixels)
        reinterpret_cast<Last *> (
            a.to)[sample + (first_pixel + pixel) * a.channels + first_channel + channel] =
            seam_store_as<LAST> (tile[channel * (LAYOUT_PIXELS + 1) + pixel]);
    } else {
      const unsigned int channel = i / LAYOUT_PIXELS, pixel = i % LAYOUT_PIXELS;
      if (pixel < pixels)
        reinterpret_cast<First *> (
            a.to)[sample + (first_channel + channel) * a.plane + first_pixel + pixel] =
            seam_store_as<FIRST> (tile[channel * (LAYOUT_PIXELS + 1) + pixel]);
    }
  }
}

#define LAYOUT_TILE  4096 /* floats of a tile in 16-byte accesses: four a thread, all in flight */
#define LAYOUT_LOADS (LAYOUT_TILE / 4 / SEAM_CUDA_THREADS)

/* The same for shapes whose both sides can be moved four numbers at a time: planes of a multiple of
 * 4 pixels, and channels that are a multiple of CHANNELS (32, 16 or 8; a tile takes as many and
 * never ends early). All indices follow from constants, so no division is left. At most four scalar
 * accesses to shared memory meet in a bank, which does not limit the speed. */
template <bool TO_LAST, SeamOperandType FIRST, SeamOperandType LAST, int CHANNELS>
static __global__ void
__launch_bounds__ (SEAM_CUDA_THREADS) change_layout_vector (const LayoutArguments a)
{
  typedef typename SeamElement<FIRST>::Stored First;
  typedef typename SeamElement<FIRST>::Stored4 First4;
  typedef typename SeamElement<LAST>::Stored Last;
  typedef typename SeamElement<LAST>::Stored4 Last4;
  constexpr unsigned int tile_pixels = LAYOUT_TILE / CHANNELS, pitch = tile_pixels + 1;
  __shared__ float tile[CHANNELS * pitch];
  const unsigned int pixel_tile = blockIdx.x % a.pixel_tiles, rest = blockIdx.x / a.pixel_tiles;
  const long long first_channel = (long long)(rest % a.channel_tiles) * CHANNELS;
  const long long first_pixel = (long long)pixel_tile * tile_pixels;
  const long long sample = (rest / a.channel_tiles) * (a.channels * a.plane);
  const long long first_side = sample + first_channel * a.plane + first_pixel;
  const long long last_side = sample + first_pixel * a.channels + first_channel;
  const unsigned int pixels =
      a.plane - first_pixel < tile_pixels ? (unsigned int)(a.plane - first_pixel) : tile_pixels;
  float4 x[LAYOUT_LOADS];

#pragma unroll
  for (int j = 0; j < LAYOUT_LOADS; j++) {
    const unsigned int i = threadIdx.x + j * SEAM_CUDA_THREADS;
    const unsigned int channel = TO_LAST ? i / (tile_pixels / 4) : i % (CHANNELS / 4) * 4;
    const unsigned int pixel = TO_LAST ? i % (tile_pixels / 4) * 4 : i / (CHANNELS / 4);
    if (pixel < pixels) {
      if constexpr (TO_LAST)
        x[j] = load_4_as<FIRST> (*reinterpret_cast<const First4 *> (
            reinterpret_cast<const First *> (a.from) + first_side + channel * a.plane + pixel));
      else
        x[j] = load_4_as<LAST> (*reinterpret_cast<const Last4 *> (
            reinterpret_cast<const Last *> (a.from) + last_side + pixel * a.channels + channel));
    }
  }
#pragma unroll
  for (int j = 0; j < LAYOUT_LOADS; j++) {
    const unsigned int i = threadIdx.x + j * SEAM_CUDA_THREADS;
    const unsigned int channel = TO_LAST ? i / (tile_pixels / 4) : i % (CHANNELS / 4) * 4;
    const unsigned int pixel = TO_LAST ? i % (tile_pixels / 4) * 4 : i / (CHANNELS / 4);
    const unsigned int step = TO_LAST ? 1 : pitch;
    float *to = tile + channel * pitch + pixel;
    if (pixel < pixels) {
      to[0] = x[j].x;
      to[step] = x[j].y;
      to[2 * step] = x[j].z;
      to[3 * step] = x[j].w;
    }
  }
  __syncthreads ();
#pragma unroll
  for (int j = 0; j < LAYOUT_LOADS; j++) {
    const unsigned int i = threadIdx.x + j * SEAM_CUDA_THREADS;
    const unsigned int channel = TO_LAST ? i % (CHANNELS / 4) * 4 : i / (tile_pixels / 4);
    const unsigned int pixel = TO_LAST ? i / (CHANNELS / 4) : i % (tile_pixels / 4) * 4;
    const unsigned int step = TO_LAST ? pitch : 1;
    const float *from = tile + channel * pitch + pixel;
    if (pixel < pixels) {
      if constexpr (TO_LAST)
        *reinterpret_cast<Last4 *> (reinterpret_cast<Last *> (a.to) + last_side + pixel * a.channels
                                    + channel) =
            store_4_as<LAST> (from[0], from[step], from[2 * step], from[3 * step]);
      else
        *reinterpret_cast<First4 *> (reinterpret_cast<First *> (a.to) + first_side
                                     + channel * a.plane + pixel) =
            store_4_as<FIRST> (from[0], from[step], from[2 * step], from[3 * step]);
    }
  }
}

template <bool TO_LAST, SeamOperandType FIRST, SeamOperandType LAST, int CHANNELS>
static cudaError_t
launch_layout_vector (LayoutArguments a, long long n, cudaStream_t stream)
{
  a.channel_tiles = (unsigned int)(a.channels / CHANNELS);
  a.pixel_tiles = (unsigned int)seam_cuda_divide_up (a.plane, LAYOUT_TILE / CHANNELS);
  return seam_launch (change_layout_vector<TO_LAST, FIRST, LAST, CHANNELS>,
                      n * a.channel_tiles * a.pixel_tiles, SEAM_CUDA_THREADS, a, stream);
}

template <bool TO_LAST, SeamOperandType FIRST, SeamOperandType LAST>
static cudaError_t
launch_layout (void *to, const void *from, long long n, long long channels, long long plane,
               cudaStream_t stream)
{
  const long long channel_tiles = seam_cuda_divide_up (channels, LAYOUT_CHANNELS);
  const long long pixel_tiles = seam_cuda_divide_up (plane, LAYOUT_PIXELS);
  const LayoutArguments a = {
    to, from, channels, plane, (unsigned int)channel_tiles, (unsigned int)pixel_tiles
  };

  if (plane % 4 == 0 && channels % 32 == 0)
    return launch_layout_vector<TO_LAST, FIRST, LAST, 32> (a, n, stream);
  if (plane % 4 == 0 && channels % 16 == 0)
    return launch_layout_vector<TO_LAST, FIRST, LAST, 16> (a, n, stream);
  if (plane % 4 == 0 && channels % 8 == 0)
    return launch_layout_vector<TO_LAST, FIRST, LAST, 8> (a, n, stream);
  return seam_launch (change_layout<TO_LAST, FIRST, LAST>, n * channel_tiles * pixel_tiles,
                      SEAM_CUDA_THREADS, a, stream);
}

/* Both sides are FP32, or the last side or both have one 16-bit type. */
template <bool TO_LAST>
static cudaError_t
launch_layout_of (SeamOperandType last, SeamOperandType first, void *to, const void *from,
                  long long n, long long channels, long long plane, cudaStream_t stream)
{
  /* Numbers of one 16-bit type move unchanged, whichever type it is. */
  if (last != SEAM_OPERAND_FP32 && first == last)
    return launch_layout<TO_LAST, SEAM_OPERAND_BF16, SEAM_OPERAND_BF16> (to, from, n, channels,
                                                                         plane, stream);
  if (first != SEAM_OPERAND_FP32)
    return cudaErrorInvalidValue;
  if (last == SEAM_OPERAND_FP16)
    return launch_layout<TO_LAST, SEAM_OPERAND_FP32, SEAM_OPERAND_FP16> (to, from, n, channels,
                                                                         plane, stream);
  if (last == SEAM_OPERAND_BF16)
    return launch_layout<TO_LAST, SEAM_OPERAND_FP32, SEAM_OPERAND_BF16> (to, from, n, channels,
                                                                         plane, stream);
  return launch_layout<TO_LAST, SEAM_OPERAND_FP32, SEAM_OPERAND_FP32> (to, from, n, channels, plane,
                                                                       stream);
}

extern "C" cudaError_t
seam_cuda_to_channels_last (SeamOperandType last, SeamOperandType first, void *to, const void *from,
                            long long n, long long channels, long long plane, cudaStream_t stream)
{
  return launch_layout_of<true> (last, first, to, from, n, channels, plane, stream);
}

extern "C" cudaError_t
seam_cuda_to_channels_first (SeamOperandType last, SeamOperandType first, void *to,
                             const void *from, long long n, long long channels, long long plane,
                             cudaStream_t stream)
{
  return launch_layout_of<false> (last, first, to, from, n, channels, plane, stream);
}

typedef struct {
  long long ns;
} WaitArguments;

/* A clock that does not depend on the multiprocessor's frequency. */
static __device__ __forceinline__ unsigned long long
read_timer_ns ()
{
#ifdef SEAM_CUDA_EMULATE
  return emulate_timer_ns ();
#else
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#endif
}

static __global__ void
wait (const WaitArguments a)
{
  const unsigned long long start = read_timer_ns ();

  while ((long long)(read_timer_ns () - start) < a.ns)
    __nanosleep (500);
}

extern "C" cudaError_t
seam_cuda_wait (long long ns, cudaStream_t stream)
{
  const WaitArguments a = { ns };
  return seam_launch (wait, 1, 1, a, stream);
}
