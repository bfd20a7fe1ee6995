/* SPDX-License-Identifier: MIT
 *
 * Order statistics of samples: median and its non-parametric confidence interval (binomial order
 * statistics). The interval of a ratio of medians is a verdict's: app/compare/verdict.c. Pure
 * functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double median, low,
      high; /* low/high NaN when n is too small for the confidence (n < 6 at 95 %) */
  int n;
} SeamMedian;

/* values are not changed. confidence e.g. 0.95. n = 0 gives NaN. */
SeamMedian seam_median (const double *values, int n, double confidence);

/* The distance between the quartiles of the values, which lie between two of them by linear
 * interpolation; none may be NaN. n = 0 gives NaN. */
double seam_quartile_range (const double *values, int n);

/* Samples still needed until the interval's relative width falls under `goal`, from its 1/√n
 * shrinking; 0 when it is there already, -1 when it cannot be told. */
int seam_median_samples_needed (const SeamMedian *median, double goal);

G_END_DECLS
