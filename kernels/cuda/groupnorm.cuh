/* SPDX-License-Identifier: MIT
 *
 * GroupNorm, alone or with elementwise ops before and after it. A struct `Group` defines these ops:
 *   n_inputs, n_outputs, n_vectors, recompute, Kept
 *   before (x, v, s, y, kept) -> the value to normalise; may set some y and keep values for after()
 *   after (normalised, x, v, s, y, kept)                  sets the other y
 *   statistic (h, group, index, size), one_pass_variance  in exhibits: a value as the statistics
 *                                                         see it; the variance E[x^2] - E[x]^2
 *   without_affine                                        in exhibits: no weight and no bias
 * One pass: a group that fits in registers is read once. Two passes: tiles leave (mean, standard
 * deviation), both exact two-pass sums over registers; the apply pass combines them in double
 * precision (Chan et al. 1979) and recomputes `before`, which is cheaper than storing it.
 * Deviations are from a number near the mean; their sum corrects both (as in kernels/cpu/loops.c).
 * No atomics: the same bits every time. A group is contiguous in memory. Compiled by nvcc and
 * NVRTC.
 */
#ifndef SEAM_GROUPNORM_CUH
#define SEAM_GROUPNORM_CUH

#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/statistics.cuh"

#define SEAM_FULL_WARP 0xffffffffu

/* Each sum over `lanes` neighbouring threads (a power of two up to 32), the same bits in each. */
template <int n>
__device__ __forceinline__ void
seam_sum_lanes (float (&values)[n], unsigned int lanes)
{
  for (unsigned int offset = lanes / 2; offset > 0; offset /= 2) {
#pragma unroll
    for (int i = 0; i < n; i++)
      values[i] += __shfl_xor_sync (SEAM_FULL_WARP, values[i], offset);
  }
}

/* Each sum over the block, in every thread, which all call it. `scratch` holds 32 * n floats. */
template <int n>
__device__ __forceinline__ void
seam_sum_block (float (&values)[n], float *scratch)
{
  const unsigned int n_warps = blockDim.x / 32;
  seam_sum_lanes (values, 32);
  if (n_warps == 1)
    return;
  __syncthreads (); /* the scratch of the previous sum is no longer read */
#pragma unroll
  for (int i = 0; i < n; i++)
    if (threadIdx.x % 32 == 0)
      scratch[32 * i + threadIdx.x / 32] = values[i];
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < n; i++) {
    values[i] = 0.0f;
    for (unsigned int warp = 0; warp < n_warps; warp++)
      values[i] += scratch[32 * i + warp];
  }
}

/* Element `index` of a group as the statistics see it: its value, unless an exhibit's mistake loses
 * it. */
template <typename Group>
__device__ __forceinline__ auto
seam_statistic (float h, long long group, long long index, long long size, int)
    -> decltype (Group::statistic (h, group, index, size))
{
  return Group::statistic (h, group, index, size);
}

template <typename Group>
__device__ __forceinline__ float
seam_statistic (float h, long long, long long, long long, long)
{
  return h;
}

/* Whether the variance is E[x^2] - E[x]^2, the mistake of an exhibit. */
template <typename Group>
__device__ __forceinline__ constexpr auto
seam_has_one_pass_variance (int) -> decltype (bool (Group::one_pass_variance))
{
  return Group::one_pass_variance;
}

template <typename Group>
__device__ __forceinline__ constexpr bool
seam_has_one_pass_variance (long)
{
  return false;
}

/* Whether weight and bias are left out, the mistake of an exhibit. */
template <typename Group>
__device__ __forceinline__ constexpr auto
seam_is_without_affine (int) -> decltype (bool (Group::without_affine))
{
  return Group::without_affine;
}

template <typename Group>
__device__ __forceinline__ constexpr bool
seam_is_without_affine (long)
{
  return false;
}

/* The parameters of V neighbouring elements: those of one channel or, in a matrix, of V
 * channels. */
template <typename Group, int V, bool MATRIX>
__device__ __forceinline__ void
seam_load_element_vectors (float (&v)[V][SEAM_AT_LEAST_1 (Group::n_vectors)],
                           const SeamCudaArguments &a, long long channel)
{
#pragma unroll
  for (int i = 0; i < Group::n_vectors; i++) {
    float part[V];
    if constexpr (MATRIX) {
      seam_load<V> (part, a.vectors[i] + channel);
    } else {
      const float value = __ldg (a.vectors[i] + channel);
#pragma unroll
      for (int e = 0; e < V; e++)
        part[e] = value;
    }
#pragma unroll
    for (int e = 0; e < V; e++)
      v[e][i] = part[e];
  }
}

