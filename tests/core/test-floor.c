/* SPDX-License-Identifier: MIT
 *
 * The floor of a run: rates that a plan beats are measured again before the plan is doubted, and a
 * plan far below the floor stays doubted. A run that refutes a calibration raises it for good, but
 * only if its result is right and possible.
 */
#include "app/result/calibration.h"
#include "app/runner/run-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static SeamBackend backend;
static int n_refreshed;
static double factor;

static void
refresh_rates (SeamDevice *device)
{
  n_refreshed++;
  device->info->bytes_per_s *= factor;
  device->info->flop_fp32 *= factor;
}

typedef struct {
  SeamRunner *runner;
  SeamDevice *device;
  SeamRunRequest *request;
} Fixture;

/* A CPU whose rates the test sets. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-bias", &error);
  g_assert_no_error (error);

  fixture->request = seam_run_request_new (pipeline);
  memcpy (fixture->request->values, seam_pipeline_get_preset (pipeline, "tiny", NULL)->values,
          sizeof fixture->request->values);
  fixture->request->settings.budget_s = 0.05;
  fixture->request->target = g_strdup ("cpu");
  fixture->runner = seam_runner_new ();
  fixture->device = seam_runner_open (fixture->runner, "cpu", &error);
  g_assert_no_error (error);
  backend = seam_backend_cpu;
  backend.refresh_rates = refresh_rates;
  fixture->device->backend = &backend;
  n_refreshed = 0;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fixture->device->backend = &seam_backend_cpu;
  seam_runner_free (fixture->runner);
  seam_run_request_free (fixture->request);
}

static SeamResult *
run (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  SeamResult *result =
      seam_runner_run (fixture->runner, fixture->request, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static void
set_rates (Fixture *fixture, double bytes_per_s, double flop_per_s)
{
  SeamDeviceInfo *infos[] = { fixture->device->info, fixture->device->uncalibrated };

  for (gsize i = 0; i < G_N_ELEMENTS (infos); i++) {
    infos[i]->bytes_per_s = bytes_per_s;
    infos[i]->flop_fp32 = infos[i]->flop_tf32 = flop_per_s;
  }
}

/* A thousandth of a byte a second: every plan seems to beat that. */
static void
set_slow (Fixture *fixture)
{
  set_rates (fixture, 1e-3, 1e-3);
}

static SeamCalibration *
load (Fixture *fixture)
{
  SeamCalibration *calibration = NULL;

  g_assert_true (seam_calibration_load_kept (fixture->device->info->identity, &calibration, NULL));
  return calibration;
}

static void
test_spoilt (Fixture *fixture, gconstpointer data)
{
  set_slow (fixture);
  factor = 1e30;
  g_autoptr (SeamResult) result = run (fixture);
  g_assert_cmpint (n_refreshed, ==, 1);
  g_assert_cmpfloat (result->floor_ns, <, result->plans[0].median_ns);
  g_assert_cmpfloat (result->device->bytes_per_s, ==, 1e27);
}

/* A product without tensor cores raises FP32's rate, in every math mode, up to the data sheet's;
 * the floor's rate, of tensor cores, has nothing to do with it. */
static void
test_simt (Fixture *fixture, gconstpointer data)
{
  static const SeamMathMode modes[] = { SEAM_MATH_FP32, SEAM_MATH_TF32, SEAM_MATH_TF32X };
  SeamDeviceInfo *info = fixture->device->info;
  g_autofree char *path = seam_calibration_get_path (info->identity);
  g_autoptr (SeamResult) result = run (fixture);
  double flop = result->plans[0].flop;

  info->abilities = SEAM_ABILITY_ALL;
  for (int i = 0; i < 6; i++) {
    g_autoptr (SeamCalibration) raised = NULL;

    set_rates (fixture, 1e30, 40 * flop);
    info->flop_tf32 = fixture->device->uncalibrated->flop_tf32 = 400 * flop;
    info->peak_flop_fp32 = i < 3 ? 60 * flop : 45 * flop;
    info->peak_flop_tf32 = 500 * flop;
    for (int p = 0; p < result->n_plans; p++) {
      SeamKernel *kernel =
          &result->plans[p].kernels[seam_plan_result_find_product (&result->plans[p])];
      kernel->tensor_percent = 0;
      kernel->median_ns = 1e9 / 50;
      result->plans[p].median_ns = 1e9 / 10;
    }
    g_unlink (path);
    seam_run_raise_rates (fixture->runner, modes[i % 3], result);
    raised = load (fixture);
    g_assert_true ((raised != NULL) == (i < 3));
    if (raised == NULL)
      continue;
    g_assert_cmpfloat_with_epsilon (raised->notes[SEAM_RATE_FP32].raised, 50 * flop, flop);
    g_assert_cmpfloat (info->flop_fp32, ==, raised->notes[SEAM_RATE_FP32].raised);
    g_assert_true (isnan (raised->notes[SEAM_RATE_TF32].raised));
    g_assert_true (isnan (raised->notes[SEAM_RATE_BF16].raised));
  }
  g_unlink (path);
}

