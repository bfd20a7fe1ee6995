/* SPDX-License-Identifier: MIT
 *
 * Reads texts that other people wrote. A pipe, a device or a folder is refused before anything of
 * it is read, and so is a file that is too large.
 */
#pragma once

#include <glib.h>

/* Without what editors leave: a byte order mark, and the characters `blanks` at the ends of lines.
 * Newly allocated. */
char *seam_file_clean_text (const char *text, const char *blanks);
/* A regular file of at most `max_bytes` that holds UTF-8 without NUL, with line feeds as ends of
 * lines and without a byte order mark; newly allocated. SEAM_ERROR_FILE with a sentence that begins
 * with the file's name. */
char *seam_file_read_text (const char *path, gsize max_bytes, GError **error);
/* The same for a file that another file names: `name` is that of a file in `folder`, never a path,
 * and a link counts as none. */
char *seam_file_read_beside (const char *folder, const char *name, gsize max_bytes, GError **error);
/* Whether `name` can be the name of a file in a folder; else SEAM_ERROR_FILE. */
gboolean seam_file_check_name (const char *name, GError **error);
