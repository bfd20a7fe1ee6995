/* SPDX-License-Identifier: MIT
 *
 * A/A runs: two equal plans in simulated noise, measured by the rules of app/measure/measure.c. At
 * most one verdict in a hundred may claim a difference, and a real difference must be found.
 */
#include "app/compare/compare.h"
#include "app/compare/pairs.h"
#include "app/compare/self-test.h"
#include "app/session/session.h"
#include "tests/core/noise.h"

#include <string.h>

#define N_RUNS 1000

static void
test_false_verdicts (void)
{
  for (guint m = 0; m < G_N_ELEMENTS (models); m++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (20261121 + m);
    SeamSelfTest test = { 0 };
    int n_intervals = 0;

    for (int run = 0; run < N_RUNS; run++) {
      g_autoptr (SeamResult) result = simulate (models[m].draw, rand, 1);

      g_assert_true (seam_self_test_add (&test, result));
      /* The verdict of the intervals alone, for the message. */
      for (int p = 0; p < 2; p++)
        g_clear_pointer (&result->plans[p].samples, g_free);
      g_autoptr (SeamVerdict) alone = seam_verdict_new (result, 0, 1);
      n_intervals += alone->kind == SEAM_VERDICT_FASTER || alone->kind == SEAM_VERDICT_SLOWER;
    }
    g_test_message ("%s: %d false verdicts of %d; by the intervals alone %d", models[m].name,
                    test.n_false, N_RUNS, n_intervals);
    g_assert_cmpint (test.n_runs, ==, N_RUNS);
    g_assert_cmpint (test.n_false, <=, N_RUNS / 100);
  }
}

/* The same where each plan has an offset as long as it lies in one place in memory: in as many
 * places as a measurement takes at least, and in the fewest that count. */
static void
test_places (void)
{
  static const int n_places[] = { SEAM_PLACES_ENOUGH, 16 };

  for (gsize i = 0; i < G_N_ELEMENTS (n_places); i++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (3);
    SeamSelfTest test = { 0 };

    for (int run = 0; run < N_RUNS; run++) {
      g_autoptr (SeamResult) result =
          simulate_as (draw_places, rand, 1, 20 * n_places[i], draw_scale (rand));
      seam_self_test_add (&test, result);
    }
    g_test_message ("%d places: %d false verdicts of %d", n_places[i], test.n_false, N_RUNS);
    g_assert_cmpint (test.n_false, <=, N_RUNS / 100);
  }
}

/* A rule that never claims anything would pass the test above. Of plans 10 % apart, in noise up to
 * a few per cent and with 30 pairs, most must be found and none the wrong way round. */
static void
test_found (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  int n_found[2] = { 0 }, n_runs[2] = { 0 };

  for (int run = 0; run < N_RUNS; run++) {
    g_autoptr (SeamResult) result = simulate (draw_plain, rand, 1.10);
    g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
    double width = (result->plans[0].ci_high_ns - result->plans[0].ci_low_ns) / 1e6;

    g_assert_cmpint (verdict->kind, !=, SEAM_VERDICT_SLOWER);
    g_assert_true ((verdict->kind == SEAM_VERDICT_UNCLEAR) == (verdict->next_step != NULL));
    if (width < .04) {
      gboolean few = result->plans[0].n_samples < SEAM_SERIES_ENOUGH;

      n_runs[few]++;
      n_found[few] += verdict->kind == SEAM_VERDICT_FASTER;
    }
  }
  g_test_message ("%d of %d differences of 10 %% found, with few samples %d of %d", n_found[0],
                  n_runs[0], n_found[1], n_runs[1]);
  g_assert_cmpint (n_runs[0], >, 300);
  g_assert_cmpint (n_found[0], >, n_runs[0] * 98 / 100);
  /* Chance makes a few of 8 samples look dependent. */
  g_assert_cmpint (n_found[1], >, n_runs[1] * 75 / 100);
}

/* A difference of 2 % is found: in 1,000 pairs, which take 3 s at kernelbench, worth 26, with noise
 * of 1 % that has a memory of its own, and in 500 with independent noise of 3 %. */
