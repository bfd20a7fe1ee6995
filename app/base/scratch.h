/* SPDX-License-Identifier: MIT
 *
 * A temporary folder to compile in. It is locked while its process lives, so that a later process
 * can tell folders of killed processes from those in use, and removes them.
 */
#pragma once

#include <glib.h>

typedef struct {
  char *path;
  int lock; /* a descriptor of the folder */
} SeamScratch;

/* SEAM_ERROR_FILE with a sentence if no folder can be made in $TMPDIR. seam_scratch_free() removes
 * it with its content. */
SeamScratch *seam_scratch_new (GError **error);
void seam_scratch_free (SeamScratch *scratch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamScratch, seam_scratch_free)

/* Removes the user's folders whose process is gone, once; later calls do nothing. */
void seam_scratch_clean (void);
