/* SPDX-License-Identifier: MIT
 *
 * Medians and their order-statistic intervals against exact binomial ranks (computed with integer
 * arithmetic in Python; the same as in published tables of the sign test). Intervals of series
 * against series.py, and how often they hold the truth. Also the load of other programs.
 */
#include "app/base/statistics.h"

#include "app/base/series.h"
#include "app/measure/load.h"
#include "tests/core/known-series.h"

#include <glib.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* 1 … n in an order that is not sorted: the interval's ends are then the ranks themselves. 7919 is
 * prime, so that its multiples reach every residue. */
static double *
shuffled (int n)
{
  double *values = g_new (double, n);
  for (int i = 0; i < n; i++)
    values[i] = (double)((gint64)i * 7919 % n) + 1.0;
  return values;
}

static void
test_ranks (void)
{
  static const struct {
    int n;
    double confidence;
    double low, high;
  } known[] = {
    { 6, 0.95, 1, 6 },     { 8, 0.95, 1, 8 },        { 9, 0.95, 2, 8 },
    { 10, 0.95, 2, 9 },    { 15, 0.95, 4, 12 },      { 20, 0.95, 6, 15 },
    { 25, 0.95, 8, 18 },   { 30, 0.95, 10, 21 },     { 50, 0.95, 18, 33 },
    { 100, 0.95, 40, 61 }, { 1000, 0.95, 469, 532 }, { 3000, 0.95, 1446, 1555 },
    { 5, 0.90, 1, 5 },     { 8, 0.99, 1, 8 },        { 100, 0.99, 37, 64 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autofree double *values = shuffled (known[i].n);
    SeamMedian median = seam_median (values, known[i].n, known[i].confidence);
    g_assert_cmpint (median.n, ==, known[i].n);
    g_assert_cmpfloat (median.median, ==, (known[i].n + 1) / 2.0);
    g_assert_cmpfloat (median.low, ==, known[i].low);
    g_assert_cmpfloat (median.high, ==, known[i].high);
    /* The median does not change the values. */
    g_assert_cmpfloat (values[0], ==, 1.0);
    if (known[i].n > 2)
      g_assert_cmpfloat (values[1], ==, 7919 % known[i].n + 1.0);
  }
}

static void
test_too_few (void)
{
  double values[] = { 5.0, 1.0, 3.0, 2.0, 4.0 };
  SeamMedian median;

  for (int n = 1; n <= 5; n++) {
    median = seam_median (values, n, 0.95);
    g_assert_cmpint (median.n, ==, n);
    g_assert_true (isfinite (median.median));
    g_assert_true (isnan (median.low));
    g_assert_true (isnan (median.high));
  }
  g_assert_cmpfloat (median.median, ==, 3.0);
  median = seam_median (values, 4, 0.95);
  g_assert_cmpfloat (median.median, ==, 2.5);

  median = seam_median (values, 0, 0.95);
  g_assert_cmpint (median.n, ==, 0);
  g_assert_true (isnan (median.median));
  g_assert_true (isnan (seam_median (NULL, 0, 0.95).median));
  /* Seven samples cannot give 99 %. */
  g_assert_true (isnan (seam_median ((double[7]){ 1, 2, 3, 4, 5, 6, 7 }, 7, 0.99).low));
}

static void
test_not_a_number (void)
{
  double values[] = { NAN, 3.0, NAN, 1.0, 2.0 };
  double nothing[] = { NAN, NAN };
  SeamMedian median = seam_median (values, 5, 0.95);

  g_assert_cmpint (median.n, ==, 3);
  g_assert_cmpfloat (median.median, ==, 2.0);
  g_assert_cmpint (seam_median (nothing, 2, 0.95).n, ==, 0);
}

static void
test_large (void)
{
  /* When 2^-n is too small for a double, the rank follows the normal approximation. */
  int n = 40000;
  g_autofree double *values = shuffled (n);
  SeamMedian median = seam_median (values, n, 0.95);
  double rank = n / 2.0 - 1.959964 * sqrt (n) / 2.0;

  g_assert_cmpfloat (fabs (median.low - rank), <, 2.0);
  g_assert_cmpfloat (median.low + median.high, ==, n + 1.0);
}

/* The share of intervals that enclose the true median of a skewed distribution. */
static void
test_coverage (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261121);
  int n_inside = 0, n_trials = 4000;

  for (int t = 0; t < n_trials; t++) {
    double values[20];
    SeamMedian median;
    for (int i = 0; i < 20; i++)
      values[i] = -log (1.0 - g_rand_double (rand));
    median = seam_median (values, 20, 0.95);
    n_inside += median.low <= G_LN2 && G_LN2 <= median.high;
  }
  /* Exactly 0.9586 for n = 20; the standard deviation of the share is 0.0031. */
  g_assert_cmpfloat (fabs ((double)n_inside / n_trials - 0.9586), <, 0.0125);
}