static void
test_two_per_cent (void)
{
  static const struct {
    Draw draw;
    int budget;
    double scale;
  } cases[] = { { draw_own, 1000, .007 }, { draw_plain, 500, .03 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (11);
    int n_found = 0;

    for (int run = 0; run < 100; run++) {
      g_autoptr (SeamResult) result =
          simulate_as (cases[i].draw, rand, 1.02, cases[i].budget, cases[i].scale);
      g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);

      g_assert_cmpint (verdict->kind, !=, SEAM_VERDICT_SLOWER);
      n_found += verdict->kind == SEAM_VERDICT_FASTER;
    }
    g_test_message ("%d of 100 differences of 2 %% found", n_found);
    g_assert_cmpint (n_found, >, 85);
  }
}

/* ---- recorded runs ---- */

/* Calls `look` with every recorded run of data/samples. */
static void
look_at_samples (void (*look) (const SeamResult *result, int *counts), int *counts)
{
  g_autofree char *folder =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_APP"), "..", "data", "samples", NULL);
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (SeamSession) session = seam_session_load (path, NULL);

    for (guint i = 0; session != NULL && i < seam_session_get_n_runs (session); i++) {
      g_autoptr (SeamSessionRun) run = seam_session_get_run (session, i, NULL);
      look (run->result, counts);
    }
  }
  g_dir_close (dir);
}

/* A result of two plans whose samples are every `step`-th from `first` of those of `a` and `b`, for
 * `n` pairs; B is `faster` times as fast. */
static SeamResult *
take_pairs (const SeamPlanResult *a, int first_a, const SeamPlanResult *b, int first_b, int step,
            int n, double faster)
{
  const SeamPlanResult *from[] = { a, b };
  int first[] = { first_a, first_b };
  SeamResult *result = seam_result_new (2);

  for (int p = 0; p < 2; p++) {
    SeamPlanResult *plan = &result->plans[p];

    plan->state = SEAM_PLAN_MEASURED;
    plan->n_samples = n;
    plan->samples = g_new0 (SeamSample, n);
    for (int i = 0; i < n; i++)
      plan->samples[i].elapsed_ns =
          from[p]->samples[first[step == 2 && i % 2 == 1 ? !p : p] + step * i].elapsed_ns
          / (p == 1 ? faster : 1);
    is_narrow (plan);
  }
  result->against = 0;
  return result;
}

enum { ALL, FALSE_CLAIMS, FOUND, WINS, LOST, WANDERING, APART, N_COUNTS };

/* A plan against itself: neighbouring samples of its own series as pairs, A B B A. Then the same
 * with B faster by 2 %. */
static void
look_at_itself (const SeamResult *result, int *counts)
{
  for (int i = 0; i < result->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    int n = plan->n_samples / 2;

    for (int faster = 0; faster < 2 && n >= 20; faster++) {
      g_autoptr (SeamResult) twice = take_pairs (plan, 0, plan, 1, 2, n, faster ? 1.02 : 1);
      g_autoptr (SeamVerdict) verdict = seam_verdict_new (twice, 0, 1);
      gboolean claims =
          verdict->kind == SEAM_VERDICT_FASTER || verdict->kind == SEAM_VERDICT_SLOWER;

      counts[ALL] += faster == 0;
      counts[faster ? FOUND : FALSE_CLAIMS] += claims;
    }
  }
}

/* Every plan against the first: wins of 1.3× and more stay, and both halves of a run agree. */
static void
look_at_wins (const SeamResult *result, int *counts)
{
  for (int i = 1; i < result->n_plans; i++) {
    const SeamPlanResult *a = &result->plans[0], *b = &result->plans[i];
    int n = MIN (a->n_samples, b->n_samples) / 2;
    g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, i);
    gboolean judged = verdict->kind != SEAM_VERDICT_WRONG && !isnan (verdict->ratio);

    if (judged && verdict->ratio > 1.3) {
      counts[WINS]++;
      /* Under a clock that wanders there may be no interval. */
      counts[isnan (verdict->ratio_low) ? WANDERING : LOST] += verdict->kind != SEAM_VERDICT_FASTER;
      if (verdict->kind != SEAM_VERDICT_FASTER)
        g_test_message ("%s %s: %s, %s", result->pipeline_id, b->notation, verdict->headline,
                        verdict->detail);
    }
    if (n < 15)
      continue;
    g_autoptr (SeamResult) early = take_pairs (a, 0, b, 0, 1, n, 1);
    g_autoptr (SeamResult) late = take_pairs (a, n, b, n, 1, n, 1);
    g_autoptr (SeamVerdict) first = seam_verdict_new (early, 0, 1);
    g_autoptr (SeamVerdict) second = seam_verdict_new (late, 0, 1);
    if (isnan (first->ratio_low) || isnan (second->ratio_low))
      continue;
    counts[ALL]++;
    counts[APART] += first->ratio_low > second->ratio_high || second->ratio_low > first->ratio_high;
  }
}

