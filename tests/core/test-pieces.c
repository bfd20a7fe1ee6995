/* SPDX-License-Identifier: MIT
 *
 * The pieces of an elapsed time: of every shipped sample they add up to the elapsed median and to
 * 100 %, unscaled; reasons need evidence. The numbers of the reasons are those of mock-up 16,
 * worked out by hand beside each case.
 */
#include "tests/core/figure-fixture.h"

#include "app/explain/pieces.h"
#include "app/figure/bars-layout.h"
#include "app/report/kernels-table.h"
#include "app/session/session.h"

/* The plan's rows in the table. */
static void
check_table (const SeamTable *table, const SeamResult *result, int index, const SeamPieces *pieces)
{
  const SeamPlanResult *plan = &result->plans[index];
  const int median = seam_table_get_column_index (table, "median");
  const int share = seam_table_get_column_index (table, "share");
  double sum_ns = 0, shares = 0, rest = NAN, gaps = 0;
  int n = 0;

  for (int i = 0; i < seam_table_get_n_rows (table); i++) {
    const SeamTableRow *row = seam_table_get_row (table, i);

    if (row->plan != index)
      continue;
    sum_ns += row->cells[median].value;
    shares += row->cells[share].value;
    if (row->index < plan->n_kernels) {
      g_assert_cmpfloat (row->cells[median].value, ==, plan->kernels[row->index].median_ns);
      n++;
    } else if (row->index == SEAM_ROW_GAPS) {
      gaps = row->cells[median].value;
    } else {
      g_assert_cmpint (row->index, ==, plan->n_kernels);
      rest = row->cells[median].value;
    }
  }
  g_assert_cmpint (n, ==, plan->n_kernels);
  g_assert_cmpfloat_with_epsilon (sum_ns, plan->median_ns, 1e-9 * plan->median_ns);
  g_assert_cmpfloat_with_epsilon (shares, 1, 1e-9);
  g_assert_cmpfloat (rest, ==, pieces->rest_ns);
  g_assert_cmpfloat_with_epsilon (gaps, pieces->gaps_ns, 1e-6);
}

/* The figure's segments are as long as the table's medians, at the figure's scale, and rest or past
 * piece lie between the end of the trace and the mark. */
static void
check_bar (const SeamResult *result, int index, const SeamPieces *pieces)
{
  const SeamPlanResult *plan = &result->plans[index];
  const SeamBarsOptions options = { .width = 1200 };
  SeamBarsLayout *layout = seam_bars_layout_new (result, &index, 1, &options);
  const SeamBarRow *row = &layout->rows[0];
  double density = seam_axis_get_density (&layout->axis), past = 0;

  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamBarSegment *segment = &row->segments[i];

    g_assert_cmpfloat_with_epsilon (segment->end_ns - segment->start_ns, plan->kernels[i].median_ns,
                                    1e-6);
    if (segment->value != NULL) {
      g_autofree char *expected =
          seam_text_fixed (plan->kernels[i].median_ns / layout->axis.unit.scale, 3);
      g_assert_cmpstr (segment->value, ==, expected);
    }
    past += segment->past.width;
  }
  g_assert_cmpfloat_with_epsilon (row->elapsed_x, layout->plot.x + plan->median_ns * density, 1e-6);
  g_assert_cmpfloat_with_epsilon (row->rest.width, fmax (0, pieces->rest_ns) * density, 1.5);
  if (pieces->rest_ns * density < -1) {
    g_assert_cmpfloat (past, >, 0);
    g_assert_cmpfloat (row->rest.width, ==, 0);
  }
  g_assert_true ((row->lead != NULL) == (fabs (pieces->rest_ns) >= .01 * plan->median_ns));
  seam_owner_free (layout);
}

