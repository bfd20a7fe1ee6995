/* SPDX-License-Identifier: MIT
 *
 * The lattice of partitions: all-cut at the bottom, all-fused at the top, a row for each number of
 * fused seams, and an edge between partitions that differ in one seam. Colour and size show the
 * time on one logarithmic scale (bright and small is fast); best path, Pareto set and best node are
 * marked. In a row with too many nodes, most are marks without strip and text, in several lines;
 * the best node and the paths to it and to plan B stand before them. Hits: SEAM_HIT_NODE. `hover`
 * shows the edges of a node, `selected` is plan B.
 */
#pragma once

#include "app/explore/explore.h"
#include "app/figure/figure.h"

typedef struct {
  double width;
  double height;     /* height to fill; 0: as much as the rows need */
  gboolean show_all; /* also the nodes that the view hides */
  int selected;      /* plan B, to which a path leads if there are many nodes; 0: none */
} SeamLatticeOptions;

/* Copies what it needs. */
SeamFigure *seam_lattice_figure_new (const SeamSearch *search, const SeamExploreView *view,
                                     const SeamLatticeOptions *options);

/* A node in words: "conv | conv_bias+relu: 1.22 ms, 3.9× faster than unfused; 3 kernels, …". Newly
 * allocated; for tooltips. */
char *seam_lattice_describe_node (const SeamSearch *search, const SeamExploreView *view, int node);
/* "not clearly ahead of conv|relu (0.231 ms)", of the best; NULL if it is. Newly allocated. */
char *seam_lattice_describe_rival (const SeamSearch *search, const SeamExploreView *view);
/* "Seam 1 alone saves 1.87 ms, of which its traffic explains 0.55 ms …", about the seam that saves
 * most: newly allocated, NULL if nothing is measured. */
char *seam_lattice_describe_worth (const SeamSearch *search, const SeamExploreView *view);
