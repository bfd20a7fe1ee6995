/* SPDX-License-Identifier: MIT */
// clang-format off
/* Shared by the host and matmul-hopper.cuh: the problems that the Hopper matmul takes, the Config
 * that it is compiled with, arguments, launch, scratch and tensor maps. Plain C for gcc, C++ for
 * NVRTC; no headers. seam_matmul_hopper_plan () decides everything; the host only carries it out.
 *
 * 1. Source: `struct Config { static constexpr ... };` with every field of SeamMatmulHopperConfig by
 *    the same name and type (bool where it says so), then the generated Tail, then
 *      extern "C" __global__ void __launch_bounds__ (Config::threads, Config::blocks_per_sm)
 *      seam_kernel (const __grid_constant__ SeamMatmulHopperArguments a)
 *      { seam_matmul_hopper<Config, Tail> (a); }
 *    and, where `split` (class F), the auxiliary kernel, 256 threads a block,
 *      extern "C" __global__ void __launch_bounds__ (256, 4)
 *      seam_split (const __grid_constant__ SeamMatmulHopperSplitArguments a)
 *      { seam_matmul_hopper_split<Config::depth> (a); }
 *    Architecture sm_90a. Measured with --ftz=true and SEAM_EXP defined as __expf: without them
 *    matmul-swish-bias-groupnorm took 0.926 ms instead of 0.788, with the same errors (H200).
 *
 * 2. Tensor maps, by cuTensorMapEncodeTiled: element strides 1, no interleave, swizzle 128B, L2
 *    promotion 256B (128B where a_streams), no NaN fill. A = x and B = w; with swap A = w and B = x.
 *    a: rank 2, sizes { depth, a_rows }, stride { 4 depth } bytes, box { 32, 64 / cluster_columns },
 *       type TFLOAT32; for class F FLOAT32.
 *    b, class T: rank 2, sizes { depth, b_rows }, stride { 4 depth },
 *       box { 32, tile_columns / cluster_rows }, type TFLOAT32.
 *    b, class T and permuted: rank 5, sizes { depth, 2, 4, 2, b_rows / 16 }, strides of the last four
 *       dimensions 4 depth { 1, 4, 2, 16 }, box { 32, 2, 4, 2, tile_columns / cluster_rows / 16 },
 *       type TFLOAT32.
 *    a and b, math modes fp16 and bf16, over copies of that type, and tf32x, over FP16 copies of scaled
 *       rows: as for class T with 2 instead of 4 bytes, boxes of 64 instead of 32 along the depth, type
 *       FLOAT16 or BFLOAT16.
 *    b, class F, over the scratch memory: rank 2, sizes { 64 blocks, b_rows } with blocks =
 *       (depth + 31) / 32, stride { 128 blocks }, box { 64, tile_columns / cluster_rows }, type
 *       FLOAT16.
 *
 * 3. Launch: class F first seam_split with split_blocks blocks (from = B, to = scratch); then
 *    seam_kernel with n_blocks blocks, clusters of cluster_rows * cluster_columns (attribute
 *    CLUSTER_DIMENSION), shared_bytes of dynamic shared memory (attribute raised before).
 */
// clang-format on
#pragma once

#define SEAM_MATMUL_HOPPER_STEP_DEPTH     32 /* floats of depth a stage holds: 128 bytes */
#define SEAM_MATMUL_HOPPER_FP32           0  /* Config::operand, as SeamOperandType */
#define SEAM_MATMUL_HOPPER_FP16           1
#define SEAM_MATMUL_HOPPER_BF16           2
#define SEAM_MATMUL_HOPPER_WARPGROUP_ROWS 64
#define SEAM_MATMUL_HOPPER_SPLIT_THREADS  256

/* Threads of seam_split that take a row together: a power of two. */
#define SEAM_MATMUL_HOPPER_SPLIT_TEAM(depth) ((depth) <= 1024 ? 32 : 256)

