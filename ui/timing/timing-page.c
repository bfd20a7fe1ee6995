/* SPDX-License-Identifier: MIT
 *
 * SeamTimingPage: the plans card, and under it their times: nothing yet, a run in progress, or a
 * result with its tables. Links the selections of bars, table and strips.
 */
#include "ui/page/page.h"

#include "ui/lesson/prediction-card.h"
#include "ui/timing/kernel-card.h"
#include "ui/timing/plans-card.h"
#include "ui/timing/result-card.h"
#include "ui/timing/run-card.h"
#include "ui/timing/samples-card.h"
#include "ui/state/remembered.h"

#include "ui/widgets/css-class.h"
#include "ui/widgets/gtk-repairs.h"
#include "ui/widgets/table-view.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text-scale.h"

#include "app/base/text.h"
#include "app/report/kernels-table.h"
#include "app/report/plans.h"

#include <math.h>

#define TABLE_MIN_HEIGHT 160
/* Of the page's visible part, px, for text of the usual size: below it, plans are single lines, so
 * that the headline is seen with them. */
#define LOW_HEIGHT 230

#define SEAM_TYPE_TIMING_PAGE (seam_timing_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTimingPage, seam_timing_page, SEAM, TIMING_PAGE, AdwBin)

struct _SeamTimingPage {
  AdwBin parent_instance;

  SeamModel *model;
  SeamLessonPlayer *lesson;
  SeamResult *shown; /* result in cards and tables */
  int compared;      /* index of its plan beside A; -1: there is only one */

  GtkScrolledWindow *scroller;
  SeamPlansCard *plans;
  SeamPredictionCard *prediction;
  GtkStack *states;
  AdwStatusPage *empty;
  GtkWidget *empty_run, *last_run;
  SeamRunCard *run;
  SeamResultCard *result;
  GtkWidget *table_card, *below;
  SeamKernelCard *kernel;
  SeamSamplesCard *samples;
  GtkStack *tables;
  SeamTableView *kernel_table, *plan_table;
  GtkLabel *provenance;
};

static void page_init (SeamPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SeamTimingPage, seam_timing_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

/* Selection. */

static void
select_kernel (SeamTimingPage *self, int plan, int kernel)
{
  int row_plan = -1, op = -1;

  if (self->shown != NULL && plan >= 0 && plan < self->shown->n_plans && kernel >= 0
      && kernel < self->shown->plans[plan].n_kernels) {
    row_plan = plan;
    op = self->shown->plans[plan].kernels[kernel].first_op;
  }
  /* An op of the result identifies its group only while the strip shows the plan that was run. */
  if (seam_measurement_get_stale_reason (self->model->measurement) != NULL)
    row_plan = -1;
  seam_plans_card_select_op (self->plans, row_plan, op);
  seam_kernel_card_select (self->kernel, plan, kernel);
}

static void
bar_selected_cb (SeamResultCard *card, int plan, int kernel, SeamTimingPage *self)
{
  seam_table_view_select (self->kernel_table, plan, kernel);
  select_kernel (self, plan, kernel);
}

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamTimingPage *self)
{
  int plan = row != NULL ? row->plan : -1;
  int kernel = row != NULL ? row->index : -1;

  seam_result_card_select (self->result, plan, kernel == SEAM_ROW_GAPS ? -1 : kernel);
  select_kernel (self, plan, kernel);
}

static void
partner_changed_cb (SeamKernelCard *card, int plan, int kernel, SeamTimingPage *self)
{
  seam_table_view_set_beside (self->kernel_table, plan, kernel);
  seam_result_card_set_beside (self->result, plan, kernel);
}

/* Enter in the table goes to the card, Escape in the card back to the table. */
static void
row_activated_cb (SeamTableView *table, const SeamTableRow *row, SeamTimingPage *self)
{
  if (seam_kernel_card_focus_numbers (self->kernel))
    seam_gtk_scroll_to (GTK_WIDGET (self->kernel), 0);
}

static void
show_table_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  seam_table_view_focus_selected (SEAM_TIMING_PAGE (widget)->kernel_table);
}

/* States. */

/* A line for each plan: where its guess comes from. The guess itself stands in “Before running”. */
static void
append_reasons (GString *text, const SeamEstimate *estimate)
{
  for (int i = 0; i < MIN (estimate->n_plans, SEAM_MAX_CHOSEN_PLANS); i++) {
    const char *reason = estimate->plans[i].guess_reason;
    g_autofree char *escaped = reason != NULL ? g_markup_escape_text (reason, -1) : NULL;
    if (reason != NULL)
      g_string_append_printf (text, "%c: %s\n", 'A' + i, escaped);
  }
}

