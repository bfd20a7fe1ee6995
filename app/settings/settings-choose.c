/* SPDX-License-Identifier: MIT
 *
 * Functions that follow from the table of settings: parsing and formatting a person's words,
 * refused choices, descriptions, and the changes that make a result stale.
 */
#include "app/base/text.h"
#include "app/settings/settings.h"

#include <string.h>

#define FIELD_AT(T, settings, field) G_STRUCT_MEMBER (T, settings, (field)->offset)

static gint
compare_order (gconstpointer a, gconstpointer b)
{
  return (*(const SeamField *const *)a)->setting->order
         - (*(const SeamField *const *)b)->setting->order;
}

const SeamField *const *
seam_settings_list (void)
{
  static gsize list;

  if (g_once_init_enter (&list)) {
    GPtrArray *fields = g_ptr_array_new_null_terminated (8, NULL, TRUE);

    SEAM_FOR_EACH_FIELD (field, &seam_settings_type)
    if (field->setting != NULL)
      g_ptr_array_add (fields, (gpointer)field);
    g_ptr_array_sort (fields, compare_order);
    g_once_init_leave (&list, (gsize)g_ptr_array_free (fields, FALSE));
  }
  return (const SeamField *const *)list;
}

const SeamField *
seam_settings_find_option (const char *option)
{
  const SeamField *const *field = seam_settings_list ();

  while (*field != NULL && g_strcmp0 ((*field)->setting->option, option) != 0)
    field++;
  return *field;
}

/* NULL: the setting is a number or any text. */
static const SeamChoice *
get_choices (const SeamField *field)
{
  static const SeamChoice answers[] = { { "no" }, { "yes" }, { NULL } };

  if (field->choices == NULL && field->kind == SEAM_KIND_BOOLEAN)
    return answers;
  return field->choices != NULL ? field->choices : field->setting->entries;
}

/* --- Words of a person --- */

static gboolean
fail_choice (const SeamChoice *choices, int n, const char *text, const char *what, GError **error)
{
  g_autofree char *list = seam_choice_list (choices, n);

  return seam_fail (error, SEAM_ERROR_INPUT, "The %s is %s, not “%s”.", what, list, text);
}

gboolean
seam_choice_parse (const SeamChoice *choices, int n, const char *text, const char *what,
                   int *choice, GError **error)
{
  for (int i = 0; i < n; i++)
    if (g_ascii_strcasecmp (text, choices[i].name) == 0) {
      *choice = i;
      return TRUE;
    }
  return fail_choice (choices, n, text, what, error);
}

/* A number without limits has those of its type; a double has every whole number up to 2^53. */
static gboolean
parse_number (const SeamField *field, const char *what, const char *text, gpointer at,
              GError **error)
{
  gboolean is_limited = field->setting->least < field->setting->most;
  double most = is_limited                        ? field->setting->most
                : field->kind == SEAM_KIND_INT    ? G_MAXINT
                : field->kind == SEAM_KIND_DOUBLE ? G_MAXDOUBLE
                                                  : 0x1p53;
  double least = is_limited ? field->setting->least : -most;
  gint64 whole;

  if (field->kind == SEAM_KIND_DOUBLE)
    return seam_text_parse_double (text, what, least, most, at, error);
  if (!seam_text_parse_int64 (text, what, (gint64)least, (gint64)most, &whole, error))
    return FALSE;
  if (field->kind == SEAM_KIND_INT)
    *(int *)at = (int)whole;
  else
    *(gint64 *)at = whole;
  return TRUE;
}

gboolean
seam_setting_parse (const SeamField *field, const char *what, const char *text,
                    SeamSettings *settings, GError **error)
{
  gpointer at = &FIELD_AT (char, settings, field);

  switch (field->kind) {
  case SEAM_KIND_DOUBLE:
  case SEAM_KIND_INT:
  case SEAM_KIND_INT64:
    return parse_number (field, what, text, at, error);
  case SEAM_KIND_UINT64:
    if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, at, NULL))
      return TRUE;
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "%s: “%s” is not a whole number from 0 to 18,446,744,073,709,551,615.", what,
                      text);
  case SEAM_KIND_TEXT:
    g_free (*(char **)at);
    *(char **)at = text[0] != '\0' ? g_strdup (text) : NULL;
    return TRUE;
  default:
    if (seam_choice_parse (get_choices (field), seam_setting_count_choices (field), text,
                           field->setting->noun, at, error))
      return TRUE;
    g_prefix_error (error, "%s: ", what);
    return FALSE;
  }
}

