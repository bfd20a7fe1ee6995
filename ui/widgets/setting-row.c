/* SPDX-License-Identifier: MIT
 *
 * Builds its control once and follows the settings; an edit goes to them at once. The default
 * choice is the first of the list.
 */
#include "ui/widgets/setting-row.h"

#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/label.h"
#include "ui/widgets/reason-list.h"

#include "app/base/text.h"

#define CHOICE_CHARS 24 /* of a choice on the closed control, ellipsised */
#define ENTRY_CHARS  5
#define UNIT_CHARS   2

struct _SeamSettingRow {
  AdwActionRow parent_instance;

  SeamChosenSettings *settings;
  const SeamField *field;
  gboolean updating; /* the control follows the settings: its signals mean nothing */
  int first;         /* the choice at the top of the list */
  GtkDropDown *drop_down;
  GtkEntry *entry;
  const char **reasons; /* of the choices, as the list shows them */
};

G_DEFINE_FINAL_TYPE (SeamSettingRow, seam_setting_row, ADW_TYPE_ACTION_ROW)

/* Positions in the list. */

static int
get_choice_at (SeamSettingRow *self, int place)
{
  if (place == 0)
    return self->first;
  return place <= self->first ? place - 1 : place;
}

static int
get_place_of (SeamSettingRow *self, int choice)
{
  if (choice == self->first)
    return 0;
  return choice < self->first ? choice + 1 : choice;
}

static char *
get_reason_cb (guint place, gpointer data)
{
  SeamSettingRow *self = data;
  int choice = get_choice_at (self, (int)place);

  return g_strdup (seam_chosen_settings_refuse (self->settings, self->field, choice));
}

/* Following the settings. */

/* FALSE: only the first choice is available, because of `reason`. */
static gboolean
update_reasons (SeamSettingRow *self, const char **reason)
{
  gboolean has_choice = FALSE, differs = FALSE;

  *reason = NULL;
  for (int i = 0; i < seam_setting_count_choices (self->field); i++) {
    const char *refusal = seam_chosen_settings_refuse (self->settings, self->field, i);

    differs |= refusal != self->reasons[i];
    self->reasons[i] = refusal;
    has_choice |= i != self->first && refusal == NULL;
    if (refusal != NULL)
      *reason = refusal;
  }
  if (differs)
    seam_reason_list_update (self->drop_down);
  return has_choice;
}

static void
update_drop_down (SeamSettingRow *self)
{
  const SeamSetting *setting = self->field->setting;
  const SeamSettings *resolved = seam_chosen_settings_get_resolved (self->settings);
  SeamAbilities missing = setting->needs & ~seam_chosen_settings_get_abilities (self->settings);
  const char *words = missing != 0 ? setting->words_without : setting->words, *reason;
  gboolean has_choice = update_reasons (self, &reason);
  int choice = seam_setting_get_choice (self->field, resolved);

  gtk_drop_down_set_selected (self->drop_down, (guint)get_place_of (self, MAX (choice, 0)));
  gtk_widget_set_sensitive (GTK_WIDGET (self->drop_down), has_choice);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), has_choice ? words : reason);
  /* Tab goes to the control, not to the row around it first; without a choice, the row says why. */
  gtk_widget_set_focusable (GTK_WIDGET (self), !has_choice);
}

/* Whether the text means the value that is chosen. */
static gboolean
says_value (SeamSettingRow *self, const char *text)
{
  SeamSettings other;
  gboolean same;

  seam_settings_init (&other);
  same = seam_setting_parse_typed (self->field, "", text, &other, NULL)
         && seam_field_equal (self->field, &other, seam_chosen_settings_get (self->settings));
  seam_record_clear (&seam_settings_type, &other);
  return same;
}

static void
update_entry (SeamSettingRow *self)
{
  const char *error = seam_chosen_settings_get_error (self->settings, self->field);

  seam_entry_set_error (GTK_WIDGET (self->entry), error);
  /* Keeps the typed text while it means the same, and while it is wrong. */
  if (error == NULL && !says_value (self, gtk_editable_get_text (GTK_EDITABLE (self->entry)))) {
    g_autofree char *text =
        seam_setting_format (self->field, seam_chosen_settings_get (self->settings));
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  }
}

static void
update (SeamSettingRow *self)
{
  self->updating = TRUE;
  if (self->drop_down != NULL)
    update_drop_down (self);
  else
    update_entry (self);
  self->updating = FALSE;
}

/* Edits. */

static void
selected_cb (GtkDropDown *drop_down, GParamSpec *pspec, SeamSettingRow *self)
{
  guint place = gtk_drop_down_get_selected (drop_down);
  const char *reason;
  int choice;

  if (self->updating || place == GTK_INVALID_LIST_POSITION)
    return;
  choice = get_choice_at (self, (int)place);
  reason = seam_chosen_settings_refuse (self->settings, self->field, choice);
  if (reason == NULL) {
    seam_chosen_settings_set_choice (self->settings, self->field, choice);
    return;
  }
  g_signal_emit_by_name (self, "refused", reason);
  update (self);
}

