/* SPDX-License-Identifier: MIT
 *
 * There are few rows, so all are rebuilt when pipelines, runs or the switch change.
 */
#include "ui/start/pipeline-results.h"

#include "ui/class/class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/figure/strip.h"
#include "app/pipeline/pipeline.h"

#include <math.h>

#define CHAIN_BAND 15
#define CHAIN_GAP  8

struct _SeamPipelineResults {
  AdwBin parent_instance;

  SeamModel *model;
  SeamSampleList *samples;
  GtkToggleButton *recorded, *own;
  GtkWidget *choice; /* contains both */
  GtkLabel *note;
  GtkListBox *rows;
};

G_DEFINE_FINAL_TYPE (SeamPipelineResults, seam_pipeline_results, ADW_TYPE_BIN)

/* --- what a run says --- */

static gboolean
is_right (const SeamPlanResult *plan)
{
  return isfinite (plan->median_ns) && !plan->exhibit
         && seam_difference_judge (plan->difference) >= SEAM_OUTPUTS_AGREE;
}

int
seam_pipeline_results_find_best (const SeamResult *result)
{
  int best = -1;

  for (int i = 1; i < result->n_plans; i++)
    if (is_right (&result->plans[i])
        && (best < 0 || result->plans[i].median_ns < result->plans[best].median_ns))
      best = i;
  return best;
}

/* "A unfused 4.49 ms". All rows use the same unit. */
static char *
format_plan (const SeamPlanResult *plan, char letter)
{
  g_autofree char *time = seam_text_significant (plan->median_ns / 1e6, 3);

  return g_strdup_printf ("%c %s %s ms", letter, plan->name != NULL ? plan->name : plan->notation,
                          time);
}

/* The times of A and, if there is one, of the best other plan. */
static char *
format_times (const SeamResult *result, int best, const char *separator)
{
  g_autofree char *a = format_plan (&result->plans[0], 'A');
  g_autofree char *b = best > 0 ? format_plan (&result->plans[best], 'B') : NULL;

  return g_strjoin (separator, a, b, NULL);
}

/* --- rows --- */

static SeamFigure *
build_chain_cb (double width, double height, gpointer pipeline)
{
  return seam_chain_figure_new (pipeline, NULL, CHAIN_BAND, CHAIN_GAP);
}

static GtkWidget *
make_title (SeamPipeline *pipeline)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4),
            *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *name = seam_label_new (pipeline->id, "heading", 0), *chain = seam_figure_view_new ();
  g_autofree char *number =
      pipeline->number > 0 ? g_strdup_printf ("#%d", pipeline->number) : g_strdup ("");

  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (chain), build_chain_cb,
                                seam_pipeline_ref (pipeline), (GDestroyNotify)seam_pipeline_unref);
  gtk_widget_set_can_target (chain, FALSE);
  gtk_box_append (GTK_BOX (line), name);
  gtk_box_append (GTK_BOX (line), seam_label_new (number, "dim-label", 0));
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), chain);
  gtk_widget_set_hexpand (box, TRUE);
  return box;
}

/* `result` NULL: there is no run; `path` NULL: it is from this computer. */
static void
add_row (SeamPipelineResults *self, SeamPipeline *pipeline, const SeamResult *result,
         const char *path)
{
  int best = result != NULL ? seam_pipeline_results_find_best (result) : -1;
  g_autoptr (SeamVerdict) verdict = best > 0 ? seam_verdict_new (result, 0, best) : NULL;
  g_autofree char *against =
      best > 0
          ? seam_verdict_describe_against (verdict, seam_plan_result_get_name (&result->plans[0]))
          : NULL;
  const char *none = "not run yet";
  g_autofree char *times = result != NULL ? format_times (result, best, "\n") : g_strdup (none);
  g_autofree char *spoken = result != NULL ? format_times (result, best, ", ") : g_strdup (none);
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 16);
  GtkWidget *times_label = seam_label_new (times, "dim-label small-text", 0);
  g_autofree char *name =
      g_strdup_printf ("%s: %s%s%s", pipeline->id, spoken, verdict != NULL ? ", " : "",
                       verdict != NULL ? against : "");

  gtk_label_set_xalign (GTK_LABEL (times_label), 1);
  gtk_label_set_justify (GTK_LABEL (times_label), GTK_JUSTIFY_RIGHT);
  gtk_box_append (GTK_BOX (box), make_title (pipeline));
  gtk_box_append (GTK_BOX (box), times_label);
  if (verdict != NULL)
    gtk_box_append (GTK_BOX (box), seam_label_new (against, "verdict-headline", 0));
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_widget_add_css_class (box, "check-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data_full (G_OBJECT (row), "pipeline", seam_pipeline_ref (pipeline),
                          (GDestroyNotify)seam_pipeline_unref);
  g_object_set_data_full (G_OBJECT (row), "path", g_strdup (path), g_free);
  gtk_list_box_append (self->rows, row);
}

const SeamSampleRun *
seam_pipeline_results_find_recorded (SeamSampleList *samples, const char *pipeline)
{
  GPtrArray *runs = seam_sample_list_get_runs (samples);
  const SeamSampleRun *found = NULL;

  for (guint i = 0; i < runs->len; i++) {
    const SeamSampleRun *run = runs->pdata[i];

    if (g_strcmp0 (run->result->pipeline_id, pipeline) == 0
        && (found == NULL || run->result->settings.math_mode == SEAM_MATH_TF32))
      found = run;
  }
  return found;
}

