/* SPDX-License-Identifier: MIT
 *
 * Follows exploration and model: lattice and tables with every point, the status with every report,
 * the node that is plan B with every cut.
 */
#include "ui/explore-page.h"

#include "ui/explore-tables.h"
#include "ui/figure-view.h"
#include "ui/survey-choice.h"

#include "app/figure/lattice.h"
#include "app/report/partitions.h"

#include <math.h>

#define SIDE_WIDTH        440
#define LATTICE_MIN_WIDTH 460 /* the window can become narrow beside the side column */

enum { FACT_TIME, FACT_PREDICTED, FACT_KERNELS, FACT_TRAFFIC, FACT_ERROR, FACT_EXECUTED, N_FACTS };

struct _SeamExplorePage {
  AdwBin parent_instance;

  SeamModel *model;
  SeamExploration *exploration;
  SeamExploreView *view; /* NULL: no survey */
  gboolean narrow;

  GtkLabel *title, *counts, *status, *provenance;
  GtkSpinButton *budget;
  SeamSurveyChoice *surveys;
  GtkBox *columns;
  GtkWidget *lattice_card, *no_lattice, *worth_card, *pairs_card;
  AdwClamp *side_clamp;
  SeamFigureView *lattice;
  GtkLabel *node_title, *node_marks, *node_notation, *node_headline, *node_message;
  GtkGrid *facts;
  GtkLabel *fact_values[N_FACTS];
  GtkBox *worth_place, *pairs_place, *nodes_place;
  GtkLabel *worth_unit, *worth_note, *pairs_unit;
  SeamTableView *worth_table, *pairs_table, *nodes_table;
};

G_DEFINE_FINAL_TYPE (SeamExplorePage, seam_explore_page, ADW_TYPE_BIN)

static const SeamSurvey *
get_survey (SeamExplorePage *self)
{
  return seam_exploration_get_survey (self->exploration);
}

/* The node that plan B is, or -1: another chain, or another pipeline's survey. */
static int
get_node (SeamExplorePage *self)
{
  const SeamSurvey *survey = get_survey (self);
  SeamPlan *plan = seam_model_get_shown_plan (self->model, 1);
  guint32 fused;

  if (survey == NULL || plan == NULL || plan->chain != 0
      || plan->pipeline != survey->request->pipeline)
    return -1;
  fused = seam_plan_get_fused_seams (plan);
  return fused < (guint32)survey->n_points ? (int)fused : -1;
}

static void
make_plan_b (SeamExplorePage *self, int node)
{
  const SeamSurvey *survey = get_survey (self);

  if (survey == NULL || node < 0 || node >= survey->n_points
      || seam_model_get_pipeline (self->model) != survey->request->pipeline)
    return;
  g_autoptr (SeamPlan) plan = seam_plan_new (survey->request->pipeline, 0, (guint32)node);
  seam_model_set_plan (self->model, 1, plan);
}

/* Lattice. */

static SeamFigure *
build_lattice_cb (double width, double height, gpointer data)
{
  SeamExplorePage *self = data;
  SeamLatticeOptions options = { .width = width };

  return self->view != NULL && self->view->n_nodes <= SEAM_LATTICE_MAX_NODES
             ? seam_lattice_figure_new (get_survey (self), self->view, &options)
             : NULL;
}

static char *
describe_node_cb (const SeamHit *hit, gpointer data)
{
  SeamExplorePage *self = data;

  if (self->view == NULL || hit->kind != SEAM_HIT_NODE || hit->index < 0
      || hit->index >= self->view->n_nodes)
    return NULL;
  g_autofree char *text = seam_lattice_describe_node (get_survey (self), self->view, hit->index);
  return g_strconcat (text, "\nClick or press Space: it becomes plan B.", NULL);
}

static void
node_activated_cb (SeamFigureView *view, const SeamHit *hit, SeamExplorePage *self)
{
  if (hit->kind == SEAM_HIT_NODE)
    make_plan_b (self, hit->index);
}

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamExplorePage *self)
{
  if (row != NULL)
    make_plan_b (self, row->index);
}

/* The node beside it. */

