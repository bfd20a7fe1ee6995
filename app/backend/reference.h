/* SPDX-License-Identifier: MIT
 *
 * Private to the FP64 reference: parts of values, and one op on them.
 */
#pragma once

#include "app/backend/backend.h"
#include "app/backend/bound.h"

/* A box of a value, contiguous in `values`, and its bounds (NULL without a rule). */
typedef struct {
  SeamShape shape; /* of the whole value */
  SeamBox box;
  gint64 strides[SEAM_MAX_DIMS];
  double *values, *bounds;
} SeamPart;

typedef struct {
  SeamOpCase c;
  const SeamPart *in[SEAM_MAX_OP_INPUTS];
  const float *params[SEAM_MAX_OP_PARAMS]; /* whole; NULL: none */
  const SeamBoundRule *rule;               /* NULL: no bounds */
  int index;                               /* of the op in the chain */
  gboolean in_parts;                       /* by all threads */
  SeamCancel *cancel;
} SeamReferenceOp;

/* Computes the op's output in the box of `out`. Its inputs contain what that needs. FALSE: no
 * memory. */
gboolean seam_reference_run_op (const SeamReferenceOp *o, SeamPart *out);
/* Turns the sums of squares of a matrix op's whole planes, which are in the place of bounds, into
 * bounds. */
void seam_reference_finish_sums (const SeamReferenceOp *o, SeamPart *out);
