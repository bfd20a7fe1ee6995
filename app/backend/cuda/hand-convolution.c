/* SPDX-License-Identifier: MIT
 *
 * Hand-written conv2d with its tail: the list of versions, and the launches of those for Hopper.
 */
#include "app/backend/cuda/hand-portable.h"

#include "kernels/cuda/hand/convolution-few.h"
#include "kernels/cuda/hand/convolution-many.h"

/* --- Few input channels: convolution-few.cuh --- */

#define FEW_FIELD(member) HAND_FIELD (SeamConvolutionFewPlan, member)

static const HandField few_fields[] = {
  FEW_FIELD (input),
  FEW_FIELD (output),
  FEW_FIELD (math),
  FEW_FIELD (batch),
  FEW_FIELD (channels),
  FEW_FIELD (filters),
  FEW_FIELD (taps),
  FEW_FIELD (height),
  FEW_FIELD (width),
  FEW_FIELD (groups),
  FEW_FIELD (mode),
  FEW_FIELD (rows),
  FEW_FIELD (segments),
  FEW_FIELD (n_multiprocessors),
  FEW_FIELD (columns),
  FEW_FIELD (across),
  FEW_FIELD (strips),
  FEW_FIELD (tiles),
  FEW_FIELD (blocks_k),
  FEW_FIELD (shared),
  FEW_FIELD (grid),
  FEW_FIELD (share),
  FEW_FIELD (consumers),
  FEW_FIELD (raw_stages),
  FEW_FIELD (pieces),
  FEW_FIELD (piece),
  FEW_FIELD (pitch),
  FEW_FIELD (beyond),
  FEW_FIELD (parks),
  FEW_FIELD (threads),
  FEW_FIELD (normalize_blocks),
};

static int
get_few_math (const HandProblem *problem)
{
  switch (problem->math_mode) {
  case SEAM_MATH_TF32:
    return SEAM_CONVOLUTION_FEW_TF32;
  case SEAM_MATH_FP16:
    return SEAM_CONVOLUTION_FEW_FP16;
  case SEAM_MATH_BF16:
    return SEAM_CONVOLUTION_FEW_BF16;
  default:
    return SEAM_CONVOLUTION_FEW_FP16X3;
  }
}

static const char *
plan_few (const CudaDevice *device, const HandProblem *problem, int mode,
          SeamConvolutionFewPlan *plan)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;

  *plan = (SeamConvolutionFewPlan){
    .math = get_few_math (problem),
    .input = (int)hand_get_input_type (problem),
    .output = (int)hand_get_output_type (problem),
    .batch = (int)d->n,
    .channels = (int)d->c,
    .filters = (int)d->k,
    .taps = (int)d->r,
    .height = (int)d->h,
    .width = (int)d->w,
    .groups = problem->groupnorm >= 0 ? (int)d->groups : 0,
    .mode = mode,
    .bounded = hand_has_bounded_tail (problem),
    /* Blocks of mode RESIDENT wait for each other, so all of them must be on the GPU at once. */
    .n_multiprocessors = mode == SEAM_CONVOLUTION_FEW_RESIDENT ? device->n_resident_blocks
                                                               : device->base.info->n_processors,
  };
  return seam_convolution_few_plan (plan);
}

static gboolean fits_many (const CudaDevice *device, const HandProblem *problem, int mode,
                           char **reason);

static gboolean
fits_few (const CudaDevice *device, const HandProblem *problem, int mode, char **reason)
{
  SeamConvolutionFewPlan plan;

  if (!hand_check_hopper (device, reason) || !hand_check_sizes (problem, reason))
    return FALSE;
  if (mode == SEAM_CONVOLUTION_FEW_RELOAD && hand_get_output_type (problem) != SEAM_OPERAND_FP32) {
    *reason = g_strdup ("This hand-written convolution stores its output and normalises it later, "
                        "and with this storage the output has 16 bits in memory.");
    return FALSE;
  }
  if ((mode == SEAM_CONVOLUTION_FEW_STORE) != (problem->groupnorm < 0)) {
    *reason = g_strdup (mode == SEAM_CONVOLUTION_FEW_STORE
                            ? "This hand-written convolution ends before GroupNorm."
                            : "This hand-written convolution is for groups that end with "
                              "GroupNorm.");
    return FALSE;
  }
  if (mode == SEAM_CONVOLUTION_FEW_STORE
      && (hand_get_input_type (problem) != SEAM_OPERAND_FP32
          || hand_get_output_type (problem) != SEAM_OPERAND_FP32)) {
    g_autofree char *ignored = NULL;

    if (fits_many (device, problem, 0, &ignored)) {
      *reason = g_strdup ("With 16 bits in memory the convolution over many channels takes the "
                          "place of that over few.");
      return FALSE;
    }
  }
  const char *why = plan_few (device, problem, mode, &plan);
  *reason = g_strdup (why);
  return why == NULL;
}

