/* SPDX-License-Identifier: MIT
 *
 * A temporary folder to compile in. It is locked while its process lives, so that folders of
 * processes that were killed can be told from those in use, and are removed later.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *path;
  int lock; /* a descriptor of the folder */
} SeamScratch;

/* SEAM_ERROR_FILE with a sentence if no folder can be made in $TMPDIR. Removed by
 * seam_scratch_free() with everything in it. */
SeamScratch *seam_scratch_new (GError **error);
void seam_scratch_free (SeamScratch *scratch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamScratch, seam_scratch_free)

/* Removes the user's folders whose process is gone; once a process, later calls do nothing. */
void seam_scratch_clean (void);

G_END_DECLS