gboolean
seam_setting_parse_typed (const SeamField *field, const char *what, const char *text,
                          SeamSettings *settings, GError **error)
{
  g_autofree char *plain = field->kind == SEAM_KIND_TEXT || get_choices (field) != NULL
                               ? g_strdup (text)
                               : seam_text_read_typed (text, what, field->unit, error);

  return plain != NULL && seam_setting_parse (field, what, plain, settings, error);
}

char *
seam_setting_format (const SeamField *field, const SeamSettings *settings)
{
  char *text = seam_field_format (field, settings);

  return text != NULL ? text : g_strdup ("");
}

/* --- Choices --- */

int
seam_setting_count_choices (const SeamField *field)
{
  const SeamChoice *choices = get_choices (field);
  int n = field->setting->n_choices;

  while (choices != NULL && field->setting->n_choices == 0 && choices[n].name != NULL)
    n++;
  return n;
}

int
seam_setting_get_choice (const SeamField *field, const SeamSettings *settings)
{
  if (get_choices (field) == NULL)
    return -1;
  if (field->kind != SEAM_KIND_TEXT)
    return FIELD_AT (int, settings, field);
  const char *text = FIELD_AT (char *, settings, field);
  return seam_choice_find (field->setting->entries, text != NULL ? text : "");
}

gboolean
seam_setting_set_choice (const SeamField *field, SeamSettings *settings, int choice)
{
  if (choice < 0 || choice >= seam_setting_count_choices (field)
      || choice == seam_setting_get_choice (field, settings))
    return FALSE;
  if (field->kind == SEAM_KIND_TEXT)
    return seam_setting_parse (field, "", field->setting->entries[choice].name, settings, NULL);
  FIELD_AT (int, settings, field) = choice;
  return TRUE;
}

const char *
seam_setting_get_label (const SeamField *field, int choice)
{
  const SeamChoice *entry = &get_choices (field)[choice];

  return entry->label != NULL ? entry->label : entry->title != NULL ? entry->title : entry->name;
}

char *
seam_setting_describe (const SeamField *field, const SeamSettings *settings)
{
  int choice = seam_setting_get_choice (field, settings);
  g_autofree char *text = choice < 0 ? seam_field_format (field, settings) : NULL;

  if (choice < 0)
    return text != NULL ? g_strjoin (" ", text, field->unit, NULL) : NULL;
  return g_strdup (field->kind == SEAM_KIND_TEXT
                       ? seam_setting_get_label (field, choice)
                       : seam_choice_get_title (get_choices (field), choice));
}

gboolean
seam_settings_is_against_fp64 (const SeamSettings *settings)
{
  return settings->against != NULL
         && g_ascii_strcasecmp (settings->against, SEAM_AGAINST_FP64) == 0;
}

/* --- Refused choices --- */

const char *
seam_setting_refuse (const SeamField *field, int choice, const SeamSettings *settings,
                     SeamAbilities abilities)
{
  return field->setting->refuse != NULL && choice >= 0
             ? field->setting->refuse (choice, settings, abilities)
             : NULL;
}

const SeamField *
seam_settings_find_refused (const SeamSettings *settings, SeamAbilities abilities, const char **why)
{
  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
    int choice = seam_setting_get_choice (*field, settings);

    *why = seam_setting_refuse (*field, choice, settings, abilities);
    if (*why != NULL)
      return *field;
  }
  return NULL;
}

void
seam_settings_resolve (SeamSettings *settings, SeamAbilities abilities)
{
  const char *why;

  for (const SeamField *field = seam_settings_find_refused (settings, abilities, &why);
       field != NULL; field = seam_settings_find_refused (settings, abilities, &why))
    seam_setting_set_choice (field, settings, 0);
}

