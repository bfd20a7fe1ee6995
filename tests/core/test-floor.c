/* SPDX-License-Identifier: MIT
 *
 * The floor of a run: rates that a plan beats are measured again before the plan is doubted, and a
 * plan far below the floor stays doubted.
 */
#include "app/runner/run-private.h"

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

/* A CPU whose rates are what the test says. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-bias", &error);
  g_assert_no_error (error);

  fixture->request = seam_run_request_new (pipeline);
  memcpy (fixture->request->values, seam_pipeline_get_preset (pipeline, "tiny", NULL)->values,
          sizeof fixture->request->values);
  fixture->request->budget_s = 0.05;
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

/* A thousandth of a byte a second: every plan seems to beat that. */
static void
set_slow (Fixture *fixture)
{
  fixture->device->info->bytes_per_s = 1e-3;
  fixture->device->info->flop_fp32 = fixture->device->info->flop_tf32 = 1e-3;
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

static void
test_doubted (Fixture *fixture, gconstpointer data)
{
  set_slow (fixture);
  factor = 1;
  g_autoptr (SeamResult) result = run (fixture);
  g_assert_cmpint (n_refreshed, ==, 2);
  g_assert_cmpfloat (result->floor_ns, >, result->plans[0].median_ns);
}

/* Not asked again where no plan is below. */
static void
test_plausible (Fixture *fixture, gconstpointer data)
{
  fixture->device->info->bytes_per_s = fixture->device->info->flop_fp32 = 1e30;
  g_autoptr (SeamResult) result = run (fixture);
  g_assert_cmpint (n_refreshed, ==, 0);
  g_assert_cmpfloat (result->floor_ns, <, result->plans[0].median_ns);
}

/* Within a tenth the plan itself shows what the machine can do; beyond, it is doubted. */
static void
test_margin (Fixture *fixture, gconstpointer data)
{
  static const double times[] = { 1.05, 1.2 };
  SeamFloor floor;

  g_autoptr (SeamResult) result = run (fixture);
  g_autoptr (SeamProblem) problem =
      seam_problem_new (fixture->request->pipeline, fixture->request->values, NULL);
  factor = 1;
  fixture->device->info->l2_bytes = 0;
  fixture->device->info->flop_fp32 = 0;
  seam_problem_get_floor (problem, 0, TRUE, 1, 0, &floor);
  result->n_plans = 1;
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++) {
    result->plans[0].median_ns = 1e6;
    result->floor_ns = times[i] * 1e6;
    fixture->device->info->bytes_per_s = floor.bytes / result->floor_ns * 1e9;
    seam_run_settle_floor (fixture->device, problem, SEAM_MATH_FP32, result);
    if (i == 0)
      g_assert_cmpfloat (result->floor_ns, ==, 1e6);
    else
      g_assert_cmpfloat_with_epsilon (result->floor_ns, times[i] * 1e6, 1);
  }
  result->n_plans = 2;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/floor/spoilt", Fixture, NULL, set_up, test_spoilt, tear_down);
  g_test_add ("/floor/doubted", Fixture, NULL, set_up, test_doubted, tear_down);
  g_test_add ("/floor/plausible", Fixture, NULL, set_up, test_plausible, tear_down);
  g_test_add ("/floor/margin", Fixture, NULL, set_up, test_margin, tear_down);
  return g_test_run ();
}
