/* SPDX-License-Identifier: MIT
 *
 * One op of any class by itself: maps of values of different shapes, pools, reductions,
 * normalisations and convolutions. A struct `Nest` of the generated source says what is not known
 * before:
 *   x_type, t_type, y_type   types of the tensors in memory
 *   Index                    unsigned int, or long where an index does not fit
 *   apply (x, v, t, a, b)    a map's expression
 *   vector                   elements an access: 4 or 1
 *   reduction, flat          of sets: which, and whether their elements have one step
 *   along                    of sets: neighbouring threads have elements of one set
 *   head (a, at, x)          of sets: the maps that elements go through as they are read
 * Teaches: how many passes over memory a reduction needs. One, since both sums of a norm or an
 * exponential sum can go on while the first still changes; a normalisation reads its set again,
 * from a cache. Sets that are too long for that, or too few to fill the chip, have parts whose
 * results the next kernel merges.
 */
#ifndef SEAM_NESTS_CUH
#define SEAM_NESTS_CUH

#include "kernels/cuda/nests.h"
#include "kernels/cuda/stored.cuh"
#include "kernels/ops.h"

template <SeamOperandType TYPE>
__device__ __forceinline__ float
seam_nest_read (const void *from, SeamSize at)
{
  return seam_load_as<TYPE> (static_cast<const typename SeamElement<TYPE>::Stored *> (from)[at]);
}

/* The channel's number of a vector that a map onto the input reads. */
template <typename Index>
__device__ __forceinline__ float
seam_nest_vector (const SeamNestArguments &a, int map, SeamSize at)
{
  const Index index = (Index)at / (Index)a.map_inner % (Index)a.map_channels;
  return __ldg (static_cast<const float *> (a.maps[map]) + index);
}

/* V neighbouring elements; 4: at a multiple of 4. */
template <SeamOperandType TYPE, int V>
__device__ __forceinline__ void
seam_nest_load (float (&x)[V], const void *from, SeamSize at)
{
  if constexpr (V == 4) {
    const auto packed = *reinterpret_cast<const typename SeamElement<TYPE>::Stored4 *> (
        static_cast<const typename SeamElement<TYPE>::Stored *> (from) + at);
    x[0] = seam_load_as<TYPE> (packed.x);
    x[1] = seam_load_as<TYPE> (packed.y);
    x[2] = seam_load_as<TYPE> (packed.z);
    x[3] = seam_load_as<TYPE> (packed.w);
  } else {
    x[0] = seam_nest_read<TYPE> (from, at);
  }
}

template <SeamOperandType TYPE, int V>
__device__ __forceinline__ void
seam_nest_store (void *to, SeamSize at, const float (&y)[V])
{
  auto *const place = static_cast<typename SeamElement<TYPE>::Stored *> (to) + at;
  if constexpr (V == 4) {
    typename SeamElement<TYPE>::Stored4 packed;
    packed.x = seam_store_as<TYPE> (y[0]);
    packed.y = seam_store_as<TYPE> (y[1]);
    packed.z = seam_store_as<TYPE> (y[2]);
    packed.w = seam_store_as<TYPE> (y[3]);
    *reinterpret_cast<typename SeamElement<TYPE>::Stored4 *> (place) = packed;
  } else {
    *place = seam_store_as<TYPE> (y[0]);
  }
}

/* --- Maps --- */

/* V elements of an operand whose step along the last axis is 1, or 0. */
template <SeamOperandType TYPE, int V>
__device__ __forceinline__ void
seam_nest_load_operand (float (&x)[V], const void *from, SeamSize at, SeamSize step)
{
  if (from == nullptr)
    return;
  if (V == 1 || step == 1) {
    seam_nest_load<TYPE, V> (x, from, at);
    return;
  }
  const float one = seam_nest_read<TYPE> (from, at);
#pragma unroll
  for (int e = 0; e < V; e++)
    x[e] = one;
}

