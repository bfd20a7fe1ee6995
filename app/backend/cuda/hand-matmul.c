/* SPDX-License-Identifier: MIT
 *
 * Hand-written matmul with its tail: the list of versions, and the launches of those for Hopper, as
 * kernels/cuda/hand/matmul-hopper.h and matmul-first.h describe them.
 */
#include "app/backend/cuda/hand-portable.h"

#include "kernels/cuda/hand/matmul-first.h"
#include "kernels/cuda/hand/matmul-hopper.h"

G_STATIC_ASSERT (SEAM_MATMUL_HOPPER_FP32 == (int)SEAM_OPERAND_FP32);
G_STATIC_ASSERT (SEAM_MATMUL_HOPPER_FP16 == (int)SEAM_OPERAND_FP16);
G_STATIC_ASSERT (SEAM_MATMUL_HOPPER_BF16 == (int)SEAM_OPERAND_BF16);

/* TMA moves rows that are whole multiples of 16 bytes; other shapes are multiplied in TF32. */
static gboolean
scales_hopper (const CudaDevice *device, const HandProblem *problem)
{
  return problem->may_scale && seam_matrix_get_dims (problem->spec->problem, 0).c % 8 == 0;
}

/* Makes the plan of the kernel from the problem; returns NULL, or a sentence without its full
 * stop. */
static const char *
plan_hopper (const CudaDevice *device, const HandProblem *problem, int n_vectors,
             SeamMatmulHopperPlan *plan)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;
  const gboolean scaled = scales_hopper (device, problem);

  *plan = (SeamMatmulHopperPlan){ 0 };
  const char *why = seam_matmul_hopper_plan (
      plan, d->n, d->k, d->c, problem->math_mode == SEAM_MATH_FP32,
      scaled ? (int)SEAM_OPERAND_FP16 : (int)seam_math_mode_get_operand (problem->math_mode),
      scaled, problem->groupnorm >= 0 ? (int)(d->k / d->groups) : 0, n_vectors,
      device->base.info->n_processors);
  plan->config.output = (int)hand_get_output_type (problem);
  return why;
}

static gboolean
fits_hopper (const CudaDevice *device, const HandProblem *problem, int mode, char **reason)
{
  SeamMatmulHopperPlan plan;

  if (!hand_check_hopper (device, reason) || !hand_check_sizes (problem, reason))
    return FALSE;
  const char *why = plan_hopper (device, problem, hand_count_vectors (problem), &plan);
  if (why != NULL)
    *reason = g_strdup_printf ("The hand-written matmul for Hopper does not take this: %s.", why);
  else if (plan.shared_bytes > (unsigned int)device->shared_limit)
    *reason = g_strdup ("The hand-written matmul for Hopper does not take so many vectors.");
  return *reason == NULL;
}

static const char *
format_bool (int value)
{
  return value ? "true" : "false";
}

static void
write_hopper (const CudaDevice *device, const HandProblem *problem, int mode, GString *text)
{
  SeamMatmulHopperPlan plan;
  const SeamMatmulHopperConfig *c = &plan.config;

  plan_hopper (device, problem, hand_count_vectors (problem), &plan);
  g_string_append_printf (
      text,
      "struct Config {\n"
      "  static constexpr int threads = %d, blocks_per_sm = %d;\n"
      "  static constexpr long long a_rows = %lld, b_rows = %lld;\n"
      "  static constexpr int depth = %d, operand = %d, output = %d;\n"
      "  static constexpr bool swap = %s, split = %s, permuted = %s, scaled = %s;\n"
      "  static constexpr bool columns_first = %s, vectors_shared = %s, a_streams = %s;\n"
      "  static constexpr int tile_columns = %d, group_columns = %d;\n"
      "  static constexpr int cluster_rows = %d, cluster_columns = %d, warpgroups = %d;\n"
      "  static constexpr int a_stages = %d, b_stages = %d;\n"
      "  static constexpr int units_per_segment = %d, shift = %d, promote_steps = %d;\n"
      "  static constexpr unsigned long long a_policy = 0x%llx, b_policy = 0x%llx;\n"
      "};\n",
      c->threads, c->blocks_per_sm, c->a_rows, c->b_rows, c->depth, c->operand, c->output,
      format_bool (c->swap), format_bool (c->split), format_bool (c->permuted),
      format_bool (c->scaled), format_bool (c->columns_first), format_bool (c->vectors_shared),
      format_bool (c->a_streams), c->tile_columns, c->group_columns, c->cluster_rows,
      c->cluster_columns, c->warpgroups, c->a_stages, c->b_stages, c->units_per_segment, c->shift,
      c->promote_steps, c->a_policy, c->b_policy);
  hand_append_kernel (text, "seam_matmul", "SeamMatmulHopperArguments",
                      "Config::threads, Config::blocks_per_sm", "seam_matmul_hopper<Config, Tail>");
  if (c->split)
    hand_append_kernel (text, "seam_matmul_split", "SeamMatmulHopperSplitArguments",
                        G_STRINGIFY (SEAM_MATMUL_HOPPER_SPLIT_THREADS) ", 4",
                        "seam_matmul_hopper_split<Config::depth>");
}

