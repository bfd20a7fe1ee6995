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
 *   affine                   of a normalisation: where an element's weight is (SeamNestAffine)
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

template <SeamReduction R, typename T>
__device__ __forceinline__ T
seam_nest_step (T f, T x)
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

/* 1 / n to 48 bits, for a whole n: a quotient in double is 10 times as long. */
__device__ __forceinline__ double
seam_nest_invert (double n)
{
  const double about = (double)(1.0f / (float)n);
  return about * (2 - n * about);
}

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
    const double distance = b.f * a.n - a.f * b.n; /* of the means, times both counts */
    to.s += distance * distance * seam_nest_invert (a.n * b.n * to.n);
  } else if constexpr (seam_nest_passes<R> () == 2) {
    to.s = (a.f == to.f ? a.s : a.s * (double)SEAM_EXP ((float)(a.f - to.f)))
           + (b.f == to.f ? b.s : b.s * (double)SEAM_EXP ((float)(b.f - to.f)));
  }
  return to;
}

/* Both sums of the elements that a thread sees, U vectors of V at a time. Within such a block the
 * sums are FP32 numbers, which err by a few units in the last place; blocks are added in double,
 * because conversions and exponential functions of each element would take longer than memory. */
template <SeamReduction R, int U, int V> struct SeamNestSums {
  SeamPart own = { seam_nest_start<R> (), 0, 0 };
  float shift = 0; /* of a norm: its first element, since squares of distances lose no digits */

  /* Calls `visit` for the elements of the first `n` vectors. */
  template <typename Visit>
  static __device__ __forceinline__ void
  for_each (const float (&x)[U][V], int n, Visit visit)
  {
#pragma unroll
    for (int u = 0; u < U; u++)
      if (u < n) {
#pragma unroll
        for (int e = 0; e < V; e++)
          visit (x[u][e], e);
      }
  }

  __device__ __forceinline__ void
  add_norm (const float (&x)[U][V], int n)
  {
    float sum = 0, square = 0;
    if (own.n == 0)
      shift = x[0][0];
    for_each (x, n, [&] (float of, int) {
      const float distance = of - shift;
      sum += distance;
      square = fmaf (distance, distance, square);
    });
    if (square > 1e-30f && square < 1e30f) {
      own.f += (double)sum;
      own.s += (double)square;
      return;
    }
    for_each (x, n, [&] (float of, int) {
      const double distance = (double)of - (double)shift;
      own.f += distance;
      own.s += distance * distance;
    });
  }

  __device__ __forceinline__ void
  add_exponentials (const float (&x)[U][V], int n)
  {
    float largest = (float)own.f, sum[V] = {};
    for_each (x, n, [&] (float of, int) { largest = fmaxf (largest, of); });
    if (largest > (float)own.f) {
      if (own.s != 0)
        own.s *= (double)SEAM_EXP ((float)own.f - largest);
      own.f = (double)largest;
    }
    const float from = largest == -(float)SEAM_INFINITY ? 0 : largest;
    for_each (x, n, [&] (float of, int e) { sum[e] += SEAM_EXP (of - from); });
#pragma unroll
    for (int e = 0; e < V; e++)
      own.s += (double)sum[e];
  }

  __device__ __forceinline__ void
  add (const float (&x)[U][V], int n)
  {
    if constexpr (R == SEAM_REDUCTION_NORM) {
      add_norm (x, n);
    } else if constexpr (seam_nest_passes<R> () == 2) {
      add_exponentials (x, n);
    } else if constexpr (R == SEAM_REDUCTION_LARGEST || R == SEAM_REDUCTION_SMALLEST) {
      float f = (float)own.f;
      for_each (x, n, [&] (float of, int) { f = seam_nest_step<R> (f, of); });
      own.f = (double)f;
    } else {
      for_each (x, n, [&] (float of, int) { own.f = seam_nest_step<R> (own.f, (double)of); });
    }
    own.n += n * V;
  }

  /* As seam_nest_join() reads it. */
  __device__ __forceinline__ SeamPart
  get () const
  {
    SeamPart part = own;

    if constexpr (R == SEAM_REDUCTION_NORM) {
      if (part.n > 0)
        part.s -= part.f * part.f * seam_nest_invert (part.n);
      part.f += (double)shift * part.n;
    }
    return part;
  }
};

/* Which sets and elements a thread has. W: sets of a block, side by side; each has `rows` threads,
 * neighbours with Nest::along, else W apart. */
