/* SPDX-License-Identifier: MIT
 *
 * Places of all parts of the lattice, and its texts: no colour, no surface. Internal to app/figure/
 * and its test.
 */
#pragma once

#include "app/figure/legend.h"
#include "app/figure/lattice-figure.h"

typedef enum {
  SEAM_NODE_PENDING,
  SEAM_NODE_RIGHT,   /* error no larger than FP32's rounding */
  SEAM_NODE_LOOSE,   /* larger error, but within the limits */
  SEAM_NODE_WRONG,   /* over their limit */
  SEAM_NODE_NO_TIME, /* impossible, or it failed */
  SEAM_N_NODE_STATES
} SeamNodeState;

/* Legend entries besides states. */
enum { SEAM_LATTICE_PARETO = SEAM_N_NODE_STATES, SEAM_LATTICE_PATH };

typedef struct {
  SeamNodeState state;
  guint32 fused;
  double x, y;   /* middle of the mark */
  double side;   /* of the square, or diameter of the disc */
  double t;      /* position on the scale, 0 fastest, 1 slowest */
  SeamRect area; /* mark, strip and text, which can be hit */
  SeamRect strip;
  char *text; /* "1.22"; for a pending node "(0.31)"; "" if there is none */
  double text_y;
  gboolean is_pareto, is_best, on_path;
} SeamLatticeNode;

typedef struct {
  int from, to; /* nodes; `to` has one seam more */
  gboolean on_path;
} SeamLatticeEdge;

#define SEAM_LATTICE_MAX_EDGES 192 /* 64 nodes, 6 seams: 6 * 32 */

typedef struct {
  double width, height, left;
  int n_ops, n_seams, n_nodes, n_edges;
  SeamOpKind kinds[SEAM_MAX_OPS];
  SeamLatticeNode nodes[SEAM_LATTICE_MAX_NODES];
  SeamLatticeEdge edges[SEAM_LATTICE_MAX_EDGES];
  double row_y[SEAM_MAX_OPS]; /* middle of the marks, for each number of fused seams */
  char *row_labels[SEAM_MAX_OPS];
  SeamAxis axis;     /* times along the colour bar; no ticks if nothing comparable is measured */
  SeamRect key, bar; /* colour bar with legend; colour bar alone */
  SeamLegend legend;
  char *best[2]; /* two lines about the best node, or NULL */
  char *unfused; /* beside the bottom node, or NULL */
  double best_x, best_y, best_width;
} SeamLatticeLayout;

SeamLatticeLayout *seam_lattice_layout_new (const SeamSearch *search, const SeamExploreView *view,
                                            const SeamLatticeOptions *options);
