/* SPDX-License-Identifier: MIT
 *
 * Files are judged through open descriptors, because a name could stand for another file by the
 * time it is read. They are opened without waiting, so that a pipe without a writer does not block.
 */
#include "app/base/read-file.h"

#include "app/base/error.h"
#include "app/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static void
refuse (GError **error, const char *path, const char *what)
{
  g_autofree char *base = g_filename_display_basename (path);
  g_autofree char *shown = seam_text_show (base);

  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "%s: %s.", shown, what);
}

/* Up to `size` bytes and a NUL. FALSE: errno says why. */
static gboolean
read_fully (int fd, char *data, gsize size, gsize *length)
{
  for (*length = 0; *length < size;) {
    ssize_t n = read (fd, data + *length, size - *length);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return FALSE;
    if (n == 0)
      break;
    *length += (gsize)n;
  }
  data[*length] = '\0';
  return TRUE;
}

/* Closes `fd`. */
static char *
read_text (int fd, const char *path, gsize max_bytes, GError **error)
{
  g_autofree char *limit = seam_text_bytes ((double)max_bytes);
  g_autofree char *too_large = g_strdup_printf ("it is larger than %s; shorten it", limit);
  g_autofree char *text = NULL;
  const char *what = NULL;
  struct stat status;
  gsize length = 0;

  if (fd < 0)
    what = errno == ENOENT  ? "there is no such file; put it there, or change the name"
           : errno == ELOOP ? "it is a link; put the file itself in its place"
                            : g_strerror (errno);
  else if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    what = "it is a folder, a pipe or a device; give a file";
  else if ((guint64)status.st_size > max_bytes)
    what = too_large;
  /* One byte more than the file has: it may have grown. */
  else if (!read_fully (fd, text = g_malloc ((gsize)status.st_size + 2), (gsize)status.st_size + 1,
                        &length))
    what = g_strerror (errno);
  else if (length > max_bytes)
    what = too_large;
  else if (!g_utf8_validate_len (text, length, NULL))
    what = "it is not a text in UTF-8, or holds a NUL; save it as plain text in UTF-8";
  if (fd >= 0)
    close (fd);
  if (what == NULL)
    return g_steal_pointer (&text);
  refuse (error, path, what);
  return NULL;
}

char *
seam_file_read_text (const char *path, gsize max_bytes, GError **error)
{
  return read_text (open (path, OPEN_FLAGS), path, max_bytes, error);
}

gboolean
seam_file_check_name (const char *name, GError **error)
{
  if (*name != '\0' && strchr (name, '/') == NULL && strcmp (name, ".") != 0
      && strcmp (name, "..") != 0)
    return TRUE;
  g_autofree char *shown = seam_text_show (name);
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
               "“%s” is not the name of a file: write one without folders.", shown);
  return FALSE;
}

char *
seam_file_read_beside (const char *folder, const char *name, gsize max_bytes, GError **error)
{
  int place, fd, code;

  if (!seam_file_check_name (name, error))
    return NULL;
  place = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  fd = place >= 0 ? openat (place, name, OPEN_FLAGS | O_NOFOLLOW) : -1;
  code = errno;
  if (place >= 0)
    close (place);
  errno = code;
  return read_text (fd, name, max_bytes, error);
}
