/* SPDX-License-Identifier: MIT
 *
 * Checks owner and mode of a file and of its folder through open descriptors, because a name could
 * stand for another file by the time it is used.
 */
#include "app/base/own-file.h"

#include "app/base/error.h"
#include "app/base/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of the owner of the program are accepted, because that user can change what this process
 * runs anyway. So a source tree of an ordinary user that root builds and starts works. */
static gboolean
is_trusted_owner (uid_t owner)
{
  struct stat program;

  return owner == 0 || owner == geteuid ()
         || (stat ("/proc/self/exe", &program) == 0 && owner == program.st_uid);
}

/* Whether the group has no member except `owner`: distributions give every user such a group, and
 * with it a umask that lets the group write files. */
static gboolean
is_private_group (uid_t owner, gid_t group)
{
  char user_text[4096], group_text[4096];
  struct passwd user, *found_user = NULL;
  struct group members, *found_group = NULL;

  if (getpwuid_r (owner, &user, user_text, sizeof user_text, &found_user) != 0 || found_user == NULL
      || user.pw_gid != group
      || getgrgid_r (group, &members, group_text, sizeof group_text, &found_group) != 0
      || found_group == NULL || strcmp (members.gr_name, user.pw_name) != 0)
    return FALSE;
  for (char **name = members.gr_mem; *name != NULL; name++)
    if (strcmp (*name, user.pw_name) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
is_writable_by_others (const struct stat *status)
{
  return (status->st_mode & S_IWOTH) != 0
         || ((status->st_mode & S_IWGRP) != 0
             && !is_private_group (status->st_uid, status->st_gid));
}

/* `path` is used only in the sentence. */
static gboolean
check_owner (int fd, const char *path, gboolean is_folder, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  struct stat status;

  if (fstat (fd, &status) != 0)
    return seam_fail (error, SEAM_ERROR_FILE, "%s cannot be looked at: %s.", shown,
                      g_strerror (errno));
  if (!is_folder && !S_ISREG (status.st_mode))
    return seam_fail (error, SEAM_ERROR_FILE, "%s is not a regular file.", shown);
  if (!is_trusted_owner (status.st_uid))
    return seam_fail (
        error, SEAM_ERROR_FILE,
        "%s belongs to another user (uid %u), who can have written anything there, so "
        "Seamscope does not run it. If you trust it, make it yours with “chown”.",
        shown, status.st_uid);
  if (is_writable_by_others (&status))
    return seam_fail (error, SEAM_ERROR_FILE,
                      "Other users can write to %s (mode %03o), so Seamscope does not run what is "
                      "there. If you trust it, run “chmod go-w” on it.",
                      shown, status.st_mode & 0777);
  return TRUE;
}

int
seam_own_file_open (const char *path, GError **error)
{
  g_autofree char *folder_path = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  int folder = open (folder_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int fd = -1;

  /* Non-blocking, so that a named pipe is refused rather than waited for. */
  if (folder >= 0)
    fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    g_autofree char *shown = g_filename_display_name (path);
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "%s cannot be opened: %s.", shown,
                 errno == ELOOP ? "it is a symbolic link" : g_strerror (errno));
  } else if (!check_owner (folder, folder_path, TRUE, error)
             || !check_owner (fd, path, FALSE, error)) {
    close (fd);
    fd = -1;
  }
  if (folder >= 0)
    close (folder);
  return fd;
}

GBytes *
seam_own_file_read (const char *path, GError **error)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  int fd = seam_own_file_open (path, error);
  guint8 part[65536];
  gssize n;

  if (fd < 0)
    return NULL;
  while ((n = read (fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0)
      g_byte_array_append (data, part, (guint)n);
  if (n < 0) {
    g_autofree char *shown = g_filename_display_name (path);
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "%s cannot be read: %s.", shown,
                 g_strerror (errno));
  }
  close (fd);
  return n < 0 ? NULL : g_byte_array_free_to_bytes (g_steal_pointer (&data));
}

char *
seam_own_cache_get_folder (const char *name)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "seamscope", name, NULL);
  struct stat status;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return NULL;
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  gboolean is_ours = check_owner (fd, folder, TRUE, NULL) && fstat (fd, &status) == 0;
  /* In a folder closed to others, nobody else can open a file before its mode is set. */
  if (is_ours && status.st_uid == geteuid () && (status.st_mode & 077) != 0)
    is_ours = fchmod (fd, 0700) == 0;
  close (fd);
  return is_ours ? g_steal_pointer (&folder) : NULL;
}

gboolean
seam_own_cache_write (const char *path, const void *data, gsize length)
{
  return seam_file_write (path, data, length, NULL) && g_chmod (path, 0600) == 0;
}
