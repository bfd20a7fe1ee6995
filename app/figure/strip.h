/* SPDX-License-Identifier: MIT
 *
 * The strip: a plan as a row of op blocks with their seams, cut (the line goes down to a tensor
 * glyph with its bytes) or fused (blocks meet at a stitch inside one outline). Hits: SEAM_HIT_OP,
 * SEAM_HIT_SEAM (the whole area between two blocks), SEAM_HIT_TENSOR (input and output).
 */
#pragma once

#include "app/figure/figure.h"
#include "app/runner/runner.h"

typedef struct {
  double width;     /* of the whole figure */
  double left;      /* left column for badge, plan menu and counts: 0 in the window, which has
                     * widgets there; 178 in exports, which draw text */
  char letter;      /* 'A' or 'B', drawn in the left column of exports */
  gboolean compact; /* narrow: blocks 75 px, no second line */
  gboolean covered; /* how often a kernel reads a tensor is not said */
} SeamStripOptions;

/* `estimate` may be NULL (no locks, no implementation text). Ops have the same x for all plans of
 * one pipeline and width. Copies what it needs. */
SeamFigure *seam_strip_figure_new (const SeamProblem *problem, const SeamPlan *plan,
                                   const SeamPlanEstimate *estimate,
                                   const SeamStripOptions *options);

/* The one-line strip of other pages, and the chain of a sidebar row (plan NULL: every seam cut):
 * only bands in kind colours, joined where fused. */
SeamFigure *seam_chain_figure_new (const SeamPipeline *pipeline, const SeamPlan *plan,
                                   double block_width, double block_height);

/* The chain of a row in which one searches: a ring around each of the ops `ringed` (bit i: op i),
 * an arc from an earlier value to the op that reads it, and a stroke from above for a further
 * input. */
SeamFigure *seam_marked_chain_figure_new (const SeamPipeline *pipeline, guint32 ringed,
                                          double block_width, double block_height);

/* The legend of kinds (pattern, colour, name) used by a pipeline. */
SeamFigure *seam_kind_legend_figure_new (const SeamPipeline *pipeline, double width);

/* "Seam 1 is cut. conv2d writes 1.06 GB [128, 32, 254, 254]; the next group reads it twice. Fusing
 * would save 2.91 GB of traffic. Click or press Space to fuse." Newly allocated. */
char *seam_strip_describe_seam (const SeamProblem *problem, const SeamPlan *plan,
                                const SeamPlanEstimate *estimate, int seam);
/* "Seam 1, conv2d to conv_bias, cut, 1.06 gigabytes": accessible name. */
char *seam_strip_name_seam (const SeamProblem *problem, const SeamPlan *plan, int seam);
/* The group of an op; -1: none. */
int seam_strip_find_group (const SeamPlan *plan, int op);
