/* SPDX-License-Identifier: MIT
 *
 * Computes points and bounds.
 */
#include "app/explain/roofline.h"

#include "app/explain/bounds.h"
#include "app/explain/read-result.h"
#include "app/plan/traffic.h"

#include <math.h>
#include <string.h>

/* ---- operations ---- */

/* The number of kernels that have the op: one computes the statistics of a groupnorm, another
 * applies them, both with the ops before it. */
static int
count_sharers (const SeamPlanResult *plan, int op)
{
  int n = 0;

  for (int i = 0; i < plan->n_kernels; i++)
    n += !plan->kernels[i].is_copy && plan->kernels[i].first_op <= op
         && op <= plan->kernels[i].last_op;
  return n;
}

/* Each op counts once, so that the kernels of a plan add up to the plan: kernels that repeat one
 * share it. */
static double
count_kernel (const SeamProblem *problem, const SeamChain *chain, const SeamPlanResult *plan,
              const SeamKernel *kernel, double flop)
{
  double operations = 0;

  if (kernel->is_copy)
    return 0;
  for (int op = kernel->first_op; op <= MIN (kernel->last_op, chain->n_ops - 1); op++)
    operations += seam_op_count_operations (problem, chain, op) / count_sharers (plan, op);
  return operations + (kernel - plan->kernels == seam_plan_result_find_product (plan) ? flop : 0);
}

/* ---- points ---- */

typedef struct {
  const SeamResult *result;
  const SeamProblem *problem;
  double flop; /* of the matrix op */
  SeamRates rates;
  gboolean has_arithmetic; /* a bound of operations is in force */
  SeamRoofline *roofline;
  GArray *points, *bounds;
} Builder;

static double
get_attainable (const GArray *bounds, const SeamRooflinePoint *point)
{
  double attainable = point->arithmetic >= 0
                          ? g_array_index (bounds, SeamRooflineBound, point->arithmetic).rate
                          : NAN;

  for (guint i = 0; i < bounds->len; i++) {
    const SeamRooflineBound *bound = &g_array_index (bounds, SeamRooflineBound, i);

    /* Bytes of one level are compared with the bandwidth of the same level. */
    if (bound->kind == SEAM_BOUND_MEMORY && bound->is_cache == point->is_cache)
      attainable = fmin (attainable, bound->rate * point->intensity);
  }
  return attainable;
}

/* That of the math mode, the next, or the slowest: in tf32x TF32 follows 16-bit products, and FP32
 * follows faster arithmetic. */
static int
find_arithmetic (const GArray *bounds, SeamRoof roof)
{
  int found = -1, n = 0;

  for (guint i = 0; i < bounds->len; i++) {
    const SeamRooflineBound *bound = &g_array_index (bounds, SeamRooflineBound, i);

    if (bound->kind == SEAM_BOUND_ARITHMETIC && (bound->in_force || found >= 0)
        && (roof == SEAM_ROOF_FP32 || n++ <= (int)roof))
      found = (int)i;
  }
  return found;
}

/* Takes the label. */
static void
add_point (Builder *builder, SeamRooflinePoint point)
{
  seam_keep (builder->roofline, point.label);
  point.intensity = point.operations / point.bytes;
  point.rate = point.operations / point.time_ns * 1e9;
  /* A logarithmic scale has no place for 0 (a layout copy does no arithmetic). */
  if (!(point.intensity > 0) || !(point.rate > 0) || !isfinite (point.intensity)
      || !isfinite (point.rate)) {
    builder->roofline->n_left_out += point.kernel >= 0 && !point.is_cache;
    return;
  }
  point.attainable = get_attainable (builder->bounds, &point);
  g_array_append_val (builder->points, point);
}