/* A pipeline that was run before this window was opened can show its last run. In a lesson that
 * would answer the question. */
static void
update_last_run (SeamTimingPage *self)
{
  const SeamHistoryEntry *entry = seam_history_list_find_run (
      self->model->history, seam_setup_get_pipeline (self->model->setup));
  gboolean shown = entry != NULL && self->lesson->lesson == NULL;

  gtk_widget_set_visible (self->last_run, shown);
  if (!shown)
    return;
  g_autofree char *time = seam_text_when (entry->ended_at);
  g_autofree char *label = g_strdup_printf ("Last run %s", time);
  g_autofree char *found = seam_history_entry_describe (entry);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", found, entry->detail);

  gtk_button_set_label (GTK_BUTTON (self->last_run), label);
  gtk_widget_set_tooltip_text (self->last_run, tooltip);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->last_run),
                                          g_variant_new_int64 (entry->id));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->last_run), "win.history-open");
}

static void
update_empty (SeamTimingPage *self)
{
  const SeamEstimate *estimate = seam_advice_get_estimate (self->model->advice);
  const char *blocker = seam_measurement_get_blocker (self->model->measurement);
  GString *text = g_string_new (NULL);

  adw_status_page_set_title (self->empty,
                             self->lesson->cover != NULL ? SEAM_COVERED_TITLE : "Not run yet");
  gtk_widget_set_visible (self->empty_run, self->lesson->cover == NULL);
  update_last_run (self);
  if (blocker != NULL) {
    g_autofree char *escaped = g_markup_escape_text (blocker, -1);
    g_string_append (text, escaped);
  } else if (estimate != NULL) {
    append_reasons (text, estimate);
    if (!isnan (estimate->floor.floor_ns)) {
      g_autofree char *floor = seam_text_time (estimate->floor.floor_ns);
      g_autofree char *source =
          g_markup_escape_text (estimate->floor_source != NULL ? estimate->floor_source : "", -1);
      g_string_append_printf (text, "No correct plan can be faster than %s: the %s bound%s%s%s.",
                              floor, estimate->floor.memory_bound ? "memory" : "compute",
                              source[0] != '\0' ? " (" : "", source, source[0] != '\0' ? ")" : "");
    }
  }
  adw_status_page_set_description (self->empty, text->str);
  g_string_free (text, TRUE);
}

static void
update_provenance (SeamTimingPage *self)
{
  g_autofree char *text = NULL;

  if (seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE) {
    g_autoptr (SeamResult) live = seam_measurement_make_live_result (self->model->measurement);
    text = seam_result_get_provenance (live);
  } else {
    text = seam_store_get_provenance (self->model->store);
  }
  seam_page_show_provenance (self->provenance, text);
}

static void
show_result (SeamTimingPage *self, SeamResult *result)
{
  int n = seam_measurement_get_n_plans (self->model->measurement);
  int compared = seam_measurement_get_compared (self->model->measurement);
  gboolean traced = FALSE;

  if (result == self->shown && result != NULL && compared != self->compared) {
    self->compared = compared;
    seam_result_card_set_result (self->result, result, n, compared);
    seam_kernel_card_set_result (self->kernel, result, compared);
  }
  if (result == self->shown)
    return;
  self->compared = compared;
  g_clear_pointer (&self->shown, seam_result_unref);
  self->shown = result != NULL ? seam_result_ref (result) : NULL;
  seam_plans_card_select_op (self->plans, -1, -1);
  /* During a run the card keeps the result of the run before. */
  if (result != NULL || seam_measurement_get_state (self->model->measurement) == SEAM_RUN_IDLE)
    seam_kernel_card_set_result (self->kernel, result, compared);
  if (result == NULL)
    return;
  n = MIN (n, result->n_plans);
  for (int k = 0; k < n; k++)
    traced = traced || result->plans[k].n_kernels > 0;
  seam_result_card_set_result (self->result, result, n, compared);
  seam_table_view_select (self->kernel_table, -1, -1);
  g_autoptr (SeamTable) table =
      traced ? seam_kernels_table_make (result, n) : seam_plans_table_make (result, 0, n);
  SeamTableView *view = traced ? self->kernel_table : self->plan_table;
  seam_table_view_set_pitfalls (view, result->pitfalls);
  seam_table_view_set_table (view, table);
  gtk_stack_set_visible_child_name (self->tables, traced ? "kernels" : "plans");
}

