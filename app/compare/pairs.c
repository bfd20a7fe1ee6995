/* SPDX-License-Identifier: MIT
 *
 * Pairs of neighbouring samples. In the order A B B A, a drift favours each plan in every other
 * pair, so it cancels out; in the sign test an outlier counts as one pair, however large it is.
 */
#include "app/compare/pairs.h"

#include <math.h>

/* Standard deviations of a normal distribution with half a per cent beyond them on either side. */
#define DEVIATIONS 2.576

/* A plan against itself, on an NVIDIA H200: at 8 µs the medians of 27 runs differed by 4 to 8.9 %,
 * each time by as much from the first sample to the last, and at 2 ms by 0.06 %. Between them the
 * offset is taken as a fixed time, which is what a few more cache misses are, and as that share. */
#define PLACE_NS    800.
#define PLACE_SHARE .0006

/* P (B <= k), B binomial (n, 1/2). Terms are logarithms, since 2^-n leaves the range of a
 * double. */
static double
get_tail (int n, int k)
{
  double log_term = -n * M_LN2, tail = 0;

  for (int i = 0; i <= k; i++) {
    tail += exp (log_term);
    log_term += log ((double)(n - i) / (i + 1));
  }
  return tail;
}

void
seam_pairs_count (const SeamPlanResult *a, const SeamPlanResult *b, SeamPairs *pairs)
{
  int n = a->samples != NULL && b->samples != NULL ? MIN (a->n_samples, b->n_samples) : 0;
  g_autofree double *logs = g_new (double, MAX (n, 1));

  *pairs = (SeamPairs){ .probability = 1, .least = NAN, .most = NAN };
  for (int i = 0; i < n; i++) {
    double of_a = a->samples[i].elapsed_ns, of_b = b->samples[i].elapsed_ns;

    pairs->n += of_a > of_b || of_a < of_b;
    pairs->n_a_longer += of_a > of_b;
    if (of_a > 0 && of_b > 0 && isfinite (of_a) && isfinite (of_b)) {
      logs[pairs->n_all] = log (of_a / of_b);
      pairs->least = fmin (pairs->least, logs[pairs->n_all]);
      pairs->most = fmax (pairs->most, logs[pairs->n_all++]);
    }
  }
  seam_series_measure (logs, pairs->n_all, &pairs->log_ratio);
  if (pairs->n > 0)
    pairs->probability =
        MIN (1, 2 * get_tail (pairs->n, MIN (pairs->n_a_longer, pairs->n - pairs->n_a_longer)));
}

double
seam_pairs_needed (const SeamPairs *pairs)
{
  double share = pairs->n > 0 ? fabs ((double)pairs->n_a_longer / pairs->n - .5) : 0;
  double needed = share > 0 ? pow (DEVIATIONS / 2 / share, 2) : INFINITY;

  return MAX (needed, SEAM_PAIRS_LEAST) - pairs->n;
}

double
seam_pairs_get_place_offset (const SeamPlanResult *a, const SeamPlanResult *b)
{
  double shorter_ns = fmin (a->median_ns, b->median_ns);

  if (MIN (a->n_places, b->n_places) >= SEAM_PLACES_ENOUGH || !(shorter_ns > 0))
    return 0;
  return log1p (PLACE_NS / shorter_ns + PLACE_SHARE);
}