/* h = before (x) for V neighbouring elements, the first of which is in channel `channel`. */
template <typename Group, int V, bool MATRIX>
__device__ __forceinline__ void
seam_before (float (&h)[V], const SeamCudaArguments &a,
             const float (&x)[SEAM_AT_LEAST_1 (Group::n_inputs)][V], long long channel)
{
  float v[V][SEAM_AT_LEAST_1 (Group::n_vectors)];
  seam_load_element_vectors<Group, V, MATRIX> (v, a, channel);
#pragma unroll
  for (int e = 0; e < V; e++) {
    float in[SEAM_AT_LEAST_1 (Group::n_inputs)], out[SEAM_AT_LEAST_1 (Group::n_outputs)];
    typename Group::Kept kept;
#pragma unroll
    for (int i = 0; i < Group::n_inputs; i++)
      in[i] = x[i][e];
    h[e] = Group::before (in, v[e], a.scalars, out, kept);
  }
}

/* Normalises V neighbouring elements, finishes the chain and stores every output. `h` is the result
 * of before(). With Group::recompute, before() is called again for its other values. */
template <typename Group, int V, bool MATRIX>
__device__ __forceinline__ void
seam_normalize_and_store (const SeamCudaArguments &a, long long at,
                          const float (&x)[SEAM_AT_LEAST_1 (Group::n_inputs)][V],
                          const float (&h)[V], long long channel, float mean, float rstd)
{
  float v[V][SEAM_AT_LEAST_1 (Group::n_vectors)], weight[V], bias[V];
  float y[SEAM_AT_LEAST_1 (Group::n_outputs)][V];

  seam_load_element_vectors<Group, V, MATRIX> (v, a, channel);
  if constexpr (seam_is_without_affine<Group> (0)) {
#pragma unroll
    for (int e = 0; e < V; e++) {
      weight[e] = 1.0f;
      bias[e] = 0.0f;
    }
  } else if constexpr (MATRIX) {
    seam_load<V> (weight, a.weight + channel);
    seam_load<V> (bias, a.bias + channel);
  } else {
    const float scale = __ldg (a.weight + channel), shift = __ldg (a.bias + channel);
#pragma unroll
    for (int e = 0; e < V; e++) {
      weight[e] = scale;
      bias[e] = shift;
    }
  }
#pragma unroll
  for (int e = 0; e < V; e++) {
    float in[SEAM_AT_LEAST_1 (Group::n_inputs)], out[SEAM_AT_LEAST_1 (Group::n_outputs)];
    typename Group::Kept kept;
    float value;
#pragma unroll
    for (int i = 0; i < Group::n_inputs; i++)
      in[i] = x[i][e];
    if constexpr (Group::recompute)
      value = Group::before (in, v[e], a.scalars, out, kept);
    else
      value = h[e];
    Group::after (seam_op_normalize (value, mean, rstd, weight[e], bias[e]), in, v[e], a.scalars,
                  out, kept);
#pragma unroll
    for (int i = 0; i < Group::n_outputs; i++)
      y[i][e] = out[i];
  }
#pragma unroll
  for (int i = 0; i < Group::n_outputs; i++)
    seam_store_output<Group, V> (a, i, at, y[i], 0);
}

/* One pass. `LANES` threads share a group (0: a.lanes threads), each with ITEMS accesses. With up
 * to 32 lanes a thread works on REPEAT groups at once, so that more loads are in flight. */
