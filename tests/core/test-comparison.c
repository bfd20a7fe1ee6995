/* SPDX-License-Identifier: MIT
 *
 * Comparisons of two runs: what keeps them from being compared, how their plans are matched, the
 * change of every number, and verdicts on samples that do not alternate.
 */
#include "app/base/text.h"
#include "app/compare/run-comparison.h"
#include "app/compare/ranks.h"
#include "tests/core/noise.h"

#include <string.h>

#define N_RUNS 1000

/* ---- runs to compare ---- */

static void
set_kernel (SeamKernel *kernel, const char *name, int first_op, int last_op, double ns)
{
  seam_kernel_init (kernel);
  kernel->first_op = first_op;
  kernel->last_op = last_op;
  kernel->median_ns = ns;
  kernel->name = g_strdup_printf ("void %s<float>", name);
  kernel->short_name = g_strdup (name);
  kernel->implementation = g_strdup ("generated");
  kernel->bytes = 1e6;
}

static void
set_plan (SeamPlanResult *plan, const char *name, const char *notation, double ns)
{
  plan->name = g_strdup (name);
  plan->notation = g_strdup (notation);
  plan->executed = g_strdup (notation);
  plan->state = SEAM_PLAN_MEASURED;
  plan->n_samples = 40;
  plan->samples = g_new0 (SeamSample, 40);
  for (int i = 0; i < 40; i++)
    plan->samples[i] =
        (SeamSample){ .elapsed_ns = ns * (1 + .001 * ((i * 7) % 11 - 5) / 5.), .clock_mhz = 1980 };
  is_narrow (plan);
  plan->kernels = g_new0 (SeamKernel, 2);
  plan->n_kernels = 2;
  set_kernel (&plan->kernels[0], "conv", 0, 0, ns * .6);
  set_kernel (&plan->kernels[1], "fused", 1, 2, ns * .3);
  plan->kernels_sum_median_ns = ns * .9;
  plan->span_median_ns = ns * .95;
}

/* A run of plans "unfused" and "published". */
static SeamResult *
make_run (double unfused_ns, double published_ns)
{
  SeamResult *run = seam_result_new (2);

  run->pipeline_id = g_strdup ("conv-relu-bias");
  run->pipeline_text = g_strdup ("[pipeline]");
  run->shape = g_strdup ("batch=8");
  run->shape_text = g_strdup ("N 8");
  run->settings.math_mode = SEAM_MATH_FP32;
  run->settings.distribution = SEAM_DISTRIBUTION_UNIFORM;
  run->settings.seed = 1;
  run->settings.cold = TRUE;
  run->program_version = g_strdup ("0.1.0");
  run->started_at = g_strdup ("2026-11-21T12:00:00Z");
  run->device = seam_device_info_new ("cuda:0");
  run->device->name = g_strdup ("Synthetic device");
  run->against = 0;
  set_plan (&run->plans[0], "unfused", "conv|relu|bias", unfused_ns);
  set_plan (&run->plans[1], "published", "conv|relu+bias", published_ns);
  return run;
}

static void
replace (char **text, const char *with)
{
  g_free (*text);
  *text = g_strdup (with);
}

static const SeamCondition *
find_condition (const SeamComparison *comparison, const char *title)
{
  for (int i = 0; i < comparison->n_conditions; i++)
    if (strcmp (comparison->conditions[i].title, title) == 0)
      return &comparison->conditions[i];
  g_error ("no condition “%s”", title);
}

static const SeamNumber *
find_number (const SeamNumber *numbers, int n, const char *key)
{
  for (int i = 0; i < n; i++)
    if (strcmp (numbers[i].key, key) == 0)
      return &numbers[i];
  g_error ("no number “%s”", key);
}

/* ---- conditions ---- */

static void
test_conditions (void)
{
  g_autoptr (SeamResult) a = make_run (2e6, 1e6);
  g_autoptr (SeamResult) b = make_run (2e6, 1e6);

  replace (&b->device->name, "Another device");
  replace (&b->program_version, "0.2.0");
  g_autoptr (SeamComparison) comparison = seam_comparison_new (a, b);
  g_assert_null (comparison->obstacle);
  g_assert_cmpint (find_condition (comparison, "Math mode")->state, ==, SEAM_CONDITION_SAME);
  g_assert_cmpstr (find_condition (comparison, "Math mode")->a, ==, "FP32");
  g_assert_cmpint (find_condition (comparison, "Program")->state, ==, SEAM_CONDITION_DIFFERS);
  /* Conditions that differ come first. */
  g_assert_cmpstr (comparison->conditions[0].title, ==, "Device");
  g_assert_cmpstr (comparison->conditions[0].b, ==, "Another device");
  g_assert_cmpstr (comparison->conditions[1].title, ==, "Program");
  g_assert_cmpint (comparison->conditions[2].state, ==, SEAM_CONDITION_SAME);
  g_assert_cmpint (comparison->n_plans, ==, 2);
}

