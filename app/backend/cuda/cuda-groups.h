/* SPDX-License-Identifier: MIT
 *
 * Decides how a group will be executed: by which implementation, in which segments, with which
 * sentence for people. supports() reports the decision, prepare() carries it out.
 */
#pragma once

#include "app/backend/cuda/hand-choice.h"
#include "app/backend/segment.h"

/* The library that computes a matrix op. */
typedef enum {
  LIBRARY_NONE,
  LIBRARY_CUDNN,
  LIBRARY_CUBLASLT,
  LIBRARY_CUDNN_ALONE = LIBRARY_CUDNN
} Library;

Library group_op_get_library (const SeamOp *op);

typedef struct {
  SeamSupport support;
  SeamSegments segments;
  gboolean fused;     /* cuDNN takes elementwise ops along with the convolution */
  gboolean each;      /* every op is a launch of its own: of a library, or of nest-kernels.h */
  gboolean half_sums; /* an exhibit, or plainly: a kernel of this program replaces the library */
  HandChoice hand;
} GroupScheme;

/* `allow_fused` FALSE: decides as if cuDNN could not fuse, which prepare() uses as a fallback. */
void group_scheme_make (CudaDevice *device, const SeamGroupSpec *spec, gboolean allow_fused,
                        GroupScheme *scheme);
void group_scheme_clear (GroupScheme *scheme);

/* Appends the implementations that a plan can name for a group on a GPU. */
void group_list_implementations (SeamDeviceInfo *info);

/* Whether a segment is one op for the precompiled kernels. */
gboolean group_scheme_is_precompiled (const SeamGroupSpec *spec, const GroupScheme *scheme,
                                      const SeamSegment *segment);
/* Whether a person's text replaces this segment's kernel, hand-written or generated. */
gboolean group_scheme_is_edited (const SeamGroupSpec *spec, const GroupScheme *scheme,
                                 const SeamSegment *segment);