static void
edited_cb (GtkEditable *editable, SeamSettingRow *self)
{
  if (!self->updating)
    seam_chosen_settings_set_text (self->settings, self->field, gtk_editable_get_text (editable));
}

/* Building. */

static GtkWidget *
make_drop_down (SeamSettingRow *self)
{
  g_autoptr (GtkStringList) labels = gtk_string_list_new (NULL);
  int n = seam_setting_count_choices (self->field);
  SeamSettings start;
  GtkWidget *drop_down;

  seam_settings_init (&start);
  self->first = seam_setting_get_choice (self->field, &start);
  seam_record_clear (&seam_settings_type, &start);
  self->reasons = g_new0 (const char *, n);
  for (int i = 0; i < n; i++)
    gtk_string_list_append (labels, seam_setting_get_label (self->field, get_choice_at (self, i)));
  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&labels)), NULL);
  gtk_widget_add_css_class (drop_down, "row-dropdown");
  self->drop_down = GTK_DROP_DOWN (drop_down);
  if (self->field->setting->refuse != NULL)
    seam_reason_list_attach (self->drop_down, CHOICE_CHARS, get_reason_cb, self);
  g_signal_connect (drop_down, "notify::selected", G_CALLBACK (selected_cb), self);
  return drop_down;
}

static GtkWidget *
make_entry (SeamSettingRow *self)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_alignment (GTK_EDITABLE (entry), 1);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), ENTRY_CHARS);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), ENTRY_CHARS);
  gtk_widget_add_css_class (entry, "row-entry");
  g_signal_connect (entry, "changed", G_CALLBACK (edited_cb), self);
  self->entry = GTK_ENTRY (entry);
  return entry;
}

static GtkWidget *
make_unit (const char *unit)
{
  GtkWidget *label = seam_label_new (unit, "unit-label", 0);

  gtk_label_set_width_chars (GTK_LABEL (label), UNIT_CHARS);
  return label;
}

GtkWidget *
seam_setting_row_new (SeamChosenSettings *settings, const SeamField *field)
{
  SeamSettingRow *self = g_object_new (SEAM_TYPE_SETTING_ROW, NULL);
  const SeamSetting *setting = field->setting;
  gboolean is_choice = seam_setting_count_choices (field) > 0;
  GtkWidget *control;

  self->settings = g_object_ref (settings);
  self->field = field;
  control = is_choice ? make_drop_down (self) : make_entry (self);
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), setting->title);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), control);
  if (is_choice) {
    gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    setting->title, -1);
  } else {
    adw_action_row_add_suffix (ADW_ACTION_ROW (self), make_unit (field->unit));
    gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
    /* This also names the entry by the row's title. */
    adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), control);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self), setting->words);
    gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    setting->words, -1);
  }
  g_signal_connect_object (settings, "notify", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

void
seam_entry_set_error (GtkWidget *entry, const char *error)
{
  seam_css_class_set (entry, "error", error != NULL);
  gtk_widget_set_tooltip_text (entry, error);
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
      error != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static gboolean
read_spin (GtkSpinButton *spin, const char *unit, gint64 *value, GError **error)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));
  g_autofree char *plain = seam_text_read_typed (text, "The number", unit, error);
  double low, high;

  gtk_spin_button_get_range (spin, &low, &high);
  return plain != NULL
         && seam_text_parse_int64 (plain, "The number", (gint64)low, (gint64)high, value, error);
}

static int
spin_input_cb (GtkSpinButton *spin, double *value, const char *unit)
{
  gint64 whole;

  if (!read_spin (spin, unit, &whole, NULL))
    return GTK_INPUT_ERROR;
  *value = (double)whole;
  return TRUE;
}

static void
spin_changed_cb (GtkSpinButton *spin, const char *unit)
{
  const char *words = g_object_get_data (G_OBJECT (spin), "words");
  g_autoptr (GError) error = NULL;
  gint64 value;

  read_spin (spin, unit, &value, &error);
  seam_entry_set_error (GTK_WIDGET (spin), error != NULL ? error->message : NULL);
  if (error == NULL)
    gtk_widget_set_tooltip_text (GTK_WIDGET (spin), words);
}

void
seam_spin_button_read_typed (GtkSpinButton *spin, const char *unit)
{
  const char *words = gtk_widget_get_tooltip_text (GTK_WIDGET (spin));

  gtk_spin_button_set_numeric (spin, FALSE);
  g_object_set_data_full (G_OBJECT (spin), "words", g_strdup (words), g_free);
  g_signal_connect (spin, "input", G_CALLBACK (spin_input_cb), (gpointer)unit);
  g_signal_connect (spin, "changed", G_CALLBACK (spin_changed_cb), (gpointer)unit);
}

/* The object. */

static void
stop_listening (SeamSettingRow *self)
{
  self->updating = TRUE;
}

static void
seam_setting_row_class_init (SeamSettingRowClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (stop_listening));
  SEAM_OWNS (klass, SeamSettingRow, g_object_unref, settings);
  SEAM_OWNS (klass, SeamSettingRow, g_free, reasons);
  seam_signals_install (klass, G_TYPE_STRING, "refused");
}

static void
seam_setting_row_init (SeamSettingRow *self)
{
}
