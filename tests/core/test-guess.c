/* SPDX-License-Identifier: MIT
 *
 * How good the model's guess is: every partition in the samples is guessed, once from the
 * calibrated rates alone and once knowing the unfused kernels too, and compared with its
 * measurement. The tables in the help page “Results” are those that this test computes.
 */
#include "app/explain/guess.h"
#include "app/explain/read-result.h"
#include "app/explore/search-store.h"
#include "app/session/session.h"

#include <math.h>
#include <string.h>

static const char *const samples[] = {
  "h200-conv-relu-bias",
  "h200-conv-bias-scale-sigmoid-groupnorm",
  "h200-conv-relu-hardswish",
  "h200-gemm-bias-relu",
  "h200-matmul-swish-bias-groupnorm-tf32",
  "laptop-cpu-conv-relu-bias",
  "laptop-cpu-conv-bias-scale-sigmoid-groupnorm",
  "laptop-cpu-conv-relu-hardswish",
  "laptop-cpu-gemm-bias-relu",
  "laptop-cpu-matmul-swish-bias-groupnorm",
};

typedef struct {
  int n, n_inside;
  double median; /* of the errors, as shares of the measurements */
} Score;

static SeamSession *
load_sample (const char *name)
{
  g_autofree char *file = g_strconcat (name, SEAM_SESSION_SUFFIX, NULL);
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_APP"), "..", "data", "samples", file, NULL);
  g_autoptr (GError) error = NULL;
  SeamSession *session = seam_session_load (path, &error);

  g_assert_no_error (error);
  return session;
}

static SeamSessionRun *
get_run (const SeamSession *session)
{
  g_autoptr (GError) error = NULL;
  SeamSessionRun *run = seam_session_get_run (session, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (run->result->plans[0].name, ==, "unfused");
  return run;
}

static SeamSearch *
get_search (const SeamSession *session)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *searches = seam_session_get_searches (session);
  GVariant *content;
  SeamSearch *search;

  g_assert_cmpint (searches->len, ==, 1);
  content = seam_session_search_get_content (searches->pdata[0], &error);
  g_assert_no_error (error);
  search = seam_search_restore (content, &error);
  g_assert_no_error (error);
  return search;
}

/* Runs have raised the FP32 rate of the CPU samples’ calibration, among them runs of the pipeline
 * that is scored; the sample without such a raise has what calibration itself measured. */
static void
use_calibrated_rates (SeamKnown *known)
{
  g_autoptr (SeamSession) session = load_sample ("laptop-cpu-conv-relu-bias");
  g_autoptr (SeamSessionRun) run = get_run (session);
  g_autoptr (SeamKnown) calibrated = seam_known_new_for_result (run->result, NULL);

  if (known->is_device)
    return;
  known->rates = calibrated->rates;
  known->scalar_per_s = calibrated->scalar_per_s;
}

