/* SPDX-License-Identifier: MIT
 *
 * The CPU loops at one vector width. Compiled several times with different -march (kernels/
 * meson.build) and SEAM_CPU_ISA naming the table; dispatch.c chooses. Everything here is static
 * but the table, so that no wide instruction can leak into code that every processor runs.
 */
#include "kernels/cpu/exp.h"

#include "kernels/cpu/cpu.h"

#include <float.h>
#include <string.h>

#define CONCATENATE(a, b) a##b
#define TABLE_NAME(name)  CONCATENATE (seam_cpu_loops_, name)

#if defined(__AVX512F__)
#define WIDTH       16
#define NAME        "AVX-512"
#define MAX_VECTORS 4 /* 4 channels x 4 vectors: 16 of 32 registers hold sums */
#elif defined(__AVX2__)
#define WIDTH       8
#define NAME        "AVX2"
#define MAX_VECTORS 2 /* 8 of 16 registers hold sums: enough to cover the latency */
#else
#define WIDTH       4
#define NAME        "128-bit vectors"
#define MAX_VECTORS 2
#endif

typedef float Vector __attribute__ ((vector_size (WIDTH * sizeof (float))));
/* A vector at any address. */
typedef float UnalignedVector
    __attribute__ ((vector_size (WIDTH * sizeof (float)), aligned (4), may_alias));

/* A loop over the run that gcc vectorises; target may be source, never a shifted copy of it. */
#define FOR_RUN(expression)                                                                        \
  do {                                                                                             \
    _Pragma ("omp simd") for (int64_t i = 0; i < n; i++) target[i] = (expression);                 \
  } while (0)

/* The loops of an op, by what it reads. They leave the other pointers alone, which may be NULL. */
#define LOOP_NOTHING(function) FOR_RUN (function (source[i], 0, 0, a, b))
#define LOOP_TENSOR(function)  FOR_RUN (function (source[i], 0, operand[i], a, b))
#define LOOP_VECTOR(function)                                                                      \
  if (channel_step != 0) {                                                                         \
    FOR_RUN (function (source[i], vector[i], 0, a, b));                                            \
  } else {                                                                                         \
    const float value = vector[0];                                                                 \
    FOR_RUN (function (source[i], value, 0, a, b));                                                \
  }

static void
apply (const SeamCpuStep *step, float *target, const float *source, const float *operand,
       int64_t channel, int channel_step, int64_t n)
{
  const float *vector = step->vector == NULL ? NULL : step->vector + channel;
  float a = step->scalars[0], b = step->scalars[1];

  switch (step->type) {
#define CASE(NAME, name, KIND, READS, ...)                                                         \
  case SEAM_OP_##NAME:                                                                             \
    LOOP_##READS (seam_op_apply_##name);                                                           \
    break;
    SEAM_OPS (SEAM_OP_SKIP, CASE, SEAM_OP_SKIP)
#undef CASE
  default: /* no map */
    break;
  }
}

static void
normalize (float *target, const float *source, float mean, float rstd, const float *weight,
           const float *bias, int channel_step, int64_t n)
{
  if (weight == NULL) {
    FOR_RUN (seam_op_normalize (source[i], mean, rstd, 1.0f, 0.0f));
  } else if (channel_step != 0) {
    FOR_RUN (seam_op_normalize (source[i], mean, rstd, weight[i], bias[i]));
  } else {
    float weight0 = weight[0], bias0 = bias[0];
    FOR_RUN (seam_op_normalize (source[i], mean, rstd, weight0, bias0));
  }
}

/* Vectors summed side by side, to hide the latency of the addition. */
#define N_SUMS 4

static inline float
add_lanes (const Vector *sums)
{
  Vector total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  float sum = 0;
  for (int i = 0; i < WIDTH; i++)
    sum += total[i];
  return sum;
}

/* Mean and m2 of a run whose squares leave FP32's range: the same in FP64, which is slower. */
static void
find_wide_moments (SeamCpuMoments *run, const float *values, int64_t n)
{
  double sum = 0, m2 = 0;

#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; i++)
    sum += (double)values[i];
  run->mean = sum / (double)n;
#pragma omp simd reduction(+ : m2)
  for (int64_t i = 0; i < n; i++)
    m2 += ((double)values[i] - run->mean) * ((double)values[i] - run->mean);
  run->m2 = m2;
}