template <typename Nest>
__device__ __forceinline__ void
seam_nest_map (const SeamNestArguments &a)
{
  constexpr int V = Nest::vector;
  typedef typename Nest::Index Index;
  const SeamNestMap &m = a.map;
  const int last = m.n_axes - 1;
  const SeamSize i = ((SeamSize)blockIdx.x * SEAM_NEST_THREADS + threadIdx.x) * V;
  SeamSize at[SEAM_N_NEST_OPERANDS];
  float x[V] = {}, t[V] = {}, v[V] = {}, number[V] = {}, y[V];

  if (i >= a.n)
    return;
  Index rest = (Index)i;
#pragma unroll
  for (int j = 0; j < SEAM_N_NEST_OPERANDS; j++)
    at[j] = 0;
  for (int axis = last; axis >= 0; axis--) {
    const Index next = axis > 0 ? rest / (Index)m.counts[axis] : 0;
    const SeamSize index = rest - next * (Index)m.counts[axis];
#pragma unroll
    for (int j = 0; j < SEAM_N_NEST_OPERANDS; j++)
      at[j] += index * m.steps[j][axis];
    rest = next;
  }
  seam_nest_load_operand<Nest::x_type> (x, a.inputs[SEAM_NEST_X], at[SEAM_NEST_X],
                                        m.steps[SEAM_NEST_X][last]);
  seam_nest_load_operand<Nest::t_type> (t, a.inputs[SEAM_NEST_T], at[SEAM_NEST_T],
                                        m.steps[SEAM_NEST_T][last]);
  seam_nest_load_operand<SEAM_OPERAND_FP32> (v, a.inputs[SEAM_NEST_V], at[SEAM_NEST_V],
                                             m.steps[SEAM_NEST_V][last]);
  seam_nest_load_operand<SEAM_OPERAND_FP32> (number, a.inputs[SEAM_NEST_A], 0, 0);
#pragma unroll
  for (int e = 0; e < V; e++)
    y[e] = Nest::apply (x[e], v[e], t[e],
                        a.inputs[SEAM_NEST_A] != nullptr ? number[e] : a.scalars[0], a.scalars[1]);
  seam_nest_store<Nest::y_type> (a.output, i, y);
}

/* --- Sets --- */

/* The first pass's new result, of the one before and x; START, MERGE and so on likewise. */
#define SEAM_NEST_OF(PART)                                                                         \
  SEAM_REDUCTIONS (PART)                                                                           \
  return 0