#ifndef SEAM_TENSOR_MAP_DEFINED
#define SEAM_TENSOR_MAP_DEFINED
typedef struct __attribute__ ((aligned (64))) SeamTensorMap {
  unsigned long long opaque[16];
} SeamTensorMap;
#endif

typedef struct SeamMatmulHopperArguments {
  SeamTensorMap a, b;
  void *y;                  /* [N, K] of the type Config::output */
  const float *vectors[8];  /* [K] each: vectors of the tail, then weight and bias of GroupNorm */
  const float *inverses[2]; /* factors of the sums: of rows of A [N] if scaled, of rows of B [K] if
                               scaled or split */
} SeamMatmulHopperArguments;

typedef struct SeamMatmulHopperSplitArguments {
  const float *from; /* B, [rows, depth] */
  void *to;          /* scratch_bytes, 256-byte aligned */
  float *inverses;   /* [rows, and one more if odd]: factors of the sums, 256-byte aligned */
  long long rows;    /* Config::b_rows */
  int depth;
  int permuted; /* Config::permuted; then rows is a multiple of 16 */
} SeamMatmulHopperSplitArguments;

typedef struct SeamMatmulHopperConfig {
  int threads, blocks_per_sm;
  long long a_rows, b_rows;
  int depth;
  int swap;           /* bool: A = w, B = x */
  int split;          /* bool: class F */
  int operand;        /* FP32: classes T and F; else x and w are copies of that type */
  int scaled;         /* bool: rows of both have a power of two of their own (math mode tf32x) */
  int output;         /* operand type of y: FP32, or 16 bits in the math mode of that type */
  int permuted;       /* bool: rows of B change places, y is stored 4 columns at a time */
  int vectors_shared; /* bool: the epilogue reads its vectors from shared memory */
  int columns_first;  /* bool: neighbouring clusters take neighbouring columns, not rows */
  int tile_columns;   /* rows of B a block works on; a multiple of 8, at most 256 */
  int group_columns;  /* columns of a GroupNorm group; 8 without */
  int warpgroups;     /* consumers: 2 */
  int a_stages, b_stages; /* stages of the rings */
  int cluster_rows;       /* blocks that share B by multicast */
  int cluster_columns;    /* blocks that share A by multicast */
  int units_per_segment;  /* pieces of 64 rows that a block takes before it looks for new work */
  int shift;              /* steps of depth between the warpgroups */
  int promote_steps;      /* class F: steps between promotions of the sums; 0: never */
  int a_streams; /* bool: no row of A is read after the round of all clusters that first reads it */
  unsigned long long a_policy, b_policy; /* L2 policies of the loads */
} SeamMatmulHopperConfig;

typedef struct SeamMatmulHopperPlan {
  SeamMatmulHopperConfig config;
  unsigned int n_blocks, shared_bytes;
  long long scratch_bytes;   /* class F; else 0 */
  unsigned int split_blocks; /* class F; else 0 */
} SeamMatmulHopperPlan;

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SEAM_MATMUL_HOPPER_FUNCTION static __host__ __device__ __forceinline__
#else
#define SEAM_MATMUL_HOPPER_FUNCTION static inline
#endif

/* Place of row `row` of B in permuted order: each 16 = [q 4][h 2][e 2] rows are ordered [h][q][e].
 * A thread of wgmma holds columns 8 h + 2 q and + 1 for each h, which become 4 neighbours. */
SEAM_MATMUL_HOPPER_FUNCTION long long
seam_matmul_hopper_place (long long row)
{
  const int q = (int)(row / 4 % 4), h = (int)(row / 2 % 2), e = (int)(row % 2);
  return row / 16 * 16 + 8 * h + 2 * q + e;
}

#ifndef __CUDACC_RTC__

