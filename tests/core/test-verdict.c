/* SPDX-License-Identifier: MIT
 *
 * Verdicts on two times: every kind at and around its limits, in both directions, and no verdict
 * that the samples do not support.
 */
#include "app/compare/compare.h"
#include "app/compare/pairs.h"
#include "tests/core/known-series.h"

#include <math.h>
#include <string.h>

static void
set_time (SeamPlanResult *plan, double low, double median, double high, int n)
{
  plan->state = SEAM_PLAN_MEASURED;
  plan->ci_low_ns = low;
  plan->median_ns = median;
  plan->ci_high_ns = high;
  plan->n_samples = n;
  plan->n_places = SEAM_PLACES_ENOUGH;
}

static SeamResult *
make_result (double a, double b, double relative_width)
{
  SeamResult *result = seam_result_new (2);
  double half = relative_width / 2;

  set_time (&result->plans[0], a * (1 - half), a, a * (1 + half), 50);
  set_time (&result->plans[1], b * (1 - half), b, b * (1 + half), 50);
  result->against = 0;
  return result;
}

static void
set_wrong (SeamPlanResult *plan, gint64 n_failing)
{
  SeamDifferenceSpec spec = { .rows = 10, .columns = 10, .plane = 1 };

  seam_difference_choose_cells (&spec, 16);
  plan->difference = seam_difference_new (&spec);
  plan->difference->n_failing = n_failing;
}

static void
assert_kind (double a, double b, double width, SeamVerdictKind kind, const char *headline)
{
  g_autoptr (SeamResult) result = make_result (a, b, width);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);

  g_assert_cmpint (verdict->kind, ==, kind);
  g_assert_cmpstr (verdict->headline, ==, headline);
  g_assert_cmpfloat_with_epsilon (verdict->ratio, a / b, 1e-12);
  g_assert_cmpfloat (verdict->ratio_low, <, verdict->ratio);
  g_assert_cmpfloat (verdict->ratio_high, >, verdict->ratio);
  g_assert_true ((verdict->next_step != NULL) == (kind == SEAM_VERDICT_UNCLEAR));
}

static void
test_kinds (void)
{
  assert_kind (1.84e6, 1e6, 0.002, SEAM_VERDICT_FASTER, "1.84× faster");
  assert_kind (1e6, 1.2e6, 0.002, SEAM_VERDICT_SLOWER, "1.20× slower");
  assert_kind (1e6, 1.002e6, 0.002, SEAM_VERDICT_SAME, "Same within 1 %");
  assert_kind (1.002e6, 1e6, 0.002, SEAM_VERDICT_SAME, "Same within 1 %");
  /* Beyond 1 %, but the interval reaches into it. */
  assert_kind (1.015e6, 1e6, 0.03, SEAM_VERDICT_UNCLEAR, "Unclear");
  assert_kind (1e6, 1.015e6, 0.03, SEAM_VERDICT_UNCLEAR, "Unclear");
  /* Inside 1 %, but the interval reaches beyond. */
  assert_kind (1e6, 1e6, 0.03, SEAM_VERDICT_UNCLEAR, "Unclear");
  /* Just beyond 1 %, with a narrow interval: a claim. */
  assert_kind (1.018e6, 1e6, 0.002, SEAM_VERDICT_FASTER, "1.02× faster");
}

static void
test_interval (void)
{
  /* Each interval is 1 % wide: in quadrature, the ratio has 0.5 % * sqrt (2) either way. */
  g_autoptr (SeamResult) result = make_result (2e6, 1e6, 0.01);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);

  g_assert_cmpfloat_with_epsilon (verdict->ratio_low, 2 * exp (-0.005 * sqrt (2)), 1e-4);
  g_assert_cmpfloat_with_epsilon (verdict->ratio_high, 2 * exp (0.005 * sqrt (2)), 1e-4);
  g_assert_cmpstr (verdict->detail, ==, "95 % interval 1.99× to 2.01×");

  /* For a slower plan, the interval has the direction of the headline. */
  g_autoptr (SeamVerdict) reverse = seam_verdict_new (result, 1, 0);
  g_assert_cmpstr (reverse->headline, ==, "2.00× slower");
  g_assert_cmpstr (reverse->detail, ==, "95 % interval 1.99× to 2.01×");
}

