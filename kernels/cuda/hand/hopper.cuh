/* SPDX-License-Identifier: MIT
 *
 * Hopper's instructions (sm_90a) as small functions, for the hand-written kernels: barriers in
 * shared memory (mbarrier), the tensor memory accelerator (TMA), thread-block clusters, register
 * reallocation, and the warpgroup matrix instruction (wgmma). One PTX instruction a function, no
 * policy: hopper-operands.cuh and the kernels combine them. No headers: NVRTC and nvcc both compile
 * it. The PTX ISA manual (8.0 and later) is the source for every form used here.
 *
 * Shared-memory addresses are 32-bit numbers of the shared window (seam_shared_address).
 */
#pragma once

/* A CUtensorMap by another name: encoded by the host with cuTensorMapEncodeTiled, passed by value
 * inside the argument struct of a `const __grid_constant__` kernel parameter. The plain C headers
 * of the kernels define it too, for the host. */
#ifndef SEAM_TENSOR_MAP_DEFINED
#define SEAM_TENSOR_MAP_DEFINED
typedef struct
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
    __align__ (64)
#else
    __attribute__ ((aligned (64)))
#endif
        SeamTensorMap
{
  unsigned long long opaque[16];
}
SeamTensorMap;
#endif

/* Polls of a wait before the kernel traps, so that a deadlock costs seconds instead of the machine:
 * polls of memory, and of a barrier, at which the hardware lets a thread sleep for 4 µs a poll (an
 * H200; 2^26 polls took 263 s). A wait in a working kernel takes less than a thousandth of them. */
#define SEAM_SPIN_LIMIT    (1u << 26)
#define SEAM_BARRIER_LIMIT (1u << 22)

#define SEAM_DEVICE static __device__ __forceinline__

SEAM_DEVICE unsigned int
seam_shared_address (const void *pointer)
{
  return (unsigned int)__cvta_generic_to_shared (pointer);
}

/* The start of dynamic shared memory rounded up to `alignment` (TMA with 128-byte swizzle needs
 * 1024). The host adds alignment - 1 bytes if the kernel has no static shared memory. */
SEAM_DEVICE unsigned char *
seam_align_shared (unsigned char *pointer, unsigned int alignment)
{
  const unsigned int address = seam_shared_address (pointer);
  return pointer + ((alignment - (address & (alignment - 1))) & (alignment - 1));
}

/* True in one lane of a converged warp, always the same one. */
SEAM_DEVICE bool
seam_elect_one (void)
{
  unsigned int elected;
  asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}"
               : "=r"(elected));
  return elected != 0;
}

/* mbarrier: a 64-bit word in shared memory. A phase ends when `count` arrivals and all announced
 * bytes have come. A wait for parity p returns once the phase of that parity has ended. The first
 * phase has parity 0; waiting for parity 1 on a fresh barrier returns at once. */

SEAM_DEVICE void
seam_mbarrier_init (unsigned int barrier, unsigned int count)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

/* The thread that made the inits calls it after them, before a barrier of the block or cluster. */
SEAM_DEVICE void
seam_mbarrier_init_fence (void)
{
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* An arrival does not wait for loads from shared memory that are under way. If the arrival frees
 * the stage for TMA, use the loaded values first. */
SEAM_DEVICE void
seam_mbarrier_arrive (unsigned int barrier)
{
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Arrives, and announces `bytes` that TMA will bring in this phase. */
SEAM_DEVICE void
seam_mbarrier_arrive_expect (unsigned int barrier, unsigned int bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
               "r"(bytes)
               : "memory");
}

/* Arrives at a barrier of another block of the cluster (seam_cluster_address). It frees a stage
 * that TMA will fill again. It does not publish ordinary writes to the other block:
 * `.release.cluster` would, at the price of a memory barrier of the whole GPU (it halved the speed
 * of a matmul). */
SEAM_DEVICE void
seam_mbarrier_arrive_cluster (unsigned int cluster_address)
{
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(cluster_address) : "memory");
}

