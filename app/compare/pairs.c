/* SPDX-License-Identifier: MIT
 *
 * The sign test over pairs of neighbouring samples. In the order A B B A, a drift favours each plan
 * in every other pair, so it cancels out; an outlier counts as one pair, however large it is.
 */
#include "app/compare/pairs.h"

#include <math.h>

/* Standard deviations of a normal distribution with half a per cent beyond them on either side. */
#define DEVIATIONS 2.576

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

  *pairs = (SeamPairs){ .probability = 1 };
  for (int i = 0; i < n; i++) {
    double of_a = a->samples[i].elapsed_ns, of_b = b->samples[i].elapsed_ns;

    pairs->n += of_a > of_b || of_a < of_b;
    pairs->n_a_longer += of_a > of_b;
  }
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
