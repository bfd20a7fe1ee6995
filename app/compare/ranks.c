/* SPDX-License-Identifier: MIT
 *
 * The rank-sum test over stretches of two runs. Its probabilities are counted, not approximated:
 * stretches are few.
 */
#include "app/compare/ranks.h"

#include "app/base/doubles.h"
#include "app/base/series.h"

#include <math.h>
#include <string.h>

/* Effective samples of a stretch: more than one, because their number is an estimate. */
#define STRETCH 1.5

/* Twice the largest possible rank sum of 2 * SEAM_RANKS_MOST ranks. */
#define MAX_SUM (SEAM_RANKS_MOST * 2 * SEAM_RANKS_MOST)

/* Writes the medians of a run's stretches to `medians`; returns their number. */
static int
cut (const SeamPlanResult *plan, double *medians)
{
  if (plan->samples == NULL || plan->n_samples < SEAM_RANKS_LEAST_SAMPLES)
    return 0;
  g_autofree double *sorted = g_new (double, plan->n_samples);
  for (int i = 0; i < plan->n_samples; i++)
    sorted[i] = plan->samples[i].elapsed_ns;
  int n =
      (int)fmin (SEAM_RANKS_MOST, seam_series_get_effective (sorted, plan->n_samples) / STRETCH);
  for (int i = 0; i < n; i++) {
    int first = (int)((gint64)plan->n_samples * i / n);
    int size = (int)((gint64)plan->n_samples * (i + 1) / n) - first;

    for (int k = 0; k < size; k++)
      sorted[k] = plan->samples[first + k].elapsed_ns;
    qsort (sorted, (gsize)size, sizeof *sorted, seam_compare_doubles);
    medians[i] = (sorted[(size - 1) / 2] + sorted[size / 2]) / 2;
  }
  return n;
}

/* P (U <= u) for equal plans, U being the number of pairs in which the first is longer: the share
 * of the ways to choose n_a of all ranks whose sum is at most that of u. */
static double
get_tail (int n_a, int n_b, double u)
{
  double ways[SEAM_RANKS_MOST + 1][MAX_SUM + 1];
  double below = 0, all = 0;

  memset (ways, 0, sizeof ways);
  ways[0][0] = 1;
  for (int rank = 1; rank <= n_a + n_b; rank++)
    for (int chosen = MIN (rank, n_a); chosen >= 1; chosen--)
      for (int sum = MAX_SUM; sum >= rank; sum--)
        ways[chosen][sum] += ways[chosen - 1][sum - rank];
  for (int sum = 0; sum <= MAX_SUM; sum++) {
    all += ways[n_a][sum];
    if (sum - n_a * (n_a + 1) / 2 <= u)
      below += ways[n_a][sum];
  }
  return below / all;
}

void
seam_ranks_count (const SeamPlanResult *a, const SeamPlanResult *b, SeamRanks *ranks)
{
  double of_a[SEAM_RANKS_MOST], of_b[SEAM_RANKS_MOST], u = 0;

  *ranks = (SeamRanks){ .share_a_longer = NAN, .probability = 1 };
  ranks->n_a = cut (a, of_a);
  ranks->n_b = cut (b, of_b);
  if (ranks->n_a < SEAM_RANKS_LEAST || ranks->n_b < SEAM_RANKS_LEAST)
    return;
  for (int i = 0; i < ranks->n_a; i++)
    for (int k = 0; k < ranks->n_b; k++)
      u += of_a[i] > of_b[k] ? 1 : of_a[i] < of_b[k] ? 0 : .5;
  ranks->share_a_longer = u / (ranks->n_a * ranks->n_b);
  /* The distribution is symmetric. A half pair counts against the claim. */
  u = fmin (u, ranks->n_a * ranks->n_b - u);
  ranks->probability = fmin (1, 2 * get_tail (ranks->n_a, ranks->n_b, ceil (u)));
}