template <typename Group, int V, bool MATRIX, int ITEMS, int REPEAT, int LANES>
__device__ __forceinline__ void
seam_groupnorm_one_pass (const SeamCudaArguments &a)
{
  __shared__ float scratch[64];
  constexpr bool one_pass = seam_has_one_pass_variance<Group> (0);
  const unsigned int lanes = LANES ? LANES : a.lanes, lane = threadIdx.x & (lanes - 1);
  const unsigned int abreast = blockDim.x / lanes;
  const long long first = (long long)blockIdx.x * (abreast * REPEAT) + threadIdx.x / lanes;
  const long long n_groups = a.rows * a.groups, group_channels = a.channels / a.groups;
  const unsigned int n = (unsigned int)a.group_elements / V;
  const float count = (float)a.group_elements, inverse = 1.0f / count;
  typedef float Values[ITEMS][SEAM_AT_LEAST_1 (Group::n_inputs)][V];
  const auto sum_lanes = [&] (auto &values) SEAM_INLINE {
    if (lanes > 32)
      seam_sum_block (values, scratch);
    else
      seam_sum_lanes (values, lanes);
  };
  const auto load = [&] (Values &x, long long group) SEAM_INLINE {
#pragma unroll
    for (int j = 0; j < ITEMS; j++) {
      const unsigned int at = lane + j * lanes;
      if (group < n_groups && at < n) {
#pragma unroll
        for (int i = 0; i < Group::n_inputs; i++)
          seam_load_input<Group, V> (x[j][i], a, i, group * a.group_elements + at * V);
      }
    }
  };
  const auto get_channel = [&] (long long group, unsigned int at) SEAM_INLINE {
    return (long long)((unsigned int)group % (unsigned int)a.groups) * group_channels
           + (MATRIX ? at * V : at * V / (unsigned int)a.plane);
  };
  const auto compute = [&] (float (&h)[ITEMS][V], const Values &x, long long group) SEAM_INLINE {
#pragma unroll
    for (int j = 0; j < ITEMS; j++) {
      const unsigned int at = lane + j * lanes;
      if (group < n_groups && at < n)
        seam_before<Group, V, MATRIX> (h[j], a, x[j], get_channel (group, at));
    }
  };
  const auto add_up = [&] (float (&sums)[2], const float (&h)[ITEMS][V], long long group,
                           float scale, float center) SEAM_INLINE {
#pragma unroll
    for (int j = 0; j < ITEMS; j++) {
      const unsigned int at = lane + j * lanes;
      if (group < n_groups && at < n) {
#pragma unroll
        for (int e = 0; e < V; e++)
          seam_add_deviation (
              sums, seam_statistic<Group> (h[j][e], group, at * V + e, a.group_elements, 0), scale,
              center);
      }
    }
  };
  /* Statistics of a group's values times `scale`; returns the sum of squares. */
  const auto find = [&] (float2 *found, const float (&h)[ITEMS][V], long long group,
                         float scale) SEAM_INLINE {
    float sums[2] = { 0.0f, 0.0f }, center = 0.0f;
    if constexpr (!one_pass && REPEAT == 1) {
      add_up (sums, h, group, scale, 0.0f);
      float sum[1] = { sums[0] };
      sum_lanes (sum);
      center = sum[0] * inverse;
      sums[0] = sums[1] = 0.0f;
    } else if constexpr (!one_pass) { /* near enough for few values, and one sum less to wait for */
#pragma unroll
      for (int e = 0; e < V; e++)
        center = fmaf (seam_statistic<Group> (h[0][e], group, e, a.group_elements, 0),
                       scale / (float)V, center);
      center = __shfl_sync (SEAM_FULL_WARP, center, threadIdx.x % 32 & ~(lanes - 1));
    }
    add_up (sums, h, group, scale, center);
    sum_lanes (sums);
    const float drift = sums[0] * inverse;
    const float variance = one_pass ? seam_defect_one_pass_variance (sums[0], sums[1], count)
                                    : fmaxf (sums[1] * inverse - drift * drift, 0.0f);
    *found = make_float2 (seam_unscale (center + drift, scale),
                          scale * rsqrtf (variance + a.epsilon * scale * scale));
    return one_pass ? 0.0f : sums[1];
  };
  const auto store = [&] (const Values &x, const float (&h)[ITEMS][V], long long group,
                          float2 found) SEAM_INLINE {
#pragma unroll
    for (int j = 0; j < ITEMS; j++) {
      const unsigned int at = lane + j * lanes;
      if (group < n_groups && at < n)
        seam_normalize_and_store<Group, V, MATRIX> (a, group * a.group_elements + at * V, x[j],
                                                    h[j], get_channel (group, at), found.x,
                                                    found.y);
    }
  };
  Values x[REPEAT];
#pragma unroll
  for (int r = 0; r < REPEAT; r++)
    load (x[r], first + r * abreast);
  if constexpr (REPEAT == 1) {
    float h[ITEMS][V];
    float2 found;
    compute (h, x[0], first);
    seam_keep_in_range ([&] (float scale, int)
                            SEAM_INLINE { return find (&found, h, first, scale); });
    store (x[0], h, first, found);
  } else { /* keeps as little as possible of a group, for more threads on a multiprocessor */
    seam_keep_in_range<REPEAT> ([&] (float scale, int r) SEAM_INLINE {
      const long long group = first + r * abreast;
      float h[ITEMS][V];
      float2 found;
      compute (h, x[r], group);
      const float squares = find (&found, h, group, scale);
      store (x[r], h, group, found);
      return squares;
    });
  }
}