/* The prediction's figure has covers where the result will be. */
static void
update_covered (SeamTimingPage *self)
{
  gboolean covered =
      self->lesson->cover != NULL && gtk_widget_get_visible (GTK_WIDGET (self->prediction));

  gtk_widget_set_visible (GTK_WIDGET (self->states), !covered);
  gtk_widget_set_visible (self->below,
                          !covered
                              && (gtk_widget_get_visible (GTK_WIDGET (self->kernel))
                                  || gtk_widget_get_visible (GTK_WIDGET (self->samples))));
}

static void
update_state (SeamTimingPage *self)
{
  SeamResult *result = seam_measurement_get_result (self->model->measurement);
  gboolean running = seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE;

  show_result (self, result);
  seam_samples_card_set_result (self->samples, running ? NULL : result, self->compared);
  seam_kernel_card_set_before (self->kernel, running);
  seam_css_class_set (self->kernel, "dim-label", running);
  if (result != NULL) {
    const char *stale = seam_measurement_get_stale_reason (self->model->measurement);
    seam_result_card_set_stale (self->result, stale);
    if (stale != NULL)
      seam_plans_card_select_op (self->plans, -1, -1);
    seam_css_class_set (self->table_card, "stale", stale != NULL);
    seam_css_class_set (self->kernel, "dim-label", stale != NULL);
    seam_css_class_set (self->samples, "stale", stale != NULL);
  }
  gtk_stack_set_visible_child_name (self->states, running          ? "running"
                                                  : result != NULL ? "result"
                                                                   : "empty");
  update_covered (self);
}

/* Whether the question asks for a seam, which is picked on a strip. */
static gboolean
asks_for_seam (SeamTimingPage *self)
{
  const SeamLessonStep *question = seam_lesson_player_get_question (self->lesson);

  return question != NULL && question->kind == SEAM_STEP_PREDICT && question->ask == SEAM_ASK_CUT
         && question == self->lesson->step;
}

static gboolean
pick_seam_cb (int seam, gpointer data)
{
  SeamTimingPage *self = data;

  if (!asks_for_seam (self) || !seam_lesson_player_is_asking (self->lesson))
    return FALSE;
  seam_lesson_player_set_draft (self->lesson, seam);
  return TRUE;
}

/* The seam that is picked, or was committed. */
static void
update_picked_seam (SeamTimingPage *self)
{
  const SeamLessonAnswer *answer = seam_lesson_player_get_answer (self->lesson);
  double seam = answer != NULL ? answer->value : self->lesson->draft;
  gboolean shown = asks_for_seam (self) && seam >= 0 && seam < SEAM_MAX_OPS;

  seam_plans_card_select_seam (self->plans, shown ? (int)seam : -1);
}

static void
lesson_changed_cb (gpointer owner)
{
  SeamTimingPage *self = owner;

  update_empty (self);
  update_picked_seam (self);
  update_covered (self);
}

static void
result_changed_cb (gpointer owner)
{
  update_state (owner);
  update_provenance (owner);
}

static void
begin (SeamPage *page, const SeamPageContext *context)
{
  SeamTimingPage *self = SEAM_TIMING_PAGE (page);
  SeamModel *model = context->model;

  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  self->lesson = g_object_ref (context->lesson);
  seam_plans_card_set_model (self->plans, model);
  seam_prediction_card_set_player (self->prediction, context->lesson);
  seam_run_card_set_model (self->run, model);
  seam_result_card_set_model (self->result, model);
  seam_watch (self, G_CALLBACK (result_changed_cb), model->setup, "pipeline", model->measurement,
              "state result", NULL);
  seam_watch (self, G_CALLBACK (update_provenance), model->measurement, "progress", NULL);
  seam_watch (self, G_CALLBACK (update_empty), model->setup, "pipeline shape options",
              model->advice, "estimate", model->history, "entries", NULL);
  seam_watch (self, G_CALLBACK (lesson_changed_cb), context->lesson, "step answer", NULL);
  seam_watch (self, G_CALLBACK (update_picked_seam), context->lesson, "draft", NULL);
  seam_plans_card_set_picker (self->plans, pick_seam_cb, self);
  result_changed_cb (self);
  update_empty (self);
}

static void
set_narrow (SeamPage *page, gboolean narrow)
{
  SeamTimingPage *self = SEAM_TIMING_PAGE (page);

  seam_plans_card_set_narrow (self->plans, narrow);
  seam_run_card_set_narrow (self->run, narrow);
  seam_result_card_set_narrow (self->result, narrow);
  seam_table_view_set_narrow (self->kernel_table, narrow);
  seam_table_view_set_narrow (self->plan_table, narrow);
}

