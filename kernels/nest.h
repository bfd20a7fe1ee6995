/* SPDX-License-Identifier: MIT
 *
 * Sizes of the loop nests that compute one op of any class, in the same words for the CPU's loops
 * (kernels/cpu/nests.h) and the GPU's kernels (kernels/cuda/nests.cuh). app/backend/nest.c fills
 * them in. Plain C that gcc, nvcc and NVRTC accept.
 */
#ifndef SEAM_NEST_H
#define SEAM_NEST_H

#include "kernels/ops.h"

typedef long SeamSize; /* 64 bits */

/* Axes of a value, and what a map reads of each place. */
#define SEAM_NEST_AXES 5
typedef enum {
  SEAM_NEST_X, /* the value before it */
  SEAM_NEST_T, /* its second value */
  SEAM_NEST_V, /* its vector */
  SEAM_NEST_A, /* its number, if a parameter has it */
  SEAM_N_NEST_OPERANDS
} SeamNestOperand;

/* A map over the output's axes, row-major; a step is that of an operand along an axis, 0 where it
 * repeats. Neighbouring axes along which all operands go on in the same way are one. */
typedef struct {
  int n_axes; /* at least 1 */
  SeamSize counts[SEAM_NEST_AXES], steps[SEAM_N_NEST_OPERANDS][SEAM_NEST_AXES];
} SeamNestMap;

/* The axes of a tensor as kept ones and reduced ones in turn, neighbours of one kind taken
 * together: [k0, r0, k1, r1, k2, r2], row-major; axes that are not there have size 1. Each index of
 * the kept axes has a set of elements. */
typedef struct {
  SeamSize sizes[6], strides[6];
} SeamSets;

/* A pool over the last three axes of [outer, d, h, w]; axes that it does not work on have kernel
 * and stride 1. */
typedef struct {
  SeamSize in[3], out[3], kernel[3], stride[3], padding[3];
  SeamReduction reduction;
  int counts_padding; /* a mean divides by the window's places in the padding, too */
} SeamWindow;

/* A convolution of any rank up to 3, on the same axes: in [c, in], out [k, out], weight [k, c, r]
 * or, transposed, [c, k, r]. */
typedef struct {
  SeamSize c, k;
  SeamSize in[3], out[3], kernel[3], stride[3], padding[3];
  int is_transposed;
} SeamGeneral;

#endif
