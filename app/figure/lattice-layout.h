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
enum { SEAM_LATTICE_PARETO = SEAM_N_NODE_STATES, SEAM_LATTICE_PATH, SEAM_LATTICE_CHOSEN };

typedef struct {
  SeamNodeState state;
  guint32 fused;
  double x, y;   /* middle of the mark */
  double side;   /* of the square, or diameter of the disc */
  double t;      /* position on the scale, 0 fastest, 1 slowest */
  SeamRect area; /* mark, strip and text, which can be hit */
  SeamRect strip;
  char *text;            /* "1.22"; for a pending node "(0.31)"; "" if there is none */
  double text_y, bottom; /* where edges from below end */
  gboolean is_pareto, is_best, on_path, on_chosen; /* the path to plan B */
  gboolean is_shown, is_mark;                      /* without strip and text */
} SeamLatticeNode;

typedef struct {
  int from, to; /* nodes; `to` has one seam more */
  gboolean on_path, on_chosen;
} SeamLatticeEdge;

typedef struct {
  double y;    /* middle of its full nodes */
  int n_shown; /* a row without nodes has no height */
  int n_lines; /* of marks; 0: all its nodes are full */
  char *label;
} SeamLatticeRow;

typedef struct {
  double width, height, left;
  int n_ops, n_seams, n_nodes, n_edges, n_shown;
  SeamOpKind kinds[SEAM_MAX_OPS];
  SeamLatticeNode *nodes;            /* of each mask; owned, as the next two */
  SeamLatticeEdge *edges;            /* between shown nodes */
  int *order;                        /* the shown nodes row by row from the top */
  SeamLatticeRow rows[SEAM_MAX_OPS]; /* for each number of fused seams */
  gboolean has_marks, has_chosen;    /* some row has marks; there is a path to plan B */
  SeamAxis axis;     /* times along the colour bar; no ticks if nothing comparable is measured */
  SeamRect key, bar; /* colour bar with legend; colour bar alone */
  SeamLegend legend;
  char *best[2]; /* two lines about the best node, or NULL */
  char *unfused; /* beside the bottom node, or NULL */
  double best_x, best_y, best_width;
} SeamLatticeLayout;

SeamLatticeLayout *seam_lattice_layout_new (const SeamSearch *search, const SeamExploreView *view,
                                            const SeamLatticeOptions *options);