/* Numbers of depth that fit into the 128 bytes of a stage's row. */
static inline int
seam_matmul_hopper_step_depth (const SeamMatmulHopperConfig *c)
{
  return c->operand == SEAM_MATMUL_HOPPER_FP32 ? SEAM_MATMUL_HOPPER_STEP_DEPTH
                                               : 2 * SEAM_MATMUL_HOPPER_STEP_DEPTH;
}

static inline int
seam_matmul_hopper_count_steps (const SeamMatmulHopperConfig *c)
{
  const int step = seam_matmul_hopper_step_depth (c);
  return (c->depth + step - 1) / step;
}

/* Estimates how long a segment size takes, in steps of depth: rounds of all clusters, and DRAM
 * traffic against arithmetic. Each round of a segment reads a column's B again, from DRAM if the B
 * that all clusters read at a time does not stay in L2. */
static inline double
seam_matmul_hopper_cost (const SeamMatmulHopperConfig *c, int n_clusters, long long *n_segments)
{
  const double n_steps = seam_matmul_hopper_count_steps (c), step_bytes = 128,
               step_seconds = 0.65e-6;
  const long long unit_rows = 64ll * c->cluster_rows, rounds = c->units_per_segment / c->warpgroups;
  const long long row_segments =
      (c->a_rows + unit_rows * c->units_per_segment - 1) / (unit_rows * c->units_per_segment);
  const long long column_tiles = (c->b_rows + c->tile_columns - 1) / c->tile_columns;
  *n_segments = row_segments * column_tiles;
  const long long waves = (*n_segments + n_clusters - 1) / n_clusters;
  const long long in_wave = *n_segments < n_clusters ? *n_segments : n_clusters;
  const double columns = (double)((in_wave + row_segments - 1) / row_segments);
  const double rows = (double)(in_wave < row_segments ? in_wave : row_segments);
  double b_bytes = columns * c->tile_columns * n_steps * step_bytes;
  if (b_bytes > 40e6)
    b_bytes *= (double)rounds;
  const double bytes =
      b_bytes + rows * (double)(unit_rows * c->units_per_segment) * n_steps * step_bytes;
  const double memory_seconds = bytes / 4e12, seconds = (double)rounds * n_steps * step_seconds;
  return (double)waves
         * ((seconds > memory_seconds ? seconds : memory_seconds) + 0.1 * memory_seconds
            + 0.5 * c->shift * step_seconds);
}

/* Plans y[rows, columns] = tail (x[rows, depth] * w[columns, depth]T). `group_columns` is 0 without
 * GroupNorm. `n_vectors` counts all vectors except the scales. Returns NULL, or why the problem
 * does not fit. */
