/* SPDX-License-Identifier: MIT
 *
 * What the model's guess knows from the history: the runs of the same device, pipeline, shape and
 * way of computing, and those that are added later.
 */
#include "app/base/text.h"
#include "app/explain/guess.h"
#include "app/explain/read-result.h"
#include "app/session/history.h"
#include "app/session/past-runs.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static SeamSession *
load_sample (const char *file)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_APP"), "..", "data", "samples", file, NULL);
  g_autoptr (GError) error = NULL;
  SeamSession *session = seam_session_load (path, &error);

  g_assert_no_error (error);
  return session;
}

static SeamResult *
get_result (const char *file)
{
  g_autoptr (SeamSession) session = load_sample (file);
  g_autoptr (SeamSessionRun) run = seam_session_get_run (session, 0, NULL);

  return seam_result_ref (run->result);
}

static void
put (SeamHistory *history, const char *file)
{
  g_autoptr (SeamSession) session = load_sample (file);
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) content = seam_session_to_bytes (session, &error);
  const SeamResult *heading = seam_session_get_heading (session, 0);

  g_assert_no_error (error);
  entry->pipeline = g_strdup (heading->pipeline_id);
  entry->device = g_strdup (heading->device->name);
  seam_history_put (history, entry, content, NULL, &error);
  g_assert_no_error (error);
}

/* How many groups are known of a run like the sample's. */
static guint
recall (SeamPastRuns *past_runs, const SeamResult *like)
{
  g_autoptr (SeamKnown) known = seam_known_new_for_result (like, NULL);
  SeamRecall recall = seam_past_runs_get_recall (past_runs);

  recall.add (known, like->pipeline_id, recall.data);
  return known->groups->len;
}

