/* SPDX-License-Identifier: MIT
 *
 * The calibration window. It asks the model's worker, so that the rates are the next estimate's;
 * the numbers are the same as those of `seamscope-cli calibrate`.
 */
#include "ui/calibrate/calibrate-window.h"

#include "app/base/text.h"
#include "app/report/calibrated-rates.h"
#include "app/figure/bandwidth-figure.h"
#include "app/measure/calibrate.h"
#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/product-export.h"
#include "ui/widgets/setting-row.h"
#include "ui/widgets/table-view.h"

#include <string.h>

#define WIDTH  880
#define HEIGHT 700
#define KEY    "seam-calibrate-window"

#define SEAM_TYPE_CALIBRATE_WINDOW (seam_calibrate_window_get_type ())
G_DECLARE_FINAL_TYPE (SeamCalibrateWindow, seam_calibrate_window, SEAM, CALIBRATE_WINDOW, AdwWindow)

struct _SeamCalibrateWindow {
  AdwWindow parent_instance;

  SeamModel *model;
  SeamCalibration *calibration; /* the one that is shown; NULL: none */
  char *target;                 /* the target that `shown` is about; NULL: the best */
  gboolean is_running, is_stopping;
  GtkLabel *state;
  GtkProgressBar *progress;
  GtkButton *start, *forget;
  GtkWidget *save;
  GtkSpinButton *budget;
  GtkLabel *doubts;
  SeamTableView *table;
  SeamFigureView *curve;
  GtkLabel *words;
};

G_DEFINE_FINAL_TYPE (SeamCalibrateWindow, seam_calibrate_window, ADW_TYPE_WINDOW)

/* --- What is shown --- */

static SeamFigure *
build_curve_cb (double width, double height, gpointer data)
{
  SeamCalibrateWindow *self = data;

  return self->calibration != NULL ? seam_bandwidth_figure_new (self->calibration, width, 0) : NULL;
}

static char *
describe_point_cb (const SeamHit *hit, gpointer data)
{
  SeamCalibrateWindow *self = data;

  if (self->calibration == NULL || hit->kind != SEAM_HIT_SAMPLE
      || hit->index >= self->calibration->n_points)
    return NULL;
  return seam_bandwidth_describe_point (self->calibration, hit->index);
}

static void
show_calibration (SeamCalibrateWindow *self)
{
  gboolean has = self->calibration != NULL;
  g_autoptr (SeamTable) rates = seam_calibrated_rates_table_make (self->calibration);

  seam_table_view_set_table (self->table, rates);
  seam_figure_view_invalidate (self->curve);
  gtk_widget_set_visible (GTK_WIDGET (self->table), has);
  gtk_widget_set_visible (GTK_WIDGET (self->curve), has);
  gtk_widget_set_visible (GTK_WIDGET (self->words), has);
  gtk_widget_set_sensitive (self->save, has);
  gtk_widget_set_visible (GTK_WIDGET (self->doubts), FALSE);
  if (has) {
    g_autofree char *knee = seam_calibration_describe_knee (self->calibration);
    g_autofree char *doubts = seam_calibration_describe_doubts (self->calibration);
    g_autofree char *text = doubts != NULL ? g_strconcat ("⚠ ", doubts, NULL) : NULL;

    gtk_label_set_text (self->words, knee);
    gtk_label_set_text (self->doubts, text != NULL ? text : "");
    gtk_widget_set_visible (GTK_WIDGET (self->doubts), text != NULL);
  }
}

static gboolean
is_any_over_peak (const SeamCalibration *calibration)
{
  for (int i = 0; calibration != NULL && i < SEAM_N_RATES; i++)
    if (seam_calibration_is_over_peak (calibration, i))
      return TRUE;
  return FALSE;
}