/* Number of blocks of 32 along the depth. */
static guint64
count_blocks (const SeamMatmulHopperConfig *c)
{
  return ((guint64)c->depth + SEAM_MATMUL_HOPPER_STEP_DEPTH - 1) / SEAM_MATMUL_HOPPER_STEP_DEPTH;
}

static guint64
get_pitch (const SeamMatmulHopperConfig *c)
{
  return (guint64)c->depth * (c->operand == SEAM_MATMUL_HOPPER_FP32 ? 4 : 2);
}

/* The tensor map of A: the rows of one warpgroup at a time, 128 bytes of depth. */
static gboolean
encode_a (const SeamMatmulHopperConfig *c, const void *data, SeamTensorMap *map, GError **error)
{
  const HandTensorMap spec = {
    .data = data,
    .type = (SeamOperandType)c->operand,
    .round = !c->split,
    .rank = 2,
    .sizes = { (guint64)c->depth, (guint64)c->a_rows },
    .strides = { get_pitch (c) },
    .box = { (guint32)seam_matmul_hopper_step_depth (c),
             (guint32)(SEAM_MATMUL_HOPPER_WARPGROUP_ROWS / c->cluster_columns) },
    .swizzle = TRUE,
    .narrow = c->a_streams,
  };

  return hand_encode_map (&spec, map, error);
}

/* The tensor map of B: a block's share of a tile at a time. `data` is the split B if the operand is
 * split, else B itself, whose rows TMA may permute by five dimensions. */
static gboolean
encode_b (const SeamMatmulHopperConfig *c, const void *data, SeamTensorMap *map, GError **error)
{
  const guint64 pitch = get_pitch (c), blocks = count_blocks (c);
  const guint32 depth = (guint32)seam_matmul_hopper_step_depth (c);
  const guint32 rows = (guint32)(c->tile_columns / c->cluster_rows);
  const HandTensorMap split = {
    .data = data,
    .type = SEAM_OPERAND_FP16,
    .rank = 2,
    .sizes = { blocks * 64, (guint64)c->b_rows },
    .strides = { blocks * 128 },
    .box = { 64, rows },
    .swizzle = TRUE,
    .narrow = c->a_streams,
  };
  const HandTensorMap plain = {
    .data = data,
    .type = (SeamOperandType)c->operand,
    .round = TRUE,
    .rank = 2,
    .sizes = { (guint64)c->depth, (guint64)c->b_rows },
    .strides = { pitch },
    .box = { depth, rows },
    .swizzle = TRUE,
    .narrow = c->a_streams,
  };
  const HandTensorMap permuted = {
    .data = data,
    .type = (SeamOperandType)c->operand,
    .round = TRUE,
    .rank = 5,
    .sizes = { (guint64)c->depth, 2, 4, 2, (guint64)c->b_rows / 16 },
    .strides = { pitch, 4 * pitch, 2 * pitch, 16 * pitch },
    .box = { depth, 2, 4, 2, rows / 16 },
    .swizzle = TRUE,
    .narrow = c->a_streams,
  };

  return hand_encode_map (c->split ? &split : c->permuted ? &permuted : &plain, map, error);
}

/* Adds the launch that splits B into high and low parts. */
static gboolean
add_split (Preparation *p, const HandProblem *problem, const SeamMatmulHopperPlan *plan,
           const float *from, cudaLibrary_t module, SeamMatmulHopperSplitArguments *a,
           GError **error)
{
  const SeamMatmulHopperConfig *c = &plan->config;
  HandLaunchSpec spec = {
    .function = "seam_matmul_split",
    .first_op = problem->first,
    .last_op = problem->first,
    .bytes = (double)(plan->scratch_bytes + c->b_rows * (c->depth + 1) * 4),
    .is_copy = TRUE,
    .grid = { plan->split_blocks, 1, 1 },
    .threads = SEAM_MATMUL_HOPPER_SPLIT_THREADS,
  };

  *a = (SeamMatmulHopperSplitArguments){
    .from = from,
    .to = preparation_take_scratch (p, plan->scratch_bytes, error),
    .rows = c->b_rows,
    .depth = c->depth,
    .permuted = c->permuted,
  };
  if (a->to == NULL)
    return FALSE;
  a->inverses = preparation_take_scratch (p, (c->b_rows + 1) * (gint64)sizeof (float), error);
  if (a->inverses == NULL)
    return FALSE;
  spec.short_name = g_strdup (c->swap ? "split input" : "split weight");
  return hand_add_launch (p, module, &spec, a, sizeof *a, error);
}

