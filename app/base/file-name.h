/* SPDX-License-Identifier: MIT
 *
 * Makes file names of texts that come from a file (a plan's or an included file's name in a
 * session, a pipeline's id). Such a text becomes part of a written path only through these
 * functions.
 */
#pragma once

#include <glib.h>

/* Bytes of a name that seam_file_name_make() returns, folders included. */
#define SEAM_FILE_NAME_MAX 200

/* `text` as a relative path of letters, digits, "-", "_" and ".", newly allocated. A text that
 * already is one ("published-2.cu", "kernels/ops.h") stays as it is: no part of it is empty, begins
 * with "." or "-", or is longer than 100 bytes. Any other text becomes a single name without a
 * folder that ends in a hash of it ("esc-2-0123456789abcdef.cu"), so that different texts have
 * different names. `text` may be any bytes. */
char *seam_file_name_make (const char *text);

/* Sorts an array of names (char *) by their bytes. */
int seam_file_name_compare (gconstpointer a, gconstpointer b);
/* The names with that ending in a folder, sorted so; none if it cannot be read. */
GPtrArray *seam_file_name_list (const char *folder, const char *ending);

/* The path of the file seam_file_name_make (text) in `folder`, for writing; newly allocated.
 * Creates the folders. Below `folder`, which the person chose, it follows no link: if the file or a
 * folder in its name is a link, a device or the like, it returns NULL and SEAM_ERROR_FILE with a
 * sentence. */
char *seam_file_name_place (const char *folder, const char *text, GError **error);
