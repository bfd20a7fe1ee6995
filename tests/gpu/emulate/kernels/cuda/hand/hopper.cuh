/* SPDX-License-Identifier: MIT
 *
 * Stands before kernels/cuda/hand/hopper.cuh where hand-written kernels are compiled for the CPU
 * (emulate.h): Hopper's instructions as plain C++, for the fibers of a block. Copies happen at
 * once, products when they are issued; alignment is checked. It cannot find races, which need two
 * operations under way at once.
 */
#pragma once

#include "tests/gpu/emulate-tensor-map.h"

#define SEAM_DEVICE static inline

typedef struct alignas (64) SeamTensorMap
{
  unsigned long long opaque[16];
}
SeamTensorMap;
#define SEAM_TENSOR_MAP_DEFINED
#define SEAM_SPIN_LIMIT (1u << 26)

/* --- Shared memory: addresses count bytes from the block's dynamic shared memory; those of another
 * block of the cluster have its rank + 1 in their upper bits. --- */

#define EMULATE_RANK_SHIFT 24

SEAM_DEVICE unsigned int
seam_shared_address (const void *pointer)
{
  const ptrdiff_t at = static_cast<const unsigned char *> (pointer) - emulate_shared;
  emulate_check (at >= 0 && at < EMULATE_SHARED, "an address outside dynamic shared memory");
  return (unsigned int)at;
}

static inline EmulateBlock *
emulate_owner (unsigned int *address)
{
  const unsigned int rank = *address >> EMULATE_RANK_SHIFT;
  *address &= (1u << EMULATE_RANK_SHIFT) - 1;
  emulate_check (*address < EMULATE_SHARED, "an address outside shared memory");
  return rank == 0 ? &emulate_block_state : emulate_block_state.cluster[rank - 1];
}

static inline unsigned char *
emulate_at (unsigned int address, unsigned int bytes, unsigned int alignment)
{
  EmulateBlock *owner = emulate_owner (&address);
  emulate_check (address % alignment == 0, "a misaligned address in shared memory");
  emulate_check (address + bytes <= EMULATE_SHARED, "an access past the end of shared memory");
  return owner->memory + address;
}

SEAM_DEVICE unsigned char *
seam_align_shared (unsigned char *pointer, unsigned int alignment)
{
  const unsigned int address = seam_shared_address (pointer);
  return pointer + ((alignment - (address & (alignment - 1))) & (alignment - 1));
}

SEAM_DEVICE void
seam_wait_cycles (long long)
{
}

SEAM_DEVICE bool
seam_elect_one (void)
{
  return emulate.current % 32 == 0;
}

SEAM_DEVICE float4
seam_shared_load_4 (unsigned int from)
{
  float4 x;
  memcpy (&x, emulate_at (from, 16, 16), 16);
  return x;
}

SEAM_DEVICE void
seam_shared_store_2 (unsigned int to, float x, float y)
{
  const float pair[2] = { x, y };
  memcpy (emulate_at (to, 8, 8), pair, 8);
}

SEAM_DEVICE float2
seam_shared_load_2 (unsigned int from)
{
  float2 x;
  memcpy (&x, emulate_at (from, 8, 8), 8);
  return x;
}

SEAM_DEVICE void
seam_shared_store (unsigned int to, unsigned int bits)
{
  memcpy (emulate_at (to, 4, 4), &bits, 4);
}

SEAM_DEVICE void
seam_shared_store_4 (unsigned int to, const unsigned int (&v)[4])
{
  memcpy (emulate_at (to, 16, 16), v, 16);
}

/* --- Memory --- */

SEAM_DEVICE float
seam_load_once (const float *from)
{
  return *from;
}

SEAM_DEVICE unsigned short
seam_load_once (const unsigned short *from)
{
  return *from;
}

SEAM_DEVICE void
seam_prefetch (const void *)
{
}

SEAM_DEVICE void
seam_store_streaming_4 (float *to, float x, float y, float z, float w)
{
  __stcs (reinterpret_cast<float4 *> (to), make_float4 (x, y, z, w));
}

SEAM_DEVICE void
seam_store_4 (float *to, float4 x)
{
  seam_store_streaming_4 (to, x.x, x.y, x.z, x.w);
}

SEAM_DEVICE void
seam_store_streaming_2 (float *to, float x, float y)
{
  __stcs (reinterpret_cast<float2 *> (to), make_float2 (x, y));
}

