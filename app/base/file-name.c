/* SPDX-License-Identifier: MIT
 *
 * Makes file names of texts from files; the header has the rules.
 */
#include "app/base/file-name.h"

#include "app/base/error.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PART   100
#define MAX_STEM   60 /* bytes of the text in a name with a hash */
#define MAX_ENDING 8  /* longer endings are not kept; only code files get such names */
#define N_HASH     16 /* hexadecimal digits */

static gboolean
is_allowed (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

/* Whether the text looks like a name from make_hashed(). Such a text is hashed again; otherwise it
 * could equal the name of another text. */
static gboolean
ends_in_hash (const char *part)
{
  const char *dot = strrchr (part, '.');
  const char *end = dot != NULL ? dot : part + strlen (part);

  if (end - part <= N_HASH || end[-N_HASH - 1] != '-')
    return FALSE;
  for (const char *p = end - N_HASH; p < end; p++)
    if (!g_ascii_isxdigit (*p))
      return FALSE;
  return TRUE;
}

static gboolean
is_good_part (const char *part)
{
  if (*part == '\0' || *part == '.' || *part == '-' || strlen (part) > MAX_PART
      || strstr (part, "..") != NULL)
    return FALSE;
  for (const char *p = part; *p != '\0'; p++)
    if (!is_allowed (*p))
      return FALSE;
  return !ends_in_hash (part);
}

static gboolean
is_good (const char *text)
{
  if (*text == '\0' || strlen (text) > SEAM_FILE_NAME_MAX)
    return FALSE;
  g_auto (GStrv) parts = g_strsplit (text, "/", -1);
  for (int i = 0; parts[i] != NULL; i++)
    if (!is_good_part (parts[i]))
      return FALSE;
  return TRUE;
}

/* Appends up to `max` allowed characters of `text`; runs of other characters become a "-". */
static void
append_allowed (GString *name, const char *text, gsize length, gsize max)
{
  gsize begin = name->len;

  for (gsize i = 0; i < length && name->len - begin < max; i++) {
    char last = name->len > begin ? name->str[name->len - 1] : '-';
    if (is_allowed (text[i]) && text[i] != '.' && text[i] != '-')
      g_string_append_c (name, text[i]);
    else if (last != '-')
      g_string_append_c (name, '-');
  }
}

static char *
make_hashed (const char *text)
{
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  const char *slash = strrchr (text, '/'), *dot = strrchr (text, '.');
  const char *start = slash != NULL ? slash + 1 : text;
  const char *end = dot != NULL && dot > start ? dot : text + strlen (text);
  gsize n_ending = strlen (end);
  GString *name = g_string_new (NULL);

  for (const char *p = end; *p != '\0' && n_ending > 0; p++)
    if (p > end && !g_ascii_isalnum (*p))
      n_ending = 0;
  if (n_ending < 2 || n_ending > MAX_ENDING)
    n_ending = 0;
  append_allowed (name, start, (gsize)(end - start), MAX_STEM);
  if (name->len > 0 && name->str[name->len - 1] != '-')
    g_string_append_c (name, '-');
  if (name->len == 0)
    g_string_append (name, "name-");
  g_string_append_len (name, hash, N_HASH);
  g_string_append_len (name, end, (gssize)n_ending);
  return g_string_free (name, FALSE);
}

char *
seam_file_name_make (const char *text)
{
  return is_good (text) ? g_strdup (text) : make_hashed (text);
}

static gboolean
refuse (const char *path, const char *what, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  return seam_fail (error, SEAM_ERROR_FILE, "%s is not written: %s. Choose another folder.", shown,
                    what);
}

/* Checks that this is a real folder, and creates it if nothing is there. */
static gboolean
enter (const char *path, GError **error)
{
  struct stat status;

  if (mkdir (path, 0777) != 0 && errno != EEXIST)
    return refuse (path, g_strerror (errno), error);
  if (lstat (path, &status) != 0)
    return refuse (path, g_strerror (errno), error);
  return S_ISDIR (status.st_mode) || refuse (path, "a link or a file has that name", error);
}

int
seam_file_name_compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

GPtrArray *
seam_file_name_list (const char *folder, const char *ending)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ending))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, seam_file_name_compare);
  return names;
}

char *
seam_file_name_place (const char *folder, const char *text, GError **error)
{
  g_autofree char *name = seam_file_name_make (text);
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  g_autofree char *path = g_strdup (folder);
  struct stat status;

  if (g_mkdir_with_parents (folder, 0777) != 0) {
    int code = errno;
    g_autofree char *shown = g_filename_display_name (folder);
    return seam_fail_null (error, SEAM_ERROR_FILE,
                           "The folder %s could not be made: %s. Choose another folder.", shown,
                           g_strerror (code));
  }
  for (int i = 0; parts[i] != NULL; i++) {
    char *longer = g_build_filename (path, parts[i], NULL);
    g_free (path);
    path = longer;
    if (parts[i + 1] != NULL && !enter (path, error))
      return NULL;
  }
  if (lstat (path, &status) == 0 && !S_ISREG (status.st_mode)) {
    refuse (path, "a link, a folder or a device has that name", error);
    return NULL;
  }
  return g_steal_pointer (&path);
}
