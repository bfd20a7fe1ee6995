/* SPDX-License-Identifier: MIT
 *
 * The generated kernels of one op of any class, with the maps onto its input
 * (kernels/cuda/nests.cuh): their text, arguments and launches. Pure: compiles and launches
 * nothing.
 */
#pragma once

#include "app/backend/nest.h"
#include "kernels/cuda/nests.h"

#define NEST_MAX_KERNELS 2

typedef struct {
  SeamNest nest;
  SeamNestArguments arguments; /* without addresses */
  int maps[SEAM_MAX_OPS];      /* tensors of arguments.maps; -1: none */
  char *source;
  int n_kernels;
  const char *names[NEST_MAX_KERNELS]; /* of the functions; static */
  gint64 blocks[NEST_MAX_KERNELS];     /* of SEAM_NEST_THREADS threads */
  gint64 partial_bytes;                /* that arguments.partials must hold; 0: none */
} NestKernels;

/* For op `last` of the spec's plan, with the maps from op `first` on before it; a matrix op reads
 * factors of type `operand`. `n_multiprocessors` of the chip: sets are cut into parts to keep them
 * busy. SEAM_ERROR_UNSUPPORTED: too many blocks. */
NestKernels *nest_kernels_new (const SeamGroupSpec *spec, int first, int last,
                               SeamOperandType operand, int n_multiprocessors, GError **error);
void nest_kernels_free (NestKernels *kernels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NestKernels, nest_kernels_free)