SEAM_DEVICE void
seam_store_pair (float *to, bool valid, bool second, float x0, float y0, float x1, float y1)
{
  emulate_check ((uintptr_t)to % 8 == 0 || !valid, "a misaligned pair");
  if (valid) {
    to[0] = second ? x1 : x0;
    to[1] = second ? y1 : y0;
  }
}

SEAM_DEVICE void
seam_store_relaxed (unsigned long long *to, unsigned long long bits)
{
  __atomic_store_n (to, bits, __ATOMIC_RELEASE);
}

SEAM_DEVICE unsigned long long
seam_load_relaxed (const unsigned long long *from)
{
  emulate_yield (); /* a polling thread lets others go on */
  return __atomic_load_n (from, __ATOMIC_ACQUIRE);
}

/* --- mbarrier --- */

static inline void
emulate_settle (EmulateBarrier *barrier)
{
  if (barrier->pending == 0 && barrier->bytes == 0) {
    barrier->pending = barrier->count;
    barrier->phase++;
  }
}

/* Arrives `n` times and changes the number of expected bytes by `bytes`. */
static inline void
emulate_arrive (unsigned int address, int n, long long bytes)
{
  EmulateBlock *owner = emulate_owner (&address);
  EmulateBarrier *barrier = &owner->barriers[address / 8];
  emulate_lock ();
  emulate_check (address % 8 == 0 && barrier->count > 0, "an mbarrier that was never made");
  emulate_check (barrier->pending >= n, "more arrivals than the mbarrier counts");
  barrier->pending -= n;
  barrier->bytes += bytes;
  emulate_settle (barrier);
  emulate_unlock ();
}

SEAM_DEVICE void
seam_mbarrier_init (unsigned int barrier, unsigned int count)
{
  EmulateBarrier *b = &emulate_block_state.barriers[barrier / 8];
  emulate_check (barrier % 8 == 0 && count > 0, "a misaligned mbarrier");
  *b = EmulateBarrier{ (int)count, (int)count, 0, 0 };
}

SEAM_DEVICE void
seam_mbarrier_init_fence (void)
{
}

SEAM_DEVICE void
seam_mbarrier_arrive (unsigned int barrier)
{
  emulate_arrive (barrier, 1, 0);
}

SEAM_DEVICE void
seam_mbarrier_arrive_expect (unsigned int barrier, unsigned int bytes)
{
  emulate_arrive (barrier, 1, bytes);
}

SEAM_DEVICE unsigned int
seam_cluster_address (unsigned int address, unsigned int rank)
{
  return address | (rank + 1) << EMULATE_RANK_SHIFT;
}

SEAM_DEVICE void
seam_mbarrier_arrive_cluster (unsigned int cluster_address)
{
  emulate_arrive (cluster_address, 1, 0);
}

SEAM_DEVICE bool
seam_mbarrier_try_wait (unsigned int barrier, unsigned int parity)
{
  const EmulateBarrier *b = &emulate_block_state.barriers[barrier / 8];
  emulate_lock ();
  emulate_check (barrier % 8 == 0 && b->count > 0, "an mbarrier that was never made");
  const bool done = (b->phase & 1) != parity;
  emulate_unlock ();
  return done;
}

SEAM_DEVICE void
seam_mbarrier_wait (unsigned int barrier, unsigned int parity)
{
  while (!seam_mbarrier_try_wait (barrier, parity))
    emulate_yield ();
}

SEAM_DEVICE void
seam_mbarrier_wait_cluster (unsigned int barrier, unsigned int parity)
{
  seam_mbarrier_wait (barrier, parity);
}

SEAM_DEVICE void
seam_cluster_send_4 (unsigned int to, unsigned int barrier, const unsigned int (&v)[4])
{
  memcpy (emulate_at (to, 16, 16), v, 16);
  emulate_arrive (barrier, 0, -16);
}

/* --- TMA --- */

#define SEAM_L2_NORMAL      0x1000000000000000ull
#define SEAM_L2_EVICT_FIRST 0x12f0000000000000ull
#define SEAM_L2_EVICT_LAST  0x14f0000000000000ull

SEAM_DEVICE void
seam_tma_prefetch_map (const SeamTensorMap *)
{
}

/* Where byte `at` of a box lies if the box begins at `to`. */
static inline unsigned int
emulate_swizzle (const EmulateTensorMap *map, unsigned int to, unsigned int at)
{
  const unsigned int address = to + at;
  return map->swizzle ? address ^ (address >> 7 & 7) << 4 : address;
}