static void
show_state (SeamCalibrateWindow *self, const char *sentence)
{
  const char *busy = seam_measurement_get_busy (self->model->measurement);

  gtk_widget_remove_css_class (GTK_WIDGET (self->state), "error");
  gtk_label_set_text (self->state, sentence);
  gtk_widget_set_sensitive (GTK_WIDGET (self->budget), !self->is_running);
  gtk_widget_set_sensitive (GTK_WIDGET (self->forget),
                            !self->is_running && busy == NULL && self->calibration != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), self->is_running);
  gtk_button_set_label (self->start, self->is_running ? "Stop" : "Calibrate");
  gtk_widget_set_sensitive (GTK_WIDGET (self->start),
                            self->is_running ? !self->is_stopping : busy == NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->start), self->is_running ? NULL : busy);
  seam_css_class_set (self->start, "suggested-action", !self->is_running);
  seam_css_class_set (self->start, "destructive-action", self->is_running);
}

static void
show_calibrated (SeamCalibrateWindow *self, const char *not_kept)
{
  g_autofree char *date = seam_calibration_format_date (self->calibration->measured_at);
  gboolean is_over = is_any_over_peak (self->calibration);
  g_autofree char *text = g_strdup_printf (
      "%s, calibrated %s. %s%s%s", self->calibration->device, date != NULL ? date : "before",
      is_over ? "Some numbers cannot be: floor, ceiling and roofline rest on the others."
              : "Floor, ceiling and roofline rest on these numbers.",
      not_kept != NULL ? " " : "", not_kept != NULL ? not_kept : "");

  show_calibration (self);
  show_state (self, text);
  if (is_over)
    gtk_widget_add_css_class (GTK_WIDGET (self->state), "error");
}

/* --- Measuring --- */

static void start_cb (GtkButton *button, SeamCalibrateWindow *self);
static void calibrated_cb (GObject *source, GAsyncResult *result, gpointer data);

/* Calls the worker about the target; `params` is an a{sv} without it. */
static void
call_worker (SeamCalibrateWindow *self, const char *method, GVariant *params,
             GAsyncReadyCallback callback)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  g_autoptr (GVariant) sunk = g_variant_ref_sink (params);

  g_variant_dict_init (&dict, sunk);
  if (self->target != NULL)
    g_variant_dict_insert (&dict, "target", "s", self->target);
  seam_worker_client_call (self->model->workers.here, method, g_variant_dict_end (&dict), NULL,
                           callback, g_object_ref (self));
}

static void
ask_for_kept (SeamCalibrateWindow *self)
{
  show_state (self, "Looking for a calibration of this target…");
  call_worker (self, SEAM_METHOD_CALIBRATE, g_variant_new_parsed ("{'measure': <false>}"),
               calibrated_cb);
}

static void
progress_cb (SeamWorkerClient *worker, const char *what, double fraction, SeamCalibrateWindow *self)
{
  if (!self->is_running)
    return;
  gtk_progress_bar_set_fraction (self->progress, CLAMP (fraction, 0, 1));
  gtk_progress_bar_set_text (self->progress, what);
}

static void
kept_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamCalibrateWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamCalibrated) found = seam_worker_client_finish (result, &error);

  if (found == NULL) {
    show_state (self, error->message);
    return;
  }
  g_clear_pointer (&self->calibration, seam_calibration_free);
  self->calibration = g_steal_pointer (&found->calibration);
  show_calibrated (self, found->not_kept);
  seam_advice_ask_again (self->model->advice);
}

static void
answer_cb (AdwMessageDialog *dialog, const char *response, SeamCalibrateWindow *self)
{
  if (strcmp (response, "again") == 0) {
    start_cb (self->start, self);
  } else if (strcmp (response, "keep") == 0) {
    call_worker (self, SEAM_METHOD_CALIBRATE,
                 g_variant_new_parsed ("{'keep': <%@a{sv}>}",
                                       seam_calibration_to_variant (self->calibration)),
                 kept_cb);
  } else {
    g_clear_pointer (&self->calibration, seam_calibration_free);
    show_calibration (self);
    ask_for_kept (self);
  }
}

/* Asks first, because floor, ceiling and roofline of every later run would rest on these rates. */
static void
ask_whether_to_keep (SeamCalibrateWindow *self, const char *unsteady)
{
  GtkWidget *dialog =
      adw_message_dialog_new (GTK_WINDOW (self), "Keep this calibration?", unsteady);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "discard", "_Discard", "keep",
                                    "_Keep anyway", "again", "_Calibrate again", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "again",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "again");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "discard");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answer_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Whether it is used or not: what was measured is in the history. */
