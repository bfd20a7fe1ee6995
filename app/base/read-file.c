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
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

char *
seam_file_clean_text (const char *text, const char *blanks)
{
  GString *clean = g_string_new (NULL);

  for (const char *p = text + (g_str_has_prefix (text, "\xef\xbb\xbf") ? 3 : 0);; p++) {
    if (*p == '\n' || *p == '\0')
      while (clean->len > 0 && strchr (blanks, clean->str[clean->len - 1]) != NULL)
        g_string_truncate (clean, clean->len - 1);
    if (*p == '\0')
      return g_string_free (clean, FALSE);
    g_string_append_c (clean, *p);
  }
}

/* Closes `fd`; -1: errno says why it could not be opened. */
static char *
read_text (int fd, const char *path, gsize max_bytes, GError **error)
{
  g_autofree char *limit = seam_text_bytes ((double)max_bytes);
  g_autofree char *too_large =
      g_strdup_printf ("it is too large: at most %s are read; shorten it", limit);
  g_autofree char *text = NULL;
  FILE *file = fd >= 0 ? fdopen (fd, "r") : NULL;
  struct stat status = { 0 };
  const char *what = NULL;

  if (file == NULL)
    what = errno == ENOENT  ? "there is no such file; put it there, or change the name"
           : errno == ELOOP ? "it is a link; put the file itself in its place"
                            : g_strerror (errno);
  else if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    what = "it is a folder, a pipe or a device; give a file";
  else if ((guint64)status.st_size > max_bytes)
    what = too_large;
  if (what == NULL) {
    text = g_malloc0 ((gsize)status.st_size + 1);
    gsize length = fread (text, 1, (gsize)status.st_size, file);
    if (ferror (file))
      what = g_strerror (errno);
    else if (!g_utf8_validate_len (text, length, NULL))
      what = "it is not a text in UTF-8, or holds a NUL; save it as plain text in UTF-8";
  }
  g_clear_pointer (&file, fclose);
  if (what == NULL)
    return seam_file_clean_text (text, "\r");
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *shown = seam_text_show (base);
  return seam_fail_null (error, SEAM_ERROR_FILE, "%s: %s.", shown, what);
}

char *
seam_file_read_text (const char *path, gsize max_bytes, GError **error)
{
  return read_text (open (path, OPEN_FLAGS), path, max_bytes, error);
}

gboolean
seam_file_check_name (const char *name, GError **error)
{
  g_autofree char *base = g_path_get_basename (name);

  if (strcmp (base, name) == 0 && strcmp (name, "/") != 0 && strcmp (name, ".") != 0
      && strcmp (name, "..") != 0)
    return TRUE;
  g_autofree char *shown = seam_text_show (name);
  return seam_fail (error, SEAM_ERROR_FILE,
                    "“%s” is not the name of a file: write one without folders.", shown);
}

char *
seam_file_read_beside (const char *folder, const char *name, gsize max_bytes, GError **error)
{
  int place, fd;

  if (!seam_file_check_name (name, error))
    return NULL;
  place = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  fd = place >= 0 ? openat (place, name, OPEN_FLAGS | O_NOFOLLOW) : -1;
  int code = errno;
  if (place >= 0)
    close (place);
  errno = code;
  return read_text (fd, name, max_bytes, error);
}
