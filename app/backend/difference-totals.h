/* SPDX-License-Identifier: MIT
 *
 * Totals of a part of the elements of two outputs, added one by one or in blocks, merged in order,
 * and made a SeamDifference. The CPU's comparison and that of sampled slices use them. The meaning
 * of each figure is in app/result/difference.h.
 */
#pragma once

#include "app/result/difference.h"

#include <math.h>

typedef struct {
  double distance; /* what the order goes by (seam_totals_rank); infinity for a pair that is not
                    * finite, so that it precedes any number */
  gint64 index;
  double a, b, bound;
} SeamTotalsWorst;

/* Parts are merged in order, so that sums do not depend on the threads. */
typedef struct {
  gint64 n_failing, n_unjudged, n_shown, n_nan_a, n_nan_b, n_infinite_a, n_infinite_b, n_finite;
  double max_abs, sum_abs, max_abs_b, max_error_ratio, sum_squares, sum_squares_b;
  guint64 sum_ulps;
  double max_bound_ratio;
  gint64 bound_index; /* while that is 0: nothing */
  int n_worst;        /* in the order of SeamDifference's `worst` */
  SeamTotalsWorst worst[SEAM_DIFFERENCE_WORST];
  gint64 histogram[SEAM_HISTOGRAM_BINS], histogram_ulps[SEAM_HISTOGRAM_ULPS],
      histogram_shares[SEAM_HISTOGRAM_ERRORS];
} SeamTotals;

/* Distances above this are among the worst, if indices rise. */
static inline double
seam_totals_get_threshold (const SeamTotals *totals)
{
  return totals->n_worst < SEAM_DIFFERENCE_WORST
             ? 0
             : totals->worst[SEAM_DIFFERENCE_WORST - 1].distance;
}

/* What the order of the worst elements goes by: the distance, or where bounds judge its part of the
 * bound. */
static inline double
seam_totals_rank (const SeamDifferenceSpec *spec, double distance, double b, double bound)
{
  return !seam_difference_is_by_bound (spec)                          ? distance
         : distance == 0 || seam_element_is_unjudged (spec, b, bound) ? 0
                                                                      : distance / bound;
}

/* Adds a finite pair to the histograms and the sums of squares. */
static inline void
seam_totals_count (SeamTotals *totals, double distance, double b, guint32 n_ulps)
{
  totals->sum_squares += distance * distance;
  totals->sum_squares_b += b * b;
  totals->sum_ulps += n_ulps;
  totals->histogram_ulps[seam_histogram_get_ulp_bin (n_ulps)]++;
  totals->histogram[seam_histogram_get_error_bin (distance) * SEAM_HISTOGRAM_MAGNITUDES
                    + seam_histogram_get_magnitude_bin (b)]++;
}

/* Keeps the element if it is one of the worst; if several are equal, those with the lowest
 * index. */
void seam_totals_add_worst (SeamTotals *totals, double distance, gint64 index, double a, double b,
                            double bound);
/* Adds the pair at flat index `index` to the totals, to cell number `cell` and to the marks of
 * `difference`. `bound` NaN: unknown, or none. */
void seam_totals_add_pair (SeamTotals *totals, SeamDifference *difference, gint64 cell,
                           gint64 index, double a, double b, double bound);
/* Adds the error of the pair at `index` as a part of its bound, also to the largest part of its
 * cell, `share`. Elements whose reference is not finite, or may leave FP32 within its bound, are
 * not judged. */
static inline void
seam_totals_add_bound (SeamTotals *totals, float *share, gint64 index, double a, double b,
                       double bound)
{
  const double ratio =
      a == b ? 0 : fmin (fabs (a - b) / bound, G_MAXDOUBLE); /* that also for NaN */

  totals->n_unjudged += fabs (b) + bound > G_MAXFLOAT;
  if (!(fabs (b) + bound <= G_MAXFLOAT))
    return;
  totals->n_shown += fabs (b) > bound;
  *share = fmaxf (*share, (float)fmin (ratio, G_MAXFLOAT));
  totals->histogram_shares[seam_histogram_get_error_bin (ratio)] += isfinite (a) != 0;
  if (ratio > totals->max_bound_ratio) {
    totals->max_bound_ratio = ratio;
    totals->bound_index = index;
  }
}

/* Adds `part`, whose elements come after those of `totals` or, if cells are several rows high,
 * beside them. */
void seam_totals_merge (SeamTotals *totals, const SeamTotals *part);
/* Fills all of `difference` except its spec, its grids and the number of elements that were
 * compared. */
void seam_totals_finish (const SeamTotals *totals, SeamDifference *difference);
/* The same of the parts of bounds, where bounds were given. */
void seam_totals_finish_bound (const SeamTotals *totals, SeamDifference *difference);
