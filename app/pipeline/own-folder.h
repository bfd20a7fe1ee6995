/* SPDX-License-Identifier: MIT
 *
 * Adds files to the folder with a person's own pipelines (seam_pipeline_get_own_folder()), which
 * it creates. No file there is ever replaced.
 */
#pragma once

#include <glib.h>

/* A file that explains itself, to be changed with an editor. Its path, newly allocated. */
char *seam_own_folder_begin (GError **error);
/* A copy of the pipeline's file `path`. The copy's path, newly allocated; NULL: the folder has a
 * file of this name, or the file cannot be read as a pipeline. */
char *seam_own_folder_add (const char *path, GError **error);
