/* SPDX-License-Identifier: MIT
 *
 * The ways to open a session or a pipeline: a dialog, the list of recent files, and a file that is
 * dropped on the window.
 */
#include "ui/window/window-private.h"

#include "ui/state/exploration.h"
#include "ui/widgets/file-choice.h"
#include "ui/window/messages.h"
#include "ui/window/pages.h"

#include "app/base/file-name.h"

#include <string.h>

void
seam_window_open_file (SeamWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;

  if (path == NULL) {
    seam_messages_show (self->messages, self->model, SEAM_MESSAGE_WARNING, "Not opened.",
                        "Only files on this machine can be opened.");
    return;
  }
  if (g_str_has_suffix (path, SEAM_LESSON_SUFFIX)) {
    SeamLesson *lesson = seam_lesson_find (path, &error);
    if (lesson != NULL) {
      seam_window_open_lesson (self, lesson);
      return;
    }
    seam_messages_show (self->messages, self->model, SEAM_MESSAGE_WARNING,
                        "The lesson was not opened.", error->message);
  } else if (g_str_has_suffix (path, SEAM_ANSWERS_SUFFIX)
             || g_file_test (path, G_FILE_TEST_IS_DIR)) {
    g_action_group_activate_action (G_ACTION_GROUP (self), "collect-from",
                                    g_variant_new_string (path));
  } else if (seam_session_file_is_session (path)) {
    /* A lesson that is open is left when the file is shown. */
    seam_session_file_open (self->session, path);
  } else if (seam_setup_open_pipeline (self->model->setup, path, &error)) {
    seam_lesson_player_detach (self->lesson);
  } else {
    seam_messages_show (self->messages, self->model, SEAM_MESSAGE_WARNING,
                        "The pipeline was not opened.", error->message);
  }
  /* The start page would hide a message. */
  seam_window_show_start (self, FALSE);
}

/* Run cannot be pressed beside a recorded run, so the focus would move on to a menu. It stays where
 * a person has put it, such as in the list of runs. */
static void
focus_page (SeamWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus == NULL || focus == self->run_button
      || gtk_widget_get_ancestor (focus, ADW_TYPE_HEADER_BAR) != NULL)
    gtk_widget_child_focus (GTK_WIDGET (self->pages), GTK_DIR_TAB_FORWARD);
}

/* A file without runs opens on the page of its exploration; a file without an exploration does
 * not open on a page that shows only explorations. */
static void
opened_cb (SeamSessionFile *session, SeamWindow *self)
{
  SeamExploration *shown = seam_page_get_exploration (seam_pages_get_shown (self->pages));

  seam_window_show_start (self, FALSE);
  if (seam_session_get_n_runs (seam_session_file_get_session (session)) > 0) {
    if (shown != NULL && !seam_exploration_is_stored (shown))
      adw_view_stack_set_visible_child_name (self->pages, "timing");
  } else {
    adw_view_stack_set_visible_child_name (
        self->pages, seam_search_kinds[seam_session_file_get_shown_kind (session)].name);
  }
  focus_page (self);
}

static void
open_recent_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  seam_window_open_file (SEAM_WINDOW (data), file);
}

/* Adds an item that opens the file. */
static void
append_file (GMenu *menu, const char *uri, const char *name)
{
  /* An underscore in the name is not a mnemonic. */
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "win.open-recent", "s", uri);
  g_menu_append_item (menu, item);
}

/* Rebuilt whenever the desktop's list changes: other windows open files, too. */
static void
update_recent (SeamWindow *self)
{
  g_autoptr (GPtrArray) uris = seam_session_file_list_recent ();

  g_menu_remove_all (self->recent_menu);
  for (guint i = 0; i < uris->len; i++) {
    g_autoptr (GFile) file = g_file_new_for_uri (uris->pdata[i]);
    g_autofree char *path = g_file_get_path (file);
    g_autofree char *name = g_filename_display_basename (path != NULL ? path : uris->pdata[i]);

    append_file (self->recent_menu, uris->pdata[i], name);
  }
  if (uris->len == 0)
    g_menu_append (self->recent_menu, "No session yet", "win.no-recent");
}

/* The recordings that come with the program, by the names of their files. */
static void
fill_samples (SeamWindow *self)
{
  g_autofree char *folder = g_build_filename (seam_data_dir (), "samples", NULL);
  g_autoptr (GPtrArray) names = seam_file_name_list (folder, SEAM_SESSION_SUFFIX);

  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
    g_autofree char *stem =
        g_strndup (names->pdata[i], strlen (names->pdata[i]) - strlen (SEAM_SESSION_SUFFIX));

    append_file (self->samples_menu, uri, stem);
  }
  if (names->len == 0)
    g_menu_append (self->samples_menu, "None is installed", "win.no-recent");
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, SeamWindow *self)
{
  g_autoptr (GSList) files = NULL;

  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    return FALSE;
  files = gdk_file_list_get_files (g_value_get_boxed (value));
  if (files == NULL)
    return FALSE;
  seam_window_open_file (self, files->data);
  return TRUE;
}

static void
answer_cb (const char *path, const char *reason, gpointer data)
{
  SeamWindow *self = data;
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  if (reason != NULL)
    seam_messages_show (self->messages, self->model, SEAM_MESSAGE_WARNING, "Not opened.", reason);
  if (file != NULL)
    seam_window_open_file (self, file);
}

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const char *const endings[] = { ".seamscope", ".ini", SEAM_LESSON_SUFFIX, NULL };
  const SeamFileQuestion question = {
    .title = "Open session, pipeline or lesson",
    .accept = "_Open",
    .endings = endings,
    .kind = "Sessions, pipelines and lessons",
  };

  seam_file_choice_ask (GTK_WINDOW (data), &question, answer_cb, data, NULL);
}

static const GActionEntry actions[] = {
  { .name = "open", .activate = open_cb },
  { .name = "open-recent", .parameter_type = "s", .activate = open_recent_cb },
};

void
seam_window_add_files (SeamWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (update_recent),
                           self, G_CONNECT_SWAPPED);
  update_recent (self);
  fill_samples (self);
  g_signal_connect_object (self->session, "opened", G_CALLBACK (opened_cb), self, 0);
  g_signal_connect (drop, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
}