static void
append_few_kernel (GString *text, const char *name, const char *config,
                   const SeamConvolutionFewPlan *plan)
{
  g_autofree char *bounds = g_strdup_printf ("%s::threads, 1", config);
  g_autofree char *call = g_strdup_printf ("seam_convolution_few<%s, Tail>", config);

  hand_append_config (text, config, plan, few_fields, G_N_ELEMENTS (few_fields));
  hand_append_kernel (text, name, "SeamConvolutionFewArguments", bounds, call);
}

static void
write_few (const CudaDevice *device, const HandProblem *problem, int mode, GString *text)
{
  SeamConvolutionFewPlan plan;

  plan_few (device, problem, mode, &plan);
  append_few_kernel (text, "seam_convolution", "Config", &plan);
  if (mode == SEAM_CONVOLUTION_FEW_STATISTICS) {
    plan_few (device, problem, SEAM_CONVOLUTION_FEW_APPLY, &plan);
    append_few_kernel (text, "seam_convolution_apply", "Apply", &plan);
  } else if (mode == SEAM_CONVOLUTION_FEW_RELOAD) {
    hand_append_kernel (text, "seam_convolution_normalize", "SeamConvolutionFewArguments", "256",
                        "seam_convolution_few_normalize<Config, Tail>");
  }
}

static HandLaunchSpec
describe_few (const Preparation *p, const HandProblem *problem, const char *function,
              const SeamConvolutionFewPlan *plan)
{
  return (HandLaunchSpec){
    .function = function,
    .first_op = problem->first,
    .last_op = problem->last,
    .bytes = hand_fused_bytes (p, problem),
    .grid = { (unsigned int)plan->grid, 1, 1 },
    .threads = (unsigned int)plan->threads,
    .shared_bytes = (unsigned int)plan->shared,
  };
}

/* A tile: the patch of 64 filters that one or two warpgroups compute at a time. Reload's second
 * kernel distributes the accesses of its threads along a plane. */
static SeamTile
get_few_tile (const SeamConvolutionFewPlan *plan, int mode)
{
  const gint64 plane = (gint64)(plan->height - plan->taps + 1) * (plan->width - plan->taps + 1);

  if (mode == SEAM_CONVOLUTION_FEW_RELOAD)
    return (SeamTile){ .kind = SEAM_TILE_RUN,
                       .rows = 1,
                       .columns = 1,
                       .run = plan->normalize_blocks < 2 ? plane
                              : plane % 4 == 0           ? 1024
                                                         : 256 };
  return (SeamTile){ .kind = SEAM_TILE_BOX,
                     .rows = 1,
                     .columns = 64,
                     .height = plan->rows * plan->segments,
                     .width = plan->across * plan->columns };
}

/* Adds the second launch of a GroupNorm that takes two. */
static gboolean
add_few_second (Preparation *p, const HandProblem *problem, int mode,
                const SeamConvolutionFewArguments *a, cudaLibrary_t module, GError **error)
{
  SeamConvolutionFewPlan plan;
  HandLaunchSpec spec;

  if (mode == SEAM_CONVOLUTION_FEW_STATISTICS) {
    plan_few (p->device, problem, SEAM_CONVOLUTION_FEW_APPLY, &plan);
    spec = describe_few (p, problem, "seam_convolution_apply", &plan);
    spec.short_name = seam_chain_name_ops (p->chain, problem->first, problem->last);
  } else {
    plan_few (p->device, problem, mode, &plan);
    spec = (HandLaunchSpec){
      .function = "seam_convolution_normalize",
      .short_name = g_strdup ("groupnorm apply"),
      .first_op = problem->groupnorm,
      .last_op = problem->groupnorm,
      .bytes = 2 * preparation_tensor_bytes (p, SEAM_TENSOR_OUTPUT (problem->last)),
      .grid = { (unsigned int)(plan.batch * plan.filters), (unsigned int)plan.normalize_blocks, 1 },
      .threads = 256,
    };
  }
  return hand_add_launch (p, module, &spec, a, sizeof *a, error);
}