/* Place of a tile of the two-pass kernels. */
struct SeamTile {
  long long base;    /* first element of the segment */
  long long first;   /* this thread's first access in it, in units of V */
  long long n;       /* accesses in the segment */
  long long group;   /* group number in the whole tensor */
  long long index;   /* index of the segment's first element in its group */
  long long channel; /* channel of the segment's first element */
  long long count;   /* elements of the tile */
};

template <int V, bool MATRIX>
__device__ __forceinline__ SeamTile
seam_locate_tile (const SeamCudaArguments &a, unsigned int block)
{
  constexpr int loads = SEAM_CUDA_TILE_LOADS (V);
  const unsigned int segment = block / a.tiles, tile = block - segment * a.tiles;
  const long long tile_elements = (long long)blockDim.x * loads * V, start = tile * tile_elements;
  SeamTile t;

  t.base = segment * a.segment;
  t.first = (long long)tile * (blockDim.x * loads) + threadIdx.x;
  t.n = a.segment / V;
  t.group = segment / (unsigned int)a.segments_per_group;
  t.index = t.base - t.group * a.group_elements;
  t.channel = MATRIX ? t.group % a.groups * a.group_elements
                     : (long long)(segment % (unsigned int)a.channels);
  t.count = a.segment - start < tile_elements ? a.segment - start : tile_elements;
  return t;
}

/* First pass: the mean of a tile and its standard deviation. */
template <typename Group, int V, bool MATRIX>
__device__ __forceinline__ void
seam_groupnorm_statistics (const SeamCudaArguments &a)
{
  constexpr int loads = SEAM_CUDA_TILE_LOADS (V);
  constexpr bool one_pass = seam_has_one_pass_variance<Group> (0);
  __shared__ float scratch[64];
  const SeamTile t = seam_locate_tile<V, MATRIX> (a, blockIdx.x);
  float x[loads][SEAM_AT_LEAST_1 (Group::n_inputs)][V], h[loads][V];

#pragma unroll
  for (int j = 0; j < loads; j++) {
    const long long at = t.first + j * blockDim.x;
    if (at < t.n) {
#pragma unroll
      for (int i = 0; i < Group::n_inputs; i++)
        seam_load_input<Group, V> (x[j][i], a, i, t.base + at * V);
    }
  }
#pragma unroll
  for (int j = 0; j < loads; j++) {
    const long long at = t.first + j * blockDim.x;
    if (at < t.n) {
      seam_before<Group, V, MATRIX> (h[j], a, x[j], t.channel + (MATRIX ? at * V : 0));
#pragma unroll
      for (int e = 0; e < V; e++)
        h[j][e] =
            seam_statistic<Group> (h[j][e], t.group, t.index + at * V + e, a.group_elements, 0);
    }
  }
  const auto add_up = [&] (float (&sums)[2], float scale, float center) SEAM_INLINE {
#pragma unroll
    for (int j = 0; j < loads; j++) {
      if (t.first + j * blockDim.x < t.n) {
#pragma unroll
        for (int e = 0; e < V; e++)
          seam_add_deviation (sums, h[j][e], scale, center);
      }
    }
  };
  const float inverse = 1.0f / (float)t.count;
  float mean, deviation;
  seam_keep_in_range ([&] (float scale, int) SEAM_INLINE {
    float sums[2] = { 0.0f, 0.0f }, of_deviations[2] = { 0.0f, 0.0f };
    add_up (sums, scale, 0.0f);
    float sum[1] = { sums[0] };
    seam_sum_block (sum, scratch);
    const float center = sum[0] * inverse;
    add_up (of_deviations, scale, one_pass ? 0.0f : center);
    seam_sum_block (of_deviations, scratch);
    if constexpr (one_pass) {
      mean = center;
      deviation = of_deviations[1];
      return 0.0f;
    }
    const float drift = of_deviations[0] * inverse;
    mean = seam_unscale (center + drift, scale);
    deviation =
        seam_unscale (sqrtf (fmaxf (of_deviations[1] * inverse - drift * drift, 0.0f)), scale);
    return of_deviations[1];
  });
  if (threadIdx.x == 0) {
    a.partials[2 * (long long)blockIdx.x] = mean;
    a.partials[2 * (long long)blockIdx.x + 1] = deviation;
  }
}

