/* SPDX-License-Identifier: MIT
 *
 * A number as a tensor holds it in memory: FP32, or 16 bits that a kernel widens when it reads and
 * rounds to nearest even when it stores. One instruction where the GPU has it; the same numbers as
 * kernels/operand.h. Compiled by nvcc and NVRTC.
 */
#ifndef SEAM_STORED_CUH
#define SEAM_STORED_CUH

#include "kernels/operand.h"

template <SeamOperandType TYPE> struct SeamElement {
  typedef unsigned short Stored;
  typedef ushort4 Stored4;
};
template <> struct SeamElement<SEAM_OPERAND_FP32> {
  typedef float Stored;
  typedef float4 Stored4;
};

template <SeamOperandType TYPE>
__device__ __forceinline__ typename SeamElement<TYPE>::Stored
seam_store_as (float x)
{
  if constexpr (TYPE == SEAM_OPERAND_FP32) {
    return x;
  } else {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short bits;
    if constexpr (TYPE == SEAM_OPERAND_FP16)
      asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    else
      asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    return seam_operand_pack (TYPE, x);
#endif
  }
}

template <SeamOperandType TYPE>
__device__ __forceinline__ float
seam_load_as (typename SeamElement<TYPE>::Stored x)
{
  if constexpr (TYPE == SEAM_OPERAND_FP32) {
    return x;
  } else {
#if defined(__CUDA_ARCH__)
    if constexpr (TYPE == SEAM_OPERAND_FP16) {
      float wide;
      asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x));
      return wide;
    }
#endif
    return seam_operand_unpack (TYPE, x);
  }
}

/* Two neighbouring elements, the first in the low half. */
template <SeamOperandType TYPE>
__device__ __forceinline__ void
seam_unpack_pair (float &first, float &second, unsigned int word)
{
  first = seam_load_as<TYPE> ((unsigned short)(word & 0xffffu));
  second = seam_load_as<TYPE> ((unsigned short)(word >> 16));
}

template <SeamOperandType TYPE>
__device__ __forceinline__ unsigned int
seam_pack_pair (float first, float second)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned int word;
  if constexpr (TYPE == SEAM_OPERAND_FP16)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  return word;
#else
  return (unsigned int)seam_store_as<TYPE> (first)
         | (unsigned int)seam_store_as<TYPE> (second) << 16;
#endif
}

/* V (8, 4 or 1) neighbouring elements of 16 bits: 16 or 8 bytes at once, or one element. */
template <SeamOperandType TYPE, int V>
__device__ __forceinline__ void
seam_load_stored (float (&x)[V], const unsigned short *from)
{
  if constexpr (V == 8) {
    const uint4 packed = *reinterpret_cast<const uint4 *> (from);
    seam_unpack_pair<TYPE> (x[0], x[1], packed.x);
    seam_unpack_pair<TYPE> (x[2], x[3], packed.y);
    seam_unpack_pair<TYPE> (x[4], x[5], packed.z);
    seam_unpack_pair<TYPE> (x[6], x[7], packed.w);
  } else if constexpr (V == 4) {
    const uint2 packed = *reinterpret_cast<const uint2 *> (from);
    seam_unpack_pair<TYPE> (x[0], x[1], packed.x);
    seam_unpack_pair<TYPE> (x[2], x[3], packed.y);
  } else {
    x[0] = seam_load_as<TYPE> (*from);
  }
}

template <SeamOperandType TYPE, int V>
__device__ __forceinline__ void
seam_store_stored (unsigned short *to, const float (&y)[V])
{
  if constexpr (V == 8) {
    uint4 packed;
    packed.x = seam_pack_pair<TYPE> (y[0], y[1]);
    packed.y = seam_pack_pair<TYPE> (y[2], y[3]);
    packed.z = seam_pack_pair<TYPE> (y[4], y[5]);
    packed.w = seam_pack_pair<TYPE> (y[6], y[7]);
    *reinterpret_cast<uint4 *> (to) = packed;
  } else if constexpr (V == 4) {
    uint2 packed;
    packed.x = seam_pack_pair<TYPE> (y[0], y[1]);
    packed.y = seam_pack_pair<TYPE> (y[2], y[3]);
    *reinterpret_cast<uint2 *> (to) = packed;
  } else {
    *to = seam_store_as<TYPE> (y[0]);
  }
}

#endif
