/* SPDX-License-Identifier: MIT
 *
 * Writes files. A writer holds a lock (flock) on its temporary file until it ends, so a temporary
 * file that can be locked has lost its writer, on this machine or another. A symbolic link in the
 * state folder leads to the temporary file, so that the next start of the program finds it in
 * whatever folder it is.
 */
#include "app/base/file.h"

#include "app/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_PREFIX ".seamscope-"
#define TEMPORARY_SUFFIX ".tmp"
#define RANDOM_DIGITS    8
#define RETRY_US         5000
/* Folder inside the state folder, with the links to temporary files. */
#define UNFINISHED "unfinished-files"

struct SeamFileWriter {
  char *path;      /* the file to replace, with links resolved */
  char *temporary; /* NULL: committed */
  char *link;      /* in the state folder, to the temporary file; NULL: none */
  int fd;          /* of the temporary file; holds its lock */
};

struct SeamFileLock {
  char *path;
  int fd;
};

gboolean
seam_file_fail (GError **error, const char *path, const char *what)
{
  g_autofree char *shown = g_filename_display_name (path);

  return seam_fail (error, SEAM_ERROR_FILE, "%s: %s.", shown, what);
}

gboolean
seam_file_fail_write (GError **error, const char *path, int code)
{
  g_autofree char *what = NULL;

  switch (code) {
  case ENOSPC:
  case EDQUOT:
    what = g_strdup ("the disk is full; free some space or choose another folder");
    break;
  case EFBIG:
    what = g_strdup ("it would become larger than files may be here; raise the limit (ulimit -f) "
                     "or choose another folder");
    break;
  case ENOENT:
  case ENOTDIR:
    what = g_strdup ("its folder does not exist; create it or choose another one");
    break;
  case EACCES:
  case EPERM:
  case EROFS:
    what = g_strdup_printf ("it cannot be written (%s); choose another folder", g_strerror (code));
    break;
  default:
    what = g_strdup_printf ("it cannot be written: %s", g_strerror (code));
  }
  return seam_file_fail (error, path, what);
}

static gboolean
write_fully (int fd, const void *data, gsize length)
{
  const char *from = data;

  while (length > 0) {
    ssize_t n = write (fd, from, MIN (length, (gsize)1 << 30));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return FALSE;
    from += n;
    length -= (gsize)n;
  }
  return TRUE;
}

static gboolean
write_chunks_to (int fd, const SeamChunk *chunks, int n_chunks)
{
  for (int i = 0; i < n_chunks; i++)
    if (!write_fully (fd, chunks[i].data, chunks[i].length))
      return FALSE;
  return TRUE;
}

/* Whether the path still leads to the open file. */
static gboolean
is_same_file (int fd, const char *path)
{
  struct stat open_file, found;

  return fstat (fd, &open_file) == 0 && stat (path, &found) == 0 && open_file.st_dev == found.st_dev
         && open_file.st_ino == found.st_ino;
}

static gboolean
is_temporary_name (const char *name)
{
  const char *digits = name + strlen (TEMPORARY_PREFIX);

  return g_str_has_prefix (name, TEMPORARY_PREFIX)
         && strspn (digits, "0123456789abcdef") == RANDOM_DIGITS
         && strcmp (digits + RANDOM_DIGITS, TEMPORARY_SUFFIX) == 0;
}

/* Removes a temporary file whose writer was killed; keeps others. */
static void
remove_if_dead (const char *path)
{
  int fd = open (path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

  if (fd < 0)
    return;
  /* A living writer has locked the file, or finds that it is gone and takes another name. */
  if (flock (fd, LOCK_EX | LOCK_NB) == 0 && is_same_file (fd, path))
    unlink (path);
  close (fd);
}

static void
remove_dead_temporaries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    if (is_temporary_name (name))
      remove_if_dead (path);
  }
}

static char *
get_links_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "seamscope", UNFINISHED, NULL);
}