static void
test_next_step (void)
{
  /* Log ratio 0.0198, limit 0.00995: distance 0.00985. Half width 0.015 * sqrt (2) = 0.0212, so
   * (0.0212 / 0.00985)^2 = 4.64 times the 50 samples: 182 more, rounded up to two digits 190. */
  g_autoptr (SeamResult) result = make_result (1.02e6, 1e6, 0.03);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
  g_assert_cmpint (verdict->kind, ==, SEAM_VERDICT_UNCLEAR);
  g_assert_cmpstr (verdict->next_step, ==, "needs about 190 more samples");
  g_assert_true (verdict->needed > 180 && verdict->needed <= 190);

  g_autoptr (SeamResult) limit = make_result (1.01e6, 1e6, 0.03);
  g_autoptr (SeamVerdict) never = seam_verdict_new (limit, 0, 1);
  g_assert_nonnull (strstr (never->next_step, "more samples will not settle it"));
  g_assert_cmpfloat (never->needed, ==, 0);

  g_autoptr (SeamResult) noisy = make_result (1.01e6, 1e6, 0.3);
  g_autoptr (SeamVerdict) disturbed = seam_verdict_new (noisy, 0, 1);
  g_assert_nonnull (strstr (disturbed->next_step, "close other programs"));

  /* The medians say 1.80×, and in 20 of 50 pairs B took longer: the interval holds both. */
  g_autoptr (SeamResult) paired = make_result (1.8e6, 1e6, 0.02);
  for (int i = 0; i < 2; i++) {
    paired->plans[i].samples = g_new0 (SeamSample, 50);
    for (int k = 0; k < 50; k++)
      paired->plans[i].samples[k] =
          (SeamSample){ .elapsed_ns = (k % 5 < 3) == (i == 0) ? 1.8e6 : 1e6, .order = 2 * k + i };
  }
  g_autoptr (SeamVerdict) chance = seam_verdict_new (paired, 0, 1);
  g_assert_cmpint (chance->kind, ==, SEAM_VERDICT_UNCLEAR);
  g_assert_cmpfloat (chance->ratio_low, <, 1);
  g_assert_cmpfloat_with_epsilon (chance->ratio_high, 1.8, 1e-9);
  g_assert_true (g_str_has_prefix (
      chance->next_step, "the interval alone does not show it, because A took longer in "
                         "30 of 50 pairs of neighbouring samples, which can happen by chance: "
                         "needs about "));

  g_autoptr (SeamResult) few = make_result (2e6, 1e6, 0.01);
  few->plans[1].ci_low_ns = few->plans[1].ci_high_ns = NAN;
  few->plans[1].n_samples = 3;
  g_autoptr (SeamVerdict) unknown = seam_verdict_new (few, 0, 1);
  g_assert_cmpint (unknown->kind, ==, SEAM_VERDICT_UNCLEAR);
  g_assert_true (isnan (unknown->ratio_low));
  g_assert_nonnull (strstr (unknown->next_step, "at least 6 samples"));
}

/* ---- pairs ---- */

/* Plan B takes `ns`, and plan A `ratio` times as long with the scaled values of a series. */
static SeamResult *
make_pairs (double ns, double ratio, const double *values, int n, double scale, int n_places)
{
  SeamResult *result = make_result (ns * ratio, ns, .01);

  for (int p = 0; p < 2; p++) {
    SeamPlanResult *plan = &result->plans[p];
    plan->n_samples = n;
    plan->n_places = n_places;
    plan->samples = g_new0 (SeamSample, n);
    for (int i = 0; i < n; i++)
      plan->samples[i].elapsed_ns = p == 0 ? ns * ratio * exp (scale * values[i]) : ns;
  }
  return result;
}

static void
assert_text (SeamResult *result, SeamVerdictKind kind, const char *detail, const char *step)
{
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);

  g_assert_cmpint (verdict->kind, ==, kind);
  g_assert_cmpstr (verdict->detail, ==, detail);
  if (step == NULL)
    g_assert_null (verdict->next_step);
  else
    g_assert_cmpstr (verdict->next_step, ==, step);
}

/* Ends of intervals from series.py: 1.3 e^(0.01 (-0.1234 ± 0.8738)) = 1.287 and 1.310, doubled for
 * 10.4 effective values; 46.07 of them: 1.3 e^(0.05 (-0.0217 ± 0.1126)) = 1.291 and 1.306. */