/* Called when layout has ended, so that it may change. */
static void
resized_cb (SeamTimingPage *self)
{
  gboolean low = gtk_widget_get_height (GTK_WIDGET (self)) < LOW_HEIGHT * seam_text_scale_get ();

  seam_plans_card_set_low (self->plans, low);
  gtk_widget_set_visible (GTK_WIDGET (self->provenance), !low);
}

static void
page_init (SeamPageInterface *iface)
{
  static const char *const products[] = { "timing", "samples", NULL };

  iface->name = "timing";
  iface->title = "Timing";
  iface->icon = "seam-timing-symbolic";
  iface->products = products;
  iface->begin = begin;
  iface->set_narrow = set_narrow;
}

/* Handles Escape wherever the focus is on the page. */
static void
clear_selection_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  SeamTimingPage *self = SEAM_TIMING_PAGE (widget);

  seam_table_view_select (self->kernel_table, -1, -1);
  seam_result_card_select (self->result, -1, -1);
  select_kernel (self, -1, -1);
}

/* Puts the samples at the top of the page. */
static void
show_samples_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  SeamTimingPage *self = SEAM_TIMING_PAGE (widget);

  gtk_widget_child_focus (GTK_WIDGET (self->samples), GTK_DIR_TAB_FORWARD);
  seam_gtk_scroll_to (GTK_WIDGET (self->samples), 0);
}

static void
let_go (SeamTimingPage *self)
{
  g_autofree char *hidden = NULL;

  if (self->kernel_table == NULL)
    return;
  hidden = seam_table_view_get_hidden (self->kernel_table);
  seam_remembered_set_string ("hidden-columns", hidden);
  self->kernel_table = NULL;
  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_TIMING_PAGE);
}

static void
seam_timing_page_class_init (SeamTimingPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (let_go));
  SEAM_OWNS (klass, SeamTimingPage, seam_result_unref, shown);
  SEAM_OWNS (klass, SeamTimingPage, g_object_unref, lesson, model);
  SEAM_TEMPLATE (klass, SeamTimingPage, "timing-page.ui", scroller, plans, prediction, states,
                 empty, empty_run, last_run, run, result, table_card, below, kernel, samples,
                 tables, provenance);
  gtk_widget_class_install_action (widget_class, "timing.clear-selection", NULL,
                                   clear_selection_cb);
  gtk_widget_class_install_action (widget_class, "timing.show-table", NULL, show_table_cb);
  gtk_widget_class_install_action (widget_class, "timing.show-samples", NULL, show_samples_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "timing.clear-selection",
                                       NULL);
}

static void
seam_timing_page_init (SeamTimingPage *self)
{
  g_autofree char *hidden = seam_remembered_get_string ("hidden-columns");

  gtk_widget_init_template (GTK_WIDGET (self));

  self->kernel_table = seam_table_view_new (seam_kernels_table_new (), "median", TRUE, "Kernels");
  self->plan_table = seam_table_view_new (seam_plans_table_new (), NULL, FALSE, "Plans");
  gtk_widget_set_size_request (GTK_WIDGET (self->tables), -1, TABLE_MIN_HEIGHT);
  gtk_stack_add_named (self->tables, GTK_WIDGET (self->kernel_table), "kernels");
  gtk_stack_add_named (self->tables, GTK_WIDGET (self->plan_table), "plans");
  /* Samples follow below: a table with a scroll bar of its own would catch the wheel. */
  seam_table_view_show_all_rows (self->kernel_table);
  seam_table_view_show_all_rows (self->plan_table);
  seam_table_view_set_hidden (self->kernel_table, hidden);
  g_signal_connect (self->kernel_table, "row-selected", G_CALLBACK (row_selected_cb), self);
  g_signal_connect (self->kernel_table, "row-activated", G_CALLBACK (row_activated_cb), self);
  g_signal_connect (self->kernel, "partner-changed", G_CALLBACK (partner_changed_cb), self);
  g_signal_connect (self->result, "kernel-selected", G_CALLBACK (bar_selected_cb), self);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self->scroller),
                           "notify::page-size", G_CALLBACK (seam_kernel_card_fit), self->kernel,
                           G_CONNECT_SWAPPED);
  seam_watch (self, G_CALLBACK (resized_cb), gtk_scrolled_window_get_vadjustment (self->scroller),
              "page-size", NULL);
}