/* NULL if the state folder cannot be written; then the next writer in the same folder cleans up. */
static char *
make_link (const char *temporary)
{
  g_autofree char *folder = get_links_folder ();
  g_autofree char *name = g_path_get_basename (temporary);
  g_autofree char *target = g_canonicalize_filename (temporary, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0 || symlink (target, path) != 0)
    return NULL;
  return g_steal_pointer (&path);
}

static void
remove_link (SeamFileWriter *writer)
{
  if (writer->link != NULL)
    unlink (writer->link);
  g_clear_pointer (&writer->link, g_free);
}

static void
remove_unfinished (void)
{
  g_autofree char *folder = get_links_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *target = g_file_read_link (path, NULL);
    g_autofree char *base = target != NULL ? g_path_get_basename (target) : NULL;

    if (base == NULL || !is_temporary_name (base))
      continue;
    remove_if_dead (target);
    if (!g_file_test (target, G_FILE_TEST_EXISTS))
      unlink (path);
  }
}

/* Opens and locks a new file in `folder`; -1 with errno. */
static int
open_temporary (const char *folder, char **temporary)
{
  for (int attempt = 0; attempt < 100; attempt++) {
    g_autofree char *name =
        g_strdup_printf (TEMPORARY_PREFIX "%08x" TEMPORARY_SUFFIX, g_random_int ());
    char *candidate = g_build_filename (folder, name, NULL);
    int fd = open (candidate, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int code = errno;

    /* On a file system without locks no process can lock the file, so none removes it either. */
    if (fd >= 0
        && (flock (fd, LOCK_EX | LOCK_NB) == 0 ? is_same_file (fd, candidate)
                                               : errno != EWOULDBLOCK)) {
      *temporary = candidate;
      return fd;
    }
    if (fd >= 0)
      close (fd);
    g_free (candidate);
    if (fd < 0 && code != EEXIST) {
      errno = code;
      return -1;
    }
  }
  errno = EEXIST;
  return -1;
}

SeamFileWriter *
seam_file_writer_new (const char *path, GError **error)
{
  g_autoptr (SeamFileWriter) writer = g_new0 (SeamFileWriter, 1);
  struct stat st;

  writer->fd = -1;
  /* A link to a missing file is replaced by the file. */
  gboolean exists = stat (path, &st) == 0;
  if (exists && !S_ISREG (st.st_mode)) {
    seam_file_fail (error, path,
                    S_ISDIR (st.st_mode) ? "it is a folder; give a file name"
                                         : "it is not a regular file");
    return NULL;
  }
  if (exists) {
    char *resolved = realpath (path, NULL);
    writer->path = g_strdup (resolved != NULL ? resolved : path);
    free (resolved);
  } else {
    writer->path = g_strdup (path);
  }
  g_autofree char *folder = g_path_get_dirname (writer->path);
  remove_dead_temporaries (folder);
  writer->fd = open_temporary (folder, &writer->temporary);
  if (writer->fd < 0 || (exists && fchmod (writer->fd, st.st_mode & 0777) != 0)) {
    seam_file_fail_write (error, path, errno);
    return NULL;
  }
  writer->link = make_link (writer->temporary);
  return g_steal_pointer (&writer);
}

void
seam_file_writer_free (SeamFileWriter *writer)
{
  if (writer == NULL)
    return;
  if (writer->temporary != NULL)
    unlink (writer->temporary);
  remove_link (writer);
  if (writer->fd >= 0)
    close (writer->fd);
  g_free (writer->temporary);
  g_free (writer->path);
  g_free (writer);
}

const char *
seam_file_writer_get_temporary (const SeamFileWriter *writer)
{
  return writer->temporary;
}

/* Makes the folder name the new file even after a power cut. Some file systems cannot do that. */
static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

gboolean
seam_file_writer_commit (SeamFileWriter *writer, GError **error)
{
  /* A network file system reports some errors only when a file is closed. So this closes a copy,
   * and the descriptor with the lock stays open until the file has its new name. */
  int copy = fcntl (writer->fd, F_DUPFD_CLOEXEC, 0);

  if (fsync (writer->fd) != 0 || copy < 0 || close (copy) != 0
      || rename (writer->temporary, writer->path) != 0)
    return seam_file_fail_write (error, writer->path, errno);
  g_clear_pointer (&writer->temporary, g_free);
  remove_link (writer);
  sync_folder (writer->path);
  return TRUE;
}

/* Writes into a device or a pipe (/dev/stdout, /dev/full). */
static gboolean
write_into (const char *path, const SeamChunk *chunks, int n_chunks, GError **error)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  int code = fd < 0 ? errno : 0;

  if (fd >= 0 && !write_chunks_to (fd, chunks, n_chunks))
    code = errno;
  if (fd >= 0 && close (fd) != 0 && code == 0)
    code = errno;
  return code == 0 || seam_file_fail_write (error, path, code);
}