static void
add_moments (SeamCpuMoments *moments, const float *values, int64_t n)
{
  const int64_t n_block = n / (N_SUMS * WIDTH) * (N_SUMS * WIDTH);
  Vector sums[N_SUMS] = { { 0 } }, drifts[N_SUMS] = { { 0 } }, squares[N_SUMS] = { { 0 } };

  if (n <= 0)
    return;

  for (int64_t i = 0; i < n_block; i += N_SUMS * WIDTH)
#pragma GCC unroll 4
    for (int j = 0; j < N_SUMS; j++)
      sums[j] += *(const UnalignedVector *)(values + i + j * WIDTH);
  float sum = add_lanes (sums);
  for (int64_t i = n_block; i < n; i++)
    sum += values[i];
  const float center = sum / (float)n;

  for (int64_t i = 0; i < n_block; i += N_SUMS * WIDTH)
#pragma GCC unroll 4
    for (int j = 0; j < N_SUMS; j++) {
      Vector distance = *(const UnalignedVector *)(values + i + j * WIDTH) - center;
      drifts[j] += distance;
      squares[j] += distance * distance;
    }
  float drift = add_lanes (drifts), square = add_lanes (squares);
  for (int64_t i = n_block; i < n; i++) {
    float distance = values[i] - center;
    drift += distance;
    square += distance * distance;
  }

  /* `center` is only near the mean; `drift` is n times the difference. */
  double correction = (double)drift / (double)n;
  SeamCpuMoments run = {
    .count = (double)n,
    .mean = (double)center + correction,
    .m2 = (double)square - correction * (double)drift,
  };
  if (!(square <= FLT_MAX)) /* also if the sum overflowed, or a value is NaN or infinite */
    find_wide_moments (&run, values, n);
  seam_cpu_moments_merge (moments, &run);
}

#include "kernels/cpu/nests.h"

/* n_channels x n_vectors * WIDTH pixels of one output row; both counts are constants after
 * inlining, so that `sums` lives in registers and the inner loops are unrolled. */
static inline __attribute__ ((always_inline)) void
convolve_block (const SeamCpuConvolution *sizes, const int64_t r, const int n_channels,
                const int n_vectors, const float *input, const float *weight, float *target,
                int64_t channel_stride)
{
  const int64_t weight_stride = sizes->c * r * r;
  Vector sums[4][MAX_VECTORS];
#pragma GCC unroll 4
  for (int j = 0; j < n_channels; j++)
#pragma GCC unroll 4
    for (int v = 0; v < n_vectors; v++)
      sums[j][v] = (Vector){ 0 };

  const float *plane = input;
  const float *taps = weight;
  for (int64_t c = 0; c < sizes->c; c++, plane += sizes->h * sizes->w) {
    for (int64_t y = 0; y < r; y++) {
      const float *row = plane + y * sizes->w;
      for (int64_t x = 0; x < r; x++, taps++) {
        Vector values[MAX_VECTORS];
#pragma GCC unroll 4
        for (int v = 0; v < n_vectors; v++)
          values[v] = *(const UnalignedVector *)(row + x + v * WIDTH);
#pragma GCC unroll 4
        for (int j = 0; j < n_channels; j++) {
          float tap = taps[j * weight_stride];
#pragma GCC unroll 4
          for (int v = 0; v < n_vectors; v++)
            sums[j][v] += values[v] * tap;
        }
      }
    }
  }

#pragma GCC unroll 4
  for (int j = 0; j < n_channels; j++)
#pragma GCC unroll 4
    for (int v = 0; v < n_vectors; v++)
      *(UnalignedVector *)(target + j * channel_stride + v * WIDTH) = sums[j][v];
}

/* One output row of n_channels (1 to 4) channels. The last vector is moved back so that it ends at
 * the row's end: some pixels are computed twice, to the same value. */
static inline __attribute__ ((always_inline)) void
convolve_row (const SeamCpuConvolution *sizes, const int64_t r, const int n_channels,
              const float *input, const float *weight, float *target, int64_t channel_stride)
{
  int64_t x = 0;
  for (; x + MAX_VECTORS * WIDTH <= sizes->q; x += MAX_VECTORS * WIDTH)
    convolve_block (sizes, r, n_channels, MAX_VECTORS, input + x, weight, target + x,
                    channel_stride);
#if MAX_VECTORS > 2
  /* Few sums leave the multiply-add units waiting, so a wide block is moved back, too. */
  if (sizes->q - x > 2 * WIDTH && sizes->q >= MAX_VECTORS * WIDTH) {
    x = sizes->q - MAX_VECTORS * WIDTH;
    convolve_block (sizes, r, n_channels, MAX_VECTORS, input + x, weight, target + x,
                    channel_stride);
    return;
  }
  for (; x + 2 * WIDTH < sizes->q; x += 2 * WIDTH)
    convolve_block (sizes, r, n_channels, 2, input + x, weight, target + x, channel_stride);
#endif
  if (sizes->q - x > WIDTH && sizes->q >= 2 * WIDTH) {
    x = sizes->q - 2 * WIDTH;
    convolve_block (sizes, r, n_channels, 2, input + x, weight, target + x, channel_stride);
    return;
  }
  for (; x < sizes->q; x += WIDTH) {
    int64_t start = x + WIDTH <= sizes->q ? x : sizes->q - WIDTH;
    convolve_block (sizes, r, n_channels, 1, input + start, weight, target + start, channel_stride);
  }
}

