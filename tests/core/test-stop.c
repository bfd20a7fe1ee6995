/* SPDX-License-Identifier: MIT
 *
 * How long Stop takes: in the middle of an execution of the CPU backend, and in every step of a
 * run, which leaves the runner as good as new. The test measures time, so it runs alone and without
 * sanitizers.
 */
#include "app/runner/run-private.h"
#include "tests/core/cpu-fixture.h"

/* --- in an execution --- */

static gpointer
raise_later (gpointer data)
{
  g_usleep (50 * 1000);
  seam_cancel_raise (data);
  return NULL;
}

/* The program promises that Stop acts within half a second; a machine that runs tests is busy. */
#define STOP_S 2

/* Stop in the middle of an execution that would take much longer. */
static void
check_backend (const char *id, const char *shape, const char *text, gboolean timed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  Fixture *fixture = fixture_new (seam_problem_new_from_text (pipeline, NULL, shape, &error));
  g_assert_no_error (error);
  /* To draw this many numbers takes longer than the test. */
  for (int i = 0; i < fixture->problem->n_tensors; i++)
    if (!fixture_is_op_output (fixture, i))
      fixture->host[i] = g_new0 (float, fixture->problem->tensors[i].n_elements);
  g_autoptr (SeamPlan) plan = seam_plan_parse (fixture->problem->pipeline, text, &error);
  g_assert_no_error (error);
  SeamCancel cancel = { 0 };
  Execution execution;
  execution_init (&execution, fixture, plan, timed ? &cancel : NULL);

  GThread *thread = g_thread_new ("stop", raise_later, &cancel);
  gint64 start = g_get_monotonic_time ();
  gboolean is_complete = TRUE;
  int n_runs = 0;
  while (is_complete) {
    SeamSample sample;
    if (timed)
      is_complete = seam_backend_cpu.time (fixture->device, execution.groups, execution.n_groups,
                                           FALSE, &sample, &error);
    else
      is_complete = seam_backend_cpu.run (fixture->device, execution.groups, execution.n_groups,
                                          &cancel, &error);
    n_runs += is_complete;
  }
  double seconds = (double)(g_get_monotonic_time () - start) * 1e-6;
  g_thread_join (thread);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_CANCELLED);
  g_test_message ("%s: stopped after %.3f s and %d runs", text, seconds, n_runs);
  g_assert_cmpfloat (seconds, <, STOP_S);
  execution_clear (&execution, fixture);
  fixture_free (fixture);
}

static void
test_backend (void)
{
  /* Seconds of work on this many elements; each stage of each layout is stopped in its middle. */
  const char *convolution = "batch=8,in_channels=64,out_channels=64,height=258,width=258,"
                            "kernel_size=5,groups=4";
  const char *matmul = "batch=8192,in_features=2048,out_features=2048,groups=32";
  check_backend ("conv-bias-scale-sigmoid-groupnorm", convolution, "full", FALSE);
  check_backend ("conv-bias-scale-sigmoid-groupnorm", convolution, "unfused", TRUE);
  check_backend ("matmul-swish-bias-groupnorm", matmul, "full", TRUE);
}

/* --- in a run --- */

static SeamRunRequest *
make_request (const char *pipeline_name, const char *preset)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (pipeline_name, &error);
  g_assert_no_error (error);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, preset, NULL, &error);
  g_assert_no_error (error);
  SeamRunRequest *request = seam_run_request_new (pipeline);

  memcpy (request->values, problem->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strsplit ("unfused,published", ",", -1);
  request->target = g_strdup ("cpu");
  request->settings.cold = FALSE;
  request->settings.budget_s = 0.05;
  return request;
}

typedef struct {
  SeamCancel cancel;
  SeamStep stop_at; /* raise the flag when this step is seen */
  int seen[SEAM_N_STEPS];
  gint64 raised_us;
} Watch;

static void
watch_cb (const SeamProgress *progress, gpointer data)
{
  Watch *watch = data;

  watch->seen[progress->step]++;
  if (progress->step == watch->stop_at && watch->raised_us == 0) {
    watch->raised_us = g_get_monotonic_time ();
    seam_cancel_raise (&watch->cancel);
  }
}

static void
test_run (void)
{
  static const SeamStep steps[] = { SEAM_STEP_ALLOCATE, SEAM_STEP_REFERENCE, SEAM_STEP_CHECK,
                                    SEAM_STEP_MEASURE };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (SeamRunner) runner = seam_runner_new ();
    g_autoptr (SeamRunRequest) request = make_request ("conv-relu-hardswish", "laptop");
    Watch watch = { .stop_at = steps[i] };
    g_autoptr (GError) error = NULL;

    request->settings.against = g_strdup ("fp64");
    request->settings.budget_s = 30;
    g_autoptr (SeamResult) result =
        seam_runner_run (runner, request, &watch.cancel, watch_cb, &watch, NULL, &error);
    gint64 took_us = g_get_monotonic_time () - watch.raised_us;
    g_assert_cmpint (watch.raised_us, >, 0);
    g_test_message ("%s: %.3f s", seam_step_get_title (steps[i]), (double)took_us / 1e6);
    g_assert_cmpint (took_us, <, STOP_S * G_USEC_PER_SEC);
    if (steps[i] == SEAM_STEP_MEASURE) {
      g_assert_no_error (error);
      g_assert_true (result->stopped);
      g_assert_cmpint (watch.seen[SEAM_STEP_CHECK_AGAIN], ==, 0);
      /* The outputs are the checked ones, or the runner refuses them; they are never half
       * written. */
      g_autoptr (SeamDifference) difference = seam_runner_difference (
          runner, 1, 0, result->settings.atol, result->settings.rtol, 512, NULL, &error);
      if (difference != NULL)
        g_assert_cmpint (difference->n_failing, ==, 0);
      else
        g_assert_nonnull (strstr (error->message, "Stop"));
    } else {
      g_assert_null (result);
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_CANCELLED);
    }
    /* The runner works as before. */
    g_autoptr (SeamRunRequest) next = make_request ("gemm-bias-relu", "tiny");
    g_autoptr (GError) none = NULL;
    g_autoptr (SeamResult) again = seam_runner_run (runner, next, NULL, NULL, NULL, NULL, &none);
    g_assert_no_error (none);
    g_assert_cmpint (again->plans[0].state, ==, SEAM_PLAN_MEASURED);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stop/backend", test_backend);
  g_test_add_func ("/stop/run", test_run);
  return g_test_run ();
}