static void
check_result (SeamResult *result, int *n_past, int *n_short)
{
  g_autoptr (SeamTable) table = seam_kernels_table_make (result, 0);

  for (int i = 0; i < result->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    double reasons = 0;
    SeamPieces pieces;

    seam_pieces_init (&pieces, result, i);
    if (plan->n_kernels < 1) {
      g_assert_true (isnan (pieces.rest_ns));
      continue;
    }
    for (int r = 0; r < SEAM_N_REST_REASONS; r++) {
      reasons += pieces.reasons_ns[r];
      g_assert_cmpfloat (pieces.reasons_ns[r] * pieces.rest_ns, >=, 0);
    }
    g_assert_cmpfloat_with_epsilon (reasons, pieces.rest_ns, 1e-6);
    g_assert_cmpfloat_with_epsilon (pieces.traced_ns + pieces.rest_ns, plan->median_ns, 1e-6);
    *n_past += pieces.rest_ns < 0;
    *n_short += pieces.rest_ns > 0;
    check_table (table, result, i, &pieces);
    check_bar (result, i, &pieces);
  }
}

static void
test_samples (void)
{
  g_autofree char *folder =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_APP"), "..", "data", "samples", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  int n_past = 0, n_short = 0;
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (SeamSession) session = seam_session_load (path, &error);

    g_assert_no_error (error);
    for (guint r = 0; r < seam_session_get_n_runs (session); r++) {
      g_autoptr (SeamSessionRun) run = seam_session_get_run (session, r, &error);

      g_assert_no_error (error);
      check_result (run->result, &n_past, &n_short);
    }
  }
  /* A Python script that adds up the numbers of the samples' JSON counts as many. */
  g_assert_cmpint (n_past, ==, 23);
  g_assert_cmpint (n_short, ==, 66);
}

/* ---- reasons ---- */

static SeamResult *
make_result (double trace_mhz, double sample_mhz)
{
  SeamResult *result = fixture_result ("37", "kernelbench", "full");

  for (int p = 0; p < 2; p++) {
    SeamPlanResult *plan = &result->plans[p];

    plan->trace_clock_mhz = trace_mhz;
    for (int i = 0; i < plan->n_samples; i++)
      plan->samples[i].clock_mhz = sample_mhz;
  }
  result->device->launch_ns = 2e3;
  result->device->bytes_per_s = 4.5e12;
  return result;
}

/* One kernel of 0.749 ms in an elapsed time of 0.845. */
static SeamPlanResult *
set_one (SeamResult *result)
{
  SeamPlanResult *plan = &result->plans[1];

  g_assert_cmpint (plan->n_kernels, ==, 1);
  plan->kernels[0].median_ns = plan->span_median_ns = plan->kernels_sum_median_ns = 749e3;
  plan->kernels[0].bytes = 0.69e9;
  plan->median_ns = 845e3;
  return plan;
}

static char *
explain (const SeamResult *result, SeamPieces *pieces)
{
  seam_pieces_init (pieces, result, 1);
  return seam_pieces_explain (pieces, (SeamUnit){ "ms", 1e6 });
}