SEAM_DEVICE bool
seam_mbarrier_try_wait (unsigned int barrier, unsigned int parity)
{
  unsigned int done;
  asm volatile("{\n\t.reg .pred p;\n\t"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
               "selp.u32 %0, 1, 0, p;\n\t}"
               : "=r"(done)
               : "r"(barrier), "r"(parity)
               : "memory");
  return done != 0;
}

SEAM_DEVICE void
seam_mbarrier_wait (unsigned int barrier, unsigned int parity)
{
  for (unsigned int polls = 0; !seam_mbarrier_try_wait (barrier, parity); polls++) {
    if (polls == SEAM_BARRIER_LIMIT)
      __trap ();
  }
}

/* The same for data that another block of the cluster wrote (seam_cluster_send_4). The completion
 * of its writes releases at cluster scope, so this acquires at cluster scope, but for shared memory
 * only, which costs no instruction (`try_wait.acquire.cluster` empties the L1 cache). */
SEAM_DEVICE void
seam_mbarrier_wait_cluster (unsigned int barrier, unsigned int parity)
{
  for (unsigned int polls = 0, done = 0; done == 0; polls++) {
    asm volatile("{\n\t.reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    if (done == 0 && polls == SEAM_BARRIER_LIMIT)
      __trap ();
  }
  asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
}

/* TMA. Coordinates count elements, fastest dimension first, may be negative or past the end (zeros
 * come in, nothing goes out). `policy` is one of the cache policies below. A multicast load puts
 * the box at the same shared offset of every block in `mask` and counts its bytes at the same
 * barrier offset there. */

#define SEAM_L2_NORMAL      0x1000000000000000ull
#define SEAM_L2_EVICT_FIRST 0x12f0000000000000ull
#define SEAM_L2_EVICT_LAST  0x14f0000000000000ull

SEAM_DEVICE void
seam_tma_prefetch_map (const SeamTensorMap *map)
{
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

SEAM_DEVICE void
seam_tma_load_2d (unsigned int to, const SeamTensorMap *map, unsigned int barrier, int c0, int c1,
                  unsigned long long policy = SEAM_L2_NORMAL)
{
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".L2::cache_hint [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(to),
               "l"(map), "r"(barrier), "r"(c0), "r"(c1), "l"(policy)
               : "memory");
}

SEAM_DEVICE void
seam_tma_load_5d (unsigned int to, const SeamTensorMap *map, unsigned int barrier, int c0, int c1,
                  int c2, int c3, int c4, unsigned long long policy = SEAM_L2_NORMAL)
{
  asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".L2::cache_hint [%0], [%1, {%3, %4, %5, %6, %7}], [%2], %8;" ::"r"(to),
               "l"(map), "r"(barrier), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "l"(policy)
               : "memory");
}

SEAM_DEVICE void
seam_tma_multicast_2d (unsigned int to, const SeamTensorMap *map, unsigned int barrier,
                       unsigned short mask, int c0, int c1,
                       unsigned long long policy = SEAM_L2_NORMAL)
{
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster.L2::cache_hint [%0], [%1, {%4, %5}], [%2], %3, %6;" ::"r"(to),
               "l"(map), "r"(barrier), "h"(mask), "r"(c0), "r"(c1), "l"(policy)
               : "memory");
}

SEAM_DEVICE void
seam_tma_multicast_5d (unsigned int to, const SeamTensorMap *map, unsigned int barrier,
                       unsigned short mask, int c0, int c1, int c2, int c3, int c4,
                       unsigned long long policy = SEAM_L2_NORMAL)
{
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster.L2::cache_hint [%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3, %9;" ::"r"(
          to),
      "l"(map), "r"(barrier), "h"(mask), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "l"(policy)
      : "memory");
}

/* Plain bulk copies, without a tensor map: 16-byte aligned addresses, a multiple of 16 bytes. */
SEAM_DEVICE void
seam_bulk_load (unsigned int to, const void *from, unsigned int bytes, unsigned int barrier,
                unsigned long long policy = SEAM_L2_NORMAL)
{
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
               "[%0], [%1], %2, [%3], %4;" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier), "l"(policy)
               : "memory");
}

/* From shared to global memory. The thread that starts such copies commits them, and waits until
 * they have read before the source is written again or its block ends. */