static gboolean
add_few (Preparation *p, const HandProblem *problem, int mode, const HandTail *tail,
         cudaLibrary_t module, GError **error)
{
  SeamConvolutionFewPlan plan;
  SeamConvolutionFewArguments a = {
    .x = p->tensors[SEAM_TENSOR_INPUT],
    .weight = hand_get_weight (p, problem),
    .y = hand_get_output (p, problem),
  };

  plan_few (p->device, problem, mode, &plan);
  hand_set_vectors (p, problem, tail, a.vectors);
  p->prepared->tile = get_few_tile (&plan, mode);
  HandLaunchSpec spec = describe_few (p, problem, "seam_convolution", &plan);
  if (mode != SEAM_CONVOLUTION_FEW_STORE) {
    a.partials = (unsigned long long *)preparation_take_scratch (p, plan.scratch_bytes, error);
    if (a.partials == NULL)
      return FALSE;
  }
  if (mode == SEAM_CONVOLUTION_FEW_RESIDENT) {
    spec.cooperative = TRUE;
    spec.fill = a.partials;
    spec.fill_bytes = (gsize)plan.scratch_bytes;
  }
  if (mode == SEAM_CONVOLUTION_FEW_STATISTICS) {
    spec.short_name = g_strdup ("conv2d … statistics");
    spec.bytes -= preparation_tensor_bytes (p, SEAM_TENSOR_OUTPUT (problem->last));
  } else {
    spec.short_name = seam_chain_name_ops (
        p->chain, problem->first,
        mode == SEAM_CONVOLUTION_FEW_RELOAD ? problem->last_elementwise : problem->last);
  }
  if (!hand_add_launch (p, module, &spec, &a, sizeof a, error))
    return FALSE;
  return mode == SEAM_CONVOLUTION_FEW_STORE || mode == SEAM_CONVOLUTION_FEW_RESIDENT
         || add_few_second (p, problem, mode, &a, module, error);
}

/* --- Many input channels: convolution-many.cuh --- */

#define MANY(member) HAND_FIELD (SeamConvolutionManyPlan, member)

static const HandField many_fields[] = {
  MANY (input), MANY (output), MANY (math),    MANY (batch),      MANY (channels), MANY (filters),
  MANY (taps),  MANY (height), MANY (width),   MANY (again),      MANY (run),      MANY (staging),
  MANY (pitch), MANY (stages), MANY (n_tiles), MANY (n_blocks_k),
};

static int
get_many_math (SeamMathMode mode)
{
  return mode == SEAM_MATH_TF32   ? SEAM_CONVOLUTION_MANY_TF32
         : mode == SEAM_MATH_FP16 ? SEAM_CONVOLUTION_MANY_FP16
         : mode == SEAM_MATH_BF16 ? SEAM_CONVOLUTION_MANY_BF16
                                  : SEAM_CONVOLUTION_MANY_FP16X3;
}

static const char *
plan_many_with (const CudaDevice *device, const HandProblem *problem, int math, gboolean again,
                SeamConvolutionManyPlan *plan)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (problem->spec->problem, 0), *d = &sizes;

  *plan = (SeamConvolutionManyPlan){
    .math = math,
    .again = again,
    .input = (int)hand_get_input_type (problem),
    .output = (int)hand_get_output_type (problem),
    .batch = (int)d->n,
    .channels = (int)d->c,
    .filters = (int)d->k,
    .taps = (int)d->r,
    .height = (int)d->h,
    .width = (int)d->w,
  };
  return seam_convolution_many_plan (plan, device->shared_limit);
}

