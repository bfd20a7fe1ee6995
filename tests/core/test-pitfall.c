/* SPDX-License-Identifier: MIT
 *
 * Pitfalls made on purpose: they take effect, they are refused if the pipeline leaves nothing to be
 * wrong about, and every product of a result with a pitfall says so.
 */
#include "figure-fixture.h"

#include "app/compare/compare.h"
#include "app/report/groups-table.h"
#include "app/report/ledger-table.h"
#include "app/report/roofline-points.h"
#include "app/report/waterfall-csv.h"
#include "app/explain/roofline.h"
#include "app/report/sheets.h"
#include "app/runner/run-private.h"
#include "app/session/session.h"
#include "app/report/kernels-table.h"
#include "app/report/plans.h"
#include "app/report/worst.h"

#include <math.h>
#include <string.h>

#define ALL ((1u << SEAM_N_PITFALLS) - 1)

static void
test_names (void)
{
  g_autoptr (GError) error = NULL;
  guint pitfalls = 0;

  for (guint set = 0; set <= ALL; set++) {
    g_autofree char *names = seam_pitfalls_format (set);

    g_assert_true ((names == NULL) == (set == 0));
    if (names != NULL) {
      g_assert_true (seam_pitfalls_parse (names, &pitfalls, &error));
      g_assert_cmpuint (pitfalls, ==, set);
    }
  }
  g_assert_true (seam_pitfalls_parse (" zeros, warm-l2 ", &pitfalls, &error));
  g_assert_cmpuint (pitfalls, ==, SEAM_PITFALL_ZEROS | SEAM_PITFALL_WARM_L2);
  g_assert_false (seam_pitfalls_parse ("zeros,ones", &pitfalls, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "“ones”"));
  g_assert_nonnull (strstr (error->message, "no-warm-up"));

  /* The mark of a newer version's pitfall is kept. */
  g_autofree char *words = seam_pitfalls_describe ("zeros,tiny-clock");
  g_assert_cmpstr (words, ==, "zeros as input, tiny-clock");
  g_assert_null (seam_pitfalls_describe (NULL));
  g_assert_null (seam_pitfalls_warn (NULL));
}

static SeamResult *
make_result (const char *pitfalls)
{
  SeamResult *result = fixture_result ("conv-relu-hardswish", "tiny", "published");

  result->pitfalls = g_strdup (pitfalls);
  /* The counts in the fixture are those of a larger shape. */
  g_clear_pointer (&result->plans[1].difference->histogram, g_free);
  result->plans[1].difference->n_worst = 0;
  result->plans[1].samples[3].throttle = SEAM_THROTTLE_KNOWN | 0x4;
  result->plans[1].samples[4].throttle = SEAM_THROTTLE_KNOWN;
  return result;
}

static void
check_same (const SeamResult *back)
{
  const SeamSample *samples = back->plans[1].samples;

  g_assert_cmpstr (back->pitfalls, ==, "zeros,warm-l2");
  g_assert_true (seam_throttle_is_slowed (samples[3].throttle));
  g_assert_cmpint (samples[4].throttle, ==, SEAM_THROTTLE_KNOWN);
  g_assert_cmpint (samples[5].throttle, ==, 0);
  g_assert_cmpint (back->plans[0].samples[3].throttle, ==, 0);
}

static void
test_round_trips (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = make_result ("zeros,warm-l2");
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
  g_autoptr (SeamResult) back = seam_result_from_variant (variant, &error);
  g_autofree char *json = seam_record_to_json (&seam_result_type, result);
  g_autoptr (SeamSession) session = seam_session_new ();
  g_autoptr (SeamSessionRun) run = seam_session_run_new (result, NULL);
  g_autoptr (SeamSession) loaded = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  check_same (back);
  g_assert_nonnull (strstr (json, "\"pitfalls\" : \"zeros,warm-l2\""));
  seam_session_add_run (session, run);
  bytes = seam_session_to_bytes (session, &error);
  g_assert_no_error (error);
  loaded = seam_session_from_bytes (bytes, "x", &error);
  g_assert_no_error (error);
  g_autoptr (SeamSessionRun) again = seam_session_get_run (loaded, 0, &error);
  g_assert_no_error (error);
  check_same (again->result);
  g_assert_cmpstr (seam_session_get_heading (loaded, 0)->pitfalls, ==, "zeros,warm-l2");
}

