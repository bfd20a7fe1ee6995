/* SPDX-License-Identifier: MIT
 *
 * How this program writes files: whole or not at all. A temporary file in the same folder is
 * written, brought to the disk and renamed over the old file, then the folder is brought to the
 * disk. What killed writers left behind is removed at the next start, or by the next writer in that
 * folder.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

/* The same in steps, for what is too large to be held in memory: fill the empty temporary file,
 * then commit. Freeing a writer that was not committed leaves the old file as it was. `path` is a
 * regular file or does not exist; a link stays, the file that it points to is replaced. */
SeamFileWriter *seam_file_writer_new (const char *path, GError **error);
void seam_file_writer_free (SeamFileWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamFileWriter, seam_file_writer_free)
/* Path of the temporary file; borrowed. */
const char *seam_file_writer_get_temporary (const SeamFileWriter *writer);
gboolean seam_file_writer_commit (SeamFileWriter *writer, GError **error);

/* The sentence for the errno `code` of a failed write to `path`. SEAM_ERROR_FILE. */
void seam_file_set_write_error (GError **error, const char *path, int code);

/* Keeps other writers of `path` that lock it, threads and processes, waiting until it is unlocked
 * or its holder ends. Waits for at most `timeout_s`. NULL and SEAM_ERROR_FILE otherwise. */
typedef struct SeamFileLock SeamFileLock;
SeamFileLock *seam_file_lock (const char *path, int timeout_s, GError **error);
void seam_file_unlock (SeamFileLock *lock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamFileLock, seam_file_unlock)

/* For the start of a program. A write beyond the permitted file size fails with an error, which
 * becomes a sentence, and does not end the program. Temporary files of killed writers are removed,
 * in whatever folders they are. */
void seam_file_init (void);

G_END_DECLS