static void
put_into_history (SeamCalibrateWindow *self)
{
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_CALIBRATION);
  g_autoptr (GVariant) variant =
      g_variant_ref_sink (seam_calibration_to_variant (self->calibration));
  g_autoptr (GBytes) content = g_variant_get_data_as_bytes (variant);
  double rate = self->calibration->rates[SEAM_RATE_COPY].median;

  entry->detail = g_strdup ("Calibration");
  entry->outcome = seam_rate_format (SEAM_RATE_COPY, rate);
  entry->device = g_strdup (self->calibration->device);
  seam_history_list_add_bytes (self->model->history, entry, content);
}

static void
calibrated_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamCalibrateWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamCalibrated) found = seam_worker_client_finish (result, &error);
  gboolean was_running = self->is_running;

  self->is_running = self->is_stopping = FALSE;
  if (was_running)
    seam_measurement_set_busy (self->model->measurement, NULL);
  if (found != NULL) {
    g_clear_pointer (&self->calibration, seam_calibration_free);
    self->calibration = g_steal_pointer (&found->calibration);
    if (was_running)
      put_into_history (self);
    if (found->unsteady == NULL) {
      show_calibrated (self, found->not_kept);
    } else {
      show_calibration (self);
      show_state (self, "These numbers are not kept.");
      ask_whether_to_keep (self, found->unsteady);
    }
  } else if (g_error_matches (error, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    show_state (self, "Stopped; nothing was changed.");
  } else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)) {
    show_state (self, "The worker ended before the calibration did; try again.");
  } else {
    g_autofree char *text =
        was_running ? g_strdup (error->message)
                    : g_strdup_printf ("%s It takes some seconds, in which nothing else should use "
                                       "the machine.",
                                       error->message);
    show_state (self, text);
  }
}

static void
start_cb (GtkButton *button, SeamCalibrateWindow *self)
{
  if (self->is_running) {
    self->is_stopping = TRUE;
    seam_worker_client_cancel (self->model->workers.here);
    show_state (self, "Stopping…");
    return;
  }
  self->is_running = TRUE;
  seam_measurement_set_busy (self->model->measurement,
                             "The target is being calibrated: a run would spoil it.");
  gtk_progress_bar_set_fraction (self->progress, 0);
  gtk_progress_bar_set_text (self->progress, "Starting");
  show_state (self, "Measuring… Nothing else should use the machine meanwhile.");
  call_worker (self, SEAM_METHOD_CALIBRATE,
               g_variant_new_parsed ("{'measure': <true>, 'budget_s': <%d>}",
                                     gtk_spin_button_get_value (self->budget)),
               calibrated_cb);
}

static void
forgotten_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamCalibrateWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = seam_worker_client_finish (result, &error);

  if (reply == NULL) {
    show_state (self, error->message);
    return;
  }
  g_clear_pointer (&self->calibration, seam_calibration_free);
  show_calibration (self);
  show_state (self, "Forgotten. Floor, ceiling and roofline rest on data-sheet numbers or a quick "
                    "measurement again.");
  seam_advice_ask_again (self->model->advice);
}

static void
forget_clicked_cb (GtkButton *button, SeamCalibrateWindow *self)
{
  gtk_widget_set_sensitive (GTK_WIDGET (self->forget), FALSE);
  call_worker (self, SEAM_METHOD_FORGET, g_variant_new ("a{sv}", NULL), forgotten_cb);
}

/* --- Saving --- */

/* `data` is the main window. It has the actions, also while the calibration window is closed. */
static gboolean
fill_source (const SeamProduct *product, SeamProductSource *source, gpointer data, GError **error)
{
  const SeamCalibrateWindow *self = g_object_get_data (G_OBJECT (data), KEY);

  source->calibration = self != NULL ? self->calibration : NULL;
  if (source->calibration != NULL)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT, "Nothing is calibrated yet: press Calibrate first.");
}

static void
say (const char *text, gboolean is_error, gpointer data)
{
  SeamCalibrateWindow *self = g_object_get_data (G_OBJECT (data), KEY);

  if (self != NULL)
    show_state (self, text);
}