SEAM_DEVICE void
seam_bulk_store (void *to, unsigned int from, unsigned int bytes,
                 unsigned long long policy = SEAM_L2_NORMAL)
{
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(to),
      "r"(from), "r"(bytes), "l"(policy)
      : "memory");
}

SEAM_DEVICE void
seam_bulk_commit (void)
{
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

SEAM_DEVICE void
seam_bulk_wait_read (void)
{
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

SEAM_DEVICE float4
seam_shared_load_4 (unsigned int from)
{
  float4 x;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
               : "r"(from)
               : "memory");
  return x;
}

SEAM_DEVICE float2
seam_shared_load_2 (unsigned int from)
{
  float2 x;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x.x), "=f"(x.y) : "r"(from) : "memory");
  return x;
}

SEAM_DEVICE void
seam_shared_store_2 (unsigned int to, float x, float y)
{
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to), "f"(x), "f"(y) : "memory");
}

SEAM_DEVICE void
seam_shared_store (unsigned int to, unsigned int bits)
{
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(to), "r"(bits) : "memory");
}

SEAM_DEVICE void
seam_shared_store_4 (unsigned int to, const unsigned int (&v)[4])
{
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(v[0]), "r"(v[1]),
               "r"(v[2]), "r"(v[3])
               : "memory");
}

/* Loads a value that this multiprocessor reads once; volatile, so that it stays ahead of the wait
 * for a stage. */
SEAM_DEVICE float
seam_load_once (const float *from)
{
  float value;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(from));
  return value;
}

SEAM_DEVICE unsigned short
seam_load_once (const unsigned short *from)
{
  unsigned short value;
  asm volatile("ld.global.nc.u16 %0, [%1];" : "=h"(value) : "l"(from));
  return value;
}

SEAM_DEVICE void
seam_prefetch (const void *from)
{
  asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}

/* Stores values that are not read again. The asm clobbers nothing that other code reads, so that
 * the compiler may load and compute past it. */
SEAM_DEVICE void
seam_store_streaming_4 (float *to, float x, float y, float z, float w)
{
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(x), "f"(y), "f"(z),
               "f"(w));
}

/* One asm statement, because the compiler may store a float4 as four floats where registers are
 * short. */
SEAM_DEVICE void
seam_store_4 (float *to, float4 x)
{
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(x.x), "f"(x.y), "f"(x.z),
               "f"(x.w)
               : "memory");
}

SEAM_DEVICE void
seam_store_streaming_2 (float *to, float x, float y)
{
  asm volatile("st.global.cs.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(x), "f"(y));
}

/* Stores a pair of floats if `valid`: (x1, y1) if `second`, else (x0, y0). One asm statement, so
 * that the compiler does not choose all pairs before it stores the first. */
SEAM_DEVICE void
seam_store_pair (float *to, bool valid, bool second, float x0, float y0, float x1, float y1)
{
  asm volatile("{\n\t.reg .pred valid, second;\n\t.reg .f32 x, y;\n\t"
               "setp.ne.b32 valid, %1, 0;\n\tsetp.ne.b32 second, %2, 0;\n\t"
               "selp.f32 x, %5, %3, second;\n\tselp.f32 y, %6, %4, second;\n\t"
               "@valid st.global.v2.f32 [%0], {x, y};\n\t}" ::"l"(to),
               "r"((int)valid), "r"((int)second), "f"(x0), "f"(y0), "f"(x1), "f"(y1)
               : "memory");
}

/* Lets n cycles of the multiprocessor pass. */
SEAM_DEVICE void
seam_wait_cycles (long long n)
{
  const long long start = clock64 ();
  while (clock64 () - start < n)
    ;
}

/* Words through which blocks of the GPU communicate; each word is a complete message. */
SEAM_DEVICE void
seam_store_relaxed (unsigned long long *to, unsigned long long bits)
{
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(bits) : "memory");
}

SEAM_DEVICE unsigned long long
seam_load_relaxed (const unsigned long long *from)
{
  unsigned long long bits;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
  return bits;
}

/* Ordinary writes to shared memory become visible to TMA and wgmma: each writing thread calls it
 * before the barrier after which they are read. */
