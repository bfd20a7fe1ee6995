/* SPDX-License-Identifier: MIT
 *
 * Hand-written matmul with its tail: which versions there are and how that for Hopper is cut up and
 * launched (kernels/cuda/hand/matmul-hopper.cuh says what the numbers mean).
 */
#include "app/backend/cuda/hand-portable.h"

#include "kernels/cuda/hand/matmul-hopper.h"

#define WARPGROUPS    2
#define UNIT_ROWS     SEAM_MATMUL_HOPPER_WARPGROUP_ROWS
#define STEP_DEPTH    SEAM_MATMUL_HOPPER_STEP_DEPTH
#define MAX_TILE      256
#define SPLIT_THREADS 256

/* How a problem is cut up. A feeds the rows of the tensor cores' products, B their columns. */
typedef struct {
  gboolean split;        /* BF16x3; else TF32 */
  gboolean swap;         /* A is the weight, B is x */
  gint64 a_rows, b_rows; /* of the matrices */
  int depth;
  int group_columns; /* of GroupNorm; 0 without */
  int tile_columns;
  int cluster_rows;
  int units_per_segment; /* of 64 rows, by each warpgroup in turn */
  int a_stages, b_stages;
  int shift;         /* steps that the second warpgroup is behind */
  int promote_steps; /* steps whose sums leave the tensor core together; 0: all */
  gboolean permuted; /* rows of B in the order in which a thread stores 16 bytes */
  int clusters;
} HopperMatmul;

static gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

/* Rows of A that a block pair walks down with one part of B: such that all pairs end together, and
 * among those the longest walk, which loads B least often. */
static void
choose_segments (const CudaDevice *device, HopperMatmul *m)
{
  const int pairs = MAX (device->base.info->n_processors / m->cluster_rows, 1);
  const gint64 units = divide_up (m->a_rows, UNIT_ROWS * m->cluster_rows);
  const gint64 columns = divide_up (m->b_rows, m->tile_columns);
  gint64 best = G_MAXINT64, n_segments, rounds;

  m->units_per_segment = WARPGROUPS;
  for (gint64 u = WARPGROUPS; u < units + WARPGROUPS && u <= 256; u += WARPGROUPS) {
    gint64 time = divide_up (divide_up (units, u) * columns, pairs) * u;
    if (time <= best) {
      best = time;
      m->units_per_segment = (int)u;
    }
  }
  n_segments = divide_up (units, m->units_per_segment) * columns;
  rounds = divide_up (n_segments, MIN (n_segments, pairs));
  m->clusters = (int)divide_up (n_segments, rounds);
}

static HopperMatmul
plan_hopper (const CudaDevice *device, const HandProblem *problem)
{
  const SeamDims *d = &problem->spec->problem->dims;
  HopperMatmul m = {
    .split = problem->math_mode == SEAM_MATH_FP32,
    .depth = (int)d->c,
    .group_columns = problem->groupnorm >= 0 ? (int)(d->k / d->groups) : 0,
  };
  const int n_steps = (int)divide_up (d->c, STEP_DEPTH);

  /* B is split beforehand, A on its way to the tensor cores: the larger matrix should be A. */
  m.swap = m.split && m.group_columns == 0 && d->k > d->n;
  m.a_rows = m.swap ? d->k : d->n;
  m.b_rows = m.swap ? d->n : d->k;
  m.tile_columns = m.group_columns > 0 ? MAX_TILE / m.group_columns * m.group_columns : MAX_TILE;
  m.cluster_rows = m.a_rows > UNIT_ROWS ? 2 : 1;
  m.a_stages = m.swap ? 4 : 3;
  m.b_stages = 5;
  m.shift = n_steps >= 64 ? 8 : n_steps / 2;
  m.promote_steps = m.split && n_steps > 64 ? 16 : 0;
  m.permuted = !m.swap && d->k % 16 == 0 && m.group_columns % 16 == 0
               && m.tile_columns / m.cluster_rows % 16 == 0;
  choose_segments (device, &m);
  return m;
}

