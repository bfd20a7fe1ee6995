/* SPDX-License-Identifier: MIT
 *
 * Loops over the table of settings; no code here knows a single setting.
 */
#include "ui/state/chosen-settings.h"

#include "ui/state/watch.h"

#define MAX_SETTINGS 64

struct _SeamChosenSettings {
  GObject parent_instance;

  SeamSettings chosen, resolved;
  SeamAbilities abilities;
  /* Indexed like seam_settings_list(). */
  char *texts[MAX_SETTINGS]; /* as typed; NULL: derived from the value */
  char *errors[MAX_SETTINGS];
};

G_DEFINE_FINAL_TYPE (SeamChosenSettings, seam_chosen_settings, G_TYPE_OBJECT)

/* The id of a setting is its place and 1. */
static GParamSpec *properties[MAX_SETTINGS];

static int
find_place (const SeamField *field)
{
  int place = 0;

  for (const SeamField *const *list = seam_settings_list (); list[place] != field; place++)
    ;
  return place;
}

const char *
seam_chosen_settings_get_name (const SeamField *field)
{
  g_autofree char *name = NULL;

  if (field->setting->title == NULL)
    return NULL;
  name = g_strdup (field->column != NULL ? field->column : field->name);
  return g_intern_string (g_strdelimit (name, "_", '-'));
}

const SeamSettings *
seam_chosen_settings_get (SeamChosenSettings *self)
{
  return &self->chosen;
}

const SeamSettings *
seam_chosen_settings_get_resolved (SeamChosenSettings *self)
{
  return &self->resolved;
}

static void
resolve (SeamChosenSettings *self)
{
  seam_record_clear (&seam_settings_type, &self->resolved);
  seam_record_copy (&seam_settings_type, &self->resolved, &self->chosen);
  seam_settings_resolve (&self->resolved, self->abilities);
}

static void
notify (SeamChosenSettings *self, const SeamField *field)
{
  GParamSpec *pspec = properties[find_place (field)];

  resolve (self);
  if (pspec != NULL)
    g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

void
seam_chosen_settings_set_target (SeamChosenSettings *self, const SeamDeviceInfo *target)
{
  SeamAbilities abilities = seam_device_info_get_abilities (target);

  if (abilities == self->abilities)
    return;
  self->abilities = abilities;
  resolve (self);
  seam_watch_notify (self, "abilities");
}

SeamAbilities
seam_chosen_settings_get_abilities (SeamChosenSettings *self)
{
  return self->abilities;
}

const char *
seam_chosen_settings_refuse (SeamChosenSettings *self, const SeamField *field, int choice)
{
  return seam_setting_refuse (field, choice, &self->chosen, self->abilities);
}

void
seam_chosen_settings_set_choice (SeamChosenSettings *self, const SeamField *field, int choice)
{
  if (seam_setting_set_choice (field, &self->chosen, choice))
    notify (self, field);
}

void
seam_chosen_settings_set_text (SeamChosenSettings *self, const SeamField *field, const char *text)
{
  int place = find_place (field);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->errors[place], g_free);
  g_free (self->texts[place]);
  self->texts[place] = g_strdup (text);
  if (!seam_setting_parse_typed (field, field->setting->title, text, &self->chosen, &error))
    self->errors[place] = g_strdup (error->message);
  notify (self, field);
}

const char *
seam_chosen_settings_get_error (SeamChosenSettings *self, const SeamField *field)
{
  return self->errors[find_place (field)];
}

const char *
seam_chosen_settings_get_first_error (SeamChosenSettings *self)
{
  for (int i = 0; i < MAX_SETTINGS; i++)
    if (self->errors[i] != NULL)
      return self->errors[i];
  return NULL;
}

static void
forget_text (SeamChosenSettings *self, int place)
{
  g_clear_pointer (&self->texts[place], g_free);
  g_clear_pointer (&self->errors[place], g_free);
}