static SeamKnown *
make_known (const SeamResult *result, gboolean with_unfused)
{
  g_autoptr (GError) error = NULL;
  SeamKnown *known = seam_known_new_for_result (result, &error);

  g_assert_no_error (error);
  use_calibrated_rates (known);
  if (with_unfused)
    g_assert_cmpint (seam_known_add (known, result, 0), ==, result->plans[0].n_groups);
  return known;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double
get_median (GArray *errors)
{
  const double *values = (const double *)(void *)errors->data;
  guint n = errors->len;

  g_array_sort (errors, compare_doubles);
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static Score
score_sample (const char *name, gboolean with_unfused, GArray *all)
{
  g_autoptr (SeamSession) session = load_sample (name);
  g_autoptr (SeamSessionRun) run = get_run (session);
  g_autoptr (SeamSearch) search = get_search (session);
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (run->result, NULL);
  g_autoptr (SeamKnown) known = make_known (run->result, with_unfused);
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (double));
  Score score = { 0 };

  for (int i = 0; i < search->n_points; i++) {
    const SeamPoint *point = &search->points[i];
    g_autoptr (SeamPlan) plan = seam_plan_parse (problem->pipeline, point->notation, NULL);
    g_auto (GStrv) executed = NULL;
    SeamGuess guess;
    SeamPlanLimit limit;

    if (point->state != SEAM_POINT_MEASURED)
      continue;
    executed = seam_known_split_executed (point->executed, plan);
    g_assert_nonnull (executed);
    seam_guess (known, problem, plan, (const char *const *)executed, NULL, &guess);
    seam_plan_limit (problem, plan, &known->rates, &limit);
    g_assert_cmpfloat (guess.low_ns, >=, limit.floor_ns);
    g_assert_cmpfloat (guess.ns, >=, guess.low_ns);
    g_assert_cmpfloat (guess.high_ns, >=, guess.ns);
    double error = fabs (guess.ns / point->median_ns - 1);
    gboolean inside = point->median_ns >= guess.low_ns && point->median_ns <= guess.high_ns;
    g_array_append_val (errors, error);
    g_array_append_val (all, error);
    score.n++;
    score.n_inside += inside;
    if (g_test_verbose ()) {
      g_autofree char *why = seam_guess_explain (&guess, plan);
      g_test_message ("%s: %.3f (%.3f to %.3f) ms, measured %.3f, %+.1f %%%s: %s", point->executed,
                      guess.ns / 1e6, guess.low_ns / 1e6, guess.high_ns / 1e6,
                      point->median_ns / 1e6, 100 * (guess.ns / point->median_ns - 1),
                      inside ? "" : " OUTSIDE", why);
    }
  }
  score.median = get_median (errors);
  return score;
}

/* "| H200 conv-relu-bias | 8 | 2.3 % | 8 |": the row of the help page. */
static char *
format_row (const char *name, const Score *alone, const Score *known)
{
  gboolean gpu = g_str_has_prefix (name, "h200-");
  g_auto (GStrv) words = g_strsplit (name + strlen (gpu ? "h200-" : "laptop-cpu-"), "-tf32", 2);

  return g_strdup_printf ("| %s, %s | %d | %.1f %% | %.0f %% | %.1f %% | %.0f %% |", words[0],
                          gpu ? "H200" : "CPU", known->n, 100 * known->median,
                          100.0 * known->n_inside / known->n, 100 * alone->median,
                          100.0 * alone->n_inside / alone->n);
}

static void
test_samples (void)
{
  g_autofree char *page = NULL;
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) errors_alone = g_array_new (FALSE, FALSE, sizeof (double));
  Score all = { 0 }, all_alone = { 0 };
  gboolean missing = FALSE;

  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_APP"), "..", "data", "help", "results.md", NULL);
  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++) {
    Score alone = score_sample (samples[i], FALSE, errors_alone);
    Score known = score_sample (samples[i], TRUE, errors);
    g_autofree char *row = format_row (samples[i], &alone, &known);

    g_test_message ("%s", row);
    missing = missing || strstr (page, row) == NULL;
    g_assert_cmpfloat (known.median, <=, g_str_has_prefix (samples[i], "h200") ? .15 : .25);
    all.n += known.n;
    all.n_inside += known.n_inside;
    all_alone.n += alone.n;
    all_alone.n_inside += alone.n_inside;
  }
  all.median = get_median (errors);
  all_alone.median = get_median (errors_alone);
  g_autofree char *row = g_strdup_printf (
      "| all | %d | %.1f %% | %.0f %% | %.1f %% | %.0f %% |", all.n, 100 * all.median,
      100.0 * all.n_inside / all.n, 100 * all_alone.median, 100.0 * all_alone.n_inside / all.n);
  g_test_message ("%s", row);
  g_assert_cmpint (10 * all.n_inside, >=, 9 * all.n);
  g_assert_cmpint (10 * all_alone.n_inside, >=, 9 * all_alone.n);
  /* The rows above are those for the page. */
  g_assert_false (missing);
  g_assert_nonnull (strstr (page, row));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guess/samples", test_samples);
  return g_test_run ();
}
