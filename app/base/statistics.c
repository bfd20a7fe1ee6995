/* SPDX-License-Identifier: MIT
 *
 * Median and its confidence interval from order statistics: the number of samples below the true
 * median is binomial (n, 1/2) whatever the distribution of the samples, so the k-th smallest and
 * k-th largest enclose it with a probability that is known exactly. Nothing is assumed to be
 * normal, and one slow sample does not move the result.
 */
#include "app/base/statistics.h"

#include "app/base/doubles.h"
#include "app/base/series.h"

#include <math.h>
#include <stdlib.h>

/* The largest k (from 1) with 2 P(B < k) <= 1 - confidence, B binomial (n, 1/2); 0 if even the
 * extremes do not enclose the median often enough. Terms are logarithms because 2^-n leaves the
 * range of a double at n = 1075. */
static int
interval_rank (int n, double confidence)
{
  double tail = 0.0, log_term = -n * M_LN2;
  int k = 0;

  for (int i = 0; 2 * i < n; i++) {
    tail += exp (log_term);
    /* A little slack, so that rounding does not reject a level that is met exactly. */
    if (2.0 * tail > (1.0 - confidence) * (1.0 + 1e-12))
      break;
    k = i + 1;
    log_term += log ((double)(n - i) / (i + 1));
  }
  return k;
}

/* `effective`: how many independent values they are worth; at least n: as many as they are. */
static SeamMedian
get_median (const double *values, int n, double effective, double confidence)
{
  SeamMedian result = { NAN, NAN, NAN, 0 };
  int count = 0, rank;

  if (n <= 0)
    return result;
  g_autofree double *sorted = g_new (double, n);
  /* NaN has no rank and is no sample. */
  for (int i = 0; i < n; i++)
    if (!isnan (values[i]))
      sorted[count++] = values[i];
  if (count == 0)
    return result;
  qsort (sorted, count, sizeof *sorted, seam_compare_doubles);

  result.n = count;
  result.median =
      count % 2 == 1 ? sorted[count / 2] : sorted[count / 2 - 1] / 2.0 + sorted[count / 2] / 2.0;
  effective = floor (fmin (effective, count));
  rank = interval_rank ((int)effective, confidence);
  if (rank > 0) {
    /* The value that as large a share of all lies under as of the effective ones under theirs. */
    int index = (int)((rank - .5) * count / effective - .5);

    result.low = sorted[index];
    result.high = sorted[count - 1 - index];
  }
  return result;
}

SeamMedian
seam_median (const double *values, int n, double confidence)
{
  return get_median (values, n, n, confidence);
}

SeamMedian
seam_median_of_series (const double *values, int n, double confidence)
{
  return get_median (values, n, seam_series_get_effective (values, n), confidence);
}

/* `share`: 0 to 1. */
static double
get_quantile (const double *sorted, int n, double share)
{
  double at = share * (n - 1);
  int i = (int)at;

  return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

double
seam_quartile_range (const double *values, int n)
{
  if (n <= 0)
    return NAN;
  g_autofree double *sorted = g_memdup2 (values, sizeof *values * (gsize)n);
  qsort (sorted, n, sizeof *sorted, seam_compare_doubles);
  return get_quantile (sorted, n, .75) - get_quantile (sorted, n, .25);
}

int
seam_median_samples_needed (const SeamMedian *median, double goal)
{
  double width = (median->high - median->low) / median->median;
  double factor, more;

  if (!(width >= 0.0) || !isfinite (width) || !(median->median > 0.0) || isnan (goal))
    return -1;
  if (width <= goal)
    return 0;
  if (goal <= 0.0)
    return -1;
  factor = width / goal;
  more = ceil (median->n * (factor * factor - 1.0));
  return more < (double)G_MAXINT ? MAX (1, (int)more) : G_MAXINT;
}