void
seam_chosen_settings_adopt (SeamChosenSettings *self, const SeamSettings *result)
{
  const SeamField *const *list = seam_settings_list ();

  g_object_freeze_notify (G_OBJECT (self));
  seam_settings_adopt (&self->chosen, result);
  for (int i = 0; list[i] != NULL; i++) {
    forget_text (self, i);
    notify (self, list[i]);
  }
  g_object_thaw_notify (G_OBJECT (self));
}

void
seam_chosen_settings_restore (SeamChosenSettings *self, const SeamField *field, const char *text)
{
  if (!seam_setting_parse (field, "", text, &self->chosen, NULL))
    return;
  forget_text (self, find_place (field));
  notify (self, field);
}

void
seam_chosen_settings_set_number (SeamChosenSettings *self, const SeamField *field, double value)
{
  if (field == NULL)
    return;
  g_return_if_fail (field->kind == SEAM_KIND_DOUBLE);
  *(double *)((char *)&self->chosen + field->offset) = value;
  notify (self, field);
}

static void
seam_chosen_settings_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  SeamChosenSettings *self = SEAM_CHOSEN_SETTINGS (object);
  guint place = id - 1;
  const SeamField *field = seam_settings_list ()[place];

  if (G_VALUE_HOLDS_INT (value))
    g_value_set_int (value, seam_setting_get_choice (field, &self->chosen));
  else if (self->texts[place] != NULL)
    g_value_set_string (value, self->texts[place]);
  else
    g_value_take_string (value, seam_setting_format (field, &self->chosen));
}

static void
seam_chosen_settings_set_property (GObject *object, guint id, const GValue *value,
                                   GParamSpec *pspec)
{
  SeamChosenSettings *self = SEAM_CHOSEN_SETTINGS (object);
  const SeamField *field = seam_settings_list ()[id - 1];

  if (G_VALUE_HOLDS_INT (value))
    seam_chosen_settings_set_choice (self, field, g_value_get_int (value));
  else
    seam_chosen_settings_set_text (self, field, g_value_get_string (value));
}

static void
seam_chosen_settings_finalize (GObject *object)
{
  SeamChosenSettings *self = SEAM_CHOSEN_SETTINGS (object);

  seam_record_clear (&seam_settings_type, &self->chosen);
  seam_record_clear (&seam_settings_type, &self->resolved);
  for (int i = 0; i < MAX_SETTINGS; i++)
    forget_text (self, i);
  G_OBJECT_CLASS (seam_chosen_settings_parent_class)->finalize (object);
}

static GParamSpec *
make_property (const SeamField *field)
{
  const char *name = seam_chosen_settings_get_name (field);
  int n = seam_setting_count_choices (field);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  SeamSettings start;
  int first;

  seam_settings_init (&start);
  first = seam_setting_get_choice (field, &start);
  seam_record_clear (&seam_settings_type, &start);
  return n > 0 ? g_param_spec_int (name, NULL, NULL, 0, n - 1, first, flags)
               : g_param_spec_string (name, NULL, NULL, NULL, flags);
}

static void
seam_chosen_settings_class_init (SeamChosenSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const SeamField *const *list = seam_settings_list ();

  object_class->get_property = seam_chosen_settings_get_property;
  object_class->set_property = seam_chosen_settings_set_property;
  object_class->finalize = seam_chosen_settings_finalize;
  seam_watch_install (klass, "abilities");
  for (guint i = 0; list[i] != NULL; i++) {
    g_assert (i < MAX_SETTINGS);
    if (list[i]->setting->title == NULL)
      continue;
    properties[i] = make_property (list[i]);
    g_object_class_install_property (object_class, i + 1, properties[i]);
  }
}

static void
seam_chosen_settings_init (SeamChosenSettings *self)
{
  seam_settings_init (&self->chosen);
  seam_settings_init (&self->resolved);
  self->abilities = SEAM_ABILITY_ALL;
}

SeamChosenSettings *
seam_chosen_settings_new (void)
{
  return g_object_new (SEAM_TYPE_CHOSEN_SETTINGS, NULL);
}
