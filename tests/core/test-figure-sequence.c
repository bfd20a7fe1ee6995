/* SPDX-License-Identifier: MIT
 *
 * The sample plot: every sample stands at its order and its time, outliers and low clocks are
 * marked and counted, the histogram counts each sample once, and odd results still make a figure.
 */
#include "app/base/error.h"
#include "app/report/sheets.h"
#include "app/figure/paint.h"
#include "app/figure/sequence-layout.h"
#include "app/figure/sequence.h"
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include <math.h>
#include <string.h>

static SeamResult *
make_result (void)
{
  return fixture_result ("21", "kernelbench", "published");
}

/* Plan A takes 100 µs and 0.1 µs more with each sample; B takes half of that. The clock falls at
 * the 11th sample. */
static void
set_samples (SeamResult *result)
{
  for (int p = 0; p < 2; p++) {
    for (int i = 0; i < 20; i++) {
      SeamSample *sample = &result->plans[p].samples[i];

      sample->elapsed_ns = (1e5 + 100 * (i < 2 ? i : 2 + (i - 2) * 7 % 18)) / (p + 1);
      sample->clock_mhz = i < 10 ? 1980 : 1700;
    }
    seam_plan_result_summarise (&result->plans[p]);
  }
}

static void
test_layout (void)
{
  static const int plans[] = { 0, 1 };
  g_autoptr (SeamResult) result = make_result ();
  g_autoptr (SeamSequenceLayout) layout = NULL;

  set_samples (result);
  result->plans[1].samples[3].elapsed_ns = 2e5;
  seam_plan_result_summarise (&result->plans[1]);
  layout = seam_sequence_layout_new (result, plans, 2, 1000);
  g_assert_cmpint (layout->n_lanes, ==, 2);
  g_assert_cmpint (layout->n_slots, ==, 40);
  g_assert_true (layout->has_clock);
  g_assert_cmpfloat (layout->highest_clock_mhz, ==, 1980);
  for (int l = 0; l < 2; l++) {
    const SeamSequenceLane *lane = &layout->lanes[l];
    double shown = 0;

    g_assert_cmpint (lane->n_points, ==, 20);
    g_assert_cmpint (lane->n_low_clock, ==, 10);
    g_assert_cmpint (lane->n_over, ==, l);
    g_assert_cmpint (lane->n_under, ==, 0);
    g_assert_cmpfloat (lane->high_y, <, lane->median_y);
    g_assert_cmpfloat (lane->low_y, >, lane->median_y);
    for (int k = 0; k < lane->n_bins; k++) {
      shown += lane->counts[k];
      g_assert_cmpfloat (lane->bars[k].width, <=, lane->histogram.width + 1e-9);
    }
    g_assert_cmpfloat (shown, ==, 20 - l);
    for (int i = 0; i < 20; i++) {
      g_assert_true (seam_rect_contains (&lane->plot, lane->points[i].x, lane->points[i].y));
      g_assert_cmpint (lane->points[i].low_clock, ==, i >= 10);
      g_assert_true (
          seam_rect_contains (&layout->clock, lane->points[i].x, lane->points[i].clock_y));
      /* Longer is higher, later is to the right. */
      if (i > 0) {
        g_assert_cmpfloat (lane->points[i].x, >, lane->points[i - 1].x);
        if (l == 0)
          g_assert_cmpint (lane->points[i]
                               .y<lane->points[i - 1].y, ==, result->plans[0].samples[i].elapsed_ns>
                                   result->plans[0]
                               .samples[i - 1]
                               .elapsed_ns);
      }
    }
  }
  /* The same deviation in per cent has the same height in both lanes. */
  g_assert_cmpfloat_with_epsilon (
      layout->lanes[0].points[0].y - layout->lanes[0].median_y,
      (100 - 100.95) / 100.95 * 100
          * (seam_axis_get_px (&layout->lanes[0].y, 1) - seam_axis_get_px (&layout->lanes[0].y, 0)),
      1e-6);
  g_assert_cmpint (layout->lanes[1].points[3].outside, ==, 1);
  g_assert_cmpfloat (layout->lanes[1].points[3].y, ==, layout->lanes[1].plot.y);
  /* The order is A B B A: the second sample of B follows its first at once. */
  g_assert_cmpfloat_with_epsilon (layout->lanes[1].points[1].x - layout->lanes[1].points[0].x,
                                  layout->lanes[0].plot.width / 40, 1e-9);
}

static void
test_figure (void)
{
  static const double widths[] = { 300, 900, 2000 };

  for (gsize w = 0; w < G_N_ELEMENTS (widths); w++) {
    g_autoptr (SeamResult) result = make_result ();
    g_autoptr (SeamFigure) figure = seam_sequence_figure_new (result, 0, 1, widths[w]);
    g_autoptr (SeamFigure) single = seam_sequence_figure_new (result, 1, -1, widths[w]);
    g_autoptr (SeamFigure) page = seam_samples_sheet_new (result, 0, 1, widths[w], NULL);
    g_autofree char *summary = seam_figure_summarize (figure);

    ink_assert_inside (figure, "samples");
    ink_assert_inside (single, "samples of one plan");
    ink_assert_inside (page, "page of samples");
    g_assert_nonnull (strstr (summary, "A: 20 samples"));
    for (int p = 0; p < 2; p++)
      for (int i = 1; i < 20; i++) {
        SeamHit hit = { .kind = SEAM_HIT_SAMPLE, .plan = p, .index = i };

        ink_assert_pick (figure, &hit, "sample");
      }
  }
}

