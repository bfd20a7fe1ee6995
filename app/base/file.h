/* SPDX-License-Identifier: MIT
 *
 * Writes files whole or not at all: writes a temporary file in the same folder, syncs it to the
 * disk, renames it over the old file, and syncs the folder. Temporary files of killed writers are
 * removed at the next start, or by the next writer in that folder.
 */
#pragma once

#include <glib.h>

typedef struct {
  const void *data;
  gsize length;
} SeamChunk;

/* A file that is about to be replaced. */
typedef struct SeamFileWriter SeamFileWriter;

/* Writes `length` bytes to `path` and checks every step (full disk, read-only folder);
 * SEAM_ERROR_FILE with a sentence. A device or a pipe is written into, not replaced. */
gboolean seam_file_write (const char *path, const void *data, gsize length, GError **error);
gboolean seam_file_write_chunks (const char *path, const SeamChunk *chunks, int n_chunks,
                                 GError **error);

/* The same in steps, for data that is too large for memory: fill the empty temporary file, then
 * commit. Freeing a writer without commit leaves the old file unchanged. `path` is a regular file
 * or does not exist; if it is a link, the file that it points to is replaced. */
SeamFileWriter *seam_file_writer_new (const char *path, GError **error);
void seam_file_writer_free (SeamFileWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamFileWriter, seam_file_writer_free)
/* Path of the temporary file; borrowed. */
const char *seam_file_writer_get_temporary (const SeamFileWriter *writer);
gboolean seam_file_writer_commit (SeamFileWriter *writer, GError **error);

/* Both set SEAM_ERROR_FILE and return FALSE: with "PATH: what.", or with the sentence for the errno
 * `code` of a failed write to `path`. */
gboolean seam_file_fail (GError **error, const char *path, const char *what);
gboolean seam_file_fail_write (GError **error, const char *path, int code);

/* Makes other writers of `path` that lock it, threads and processes, wait until it is unlocked or
 * its holder ends. Waits for at most `timeout_s`; then returns NULL and SEAM_ERROR_FILE. */
typedef struct SeamFileLock SeamFileLock;
SeamFileLock *seam_file_lock (const char *path, int timeout_s, GError **error);
void seam_file_unlock (SeamFileLock *lock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamFileLock, seam_file_unlock)

/* Call it at the start of a program, before anything else of this library. Folders that the
 * environment gives with relative paths (XDG_STATE_HOME and the like) are ignored. A write beyond
 * the permitted file size then fails with an error that becomes a sentence, instead of ending the
 * program. Removes temporary files of killed writers, in whatever folders they are. */
void seam_file_init (void);
