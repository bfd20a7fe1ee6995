/* SPDX-License-Identifier: MIT
 *
 * Stands before kernels/cuda/hand/mma.cuh where the portable kernels are compiled for the CPU
 * (emulate.h): the same functions as plain C++ for the fibers of a warp. Fragments have the layout
 * that that file describes.
 */
#ifndef SEAM_MMA_CUH
#define SEAM_MMA_CUH

/* Addresses are offsets from here, in either direction: unsigned numbers wrap around. */
static thread_local unsigned char emulate_anchor[16] __attribute__ ((aligned (1024)));

static inline unsigned int
seam_shared_address (const void *pointer)
{
  return (unsigned int)(static_cast<const unsigned char *> (pointer) - emulate_anchor);
}

static inline unsigned char *
emulate_at (unsigned int address, unsigned int alignment)
{
  unsigned char *at = emulate_anchor + (int)address;
  emulate_check ((uintptr_t)at % alignment == 0, "a misaligned address in shared memory");
  return at;
}

template <int floats>
static inline void
seam_copy_async (unsigned int to, const float *from, bool inside)
{
  unsigned char *at = emulate_at (to, 4 * floats);
  if (!inside) {
    memset (at, 0, 4 * floats);
    return;
  }
  emulate_check ((uintptr_t)from % (4 * floats) == 0, "a misaligned copy");
  memcpy (at, from, 4 * floats);
}

static inline void
seam_commit_copies ()
{
}

template <int pending>
static inline void
seam_wait_copies ()
{
}

static inline void
seam_load_matrices (unsigned int (&r)[4], unsigned int address)
{
  const unsigned int lane = emulate.current % 32;
  const EmulateWords *lanes = emulate_show (&address, 1);
  for (unsigned int m = 0; m < 4; m++)
    memcpy (&r[m], emulate_at (lanes[8 * m + lane / 4][0], 16) + lane % 4 * 4, 4);
}

/* c += a b of a warp. Each register holds `n` numbers along K, each of which `get` reads. */
template <int n, typename Get>
static inline void
emulate_mma (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1, Get get)
{
  const unsigned int lane = emulate.current % 32, g = lane / 4, t = lane % 4;
  const unsigned int mine[6] = { a[0], a[1], a[2], a[3], b0, b1 };
  const EmulateWords *lanes = emulate_show (mine, 6);

  double sums[4] = { c[0], c[1], c[2], c[3] };

  for (unsigned int half = 0; half < 2; half++)
    for (unsigned int from = 0; from < 4; from++) {
      const unsigned int rows[2] = { lanes[4 * g + from][2 * half],
                                     lanes[4 * g + from][2 * half + 1] };
      const unsigned int columns[2] = { lanes[8 * t + from][4 + half],
                                        lanes[8 * t + 4 + from][4 + half] };
      for (int k = 0; k < n; k++)
        for (int i = 0; i < 4; i++)
          sums[i] += (double)get (rows[i / 2], k) * get (columns[i % 2], k);
    }
  for (int i = 0; i < 4; i++)
    c[i] = emulate_truncate (sums[i]);
}

static inline void
seam_mma_tf32 (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1)
{
  emulate_mma<1> (c, a, b0, b1,
                  [] (unsigned int x, int) { return __uint_as_float (x & 0xffffe000u); });
}

static inline void
seam_mma_bf16 (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1)
{
  emulate_mma<2> (c, a, b0, b1, [] (unsigned int x, int k) {
    return __uint_as_float (k == 0 ? x << 16 : x & 0xffff0000u);
  });
}

static inline void
seam_mma_fp16 (float (&c)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1)
{
  emulate_mma<2> (c, a, b0, b1, [] (unsigned int x, int k) {
    return seam_operand_unpack (SEAM_OPERAND_FP16, (unsigned short)(x >> (16 * k)));
  });
}

template <bool fp16>
static inline unsigned int
seam_pack_operands (unsigned int first, unsigned int second)
{
  return emulate_pack (fp16 ? SEAM_OPERAND_FP16 : SEAM_OPERAND_BF16, __uint_as_float (first),
                       __uint_as_float (second));
}

#endif