/* Copies one box to or from this block's shared memory; returns its bytes. */
static inline unsigned int
emulate_box (const SeamTensorMap *opaque, unsigned int address, const int (&c)[5], bool load,
             EmulateBlock *block)
{
  const auto *map = reinterpret_cast<const EmulateTensorMap *> (opaque);
  unsigned int n = 1;

  emulate_check (map->magic == EMULATE_TENSOR_MAP, "not a tensor map");
  emulate_check (address % 128 == 0, "TMA needs addresses of 128 bytes");
  for (int i = 0; i < map->rank; i++)
    n *= map->box[i];
  emulate_check (map->box[0] * map->element_bytes % 16 == 0, "a row of a box has 16 bytes");
  for (unsigned int e = 0; e < n; e++) {
    unsigned int rest = e;
    long long at = 0;
    bool inside = true;
    for (int i = 0; i < map->rank; i++) {
      const long long x = (long long)c[i] + rest % map->box[i];
      rest /= map->box[i];
      inside = inside && x >= 0 && x < map->sizes[i];
      at += x * (i == 0 ? map->element_bytes : map->strides[i - 1]);
    }
    unsigned char *in_shared =
        block->memory + emulate_swizzle (map, address, e * map->element_bytes);
    unsigned char *in_memory = map->data + at;
    if (load && inside && map->round) {
      float value;
      memcpy (&value, in_memory, 4);
      const unsigned int bits = emulate_tf32_nearest (value);
      memcpy (in_shared, &bits, 4);
    } else if (load && inside) {
      memcpy (in_shared, in_memory, map->element_bytes);
    } else if (load) {
      memset (in_shared, 0, map->element_bytes);
    } else if (inside) {
      memcpy (in_memory, in_shared, map->element_bytes);
    }
  }
  return n * map->element_bytes;
}

static inline void
emulate_load (unsigned int to, const SeamTensorMap *map, unsigned int barrier, const int (&c)[5])
{
  emulate_arrive (barrier, 0, -(long long)emulate_box (map, to, c, true, &emulate_block_state));
}

static inline void
emulate_multicast (unsigned int to, const SeamTensorMap *map, unsigned int barrier,
                   unsigned short mask, const int (&c)[5])
{
  for (unsigned int rank = 0; rank < 16; rank++)
    if (mask >> rank & 1)
      emulate_arrive (
          seam_cluster_address (barrier, rank), 0,
          -(long long)emulate_box (map, to, c, true, emulate_block_state.cluster[rank]));
}

SEAM_DEVICE void
seam_tma_load_2d (unsigned int to, const SeamTensorMap *map, unsigned int barrier, int c0, int c1,
                  unsigned long long = 0)
{
  emulate_load (to, map, barrier, { c0, c1 });
}

SEAM_DEVICE void
seam_tma_load_5d (unsigned int to, const SeamTensorMap *map, unsigned int barrier, int c0, int c1,
                  int c2, int c3, int c4, unsigned long long = 0)
{
  emulate_load (to, map, barrier, { c0, c1, c2, c3, c4 });
}

SEAM_DEVICE void
seam_tma_multicast_2d (unsigned int to, const SeamTensorMap *map, unsigned int barrier,
                       unsigned short mask, int c0, int c1, unsigned long long = 0)
{
  emulate_multicast (to, map, barrier, mask, { c0, c1 });
}

SEAM_DEVICE void
seam_tma_multicast_5d (unsigned int to, const SeamTensorMap *map, unsigned int barrier,
                       unsigned short mask, int c0, int c1, int c2, int c3, int c4,
                       unsigned long long = 0)
{
  emulate_multicast (to, map, barrier, mask, { c0, c1, c2, c3, c4 });
}

SEAM_DEVICE void
seam_bulk_load (unsigned int to, const void *from, unsigned int bytes, unsigned int barrier,
                unsigned long long = SEAM_L2_NORMAL)
{
  emulate_check ((uintptr_t)from % 16 == 0 && bytes % 16 == 0, "a bulk copy has 16-byte pieces");
  memcpy (emulate_at (to, bytes, 16), from, bytes);
  emulate_arrive (barrier, 0, -(long long)bytes);
}

SEAM_DEVICE void
seam_bulk_store (void *to, unsigned int from, unsigned int bytes,
                 unsigned long long = SEAM_L2_NORMAL)
{
  emulate_check ((uintptr_t)to % 16 == 0 && bytes % 16 == 0, "a bulk copy has 16-byte pieces");
  memcpy (to, emulate_at (from, bytes, 16), bytes);
}

SEAM_DEVICE void
seam_bulk_commit (void)
{
}

