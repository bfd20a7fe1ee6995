/* SPDX-License-Identifier: MIT
 *
 * The bandwidth curve: marks true to their scales, posts and levels at the knee, every point found
 * by a hit, nothing outside at any width; and the calibration sheet with rates over their peak.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/report/sheets.h"
#include "app/figure/bandwidth-figure.h"
#include "app/figure/paint.h"

#include <math.h>

/* A curve of 1 TB/s for 1, 2, 4 and 8 MB, and of a quarter of that beyond. */
static SeamCalibration *
make_calibration (int n_points)
{
  SeamCalibration *calibration = seam_calibration_new ();

  calibration->device = g_strdup ("Test GPU");
  calibration->target = g_strdup ("cuda:0");
  calibration->measured_at = g_strdup ("2026-11-21T12:00:00Z");
  calibration->cache_bytes = 10e6;
  calibration->buffer_bytes = 512e6;
  calibration->peak_bytes_per_s = .24e12;
  calibration->rates[SEAM_RATE_READ] = (SeamRate){ .25e12, .24e12, .26e12, .2e12, .3e12, 20 };
  calibration->notes[SEAM_RATE_FP64].reason = g_strdup ("No op uses it.");
  calibration->n_points = n_points;
  calibration->curve = g_new0 (SeamCurvePoint, MAX (1, n_points));
  for (int i = 0; i < n_points; i++) {
    double rate = i <= 3 ? 1e12 : .25e12;
    gboolean has_interval = i != 1;

    calibration->curve[i] =
        (SeamCurvePoint){ 1e6 * (double)(1 << i),
                          { rate, has_interval ? .96 * rate : NAN, has_interval ? 1.04 * rate : NAN,
                            .9 * rate, 1.1 * rate, 12 } };
  }
  return calibration;
}

