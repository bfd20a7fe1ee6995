/* SPDX-License-Identifier: MIT
 *
 * Effective values and intervals of a series. The effective number is n / τ, τ being the integrated
 * autocorrelation time by the initial positive sequence (Geyer 1992). The centre is a trimmed mean
 * with the winsorised variance (Yuen 1974): an outlier of a busy machine moves neither, nor hides
 * the autocorrelation, and with normal noise the interval is 7 % wider than that of the mean.
 */
#include "app/base/series.h"

#include "app/base/doubles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Left out at either end. */
#define TRIM .2
/* Quantiles of the normal distribution: 97.5 %, 99.5 %, and 99.995 %, beyond which a line is a
 * drift. */
#define HALF  1.959964
#define SURE  2.575829
#define DRIFT 3.890592
/* Fewer effective values around a line do not show it: wandering looks like one. */
#define SURE_LINE (2 * SEAM_SERIES_ENOUGH)

/* The quantile of Student's t that corresponds to `z` of the normal distribution (Abramowitz and
 * Stegun 26.7.5): at 97.5 % off by 1.5 % at the fewest degrees, 2.6, and by 0.3 % from 4 on. */
static double
get_student (double z, double degrees)
{
  double s = z * z, d = degrees;

  return z
         * (1 + (s + 1) / (4 * d) + ((5 * s + 16) * s + 3) / (96 * d * d)
            + (((3 * s + 19) * s + 17) * s - 15) / (384 * d * d * d));
}

/* Moves values beyond the fifths to their edges. Returns the mean of the others, trimmed. */
static double
winsorise (const double *values, int n, double *edged)
{
  g_autofree double *sorted = g_memdup2 (values, sizeof *values * (gsize)n);
  int cut = (int)(TRIM * n);
  double sum = 0;

  qsort (sorted, (gsize)n, sizeof *sorted, seam_compare_doubles);
  for (int i = cut; i < n - cut; i++)
    sum += sorted[i];
  for (int i = 0; i < n; i++)
    edged[i] = CLAMP (values[i], sorted[cut], sorted[n - 1 - cut]);
  return sum / (n - 2 * cut);
}

/* Sum of (values[i] - mean) (values[i + lag] - mean). */
static double
sum_products (const double *values, int n, double mean, int lag)
{
  double sum = 0;

  for (int i = 0; i + lag < n; i++)
    sum += (values[i] - mean) * (values[i + lag] - mean);
  return sum;
}

/* n / τ, and the variance of the values. */
static double
count_effective (const double *values, int n, double *variance)
{
  double mean = 0, square, time = 1;

  for (int i = 0; i < n; i++)
    mean += values[i] / n;
  square = sum_products (values, n, mean, 0);
  /* Equal values have no memory; what is left of them is rounding. */
  if (square <= n * pow (1e-12 * mean, 2))
    square = 0;
  *variance = n > 1 ? square / (n - 1) : NAN;
  /* More lags change nothing once there is no interval. */
  for (int lag = 1; lag + 1 < n / 2 && square > 0 && time * SEAM_SERIES_LEAST <= 2 * n; lag += 2) {
    double pair = sum_products (values, n, mean, lag) + sum_products (values, n, mean, lag + 1);
    if (pair <= 0)
      break;
    time += 2 * pair / square;
  }
  /* A short series shows too little of its own memory. */
  return n / (time * (1 + 2 * (time - 1) / n));
}

double
seam_series_get_effective (const double *values, int n)
{
  g_autofree double *edged = g_new (double, MAX (n, 1));
  double variance;

  if (n <= 0)
    return 0;
  winsorise (values, n, edged);
  return count_effective (edged, n, &variance);
}

/* Takes the line out of `edged`, to `rest`. If the line is beyond chance: what it gains, from the
 * centres of the first and the last third of the values; else 0. */
static double
find_drift (const double *values, const double *edged, int n, double *rest)
{
  double middle = (n - 1) / 2., slope = 0, squares = 0, variance, effective;
  int third = n / 3;

  for (int i = 0; i < n; i++) {
    slope += (i - middle) * edged[i];
    squares += (i - middle) * (i - middle);
  }
  slope /= squares;
  for (int i = 0; i < n; i++)
    rest[i] = edged[i] - slope * (i - middle);
  effective = count_effective (rest, n, &variance);
  /* The error of what a line gains is √12 of that of the mean. */
  if (effective < SURE_LINE
      || fabs (slope * n) <= sqrt (12 * variance / effective) * get_student (DRIFT, effective - 2))
    return 0;
  g_autofree double *unused = g_new (double, third);
  return 1.5 * (winsorise (values + n - third, third, unused) - winsorise (values, third, unused));
}

void
seam_series_measure (const double *values, int n, SeamSeries *series)
{
  g_autofree double *edged = g_new (double, MAX (n, 1)), *rest = g_new (double, MAX (n, 1));
  double variance;

  *series = (SeamSeries){ .centre = NAN, .half = NAN, .sure = NAN };
  if (n <= 0)
    return;
  series->centre = winsorise (values, n, edged);
  if (n >= SURE_LINE)
    series->drift = find_drift (values, edged, n, rest);
  series->effective = count_effective (series->drift != 0 ? rest : edged, n, &variance);
  if (series->effective < SEAM_SERIES_LEAST)
    return;
  /* What is left of the degrees of freedom after trimming (Yuen). */
  double degrees = (1 - 2 * TRIM) * series->effective - 1;
  double error = sqrt (variance / series->effective) / (1 - 2 * TRIM)
                 * (series->effective < SEAM_SERIES_ENOUGH ? 2 : 1);
  series->half = error * get_student (HALF, degrees);
  /* τ errs by about √(2 (2 τ + 1) / n) of itself (Madras and Sokal 1988). */
  double longer = 1 + SURE * sqrt (2 * (2 / series->effective + 1. / n));
  series->sure = error * sqrt (longer) * get_student (SURE, degrees);
}
