/* SPDX-License-Identifier: MIT
 *
 * The recordings are read in a thread, when the list is shown for the first time. There are few
 * rows, so all are rebuilt when pipelines, runs or the switch change.
 */
#include "ui/start/pipeline-results.h"

#include "ui/class/class.h"
#include "ui/widgets/label.h"
#include "ui/widgets/list-rows.h"

#include "app/base/file-name.h"
#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/pipeline/pipeline.h"

#include <math.h>

struct _SeamPipelineResults {
  AdwBin parent_instance;

  SeamModel *model;
  GPtrArray *samples; /* of Sample; NULL: not read yet */
  GCancellable *cancellable;
  GtkToggleButton *recorded, *own;
  GtkWidget *choice; /* contains both */
  GtkButton *all;    /* leads to all pipelines */
  GtkLabel *note;
  GtkListBox *rows;
};

G_DEFINE_FINAL_TYPE (SeamPipelineResults, seam_pipeline_results, ADW_TYPE_BIN)

/* --- recordings --- */

/* One file: what it is about, or why it cannot be opened. */
typedef struct {
  char *title, *detail;
  char *action;       /* that opens it; NULL: it cannot be opened */
  SeamResult *result; /* of the first run if it is of a GPU; else NULL */
} Sample;

static void
sample_free (Sample *sample)
{
  g_free (sample->title);
  g_free (sample->detail);
  g_free (sample->action);
  g_clear_pointer (&sample->result, seam_result_unref);
  g_free (sample);
}

/* "FP32 and TF32 on NVIDIA H200, N 128, C 8→K 32, 256×256, k 3: unfused, published, full, 3 more".
 * Notations are too long for a line and are counted. */
static char *
describe (const SeamSession *session)
{
  const SeamResult *first = seam_session_get_heading (session, 0);
  g_autoptr (GPtrArray) modes = g_ptr_array_new ();
  g_autoptr (GString) plans = g_string_new (NULL);
  int n_more = 0;

  for (guint i = 0; i < seam_session_get_n_runs (session); i++) {
    const SeamResult *run = seam_session_get_heading (session, i);
    const char *mode = seam_choice_get_title (seam_math_modes, run->settings.math_mode);
    if (!g_ptr_array_find (modes, mode, NULL))
      g_ptr_array_add (modes, (gpointer)mode);
  }
  for (int i = 0; i < first->n_plans; i++)
    if (first->plans[i].name != NULL)
      g_string_append_printf (plans, "%s%s", plans->len > 0 ? ", " : "", first->plans[i].name);
    else
      n_more++;
  if (n_more > 0)
    g_string_append_printf (plans, "%s%d more", plans->len > 0 ? ", " : "", n_more);
  g_ptr_array_add (modes, NULL);
  g_autofree char *list = seam_text_list ((const char *const *)modes->pdata);
  return g_strdup_printf ("%s on %s, %s: %s", list, seam_device_info_get_name (first->device),
                          first->shape_text != NULL ? first->shape_text : "", plans->str);
}

