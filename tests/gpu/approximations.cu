/* SPDX-License-Identifier: MIT
 *
 * What a GPU's approximate instructions really do, over all 2^32 floats: the largest errors of
 * tanh.approx, of the two sigmoids of kernels/ops.h, and whether cvt.rn.tf32 and cvt.rna.tf32 round
 * as the PTX manual says. A program of its own, for a visit to a GPU (see pack.sh):
 *
 *   nvcc -std=c++17 -ftz=true -gencode=arch=compute_90a,code=sm_90a -I. -o approximations
 * tests/gpu/approximations.cu
 */
#include <cmath>

/* As in hand-written kernels. ops.h has host functions, too. */
static __host__ __device__ float
fast_exp (float x)
{
#ifdef __CUDA_ARCH__
  return __expf (x);
#else
  return std::exp (x);
#endif
}
#define SEAM_EXP fast_exp
#include "kernels/ops.h"

#include <cstdio>
#include <cstring>

/* The largest non-negative float so far, and its input: compared as one number. */
struct Worst {
  unsigned long long packed;
};

struct Found {
  Worst tanh_absolute, tanh_relative, sigmoid_of_half, sigmoid;
  unsigned long long rounds_otherwise, rounds_away_otherwise, nan_lost, nan_made;
};

static __device__ void
note (Worst *worst, double error, unsigned int bits)
{
  const unsigned long long packed =
      (unsigned long long)__float_as_uint ((float)error) << 32 | (unsigned long long)bits;
  if (packed > worst->packed)
    atomicMax (&worst->packed, packed);
}

static __device__ unsigned int
round_tf32 (unsigned int bits, bool even)
{
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return bits;
  return (bits + (even ? 0xfffu + (bits >> 13 & 1u) : 0x1000u)) & 0xffffe000u;
}

static __global__ void
try_all (Found *found)
{
  const unsigned long long n = 1ull << 32;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n;
       i += (unsigned long long)gridDim.x * blockDim.x) {
    const unsigned int bits = (unsigned int)i;
    const float x = __uint_as_float (bits);
    unsigned int even, away;

    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(even) : "f"(x));
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(away) : "f"(x));
    if (isnan (x)) {
      if (!isnan (seam_op_tanh (x)) || !isnan (seam_op_sigmoid_of_half (x))
          || !isnan (__uint_as_float (even)))
        atomicAdd (&found->nan_lost, 1ull);
      continue;
    }
    if (even != round_tf32 (bits, true))
      atomicAdd (&found->rounds_otherwise, 1ull);
    if (away != round_tf32 (bits, false))
      atomicAdd (&found->rounds_away_otherwise, 1ull);

    const double exact = tanh ((double)x), error = fabs ((double)seam_op_tanh (x) - exact);
    if (isnan (error)) {
      atomicAdd (&found->nan_made, 1ull);
      continue;
    }
    note (&found->tanh_absolute, error, bits);
    if (fabsf (x) >= 1.17549435e-38f)
      note (&found->tanh_relative, error / fabs (exact), bits);
    note (&found->sigmoid_of_half,
          fabs ((double)seam_op_sigmoid_of_half (x) - 1.0 / (1.0 + exp (-2.0 * x))), bits);
    note (&found->sigmoid, fabs ((double)seam_op_sigmoid (x) - 1.0 / (1.0 + exp (-(double)x))),
          bits);
  }
}

static void
tell (const char *what, const Worst &worst)
{
  const unsigned int error_bits = (unsigned int)(worst.packed >> 32);
  const unsigned int input_bits = (unsigned int)worst.packed;
  float error, input;

  memcpy (&error, &error_bits, sizeof error);
  memcpy (&input, &input_bits, sizeof input);
  printf ("%-40s %.4g at x = %.9g\n", what, error, input);
}

int
main ()
{
  Found *found = nullptr, result;
  if (cudaMalloc (&found, sizeof *found) != cudaSuccess
      || cudaMemset (found, 0, sizeof *found) != cudaSuccess) {
    fprintf (stderr, "no GPU\n");
    return 1;
  }
  // clang-format off
  try_all<<<132 * 8, 256>>> (found);
  // clang-format on
  const cudaError_t error = cudaMemcpy (&result, found, sizeof result, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    fprintf (stderr, "%s\n", cudaGetErrorString (error));
    return 1;
  }
  tell ("tanh.approx, absolute", result.tanh_absolute);
  tell ("tanh.approx, relative (2^-11 is 4.883e-4)", result.tanh_relative);
  tell ("sigmoid (2 x) by tanh.approx, absolute", result.sigmoid_of_half);
  tell ("sigmoid (x) by ex2 and rcp, absolute", result.sigmoid);
  printf ("cvt.rn.tf32 that is not to nearest even: %llu of 2^32\n", result.rounds_otherwise);
  printf ("cvt.rna.tf32 that is not to nearest, away: %llu of 2^32\n",
          result.rounds_away_otherwise);
  printf ("NaN lost %llu, made %llu\n", result.nan_lost, result.nan_made);
  return result.rounds_otherwise == 0 && result.nan_lost == 0 && result.nan_made == 0 ? 0 : 1;
}
