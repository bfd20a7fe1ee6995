/* SPDX-License-Identifier: MIT
 *
 * Removes what a test wrote.
 */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

/* Removes a file, or a folder with all that is in it; links are removed and not followed. */
static inline void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir =
      g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *inner = g_build_filename (path, name, NULL);
    remove_tree (inner);
  }
  g_assert_cmpint (g_remove (path), ==, 0);
}