/* The kernel that computes everything again in TF32 must fit as well. */
static gboolean
scales_many (const CudaDevice *device, const HandProblem *problem)
{
  SeamConvolutionManyPlan plan;

  return problem->may_scale && hand_get_input_type (problem) == SEAM_OPERAND_FP32
         && plan_many_with (device, problem, SEAM_CONVOLUTION_MANY_SCALED, FALSE, &plan) == NULL
         && plan_many_with (device, problem, SEAM_CONVOLUTION_MANY_TF32, TRUE, &plan) == NULL;
}

static const char *
plan_many (const CudaDevice *device, const HandProblem *problem, SeamConvolutionManyPlan *plan)
{
  return plan_many_with (device, problem,
                         scales_many (device, problem) ? SEAM_CONVOLUTION_MANY_SCALED
                                                       : get_many_math (problem->math_mode),
                         FALSE, plan);
}

/* Plans the kernel that computes everything again if numbers left FP16's range, with other powers
 * of two or in TF32. FALSE: none is needed. */
static gboolean
plan_many_again (const CudaDevice *device, const HandProblem *problem,
                 SeamConvolutionManyPlan *plan)
{
  const gboolean splits = problem->math_mode == SEAM_MATH_FP32;

  if (!splits && !scales_many (device, problem))
    return FALSE;
  plan_many_with (device, problem,
                  splits ? SEAM_CONVOLUTION_MANY_FP16X3 : SEAM_CONVOLUTION_MANY_TF32, TRUE, plan);
  return TRUE;
}

static gboolean
fits_many (const CudaDevice *device, const HandProblem *problem, int mode, char **reason)
{
  SeamConvolutionManyPlan plan;

  if (!hand_check_hopper (device, reason) || !hand_check_sizes (problem, reason))
    return FALSE;
  if (problem->groupnorm >= 0) {
    *reason = g_strdup ("The hand-written convolution over many channels ends before GroupNorm.");
    return FALSE;
  }
  const char *why = plan_many (device, problem, &plan);
  *reason = g_strdup (why);
  return why == NULL;
}

static void
append_many_kernel (GString *text, const char *name, const char *config,
                    const SeamConvolutionManyPlan *plan)
{
  g_autofree char *call = g_strdup_printf ("seam_convolution_many<%s, Tail>", config);

  hand_append_config (text, config, plan, many_fields, G_N_ELEMENTS (many_fields));
  hand_append_kernel (text, name, "SeamConvolutionManyArguments",
                      "SEAM_CONVOLUTION_MANY_THREADS, 1", call);
}

static void
write_many (const CudaDevice *device, const HandProblem *problem, int mode, GString *text)
{
  SeamConvolutionManyPlan plan;

  plan_many (device, problem, &plan);
  append_many_kernel (text, "seam_convolution", "Config", &plan);
  if (plan_many_again (device, problem, &plan))
    append_many_kernel (text, "seam_convolution_again", "Again", &plan);
}

static HandLaunchSpec
describe_many (const Preparation *p, const HandProblem *problem, const char *function,
               const SeamConvolutionManyPlan *plan)
{
  return (HandLaunchSpec){
    .function = function,
    .first_op = problem->first,
    .last_op = problem->last,
    .grid.x = (unsigned int)seam_convolution_many_grid (plan, p->device->base.info->n_processors),
    .grid.y = 1,
    .grid.z = 1,
    .threads = SEAM_CONVOLUTION_MANY_THREADS,
    .cluster = (unsigned int)plan->cluster,
    .shared_bytes = (unsigned int)plan->shared,
  };
}

