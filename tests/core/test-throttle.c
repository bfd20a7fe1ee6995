/* SPDX-License-Identifier: MIT
 *
 * What a device did under load, from its samples: shares of reasons, clocks, and what they allow a
 * verdict to claim. tests/cli/throttle.py has the recorded runs.
 */
#include "app/report/summary.h"

#include <math.h>
#include <string.h>

#define N       60
#define UNKNOWN 0
#define KNOWN   SEAM_THROTTLE_KNOWN

/* An H200: 1.98 GHz. */
static SeamResult *
make_result (int n_plans, int n_samples)
{
  SeamResult *result = seam_result_new (n_plans);

  result->device = seam_device_info_new ("cuda:0");
  result->device->abilities = SEAM_ABILITY_ALL;
  result->device->max_clock_mhz = 1980;
  result->against = 0;
  for (int p = 0; p < n_plans; p++) {
    SeamPlanResult *plan = &result->plans[p];
    plan->name = g_strdup_printf ("plan %d", p);
    plan->notation = g_strdup ("conv");
    plan->state = SEAM_PLAN_MEASURED;
    plan->n_samples = n_samples;
    plan->samples = g_new0 (SeamSample, n_samples);
    for (int i = 0; i < n_samples; i++)
      plan->samples[i] =
          (SeamSample){ 1e6, 1440, n_plans * i + (i % 2 == 0 ? p : n_plans - 1 - p), KNOWN | 0x4 };
  }
  return result;
}

/* ---- the sentence ---- */

/* Eight samples: the reasons of each, and the sentence of all. */
static void
test_reasons (void)
{
  static const struct {
    gint32 masks[8];
    const char *words;
  } cases[] = {
    { { UNKNOWN }, NULL },
    { { KNOWN, KNOWN, KNOWN | 0x1, UNKNOWN }, "none" },
    { { KNOWN | 4, KNOWN | 4, KNOWN | 4, KNOWN | 4, KNOWN | 4, KNOWN | 4, KNOWN | 4, KNOWN | 4 },
      "SW power cap in 100 % of samples, SM clock 1.44 GHz of 1.98" },
    /* Unknown samples do not count. */
    { { KNOWN | 4, KNOWN | 1, KNOWN | 4 },
      "SW power cap in 66.7 % of samples, SM clock 1.44 GHz of 1.98" },
    { { KNOWN | 0x24, KNOWN | 0x20, KNOWN | 0x20, KNOWN },
      "SW thermal slowdown in 75.0 %, SW power cap in 25.0 % of samples, SM clock 1.44 GHz of "
      "1.98" },
    /* The general bit comes with a specific one, or alone. */
    { { KNOWN | 0x48, KNOWN | 0x88, KNOWN | 0x88, KNOWN | 0x48, KNOWN | 0x48 },
      "HW thermal slowdown in 60.0 %, HW power brake slowdown in 40.0 % of samples, SM clock "
      "1.44 GHz of 1.98" },
    { { KNOWN | 0x8, KNOWN }, "HW slowdown in 50.0 % of samples, SM clock 1.44 GHz of 1.98" },
    /* The most frequent two of three and four. */
    { { KNOWN | 0x6, KNOWN | 0x16, KNOWN | 0x2, KNOWN | 0x2 },
      "applications clocks setting in 100 %, SW power cap in 50.0 % of samples and 1 more, SM "
      "clock 1.44 GHz of 1.98" },
    { { KNOWN | 0x104, KNOWN | 0x110, KNOWN | 0x122, KNOWN | 0x120 },
      "display clock setting in 100 %, SW thermal slowdown in 50.0 % of samples and 3 more, SM "
      "clock 1.44 GHz of 1.98" },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (SeamResult) result = make_result (2, 4);
    for (int i = 0; i < 8; i++)
      result->plans[i / 4].samples[i % 4].throttle = cases[c].masks[i];
    seam_result_summarise_load (result);
    g_assert_cmpstr (result->throttle, ==, cases[c].words);
  }
}

