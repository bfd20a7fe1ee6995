/* SPDX-License-Identifier: MIT
 *
 * Whether a candidate (an algorithm of a library, a form of a primitive) computes what the ops say.
 * Libraries have kernels that are wrong for some ops and shapes, so a backend compares a
 * candidate's output with that of the same ops, run one by one on the same device, before it keeps
 * the candidate as the fastest (app/backend/choices.h).
 */
#pragma once

#include "app/backend/backend.h"

G_BEGIN_DECLS

typedef struct SeamCandidateCheck SeamCandidateCheck;

/* Runs the ops 0 to `last` of the chain, which are a group or its beginning, in the simplest way
 * that the backend has. `tensors` as in prepare(), with all inputs filled. SEAM_ERROR_MEMORY,
 * SEAM_ERROR_CANCELLED. */
SeamCandidateCheck *seam_candidate_check_new (SeamDevice *device, const SeamGroupSpec *spec,
                                              int last, SeamBuffer *const *tensors,
                                              SeamCancel *cancel, GError **error);
void seam_candidate_check_free (SeamCandidateCheck *check); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamCandidateCheck, seam_candidate_check_free)

/* Whether `output`, which the caller poisons before the candidate writes it, agrees, and whether
 * that shows anything: not if every element is 0. */
gboolean seam_candidate_check_output (SeamCandidateCheck *check, SeamBuffer *output,
                                      gboolean *agrees, gboolean *shows, GError **error);

G_END_DECLS