/* Every row of every table has the mark, and every header the name of its column. */
static void
check_table (char *table)
{
  g_autofree char *csv = table;
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  guint n = g_strv_length (lines) - 1;

  g_assert_cmpuint (n, >, 1);
  g_auto (GStrv) names = g_strsplit (lines[0], ",", -1);
  g_assert_true (g_strv_contains ((const char *const *)names, "pitfalls"));
  for (guint i = 1; i < n; i++)
    g_assert_nonnull (strstr (lines[i], ",\"zeros,warm-l2\""));
}

static void
test_tables (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = make_result ("zeros,warm-l2");
  SeamDifference *difference = result->plans[1].difference;

  difference->n_worst = 1;
  difference->worst[0] = (SeamWorstElement){ 0, 3, 1 };
  difference->histogram = g_new0 (gint64, SEAM_HISTOGRAM_BINS);
  difference->histogram[8] = 5;
  check_table (seam_result_to_csv (result));
  check_table (seam_result_kernels_to_csv (result));
  check_table (seam_result_samples_to_csv (result));
  check_table (seam_result_worst_to_csv (result, -1, -1, NULL));
  check_table (seam_result_histogram_to_csv (result, -1, -1, NULL));
  check_table (seam_difference_to_csv (difference, result->pitfalls));
  check_table (seam_ledger_to_csv (result, &error));
  check_table (seam_traffic_to_csv (result, &error));
  check_table (seam_waterfall_to_csv (result, 0, 1, &error));
  check_table (seam_roofline_to_csv (result, &error));
  g_assert_no_error (error);

  g_autofree char *samples = seam_result_samples_to_csv (result);
  g_assert_nonnull (strstr (samples, ",SW power cap,\"zeros,warm-l2\""));
  g_assert_nonnull (strstr (samples, ",none,\"zeros,warm-l2\""));
}

/* The mark takes room on every sheet and comes first in the line at the foot. */
static void
test_figures (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) clean = make_result (NULL);
  g_autoptr (SeamResult) marked = make_result ("zeros,warm-l2");
  g_autofree char *provenance = seam_result_get_provenance (marked);
  SeamFigure *(*const pages[]) (SeamResult *, int, int, double, GError **) = {
    seam_timing_sheet_new,   seam_traffic_sheet_new, seam_roofline_sheet_new,
    seam_timeline_sheet_new, seam_samples_sheet_new,
  };

  g_assert_true (
      g_str_has_prefix (provenance, "With pitfall, wrong on purpose: zeros as input, warm L2 · "));
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_autoptr (SeamFigure) without = pages[i](clean, 0, 1, 1200, &error);
    g_autoptr (SeamFigure) with = pages[i](marked, 0, 1, 1200, &error);

    g_assert_no_error (error);
    g_assert_cmpfloat (with->height, >, without->height + 10);
  }
  g_autoptr (SeamFigure) without =
      seam_difference_sheet_new (clean, 1, 0, clean->plans[1].difference, NULL, NULL, 1200, &error);
  g_autoptr (SeamFigure) with = seam_difference_sheet_new (
      marked, 1, 0, marked->plans[1].difference, NULL, NULL, 1200, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (with->height, >, without->height + 10);
}