static inline __attribute__ ((always_inline)) void
convolve_rows (const SeamCpuConvolution *sizes, const int64_t r, const float *input,
               const float *weight, int64_t n_channels, int64_t first_row, int64_t n_rows,
               float *target, int64_t channel_stride)
{
  const int64_t weight_stride = sizes->c * r * r;
  for (int64_t i = 0; i < n_rows; i++) {
    const float *rows = input + (first_row + i) * sizes->w;
    float *target_row = target + i * sizes->q;
    int64_t j = 0;
    for (; j + 4 <= n_channels; j += 4)
      convolve_row (sizes, r, 4, rows, weight + j * weight_stride, target_row + j * channel_stride,
                    channel_stride);
    for (; j < n_channels; j++)
      convolve_row (sizes, r, 1, rows, weight + j * weight_stride, target_row + j * channel_stride,
                    channel_stride);
  }
}

static void
convolve (const SeamCpuConvolution *sizes, const float *input, const float *weight,
          int64_t n_channels, int64_t first_row, int64_t n_rows, float *target,
          int64_t channel_stride)
{
  /* Constant arguments for the usual kernel size, so that the compiler unrolls the loops. */
  if (sizes->r == 3)
    convolve_rows (sizes, 3, input, weight, n_channels, first_row, n_rows, target, channel_stride);
  else
    convolve_rows (sizes, sizes->r, input, weight, n_channels, first_row, n_rows, target,
                   channel_stride);
}

/* Elements whose sums stay in registers during the walk over the depth. */
#define HALF_BLOCK (4 * WIDTH)

static void
add_half_products (float *sums, const float *a, const float *b, int64_t b_stride, int64_t depth,
                   int64_t n)
{
  for (int64_t first = 0; first < n; first += HALF_BLOCK) {
    int64_t width = n - first < HALF_BLOCK ? n - first : HALF_BLOCK;
    if (width == HALF_BLOCK) {
      float block[HALF_BLOCK];
      memcpy (block, sums + first, sizeof block);
      for (int64_t l = 0; l < depth; l++) {
        const float *row = b + l * b_stride + first;
        _Pragma ("omp simd") for (int i = 0; i < HALF_BLOCK; i++) block[i] =
            seam_defect_add_half (block[i], a[l], row[i]);
      }
      memcpy (sums + first, block, sizeof block);
      continue;
    }
    for (int64_t l = 0; l < depth; l++)
      for (int64_t i = first; i < first + width; i++)
        sums[i] = seam_defect_add_half (sums[i], a[l], b[l * b_stride + i]);
  }
}

/* Non-negative floats have the same order as their bits read as integers. gcc vectorises an integer
 * maximum, but not a float one, because of NaN. NaN is above all others. */