static void
test_samples_needed (void)
{
  SeamMedian median = { .median = 100.0, .low = 99.0, .high = 101.0, .n = 50 };

  /* Width 2 %, goal 1 %: four times the samples. */
  g_assert_cmpint (seam_median_samples_needed (&median, 0.01), ==, 150);
  g_assert_cmpint (seam_median_samples_needed (&median, 0.02), ==, 0);
  g_assert_cmpint (seam_median_samples_needed (&median, 0.5), ==, 0);
  g_assert_cmpint (seam_median_samples_needed (&median, 0.0), ==, -1);
  g_assert_cmpint (seam_median_samples_needed (&median, 1e-12), ==, G_MAXINT);
  g_assert_cmpint (seam_median_samples_needed (&median, NAN), ==, -1);
  median.low = NAN;
  g_assert_cmpint (seam_median_samples_needed (&median, 0.01), ==, -1);
  median = (SeamMedian){ .median = 0.0, .low = 0.0, .high = 1.0, .n = 9 };
  g_assert_cmpint (seam_median_samples_needed (&median, 0.01), ==, -1);
}

/* ---- series ---- */

static void
test_series (void)
{
  /* From series.py. */
  static const struct {
    int n;
    double memory, slope, effective, centre, half, drift;
  } known_series[] = {
    { 20, 0, 0, 20, 0.021671528, 0.126064367, 0 },
    { 24, 0, 0, 20.2130973, 0.047981044, 0.155316843, 0 },
    { 100, 0, 0, 100, -0.0123518711, 0.0751122609, 0 },
    { 100, 0.5, 0, 46.0693462, -0.0216735909, 0.112551703, 0 },
    { 100, 0.9, 0, 10.445509, -0.123365182, 0.873839478, 0 },
    { 400, 0.9, 0, 29.6438368, -0.120981002, 0.291718807, 0 },
    { 400, 0.5, 0.004, 116.991062, 0.787518883, 0.0742714372, 1.52368668 },
    { 60, 0, 0.001, 60, 0.0480021083, 0.0827934868, 0 },
  };
  SeamSeries series;

  for (gsize i = 0; i < G_N_ELEMENTS (known_series); i++) {
    g_autofree double *values =
        make_series (known_series[i].n, known_series[i].memory, known_series[i].slope);

    seam_series_measure (values, known_series[i].n, &series);
    g_assert_cmpfloat_with_epsilon (series.effective, known_series[i].effective, 1e-5);
    g_assert_cmpfloat_with_epsilon (series.centre, known_series[i].centre, 1e-8);
    /* Student's quantile is an expansion. */
    g_assert_cmpfloat (fabs (series.half / known_series[i].half - 1), <, .003);
    g_assert_cmpfloat_with_epsilon (series.drift, known_series[i].drift, 1e-7);
    if (known_series[i].drift == 0)
      g_assert_cmpfloat (seam_series_get_effective (values, known_series[i].n), ==,
                         series.effective);
  }
  /* A constant series is known exactly; too short a one has no interval. */
  seam_series_measure ((double[9]){ 2, 2, 2, 2, 2, 2, 2, 2, 2 }, 9, &series);
  g_assert_cmpfloat (series.centre, ==, 2);
  g_assert_cmpfloat (series.half, ==, 0);
  g_assert_cmpfloat (series.effective, ==, 9);
  seam_series_measure ((double[5]){ 1, 2, 1, 2, 1 }, 5, &series);
  g_assert_true (isnan (series.half));
  seam_series_measure (NULL, 0, &series);
  g_assert_true (isnan (series.centre));
  /* An outlier, however large, moves nothing: 1 … 9 and 5, without two at either end. */
  seam_series_measure ((double[10]){ 5, 2, 8, 1, 7, 3, 1e9, 4, 6, 5 }, 10, &series);
  g_assert_cmpfloat (series.centre, ==, 5);
}

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

/* AR(1) noise around 0, with outliers in a tenth of it. */
static void
draw_series (GRand *rand, double correlation, gboolean outliers, double *values, int n)
{
  double state = draw_normal (rand);

  for (int i = 0; i < n; i++) {
    values[i] =
        state + (outliers && g_rand_double (rand) < .1 ? 60 * (g_rand_double (rand) - .5) : 0);
    state = correlation * state + sqrt (1 - correlation * correlation) * draw_normal (rand);
  }
}

/* How often intervals of 95 % hold the truth. An AR(1) series of n values is worth
 * n (1 - r) / (1 + r): from 15 on they must hold it in 92 %, from 5 on in 82 %. */
