/* SPDX-License-Identifier: MIT
 *
 * Ops that mathematics makes void at a shape: they change nothing, or leave nothing, whatever the
 * input is; and sums of products that algebra turns into fewer products. A plan that leaves out
 * such work is right and faster without fusing anything, so a person should know.
 */
#pragma once

#include "app/pipeline/problem.h"

/* A sentence about op number `op` of a chain, newly allocated; NULL: there is nothing to say. */
char *seam_op_find_hint (const SeamProblem *problem, const SeamChain *chain, int op);

/* "no effect": the op changes nothing, or a later op takes its effect away; "always 0" or "always
 * 1"; NULL: it does something. */
const char *seam_op_get_void_words (const SeamProblem *problem, const SeamChain *chain, int op);
/* Whether there are such words. */
gboolean seam_op_is_void (const SeamProblem *problem, const SeamChain *chain, int op);