static char *
format_time (const SeamPoint *point, double time_ns)
{
  g_autofree char *time = seam_text_time (time_ns);
  double half = (point->ci_high_ns - point->ci_low_ns) / 2 / point->median_ns;

  if (isnan (half))
    return g_steal_pointer (&time);
  g_autofree char *percent = seam_text_percent (half);
  return g_strdup_printf ("%s ± %s %%", time, percent);
}

static char *
format_headline (SeamExplorePage *self, int node)
{
  const double *times_ns = self->view->times_ns;
  double ratio = times_ns[0] / times_ns[node];

  if (seam_point_is_wrong (&get_survey (self)->points[node]))
    return g_strdup ("Its output is wrong");
  if (isnan (times_ns[node]))
    return g_strdup ("Not measured yet");
  if (node == 0)
    return g_strdup ("What the others are compared with");
  if (isnan (ratio))
    return seam_text_time (times_ns[node]);
  g_autofree char *text = seam_text_ratio (ratio >= 1 ? ratio : 1 / ratio);
  return g_strdup_printf ("%s %s than unfused", text, ratio >= 1 ? "faster" : "slower");
}

static void
set_fact (SeamExplorePage *self, int fact, char *text)
{
  gtk_label_set_text (self->fact_values[fact], text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->fact_values[fact]), text);
  g_free (text);
}

static void
update_node (SeamExplorePage *self)
{
  int node = self->view != NULL ? get_node (self) : -1;
  SeamHit hit = { .kind = SEAM_HIT_NODE, .index = node };

  seam_figure_view_set_selected (self->lattice, node >= 0 ? &hit : NULL);
  seam_table_view_select (self->nodes_table, node >= 0 ? 0 : -1, node);
  if (node < 0) {
    SeamPlan *plan = seam_model_get_plan (self->model, 1);
    gtk_label_set_text (self->node_title, plan != NULL ? seam_plan_get_title (plan) : "");
    gtk_label_set_text (self->node_marks, "");
    gtk_label_set_text (self->node_notation, "");
    gtk_label_set_text (self->node_headline, "This plan is no partition of the chain.");
    for (int i = 0; i < N_FACTS; i++)
      set_fact (self, i, g_strdup (SEAM_DASH));
    gtk_widget_set_visible (GTK_WIDGET (self->node_message), FALSE);
    return;
  }
  const SeamPoint *point = &get_survey (self)->points[node];
  g_autoptr (SeamPlan) plan =
      seam_plan_new (get_survey (self)->request->pipeline, 0, (guint32)node);
  g_autofree char *marks = seam_partitions_describe_marks (get_survey (self), self->view, node);
  g_autofree char *headline = format_headline (self, node);
  int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;
  double time_ns = self->view->times_ns[node];

  gtk_label_set_text (self->node_title,
                      plan->name != NULL ? seam_plan_get_title (plan) : "A partition of its own");
  gtk_label_set_text (self->node_marks, marks);
  gtk_label_set_text (self->node_notation, plan->notation);
  gtk_label_set_text (self->node_headline, headline);
  set_fact (self, FACT_TIME, isnan (time_ns) ? g_strdup (SEAM_DASH) : format_time (point, time_ns));
  set_fact (self, FACT_PREDICTED, seam_text_time (point->full_rate_ns));
  set_fact (self, FACT_KERNELS,
            n_kernels >= 0 ? seam_text_count (n_kernels) : g_strdup (SEAM_DASH));
  set_fact (self, FACT_TRAFFIC, seam_text_bytes (point->bytes));
  set_fact (self, FACT_ERROR, seam_text_scientific (point->max_abs));
  set_fact (self, FACT_EXECUTED, g_strdup (point->executed != NULL ? point->executed : SEAM_DASH));
  gtk_label_set_text (self->node_message, point->message != NULL ? point->message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->node_message), point->message != NULL);
}

/* What is around it. */

static void
update_status (SeamExplorePage *self)
{
  const SeamSurvey *survey = get_survey (self);
  g_autofree char *status =
      survey != NULL ? seam_exploration_describe_status (self->exploration) : NULL;
  gboolean busy = seam_exploration_is_busy (self->exploration);

  gtk_label_set_text (self->status, status != NULL ? status : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->status), status);
  gtk_widget_set_sensitive (GTK_WIDGET (self->budget), !busy);
}

