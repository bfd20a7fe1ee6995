/* SPDX-License-Identifier: MIT
 *
 * The question before a measured result is lost. It names every result that is in no file, and
 * offers to save all, discard all, or cancel. It comes when the window closes, and when another
 * session is opened.
 */
#include "ui/session/session-file-private.h"

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
  g_autoptr (GPtrArray) unsaved = seam_unsaved_list_read (self->model->unsaved);

  if (self->inhibited == 0 || unsaved->len > 0 || self->window == NULL)
    return;
  gtk_application_uninhibit (gtk_window_get_application (GTK_WINDOW (self->window)),
                             self->inhibited);
  self->inhibited = 0;
}

void
seam_session_file_proceed (SeamSessionFile *self)
{
  SeamSessionNext next = self->next;

  self->next = SEAM_NEXT_NOTHING;
  allow_session_end (self);
  if (next == SEAM_NEXT_CLOSE && self->window != NULL)
    g_idle_add_once (close_later_cb, g_object_ref (self->window));
  else if (next == SEAM_NEXT_OPEN)
    seam_session_file_show_opened (self);
}

void
seam_session_file_stay (SeamSessionFile *self)
{
  self->next = SEAM_NEXT_NOTHING;
  self->agreed = self->waiting = FALSE;
  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_pointer (&self->opening, seam_session_free);
  g_clear_pointer (&self->opening_run, seam_session_run_unref);
  g_clear_pointer (&self->opening_path, g_free);
}

static void
save_all (SeamSessionFile *self)
{
  g_autoptr (GPtrArray) unsaved = seam_unsaved_list_read (self->model->unsaved);

  if (unsaved->len > 0)
    seam_session_file_save (self);
  else
    seam_session_file_proceed (self);
}

static void
response_cb (AdwMessageDialog *dialog, const char *response, SeamSessionFile *self)
{
  g_clear_weak_pointer (&self->question);
  if (strcmp (response, "cancel") == 0) {
    seam_session_file_stay (self);
    return;
  }
  self->agreed = self->next == SEAM_NEXT_CLOSE;
  if (strcmp (response, "discard") == 0) {
    seam_session_file_proceed (self);
  } else if (seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE) {
    /* A stopped run keeps what it has measured. */
    self->waiting = TRUE;
    seam_measurement_stop (self->model->measurement);
  } else {
    save_all (self);
  }
}

static void
state_changed_cb (SeamSessionFile *self)
{
  if (!self->waiting || seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE)
    return;
  self->waiting = FALSE;
  save_all (self);
}

static void
add_name (GtkWidget *box, const char *name)
{
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (box), label);
}

/* The names of what would be lost; NULL: nothing. */
static GtkWidget *
list_lost (SeamSessionFile *self, SeamSessionNext next)
{
  g_autoptr (GPtrArray) unsaved = seam_unsaved_list_read (self->model->unsaved);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GtkWidget *box;

  for (guint i = 0; i < unsaved->len; i++) {
    const SeamUnsaved *item = g_ptr_array_index (unsaved, i);
    if (next == SEAM_NEXT_CLOSE || item->kind == SEAM_UNSAVED_RUN)
      g_ptr_array_add (names, g_strdup (item->name));
  }
  if (next == SEAM_NEXT_CLOSE && seam_measurement_has_live_samples (self->model->measurement))
    g_ptr_array_add (names, g_strdup ("the run that is being measured now"));
  if (names->len == 0)
    return NULL;
  box = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  gtk_widget_set_size_request (box, LIST_WIDTH, -1);
  if (names->len > MAX_NAMES) {
    g_autofree char *more = g_strdup_printf ("%u older ones", names->len - MAX_NAMES + 1);
    add_name (box, more);
    g_ptr_array_remove_range (names, 0, names->len - MAX_NAMES + 1);
  }
  for (guint i = 0; i < names->len; i++)
    add_name (box, g_ptr_array_index (names, i));
  return box;
}

static GtkWidget *
make_question (SeamSessionFile *self, SeamSessionNext next, GtkWidget *list)
{
  const char *target = seam_session_file_get_target (self);
  gboolean opens = next == SEAM_NEXT_OPEN;
  g_autofree char *opening = opens ? g_filename_display_basename (self->opening_path) : NULL;
  g_autofree char *name = target != NULL ? g_filename_display_basename (target) : NULL;
  g_autofree char *action =
      opens ? g_strconcat ("Opening ", opening, NULL) : g_strdup ("Closing the window");
  g_autofree char *where = name != NULL ? g_strdup_printf ("Save adds everything to %s.", name)
                                        : g_strdup ("Save puts everything into one session file.");
  g_autofree char *body = g_strdup_printf (
      "The results below are in no file yet. %s without saving loses them. %s", action, where);
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (self->window),
      opens ? "Save before opening another session?" : "Save before closing?", body);
  AdwMessageDialog *question = ADW_MESSAGE_DIALOG (dialog);

  adw_message_dialog_add_responses (question, "cancel", "_Cancel", "discard",
                                    opens ? "Open _without saving" : "Close _without saving",
                                    "save", target != NULL ? "_Save" : "_Save…", NULL);
  adw_message_dialog_set_response_appearance (question, "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (question, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (question, "save");
  adw_message_dialog_set_close_response (question, "cancel");
  adw_message_dialog_set_extra_child (question, list);
  return dialog;
}

gboolean
seam_session_file_ask (SeamSessionFile *self, SeamSessionNext next)
{
  g_autoptr (GtkWidget) list = list_lost (self, next);
  GtkWidget *dialog;

  if (list == NULL)
    return FALSE;
  /* An unanswered question is replaced. */
  if (self->question != NULL)
    gtk_window_destroy (GTK_WINDOW (self->question));
  self->next = next;
  dialog = make_question (self, next, list);
  g_set_weak_pointer (&self->question, dialog);
  g_signal_connect_object (dialog, "response", G_CALLBACK (response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  /* The Return key saves. */
  gtk_window_set_focus (GTK_WINDOW (dialog), gtk_window_get_default_widget (GTK_WINDOW (dialog)));
  return TRUE;
}

gboolean
seam_session_file_may_close (SeamSessionFile *self)
{
  if (self->agreed)
    return TRUE;
  if (self->saving) {
    self->next = SEAM_NEXT_CLOSE;
    return FALSE;
  }
  return !seam_session_file_ask (self, SEAM_NEXT_CLOSE);
}

/* The desktop session is about to end. It shows the reason beside the window's own question. */
static void
query_end_cb (GtkApplication *application, SeamSessionFile *self)
{
  g_autoptr (GPtrArray) unsaved = seam_unsaved_list_read (self->model->unsaved);

  if (unsaved->len == 0 || self->window == NULL)
    return;
  if (self->inhibited == 0)
    self->inhibited =
        gtk_application_inhibit (application, GTK_WINDOW (self->window),
                                 GTK_APPLICATION_INHIBIT_LOGOUT, "Measured results are not saved");
  gtk_window_close (GTK_WINDOW (self->window));
}

void
seam_session_file_connect_question (SeamSessionFile *self)
{
  seam_watch (self, G_CALLBACK (state_changed_cb), self->model->measurement, "state", NULL);
  g_signal_connect_object (gtk_window_get_application (GTK_WINDOW (self->window)), "query-end",
                           G_CALLBACK (query_end_cb), self, 0);
}