static void
test_doubted (Fixture *fixture, gconstpointer data)
{
  set_slow (fixture);
  factor = 1;
  g_autoptr (SeamResult) result = run (fixture);
  g_assert_cmpint (n_refreshed, >=, 2);
  g_assert_cmpfloat (result->floor_ns, >, result->plans[0].median_ns);
  g_assert_null (load (fixture));
}

/* The rates are not measured again if no plan is below the floor. */
static void
test_plausible (Fixture *fixture, gconstpointer data)
{
  set_rates (fixture, 1e30, 1e30);
  g_autoptr (SeamResult) result = run (fixture);
  g_assert_cmpint (n_refreshed, ==, 0);
  g_assert_cmpfloat (result->floor_ns, <, result->plans[0].median_ns);
}

/* A right plan shows what the machine can do, even if the machine was never calibrated: the rate is
 * raised for good. A time that is far too short is doubted. */
static void
test_margin (Fixture *fixture, gconstpointer data)
{
  static const double times[] = { 1.05, 1.2, 5, 20 };
  g_autofree char *path = seam_calibration_get_path (fixture->device->info->identity);
  SeamFloor floor;

  g_autoptr (SeamResult) result = run (fixture);
  const SeamProblem *problem = fixture->runner->problem;
  factor = 1;
  fixture->device->info->l2_bytes = result->device->l2_bytes = 0;
  seam_problem_get_floor (problem, 0, TRUE, 1, 0, &floor);
  g_unlink (path);
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++) {
    double kept = floor.bytes / times[i] * 1e3, reached = floor.bytes * 1e3;
    g_autoptr (SeamCalibration) raised = NULL;
    g_autoptr (SeamCalibration) calibration = NULL;
    g_autoptr (SeamDevice) again = NULL;

    g_clear_pointer (&result->plans[0].message, g_free);
    g_clear_pointer (&result->plans[1].message, g_free);
    result->plans[0].median_ns = result->plans[1].median_ns = 1e6;
    set_rates (fixture, kept, 1e18);
    seam_run_settle_floor (fixture->runner, SEAM_MATH_FP32, result);
    raised = load (fixture);
    if (times[i] > 10) {
      g_assert_null (raised);
      g_assert_cmpfloat_with_epsilon (result->floor_ns, times[i] * 1e6, 1);
      continue;
    }
    g_assert_cmpfloat_with_epsilon (raised->notes[SEAM_RATE_COPY].raised, reached, 1e-6 * reached);
    g_assert_true (isnan (raised->notes[SEAM_RATE_FP32].raised));
    g_assert_cmpfloat (result->floor_ns, <=, 1e6);
    g_assert_cmpfloat_with_epsilon (result->floor_ns, 1e6, 1);
    g_assert_cmpfloat (fixture->device->info->bytes_per_s, ==, result->device->bytes_per_s);
    g_assert_nonnull (strstr (result->device->rates_source, ", bandwidth raised by a run of"));
    g_assert_null (strstr (strstr (result->device->rates_source, "raised") + 6, "raised"));
    g_assert_nonnull (strstr (result->plans[0].message,
                              "so the rate was too low and is raised to that for good."));

    /* This is not a kept calibration, but whoever opens the device next gets at least this rate. */
    g_assert_true (seam_calibration_load (fixture->device->info->identity, &calibration, NULL));
    g_assert_null (calibration);
    again = seam_backend_open ("cpu", NULL);
    g_assert_null (again->info->calibrated);
    g_assert_cmpfloat (again->info->bytes_per_s, >=, raised->notes[SEAM_RATE_COPY].raised);
    g_unlink (path);
  }
}

/* Both rates together can be too low for a plan that waits for one and then for the other, even
 * if neither is alone. */
