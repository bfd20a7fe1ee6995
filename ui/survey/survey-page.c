/* SPDX-License-Identifier: MIT
 *
 * Follows exploration and model: figure, sentence and table with every point, the status with every
 * report, what is selected with every plan and shape.
 */
#include "ui/survey/survey-page.h"

#include "ui/widgets/figure-view.h"
#include "ui/survey/survey-choice.h"

typedef struct {
  SeamModel *model;
  SeamExploration *exploration;
  gboolean narrow;

  GtkLabel *title, *counts, *status, *sentence, *table_title, *provenance;
  GtkSpinButton *budget;
  GtkButton *copy, *export, *export_table;
  SeamSurveyChoice *surveys;
  GtkBox *choice_place, *columns, *table_place;
  GtkWidget *table_card;
  SeamFigureView *figure;
  SeamTableView *table; /* NULL until there is a survey */
} SeamSurveyPagePrivate;

static void page_init (SeamPageInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (SeamSurveyPage, seam_survey_page, ADW_TYPE_BIN,
                                  G_ADD_PRIVATE (SeamSurveyPage)
                                      G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

static SeamSurveyPagePrivate *
get_private (SeamSurveyPage *self)
{
  return seam_survey_page_get_instance_private (self);
}

/* What is shown; NULL: nothing is known yet. */
static const SeamSurvey *
get_survey (SeamSurveyPage *self)
{
  SeamSurveyPagePrivate *priv = get_private (self);

  return priv->exploration != NULL ? seam_exploration_get_survey (priv->exploration) : NULL;
}

/* Whether points of it can be plan B. */
static gboolean
is_of_model (SeamSurveyPage *self, const SeamSurvey *survey)
{
  return survey != NULL
         && seam_setup_get_pipeline (get_private (self)->model->setup) == survey->request->pipeline;
}

/* The figure. */

static const char *
refuse_figure (SeamSurveyPage *self, const SeamSurvey *survey)
{
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);

  return klass->refuse_figure != NULL ? klass->refuse_figure (self, survey) : NULL;
}

static SeamFigure *
make_figure_cb (double width, double height, gpointer data)
{
  const SeamSurvey *survey = get_survey (data);

  return survey != NULL && refuse_figure (data, survey) == NULL
             ? SEAM_SURVEY_PAGE_GET_CLASS (data)->make_figure (data, survey, width)
             : NULL;
}

static int
find_point (SeamSurveyPage *self, const SeamHit *hit)
{
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);
  const SeamSurvey *survey = get_survey (self);

  return survey != NULL && hit->kind == klass->hit_kind ? klass->find_point (self, survey, hit)
                                                        : -1;
}

static char *
describe_hit_cb (const SeamHit *hit, gpointer data)
{
  int point = find_point (data, hit);

  return point >= 0
             ? SEAM_SURVEY_PAGE_GET_CLASS (data)->describe_point (data, get_survey (data), point)
             : NULL;
}

static void
take_point (SeamSurveyPage *self, int point)
{
  const SeamSurvey *survey = get_survey (self);

  if (is_of_model (self, survey) && point >= 0 && point < survey->n_points)
    SEAM_SURVEY_PAGE_GET_CLASS (self)->take_point (self, survey, point);
}

static void
hit_activated_cb (SeamFigureView *view, const SeamHit *hit, SeamSurveyPage *self)
{
  take_point (self, find_point (self, hit));
}

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamSurveyPage *self)
{
  take_point (self, row != NULL ? row->index : -1);
}

/* What is known. */

static void
update_current (SeamSurveyPage *self)
{
  SeamSurveyPagePrivate *priv = get_private (self);
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);
  const SeamSurvey *survey = get_survey (self);
  int point = is_of_model (self, survey) ? klass->find_current (self, survey) : -1;
  SeamHit hit = { .kind = klass->hit_kind };

  if (survey == NULL)
    return;
  if (point >= 0)
    klass->find_hit (self, survey, point, &hit);
  seam_figure_view_set_selected (priv->figure, point >= 0 ? &hit : NULL);
  seam_table_view_select (priv->table, point >= 0 ? 0 : -1, point);
  if (klass->show_current != NULL)
    klass->show_current (self, survey, point);
}

SeamTableView *
seam_survey_page_show_table (GtkBox *place, SeamTable *table, gboolean selectable,
                             const char *label)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (place));
  SeamTableView *view = child != NULL ? SEAM_TABLE_VIEW (child) : NULL;

  if (view == NULL || !seam_table_view_fits (view, table)) {
    if (view != NULL)
      gtk_box_remove (place, child);
    view = seam_table_view_new (seam_table_ref (table), NULL, selectable, label);
    seam_table_view_show_all_rows (view);
    gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
    gtk_box_append (place, GTK_WIDGET (view));
  }
  seam_table_view_set_table (view, table);
  seam_table_unref (table);
  return view;
}

