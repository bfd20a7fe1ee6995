/* SPDX-License-Identifier: MIT
 *
 * Typed values out of a key file.
 */
#include "app/pipeline/key-reader.h"

#include "app/base/error.h"
#include "app/base/text.h"

#include <string.h>

#define MAX_NAME  40
#define MAX_VALUE 4096 /* titles and notes are shown in many places */

/* Always FALSE. `group` and `key` may be NULL. */
gboolean
seam_key_fail (SeamKeyReader *reader, const char *group, const char *key, const char *format, ...)
{
  g_autoptr (GString) message = g_string_new (reader->where);
  va_list arguments;

  g_string_append (message, ": ");
  if (group)
    g_string_append_printf (message, "[%s]%s%s: ", group, key ? " " : "", key ? key : "");
  va_start (arguments, format);
  g_string_append_vprintf (message, format, arguments);
  va_end (arguments);
  return seam_fail (reader->error, SEAM_ERROR_FILE, "%s", message->str);
}

gboolean
seam_pipeline_is_name (const char *text, const char *extra)
{
  if (!g_ascii_isalpha (*text) || strlen (text) > MAX_NAME)
    return FALSE;
  for (const char *p = text; *p; p++)
    if (!g_ascii_isalnum (*p) && !strchr (extra, *p))
      return FALSE;
  return TRUE;
}

/* Refuses what GKeyFile accepts silently: a group or key that appears twice, and lines that are
 * neither. Only here can a message name the line. */
gboolean
seam_pipeline_check_lines (SeamKeyReader *reader)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) lines = g_strsplit (reader->pipeline->text, "\n", -1);
  g_autofree char *group = NULL;

  for (int i = 0; lines[i]; i++) {
    char *line = g_strstrip (lines[i]);
    char *name;
    if (*line == '\0' || *line == '#')
      continue;
    if (*line == '[') {
      char *end = strchr (line, ']');
      if (end == NULL || end[1] != '\0')
        return seam_key_fail (reader, NULL, NULL,
                              "line %d: a group begins with “[” and ends with “]”.", i + 1);
      g_free (group);
      group = g_strndup (line + 1, end - line - 1);
      name = g_strdup (group);
    } else {
      char *equals = strchr (line, '=');
      if (equals == NULL || equals == line)
        return seam_key_fail (
            reader, NULL, NULL,
            "line %d is neither a group in brackets, a “key=value” nor a comment.", i + 1);
      if (group == NULL)
        return seam_key_fail (reader, NULL, NULL, "line %d stands before the first group.", i + 1);
      g_autofree char *key = g_strstrip (g_strndup (line, equals - line));
      name = g_strdup_printf ("%s\n%s", group, key);
    }
    if (!g_hash_table_add (seen, name))
      return seam_key_fail (reader, group, NULL, "line %d repeats “%s”; each may stand only once.",
                            i + 1, strchr (name, '\n') ? strchr (name, '\n') + 1 : name);
  }
  return TRUE;
}

/* Newly allocated, or NULL with the error set; never empty. */
char *
seam_key_get_string (SeamKeyReader *reader, const char *group, const char *key)
{
  if (!g_key_file_has_key (reader->file, group, key, NULL))
    return seam_key_fail_null (reader, group, key, "this key is missing.");
  g_autofree char *value = g_key_file_get_string (reader->file, group, key, NULL);
  if (value == NULL || *g_strstrip (value) == '\0')
    return seam_key_fail_null (reader, group, key, "the value is empty or cannot be read.");
  if (strlen (value) > MAX_VALUE)
    return seam_key_fail_null (reader, group, key, "the value is longer than %d bytes.", MAX_VALUE);
  return g_steal_pointer (&value);
}

gboolean
seam_key_get_int64 (SeamKeyReader *reader, const char *group, const char *key, gint64 min,
                    gint64 max, gint64 *number)
{
  g_autofree char *text = seam_key_get_string (reader, group, key);
  g_autoptr (GError) local = NULL;

  if (text == NULL)
    return FALSE;
  if (!seam_text_parse_int64 (text, key, min, max, number, &local))
    return seam_key_fail (reader, group, NULL, "%s", local->message);
  return TRUE;
}

gboolean
seam_key_get_double (SeamKeyReader *reader, const char *group, const char *key, double *number)
{
  g_autofree char *text = seam_key_get_string (reader, group, key);
  g_autoptr (GError) local = NULL;

  if (text == NULL)
    return FALSE;
  if (!seam_text_parse_double (text, key, -1e30, 1e30, number, &local))
    return seam_key_fail (reader, group, NULL, "%s", local->message);
  return TRUE;
}

/* Index of the value among `words` (NULL-terminated), or -1 with the error set. */
int
seam_key_get_word (SeamKeyReader *reader, const char *group, const char *key,
                   const char *const *words)
{
  g_autofree char *text = seam_key_get_string (reader, group, key);

  if (text == NULL)
    return -1;
  for (int i = 0; words[i]; i++)
    if (strcmp (words[i], text) == 0)
      return i;
  g_autofree char *list = seam_text_list (words);
  seam_key_fail (reader, group, key, "“%s” is not known; it can be %s.", text, list);
  return -1;
}

/* Refuses keys outside `allowed`, so that a misspelt key is not silently ignored. */
gboolean
seam_key_check (SeamKeyReader *reader, const char *group, const char *const *allowed)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, group, NULL, NULL);

  for (int i = 0; keys && keys[i]; i++) {
    if (g_strv_contains (allowed, keys[i]))
      continue;
    g_autofree char *end = seam_text_suggest (keys[i], allowed);
    return seam_key_fail (reader, group, keys[i], "this key is not known here%s", end);
  }
  return TRUE;
}
