/* SPDX-License-Identifier: MIT
 *
 * Follows the model's progress, at most ten times a second (the worker's rate). It shows only
 * samples so far; nothing here is a result.
 */
#include "ui/timing/run-card.h"

#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/run-progress.h"
#include "ui/widgets/table-view.h"
#include "ui/widgets/template.h"
#include "ui/timing/result-card.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/figure/samples.h"
#include "app/report/plans.h"

#include <math.h>
#include <string.h>

#define GOAL               0.005 /* relative width of the interval at which measuring ends (design) */
#define SAMPLES_MIN_HEIGHT 220

enum { FACT_CLOCK, FACT_POWER, FACT_TEMPERATURE, N_FACTS };

struct _SeamRunCard {
  AdwBin parent_instance;

  SeamModel *model;
  char *implementations[SEAM_MAX_CHOSEN_PLANS]; /* implementations of the run's plans */

  GtkLabel *headline, *detail, *interval;
  GtkWidget *head;
  GtkWidget *facts[N_FACTS];
  GtkLabel *captions[N_FACTS], *values[N_FACTS];
  GtkWidget *steps;
  GtkWidget *step_boxes[SEAM_N_STEPS];
  GtkImage *step_icons[SEAM_N_STEPS];
  GtkLabel *step_labels[SEAM_N_STEPS];
  GtkLabel *time, *throttle;
  GtkProgressBar *bar;
  SeamFigureView *samples;
  SeamTableView *table;
};

G_DEFINE_FINAL_TYPE (SeamRunCard, seam_run_card, ADW_TYPE_BIN)

static SeamFigure *
build_samples_cb (double width, double height, gpointer data)
{
  SeamRunCard *self = data;
  SeamSamplesPlan plans[SEAM_MAX_CHOSEN_PLANS] = { 0 };
  const SeamProgress *progress;
  int n_plans;

  if (self->model == NULL)
    return NULL;
  n_plans = seam_measurement_get_n_plans (self->model->measurement);
  progress = seam_measurement_get_progress (self->model->measurement);
  if (n_plans == 0)
    return NULL;
  for (int k = 0; k < n_plans; k++) {
    plans[k].letter = seam_plan_get_letter (k);
    plans[k].samples =
        seam_measurement_get_live_samples (self->model->measurement, k, &plans[k].n_samples);
  }
  return seam_samples_figure_new (plans, n_plans, progress != NULL ? progress->plan : -1, GOAL,
                                  width, MAX (height, SAMPLES_MIN_HEIGHT));
}

static void
update_steps (SeamRunCard *self, const SeamProgress *progress)
{
  for (int step = 0; step < SEAM_STEP_DONE; step++) {
    gboolean done = progress != NULL && step < (int)progress->step;
    gboolean now = progress != NULL && step == (int)progress->step;
    GString *text = g_string_new (seam_step_get_title (step));

    if (step == SEAM_STEP_ALLOCATE && progress != NULL && progress->bytes_allocated > 0) {
      g_autofree char *bytes = seam_text_bytes (progress->bytes_allocated);
      g_string_append_printf (text, " %s", bytes);
    }
    if (now && step != SEAM_STEP_MEASURE && progress->fraction > 0 && progress->fraction < 1)
      g_string_append_printf (text, " %.0f %%", progress->fraction * 100);
    gtk_label_set_text (self->step_labels[step], text->str);
    gtk_image_set_from_icon_name (self->step_icons[step], done  ? "object-select-symbolic"
                                                          : now ? "seam-step-now-symbolic"
                                                                : "seam-step-later-symbolic");
    for (int i = 0; i < 3; i++) {
      static const char *const classes[] = { "step-done", "step-now", "step-later" };
      seam_css_class_set (self->step_boxes[step], classes[i], i == (done ? 0 : now ? 1 : 2));
    }
    gtk_widget_set_visible (self->step_boxes[step],
                            step != SEAM_STEP_REFERENCE
                                || (progress != NULL && progress->with_reference));
    g_string_free (text, TRUE);
  }
}

static void
set_fact (SeamRunCard *self, int fact, const char *caption, char *value)
{
  gtk_label_set_text (self->captions[fact], caption);
  gtk_label_set_text (self->values[fact], value != NULL ? value : "");
  gtk_widget_set_visible (self->facts[fact], value != NULL);
  g_free (value);
}

static char *
format_quantity (double value, const char *unit)
{
  if (isnan (value))
    return NULL;
  g_autofree char *number = seam_text_count ((gint64)lround (value));
  return g_strdup_printf ("%s %s", number, unit);
}

static void
update_vitals (SeamRunCard *self, const SeamProgress *progress)
{
  const SeamDeviceInfo *target = seam_setup_get_target (self->model->setup);
  double clock = progress != NULL ? progress->clock_mhz : NAN;
  double power = progress != NULL ? progress->power_w : NAN;
  double temperature = progress != NULL ? progress->temperature_c : NAN;

  set_fact (self, FACT_CLOCK, seam_device_info_get_words (target)->clock,
            format_quantity (clock, "MHz"));
  set_fact (self, FACT_POWER, "Power", format_quantity (power, "W"));
  set_fact (self, FACT_TEMPERATURE, "Temperature", format_quantity (temperature, "°C"));
}

/* Of the samples so far; it stays once one of them was throttled. */
static void
update_throttle (SeamRunCard *self, const SeamResult *live)
{
  gboolean throttled = live->throttle != NULL && strcmp (live->throttle, "none") != 0;
  g_autofree char *text = throttled ? g_strconcat ("⚠ ", live->throttle, ", so far", NULL) : NULL;

  gtk_label_set_text (self->throttle, throttled ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->throttle), throttled);
}