static void
assert_obstacle (SeamResult *b, const char *words)
{
  g_autoptr (SeamResult) a = make_run (2e6, 1e6);
  g_autoptr (SeamComparison) comparison = seam_comparison_new (a, b);

  g_assert_cmpstr (comparison->obstacle, ==, words);
  g_assert_cmpint (comparison->n_plans, ==, 0);
  g_assert_cmpint (comparison->conditions[0].state, ==, SEAM_CONDITION_PREVENTS);
  seam_result_unref (b);
}

static void
test_obstacles (void)
{
  SeamResult *b = make_run (2e6, 1e6);
  b->settings.math_mode = SEAM_MATH_TF32;
  assert_obstacle (b, "Not comparable: math mode is FP32 in A and TF32 in B.");
  b = make_run (2e6, 1e6);
  replace (&b->shape, "batch=16");
  replace (&b->shape_text, "N 16");
  b->settings.cold = FALSE;
  assert_obstacle (b,
                   "Not comparable: shape is N 8 in A and N 16 in B; cache before a sample is cold "
                   "in A and warm in B.");
  b = make_run (2e6, 1e6);
  replace (&b->pipeline_id, "gemm-bias-relu");
  assert_obstacle (b, "Not comparable: pipeline is conv-relu-bias in A and gemm-bias-relu in B.");
}

/* Another launch mode does not keep two runs apart, but the comparison names it. */
static void
test_launch_mode (void)
{
  g_autoptr (SeamResult) a = make_run (2e6, 1e6);
  g_autoptr (SeamResult) b = make_run (2e6, 1e6);
  g_autoptr (SeamComparison) comparison = NULL;
  gboolean found = FALSE;

  b->settings.launch = SEAM_LAUNCH_GRAPH;
  comparison = seam_comparison_new (a, b);
  g_assert_null (comparison->obstacle);
  for (int i = 0; i < comparison->n_conditions; i++) {
    const SeamCondition *condition = &comparison->conditions[i];

    if (strcmp (condition->title, "Launch mode") != 0)
      continue;
    found = TRUE;
    g_assert_cmpint (condition->state, ==, SEAM_CONDITION_DIFFERS);
    g_assert_cmpstr (condition->a, ==, "stream");
    g_assert_cmpstr (condition->b, ==, "graph");
  }
  g_assert_true (found);
}

/* ---- matching ---- */

static void
test_match_plans (void)
{
  g_autoptr (SeamResult) a = make_run (2e6, 1e6);
  g_autoptr (SeamResult) b = make_run (2e6, .5e6);

  /* A name counts more than a position; a plan without a partner is added or removed. */
  replace (&b->plans[0].name, NULL);
  replace (&b->plans[0].notation, "conv+relu+bias");
  replace (&b->plans[1].executed, "conv|relu+bias@hand");
  g_autoptr (SeamComparison) comparison = seam_comparison_new (a, b);
  g_assert_cmpint (comparison->n_plans, ==, 3);
  g_assert_cmpint (comparison->plans[0].match, ==, SEAM_MATCH_REMOVED);
  g_assert_null (comparison->plans[0].verdict);
  g_assert_cmpint (comparison->plans[1].match, ==, SEAM_MATCH_CHANGED);
  g_assert_nonnull (strstr (comparison->plans[1].change, "conv|relu+bias@hand in B"));
  g_assert_cmpint (comparison->plans[1].verdict->kind, ==, SEAM_VERDICT_FASTER);
  g_assert_cmpstr (comparison->plans[1].verdict->headline, ==, "2.00× faster");
  g_assert_cmpint (comparison->plans[2].match, ==, SEAM_MATCH_ADDED);
  g_assert_cmpstr (seam_comparison_get_plan_name (comparison, &comparison->plans[2]), ==,
                   "conv+relu+bias");
  g_autofree char *words = seam_comparison_describe (comparison);
  g_assert_cmpstr (words, ==, "Plans of B against A: 1 faster; 1 plan added; 1 plan removed.");

  /* Two names for the same notation. */
  g_autoptr (SeamResult) unnamed = make_run (2e6, 1e6);
  replace (&unnamed->plans[1].name, NULL);
  g_autoptr (SeamComparison) other = seam_comparison_new (a, unnamed);
  g_assert_cmpint (other->n_plans, ==, 2);
  g_assert_cmpint (other->plans[1].match, ==, SEAM_MATCH_SAME);
}