static inline const char *
seam_matmul_hopper_plan (SeamMatmulHopperPlan *plan, long long rows, long long columns,
                         long long depth, int split, int operand, int scaled, int group_columns,
                         int n_vectors, int n_multiprocessors)
{
  SeamMatmulHopperConfig *c = &plan->config;
  if (depth % 4 != 0)
    return "TMA moves rows of whole 16 bytes: the inner size must be a multiple of 4";
  if (operand != SEAM_MATMUL_HOPPER_FP32 && depth % 8 != 0)
    return "TMA moves rows of whole 16 bytes: the inner size must be a multiple of 8 where numbers "
           "have 16 bits";
  if (rows < 1 || columns < 1 || depth < 4 || rows > 1ll << 30 || columns > 1ll << 30
      || depth > 1ll << 28)
    return "a size is empty, or larger than the tensor maps of this kernel take";
  if (n_vectors > 8)
    return "the kernel takes at most 8 vectors";
  if (group_columns > 0 && (group_columns % 8 != 0 || group_columns > 256))
    return "GroupNorm inside the epilogue needs groups of 8, 16, ... 256 columns: a group must lie "
           "in one tile, in whole core matrices";
  if (group_columns > 0 && columns % group_columns != 0)
    return "the columns are not whole groups";

  c->blocks_per_sm = 1;
  c->warpgroups = 2;
  c->threads = 128 * (c->warpgroups + 1);
  c->depth = (int)depth;
  c->split = split != 0;
  c->operand = operand;
  c->scaled = scaled != 0;
  n_vectors += c->scaled || c->split; /* the inverses of the columns are one more vector in the
                                       * epilogue */
  /* The smaller matrix is split beforehand. Groups lie along rows of A only without swap. */
  c->swap = c->split && group_columns == 0 && columns > rows;
  c->a_rows = c->swap ? columns : rows;
  c->b_rows = c->swap ? rows : columns;
  c->group_columns = group_columns > 0 ? group_columns : 8;
  c->tile_columns = 256 / c->group_columns * c->group_columns;
  c->permuted = !c->swap && c->b_rows % 16 == 0 && c->tile_columns % 16 == 0
                && (group_columns == 0 || group_columns % 16 == 0);
  c->cluster_columns = 1;
  c->cluster_rows = c->a_rows > 128 && c->tile_columns % ((c->permuted ? 16 : 8) * 2) == 0 ? 2 : 1;
  c->columns_first = 0;
  c->vectors_shared = !c->swap && n_vectors > 0;
  c->a_stages = c->vectors_shared ? 3 : 4;
  c->b_stages = 5;
  c->promote_steps = c->split && depth > 1024 ? 32 : 0;
  c->b_policy = 0x1000000000000000ull; /* normal */

  const int n_steps = seam_matmul_hopper_count_steps (c),
            n_clusters = n_multiprocessors / c->cluster_rows;
  double best = 0;
  int best_units = 2;
  for (int units = 2; units <= 256; units += 2) {
    long long n_segments;
    c->units_per_segment = units;
    c->shift = units > 8 ? 16 : 8;
    if (c->shift > n_steps / 2)
      c->shift = n_steps / 2;
    const double cost = seam_matmul_hopper_cost (c, n_clusters, &n_segments);
    if (units == 2 || cost < best) {
      best = cost;
      best_units = units;
    }
    if ((long long)units * 64 * c->cluster_rows >= c->a_rows)
      break;
  }
  long long n_segments;
  c->units_per_segment = best_units;
  c->shift = best_units > 8 ? 16 : 8;
  if (c->shift > n_steps / 2)
    c->shift = n_steps / 2;
  seam_matmul_hopper_cost (c, n_clusters, &n_segments);
  const long long waves = (n_segments + n_clusters - 1) / n_clusters;
  /* A leaves L2 first, so that B, which every round reads again, stays. In other cases neither is
   * known to be finished: with B evicted first, #76 read 522 MB instead of 343. */
  c->a_streams = waves == 1 && c->units_per_segment > c->warpgroups && !c->swap;
  c->a_policy = c->a_streams ? 0x12f0000000000000ull : 0x1000000000000000ull; /* first, normal */
  plan->n_blocks = (unsigned int)((n_segments + waves - 1) / waves * c->cluster_rows);
  plan->shared_bytes =
      (unsigned int)(c->b_stages * c->tile_columns * 128 + c->warpgroups * c->a_stages * 8192
                     + (c->b_stages + c->warpgroups * c->a_stages) * 16 + 1024
                     + (c->vectors_shared ? c->warpgroups * n_vectors * c->tile_columns * 4 : 0));
  const long long blocks = (depth + 31) / 32;
  plan->scratch_bytes = c->split ? c->b_rows * blocks * 128 : 0;
  const int teams = SEAM_MATMUL_HOPPER_SPLIT_THREADS / SEAM_MATMUL_HOPPER_SPLIT_TEAM (depth);
  const long long split_blocks = (c->b_rows + teams - 1) / teams, most = 128ll * n_multiprocessors;
  plan->split_blocks = (unsigned int)(!c->split ? 0 : split_blocks < most ? split_blocks : most);
  return 0;
}

#endif