static void
update_tables (SeamExplorePage *self)
{
  const SeamSurvey *survey = get_survey (self);
  SeamUnit unit = seam_partitions_get_unit (self->view, survey);
  g_autofree char *saved = g_strdup_printf ("%s saved by fusing it", unit.name);
  g_autofree char *extra = g_strdup_printf ("%s saved beyond both alone, mean", unit.name);
  g_autofree char *sentence = seam_lattice_describe_worth (survey, self->view);
  g_autofree char *note = g_strdup_printf (
      "%s%sAlone: fused into the unfused plan. Mean: over all contexts. Best: the best plan with "
      "it against the best without. Traffic: modelled, at full rate.",
      sentence != NULL ? sentence : "", sentence != NULL ? "\n" : "");

  seam_worth_table_fill (self->worth_table, survey, self->view);
  seam_pairs_table_fill (self->pairs_table, survey, self->view);
  g_autoptr (SeamTable) nodes =
      seam_partitions_table_make (survey, self->view, NULL, survey->n_points);
  seam_table_view_set_table (self->nodes_table, nodes);
  gtk_label_set_text (self->worth_unit, saved);
  gtk_label_set_text (self->pairs_unit, extra);
  gtk_label_set_text (self->worth_note, note);
  gtk_widget_set_visible (self->worth_card, self->view->n_seams > 0);
  gtk_widget_set_visible (self->pairs_card, self->view->n_seams > 1);
}

static void
update_points (SeamExplorePage *self)
{
  const SeamSurvey *survey = get_survey (self);
  g_autofree char *counts = NULL, *provenance = NULL;
  gboolean can_draw;

  g_clear_pointer (&self->view, seam_explore_view_free);
  if (survey == NULL)
    return;
  self->view = seam_explore_view_new (survey);
  can_draw = self->view->n_nodes <= SEAM_LATTICE_MAX_NODES;
  counts = g_strdup_printf ("%d seam%s, %d partitions", self->view->n_seams,
                            self->view->n_seams == 1 ? "" : "s", survey->n_points);
  provenance = seam_survey_get_provenance (survey);
  gtk_label_set_text (self->title, survey->request->pipeline->id);
  gtk_label_set_text (self->counts, counts);
  gtk_label_set_text (self->provenance, *provenance != '\0' ? provenance : " ");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->provenance), provenance);
  gtk_widget_set_visible (GTK_WIDGET (self->lattice), can_draw);
  gtk_widget_set_visible (self->no_lattice, !can_draw);
  seam_figure_view_invalidate (self->lattice);
  update_tables (self);
  update_node (self);
}

static void
exploration_changed_cb (SeamExploration *exploration, gboolean points, SeamExplorePage *self)
{
  if (points)
    update_points (self);
  update_status (self);
}

static void
model_changed_cb (SeamModel *model, guint flags, SeamExplorePage *self)
{
  if (flags & (SEAM_CHANGE_PLANS | SEAM_CHANGE_PIPELINE | SEAM_CHANGE_ESTIMATE))
    update_node (self);
}

static void
budget_changed_cb (SeamExplorePage *self)
{
  seam_exploration_set_budget (self->exploration, gtk_spin_button_get_value (self->budget));
}

static void
mapped_cb (SeamExplorePage *self)
{
  seam_exploration_set_wanted (self->exploration, gtk_widget_get_mapped (GTK_WIDGET (self)));
}

void
seam_explore_page_set_model (SeamExplorePage *self, SeamModel *model, SeamExploration *exploration)
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
  exploration_changed_cb (exploration, TRUE, self);
}

void
seam_explore_page_set_session (SeamExplorePage *self, SeamSessionFile *file)
{
  seam_survey_choice_set_file (self->surveys, file, SEAM_SURVEY_EXPLORE);
}