/* The last run of this pipeline in the history; a new reference, or NULL. */
static SeamResult *
find_own (SeamHistoryList *history, const SeamPipeline *pipeline)
{
  const SeamHistoryEntry *entry = seam_history_list_find_run (history, pipeline->id);
  g_autoptr (SeamSession) session =
      entry != NULL ? seam_history_list_load (history, entry->id, NULL) : NULL;
  g_autoptr (SeamSessionRun) run = session != NULL ? seam_session_get_run (session, 0, NULL) : NULL;

  return run != NULL ? seam_result_ref (run->result) : NULL;
}

static void
update (SeamPipelineResults *self)
{
  GPtrArray *pipelines = seam_setup_get_pipelines (self->model->setup);
  gboolean shows_own = gtk_toggle_button_get_active (self->own);
  GtkWidget *row;

  /* map() makes up for it: own results are read from the disk. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->rows))) != NULL)
    gtk_list_box_remove (self->rows, row);
  for (guint i = 0; i < pipelines->len; i++) {
    const SeamPipeline *pipeline = pipelines->pdata[i];
    const SeamSampleRun *recorded =
        shows_own ? NULL : seam_pipeline_results_find_recorded (self->samples, pipeline->id);
    g_autoptr (SeamResult) own =
        shows_own ? find_own (self->model->history, pipelines->pdata[i]) : NULL;

    if (shows_own)
      add_row (self, pipelines->pdata[i], own, NULL);
    else if (recorded != NULL)
      add_row (self, pipelines->pdata[i], recorded->result, recorded->path);
  }
  gtk_label_set_text (self->note, shows_own
                                      ? "A row opens its pipeline; Run measures it here."
                                      : "A row opens the recorded run, which executes nothing.");
}

static void
samples_read_cb (SeamPipelineResults *self)
{
  GPtrArray *runs = seam_sample_list_get_runs (self->samples);
  const char *device = NULL;

  for (guint i = 0; device == NULL && i < runs->len; i++)
    device = ((const SeamSampleRun *)runs->pdata[i])->result->device->name;
  gtk_widget_set_visible (self->choice, device != NULL);
  if (device == NULL)
    gtk_toggle_button_set_active (self->own, TRUE);
  else
    gtk_button_set_label (GTK_BUTTON (self->recorded), device);
  update (self);
}

static void
row_activated_cb (GtkListBox *rows, GtkListBoxRow *row, SeamPipelineResults *self)
{
  const char *path = g_object_get_data (G_OBJECT (row), "path");

  if (path != NULL) {
    g_signal_emit_by_name (self, "open", path);
    return;
  }
  seam_setup_set_pipeline (self->model->setup, g_object_get_data (G_OBJECT (row), "pipeline"));
  g_signal_emit_by_name (self, "begin");
}

static void
map (GtkWidget *widget)
{
  SeamPipelineResults *self = SEAM_PIPELINE_RESULTS (widget);

  GTK_WIDGET_CLASS (seam_pipeline_results_parent_class)->map (widget);
  if (self->samples != NULL) {
    seam_sample_list_read (self->samples);
    update (self);
  }
}

void
seam_pipeline_results_set_model (SeamPipelineResults *self, SeamModel *model,
                                 SeamSampleList *samples)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  self->samples = g_object_ref (samples);
  g_signal_connect_object (samples, "read", G_CALLBACK (samples_read_cb), self, G_CONNECT_SWAPPED);
  seam_watch (self, G_CALLBACK (update), model->setup, "pipelines", model->history, "entries",
              NULL);
  update (self);
}

static void
seam_pipeline_results_class_init (SeamPipelineResultsClass *klass)
{
  SEAM_OWNS (klass, SeamPipelineResults, g_object_unref, samples, model);
  GTK_WIDGET_CLASS (klass)->map = map;
  seam_signals_install (klass, G_TYPE_STRING, "open");
  seam_signals_install (klass, G_TYPE_NONE, "begin");
}

static GtkToggleButton *
add_choice (SeamPipelineResults *self, const char *label, GtkToggleButton *group)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), group);
  gtk_widget_add_css_class (button, "small-button");
  gtk_box_append (GTK_BOX (self->choice), button);
  return GTK_TOGGLE_BUTTON (button);
}

static void
seam_pipeline_results_init (SeamPipelineResults *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *heading = seam_label_new ("Pipelines", "heading", 0);

  self->choice = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->choice, "linked");
  gtk_widget_set_valign (self->choice, GTK_ALIGN_CENTER);
  self->recorded = add_choice (self, "Recorded on a GPU", NULL);
  self->own = add_choice (self, "This computer", self->recorded);
  gtk_toggle_button_set_active (self->recorded, TRUE);
  g_signal_connect_swapped (self->own, "toggled", G_CALLBACK (update), self);
  self->rows = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->rows, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->rows), "boxed-list");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->rows), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  heading, NULL, -1);
  g_signal_connect (self->rows, "row-activated", G_CALLBACK (row_activated_cb), self);
  self->note = seam_label_new (NULL, "dim-label", 0);
  gtk_label_set_wrap (self->note, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "note");
  gtk_widget_set_hexpand (heading, TRUE);
  gtk_box_append (GTK_BOX (head), heading);
  gtk_box_append (GTK_BOX (head), self->choice);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->rows));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->note));
  adw_bin_set_child (ADW_BIN (self), box);
}