static void
update_table (SeamSurveyPage *self, const SeamSurvey *survey)
{
  SeamSurveyPagePrivate *priv = get_private (self);
  SeamTableView *table = seam_survey_page_show_table (
      priv->table_place, SEAM_SURVEY_PAGE_GET_CLASS (self)->make_table (self, survey), TRUE,
      gtk_label_get_text (priv->table_title));

  if (table == priv->table)
    return;
  priv->table = table;
  seam_table_view_set_narrow (table, priv->narrow);
  g_signal_connect (table, "row-selected", G_CALLBACK (row_selected_cb), self);
}

static void
set_text (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
}

static void
update_figure (SeamSurveyPage *self, const SeamSurvey *survey)
{
  SeamSurveyPagePrivate *priv = get_private (self);
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);
  const char *refusal = refuse_figure (self, survey);
  g_autofree char *sentence = refusal != NULL           ? g_strdup (refusal)
                              : klass->describe != NULL ? klass->describe (self, survey)
                                                        : NULL;

  gtk_widget_set_visible (GTK_WIDGET (priv->figure), refusal == NULL);
  set_text (priv->sentence, sentence);
  gtk_widget_set_visible (GTK_WIDGET (priv->sentence), sentence != NULL && *sentence != '\0');
  seam_figure_view_invalidate (priv->figure);
}

static void
update_points (SeamSurveyPage *self)
{
  SeamSurveyPagePrivate *priv = get_private (self);
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);
  const SeamSurvey *survey = get_survey (self);
  const SeamPipeline *pipeline =
      survey != NULL ? survey->request->pipeline : seam_setup_get_pipeline (priv->model->setup);
  g_autofree char *counts = NULL, *provenance = NULL;

  if (klass->fill != NULL)
    klass->fill (self, survey);
  if (survey != NULL) {
    counts = klass->count (self, survey);
    provenance = seam_survey_get_provenance (survey);
    update_figure (self, survey);
    update_table (self, survey);
  }
  set_text (priv->title, pipeline->id);
  set_text (priv->counts, counts);
  /* An empty line keeps its place. */
  set_text (priv->provenance, provenance != NULL && *provenance != '\0' ? provenance : " ");
  gtk_widget_set_tooltip_text (GTK_WIDGET (priv->provenance), provenance);
  gtk_widget_set_visible (GTK_WIDGET (priv->columns), survey != NULL);
  gtk_widget_set_visible (priv->table_card, survey != NULL);
  update_current (self);
}

static void
update_status (SeamSurveyPage *self)
{
  SeamSurveyPagePrivate *priv = get_private (self);
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);
  g_autofree char *status = seam_exploration_describe_status (priv->exploration);
  gboolean free = !seam_exploration_is_busy (priv->exploration)
                  && !seam_exploration_is_stored (priv->exploration);

  set_text (priv->status, status);
  gtk_widget_set_tooltip_text (GTK_WIDGET (priv->status), status);
  gtk_widget_set_sensitive (GTK_WIDGET (priv->budget), free);
  if (klass->set_free != NULL)
    klass->set_free (self, free);
}

static void
exploration_changed_cb (SeamExploration *exploration, gboolean points, SeamSurveyPage *self)
{
  if (points)
    update_points (self);
  update_status (self);
}

static void
pipeline_changed_cb (gpointer owner)
{
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (owner);

  if (klass->pipeline_changed != NULL)
    klass->pipeline_changed (owner);
}

static void
budget_changed_cb (SeamSurveyPage *self)
{
  SeamSurveyPagePrivate *priv = get_private (self);

  seam_exploration_set_budget (priv->exploration, gtk_spin_button_get_value (priv->budget));
}

static void
mapped_cb (SeamSurveyPage *self)
{
  seam_exploration_set_wanted (get_private (self)->exploration,
                               gtk_widget_get_mapped (GTK_WIDGET (self)));
}

/* Words and actions of a kind. */

static void
name_button (GtkButton *button, const char *action, const char *verb, const char *what,
             const char *how)
{
  g_autofree char *detailed = g_strdup_printf ("win.%s-%s", action, what);
  g_autofree char *label = g_strdup_printf ("%s the %s", verb, what);
  g_autofree char *tooltip = g_strdup_printf ("%s %s", label, how);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), detailed);
  gtk_widget_set_tooltip_text (GTK_WIDGET (button), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
}

static void
name_widgets (SeamSurveyPage *self, SeamSurveyKind kind)
{
  SeamSurveyPagePrivate *priv = get_private (self);
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);
  const SeamSurveyWords *words = &seam_survey_words[kind];
  g_autofree char *all = g_strdup_printf ("All %s", words->points);
  g_autofree char *csv = g_strdup_printf ("win.export-csv-%s", seam_survey_kinds[kind].name);
  g_autofree char *budget = g_strdup_printf ("Budget of the %s in seconds", words->survey);
  g_autofree char *tooltip = g_strdup_printf (
      "Time for measuring all %s together; it can be stopped and gone on with", words->points);

  name_button (priv->copy, "copy", "Copy", klass->figure, "to the clipboard");
  name_button (priv->export, "export", "Export", klass->figure, "as PNG, SVG or PDF");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (priv->export_table), csv);
  gtk_label_set_text (priv->table_title, all);
  gtk_widget_set_tooltip_text (GTK_WIDGET (priv->budget), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->budget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  budget, -1);
}