SEAM_DEVICE void
seam_fence_proxy_async (void)
{
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Clusters. */

SEAM_DEVICE unsigned int
seam_cluster_rank (void)
{
  unsigned int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

SEAM_DEVICE void
seam_cluster_arrive (void)
{
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

SEAM_DEVICE void
seam_cluster_wait (void)
{
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

SEAM_DEVICE void
seam_cluster_sync (void)
{
  seam_cluster_arrive ();
  seam_cluster_wait ();
}

/* The address in block `rank` of the cluster that corresponds to `address` in this block
 * (shared::cluster). */
SEAM_DEVICE unsigned int
seam_cluster_address (unsigned int address, unsigned int rank)
{
  unsigned int remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
  return remote;
}

/* Sends 16 bytes to another block of the cluster, where a barrier that expects them counts them. */
SEAM_DEVICE void
seam_cluster_send_4 (unsigned int to, unsigned int barrier, const unsigned int (&v)[4])
{
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, "
               "%3, %4}, [%5];" ::"r"(to),
               "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(barrier)
               : "memory");
}

/* A barrier of `n_threads` (whole warps) of the block under `name` 1..15 (0 is __syncthreads). */
SEAM_DEVICE void
seam_named_barrier_sync (unsigned int name, unsigned int n_threads)
{
  asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(n_threads) : "memory");
}

SEAM_DEVICE void
seam_named_barrier_arrive (unsigned int name, unsigned int n_threads)
{
  asm volatile("bar.arrive %0, %1;" ::"r"(name), "r"(n_threads) : "memory");
}

/* Registers of a warpgroup (all 128 threads execute it): a multiple of 8 between 24 and 240. */
template <int n_registers>
SEAM_DEVICE void
seam_registers_decrease (void)
{
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(n_registers));
}

template <int n_registers>
SEAM_DEVICE void
seam_registers_increase (void)
{
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(n_registers));
}

/* Rounding. A TF32 value is the upper 19 bits of a float; the result is the bit pattern of the
 * nearest one. A tie goes to the even one (one instruction) or away from 0 (three to four). */