SEAM_DEVICE void
seam_bulk_wait_read (void)
{
}

SEAM_DEVICE void
seam_fence_proxy_async (void)
{
}

/* --- Clusters, barriers, registers --- */

SEAM_DEVICE unsigned int
seam_cluster_rank (void)
{
  return emulate_block_state.rank;
}

SEAM_DEVICE void
seam_cluster_sync (void)
{
  emulate_cluster_wait (emulate_cluster_arrive ());
}

/* A fiber that has arrived remembers which barrier phase it arrived at. */
SEAM_DEVICE void
seam_cluster_arrive (void)
{
  emulate.cluster_ticket[emulate.current] = emulate_cluster_arrive ();
}

SEAM_DEVICE void
seam_cluster_wait (void)
{
  emulate_cluster_wait (emulate.cluster_ticket[emulate.current]);
}

SEAM_DEVICE void
seam_named_barrier_sync (unsigned int name, unsigned int n_threads)
{
  emulate_check (name < 16 && n_threads % 32 == 0, "no such named barrier");
  emulate_barrier (&emulate.named_arrived[name], &emulate.named_generation[name], n_threads);
}

SEAM_DEVICE void
seam_named_barrier_arrive (unsigned int name, unsigned int n_threads)
{
  if (++emulate.named_arrived[name] == n_threads) {
    emulate.named_arrived[name] = 0;
    ++emulate.named_generation[name];
  }
}

template <int n_registers>
SEAM_DEVICE void
seam_registers_decrease (void)
{
}

template <int n_registers>
SEAM_DEVICE void
seam_registers_increase (void)
{
}

/* --- Rounding --- */

SEAM_DEVICE unsigned int
seam_round_tf32 (float x)
{
  return emulate_tf32_nearest (x);
}

SEAM_DEVICE unsigned int
seam_round_tf32_away (float x)
{
  return emulate_tf32_away (x);
}

SEAM_DEVICE unsigned int
seam_pack_bf16 (float low, float high)
{
  return emulate_pack (SEAM_OPERAND_BF16, low, high);
}

SEAM_DEVICE unsigned int
seam_pack_fp16 (float low, float high)
{
  return emulate_pack (SEAM_OPERAND_FP16, low, high);
}

SEAM_DEVICE unsigned int
seam_larger_fp16 (unsigned int largest, unsigned int pair)
{
  unsigned int bits = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    const unsigned int a = largest >> shift & 0xffffu, b = pair >> shift & 0x7fffu;
    bits |= (b <= 0x7c00u && b > a ? b : a) << shift;
  }
  return bits;
}

SEAM_DEVICE void
seam_unpack_fp16 (unsigned int pair, float *low, float *high)
{
  *low = seam_operand_unpack (SEAM_OPERAND_FP16, (unsigned short)pair);
  *high = seam_operand_unpack (SEAM_OPERAND_FP16, (unsigned short)(pair >> 16));
}

/* --- wgmma --- */

SEAM_DEVICE void
seam_wgmma_fence (void)
{
}

SEAM_DEVICE void
seam_wgmma_commit (void)
{
}

/* The four warps multiply together: none goes on before all of them have read their operands. */
template <int n_pending>
SEAM_DEVICE void
seam_wgmma_wait (void)
{
  const unsigned int warpgroup = emulate.current / 128;
  emulate_barrier (&emulate.group_arrived[warpgroup], &emulate.group_generation[warpgroup], 128);
}

/* Products are finished when they return. */
SEAM_DEVICE void
seam_wgmma_wait_warp (void)
{
}

template <typename T, int n>
SEAM_DEVICE void
seam_wgmma_hold (T (&)[n])
{
}

enum EmulateOperand { EMULATE_TF32, EMULATE_BF16, EMULATE_FP16 };

static inline float
emulate_operand (EmulateOperand type, const unsigned char *from)
{
  unsigned int bits = 0;
  memcpy (&bits, from, type == EMULATE_TF32 ? 4 : 2);
  return type == EMULATE_TF32   ? __uint_as_float (bits & 0xffffe000u) /* the hardware truncates */
         : type == EMULATE_BF16 ? __uint_as_float (bits << 16)
                                : seam_operand_unpack (SEAM_OPERAND_FP16, (unsigned short)bits);
}