static void
update_words (SeamRunCard *self, const SeamResult *live)
{
  SeamMeasurement *measurement = self->model->measurement;
  g_autofree char *time = seam_run_progress_describe (measurement);
  GString *detail = g_string_new (NULL);

  gtk_label_set_text (self->headline, seam_run_progress_get_title (measurement));
  if (live->n_plans > 1) {
    int compared =
        MIN (MAX (seam_measurement_get_compared (self->model->measurement), 1), live->n_plans - 1);
    g_autoptr (SeamVerdict) verdict = seam_verdict_new (live, 0, compared);
    if (!isnan (verdict->ratio)) {
      g_autofree char *ratio = seam_verdict_describe_ratio (verdict->ratio);
      g_autofree char *interval = seam_verdict_describe_interval (verdict);
      g_string_append_printf (detail, "so far %c is %s, %s", seam_plan_get_letter (compared), ratio,
                              interval);
    }
    if (detail->len == 0)
      g_string_append (detail, live->n_plans > 2 ? "the plans are measured in turn, A B C C B A"
                                                 : "both plans are measured in turn, A B B A");
  }
  gtk_label_set_text (self->detail, detail->str);
  gtk_label_set_text (self->interval,
                      seam_measurement_get_state (measurement) == SEAM_RUN_STOPPING
                          ? "the samples taken so far are kept"
                          : "the verdict follows when all intervals are under 0.5 % wide or the "
                            "time is used");
  g_string_free (detail, TRUE);

  gtk_label_set_text (self->time, time);
  gtk_progress_bar_set_fraction (self->bar, seam_run_progress_get_fraction (measurement));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  time, -1);
}

static void
update (SeamRunCard *self)
{
  const SeamProgress *progress = seam_measurement_get_progress (self->model->measurement);

  if (seam_measurement_get_n_plans (self->model->measurement) == 0)
    return;
  g_autoptr (SeamResult) live = seam_measurement_make_live_result (self->model->measurement);
  update_words (self, live);
  update_steps (self, progress);
  update_vitals (self, progress);
  update_throttle (self, live);
  g_autoptr (SeamTable) table =
      seam_live_table_make (live, (const char *const *)(void *)self->implementations);
  seam_table_view_set_pitfalls (self->table, live->pitfalls);
  seam_table_view_set_table (self->table, table);
  seam_figure_view_invalidate (self->samples);
}

static void
progress_changed_cb (SeamRunCard *self)
{
  if (seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE)
    update (self);
}

static void
state_changed_cb (SeamRunCard *self)
{
  SeamMeasurement *measurement = self->model->measurement;

  if (seam_measurement_get_state (measurement) == SEAM_RUN_IDLE)
    return;
  for (int k = 0; k < seam_measurement_get_n_plans (measurement); k++) {
    const SeamPlanEstimate *estimate = seam_measurement_get_plan_estimate (measurement, k);
    if (estimate != NULL) {
      g_free (self->implementations[k]);
      self->implementations[k] = seam_plans_format_groups (estimate);
    }
  }
  update (self);
}

void
seam_run_card_set_model (SeamRunCard *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  seam_watch (self, G_CALLBACK (state_changed_cb), model->measurement, "state", NULL);
  seam_watch (self, G_CALLBACK (progress_changed_cb), model->measurement, "progress", NULL);
}

void
seam_run_card_set_narrow (SeamRunCard *self, gboolean narrow)
{
  seam_table_view_set_narrow (self->table, narrow);
}

static void
seam_run_card_class_init (SeamRunCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_STATIC_ASSERT (SEAM_MAX_CHOSEN_PLANS == 3);
  SEAM_OWNS (klass, SeamRunCard, g_object_unref, model);
  SEAM_OWNS (klass, SeamRunCard, g_free, implementations[0], implementations[1],
             implementations[2]);
  SEAM_TEMPLATE (klass, SeamRunCard, "run-card.ui", head, headline, detail, interval, steps, time,
                 throttle, bar, samples);
  gtk_widget_class_bind_template_child_full (widget_class, "table_bin", FALSE, 0);
}

static void
seam_run_card_init (SeamRunCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (int i = 0; i < N_FACTS; i++) {
    self->facts[i] = seam_fact_new (&self->captions[i], &self->values[i]);
    gtk_widget_insert_before (self->facts[i], self->head, NULL);
  }
  for (int step = 0; step < SEAM_STEP_DONE; step++) {
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *icon = gtk_image_new ();
    GtkWidget *label = gtk_label_new (NULL);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
    gtk_box_append (GTK_BOX (box), icon);
    gtk_box_append (GTK_BOX (box), label);
    gtk_widget_add_css_class (box, "step");
    gtk_box_append (GTK_BOX (self->steps), box);
    self->step_boxes[step] = box;
    self->step_icons[step] = GTK_IMAGE (icon);
    self->step_labels[step] = GTK_LABEL (label);
  }
  seam_figure_view_set_builder (self->samples, build_samples_cb, self, NULL);
  seam_figure_view_set_minimum_height (self->samples, SAMPLES_MIN_HEIGHT);

  self->table = seam_table_view_new (seam_live_table_new (), NULL, FALSE, "Plans so far");
  seam_table_view_keep_columns (self->table);
  AdwBin *bin =
      ADW_BIN (gtk_widget_get_template_child (GTK_WIDGET (self), SEAM_TYPE_RUN_CARD, "table_bin"));
  adw_bin_set_child (bin, GTK_WIDGET (self->table));
}