static void
add_kernel (Builder *builder, int side, const SeamPlanResult *plan, const SeamPlan *parsed, int i,
            gboolean is_cache)
{
  const SeamChain *chain = seam_plan_get_chain (parsed);
  const SeamKernel *kernel = &plan->kernels[i];
  double measured =
      is_cache ? kernel->l2_sm_bytes : kernel->dram_bytes_read + kernel->dram_bytes_written;
  gboolean multiplies = i == seam_plan_result_find_product (plan);
  SeamMathMode mode = builder->result->settings.math_mode;

  add_point (builder,
             (SeamRooflinePoint){
                 .side = side,
                 .kernel = i,
                 .op_kind = seam_explain_get_main_kind (chain, kernel->first_op, kernel->last_op),
                 .label = g_strdup (kernel->short_name != NULL ? kernel->short_name : kernel->name),
                 .operations = count_kernel (builder->problem, chain, plan, kernel, builder->flop),
                 .bytes = isnan (measured) ? kernel->bytes : measured,
                 .measured = !isnan (measured),
                 .is_cache = is_cache,
                 .time_ns = kernel->median_ns,
                 .multiplies = multiplies,
                 .arithmetic = find_arithmetic (builder->bounds,
                                                multiplies ? seam_plan_result_get_roof (plan, mode)
                                                : kernel->group == 0 ? SEAM_ROOF_MODE /* a helper */
                                                                     : SEAM_ROOF_FP32),
             });
}

/* Those of the L2 are added if counters know its bytes and there is a bound for that level. */
static void
add_kernels (Builder *builder, int side, const SeamPlanResult *plan, const SeamPlan *parsed)
{
  const SeamDeviceInfo *device = builder->result->device;

  for (int i = 0; i < plan->n_kernels; i++)
    add_kernel (builder, side, plan, parsed, i, FALSE);
  for (int i = 0; device != NULL && device->l2_bytes_per_s > 0 && i < plan->n_kernels; i++)
    if (plan->kernels[i].l2_sm_bytes > 0)
      add_kernel (builder, side, plan, parsed, i, TRUE);
}

/* Counts each op once, even if several kernels repeat it; uses measured bytes only if all kernels
 * have them that counters see. */
static void
add_plan (Builder *builder, int side, const SeamPlanResult *plan, const SeamPlan *parsed)
{
  const SeamChain *chain = seam_plan_get_chain (parsed);
  double operations = builder->flop, measured = plan->n_kernels > 0 ? 0 : NAN;

  for (int op = 0; op < chain->n_ops; op++)
    operations += seam_op_count_operations (builder->problem, chain, op);
  for (int i = 0; i < plan->n_kernels; i++)
    measured += seam_kernel_get_counted_bytes (&plan->kernels[i]);
  add_point (builder, (SeamRooflinePoint){
                          .side = side,
                          .kernel = -1,
                          .op_kind = SEAM_KIND_COPY,
                          .label = g_strdup (seam_plan_get_title (parsed)),
                          .operations = operations,
                          .bytes = isnan (measured) ? plan->bytes : measured,
                          .measured = !isnan (measured),
                          .time_ns = plan->median_ns,
                          .arithmetic = builder->roofline->mode,
                      });
}

/* ---- bounds ---- */

static void
add_bound (Builder *builder, SeamBoundKind kind, const char *label, double rate, gboolean measured,
           gboolean in_force)
{
  SeamRooflineBound bound = { kind, NULL, rate, measured, in_force, FALSE };

  if (!(rate > 0))
    return;
  bound.label = seam_keep (builder->roofline, g_strdup (label));
  g_array_append_val (builder->bounds, bound);
}

/* Marks the fastest bound of the math mode as in force: every floor uses that rate. */
static void
add_arithmetic (Builder *builder, const char *label, double rate, gboolean measured)
{
  const SeamResult *result = builder->result;
  gboolean in_force =
      !builder->has_arithmetic
      && rate == seam_device_info_get_flop_rate (result->device, result->settings.math_mode);

  add_bound (builder, SEAM_BOUND_ARITHMETIC, label, in_force ? builder->rates.flop_per_s : rate,
             measured, in_force);
  builder->has_arithmetic = builder->has_arithmetic || in_force;
}

/* "bandwidth measured here just now, arithmetic from the data sheet": the device tells in words
 * which rates it has measured. */