static void
test_together (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = seam_calibration_get_path (fixture->device->info->identity);
  g_autoptr (SeamResult) result = run (fixture);
  int n_kernels[8];
  double floor_ns = 0;

  g_assert_cmpint (result->n_plans, <=, G_N_ELEMENTS (n_kernels));
  factor = 1;
  fixture->device->info->abilities = SEAM_ABILITY_DEVICE; /* a device whose only cache is known */
  fixture->device->info->l2_bytes = 0;
  set_rates (fixture, 1e9, result->plans[0].flop / result->plans[0].bytes * 1e9);
  for (int i = 0; i < result->n_plans; i++) {
    n_kernels[i] = result->plans[i].n_kernels;
    result->plans[i].n_kernels = 0;
    result->plans[i].median_ns =
        seam_run_get_plan_floor (fixture->runner, SEAM_MATH_FP32, result, i) / 1.01;
    floor_ns = fmax (floor_ns, result->plans[i].median_ns);
  }
  g_unlink (path);
  seam_run_settle_floor (fixture->runner, SEAM_MATH_FP32, result);
  for (int i = 0; i < result->n_plans; i++)
    g_assert_cmpfloat (seam_run_get_plan_floor (fixture->runner, SEAM_MATH_FP32, result, i), <=,
                       result->plans[i].median_ns);
  g_assert_cmpfloat (fixture->device->info->bytes_per_s, >, 1e9);
  g_assert_cmpfloat (fixture->device->info->bytes_per_s, <, 2e9);
  g_unlink (path);
  for (int i = 0; i < result->n_plans; i++)
    result->plans[i].n_kernels = n_kernels[i];
}

/* --- A calibration --- */

/* The device is calibrated at one operation and one byte a second, and opened again. Returns the
 * path of its file. */
static char *
calibrate_slow (Fixture *fixture)
{
  g_autoptr (SeamCalibration) calibration = seam_calibration_new ();
  g_autoptr (GError) error = NULL;
  SeamRate slow = { 1, 1, 1, 1, 1, 20 };

  calibration->identity = g_strdup (fixture->device->info->identity);
  calibration->device = g_strdup ("Slow");
  calibration->target = g_strdup ("cpu");
  calibration->measured_at = g_strdup ("2026-11-21T12:00:00Z");
  calibration->rates[SEAM_RATE_COPY] = calibration->rates[SEAM_RATE_FP32] = slow;
  g_assert_true (seam_calibration_save (calibration, &error));
  g_assert_no_error (error);
  seam_calibration_apply (calibration, fixture->device->info);
  return seam_calibration_get_path (calibration->identity);
}

