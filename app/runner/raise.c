/* SPDX-License-Identifier: MIT
 *
 * Rates that were measured on a busy machine are too low, and a run that goes faster proves it:
 * what its plans reached raises the kept rates of the device, calibrated or not. Only rates that
 * cannot be too high count, and only from plans with a correct output. A time that no device can
 * have raises nothing: it stays under the floor and is shown as wrong.
 *
 * Launch overhead is left alone. Nothing rests on it, and a run does not refute it: on a GPU the
 * launches are queued before the first event, and on a CPU their number is not counted.
 */
#include "app/runner/run-private.h"

#include "app/plan/ceiling.h"
#include "app/result/calibration.h"

#include <math.h>
#include <string.h>

/* A rate is raised by this much above what was reached, so that rounding leaves the plan on its
 * floor, not under it. */
#define ROUNDING 1e-9
/* Other programs make measured rates too low, by half on a machine that one of them keeps busy. A
 * plan that seems ten times as fast was timed wrongly, or left out work that no check noticed. */
#define MOST_RAISE 10

typedef struct {
  SeamRateKind kind;
  double rate, kept; /* the rate that was reached, and the rate kept for the device */
  double limit;      /* a correct time never gives a higher rate; 0: no data sheet tells */
  int plan;
} Reached;

static gboolean
is_right (const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];

  return !plan->exhibit && plan->stable && isfinite (plan->median_ns) && plan->median_ns > 0
         && seam_difference_judge (plan->difference) == SEAM_OUTPUTS_AGREE;
}

gboolean
seam_run_is_proof (const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];

  /* Edited code runs in the same process and could change how the other plans are measured. */
  if (result->pitfalls != NULL || result->edits.n > 0)
    return FALSE;
  if (index != result->against)
    return is_right (result, index)
           && (result->against < 0 || result->plans[result->against].stable);
  /* The plan compared with is right if another agrees with it. */
  for (int i = 0; i < result->n_plans; i++)
    if (i != index && is_right (result, i))
      return plan->stable && !plan->exhibit && isfinite (plan->median_ns) && plan->median_ns > 0;
  return FALSE;
}

/* The fewest bytes that the plan can have moved to and from memory: those of its floor. */
static double
get_memory_bytes (SeamRunner *runner, const SeamResult *result, int index)
{
  SeamPlanLimit limit;
  SeamRates rates;

  seam_run_get_rates (runner->device, result->settings.math_mode, result->settings.cold, &rates);
  /* At one byte per ns, a time is a number of bytes. */
  rates.bytes_per_s = 1e9;
  rates.flop_per_s = 0;
  seam_plan_limit (runner->problem, runner->plans[index].resolved.plan, &rates, &limit);
  return limit.floor_ns;
}

/* Chooses the rate that limits the operations of a math mode. In FP32 a GPU has two ways: FP32
 * itself, and three products of 16-bit halves, the only way to exceed the FP32 peak. A library may
 * need fewer operations (Winograd); then the floor claims less, and the peak limits the rate. */