template <typename Nest, int W> struct SeamNestPlace {
  typedef typename Nest::Index Index;
  static constexpr int rows = SEAM_NEST_THREADS / W;
  static constexpr int V = Nest::vector, U = V == 4 ? 4 : 8; /* vectors under way */
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
    const Index n4 = (Index)n[4], n2 = (Index)n[2], bundle = blockIdx.x / n_parts;
    /* Without `along`, each row of n[4] neighbouring sets is cut into bundles of W. */
    const Index across = Nest::along ? n4 : (n4 + W - 1) / W;
    const Index number = Nest::along ? bundle * W + threadIdx.x / rows : bundle;
    const Index outer = number / across;
    const Index inner =
        Nest::along ? number - outer * across : (bundle - outer * across) * W + threadIdx.x % W;
    const Index row_of_2 = outer / n2;
    part = blockIdx.x % n_parts;
    row = Nest::along ? threadIdx.x % rows : threadIdx.x / W;
    set = outer * n[4] + inner;
    exists = inner < n4 && set < a.n;
    base = row_of_2 * stride[0] + (outer - row_of_2 * n2) * stride[2] + inner * stride[4];
    first = part * a.part;
    end = first + a.part < a.elements ? first + a.part : a.elements;
    if (!exists)
      end = first;
  }

  /* Calls `visit` (offsets, values, n) for the elements of this thread: n vectors of V each time,
   * at most U. Offsets of sets that are no sequence follow from those before without divisions: a
   * step is taken along all three reduced axes, and what exceeds an axis is carried to the next. */
  template <typename Visit>
  __device__ __forceinline__ void
  for_each (Visit visit) const
  {
    constexpr int each = rows * V;
    const SeamSize *const n = a.sets.sizes, *const stride = a.sets.strides;
    const Index n5 = (Index)n[5], n3 = (Index)n[3];
    Index i5 = 0, i3 = 0, step5 = 0, step3 = 0;
    SeamSize e = first + row * V, next, step;
    if constexpr (Nest::flat) {
      const SeamSize along = stride[n[5] > 1 ? 5 : n[3] > 1 ? 3 : 1];
      next = base + e * along;
      step = each * along;
    } else {
      const auto find = [&] (Index of, Index &at3, Index &at5) {
        const Index row_of_5 = of / n5, row_of_3 = row_of_5 / n3;
        at5 = of - row_of_5 * n5;
        at3 = row_of_5 - row_of_3 * n3;
        return row_of_3 * stride[1] + at3 * stride[3] + at5 * stride[5];
      };
      next = base + find ((Index)e, i3, i5);
      step = find (each, step3, step5);
    }
    while (e < end) {
      SeamSize at[U];
      float x[U][V];
      int count = 0;
#pragma unroll
      for (int u = 0; u < U; u++) {
        at[u] = next;
        if (e < end) {
          seam_nest_load<Nest::x_type> (x[u], a.inputs[0], next);
          count++;
        }
        e += each;
        next += step;
        if constexpr (!Nest::flat) {
          i5 += step5;
          i3 += step3;
          if (i5 >= n5) {
            i5 -= n5;
            i3++;
            next += stride[3] - n[5] * stride[5];
          }
          if (i3 >= n3) {
            i3 -= n3;
            next += stride[1] - n[3] * stride[3];
          }
        }
      }
#pragma unroll
      for (int u = 0; u < U; u++)
        if (u < count)
          Nest::head (a, at[u], x[u]);
      visit (at, x, count);
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

/* The weights of the vector at `at`, or `missing`; `of_set`: the index of the set's weight. */
template <typename Nest, int V>
__device__ __forceinline__ void
seam_nest_load_affine (float (&to)[V], const SeamNestArguments &a, const float *from, SeamSize at,
                       SeamSize of_set, float missing)
{
  const bool is_one = Nest::affine == SEAM_NEST_AFFINE_SET || Nest::affine == SEAM_NEST_AFFINE_RUN;
  if (from != nullptr && Nest::affine == SEAM_NEST_AFFINE_NEIGHBOURS) {
    seam_nest_load<SEAM_OPERAND_FP32> (to, from, seam_nest_affine<Nest> (a, at));
    return;
  }
  const SeamSize index =
      Nest::affine == SEAM_NEST_AFFINE_RUN ? seam_nest_affine<Nest> (a, at) : of_set;
  const float one = from != nullptr && is_one ? __ldg (from + index) : missing;
#pragma unroll
  for (int e = 0; e < V; e++)
    to[e] = from == nullptr || is_one ? one : __ldg (from + seam_nest_affine<Nest> (a, at + e));
}

/* 1 / sqrt (variance + epsilon), within 2 units in FP32's last place. */
__device__ __forceinline__ float
seam_nest_rstd (double variance, double epsilon)
{
  const double sum = variance + epsilon;
  return sum > 1e-30 && sum < 1e30 ? rsqrtf ((float)sum) : (float)(1 / sqrt (sum));
}

/* Writes the elements of this thread, for a normalisation whose whole set is `whole`. */
template <typename Nest, int W>
__device__ __forceinline__ void
seam_nest_normalise (const SeamNestPlace<Nest, W> &place, const SeamPart &whole)
{
  typedef SeamNestPlace<Nest, W> Place;
  const SeamNestArguments &a = place.a;
  constexpr int V = Place::V;
  constexpr bool is_norm = Nest::reduction == SEAM_REDUCTION_NORM;
  const double inverse = is_norm ? seam_nest_invert (whole.n) : 1;
  const float f = (float)(whole.f * inverse);
  const float s = is_norm ? seam_nest_rstd (whole.s * inverse, a.epsilon) : 1.0f / (float)whole.s;
  const SeamSize of_set = Nest::affine == SEAM_NEST_AFFINE_SET && place.exists
                              ? seam_nest_affine<Nest> (a, place.base)
                              : 0;
  place.for_each ([&] (const SeamSize (&at)[Place::U], const float (&x)[Place::U][V], int n) {
#pragma unroll
    for (int u = 0; u < Place::U; u++)
      if (u < n) {
        float y[V], weight[V], bias[V];
        if constexpr (is_norm) {
          seam_nest_load_affine<Nest> (weight, a, a.weight, at[u], of_set, 1.0f);
          seam_nest_load_affine<Nest> (bias, a, a.bias, at[u], of_set, 0.0f);
        }
#pragma unroll
        for (int e = 0; e < V; e++)
          if constexpr (is_norm)
            y[e] = seam_op_normalize (x[u][e], f, s, weight[e], bias[e]);
          else /* a quotient for each element would take longer than memory */
            y[e] = seam_op_share (x[u][e], f, 1.0f) * s;
        seam_nest_store<Nest::y_type> (a.output, at[u], y);
      }
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
  typedef SeamNestPlace<Nest, W> Place;
  constexpr SeamReduction R = Nest::reduction;
  const Place place (a, false);
  SeamNestSums<R, Place::U, Place::V> sums;

  place.for_each ([&] (const SeamSize (&)[Place::U], const float (&x)[Place::U][Place::V], int n) {
    sums.add (x, n);
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
  constexpr int V = Nest::vector;
  const SeamSize i = ((SeamSize)blockIdx.x * SEAM_NEST_THREADS + threadIdx.x) * V;
  float x[V], mean[V], variance[V], weight[V], bias[V], y[V];
  if (i >= a.n)
    return;
  seam_nest_load<Nest::x_type> (x, a.inputs[0], i);
  Nest::head (a, i, x);
  seam_nest_load_affine<Nest> (mean, a, a.mean, i, 0, 0.0f);
  seam_nest_load_affine<Nest> (variance, a, a.variance, i, 0, 1.0f);
  seam_nest_load_affine<Nest> (weight, a, a.weight, i, 0, 1.0f);
  seam_nest_load_affine<Nest> (bias, a, a.bias, i, 0, 0.0f);
#pragma unroll
  for (int e = 0; e < V; e++)
    y[e] = seam_op_normalize (x[e], mean[e], seam_nest_rstd ((double)variance[e], a.epsilon),
                              weight[e], bias[e]);
  seam_nest_store<Nest::y_type> (a.output, i, y);
}

/* --- Windows and convolutions: a thread an output --- */

/* The indices of an output along the three axes; returns that of its plane. */
template <typename Index, typename Signed>
__device__ __forceinline__ Index
seam_nest_unravel (Index i, const SeamSize (&sizes)[3], Signed (&at)[3])
{
#pragma unroll
  for (int axis = 2; axis >= 0; axis--) {
    const Index next = i / (Index)sizes[axis];
    at[axis] = i - next * (Index)sizes[axis];
    i = next;
  }
  return i;
}

/* Signed numbers of an index's size. */
template <typename Index> struct SeamNestSigned {
  typedef long Type;
};

template <> struct SeamNestSigned<unsigned int> {
  typedef int Type;
};

template <typename Nest>
__device__ __forceinline__ void
seam_nest_window (const SeamNestArguments &a)
{
  typedef typename SeamNestSigned<typename Nest::Index>::Type Signed;
  const SeamWindow &w = a.window;
  const SeamSize i = (SeamSize)blockIdx.x * SEAM_NEST_THREADS + threadIdx.x;
  Signed at[3], begin[3], end[3], padded = 1, inside = 1;
  if (i >= a.n)
    return;
  const Signed plane = (Signed)seam_nest_unravel ((typename Nest::Index)i, w.out, at);
#pragma unroll
  for (int axis = 0; axis < 3; axis++) {
    const Signed in = (Signed)w.in[axis], padding = (Signed)w.padding[axis];
    const Signed from = at[axis] * (Signed)w.stride[axis] - padding;
    const Signed whole = from + (Signed)w.kernel[axis], most = in + padding;
    const Signed to = whole < most ? whole : most;
    begin[axis] = from < 0 ? 0 : from;
    end[axis] = to < in ? to : in;
    padded *= to - from;
    inside *= end[axis] - begin[axis];
  }
  constexpr bool is_largest = Nest::reduction == SEAM_REDUCTION_LARGEST;
  float f = is_largest ? -(float)SEAM_INFINITY : 0.0f;
  for (Signed d = begin[0]; d < end[0]; d++)
    for (Signed h = begin[1]; h < end[1]; h++) {
      const Signed row = ((plane * (Signed)w.in[0] + d) * (Signed)w.in[1] + h) * (Signed)w.in[2];
      for (Signed q = begin[2]; q < end[2]; q++) {
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