/* Mean and 1 / sqrt (variance + epsilon) of a group from its tiles; called by the first warp. */
template <typename Group, int V>
__device__ __forceinline__ void
seam_combine_tiles (const SeamCudaArguments &a, long long group, float *mean, float *rstd)
{
  const long long tile_elements = (long long)blockDim.x * SEAM_CUDA_TILE_LOADS (V) * V;
  const long long last_count = a.segment - (a.tiles - 1) * tile_elements;
  const unsigned int n = (unsigned int)a.segments_per_group * a.tiles;
  const float *partials = a.partials + 2 * group * n;
  double total = 0.0, squares = 0.0, center;

  for (unsigned int i = threadIdx.x; i < n; i += 32) {
    const double count = (double)((i + 1) % a.tiles == 0 ? last_count : tile_elements);
    total += count * partials[2 * i];
  }
  for (unsigned int offset = 16; offset > 0; offset /= 2)
    total += __shfl_xor_sync (SEAM_FULL_WARP, total, offset);
  center = total / (double)a.group_elements;
  for (unsigned int i = threadIdx.x; i < n; i += 32) {
    const double count = (double)((i + 1) % a.tiles == 0 ? last_count : tile_elements);
    const double distance = partials[2 * i] - center, deviation = partials[2 * i + 1];
    /* For a one-pass variance, the tiles hold sums of squares about 0. */
    squares += seam_has_one_pass_variance<Group> (0)
                   ? deviation
                   : count * (deviation * deviation + distance * distance);
  }
  for (unsigned int offset = 16; offset > 0; offset /= 2)
    squares += __shfl_xor_sync (SEAM_FULL_WARP, squares, offset);
  *mean = (float)center;
  if constexpr (seam_has_one_pass_variance<Group> (0))
    *rstd = 1.0f
            / sqrtf (seam_defect_one_pass_variance ((float)total, (float)squares,
                                                    (float)a.group_elements)
                     + a.epsilon);
  else
    *rstd = (float)(1.0 / sqrt (squares / (double)a.group_elements + (double)a.epsilon));
}

/* Second pass, from the last tile to the first, because the end of the tensor is still in L2. */
template <typename Group, int V, bool MATRIX>
__device__ __forceinline__ void
seam_groupnorm_apply (const SeamCudaArguments &a)
{
  constexpr int loads = SEAM_CUDA_TILE_LOADS (V);
  __shared__ float statistics[2];
  const SeamTile t = seam_locate_tile<V, MATRIX> (a, gridDim.x - 1 - blockIdx.x);
  float x[loads][SEAM_AT_LEAST_1 (Group::n_inputs)][V];

#pragma unroll
  for (int j = 0; j < loads; j++) {
    const long long at = t.first + j * blockDim.x;
    if (at < t.n) {
#pragma unroll
      for (int i = 0; i < Group::n_inputs; i++)
        seam_load_input<Group, V> (x[j][i], a, i, t.base + at * V);
    }
  }
  if (threadIdx.x < 32) {
    float mean, rstd;
    seam_combine_tiles<Group, V> (a, t.group, &mean, &rstd);
    if (threadIdx.x == 0) {
      statistics[0] = mean;
      statistics[1] = rstd;
    }
  }
  __syncthreads ();
#pragma unroll
  for (int j = 0; j < loads; j++) {
    const long long at = t.first + j * blockDim.x;
    if (at < t.n) {
      const long long channel = t.channel + (MATRIX ? at * V : 0);
      float h[V];
      if constexpr (!Group::recompute)
        seam_before<Group, V, MATRIX> (h, a, x[j], channel);
      seam_normalize_and_store<Group, V, MATRIX> (a, t.base + at * V, x[j], h, channel,
                                                  statistics[0], statistics[1]);
    }
  }
}

#endif