static gboolean
fits_hopper (const CudaDevice *device, const HandProblem *problem, char **reason)
{
  const SeamDims *d = &problem->spec->problem->dims;
  gint64 width;

  if (!hand_check_hopper (device, reason) || !hand_check_sizes (problem, reason))
    return FALSE;
  if (d->c % 4 != 0) {
    *reason = g_strdup_printf ("The hand-written matmul for Hopper copies rows of a multiple of 16 "
                               "bytes; %" G_GINT64_FORMAT " input features are not.",
                               d->c);
    return FALSE;
  }
  if (problem->groupnorm < 0)
    return TRUE;
  width = d->k / d->groups;
  if (width % 8 == 0 && width <= MAX_TILE && MAX_TILE / width * width % 32 == 0)
    return TRUE;
  *reason = g_strdup_printf (
      "A GroupNorm group is %" G_GINT64_FORMAT " columns here; a tile of the hand-written matmul "
      "has up to 256 columns, a multiple of 32, and holds whole groups of a multiple of 8.",
      width);
  return FALSE;
}

static void
write_hopper (const CudaDevice *device, const HandProblem *problem, GString *text)
{
  const HopperMatmul m = plan_hopper (device, problem);

  g_string_append_printf (
      text,
      "struct Config {\n"
      "  static constexpr int threads = %d, blocks_per_sm = 1;\n"
      "  static constexpr long long a_rows = %" G_GINT64_FORMAT ", b_rows = %" G_GINT64_FORMAT ";\n"
      "  static constexpr int depth = %d;\n"
      "  static constexpr bool swap = %s, split = %s, permuted = %s;\n"
      "  static constexpr bool columns_first = false, vectors_shared = %s;\n"
      "  static constexpr int tile_columns = %d, group_columns = %d;\n"
      "  static constexpr int cluster_rows = %d, cluster_columns = 1, warpgroups = %d;\n"
      "  static constexpr int a_stages = %d, b_stages = %d;\n"
      "  static constexpr int units_per_segment = %d, shift = %d, promote_steps = %d;\n"
      "  static constexpr unsigned long long a_policy = SEAM_L2_NORMAL, b_policy = "
      "SEAM_L2_NORMAL;\n"
      "};\n",
      128 * (WARPGROUPS + 1), m.a_rows, m.b_rows, m.depth, m.swap ? "true" : "false",
      m.split ? "true" : "false", m.permuted ? "true" : "false", m.swap ? "false" : "true",
      m.tile_columns, m.group_columns > 0 ? m.group_columns : 8, m.cluster_rows, WARPGROUPS,
      m.a_stages, m.b_stages, m.units_per_segment, m.shift, m.promote_steps);
  hand_append_kernel (text, "seam_matmul", "SeamMatmulHopperArguments",
                      "Config::threads, Config::blocks_per_sm", "seam_matmul_hopper<Config, Tail>");
  if (m.split)
    hand_append_kernel (text, "seam_matmul_split", "SeamMatmulHopperSplitArguments",
                        G_STRINGIFY (SPLIT_THREADS), "seam_matmul_hopper_split");
}

/* Rows of A, 64 at a time, 32 of depth. */
static gboolean
encode_a (const HopperMatmul *m, const float *data, SeamTensorMap *map, GError **error)
{
  const HandTensorMap spec = {
    .data = data,
    .round = !m->split,
    .rank = 2,
    .sizes = { (guint64)m->depth, (guint64)m->a_rows },
    .strides = { (guint64)m->depth * 4 },
    .box = { STEP_DEPTH, UNIT_ROWS },
    .swizzle = TRUE,
  };

  return hand_encode_map (&spec, map, error);
}

/* Rows of B, a block's share of a tile at a time: split (`data` is what the split kernel made), or
 * as they are, or in permuted order, which TMA makes of five dimensions. */
static gboolean
encode_b (const HopperMatmul *m, const void *data, SeamTensorMap *map, GError **error)
{
  const guint64 pitch = (guint64)m->depth * 4, blocks = (guint64)divide_up (m->depth, STEP_DEPTH);
  const guint32 rows = (guint32)(m->tile_columns / m->cluster_rows);
  HandTensorMap spec = { .data = data, .bf16 = m->split, .round = !m->split, .swizzle = TRUE };

  if (m->split) {
    spec.rank = 2;
    spec.sizes[0] = blocks * 64;
    spec.sizes[1] = (guint64)m->b_rows;
    spec.strides[0] = blocks * 128;
    spec.box[0] = 64;
    spec.box[1] = rows;
  } else if (!m->permuted) {
    spec.rank = 2;
    spec.sizes[0] = (guint64)m->depth;
    spec.sizes[1] = (guint64)m->b_rows;
    spec.strides[0] = pitch;
    spec.box[0] = STEP_DEPTH;
    spec.box[1] = rows;
  } else {
    spec = (HandTensorMap){
      .data = data,
      .round = TRUE,
      .rank = 5,
      .sizes = { (guint64)m->depth, 2, 4, 2, (guint64)m->b_rows / 16 },
      .strides = { pitch, 4 * pitch, 2 * pitch, 16 * pitch },
      .box = { STEP_DEPTH, 2, 4, 2, rows / 16 },
      .swizzle = TRUE,
    };
  }
  return hand_encode_map (&spec, map, error);
}

