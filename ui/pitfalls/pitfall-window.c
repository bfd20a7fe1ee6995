/* SPDX-License-Identifier: MIT
 *
 * Runs the pitfall lab and shows it. Its results reach the main window only if the person asks for
 * it, and marked.
 */
#include "ui/pitfalls/pitfall-window.h"

#include "app/report/products.h"
#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/label.h"
#include "ui/widgets/product-export.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/table-view.h"

#include "app/report/lab-cases.h"
#include "app/report/sheets.h"
#include "app/base/error.h"
#include "app/figure/pitfalls-figure.h"
#include "app/runner/runner.h"

#include <math.h>
#include <string.h>

#define WIDTH            1060
#define HEIGHT           860
#define DEFAULT_BUDGET_S 30.0

struct _SeamPitfallWindow {
  AdwWindow parent_instance;

  SeamModel *model; /* owned reference */
  SeamWorkerClient *worker;
  SeamLab *lab;            /* NULL until the first run */
  SeamHistoryEntry *entry; /* of the history, for this time; NULL: not made yet */
  int running;             /* case under way */
  gboolean busy, stopping;

  GtkLabel *subject, *status, *findings, *stale, *provenance;
  AdwActionRow *rows[SEAM_N_PITFALLS];
  GtkSwitch *switches[SEAM_N_PITFALLS];
  GtkButton *run;
  GtkProgressBar *bar;
  GtkWidget *results, *show, *export;
  SeamFigureView *view;
  SeamTableView *table;
  int selected; /* case of the selected table row; -1: none */
};

G_DEFINE_FINAL_TYPE (SeamPitfallWindow, seam_pitfall_window, ADW_TYPE_WINDOW)

static const char *
get_refusal (SeamPitfallWindow *self, int i)
{
  const SeamEstimate *estimate = seam_advice_get_estimate (self->model->advice);

  return estimate != NULL ? estimate->pitfalls[i] : NULL;
}

static const char *
get_plan_text (SeamPitfallWindow *self, int i)
{
  const SeamPlan *plan = seam_setup_get_plan (self->model->setup, i);

  return plan->name != NULL ? plan->name : plan->notation;
}

/* --- showing --- */

static void
update_subject (SeamPitfallWindow *self)
{
  const SeamRunRequest *request = seam_setup_get_request (self->model->setup);
  const SeamProblem *problem = seam_setup_get_problem (self->model->setup);
  g_autofree char *shape = problem != NULL ? seam_problem_describe_shape (problem) : NULL;
  g_autofree char *settings =
      seam_settings_describe (&request->settings, SEAM_CONCERN_ALL & ~SEAM_CONCERN_TENSORS, " · ");
  g_autofree char *text = g_strdup_printf ("%s · %s · A %s, B %s · %s", request->pipeline->id,
                                           shape != NULL ? shape : "", get_plan_text (self, 0),
                                           get_plan_text (self, 1), settings);

  gtk_label_set_text (self->subject, text);
}

static void
update_switches (SeamPitfallWindow *self)
{
  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    const char *refusal = get_refusal (self, i);
    g_autofree char *text = refusal != NULL
                                ? g_strdup_printf ("Not possible here. %s", refusal)
                                : g_strdup (seam_pitfall_get_sentence (SEAM_PITFALL_AT (i)));

    adw_action_row_set_subtitle (self->rows[i], text);
    gtk_widget_set_sensitive (GTK_WIDGET (self->switches[i]), refusal == NULL && !self->busy);
    /* The row beside a switch is a Tab stop only if it says why the switch cannot be used. */
    gtk_widget_set_focusable (GTK_WIDGET (self->rows[i]), refusal != NULL);
    if (refusal != NULL)
      gtk_switch_set_active (self->switches[i], FALSE);
  }
}

static gboolean
has_result (SeamPitfallWindow *self)
{
  return self->lab != NULL && self->lab->cases[SEAM_LAB_HONEST].rounds[0] != NULL;
}

