/* SPDX-License-Identifier: MIT
 *
 * The line over the tabs while something recorded is looked at, with the way back.
 */
#include "ui/window/session-bar.h"

#include "ui/class/class.h"
#include "ui/widgets/label.h"
#include "ui/widgets/wrap-box.h"

#include "app/base/text.h"

#include <string.h>

struct _SeamSessionBar {
  AdwBin parent_instance;

  SeamSessionFile *file;
  SeamLessonPlayer *lesson;
  SeamModel *model;
  GtkWidget *name, *runs, *plans, *close;
  SeamSession *shown; /* session of the runs in the drop-down; only compared */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (SeamSessionBar, seam_session_bar, ADW_TYPE_BIN)

static void
selected_cb (GtkDropDown *runs, GParamSpec *pspec, SeamSessionBar *self)
{
  guint selected = gtk_drop_down_get_selected (runs);

  if (!self->filling && selected != GTK_INVALID_LIST_POSITION)
    seam_session_file_show_run (self->file, (int)selected);
}

static void
close_cb (GtkButton *button, SeamSessionBar *self)
{
  seam_session_file_close (self->file);
}

static const char *
get_device (const SeamResult *run)
{
  return seam_device_info_get_name (run->device);
}

/* "Run 2: TF32", with what else distinguishes the runs of this file. */
static char *
describe (const SeamSession *session, guint i)
{
  const SeamResult *run = seam_session_get_heading (session, i);
  const char *note = seam_session_get_note (session, i);
  g_autofree char *types = seam_settings_describe_types (&run->settings);
  GString *text = g_string_new (NULL);
  gboolean pipelines = FALSE, shapes = FALSE, devices = FALSE;

  for (guint k = 0; k < seam_session_get_n_runs (session); k++) {
    const SeamResult *other = seam_session_get_heading (session, k);
    pipelines |= g_strcmp0 (run->pipeline_id, other->pipeline_id) != 0;
    shapes |= g_strcmp0 (run->shape, other->shape) != 0;
    devices |= g_strcmp0 (get_device (run), get_device (other)) != 0;
  }
  g_string_append_printf (text, "Run %u: %s", i + 1, types);
  if (pipelines)
    g_string_append_printf (text, ", %s", run->pipeline_id);
  if (shapes && run->shape_text != NULL)
    g_string_append_printf (text, ", %s", run->shape_text);
  if (devices)
    g_string_append_printf (text, ", %s", get_device (run));
  if (note != NULL) {
    g_autofree char *shown = seam_text_show (note);
    g_string_append_printf (text, ", %s", shown);
  }
  return g_string_free (text, FALSE);
}

static void
fill_runs (SeamSessionBar *self, SeamSession *session)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  if (self->shown == session)
    return;
  self->shown = session;
  for (guint i = 0; i < seam_session_get_n_runs (session); i++)
    gtk_string_list_take (list, describe (session, i));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->runs), G_LIST_MODEL (list));
}

/* "It holds unfused, published and full: choose them as A and B." */
static char *
describe_plans (const SeamResult *result)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int i = 0; i < result->n_plans; i++)
    g_ptr_array_add (names, result->plans[i].name != NULL ? result->plans[i].name
                                                          : result->plans[i].notation);
  g_ptr_array_add (names, NULL);
  g_autofree char *list = seam_text_list ((const char *const *)names->pdata);
  return result->n_plans > 2 ? g_strdup_printf ("It holds %s; choose any two as A and B", list)
                             : g_strdup_printf ("It holds %s", list);
}

/* In a lesson: whose result the step is about. The pane leads back. */
static void
update_lesson (SeamSessionBar *self)
{
  g_autofree char *kept = seam_lesson_player_get_kept (self->lesson);

  gtk_widget_set_visible (GTK_WIDGET (self), kept != NULL);
  if (kept == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (self->name), kept);
  gtk_label_set_text (
      GTK_LABEL (self->plans),
      self->lesson->cover != NULL                     ? SEAM_COVERED_TITLE
      : seam_lesson_player_is_replaced (self->lesson) ? "The lesson speaks of the recorded run"
      : seam_lesson_player_get_sample (self->lesson) != NULL ? "Nothing runs on this computer"
                                                             : "");
}

