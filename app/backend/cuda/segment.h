/* SPDX-License-Identifier: MIT
 *
 * A group cut into what one library call or one generated kernel (or pair of GroupNorm passes) can
 * do: the library op with what its epilogue takes along, then runs of elementwise ops with at most
 * one GroupNorm each. Pure: knows tensors by number and launches nothing.
 */
#pragma once

#include "app/plan/plan.h"

G_BEGIN_DECLS

typedef struct {
  int first, last;  /* ops of the chain */
  gboolean library; /* starts with conv2d or matmul */
  int groupnorm;    /* op, or -1 */
  int n_inputs;
  int inputs[SEAM_MAX_OPS]; /* tensor numbers; the first is the chain's value */
  int n_outputs;
  int outputs[SEAM_MAX_OPS]; /* tensor numbers, ascending; the last op's output is the last */
} Segment;

typedef struct {
  int n;
  Segment segments[SEAM_MAX_OPS];
} Segments;

/* `n_library`: ops that the library call takes when the group starts with one (at least 1). */
void segments_build (const SeamPlan *plan, int group, int n_library, Segments *segments);

/* Whether ops first + 1 … last of a library call can be taken along: none of the outputs before
 * the last is needed by anybody else. */
gboolean segment_can_absorb (const SeamPlan *plan, int group, int last);

G_END_DECLS