/* Clocks of both plans together; the median of an even number lies between two. */
static void
test_clocks (void)
{
  g_autoptr (SeamResult) result = make_result (2, 2);
  const double clocks[] = { 1605, 1335, 1500, 1410 };
  SeamUnderLoad load;

  for (int i = 0; i < 4; i++)
    result->plans[i / 2].samples[i % 2].clock_mhz = clocks[i];
  seam_under_load_count (result->plans, 2, &load);
  g_assert_cmpfloat (load.low_mhz, ==, 1335);
  g_assert_cmpfloat (load.median_mhz, ==, 1455);
  seam_under_load_count (&result->plans[1], 1, &load);
  g_assert_cmpfloat (load.median_mhz, ==, 1455);
  result->plans[0].samples[0].clock_mhz = NAN;
  result->plans[0].samples[1].clock_mhz = INFINITY;
  result->plans[1].samples[0].clock_mhz = 0;
  seam_under_load_count (result->plans, 2, &load);
  g_assert_cmpfloat (load.median_mhz, ==, 1410);
  g_assert_cmpint (load.n_slowed, ==, 4);
  result->plans[1].n_samples = 0;
  seam_result_summarise_load (result);
  g_assert_cmpstr (result->throttle, ==, "SW power cap in 100 % of samples");
}

/* All but one of 3,000 are not 100 %. */
static void
test_almost_all (void)
{
  g_autoptr (SeamResult) result = make_result (1, 3000);

  result->plans[0].samples[7].throttle = KNOWN;
  g_clear_pointer (&result->device, seam_device_info_free);
  seam_result_summarise_load (result);
  g_assert_cmpstr (result->throttle, ==, "SW power cap in 99.9 % of samples, SM clock 1.44 GHz");
}

/* A file of an older version: its samples say more than its summary, which was read after the load;
 * the clock follows from the peak in the data sheet (A100: 19.5 TFLOP/s, 108 SMs, 1.41 GHz;
 * H200: 66.9 TFLOP/s, 132 SMs, 1.98 GHz). */
