/* SPDX-License-Identifier: MIT
 *
 * The rest of emulate.h for hand-written kernels: dynamic shared memory, the built-in functions
 * that they use, and launches whose blocks run at the same time, in clusters or all together, each
 * as a thread of the process. hopper.cuh and mma.cuh in tests/gpu/emulate/ stand for the files of
 * those names.
 */
#pragma once

#include "kernels/operand.h"

#include <algorithm>
#include <mutex>
#include <sched.h>
#include <thread>
#include <vector>

using std::max;
using std::min;

#define EMULATE_SHARED      232448 /* bytes, of a block on Hopper */
#define EMULATE_MAX_CLUSTER 16
#define __grid_constant__
#define __expf expf

static inline void
emulate_check (bool good, const char *what)
{
  if (!good) {
    fprintf (stderr, "emulate: %s (block %u, thread %u)\n", what, emulate.block.x, emulate.current);
    abort ();
  }
}

/* A word of shared memory that counts arrivals and bytes; `count` 0: no barrier was initialised
 * here. */
typedef struct {
  int count, pending;
  long long bytes;
  unsigned int phase;
} EmulateBarrier;

typedef struct EmulateBlock EmulateBlock;

struct EmulateBlock {
  unsigned char *memory;
  unsigned int rank, cluster_size;
  EmulateBlock *cluster[EMULATE_MAX_CLUSTER];
  unsigned int *cluster_arrived, *cluster_generation; /* of the cluster: threads that have
                                                       * arrived, and the generation */
  EmulateBarrier barriers[EMULATE_SHARED / 8];
};

static thread_local EmulateBlock emulate_block_state;

/* Dynamic shared memory, under the names that the kernels give it. */
static thread_local unsigned char emulate_shared[EMULATE_SHARED] __attribute__ ((aligned (1024)));
static thread_local float seam_shared[EMULATE_SHARED / 4] __attribute__ ((aligned (1024)));
static thread_local unsigned int seam_shared_words[EMULATE_SHARED / 4]
    __attribute__ ((aligned (1024)));
#define seam_few_shared    emulate_shared
#define seam_many_shared   emulate_shared
#define seam_matmul_shared emulate_shared

static std::mutex emulate_mutex;

static inline void
emulate_lock (void)
{
  emulate_mutex.lock ();
}

static inline void
emulate_unlock (void)
{
  emulate_mutex.unlock ();
}

/* --- Built-in functions --- */

static inline void
__syncwarp (void)
{
  const unsigned int warp = emulate.current / 32;
  emulate_barrier (&emulate.warp_arrived[warp], &emulate.warp_generation[warp], 32);
}

/* A lane's words that the other lanes of its warp read in a matrix product. */
typedef unsigned int EmulateWords[8];

static thread_local EmulateWords emulate_words[2][EMULATE_MAX_THREADS];

/* Shows `n` words to the warp; all of its lanes call it together. Returns the words of lane 0,
 * followed by those of the other lanes. They stay valid until the call after the next. */
static inline const EmulateWords *
emulate_show (const unsigned int *words, int n)
{
  const unsigned int warp = emulate.current / 32;
  EmulateWords *mine = emulate_words[emulate.warp_generation[warp] % 2];

  memcpy (mine[emulate.current], words, (size_t)n * sizeof *words);
  __syncwarp ();
  return &mine[32 * warp];
}

