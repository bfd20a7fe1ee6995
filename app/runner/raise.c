/* SPDX-License-Identifier: MIT
 *
 * A calibration of a busy machine is too low, and a run that goes faster proves it: what its plans
 * reached raises the kept calibration. Only what cannot be too high counts, and only of plans whose
 * output is right: a time that no device can have stays under the floor and is shown as wrong.
 *
 * Launch overhead is left alone. Nothing rests on it, and a run does not refute it: on a GPU the
 * launches are queued before the first event, and on a CPU their number is not counted.
 */
#include "app/runner/run-private.h"

#include "app/plan/ceiling.h"
#include "app/result/calibration.h"

#include <math.h>
#include <string.h>

/* Above a rate that was reached, so that rounding leaves the plan on its floor, not under it. */
#define ROUNDING 1e-9

typedef struct {
  SeamRateKind kind;
  double rate, kept; /* reached, and what the device is said to reach */
  double limit;      /* no time that is right gives a higher rate */
  int plan;
} Reached;

static gboolean
is_right (const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];

  return !plan->exhibit && plan->stable && isfinite (plan->median_ns) && plan->median_ns > 0
         && plan->difference != NULL && plan->difference->n_failing == 0;
}

gboolean
seam_run_is_proof (const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];

  /* Edited code runs in the same process: it could change what the others are measured by. */
  if (result->pitfalls != NULL || result->edits.n > 0)
    return FALSE;
  if (index != result->reference)
    return is_right (result, index)
           && (result->reference < 0 || result->plans[result->reference].stable);
  /* The reference is right where another plan agrees with it. */
  for (int i = 0; i < result->n_plans; i++)
    if (i != index && is_right (result, i))
      return plan->stable && !plan->exhibit && isfinite (plan->median_ns) && plan->median_ns > 0;
  return FALSE;
}

/* The fewest bytes that the plan has moved to and from memory: those of the floor that it refutes;
 * or more, where its groups have moved more that no cache can have held. */
static double
get_memory_bytes (SeamRunner *runner, const SeamCalibration *calibration, const SeamResult *result,
                  int index)
{
  const SeamDeviceInfo *info = runner->device->info;
  /* A byte a ns: a time is a number of bytes. */
  SeamRates rates = { .bytes_per_s = 1e9, .cold = result->settings.cold };
  double cache_bytes = (double)info->l2_bytes;
  SeamPlanLimit limit;
  SeamFloor floor;
  SeamKnee knee;

  seam_problem_get_floor (runner->problem, cache_bytes, rates.cold, rates.bytes_per_s, 0, &floor);
  /* On a CPU the system names the last-level cache of one core, and there may be several. */
  if (!seam_calibration_find_knee (calibration, &knee)
      && (!seam_device_info_is_device (info) || !(cache_bytes > 0)))
    return floor.floor_ns;
  /* A comparison with NaN (no knee) is FALSE. */
  rates.cache_bytes = knee.bytes > cache_bytes ? knee.bytes : cache_bytes;
  rates.cache_bytes += (double)runner->device->private_cache_bytes;
  seam_plan_limit (runner->problem, runner->plans[index].resolved.plan, &rates, &limit);
  return fmax (floor.floor_ns, limit.floor_ns);
}

/* Which rate the operations of a math mode belong to. In FP32 a GPU has two ways: FP32 itself, and
 * what is over its peak only three products of BF16 halves can have done. A library may do with
 * fewer operations (Winograd); the floor then claims less, and the peak ends it. */
static void
choose_arithmetic (const SeamDeviceInfo *info, SeamMathMode mode, Reached *reached)
{
  gboolean has_types = (seam_device_info_get_abilities (info) & SEAM_ABILITY_TF32) != 0;

  reached->kind = SEAM_RATE_FP32;
  if (has_types && mode == SEAM_MATH_TF32 && info->flop_tf32 > 0) {
    reached->kind = SEAM_RATE_TF32;
  } else if (has_types && seam_math_mode_get_product (mode) != SEAM_OPERAND_FP32
             && seam_device_info_get_half_rate (info) > 0) {
    reached->kind = SEAM_RATE_BF16;
  } else if (has_types && info->peak_flop_fp32 > 0
             && reached->rate > SEAM_PEAK_SLACK * info->peak_flop_fp32) {
    reached->kind = SEAM_RATE_BF16;
    reached->rate *= 3;
    reached->kept *= 3;
    reached->limit *= 3;
  }
}

/* The time of the matrix product: of all kernels that have a part in it, in the traced executions,
 * or of the whole plan where nothing was traced. */
static double
get_product_ns (const SeamPlanResult *plan)
{
  double sum = 0;

  for (int i = 0; i < plan->n_kernels && plan->n_rejected == 0; i++)
    if (plan->kernels[i].first_op == 0 && !plan->kernels[i].is_copy)
      sum += plan->kernels[i].median_ns;
  /* A comparison with NaN (some kernel has no time) is FALSE. */
  return sum > 0 && sum < plan->median_ns ? sum : plan->median_ns;
}

