/* SPDX-License-Identifier: MIT
 *
 * The summary of a finished run: with two plans, three, one, a wrong one, and times that cannot be
 * right.
 */
#include "figure-fixture.h"

#include "app/report/summary.h"

static SeamSummary *
summarize (const SeamResult *result, int a, int b)
{
  SeamSummarySides sides;

  seam_summary_sides_init (&sides, result, a, b);
  return seam_summary_new (&sides);
}

static const SeamSummaryFact *
find_fact (const SeamSummary *summary, SeamFactKind kind)
{
  for (int i = 0; i < summary->n_facts; i++)
    if (summary->facts[i].kind == kind)
      return &summary->facts[i];
  return NULL;
}

static void
test_pair (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamSummary) summary = summarize (result, 0, 1);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
  const SeamSummaryFact *traffic = find_fact (summary, SEAM_FACT_TRAFFIC);
  const SeamSummaryFact *outputs = find_fact (summary, SEAM_FACT_OUTPUTS);

  g_assert_cmpstr (summary->headline, ==, verdict->headline);
  g_assert_cmpstr (summary->compared, ==, "B published against A unfused");
  g_assert_true (g_str_has_prefix (summary->detail, "95 % interval "));
  g_assert_cmpstr (summary->medians, ==, "4.73 → 2.55 ms");
  g_assert_null (summary->struck);
  g_assert_null (summary->others);
  g_assert_cmpint (summary->tone, ==, SEAM_TONE_PLAIN);
  g_assert_cmpstr (traffic->value, ==, "12.95 → 4.50 GB");
  g_assert_true (g_str_has_prefix (outputs->value, "max |A−B| "));
  g_assert_cmpstr (outputs->caption, ==, "Outputs agree ✓");
  g_assert_nonnull (strstr (summary->times, "Traced pass: span "));
}

/* A wrong plan has no ratio in its headline, only a struck-through one, in the words of a
 * verdict. */
static void
test_wrong (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (SeamSummary) summary = NULL, alone = NULL, swapped = NULL;
  g_autoptr (GArray) notes = NULL;
  g_autofree char *ratio =
      seam_verdict_describe_ratio (result->plans[0].median_ns / result->plans[1].median_ns);

  result->plans[1].difference->n_failing = result->plans[1].difference->n_looked;
  summary = summarize (result, 0, 1);
  alone = summarize (result, 1, -1);
  swapped = summarize (result, 1, 0);
  g_assert_true (g_str_has_prefix (find_fact (swapped, SEAM_FACT_OUTPUTS)->value, "max |A−B| "));
  g_assert_true (g_str_has_prefix (find_fact (alone, SEAM_FACT_OUTPUTS)->value, "max |A−B| "));
  /* In the window a plan that is not shown has no letter. */
  SeamSummarySides shown = { .result = result,
                             .n_plans = 1,
                             .plans = { 1 },
                             .letters = "A",
                             .in_window = TRUE,
                             .compared = -1 };
  g_autoptr (SeamSummary) window = seam_summary_new (&shown);
  g_assert_true (
      g_str_has_prefix (find_fact (window, SEAM_FACT_OUTPUTS)->value, "max |unfused−A| "));
  g_assert_cmpstr (find_fact (swapped, SEAM_FACT_OUTPUTS)->caption, ==, "Outputs differ ✕");
  g_assert_cmpstr (summary->headline, ==, "B is wrong");
  g_assert_cmpint (summary->tone, ==, SEAM_TONE_BAD);
  g_assert_cmpstr (summary->struck, ==, ratio);
  g_assert_cmpstr (find_fact (summary, SEAM_FACT_OUTPUTS)->caption, ==, "Outputs differ ✕");
  g_assert_cmpint (alone->tone, ==, SEAM_TONE_BAD);
  g_assert_nonnull (strstr (alone->detail, "Outputs differ in all"));
  notes = seam_summary_list_notes (result, NULL, 0);
  g_assert_true (g_str_has_prefix (g_array_index (notes, SeamSummaryNote, 0).sentence,
                                   "Outputs differ in all elements. "));
}