SEAM_DEVICE unsigned int
seam_round_tf32 (float x)
{
  unsigned int bits;
  asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

SEAM_DEVICE unsigned int
seam_round_tf32_away (float x)
{
  unsigned int bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

/* Two floats as bf16, round to nearest even: `low` in bits 0..15, `high` in 16..31. */
SEAM_DEVICE unsigned int
seam_pack_bf16 (float low, float high)
{
  unsigned int bits;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return bits;
}

/* Two floats as FP16, likewise; infinite beyond 65504. */
SEAM_DEVICE unsigned int
seam_pack_fp16 (float low, float high)
{
  unsigned int bits;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return bits;
}

/* The larger of two FP16 numbers each: of `largest` and of |pair|. NaN is never larger. */
SEAM_DEVICE unsigned int
seam_larger_fp16 (unsigned int largest, unsigned int pair)
{
  unsigned int bits;
  asm("{\n\t.reg .b32 size;\n\tabs.f16x2 size, %2;\n\tmax.f16x2 %0, %1, size;\n\t}"
      : "=r"(bits)
      : "r"(largest), "r"(pair));
  return bits;
}

/* The two halves of such a word as floats. */
SEAM_DEVICE void
seam_unpack_fp16 (unsigned int pair, float *low, float *high)
{
  asm("{\n\t.reg .b16 low, high;\n\tmov.b32 {low, high}, %2;\n\tcvt.f32.f16 %0, low;\n\t"
      "cvt.f32.f16 %1, high;\n\t}"
      : "=f"(*low), "=f"(*high)
      : "r"(pair));
}

/* wgmma: four warps (128 threads, the first a multiple of 128) compute D[64][N] += A[64][k]
 * B[k][N], k = 8 for TF32, 16 for BF16 and FP16 (32 bytes of K in all), asynchronously: fence,
 * products, commit, wait.
 * - D: thread t of the warpgroup, with row r = 16 (t / 32) + t % 32 / 4 and column c = 2 (t % 4),
 *   holds row r, columns 8 j + c and + 1, in d[4 j + 0, 1], and the same of row r + 8 in
 *   d[4 j + 2, 3].
 * - A in registers: rows as in D. TF32: a[0] = (r, k = t % 4), a[1] = (r + 8, t % 4),
 *   a[2] = (r, t % 4 + 4), a[3] = (r + 8, t % 4 + 4). BF16: a[0] = (r, k = c, c + 1),
 *   a[1] = (r + 8, c, c + 1), a[2] = (r, c + 8, c + 9), a[3] = (r + 8, c + 8, c + 9), with the even
 *   k in the lower half.
 * - Shared memory: K is the contiguous direction of both A and B (rows of A, columns of B).
 *   - No swizzle: core matrices of 8 rows x 16 bytes, contiguous 128 bytes. seam_descriptor
 *     (address, k_stride, row_stride, 0): k_stride (LBO) leads from one core matrix to the next 16
 *     bytes of K, row_stride (SBO) to the next 8 rows. The start may be any multiple of 16 bytes.
 *   - 128-byte swizzle, as TMA writes a box 128 bytes wide: rows of 128 bytes, SBO = 1024 (8 rows),
 *     LBO ignored; the start is 1024-byte aligned, plus 32 bytes for each further step of K. */

/* Before the first product, and again after other code has used D or A registers. */
SEAM_DEVICE void
seam_wgmma_fence (void)
{
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

SEAM_DEVICE void
seam_wgmma_commit (void)
{
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits until at most n_pending groups are unfinished. */
template <int n_pending>
SEAM_DEVICE void
seam_wgmma_wait (void)
{
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n_pending) : "memory");
}

/* Waits for all groups in a branch that other warps of the warpgroup may not take. */
SEAM_DEVICE void
seam_wgmma_wait_warp (void)
{
  seam_wgmma_wait<0> ();
}

/* Keeps the compiler from moving uses of a register that unfinished products write or read. */
template <int n>
SEAM_DEVICE void
seam_wgmma_hold (float (&d)[n])
{
#pragma unroll
  for (int i = 0; i < n; i++)
    asm volatile("" : "+f"(d[i])::"memory");
}

template <int n>
SEAM_DEVICE void
seam_wgmma_hold (unsigned int (&a)[n])
{
#pragma unroll
  for (int i = 0; i < n; i++)
    asm volatile("" : "+r"(a[i])::"memory");
}

/* SeamWgmma<N> for every N = 8, 16, ... 256: tf32_ss, bf16_ss and fp16_ss take A and B from shared
 * memory, tf32_rs and fp16_rs take A from registers. `add` 0 overwrites D, anything else adds to
 * it. The macros write PTX's operand lists: %0 up to N / 2 - 1 are D, then come A, B and `add`. */
template <int N> struct SeamWgmma;

// clang-format off
#define SEAM_EACH_4(X) X (1) X (2) X (3)
#define SEAM_EACH_8(X) SEAM_EACH_4 (X) X (4) X (5) X (6) X (7)
#define SEAM_EACH_12(X) SEAM_EACH_8 (X) X (8) X (9) X (10) X (11)
#define SEAM_EACH_16(X) SEAM_EACH_12 (X) X (12) X (13) X (14) X (15)
#define SEAM_EACH_20(X) SEAM_EACH_16 (X) X (16) X (17) X (18) X (19)
#define SEAM_EACH_24(X) SEAM_EACH_20 (X) X (20) X (21) X (22) X (23)
#define SEAM_EACH_28(X) SEAM_EACH_24 (X) X (24) X (25) X (26) X (27)
#define SEAM_EACH_32(X) SEAM_EACH_28 (X) X (28) X (29) X (30) X (31)
#define SEAM_EACH_36(X) SEAM_EACH_32 (X) X (32) X (33) X (34) X (35)
#define SEAM_EACH_40(X) SEAM_EACH_36 (X) X (36) X (37) X (38) X (39)
#define SEAM_EACH_44(X) SEAM_EACH_40 (X) X (40) X (41) X (42) X (43)
#define SEAM_EACH_48(X) SEAM_EACH_44 (X) X (44) X (45) X (46) X (47)
#define SEAM_EACH_52(X) SEAM_EACH_48 (X) X (48) X (49) X (50) X (51)
#define SEAM_EACH_56(X) SEAM_EACH_52 (X) X (52) X (53) X (54) X (55)
#define SEAM_EACH_60(X) SEAM_EACH_56 (X) X (56) X (57) X (58) X (59)
#define SEAM_EACH_64(X) SEAM_EACH_60 (X) X (60) X (61) X (62) X (63)
#define SEAM_EACH_68(X) SEAM_EACH_64 (X) X (64) X (65) X (66) X (67)
#define SEAM_EACH_72(X) SEAM_EACH_68 (X) X (68) X (69) X (70) X (71)
#define SEAM_EACH_76(X) SEAM_EACH_72 (X) X (72) X (73) X (74) X (75)
#define SEAM_EACH_80(X) SEAM_EACH_76 (X) X (76) X (77) X (78) X (79)
#define SEAM_EACH_84(X) SEAM_EACH_80 (X) X (80) X (81) X (82) X (83)
#define SEAM_EACH_88(X) SEAM_EACH_84 (X) X (84) X (85) X (86) X (87)
#define SEAM_EACH_92(X) SEAM_EACH_88 (X) X (88) X (89) X (90) X (91)
#define SEAM_EACH_96(X) SEAM_EACH_92 (X) X (92) X (93) X (94) X (95)
#define SEAM_EACH_100(X) SEAM_EACH_96 (X) X (96) X (97) X (98) X (99)
#define SEAM_EACH_104(X) SEAM_EACH_100 (X) X (100) X (101) X (102) X (103)
#define SEAM_EACH_108(X) SEAM_EACH_104 (X) X (104) X (105) X (106) X (107)
#define SEAM_EACH_112(X) SEAM_EACH_108 (X) X (108) X (109) X (110) X (111)
#define SEAM_EACH_116(X) SEAM_EACH_112 (X) X (112) X (113) X (114) X (115)
#define SEAM_EACH_120(X) SEAM_EACH_116 (X) X (116) X (117) X (118) X (119)
#define SEAM_EACH_124(X) SEAM_EACH_120 (X) X (120) X (121) X (122) X (123)
#define SEAM_EACH_128(X) SEAM_EACH_124 (X) X (124) X (125) X (126) X (127)
#define SEAM_NAME(i) ", %" #i
#define SEAM_SUM(i) , "+f"(d[i])

#define SEAM_WGMMA_ASM(SHAPE, TYPES, R, A, B, ADD, ENDING, ...) \
  asm volatile ("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, " ADD ", 0;\n\t" \
                "wgmma.mma_async.sync.aligned." SHAPE ".f32." TYPES " {%0" SEAM_EACH_##R (SEAM_NAME) \
                "}, " A ", " B ", p, " ENDING ";\n\t}\n" \
                : "+f"(d[0]) SEAM_EACH_##R (SEAM_SUM) : __VA_ARGS__)

#define SEAM_WGMMA_SS(NAME, SHAPE, TYPES, ENDING, R, O0, O1, O2) \
    SEAM_DEVICE void NAME (float (&d)[R], unsigned long long a, unsigned long long b, int add) \
    { \
      SEAM_WGMMA_ASM (SHAPE, TYPES, R, O0, O1, O2, ENDING, "l"(a), "l"(b), "r"(add)); \
    }
#define SEAM_WGMMA_RS(NAME, SHAPE, TYPES, ENDING, R, O0, O1, O2, O3, O4, O5) \
    SEAM_DEVICE void NAME (float (&d)[R], const unsigned int (&a)[4], unsigned long long b, \
                           int add) \
    { \
      SEAM_WGMMA_ASM (SHAPE, TYPES, R, "{" O0 ", " O1 ", " O2 ", " O3 "}", O4, O5, ENDING, \
                      "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add)); \
    }

#define SEAM_WGMMA(N, R, O0, O1, O2, ...) \
  template <> struct SeamWgmma<N> { \
    SEAM_WGMMA_SS (tf32_ss, "m64n" #N "k8", "tf32.tf32", "1, 1", R, O0, O1, O2) \
    SEAM_WGMMA_SS (bf16_ss, "m64n" #N "k16", "bf16.bf16", "1, 1, 0, 0", R, O0, O1, O2) \
    SEAM_WGMMA_SS (fp16_ss, "m64n" #N "k16", "f16.f16", "1, 1, 0, 0", R, O0, O1, O2) \
    SEAM_WGMMA_RS (tf32_rs, "m64n" #N "k8", "tf32.tf32", "1, 1", R, O0, O1, O2, __VA_ARGS__) \
    SEAM_WGMMA_RS (fp16_rs, "m64n" #N "k16", "f16.f16", "1, 1, 0", R, O0, O1, O2, __VA_ARGS__) \
  };

SEAM_WGMMA (8, 4, "%4", "%5", "%6", "%7", "%8", "%9")
SEAM_WGMMA (16, 8, "%8", "%9", "%10", "%11", "%12", "%13")
SEAM_WGMMA (24, 12, "%12", "%13", "%14", "%15", "%16", "%17")
SEAM_WGMMA (32, 16, "%16", "%17", "%18", "%19", "%20", "%21")
SEAM_WGMMA (40, 20, "%20", "%21", "%22", "%23", "%24", "%25")
SEAM_WGMMA (48, 24, "%24", "%25", "%26", "%27", "%28", "%29")
SEAM_WGMMA (56, 28, "%28", "%29", "%30", "%31", "%32", "%33")
SEAM_WGMMA (64, 32, "%32", "%33", "%34", "%35", "%36", "%37")
SEAM_WGMMA (72, 36, "%36", "%37", "%38", "%39", "%40", "%41")
SEAM_WGMMA (80, 40, "%40", "%41", "%42", "%43", "%44", "%45")
SEAM_WGMMA (88, 44, "%44", "%45", "%46", "%47", "%48", "%49")
SEAM_WGMMA (96, 48, "%48", "%49", "%50", "%51", "%52", "%53")
SEAM_WGMMA (104, 52, "%52", "%53", "%54", "%55", "%56", "%57")
SEAM_WGMMA (112, 56, "%56", "%57", "%58", "%59", "%60", "%61")
SEAM_WGMMA (120, 60, "%60", "%61", "%62", "%63", "%64", "%65")
SEAM_WGMMA (128, 64, "%64", "%65", "%66", "%67", "%68", "%69")
SEAM_WGMMA (136, 68, "%68", "%69", "%70", "%71", "%72", "%73")
SEAM_WGMMA (144, 72, "%72", "%73", "%74", "%75", "%76", "%77")
SEAM_WGMMA (152, 76, "%76", "%77", "%78", "%79", "%80", "%81")
SEAM_WGMMA (160, 80, "%80", "%81", "%82", "%83", "%84", "%85")
SEAM_WGMMA (168, 84, "%84", "%85", "%86", "%87", "%88", "%89")
SEAM_WGMMA (176, 88, "%88", "%89", "%90", "%91", "%92", "%93")
SEAM_WGMMA (184, 92, "%92", "%93", "%94", "%95", "%96", "%97")
SEAM_WGMMA (192, 96, "%96", "%97", "%98", "%99", "%100", "%101")
SEAM_WGMMA (200, 100, "%100", "%101", "%102", "%103", "%104", "%105")
SEAM_WGMMA (208, 104, "%104", "%105", "%106", "%107", "%108", "%109")
SEAM_WGMMA (216, 108, "%108", "%109", "%110", "%111", "%112", "%113")
SEAM_WGMMA (224, 112, "%112", "%113", "%114", "%115", "%116", "%117")
SEAM_WGMMA (232, 116, "%116", "%117", "%118", "%119", "%120", "%121")
SEAM_WGMMA (240, 120, "%120", "%121", "%122", "%123", "%124", "%125")
SEAM_WGMMA (248, 124, "%124", "%125", "%126", "%127", "%128", "%129")
SEAM_WGMMA (256, 128, "%128", "%129", "%130", "%131", "%132", "%133")
// clang-format on