static void
test_places (void)
{
  g_autoptr (SeamCalibration) calibration = make_calibration (9);
  SeamBandwidthLayout *layout = seam_bandwidth_layout_new (calibration, 900, 0);
  double bottom = layout->plot.y + layout->plot.height, first, step;

  g_assert_cmpint (layout->n_marks, ==, 9);
  /* Rates linear from 0: a quarter of the rate is a quarter of the height. */
  g_assert_cmpfloat_with_epsilon (bottom - layout->marks[8].y, (bottom - layout->marks[0].y) / 4,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (seam_axis_get_px (&layout->y, 0), bottom, 1e-9);
  g_assert_cmpfloat (layout->marks[0].high_y, <, layout->marks[0].y);
  g_assert_cmpfloat (layout->marks[0].low_y, >, layout->marks[0].y);
  g_assert_true (isnan (layout->marks[1].low_y));
  /* Sizes are logarithmic: each doubling has the same width. */
  first = layout->marks[0].x;
  step = layout->marks[1].x - first;
  g_assert_cmpfloat (first, >, layout->plot.x);
  for (int i = 0; i < 9; i++)
    g_assert_cmpfloat_with_epsilon (layout->marks[i].x, first + i * step, 1e-9);
  /* The knee is half-way between 8 and 16 MB, the reported size at 10. */
  g_assert_true (layout->has_knee && layout->knee.shown && layout->reported.shown);
  g_assert_cmpfloat_with_epsilon (layout->knee.x, first + 3.5 * step, 1e-9);
  g_assert_cmpfloat_with_epsilon (layout->reported.x, first + log2 (10) * step, 1e-9);
  g_assert_nonnull (strstr (layout->knee.label, "11.3 MB"));
  g_assert_cmpfloat_with_epsilon (layout->levels[0].y, layout->marks[0].y, 1e-9);
  g_assert_cmpfloat_with_epsilon (layout->levels[1].y, layout->marks[8].y, 1e-9);
  g_assert_cmpfloat (layout->levels[0].x2, ==, layout->levels[1].x1);
  g_assert_cmpstr (layout->levels[1].label, ==, "memory 250 GB/s");
  for (int i = 1; i < layout->x.n_ticks; i++)
    g_assert_cmpfloat (layout->x.ticks[i].px, >, layout->x.ticks[i - 1].px + 12);
  seam_owner_free (layout);
}

static void
test_hits (void)
{
  g_autoptr (SeamCalibration) calibration = make_calibration (9);
  g_autoptr (SeamFigure) figure = seam_bandwidth_figure_new (calibration, 700, 0);
  g_autofree char *words = seam_bandwidth_describe_point (calibration, 8);
  SeamHit hit = { .kind = SEAM_HIT_SAMPLE };
  SeamRect rect;

  for (hit.index = 0; hit.index < 9; hit.index++)
    ink_assert_pick (figure, &hit, "bandwidth");
  g_assert_false (seam_figure_locate (figure, &hit, &rect));
  g_assert_cmpstr (words, ==,
                   "256 MB read again and again: 250 GB/s, 95 % interval 240 GB/s to 260 GB/s; 12 "
                   "samples from 225 GB/s to 275 GB/s.");
}

/* The line of the knee crosses no label, wherever the reported size lies. */
static void
test_labels (void)
{
  static const double widths[] = { 360, 700, 1400 };
  int n_left = 0, n_right = 0;

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (double bytes = 1.2e6; bytes < 250e6; bytes *= 1.05) {
      g_autoptr (SeamCalibration) calibration = make_calibration (9);
      SeamBandwidthLayout *layout;
      const SeamBandwidthPost *post;
      double end;

      calibration->cache_bytes = bytes;
      layout = seam_bandwidth_layout_new (calibration, widths[w], 0);
      post = &layout->reported;
      g_assert_true (post->shown && layout->knee.shown);
      end = post->label_x + seam_paint_measure (post->label, SEAM_SIZE_AXIS, SEAM_REGULAR);
      g_assert_true (layout->knee.x < post->label_x || layout->knee.x > end);
      g_assert_cmpfloat (post->label_x, >=, 0);
      g_assert_cmpfloat (end, <=, layout->width);
      n_left += post->at_left;
      n_right += !post->at_left;
      seam_owner_free (layout);
    }
  g_assert_cmpint (n_left, >, 0);
  g_assert_cmpint (n_right, >, 0);
}

/* The label of a level lies over no point of the curve and over no post, on a curve that sinks
 * slowly to the rate of memory, too. */
static void
test_levels (void)
{
  static const double widths[] = { 560, 700, 1000, 1400 };

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (double slope = 0; slope < 1; slope += .1) {
      g_autoptr (SeamCalibration) calibration = make_calibration (12);
      SeamBandwidthLayout *layout;

      for (int i = 4; i < 12; i++) {
        SeamRate *rate = &calibration->curve[i].rate;

        rate->median *= 1 + slope * (.5 * exp ((4 - i) / 3.0) + (i % 2 == 0 ? .3 : -.3));
        rate->low = .96 * rate->median;
        rate->high = 1.04 * rate->median;
      }
      layout = seam_bandwidth_layout_new (calibration, widths[w], 0);
      g_assert_true (layout->has_knee);
      for (int k = 0; k < 2; k++) {
        const SeamBandwidthLevel *level = &layout->levels[k];
        SeamRect rect = { level->label_x, level->label_y - 11,
                          seam_paint_measure (level->label, SEAM_SIZE_AXIS, SEAM_REGULAR), 13 };

        for (int i = 0; i < layout->n_marks; i++)
          g_assert_false (seam_rect_contains (&rect, layout->marks[i].x, layout->marks[i].y));
        for (int i = 1; i < layout->n_marks; i++)
          g_assert_false (seam_rect_is_crossed (&rect, layout->marks[i - 1].x,
                                                layout->marks[i - 1].y, layout->marks[i].x,
                                                layout->marks[i].y));
        g_assert_false (layout->knee.x > rect.x && layout->knee.x < rect.x + rect.width);
        g_assert_false (layout->reported.x > rect.x && layout->reported.x < rect.x + rect.width);
      }
      seam_owner_free (layout);
    }
}

static void
test_inside (void)
{
  static const double widths[] = { 320, 700, 1400 };

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (int n = 0; n <= 12; n++) {
      g_autoptr (SeamCalibration) calibration = make_calibration (n);
      g_autoptr (SeamFigure) figure = seam_bandwidth_figure_new (calibration, widths[w], 0);
      g_autoptr (SeamFigure) page = seam_calibration_sheet_new (calibration, widths[w]);

      ink_assert_inside (figure, "bandwidth");
      ink_assert_inside (page, "calibration");
    }
}

/* A rate that no device can have is red on the sheet, and the words say so. */
static void
test_over_peak (void)
{
  g_autoptr (SeamCalibration) calibration = make_calibration (9);
  g_autofree char *words = seam_calibration_describe_over_peak (calibration, SEAM_RATE_READ);

  g_assert_cmpstr (words, ==,
                   "Read bandwidth of 250 GB/s is 104 % of the data sheet's 240 GB/s, which cannot "
                   "be; the floor does not rest on it.");
  calibration->peak_bytes_per_s = .25e12;
  g_assert_null (seam_calibration_describe_over_peak (calibration, SEAM_RATE_READ));
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/bandwidth/places", test_places);
  g_test_add_func ("/figure/bandwidth/hits", test_hits);
  g_test_add_func ("/figure/bandwidth/labels", test_labels);
  g_test_add_func ("/figure/bandwidth/levels", test_levels);
  g_test_add_func ("/figure/bandwidth/inside", test_inside);
  g_test_add_func ("/figure/bandwidth/over-peak", test_over_peak);
  return g_test_run ();
}