gboolean
seam_settings_check (const SeamSettings *settings, GError **error)
{
  const char *why;

  /* Choices that only results have, or a later version, cannot be requested. */
  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
    int choice = seam_setting_get_choice (*field, settings);
    int n = seam_setting_count_choices (*field);
    const SeamChoice *choices = get_choices (*field);

    if (choice < n)
      continue;
    return fail_choice (choices, n, seam_choice_get_name (choices, choice), (*field)->setting->noun,
                        error);
  }
  if (seam_settings_find_refused (settings, SEAM_ABILITY_ALL, &why) == NULL)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT, "%s", why);
}

void
seam_settings_adopt (SeamSettings *settings, const SeamSettings *result)
{
  for (const SeamField *const *at = seam_settings_list (); *at != NULL; at++) {
    const SeamField *field = *at;
    const SeamSetting *setting = field->setting;
    int n = seam_setting_count_choices (field);
    int choice = seam_setting_get_choice (field, result);

    if (setting->title == NULL)
      continue;
    if (n > 0) {
      seam_setting_set_choice (field, settings, choice < n ? MAX (choice, 0) : 0);
    } else {
      g_autofree char *text = seam_setting_format (field, result);
      seam_setting_parse (field, "", text, settings, NULL);
    }
  }
}

/* --- Descriptions --- */

/* NULL if there is nothing to say. */
static char *
describe_setting (const SeamField *field, const SeamSettings *settings)
{
  const SeamSetting *setting = field->setting;
  int choice = field->kind != SEAM_KIND_TEXT ? seam_setting_get_choice (field, settings) : -1;
  g_autofree char *text = seam_setting_describe (field, settings);

  if (setting->describe != NULL)
    return g_strdup (setting->describe (settings));
  if (text == NULL || ((setting->marks & SEAM_SETTING_SAID) == 0 && choice <= 0))
    return NULL;
  return g_strconcat (setting->prefix != NULL ? setting->prefix : "", text,
                      setting->suffix != NULL ? setting->suffix : "", NULL);
}

char *
seam_settings_describe (const SeamSettings *settings, SeamConcerns concerns, const char *separator)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gboolean from_files =
      settings->distribution == SEAM_DISTRIBUTION_FILES && (concerns & SEAM_CONCERN_TENSORS) != 0;

  if (from_files)
    concerns &= ~(guint)SEAM_CONCERN_TENSORS;
  SEAM_FOR_EACH_FIELD (field, &seam_settings_type)
  {
    g_autofree char *text = field->setting != NULL && (field->setting->concerns & concerns) != 0
                                ? describe_setting (field, settings)
                                : NULL;
    if (text != NULL)
      g_string_append_printf (line, "%s%s", line->len > 0 ? separator : "", text);
  }
  if (from_files)
    g_string_append_printf (line, "%stensors from files", line->len > 0 ? separator : "");
  return line->len > 0 ? g_strdup (line->str) : NULL;
}

char *
seam_settings_describe_types (const SeamSettings *settings)
{
  const char *storage = seam_storage_describe (settings->storage, settings->math_mode);

  return g_strdup (storage != NULL ? storage
                                   : seam_choice_get_title (seam_math_modes, settings->math_mode));
}

/* --- Changes --- */

static gboolean
makes_stale (const SeamField *field, SeamConcerns concerns)
{
  return field->setting != NULL && (field->setting->marks & SEAM_SETTING_STALES) != 0
         && (field->setting->concerns & concerns) != 0;
}

char *
seam_settings_make_key (const SeamSettings *settings, SeamConcerns concerns)
{
  GString *key = g_string_new (NULL);

  SEAM_FOR_EACH_FIELD (field, &seam_settings_type)
  if (makes_stale (field, concerns)) {
    g_autofree char *text = seam_setting_format (field, settings);
    g_string_append_printf (key, "%s,", text);
  }
  return g_string_free (key, FALSE);
}

void
seam_settings_list_changes (const SeamSettings *a, const SeamSettings *b, GPtrArray *nouns)
{
  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++)
    if (makes_stale (*field, SEAM_CONCERN_ALL) && !seam_field_equal (*field, a, b))
      g_ptr_array_add (nouns, (gpointer)(*field)->setting->noun);
}
