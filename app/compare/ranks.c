/* SPDX-License-Identifier: MIT
 *
 * The rank-sum test over stretches of two runs. Its probabilities are counted, not approximated:
 * stretches are few.
 */
#include "app/compare/ranks.h"

#include "app/base/doubles.h"

#include <math.h>
#include <string.h>

/* Runs with fewer samples than this have few samples. */
#define FEW 20

/* Twice the largest possible rank sum of 2 * SEAM_RANKS_MOST ranks. */
#define MAX_SUM (SEAM_RANKS_MOST * 2 * SEAM_RANKS_MOST)

static int
compare_samples (gconstpointer a, gconstpointer b, gpointer data)
{
  const SeamSample *samples = data;

  return seam_compare_doubles (&samples[*(const int *)a].elapsed_ns,
                               &samples[*(const int *)b].elapsed_ns);
}

/* Ranks from 0; equal samples share the mean of their ranks. */
static void
rank_samples (const SeamPlanResult *plan, double *ranks)
{
  g_autofree int *order = g_new (int, plan->n_samples);
  int last;

  for (int i = 0; i < plan->n_samples; i++)
    order[i] = i;
  g_qsort_with_data (order, plan->n_samples, sizeof *order, compare_samples, plan->samples);
  for (int first = 0; first < plan->n_samples; first = last) {
    for (last = first + 1; last < plan->n_samples
                           && compare_samples (&order[first], &order[last], plan->samples) == 0;
         last++)
      ;
    for (int i = first; i < last; i++)
      ranks[order[i]] = (first + last - 1) / 2.0;
  }
}

/* The number of independent samples with the same information: n (1 - r) / (1 + r) for a process in
 * which each sample depends on the previous one with correlation r. It uses the ranks of the
 * samples, so that an outlier does not hide the others. */
static double
get_independent (const SeamPlanResult *plan)
{
  int n = plan->n_samples;
  g_autofree double *ranks = g_new0 (double, n);
  double mean = (n - 1) / 2.0, product = 0, square = 0, r;

  rank_samples (plan, ranks);
  for (int i = 0; i < n; i++) {
    square += (ranks[i] - mean) * (ranks[i] - mean);
    if (i > 0)
      product += (ranks[i] - mean) * (ranks[i - 1] - mean);
  }
  r = square > 0 ? product / square : 0;
  /* Independent samples would show this much by chance. Few samples show a correlation badly, so
   * with few every sign of it counts. */
  if (r < (n < FEW ? 0 : 2 / sqrt (n)))
    return n;
  /* An estimate from few samples is too small, by about (1 + 4 r) / n (Kendall 1954). */
  r = fmin (r + (1 + 4 * r) / n, .99);
  return n * (1 - r) / (1 + r);
}

/* Writes the medians of a run's stretches to `medians`; returns their number. */
static int
cut (const SeamPlanResult *plan, double *medians)
{
  g_autofree double *sorted = NULL;
  int n;

  if (plan->samples == NULL || plan->n_samples < SEAM_RANKS_LEAST_SAMPLES)
    return 0;
  n = (int)fmin (SEAM_RANKS_MOST, get_independent (plan));
  sorted = g_new (double, plan->n_samples);
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
