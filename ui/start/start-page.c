/* SPDX-License-Identifier: MIT
 *
 * The picture and the list of recent measurements are made here, and one row for each check, with
 * state, reason and remedy. The report is the text that `seamscope-cli doctor` prints, to send to
 * the machine's administrator.
 */
#include "ui/start/start-page.h"

#include "ui/start/lesson-list.h"
#include "ui/start/pipeline-results.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/list-rows.h"
#include "ui/widgets/sample-list.h"
#include "ui/widgets/template.h"
#include "ui/widgets/wrap-box.h"

#include "app/report/sheets.h"

#include <string.h>

#define FIRST_SAMPLE  "h200-conv-relu-hardswish"
#define PICTURE_OF    "conv-relu-bias" /* a short chain, which its fastest plan fuses whole */
#define PICTURE_WIDTH 600
#define MAX_RECENT    4
#define N_LESSON_KEYS 7

struct _SeamStartPage {
  AdwBin parent_instance;

  SeamModel *model;
  GtkLabel *note, *pair_words;
  GtkToggleButton *details;
  GtkWidget *picture, *recent_box;
  SeamFigureView *pair;
  GtkListBox *checks, *recent;
  GtkButton *start, *check_again, *copy_report;
  SeamPipelineResults *pipelines;
  SeamLessonList *lessons;
  GtkButton *next_lesson;
  SeamSampleList *samples;
  char *report;
};

G_DEFINE_FINAL_TYPE (SeamStartPage, seam_start_page, ADW_TYPE_BIN)

static const struct {
  const char *icon, *css_class, *word;
} states[] = {
  [SEAM_CHECK_OK] = { "emblem-ok-symbolic", "success", "ready" },
  [SEAM_CHECK_FAILED] = { "window-close-symbolic", "error", "missing" },
  [SEAM_CHECK_UNKNOWN] = { "help-about-symbolic", "dim-label", "not known" },
};

/* A remedy is a command to copy, or a sentence: no command begins with a capital letter. */
static GtkWidget *
make_remedy (const char *remedy)
{
  if (g_unichar_isupper (g_utf8_get_char (remedy)) && strchr (remedy, ' ') != NULL)
    return seam_label_new (remedy, "note", SEAM_LABEL_WRAPS);

  GtkWidget *box = seam_command_new (remedy);

  gtk_widget_set_margin_top (box, 6);
  return box;
}

static GtkWidget *
make_row (SeamCheckState state, const char *title, const char *detail, const char *remedy)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *icon = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                                  "icon-name", states[state].icon, NULL);
  /* "NVIDIA driver is missing" says it already. */
  g_autofree char *name = g_str_has_suffix (title, states[state].word)
                              ? g_strdup (title)
                              : g_strdup_printf ("%s, %s", title, states[state].word);

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_set_margin_top (icon, 3);
  gtk_widget_add_css_class (icon, states[state].css_class);
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  states[state].word, -1);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (text), seam_label_new (title, "heading", SEAM_LABEL_WRAPS));
  if (detail != NULL && *detail != '\0') {
    GtkWidget *label = seam_label_new (detail, "dim-label", SEAM_LABEL_WRAPS);
    gtk_widget_add_css_class (label, "note");
    gtk_box_append (GTK_BOX (text), label);
  }
  if (remedy != NULL && *remedy != '\0')
    gtk_box_append (GTK_BOX (text), make_remedy (remedy));
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), text);
  gtk_widget_add_css_class (box, "check-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return row;
}

static void
clear_rows (SeamStartPage *self)
{
  GtkWidget *row;
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->checks))) != NULL)
    gtk_list_box_remove (self->checks, row);
  g_clear_pointer (&self->report, g_free);
}

static const SeamDeviceInfo *
find_gpu (GPtrArray *targets)
{
  const SeamDeviceInfo *best = seam_device_info_find_best (targets);

  return best != NULL && seam_device_info_is_device (best) ? best : NULL;
}