static void
update_status (SeamPitfallWindow *self)
{
  int n_done = 0, n_all = 0;
  g_autofree char *text = NULL;

  if (self->lab != NULL)
    seam_lab_count (self->lab, &n_done, &n_all);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), self->busy);
  gtk_widget_set_visible (GTK_WIDGET (self->status),
                          self->busy || *gtk_label_get_text (self->status) != '\0');
  gtk_progress_bar_set_fraction (self->bar, n_all > 0 ? (double)n_done / n_all : 0);
  if (!self->busy)
    return;
  text = g_strdup_printf ("%s: %s, run %d of %d", self->stopping ? "Stopping" : "Measuring",
                          seam_lab_get_title (self->lab, self->running), n_done + 1, n_all);
  gtk_label_set_text (self->status, text);
}

static char *
make_findings (const SeamLab *lab)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
    g_autofree char *finding = NULL;

    if (!lab->cases[i].wanted)
      continue;
    finding = seam_lab_describe (lab, i);
    g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "",
                            seam_lab_get_title (lab, i), finding);
  }
  return g_string_free (text, FALSE);
}

/* Whether there is a run that the main window can show. */
static gboolean
can_show (SeamPitfallWindow *self)
{
  return !self->busy && self->selected >= 0 && self->lab != NULL
         && self->lab->cases[self->selected].rounds[0] != NULL;
}

/* Why the chart does not fit what Run would measure now; newly allocated, NULL if it does. */
static char *
describe_stale (SeamPitfallWindow *self)
{
  const SeamRunRequest *now = seam_setup_get_request (self->model->setup);
  const SeamRunRequest *then = self->lab->request;
  SeamSettings settings;
  gboolean is_same = now->pipeline == then->pipeline && g_strcmp0 (now->target, then->target) == 0;

  for (int i = 0; is_same && i < then->pipeline->n_fields; i++)
    is_same = now->values[i] == then->values[i];
  for (int i = 0; is_same && i < 2; i++)
    is_same = g_strcmp0 (get_plan_text (self, i), then->plans[i]) == 0;
  if (is_same) {
    g_autofree char *key = NULL, *old_key = NULL;

    /* The lab chooses its own budget, which is long enough, so budgets are not compared. */
    seam_record_copy (&seam_settings_type, &settings, &now->settings);
    settings.budget_s = then->settings.budget_s;
    key = seam_settings_make_key (&settings, SEAM_CONCERN_ALL);
    old_key = seam_settings_make_key (&then->settings, SEAM_CONCERN_ALL);
    seam_record_clear (&seam_settings_type, &settings);
    is_same = strcmp (key, old_key) == 0;
  }
  if (is_same)
    return NULL;
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (then, NULL);
  g_autofree char *shape = problem != NULL ? seam_problem_describe_shape (problem) : g_strdup ("");
  return g_strdup_printf ("Measured with other choices (%s · %s · A %s, B %s): run again.",
                          then->pipeline->id, shape, then->plans[0], then->plans[1]);
}

static void
update_stale (SeamPitfallWindow *self)
{
  g_autofree char *text = describe_stale (self);

  gtk_label_set_text (self->stale, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->stale), text != NULL);
  seam_css_class_set (self->results, "stale", text != NULL);
}

static void
update_results (SeamPitfallWindow *self)
{
  gboolean shown = has_result (self);

  gtk_widget_set_visible (self->results, shown);
  gtk_widget_set_sensitive (self->export, shown && !self->busy);
  if (!shown)
    return;
  update_stale (self);
  g_autofree char *findings = make_findings (self->lab);
  g_autofree char *provenance = seam_lab_get_provenance (self->lab);
  gtk_label_set_text (self->findings, findings);
  gtk_label_set_text (self->provenance, provenance);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->provenance), provenance);
  /* The table keeps the chosen row where the lab still has it. */
  if (self->selected >= 0 && !self->lab->cases[self->selected].wanted)
    self->selected = -1;
  g_autoptr (SeamTable) table = seam_lab_table_make (self->lab);
  seam_table_view_set_table (self->table, table);
  gtk_widget_set_sensitive (self->show, can_show (self));
  seam_figure_view_invalidate (self->view);
}

static void
update_all (SeamPitfallWindow *self)
{
  const char *blocker = seam_measurement_get_blocker (self->model->measurement);

  update_subject (self);
  update_switches (self);
  update_status (self);
  update_results (self);
  gtk_button_set_label (self->run, self->busy ? "_Stop" : "_Run");
  gtk_widget_set_sensitive (GTK_WIDGET (self->run), self->busy ? !self->stopping : blocker == NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->run), self->busy ? NULL : blocker);
  seam_css_class_set (self->run, "suggested-action", !self->busy);
  seam_css_class_set (self->run, "destructive-action", self->busy);
}

