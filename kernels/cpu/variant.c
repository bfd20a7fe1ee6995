/* SPDX-License-Identifier: MIT
 *
 * The CPU loops at one vector width. Compiled several times with different -march (kernels/
 * meson.build) and SEAM_CPU_VARIANT naming the table; dispatch.c chooses. Everything here is static
 * but the table, so that no wide instruction can leak into code that every processor runs.
 */
#include <stdint.h>
#include <string.h>

/* exp() in FP32 without branches or a library call, so that gcc vectorises the loops around it.
 * Cody-Waite reduction x = n ln 2 + r, a polynomial of degree 6 on |r| <= ln 2 / 2 (Taylor, cut
 * error 1.3e-7 · 2^-3 relative), then 2^n in two factors so that the results next to overflow and
 * the denormal ones come out right. The comparisons let NaN through; +inf gives inf, -inf gives 0.
 */
static inline float
power_of_two (float biased) /* 1.5 * 2^23 + n, n in -127 .. 127 */
{
  uint32_t bits;
  memcpy (&bits, &biased, sizeof bits);
  bits = (bits << 23) + 0x3f800000u;
  float power;
  memcpy (&power, &bits, sizeof power);
  return power;
}

static inline float
vector_exp (float x)
{
  const float magic = 12582912.0f; /* 1.5 * 2^23: adding it rounds to an integer in the low bits */
  x = x < -104.0f ? -104.0f : x;   /* exp (-104) rounds to 0 */
  x = x > 89.0f ? 89.0f : x;       /* exp (89) is over FLT_MAX */
  float n = (x * 1.44269504f + magic) - magic;
  float r = x - n * 0.693359375f; /* ln 2 in two parts; n times the first is exact */
  r = r - n * -2.12194440e-4f;
  float half = (n * 0.5f + magic) - magic;
  float p = 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  return p * power_of_two (half + magic) * power_of_two ((n - half) + magic);
}

#define SEAM_EXP vector_exp
#include "kernels/cpu/cpu.h"

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
/* The same at any address. */
typedef float UnalignedVector
    __attribute__ ((vector_size (WIDTH * sizeof (float)), aligned (4), may_alias));

/* A loop over the run that gcc vectorises; target may be source, never a shifted copy of it. */
#define FOR_RUN(expression)                                                                        \
  do {                                                                                             \
    _Pragma ("omp simd") for (int64_t i = 0; i < n; i++) target[i] = (expression);                 \
  } while (0)

static void
apply (const SeamCpuStep *step, float *target, const float *source, const float *operand,
       int64_t channel, int channel_step, int64_t n)
{
  const float *vector = step->vector == NULL ? NULL : step->vector + channel;
  float a = step->scalars[0], b = step->scalars[1];

  switch (step->type) {
  case SEAM_OP_ADD_CHANNEL:
    if (channel_step != 0) {
      FOR_RUN (seam_op_add (source[i], vector[i]));
    } else {
      float value = vector[0];
      FOR_RUN (seam_op_add (source[i], value));
    }
    break;
  case SEAM_OP_MULTIPLY_CHANNEL:
    if (channel_step != 0) {
      FOR_RUN (seam_op_multiply (source[i], vector[i]));
    } else {
      float value = vector[0];
      FOR_RUN (seam_op_multiply (source[i], value));
    }
    break;
  case SEAM_OP_ADD_SCALAR:
    FOR_RUN (seam_op_add (source[i], a));
    break;
  case SEAM_OP_DIVIDE_SCALAR:
    FOR_RUN (seam_op_divide (source[i], a));
    break;
  case SEAM_OP_CLAMP:
    FOR_RUN (seam_op_clamp (source[i], a, b));
    break;
  case SEAM_OP_RELU:
    FOR_RUN (seam_op_relu (source[i]));
    break;
  case SEAM_OP_SIGMOID:
    FOR_RUN (seam_op_sigmoid (source[i]));
    break;
  case SEAM_OP_MULTIPLY_TENSOR:
    FOR_RUN (seam_op_multiply (source[i], operand[i]));
    break;
  case SEAM_OP_CONV2D:
  case SEAM_OP_MATMUL:
  case SEAM_OP_GROUPNORM:
  case SEAM_N_OP_TYPES:
    break;
  }
}

static void
normalize (float *target, const float *source, float mean, float rstd, const float *weight,
           const float *bias, int channel_step, int64_t n)
{
  if (channel_step != 0) {
    FOR_RUN (seam_op_normalize (source[i], mean, rstd, weight[i], bias[i]));
  } else {
    float weight0 = weight[0], bias0 = bias[0];
    FOR_RUN (seam_op_normalize (source[i], mean, rstd, weight0, bias0));
  }
}

static void
add_moments (SeamCpuMoments *moments, const float *values, int64_t n)
{
  if (n <= 0)
    return;

  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; i++)
    sum += values[i];
  float center = sum / (float)n;

  float drift = 0, squares = 0;
#pragma omp simd reduction(+ : drift, squares)
  for (int64_t i = 0; i < n; i++) {
    float distance = values[i] - center;
    drift += distance;
    squares += distance * distance;
  }

  /* `center` is only near the mean; `drift` is n times what is missing. */
  double correction = (double)drift / (double)n;
  SeamCpuMoments run = {
    .count = (double)n,
    .mean = (double)center + correction,
    .m2 = (double)squares - correction * (double)drift,
  };
  seam_cpu_moments_merge (moments, &run);
}

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
  /* The usual size gets its loops unrolled by the compiler. */
  if (sizes->r == 3)
    convolve_rows (sizes, 3, input, weight, n_channels, first_row, n_rows, target, channel_stride);
  else
    convolve_rows (sizes, sizes->r, input, weight, n_channels, first_row, n_rows, target,
                   channel_stride);
}

static double
burn (int64_t n_iterations, float *sink)
{
  /* Eight independent chains cover the latency of the multiply-add; the factors keep every value
   * finite and away from denormals. */
  Vector sums[8], factor, term;
  for (int i = 0; i < WIDTH; i++) {
    factor[i] = 0.5f;
    term[i] = 1.0f + (float)i;
  }
  for (int j = 0; j < 8; j++)
    sums[j] = term * (float)(j + 1);
  for (int64_t i = 0; i < n_iterations; i++)
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++)
      sums[j] = sums[j] * factor + term;
  float total = 0;
  for (int j = 0; j < 8; j++)
    for (int i = 0; i < WIDTH; i++)
      total += sums[j][i];
  *sink = total;
  return 2.0 * WIDTH * 8 * (double)n_iterations;
}

extern const SeamCpuLoops TABLE_NAME (SEAM_CPU_VARIANT);
const SeamCpuLoops TABLE_NAME (SEAM_CPU_VARIANT) = {
  .name = NAME,
  .vector_width = WIDTH,
  .apply = apply,
  .normalize = normalize,
  .add_moments = add_moments,
  .convolve = convolve,
  .burn = burn,
};