/* The highest rate of the plans that count; 0: none counts. */
static void
find_fastest (const SeamResult *result, const double *rates, Reached *reached)
{
  for (int i = 0; i < result->n_plans; i++)
    if (seam_run_is_proof (result, i) && rates[i] > reached->rate) {
      reached->rate = rates[i];
      reached->plan = i;
    }
}

static Reached
find_bandwidth (SeamRunner *runner, const SeamCalibration *calibration, const SeamResult *result)
{
  const SeamDeviceInfo *info = runner->device->info;
  Reached reached = { .kind = SEAM_RATE_COPY, .kept = info->bytes_per_s };
  double rates[SEAM_RUN_MAX_PLANS + 1];

  if (info->peak_bytes_per_s > 0)
    reached.limit = SEAM_PEAK_SLACK * info->peak_bytes_per_s;
  for (int i = 0; i < result->n_plans; i++)
    rates[i] = 1e9 * get_memory_bytes (runner, calibration, result, i) / result->plans[i].median_ns;
  find_fastest (result, rates, &reached);
  return reached;
}

static Reached
find_arithmetic (SeamRunner *runner, SeamMathMode mode, const SeamResult *result)
{
  const SeamDeviceInfo *info = runner->device->info;
  Reached reached = { .kept = seam_device_info_get_flop_rate (info, mode) };
  double rates[SEAM_RUN_MAX_PLANS + 1];

  if (info->peak_flop_fp32 > 0 || info->peak_flop_tf32 > 0)
    reached.limit = SEAM_PEAK_SLACK * seam_device_info_get_peak_flop (info, mode);
  for (int i = 0; i < result->n_plans; i++)
    rates[i] = 1e9 * result->plans[i].flop / get_product_ns (&result->plans[i]);
  find_fastest (result, rates, &reached);
  choose_arithmetic (info, mode, &reached);
  return reached;
}

/* What no right time is over, where no data sheet says it: rates that are measured again at once,
 * or where that cannot be done, what is kept; within the accuracy of either. */
static void
find_limit (SeamDevice *device, Reached *reached)
{
  SeamDeviceInfo *info = device->info;
  double kept = reached->kept;

  if (reached->limit > 0)
    return;
  if (device->backend->refresh_rates != NULL) {
    g_autoptr (SeamDeviceInfo) now = seam_device_info_copy (info);

    seam_run_probe_rates (device, now);
    kept = reached->kind == SEAM_RATE_COPY ? now->bytes_per_s : now->flop_fp32;
  }
  reached->limit = SEAM_PEAK_SLACK_MEASURED * kept;
}

/* For the person, and kept with the run. */
static void
tell (SeamPlanResult *plan, const Reached *reached, const char *problem)
{
  g_autofree char *rate = seam_rate_format (reached->kind, reached->rate);
  g_autofree char *kept = seam_rate_format (reached->kind, reached->kept);
  g_autofree char *message = g_strdup_printf (
      "It reached %s (%s), more than the calibration's %s, so the calibration was too low and is "
      "raised to that.%s%s",
      rate,
      reached->kind == SEAM_RATE_COPY ? "memory bandwidth" : seam_rate_get_title (reached->kind),
      kept, problem != NULL ? " It could not be kept: " : "", problem != NULL ? problem : "");

  seam_run_add_message (plan, message);
}

void
seam_run_raise_calibration (SeamRunner *runner, SeamMathMode mode, SeamResult *result)
{
  SeamDevice *device = runner->device;
  g_autoptr (SeamCalibration) calibration = NULL;
  Reached all[2];
  gboolean is_raised[2] = { FALSE, FALSE };
  g_autoptr (GError) error = NULL;

  /* Read again: another program may have calibrated meanwhile, or raised it. */
  if (!seam_calibration_load (device->info->identity, &calibration, NULL) || calibration == NULL)
    return;
  all[0] = find_bandwidth (runner, calibration, result);
  all[1] = find_arithmetic (runner, mode, result);
  for (int i = 0; i < 2; i++) {
    if (!(all[i].kept > 0 && all[i].rate > all[i].kept))
      continue;
    find_limit (device, &all[i]);
    if (all[i].rate > all[i].limit)
      continue;
    seam_calibration_raise (calibration, all[i].kind, all[i].rate * (1 + ROUNDING),
                            result->pipeline_id, result->started_at);
    is_raised[i] = TRUE;
  }
  if (!is_raised[0] && !is_raised[1])
    return;
  seam_calibration_apply (calibration, device->info);
  seam_calibration_save (calibration, &error);
  for (int i = 0; i < 2; i++)
    if (is_raised[i])
      tell (&result->plans[all[i].plan], &all[i], error != NULL ? error->message : NULL);
}
