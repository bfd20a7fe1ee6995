/* SPDX-License-Identifier: MIT
 *
 * A run whose plans are executed on two devices: its inputs are carried to the second one and its
 * output back, and all plans are compared and measured together.
 */
#include "app/runner/run-private.h"

#include <string.h>

#define FAKE_NS 123456.0

static SeamBackend second;
static const SeamBackend *cpu;
static SeamDevice *device; /* the second one */
static int n_buffers, n_runs;

static SeamBuffer *
fake_allocate (SeamDevice *on, gint64 bytes, GError **error)
{
  g_assert_true (on == device);
  n_buffers++;
  return cpu->allocate (on, bytes, error);
}

static void
fake_release (SeamDevice *on, SeamBuffer *buffer)
{
  g_assert_true (on == device);
  n_buffers--;
  cpu->release (on, buffer);
}

static gboolean
fake_run (SeamDevice *on, SeamPrepared *const *groups, int n_groups, SeamCancel *cancel,
          GError **error)
{
  g_assert_true (on == device);
  n_runs++;
  return cpu->run (on, groups, n_groups, cancel, error);
}

static gboolean
fake_time (SeamDevice *on, SeamPrepared *const *groups, int n_groups, guint timing,
           SeamSample *sample, GError **error)
{
  g_assert_true (on == device);
  if (!cpu->time (on, groups, n_groups, timing, sample, error))
    return FALSE;
  sample->elapsed_ns = FAKE_NS;
  return TRUE;
}

static void
test_two_devices (gconstpointer pipeline_id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (pipeline_id, &error);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  SeamRun run = { .runner = runner, .request = request };

  g_assert_no_error (error);
  memcpy (request->values, problem->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strsplit ("unfused,full,unfused", ",", -1);
  request->target = g_strdup ("cpu");
  request->settings.budget_s = 0.05;
  request->settings.against = g_strdup ("fp64");
  device = seam_backend_open ("cpu", &error);
  g_assert_no_error (error);
  cpu = device->backend;
  second = *cpu;
  second.allocate = fake_allocate;
  second.release = fake_release;
  second.run = fake_run;
  second.time = fake_time;
  device->backend = &second;

  g_assert_true (seam_run_open (&run, &error));
  runner->plans[1].device = runner->plans[2].device = device;
  g_assert_true (seam_run_begin (&run, &error));
  /* Nothing is kept there but the tensors of the two plans. */
  g_assert_cmpint (n_buffers, >=, 2 * (2 + pipeline->n_params));
  g_assert_true (seam_run_check_outputs (&run, &error));
  g_assert_cmpint (n_runs, ==, 2);
  g_assert_true (seam_run_measure (&run, &error));
  g_assert_no_error (error);
  for (int i = 0; i < 3; i++) {
    const SeamPlanResult *plan = &run.result->plans[i];

    g_assert_cmpint (plan->state, ==, SEAM_PLAN_MEASURED);
    g_assert_nonnull (plan->difference);
    g_assert_cmpint (plan->difference->n_failing, ==, 0);
    g_assert_cmpint (plan->difference->n_nan_a, ==, 0);
    g_assert_true ((plan->median_ns == FAKE_NS) == (i > 0));
  }
  /* The same plan on both devices: the numbers came from there and are the same bit by bit. */
  g_assert_cmpuint (runner->plans[0].hash, ==, runner->plans[2].hash);
  seam_runner_release_work (runner);
  g_assert_cmpint (n_buffers, ==, 0);

  seam_record_clear (&seam_progress_type, &run.state);
  g_free (run.measured);
  seam_result_unref (run.result);
  seam_runner_release (runner);
  device->backend = cpu;
  seam_device_close (device);
  n_runs = 0;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/second-device/matmul", "gemm-bias-relu", test_two_devices);
  g_test_add_data_func ("/second-device/groupnorm", "matmul-swish-bias-groupnorm",
                        test_two_devices);
  g_test_add_data_func ("/second-device/convolution", "conv-relu-hardswish", test_two_devices);
  return g_test_run ();
}
