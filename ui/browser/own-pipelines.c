/* SPDX-License-Identifier: MIT */
#include "ui/browser/own-pipelines.h"

#include "app/pipeline/own-folder.h"

/* As a toast: the bars with messages are not on this page. */
static void
say (SeamNotices *notices, const char *what, const GError *error)
{
  g_autofree char *words = g_strdup_printf ("%s: %s", what, error->message);

  seam_notices_say (notices, SEAM_MESSAGE_TOAST, words, NULL);
}

static void
shown_cb (GObject *window, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamNotices) notices = data;

  if (!gtk_show_uri_full_finish (GTK_WINDOW (window), result, NULL))
    seam_notices_say (notices, SEAM_MESSAGE_TOAST,
                      "The new file is in your folder. No editor for .ini files was found.", NULL);
}

char *
seam_own_pipelines_begin (GtkWidget *page, SeamNotices *notices)
{
  g_autoptr (GError) error = NULL;
  char *path = seam_own_folder_begin (&error);

  if (path == NULL) {
    say (notices, "No file was made", error);
    return NULL;
  }
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  gtk_show_uri_full (GTK_WINDOW (gtk_widget_get_root (page)), uri, GDK_CURRENT_TIME, NULL, shown_cb,
                     g_object_ref (notices));
  return path;
}

char *
seam_own_pipelines_take (GtkWidget *page, SeamNotices *notices, GSList *files)
{
  char *last = NULL;

  for (; files != NULL; files = files->next) {
    g_autofree char *path = g_file_get_path (files->data);
    g_autofree char *uri = g_file_get_uri (files->data);
    g_autoptr (GError) error = NULL;
    char *copy;

    if (path == NULL || !g_str_has_suffix (path, ".ini")) {
      gtk_widget_activate_action (page, "win.open-recent", "s", uri);
    } else if ((copy = seam_own_folder_add (path, &error)) != NULL) {
      g_free (last);
      last = copy;
    } else {
      say (notices, "Not copied", error);
    }
  }
  return last;
}
