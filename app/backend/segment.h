/* SPDX-License-Identifier: MIT
 *
 * Segments of a group, each for one library call or one generated kernel (or pair of GroupNorm
 * passes): the library op with the ops of its epilogue, then runs of elementwise ops with at most
 * one GroupNorm each. Pure: knows tensors by number and launches nothing.
 */
#pragma once

#include "app/plan/plan.h"

typedef struct {
  int first, last;  /* ops of the chain */
  gboolean library; /* starts with conv2d or matmul */
  int groupnorm;    /* op, or -1 */
  int n_inputs;
  int inputs[SEAM_MAX_OPS]; /* tensor numbers; the first is the chain's value */
  int n_outputs;
  int outputs[SEAM_MAX_OPS]; /* tensor numbers, ascending; the last op's output is the last */
} SeamSegment;

typedef struct {
  int n;
  SeamSegment segments[SEAM_MAX_OPS];
} SeamSegments;

/* `n_library`: number of ops in the library call if the group starts with one (at least 1); -1:
 * each op is a segment. */
void seam_segments_build (const SeamPlan *plan, int group, int n_library, SeamSegments *segments);

/* Whether a library call can include the ops up to `last`: no other op needs an output before the
 * last. */
gboolean seam_segment_can_absorb (const SeamPlan *plan, int group, int last);
