/* SPDX-License-Identifier: MIT
 *
 * Every partition of a pipeline's chain at one shape, as a search, and what the times show: the
 * best node, the value of each seam, the best path and the Pareto set. Nodes are masks: if bit i is
 * set, seam i is fused.
 */
#pragma once

#include "app/base/owner.h"
#include "app/explore/lattice.h"
#include "app/explore/search.h"

/* All 2^n partitions of chain 0, with the implementation of each group that the target chooses;
 * point m is mask m. All are compared with mask 0. All-cut and all-fused come first, then the
 * neighbours of both, then the rest, fastest prediction first. The request's plans are ignored.
 * SEAM_ERROR_INPUT: the chain has more than SEAM_LATTICE_MAX_SEAMS seams. */
SeamSearch *seam_explore_new (const SeamRunRequest *request, GError **error);

typedef struct {
  int n_seams, n_nodes;
  double *times_ns; /* as from seam_search_get_times(); NaN: not measured, or output wrong. Owned */
  gboolean *is_pareto; /* time, kernels, bytes, error level; owned */
  int best;            /* the fastest node; -1: none */
  int rival;  /* the fastest that it is not ahead of, see seam_point_is_ahead(); -1: none */
  int n_path; /* nodes of the path; 0: none */
  guint32 path[SEAM_LATTICE_MAX_SEAMS + 1]; /* from all-cut to all-fused, or else to the best */
  /* Left out of a picture of many nodes: the target refuses it, or runs a group in several
   * launches. Owned */
  gboolean *is_hidden;
  int n_hidden;
  SeamSeamWorth worth[SEAM_LATTICE_MAX_SEAMS];
  gboolean worth_is_clear[SEAM_LATTICE_MAX_SEAMS]; /* its mean, as part of the unfused time */
  double interaction[SEAM_LATTICE_MAX_SEAMS][SEAM_LATTICE_MAX_SEAMS];
  /* The time that the traffic of each seam alone takes at the full memory rate; NaN: unknown. */
  double traffic_ns[SEAM_LATTICE_MAX_SEAMS];
} SeamExploreView;

/* A view of more nodes hides those that are not legal. */
#define SEAM_EXPLORE_SHOWS_ALL 64

SeamExploreView *seam_explore_view_new (const SeamSearch *search);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamExploreView, seam_owner_free)
gboolean seam_explore_view_is_on_path (const SeamExploreView *view, int node);
/* Fills `path` with the best path from all-cut to `to`, by guesses where nothing is measured yet;
 * returns its number of nodes, 0: there is none. */
int seam_explore_find_path (const SeamSearch *search, const SeamExploreView *view, guint32 to,
                            guint32 *path);
/* "192 of 256 partitions cannot run here and are not shown: 128 because “conv” is …"; newly
 * allocated, NULL: no node is hidden. */
char *seam_explore_describe_hidden (const SeamSearch *search, const SeamExploreView *view);

/* Errors in the steps in which the Pareto set compares them: 0 up to the rounding of FP32, then one
 * step a decade. NaN: unknown. */
double seam_explore_get_error_level (double max_error_ratio);

/* "conv2d | conv_bias": newly allocated. */
char *seam_explore_name_seam (const SeamPipeline *pipeline, int seam);
