/* SPDX-License-Identifier: MIT
 *
 * Tells the exploration what is chosen, and follows it: figure, sentence and table with every
 * point, the status with every report.
 */
#include "ui/sweep-page.h"

#include "ui/figure-view.h"
#include "ui/survey-choice.h"
#include "ui/sweep-axis.h"
#include "ui/sweep-table.h"

#include "app/figure/sweep.h"

#include <string.h>

#define FIGURE_MIN_WIDTH 420

struct _SeamSweepPage {
  AdwBin parent_instance;

  SeamModel *model;
  SeamExploration *exploration;
  const SeamPipeline *pipeline; /* that the choice is about; borrowed from the model */
  gboolean filling;
  guint choice_timeout;

  GtkLabel *title, *counts, *status, *sentence, *provenance;
  GtkSpinButton *budget;
  SeamSurveyChoice *surveys;
  GtkWidget *choice_card, *figure_card, *table_card;
  GtkBox *axes_place, *plans_place, *points_place;
  SeamSweepAxisChoice *axes[2];
  SeamFigureView *figure;
  SeamTableView *points_table;
};

G_DEFINE_FINAL_TYPE (SeamSweepPage, seam_sweep_page, ADW_TYPE_BIN)

static const SeamSweep *
get_sweep (SeamSweepPage *self)
{
  const SeamSurvey *survey = seam_exploration_get_survey (self->exploration);

  return survey != NULL ? survey->sweep : NULL;
}

/* --- the choice --- */

#define CHOICE_DELAY_MS 150 /* while a number is typed or a button held */

static void
apply_choice (SeamSweepPage *self)
{
  g_autofree char *x = seam_sweep_axis_get_text (self->axes[0]);
  g_autofree char *y = seam_sweep_axis_get_text (self->axes[1]);
  g_autoptr (GPtrArray) plans = g_ptr_array_new ();

  for (GtkWidget *check = gtk_widget_get_first_child (GTK_WIDGET (self->plans_place));
       check != NULL; check = gtk_widget_get_next_sibling (check))
    if (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)))
      g_ptr_array_add (plans, g_object_get_data (G_OBJECT (check), "plan"));
  g_ptr_array_add (plans, NULL);
  seam_exploration_set_sweep (self->exploration, x, y, (const char *const *)plans->pdata);
}

static gboolean
choice_timeout_cb (gpointer data)
{
  SeamSweepPage *self = data;

  self->choice_timeout = 0;
  apply_choice (self);
  return G_SOURCE_REMOVE;
}

static void
choice_changed_cb (SeamSweepPage *self)
{
  if (self->filling)
    return;
  g_clear_handle_id (&self->choice_timeout, g_source_remove);
  self->choice_timeout = g_timeout_add (CHOICE_DELAY_MS, choice_timeout_cb, self);
}

static void
add_plan (SeamSweepPage *self, const char *plan, const char *label, gboolean active)
{
  GtkWidget *check = gtk_check_button_new_with_label (label);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), active);
  gtk_widget_set_tooltip_text (check, plan);
  g_object_set_data_full (G_OBJECT (check), "plan", g_strdup (plan), g_free);
  g_signal_connect_swapped (check, "toggled", G_CALLBACK (choice_changed_cb), self);
  gtk_box_append (self->plans_place, check);
}

/* The named plans, exhibits left out, and what the person has made plan A or B without a name. */
static void
fill_plans (SeamSweepPage *self, SeamPipeline *pipeline)
{
  static const char *const at_first[] = { "unfused", "published", "full", NULL };
  g_auto (GStrv) names = seam_plan_list_names (pipeline);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->plans_place))) != NULL)
    gtk_box_remove (self->plans_place, child);
  for (int i = 0; names[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, names[i], NULL);

    if (plan != NULL && plan->chain == 0)
      add_plan (self, names[i], seam_plan_get_title (plan), g_strv_contains (at_first, names[i]));
  }
  for (int i = 0; i < seam_model_get_n_plans (self->model); i++) {
    const SeamPlan *plan = seam_model_get_plan (self->model, i);
    g_autofree char *label = g_strdup_printf ("Plan %c of Timing", 'A' + i);

    if (plan != NULL && plan->pipeline == pipeline && plan->chain == 0 && plan->name == NULL)
      add_plan (self, plan->notation, label, FALSE);
  }
}

static void
fill_choice (SeamSweepPage *self)
{
  SeamPipeline *pipeline = seam_model_get_pipeline (self->model);
  const SeamRunRequest *request = seam_model_get_request (self->model);

  self->filling = TRUE;
  if (pipeline != self->pipeline)
    for (int i = 0; i < 2; i++)
      seam_sweep_axis_set_pipeline (self->axes[i], pipeline, request->values);
  self->pipeline = pipeline;
  fill_plans (self, pipeline);
  self->filling = FALSE;
  apply_choice (self);
}

/* --- what is known --- */