static void
test_verdict (void)
{
  g_autoptr (SeamResult) clean = make_result (NULL);
  g_autoptr (SeamResult) marked = make_result ("host-timer");
  g_autoptr (SeamVerdict) honest = seam_verdict_new (clean, 0, 1);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (marked, 0, 1);
  g_autoptr (SeamVerdict) wrong = NULL;
  g_autofree char *headline = g_strconcat (honest->headline, ", with pitfall", NULL);

  g_assert_cmpint (honest->kind, !=, SEAM_VERDICT_PITFALL);
  g_assert_cmpint (verdict->kind, ==, SEAM_VERDICT_PITFALL);
  g_assert_cmpstr (seam_verdict_get_word (verdict->kind), ==, "with pitfall");
  g_assert_cmpstr (verdict->headline, ==, headline);
  g_assert_true (g_str_has_prefix (verdict->detail, "Measured wrong on purpose: host timer. "));
  g_assert_cmpfloat (verdict->ratio, ==, honest->ratio);
  /* The headline names wrong outputs first, but does not hide the pitfall. */
  marked->plans[1].difference->n_failing = 3;
  wrong = seam_verdict_new (marked, 0, 1);
  g_assert_cmpint (wrong->kind, ==, SEAM_VERDICT_WRONG);
  g_assert_cmpstr (wrong->headline, ==, "B is wrong, with pitfall");
}

static SeamRunRequest *
make_request (guint pitfalls)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-hardswish", &error);
  g_assert_no_error (error);
  SeamRunRequest *request = seam_run_request_new (pipeline);
  const SeamPreset *tiny = seam_pipeline_get_preset (pipeline, "tiny", &error);

  g_assert_no_error (error);
  memcpy (request->values, tiny->values, sizeof request->values);
  request->target = g_strdup ("cpu");
  request->settings.budget_s = 0.2;
  request->pitfalls = pitfalls;
  return request;
}

static SeamResult *
run (SeamRunner *runner, guint pitfalls)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = make_request (pitfalls);
  SeamResult *result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static void
