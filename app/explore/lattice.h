/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on the lattice of partitions: a chain of n seams has 2^n of them, node m fuses the
 * seams whose bits are set in m. What each seam is worth on its own and in company, how two of them
 * work together, the best path from all-cut to all-fused, and which nodes nothing else dominates.
 * Pure functions over times; a time that is not known is NaN.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define SEAM_LATTICE_MAX_SEAMS 11 /* SEAM_MAX_OPS - 1 */

/* What fusing one seam saves, in the unit of the times; positive: fused is faster. NaN: unknown. */
typedef struct {
  double alone;       /* fused into the plan that has every seam cut */
  double mean;        /* over all contexts: pairs of nodes that differ in this seam alone */
  double in_company;  /* the best node with it cut against the best node with it fused */
  double least, most; /* over all contexts */
  int n_contexts;     /* pairs of which both are known, of 2^(n - 1) */
} SeamSeamWorth;

void seam_lattice_get_worth (int n_seams, const double *times, int seam, SeamSeamWorth *worth);

/* What both seams fused save beyond the sum of what each saves, mean over all contexts: 0, they do
 * not touch each other; positive, each makes the other worth more. NaN: unknown. */
double seam_lattice_get_interaction (int n_seams, const double *times, int first, int second);

/* The chain of n_seams + 1 nodes from all-cut to all-fused, one seam a step, with the least sum of
 * times. FALSE when no chain of known nodes leads there. */
gboolean seam_lattice_find_path (int n_seams, const double *times, guint32 *path);

/* The node of the least time, or -1. */
int seam_lattice_find_best (int n_nodes, const double *times);

#define SEAM_N_OBJECTIVES 4

/* Marks the nodes for which no other one is as good in every objective and better in one; less is
 * better. A node with an unknown objective is never marked and dominates none. */
void seam_lattice_mark_pareto (int n_nodes, const double (*objectives)[SEAM_N_OBJECTIVES],
                               gboolean *is_pareto);

G_END_DECLS
