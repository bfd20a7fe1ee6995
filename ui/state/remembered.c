/* SPDX-License-Identifier: MIT
 *
 * Looks the schema up first: g_settings_new() would end the program if it is missing.
 */
#include "ui/state/remembered.h"

#include <string.h>

#define SCHEMA_ID "io.github.seamscope.Seamscope"

/* Defaults that differ from "", 0 and FALSE, for when there is no schema. */
static const struct {
  const char *key;
  int value;
} default_ints[] = {
  { "window-width", 1500 },
  { "window-height", 940 },
  { "show-sidebar", TRUE },
};

static GSettingsSchema *
look_up_in (const char *folder)
{
  g_autoptr (GSettingsSchemaSource) source = g_settings_schema_source_new_from_directory (
      folder, g_settings_schema_source_get_default (), FALSE, NULL);

  return source != NULL ? g_settings_schema_source_lookup (source, SCHEMA_ID, FALSE) : NULL;
}

static GSettingsSchema *
find_schema (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  GSettingsSchemaSource *system = g_settings_schema_source_get_default ();
  GSettingsSchema *schema = NULL;

  /* Looks beside the program first: the build tree's own schema is newer than an installed one. */
  if (program != NULL) {
    g_autofree char *folder = g_path_get_dirname (program);
    g_autofree char *prefix = g_build_filename (folder, "..", "share", "glib-2.0", "schemas", NULL);
    schema = look_up_in (folder);
    if (schema == NULL)
      schema = look_up_in (prefix);
  }
  if (schema == NULL && system != NULL)
    schema = g_settings_schema_source_lookup (system, SCHEMA_ID, TRUE);
  return schema;
}

static GSettings *
get_settings (void)
{
  static gboolean looked_up;
  static GSettings *settings;

  if (!looked_up) {
    g_autoptr (GSettingsSchema) schema = find_schema ();
    looked_up = TRUE;
    if (schema != NULL)
      settings = g_settings_new_full (schema, NULL, NULL);
    else
      g_message ("The settings schema is not installed, so nothing is remembered.");
  }
  return settings;
}

static int
get_default (const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS (default_ints); i++)
    if (strcmp (default_ints[i].key, key) == 0)
      return default_ints[i].value;
  return 0;
}

/* GSettings ends the program if the schema has no such key. */
static gboolean
has_key (GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

char *
seam_remembered_get_string (const char *key)
{
  GSettings *settings = get_settings ();

  return settings != NULL && has_key (settings, key) ? g_settings_get_string (settings, key)
                                                     : g_strdup ("");
}

int
seam_remembered_get_int (const char *key)
{
  GSettings *settings = get_settings ();
  return settings != NULL ? g_settings_get_int (settings, key) : get_default (key);
}

gboolean
seam_remembered_get_boolean (const char *key)
{
  GSettings *settings = get_settings ();
  return settings != NULL ? g_settings_get_boolean (settings, key) : get_default (key);
}

GVariant *
seam_remembered_get_texts (const char *key)
{
  GSettings *settings = get_settings ();

  return settings != NULL ? g_settings_get_value (settings, key)
                          : g_variant_ref_sink (g_variant_new ("a{ss}", NULL));
}

void
seam_remembered_set_texts (const char *key, GVariant *texts)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (texts);
  GSettings *settings = get_settings ();

  if (settings != NULL)
    g_settings_set_value (settings, key, owned);
}

char **
seam_remembered_get_list (const char *key)
{
  GSettings *settings = get_settings ();

  return settings != NULL && has_key (settings, key) ? g_settings_get_strv (settings, key)
                                                     : g_new0 (char *, 1);
}

void
seam_remembered_set_listed (const char *key, const char *text, gboolean listed, guint most)
{
  g_auto (GStrv) before = seam_remembered_get_list (key);
  g_autoptr (GPtrArray) after = g_ptr_array_new ();
  GSettings *settings = get_settings ();

  if (listed)
    g_ptr_array_add (after, (gpointer)text);
  for (int i = 0; before[i] != NULL && after->len < most; i++)
    if (strcmp (before[i], text) != 0)
      g_ptr_array_add (after, before[i]);
  g_ptr_array_add (after, NULL);
  if (settings != NULL && has_key (settings, key))
    g_settings_set_strv (settings, key, (const char *const *)after->pdata);
}

void
seam_remembered_set_string (const char *key, const char *value)
{
  GSettings *settings = get_settings ();
  if (settings != NULL)
    g_settings_set_string (settings, key, value != NULL ? value : "");
}

void
seam_remembered_set_int (const char *key, int value)
{
  GSettings *settings = get_settings ();
  if (settings != NULL)
    g_settings_set_int (settings, key, value);
}

void
seam_remembered_set_boolean (const char *key, gboolean value)
{
  GSettings *settings = get_settings ();
  if (settings != NULL)
    g_settings_set_boolean (settings, key, value);
}