static SeamFigure *
build_figure_cb (double width, double height, gpointer data)
{
  SeamSweepPage *self = data;
  const SeamSweep *sweep = get_sweep (self);

  return sweep != NULL ? seam_sweep_figure_new (sweep, width) : NULL;
}

/* The point of a mark or cell; -1: none. */
static int
find_point (const SeamSweep *sweep, const SeamHit *hit)
{
  int n_shapes = sweep != NULL ? seam_sweep_get_n_x (sweep) * seam_sweep_get_n_y (sweep) : 0;

  if (hit->kind != SEAM_HIT_SAMPLE || hit->index < 0 || hit->index >= n_shapes || hit->plan < 0
      || hit->plan >= sweep->n_plans)
    return -1;
  return hit->index * sweep->n_plans + hit->plan;
}

static char *
describe_point_cb (const SeamHit *hit, gpointer data)
{
  SeamSweepPage *self = data;
  const SeamSweep *sweep = get_sweep (self);
  int point = find_point (sweep, hit);

  if (point < 0)
    return NULL;
  g_autofree char *text = seam_sweep_describe_point (sweep, point);
  return g_strdup_printf ("%s\nClick or press Space: this shape, and %s as plan B.", text,
                          sweep->survey->points[point].plan);
}

/* As a node of the lattice becomes plan B, with the shape that it has here. */
static void
take_point (SeamSweepPage *self, int index)
{
  const SeamSweep *sweep = get_sweep (self);
  SeamPipeline *pipeline = seam_model_get_pipeline (self->model);
  const SeamPoint *point = &sweep->survey->points[index];
  g_autoptr (SeamPlan) plan = NULL;

  if (sweep->survey->request->pipeline != pipeline)
    return;
  plan = seam_plan_parse (pipeline, point->plan, NULL);
  if (plan != NULL)
    seam_model_take_point (self->model, point->values, plan);
}

/* The point that is shape and plan B now; -1: none of these. */
static int
find_current (SeamSweepPage *self)
{
  const SeamSweep *sweep = get_sweep (self);
  SeamPipeline *pipeline = seam_model_get_pipeline (self->model);
  const gint64 *values = seam_model_get_values (self->model);

  if (sweep == NULL || sweep->survey->request->pipeline != pipeline)
    return -1;
  for (int i = 0; i < sweep->survey->n_points; i++) {
    const SeamPoint *point = &sweep->survey->points[i];
    g_autoptr (SeamPlan) plan = NULL;

    if (memcmp (point->values, values, sizeof *values * (gsize)pipeline->n_fields) != 0)
      continue;
    plan = seam_plan_parse (pipeline, point->plan, NULL);
    if (plan != NULL && seam_plan_equal (plan, seam_model_get_plan (self->model, 1)))
      return i;
  }
  return -1;
}

static void
update_current (SeamSweepPage *self)
{
  const SeamSweep *sweep = get_sweep (self);
  int current = find_current (self);
  SeamHit hit = { .kind = SEAM_HIT_SAMPLE };

  if (current >= 0) {
    hit.plan = current % sweep->n_plans;
    hit.index = current / sweep->n_plans;
  }
  seam_figure_view_set_selected (self->figure, current >= 0 ? &hit : NULL);
  seam_table_view_select (self->points_table, current >= 0 ? 0 : -1, current);
}

static void
point_activated_cb (SeamFigureView *view, const SeamHit *hit, SeamSweepPage *self)
{
  int point = find_point (get_sweep (self), hit);

  if (point >= 0)
    take_point (self, point);
}

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamSweepPage *self)
{
  const SeamSweep *sweep = get_sweep (self);
  int point = row != NULL ? row->index : -1;

  if (sweep != NULL && point >= 0 && point < sweep->survey->n_points)
    take_point (self, point);
}

static void
update_points (SeamSweepPage *self)
{
  const SeamSweep *sweep = get_sweep (self);
  g_autofree char *counts = NULL, *words = NULL, *provenance = NULL;

  gtk_widget_set_visible (self->figure_card, sweep != NULL);
  gtk_widget_set_visible (self->table_card, sweep != NULL);
  seam_figure_view_invalidate (self->figure);
  seam_points_table_fill (self->points_table, sweep);
  update_current (self);
  if (sweep != NULL) {
    int n_shapes = seam_sweep_get_n_x (sweep) * seam_sweep_get_n_y (sweep);

    counts =
        g_strdup_printf ("%d shape%s × %d plan%s, %d points", n_shapes, n_shapes == 1 ? "" : "s",
                         sweep->n_plans, sweep->n_plans == 1 ? "" : "s", sweep->survey->n_points);
    words = seam_sweep_describe (sweep);
    provenance = seam_survey_get_provenance (sweep->survey);
  }
  gtk_label_set_text (self->title, seam_model_get_pipeline (self->model)->id);
  gtk_label_set_text (self->counts, counts != NULL ? counts : "");
  gtk_label_set_text (self->sentence, words != NULL ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->sentence), words != NULL && *words != '\0');
  gtk_label_set_text (self->provenance,
                      provenance != NULL && *provenance != '\0' ? provenance : " ");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->provenance), provenance);
}