static gboolean
add_hopper (Preparation *p, const HandProblem *problem, int mode, const HandTail *tail,
            cudaLibrary_t module, GError **error)
{
  SeamMatmulHopperArguments a = { .y = hand_get_output (p, problem) };
  const int weight_tensor = preparation_param_tensor (p, problem->first, 0);
  const SeamTensor *tensors = p->spec->problem->tensors;
  const void *x = p->tensors[SEAM_TENSOR_INPUT], *weight = p->tensors[weight_tensor];
  SeamMatmulHopperPlan plan;
  const SeamMatmulHopperConfig *c = &plan.config;
  HandLaunchSpec spec = {
    .function = "seam_matmul",
    .first_op = problem->first,
    .last_op = problem->last,
    .bytes = hand_fused_bytes (p, problem),
  };
  SeamMatmulHopperSplitArguments split = { 0 };

  plan_hopper (p->device, problem, hand_count_vectors (problem), &plan);
  hand_set_vectors (p, problem, tail, a.vectors);
  if (c->scaled) {
    const SeamCudaScaling *scaling = preparation_add_scaling (p, problem->first, error);

    if (scaling == NULL)
      return FALSE;
    x = scaling->to[0];
    weight = scaling->to[1];
    a.inverses[0] = scaling->inverses[0];
    a.inverses[1] = scaling->inverses[1];
  } else if (c->operand != SEAM_MATMUL_HOPPER_FP32) {
    x = preparation_get_operand (p, problem->first, SEAM_TENSOR_INPUT, error);
    weight = x != NULL ? preparation_get_operand (p, problem->first, weight_tensor, error) : NULL;
  }
  if (weight == NULL)
    return FALSE;
  if (c->operand != SEAM_MATMUL_HOPPER_FP32)
    spec.bytes +=
        2.0 * (double)(tensors[SEAM_TENSOR_INPUT].n_elements + tensors[weight_tensor].n_elements)
        - (double)(tensors[SEAM_TENSOR_INPUT].bytes + tensors[weight_tensor].bytes);
  if (c->split && !add_split (p, problem, &plan, c->swap ? x : weight, module, &split, error))
    return FALSE;
  if (c->split)
    a.inverses[1] = split.inverses;
  if (!encode_a (c, c->swap ? weight : x, &a.a, error)
      || !encode_b (c, c->split ? split.to : weight, &a.b, error))
    return FALSE;
  /* The tile is the part that a warpgroup computes at a time. */
  p->prepared->tile = (SeamTile){
    .kind = SEAM_TILE_BOX,
    .rows = c->swap ? c->tile_columns : SEAM_MATMUL_HOPPER_WARPGROUP_ROWS,
    .columns = c->swap ? SEAM_MATMUL_HOPPER_WARPGROUP_ROWS : c->tile_columns,
  };
  spec.short_name = seam_chain_name_ops (p->chain, problem->first, problem->last);
  spec.grid = (dim3){ plan.n_blocks, 1, 1 };
  spec.threads = (unsigned int)c->threads;
  spec.cluster = (unsigned int)(c->cluster_rows * c->cluster_columns);
  spec.shared_bytes = plan.shared_bytes;
  return hand_add_launch (p, module, &spec, &a, sizeof a, error);
}

/* --- The first lesson: matmul-first.cuh --- */

#define FIRST(member) HAND_FIELD (SeamMatmulFirstConfig, member)

static const HandField first_fields[] = { FIRST (rows), FIRST (columns), FIRST (depth) };

static SeamMatmulFirstConfig
make_first_config (const HandProblem *problem)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;

  return (SeamMatmulFirstConfig){ (int)d->n, (int)d->k, (int)d->c };
}

static gboolean
fits_first (const CudaDevice *device, const HandProblem *problem, int mode, char **reason)
{
  if (!hand_check_hopper (device, reason) || !hand_check_sizes (problem, reason)
      || !hand_check_reads_fp32 (problem, reason))
    return FALSE;
  SeamMatmulFirstConfig config = make_first_config (problem);
  if (problem->math_mode != SEAM_MATH_TF32)
    *reason = g_strdup ("This hand-written matmul is a first lesson: it multiplies TF32 only.");
  else if (problem->groupnorm >= 0)
    *reason = g_strdup ("This hand-written matmul ends before GroupNorm.");
  else if (hand_get_output_type (problem) != SEAM_OPERAND_FP32)
    *reason = g_strdup ("This hand-written matmul stores FP32 only.");
  else if (config.depth % 4 != 0)
    *reason =
        g_strdup ("TMA moves rows of whole 16 bytes: the inner size must be a multiple of 4.");
  else if (seam_matmul_first_blocks (&config) > SEAM_CUDA_MAX_BLOCKS)
    *reason = g_strdup ("This shape has more tiles than one launch has blocks.");
  return *reason == NULL;
}