static void
test_pairs (void)
{
  g_autofree double *few = make_series (100, .9, 0), *enough = make_series (100, .5, 0);
  g_autofree double *drift = make_series (400, .5, .004);
  g_autofree double *steps = g_new0 (double, 90);
  g_autoptr (SeamResult) doubled = make_pairs (1e6, 1.3, few, 100, .01, 16);
  g_autoptr (SeamResult) plain = make_pairs (1e6, 1.3, enough, 100, .05, 16);
  g_autoptr (SeamResult) none = NULL, near = NULL, five = NULL, drifts = NULL, unsettled = NULL;

  assert_text (doubled, SEAM_VERDICT_FASTER,
               "95 % interval 1.29× to 1.31×, 10 effective samples of 100, so doubled", NULL);
  assert_text (plain, SEAM_VERDICT_FASTER,
               "95 % interval 1.29× to 1.31×, 46 effective samples of 100", NULL);
  /* Three levels that hold for 30 samples each. */
  for (int i = 0; i < 90; i++)
    steps[i] = i / 30 % 2;
  none = make_pairs (1e6, 1.3, steps, 90, .1, 16);
  assert_text (
      none, SEAM_VERDICT_UNCLEAR, "no interval, 3 effective samples of 90",
      "needs at least 6 effective samples and has 3: give it a longer time budget, or close "
      "other programs");
  /* Nearest to 1: log 1.3 = 0.262, 6.6 times the range. Enough with five effective samples, too
   * little with three. */
  near = make_pairs (1e6, 1.3, steps, 90, .04, 16);
  assert_text (
      near, SEAM_VERDICT_UNCLEAR, "no interval, 3 effective samples of 90",
      "needs at least 6 effective samples and has 3: give it a longer time budget, or close "
      "other programs");
  for (int i = 0; i < 90; i++)
    steps[i] = i / 24 % 2;
  five = make_pairs (1e6, 1.3, steps, 90, .04, 16);
  assert_text (five, SEAM_VERDICT_FASTER, "no interval, 5 effective samples of 90", NULL);
  /* 1.3 e^(0.02 (0.7875 ± 1.5237 / 2)) = 1.3007 and 1.3409. */
  drifts = make_pairs (1e6, 1.3, drift, 400, .02, 16);
  assert_text (drifts, SEAM_VERDICT_FASTER,
               "drifts from 1.30× to 1.34× within the run, 116 effective samples of 400", NULL);
  unsettled = make_pairs (1e6, 1, drift, 400, .02, 16);
  assert_text (
      unsettled, SEAM_VERDICT_UNCLEAR,
      "drifts from 1.00× to 1.03× within the run, 116 effective samples of 400",
      "the ratio has no one value while it drifts: run again when the machine has settled");
}

/* The offset of one place: 6.56 % at 8 µs (field notes: 4 to 6.5 %), 0.086 % at 2 ms. */
static void
test_place (void)
{
  g_autofree double *same = g_new0 (double, 100);
  g_autoptr (SeamResult) one = make_pairs (8e3, 1.05, same, 100, 1, 1);
  g_autoptr (SeamResult) many = make_pairs (8e3, 1.05, same, 100, 1, 16);
  g_autoptr (SeamResult) old = make_pairs (8e3, 1.2, same, 100, 1, 0);
  g_autoptr (SeamResult) large = make_pairs (2e6, 1.02, same, 100, 1, 1);

  assert_text (
      one, SEAM_VERDICT_UNCLEAR,
      "95 % interval 0.954× to 1.16×, 100 effective samples of 100, with ±10 % for its "
      "place in memory",
      "a time this short depends by up to 10 % on where code and data lie in memory: a larger "
      "shape would settle it");
  assert_text (many, SEAM_VERDICT_FASTER,
               "95 % interval 1.05× to 1.05×, 100 effective samples of 100", NULL);
  assert_text (old, SEAM_VERDICT_FASTER,
               "95 % interval 1.09× to 1.32×, 100 effective samples of 100, with ±10 % for its "
               "place in memory",
               NULL);
  g_autoptr (SeamVerdict) small = seam_verdict_new (large, 0, 1);
  g_assert_cmpint (small->kind, ==, SEAM_VERDICT_FASTER);
  g_assert_cmpfloat_with_epsilon (small->place, .001, 1e-9);
  g_assert_cmpfloat_with_epsilon (small->ratio_low, 1.02 / 1.001, 1e-9);
}

static void
test_wrong (void)
{
  g_autoptr (SeamResult) result = make_result (2e6, 1e6, 0.002);
  set_wrong (&result->plans[1], 99);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
  g_assert_cmpint (verdict->kind, ==, SEAM_VERDICT_WRONG);
  g_assert_cmpstr (verdict->headline, ==, "B is wrong");
  g_assert_nonnull (strstr (verdict->detail, "99 elements (99.00 %)"));
  g_assert_nonnull (strstr (verdict->detail, "2.00× faster"));
  g_assert_null (strstr (verdict->detail, "on purpose"));
  g_assert_cmpfloat_with_epsilon (verdict->ratio, 2, 1e-12);

  result->plans[1].exhibit = TRUE;
  g_autoptr (SeamVerdict) exhibit = seam_verdict_new (result, 0, 1);
  g_assert_true (g_str_has_prefix (exhibit->detail, "Wrong on purpose"));

  g_autoptr (SeamVerdict) other = seam_verdict_new (result, 1, 0);
  g_assert_cmpstr (other->headline, ==, "B is wrong");

  /* A wrong plan is called wrong rather than not timed. */
  result->plans[1].median_ns = NAN;
  g_autoptr (SeamVerdict) untimed = seam_verdict_new (result, 0, 1);
  g_assert_cmpint (untimed->kind, ==, SEAM_VERDICT_WRONG);

  g_autoptr (SeamResult) right = make_result (2e6, 1e6, 0.002);
  set_wrong (&right->plans[1], 0);
  g_autoptr (SeamVerdict) faster = seam_verdict_new (right, 0, 1);
  g_assert_cmpint (faster->kind, ==, SEAM_VERDICT_FASTER);
}

