/* SPDX-License-Identifier: MIT
 *
 * One op of any class as a loop nest: the sizes and steps that a backend's own code needs to run it
 * by itself, whatever its neighbours. Pure.
 */
#pragma once

#include "app/backend/backend.h"
#include "app/pipeline/problem.h"
#include "kernels/nest.h"

typedef struct {
  SeamOpCase c;
  SeamNestMap map;     /* of a map */
  SeamWindow window;   /* of a pool */
  SeamGeneral general; /* of a convolution */
  SeamSets sets;       /* of a reduction or normalisation */
  /* Of a normalisation: the weight of an element is that of index offset / inner % count. */
  gint64 affine_inner, affine_count;
} SeamNest;

/* For op `op` of `chain`, whose shapes are those of the problem. */
void seam_nest_init (SeamNest *nest, const SeamProblem *problem, const SeamChain *chain, int op);

/* Fills the sizes from those of `n` axes; bit i of `reduced`: axis i is one that is reduced. */
void seam_sets_init (SeamSets *sets, int n, const gint64 *sizes, guint reduced);

/* Whether a group is for the nest of its last op: one op that the kernels of fused groups do not
 * take, with maps onto its input at most. */
gboolean seam_nest_is_plain (const SeamGroupSpec *spec);