void
seam_explore_page_set_narrow (SeamExplorePage *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  adw_clamp_set_maximum_size (self->side_clamp, narrow ? G_MAXINT16 : SIDE_WIDTH);
  adw_clamp_set_tightening_threshold (self->side_clamp, narrow ? G_MAXINT16 : SIDE_WIDTH);
  seam_table_view_set_narrow (self->nodes_table, narrow);
}

static void
seam_explore_page_dispose (GObject *object)
{
  SeamExplorePage *self = SEAM_EXPLORE_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_EXPLORE_PAGE);
  g_clear_pointer (&self->view, seam_explore_view_free);
  g_clear_object (&self->exploration);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (seam_explore_page_parent_class)->dispose (object);
}

static void
seam_explore_page_class_init (SeamExplorePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = seam_explore_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/seamscope/Seamscope/explore-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, title);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, counts);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, status);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, provenance);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, budget);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, surveys);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, columns);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, lattice_card);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, no_lattice);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, worth_card);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, pairs_card);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, side_clamp);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, lattice);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, node_title);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, node_marks);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, node_notation);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, node_headline);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, node_message);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, facts);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, worth_place);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, pairs_place);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, nodes_place);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, worth_unit);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, worth_note);
  gtk_widget_class_bind_template_child (widget_class, SeamExplorePage, pairs_unit);
}

static void
make_facts (SeamExplorePage *self)
{
  static const char *const titles[N_FACTS] = {
    [FACT_TIME] = "Measured",
    [FACT_PREDICTED] = "Predicted, at full rate",
    [FACT_KERNELS] = "Kernels",
    [FACT_TRAFFIC] = "Traffic, modelled",
    [FACT_ERROR] = "Largest difference from unfused",
    [FACT_EXECUTED] = "Executed",
  };

  for (int i = 0; i < N_FACTS; i++) {
    GtkWidget *title = gtk_label_new (titles[i]), *value = gtk_label_new (NULL);

    gtk_label_set_xalign (GTK_LABEL (title), 0);
    gtk_widget_add_css_class (title, "dim-label");
    gtk_widget_add_css_class (title, "small-text");
    gtk_label_set_xalign (GTK_LABEL (value), 1);
    gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_END);
    gtk_widget_set_hexpand (value, TRUE);
    gtk_widget_add_css_class (value, "small-text");
    gtk_grid_attach (self->facts, title, 0, i, 1, 1);
    gtk_grid_attach (self->facts, value, 1, i, 1, 1);
    self->fact_values[i] = GTK_LABEL (value);
  }
}

static void
add_table (GtkBox *place, SeamTableView *table)
{
  seam_table_view_show_all_rows (table);
  gtk_widget_set_hexpand (GTK_WIDGET (table), TRUE);
  gtk_box_append (place, GTK_WIDGET (table));
}

static void
seam_explore_page_init (SeamExplorePage *self)
{
  g_type_ensure (SEAM_TYPE_FIGURE_VIEW);
  g_type_ensure (SEAM_TYPE_SURVEY_CHOICE);
  gtk_widget_init_template (GTK_WIDGET (self));

  make_facts (self);
  self->worth_table = seam_worth_table_new ();
  self->pairs_table = seam_pairs_table_new ();
  self->nodes_table =
      seam_table_view_new (seam_partitions_table_new (), NULL, TRUE, "All partitions");
  add_table (self->worth_place, self->worth_table);
  add_table (self->pairs_place, self->pairs_table);
  add_table (self->nodes_place, self->nodes_table);
  g_signal_connect (self->nodes_table, "row-selected", G_CALLBACK (row_selected_cb), self);
  adw_clamp_set_maximum_size (self->side_clamp, SIDE_WIDTH);
  adw_clamp_set_tightening_threshold (self->side_clamp, SIDE_WIDTH);

  seam_figure_view_set_builder (self->lattice, build_lattice_cb, self, NULL);
  seam_figure_view_set_minimum_width (self->lattice, LATTICE_MIN_WIDTH);
  seam_figure_view_set_focus_kinds (self->lattice, SEAM_HIT_NODE);
  seam_figure_view_set_tooltip_func (self->lattice, describe_node_cb, self);
  g_signal_connect (self->lattice, "hit-activated", G_CALLBACK (node_activated_cb), self);
}