#define SEAM_NEST_START(NAME, PASSES, START, ...)                                                  \
  if constexpr (R == SEAM_REDUCTION_##NAME)                                                        \
    return START;
#define SEAM_NEST_STEP(NAME, PASSES, START, STEP, ...)                                             \
  if constexpr (R == SEAM_REDUCTION_##NAME)                                                        \
    return STEP;
#define SEAM_NEST_MERGE(NAME, PASSES, START, STEP, MERGE, ...)                                     \
  if constexpr (R == SEAM_REDUCTION_##NAME)                                                        \
    return MERGE;
#define SEAM_NEST_TERM(NAME, PASSES, START, STEP, MERGE, TERM, RESULT)                             \
  if constexpr (R == SEAM_REDUCTION_##NAME)                                                        \
    return (double)(TERM);
#define SEAM_NEST_RESULT(NAME, PASSES, START, STEP, MERGE, TERM, RESULT)                           \
  if constexpr (R == SEAM_REDUCTION_##NAME)                                                        \
    return RESULT;
#define SEAM_NEST_PASSES(NAME, PASSES, ...)                                                        \
  if constexpr (R == SEAM_REDUCTION_##NAME)                                                        \
    return PASSES;

template <SeamReduction R>
__device__ __forceinline__ double
seam_nest_start ()
{
  SEAM_NEST_OF (SEAM_NEST_START);
}

template <SeamReduction R>
__device__ __forceinline__ double
seam_nest_step (double f, double x)
{
  SEAM_NEST_OF (SEAM_NEST_STEP);
}

template <SeamReduction R>
__device__ __forceinline__ double
seam_nest_merge (double f, double g)
{
  SEAM_NEST_OF (SEAM_NEST_MERGE);
}

template <SeamReduction R>
__device__ __forceinline__ double
seam_nest_term (double x, double f, double n)
{
  (void)x, (void)f, (void)n;
  SEAM_NEST_OF (SEAM_NEST_TERM);
}

template <SeamReduction R>
__device__ __forceinline__ double
seam_nest_result (double f, double s, double n)
{
  (void)f, (void)s, (void)n;
  SEAM_NEST_OF (SEAM_NEST_RESULT);
}

template <SeamReduction R>
__device__ __forceinline__ constexpr int
seam_nest_passes ()
{
  SEAM_NEST_OF (SEAM_NEST_PASSES);
}

/* Both passes of a part of a set. */
struct SeamPart {
  double f, s, n;
};

/* Of two parts: terms of a norm are distances from the part's own mean (Chan's formula), those of
 * an exponential sum are relative to the part's own largest. */
template <SeamReduction R>
__device__ __forceinline__ SeamPart
seam_nest_join (const SeamPart &a, const SeamPart &b)
{
  SeamPart to = { seam_nest_merge<R> (a.f, b.f), a.s + b.s, a.n + b.n };
  if (a.n == 0)
    return b;
  if (b.n == 0)
    return a;
  if constexpr (R == SEAM_REDUCTION_NORM) {
    const double distance = b.f / b.n - a.f / a.n;
    to.s += distance * distance * (a.n * b.n / to.n);
  } else if constexpr (seam_nest_passes<R> () == 2) {
    to.s = (a.f == to.f ? a.s : a.s * (double)SEAM_EXP ((float)(a.f - to.f)))
           + (b.f == to.f ? b.s : b.s * (double)SEAM_EXP ((float)(b.f - to.f)));
  }
  return to;
}

/* Both sums of the elements that a thread sees, one after another. */
template <SeamReduction R> struct SeamNestSums {
  SeamPart own = { seam_nest_start<R> (), 0, 0 };
  double shift = 0; /* of a norm: its first element, since squares of distances lose no digits */

  __device__ __forceinline__ void
  add (double x)
  {
    if constexpr (R == SEAM_REDUCTION_NORM) {
      if (own.n == 0)
        shift = x;
      own.f += x - shift;
      own.s += (x - shift) * (x - shift);
    } else if constexpr (seam_nest_passes<R> () == 2) {
      if (x > own.f) { /* rising numbers come here each time: a factor in double adds no error */
        own.s *= exp (own.f - x);
        own.f = x;
      }
      if (x != -SEAM_INFINITY)
        own.s += seam_nest_term<R> (x, own.f, 0);
    } else {
      own.f = seam_nest_step<R> (own.f, x);
    }
    own.n++;
  }

  /* As seam_nest_join() reads it. */
  __device__ __forceinline__ SeamPart
  get () const
  {
    SeamPart part = own;

    if constexpr (R == SEAM_REDUCTION_NORM) {
      if (part.n > 0)
        part.s -= part.f * part.f / part.n;
      part.f += shift * part.n;
    }
    return part;
  }
};

/* Which sets and elements a thread has. W: sets of a block, side by side; each has `rows` threads,
 * neighbours with Nest::along, else W apart. */
template <typename Nest, int W> struct SeamNestPlace {
  typedef typename Nest::Index Index;
  static constexpr int rows = SEAM_NEST_THREADS / W;
  const SeamNestArguments &a;
  SeamSize set, base; /* index of the set, and of its first element */
  SeamSize first, end;
  unsigned int part;
  int row;
  bool exists;

  /* `whole`: a block has whole sets, not a part. */
  __device__ __forceinline__
  SeamNestPlace (const SeamNestArguments &arguments, bool whole)
      : a (arguments)
  {
    const unsigned int n_parts = whole ? 1 : a.n_parts;
    const SeamSize *n = a.sets.sizes, *stride = a.sets.strides;
    const SeamSize bundle = blockIdx.x / n_parts;
    /* Without `along`, each row of n[4] neighbouring sets is cut into bundles of W. */
    const SeamSize across = Nest::along ? n[4] : (n[4] + W - 1) / W;
    const SeamSize number = Nest::along ? bundle * W + threadIdx.x / rows : bundle;
    const SeamSize outer = number / across;
    const SeamSize inner =
        Nest::along ? number - outer * across : (bundle - outer * across) * W + threadIdx.x % W;
    part = blockIdx.x % n_parts;
    row = Nest::along ? threadIdx.x % rows : threadIdx.x / W;
    set = outer * n[4] + inner;
    exists = inner < n[4] && set < a.n;
    base = outer / n[2] * stride[0] + outer % n[2] * stride[2] + inner * stride[4];
    first = part * a.part;
    end = first + a.part < a.elements ? first + a.part : a.elements;
    if (!exists)
      end = first;
  }

  /* Where element e of the set is. */
  __device__ __forceinline__ SeamSize
  find (SeamSize e) const
  {
    const SeamSize *n = a.sets.sizes, *stride = a.sets.strides;
    if constexpr (Nest::flat)
      return base + e * stride[n[5] > 1 ? 5 : n[3] > 1 ? 3 : 1];
    const Index row_of_5 = (Index)e / (Index)n[5], row_of_3 = row_of_5 / (Index)n[3];
    return base + row_of_3 * stride[1] + (row_of_5 - row_of_3 * (Index)n[3]) * stride[3]
           + ((Index)e - row_of_5 * (Index)n[5]) * stride[5];
  }

  /* Calls `visit` (offset, V values) for the elements of this thread. */
  template <typename Visit>
  __device__ __forceinline__ void
  for_each (Visit visit) const
  {
    constexpr int V = Nest::vector;
#pragma unroll 4
    for (SeamSize e = first + row * V; e < end; e += rows * V) {
      const SeamSize at = find (e);
      float x[V];
      seam_nest_load<Nest::x_type> (x, a.inputs[0], at);
      Nest::head (a, at, x);
      visit (at, x);
    }
  }
};

__device__ __forceinline__ SeamPart
seam_nest_exchange (const SeamPart &part, int lane)
{
  return { __shfl_xor_sync (0xffffffffu, part.f, lane), __shfl_xor_sync (0xffffffffu, part.s, lane),
           __shfl_xor_sync (0xffffffffu, part.n, lane) };
}

/* The merged parts of all rows of a set, known to all its threads. */
template <typename Nest, int W>
__device__ __forceinline__ SeamPart
seam_nest_reduce (SeamPart value)
{
  constexpr SeamReduction R = Nest::reduction;
  if constexpr (Nest::along || W == SEAM_NEST_THREADS) {
#pragma unroll
    for (int step = SEAM_NEST_THREADS / W / 2; step > 0; step /= 2)
      value = seam_nest_join<R> (value, seam_nest_exchange (value, step));
    return value;
  }
  __shared__ SeamPart shared[SEAM_NEST_THREADS];
  __syncthreads (); /* all have read what was there */
  shared[threadIdx.x] = value;
  __syncthreads ();
  for (int step = SEAM_NEST_THREADS / W / 2; step > 0; step /= 2) {
    if ((int)threadIdx.x / W < step)
      shared[threadIdx.x] = seam_nest_join<R> (shared[threadIdx.x], shared[threadIdx.x + step * W]);
    __syncthreads ();
  }
  return shared[threadIdx.x % W];
}

/* The weight's index of the element at `at`. */
template <typename Nest>
__device__ __forceinline__ SeamSize
seam_nest_affine (const SeamNestArguments &a, SeamSize at)
{
  typedef typename Nest::Index Index;
  const Index index = a.affine_inner == 1 ? (Index)at : (Index)at / (Index)a.affine_inner;
  return a.affine_count == 1 ? 0 : index % (Index)a.affine_count;
}

/* Writes the elements of this thread, for a normalisation whose whole set is `whole`. */
template <typename Nest, int W>
__device__ __forceinline__ void
seam_nest_normalise (const SeamNestPlace<Nest, W> &place, const SeamPart &whole)
{
  const SeamNestArguments &a = place.a;
  constexpr int V = Nest::vector;
  const float f = (float)(Nest::reduction == SEAM_REDUCTION_NORM ? whole.f / whole.n : whole.f);
  const float s =
      (float)(Nest::reduction == SEAM_REDUCTION_NORM ? 1 / sqrt (whole.s / whole.n + a.epsilon)
                                                     : whole.s);
  place.for_each ([&] (SeamSize at, const float (&x)[V]) {
    float y[V];
#pragma unroll
    for (int e = 0; e < V; e++)
      if constexpr (Nest::reduction == SEAM_REDUCTION_NORM) {
        const SeamSize index = a.weight == nullptr ? 0 : seam_nest_affine<Nest> (a, at + e);
        y[e] = seam_op_normalize (x[e], f, s, a.weight != nullptr ? __ldg (a.weight + index) : 1.0f,
                                  a.bias != nullptr ? __ldg (a.bias + index) : 0.0f);
      } else {
        y[e] = seam_op_share (x[e], f, s);
      }
    seam_nest_store<Nest::y_type> (a.output, at, y);
  });
}

template <typename Nest>
__device__ __forceinline__ constexpr bool
seam_nest_normalises ()
{
  return Nest::reduction == SEAM_REDUCTION_NORM || Nest::reduction == SEAM_REDUCTION_SOFTMAX;
}

/* All of the sets if they have one part, else the results of the parts. */
template <typename Nest, int W>
__device__ __forceinline__ void
seam_nest_sets (const SeamNestArguments &a)
{
  constexpr SeamReduction R = Nest::reduction;
  constexpr int V = Nest::vector;
  const SeamNestPlace<Nest, W> place (a, false);
  SeamNestSums<R> sums;

  place.for_each ([&] (SeamSize, const float (&x)[V]) {
#pragma unroll
    for (int e = 0; e < V; e++)
      sums.add ((double)x[e]);
  });
  const SeamPart own = seam_nest_reduce<Nest, W> (sums.get ());
  if (a.n_parts > 1) {
    if (place.row == 0 && place.exists) {
      double *const to = a.partials + (place.set * a.n_parts + place.part) * 2;
      to[0] = own.f;
      to[1] = own.s;
    }
  } else if constexpr (seam_nest_normalises<Nest> ()) {
    seam_nest_normalise (place, own);
  } else if (place.row == 0 && place.exists) {
    const float y[1] = { (float)seam_nest_result<R> (own.f, own.s, own.n) };
    seam_nest_store<Nest::y_type> (a.output, place.set, y);
  }
}

/* The whole of the sets, from their parts; the elements of one part each, or the reduction's
 * result. */
template <typename Nest, int W>
__device__ __forceinline__ void
seam_nest_finish (const SeamNestArguments &a)
{
  constexpr SeamReduction R = Nest::reduction;
  const SeamNestPlace<Nest, W> place (a, !seam_nest_normalises<Nest> ());
  SeamPart own = { seam_nest_start<R> (), 0, 0 };

  for (unsigned int i = place.row; i < a.n_parts && place.exists; i += place.rows) {
    const double *const from = a.partials + (place.set * a.n_parts + i) * 2;
    const SeamSize left = a.elements - i * a.part;
    own = seam_nest_join<R> (own, { from[0], from[1], (double)(left < a.part ? left : a.part) });
  }
  own = seam_nest_reduce<Nest, W> (own);
  if constexpr (seam_nest_normalises<Nest> ()) {
    seam_nest_normalise (place, own);
  } else if (place.row == 0 && place.exists) {
    const float y[1] = { (float)seam_nest_result<R> (own.f, own.s, own.n) };
    seam_nest_store<Nest::y_type> (a.output, place.set, y);
  }
}

/* A normalisation whose statistics are given. */
template <typename Nest>
__device__ __forceinline__ void
seam_nest_given (const SeamNestArguments &a)
{
  const SeamSize i = (SeamSize)blockIdx.x * SEAM_NEST_THREADS + threadIdx.x;
  if (i >= a.n)
    return;
  const SeamSize index = seam_nest_affine<Nest> (a, i);
  const float rstd = (float)(1 / sqrt ((double)__ldg (a.variance + index) + a.epsilon));
  float x[1];
  seam_nest_load<Nest::x_type> (x, a.inputs[0], i);
  Nest::head (a, i, x);
  const float y[1] = { seam_op_normalize (x[0], __ldg (a.mean + index), rstd,
                                          a.weight != nullptr ? __ldg (a.weight + index) : 1.0f,
                                          a.bias != nullptr ? __ldg (a.bias + index) : 0.0f) };
  seam_nest_store<Nest::y_type> (a.output, i, y);
}

/* --- Windows and convolutions: a thread an output --- */

/* The indices of an output along the three axes; returns that of its plane. */
template <typename Index>
__device__ __forceinline__ Index
seam_nest_unravel (Index i, const SeamSize (&sizes)[3], SeamSize (&at)[3])
{
#pragma unroll
  for (int axis = 2; axis >= 0; axis--) {
    const Index next = i / (Index)sizes[axis];
    at[axis] = i - next * (Index)sizes[axis];
    i = next;
  }
  return i;
}

template <typename Nest>
__device__ __forceinline__ void
seam_nest_window (const SeamNestArguments &a)
{
  const SeamWindow &w = a.window;
  const SeamSize i = (SeamSize)blockIdx.x * SEAM_NEST_THREADS + threadIdx.x;
  SeamSize at[3], begin[3], end[3], padded = 1, inside = 1;
  if (i >= a.n)
    return;
  const SeamSize plane = seam_nest_unravel ((typename Nest::Index)i, w.out, at);
#pragma unroll
  for (int axis = 0; axis < 3; axis++) {
    const SeamSize from = at[axis] * w.stride[axis] - w.padding[axis];
    const SeamSize most = w.in[axis] + w.padding[axis];
    const SeamSize to = from + w.kernel[axis] < most ? from + w.kernel[axis] : most;
    begin[axis] = from < 0 ? 0 : from;
    end[axis] = to < w.in[axis] ? to : w.in[axis];
    padded *= to - from;
    inside *= end[axis] - begin[axis];
  }
  constexpr bool is_largest = Nest::reduction == SEAM_REDUCTION_LARGEST;
  float f = is_largest ? -(float)SEAM_INFINITY : 0.0f;
  for (SeamSize d = begin[0]; d < end[0]; d++)
    for (SeamSize h = begin[1]; h < end[1]; h++) {
      const SeamSize row = ((plane * w.in[0] + d) * w.in[1] + h) * w.in[2];
      for (SeamSize q = begin[2]; q < end[2]; q++) {
        const float x = seam_nest_read<Nest::x_type> (a.inputs[0], row + q);
        f = is_largest ? SEAM_LARGER (x, f) : f + x;
      }
    }
  const float y[1] = { is_largest ? f : f / (float)(w.counts_padding ? padded : inside) };
  seam_nest_store<Nest::y_type> (a.output, i, y);
}

/* Straight from the definition: what checks a library's algorithm, and runs where it has none. */
template <typename Nest>
__device__ __forceinline__ void
seam_nest_convolution (const SeamNestArguments &a)
{
  const SeamGeneral &g = a.general;
  const SeamSize i = (SeamSize)blockIdx.x * SEAM_NEST_THREADS + threadIdx.x;
  SeamSize at[3];
  if (i >= a.n)
    return;
  const SeamSize plane = seam_nest_unravel ((typename Nest::Index)i, g.out, at);
  const SeamSize sample = plane / g.k, channel = plane - sample * g.k;
  const SeamSize taps = g.kernel[0] * g.kernel[1] * g.kernel[2];
  float sum = 0;
  for (SeamSize c = 0; c < g.c; c++) {
    const SeamSize filter = (g.is_transposed ? c * g.k + channel : channel * g.c + c) * taps;
    SeamSize tap = 0;
    for (SeamSize t = 0; t < g.kernel[0]; t++)
      for (SeamSize r = 0; r < g.kernel[1]; r++)
        for (SeamSize s = 0; s < g.kernel[2]; s++, tap++) {
          const SeamSize shifts[3] = { t, r, s };
          SeamSize from = sample * g.c + c;
          bool exists = true;
#pragma unroll
          for (int axis = 0; axis < 3; axis++) {
            const SeamSize shift = shifts[axis];
            SeamSize index = g.is_transposed ? at[axis] + g.padding[axis] - shift
                                             : at[axis] * g.stride[axis] + shift - g.padding[axis];
            exists = exists && index >= 0;
            if (g.is_transposed) {
              exists = exists && index % g.stride[axis] == 0;
              index /= g.stride[axis];
            }
            exists = exists && index < g.in[axis];
            from = from * g.in[axis] + index;
          }
          if (exists)
            sum = fmaf (seam_nest_read<Nest::x_type> (a.inputs[0], from),
                        seam_nest_read<Nest::t_type> (a.inputs[1], filter + tap), sum);
        }
  }
  const float y[1] = { sum };
  seam_nest_store<Nest::y_type> (a.output, i, y);
}

#endif