static void
choose_arithmetic (const SeamDeviceInfo *info, SeamMathMode mode, SeamRoof roof, Reached *reached)
{
  SeamAbilities abilities = seam_device_info_get_abilities (info);
  gboolean has_types = (abilities & SEAM_ABILITY_TF32) != 0;

  reached->kind = SEAM_RATE_FP32;
  if (roof == SEAM_ROOF_FP32)
    return;
  if (has_types && mode == SEAM_MATH_TF32 && info->flop_tf32 > 0) {
    reached->kind = SEAM_RATE_TF32;
  } else if (!has_types && (abilities & SEAM_ABILITY_BF16) != 0
             && seam_math_mode_get_product (mode) == SEAM_OPERAND_BF16) {
    reached->kind = SEAM_RATE_BF16;
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

/* The time of the matrix product: that of all its kernels in the traced executions, or of the whole
 * plan if nothing was traced. */
static double
get_product_ns (const SeamPlanResult *plan)
{
  double sum = 0;

  for (int i = 0; i < plan->n_kernels && plan->n_rejected == 0; i++)
    if (plan->kernels[i].first_op == 0 && !plan->kernels[i].is_copy)
      sum += plan->kernels[i].median_ns;
  /* If a kernel has no time, the sum is NaN and this comparison is FALSE. */
  return sum > 0 && sum < plan->median_ns ? sum : plan->median_ns;
}

/* The highest rate of the plans that are proofs; 0: there is none. */
static void
find_fastest (const SeamResult *result, const double *rates, Reached *reached)
{
  for (int i = 0; i < result->n_plans; i++)
    if (seam_run_is_proof (result, i) && rates[i] > reached->rate) {
      reached->rate = rates[i];
      reached->plan = i;
    }
}

/* The time of a plan may refute both rates together and neither alone, since its groups run one
 * after another, some limited by memory and some by arithmetic. Returns the factor; 1: no plan
 * refutes them. */
static double
find_excess (SeamRunner *runner, SeamMathMode mode, const SeamResult *result, int *plan)
{
  double most = 1;

  for (int i = 0; i < result->n_plans; i++) {
    double excess = seam_run_get_plan_floor (runner, mode, result, i) / result->plans[i].median_ns;

    if (excess > most && seam_run_is_proof (result, i)) {
      most = excess;
      *plan = i;
    }
  }
  return most;
}

/* The bandwidth that plans reached; with `excess` above 1, at least `excess` times the known rate,
 * by `plan`. */
static Reached
find_bandwidth (SeamRunner *runner, const SeamResult *result, double excess, int plan)
{
  const SeamDeviceInfo *info = runner->device->info;
  Reached reached = { .kind = SEAM_RATE_COPY,
                      .rate = excess > 1 ? excess * info->bytes_per_s : 0,
                      .kept = info->bytes_per_s,
                      .limit = SEAM_PEAK_SLACK * info->peak_bytes_per_s,
                      .plan = plan };
  double rates[SEAM_RUN_MAX_PLANS + 1];

  for (int i = 0; i < result->n_plans; i++)
    rates[i] = 1e9 * get_memory_bytes (runner, result, i) / result->plans[i].median_ns;
  find_fastest (result, rates, &reached);
  return reached;
}

/* Of the plans whose product was executed in one arithmetic. */
static Reached
find_arithmetic (SeamRunner *runner, SeamMathMode mode, SeamRoof roof, const SeamResult *result,
                 double excess, int plan)
{
  const SeamDeviceInfo *info = runner->device->info;
  double kept = seam_device_info_get_roof (info, mode, roof);
  Reached reached = { .rate = excess > 1 ? excess * kept : 0, .kept = kept, .plan = plan };
  double rates[SEAM_RUN_MAX_PLANS + 1];

  if (info->peak_flop_fp32 > 0 || info->peak_flop_tf32 > 0)
    reached.limit = SEAM_PEAK_SLACK * seam_device_info_get_peak_flop (info, mode, roof);
  for (int i = 0; i < result->n_plans; i++)
    rates[i] = seam_plan_result_get_roof (&result->plans[i], mode) == roof
                   ? 1e9 * result->plans[i].flop / get_product_ns (&result->plans[i])
                   : 0;
  find_fastest (result, rates, &reached);
  choose_arithmetic (info, roof == SEAM_ROOF_BASE ? seam_math_mode_get_base (mode) : mode, roof,
                     &reached);
  return reached;
}

/* The highest credible rate. Without a data sheet, it is a multiple of the known rate, which is
 * measured again first if the backend can. */
static double
find_limit (SeamDevice *device, const Reached *reached)
{
  double known = reached->kept;

  if (reached->limit > 0)
    return reached->limit;
  if (device->backend->refresh_rates != NULL) {
    seam_run_probe_rates (device);
    known = fmax (known, reached->kind == SEAM_RATE_COPY ? device->uncalibrated->bytes_per_s
                                                         : device->uncalibrated->flop_fp32);
  }
  return MOST_RAISE * known;
}

/* --- Keeping --- */

#define N_RAISED (1 + SEAM_N_ROOFS)

typedef struct {
  SeamRunner *runner;
  SeamResult *result;
  SeamCalibration *kept;    /* the calibration kept for the device; owned */
  Reached raised[N_RAISED]; /* bandwidth, then the roofs; rate 0: not raised */
  int n_raised;
} Work;

/* The calibration that is kept for the device, or a new one for raised rates only. The file is read
 * again, since another program may have changed it in the meantime. NULL: it is damaged. */
static SeamCalibration *
load_kept (const SeamDeviceInfo *info)
{
  SeamCalibration *kept = NULL;

  if (!seam_calibration_load_kept (info->identity, &kept, NULL) || kept != NULL)
    return kept;
  kept = seam_calibration_new ();
  kept->identity = g_strdup (info->identity);
  kept->device = g_strdup (info->name);
  kept->target = g_strdup (info->id);
  return kept;
}

static void
raise_rate (Work *work, Reached *raised, const Reached *reached)
{
  if (!(reached->kept > 0 && reached->rate > reached->kept)
      || reached->rate > find_limit (work->runner->device, reached))
    return;
  seam_calibration_raise (work->kept, reached->kind, reached->rate * (1 + ROUNDING),
                          work->result->pipeline_id, work->result->started_at);
  work->n_raised++;
  if (raised->rate > 0)
    raised->rate = reached->rate;
  else
    *raised = *reached;
}

static void
raise_rates (Work *work, SeamMathMode mode, double excess, int plan)
{
  SeamDevice *device = work->runner->device;
  Reached bandwidth = find_bandwidth (work->runner, work->result, excess, plan);

  raise_rate (work, &work->raised[0], &bandwidth);
  /* The excess refutes the rates of the floor, which are those of the math mode. */
  for (SeamRoof roof = 0; roof < SEAM_N_ROOFS; roof++) {
    Reached arithmetic = find_arithmetic (work->runner, mode, roof, work->result,
                                          roof == SEAM_ROOF_MODE ? excess : 1, plan);

    raise_rate (work, &work->raised[1 + roof], &arithmetic);
  }
  if (work->n_raised > 0) {
    seam_calibration_undo (device->info, device->uncalibrated);
    seam_calibration_apply (work->kept, device->info);
  }
}

/* Tells the person, in a message that is kept with the run. */
static void
tell (SeamPlanResult *plan, const Reached *raised, gboolean is_calibrated, const char *problem)
{
  g_autofree char *rate = seam_rate_format (raised->kind, raised->rate);
  g_autofree char *kept = seam_rate_format (raised->kind, raised->kept);
  g_autofree char *message = g_strdup_printf (
      "It reached %s (%s), more than the %s %s, so %s was too low and is raised to that for good."
      "%s%s",
      rate,
      raised->kind == SEAM_RATE_COPY ? "memory bandwidth" : seam_rate_get_title (raised->kind),
      kept, is_calibrated ? "of the calibration" : "that was measured quickly",
      is_calibrated ? "the calibration" : "the rate",
      problem != NULL ? " It could not be kept: " : "", problem != NULL ? problem : "");

  seam_run_add_message (plan, message);
}

void
seam_run_raise_rates (SeamRunner *runner, SeamMathMode mode, SeamResult *result)
{
  const SeamDeviceInfo *info = runner->device->info;
  g_autoptr (SeamCalibration) kept = load_kept (info);
  Work work = { .runner = runner, .result = result, .kept = kept };
  g_autoptr (GError) error = NULL;
  int plan = 0;

  if (kept == NULL)
    return;
  raise_rates (&work, mode, 1, 0);
  /* Rates of which neither is refuted alone are refuted together by a factor below two; a larger
   * one means that a rate was refused. */
  double excess = find_excess (runner, mode, result, &plan);
  if (excess > 1 && excess <= 2)
    raise_rates (&work, mode, excess, plan);
  if (work.n_raised == 0)
    return;
  seam_calibration_save (kept, &error);
  for (int i = 0; i < N_RAISED; i++)
    if (work.raised[i].rate > 0)
      tell (&result->plans[work.raised[i].plan], &work.raised[i], info->calibrated != NULL,
            error != NULL ? error->message : NULL);
}
