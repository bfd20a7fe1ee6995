/* SPDX-License-Identifier: MIT
 *
 * The bar keeps its height when nothing runs, so that nothing moves when a run begins.
 */
#include "ui/widgets/run-progress.h"

#include "ui/class/class.h"
#include "ui/state/exploration.h"

#define HEIGHT 3

struct _SeamRunProgress {
  AdwBin parent_instance;

  SeamModel *model;
  GtkProgressBar *bar;
};

G_DEFINE_FINAL_TYPE (SeamRunProgress, seam_run_progress, ADW_TYPE_BIN)

const char *
seam_run_progress_get_title (SeamMeasurement *measurement)
{
  const SeamProgress *progress = seam_measurement_get_progress (measurement);

  if (seam_measurement_get_state (measurement) == SEAM_RUN_STOPPING)
    return "Stopping…";
  if (progress == NULL)
    return "Starting…";
  return progress->step == SEAM_STEP_MEASURE  ? "Measuring…"
         : progress->step < SEAM_STEP_MEASURE ? "Preparing…"
                                              : "Finishing…";
}

char *
seam_run_progress_describe (SeamMeasurement *measurement)
{
  const SeamProgress *progress = seam_measurement_get_progress (measurement);
  int n_samples = 0;

  if (progress == NULL)
    return g_strdup ("");
  for (int k = 0; k < seam_measurement_get_n_plans (measurement); k++) {
    int n;

    seam_measurement_get_live_samples (measurement, k, &n);
    n_samples += n;
  }
  return g_strdup_printf ("%d %s · %.1f of %g s", n_samples, n_samples == 1 ? "sample" : "samples",
                          progress->elapsed_s, progress->budget_s);
}

double
seam_run_progress_get_fraction (SeamMeasurement *measurement)
{
  const SeamProgress *progress = seam_measurement_get_progress (measurement);

  if (progress == NULL)
    return 0;
  if (progress->step > SEAM_STEP_MEASURE)
    return 1;
  return progress->budget_s > 0 ? CLAMP (progress->elapsed_s / progress->budget_s, 0, 1) : 0;
}

/* For a search: the share of points that need no further measurement. */
static double
get_searched (SeamExploration *exploration)
{
  const SeamSearch *search = seam_exploration_get_search (exploration);

  if (search == NULL || search->n_points == 0)
    return 0;
  return 1 - (double)seam_search_count (search, SEAM_POINT_PENDING) / search->n_points;
}

static void
update (SeamRunProgress *self)
{
  SeamMeasurement *measurement = self->model->measurement;
  SeamExploration *busy = seam_explorations_get_busy (&self->model->explorations);
  g_autofree char *words = NULL;

  if (seam_measurement_get_state (measurement) != SEAM_RUN_IDLE) {
    g_autofree char *detail = seam_run_progress_describe (measurement);

    words = g_strjoin (" ", seam_run_progress_get_title (measurement), detail, NULL);
    gtk_progress_bar_set_fraction (self->bar, seam_run_progress_get_fraction (measurement));
  } else if (busy != NULL) {
    words = seam_exploration_describe_status (busy);
    gtk_progress_bar_set_fraction (self->bar, get_searched (busy));
  }
  gtk_widget_set_visible (GTK_WIDGET (self->bar), words != NULL);
  if (words != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                    words, -1);
}

static void
searched_cb (SeamExploration *exploration, gboolean points, SeamRunProgress *self)
{
  update (self);
}

void
seam_run_progress_set_model (SeamRunProgress *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  seam_watch (self, G_CALLBACK (update), model->measurement, "state progress", NULL);
  for (guint kind = 0; kind < G_N_ELEMENTS (model->explorations.all); kind++)
    g_signal_connect_object (model->explorations.all[kind], "changed", G_CALLBACK (searched_cb),
                             self, 0);
  update (self);
}

static void
seam_run_progress_class_init (SeamRunProgressClass *klass)
{
  SEAM_OWNS (klass, SeamRunProgress, g_object_unref, model);
}

static void
seam_run_progress_init (SeamRunProgress *self)
{
  self->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Progress of the run", -1);
  gtk_widget_add_css_class (GTK_WIDGET (self->bar), "run-progress");
  gtk_widget_set_visible (GTK_WIDGET (self->bar), FALSE);
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, HEIGHT);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->bar));
}
