/* SPDX-License-Identifier: MIT
 *
 * Implements the totals of a comparison.
 */
#include "app/backend/difference-totals.h"

#include "app/compare/compare.h"

#include <math.h>
#include <string.h>

/* Whether a pair that is not finite is one of the worst: infinities that are the same are not, nor
 * what the bound says nothing of or expects. */
static inline gboolean
is_bad_pair (const SeamDifferenceSpec *spec, double a, double b, double bound)
{
  return seam_difference_is_by_bound (spec) ? seam_element_fails (spec, a, b, bound) : !(a == b);
}

void
seam_totals_add_worst (SeamTotals *totals, double distance, gint64 index, double a, double b,
                       double bound)
{
  int i = totals->n_worst;

  while (i > 0
         && (distance > totals->worst[i - 1].distance
             || (distance == totals->worst[i - 1].distance && index < totals->worst[i - 1].index)))
    i--;
  if (i == SEAM_DIFFERENCE_WORST)
    return;
  totals->n_worst = MIN (totals->n_worst + 1, SEAM_DIFFERENCE_WORST);
  memmove (&totals->worst[i + 1], &totals->worst[i],
           (gsize)(totals->n_worst - i - 1) * sizeof (SeamTotalsWorst));
  totals->worst[i] = (SeamTotalsWorst){ distance, index, a, b, bound };
}

void
seam_totals_add_pair (SeamTotals *totals, SeamDifference *difference, gint64 cell, gint64 index,
                      double a, double b, double bound)
{
  float *worst = &difference->cells[cell];

  if (seam_element_fails (&difference->spec, a, b, bound)) {
    totals->n_failing++;
    if (difference->failing[cell] < G_MAXUINT32)
      difference->failing[cell]++;
    seam_difference_mark (difference, index);
  }
  if (isfinite (a) && isfinite (b)) {
    double distance = fabs (a - b);
    double scale = fabs (b);
    guint32 n_ulps = seam_ulp_count (a, b);
    totals->n_finite++;
    totals->sum_abs += distance;
    totals->max_abs = MAX (totals->max_abs, distance);
    totals->max_abs_b = MAX (totals->max_abs_b, scale);
    totals->max_error_ratio = MAX (totals->max_error_ratio, distance / MAX (1.0, scale));
    if (!isnan (*worst) && (float)distance > *worst)
      *worst = (float)distance;
    difference->ulps[cell] = MAX (difference->ulps[cell], n_ulps);
    double rank = seam_totals_rank (&difference->spec, distance, b, bound);
    if (rank > seam_totals_get_threshold (totals))
      seam_totals_add_worst (totals, rank, index, a, b, bound);
    seam_totals_count (totals, distance, b, n_ulps);
    return;
  }
  totals->n_nan_a += isnan (a) != 0;
  totals->n_nan_b += isnan (b) != 0;
  totals->n_infinite_a += isinf (a) != 0;
  totals->n_infinite_b += isinf (b) != 0;
  *worst = NAN;
  if (is_bad_pair (&difference->spec, a, b, bound))
    seam_totals_add_worst (totals, INFINITY, index, a, b, bound);
}

