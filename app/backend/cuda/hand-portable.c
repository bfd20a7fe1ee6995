/* SPDX-License-Identifier: MIT
 *
 * The hand-written versions that need no Hopper: the problems that they fit, and their launches, as
 * kernels/cuda/hand/portable.h describes them.
 */
#include "app/backend/cuda/hand-portable.h"

#include "kernels/cuda/hand/portable.h"

gboolean
hand_check_sizes (const HandProblem *problem, char **reason)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;

  if (MAX (MAX (d->n, d->c), MAX (MAX (d->h, d->w), MAX (d->k, d->r))) <= 1 << 28)
    return TRUE;
  *reason = g_strdup ("The hand-written kernels count to 268,435,456 along each dimension.");
  return FALSE;
}

static gboolean
check_device (const CudaDevice *device, int shared_bytes, char **reason)
{
  if (device->major < 8) {
    *reason = g_strdup_printf ("This hand-written kernel needs compute capability 8.0; %s has "
                               "%d.%d.",
                               device->base.info->name, device->major, device->minor);
    return FALSE;
  }
  if (shared_bytes <= device->shared_limit)
    return TRUE;
  *reason = g_strdup_printf (
      "This hand-written kernel needs %d KB of shared memory a block; %s has %d KB.",
      (shared_bytes + 1023) / 1024, device->base.info->name, device->shared_limit / 1024);
  return FALSE;
}

static gboolean
check_blocks (long long blocks, char **reason)
{
  if (blocks <= SEAM_CUDA_MAX_BLOCKS)
    return TRUE;
  *reason = g_strdup ("This shape has more tiles than one launch has blocks.");
  return FALSE;
}

/* --- matmul --- */

#define MATMUL(member) HAND_FIELD (SeamPortableMatmulConfig, member)

static const HandField matmul_fields[] = {
  MATMUL (math),        MATMUL (output),  MATMUL (block_rows),    MATMUL (block_columns),
  MATMUL (warp_rows),   MATMUL (stages),  MATMUL (copy_floats),   MATMUL (warp_columns),
  MATMUL (group_width), MATMUL (threads), MATMUL (blocks_per_sm),
};

static int
get_math (SeamMathMode mode)
{
  return mode == SEAM_MATH_TF32   ? SEAM_PORTABLE_TF32
         : mode == SEAM_MATH_FP16 ? SEAM_PORTABLE_FP16
         : mode == SEAM_MATH_BF16 ? SEAM_PORTABLE_BF16
                                  : SEAM_PORTABLE_TF32X3;
}

/* The SIMT kernels multiply FP32 numbers without rounding, which TF32 allows as well. */
static gboolean
check_mode (const HandProblem *problem, gboolean simt, char **reason)
{
  if (!simt || seam_math_mode_get_operand (problem->math_mode) == SEAM_OPERAND_FP32)
    return TRUE;
  *reason = g_strdup_printf ("This hand-written kernel multiplies in FP32 and does not round its "
                             "operands, as math mode %s asks.",
                             seam_math_mode_get_name (problem->math_mode));
  return FALSE;
}

static SeamPortableMatmulConfig
make_matmul_config (const HandProblem *problem, gboolean simt)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;
  int width = problem->groupnorm >= 0 ? (int)(d->k / d->groups) : 0;
  SeamPortableMatmulConfig config =
      simt ? seam_simt_matmul_config ((int)d->c, width)
           : seam_portable_matmul_config (get_math (problem->math_mode), (int)d->c, width);

  config.output = (int)hand_get_output_type (problem);
  return config;
}

