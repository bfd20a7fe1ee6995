/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on the lattice of partitions. A chain of n seams has 2^n partitions; node m fuses the
 * seams whose bits are set in m. The functions tell what each seam saves on its own and together
 * with others, how two seams interact, the best path from all-cut to all-fused, and the nodes that
 * no other node dominates. They are pure functions of times; an unknown time is NaN.
 */
#pragma once

#include <glib.h>

#define SEAM_LATTICE_MAX_SEAMS 11

/* What fusing one seam saves, in the unit of the times; positive: the fused plan is faster. NaN:
 * unknown. */
typedef struct {
  double alone;       /* fused into the plan that has every seam cut */
  double mean;        /* over all contexts: pairs of nodes that differ in this seam alone */
  double in_company;  /* the best node with the seam cut against the best node with it fused */
  double least, most; /* over all contexts */
  int n_contexts;     /* pairs with both times known, of 2^(n - 1) */
  double half;        /* of the 95 % interval of the mean, from those of the times: independent, so
                       * that squares add up */
} SeamSeamWorth;

/* `halves`: half of the interval of each time; NULL or NaN: unknown. */
void seam_lattice_get_worth (int n_seams, const double *times, const double *halves, int seam,
                             SeamSeamWorth *worth);

/* What fusing both seams saves beyond the sum of what each one saves, as the mean over all
 * contexts. 0: the seams are independent; positive: each makes the other worth more. NaN:
 * unknown. */
double seam_lattice_get_interaction (int n_seams, const double *times, int first, int second);

/* The path from all-cut to node `to`, one more seam fused at each step, with the least sum of
 * times: one node more than `to` fuses. FALSE if every path has a node of unknown time. */
gboolean seam_lattice_find_path (int n_seams, const double *times, guint32 to, guint32 *path);

/* The node with the least time, or -1. */
int seam_lattice_find_best (int n_nodes, const double *times);

#define SEAM_N_OBJECTIVES 4

/* Marks the nodes that no other node dominates; a node dominates another one if it is as good in
 * every objective and better in one. Less is better. A node with an unknown objective is never
 * marked and dominates none. */
void seam_lattice_mark_pareto (int n_nodes, const double (*objectives)[SEAM_N_OBJECTIVES],
                               gboolean *is_pareto);