static void
begin (SeamPage *page, const SeamPageContext *context)
{
  SeamSurveyPage *self = SEAM_SURVEY_PAGE (page);
  SeamSurveyPagePrivate *priv = get_private (self);
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);
  SeamModel *model = context->model;
  SeamExploration *exploration = model->explorations.all[klass->kind];

  g_return_if_fail (priv->model == NULL);
  priv->model = g_object_ref (model);
  priv->exploration = g_object_ref (exploration);
  name_widgets (self, klass->kind);
  seam_figure_view_set_minimum_width (priv->figure, klass->minimum_width);
  seam_figure_view_set_focus_kinds (priv->figure, klass->hit_kind);
  gtk_spin_button_set_value (priv->budget, seam_exploration_get_budget (exploration));
  g_signal_connect_swapped (priv->budget, "value-changed", G_CALLBACK (budget_changed_cb), self);
  g_signal_connect_object (exploration, "changed", G_CALLBACK (exploration_changed_cb), self, 0);
  seam_watch (self, G_CALLBACK (pipeline_changed_cb), model->setup, "pipeline", NULL);
  seam_watch (self, G_CALLBACK (update_current), model->setup, "pipeline shape plans",
              model->advice, "estimate", NULL);
  g_signal_connect (self, "map", G_CALLBACK (mapped_cb), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (mapped_cb), NULL);
  if (klass->begin != NULL)
    klass->begin (self);
  exploration_changed_cb (exploration, TRUE, self);
  seam_survey_choice_set_file (priv->surveys, context->session, klass->kind);
}

static void
set_narrow (SeamPage *page, gboolean narrow)
{
  SeamSurveyPage *self = SEAM_SURVEY_PAGE (page);
  SeamSurveyPagePrivate *priv = get_private (self);
  SeamSurveyPageClass *klass = SEAM_SURVEY_PAGE_GET_CLASS (self);

  if (priv->narrow == narrow)
    return;
  priv->narrow = narrow;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (priv->columns),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  if (priv->table != NULL)
    seam_table_view_set_narrow (priv->table, narrow);
  if (klass->set_narrow != NULL)
    klass->set_narrow (self, narrow);
}

static SeamExploration *
get_exploration (SeamPage *page)
{
  return get_private (SEAM_SURVEY_PAGE (page))->exploration;
}

/* The page of each kind adds its name, title and icon. */
static void
page_init (SeamPageInterface *iface)
{
  iface->begin = begin;
  iface->set_narrow = set_narrow;
  iface->get_exploration = get_exploration;
}

void
seam_survey_page_add_choice (SeamSurveyPage *self, GtkWidget *card)
{
  gtk_box_append (get_private (self)->choice_place, card);
  gtk_widget_set_visible (GTK_WIDGET (get_private (self)->choice_place), TRUE);
}

void
seam_survey_page_add_side (SeamSurveyPage *self, GtkWidget *card)
{
  gtk_box_append (get_private (self)->columns, card);
}

SeamModel *
seam_survey_page_get_model (SeamSurveyPage *self)
{
  return get_private (self)->model;
}

SeamExploration *
seam_survey_page_get_exploration (SeamSurveyPage *self)
{
  return get_private (self)->exploration;
}

/* The widgets go with the bin's child: GTK 4.8's gtk_widget_dispose_template() stumbles over a
 * template above or below another one. */
static void
seam_survey_page_dispose (GObject *object)
{
  SeamSurveyPagePrivate *priv = get_private (SEAM_SURVEY_PAGE (object));

  g_clear_object (&priv->exploration);
  g_clear_object (&priv->model);
  G_OBJECT_CLASS (seam_survey_page_parent_class)->dispose (object);
}

static void
seam_survey_page_class_init (SeamSurveyPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = seam_survey_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/seamscope/Seamscope/survey-page.ui");
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, title);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, counts);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, status);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, sentence);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, table_title);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, provenance);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, budget);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, copy);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, export);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, export_table);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, surveys);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, choice_place);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, columns);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, table_place);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, table_card);
  gtk_widget_class_bind_template_child_private (widget_class, SeamSurveyPage, figure);
}

static void
seam_survey_page_init (SeamSurveyPage *self)
{
  SeamSurveyPagePrivate *priv = get_private (self);

  g_type_ensure (SEAM_TYPE_FIGURE_VIEW);
  g_type_ensure (SEAM_TYPE_SURVEY_CHOICE);
  gtk_widget_init_template (GTK_WIDGET (self));
  seam_figure_view_set_builder (priv->figure, make_figure_cb, self, NULL);
  seam_figure_view_set_tooltip_func (priv->figure, describe_hit_cb, self);
  g_signal_connect (priv->figure, "hit-activated", G_CALLBACK (hit_activated_cb), self);
}
