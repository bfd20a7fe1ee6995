/* SPDX-License-Identifier: MIT
 *
 * CUDA kernels on the CPU, for tests on machines without a GPU: the kernels' own source compiled as
 * plain C++, a block at a time, its threads as fibers that meet at barriers and shuffles. Finds
 * wrong indices, missing barriers' deadlocks and arithmetic; says nothing about races, caches or
 * speed.
 */
#pragma once

#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>

#include "kernels/cuda/geometry.h"
#include "tests/gpu/fake-graph.h"

#include <cuda_runtime.h>
#include <vector_functions.h>
#include <vector_types.h>

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __forceinline__
#undef __launch_bounds__
#define __global__                                                                                 \
  __attribute__ ((visibility ("default"))) /* everything else is hidden: each library has its own  \
                                            * engine */
#define __device__
#define __host__
#ifdef EMULATE_HAND /* blocks that work together are threads of the process */
#define EMULATE_LOCAL thread_local
#define __shared__    thread_local
#else
#define EMULATE_LOCAL
#define __shared__ static
#endif
#define __forceinline__ inline
#define __launch_bounds__(...)

using std::isfinite;
using std::isinf;
using std::isnan;

#define EMULATE_MAX_THREADS 1024
#define EMULATE_STACK       (256 * 1024)
/* After so many rounds over all threads in which none ends, the block counts as deadlocked. */
#define EMULATE_PATIENCE 300000

struct EmulateState {
  dim3 thread, block, block_size, grid;
  jmp_buf scheduler, fibers[EMULATE_MAX_THREADS];
  bool started[EMULATE_MAX_THREADS]; /* once for all blocks */
  bool done[EMULATE_MAX_THREADS];
  unsigned int current;
  unsigned int block_arrived, block_generation;
  unsigned int warp_arrived[32], warp_generation[32];
  unsigned int group_arrived[4], group_generation[4]; /* 128 threads */
  unsigned int named_arrived[16], named_generation[16];
  unsigned int cluster_ticket[EMULATE_MAX_THREADS];
  uint64_t slots[2][32][32];
  char *stacks;
  void (*body) (void *);
  void *body_data;
};

static EMULATE_LOCAL EmulateState emulate = {}; /* needs no initialisation at run time */

#define threadIdx emulate.thread
#define blockIdx  emulate.block
#define blockDim  emulate.block_size
#define gridDim   emulate.grid

/* Contexts start fibers. After that, _longjmp() switches between them, because swapcontext()
 * calls the kernel each time for the signal mask. */
static void
emulate_yield (void)
{
  if (_setjmp (emulate.fibers[emulate.current]) == 0)
    _longjmp (emulate.scheduler, 1);
}

static inline void
emulate_barrier (unsigned int *arrived, unsigned int *generation, unsigned int n)
{
  const unsigned int mine = *generation;
  if (++*arrived == n) {
    *arrived = 0;
    ++*generation;
    return;
  }
  while (*generation == mine)
    emulate_yield ();
}

static inline void
__syncthreads (void)
{
  emulate_barrier (&emulate.block_arrived, &emulate.block_generation, emulate.block_size.x);
}

/* The `value` of lane `lane` of the warp; all lanes call it together. */
template <typename T>
static T
emulate_exchange (T value, unsigned int lane)
{
  const unsigned int warp = emulate.current / 32;
  const unsigned int parity = emulate.warp_generation[warp] % 2;
  uint64_t slot = 0;
  T other;

  static_assert (sizeof (T) <= 8, "a shuffle moves 4 or 8 bytes");
  memcpy (&slot, &value, sizeof value);
  emulate.slots[parity][warp][emulate.current % 32] = slot;
  emulate_barrier (&emulate.warp_arrived[warp], &emulate.warp_generation[warp], 32);
  memcpy (&other, &emulate.slots[parity][warp][lane % 32], sizeof other);
  return other;
}

template <typename T>
static T
__shfl_xor_sync (unsigned int, T value, unsigned int mask)
{
  return emulate_exchange (value, emulate.current % 32 ^ mask);
}

template <typename T>
static T
__shfl_sync (unsigned int, T value, unsigned int lane)
{
  return emulate_exchange (value, lane);
}

static inline float
rsqrtf (float x)
{
  return 1.0f / sqrtf (x);
}

static inline int
__any_sync (unsigned int mask, int predicate)
{
  for (unsigned int offset = 16; offset > 0; offset /= 2)
    predicate |= __shfl_xor_sync (mask, predicate, offset);
  return predicate;
}

template <typename T>
static T
__ldcs (const T *from)
{
  if ((uintptr_t)from % sizeof (T) != 0)
    abort (); /* a GPU would fault */
  return *from;
}

template <typename T>
static T
__ldg (const T *from)
{
  return __ldcs (from);
}