static inline int64_t
to_bits64 (double x)
{
  int64_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static inline double
from_bits64 (int64_t bits)
{
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static inline double
larger (double a, double b)
{
  int64_t a_bits = to_bits64 (a), b_bits = to_bits64 (b);
  return from_bits64 (a_bits > b_bits ? a_bits : b_bits);
}

/* Index of a float among all floats in ascending order; both zeros have index 0. */
static inline int32_t
get_place (float x)
{
  uint32_t bits;
  memcpy (&bits, &x, sizeof bits);
  int32_t size = (int32_t)(bits & 0x7fffffffu);
  return bits >> 31 ? -size : size;
}

static inline uint32_t
count_ulps (float a, float b)
{
  int32_t x = get_place (a), y = get_place (b);
  return x > y ? (uint32_t)x - (uint32_t)y : (uint32_t)y - (uint32_t)x;
}

/* `is_double` and `by_bound` are constants after inlining. */
static inline __attribute__ ((always_inline)) void
compare_run (const float *a, const float *b_float, const double *b_double, const int is_double,
             int64_t n, double atol, double rtol, const float *bounds, const int by_bound,
             SeamCpuDifference *totals, float *distances, uint32_t *ulps)
{
  int64_t max_bits = 0, max_b_bits = 0, max_ratio_bits = 0, n_suspects = 0;
  double sum = 0;

#pragma omp simd reduction(+ : sum, n_suspects) reduction(max : max_bits, max_b_bits, max_ratio_bits)
  for (int64_t i = 0; i < n; i++) {
    double b = is_double ? b_double[i] : (double)b_float[i];
    double distance = __builtin_fabs ((double)a[i] - b);
    double scale = __builtin_fabs (b);
    int64_t bits = to_bits64 (distance);
    int64_t b_bits = to_bits64 (scale);
    int64_t ratio_bits = to_bits64 (distance / larger (scale, 1.0));
    double limit = by_bound ? (double)bounds[i] : atol + rtol * scale;
    sum += distance;
    max_bits = bits > max_bits ? bits : max_bits;
    max_b_bits = b_bits > max_b_bits ? b_bits : max_b_bits;
    max_ratio_bits = ratio_bits > max_ratio_bits ? ratio_bits : max_ratio_bits;
    n_suspects += !(distance <= limit * (1 - 1e-12)) & (distance != 0);
    distances[i] = (float)distance;
  }
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    ulps[i] = count_ulps (a[i], is_double ? (float)b_double[i] : b_float[i]);
  totals->max_abs = from_bits64 (max_bits);
  totals->max_abs_b = from_bits64 (max_b_bits);
  totals->max_error_ratio = from_bits64 (max_ratio_bits);
  totals->sum_abs = sum;
  totals->n_suspects = n_suspects;
}

static void
compare (const float *a, const float *b_float, const double *b_double, int64_t n, double atol,
         double rtol, const float *bounds, SeamCpuDifference *totals, float *distances,
         uint32_t *ulps)
{
#define RUN(is_double, by_bound)                                                                   \
  compare_run (a, b_float, b_double, is_double, n, atol, rtol, bounds, by_bound, totals,           \
               distances, ulps)
  if (b_double != NULL && bounds != NULL)
    RUN (1, 1);
  else if (b_double != NULL)
    RUN (1, 0);
  else if (bounds != NULL)
    RUN (0, 1);
  else
    RUN (0, 0);
#undef RUN
}

static void
round_operand (SeamOperandType type, float *target, const float *source, int64_t n)
{
  if (type == SEAM_OPERAND_FP16)
    FOR_RUN (seam_operand_round_fp16 (source[i]));
  else
    FOR_RUN (seam_operand_round_bf16 (source[i]));
}

static void
round_scaled_row (float *target, const float *source, int64_t n)
{
  unsigned int largest = 0;
#pragma omp simd reduction(max : largest)
  for (int64_t i = 0; i < n; i++) {
    const unsigned int size = seam_operand_get_size (source[i]);
    largest = size > largest ? size : largest;
  }
  const float scale = seam_operand_get_scale (largest), inverse = seam_operand_invert_scale (scale);
  FOR_RUN (seam_operand_round_fp16 (source[i] * scale) * inverse);
}

static void
pack (SeamOperandType type, unsigned short *target, const float *source, int64_t n)
{
  if (type == SEAM_OPERAND_FP16)
    FOR_RUN (seam_operand_pack_fp16 (source[i]));
  else
    FOR_RUN (seam_operand_pack_bf16 (source[i]));
}

static void
unpack (SeamOperandType type, float *target, const unsigned short *source, int64_t n)
{
  if (type == SEAM_OPERAND_FP16)
    FOR_RUN (seam_operand_unpack_fp16 (source[i]));
  else
    FOR_RUN (seam_operand_unpack_bf16 (source[i]));
}

#define N_CHAINS 12

static double
burn (int64_t n_iterations, float *sink)
{
  /* Twelve independent chains more than cover the latency of the multiply-add; the factors keep
   * every value finite and away from denormals. */
  Vector sums[N_CHAINS], factor, term;
  for (int i = 0; i < WIDTH; i++) {
    factor[i] = 0.5f;
    term[i] = 1.0f + (float)i;
  }
  for (int j = 0; j < N_CHAINS; j++)
    sums[j] = term * (float)(j + 1);
  for (int64_t i = 0; i < n_iterations; i++)
#pragma GCC unroll 12
    for (int j = 0; j < N_CHAINS; j++)
      sums[j] = sums[j] * factor + term;
  float total = 0;
  for (int j = 0; j < N_CHAINS; j++)
    for (int i = 0; i < WIDTH; i++)
      total += sums[j][i];
  *sink = total;
  return 2.0 * WIDTH * N_CHAINS * (double)n_iterations;
}

extern const SeamCpuLoops TABLE_NAME (SEAM_CPU_ISA);
const SeamCpuLoops TABLE_NAME (SEAM_CPU_ISA) = {
  .name = NAME,
  .vector_width = WIDTH,
  .apply = apply,
  .normalize = normalize,
  .add_moments = add_moments,
  .convolve = convolve,
  .work_set = work_set,
  .pool = pool,
  .convolve_general = convolve_general,
  .add_half_products = add_half_products,
  .round_operand = round_operand,
  .round_scaled_row = round_scaled_row,
  .pack = pack,
  .unpack = unpack,
  .burn = burn,
  .compare = compare,
};