static void
test_series_coverage (void)
{
  static const double correlations[] = { 0, .5, .9, .95 };
  static const int sizes[] = { 8, 15, 30, 100, 300, 1000, 3000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261128);
  g_autofree double *values = g_new (double, 3000);

  for (gsize c = 0; c < G_N_ELEMENTS (correlations); c++)
    for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (int outliers = 0; outliers < 2; outliers++) {
        int n = sizes[s], n_runs = CLAMP (120000 / n, 120, 1500), n_centre = 0, n_median = 0;
        int n_none = 0, n_no_median = 0, n_drifts = 0;
        double true_effective = n * (1 - correlations[c]) / (1 + correlations[c]);

        if (true_effective < 5)
          continue;
        for (int run = 0; run < n_runs; run++) {
          SeamSeries series;
          SeamMedian median;

          draw_series (rand, correlations[c], outliers, values, n);
          seam_series_measure (values, n, &series);
          median = seam_median_of_series (values, n, .95);
          n_none += isnan (series.half);
          n_no_median += isnan (median.low);
          n_centre += fabs (series.centre) <= series.half;
          n_median += median.low <= 0 && 0 <= median.high;
          n_drifts += series.drift != 0;
        }
        double centre = (double)n_centre / MAX (1, n_runs - n_none);
        double covered = (double)n_median / MAX (1, n_runs - n_no_median);
        /* Chance moves a share of so many by this. */
        double least = true_effective >= SEAM_SERIES_ENOUGH ? .92 : .82,
               error = sqrt (.06 / n_runs);

        g_test_message (
            "r %g, %d values, worth %.1f%s: pairs %.3f (none in %.2f), median %.3f (none "
            "in %.2f), drift %.4f",
            correlations[c], n, true_effective, outliers ? ", outliers" : "", centre,
            (double)n_none / n_runs, covered, (double)n_no_median / n_runs,
            (double)n_drifts / n_runs);
        g_assert_cmpfloat (centre, >, least - error);
        g_assert_cmpfloat (covered, >, least - error);
        /* Fifteen values that are worth five can look like a line. */
        if (true_effective >= SEAM_SERIES_ENOUGH)
          g_assert_cmpfloat ((double)n_drifts / n_runs, <, .01);
      }
}

/* A line is found where it is beyond chance, whatever the memory: over 400 values of AR(1) with .5,
 * which err by √(3 / 400) = .087 in the mean and by √12 times as much in the line, 1.8 is 6 errors.
 */
static void
test_drift (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  int n_found = 0;

  for (int run = 0; run < 200; run++) {
    double values[400];
    SeamSeries series;

    draw_series (rand, .5, FALSE, values, 400);
    for (int i = 0; i < 400; i++)
      values[i] += 1.8 * (i - 199.5) / 400;
    seam_series_measure (values, 400, &series);
    n_found += series.drift > .8 && series.drift < 2.8;
    g_assert_cmpfloat (series.drift, >=, 0);
  }
  g_test_message ("%d of 200 drifts found", n_found);
  g_assert_cmpint (n_found, >, 170);
}

/* Other processes keep half of the processors busy; this process's own work is no foreign load. */
static void
test_load (void)
{
  int n = MAX (1, (int)g_get_num_processors () / 2);
  g_autofree pid_t *others = g_new (pid_t, n);
  SeamLoadMark mark, later;
  gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC / 2;
  double load;

  seam_load_mark (&mark);
  g_assert_true (isnan (seam_load_since (&mark)));
  for (int i = 0; i < n; i++) {
    others[i] = fork ();
    while (others[i] == 0)
      ;
  }
  g_usleep (G_USEC_PER_SEC / 2);
  load = seam_load_since (&mark);
  for (int i = 0; i < n; i++)
    kill (others[i], SIGKILL);
  for (int i = 0; i < n; i++)
    waitpid (others[i], NULL, 0);
  g_assert_cmpfloat (load, >, .2);
  g_assert_cmpfloat (load, <=, 1);

  seam_load_mark (&mark);
  while (g_get_monotonic_time () < end + G_USEC_PER_SEC / 2)
    ;
  seam_load_mark (&later);
  g_assert_cmpfloat (later.own_s - mark.own_s, >, .05);
  mark.own_s -= 1e6;
  g_assert_cmpfloat (seam_load_since (&mark), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/statistics/ranks", test_ranks);
  g_test_add_func ("/statistics/too-few", test_too_few);
  g_test_add_func ("/statistics/not-a-number", test_not_a_number);
  g_test_add_func ("/statistics/load", test_load);
  g_test_add_func ("/statistics/large", test_large);
  g_test_add_func ("/statistics/coverage", test_coverage);
  g_test_add_func ("/statistics/samples-needed", test_samples_needed);
  g_test_add_func ("/statistics/series", test_series);
  g_test_add_func ("/statistics/series-coverage", test_series_coverage);
  g_test_add_func ("/statistics/drift", test_drift);
  return g_test_run ();
}
