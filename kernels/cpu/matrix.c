/* SPDX-License-Identifier: MIT
 *
 * Tiles of matmul and convolution through oneDNN's sgemm, which uses only the calling thread inside
 * a parallel region, or where OpenMP has one thread. A convolution becomes a matmul by im2col:
 * column (c, y, x) of the matrix is the input shifted by (y, x), so that every row of it is copied
 * as whole pieces of input rows.
 */
#include "kernels/cpu/cpu.h"

#include <dnnl.h>
#include <string.h>

_Bool
seam_cpu_matmul (int64_t rows, int64_t columns, int64_t depth, const float *x, int64_t x_stride,
                 const float *weight, int64_t weight_stride, float *target, int64_t target_stride)
{
  return dnnl_sgemm ('N', 'T', rows, columns, depth, 1, x, x_stride, weight, weight_stride, 0,
                     target, target_stride)
         == dnnl_success;
}

/* Depth and columns of the block that is transposed at a time: 32 KB on the stack. */
#define HALF_DEPTH   128
#define HALF_COLUMNS 64

void
seam_cpu_matmul_half (const SeamCpuLoops *loops, int64_t rows, int64_t columns, int64_t depth,
                      const float *x, int64_t x_stride, const float *weight, int64_t weight_stride,
                      float *target, int64_t target_stride)
{
  float transposed[HALF_DEPTH * HALF_COLUMNS];

  for (int64_t j = 0; j < columns; j += HALF_COLUMNS) {
    int64_t width = columns - j < HALF_COLUMNS ? columns - j : HALF_COLUMNS;
    for (int64_t i = 0; i < rows; i++)
      memset (target + i * target_stride + j, 0, (size_t)width * sizeof (float));
    for (int64_t l = 0; l < depth; l += HALF_DEPTH) {
      int64_t piece = depth - l < HALF_DEPTH ? depth - l : HALF_DEPTH;
      for (int64_t a = 0; a < piece; a++)
        for (int64_t b = 0; b < width; b++)
          transposed[a * HALF_COLUMNS + b] = weight[(j + b) * weight_stride + l + a];
      for (int64_t i = 0; i < rows; i++)
        loops->add_half_products (target + i * target_stride + j, x + i * x_stride + l, transposed,
                                  HALF_COLUMNS, piece, width);
    }
  }
}

/* Copies output pixels first .. first + n - 1 of the input plane shifted by (y, x). */
static void
copy_shifted (const SeamCpuConvolution *sizes, const float *plane, int64_t y, int64_t x,
              int64_t first, int64_t n, float *target)
{
  int64_t row = first / sizes->q;
  int64_t column = first % sizes->q;
  while (n > 0) {
    int64_t piece = sizes->q - column < n ? sizes->q - column : n;
    memcpy (target, plane + (row + y) * sizes->w + x + column, (size_t)piece * sizeof (float));
    target += piece;
    n -= piece;
    row++;
    column = 0;
  }
}

_Bool
seam_cpu_convolve_columns (const SeamCpuConvolution *sizes, const SeamCpuLoops *half,
                           const float *input, const float *weight, int64_t n_channels,
                           int64_t first, int64_t n, float *columns, float *target,
                           int64_t channel_stride)
{
  const int64_t depth = sizes->c * sizes->r * sizes->r;
  const float *matrix = columns;
  int64_t matrix_stride = n;

  if (sizes->r == 1) {
    matrix = input + first;
    matrix_stride = sizes->h * sizes->w;
  } else {
    float *row = columns;
    for (int64_t c = 0; c < sizes->c; c++)
      for (int64_t y = 0; y < sizes->r; y++)
        for (int64_t x = 0; x < sizes->r; x++, row += n)
          copy_shifted (sizes, input + c * sizes->h * sizes->w, y, x, first, n, row);
  }
  if (half != NULL) {
    for (int64_t k = 0; k < n_channels; k++) {
      memset (target + k * channel_stride, 0, (size_t)n * sizeof (float));
      half->add_half_products (target + k * channel_stride, weight + k * depth, matrix,
                               matrix_stride, depth, n);
    }
    return 1;
  }
  return dnnl_sgemm ('N', 'N', n_channels, n, depth, 1, weight, depth, matrix, matrix_stride, 0,
                     target, channel_stride)
         == dnnl_success;
}
