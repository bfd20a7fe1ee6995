/* SPDX-License-Identifier: MIT
 *
 * Which neighbouring ops this program can join in one kernel: maps of one shape and one GroupNorm,
 * behind a matrix op or without one; or maps of one shape before a reduction or a normalisation of
 * any kind. Each backend has reasons of its own beside it.
 */
#pragma once

#include "app/pipeline/problem.h"

/* `reason` (may be NULL) receives a sentence if not, newly allocated. One op can be refused, too:
 * then a kernel of its own executes it. */
gboolean seam_ops_can_fuse (const SeamProblem *problem, const SeamChain *chain, int first, int last,
                            char **reason);

/* Whether the kernel of an op reads whole sets and can apply maps to what it reads. */
gboolean seam_op_takes_maps (const SeamProblem *problem, const SeamChain *chain, int op);
