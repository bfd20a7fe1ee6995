/* SPDX-License-Identifier: MIT
 *
 * Order statistics of samples: median and its non-parametric confidence interval (binomial order
 * statistics). app/compare/pairs.h has the interval of the ratio of two plans. Pure functions.
 */
#pragma once

#include <glib.h>

typedef struct {
  double median, low,
      high; /* low/high NaN when n is too small for the confidence (n < 6 at 95 %) */
  int n;
} SeamMedian;

/* values are not changed. confidence e.g. 0.95. n = 0 gives NaN. The values are independent. */
SeamMedian seam_median (const double *values, int n, double confidence);
/* The same for finite values in the order in which they were measured, which depend on each other:
 * the interval is that of as many values as they are worth (app/base/series.h). */
SeamMedian seam_median_of_series (const double *values, int n, double confidence);

/* The distance between the quartiles of the values, by linear interpolation between neighbours; no
 * value may be NaN. n = 0 gives NaN. */
double seam_quartile_range (const double *values, int n);

/* Estimated samples until the relative width of the interval is below `goal`, since it shrinks with
 * 1/√n; 0 if it is already, -1 if that cannot be told. */
int seam_median_samples_needed (const SeamMedian *median, double goal);