static gboolean
add_many (Preparation *p, const HandProblem *problem, int mode, const HandTail *tail,
          cudaLibrary_t module, GError **error)
{
  SeamConvolutionManyPlan plan;
  SeamConvolutionManyArguments a = {
    .x = p->tensors[SEAM_TENSOR_INPUT],
    .weight = hand_get_weight (p, problem),
    .y = hand_get_output (p, problem),
  };
  const SeamCudaGuess *guess = NULL;

  hand_set_vectors (p, problem, tail, a.vectors);
  if (plan_many_again (p->device, problem, &plan)) {
    guess = preparation_add_guess (p, problem->first, NULL, error);
    if (guess == NULL)
      return FALSE;
    a.scales = guess->scales;
    a.exceeded = guess->exceeded;
  }
  plan_many (p->device, problem, &plan);
  /* A tile is a run of pixels in a strip of columns, counted with the columns at the strip's end
   * that are computed and dropped. */
  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_RUN,
                                  .rows = 1,
                                  .columns = SEAM_CONVOLUTION_MANY_FILTERS,
                                  .width = plan.pitch - plan.taps + 1,
                                  .run = SEAM_CONVOLUTION_MANY_PIXELS,
                                  .pitch = plan.pitch };
  HandLaunchSpec spec = describe_many (p, problem, "seam_convolution", &plan);
  spec.short_name = seam_chain_name_ops (p->chain, problem->first, problem->last);
  spec.bytes = hand_fused_bytes (p, problem);
  if (!hand_add_launch (p, module, &spec, &a, sizeof a, error))
    return FALSE;
  if (!plan_many_again (p->device, problem, &plan))
    return TRUE;
  if (plan.math == SEAM_CONVOLUTION_MANY_FP16X3)
    preparation_add_guess (p, problem->first, guess, error);
  spec = describe_many (p, problem, "seam_convolution_again", &plan);
  spec.short_name =
      g_strdup (plan.math == SEAM_CONVOLUTION_MANY_FP16X3 ? "conv2d … again, out of range"
                                                          : "conv2d … again in tf32, out of range");
  spec.is_copy = TRUE; /* does nothing, as a rule */
  return hand_add_launch (p, module, &spec, &a, sizeof a, error);
}

#define FEW_FILE  "kernels/cuda/hand/convolution-few.cuh"
#define MANY_FILE "kernels/cuda/hand/convolution-many.cuh"

/* What all versions of that file share. */
#define FEW(of_mode)                                                                               \
  .header = FEW_FILE, .specific = TRUE, .split = "FP16x3", .mode = of_mode, .fits = fits_few,      \
  .write = write_few, .add = add_few

const HandVersion hand_convolution_versions[] = {
  {
      .implementation = { "hand-resident", "Hand-written, values stay on the chip", TRUE },
      FEW (SEAM_CONVOLUTION_FEW_RESIDENT),
      .n_groupnorm_kernels = 1,
  },
  {
      .implementation = { "hand-recompute", "Hand-written, convolution computed twice", TRUE },
      FEW (SEAM_CONVOLUTION_FEW_STATISTICS),
      .explains = TRUE,
      .n_groupnorm_kernels = 2,
  },
  {
      .implementation = { "hand-reload", "Hand-written, GroupNorm reads the values again", TRUE },
      FEW (SEAM_CONVOLUTION_FEW_RELOAD),
      .only_by_name = TRUE,
      .n_groupnorm_kernels = 2,
  },
  {
      .implementation = HAND_IMPLEMENTATION_BEST,
      FEW (SEAM_CONVOLUTION_FEW_STORE),
      .n_kernels = 1,
  },
  {
      .implementation = HAND_IMPLEMENTATION_BEST,
      .header = MANY_FILE,
      .specific = TRUE,
      .split = "FP16x3",
      .fits = fits_many,
      .write = write_many,
      .add = add_many,
      .n_kernels = 1,
      .n_split_kernels = 4,
      .scales = scales_many,
      .scaled_split = "FP16, scaled samples",
      .n_scaled_kernels = 3,
  },
  {
      .implementation = HAND_IMPLEMENTATION_PORTABLE,
      .header = HAND_PORTABLE_CONVOLUTION_FILE,
      .split = "TF32x3",
      .fits = hand_fits_portable_convolution,
      .write = hand_write_portable_convolution,
      .add = hand_add_portable_convolution,
      .n_kernels = 2,
      .n_groupnorm_kernels = 4,
  },
  {
      .implementation = HAND_IMPLEMENTATION_SIMT,
      .header = HAND_SIMT_CONVOLUTION_FILE,
      .mode = HAND_SIMT,
      .only_by_name = TRUE,
      .split = "FP32",
      .fits = hand_fits_portable_convolution,
      .write = hand_write_portable_convolution,
      .add = hand_add_portable_convolution,
      .n_kernels = 1,
      .n_groupnorm_kernels = 3,
  },
  { .fits = NULL },
};