gboolean
seam_file_write_chunks (const char *path, const SeamChunk *chunks, int n_chunks, GError **error)
{
  struct stat st;

  if (stat (path, &st) == 0 && !S_ISREG (st.st_mode) && !S_ISDIR (st.st_mode))
    return write_into (path, chunks, n_chunks, error);
  g_autoptr (SeamFileWriter) writer = seam_file_writer_new (path, error);
  if (writer == NULL)
    return FALSE;
  if (!write_chunks_to (writer->fd, chunks, n_chunks))
    return seam_file_fail_write (error, path, errno);
  return seam_file_writer_commit (writer, error);
}

gboolean
seam_file_write (const char *path, const void *data, gsize length, GError **error)
{
  SeamChunk chunk = { data, length };

  return seam_file_write_chunks (path, &chunk, 1, error);
}

/* Takes the lock if it is free. Returns 0 or an errno; EWOULDBLOCK: another process has it. */
static int
try_lock (SeamFileLock *lock)
{
  lock->fd = open (lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (lock->fd < 0)
    return errno;
  /* The last holder removes the lock file, and a lock on a removed file excludes nobody. If a file
   * system has no locks at all, writing goes on without. */
  if (flock (lock->fd, LOCK_EX | LOCK_NB) == 0 ? is_same_file (lock->fd, lock->path)
                                               : errno != EWOULDBLOCK)
    return 0;
  close (lock->fd);
  lock->fd = -1;
  return EWOULDBLOCK;
}

SeamFileLock *
seam_file_lock (const char *path, int timeout_s, GError **error)
{
  g_autoptr (SeamFileLock) lock = g_new0 (SeamFileLock, 1);
  char *resolved = realpath (path, NULL);
  g_autofree char *folder = g_path_get_dirname (resolved != NULL ? resolved : path);
  g_autofree char *name = g_path_get_basename (resolved != NULL ? resolved : path);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);
  g_autofree char *hidden = g_strdup_printf (TEMPORARY_PREFIX "%.16s.lock", digest);
  gint64 end = g_get_monotonic_time () + timeout_s * G_USEC_PER_SEC;
  int code;

  free (resolved);
  lock->fd = -1;
  lock->path = g_build_filename (folder, hidden, NULL);
  while ((code = try_lock (lock)) == EWOULDBLOCK && g_get_monotonic_time () < end)
    g_usleep (RETRY_US);
  if (code == 0)
    return g_steal_pointer (&lock);
  if (code == EWOULDBLOCK)
    seam_file_fail (error, path, "another program is writing to it and does not finish; try again");
  else
    seam_file_fail_write (error, path, code);
  return NULL;
}

void
seam_file_unlock (SeamFileLock *lock)
{
  if (lock == NULL)
    return;
  if (lock->fd >= 0) {
    unlink (lock->path);
    close (lock->fd);
  }
  g_free (lock->path);
  g_free (lock);
}

/* The specification of these variables says to ignore relative paths; GLib takes them. */
static void
ignore_relative_folders (void)
{
  static const char *const names[] = { "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                       "XDG_RUNTIME_DIR", "XDG_STATE_HOME" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    const char *path = g_getenv (names[i]);
    if (path != NULL && !g_path_is_absolute (path))
      g_unsetenv (names[i]);
  }
}

void
seam_file_init (void)
{
  ignore_relative_folders ();
  signal (SIGXFSZ, SIG_IGN);
  remove_unfinished ();
}