static void
update (SeamSessionBar *self)
{
  gboolean lesson = self->lesson->lesson != NULL;

  gtk_widget_set_visible (self->close, !lesson);
  if (lesson) {
    gtk_widget_set_visible (self->runs, FALSE);
    update_lesson (self);
    return;
  }

  SeamSession *session = seam_session_file_get_session (self->file);
  guint n_runs = session != NULL ? seam_session_get_n_runs (session) : 0;
  SeamSessionRun *stored = seam_store_get_run (self->model->store);
  const char *name = seam_store_get_name (self->model->store);
  int run = seam_session_file_get_run (self->file);

  gtk_widget_set_visible (GTK_WIDGET (self), seam_store_is_viewing (self->model->store));
  if (stored == NULL || name == NULL) {
    g_autofree char *file = seam_session_file_get_name (self->file);
    gboolean has_searches = seam_session_file_get_n_searches (self->file) > 0 && n_runs == 0;
    g_autofree char *words = g_strdup_printf (
        has_searches ? "Recorded exploration from %s" : "Measured here, with the settings from %s",
        file != NULL ? file : "another run");

    gtk_widget_set_visible (self->runs, FALSE);
    gtk_label_set_text (GTK_LABEL (self->name), words);
    gtk_label_set_text (GTK_LABEL (self->plans),
                        !has_searches ? ""
                        : seam_session_file_get_shown_kind (self->file) == SEAM_SEARCH_SWEEP
                            ? "It holds no run; the Sweep tab shows it"
                            : "It holds no run; the Explore tab shows it");
    return;
  }
  self->filling = TRUE;
  if (session != NULL)
    fill_runs (self, session);
  if (run >= 0)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->runs), (guint)run);
  gtk_widget_set_visible (self->runs, n_runs > 1);
  self->filling = FALSE;

  g_autofree char *title = g_strdup_printf ("Recorded run from %s", name);
  g_autofree char *plans = describe_plans (stored->result);
  gtk_label_set_text (GTK_LABEL (self->name), title);
  gtk_label_set_text (GTK_LABEL (self->plans), plans);
  gtk_widget_set_tooltip_text (self->plans, plans);
}

void
seam_session_bar_set_file (SeamSessionBar *self, SeamSessionFile *file, SeamLessonPlayer *lesson,
                           SeamModel *model)
{
  g_return_if_fail (self->file == NULL);
  self->lesson = g_object_ref (lesson);
  self->file = g_object_ref (file);
  self->model = g_object_ref (model);
  g_signal_connect_object (file, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  seam_watch (self, G_CALLBACK (update), model->setup, "pipeline", model->measurement,
              "state result", model->store, "viewing", lesson, "step answer", NULL);
  update (self);
}

static void
seam_session_bar_class_init (SeamSessionBarClass *klass)
{
  SEAM_OWNS (klass, SeamSessionBar, g_object_unref, file, lesson, model);
}

static void
seam_session_bar_init (SeamSessionBar *self)
{
  GtkWidget *bar = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 10, NULL);

  /* Never cut off, because it is the way back: in a narrow window it has a row of its own. */
  self->close = seam_button_new ("Back to your settings", "flat",
                                 "Show what you had chosen and measured before this", NULL);
  self->name = seam_label_new (NULL, "heading", 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (self->name), 10);
  gtk_label_set_max_width_chars (GTK_LABEL (self->name), 48);
  self->plans = seam_label_new (NULL, "dim-label", SEAM_LABEL_SHORTENS);
  self->runs = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_hexpand (self->plans, TRUE);
  gtk_widget_set_valign (self->close, GTK_ALIGN_CENTER);
  seam_widget_set_name (self->runs, "Run of the session");
  g_signal_connect (self->runs, "notify::selected", G_CALLBACK (selected_cb), self);
  g_signal_connect (self->close, "clicked", G_CALLBACK (close_cb), self);
  GtkWidget *box = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 10, NULL,
                                 gtk_image_new_from_icon_name ("document-open-recent-symbolic"),
                                 self->name, self->runs, self->plans, NULL);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_widget_set_parent (box, bar);
  gtk_widget_set_parent (self->close, bar);
  gtk_widget_add_css_class (bar, "session-bar");
  adw_bin_set_child (ADW_BIN (self), bar);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