static void
test_old (void)
{
  static const struct {
    const char *capability;
    int n_processors;
    double peak, field;
    const char *words;
  } cases[] = {
    { "8.0", 108, 19.49e12, NAN, "1.44 GHz of 1.41" },
    { "9.0", 132, 66.9e12, NAN, "1.44 GHz of 1.98" },
    { "9.0", 132, 66.9e12, 1785, "1.44 GHz of 1.79" },
    { "9.0", 132, 0, NAN, "1.44 GHz" },
    { NULL, 132, 66.9e12, NAN, "1.44 GHz" },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    for (int under_load = FALSE; under_load <= TRUE; under_load++) {
      g_autoptr (SeamResult) result = make_result (1, 3), back = NULL;
      g_autoptr (GVariant) variant = NULL;

      result->pipeline_id = g_strdup ("a");
      result->device->compute_capability = g_strdup (cases[c].capability);
      result->device->n_processors = cases[c].n_processors;
      result->device->peak_flop_fp32 = cases[c].peak;
      result->device->max_clock_mhz = cases[c].field;
      result->throttle = g_strdup ("none");
      result->under_load = under_load;
      result->power_w = 137;
      result->temperature_c = 38;
      variant = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
      back = seam_result_from_variant (variant, NULL);
      g_assert_nonnull (back);
      g_assert_true (g_str_has_suffix (back->throttle, cases[c].words));
      g_assert_true (
          g_str_has_prefix (back->throttle, "SW power cap in 100 % of samples, SM clock "));
      g_assert_true (under_load ? back->power_w == 137 : isnan (back->power_w));
      g_assert_true (under_load ? back->temperature_c == 38 : isnan (back->temperature_c));
    }
}

/* ---- verdicts ---- */

/* A takes `ratio` times as long as B and B's clock is `clock` times A's. */
static SeamResult *
make_pair (double ratio, double clock)
{
  SeamResult *result = make_result (2, N);

  for (int p = 0; p < 2; p++) {
    SeamPlanResult *plan = &result->plans[p];
    plan->median_ns = p == 0 ? ratio * 1e6 : 1e6;
    plan->ci_low_ns = plan->median_ns * .9998;
    plan->ci_high_ns = plan->median_ns * 1.0002;
    for (int i = 0; i < N; i++) {
      plan->samples[i].elapsed_ns = plan->median_ns * (1 + 1e-4 * ((i * 7 + p) % 11 - 5));
      plan->samples[i].clock_mhz = p == 0 ? 1500 : 1500 * clock;
    }
  }
  seam_result_summarise_load (result);
  return result;
}

static void
test_verdict (void)
{
  static const struct {
    double ratio, clock;
    SeamVerdictKind kind;
    const char *step; /* NULL: none */
  } cases[] = {
    /* Clocks that are alike, or unknown, take nothing away. */
    { 1.03, 1, SEAM_VERDICT_FASTER, NULL },
    { 1.03, 1.009, SEAM_VERDICT_FASTER, NULL },
    { 1.03, NAN, SEAM_VERDICT_FASTER, NULL },
    { 1 / 1.03, .995, SEAM_VERDICT_SLOWER, NULL },
    /* Times that differ by less than the clocks, in each direction of both. */
    { 1.03, 1.04, SEAM_VERDICT_UNCLEAR, "B’s clock was 4.0 % higher than A’s" },
    { 1.03, .96, SEAM_VERDICT_UNCLEAR, "B’s clock was 4.0 % lower than A’s" },
    { 1 / 1.03, .96, SEAM_VERDICT_UNCLEAR, "B’s clock was 4.0 % lower than A’s" },
    { 1 / 1.03, 1.04, SEAM_VERDICT_UNCLEAR, "B’s clock was 4.0 % higher than A’s" },
    /* Times that differ by more: 1 / 0.96 is 1.042. */
    { 1.06, 1.04, SEAM_VERDICT_FASTER, NULL },
    { 1.06, .96, SEAM_VERDICT_FASTER, NULL },
    { 1.0415, .96, SEAM_VERDICT_UNCLEAR, "B’s clock was 4.0 % lower than A’s" },
    { 1 / 1.06, .96, SEAM_VERDICT_SLOWER, NULL },
    { 14, .7, SEAM_VERDICT_FASTER, NULL },
    /* “Same” is said of times, whatever the clocks. */
    { 1, .9, SEAM_VERDICT_SAME, NULL },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (SeamResult) result = make_pair (cases[c].ratio, cases[c].clock);
    g_autoptr (SeamVerdict) pair = seam_verdict_new (result, 0, 1);
    g_autoptr (SeamVerdict) runs = seam_verdict_new_of_two_runs (result, 0, result, 1);
    const SeamVerdict *verdicts[] = { pair, runs };

    for (int v = 0; v < 2; v++) {
      g_test_message ("times %g, clocks %g: %s", cases[c].ratio, cases[c].clock,
                      verdicts[v]->headline);
      g_assert_cmpint (verdicts[v]->kind, ==, cases[c].kind);
      g_assert_true ((verdicts[v]->next_step != NULL) == (cases[c].step != NULL));
      if (cases[c].step == NULL)
        continue;
      g_assert_cmpstr (verdicts[v]->headline, ==, "Unclear");
      g_assert_true (g_str_has_prefix (verdicts[v]->next_step, cases[c].step));
    }
  }
}

/* Clocks of two models are no reason; those of two chips of one model are. */
static void
test_models (void)
{
  for (int i = 0; i < 2; i++) {
    g_autoptr (SeamResult) a = make_pair (1.03, .96), b = make_pair (1.03, .96);
    a->device->name = g_strdup ("NVIDIA H200");
    b->device->name = g_strdup (i == 0 ? "NVIDIA H200" : "NVIDIA H100");
    g_autoptr (SeamVerdict) verdict = seam_verdict_new_of_two_runs (a, 0, b, 1);
    g_assert_cmpint (verdict->kind, ==, i == 0 ? SEAM_VERDICT_UNCLEAR : SEAM_VERDICT_FASTER);
  }
}

/* The interval decides, not its middle, and its cause is named: the times reach under the clocks.
 */
static void
test_wide (void)
{
  g_autoptr (SeamResult) result = make_pair (1.20, 1.19);
  g_autoptr (SeamVerdict) narrow = seam_verdict_new (result, 0, 1);

  for (int i = 0; i < N; i++)
    result->plans[0].samples[i].elapsed_ns *= 1 + .012 * ((i * 7) % 11 - 5);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, 1);
  g_assert_cmpint (narrow->kind, ==, SEAM_VERDICT_FASTER);
  g_assert_cmpint (verdict->kind, ==, SEAM_VERDICT_UNCLEAR);
  g_assert_cmpfloat (verdict->ratio_low, >, 1.1);
  g_assert_cmpfloat (verdict->ratio_low, <, 1.19);
  g_assert_nonnull (strstr (verdict->next_step, "B’s clock was 19.0 % higher than A’s"));
}

