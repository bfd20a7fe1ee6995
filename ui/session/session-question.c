/* SPDX-License-Identifier: MIT
 *
 * Closing the window. A run that is being measured is stopped first, so that the history has it.
 * Only results that could not be written into the history would be lost: then a question names
 * them, and saves them into a session file, gives them up, or leaves the window open.
 */
#include "ui/session/session-file-private.h"

#include "ui/widgets/label.h"

#include <string.h>

#define LIST_WIDTH 400 /* most names fit into a line */
#define MAX_NAMES  8

/* In an idle, because the dialog is freed with its window and may still be handling its answer. */
static void
close_later_cb (gpointer window)
{
  gtk_window_close (window);
  g_object_unref (window);
}

static void
allow_session_end (SeamSessionFile *self)
{
  if (self->inhibited == 0 || self->window == NULL
      || seam_history_list_count_lost (self->model->history) > 0)
    return;
  gtk_application_uninhibit (gtk_window_get_application (GTK_WINDOW (self->window)),
                             self->inhibited);
  self->inhibited = 0;
}

void
seam_session_file_proceed (SeamSessionFile *self)
{
  gboolean closes = self->closes;

  self->closes = FALSE;
  allow_session_end (self);
  if (closes && self->window != NULL)
    g_idle_add_once (close_later_cb, g_object_ref (self->window));
}

static void
response_cb (AdwMessageDialog *dialog, const char *response, SeamSessionFile *self)
{
  g_clear_weak_pointer (&self->question);
  if (strcmp (response, "cancel") == 0) {
    seam_session_file_stay (self);
  } else if (strcmp (response, "discard") == 0) {
    seam_history_list_drop_lost (self->model->history);
    seam_session_file_proceed (self);
  } else {
    seam_session_file_save (self);
  }
}

/* The run that the window waits for has stopped. */
static void
state_changed_cb (SeamSessionFile *self)
{
  if (!self->waits || seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE)
    return;
  self->waits = FALSE;
  seam_session_file_proceed (self);
}

static void
add_name (GtkWidget *box, const char *name)
{
  gtk_box_append (GTK_BOX (box), seam_label_new (name, NULL, SEAM_LABEL_WRAPS));
}

/* The names of what would be lost. */
static GtkWidget *
list_lost (SeamSessionFile *self)
{
  GPtrArray *entries = seam_history_list_get (self->model->history);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  guint n = 0;

  gtk_widget_set_size_request (box, LIST_WIDTH, -1);
  for (guint i = 0; i < entries->len; i++) {
    const SeamHistoryEntry *entry = g_ptr_array_index (entries, i);
    g_autofree char *name = seam_history_list_describe (entry);

    if (!seam_history_list_is_lost (self->model->history, entry->id))
      continue;
    if (n < MAX_NAMES)
      add_name (box, name);
    n++;
  }
  if (n > MAX_NAMES) {
    g_autofree char *more = g_strdup_printf ("%u older ones", n - MAX_NAMES);
    add_name (box, more);
  }
  return box;
}

static void
ask (SeamSessionFile *self)
{
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (self->window), "Save before closing?",
      "The results below could not be written into the history. Closing the window without saving "
      "loses them. Save puts them into a session file.");
  AdwMessageDialog *question = ADW_MESSAGE_DIALOG (dialog);

  /* A question that has no answer yet is replaced. */
  if (self->question != NULL)
    gtk_window_destroy (GTK_WINDOW (self->question));
  self->closes = TRUE;
  adw_message_dialog_add_responses (question, "cancel", "_Cancel", "discard",
                                    "Close _without saving", "save", "_Save…", NULL);
  adw_message_dialog_set_response_appearance (question, "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (question, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (question, "save");
  adw_message_dialog_set_close_response (question, "cancel");
  adw_message_dialog_set_extra_child (question, list_lost (self));
  g_set_weak_pointer (&self->question, dialog);
  g_signal_connect_object (dialog, "response", G_CALLBACK (response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  /* The Return key saves. */
  gtk_window_set_focus (GTK_WINDOW (dialog), gtk_window_get_default_widget (GTK_WINDOW (dialog)));
}

gboolean
seam_session_file_may_close (SeamSessionFile *self)
{
  SeamRunState state = seam_measurement_get_state (self->model->measurement);

  if (state != SEAM_RUN_IDLE || self->saving) {
    self->closes = TRUE;
    self->waits = state != SEAM_RUN_IDLE;
    seam_measurement_stop (self->model->measurement);
    return FALSE;
  }
  seam_history_list_collect (self->model->history);
  if (seam_history_list_count_lost (self->model->history) == 0)
    return TRUE;
  ask (self);
  return FALSE;
}

/* The desktop session is about to end. It shows the reason beside the window's own question. */
static void
query_end_cb (GtkApplication *application, SeamSessionFile *self)
{
  if (self->window == NULL || seam_session_file_may_close (self))
    return;
  if (self->inhibited == 0)
    self->inhibited =
        gtk_application_inhibit (application, GTK_WINDOW (self->window),
                                 GTK_APPLICATION_INHIBIT_LOGOUT, "Measured results are not saved");
}

void
seam_session_file_connect_question (SeamSessionFile *self)
{
  seam_watch (self, G_CALLBACK (state_changed_cb), self->model->measurement, "state", NULL);
  g_signal_connect_object (gtk_window_get_application (GTK_WINDOW (self->window)), "query-end",
                           G_CALLBACK (query_end_cb), self, 0);
}
