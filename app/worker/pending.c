/* SPDX-License-Identifier: MIT
 *
 * Merging of progress reports.
 */
#include "app/worker/pending.h"

#include <string.h>

void
seam_pending_add (SeamPending *pending, const SeamProgress *progress)
{
  SeamProgress *merged = &pending->merged;
  int n_old = merged->n_new;
  int *plans = g_steal_pointer (&merged->new_plans);
  SeamSample *samples = g_steal_pointer (&merged->new_samples);

  *merged = *progress;
  merged->n_new = n_old + progress->n_new;
  merged->new_plans = g_renew (int, plans, merged->n_new);
  merged->new_samples = g_renew (SeamSample, samples, merged->n_new);
  if (progress->n_new > 0) {
    memcpy (merged->new_plans + n_old, progress->new_plans,
            sizeof *merged->new_plans * (gsize)progress->n_new);
    memcpy (merged->new_samples + n_old, progress->new_samples,
            sizeof *merged->new_samples * (gsize)progress->n_new);
  }
  pending->is_set = TRUE;
}

GVariant *
seam_pending_take (SeamPending *pending)
{
  if (!pending->is_set)
    return NULL;
  GVariant *variant = seam_record_to_variant (&seam_progress_type, &pending->merged, TRUE);
  seam_pending_clear (pending);
  return variant;
}

void
seam_pending_clear (SeamPending *pending)
{
  seam_record_clear (&seam_progress_type, &pending->merged);
  pending->is_set = FALSE;
}
