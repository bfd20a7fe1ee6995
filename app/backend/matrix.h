/* SPDX-License-Identifier: MIT
 *
 * The sizes of a matrix op as libraries and hand-written kernels take them, which know the same
 * names for convolution and matmul. Everybody else asks values for their shapes.
 */
#pragma once

#include "app/pipeline/problem.h"

/* A matmul is a 1x1 convolution of a 1x1 image. */
typedef struct {
  gint64 n;       /* batch, or rows */
  gint64 c, h, w; /* input channels (in_features), height, width (1, 1) */
  gint64 k;       /* output channels, or out_features */
  gint64 r;       /* kernel size (1) */
  gint64 p, q;    /* output height and width (1, 1) */
  gint64 groups;  /* of the chain's GroupNorm; 1 if there is none */
} SeamMatrixDims;

/* Of op number `op` of the main chain, a convolution of an image or a matmul. */
SeamMatrixDims seam_matrix_get_dims (const SeamProblem *problem, int op);