static void
test_match_kernels (void)
{
  g_autoptr (SeamResult) a = make_run (2e6, 1e6);
  g_autoptr (SeamResult) b = make_run (2e6, 1e6);
  SeamPlanResult *plan = &b->plans[0];

  /* conv is another version of its kernel, and fused became two kernels. */
  replace (&plan->kernels[0].name, "void conv_v2<float>");
  plan->kernels = g_renew (SeamKernel, plan->kernels, 3);
  plan->n_kernels = 3;
  plan->kernels[1].last_op = 1;
  set_kernel (&plan->kernels[2], "bias", 2, 2, 1e5);
  b->plans[1].n_kernels = -1;
  for (int i = 0; i < 2; i++) {
    g_free (b->plans[1].kernels[i].name);
    g_free (b->plans[1].kernels[i].short_name);
    g_free (b->plans[1].kernels[i].implementation);
  }
  g_clear_pointer (&b->plans[1].kernels, g_free);

  g_autoptr (SeamComparison) comparison = seam_comparison_new (a, b);
  const SeamPlanPair *pair = &comparison->plans[0];
  static const struct {
    int a, b;
    SeamMatch match;
  } expected[] = {
    { 0, 0, SEAM_MATCH_CHANGED },
    { 1, -1, SEAM_MATCH_REMOVED },
    { -1, 1, SEAM_MATCH_ADDED },
    { -1, 2, SEAM_MATCH_ADDED },
  };
  g_assert_cmpint (pair->n_kernels, ==, G_N_ELEMENTS (expected));
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_assert_cmpint (pair->kernels[i].a, ==, expected[i].a);
    g_assert_cmpint (pair->kernels[i].b, ==, expected[i].b);
    g_assert_cmpint (pair->kernels[i].match, ==, expected[i].match);
  }
  g_assert_cmpint (pair->match, ==, SEAM_MATCH_CHANGED);
  g_assert_cmpstr (pair->change, ==, "other kernels");
  /* A kernel that was not traced is unknown, not removed. */
  g_assert_cmpint (comparison->plans[1].n_kernels, ==, 0);
  g_assert_cmpint (comparison->plans[1].match, ==, SEAM_MATCH_SAME);
  g_autofree char *words = seam_comparison_describe (comparison);
  g_assert_cmpstr (words, ==, "Plans of B against A: 2 same; 2 kernels added; 1 kernel removed.");
}

static void
match_runs (SeamResult *const *a, int n_a, SeamResult *const *b, int n_b, int *partners)
{
  seam_comparison_match_runs ((const SeamResult *const *)a, n_a, (const SeamResult *const *)b, n_b,
                              partners);
}

static void
test_match_runs (void)
{
  SeamResult *a[2] = { make_run (1, 1), make_run (1, 1) };
  SeamResult *b[3] = { make_run (1, 1), make_run (1, 1), make_run (1, 1) };
  int partners[2];

  /* The closest pair is matched first, even if a run could have had another partner. */
  a[1]->settings.math_mode = SEAM_MATH_TF32;
  b[0]->settings.math_mode = SEAM_MATH_TF32;
  replace (&b[1]->pipeline_id, "gemm-bias-relu");
  match_runs (a, 2, b, 3, partners);
  g_assert_cmpint (partners[0], ==, 2);
  g_assert_cmpint (partners[1], ==, 0);
  /* A run of another mode is better than no partner; one of another pipeline never matches. */
  match_runs (a, 2, b, 2, partners);
  g_assert_cmpint (partners[0], ==, -1);
  g_assert_cmpint (partners[1], ==, 0);
  match_runs (a, 1, b, 2, partners);
  g_assert_cmpint (partners[0], ==, 0);
  for (int i = 0; i < 3; i++) {
    if (i < 2)
      seam_result_unref (a[i]);
    seam_result_unref (b[i]);
  }
}

/* ---- numbers ---- */