static void
write_first (const CudaDevice *device, const HandProblem *problem, int mode, GString *text)
{
  const SeamMatmulFirstConfig config = make_first_config (problem);

  hand_append_config (text, "Config", &config, first_fields, G_N_ELEMENTS (first_fields));
  hand_append_kernel (text, "seam_matmul", "SeamMatmulFirstArguments",
                      G_STRINGIFY (SEAM_MATMUL_FIRST_THREADS) ", 1",
                      "seam_matmul_first<Config, Tail>");
}

/* The tensor map of x or w: a tile's rows at a time, 128 bytes of depth. */
static gboolean
encode_first (const void *data, int depth, int rows, SeamTensorMap *map, GError **error)
{
  const HandTensorMap spec = {
    .data = data,
    .type = SEAM_OPERAND_FP32,
    .round = TRUE,
    .rank = 2,
    .sizes = { (guint64)depth, (guint64)rows },
    .strides = { (guint64)depth * 4 },
    .box = { SEAM_MATMUL_FIRST_STEP, SEAM_MATMUL_FIRST_TILE },
    .swizzle = TRUE,
  };

  return hand_encode_map (&spec, map, error);
}

static gboolean
add_first (Preparation *p, const HandProblem *problem, int mode, const HandTail *tail,
           cudaLibrary_t module, GError **error)
{
  const SeamMatmulFirstConfig config = make_first_config (problem);
  SeamMatmulFirstArguments a = { .y = hand_get_output (p, problem) };
  HandLaunchSpec spec = {
    .function = "seam_matmul",
    .first_op = problem->first,
    .last_op = problem->last,
    .bytes = hand_fused_bytes (p, problem),
    .grid = { (unsigned int)seam_matmul_first_blocks (&config), 1, 1 },
    .threads = SEAM_MATMUL_FIRST_THREADS,
    .shared_bytes = SEAM_MATMUL_FIRST_SHARED,
  };

  hand_set_vectors (p, problem, tail, a.vectors);
  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_BOX,
                                  .rows = SEAM_MATMUL_FIRST_TILE,
                                  .columns = SEAM_MATMUL_FIRST_TILE };
  if (!encode_first (p->tensors[SEAM_TENSOR_INPUT], config.depth, config.rows, &a.x, error)
      || !encode_first (hand_get_weight (p, problem), config.depth, config.columns, &a.w, error))
    return FALSE;
  spec.short_name = seam_chain_name_ops (p->chain, problem->first, problem->last);
  return hand_add_launch (p, module, &spec, &a, sizeof a, error);
}

const HandVersion hand_matmul_versions[] = {
  {
      .implementation = HAND_IMPLEMENTATION_BEST,
      .header = "kernels/cuda/hand/matmul-hopper.cuh",
      .specific = TRUE,
      .split = "FP16x3",
      .fits = fits_hopper,
      .write = write_hopper,
      .add = add_hopper,
      .n_kernels = 1,
      .n_groupnorm_kernels = 1,
      .n_split_kernels = 2,
      .scales = scales_hopper,
      .scaled_split = "FP16, scaled rows",
      .n_scaled_kernels = 2,
  },
  {
      .implementation = { "hand-first", "Hand-written, a first lesson for Hopper", FALSE },
      .header = "kernels/cuda/hand/matmul-first.cuh",
      .specific = TRUE,
      .only_by_name = TRUE,
      .fits = fits_first,
      .write = write_first,
      .add = add_first,
      .n_kernels = 1,
  },
  {
      .implementation = HAND_IMPLEMENTATION_PORTABLE,
      .header = HAND_PORTABLE_MATMUL_FILE,
      .split = "TF32x3",
      .fits = hand_fits_portable_matmul,
      .write = hand_write_portable_matmul,
      .add = hand_add_portable_matmul,
      .n_kernels = 1,
      .n_groupnorm_kernels = 1,
  },
  {
      .implementation = HAND_IMPLEMENTATION_SIMT,
      .header = HAND_SIMT_MATMUL_FILE,
      .mode = HAND_SIMT,
      .only_by_name = TRUE,
      .split = "FP32",
      .fits = hand_fits_portable_matmul,
      .write = hand_write_portable_matmul,
      .add = hand_add_portable_matmul,
      .n_kernels = 1,
      .n_groupnorm_kernels = 1,
  },
  { .fits = NULL },
};
