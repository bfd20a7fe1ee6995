/* SPDX-License-Identifier: MIT */
#include "ui/session/entry-choice.h"

#include <string.h>

#define LIST_WIDTH  460
#define LIST_HEIGHT 320

typedef struct {
  SeamEntryChoiceFunc answer;
  gpointer data;
  GPtrArray *buttons; /* of GtkCheckButton, the newest first; borrowed */
  AdwMessageDialog *dialog;
  gboolean may_be_empty;
} Choice;

static void
choice_free (gpointer data, GClosure *closure)
{
  Choice *choice = data;

  g_ptr_array_unref (choice->buttons);
  g_free (choice);
}

static GArray *
list_chosen (const Choice *choice)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < choice->buttons->len; i++) {
    const gint64 *id = g_object_get_data (choice->buttons->pdata[i], "id");
    if (gtk_check_button_get_active (choice->buttons->pdata[i]))
      g_array_append_val (ids, *id);
  }
  return ids;
}

static void
toggled_cb (GtkCheckButton *button, Choice *choice)
{
  g_autoptr (GArray) ids = list_chosen (choice);

  adw_message_dialog_set_response_enabled (choice->dialog, "save",
                                           choice->may_be_empty || ids->len > 0);
}

static void
response_cb (AdwMessageDialog *dialog, const char *response, Choice *choice)
{
  g_autoptr (GArray) ids = strcmp (response, "save") == 0 ? list_chosen (choice) : NULL;

  choice->answer (ids, choice->data);
}

static GtkWidget *
make_button (Choice *choice, const SeamHistoryEntry *entry, gboolean ticked)
{
  g_autofree char *name = seam_history_list_describe (entry);
  g_autofree char *outcome = seam_history_entry_describe (entry);
  g_autofree char *text =
      g_strdup_printf ("%s: %s", name, entry->outcome != NULL ? outcome : entry->detail);
  GtkWidget *button = gtk_check_button_new_with_label (text);
  gint64 *id = g_new (gint64, 1);

  *id = entry->id;
  g_object_set_data_full (G_OBJECT (button), "id", id, g_free);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (button), ticked);
  gtk_widget_set_tooltip_text (button, entry->detail);
  g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), choice);
  g_ptr_array_add (choice->buttons, button);
  return button;
}

static gboolean
contains (GArray *ids, gint64 id)
{
  for (guint i = 0; i < ids->len; i++)
    if (g_array_index (ids, gint64, i) == id)
      return TRUE;
  return FALSE;
}

void
seam_entry_choice_ask (GtkWindow *parent, SeamHistoryList *history, GArray *ticked,
                       const char *session, SeamEntryChoiceFunc answer, gpointer data)
{
  GPtrArray *entries = seam_history_list_get (history);
  g_autofree char *body = g_strdup_printf (
      "The session file will hold %s%swhat is ticked. The history keeps everything.",
      session != NULL ? session : "", session != NULL ? " and " : "");
  GtkWidget *dialog = adw_message_dialog_new (parent, "Save which results?", body);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  Choice *choice = g_new0 (Choice, 1);

  choice->answer = answer;
  choice->data = data;
  choice->may_be_empty = session != NULL;
  choice->buttons = g_ptr_array_new ();
  choice->dialog = ADW_MESSAGE_DIALOG (dialog);
  for (guint i = 0; i < entries->len; i++) {
    const SeamHistoryEntry *entry = g_ptr_array_index (entries, i);
    if (entry->kind != SEAM_ENTRY_CALIBRATION)
      gtk_box_append (GTK_BOX (box), make_button (choice, entry, contains (ticked, entry->id)));
  }
  GtkWidget *scroller =
      g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", box, "hscrollbar-policy", GTK_POLICY_NEVER,
                    "propagate-natural-height", TRUE, "max-content-height", LIST_HEIGHT,
                    "width-request", LIST_WIDTH, NULL);
  adw_message_dialog_add_responses (choice->dialog, "cancel", "_Cancel", "save", "_Save…", NULL);
  adw_message_dialog_set_response_appearance (choice->dialog, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_response_enabled (choice->dialog, "save",
                                           choice->may_be_empty || ticked->len > 0);
  adw_message_dialog_set_default_response (choice->dialog, "save");
  adw_message_dialog_set_close_response (choice->dialog, "cancel");
  adw_message_dialog_set_extra_child (choice->dialog, scroller);
  g_signal_connect_data (dialog, "response", G_CALLBACK (response_cb), choice, choice_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  /* Return saves. */
  gtk_window_set_focus (GTK_WINDOW (dialog), gtk_window_get_default_widget (GTK_WINDOW (dialog)));
}