static void
assert_texts (const SeamNumber *number, const char *title, const char *a, const char *b,
              const char *change, const char *ratio)
{
  g_autofree char *of_title = seam_number_format_title (number);
  g_autofree char *of_a = seam_number_format (number, number->a);
  g_autofree char *of_b = seam_number_format (number, number->b);
  g_autofree char *of_change = seam_number_format_change (number);
  g_autofree char *of_ratio = seam_number_format_ratio (number);

  g_assert_cmpstr (of_title, ==, title);
  g_assert_cmpstr (of_a, ==, a);
  g_assert_cmpstr (of_b, ==, b);
  g_assert_cmpstr (of_change, ==, change);
  g_assert_cmpstr (of_ratio, ==, ratio);
}

static void
test_numbers (void)
{
  g_autoptr (SeamResult) a = make_run (2e6, 1e6);
  g_autoptr (SeamResult) b = make_run (.5e6, 1e6);

  a->temperature_c = 50;
  b->plans[0].kernels[0].registers = 128;
  b->plans[0].kernels[0].dram_bytes_read = 3e6;
  b->plans[0].kernels[0].dram_bytes_written = 1e6;
  a->plans[0].kernels[0].dram_bytes_read = a->plans[0].kernels[1].dram_bytes_read = 5e6;
  a->plans[0].kernels[0].dram_bytes_written = a->plans[0].kernels[1].dram_bytes_written = 1e6;
  g_autoptr (SeamComparison) comparison = seam_comparison_new (a, b);
  const SeamPlanPair *plan = &comparison->plans[0];
  assert_texts (&plan->numbers[0], "Elapsed, median (ms)", "2.000", "0.500", SEAM_MINUS "1.500",
                "0.250×");
  assert_texts (find_number (plan->numbers, plan->n_numbers, "gaps_ns"),
                "Gaps between kernels (µs)", "100.000", "25.000", SEAM_MINUS "75.000", "0.250×");
  /* One kernel of B was not counted, so the sum is unknown. */
  assert_texts (find_number (plan->numbers, plan->n_numbers, "dram_bytes"),
                "Traffic of the memory, counted (MB)", "12.000", SEAM_DASH, SEAM_DASH, SEAM_DASH);
  assert_texts (find_number (plan->kernels[0].numbers, plan->kernels[0].n_numbers, "registers"),
                "Registers of a thread", SEAM_DASH, "128", SEAM_DASH, SEAM_DASH);
  assert_texts (find_number (comparison->numbers, comparison->n_numbers, "temperature_c"),
                "Temperature under load (°C)", "50.0", SEAM_DASH, SEAM_DASH, SEAM_DASH);
  /* Zero is not unknown. */
  SeamNumber zero = { "n_failing", "Elements outside tolerance", SEAM_NUMBER_COUNT, 0, 1234 };
  assert_texts (&zero, "Elements outside tolerance", "0", "1,234", "+1,234", SEAM_DASH);
}

static void
test_csv (void)
{
  g_autoptr (SeamResult) a = make_run (2e6, 1e6);
  g_autoptr (SeamResult) b = make_run (.5e6, 1e6);
  g_autoptr (SeamComparison) comparison = seam_comparison_new (a, b);
  g_autofree char *csv = seam_comparison_to_csv (&comparison, 1);
  g_autofree char *json = seam_comparison_to_json (&comparison, 1);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  int n_columns = 0;

  for (int i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
    int n = 1;
    gboolean quoted = FALSE;
    for (const char *c = lines[i]; *c != '\0'; c++) {
      quoted = *c == '"' ? !quoted : quoted;
      n += *c == ',' && !quoted;
    }
    n_columns = i == 0 ? n : n_columns;
    g_assert_cmpint (n, ==, n_columns);
  }
  g_assert_nonnull (strstr (csv, "plan,unfused,,,same,elapsed_median_ns,2000000,500000,-1500000,"
                                 "0.25,,,,faster,4,"));
  g_assert_nonnull (strstr (csv, "kernel,unfused,conv,0-0,same,registers,,,,,"));
  g_assert_nonnull (strstr (json, "\"verdict\" : \"faster\""));
  g_assert_nonnull (strstr (json, "\"ratio\" : null"));
}

/* ---- verdicts of two runs ---- */

/* Samples of which the k-th is `first` + k `step`, in stretches of two. */
static void
assert_ranks (double b_first, double share, double probability)
{
  SeamResult *runs[2] = { seam_result_new (1), seam_result_new (1) };
  SeamRanks ranks;

  for (int r = 0; r < 2; r++) {
    SeamPlanResult *plan = &runs[r]->plans[0];
    plan->n_samples = 20;
    plan->samples = g_new0 (SeamSample, 20);
    /* High and low values in turn, so that no sample depends on the one before. */
    for (int i = 0; i < 20; i++)
      plan->samples[i].elapsed_ns = (r == 0 ? 100 : b_first) + (i % 2) * 50 + i / 2;
  }
  seam_ranks_count (runs[0]->plans, runs[1]->plans, &ranks);
  g_assert_cmpint (ranks.n_a, ==, 10);
  g_assert_cmpint (ranks.n_b, ==, 10);
  g_assert_cmpfloat_with_epsilon (ranks.share_a_longer, share, 1e-12);
  g_assert_cmpfloat_with_epsilon (ranks.probability, probability, 1e-9);
  seam_result_unref (runs[0]);
  seam_result_unref (runs[1]);
}

