/* SPDX-License-Identifier: MIT
 *
 * Files that become code: the CUDA module and the caches of compiled kernels. They are read only if
 * nobody else can have written them: the file and its folder belong to root, to the user, or to the
 * owner of the running program, and no other user can write to either.
 */
#pragma once

#include <glib.h>

/* Opens a regular file for reading and checks it through the descriptor, so that the checked file
 * is the one that is read. The file itself must not be a symbolic link; its folder may be one. -1
 * on error: SEAM_ERROR_FILE with a sentence that says who can write it and what to do. */
int seam_own_file_open (const char *path, GError **error);
/* Opens the file in the same way and reads it whole. */
GBytes *seam_own_file_read (const char *path, GError **error);

/* The folder ~/.cache/seamscope/NAME, created if it is missing and closed to other users; newly
 * allocated. NULL if it cannot be used; then nothing is cached. */
char *seam_own_cache_get_folder (const char *name);
/* Writes a file in such a folder, readable by the user alone. FALSE if that is not possible. */
gboolean seam_own_cache_write (const char *path, const void *data, gsize length);
