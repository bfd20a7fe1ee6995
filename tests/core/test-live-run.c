/* SPDX-License-Identifier: MIT
 *
 * The view of a run in another process: samples as they arrive, the result made of them, and what
 * remains of it when that process is lost.
 */
#include "app/runner/live-run.h"

#include <math.h>

#define N 9

static SeamPipeline *
load_pipeline (void)
{
  g_autoptr (GError) error = NULL;
  SeamPipeline *pipeline = seam_pipeline_find ("conv-relu-bias", &error);

  g_assert_no_error (error);
  return pipeline;
}

static SeamLiveRun *
begin (SeamPipeline *pipeline)
{
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamPlan) a = seam_plan_parse (pipeline, "unfused", NULL);
  g_autoptr (SeamPlan) b = seam_plan_parse (pipeline, "full", NULL);
  SeamPlan *const plans[] = { a, b };

  return seam_live_run_new (request, plans, 2);
}

/* Adds samples of 1, 2, … µs in another order to a plan, and one to a plan that does not exist. */
static void
add (SeamLiveRun *live, int plan, int n)
{
  g_autofree SeamSample *samples = g_new0 (SeamSample, n + 1);
  g_autofree int *plans = g_new0 (int, n + 1);
  SeamProgress progress = { .plan = plan,
                            .n_new = n + 1,
                            .new_samples = samples,
                            .new_plans = plans,
                            .power_w = 90,
                            .load_power_w = 250 };

  for (int i = 0; i < n; i++) {
    samples[i] =
        (SeamSample){ 1000 * (i * 7 % n + 1), 1440, i, SEAM_THROTTLE_KNOWN | (plan == 0 ? 4 : 0) };
    plans[i] = plan;
  }
  plans[n] = 7;
  seam_live_run_add (live, &progress);
}

static void
test_result (void)
{
  g_autoptr (SeamPipeline) pipeline = load_pipeline ();
  SeamLiveRun *live = begin (pipeline);
  g_autoptr (SeamResult) before = seam_live_run_make_result (live, NULL, FALSE);
  g_autoptr (SeamResult) after = NULL;
  int n;

  g_assert_null (seam_live_run_get_progress (live));
  g_assert_false (seam_live_run_has_samples (live));
  g_assert_cmpint (before->plans[0].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_true (isnan (before->plans[0].median_ns));

  add (live, 0, 4);
  add (live, 0, 0);
  add (live, 1, N);
  g_assert_true (seam_live_run_has_samples (live));
  seam_live_run_get_samples (live, 0, &n);
  g_assert_cmpint (n, ==, 4);
  g_assert_null (seam_live_run_get_samples (live, 7, &n));
  g_assert_cmpint (n, ==, 0);
  after = seam_live_run_make_result (live, NULL, FALSE);
  g_assert_cmpint (after->n_plans, ==, 2);
  g_assert_cmpstr (after->pipeline_id, ==, "conv-relu-bias");
  g_assert_cmpfloat (after->plans[0].median_ns, ==, 2500);
  g_assert_true (isnan (after->plans[0].ci_low_ns)); /* four samples are too few */
  g_assert_cmpfloat (after->plans[1].median_ns, ==, 5000);
  g_assert_cmpfloat (after->plans[1].ci_low_ns, ==, 2000);
  g_assert_cmpfloat (after->plans[1].ci_high_ns, ==, 8000);
  g_assert_cmpint (after->plans[1].state, ==, SEAM_PLAN_STOPPED_EARLY);
  g_assert_cmpfloat (after->plans[1].bytes, <, after->plans[0].bytes);
  g_assert_cmpfloat (after->power_w, ==, 250);
  g_assert_null (before->throttle);
  /* 4 of 4 + N samples. */
  g_assert_cmpstr (after->throttle, ==, "SW power cap in 30.8 % of samples, SM clock 1.44 GHz");
  g_assert_false (after->stopped);
  seam_live_run_free (live);
}

static void
test_remains (void)
{
  g_autoptr (SeamPipeline) pipeline = load_pipeline ();
  SeamLiveRun *live = begin (pipeline);
  g_autoptr (SeamResult) remains = NULL, first = NULL;

  add (live, 0, N);
  first = seam_live_run_make_remains (live, NULL);
  g_assert_cmpint (first->plans[1].state, ==, SEAM_PLAN_NOT_MEASURED);
  g_assert_cmpstr (first->plans[1].message, ==, "The worker stopped before this plan.");
  add (live, 1, 0);
  remains = seam_live_run_make_remains (live, NULL);
  g_assert_true (remains->stopped);
  g_assert_cmpint (remains->plans[0].n_samples, ==, N);
  g_assert_null (remains->plans[0].message);
  g_assert_cmpint (remains->plans[1].state, ==, SEAM_PLAN_FAULTED);
  g_assert_cmpstr (remains->plans[1].message, ==, "The worker stopped in this plan.");
  seam_live_run_free (live);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live-run/result", test_result);
  g_test_add_func ("/live-run/remains", test_remains);
  return g_test_run ();
}
