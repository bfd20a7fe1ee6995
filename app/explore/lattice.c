/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of lattice.h: sums and minima over nodes, and dynamic programming for the path.
 */
#include "app/explore/lattice.h"

#include <math.h>

static guint32
count_nodes (int n_seams)
{
  return 1u << CLAMP (n_seams, 0, SEAM_LATTICE_MAX_SEAMS);
}

static double
least_of (double least, double value)
{
  return isnan (value) || least <= value ? least : value;
}

void
seam_lattice_get_worth (int n_seams, const double *times, const double *halves, int seam,
                        SeamSeamWorth *worth)
{
  guint32 bit = 1u << seam, n_nodes = count_nodes (n_seams);
  double sum = 0, best_cut = NAN, best_fused = NAN;

  *worth = (SeamSeamWorth){ NAN, NAN, NAN, NAN, NAN, 0, 0 };
  for (guint32 node = 0; node < n_nodes; node++) {
    if (node & bit) {
      best_fused = least_of (best_fused, times[node]);
      continue;
    }
    best_cut = least_of (best_cut, times[node]);
    double saved = times[node] - times[node | bit];
    if (node == 0)
      worth->alone = saved;
    if (isnan (saved))
      continue;
    sum += saved;
    worth->half =
        hypot (worth->half, halves != NULL ? hypot (halves[node], halves[node | bit]) : NAN);
    worth->n_contexts++;
    worth->least = least_of (worth->least, saved);
    worth->most = -least_of (-worth->most, -saved);
  }
  if (worth->n_contexts > 0)
    worth->mean = sum / worth->n_contexts;
  worth->half /= worth->n_contexts; /* 0 / 0 is NaN */
  worth->in_company = best_cut - best_fused;
}

double
seam_lattice_get_interaction (int n_seams, const double *times, int first, int second)
{
  guint32 a = 1u << first, b = 1u << second, n_nodes = count_nodes (n_seams);
  double sum = 0;
  int n = 0;

  if (first == second)
    return NAN;
  for (guint32 node = 0; node < n_nodes; node++) {
    if (node & (a | b))
      continue;
    /* (none - both) - (none - a) - (none - b) */
    double extra = times[node | a] + times[node | b] - times[node] - times[node | a | b];
    if (isnan (extra))
      continue;
    sum += extra;
    n++;
  }
  return n > 0 ? sum / n : NAN;
}

gboolean
seam_lattice_find_path (int n_seams, const double *times, guint32 to, guint32 *path)
{
  guint32 n_nodes = count_nodes (n_seams);
  g_autofree double *sums = g_new (double, n_nodes);
  g_autofree guint32 *from = g_new0 (guint32, n_nodes);

  /* Fusing one more seam gives a larger number, so that one pass in ascending order is enough. */
  for (guint32 node = 0; node < n_nodes; node++) {
    double best = node == 0 ? 0 : NAN;

    for (int seam = 0; seam < n_seams; seam++) {
      guint32 before = node & ~(1u << seam);
      if (before != node && (isnan (best) || sums[before] < best)) {
        best = sums[before];
        from[node] = before;
      }
    }
    sums[node] = best + times[node];
  }
  if (isnan (sums[to]))
    return FALSE;
  for (int i = __builtin_popcount (to); i >= 0; i--) {
    path[i] = to;
    to = from[to];
  }
  return TRUE;
}

int
seam_lattice_find_best (int n_nodes, const double *times)
{
  int best = -1;

  for (int i = 0; i < n_nodes; i++)
    if (!isnan (times[i]) && (best < 0 || times[i] < times[best]))
      best = i;
  return best;
}

static gboolean
is_known (const double *objectives)
{
  for (int i = 0; i < SEAM_N_OBJECTIVES; i++)
    if (isnan (objectives[i]))
      return FALSE;
  return TRUE;
}

static gboolean
dominates (const double *a, const double *b)
{
  gboolean is_better = FALSE;

  for (int i = 0; i < SEAM_N_OBJECTIVES; i++) {
    if (a[i] > b[i])
      return FALSE;
    is_better = is_better || a[i] < b[i];
  }
  return is_better;
}

void
seam_lattice_mark_pareto (int n_nodes, const double (*objectives)[SEAM_N_OBJECTIVES],
                          gboolean *is_pareto)
{
  for (int i = 0; i < n_nodes; i++) {
    is_pareto[i] = is_known (objectives[i]);
    for (int j = 0; is_pareto[i] && j < n_nodes; j++)
      if (j != i && is_known (objectives[j]) && dominates (objectives[j], objectives[i]))
        is_pareto[i] = FALSE;
  }
}