/* --- running --- */

static void
end_run (SeamPitfallWindow *self, const char *text)
{
  self->busy = self->stopping = FALSE;
  gtk_label_set_text (self->status, text);
  update_all (self);
}

/* Puts all rounds so far into the history, one entry for each time the lab was run. */
static void
keep (SeamPitfallWindow *self)
{
  const SeamRunRequest *request = self->lab->request;
  g_autoptr (SeamSession) session = seam_session_new ();
  guint n = 0;

  for (int k = 0; k < SEAM_LAB_ROUNDS; k++)
    for (int i = 0; i < SEAM_LAB_N_CASES; i++) {
      SeamResult *result = self->lab->cases[i].rounds[k];
      g_autofree char *note =
          g_strdup_printf ("pitfall lab, %s, round %d", seam_lab_get_title (self->lab, i), k + 1);
      if (result == NULL)
        continue;
      g_autoptr (SeamSessionRun) run = seam_session_run_new (result, note);
      seam_session_add_run (session, run);
      n++;
    }
  if (n == 0)
    return;
  if (self->entry == NULL)
    self->entry = seam_history_entry_new (SEAM_ENTRY_LAB);
  g_free (self->entry->pipeline);
  self->entry->pipeline = g_strdup (request->pipeline->id);
  g_free (self->entry->outcome);
  self->entry->outcome = g_strdup_printf ("%u run%s", n, n == 1 ? "" : "s");
  g_free (self->entry->detail);
  self->entry->detail =
      g_strdup_printf ("pitfall lab · %s, %s", request->plans[0], request->plans[1]);
  seam_history_list_add (self->model->history, self->entry, session);
}

static void run_next (SeamPitfallWindow *self);

static void
run_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (SeamPitfallWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) run = seam_worker_client_finish (async, &error);
  SeamResult *result = run != NULL ? run->result : NULL;
  gboolean goes_on;

  if (!self->busy || self->lab == NULL || self->worker == NULL)
    return;
  goes_on = seam_lab_take (self->lab, self->running, result, error);
  if (result != NULL)
    keep (self);
  if (goes_on && !self->stopping)
    run_next (self);
  else if (self->stopping || (result != NULL && result->stopped))
    end_run (self, "Stopped; what was measured is kept.");
  else
    end_run (self, error != NULL ? error->message : "The honest run could not be measured.");
}

static void
run_next (SeamPitfallWindow *self)
{
  g_autoptr (SeamRunRequest) request = seam_lab_next (self->lab, &self->running);

  if (request == NULL) {
    end_run (self, "Measured. All but Honest is wrong on purpose.");
    return;
  }
  update_status (self);
  update_results (self);
  seam_worker_client_call (self->worker, SEAM_METHOD_RUN, seam_run_request_to_variant (request),
                           NULL, run_cb, g_object_ref (self));
}

/* Cases that cannot be made are listed with the reason. */
static void
begin_run (SeamPitfallWindow *self)
{
  g_autoptr (SeamRunRequest) request =
      seam_run_request_copy (seam_setup_get_request (self->model->setup));
  const char *plans[3] = { get_plan_text (self, 0), get_plan_text (self, 1), NULL };
  guint wanted = 0;

  for (int i = 0; i < SEAM_N_PITFALLS; i++)
    if (gtk_switch_get_active (self->switches[i]) || get_refusal (self, i) != NULL)
      wanted |= (guint)SEAM_PITFALL_AT (i);
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->settings.budget_s = fmax (request->settings.budget_s, DEFAULT_BUDGET_S);
  g_clear_pointer (&self->lab, seam_lab_free);
  self->lab = seam_lab_new (request, wanted);
  g_clear_pointer (&self->entry, seam_history_entry_unref);
  for (int i = 0; i < SEAM_N_PITFALLS; i++)
    seam_lab_refuse (self->lab, SEAM_PITFALL_AT (i), g_strdup (get_refusal (self, i)));
  if (self->worker == NULL)
    self->worker = seam_workers_open (&self->model->workers);
  self->busy = TRUE;
  update_all (self);
  run_next (self);
}

