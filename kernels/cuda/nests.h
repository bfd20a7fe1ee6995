/* SPDX-License-Identifier: MIT
 *
 * The argument block of the kernels in nests.cuh, which compute one op of any class, and the shape
 * of their launches. Plain C that gcc and NVRTC accept.
 */
#ifndef SEAM_CUDA_NESTS_H
#define SEAM_CUDA_NESTS_H

#include "kernels/nest.h"

#define SEAM_NEST_THREADS 256
/* Fewest sets that a block works on side by side where neighbours in memory belong to different
 * sets. */
#define SEAM_NEST_COLUMNS 32
/* Elements of the sets of a block. What is read once comes from a cache the next times. */
#define SEAM_NEST_PART 16384
/* Operands of the maps onto the input of sets. */
#define SEAM_NEST_MAPS 24

/* Where the weight of an element of a normalisation is: */
typedef enum {
  SEAM_NEST_AFFINE_SET,        /* a set has one */
  SEAM_NEST_AFFINE_RUN,        /* the elements of a vector have one */
  SEAM_NEST_AFFINE_NEIGHBOURS, /* they have neighbours */
  SEAM_NEST_AFFINE_ELEMENT     /* each by its own index */
} SeamNestAffine;

typedef struct {
  const void *inputs[SEAM_N_NEST_OPERANDS]; /* of a convolution: input, weight */
  void *output;
  const void *maps[SEAM_NEST_MAPS]; /* of map i: its tensor, vector or number; NULL: has none */
  SeamSize map_channels, map_inner; /* channel of an element: number / map_inner % map_channels */
  const float *weight, *bias, *mean, *variance; /* of a normalisation; NULL: has none */
  double *partials;                             /* [set][part][2]: both passes of a part of a set */
  float scalars[2];
  double epsilon;
  SeamSize n; /* elements of the output; of a normalisation and reduction: sets */
  SeamNestMap map;
  SeamWindow window;
  SeamGeneral general;
  SeamSets sets;
  SeamSize affine_inner, affine_count;
  /* A set's elements are cut into parts, each for a block (or a column of one). */
  SeamSize elements, part;
  unsigned int n_parts;
} SeamNestArguments;

#endif
