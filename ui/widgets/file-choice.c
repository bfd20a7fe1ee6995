/* SPDX-License-Identifier: MIT
 *
 * GtkFileChooserNative, until GtkFileDialog (GTK 4.10) does this with one call.
 */
#include "ui/widgets/file-choice.h"

#include <adwaita.h>
#include <string.h>

#define KEY "seam-file-choice"

typedef struct {
  GtkWindow *parent; /* owns this */
  GtkFileChooserNative *chooser;
  AdwMessageDialog *replacing; /* asks whether `path` is to be replaced */
  char *path;
  gboolean saves, has_kind;
  GFile *folder; /* of the last file that was saved */
  SeamFileAnswer answer;
  gpointer data;
  GDestroyNotify destroy; /* of data; may be NULL */
} FileChoice;

static void
free_data (gpointer data, GDestroyNotify destroy)
{
  if (destroy != NULL)
    destroy (data);
}

static void
close_dialog (FileChoice *self)
{
  if (self->chooser == NULL && self->replacing == NULL)
    return;
  if (self->chooser != NULL) {
    g_signal_handlers_disconnect_by_data (self->chooser, self);
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
    g_clear_object (&self->chooser);
  }
  if (self->replacing != NULL) {
    g_signal_handlers_disconnect_by_data (self->replacing, self);
    gtk_window_destroy (GTK_WINDOW (self->replacing));
    self->replacing = NULL;
  }
  g_clear_pointer (&self->path, g_free);
  free_data (self->data, self->destroy);
}

static void
file_choice_free (FileChoice *self)
{
  close_dialog (self);
  g_clear_object (&self->folder);
  g_free (self);
}

static FileChoice *
get_choice (GtkWindow *parent)
{
  FileChoice *self = g_object_get_data (G_OBJECT (parent), KEY);

  if (self != NULL)
    return self;
  self = g_new0 (FileChoice, 1);
  self->parent = parent;
  g_object_set_data_full (G_OBJECT (parent), KEY, self, (GDestroyNotify)file_choice_free);
  /* The target of `data` may be freed with the widgets, before the window itself. */
  g_signal_connect_swapped (parent, "destroy", G_CALLBACK (close_dialog), self);
  return self;
}

/* A name typed without an ending gets that of the chosen type. */
static char *
complete_name (const FileChoice *self, GtkFileFilter *filter, const char *path)
{
  const char *ending = filter != NULL ? g_object_get_data (G_OBJECT (filter), "ending") : NULL;
  g_autofree char *name = g_path_get_basename (path);
  gboolean has_ending = ending != NULL && self->has_kind ? g_str_has_suffix (name, ending)
                                                         : strchr (name, '.') != NULL;

  return self->saves && ending != NULL && !has_ending ? g_strconcat (path, ending, NULL)
                                                      : g_strdup (path);
}

static void
give_answer (FileChoice *self, const char *path, const char *reason)
{
  /* The answer's callback may ask for the next file. */
  gpointer data = self->data;
  GDestroyNotify destroy = self->destroy;

  self->answer (path, reason, data);
  free_data (data, destroy);
}

static void
replace_response_cb (AdwMessageDialog *dialog, const char *response, FileChoice *self)
{
  g_autofree char *path = g_steal_pointer (&self->path);

  self->replacing = NULL;
  give_answer (self, strcmp (response, "replace") == 0 ? path : NULL, NULL);
}

/* The chooser asks this itself, but only about the name as it was typed. Takes `path`. */
static void
ask_to_replace (FileChoice *self, char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *folder_name = g_filename_display_basename (folder);
  g_autofree char *heading = g_strdup_printf ("Replace “%s”?", name);
  g_autofree char *body = g_strdup_printf (
      "The folder “%s” has a file of this name, whose contents would be lost.", folder_name);

  self->path = path;
  self->replacing = ADW_MESSAGE_DIALOG (adw_message_dialog_new (self->parent, heading, body));
  adw_message_dialog_add_responses (self->replacing, "cancel", "_Cancel", "replace", "_Replace",
                                    NULL);
  adw_message_dialog_set_response_appearance (self->replacing, "replace", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (self->replacing, "cancel");
  g_signal_connect (self->replacing, "response", G_CALLBACK (replace_response_cb), self);
  gtk_window_present (GTK_WINDOW (self->replacing));
}

static void
response_cb (GtkNativeDialog *dialog, int response, FileChoice *self)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autoptr (GFile) file =
      response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (chooser) : NULL;
  g_autofree char *chosen = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *path =
      chosen != NULL ? complete_name (self, gtk_file_chooser_get_filter (chooser), chosen) : NULL;
  const char *reason = NULL;

  if (file != NULL && path == NULL)
    reason = self->saves ? "That place is not a folder of this machine: choose another."
                         : "Only files on this machine can be opened.";
  if (path != NULL && self->saves) {
    g_clear_object (&self->folder);
    self->folder = g_file_get_parent (file);
  }
  g_clear_object (&self->chooser);
  if (path != NULL && strcmp (path, chosen) != 0 && g_file_test (path, G_FILE_TEST_EXISTS))
    ask_to_replace (self, g_steal_pointer (&path));
  else
    give_answer (self, path, reason);
}

static void
add_filter (FileChoice *self, const char *name, const char *const *endings, int n)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  for (int i = 0; i < n; i++)
    gtk_file_filter_add_suffix (filter, endings[i] + 1);
  g_object_set_data (G_OBJECT (filter), "ending", (gpointer)endings[0]);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), filter);
}

/* "Sessions (*.seamscope)", or "PNG", "SVG", "PDF". */
static void
add_filters (FileChoice *self, const SeamFileQuestion *question)
{
  const char *const *endings = question->endings;
  int n = endings != NULL ? (int)g_strv_length ((char **)endings) : 0;
  g_autofree char *list = n > 0 ? g_strjoinv (", *", (char **)endings) : NULL;
  g_autofree char *name =
      question->kind != NULL ? g_strdup_printf ("%s (*%s)", question->kind, list) : NULL;

  if (name != NULL)
    add_filter (self, name, endings, n);
  for (int i = 0; name == NULL && i < n; i++) {
    g_autofree char *label = g_ascii_strup (endings[i] + 1, -1);
    add_filter (self, label, &endings[i], 1);
  }
}

void
seam_file_choice_ask (GtkWindow *parent, const SeamFileQuestion *question, SeamFileAnswer answer,
                      gpointer data, GDestroyNotify destroy)
{
  FileChoice *self = get_choice (parent);

  if (self->chooser != NULL || self->replacing != NULL) {
    if (self->chooser != NULL)
      gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
    else
      gtk_window_present (GTK_WINDOW (self->replacing));
    free_data (data, destroy);
    return;
  }
  self->saves = question->saves;
  self->has_kind = question->kind != NULL;
  self->answer = answer;
  self->data = data;
  self->destroy = destroy;
  self->chooser =
      gtk_file_chooser_native_new (question->title, parent,
                                   question->saves    ? GTK_FILE_CHOOSER_ACTION_SAVE
                                   : question->folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                                      : GTK_FILE_CHOOSER_ACTION_OPEN,
                                   question->accept, "_Cancel");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  add_filters (self, question);
  if (question->saves && question->name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), question->name);
  if (question->saves && self->folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->chooser), self->folder, NULL);
  g_signal_connect (self->chooser, "response", G_CALLBACK (response_cb), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}