void
seam_totals_merge (SeamTotals *totals, const SeamTotals *part)
{
  for (int i = 0; i < part->n_worst; i++)
    seam_totals_add_worst (totals, part->worst[i].distance, part->worst[i].index, part->worst[i].a,
                           part->worst[i].b, part->worst[i].bound);
  for (int i = 0; i < SEAM_HISTOGRAM_BINS; i++)
    totals->histogram[i] += part->histogram[i];
  for (int i = 0; i < SEAM_HISTOGRAM_ULPS; i++)
    totals->histogram_ulps[i] += part->histogram_ulps[i];
  for (int i = 0; i < SEAM_HISTOGRAM_ERRORS; i++)
    totals->histogram_shares[i] += part->histogram_shares[i];
  totals->sum_ulps += part->sum_ulps;
  totals->sum_squares += part->sum_squares;
  totals->sum_squares_b += part->sum_squares_b;
  totals->n_failing += part->n_failing;
  totals->n_unjudged += part->n_unjudged;
  totals->n_shown += part->n_shown;
  totals->n_nan_a += part->n_nan_a;
  totals->n_nan_b += part->n_nan_b;
  totals->n_infinite_a += part->n_infinite_a;
  totals->n_infinite_b += part->n_infinite_b;
  totals->n_finite += part->n_finite;
  totals->sum_abs += part->sum_abs;
  totals->max_abs = MAX (totals->max_abs, part->max_abs);
  totals->max_abs_b = MAX (totals->max_abs_b, part->max_abs_b);
  totals->max_error_ratio = MAX (totals->max_error_ratio, part->max_error_ratio);
  if (part->max_bound_ratio > totals->max_bound_ratio
      || (part->max_bound_ratio == totals->max_bound_ratio
          && part->bound_index < totals->bound_index)) {
    totals->max_bound_ratio = part->max_bound_ratio;
    totals->bound_index = part->bound_index;
  }
}

void
seam_totals_finish (const SeamTotals *totals, SeamDifference *difference)
{
  difference->n_failing = totals->n_failing;
  difference->n_unjudged = totals->n_unjudged;
  difference->rms_abs =
      totals->n_finite > 0 ? sqrt (totals->sum_squares / (double)totals->n_finite) : 0;
  difference->rms_b =
      totals->n_finite > 0 ? sqrt (totals->sum_squares_b / (double)totals->n_finite) : 0;
  difference->n_nan_a = totals->n_nan_a;
  difference->n_nan_b = totals->n_nan_b;
  difference->n_infinite_a = totals->n_infinite_a;
  difference->n_infinite_b = totals->n_infinite_b;
  difference->max_abs = totals->max_abs;
  difference->mean_abs = totals->n_finite > 0 ? totals->sum_abs / (double)totals->n_finite : 0;
  difference->max_abs_b = totals->max_abs_b;
  difference->max_rel = totals->max_abs_b > 0 ? totals->max_abs / totals->max_abs_b
                        : totals->max_abs > 0 ? INFINITY
                                              : 0;
  difference->mean_rel = totals->max_abs_b > 0      ? difference->mean_abs / totals->max_abs_b
                         : difference->mean_abs > 0 ? INFINITY
                                                    : 0;
  difference->max_error_ratio = totals->max_error_ratio;
  seam_difference_finish_ulps (difference, totals->sum_ulps, totals->n_finite);
  difference->n_worst = totals->n_worst;
  for (int i = 0; i < totals->n_worst; i++)
    difference->worst[i] = (SeamWorstElement){ totals->worst[i].index, totals->worst[i].a,
                                               totals->worst[i].b, totals->worst[i].bound };
  difference->worst_index = totals->n_worst > 0 ? difference->worst[0].index : -1;
  difference->worst_a = totals->n_worst > 0 ? difference->worst[0].a : 0;
  difference->worst_b = totals->n_worst > 0 ? difference->worst[0].b : 0;
  if (difference->histogram == NULL)
    difference->histogram = g_new (gint64, SEAM_HISTOGRAM_BINS);
  memcpy (difference->histogram, totals->histogram, sizeof totals->histogram);
  memcpy (difference->histogram_ulps, totals->histogram_ulps, sizeof totals->histogram_ulps);
}

void
seam_totals_finish_bound (const SeamTotals *totals, SeamDifference *difference)
{
  memcpy (difference->histogram_shares, totals->histogram_shares, sizeof totals->histogram_shares);
  difference->n_shown = totals->n_shown;
  difference->max_bound_ratio = totals->max_bound_ratio;
  difference->bound_index = totals->max_bound_ratio > 0 ? totals->bound_index : -1;
}
