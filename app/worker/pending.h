/* SPDX-License-Identifier: MIT
 *
 * Progress that waits to be sent: merges reports of the work thread, so that the pipe carries at
 * most ten a second, but every sample.
 */
#pragma once

#include "app/result/result.h"

/* Zeroed is empty. Without a lock: the owner has to lock it. */
typedef struct {
  gboolean is_set;
  SeamProgress merged;
} SeamPending;

/* Takes over the newest state, and appends the new samples to the waiting ones. */
void seam_pending_add (SeamPending *pending, const SeamProgress *progress);
/* The merged progress as a{sv}, floating, and empties `pending`; NULL if there is none. */
GVariant *seam_pending_take (SeamPending *pending);
void seam_pending_clear (SeamPending *pending);
