/* SPDX-License-Identifier: MIT
 *
 * The picture and the list of recent measurements are made here, and one row for each check, with
 * state, reason and remedy. The report is the text that `seamscope-cli doctor` prints, to send to
 * the machine's administrator.
 */
#include "ui/start/start-page.h"

#include "ui/start/lesson-list.h"
#include "ui/start/pipeline-results.h"
#include "ui/lesson/lesson-parts.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/list-rows.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text-scale.h"

#include "app/report/sheets.h"

#include <string.h>

#define FIRST_SAMPLE  "h200-conv-relu-hardswish"
#define PICTURE_OF    "conv-relu-bias" /* a short chain, which its fastest plan fuses whole */
#define PICTURE_WIDTH 600
#define MAX_RECENT    4
#define N_LESSON_KEYS 7
/* Of the page, px, for text of the usual size: from here the runs stand beside the lessons, in a
 * column of the other width; else below them. */
#define BESIDE_WIDTH 1100
#define SIDE_WIDTH   500

struct _SeamStartPage {
  AdwBin parent_instance;

  SeamModel *model;
  GtkLabel *note, *pair_words;
  GtkToggleButton *details;
  GtkWidget *picture, *recent_box, *recorded;
  SeamFigureView *pair;
  GtkListBox *checks, *recent;
  GtkButton *check_again, *copy_report;
  SeamPipelineResults *pipelines;
  SeamLessonList *lessons;
  GtkButton *next_lesson;
  GtkMenuButton *present;
  GtkScrolledWindow *scroller;
  GtkBox *columns;
  AdwClamp *side;
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
  return g_unichar_isupper (g_utf8_get_char (remedy)) && strchr (remedy, ' ') != NULL
             ? seam_label_new (remedy, "note", SEAM_LABEL_WRAPS)
             : seam_command_new (remedy);
}

static void
add_row (SeamStartPage *self, SeamCheckState state, const char *title, const char *detail,
         const char *remedy)
{
  GtkWidget *icon = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                                  "icon-name", states[state].icon, "valign", GTK_ALIGN_START, NULL);
  GtkWidget *end = remedy != NULL && *remedy != '\0' ? make_remedy (remedy) : NULL;
  /* "NVIDIA driver is missing" says it already. */
  g_autofree char *name = g_str_has_suffix (title, states[state].word)
                              ? g_strdup (title)
                              : g_strdup_printf ("%s, %s", title, states[state].word);

  gtk_widget_add_css_class (icon, states[state].css_class);
  seam_widget_set_name (icon, states[state].word);
  gtk_widget_set_focusable (
      seam_lesson_row_new (GTK_WIDGET (self->checks), icon, title, detail, end, name), FALSE);
}

static void
clear_rows (SeamStartPage *self)
{
  seam_widget_clear (self->checks, G_CALLBACK (gtk_list_box_remove));
  g_clear_pointer (&self->report, g_free);
}

static void
set_note (SeamStartPage *self, GPtrArray *targets)
{
  const SeamDeviceInfo *best = seam_device_info_find_best (targets);
  gboolean has_gpu = best != NULL && seam_device_info_is_device (best);
  g_autofree char *ready = has_gpu ? g_strdup_printf ("%s, ready", best->name) : NULL;

  gtk_label_set_text (self->note, targets == NULL ? "Looking at what this computer can run…"
                                  : ready != NULL ? ready
                                                  : "No NVIDIA GPU here, so runs use the CPU; "
                                                    "lessons and recorded runs need none.");
}

static void
show_machine (SeamStartPage *self, GPtrArray *targets, GPtrArray *checks)
{
  g_autoptr (GString) report = g_string_new (NULL);

  clear_rows (self);
  set_note (self, targets);
  for (guint i = 0; checks != NULL && i < checks->len; i++) {
    const SeamCheck *check = g_ptr_array_index (checks, i);
    add_row (self, check->state, check->title, check->detail, check->remedy);
    g_string_append_printf (report, "[%s] %s\n", states[check->state].word, check->title);
    if (check->detail != NULL)
      g_string_append_printf (report, "    %s\n", check->detail);
    if (check->remedy != NULL)
      g_string_append_printf (report, "    Remedy: %s\n", check->remedy);
  }
  if (checks == NULL)
    add_row (self, SEAM_CHECK_UNKNOWN, "Checking…", NULL, NULL);
  else
    self->report = g_string_free (g_steal_pointer (&report), FALSE);
  gtk_widget_set_sensitive (GTK_WIDGET (self->copy_report), checks != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->check_again), targets != NULL);
}

static void
update_machine (SeamStartPage *self)
{
  show_machine (self, seam_setup_get_targets (self->model->setup),
                seam_setup_get_checks (self->model->setup));
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
  add_row (self, SEAM_CHECK_FAILED, "Worker", error, "seamscope-cli doctor");
  self->report = g_strdup_printf ("[missing] Worker\n    %s\n", error);
  gtk_widget_set_sensitive (GTK_WIDGET (self->copy_report), TRUE);
  gtk_widget_set_sensitive (GTK_WIDGET (self->check_again), TRUE);
}