static inline unsigned int
__float_as_uint (float value)
{
  unsigned int bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* Rounded toward zero; x * y + z must be exact in double precision. */
static inline float
__fmaf_rz (float x, float y, float z)
{
  const double exact = (double)x * y + z;
  const float rounded = (float)exact;
  return fabs ((double)rounded) > fabs (exact) ? nextafterf (rounded, 0) : rounded;
}

static inline int
__clz (int value)
{
  return value == 0 ? 32 : __builtin_clz ((unsigned int)value);
}

static inline int
__double2hiint (double value)
{
  uint64_t bits;
  memcpy (&bits, &value, sizeof bits);
  return (int)(uint32_t)(bits >> 32);
}

static inline double
__hiloint2double (int high, int low)
{
  const uint64_t bits = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

template <typename T>
static T
atomicMax (T *at, T value)
{
  const T old = *at;
  *at = value > old ? value : old;
  return old;
}

template <typename T>
static T
atomicAdd (T *at, T value)
{
  const T old = *at;
  *at += value;
  return old;
}

static inline void
__nanosleep (unsigned int)
{
}

static inline unsigned long long
emulate_timer_ns (void)
{
  static unsigned long long now;
  return now += 1000;
}

static void
emulate_enter (void)
{
  for (;;) { /* one block after the other */
    emulate.body (emulate.body_data);
    emulate.done[emulate.current] = true;
    emulate_yield ();
  }
}

/* Runs the current thread's fiber until it waits or ends. */
static void
emulate_resume (void)
{
  const unsigned int me = emulate.current;
  ucontext_t context;

  if (_setjmp (emulate.scheduler) != 0)
    return;
  if (emulate.started[me])
    _longjmp (emulate.fibers[me], 1);
  emulate.started[me] = true;
  getcontext (&context);
  context.uc_stack.ss_sp = emulate.stacks + (size_t)me * EMULATE_STACK;
  context.uc_stack.ss_size = EMULATE_STACK;
  context.uc_link = nullptr;
  makecontext (&context, emulate_enter, 0);
  setcontext (&context);
}

static void
emulate_block (unsigned int threads)
{
  unsigned int left = threads, idle = 0;

  memset (emulate.done, 0, sizeof emulate.done);
  emulate.block_arrived = emulate.block_generation = 0;
  memset (emulate.warp_arrived, 0, sizeof emulate.warp_arrived);
  memset (emulate.warp_generation, 0, sizeof emulate.warp_generation);
  memset (emulate.group_arrived, 0, sizeof emulate.group_arrived);
  memset (emulate.group_generation, 0, sizeof emulate.group_generation);
  memset (emulate.named_arrived, 0, sizeof emulate.named_arrived);
  memset (emulate.named_generation, 0, sizeof emulate.named_generation);
  while (left > 0) {
    const unsigned int before = left;
    for (unsigned int i = 0; i < threads; i++) {
      if (emulate.done[i])
        continue;
      emulate.current = i;
      emulate.thread = dim3 (i, 0, 0);
      emulate.thread.y = emulate.thread.z = 0;
      emulate_resume ();
      left -= emulate.done[i] ? 1 : 0;
    }
    /* Kernels here have at most a few hundred barriers a thread. */
    idle = left == before ? idle + 1 : 0;
    if (idle > EMULATE_PATIENCE) {
      fprintf (stderr, "emulate: threads wait for a barrier that others never reach\n");
      abort ();
    }
  }
}

static void
emulate_take_stacks (void)
{
  if (emulate.stacks == nullptr)
    emulate.stacks = static_cast<char *> (
        mmap (nullptr, EMULATE_MAX_THREADS * EMULATE_STACK, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
              0)); /* every library has its own stacks, of which it uses little */
}

template <typename Kernel, typename Arguments> struct EmulateCall {
  Kernel kernel;
  const Arguments *arguments;
};

template <typename Kernel, typename Arguments>
static void
emulate_call (void *data)
{
  const auto *call = static_cast<const EmulateCall<Kernel, Arguments> *> (data);
  call->kernel (*call->arguments);
}

template <typename Kernel, typename Arguments> struct EmulateLaunch {
  Kernel kernel;
  long long blocks;
  unsigned int threads;
  Arguments arguments;
};

template <typename Kernel, typename Arguments>
static cudaError_t
emulate_execute (void *data)
{
  const auto *launch = static_cast<const EmulateLaunch<Kernel, Arguments> *> (data);
  EmulateCall<Kernel, Arguments> call = { launch->kernel, &launch->arguments };

  emulate_take_stacks ();
  emulate.body = emulate_call<Kernel, Arguments>;
  emulate.body_data = &call;
  emulate.block_size = dim3 (launch->threads);
  emulate.grid = dim3 ((unsigned int)launch->blocks);
  for (long long block = 0; block < launch->blocks; block++) {
    emulate.block = dim3 ((unsigned int)block, 0, 0);
    emulate_block (launch->threads);
  }
  return cudaSuccess;
}

template <typename Kernel, typename Arguments>
static cudaError_t
seam_launch (Kernel kernel, long long blocks, unsigned int threads, const Arguments &arguments,
             cudaStream_t)
{
  EmulateLaunch<Kernel, Arguments> launch = { kernel, blocks, threads, arguments };

  if (blocks <= 0 || blocks > SEAM_CUDA_MAX_BLOCKS || threads == 0 || threads > EMULATE_MAX_THREADS)
    return cudaErrorInvalidConfiguration;
#ifdef EMULATE_GENERATED /* cudaLaunchKernel() was already called by fake_launch() */
  return emulate_execute<Kernel, Arguments> (&launch);
#else
  char name[64];
  snprintf (name, sizeof name, "emulated_%llx", (unsigned long long)(uintptr_t)kernel);
  return fake_launch (emulate_execute<Kernel, Arguments>, &launch, sizeof launch, name);
#endif
}

#ifdef EMULATE_HAND
#include "tests/gpu/emulate-hand.h"
#endif
