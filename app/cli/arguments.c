/* SPDX-License-Identifier: MIT
 *
 * Parsing of "--name value" and "--name=value" against a table.
 */
#include "app/cli/arguments.h"

#include "app/base/error.h"
#include "app/base/text.h"

#include <string.h>

static const SeamOption *
find_option (const SeamOption *options, const char *name)
{
  for (; options->name; options++)
    if (strcmp (options->name, name) == 0)
      return options;
  return NULL;
}

static gboolean
fail_unknown (const SeamOption *options, const char *argument, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  for (; options->name; options++)
    g_ptr_array_add (names, (gpointer)options->name);
  g_ptr_array_add (names, (gpointer) "help");
  const char *nearest = seam_text_nearest (name, (const char *const *)names->pdata);
  if (nearest)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "There is no option %s; did you mean --%s? --help lists them all.", argument,
                      nearest);
  return seam_fail (error, SEAM_ERROR_INPUT, "There is no option %s; --help lists those there are.",
                    argument);
}

/* Reads the option at `*argv`, and advances if its value is the next argument. */
static gboolean
parse_option (SeamArguments *arguments, const SeamOption *options, char ***argv, GError **error)
{
  const char *argument = **argv;
  const char *body = argument + (argument[1] == '-' ? 2 : 1);
  gsize n_name = strcspn (body, "=");
  g_autofree char *name = g_strndup (body, n_name);
  g_autofree char *shown = g_strndup (argument, (body - argument) + n_name);
  const char *value = body[n_name] == '=' ? body + n_name + 1 : NULL;
  const SeamOption *option = argument[1] == '-' ? find_option (options, name) : NULL;

  if (option == NULL)
    return fail_unknown (options, shown, name, error);
  if (option->value == NULL && value)
    return seam_fail (error, SEAM_ERROR_INPUT, "%s takes no value.", shown);
  if (option->value && value == NULL) {
    value = (*argv)[1];
    /* An option in place of the value means that the value was forgotten. */
    if (value == NULL || g_str_has_prefix (value, "--"))
      return seam_fail (error, SEAM_ERROR_INPUT, "%s needs a value: %s %s.", shown, shown,
                        option->value);
    (*argv)++;
  }
  GPtrArray *values = g_hash_table_lookup (arguments->values, option->name);
  if (values && !option->repeats)
    return seam_fail (error, SEAM_ERROR_INPUT, "%s is given twice.", shown);
  if (values == NULL) {
    values = g_ptr_array_new_with_free_func (g_free);
    g_hash_table_insert (arguments->values, (gpointer)option->name, values);
  }
  g_ptr_array_add (values, g_strdup (value ? value : ""));
  return TRUE;
}

SeamArguments *
seam_arguments_parse (const SeamOption *options, char **argv, GError **error)
{
  g_autoptr (SeamArguments) arguments = g_new0 (SeamArguments, 1);
  gboolean options_ended = FALSE;

  arguments->words = g_ptr_array_new_with_free_func (g_free);
  arguments->values =
      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
  for (; *argv; argv++) {
    if (!options_ended && strcmp (*argv, "--") == 0) {
      options_ended = TRUE;
    } else if (!options_ended && (*argv)[0] == '-' && (*argv)[1] != '\0') {
      if (!parse_option (arguments, options, &argv, error))
        return NULL;
    } else {
      g_ptr_array_add (arguments->words, g_strdup (*argv));
    }
  }
  return g_steal_pointer (&arguments);
}

void
seam_arguments_free (SeamArguments *arguments)
{
  if (arguments == NULL)
    return;
  g_clear_pointer (&arguments->words, g_ptr_array_unref);
  g_clear_pointer (&arguments->values, g_hash_table_unref);
  g_free (arguments);
}

gboolean
seam_arguments_has (const SeamArguments *arguments, const char *name)
{
  return g_hash_table_contains (arguments->values, name);
}

const char *
seam_arguments_get (const SeamArguments *arguments, const char *name)
{
  GPtrArray *values = g_hash_table_lookup (arguments->values, name);

  return values ? g_ptr_array_index (values, 0) : NULL;
}

const char **
seam_arguments_get_all (const SeamArguments *arguments, const char *name)
{
  GPtrArray *values = g_hash_table_lookup (arguments->values, name);
  const char **all = g_new0 (const char *, values ? values->len + 1 : 1);

  for (guint i = 0; values && i < values->len; i++)
    all[i] = g_ptr_array_index (values, i);
  return all;
}

gboolean
seam_arguments_expect_words (const SeamArguments *arguments, guint n, const char *what,
                             GError **error)
{
  if (arguments->words->len == n)
    return TRUE;
  if (arguments->words->len > n)
    return seam_fail (error, SEAM_ERROR_INPUT, "“%s” is one word too many: this command takes %s.",
                      (const char *)g_ptr_array_index (arguments->words, n), what);
  return seam_fail (error, SEAM_ERROR_INPUT, "This command needs %s.", what);
}

char *
seam_options_format (const SeamOption *options)
{
  GString *text = g_string_new (NULL);

  for (; options->name; options++) {
    g_auto (GStrv) lines = g_strsplit (options->help, "\n", -1);
    g_autofree char *head =
        g_strdup_printf ("  --%s%s%s%s", options->name, options->value ? " " : "",
                         options->value ? options->value : "", options->repeats ? " …" : "");
    g_string_append (text, head);
    for (int i = 0; lines[i]; i++) {
      int used = i == 0 ? (int)g_utf8_strlen (head, -1) : 0;
      if (used > 30) {
        g_string_append_c (text, '\n');
        used = 0;
      }
      g_string_append_printf (text, "%*s%s\n", 32 - used, "", lines[i]);
    }
  }
  return g_string_free (text, FALSE);
}