/* Reads 32 bytes of a row of a matrix in shared memory: the values along K. */
static inline void
emulate_row (EmulateOperand type, unsigned long long descriptor, int row, float *values)
{
  const unsigned int start = (unsigned int)(descriptor & 0x3fff) << 4;
  const unsigned int k_stride = (unsigned int)(descriptor >> 16 & 0x3fff) << 4;
  const unsigned int row_stride = (unsigned int)(descriptor >> 32 & 0x3fff) << 4;
  const bool swizzled = descriptor >> 62 == 1 /* 128 bytes */;
  const int bytes = type == EMULATE_TF32 ? 4 : 2;

  for (int k = 0; k < 32 / bytes; k++) {
    const unsigned int at = (unsigned int)(k * bytes);
    unsigned int address;
    if (swizzled) {
      address = start + (unsigned int)(row / 8) * row_stride + (unsigned int)(row % 8) * 128 + at;
      address ^= (address >> 7 & 7) << 4;
    } else {
      address = start + (unsigned int)(row / 8) * row_stride + (unsigned int)(row % 8) * 16
                + at / 16 * k_stride + at % 16;
    }
    values[k] = emulate_operand (
        type, emulate_at (address & 0x3ffff, (unsigned int)bytes, (unsigned int)bytes));
  }
}

/* This thread's part of D += A B, given the two rows of A that it needs. */
template <int N>
static inline void
emulate_multiply (EmulateOperand type, float (&d)[N / 2], const float (&a)[2][16],
                  unsigned long long b, int add)
{
  const int column = 2 * (int)(emulate.current % 4), depth = type == EMULATE_TF32 ? 8 : 16;

  for (int j = 0; j < N / 8; j++)
    for (int e = 0; e < 2; e++) {
      float row[16];
      emulate_row (type, b, 8 * j + column + e, row);
      for (int h = 0; h < 2; h++) {
        double sum = add ? d[4 * j + 2 * h + e] : 0.0;
        for (int k = 0; k < depth; k++)
          sum += (double)a[h][k] * row[k];
        d[4 * j + 2 * h + e] = emulate_truncate (sum);
      }
    }
}

template <int N>
static inline void
emulate_multiply_shared (EmulateOperand type, float (&d)[N / 2], unsigned long long a,
                         unsigned long long b, int add)
{
  const int first = (int)(emulate.current % 128 / 32 * 16 + emulate.current % 32 / 4);
  float rows[2][16];

  emulate_row (type, a, first, rows[0]);
  emulate_row (type, a, first + 8, rows[1]);
  emulate_multiply<N> (type, d, rows, b, add);
}

/* With A in registers: the four lanes of a row combine their values. */
template <int N>
static inline void
emulate_multiply_registers (EmulateOperand type, float (&d)[N / 2], const unsigned int (&a)[4],
                            unsigned long long b, int add)
{
  const EmulateWords *lanes = emulate_show (a, 4);
  float rows[2][16];

  for (unsigned int lane = 0; lane < 4; lane++)
    for (int i = 0; i < 4; i++) {
      const unsigned int bits = lanes[(emulate.current % 32 & ~3u) | lane][i];
      const unsigned char *bytes = reinterpret_cast<const unsigned char *> (&bits);
      if (type == EMULATE_TF32) {
        rows[i % 2][lane + 4 * (i / 2)] = emulate_operand (type, bytes);
      } else {
        rows[i % 2][2 * lane + 8 * (i / 2)] = emulate_operand (type, bytes);
        rows[i % 2][2 * lane + 8 * (i / 2) + 1] = emulate_operand (type, bytes + 2);
      }
    }
  emulate_multiply<N> (type, d, rows, b, add);
}

template <int N> struct SeamWgmma {
  static void
  tf32_ss (float (&d)[N / 2], unsigned long long a, unsigned long long b, int add)
  {
    emulate_multiply_shared<N> (EMULATE_TF32, d, a, b, add);
  }

  static void
  bf16_ss (float (&d)[N / 2], unsigned long long a, unsigned long long b, int add)
  {
    emulate_multiply_shared<N> (EMULATE_BF16, d, a, b, add);
  }

  static void
  fp16_ss (float (&d)[N / 2], unsigned long long a, unsigned long long b, int add)
  {
    emulate_multiply_shared<N> (EMULATE_FP16, d, a, b, add);
  }

  static void
  tf32_rs (float (&d)[N / 2], const unsigned int (&a)[4], unsigned long long b, int add)
  {
    emulate_multiply_registers<N> (EMULATE_TF32, d, a, b, add);
  }

  static void
  fp16_rs (float (&d)[N / 2], const unsigned int (&a)[4], unsigned long long b, int add)
  {
    emulate_multiply_registers<N> (EMULATE_FP16, d, a, b, add);
  }
};