static void
check_again_cb (SeamStartPage *self)
{
  show_machine (self, NULL, NULL);
  seam_advice_refresh_targets (self->model->advice);
}

/* --- the picture --- */

static SeamFigure *
build_pair_cb (double width, double height, gpointer data)
{
  SeamStartPage *self = data;
  const char *action;
  SeamResult *run = seam_pipeline_results_find_recorded (self->pipelines, PICTURE_OF, &action);

  if (run == NULL)
    return NULL;
  seam_widget_set_action (self->picture, action);
  return seam_pair_figure_new (run, 0, seam_pipeline_results_find_best (run), width, NULL);
}

static void
samples_read_cb (SeamStartPage *self)
{
  g_autoptr (SeamFigure) figure = build_pair_cb (PICTURE_WIDTH, 0, self);

  gtk_widget_set_visible (self->picture, figure != NULL);
  if (figure == NULL)
    return;
  gtk_label_set_text (self->pair_words, figure->summary);
  seam_widget_set_name (self->picture, figure->summary);
  seam_figure_view_invalidate (self->pair);
}

/* --- for a class --- */

static void
fill_present (SeamStartPage *self)
{
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < lessons->len; i++) {
    const SeamLesson *lesson = lessons->pdata[i];
    g_autofree char *title = g_strdup_printf ("_%u  %s", i + 1, lesson->title);
    g_autofree char *action = g_strdup_printf ("win.present-lesson::%u", i + 1);

    g_menu_append (menu, title, action);
  }
  gtk_menu_button_set_menu_model (self->present, G_MENU_MODEL (menu));
}

/* --- recent measurements --- */

static void
update_recent (SeamStartPage *self)
{
  GPtrArray *entries = seam_history_list_get (self->model->history);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  for (guint i = 0; i < MIN (entries->len, MAX_RECENT); i++) {
    const SeamHistoryEntry *entry = entries->pdata[i];
    g_autofree char *found = seam_history_entry_describe (entry);
    g_autofree char *name = seam_history_list_describe (entry);
    g_autofree char *about = g_strdup_printf ("%s · %s", name, entry->detail);
    g_autofree char *spoken = g_strdup_printf ("%s: %s", about, found);
    g_autofree char *action =
        g_strdup_printf ("win.history-open(int64 %" G_GINT64_FORMAT ")", entry->id);
    GtkWidget *row = seam_action_row_new (found, about, NULL, action);

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
  seam_pipeline_results_set_model (self->pipelines, model);
  seam_lesson_list_set_next (self->lessons, self->next_lesson, model->history);
  seam_watch (self, G_CALLBACK (update_recent), model->history, "entries", NULL);
  seam_watch (self, G_CALLBACK (update_machine), model->setup, "targets", NULL);
  update_recent (self);
  update_machine (self);
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
copy_report_cb (SeamStartPage *self)
{
  if (self->report != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->report);
}

/* Called when layout has ended, so that it may change. */
static void
resized_cb (SeamStartPage *self)
{
  double scale = seam_text_scale_get ();
  gboolean below =
      gtk_adjustment_get_page_size (gtk_scrolled_window_get_hadjustment (self->scroller))
      < BESIDE_WIDTH * scale;
  int width = below ? G_MAXINT16 : (int)(SIDE_WIDTH * scale);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns),
                                  below ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  adw_clamp_set_maximum_size (self->side, width);
  adw_clamp_set_tightening_threshold (self->side, width);
}

static void
seam_start_page_class_init (SeamStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamStartPage, g_free, report);
  SEAM_OWNS (klass, SeamStartPage, g_object_unref, model);
  SEAM_TEMPLATE (klass, SeamStartPage, "start-page.ui", note, details, picture, pair, pair_words,
                 recent_box, recent, checks, recorded, check_again, copy_report, pipelines, lessons,
                 next_lesson, present, scroller, columns, side);
  for (int i = 1; i <= N_LESSON_KEYS; i++) {
    const char key[] = { (char)('0' + i), '\0' };
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_0 + (guint)i, 0, "win.lesson", "s",
                                         key);
  }
  gtk_widget_class_bind_template_callback (widget_class, check_again_cb);
  gtk_widget_class_bind_template_callback (widget_class, copy_report_cb);
}

static void
seam_start_page_init (SeamStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  seam_figure_view_set_builder (self->pair, build_pair_cb, self, NULL);
  gtk_widget_set_can_target (GTK_WIDGET (self->pair), FALSE);
  g_signal_connect_object (self->pipelines, "read", G_CALLBACK (samples_read_cb), self,
                           G_CONNECT_SWAPPED);
  /* The first recording of a GPU. */
  g_autofree char *path = seam_lesson_get_sample_path (FIRST_SAMPLE);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->recorded), "s", uri);
  fill_present (self);
  seam_watch (self, G_CALLBACK (resized_cb), gtk_scrolled_window_get_hadjustment (self->scroller),
              "page-size", NULL);
  seam_text_scale_follow (self, G_CALLBACK (resized_cb));
  show_machine (self, NULL, NULL);
}