static void
test_raised (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = calibrate_slow (fixture);
  g_autoptr (SeamDevice) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *later = NULL;

  fixture->device->info->l2_bytes = 0; /* every byte goes through memory */
  factor = 1e30;
  g_autoptr (SeamResult) result = run (fixture);
  g_autoptr (SeamCalibration) raised = load (fixture);
  double flop = result->plans[0].flop;
  g_autofree char *messages =
      g_strdup_printf ("%s %s", result->plans[0].message, result->plans[1].message);

  g_test_message ("%s", messages);
  g_assert_nonnull (strstr (messages, "(memory bandwidth), more than the"));
  g_assert_nonnull (strstr (messages, "(FP32 matrix product), more than the"));
  g_assert_nonnull (
      strstr (messages, "so the calibration was too low and is raised to that for good."));
  for (int i = 0; i < result->n_plans; i++) {
    g_assert_cmpfloat (result->floor_ns, <=, result->plans[i].median_ns);
    g_assert_cmpfloat (raised->notes[SEAM_RATE_FP32].raised, >=,
                       1e9 * flop / result->plans[i].median_ns);
  }
  g_assert_cmpfloat (raised->notes[SEAM_RATE_FP32].raised, <, 1e16);
  g_assert_cmpfloat (raised->notes[SEAM_RATE_COPY].raised, >, 1e3);
  g_assert_cmpfloat (raised->rates[SEAM_RATE_FP32].median, ==, 1);
  g_assert_cmpstr (raised->notes[SEAM_RATE_FP32].raised_by, ==, "conv-relu-bias");
  g_assert_cmpstr (raised->notes[SEAM_RATE_FP32].raised_at, ==, result->started_at);
  g_assert_nonnull (
      strstr (result->device->rates_source, "FP32 raised by a run of conv-relu-bias"));
  g_assert_cmpfloat (result->device->flop_fp32, ==, raised->notes[SEAM_RATE_FP32].raised);

  /* The probe is a limit and is not kept. Whoever opens the device next gets the rate that the
   * run reached. */
  g_assert_cmpfloat (fixture->device->info->flop_fp32, ==, result->device->flop_fp32);
  again = seam_backend_open ("cpu", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (again->info->flop_fp32, ==, result->device->flop_fp32);

  /* A slower time of the same plans changes nothing. */
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  for (int i = 0; i < result->n_plans; i++) {
    result->plans[i].median_ns *= 1e3;
    for (int k = 0; k < result->plans[i].n_kernels; k++)
      result->plans[i].kernels[k].median_ns *= 1e3;
  }
  seam_run_settle_floor (fixture->runner, SEAM_MATH_FP32, result);
  g_file_get_contents (path, &later, NULL, &error);
  g_assert_cmpstr (text, ==, later);
  g_unlink (path);
}

/* A time that contradicts a probe of the device is wrong; it does not mean that the calibration
 * is too low. */
static void
test_impossible (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  set_slow (fixture);
  path = calibrate_slow (fixture);
  factor = 1;
  g_autoptr (SeamResult) result = run (fixture);
  g_autoptr (SeamCalibration) kept = load (fixture);
  g_assert_true (isnan (kept->notes[SEAM_RATE_FP32].raised));
  g_assert_true (isnan (kept->notes[SEAM_RATE_COPY].raised));
  g_assert_cmpfloat (result->floor_ns, >, result->plans[0].median_ns);
  g_assert_cmpstr (result->device->rates_source, ==, "calibrated 21 Nov 2026");
  g_unlink (path);
}

/* Results that prove nothing about the device, though their times could be right. */
static void
test_no_proof (Fixture *fixture, gconstpointer data)
{
  enum { WRONG, UNSTABLE, NOT_COMPARED, EXHIBIT, EDITED, PITFALL, STOPPED, N_REASONS };
  g_autofree char *path = NULL;

  factor = 1;
  g_autoptr (SeamResult) result = run (fixture);
  path = calibrate_slow (fixture);
  factor = 1e30;
  for (int reason = 0; reason <= N_REASONS; reason++) {
    SeamPlanResult *plan = &result->plans[1 - result->against];
    g_autoptr (SeamDifference) difference = NULL;
    g_autoptr (SeamCalibration) kept = NULL;

    plan->difference->n_failing = reason == WRONG;
    plan->stable = reason != UNSTABLE;
    plan->exhibit = reason == EXHIBIT;
    result->pitfalls = reason == PITFALL ? (char *)"zeros" : NULL;
    result->stopped = reason == STOPPED;
    if (reason == NOT_COMPARED)
      difference = g_steal_pointer (&plan->difference);
    if (reason == EDITED)
      seam_edits_set (&result->edits, 0, 0, "text");
    seam_run_settle_floor (fixture->runner, SEAM_MATH_FP32, result);
    kept = load (fixture);
    g_test_message ("%d", reason);
    /* Without such a reason, the same result raises the calibration. */
    g_assert_true (isnan (kept->notes[SEAM_RATE_FP32].raised) == (reason < N_REASONS));
    if (reason == EDITED)
      seam_edits_set (&result->edits, 0, 0, NULL);
    if (difference != NULL)
      plan->difference = g_steal_pointer (&difference);
    result->pitfalls = NULL;
  }
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("seam-floor-XXXXXX", NULL);
  g_autofree char *kept = g_build_filename (folder, "seamscope", "calibrations", NULL);
  g_autofree char *program = g_build_filename (folder, "seamscope", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/floor/spoilt", Fixture, NULL, set_up, test_spoilt, tear_down);
  g_test_add ("/floor/doubted", Fixture, NULL, set_up, test_doubted, tear_down);
  g_test_add ("/floor/plausible", Fixture, NULL, set_up, test_plausible, tear_down);
  g_test_add ("/floor/margin", Fixture, NULL, set_up, test_margin, tear_down);
  g_test_add ("/floor/together", Fixture, NULL, set_up, test_together, tear_down);
  g_test_add ("/floor/simt", Fixture, NULL, set_up, test_simt, tear_down);
  g_test_add ("/floor/raised", Fixture, NULL, set_up, test_raised, tear_down);
  g_test_add ("/floor/impossible", Fixture, NULL, set_up, test_impossible, tear_down);
  g_test_add ("/floor/no-proof", Fixture, NULL, set_up, test_no_proof, tear_down);
  status = g_test_run ();
  g_rmdir (kept);
  g_rmdir (program);
  g_rmdir (folder);
  return status;
}