static void
test_words (void)
{
  g_autoptr (SeamResult) result = make_result ();
  SeamHit hit = { .kind = SEAM_HIT_SAMPLE, .plan = 1, .index = 1 };

  set_samples (result);
  result->plans[1].median_ns = 50e3;
  g_free (result->throttle);
  result->throttle = g_strdup ("SW power cap in 100 % of samples, SM clock 1.84 GHz of 1.98");
  {
    g_autofree char *words = seam_sequence_describe (result, 0, 1);
    g_autofree char *sample = seam_sequence_describe_sample (result, 0, 1, &hit);

    g_autofree char *swapped = seam_sequence_describe (result, 1, 0);

    g_assert_nonnull (strstr (words, "A took longer in 20 of 20 pairs"));
    g_assert_nonnull (strstr (swapped, "B took longer in 0 of 20 pairs"));
    g_assert_nonnull (strstr (words, "10 of 20 samples of A, 10 of 20 samples of B"));
    g_assert_nonnull (strstr (words, "Throttling under load: SW power cap in 100 % of samples, SM "
                                     "clock 1.84 GHz of 1.98."));
    g_assert_cmpstr (sample, ==,
                     "Sample 2 of B, number 3 of the run: 50.0 µs, 0.10 % over the median, "
                     "1,980 MHz after it");
  }
  hit.index = 20;
  g_assert_null (seam_sequence_describe_sample (result, 0, 1, &hit));
}

/* No clock, one sample, no sample, and a time that is not a number. */
static void
test_odd (void)
{
  g_autoptr (SeamResult) result = make_result ();
  g_autoptr (GError) error = NULL;

  for (int p = 0; p < 2; p++)
    for (int i = 0; i < 20; i++)
      result->plans[p].samples[i].clock_mhz = NAN;
  result->plans[0].samples[2].elapsed_ns = NAN;
  result->plans[1].n_samples = 1;
  {
    g_autoptr (SeamFigure) figure = seam_sequence_figure_new (result, 0, 1, 800);
    g_autofree char *words = seam_sequence_describe (result, 0, 1);

    ink_assert_inside (figure, "without a clock");
    g_assert_nonnull (strstr (words, "The clock was not recorded."));
  }
  result->plans[1].n_samples = 0;
  {
    g_autoptr (SeamFigure) page = seam_samples_sheet_new (result, 0, 1, 800, &error);

    g_assert_no_error (error);
    ink_assert_inside (page, "one plan not timed");
  }
  result->plans[0].n_samples = 0;
  g_assert_null (seam_samples_sheet_new (result, 0, 1, 800, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
}

/* A sample is marked if, and only if, the device reported throttling after it. */
static void
test_throttle (void)
{
  static const int plans[] = { 0, 1 };
  g_autoptr (SeamResult) result = make_result ();
  g_autoptr (SeamSequenceLayout) layout = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  g_autofree char *words = NULL;
  g_autofree char *slowed = NULL;
  g_autofree char *free_running = NULL;

  set_samples (result);
  for (int i = 0; i < 20; i++)
    result->plans[1].samples[i].throttle = SEAM_THROTTLE_KNOWN
                                           | (i < 3    ? 0x4
                                              : i == 3 ? 0x20
                                                       : 0x1);
  layout = seam_sequence_layout_new (result, plans, 2, 1000);
  g_assert_cmpint (layout->lanes[0].n_slowed, ==, 0);
  g_assert_cmpint (layout->lanes[1].n_slowed, ==, 4);
  for (int i = 0; i < 20; i++)
    g_assert_cmpint (layout->lanes[1].points[i].slowed, ==, i < 4);
  words = seam_sequence_describe (result, 0, 1);
  g_assert_nonnull (strstr (
      words, "Throttled after 4 of 20 samples of B (◆): SW thermal slowdown, SW power cap."));
  g_assert_null (strstr (words, "samples of A (◆)"));
  slowed = seam_sequence_describe_sample (
      result, 0, 1, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = 1, .index = 3 });
  g_assert_nonnull (strstr (slowed, ", throttled: SW thermal slowdown"));
  free_running = seam_sequence_describe_sample (
      result, 0, 1, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .plan = 1, .index = 4 });
  g_assert_null (strstr (free_running, "throttled"));
  figure = seam_sequence_figure_new (result, 0, 1, 1000);
  ink_assert_inside (figure, "throttled");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/sequence/layout", test_layout);
  g_test_add_func ("/figure/sequence/figure", test_figure);
  g_test_add_func ("/figure/sequence/words", test_words);
  g_test_add_func ("/figure/sequence/odd", test_odd);
  g_test_add_func ("/figure/sequence/throttle", test_throttle);
  return g_test_run ();
}
