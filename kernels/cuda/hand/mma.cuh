/* SPDX-License-Identifier: MIT
 *
 * The instructions of sm_80 and newer that the portable kernels are made of: copies that bypass
 * registers (cp.async), fragments from shared memory (ldmatrix), tensor cores (mma.sync).
 * mma-operands.cuh, which includes this file, combines them. Knows no kernel.
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

/* Waits until at most `pending` of this thread's latest groups of copies are still under way. */
template <int pending>
__device__ __forceinline__ void
seam_wait_copies ()
{
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/* Loads four 8 x 4 matrices of 32-bit numbers. Lane l gives the address of row l % 8 of matrix l /
 * 8 and receives number l % 4 of row l / 4 of each. */
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

#endif