static Sample *
read_sample (const char *path)
{
  Sample *sample = g_new0 (Sample, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_load (path, &error);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  if (session != NULL)
    sample->action = g_strconcat ("win.open-recent::", uri, NULL);
  if (session == NULL || seam_session_get_n_runs (session) == 0) {
    sample->title = g_filename_display_basename (path);
    sample->detail = g_strdup (session == NULL ? error->message : "An exploration or a sweep");
    return sample;
  }
  const SeamResult *heading = seam_session_get_heading (session, 0);
  /* For a damaged run, the message comes when it is opened. */
  g_autoptr (SeamSessionRun) run =
      seam_device_info_is_device (heading->device) ? seam_session_get_run (session, 0, NULL) : NULL;
  sample->title = g_strdup (heading->pipeline_id);
  sample->detail = describe (session);
  sample->result = run != NULL ? seam_result_ref (run->result) : NULL;
  return sample;
}

static void
read_cb (GTask *task, gpointer source, gpointer folder, GCancellable *cancellable)
{
  GPtrArray *samples = g_ptr_array_new_with_free_func ((GDestroyNotify)sample_free);
  g_autoptr (GPtrArray) names = seam_file_name_list (folder, SEAM_SESSION_SUFFIX);

  for (guint i = 0; i < names->len && !g_cancellable_is_cancelled (cancellable); i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    g_ptr_array_add (samples, read_sample (path));
  }
  g_task_return_pointer (task, samples, (GDestroyNotify)g_ptr_array_unref);
}

static const Sample *
find_sample (SeamPipelineResults *self, const char *pipeline)
{
  const Sample *found = NULL;

  for (guint i = 0; self->samples != NULL && i < self->samples->len; i++) {
    const Sample *sample = self->samples->pdata[i];

    if (sample->result != NULL && g_strcmp0 (sample->result->pipeline_id, pipeline) == 0
        && (found == NULL || sample->result->settings.math_mode == SEAM_MATH_TF32))
      found = sample;
  }
  return found;
}

SeamResult *
seam_pipeline_results_find_recorded (SeamPipelineResults *self, const char *pipeline,
                                     const char **action)
{
  const Sample *sample = find_sample (self, pipeline);

  *action = sample != NULL ? sample->action : NULL;
  return sample != NULL ? sample->result : NULL;
}

/* --- what a run says --- */

int
seam_pipeline_results_find_best (const SeamResult *result)
{
  int best = -1;

  for (int i = 1; i < result->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    if (isfinite (plan->median_ns) && !plan->exhibit
        && seam_difference_judge (plan->difference) >= SEAM_OUTPUTS_AGREE
        && (best < 0 || plan->median_ns < result->plans[best].median_ns))
      best = i;
  }
  return best;
}

/* "A unfused 4.49 ms". All rows use the same unit. */
static char *
format_plan (const SeamResult *result, int plan)
{
  g_autofree char *time = seam_text_significant (result->plans[plan].median_ns / 1e6, 3);

  return g_strdup_printf ("%c %s %s ms", seam_plan_get_letter (plan),
                          seam_plan_result_get_name (&result->plans[plan]), time);
}

/* The last run of this pipeline in the history; a new reference, or NULL. */
static SeamResult *
find_own (SeamHistoryList *history, const SeamPipeline *pipeline)
{
  const SeamHistoryEntry *entry = seam_history_list_find_run (history, pipeline);
  g_autoptr (SeamSession) session =
      entry != NULL ? seam_history_list_load (history, entry->id, NULL) : NULL;
  g_autoptr (SeamSessionRun) run = session != NULL ? seam_session_get_run (session, 0, NULL) : NULL;

  return run != NULL ? seam_result_ref (run->result) : NULL;
}

/* --- rows --- */

/* `result` NULL: there is no run; `detail`: on the recording, or NULL. */
static GtkWidget *
make_row (const SeamPipeline *pipeline, const SeamResult *result, const char *detail,
          const char *action)
{
  int best = result != NULL ? seam_pipeline_results_find_best (result) : -1;
  g_autoptr (SeamVerdict) verdict = best > 0 ? seam_verdict_new (result, 0, best) : NULL;
  g_autofree char *against =
      best > 0
          ? seam_verdict_describe_against (verdict, seam_plan_result_get_name (&result->plans[0]))
          : NULL;
  g_autofree char *a = result != NULL ? format_plan (result, 0) : g_strdup ("not run yet");
  g_autofree char *b = best > 0 ? format_plan (result, best) : NULL;
  g_autofree char *times = g_strjoin (", ", a, b, NULL);
  g_autofree char *spoken =
      g_strdup_printf ("%s: %s%s%s", pipeline->id, times, against != NULL ? ", " : "",
                       against != NULL ? against : "");
  g_autofree char *title = pipeline->number > 0
                               ? g_strdup_printf ("%s  #%d", pipeline->id, pipeline->number)
                               : g_strdup (pipeline->id);
  GtkWidget *row = seam_action_row_new (title, times, against, action);

  seam_list_row_set_texts (row, spoken, detail);
  return row;
}

/* The recordings that stand for no pipeline, in a row that unfolds. */
static GtkWidget *
make_others (SeamPipelineResults *self, GPtrArray *shown)
{
  GtkWidget *others = adw_expander_row_new ();
  int n = 0;

  for (guint i = 0; i < self->samples->len; i++) {
    const Sample *sample = self->samples->pdata[i];

    if (g_ptr_array_find (shown, sample, NULL))
      continue;
    adw_expander_row_add_row (
        ADW_EXPANDER_ROW (others),
        seam_action_row_new (sample->title, sample->detail, NULL, sample->action));
    n++;
  }
  g_autofree char *title = g_strdup_printf ("%d more recorded run%s", n, n == 1 ? "" : "s");
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (others), title);
  /* Also of the two lists that the row consists of. */
  GtkWidget *box = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (others));
  seam_widget_set_name (others, title);
  seam_widget_set_name (gtk_widget_get_first_child (box), title);
  seam_widget_set_name (gtk_widget_get_first_child (gtk_widget_get_last_child (box)), title);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (others), shown->len == 0);
  gtk_widget_set_visible (others, n > 0);
  return others;
}

