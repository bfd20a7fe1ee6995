/* SPDX-License-Identifier: MIT
 *
 * How a group will be executed: which implementation, cut into which segments, and what to say
 * about it. supports() tells people, prepare() does it.
 */
#pragma once

#include "app/backend/cuda/hand-choice.h"
#include "app/backend/segment.h"

G_BEGIN_DECLS

/* What computes a matrix op. */
typedef enum { LIBRARY_NONE, LIBRARY_CUDNN, LIBRARY_CUBLASLT } Library;

Library group_op_get_library (const SeamOp *op);

typedef struct {
  SeamSupport support;
  SeamSegments segments;
  gboolean fused;     /* cuDNN takes elementwise ops along with the convolution */
  gboolean half_sums; /* an exhibit: the library op is this program's, with sums in FP16 */
  HandChoice hand;
} GroupScheme;

/* `allow_fused` FALSE: as if cuDNN could not fuse (prepare() falls back to this). */
void group_scheme_make (CudaDevice *device, const SeamGroupSpec *spec, gboolean allow_fused,
                        GroupScheme *scheme);
void group_scheme_clear (GroupScheme *scheme);

/* Appends what a plan can name for a group on a GPU. */
void group_list_implementations (SeamDeviceInfo *info);

/* Whether a segment is one op for the precompiled kernels. */
gboolean group_scheme_is_precompiled (const SeamGroupSpec *spec, const GroupScheme *scheme,
                                      const SeamSegment *segment);
/* Whether the person's text is executed in this segment's place: a hand-written kernel's, or that
 * of the generated one. */
gboolean group_scheme_is_edited (const SeamGroupSpec *spec, const GroupScheme *scheme,
                                 const SeamSegment *segment);

G_END_DECLS
