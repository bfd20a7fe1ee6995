/* SPDX-License-Identifier: MIT
 *
 * Progress that waits to be sent: reports of the work thread merged into one, so that the pipe
 * carries at most ten a second and yet every sample.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

/* Zeroed is empty. Not locked: the owner does that. */
typedef struct {
  gboolean is_set;
  SeamProgress merged;
} SeamPending;

/* Takes over the newest state, and appends the new samples to those that wait. */
void seam_pending_add (SeamPending *pending, const SeamProgress *progress);
/* The merged progress as a{sv}, floating, and empties it; NULL when there is none. */
GVariant *seam_pending_take (SeamPending *pending);
void seam_pending_clear (SeamPending *pending);

G_END_DECLS