gboolean
hand_fits_portable_matmul (const CudaDevice *device, const HandProblem *problem, int simt,
                           char **reason)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;

  if (!hand_check_sizes (problem, reason) || !check_mode (problem, simt, reason)
      || !hand_check_reads_fp32 (problem, reason))
    return FALSE;
  SeamPortableMatmulConfig config = make_matmul_config (problem, simt);
  if (!check_device (device, simt ? 48 << 10 : seam_portable_matmul_shared_bytes (&config), reason)
      || !check_blocks (seam_portable_matmul_blocks (&config, d->n, (int)d->k), reason))
    return FALSE;
  gint64 width = problem->groupnorm >= 0 ? d->k / d->groups : 4;
  if (width >= 4 && width <= 128 && (width & (width - 1)) == 0)
    return TRUE;
  *reason = g_strdup_printf ("A GroupNorm group is %" G_GINT64_FORMAT
                             " columns here; a tile of this hand-written kernel "
                             "holds groups of 4, 8, 16, 32, 64 or 128 columns.",
                             width);
  return FALSE;
}

void
hand_write_portable_matmul (const CudaDevice *device, const HandProblem *problem, int simt,
                            GString *text)
{
  SeamPortableMatmulConfig config = make_matmul_config (problem, simt);

  hand_append_config (text, "Config", &config, matmul_fields, G_N_ELEMENTS (matmul_fields));
  hand_append_kernel (
      text, "seam_matmul", "SeamPortableMatmul", "Config::threads, Config::blocks_per_sm",
      simt ? "seam_matmul_simt<Config, Tail>" : "seam_matmul_portable<Config, Tail>");
}

gboolean
hand_add_portable_matmul (Preparation *p, const HandProblem *problem, int simt,
                          const HandTail *tail, cudaLibrary_t module, GError **error)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;
  const SeamPortableMatmulConfig config = make_matmul_config (problem, simt);
  SeamPortableMatmul a = {
    .x = p->tensors[SEAM_TENSOR_INPUT],
    .weight = hand_get_weight (p, problem),
    .y = hand_get_output (p, problem),
    .rows = d->n,
    .inner = (int)d->c,
    .columns = (int)d->k,
  };
  const HandLaunchSpec spec = {
    .function = "seam_matmul",
    .short_name = seam_chain_name_ops (p->chain, problem->first, problem->last),
    .first_op = problem->first,
    .last_op = problem->last,
    .bytes = hand_fused_bytes (p, problem),
    .grid = { (unsigned int)seam_portable_matmul_blocks (&config, d->n, (int)d->k), 1, 1 },
    .threads = (unsigned int)config.threads,
    .shared_bytes = simt ? 0 : (unsigned int)seam_portable_matmul_shared_bytes (&config),
  };

  hand_set_vectors (p, problem, tail, a.vectors);
  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_BOX,
                                  .rows = config.block_rows,
                                  .columns = config.block_columns };
  return hand_add_launch (p, module, &spec, &a, sizeof a, error);
}

/* --- conv2d --- */

#define CONVOLUTION(member) HAND_FIELD (SeamPortableConvolutionConfig, member)

static const HandField convolution_fields[] = {
  CONVOLUTION (math),          CONVOLUTION (output),        CONVOLUTION (pass),
  CONVOLUTION (kernel_size),   CONVOLUTION (tile_height),   CONVOLUTION (block_channels),
  CONVOLUTION (warp_channels), CONVOLUTION (tile_width),    CONVOLUTION (warp_pixels),
  CONVOLUTION (stages),        CONVOLUTION (copy_floats),   CONVOLUTION (chunk),
  CONVOLUTION (threads),       CONVOLUTION (blocks_per_sm),
};

static SeamPortableConvolutionConfig
make_convolution_config (const CudaDevice *device, const HandProblem *problem, gboolean simt,
                         int pass)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;
  SeamPortableConvolutionConfig config;

  if (simt)
    return seam_simt_convolution_config (pass, (int)d->r, (int)d->w, (int)d->k);
  config =
      seam_portable_convolution_config (get_math (problem->math_mode), pass, (int)d->r, (int)d->c,
                                        (int)d->h, (int)d->w, (int)d->k, device->shared_limit);
  config.output = (int)hand_get_output_type (problem);
  return config;
}

static long long
count_blocks (const SeamPortableConvolutionConfig *config, const SeamMatrixDims *d)
{
  return seam_portable_convolution_blocks (config, d->n, (int)d->h, (int)d->w, (int)d->k);
}

