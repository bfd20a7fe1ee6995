/* SPDX-License-Identifier: MIT
 *
 * Whether a candidate (an algorithm of a library, a form of a primitive) computes what the ops say.
 * Libraries have kernels that are wrong for some ops and shapes, so a backend compares a
 * candidate's output with that of the same ops, run one by one on the same device, before it keeps
 * the candidate as the fastest (app/backend/choices.h).
 */
#pragma once

#include "app/backend/backend.h"
#include "app/backend/choices.h"

typedef struct {
  SeamDevice *device;
  SeamChoices *choices;
  const char *key; /* of the choice, whose number this candidate is */
  int number;
  SeamPrepared *prepared;     /* executes the ops `first` to `last` of the chain, ... */
  const SeamGroupSpec *spec;  /* ... which are this group or its beginning, ... */
  int first, last;            /* ... by the candidate; the first is a matrix op */
  SeamBuffer *const *tensors; /* as in prepare(), with all inputs filled */
  SeamBuffer *output;         /* of op `last` */
  gboolean has_other;         /* a way that needs no comparison executes the group as well */
  SeamCancel *cancel;         /* may be NULL */
} SeamCandidate;

/* Compares the candidate's output, unless it is kept already. If it `agrees`, it is kept; else it
 * is refused, and the caller chooses again. Agreement of zeros shows nothing: such a candidate
 * `agrees`, but is not kept; nor is one that there is no memory to compare, which `agrees` if there
 * is no other way. FALSE: `error`. */
gboolean seam_candidate_settle (const SeamCandidate *candidate, gboolean *agrees, GError **error);