static const SeamProductExport how = { .fill = fill_source, .say = say };

/* --- Life --- */

static void
state_changed_cb (SeamCalibrateWindow *self)
{
  g_autofree char *text = g_strdup (gtk_label_get_text (self->state));

  if (!self->is_running)
    show_state (self, text);
}

/* Closing stops the measurement, because nobody would see its result. */
static gboolean
seam_calibrate_window_close_request (GtkWindow *window)
{
  SeamCalibrateWindow *self = SEAM_CALIBRATE_WINDOW (window);

  if (self->is_running && !self->is_stopping)
    start_cb (self->start, self);
  return GTK_WINDOW_CLASS (seam_calibrate_window_parent_class)->close_request (window);
}

/* Escape stops, as in the main window; it closes only when nothing is measured. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *none, gpointer data)
{
  SeamCalibrateWindow *self = SEAM_CALIBRATE_WINDOW (widget);

  if (self->is_running && !self->is_stopping)
    start_cb (self->start, self);
  else
    gtk_window_close (GTK_WINDOW (self));
  return TRUE;
}

static void
seam_calibrate_window_class_init (SeamCalibrateWindowClass *klass)
{
  SEAM_OWNS (klass, SeamCalibrateWindow, g_object_unref, model);
  SEAM_OWNS (klass, SeamCalibrateWindow, seam_calibration_free, calibration);
  SEAM_OWNS (klass, SeamCalibrateWindow, g_free, target);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, escape_cb, NULL);
  GTK_WINDOW_CLASS (klass)->close_request = seam_calibrate_window_close_request;
}

static void
seam_calibrate_window_init (SeamCalibrateWindow *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *unit = seam_label_new ("s", "dim-label", 0);
  const SeamLabelFlags words = SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE;

  gtk_window_set_title (GTK_WINDOW (self), "Calibration");
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  self->state = seam_label_new (NULL, NULL, words);
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_progress_bar_set_show_text (self->progress, TRUE);
  self->table = seam_table_view_new (seam_calibrated_rates_table_make (NULL), NULL, FALSE,
                                     "Calibrated rates");
  seam_table_view_show_all_rows (self->table);
  self->curve = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  seam_figure_view_set_minimum_width (self->curve, 320);
  seam_figure_view_set_builder (self->curve, build_curve_cb, self, NULL);
  seam_figure_view_set_tooltip_func (self->curve, describe_point_cb, self);
  seam_figure_view_set_focus_kinds (self->curve, SEAM_HIT_SAMPLE);
  self->words = seam_label_new (NULL, "dim-label note", words);
  self->start = GTK_BUTTON (gtk_button_new_with_label ("Calibrate"));
  /* Return begins again after Stop, during which the button cannot have the focus. */
  gtk_window_set_default_widget (GTK_WINDOW (self), GTK_WIDGET (self->start));
  self->save = seam_product_export_make_button (SEAM_OF_CALIBRATION, "Export the calibration");
  self->forget =
      seam_button_new ("Forget", NULL, "Delete the calibration that is kept of this target", NULL);
  self->budget = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (1, SEAM_CALIBRATE_MOST_S, 1));
  gtk_spin_button_set_value (self->budget, SEAM_CALIBRATE_DEFAULT_S);
  gtk_widget_set_valign (GTK_WIDGET (self->budget), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->budget),
                               "Seconds for all measurements; more time allows a larger buffer and "
                               "more samples");
  seam_spin_button_read_typed (self->budget, "s");
  seam_widget_set_name (self->budget, "Budget of the calibration in seconds");
  self->doubts = seam_label_new (NULL, "error note", words);
  g_signal_connect (self->start, "clicked", G_CALLBACK (start_cb), self);
  g_signal_connect (self->forget, "clicked", G_CALLBACK (forget_clicked_cb), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), GTK_WIDGET (self->start));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), GTK_WIDGET (self->budget));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), unit);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->save);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), GTK_WIDGET (self->forget));

  GtkWidget *page = seam_box_new (GTK_ORIENTATION_VERTICAL, 12, "page", self->state, self->progress,
                                  self->table, self->curve, self->words, self->doubts, NULL);
  adw_window_set_content (ADW_WINDOW (self), seam_box_new (GTK_ORIENTATION_VERTICAL, 0, NULL,
                                                           header, seam_scrolled_new (page), NULL));
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->start));
}