static void
set_note (SeamStartPage *self, GPtrArray *targets)
{
  const SeamDeviceInfo *gpu = find_gpu (targets);
  g_autofree char *ready = gpu != NULL ? g_strdup_printf ("%s, ready", gpu->name) : NULL;

  gtk_label_set_text (self->note, targets == NULL ? "Looking at what this computer can run…"
                                  : ready != NULL ? ready
                                                  : "No NVIDIA GPU here, so runs use the CPU; "
                                                    "lessons and recorded runs need none.");
}

void
seam_start_page_set_machine (SeamStartPage *self, GPtrArray *targets, GPtrArray *checks)
{
  g_autoptr (GString) report = g_string_new (NULL);

  g_return_if_fail (SEAM_IS_START_PAGE (self));
  clear_rows (self);
  set_note (self, targets);
  for (guint i = 0; checks != NULL && i < checks->len; i++) {
    const SeamCheck *check = g_ptr_array_index (checks, i);
    gtk_list_box_append (self->checks,
                         make_row (check->state, check->title, check->detail, check->remedy));
    g_string_append_printf (report, "[%s] %s\n", states[check->state].word, check->title);
    if (check->detail != NULL)
      g_string_append_printf (report, "    %s\n", check->detail);
    if (check->remedy != NULL)
      g_string_append_printf (report, "    Remedy: %s\n", check->remedy);
  }
  if (checks == NULL)
    gtk_list_box_append (self->checks, make_row (SEAM_CHECK_UNKNOWN, "Checking…", NULL, NULL));
  else
    self->report = g_string_free (g_steal_pointer (&report), FALSE);
  gtk_widget_set_sensitive (GTK_WIDGET (self->copy_report), checks != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->check_again), targets != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->start), TRUE);
}

void
seam_start_page_set_error (SeamStartPage *self, const char *error)
{
  g_autofree char *words = NULL;

  g_return_if_fail (SEAM_IS_START_PAGE (self));
  if (error == NULL)
    return;
  clear_rows (self);
  words = g_strdup_printf ("The worker does not answer. %s Without it nothing can run; recorded "
                           "results still open.",
                           error);
  gtk_label_set_text (self->note, words);
  gtk_toggle_button_set_active (self->details, TRUE);
  gtk_list_box_append (self->checks,
                       make_row (SEAM_CHECK_FAILED, "Worker", error, "seamscope-cli doctor"));
  self->report = g_strdup_printf ("[missing] Worker\n    %s\n", error);
  gtk_widget_set_sensitive (GTK_WIDGET (self->copy_report), TRUE);
  gtk_widget_set_sensitive (GTK_WIDGET (self->check_again), TRUE);
}

static void
start_cb (SeamStartPage *self)
{
  g_signal_emit_by_name (self, "start");
}

static void
check_again_cb (SeamStartPage *self)
{
  seam_start_page_set_machine (self, NULL, NULL);
  g_signal_emit_by_name (self, "check-again");
}

/* --- the picture --- */

static SeamFigure *
build_pair_cb (double width, double height, gpointer data)
{
  SeamStartPage *self = data;
  const SeamSampleRun *run = seam_pipeline_results_find_recorded (self->samples, PICTURE_OF);

  return run != NULL ? seam_pair_figure_new (
             run->result, 0, seam_pipeline_results_find_best (run->result), width, NULL)
                     : NULL;
}

static void
samples_read_cb (SeamStartPage *self)
{
  g_autoptr (SeamFigure) figure = build_pair_cb (PICTURE_WIDTH, 0, self);

  gtk_widget_set_visible (self->picture, figure != NULL);
  if (figure == NULL)
    return;
  gtk_label_set_text (self->pair_words, figure->summary);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->picture), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  figure->summary, -1);
  seam_figure_view_invalidate (self->pair);
}

static void
open_picture_cb (SeamStartPage *self)
{
  g_signal_emit_by_name (self, "open",
                         seam_pipeline_results_find_recorded (self->samples, PICTURE_OF)->path);
}

/* --- recent measurements --- */

