/* SPDX-License-Identifier: MIT
 *
 * The lattice of partitions: all-cut at the bottom, all-fused at the top, a row by the number of
 * fused seams, an edge where one seam is toggled. Colour and size by time on one logarithmic scale
 * (bright and small is fast); best path, Pareto set and best node are marked. Hits: SEAM_HIT_NODE,
 * index: the mask of fused seams. `hover` shows the edges of a node, `selected` is plan B.
 */
#pragma once

#include "app/explore/explore.h"
#include "app/figure/figure.h"

G_BEGIN_DECLS

/* A picture of more would be a carpet: the table alone says it then. */
#define SEAM_LATTICE_MAX_NODES 64

typedef struct {
  double width;
  double height; /* to fill; 0: as the rows need it */
} SeamLatticeOptions;

/* Copies what it needs. Not for more than SEAM_LATTICE_MAX_NODES nodes. */
SeamFigure *seam_lattice_figure_new (const SeamSearch *search, const SeamExploreView *view,
                                     const SeamLatticeOptions *options);

/* A node in words: "conv | conv_bias+relu: 1.22 ms, 3.9× faster than unfused; 3 kernels, …". Newly
 * allocated; for tooltips. */
char *seam_lattice_describe_node (const SeamSearch *search, const SeamExploreView *view, int node);
/* "Seam 1 alone saves 1.87 ms, of which its traffic explains 0.55 ms …": newly allocated, NULL
 * where nothing is measured. The seam that is worth most. */
char *seam_lattice_describe_worth (const SeamSearch *search, const SeamExploreView *view);

G_END_DECLS