static void
run_clicked_cb (GtkButton *button, SeamPitfallWindow *self)
{
  if (!self->busy) {
    begin_run (self);
    return;
  }
  self->stopping = TRUE;
  seam_worker_client_cancel (self->worker);
  update_all (self);
}

static void
choice_changed_cb (SeamPitfallWindow *self)
{
  if (!self->busy)
    update_all (self);
}

/* --- the main window and files --- */

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamPitfallWindow *self)
{
  self->selected = row != NULL ? row->index : -1;
  gtk_widget_set_sensitive (self->show, can_show (self));
}

static void
show_clicked_cb (GtkButton *button, SeamPitfallWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) run = NULL;

  if (!can_show (self))
    return;
  run = seam_session_run_new (self->lab->cases[self->selected].rounds[0],
                              seam_lab_get_title (self->lab, self->selected));
  if (seam_store_show (self->model->store, run, "the pitfall lab", &error))
    gtk_window_close (GTK_WINDOW (self));
  else
    gtk_label_set_text (self->status, error->message);
}

static gboolean
fill_source (const SeamProduct *product, SeamProductSource *source, gpointer data, GError **error)
{
  SeamPitfallWindow *self = data;

  source->lab = self->lab;
  if (has_result (self))
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "Nothing was measured in the pitfall lab yet: press Run there first.");
}

static void
say (const char *text, gboolean is_error, gpointer data)
{
  SeamPitfallWindow *self = data;

  gtk_label_set_text (self->status, text);
  gtk_widget_set_visible (GTK_WIDGET (self->status), TRUE);
}

static const SeamProductExport how = { .fill = fill_source, .say = say };

/* --- making --- */

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  SeamPitfallWindow *self = data;

  return has_result (self) ? seam_pitfalls_figure_new (self->lab, width) : NULL;
}

static char *
describe_cb (const SeamHit *hit, gpointer data)
{
  SeamPitfallWindow *self = data;

  return hit->kind == SEAM_HIT_OP && has_result (self) ? seam_lab_describe (self->lab, hit->index)
                                                       : NULL;
}

static GtkLabel *
add_label (GtkWidget *box, const char *classes)
{
  GtkWidget *label = seam_label_new (NULL, classes, SEAM_LABEL_WRAPS);

  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
add_switches (SeamPitfallWindow *self, GtkWidget *box)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  seam_widget_set_name (list, "Pitfalls");
  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    const char *title = seam_pitfall_get_title (SEAM_PITFALL_AT (i));
    GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, NULL);
    GtkWidget *button =
        g_object_new (GTK_TYPE_SWITCH, "active", TRUE, "valign", GTK_ALIGN_CENTER, NULL);

    adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
    /* This also names the switch by the row's title. */
    adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
    gtk_list_box_append (GTK_LIST_BOX (list), row);
    self->rows[i] = ADW_ACTION_ROW (row);
    self->switches[i] = GTK_SWITCH (button);
  }
  gtk_box_append (GTK_BOX (box), list);
}

static void
add_results (SeamPitfallWindow *self, GtkWidget *box)
{
  const SeamLabelFlags copied = SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE;

  self->view = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  seam_figure_view_set_minimum_width (self->view, 480);
  seam_figure_view_set_builder (self->view, build_cb, self, NULL);
  seam_figure_view_set_tooltip_func (self->view, describe_cb, self);
  self->stale = seam_label_new (NULL, "stale-note", SEAM_LABEL_WRAPS);
  self->findings = seam_label_new (NULL, NULL, copied);
  self->table = seam_table_view_new (seam_lab_table_new (), NULL, TRUE, "Pitfall lab");
  seam_table_view_show_all_rows (self->table);
  g_signal_connect (self->table, "row-selected", G_CALLBACK (row_selected_cb), self);
  self->show = gtk_button_new_with_mnemonic ("Show the selected _run in the window");
  gtk_widget_set_halign (self->show, GTK_ALIGN_START);
  gtk_widget_set_sensitive (self->show, FALSE);
  g_signal_connect (self->show, "clicked", G_CALLBACK (show_clicked_cb), self);
  self->provenance = seam_label_new (NULL, "dim-label note", copied);
  self->results = seam_box_new (
      GTK_ORIENTATION_VERTICAL, 10, "card pitfall-card",
      seam_label_new ("⚠ All but Honest is wrong on purpose", "error heading", SEAM_LABEL_WRAPS),
      self->stale, self->view, self->findings, self->table, self->show, self->provenance, NULL);
  gtk_box_append (GTK_BOX (box), self->results);
}