static void
test_recorded (void)
{
  int itself[N_COUNTS] = { 0 }, wins[N_COUNTS] = { 0 };

  look_at_samples (look_at_itself, itself);
  g_test_message ("%d plans against themselves: %d false verdicts, 2 %% found in %d", itself[ALL],
                  itself[FALSE_CLAIMS], itself[FOUND]);
  g_assert_cmpint (itself[ALL], >, 40);
  g_assert_cmpint (itself[FALSE_CLAIMS], ==, 0);
  g_assert_cmpint (2 * itself[FOUND], >, itself[ALL]);
  look_at_samples (look_at_wins, wins);
  g_test_message ("%d wins, %d lost, %d without an interval; %d pairs of halves, %d apart",
                  wins[WINS], wins[LOST], wins[WANDERING], wins[ALL], wins[APART]);
  g_assert_cmpint (wins[WINS], >, 20);
  g_assert_cmpint (wins[LOST], ==, 0);
  g_assert_cmpint (20 * wins[WANDERING], <=, wins[WINS]);
  g_assert_cmpint (wins[ALL], >, 40);
  /* Two intervals of 95 % lie apart in under 1 % of runs. */
  g_assert_cmpint (wins[APART], <=, 1);
}

/* ---- pairs ---- */

static SeamResult *
make_pairs (int n, int n_a_longer)
{
  SeamResult *result = seam_result_new (2);

  for (int p = 0; p < 2; p++) {
    SeamPlanResult *plan = &result->plans[p];

    plan->state = SEAM_PLAN_MEASURED;
    plan->n_samples = n;
    plan->n_places = SEAM_PLACES_ENOUGH;
    plan->samples = g_new0 (SeamSample, n);
    for (int i = 0; i < n; i++)
      /* Evenly among the others, so that no pair tells the next one. */
      plan->samples[i].elapsed_ns = p == 0 && i * n_a_longer % n < n_a_longer ? 1.2e6 : 1e6 + p;
    plan->median_ns = p == 0 ? 1.2e6 : 1e6;
    plan->ci_low_ns = plan->median_ns * .999;
    plan->ci_high_ns = plan->median_ns * 1.001;
  }
  result->against = 0;
  return result;
}

static void
assert_pairs (int n, int n_a_longer, double probability, SeamVerdictKind kind, const char *step)
{
  g_autoptr (SeamResult) result = make_pairs (n, n_a_longer);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
  SeamPairs pairs;

  seam_pairs_count (&result->plans[0], &result->plans[1], &pairs);
  g_assert_cmpint (pairs.n, ==, n);
  g_assert_cmpint (pairs.n_a_longer, ==, n_a_longer);
  g_assert_cmpfloat_with_epsilon (pairs.probability, probability, 1e-6);
  g_assert_cmpint (verdict->kind, ==, kind);
  if (step == NULL)
    g_assert_null (verdict->next_step);
  else if (strstr (verdict->next_step, step) == NULL)
    g_error ("%s", verdict->next_step);
}