test_request (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = make_request (SEAM_PITFALL_ZEROS | SEAM_PITFALL_HOST_TIMER);
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_autoptr (SeamRunRequest) back = seam_run_request_from_variant (variant, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (back->pitfalls, ==, SEAM_PITFALL_ZEROS | SEAM_PITFALL_HOST_TIMER);
}

static void
check_refused (SeamRunRequest *request, guint pitfalls, SeamError code, const char *says)
{
  g_autoptr (SeamRunRequest) owned = request;
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (GError) error = NULL;

  owned->pitfalls = pitfalls;
  g_assert_null (seam_runner_run (runner, owned, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, SEAM_ERROR, (int)code);
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_refused (void)
{
  SeamRunRequest *warm = make_request (0), *also_warm = make_request (0), *tf32 = make_request (0);
  SeamRunRequest *bf16 = make_request (0);

  check_refused (make_request (0), SEAM_PITFALL_HIDDEN_TF32, SEAM_ERROR_UNSUPPORTED,
                 "The CPU has no TF32");
  tf32->settings.math_mode = SEAM_MATH_TF32;
  check_refused (tf32, SEAM_PITFALL_HIDDEN_TF32, SEAM_ERROR_INPUT, "TF32 is allowed");
  bf16->settings.math_mode = SEAM_MATH_BF16;
  check_refused (bf16, SEAM_PITFALL_HIDDEN_TF32, SEAM_ERROR_INPUT, "rounds to 16 bits");
  warm->settings.cold = also_warm->settings.cold = FALSE;
  check_refused (warm, SEAM_PITFALL_WARM_L2, SEAM_ERROR_INPUT, "left warm in this run anyway");
  check_refused (also_warm, SEAM_PITFALL_FLUSH_INSIDE, SEAM_ERROR_INPUT, "Nothing is flushed");
  check_refused (make_request (0), SEAM_PITFALL_WARM_L2 | SEAM_PITFALL_FLUSH_INSIDE,
                 SEAM_ERROR_INPUT, "choose one of the two");
}

/* hardswish (relu (conv (0) + bias)) is the same in every pixel of a channel. */
static void
test_zeros (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  SeamSlice wanted = { .n_rows = 4, .n_columns = 4 };

  for (int zeros = 0; zeros < 2; zeros++) {
    g_autoptr (SeamResult) result = run (runner, zeros ? SEAM_PITFALL_ZEROS : 0);
    gboolean constant = TRUE;

    for (int channel = 0; channel < 8; channel++) {
      wanted.channel = channel;
      g_autoptr (SeamSlice) slice = seam_runner_slice (runner, 1, 0, &wanted, &error);
      g_assert_no_error (error);
      for (int i = 1; i < 16; i++)
        constant = constant && slice->a[i] == slice->a[0];
    }
    g_assert_true (constant == (zeros == 1));
    g_assert_cmpint (result->settings.distribution, ==,
                     zeros ? SEAM_DISTRIBUTION_ZEROS : SEAM_DISTRIBUTION_UNIFORM);
    g_assert_cmpstr (result->pitfalls, ==, zeros ? "zeros" : NULL);
    g_assert_true (seam_runner_save_output (runner, 0, "/dev/null", &error) == (zeros == 0));
    if (zeros)
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  }
}

/* On a busy machine most samples of parallel code wait for a processor. */
static double
get_fastest_ns (const SeamPlanResult *plan)
{
  double fastest = INFINITY;

  for (int i = 0; i < plan->n_samples; i++)
    fastest = MIN (fastest, plan->samples[i].elapsed_ns);
  return fastest;
}

/* Each pitfall that the CPU can make leaves its mark, also in the message that older versions
 * show. */
static void
test_runs (void)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamResult) honest = run (runner, 0);

  g_assert_null (honest->pitfalls);
  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    SeamPitfall pitfall = SEAM_PITFALL_AT (i);
    g_autoptr (SeamResult) result = NULL;

    if (pitfall == SEAM_PITFALL_HIDDEN_TF32)
      continue;
    result = run (runner, pitfall);
    g_assert_cmpstr (result->pitfalls, ==, seam_pitfall_get_name (pitfall));
    g_assert_true (result->settings.cold == (pitfall != SEAM_PITFALL_WARM_L2));
    for (int p = 0; p < 2; p++) {
      g_assert_nonnull (strstr (result->plans[p].message, "With pitfall, wrong on purpose"));
      g_assert_cmpint (result->plans[p].n_samples, >, 0);
      g_assert_cmpint (result->plans[p].state, ==, SEAM_PLAN_MEASURED);
    }
    g_assert_cmpint (result->plans[1].difference->n_failing, ==, 0);
    if (pitfall == SEAM_PITFALL_NO_WARM_UP) {
      g_assert_cmpint (result->plans[0].n_samples, <=, SEAM_MEASURE_FIRST_ROUNDS);
      for (int j = 0; j < result->plans[0].n_samples; j++)
        g_assert_cmpint (result->plans[0].samples[j].order, ==, 2 * j);
    }
    /* At this size flushing takes much longer than computing. */
    if (pitfall == SEAM_PITFALL_FLUSH_INSIDE)
      g_assert_cmpfloat (get_fastest_ns (&result->plans[1]), >,
                         2 * get_fastest_ns (&honest->plans[1]));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pitfall/names", test_names);
  g_test_add_func ("/pitfall/round-trips", test_round_trips);
  g_test_add_func ("/pitfall/tables", test_tables);
  g_test_add_func ("/pitfall/figures", test_figures);
  g_test_add_func ("/pitfall/verdict", test_verdict);
  g_test_add_func ("/pitfall/request", test_request);
  g_test_add_func ("/pitfall/refused", test_refused);
  g_test_add_func ("/pitfall/zeros", test_zeros);
  g_test_add_func ("/pitfall/runs", test_runs);
  return g_test_run ();
}
