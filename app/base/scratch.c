/* SPDX-License-Identifier: MIT
 *
 * The lock is flock() on the folder itself: the system releases it when the process ends, in
 * whatever container that ran, and there is no lock file to keep when the folder is removed.
 */
#include "app/base/scratch.h"

#include "app/base/error.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "seamscope-code-"
/* Descriptors that nftw() may hold at once; the folder is three levels deep. */
#define MAX_DESCRIPTORS 8

static int
remove_cb (const char *path, const struct stat *status, int type, struct FTW *place)
{
  remove (path);
  return 0;
}

static void
remove_all (const char *path)
{
  nftw (path, remove_cb, MAX_DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static int
open_folder (const char *path)
{
  return open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Whether the path still names the open folder. */
static gboolean
is_still_there (int fd, const char *path)
{
  struct stat open_one, named;

  return fstat (fd, &open_one) == 0 && g_lstat (path, &named) == 0
         && open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

SeamScratch *
seam_scratch_new (GError **error)
{
  g_autoptr (GError) local = NULL;

  for (;;) {
    g_autofree char *path = g_dir_make_tmp (PREFIX "XXXXXX", &local);

    if (path == NULL)
      break;
    int fd = open_folder (path);
    /* Another process that cleans up may remove the folder before it is locked; then make
     * another. */
    if (fd >= 0 && flock (fd, LOCK_EX) == 0 && is_still_there (fd, path)) {
      SeamScratch *scratch = g_new (SeamScratch, 1);
      *scratch = (SeamScratch){ g_steal_pointer (&path), fd };
      return scratch;
    }
    if (fd >= 0)
      close (fd);
    else if (g_file_test (path, G_FILE_TEST_EXISTS)) {
      remove_all (path);
      g_set_error_literal (&local, SEAM_ERROR, SEAM_ERROR_FILE, "it cannot be opened");
      break;
    }
  }
  return seam_fail_null (error, SEAM_ERROR_FILE, "No temporary folder could be made: %s.",
                         local->message);
}

void
seam_scratch_free (SeamScratch *scratch)
{
  if (scratch == NULL)
    return;
  remove_all (scratch->path);
  close (scratch->lock);
  g_free (scratch->path);
  g_free (scratch);
}

static void
remove_if_dead (const char *path)
{
  int fd = open_folder (path);
  struct stat status;

  if (fd < 0)
    return;
  if (fstat (fd, &status) == 0 && status.st_uid == geteuid () && flock (fd, LOCK_EX | LOCK_NB) == 0
      && is_still_there (fd, path))
    remove_all (path);
  close (fd);
}

void
seam_scratch_clean (void)
{
  static gsize once = 0;
  const char *name;

  if (!g_once_init_enter (&once))
    return;
  GDir *folder = g_dir_open (g_get_tmp_dir (), 0, NULL);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_prefix (name, PREFIX)) {
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL);
      remove_if_dead (path);
    }
  if (folder != NULL)
    g_dir_close (folder);
  g_once_init_leave (&once, 1);
}