/* ---- words ---- */

static void
test_words (void)
{
  static const struct {
    double clock;
    const char *words;
  } cases[] = {
    { 1, "A and B ran alike, so the ratio stands; the times are those of a capped GPU." },
    { .96, "B’s clock was 4.0 % lower than A’s: faster is claimed only beyond that." },
    { 1.023, "B’s clock was 2.3 % higher than A’s: faster is claimed only beyond that." },
    { NAN, "The times are those of a capped GPU." },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (SeamResult) result = make_pair (2, cases[c].clock);
    g_autofree char *words = g_strconcat ("Lowest 1.34, 698 W, 63 °C. ", cases[c].words, NULL);
    SeamSummarySides sides;

    result->plans[0].samples[3].clock_mhz = 1340;
    seam_result_summarise_load (result);
    result->power_w = 698.4;
    result->temperature_c = 63;
    seam_summary_sides_init (&sides, result, 0, 1);
    g_autoptr (SeamSummary) summary = seam_summary_new (&sides);
    g_autofree char *notes = seam_summary_format_notes (&sides);
    g_assert_cmpstr (summary->throttle, ==, result->throttle);
    g_assert_cmpstr (summary->load, ==, words);
    /* It has a place of its own beside these. */
    g_assert_null (strstr (notes, "capped"));
  }
}

/* What an older file lacks is left out of the sentence, in every combination. */
static void
test_unknown (void)
{
  static const char *const words[] = {
    "",        "Lowest 1.50. ",        "698 W. ",        "Lowest 1.50, 698 W. ",
    "63 °C. ", "Lowest 1.50, 63 °C. ", "698 W, 63 °C. ", "Lowest 1.50, 698 W, 63 °C. ",
  };

  for (int mask = 0; mask < (int)G_N_ELEMENTS (words); mask++) {
    g_autoptr (SeamResult) result = make_pair (2, 1);
    g_autofree char *expected = NULL;
    SeamSummarySides sides;

    for (int i = 0; (mask & 1) == 0 && i < 2 * N; i++)
      result->plans[i / N].samples[i % N].clock_mhz = NAN;
    result->under_load = TRUE;
    result->power_w = (mask & 2) != 0 ? 698.4 : NAN;
    result->temperature_c = (mask & 4) != 0 ? 63 : NAN;
    expected = g_strconcat (words[mask],
                            (mask & 1) == 0 ? "The clock is not known."
                                            : "A and B ran alike, so the ratio stands; the times "
                                              "are those of a capped GPU.",
                            NULL);
    seam_result_summarise_load (result);
    seam_summary_sides_init (&sides, result, 0, 1);
    g_autoptr (SeamSummary) summary = seam_summary_new (&sides);
    g_assert_cmpstr (summary->load, ==, expected);
  }
}