static void
update_status (SeamSweepPage *self)
{
  g_autofree char *status = seam_exploration_describe_status (self->exploration);
  gboolean free = !seam_exploration_is_busy (self->exploration)
                  && !seam_exploration_is_stored (self->exploration);

  gtk_label_set_text (self->status, status);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status), status);
  gtk_widget_set_sensitive (GTK_WIDGET (self->budget), free);
  gtk_widget_set_sensitive (self->choice_card, free);
}

static void
exploration_changed_cb (SeamExploration *exploration, gboolean points, SeamSweepPage *self)
{
  if (points)
    update_points (self);
  update_status (self);
}

static void
model_changed_cb (SeamModel *model, guint flags, SeamSweepPage *self)
{
  if (flags & SEAM_CHANGE_PIPELINE)
    fill_choice (self);
  if (flags & (SEAM_CHANGE_PIPELINE | SEAM_CHANGE_PLANS | SEAM_CHANGE_SHAPE))
    update_current (self);
}

static void
budget_changed_cb (SeamSweepPage *self)
{
  seam_exploration_set_budget (self->exploration, gtk_spin_button_get_value (self->budget));
}

/* A plan that was made on Timing meanwhile can be chosen, too. */
static void
mapped_cb (SeamSweepPage *self)
{
  seam_exploration_set_wanted (self->exploration, gtk_widget_get_mapped (GTK_WIDGET (self)));
}

void
seam_sweep_page_set_model (SeamSweepPage *self, SeamModel *model, SeamExploration *exploration)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  self->exploration = g_object_ref (exploration);
  gtk_spin_button_set_value (self->budget, seam_exploration_get_budget (exploration));
  g_signal_connect_swapped (self->budget, "value-changed", G_CALLBACK (budget_changed_cb), self);
  g_signal_connect_object (exploration, "changed", G_CALLBACK (exploration_changed_cb), self, 0);
  g_signal_connect_object (model, "changed", G_CALLBACK (model_changed_cb), self, 0);
  g_signal_connect (self, "map", G_CALLBACK (mapped_cb), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (mapped_cb), NULL);
  fill_choice (self);
  exploration_changed_cb (exploration, TRUE, self);
}

void
seam_sweep_page_set_session (SeamSweepPage *self, SeamSessionFile *file)
{
  seam_survey_choice_set_file (self->surveys, file, SEAM_SURVEY_SWEEP);
}

void
seam_sweep_page_set_narrow (SeamSweepPage *self, gboolean narrow)
{
  seam_table_view_set_narrow (self->points_table, narrow);
}

static void
seam_sweep_page_dispose (GObject *object)
{
  SeamSweepPage *self = SEAM_SWEEP_PAGE (object);

  g_clear_handle_id (&self->choice_timeout, g_source_remove);
  self->filling = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_SWEEP_PAGE);
  g_clear_object (&self->exploration);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (seam_sweep_page_parent_class)->dispose (object);
}

static void
seam_sweep_page_class_init (SeamSweepPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = seam_sweep_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/seamscope/Seamscope/sweep-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, title);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, counts);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, status);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, sentence);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, provenance);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, budget);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, surveys);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, choice_card);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, figure_card);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, table_card);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, axes_place);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, plans_place);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, points_place);
  gtk_widget_class_bind_template_child (widget_class, SeamSweepPage, figure);
}

static void
seam_sweep_page_init (SeamSweepPage *self)
{
  static const char *const titles[] = { "Vary", "and" };

  g_type_ensure (SEAM_TYPE_FIGURE_VIEW);
  g_type_ensure (SEAM_TYPE_SURVEY_CHOICE);
  gtk_widget_init_template (GTK_WIDGET (self));

  for (int i = 0; i < 2; i++) {
    self->axes[i] = SEAM_SWEEP_AXIS (seam_sweep_axis_new (titles[i], i > 0));
    g_signal_connect_swapped (self->axes[i], "changed", G_CALLBACK (choice_changed_cb), self);
    gtk_box_append (self->axes_place, GTK_WIDGET (self->axes[i]));
  }
  self->points_table = seam_points_table_new ();
  seam_table_view_show_all_rows (self->points_table);
  gtk_widget_set_hexpand (GTK_WIDGET (self->points_table), TRUE);
  gtk_box_append (self->points_place, GTK_WIDGET (self->points_table));
  g_signal_connect (self->points_table, "row-selected", G_CALLBACK (row_selected_cb), self);

  seam_figure_view_set_builder (self->figure, build_figure_cb, self, NULL);
  seam_figure_view_set_minimum_width (self->figure, FIGURE_MIN_WIDTH);
  seam_figure_view_set_focus_kinds (self->figure, SEAM_HIT_SAMPLE);
  seam_figure_view_set_tooltip_func (self->figure, describe_point_cb, self);
  g_signal_connect (self->figure, "hit-activated", G_CALLBACK (point_activated_cb), self);
}