static void
test_reasons (void)
{
  g_autoptr (SeamResult) result = make_result (1620, 1440);
  SeamPlanResult *plan = set_one (result);
  g_autofree char *clock = NULL, *rest = NULL, *far = NULL, *alike = NULL, *memory = NULL;
  g_autofree char *past = NULL, *against = NULL, *unknown = NULL, *overlap = NULL, *whole = NULL;
  SeamPieces pieces;

  /* 0.749 * (1.62 / 1.44 - 1) = 0.0936; the launch takes 0.002 of what is left, 0.0024. */
  clock = explain (result, &pieces);
  rest = seam_pieces_format_rest (&pieces, (SeamUnit){ "ms", 1e6 });
  g_assert_cmpstr (rest, ==, "0.096 not traced:");
  g_assert_cmpstr (
      clock, ==,
      "the clock, 0.094. The trace ran at 1.62 GHz, the samples at 1.44. Launch, 0.002.");
  g_assert_cmpfloat_with_epsilon (pieces.reasons_ns[SEAM_REST_CLOCK], 93625, 1);
  g_assert_cmpfloat_with_epsilon (pieces.reasons_ns[SEAM_REST_LAUNCH], 2000, 1);
  g_assert_cmpfloat_with_epsilon (pieces.reasons_ns[SEAM_REST_OTHER], 375, 1);
  g_assert_cmpfloat_with_epsilon (pieces.share, .1136, 1e-4);
  /* Clocks alike explain nothing; 0.096 - 0.002 has no reason. */
  plan->trace_clock_mhz = 1440;
  alike = explain (result, &pieces);
  g_assert_cmpstr (alike, ==, "launch, 0.002. Not explained, 0.094.");
  /* Nor does a trace at the lower clock: it would be longer than the samples. */
  plan->trace_clock_mhz = 1300;
  against = explain (result, &pieces);
  g_assert_cmpstr (against, ==, "launch, 0.002. Not explained, 0.094.");
  /* Memory has its own clock: 3.3 GB in 0.749 ms are 98 % of 4.5 TB/s. */
  plan->trace_clock_mhz = 1620;
  plan->kernels[0].bytes = 3.3e9;
  memory = explain (result, &pieces);
  g_assert_cmpstr (memory, ==, "launch, 0.002. Not explained, 0.094.");
  /* The trace at 1.34 GHz would take 1.075 times as long: 0.056 more, of which only 0.052 are past
   * the mark. */
  plan->kernels[0].bytes = 0.69e9;
  plan->trace_clock_mhz = 1340;
  plan->median_ns = 697e3;
  past = explain (result, &pieces);
  g_assert_cmpfloat_with_epsilon (pieces.rest_ns, -52e3, 1e-6);
  g_assert_cmpstr (past, ==, "the clock. The trace ran at 1.34 GHz, the samples at 1.44.");
  g_assert_cmpstr (seam_pieces_get_name (&pieces), ==, "past the mark");
  /* The clock takes 0.056 of 0.1. */
  plan->median_ns = 649e3;
  far = explain (result, &pieces);
  g_assert_true (g_str_has_prefix (far, "the clock, 0.052. "));
  g_assert_true (g_str_has_suffix (far, " Not explained, 0.048."));
  /* Without the clock of the trace only an overlap can be proved: 0.749 of kernels in 0.739. */
  plan->trace_clock_mhz = NAN;
  unknown = explain (result, &pieces);
  g_assert_cmpstr (unknown, ==,
                   "reason not known. The clock rate during the trace was not recorded.");
  plan->span_median_ns = 739e3;
  overlap = explain (result, &pieces);
  g_assert_true (g_str_has_prefix (overlap, "overlap, 0.010. "));
  g_assert_nonnull (strstr (overlap, " Reason not known, 0.090. The clock rate"));
  /* Nothing was traced. */
  fixture_untrace (plan);
  whole = explain (result, &pieces);
  g_assert_true (isnan (pieces.rest_ns));
}

/* The guess is scored against the elapsed median: 0.78 / 0.845 = 0.923. */
static void
test_guess (void)
{
  static const struct {
    double guess_ns;
    const char *score;
  } cases[] = {
    { 780e3, "guess 0.780, 8 % low" },  { 845e3, "guess 0.845, right" },
    { 852e3, "guess 0.852, right" },    { 837e3, "guess 0.837, right" },
    { 900e3, "guess 0.900, 7 % high" }, { 4.2e6, "guess 4.20, 397 % high" },
  };
  g_autoptr (SeamResult) result = make_result (NAN, NAN);
  SeamPlanResult *plan = set_one (result);
  const int plans[] = { 0, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int compact = 0; compact < 2; compact++) {
      const SeamBarsOptions options = { .width = 900, .compact = compact };
      g_autofree char *score = NULL, *words = g_strdup_printf ("△ %s", cases[i].score);

      plan->guess_ns = cases[i].guess_ns;
      SeamBarsLayout *layout = seam_bars_layout_new (result, plans, 2, &options);
      const SeamBarRow *row = &layout->rows[1];
      score = seam_bars_score_guess (plan, layout->axis.unit);
      g_assert_cmpstr (score, ==, cases[i].score);
      g_assert_true (row->guess_beyond == (plan->guess_ns > layout->axis.to));
      if (!row->guess_beyond)
        g_assert_cmpfloat_with_epsilon (row->guess_x,
                                        seam_axis_get_px (&layout->axis, cases[i].guess_ns), 1e-6);
      if (compact)
        g_assert_true (row->note == NULL && g_str_has_suffix (row->caption, words));
      else
        g_assert_cmpstr (row->note, ==, words);
      g_assert_true (isnan (layout->rows[0].guess_x) && layout->rows[0].note == NULL);
      seam_owner_free (layout);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pieces/samples", test_samples);
  g_test_add_func ("/pieces/reasons", test_reasons);
  g_test_add_func ("/pieces/guess", test_guess);
  return g_test_run ();
}