/* The launch that splits B into high and low parts; `split` receives where. */
static gboolean
add_split (Preparation *p, const HandProblem *problem, const HopperMatmul *m, const float *from,
           cudaLibrary_t module, float **split, GError **error)
{
  const gint64 blocks = divide_up (m->depth, STEP_DEPTH), bytes = m->b_rows * blocks * 128;
  const gint64 n = m->b_rows * blocks * 2;
  SeamMatmulHopperSplitArguments a = {
    .from = from, .rows = m->b_rows, .depth = m->depth, .permuted = m->permuted
  };
  const HandLaunchSpec spec = {
    .function = "seam_matmul_split",
    .short_name = g_strdup (m->swap ? "split input" : "split weight"),
    .first_op = problem->first,
    .last_op = problem->first,
    .bytes = (double)(bytes + m->b_rows * m->depth * 4),
    .is_copy = TRUE,
    .grid = { (unsigned int)MIN (divide_up (n, SPLIT_THREADS),
                                 p->device->base.info->n_processors * 128),
              1, 1 },
    .threads = SPLIT_THREADS,
  };

  a.to = *split = preparation_take_scratch (p, bytes, error);
  if (a.to == NULL) {
    g_free (spec.short_name);
    return FALSE;
  }
  return hand_add_launch (p, module, &spec, &a, sizeof a, error);
}

static unsigned int
count_shared_bytes (const HopperMatmul *m, const HandProblem *problem, const HandTail *tail)
{
  int vectors = m->swap ? 0 : tail->n_vectors + (problem->groupnorm >= 0 ? 2 : 0);

  return (unsigned int)(m->b_stages * m->tile_columns * 128
                        + WARPGROUPS * m->a_stages * UNIT_ROWS * 128
                        + (m->b_stages + WARPGROUPS * m->a_stages) * 16 + 1024
                        + WARPGROUPS * vectors * m->tile_columns * 4);
}

static gboolean
add_hopper (Preparation *p, const HandProblem *problem, const HandTail *tail, cudaLibrary_t module,
            GError **error)
{
  const HopperMatmul m = plan_hopper (p->device, problem);
  const float *x = p->tensors[SEAM_TENSOR_INPUT], *weight = hand_get_weight (p, problem);
  const float *rows = m.swap ? weight : x, *columns = m.swap ? x : weight;
  SeamMatmulHopperArguments a = { .y = hand_get_output (p, problem) };
  float *split = NULL;

  hand_set_vectors (p, problem, tail, a.vectors);
  if (m.split && !add_split (p, problem, &m, columns, module, &split, error))
    return FALSE;
  if (!encode_a (&m, rows, &a.a, error) || !encode_b (&m, m.split ? split : columns, &a.b, error))
    return FALSE;
  const HandLaunchSpec spec = {
    .function = "seam_matmul",
    .short_name = preparation_name_ops (p, problem->first, problem->last),
    .first_op = problem->first,
    .last_op = problem->last,
    .bytes = hand_fused_bytes (p, problem),
    .grid = { (unsigned int)(m.clusters * m.cluster_rows), 1, 1 },
    .threads = 128 * (WARPGROUPS + 1),
    .cluster = (unsigned int)m.cluster_rows,
    .shared_bytes = count_shared_bytes (&m, problem, tail),
  };
  return hand_add_launch (p, module, &spec, &a, sizeof a, error);
}

const HandVersion hand_matmul_versions[] = {
  { SEAM_IMPLEMENTATION_HAND, "kernels/cuda/hand/matmul-hopper.cuh", TRUE, fits_hopper,
    write_hopper, add_hopper, 2, 2 },
  { SEAM_IMPLEMENTATION_HAND_PORTABLE, HAND_PORTABLE_MATMUL_FILE, FALSE, hand_portable_matmul_fits,
    hand_portable_matmul_write, hand_portable_matmul_add, 1, 1 },
  { SEAM_IMPLEMENTATION_HAND_SIMT, HAND_SIMT_MATMUL_FILE, FALSE, hand_simt_matmul_fits,
    hand_simt_matmul_write, hand_simt_matmul_add, 1, 1 },
  { 0 },
};