/* The intervals of all these claim 1.20×. */
static void
test_pairs (void)
{
  assert_pairs (8, 8, 2. / 256, SEAM_VERDICT_FASTER, NULL);
  assert_pairs (7, 7, 2. / 128, SEAM_VERDICT_UNCLEAR, "7 of 7 pairs");
  /* (1 + 10) / 2^10 * 2, and (1 + 20) / 2^20 * 2. */
  assert_pairs (10, 9, .021484375, SEAM_VERDICT_UNCLEAR, "9 of 10 pairs");
  assert_pairs (20, 19, 42. / 1048576, SEAM_VERDICT_FASTER, NULL);
  /* (2.576 / 2 / 0.1)^2 = 166 pairs, which is 146 more. */
  assert_pairs (20, 12, .503444672, SEAM_VERDICT_UNCLEAR, "about 150 more samples");
  assert_pairs (20, 10, 1, SEAM_VERDICT_UNCLEAR, "close other programs");
  /* A certain difference, but in the direction opposite to the medians. */
  assert_pairs (20, 0, 2. / 1048576, SEAM_VERDICT_UNCLEAR, "not fit the medians");
}

/* ---- the sentences ---- */

static SeamResult *
make_run (double a, double b, double half)
{
  SeamResult *result = seam_result_new (2);
  double medians[] = { a, b };

  for (int p = 0; p < 2; p++) {
    result->plans[p].state = SEAM_PLAN_MEASURED;
    result->plans[p].n_samples = 50;
    result->plans[p].n_places = SEAM_PLACES_ENOUGH;
    result->plans[p].median_ns = medians[p];
    result->plans[p].ci_low_ns = medians[p] * (1 - half);
    result->plans[p].ci_high_ns = medians[p] * (1 + half);
  }
  result->duration_s = 2;
  return result;
}

static void
test_sentences (void)
{
  SeamSelfTest test = { 0 };
  g_autoptr (SeamResult) quiet = make_run (1e6, 1.001e6, .001);
  g_autoptr (SeamResult) loud = make_run (1.01e6, 1e6, .02);
  g_autoptr (SeamResult) wrong = make_run (1.1e6, 1e6, .001);
  g_autoptr (SeamResult) few = make_run (1e6, 1e6, .001);
  g_autoptr (SeamResult) none = make_run (NAN, 1e6, .001);

  g_assert_false (seam_self_test_holds (&test));
  g_assert_true (seam_self_test_add (&test, quiet));
  g_assert_true (seam_self_test_holds (&test));
  /* Intervals of 0.1 % and sqrt (2) * 0.1 %: 0.2416 %. */
  g_assert_cmpfloat_with_epsilon (test.claimable, .002416, 5e-6);
  g_assert_cmpfloat_with_epsilon (test.largest, .001, 1e-9);
  {
    g_autofree char *text = seam_self_test_describe (&test);

    g_assert_nonnull (strstr (text, "can claim now: 0.25 %."));
    g_assert_nonnull (strstr (text, "1 run, 50 pairs of samples, 2.0 s."));
    g_assert_nonnull (strstr (text, "over 1 %: that holds here"));
  }
  g_assert_true (seam_self_test_add (&test, loud));
  g_assert_false (seam_self_test_holds (&test));
  g_assert_cmpint (test.n_pairs, ==, 100);
  {
    g_autofree char *text = seam_self_test_describe (&test);

    g_assert_nonnull (strstr (text, "under 3.9 % trust none"));
  }
  g_assert_true (seam_self_test_add (&test, wrong));
  g_assert_cmpint (test.n_false, ==, 1);
  {
    g_autofree char *text = seam_self_test_describe (&test);

    g_assert_nonnull (strstr (text, "1 verdict called it faster or slower than itself"));
  }
  few->plans[1].ci_low_ns = few->plans[1].ci_high_ns = NAN;
  g_assert_true (seam_self_test_add (&test, few));
  g_assert_cmpint (test.n_unknown, ==, 1);
  {
    g_autofree char *text = seam_self_test_describe (&test);

    g_assert_nonnull (strstr (text, "1 of 4 runs had too few samples"));
  }
  g_assert_false (seam_self_test_add (&test, none));
  g_assert_cmpint (test.n_runs, ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/self-test/false-verdicts", test_false_verdicts);
  g_test_add_func ("/self-test/places", test_places);
  g_test_add_func ("/self-test/found", test_found);
  g_test_add_func ("/self-test/two-per-cent", test_two_per_cent);
  g_test_add_func ("/self-test/recorded", test_recorded);
  g_test_add_func ("/self-test/pairs", test_pairs);
  g_test_add_func ("/self-test/sentences", test_sentences);
  return g_test_run ();
}