static GtkWidget *
make_header (SeamPitfallWindow *self)
{
  GtkWidget *header = adw_header_bar_new ();

  self->run = GTK_BUTTON (gtk_button_new_with_mnemonic ("_Run"));
  g_signal_connect (self->run, "clicked", G_CALLBACK (run_clicked_cb), self);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), GTK_WIDGET (self->run));
  self->export = seam_product_export_make_button (SEAM_OF_LAB, "Export what the lab measured");
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->export);
  return header;
}

static void
close_worker (SeamPitfallWindow *self)
{
  if (self->worker != NULL)
    seam_worker_client_close (self->worker);
}

/* Closing the window ends the measurement; what was shown is still there when it opens again. */
static gboolean
seam_pitfall_window_close_request (GtkWindow *window)
{
  SeamPitfallWindow *self = SEAM_PITFALL_WINDOW (window);

  if (self->busy && !self->stopping)
    run_clicked_cb (self->run, self);
  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  return TRUE;
}

/* Escape stops, as in the main window; it closes only when nothing is measured. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *none, gpointer data)
{
  SeamPitfallWindow *self = SEAM_PITFALL_WINDOW (widget);

  if (self->busy && !self->stopping)
    run_clicked_cb (self->run, self);
  else
    gtk_window_close (GTK_WINDOW (self));
  return TRUE;
}

static void
seam_pitfall_window_class_init (SeamPitfallWindowClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (close_worker));
  SEAM_OWNS (klass, SeamPitfallWindow, g_object_unref, worker, model);
  SEAM_OWNS (klass, SeamPitfallWindow, seam_lab_free, lab);
  SEAM_OWNS (klass, SeamPitfallWindow, seam_history_entry_unref, entry);
  GTK_WINDOW_CLASS (klass)->close_request = seam_pitfall_window_close_request;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_w, GDK_CONTROL_MASK,
                                       "window.close", NULL);
}

static void
seam_pitfall_window_init (SeamPitfallWindow *self)
{
  GtkWidget *box = seam_box_new (
      GTK_ORIENTATION_VERTICAL, 12, "page",
      seam_label_new ("Each mistake that is switched on is measured beside the honest run, to show "
                      "what it makes of the result here.",
                      NULL, SEAM_LABEL_WRAPS),
      NULL);

  self->selected = -1;
  gtk_window_set_title (GTK_WINDOW (self), "Pitfall lab");
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  self->subject = add_label (box, "dim-label");
  add_switches (self, box);
  self->status = add_label (box, NULL);
  self->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->bar));
  add_results (self, box);
  GtkWidget *clamp = g_object_new (ADW_TYPE_CLAMP, "maximum-size", 1100, "child", box, NULL);
  adw_window_set_content (ADW_WINDOW (self),
                          seam_box_new (GTK_ORIENTATION_VERTICAL, 0, NULL, make_header (self),
                                        seam_scrolled_new (clamp), NULL));
  gtk_window_set_default_widget (GTK_WINDOW (self), GTK_WIDGET (self->run));
}

/* --- actions of the main window --- */

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamPitfallWindow *self = data;

  update_all (self);
  /* Run gets the focus, so that Return measures. Else the first button would have it, which
   * exports. */
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->run));
  gtk_window_present (GTK_WINDOW (self));
}

void
seam_pitfall_window_install (GtkApplicationWindow *window, SeamModel *model)
{
  static const GActionEntry actions[] = {
    { .name = "pitfalls", .activate = open_cb },
  };
  SeamPitfallWindow *self = g_object_new (SEAM_TYPE_PITFALL_WINDOW, "transient-for", window,
                                          "modal", TRUE, "destroy-with-parent", TRUE, NULL);
  g_autoptr (GSimpleActionGroup) exports = g_simple_action_group_new ();

  self->model = g_object_ref (model);
  seam_watch (self, G_CALLBACK (choice_changed_cb), model->setup,
              "pipeline shape plans targets options", model->advice, "estimate", model->measurement,
              "state result", NULL);
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), self);
  seam_product_export_add_all (G_ACTION_MAP (exports), SEAM_OF_LAB, &how, GTK_WINDOW (self), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", G_ACTION_GROUP (exports));
}