/* Only a clock under the highest makes a capped GPU, whatever the reasons say. */
static void
test_highest (void)
{
  static const struct {
    double clock, highest;
    const char *words;
  } cases[] = {
    { 1980, 1980, "the median clock was within 1 % of the highest." },
    { 1965, 1980, "the median clock was within 1 % of the highest." },
    { 1950, 1980, "the times are those of a capped GPU." },
    { 1980, NAN, "the clock is not known." },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (SeamResult) result = make_result (2, N);
    for (int i = 0; i < 2 * N; i++)
      result->plans[i / N].samples[i % N].clock_mhz = cases[c].clock;
    result->device->max_clock_mhz = cases[c].highest;
    seam_result_summarise_load (result);
    g_autofree char *words = seam_clocks_describe (result, 0, 1);
    g_autofree char *expected =
        g_strconcat ("A and B ran alike, so the ratio stands; ", cases[c].words, NULL);
    g_assert_cmpstr (words, ==, expected);
  }
}

/* Of more plans the one with the clock farthest from the first counts. */
static void
test_all_plans (void)
{
  g_autoptr (SeamResult) result = make_result (4, N);
  g_autofree char *alike = seam_clocks_describe (result, 0, -1);
  g_autofree char *alone = seam_clocks_describe (result, 1, 1);

  g_assert_cmpstr (
      alike, ==, "All plans ran alike, so the ratios stand; the times are those of a capped GPU.");
  g_assert_cmpstr (alone, ==, "The times are those of a capped GPU.");
  for (int i = 0; i < N; i++) {
    result->plans[1].samples[i].clock_mhz = 1440 * 1.02;
    result->plans[3].samples[i].clock_mhz = 1440 * .95;
  }
  seam_result_summarise_load (result);
  g_autoptr (GArray) notes = seam_summary_list_notes (result, NULL, 0);
  g_assert_cmpstr (g_array_index (notes, SeamSummaryNote, 0).sentence, ==,
                   "SW power cap in 100 % of samples, SM clock 1.44 GHz of 1.98. Lowest 1.37. "
                   "The plans’ clocks differ by up to 5.0 %: faster is claimed only beyond that.");
}

/* Nothing is said of a device that ran free, nor of a CPU; of a GPU that nobody asked, that. */
static void
test_silent (void)
{
  for (int i = 0; i < 3; i++) {
    g_autoptr (SeamResult) result = make_result (1, 8);
    SeamSummarySides sides;

    for (int k = 0; k < 8; k++)
      result->plans[0].samples[k].throttle = i == 0 ? KNOWN | 0x1 : UNKNOWN;
    if (i == 1) {
      g_clear_pointer (&result->device, seam_device_info_free);
      result->device = seam_device_info_new ("cpu");
    }
    seam_result_summarise_load (result);
    seam_summary_sides_init (&sides, result, 0, -1);
    g_autoptr (SeamSummary) summary = seam_summary_new (&sides);
    g_assert_cmpstr (summary->throttle, ==, i < 2 ? NULL : "Throttling of this run is not known.");
    g_assert_null (summary->load);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/throttle/reasons", test_reasons);
  g_test_add_func ("/throttle/clocks", test_clocks);
  g_test_add_func ("/throttle/almost-all", test_almost_all);
  g_test_add_func ("/throttle/old", test_old);
  g_test_add_func ("/throttle/verdict", test_verdict);
  g_test_add_func ("/throttle/models", test_models);
  g_test_add_func ("/throttle/wide", test_wide);
  g_test_add_func ("/throttle/words", test_words);
  g_test_add_func ("/throttle/unknown", test_unknown);
  g_test_add_func ("/throttle/highest", test_highest);
  g_test_add_func ("/throttle/all-plans", test_all_plans);
  g_test_add_func ("/throttle/silent", test_silent);
  return g_test_run ();
}
