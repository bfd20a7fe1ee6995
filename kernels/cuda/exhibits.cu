// SPDX-License-Identifier: MIT
//
// The kernel of an exhibit, wrong on purpose: convolution and matmul whose sums are kept in FP16. With
// sums in FP32 it is the simplest right one, which algorithms of libraries are compared with.
// Every other mistake of kernels/defects.h is in the generated kernels, through elementwise.cuh and
// groupnorm.cuh.
// Teaches: how much the precision of an accumulator matters. An implicit matrix product: 16 x 16
// outputs a block, both factors through shared memory in pieces of 16 products, one output a
// thread. A matmul is the convolution of images of one pixel. Not made to be fast.

#include "kernels/cuda/kernels.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/defects.h"

#define TILE SEAM_CUDA_HALF_SUMS_TILE

static __global__ void
__launch_bounds__ (TILE *TILE) half_sums (const SeamCudaHalfSums a)
{
  __shared__ float pixels[TILE][TILE], weights[TILE][TILE + 1];
  const long long p = a.h - a.r + 1, q = a.w - a.r + 1, plane = p * q, depth = a.c * a.r * a.r;
  const long long n_columns = (a.k + TILE - 1) / TILE;
  const int row = (int)threadIdx.x / TILE, column = (int)threadIdx.x % TILE;
  const long long pixel = (long long)blockIdx.x / n_columns * TILE + row;
  const long long first_channel = (long long)blockIdx.x % n_columns * TILE;
  const long long channel = first_channel + column;
  const long long sample = pixel / plane, at = pixel % plane;
  const bool inside = pixel < a.n * plane;
  const float *image = a.x + sample * a.c * a.h * a.w + at / q * a.w + at % q;
  float sum = 0.0f;

  for (long long first = 0; first < depth; first += TILE) {
    const long long l = first + column, tap = l % (a.r * a.r);
    const long long offset = l / (a.r * a.r) * a.h * a.w + tap / a.r * a.w + tap % a.r;
    pixels[row][column] = inside && l < depth ? image[offset] : 0.0f;
    weights[row][column] =
        first_channel + row < a.k && l < depth ? a.weight[(first_channel + row) * depth + l] : 0.0f;
    __syncthreads ();
    for (int i = 0; i < TILE && first + i < depth; i++)
      sum = a.exact ? fmaf (weights[column][i], pixels[row][i], sum)
                    : seam_defect_add_half (sum, weights[column][i], pixels[row][i]);
    __syncthreads ();
  }
  if (inside && channel < a.k)
    a.y[(sample * a.k + channel) * plane + at] = sum;
}

extern "C" long long
seam_cuda_half_sums_blocks (const SeamCudaHalfSums *a)
{
  const long long n_pixels = a->n * (a->h - a->r + 1) * (a->w - a->r + 1);

  return (n_pixels + TILE - 1) / TILE * ((a->k + TILE - 1) / TILE);
}

extern "C" cudaError_t
seam_cuda_half_sums (const SeamCudaHalfSums *a, cudaStream_t stream)
{
  return seam_launch (half_sums, seam_cuda_half_sums_blocks (a), TILE * TILE, *a, stream);
}
