/* SPDX-License-Identifier: MIT
 *
 * The CUDA source of a segment without a library op: readable C++ that includes kernels/ops.h and
 * the loops of kernels/cuda. Pure text; compiled by compiler.h.
 */
#pragma once

#include "app/backend/segment.h"
#include "app/pipeline/problem.h"
#include "kernels/cuda/geometry.h"

#define GENERATED_MAX_KERNELS 2

typedef struct {
  char *source;
  int n_kernels;
  char *names[GENERATED_MAX_KERNELS]; /* names of the functions */
  SeamCudaGeometry geometries[GENERATED_MAX_KERNELS];
  SeamCudaArguments arguments; /* the shape is filled in; the caller fills in the tensors */
  int n_vectors;
  int vectors[SEAM_MAX_PARAMS]; /* tensor numbers of arguments.vectors */
} Generated;

/* SEAM_ERROR_UNSUPPORTED if the tensor has more tiles than a launch has blocks. */
Generated *generated_new (const SeamProblem *problem, const SeamPlan *plan,
                          const SeamSegment *segment, GError **error);
void generated_free (Generated *generated);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Generated, generated_free)

typedef enum {
  GENERATED_TAIL_EXACT = 0,
  GENERATED_TAIL_GROUPNORM = 1 << 0, /* a GroupNorm follows in the same kernel */
  GENERATED_TAIL_ROUNDED = 1 << 1    /* tail of a product of rounded operands: see the .c file */
} GeneratedTailFlags;

/* Whether the results of such a tail lie from -1 to 1, because its last op becomes a tanh. */
gboolean generated_has_bounded_tail (const SeamChain *chain, int first, int last,
                                     GeneratedTailFlags flags);

/* Appends the elementwise ops first … last (none if last < first) after a matrix op as the source
 * of `struct Tail` for hand-written kernels (kernels/cuda/hand). Returns the number of its vectors,
 * whose tensor numbers go to `vectors` (SEAM_MAX_PARAMS of them). */
int generated_append_tail (const SeamProblem *problem, const SeamPlan *plan, int first, int last,
                           GeneratedTailFlags flags, GString *text, int *vectors);

/* Sets shape and GroupNorm fields of an argument block; also for precompiled kernels. */
void generated_set_shape (SeamCudaArguments *arguments, const SeamProblem *problem,
                          const SeamChain *chain, const SeamSegment *segment);
