/* SPDX-License-Identifier: MIT
 *
 * Which hand-written version executes how much of a group: what the scheme of a group knows of
 * hand.h.
 */
#pragma once

#include "app/backend/cuda/device.h"

G_BEGIN_DECLS

struct Preparation;

#define HAND_MAX_VECTORS 6

/* What a version is asked to execute: the library op and the elementwise ops after it, with or
 * without the GroupNorm that follows them. */
typedef struct {
  const SeamGroupSpec *spec;
  gboolean convolution;
  int first, last;      /* ops */
  int last_elementwise; /* = first when there are none */
  int groupnorm;        /* op, or -1 */
  SeamMathMode math_mode;
} HandProblem;

typedef struct {
  SeamImplementation name; /* what chooses it; HAND: only by preference */
  /* Whether it runs on this GPU for this problem; if not, a sentence (newly allocated). */
  gboolean (*fits) (CudaDevice *device, const HandProblem *problem, char **reason);
  gboolean (*add) (struct Preparation *p, const HandProblem *problem, GError **error);
  int (*count_kernels) (const HandProblem *problem);
} HandVersion;

typedef struct {
  const HandVersion *version; /* NULL: none */
  HandProblem problem;
} HandChoice;

G_END_DECLS