static void
test_recall (void)
{
  g_autofree char *folder = g_dir_make_tmp ("seam-past-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "history.db", NULL);
  g_autofree char *remove = g_strdup_printf ("rm -r '%s'", folder);
  g_autoptr (SeamPastRuns) past_runs = seam_past_runs_new (path);
  g_autoptr (SeamResult) gpu = get_result ("h200-gemm-bias-relu.seamscope");
  g_autoptr (SeamResult) cpu = get_result ("laptop-cpu-gemm-bias-relu.seamscope");
  g_autoptr (GError) error = NULL;

  /* Asking does not make a history. */
  g_assert_cmpint (recall (past_runs, gpu), ==, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_autoptr (SeamHistory) history = seam_history_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (recall (past_runs, gpu), ==, 0);
  put (history, "h200-gemm-bias-relu.seamscope");
  put (history, "laptop-cpu-gemm-bias-relu.seamscope");
  /* Five plans in TF32 with seven different groups; those in FP32 are another way of computing. */
  g_assert_cmpint (recall (past_runs, gpu), ==, 7);
  g_assert_cmpint (recall (past_runs, cpu), ==, 6);
  put (history, "h200-gemm-bias-relu.seamscope");
  g_assert_cmpint (recall (past_runs, gpu), ==, 7);
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

static SeamGuess
guess (const SeamKnown *known, const SeamResult *result, int index, char **why)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, NULL);
  g_autoptr (SeamPlan) plan = seam_explain_read_plan (result, index, NULL);
  g_auto (GStrv) executed = seam_known_split_executed (result->plans[index].executed, plan);
  SeamGuess guessed;

  seam_guess (known, problem, plan, (const char *const *)executed, NULL, &guessed);
  *why = seam_guess_explain (&guessed, plan);
  return guessed;
}

/* Another device, shape or pitfall tells nothing; a plan that was measured is known exactly. */
static void
test_fit (void)
{
  g_autoptr (SeamResult) result = get_result ("h200-conv-relu-hardswish.seamscope");
  g_autoptr (SeamResult) cpu = get_result ("laptop-cpu-conv-relu-hardswish.seamscope");
  g_autoptr (SeamKnown) known = seam_known_new_for_result (result, NULL);
  g_autofree char *why_alone = NULL, *why_b = NULL, *why = NULL;
  double sum_ns = 0;
  SeamGuess guessed;

  g_assert_cmpint (seam_known_add (known, cpu, -1), ==, 0);
  result->pitfalls = g_strdup ("zeros");
  g_assert_cmpint (seam_known_add (known, result, -1), ==, 0);
  g_clear_pointer (&result->pitfalls, g_free);
  /* Of two chips of one name, each knows its own runs, and those that do not name a chip. */
  seam_device_info_set_chip (result->device, "GPU-a");
  g_free (known->device->chip);
  known->device->chip = g_strdup ("0123456789abcdef");
  g_assert_cmpint (seam_known_add (known, result, -1), ==, 0);
  seam_device_info_set_chip (known->device, "GPU-a");
  g_assert_cmpint (strlen (known->device->chip), ==, 16);
  g_clear_pointer (&result->device->chip, g_free);
  g_assert_cmpstr (result->plans[2].name, ==, "published");
  guess (known, result, 2, &why_alone);
  g_assert_nonnull (strstr (why_alone, "by a library, as others were measured; "));
  g_assert_cmpint (seam_known_add (known, result, 0), ==, 7);
  guess (known, result, 2, &why_b);
  /* Its maps move what conv_bias alone does, at its rate. */
  const SeamKernel *conv = &result->plans[0].kernels[0], *bias = conv + 1;
  g_autofree char *conv_time = seam_text_time (conv->median_ns);
  g_autofree char *bytes = seam_text_bytes (bias->bytes);
  g_autofree char *rate = seam_text_rate (1e9 * bias->bytes / bias->median_ns);
  g_autofree char *bias_time = seam_text_time (bias->median_ns);
  g_autofree char *expected =
      g_strdup_printf ("conv takes %s, from your run of 1 Dec 13:01; "
                       "conv_bias+relu+add3+div6+clamp+mul moves %s at %s in %s.",
                       conv_time, bytes, rate, bias_time);
  g_assert_cmpstr (why_b, ==, expected);
  guessed = guess (known, result, 0, &why);
  g_assert_cmpint (guessed.n_measured, ==, 7);
  for (int i = 0; i < result->plans[0].n_kernels; i++)
    sum_ns += result->plans[0].kernels[i].median_ns;
  g_assert_cmpfloat_with_epsilon (guessed.ns, sum_ns + 7 * known->launch_ns, 1);
  /* Without any rate there is no guess. */
  g_autofree char *none = NULL;
  known->rates.bytes_per_s = 0;
  g_ptr_array_set_size (known->groups, 0);
  guessed = guess (known, result, 0, &none);
  g_assert_true (isnan (guessed.ns) && isnan (guessed.low_ns) && isnan (guessed.high_ns));
  g_assert_null (none);
}

/* Some copies of the first run of a sample, of which each has its own times. */
static SeamResult *
copy_run (double factor, double width, const char *started_at, double guess_ns)
{
  SeamResult *result = get_result ("h200-conv-relu-hardswish.seamscope");

  for (int p = 0; p < result->n_plans; p++) {
    SeamPlanResult *plan = &result->plans[p];

    for (int i = 0; i < plan->n_kernels; i++)
      plan->kernels[i].median_ns *= factor;
    plan->median_ns *= factor;
    plan->span_median_ns *= factor;
    plan->kernels_sum_median_ns *= factor;
    plan->ci_low_ns = plan->median_ns * (1 - width / 2);
    plan->ci_high_ns = plan->median_ns * (1 + width / 2);
    plan->guess_ns = guess_ns;
  }
  g_free (result->started_at);
  result->started_at = g_strdup (started_at);
  return result;
}

/* A noisy run leaves the estimate of the model alone; of several good ones the median counts. */
static void
test_noisy (void)
{
  static const struct {
    double factor, width;
    gboolean stopped, below_floor, apart, busy, few;
  } noisy[] = {
    { 3, .31, .stopped = FALSE }, { .5, .5, .stopped = FALSE },     { 3, NAN, .few = TRUE },
    { 3, .01, .stopped = TRUE },  { .2, .01, .below_floor = TRUE }, { 1.5, .01, .apart = TRUE },
    { 2, .01, .busy = TRUE },
  };
  g_autoptr (SeamResult) like = get_result ("h200-conv-relu-hardswish.seamscope");
  g_autoptr (SeamKnown) none = seam_known_new_for_result (like, NULL);
  g_autofree char *why_alone = NULL, *why = NULL;
  SeamGuess alone = guess (none, like, 0, &why_alone), guessed;
  double plain_ns = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (noisy); i++) {
    g_autoptr (SeamKnown) known = seam_known_new_for_result (like, NULL);
    g_autoptr (SeamResult) run =
        copy_run (noisy[i].factor, noisy[i].width, "2026-11-28T08:13:00Z", NAN);
    g_autofree char *same = NULL;

    for (int p = 0; p < run->n_plans; p++) {
      if (noisy[i].stopped)
        run->plans[p].state = SEAM_PLAN_STOPPED_EARLY;
      if (noisy[i].few)
        run->plans[p].n_samples = 5;
      if (noisy[i].apart)
        run->plans[p].median_ns = run->plans[p].ci_low_ns = run->plans[p].ci_high_ns *= .7;
    }
    if (noisy[i].below_floor)
      run->floor_ns = 1e9;
    if (noisy[i].busy)
      run->foreign_load = .11;
    g_assert_cmpint (seam_known_add (known, run, -1), ==, 0);
    guessed = guess (known, like, 0, &same);
    g_assert_cmpfloat (guessed.ns, ==, alone.ns);
    g_assert_cmpstr (same, ==, why_alone);
  }

  g_autoptr (SeamKnown) known = seam_known_new_for_result (like, NULL);
  g_autoptr (SeamResult) newest = copy_run (1.9, .02, "2026-11-28T08:13:00Z", NAN);
  g_autoptr (SeamResult) middle = copy_run (1.01, .02, "2026-11-27T08:13:00Z", 2e6);
  g_autoptr (SeamResult) oldest = copy_run (1, .02, "2026-11-26T08:13:00Z", 1.5e6);
  const SeamResult *found;
  double first;
  int at = -1;

  g_assert_cmpint (seam_known_add (known, newest, 0), ==, 7);
  g_assert_cmpint (seam_known_add (known, middle, 0), ==, 0);
  g_assert_cmpint (seam_known_add (known, oldest, 0), ==, 0);
  guessed = guess (known, like, 0, &why);
  for (int i = 0; i < like->plans[0].n_kernels; i++)
    plain_ns += like->plans[0].kernels[i].median_ns;
  g_assert_cmpfloat_with_epsilon (guessed.ns, 1.01 * plain_ns + 7 * known->launch_ns, 1);
  g_assert_nonnull (strstr (why, ", the median of 3 runs, the last of 28 Nov 08:13"));
  /* The first estimate is that of the oldest run, whatever came later. */
  found = seam_known_find_run (known, like->plans[1].notation, &at, &first);
  g_assert_true (found == newest);
  g_assert_cmpint (at, ==, 1);
  g_assert_cmpfloat (first, ==, 1.5e6);
  found = seam_known_find_run (known, "conv", &at, &first);
  g_assert_true (found == NULL && isnan (first));
}

int
main (int argc, char *argv[])
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/past-runs/recall", test_recall);
  g_test_add_func ("/past-runs/fit", test_fit);
  g_test_add_func ("/past-runs/noisy", test_noisy);
  return g_test_run ();
}
