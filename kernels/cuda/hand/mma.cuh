/* SPDX-License-Identifier: MIT
 *
 * The instructions of sm_80 and newer that the portable kernels are made of: copies that bypass
 * registers (cp.async), fragments from shared memory (ldmatrix), tensor cores (mma.sync), and the
 * ways to give FP32 numbers to them. Knows no kernel.
 *
 * Fragments of mma.m16n8k8 (TF32), g = lane / 4, t = lane % 4:
 *   A, 16 rows of 8 k:     a[0] (g, t), a[1] (g + 8, t), a[2] (g, t + 4), a[3] (g + 8, t + 4)
 *   B, 8 k of 8 columns:   b[0] (t, g), b[1] (t + 4, g)
 *   C, 16 rows x 8:        c[0] (g, 2t), c[1] (g, 2t + 1), c[2] (g + 8, 2t), c[3] (g + 8, 2t + 1)
 * mma.m16n8k16 (bf16, FP16) has the same, with two neighbouring k in each register of A and B. Which k
 * are called neighbours does not matter while A and B agree.
 */
#ifndef SEAM_MMA_CUH
#define SEAM_MMA_CUH

__device__ __forceinline__ unsigned int
seam_shared_address (const void *pointer)
{
  return (unsigned int)__cvta_generic_to_shared (pointer);
}

/* Copies `floats` (4, 2 or 1) from global to shared memory; with `inside` false it writes zeros
 * and reads nothing, wherever `from` points. */
template <int floats>
__device__ __forceinline__ void
seam_copy_async (unsigned int to, const float *from, bool inside)
{
  const int bytes = inside ? 4 * floats : 0;
  if constexpr (floats == 4)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from),
                 "n"(4 * floats), "r"(bytes)
                 : "memory");
}

__device__ __forceinline__ void
seam_commit_copies ()
{
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Until at most `pending` of this thread's latest groups of copies are still under way. */
template <int pending>
__device__ __forceinline__ void
seam_wait_copies ()
{
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/* Four 8 x 4 matrices of 32-bit numbers; lane l gives the address of row l % 8 of matrix l / 8 and
 * receives number l % 4 of row l / 4 of each. */
__device__ __forceinline__ void
seam_load_matrices (unsigned int (&r)[4], unsigned int address)
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void
seam_mma_tf32 (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1)
{
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ void
seam_mma_bf16 (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1)
{
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ void
seam_mma_fp16 (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1)
{
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* Two FP32 numbers rounded to FP16 (infinite beyond 65504) or bf16; `first` in the lower half. */
template <bool fp16>
__device__ __forceinline__ unsigned int
seam_pack_operands (unsigned int first, unsigned int second)
{
  unsigned int packed;
  if constexpr (fp16)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;"
        : "=r"(packed)
        : "f"(__uint_as_float (second)), "f"(__uint_as_float (first)));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
        : "=r"(packed)
        : "f"(__uint_as_float (second)), "f"(__uint_as_float (first)));
  return packed;
}

/* Sums of 16 rows and 8 columns += 16 products of such pairs. */
template <bool fp16>
__device__ __forceinline__ void
seam_mma_operands (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1)
{
  if constexpr (fp16)
    seam_mma_fp16 (c, a, b0, b1);
  else
    seam_mma_bf16 (c, a, b0, b1);
}

/* For the nearest TF32, ties away from zero: adds half of TF32's last bit, 2^-11 of the number's
 * power of two, since the tensor core cuts off the 13 bits below it; without this the error would
 * be twice as large and biased. Infinity and NaN stay. cvt.rna.tf32.f32 gives the same products and
 * took as long (H200). */
__device__ __forceinline__ unsigned int
seam_round_tf32 (unsigned int bits)
{
  const float power = __uint_as_float (bits & 0xff800000u);
  return __float_as_uint (fmaf (power, 0x1p-11f, __uint_as_float (bits)));
}

/* What rounding to `high` took from the number `bits`, as TF32: the tensor core cuts off what is
 * left below that, 2^-21 of the number. */
__device__ __forceinline__ unsigned int
seam_tf32_rest (unsigned int bits, unsigned int high)
{
  return __float_as_uint (__uint_as_float (bits) - __uint_as_float (high & 0xffffe000u));
}

/* Two FP32 numbers as bf16 high parts and, of what is left, bf16 low parts; `first` in the lower
 * halves. High + low differ from the number by at most 2^-17 of it. */
__device__ __forceinline__ void
seam_split_bf16 (unsigned int &high, unsigned int &low, unsigned int first, unsigned int second)
{
  const float x = __uint_as_float (first), y = __uint_as_float (second);
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(high) : "f"(y), "f"(x));
  const float left_x = x - __uint_as_float (high << 16);
  const float left_y = y - __uint_as_float (high & 0xffff0000u);
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(low) : "f"(left_y), "f"(left_x));
}

/* Sums of 16 rows and n blocks of 8 columns += 16 products each, BF16x3: what low * low would add
 * is below FP32's own error. The tensor core truncates when it adds, which over thousands of
 * products becomes a bias beyond class F (5e-5 of 8192 inputs, measured on an H200). With `promote`
 * it sums only these 16 and ordinary additions do the rest. */
template <bool promote, int n>
__device__ __forceinline__ void
seam_mma_bf16x3 (float (&sums)[n][4], const unsigned int (&a_high)[4],
                 const unsigned int (&a_low)[4], const unsigned int (&b_high)[n][2],
                 const unsigned int (&b_low)[n][2])
{
  constexpr int group = promote ? 4 : n; /* blocks at once, so that no mma waits for the last */
  static_assert (n % group == 0, "whole groups");
#pragma unroll
  for (int first = 0; first < n; first += group) {
    float part[group][4];
#pragma unroll
    for (int i = 0; i < 4 * group; i++)
      part[i / 4][i % 4] = promote ? 0.0f : sums[first + i / 4][i % 4];
#pragma unroll
    for (int i = 0; i < group; i++)
      seam_mma_bf16 (part[i], a_low, b_high[first + i][0], b_high[first + i][1]);
#pragma unroll
    for (int i = 0; i < group; i++)
      seam_mma_bf16 (part[i], a_high, b_low[first + i][0], b_low[first + i][1]);
#pragma unroll
    for (int i = 0; i < group; i++)
      seam_mma_bf16 (part[i], a_high, b_high[first + i][0], b_high[first + i][1]);
#pragma unroll
    for (int i = 0; i < 4 * group; i++)
      sums[first + i / 4][i % 4] =
          promote ? sums[first + i / 4][i % 4] + part[i / 4][i % 4] : part[i / 4][i % 4];
  }
}

#endif
