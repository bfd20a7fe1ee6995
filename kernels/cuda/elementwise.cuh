/* SPDX-License-Identifier: MIT
 *
 * The loops around elementwise ops: which thread accesses which elements, and how wide. A struct
 * `Group` defines the computation (one op in elementwise.cu, several in a generated source):
 *   n_inputs, n_outputs, n_vectors
 *   apply (x[n_inputs], v[n_vectors], s, y[n_outputs])   one element; v: its channel's parameters
 *   writes (output, at)      in exhibits: whether its stores reach element `at` of an output
 *   stored, stored_inputs, stored_outputs   if some tensors have 16 bits: their type, and a bit for
 *                            each such input and output
 * Teaches: memory-bound code. Each tensor moves once, in 16-byte accesses, all loads of a thread in
 * flight before the first is used; no division for single elements. Compiled by nvcc and NVRTC.
 */
#ifndef SEAM_ELEMENTWISE_CUH
#define SEAM_ELEMENTWISE_CUH

#include "kernels/cuda/geometry.h"
#include "kernels/cuda/stored.cuh"
#include "kernels/defects.h"
#include "kernels/ops.h"

/* An array may not have length 0. */
#define SEAM_AT_LEAST_1(n) ((n) > 0 ? (n) : 1)

/* V neighbouring floats. Not through the read-only path: outputs may lie in the same memory as
 * inputs. */
template <int V>
__device__ __forceinline__ void
seam_load (float (&x)[V], const float *from)
{
  if constexpr (V % 4 == 0) {
#pragma unroll
    for (int i = 0; i < V; i += 4) {
      const float4 packed = *reinterpret_cast<const float4 *> (from + i);
      x[i] = packed.x;
      x[i + 1] = packed.y;
      x[i + 2] = packed.z;
      x[i + 3] = packed.w;
    }
  } else {
    x[0] = *from;
  }
}

template <int V>
__device__ __forceinline__ void
seam_store (float *to, const float (&y)[V])
{
  if constexpr (V % 4 == 0) {
#pragma unroll
    for (int i = 0; i < V; i += 4)
      *reinterpret_cast<float4 *> (to + i) = make_float4 (y[i], y[i + 1], y[i + 2], y[i + 3]);
  } else {
    *to = y[0];
  }
}

/* The 16-bit type of a Group that has 16-bit tensors; FP32 for all others. */
template <typename Group>
__device__ __forceinline__ constexpr auto
seam_get_stored (int) -> decltype (SeamOperandType (Group::stored))
{
  return Group::stored;
}

template <typename Group>
__device__ __forceinline__ constexpr SeamOperandType
seam_get_stored (long)
{
  return SEAM_OPERAND_FP32;
}

/* Loads V neighbouring elements of input `input`, whatever its type. `input` is a constant after
 * inlining. */
template <typename Group, int V>
__device__ __forceinline__ void
seam_load_input (float (&x)[V], const SeamCudaArguments &a, int input, long long at)
{
  constexpr SeamOperandType stored = seam_get_stored<Group> (0);
  if constexpr (stored != SEAM_OPERAND_FP32) {
    if (Group::stored_inputs >> input & 1u) {
      seam_load_stored<stored, V> (x,
                                   reinterpret_cast<const unsigned short *> (a.inputs[input]) + at);
      return;
    }
  }
  seam_load<V> (x, a.inputs[input] + at);
}

template <typename Group, int V>
__device__ __forceinline__ void
seam_store_at (const SeamCudaArguments &a, int output, long long at, const float (&y)[V])
{
  constexpr SeamOperandType stored = seam_get_stored<Group> (0);
  if constexpr (stored != SEAM_OPERAND_FP32) {
    if (Group::stored_outputs >> output & 1u) {
      seam_store_stored<stored, V> (reinterpret_cast<unsigned short *> (a.outputs[output]) + at, y);
      return;
    }
  }
  seam_store<V> (a.outputs[output] + at, y);
}

/* Stores V elements of output `output`. The first version leaves out what an exhibit's mistake
 * leaves out; the second is for every Group without writes(). */
template <typename Group, int V>
__device__ __forceinline__ auto
seam_store_output (const SeamCudaArguments &a, int output, long long at, const float (&y)[V], int)
    -> decltype (Group::writes (output, at), void ())
{
#pragma unroll
  for (int e = 0; e < V; e++) {
    const float one[1] = { y[e] };
    if (Group::writes (output, at + e))
      seam_store_at<Group, 1> (a, output, at + e, one);
  }
}

template <typename Group, int V>
__device__ __forceinline__ void
seam_store_output (const SeamCudaArguments &a, int output, long long at, const float (&y)[V], long)
{
  seam_store_at<Group, V> (a, output, at, y);
}

