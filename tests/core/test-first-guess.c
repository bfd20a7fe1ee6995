/* SPDX-License-Identifier: MIT
 *
 * The first estimate stays with the run: the first run of some settings keeps what was estimated
 * before it, later ones repeat that and name the run before; a pitfall is never estimated.
 */
#include "app/runner/runner.h"

#include <math.h>
#include <string.h>

/* The newest first, as the history gives them. */
static void
add_cb (SeamKnown *known, const char *pipeline, gpointer data)
{
  const GPtrArray *results = data;

  for (guint i = results->len; i-- > 0;)
    seam_known_add (known, results->pdata[i], -1);
}

static SeamResult *
run (SeamRunner *runner, const SeamRunRequest *request)
{
  g_autoptr (GError) error = NULL;
  SeamResult *result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static void
set_plans (SeamRunRequest *request, const char *plans)
{
  g_strfreev (request->plans);
  request->plans = g_strsplit (plans, ",", -1);
}

static void
test_first (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-hardswish", &error);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (GPtrArray) results =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_result_unref);
  const SeamRecall recall = { add_cb, results };

  g_assert_no_error (error);
  memcpy (request->values, problem->values, sizeof request->values);
  request->target = g_strdup ("cpu");
  request->settings.budget_s = .05;
  set_plans (request, "unfused,published");
  seam_runner_set_recall (runner, &recall);

  g_autoptr (SeamEstimate) before = seam_runner_estimate (runner, request, &error);
  g_assert_no_error (error);
  SeamResult *first = run (runner, request);
  g_autoptr (SeamEstimate) after = seam_runner_estimate (runner, request, &error);
  for (int p = 0; p < 2; p++) {
    double one = before->plans[p].guess_ns, two = after->plans[p].guess_ns;

    g_assert_cmpfloat (one, >, 0);
    /* A run may raise the rates that it refutes. */
    g_assert_cmpfloat (first->plans[p].guess_ns, <=, fmax (one, two));
    g_assert_cmpfloat (first->plans[p].guess_ns, >=, fmin (one, two));
    g_assert_true (isnan (first->plans[p].recalled_ns) && first->plans[p].recalled_at == NULL);
    g_assert_null (strstr (after->plans[p].guess_reason, "your run"));
    /* As measured on a quiet machine. */
    first->plans[p].ci_low_ns = .99 * first->plans[p].median_ns;
    first->plans[p].ci_high_ns = 1.01 * first->plans[p].median_ns;
    first->plans[p].state = SEAM_PLAN_MEASURED;
  }
  first->foreign_load = 0;
  first->floor_ns = NAN;

  /* The next run has another budget, which changes no time, and a plan more. */
  g_ptr_array_add (results, first);
  request->settings.budget_s = .06;
  set_plans (request, "unfused,full,published");
  SeamResult *second = run (runner, request);
  g_ptr_array_add (results, second);
  SeamResult *third = run (runner, request);
  g_ptr_array_add (results, third);
  const int places[] = { 0, 2 };
  for (int i = 0; i < 2; i++) {
    const SeamPlanResult *of_first = &first->plans[i], *next = &second->plans[places[i]];
    const SeamPlanResult *last = &third->plans[places[i]];

    g_assert_cmpfloat (next->guess_ns, ==, of_first->guess_ns);
    g_assert_cmpfloat (last->guess_ns, ==, of_first->guess_ns);
    g_assert_cmpfloat (next->recalled_ns, ==, of_first->median_ns);
    g_assert_cmpstr (next->recalled_at, ==, first->started_at);
    g_assert_cmpfloat (last->recalled_ns, ==, next->median_ns);
  }
  g_assert_cmpfloat (second->plans[1].guess_ns, >, 0);
  g_assert_true (isnan (second->plans[1].recalled_ns));
  g_assert_cmpfloat (third->plans[1].guess_ns, ==, second->plans[1].guess_ns);

  /* Both stay in the result that another process reads, and files without them are read. */
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_result_to_variant (third, TRUE));
  g_autoptr (SeamResult) read = seam_result_from_variant (variant, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (read->plans[1].guess_ns, ==, third->plans[1].guess_ns);
  g_assert_cmpstr (read->plans[1].recalled_at, ==, third->plans[1].recalled_at);
  g_assert_true (isnan (read->plans[1].trace_clock_mhz));

  request->pitfalls = SEAM_PITFALL_ZEROS;
  g_autoptr (SeamResult) wrong = run (runner, request);
  g_assert_true (isnan (wrong->plans[0].guess_ns) && isnan (wrong->plans[0].recalled_ns));
  request->pitfalls = 0;
  /* Other settings have a first guess of their own. */
  request->settings.cold = !request->settings.cold;
  g_autoptr (SeamResult) other = run (runner, request);
  g_assert_true (isnan (other->plans[0].recalled_ns) && other->plans[0].guess_ns > 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/first-guess/first", test_first);
  return g_test_run ();
}