/* Forgets the closed window; the next opening makes a new one. */
static void
forget_cb (GtkWidget *self, GtkWindow *parent)
{
  g_object_set_data (G_OBJECT (parent), KEY, NULL);
}

/* The window that is open, or a new one that shows nothing yet. */
static SeamCalibrateWindow *
get_window (GtkWindow *parent, gboolean *is_new)
{
  SeamModel *model = g_object_get_data (G_OBJECT (parent), KEY "-model");
  SeamCalibrateWindow *self = g_object_get_data (G_OBJECT (parent), KEY);
  g_autoptr (GSimpleActionGroup) exports = g_simple_action_group_new ();

  *is_new = self == NULL;
  if (self != NULL)
    return self;
  self = g_object_new (SEAM_TYPE_CALIBRATE_WINDOW, "transient-for", parent, "destroy-with-parent",
                       TRUE, NULL);
  self->model = g_object_ref (model);
  self->target = g_strdup (seam_setup_get_request (model->setup)->target);
  g_object_set_data (G_OBJECT (parent), KEY, self);
  seam_product_export_add_all (G_ACTION_MAP (exports), SEAM_OF_CALIBRATION, &how, GTK_WINDOW (self),
                               self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", G_ACTION_GROUP (exports));
  g_signal_connect_object (self, "destroy", G_CALLBACK (forget_cb), parent, 0);
  seam_watch (self, G_CALLBACK (state_changed_cb), model->measurement, "state", NULL);
  g_signal_connect_object (model->workers.here, "calibration", G_CALLBACK (progress_cb), self, 0);
  show_calibration (self);
  return self;
}

static void
present_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gboolean is_new;
  SeamCalibrateWindow *self = get_window (data, &is_new);

  if (is_new)
    ask_for_kept (self);
  gtk_window_present (GTK_WINDOW (self));
}

/* One of the history. */
static void
show_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gboolean is_new;
  SeamCalibrateWindow *self = get_window (data, &is_new);
  gint64 id = g_variant_get_int64 (parameter);
  const SeamHistoryEntry *entry = seam_history_list_find (self->model->history, id);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) content = seam_history_list_read (self->model->history, id, &error);
  g_autoptr (GVariant) variant =
      content != NULL
          ? g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, content, FALSE))
          : NULL;
  SeamCalibration *calibration =
      variant != NULL ? seam_calibration_from_variant (variant, &error) : NULL;

  gtk_window_present (GTK_WINDOW (self));
  if (self->is_running) {
    seam_calibration_free (calibration);
    return;
  }
  if (calibration == NULL) {
    show_state (self, error->message);
    return;
  }
  g_autofree char *time = seam_text_when (entry->ended_at);
  g_autofree char *text = g_strdup_printf (
      "%s, calibrated %s: one of the history. Floor, ceiling and roofline rest on the calibration "
      "that was kept last.",
      calibration->device, time);
  g_clear_pointer (&self->calibration, seam_calibration_free);
  self->calibration = calibration;
  show_calibration (self);
  show_state (self, text);
}

static void
forget_kept_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamCalibrateWindow *self = g_object_get_data (G_OBJECT (data), KEY);

  if (self != NULL && gtk_widget_is_sensitive (GTK_WIDGET (self->forget)))
    forget_clicked_cb (self->forget, self);
}

void
seam_calibrate_window_install (GtkApplicationWindow *window, SeamModel *model)
{
  static const GActionEntry actions[] = {
    { .name = "calibrate", .activate = present_cb },
    { .name = "calibrate-show", .parameter_type = "x", .activate = show_cb },
    { .name = "calibrate-forget", .activate = forget_kept_cb },
  };

  g_object_set_data_full (G_OBJECT (window), KEY "-model", g_object_ref (model), g_object_unref);
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), window);
  seam_product_export_add_all (G_ACTION_MAP (window), SEAM_OF_CALIBRATION, &how,
                               GTK_WINDOW (window), window);
}