static void
update_recent (SeamStartPage *self)
{
  GPtrArray *entries = seam_history_list_get (self->model->history);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  for (guint i = 0; i < MIN (entries->len, MAX_RECENT); i++) {
    const SeamHistoryEntry *entry = entries->pdata[i];
    GtkWidget *row = adw_action_row_new ();
    g_autofree char *found = seam_history_entry_describe (entry);
    g_autofree char *name = seam_history_list_describe (entry);
    g_autofree char *about = g_strdup_printf ("%s · %s", name, entry->detail);
    g_autofree char *spoken = g_strdup_printf ("%s: %s", about, found);

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), found);
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), about);
    adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               gtk_image_new_from_icon_name ("go-next-symbolic"));
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "x", entry->id);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.history-open");
    seam_list_row_set_texts (row, spoken, about);
    g_ptr_array_add (rows, row);
  }
  gtk_widget_set_visible (self->recent_box, rows->len > 0);
  seam_list_rows_fill (self->recent, rows);
  seam_lesson_list_update (self->lessons);
}

void
seam_start_page_set_model (SeamStartPage *self, SeamModel *model)
{
  self->model = g_object_ref (model);
  seam_pipeline_results_set_model (self->pipelines, model, self->samples);
  seam_lesson_list_set_next (self->lessons, self->next_lesson, model->history);
  seam_watch (self, G_CALLBACK (update_recent), model->history, "entries", NULL);
  update_recent (self);
}

void
seam_start_page_grab_focus (SeamStartPage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->next_lesson));
}

void
seam_start_page_update_lessons (SeamStartPage *self)
{
  seam_lesson_list_update (self->lessons);
}

static void
open_cb (gpointer list, const char *path, SeamStartPage *self)
{
  g_signal_emit_by_name (self, "open", path);
}

/* The first recording of a GPU. */
static void
open_recorded_cb (SeamStartPage *self)
{
  g_autofree char *path = seam_lesson_get_sample_path (FIRST_SAMPLE);

  g_signal_emit_by_name (self, "open", path);
}

static void
copy_report_cb (SeamStartPage *self)
{
  if (self->report != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->report);
}

static void
seam_start_page_class_init (SeamStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamStartPage, g_free, report);
  SEAM_OWNS (klass, SeamStartPage, g_object_unref, model);
  SEAM_TEMPLATE (klass, SeamStartPage, "start-page.ui", note, details, picture, pair, pair_words,
                 recent_box, recent, checks, start, check_again, copy_report, pipelines, lessons,
                 next_lesson, samples);
  for (int i = 1; i <= N_LESSON_KEYS; i++) {
    const char key[] = { (char)('0' + i), '\0' };
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_0 + (guint)i, 0, "win.lesson", "s",
                                         key);
  }
  gtk_widget_class_bind_template_callback (widget_class, open_picture_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_recorded_cb);
  gtk_widget_class_bind_template_callback (widget_class, start_cb);
  gtk_widget_class_bind_template_callback (widget_class, check_again_cb);
  gtk_widget_class_bind_template_callback (widget_class, copy_report_cb);
  seam_signals_install (klass, G_TYPE_NONE, "start check-again");
  seam_signals_install (klass, G_TYPE_STRING, "open");
}

static void
seam_start_page_init (SeamStartPage *self)
{
  g_type_ensure (SEAM_TYPE_FIGURE_VIEW);
  g_type_ensure (SEAM_TYPE_LESSON_LIST);
  g_type_ensure (SEAM_TYPE_PIPELINE_RESULTS);
  g_type_ensure (SEAM_TYPE_SAMPLE_LIST);
  g_type_ensure (SEAM_TYPE_WRAP_BOX);
  gtk_widget_init_template (GTK_WIDGET (self));
  seam_figure_view_set_builder (self->pair, build_pair_cb, self, NULL);
  gtk_widget_set_can_target (GTK_WIDGET (self->pair), FALSE);
  /* The list of pipelines keeps the samples until after the page has gone. */
  g_signal_connect_object (self->samples, "read", G_CALLBACK (samples_read_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self->samples, "open", G_CALLBACK (open_cb), self);
  g_signal_connect (self->pipelines, "open", G_CALLBACK (open_cb), self);
  g_signal_connect_swapped (self->pipelines, "begin", G_CALLBACK (start_cb), self);
  seam_start_page_set_machine (self, NULL, NULL);
}