/* The parameters of one channel. */
template <int N>
__device__ __forceinline__ void
seam_load_vectors (float (&v)[SEAM_AT_LEAST_1 (N)], const SeamCudaArguments &a, long long channel)
{
#pragma unroll
  for (int i = 0; i < N; i++)
    v[i] = __ldg (a.vectors[i] + channel);
}

/* Applies `Group` to V neighbouring elements of one channel and stores them. */
template <typename Group, int V>
__device__ __forceinline__ void
seam_apply_and_store (const SeamCudaArguments &a, long long at,
                      const float (&x)[SEAM_AT_LEAST_1 (Group::n_inputs)][V],
                      const float (&v)[V][SEAM_AT_LEAST_1 (Group::n_vectors)])
{
  float y[SEAM_AT_LEAST_1 (Group::n_outputs)][V];
#pragma unroll
  for (int e = 0; e < V; e++) {
    float in[SEAM_AT_LEAST_1 (Group::n_inputs)], out[SEAM_AT_LEAST_1 (Group::n_outputs)];
#pragma unroll
    for (int i = 0; i < Group::n_inputs; i++)
      in[i] = x[i][e];
    Group::apply (in, v[e], a.scalars, out);
#pragma unroll
    for (int i = 0; i < Group::n_outputs; i++)
      y[i][e] = out[i];
  }
#pragma unroll
  for (int i = 0; i < Group::n_outputs; i++)
    seam_store_output<Group, V> (a, i, at, y[i], 0);
}

/* [rows, channels, plane] with plane > 1: a block is one tile of one plane. */
template <typename Group, int V>
__device__ __forceinline__ void
seam_elementwise_planes (const SeamCudaArguments &a)
{
  constexpr int loads = SEAM_CUDA_LOADS (V);
  const unsigned int segment = blockIdx.x / a.tiles, tile = blockIdx.x - segment * a.tiles;
  const long long base = segment * a.plane, n = a.plane / V;
  const long long first = (long long)tile * (blockDim.x * loads) + threadIdx.x;
  float x[loads][SEAM_AT_LEAST_1 (Group::n_inputs)][V];
  float channel[SEAM_AT_LEAST_1 (Group::n_vectors)], v[V][SEAM_AT_LEAST_1 (Group::n_vectors)];

#pragma unroll
  for (int j = 0; j < loads; j++) {
    const long long at = first + j * blockDim.x;
    if (at < n) {
#pragma unroll
      for (int i = 0; i < Group::n_inputs; i++)
        seam_load_input<Group, V> (x[j][i], a, i, base + at * V);
    }
  }
  seam_load_vectors<Group::n_vectors> (channel, a, segment % (unsigned int)a.channels);
#pragma unroll
  for (int e = 0; e < V; e++)
#pragma unroll
    for (int i = 0; i < Group::n_vectors; i++)
      v[e][i] = channel[i];
#pragma unroll
  for (int j = 0; j < loads; j++) {
    const long long at = first + j * blockDim.x;
    if (at < n)
      seam_apply_and_store<Group, V> (a, base + at * V, x[j], v);
  }
}

/* [rows, channels]: a thread owns V neighbouring channels, reads their parameters once and walks
 * down a few rows. */
template <typename Group, int V>
__device__ __forceinline__ void
seam_elementwise_matrix (const SeamCudaArguments &a)
{
  constexpr int loads = SEAM_CUDA_ROWS (V);
  const unsigned int band = blockIdx.x / a.tiles, tile = blockIdx.x - band * a.tiles;
  const long long channel = ((long long)tile * blockDim.x + threadIdx.x) * V;
  const long long first = (long long)band * loads;
  float x[loads][SEAM_AT_LEAST_1 (Group::n_inputs)][V];
  float v[V][SEAM_AT_LEAST_1 (Group::n_vectors)];

  if (channel >= a.channels)
    return;
#pragma unroll
  for (int j = 0; j < loads; j++) {
    if (first + j < a.rows) {
#pragma unroll
      for (int i = 0; i < Group::n_inputs; i++)
        seam_load_input<Group, V> (x[j][i], a, i, (first + j) * a.channels + channel);
    }
  }
#pragma unroll
  for (int i = 0; i < Group::n_vectors; i++) {
    float part[V];
    seam_load<V> (part, a.vectors[i] + channel);
#pragma unroll
    for (int e = 0; e < V; e++)
      v[e][i] = part[e];
  }
#pragma unroll
  for (int j = 0; j < loads; j++)
    if (first + j < a.rows)
      seam_apply_and_store<Group, V> (a, (first + j) * a.channels + channel, x[j], v);
}

#endif