static inline unsigned int
__reduce_add_sync (unsigned int, unsigned int value)
{
  for (unsigned int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync (0xffffffffu, value, offset);
  return value;
}

static inline unsigned int
__reduce_max_sync (unsigned int, unsigned int value)
{
  for (unsigned int offset = 16; offset > 0; offset /= 2)
    value = max (value, __shfl_xor_sync (0xffffffffu, value, offset));
  return value;
}

static inline float
__uint_as_float (unsigned int bits)
{
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline float
__fdividef (float a, float b)
{
  return a / b;
}

static inline int
__popc (unsigned int bits)
{
  return __builtin_popcount (bits);
}

static inline unsigned int
__byte_perm (unsigned int low, unsigned int high, unsigned int selector)
{
  const uint64_t bytes = (uint64_t)high << 32 | low;
  unsigned int result = 0;
  for (int i = 0; i < 4; i++)
    result |= (unsigned int)(bytes >> (selector >> (4 * i) & 7) * 8 & 0xff) << (8 * i);
  return result;
}

template <typename T>
static void
__stcs (T *to, T value)
{
  emulate_check ((uintptr_t)to % sizeof (T) == 0, "a misaligned store");
  *to = value;
}

static inline void
__trap (void)
{
  emulate_check (false, "the kernel trapped");
}

/* --- Rounding --- */

/* To nearest, ties to even. TMA is only known to round to nearest. */
static inline unsigned int
emulate_tf32_nearest (float x)
{
  const unsigned int bits = __float_as_uint (x);
  return (bits & 0x7f800000u) == 0x7f800000u ? bits
                                             : (bits + 0xfffu + (bits >> 13 & 1u)) & 0xffffe000u;
}

/* To nearest, ties away from zero. */
static inline unsigned int
emulate_tf32_away (float x)
{
  const unsigned int bits = __float_as_uint (x);
  return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & 0xffffe000u;
}

static inline unsigned int
emulate_pack (SeamOperandType type, float low, float high)
{
  return seam_operand_pack (type, low) | (unsigned int)seam_operand_pack (type, high) << 16;
}

/* A tensor core adds the products of one instruction to a sum almost exactly, and then cuts off the
 * bits that FP32 does not have (Fasi et al. 2021, https://doi.org/10.7717/peerj-cs.330; on an H200
 * the errors of long sums agree). */
static inline float
emulate_truncate (double sum)
{
  const float nearest = (float)sum;
  const bool beyond = fabs ((double)nearest) > fabs (sum) && fabsf (nearest) < INFINITY;
  return beyond ? nextafterf (nearest, 0.0f) : nearest;
}

/* --- Blocks at the same time --- */

static inline unsigned int
emulate_cluster_arrive (void)
{
  EmulateBlock *b = &emulate_block_state;
  emulate_lock ();
  const unsigned int ticket = *b->cluster_generation;
  if (++*b->cluster_arrived == b->cluster_size * emulate.block_size.x) {
    *b->cluster_arrived = 0;
    ++*b->cluster_generation;
  }
  emulate_unlock ();
  return ticket;
}

static inline void
emulate_cluster_wait (unsigned int ticket)
{
  for (;;) {
    emulate_lock ();
    const bool over = *emulate_block_state.cluster_generation != ticket;
    emulate_unlock ();
    if (over)
      return;
    emulate_yield ();
  }
}

template <typename Arguments> struct EmulateHandCall {
  void (*kernel) (const Arguments);
  const Arguments *arguments;
};

template <typename Arguments>
static void
emulate_hand_body (void *data)
{
  const auto *call = static_cast<const EmulateHandCall<Arguments> *> (data);
  call->kernel (*call->arguments);
}

template <typename Arguments>
static void
emulate_hand_block (EmulateHandCall<Arguments> *call, dim3 grid, unsigned int block,
                    unsigned int threads)
{
  emulate_take_stacks ();
  memset (emulate_shared, 0xff, sizeof emulate_shared); /* NaN */
  memset (emulate_block_state.barriers, 0, sizeof emulate_block_state.barriers);
  emulate_block_state.memory = emulate_shared;
  emulate.body = emulate_hand_body<Arguments>;
  emulate.body_data = call;
  emulate.block_size = dim3 (threads);
  emulate.grid = grid;
  emulate.block = dim3 (block % grid.x, block / grid.x, 0);
  emulate_block (threads);
}

/* Runs the blocks of a cluster, or all blocks of a cooperative grid, at the same time, and other
 * blocks in turn. */
template <typename Arguments>
static int
emulate_hand (void (*kernel) (const Arguments), dim3 grid, unsigned int threads,
              unsigned int cluster, bool cooperative, const Arguments *arguments)
{
  const unsigned int n = grid.x * grid.y;
  const unsigned int together = cooperative ? n : cluster;
  EmulateHandCall<Arguments> call = { kernel, arguments };

  emulate_check (threads % 32 == 0 && threads <= EMULATE_MAX_THREADS && n % cluster == 0
                     && together <= 64 && cluster <= EMULATE_MAX_CLUSTER,
                 "a launch that the emulator cannot do");
  for (unsigned int first = 0; first < n; first += together) {
    std::vector<std::thread> blocks;
    std::vector<EmulateBlock *> states (together, nullptr);
    std::vector<unsigned int> arrived (together, 0), generation (together, 0);
    unsigned int n_ready = 0;
    for (unsigned int i = 0; i < together; i++)
      blocks.emplace_back ([&, i] {
        EmulateBlock *b = &emulate_block_state;
        b->memory = emulate_shared;
        b->rank = i % cluster;
        b->cluster_size = cluster;
        b->cluster_arrived = &arrived[i / cluster];
        b->cluster_generation = &generation[i / cluster];
        emulate_lock ();
        states[i] = b;
        n_ready++;
        emulate_unlock ();
        for (bool all = false; !all; sched_yield ()) {
          emulate_lock ();
          all = n_ready >= together;
          emulate_unlock ();
        }
        for (unsigned int rank = 0; rank < cluster; rank++)
          b->cluster[rank] = states[i / cluster * cluster + rank];
        emulate_hand_block (&call, grid, first + i, threads);
        munmap (emulate.stacks, EMULATE_MAX_THREADS * EMULATE_STACK);
        /* Other blocks may still access this block's memory. */
        emulate_lock ();
        n_ready++;
        emulate_unlock ();
        for (bool all = false; !all; sched_yield ()) {
          emulate_lock ();
          all = n_ready >= 2 * together;
          emulate_unlock ();
        }
      });
    for (std::thread &block : blocks)
      block.join ();
  }
  return 0;
}