static void
add_level_bounds (Builder *builder, const SeamDeviceInfo *device)
{
  const char *source = device->rates_source != NULL ? device->rates_source : "";
  gboolean memory_measured = strstr (source, "measured") != NULL || device->calibrated != NULL;
  gboolean all_measured = memory_measured && strstr (source, "data sheet") == NULL;
  SeamMathMode mode = builder->result->settings.math_mode;
  const SeamOperandType product = seam_math_mode_get_product (mode);
  gboolean tf32 = seam_math_mode_get_base (mode) == SEAM_MATH_TF32;

  add_bound (builder, SEAM_BOUND_MEMORY, seam_device_info_get_words (device)->memory,
             builder->rates.bytes_per_s, memory_measured, TRUE);
  if ((seam_device_info_get_abilities (device) & SEAM_ABILITY_TF32) == 0) {
    add_bound (builder, SEAM_BOUND_ARITHMETIC, "FP32", builder->rates.flop_per_s, all_measured,
               TRUE);
    return;
  }
  if (product != SEAM_OPERAND_FP32)
    add_arithmetic (builder, seam_storage_get_type_title (product),
                    seam_device_info_get_half_rate (device), all_measured);
  if (tf32)
    add_arithmetic (builder, "TF32", device->flop_tf32, all_measured);
  /* Three products of bf16 halves on the tensor cores give FP32's accuracy at twice the rate of
   * TF32. */
  if (product == SEAM_OPERAND_FP32 && !tf32)
    add_arithmetic (builder, "FP16×3", seam_device_info_get_split_rate (device), all_measured);
  add_arithmetic (builder, "FP32", device->flop_fp32, all_measured);
}

static void
add_bounds (Builder *builder)
{
  const SeamDeviceInfo *device = builder->result->device;

  if (!seam_bounds_get_rates (builder->result, builder->problem, &builder->rates))
    return;
  add_level_bounds (builder, device);
  if (!(device->l2_bytes_per_s > 0) || builder->bounds->len == 0)
    return;
  add_bound (builder, SEAM_BOUND_MEMORY, seam_device_info_get_words (device)->cache,
             device->l2_bytes_per_s, TRUE, TRUE);
  g_array_index (builder->bounds, SeamRooflineBound, builder->bounds->len - 1).is_cache = TRUE;
}

/* ---- the whole ---- */

SeamRoofline *
seam_roofline_new (const SeamResult *result, int a, int b, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  Builder builder = { .result = result };
  const int plans[] = { a, b };
  SeamPlan *parsed[2] = { NULL };
  SeamFloor floor;

  if (problem == NULL)
    return NULL;
  for (int side = 0; side < (b < 0 ? 1 : 2); side++) {
    parsed[side] = seam_explain_read_plan (result, plans[side], error);
    if (parsed[side] == NULL) {
      seam_plan_unref (parsed[0]);
      return NULL;
    }
  }
  SeamRoofline *roofline = seam_owner_new (SeamRoofline);
  seam_problem_get_floor (problem, 0, TRUE, 0, 0, &floor);
  builder.problem = problem;
  builder.flop = floor.flop;
  builder.roofline = roofline;
  builder.points = g_array_new (FALSE, TRUE, sizeof (SeamRooflinePoint));
  builder.bounds = g_array_new (FALSE, TRUE, sizeof (SeamRooflineBound));
  add_bounds (&builder);
  roofline->mode = find_arithmetic (builder.bounds, SEAM_ROOF_MODE);
  roofline->fp32 = find_arithmetic (builder.bounds, SEAM_ROOF_FP32);
  roofline->n_sides = b < 0 ? 1 : 2;
  roofline->letters[0] = seam_plan_get_letter (a);
  roofline->letters[1] = seam_plan_get_letter (b);
  for (int side = 0; side < roofline->n_sides; side++) {
    add_plan (&builder, side, &result->plans[plans[side]], parsed[side]);
    add_kernels (&builder, side, &result->plans[plans[side]], parsed[side]);
    seam_plan_unref (parsed[side]);
  }
  roofline->n_points = (int)builder.points->len;
  roofline->points = seam_keep (roofline, g_array_free (builder.points, FALSE));
  roofline->n_bounds = (int)builder.bounds->len;
  roofline->bounds = seam_keep (roofline, g_array_free (builder.bounds, FALSE));
  return roofline;
}
