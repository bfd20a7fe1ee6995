/* SPDX-License-Identifier: MIT */
#include "ui/session/history-actions.h"

#include <string.h>

typedef struct {
  GtkWindow *window; /* borrowed, as all of them */
  SeamHistoryList *history;
  SeamSessionFile *session;
} Actions;

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;
  gint64 id = g_variant_get_int64 (parameter);
  const SeamHistoryEntry *entry = seam_history_list_find (self->history, id);

  if (entry == NULL)
    return;
  if (entry->kind == SEAM_ENTRY_CALIBRATION)
    gtk_widget_activate_action (GTK_WIDGET (self->window), "win.calibrate-show", "x", id);
  else
    seam_session_file_open_entry (self->session, id);
}

static void
pin_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;
  gint64 id = g_variant_get_int64 (parameter);
  const SeamHistoryEntry *entry = seam_history_list_find (self->history, id);

  if (entry != NULL)
    seam_history_list_change (self->history, id,
                              entry->pinned ? SEAM_CHANGE_UNPIN : SEAM_CHANGE_PIN, NULL);
}

static void
rename_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;
  const char *name;
  gint64 id;

  g_variant_get (parameter, "(x&s)", &id, &name);
  seam_history_list_change (self->history, id, SEAM_CHANGE_NAME, name);
}

static void
name_response_cb (AdwMessageDialog *dialog, const char *response, GtkEditable *entry)
{
  const gint64 *id = g_object_get_data (G_OBJECT (entry), "id");
  SeamHistoryList *history = g_object_get_data (G_OBJECT (entry), "history");

  if (strcmp (response, "name") == 0)
    seam_history_list_change (history, *id, SEAM_CHANGE_NAME, gtk_editable_get_text (entry));
}

static void
name_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;
  gint64 *id = g_new (gint64, 1);
  GtkWidget *dialog =
      adw_message_dialog_new (self->window, "Name of the run",
                              "If you save the run in a session file, the name is its note there.");
  GtkWidget *text = gtk_entry_new ();
  const SeamHistoryEntry *entry;

  *id = g_variant_get_int64 (parameter);
  entry = seam_history_list_find (self->history, *id);
  gtk_editable_set_text (GTK_EDITABLE (text),
                         entry != NULL && entry->name != NULL ? entry->name : "");
  gtk_entry_set_activates_default (GTK_ENTRY (text), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL, "Name", -1);
  g_object_set_data_full (G_OBJECT (text), "id", id, g_free);
  g_object_set_data_full (G_OBJECT (text), "history", g_object_ref (self->history), g_object_unref);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "_Cancel", "name",
                                    "_Name", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "name",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "name");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), text);
  g_signal_connect_object (dialog, "response", G_CALLBACK (name_response_cb), text, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (text);
}

static void
remove_entry (Actions *self, gint64 id)
{
  if (seam_session_file_get_entry (self->session) == id)
    seam_session_file_close (self->session);
  seam_history_list_change (self->history, id, SEAM_CHANGE_REMOVE, NULL);
}

static void
remove_response_cb (AdwMessageDialog *dialog, const char *response, gpointer data)
{
  const gint64 *id = g_object_get_data (G_OBJECT (dialog), "id");

  if (strcmp (response, "remove") == 0)
    remove_entry (data, *id);
}

static void
remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Actions *self = data;
  gint64 id = g_variant_get_int64 (parameter), *key;
  const SeamHistoryEntry *entry = seam_history_list_find (self->history, id);
  g_autofree char *name = entry != NULL ? seam_history_list_describe (entry) : NULL;
  g_autofree char *body =
      g_strdup_printf ("“%s” is removed for good%s.", name,
                       entry != NULL && !entry->saved ? "; no session file holds it" : "");
  GtkWidget *dialog;

  if (entry == NULL)
    return;
  key = g_new (gint64, 1);
  *key = id;
  dialog = adw_message_dialog_new (self->window, "Remove from the history?", body);
  g_object_set_data_full (G_OBJECT (dialog), "id", key, g_free);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "_Cancel", "remove",
                                    "_Remove", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (remove_response_cb), self);
  gtk_window_present (GTK_WINDOW (dialog));
}

static const GActionEntry actions[] = {
  { .name = "history-open", .parameter_type = "x", .activate = open_cb },
  { .name = "history-pin", .parameter_type = "x", .activate = pin_cb },
  { .name = "history-name", .parameter_type = "x", .activate = name_cb },
  { .name = "history-rename", .parameter_type = "(xs)", .activate = rename_cb },
  { .name = "history-remove", .parameter_type = "x", .activate = remove_cb },
};

void
seam_history_actions_install (GtkApplicationWindow *window, SeamModel *model,
                              SeamSessionFile *session)
{
  Actions *self = g_new0 (Actions, 1);

  self->window = GTK_WINDOW (window);
  self->history = model->history;
  self->session = session;
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), self);
  g_object_set_data_full (G_OBJECT (window), "seam-history-actions", self, g_free);
}