static void
test_none (void)
{
  g_autoptr (SeamResult) result = make_result (2e6, 1e6, 0.002);
  result->plans[1].median_ns = NAN;
  result->plans[1].state = SEAM_PLAN_NOT_MEASURED;
  result->plans[1].message = g_strdup ("The group is too large.");
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
  g_assert_cmpint (verdict->kind, ==, SEAM_VERDICT_NONE);
  g_assert_true (isnan (verdict->ratio));
  g_assert_cmpstr (verdict->detail, ==, "B was not measured. The group is too large.");

  g_autoptr (SeamVerdict) outside = seam_verdict_new (result, 0, 2);
  g_assert_cmpint (outside->kind, ==, SEAM_VERDICT_NONE);
}

static void
test_floor (void)
{
  g_autoptr (SeamResult) result = make_result (2e6, 1e6, 0.002);
  g_autoptr (SeamVerdict) unknown = seam_verdict_new (result, 0, 1);
  g_assert_false (unknown->below_floor);
  result->floor_ns = 0.9e6;
  g_autoptr (SeamVerdict) above = seam_verdict_new (result, 0, 1);
  g_assert_false (above->below_floor);
  result->floor_ns = 1.1e6;
  g_autoptr (SeamVerdict) below = seam_verdict_new (result, 0, 1);
  g_assert_true (below->below_floor);
  g_assert_nonnull (strstr (below->detail, "floor"));
}

static gboolean
fails (double a, double b, double atol, double rtol)
{
  const SeamDifferenceSpec spec = { .atol = atol, .rtol = rtol };

  return seam_element_fails (&spec, a, b, NAN);
}

static gboolean
fails_bound (double a, double b, double bound)
{
  const SeamDifferenceSpec spec = { .atol = NAN, .rtol = NAN };

  return seam_element_fails (&spec, a, b, bound);
}

static void
test_element (void)
{
  g_assert_false (fails (1, 1, 0, 0));
  g_assert_true (fails (1.1, 1, 0.05, 0.04));
  g_assert_false (fails (1.1, 1, 0.05, 0.06));
  g_assert_true (fails (NAN, 1, 1, 1));
  g_assert_true (fails (1, NAN, 1, 1));
  g_assert_true (fails (NAN, NAN, 1, 1));
  g_assert_true (fails (INFINITY, 1, 1, 1));
  g_assert_false (fails (INFINITY, INFINITY, 0, 0));
}

/* NaN stands where the chain makes it, and nowhere else among the elements that are judged. */
static void
test_bound (void)
{
  g_assert_false (fails_bound (1, 1, 0));
  g_assert_false (fails_bound (1.5, 1, .5));
  g_assert_true (fails_bound (1.6, 1, .5));
  g_assert_true (fails_bound (NAN, 1, .5));
  g_assert_true (fails_bound (1, NAN, .5));
  g_assert_true (fails_bound (INFINITY, 1, .5));
  g_assert_false (fails_bound (NAN, NAN, NAN));
  g_assert_true (fails_bound (1, NAN, NAN));
  g_assert_false (fails_bound (NAN, INFINITY, INFINITY));
  g_assert_false (fails_bound (NAN, 3.4e38, 1e37));
  g_assert_true (fails_bound (NAN, 3.3e38, 1e36));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verdict/kinds", test_kinds);
  g_test_add_func ("/verdict/interval", test_interval);
  g_test_add_func ("/verdict/next-step", test_next_step);
  g_test_add_func ("/verdict/pairs", test_pairs);
  g_test_add_func ("/verdict/place", test_place);
  g_test_add_func ("/verdict/wrong", test_wrong);
  g_test_add_func ("/verdict/none", test_none);
  g_test_add_func ("/verdict/floor", test_floor);
  g_test_add_func ("/verdict/bound", test_bound);
  g_test_add_func ("/verdict/element", test_element);
  return g_test_run ();
}