/* The number of a plan without one is left out; the letter says whose the other is. */
static void
test_unknown_times (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");

  for (int n_known = 1; n_known >= 0; n_known--) {
    SeamPlanResult *plan = &result->plans[n_known];

    plan->median_ns = plan->span_median_ns = plan->kernels_sum_median_ns = NAN;
    g_autoptr (SeamSummary) summary = summarize (result, 0, 1);
    g_assert_null (strstr (summary->times, SEAM_DASH));
    g_assert_cmpint (g_str_has_suffix (summary->times, ": not measured."), ==, n_known == 0);
    for (const char *const *at = (const char *const[]){ ": A ", "span A ", "gaps A ", NULL };
         *at != NULL; at++)
      g_assert_cmpint (strstr (summary->times, *at) != NULL, ==, n_known == 1);
  }
}

/* Each impossible number is named once, with a mark that is not only a colour. */
static void
test_impossible (void)
{
  for (int second = -1; second < 2; second += 2) {
    g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
    g_autoptr (SeamSummary) under = NULL, over = NULL;
    g_autoptr (GArray) notes = NULL;

    result->floor_ns = 1.5 * result->plans[0].median_ns;
    under = summarize (result, 0, second);
    g_assert_true (g_str_has_prefix (under->headline, "⚠ "));
    g_assert_nonnull (strstr (under->detail, SEAM_VERDICT_UNDER_FLOOR));
    result->floor_ns = NAN;
    g_assert_null (find_fact (over = summarize (result, 0, second), SEAM_FACT_FLOOR));
    g_assert_false (g_str_has_prefix (over->headline, "⚠ "));
    g_clear_pointer (&over, seam_owner_free);
    result->plans[0].kernels[0].sm_percent = 130;
    over = summarize (result, 0, second);
    g_assert_true (g_str_has_prefix (over->headline, "⚠ "));
    g_assert_nonnull (strstr (over->detail, "over a peak of the device"));
    notes = seam_summary_list_notes (result, NULL, 0);
    g_assert_cmpint (g_array_index (notes, SeamSummaryNote, 0).plan, ==, 0);
    g_assert_nonnull (strstr (g_array_index (notes, SeamSummaryNote, 0).sentence, "130 %"));
  }
}

/* The plans that a headline does not cover, and the words for each. */
static void
test_others (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  SeamSummarySides sides = {
    .result = result, .n_plans = 3, .plans = { 0, 1, 1 }, .letters = "ABC", .compared = 2
  };
  g_autoptr (SeamSummary) summary = NULL;
  g_autofree char *notes = NULL;

  g_free (result->plans[1].message);
  result->plans[1].message = g_strdup ("It ran late.");
  result->stopped = TRUE;
  summary = seam_summary_new (&sides);
  notes = seam_summary_format_notes (&sides);
  g_assert_true (g_str_has_prefix (summary->others, "B published: "));
  g_assert_cmpstr (summary->compared, ==, "C published against A unfused");
  g_assert_nonnull (strstr (summary->detail, "stopped early"));
  g_assert_nonnull (strstr (notes, "Plan B: It ran late."));
  g_assert_nonnull (strstr (notes, "Stopped early; the samples taken until then are kept."));

  /* Stopped before anything was timed: nobody speaks of samples. */
  for (int i = 0; i < result->n_plans; i++)
    result->plans[i].n_samples = 0;
  seam_owner_free (summary);
  g_free (notes);
  summary = seam_summary_new (&sides);
  notes = seam_summary_format_notes (&sides);
  g_assert_null (strstr (summary->detail, "topped early"));
  g_assert_null (strstr (notes, "samples taken"));
  g_assert_nonnull (strstr (notes, "Stopped before the first sample; the outputs are kept."));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/summary/pair", test_pair);
  g_test_add_func ("/summary/wrong", test_wrong);
  g_test_add_func ("/summary/unknown-times", test_unknown_times);
  g_test_add_func ("/summary/impossible", test_impossible);
  g_test_add_func ("/summary/others", test_others);
  return g_test_run ();
}
