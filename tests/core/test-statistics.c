/* SPDX-License-Identifier: MIT
 *
 * Medians and their order-statistic intervals against exact binomial ranks (computed with integer
 * arithmetic in Python; the same as in published tables of the sign test). Also the load of other
 * programs.
 */
#include "app/measure/statistics.h"

#include "app/measure/load.h"

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
  return g_test_run ();
}