gboolean
hand_fits_portable_convolution (const CudaDevice *device, const HandProblem *problem, int simt,
                                char **reason)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;

  if (!hand_check_sizes (problem, reason) || !check_mode (problem, simt, reason)
      || !hand_check_reads_fp32 (problem, reason))
    return FALSE;
  if (d->r > SEAM_PORTABLE_MAX_KERNEL) {
    *reason = g_strdup_printf ("This hand-written convolution has kernels up to %d×%d.",
                               SEAM_PORTABLE_MAX_KERNEL, SEAM_PORTABLE_MAX_KERNEL);
    return FALSE;
  }
  SeamPortableConvolutionConfig config =
      make_convolution_config (device, problem, simt, SEAM_PORTABLE_STORE);
  return check_device (device, simt ? 48 << 10 : seam_portable_convolution_shared_bytes (&config),
                       reason)
         && check_blocks (MAX (count_blocks (&config, d), d->n * MAX (d->groups, 1)), reason);
}

static void
append_convolution_kernel (GString *text, const char *name, const char *config_name, gboolean simt,
                           const SeamPortableConvolutionConfig *config)
{
  g_autofree char *bounds =
      g_strdup_printf ("%s::threads, %s::blocks_per_sm", config_name, config_name);
  g_autofree char *call =
      g_strdup_printf ("seam_convolution_%s<%s, Tail>", simt ? "simt" : "portable", config_name);

  hand_append_config (text, config_name, config, convolution_fields,
                      G_N_ELEMENTS (convolution_fields));
  hand_append_kernel (text, name, "SeamPortableConvolution", bounds, call);
}

void
hand_write_portable_convolution (const CudaDevice *device, const HandProblem *problem, int simt,
                                 GString *text)
{
  gboolean norm = problem->groupnorm >= 0;
  SeamPortableConvolutionConfig config = make_convolution_config (
      device, problem, simt, norm ? SEAM_PORTABLE_STATISTICS : SEAM_PORTABLE_STORE);

  append_convolution_kernel (text, "seam_convolution", "Config", simt, &config);
  if (!simt)
    hand_append_kernel (text, "seam_convolution_pack", "SeamPortableConvolution",
                        "SEAM_PORTABLE_PACK_THREADS", "seam_convolution_pack_weight<Config>");
  if (!norm)
    return;
  hand_append_kernel (text, "seam_convolution_combine_statistics", "SeamPortableConvolution",
                      "SEAM_PORTABLE_COMBINE_THREADS", "seam_convolution_combine<Config>");
  config = make_convolution_config (device, problem, simt, SEAM_PORTABLE_APPLY);
  append_convolution_kernel (text, "seam_convolution_apply", "Apply", simt, &config);
}

/* Adds the kernel itself, in one pass or as one of two. */
static gboolean
add_convolution_pass (Preparation *p, const HandProblem *problem, gboolean simt, const char *name,
                      char *short_name, double bytes, const SeamPortableConvolution *a,
                      cudaLibrary_t module, GError **error)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;
  const SeamPortableConvolutionConfig config =
      make_convolution_config (p->device, problem, simt, SEAM_PORTABLE_STORE);
  const long long blocks = count_blocks (&config, d);
  HandLaunchSpec spec = {
    .function = name,
    .short_name = short_name,
    .first_op = problem->first,
    .last_op = problem->last,
    .bytes = bytes,
    .threads = (unsigned int)config.threads,
    .shared_bytes = simt ? 0 : (unsigned int)seam_portable_convolution_shared_bytes (&config),
  };

  spec.grid = (dim3){ (unsigned int)blocks, 1, 1 };
  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_BOX,
                                  .rows = 1,
                                  .columns = config.block_channels,
                                  .height = config.tile_height,
                                  .width = config.tile_width };
  return hand_add_launch (p, module, &spec, a, sizeof *a, error);
}