static void
update (SeamPipelineResults *self)
{
  GPtrArray *pipelines = seam_setup_get_pipelines (self->model->setup);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  gboolean shows_own = gtk_toggle_button_get_active (self->own);

  /* map() makes up for it: own results are read from the disk. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_autofree char *all = g_strdup_printf ("All %u…", seam_pipeline_count ());
  gtk_button_set_label (self->all, all);
  seam_widget_clear (self->rows, G_CALLBACK (gtk_list_box_remove));
  for (guint i = 0; i < pipelines->len; i++) {
    const SeamPipeline *pipeline = pipelines->pdata[i];
    const Sample *sample = shows_own ? NULL : find_sample (self, pipeline->id);

    if (shows_own) {
      g_autofree char *action = g_strconcat ("win.begin::", pipeline->id, NULL);
      g_autoptr (SeamResult) own = find_own (self->model->history, pipeline);
      gtk_list_box_append (self->rows, make_row (pipeline, own, NULL, action));
    } else if (sample != NULL) {
      gtk_list_box_append (self->rows,
                           make_row (pipeline, sample->result, sample->detail, sample->action));
      g_ptr_array_add (shown, (gpointer)sample);
    }
  }
  if (self->samples != NULL && (!shows_own || !gtk_widget_get_visible (self->choice)))
    gtk_list_box_append (self->rows, make_others (self, shown));
  gtk_label_set_text (self->note, shows_own
                                      ? "A row opens its pipeline; Run measures it here."
                                      : "A row opens the recorded run, which executes nothing.");
}

static void
samples_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  SeamPipelineResults *self = SEAM_PIPELINE_RESULTS (object);
  GPtrArray *samples = g_task_propagate_pointer (G_TASK (result), NULL);
  const char *device = NULL;

  if (samples == NULL)
    return;
  self->samples = samples;
  for (guint i = 0; device == NULL && i < samples->len; i++) {
    const Sample *sample = samples->pdata[i];
    device = sample->result != NULL ? sample->result->device->name : NULL;
  }
  gtk_widget_set_visible (self->choice, device != NULL);
  if (device == NULL)
    gtk_toggle_button_set_active (self->own, TRUE);
  else
    gtk_button_set_label (GTK_BUTTON (self->recorded), device);
  update (self);
  g_signal_emit_by_name (self, "read");
}

static void
map (GtkWidget *widget)
{
  SeamPipelineResults *self = SEAM_PIPELINE_RESULTS (widget);

  GTK_WIDGET_CLASS (seam_pipeline_results_parent_class)->map (widget);
  update (self);
  if (self->cancellable != NULL)
    return;
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, samples_cb, NULL);
  g_task_set_task_data (task, g_build_filename (seam_data_dir (), "samples", NULL), g_free);
  g_task_run_in_thread (task, read_cb);
}

void
seam_pipeline_results_set_model (SeamPipelineResults *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  seam_watch (self, G_CALLBACK (update), model->setup, "pipelines", model->history, "entries",
              NULL);
}

static void
cancel (SeamPipelineResults *self)
{
  g_cancellable_cancel (self->cancellable);
}

static void
seam_pipeline_results_class_init (SeamPipelineResultsClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (cancel));
  SEAM_OWNS (klass, SeamPipelineResults, g_object_unref, cancellable, model);
  SEAM_OWNS (klass, SeamPipelineResults, g_ptr_array_unref, samples);
  GTK_WIDGET_CLASS (klass)->map = map;
  seam_signals_install (klass, G_TYPE_NONE, "read");
}

static gpointer
make_choice (const char *label, GtkToggleButton *group)
{
  GtkWidget *button = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "label", label, "group", group, NULL);

  gtk_widget_add_css_class (button, "small-button");
  return button;
}

static void
seam_pipeline_results_init (SeamPipelineResults *self)
{
  GtkWidget *heading = seam_label_new ("Pipelines", "heading", 0);

  self->recorded = make_choice ("Recorded on a GPU", NULL);
  self->own = make_choice ("This computer", self->recorded);
  self->choice =
      seam_box_new (GTK_ORIENTATION_HORIZONTAL, 0, "linked", self->recorded, self->own, NULL);
  self->rows = g_object_new (GTK_TYPE_LIST_BOX, "selection-mode", GTK_SELECTION_NONE, NULL);
  self->note = seam_label_new (NULL, "dim-label note", SEAM_LABEL_WRAPS);
  gtk_toggle_button_set_active (self->recorded, TRUE);
  g_signal_connect_swapped (self->own, "toggled", G_CALLBACK (update), self);
  gtk_widget_add_css_class (GTK_WIDGET (self->rows), "boxed-list");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->rows), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  heading, NULL, -1);
  gtk_widget_set_hexpand (heading, TRUE);
  self->all = seam_button_new ("", "small-button",
                               "KernelBench level 2 and your own files, with search (Ctrl+L)",
                               "win.pipelines");
  adw_bin_set_child (ADW_BIN (self),
                     seam_box_new (GTK_ORIENTATION_VERTICAL, 8, NULL,
                                   seam_box_new (GTK_ORIENTATION_HORIZONTAL, 10, NULL, heading,
                                                 self->all, self->choice, NULL),
                                   self->rows, self->note, NULL));
}