/* Medians of stretches are 125 to 134 in A. 184,756 ways to choose 10 of 20. */
static void
test_ranks (void)
{
  assert_ranks (120, 0, 2. / 184756);
  assert_ranks (80, 1, 2. / 184756);
  /* One pair is the other way round: (1 + 1) ways on each side. */
  assert_ranks (108.5, .01, 4. / 184756);
  /* Equal values count as halves, and 50 of 100 pairs are no evidence. */
  assert_ranks (100, .5, 1);
}

/* A clock that holds longer than a whole run takes does not show in any sample of that run. Such
 * runs do differ, and their clocks stand among the conditions. */
static gboolean
is_of_another_clock (guint model)
{
  return strcmp (models[model].name, "two clocks") == 0;
}

static void
test_false_verdicts (void)
{
  for (guint m = 0; m < G_N_ELEMENTS (models); m++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (20261122 + m);
    int n_false = 0;

    for (int i = 0; i < N_RUNS; i++) {
      int budget = draw_budget (rand);
      double scale = draw_scale (rand);
      g_autoptr (SeamResult) a = simulate_as (models[m].draw, rand, 1, budget, scale);
      g_autoptr (SeamResult) b = simulate_as (models[m].draw, rand, 1, budget, scale);
      g_autoptr (SeamVerdict) verdict = seam_verdict_new_of_two_runs (a, 0, b, 1);

      n_false += verdict->kind == SEAM_VERDICT_FASTER || verdict->kind == SEAM_VERDICT_SLOWER;
      g_assert_true ((verdict->kind == SEAM_VERDICT_UNCLEAR) == (verdict->next_step != NULL));
    }
    g_test_message ("%s: %d false verdicts of %d", models[m].name, n_false, N_RUNS);
    g_assert_cmpint (n_false, <=, N_RUNS / (is_of_another_clock (m) ? 8 : 100));
  }
}

/* A rule that never claims anything would pass the test above. */
static double
find_differences (int budget, int least, int most)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  int n_found = 0, n_runs = 0;

  for (int i = 0; i < N_RUNS; i++) {
    double scale = draw_scale (rand);
    g_autoptr (SeamResult) a = simulate_as (draw_plain, rand, 1.10, budget, scale);
    g_autoptr (SeamResult) b = simulate_as (draw_plain, rand, 1, budget, scale);
    g_autoptr (SeamVerdict) verdict = seam_verdict_new_of_two_runs (a, 0, b, 0);
    int n = MIN (a->plans[0].n_samples, b->plans[0].n_samples);

    g_assert_cmpint (verdict->kind, !=, SEAM_VERDICT_SLOWER);
    if (scale < .03 && n >= least && n < most) {
      n_runs++;
      n_found += verdict->kind == SEAM_VERDICT_FASTER;
    }
  }
  g_test_message ("%d of %d found with %d to %d samples", n_found, n_runs, least, most - 1);
  g_assert_cmpint (n_runs, >, 100);
  return (double)n_found / n_runs;
}

static void
test_found (void)
{
  g_assert_cmpfloat (find_differences (60, 20, 61), >, .98);
  g_assert_cmpfloat (find_differences (15, 10, 20), >, .75);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comparison/conditions", test_conditions);
  g_test_add_func ("/comparison/obstacles", test_obstacles);
  g_test_add_func ("/comparison/launch-mode", test_launch_mode);
  g_test_add_func ("/comparison/match-plans", test_match_plans);
  g_test_add_func ("/comparison/match-kernels", test_match_kernels);
  g_test_add_func ("/comparison/match-runs", test_match_runs);
  g_test_add_func ("/comparison/numbers", test_numbers);
  g_test_add_func ("/comparison/csv", test_csv);
  g_test_add_func ("/comparison/ranks", test_ranks);
  g_test_add_func ("/comparison/false-verdicts", test_false_verdicts);
  g_test_add_func ("/comparison/found", test_found);
  return g_test_run ();
}