static gboolean
add_pack (Preparation *p, const HandProblem *problem, SeamPortableConvolution *a,
          cudaLibrary_t module, GError **error)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;
  const SeamPortableConvolutionConfig config =
      make_convolution_config (p->device, problem, FALSE, SEAM_PORTABLE_STORE);
  gint64 bytes = seam_portable_packed_bytes (&config, (int)d->c, (int)d->k);
  HandLaunchSpec spec = {
    .function = "seam_convolution_pack",
    .first_op = problem->first,
    .last_op = problem->first,
    .is_copy = TRUE,
    .threads = SEAM_PORTABLE_PACK_THREADS,
    .bytes = (double)bytes
             + preparation_tensor_bytes (p, preparation_param_tensor (p, problem->first, 0)),
  };

  a->packed = (unsigned int *)preparation_take_scratch (p, bytes, error);
  if (a->packed == NULL)
    return FALSE;
  spec.short_name = g_strdup ("pack weight");
  spec.grid =
      (dim3){ (unsigned int)seam_portable_pack_blocks (&config, (int)d->c, (int)d->k), 1, 1 };
  return hand_add_launch (p, module, &spec, a, sizeof *a, error);
}

/* Adds three launches: statistics, their sum over tiles, and the convolution again. */
static gboolean
add_two_passes (Preparation *p, const HandProblem *problem, gboolean simt,
                SeamPortableConvolution *a, cudaLibrary_t module, GError **error)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;
  const SeamPortableConvolutionConfig config =
      make_convolution_config (p->device, problem, simt, SEAM_PORTABLE_STATISTICS);
  gint64 partials = seam_portable_partial_bytes (&config, d->n, (int)d->h, (int)d->w, (int)d->k);
  double bytes = hand_fused_bytes (p, problem);
  HandLaunchSpec combine = {
    .function = "seam_convolution_combine_statistics",
    .first_op = problem->groupnorm,
    .last_op = problem->groupnorm,
    .bytes = (double)partials,
    .grid = { (unsigned int)(d->n * d->groups), 1, 1 },
    .threads = SEAM_PORTABLE_COMBINE_THREADS,
  };

  a->partials = preparation_take_scratch (p, partials, error);
  a->statistics =
      a->partials != NULL ? preparation_take_scratch (p, d->n * d->groups * 8, error) : NULL;
  if (a->statistics == NULL
      || !add_convolution_pass (
          p, problem, simt, "seam_convolution", g_strdup ("conv2d … statistics"),
          bytes - preparation_tensor_bytes (p, SEAM_TENSOR_OUTPUT (problem->last)), a, module,
          error))
    return FALSE;
  combine.short_name = g_strdup ("combine statistics");
  return hand_add_launch (p, module, &combine, a, sizeof *a, error)
         && add_convolution_pass (p, problem, simt, "seam_convolution_apply",
                                  seam_chain_name_ops (p->chain, problem->first, problem->last),
                                  bytes, a, module, error);
}

gboolean
hand_add_portable_convolution (Preparation *p, const HandProblem *problem, int simt,
                               const HandTail *tail, cudaLibrary_t module, GError **error)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;
  SeamPortableConvolution a = {
    .x = p->tensors[SEAM_TENSOR_INPUT],
    .weight = hand_get_weight (p, problem),
    .y = hand_get_output (p, problem),
    .batch = d->n,
    .channels = (int)d->c,
    .height = (int)d->h,
    .width = (int)d->w,
    .outputs = (int)d->k,
    .groups = problem->groupnorm >= 0 ? (int)d->groups : 1,
  };

  hand_set_vectors (p, problem, tail, a.vectors);
  if (!simt && !add_pack (p, problem, &a, module, error))
    return FALSE;
  if (problem->groupnorm >= 0)
    return add_two_passes (p, problem, simt, &a, module, error);
  return add_convolution_pass (p, problem, simt, "seam_convolution",
                               seam_chain_name_ops (p->chain, problem->first, problem->last),
                               hand_fused_bytes (p, problem), &a, module, error);
}
