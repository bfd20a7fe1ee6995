/* SPDX-License-Identifier: MIT
 *
 * Follows exploration and model. Updates figure, sentence and table with every point, the status
 * with every report, and the selection with every plan and shape.
 */
#include "ui/search/search-page.h"

#include "ui/search/search-choice.h"
#include "ui/widgets/setting-row.h"
#include "ui/widgets/template.h"

typedef struct {
  SeamModel *model;
  SeamExploration *exploration;
  gboolean narrow;

  GtkLabel *title, *counts, *status, *sentence, *table_title, *provenance;
  GtkSpinButton *budget;
  GtkButton *copy, *export, *export_table;
  SeamSearchChoice *searches;
  GtkBox *choice_place, *columns, *table_place, *figure_tools;
  GtkWidget *table_card;
  SeamFigureView *figure;
  SeamTableView *table; /* NULL until there is a search */
} SeamSearchPagePrivate;

static void page_init (SeamPageInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (SeamSearchPage, seam_search_page, ADW_TYPE_BIN,
                                  G_ADD_PRIVATE (SeamSearchPage)
                                      G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

static SeamSearchPagePrivate *
get_private (SeamSearchPage *self)
{
  return seam_search_page_get_instance_private (self);
}

static const SeamSearch *
get_search (SeamSearchPage *self)
{
  SeamSearchPagePrivate *priv = get_private (self);

  return priv->exploration != NULL ? seam_exploration_get_search (priv->exploration) : NULL;
}

/* Whether points of the search can be plan B. */
static gboolean
is_of_model (SeamSearchPage *self, const SeamSearch *search)
{
  return search != NULL
         && seam_setup_get_pipeline (get_private (self)->model->setup) == search->request->pipeline;
}

/* The figure. */

static SeamFigure *
make_figure_cb (double width, double height, gpointer data)
{
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (data);
  const SeamSearch *search = get_search (data);

  return search != NULL && klass->make_figure != NULL ? klass->make_figure (data, search, width)
                                                      : NULL;
}

static int
find_point (SeamSearchPage *self, const SeamHit *hit)
{
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);
  const SeamSearch *search = get_search (self);

  return search != NULL && klass->find_point != NULL && hit->kind == klass->hit_kind
             ? klass->find_point (self, search, hit)
             : -1;
}

static char *
describe_hit_cb (const SeamHit *hit, gpointer data)
{
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (data);
  int point = find_point (data, hit);

  return point >= 0 && klass->describe_point != NULL
             ? klass->describe_point (data, get_search (data), point)
             : NULL;
}

static void
take_point (SeamSearchPage *self, int point)
{
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);
  const SeamSearch *search = get_search (self);

  if (klass->take_point != NULL && is_of_model (self, search) && point >= 0
      && point < search->n_points)
    klass->take_point (self, search, point);
}

static void
hit_activated_cb (SeamFigureView *view, const SeamHit *hit, SeamSearchPage *self)
{
  take_point (self, find_point (self, hit));
}

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamSearchPage *self)
{
  take_point (self, row != NULL ? row->index : -1);
}

/* Selection. */

static void
update_current (SeamSearchPage *self)
{
  SeamSearchPagePrivate *priv = get_private (self);
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);
  const SeamSearch *search = get_search (self);
  int point = klass->find_current != NULL && is_of_model (self, search)
                  ? klass->find_current (self, search)
                  : -1;
  SeamHit hit = { .kind = klass->hit_kind };

  if (search == NULL)
    return;
  if (point >= 0 && klass->find_hit != NULL)
    klass->find_hit (self, search, point, &hit);
  seam_figure_view_set_selected (priv->figure, point >= 0 && klass->find_hit != NULL ? &hit : NULL);
  if (priv->table != NULL)
    seam_table_view_select (priv->table, point >= 0 ? 0 : -1, point);
  if (klass->show_current != NULL)
    klass->show_current (self, search, point);
}

SeamTableView *
seam_search_page_show_table (GtkBox *place, SeamTable *table, gboolean selectable,
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
update_table (SeamSearchPage *self, const SeamSearch *search)
{
  SeamSearchPagePrivate *priv = get_private (self);
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);
  SeamTableView *table;

  if (klass->make_table == NULL)
    return;
  table = seam_search_page_show_table (priv->table_place, klass->make_table (self, search), TRUE,
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

/* What the page itself says, and how busy the machine was; newly allocated. */
static char *
make_sentence (SeamSearchPage *self, const SeamSearch *search)
{
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);
  g_autofree char *own = klass->describe != NULL ? klass->describe (self, search) : NULL;
  g_autofree char *load = seam_search_describe_load (search);

  if (load == NULL || own == NULL || *own == '\0')
    return g_strdup (load != NULL ? load : own);
  return g_strdup_printf ("%s %s", own, load);
}

static void
update_figure (SeamSearchPage *self, const SeamSearch *search)
{
  SeamSearchPagePrivate *priv = get_private (self);
  g_autofree char *sentence = make_sentence (self, search);

  set_text (priv->sentence, sentence);
  gtk_widget_set_visible (GTK_WIDGET (priv->sentence), sentence != NULL && *sentence != '\0');
  seam_figure_view_invalidate (priv->figure);
}

static void
update_points (SeamSearchPage *self)
{
  SeamSearchPagePrivate *priv = get_private (self);
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);
  const SeamSearch *search = get_search (self);
  g_autofree char *counts = NULL, *provenance = NULL;

  if (klass->fill != NULL)
    klass->fill (self, search);
  if (search != NULL) {
    counts = klass->count != NULL ? klass->count (self, search) : NULL;
    provenance = seam_search_get_provenance (search);
    update_figure (self, search);
    update_table (self, search);
  }
  set_text (priv->counts, counts);
  seam_page_show_provenance (priv->provenance, provenance);
  gtk_widget_set_visible (GTK_WIDGET (priv->columns), search != NULL);
  gtk_widget_set_visible (priv->table_card, priv->table != NULL && search != NULL);
  update_current (self);
}

/* In the view of a session the title says whose answers these are: those of the recorded device,
 * or, where the session holds no search of this kind, of this computer's target. */
static void
update_title (SeamSearchPage *self)
{
  SeamSearchPagePrivate *priv = get_private (self);
  SeamSetup *setup = priv->model->setup;
  const SeamSearch *search = get_search (self);
  gboolean stored = search != NULL && seam_exploration_is_stored (priv->exploration);
  const SeamPipeline *pipeline =
      search != NULL ? search->request->pipeline : seam_setup_get_pipeline (setup);
  const SeamDeviceInfo *device = stored ? search->device : seam_setup_get_target (setup);
  g_autofree char *whose = device != NULL && seam_store_is_viewing (priv->model->store)
                               ? g_strdup_printf (stored ? "%s, recorded on %s" : "%s, here on %s",
                                                  pipeline->id, seam_device_info_get_name (device))
                               : g_strdup (pipeline->id);

  set_text (priv->title, whose);
}

static void
update_status (SeamSearchPage *self)
{
  SeamSearchPagePrivate *priv = get_private (self);
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);
  g_autofree char *status = seam_exploration_describe_status (priv->exploration);
  gboolean free = !seam_exploration_is_busy (priv->exploration)
                  && !seam_exploration_is_stored (priv->exploration);

  update_title (self);
  set_text (priv->status, status);
  gtk_widget_set_tooltip_text (GTK_WIDGET (priv->status), status);
  gtk_widget_set_sensitive (GTK_WIDGET (priv->budget), free);
  if (klass->set_free != NULL)
    klass->set_free (self, free);
}

static void
exploration_changed_cb (SeamExploration *exploration, gboolean points, SeamSearchPage *self)
{
  if (points)
    update_points (self);
  update_status (self);
}

static void
pipeline_changed_cb (gpointer owner)
{
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (owner);

  if (klass->pipeline_changed != NULL)
    klass->pipeline_changed (owner);
}

static void
budget_changed_cb (SeamSearchPage *self)
{
  SeamSearchPagePrivate *priv = get_private (self);

  seam_exploration_set_budget (priv->exploration, gtk_spin_button_get_value (priv->budget));
}

static void
mapped_cb (SeamSearchPage *self)
{
  seam_exploration_set_wanted (get_private (self)->exploration,
                               gtk_widget_get_mapped (GTK_WIDGET (self)));
}

/* Words and actions of each kind. */

static void
name_button (GtkButton *button, const char *action, const char *verb, const char *what,
             const char *how)
{
  gtk_widget_set_visible (GTK_WIDGET (button), what != NULL);
  if (what == NULL)
    return;
  g_autofree char *detailed = g_strdup_printf ("win.%s-%s", action, what);
  g_autofree char *label = g_strdup_printf ("%s the %s", verb, what);
  g_autofree char *tooltip = g_strdup_printf ("%s %s", label, how);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), detailed);
  gtk_widget_set_tooltip_text (GTK_WIDGET (button), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
}

static void
name_widgets (SeamSearchPage *self, SeamSearchKind kind)
{
  SeamSearchPagePrivate *priv = get_private (self);
  const char *figure = SEAM_PAGE_GET_IFACE (self)->products[0];
  const SeamSearchWords *words = &seam_search_words[kind];
  g_autofree char *all = g_strdup_printf ("All %s", words->points);
  g_autofree char *csv = g_strdup_printf ("win.export-csv-%s", seam_search_kinds[kind].name);
  g_autofree char *budget = g_strdup_printf ("Budget of the %s in seconds", words->search);
  g_autofree char *tooltip = g_strdup_printf (
      "Time for measuring all %s together; it can be stopped and gone on with", words->points);

  name_button (priv->copy, "copy", "Copy", figure, "to the clipboard");
  name_button (priv->export, "export", "Export", figure, "as PNG, SVG or PDF");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (priv->export_table), csv);
  gtk_label_set_text (priv->table_title, all);
  gtk_widget_set_tooltip_text (GTK_WIDGET (priv->budget), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->budget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  budget, -1);
}

static void
begin (SeamPage *page, const SeamPageContext *context)
{
  SeamSearchPage *self = SEAM_SEARCH_PAGE (page);
  SeamSearchPagePrivate *priv = get_private (self);
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);
  SeamModel *model = context->model;
  SeamExploration *exploration = model->explorations.all[klass->kind];

  g_return_if_fail (priv->model == NULL);
  priv->model = g_object_ref (model);
  priv->exploration = g_object_ref (exploration);
  name_widgets (self, klass->kind);
  seam_figure_view_set_minimum_width (priv->figure, klass->minimum_width);
  seam_figure_view_set_focus_kinds (priv->figure, klass->hit_kind);
  seam_spin_button_read_typed (priv->budget, "s");
  gtk_spin_button_set_value (priv->budget, seam_exploration_get_budget (exploration));
  g_signal_connect_swapped (priv->budget, "value-changed", G_CALLBACK (budget_changed_cb), self);
  g_signal_connect_object (exploration, "changed", G_CALLBACK (exploration_changed_cb), self, 0);
  seam_watch (self, G_CALLBACK (pipeline_changed_cb), model->setup, "pipeline", NULL);
  seam_watch (self, G_CALLBACK (update_current), model->setup, "pipeline shape plans",
              model->advice, "estimate", NULL);
  seam_watch (self, G_CALLBACK (update_title), model->store, "viewing", NULL);
  g_signal_connect (self, "map", G_CALLBACK (mapped_cb), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (mapped_cb), NULL);
  if (klass->begin != NULL)
    klass->begin (self);
  exploration_changed_cb (exploration, TRUE, self);
  seam_search_choice_set_file (priv->searches, context->session, klass->kind);
}

static void
set_narrow (SeamPage *page, gboolean narrow)
{
  SeamSearchPage *self = SEAM_SEARCH_PAGE (page);
  SeamSearchPagePrivate *priv = get_private (self);
  SeamSearchPageClass *klass = SEAM_SEARCH_PAGE_GET_CLASS (self);

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
  return get_private (SEAM_SEARCH_PAGE (page))->exploration;
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
seam_search_page_add_choice (SeamSearchPage *self, GtkWidget *card)
{
  gtk_box_append (get_private (self)->choice_place, card);
  gtk_widget_set_visible (GTK_WIDGET (get_private (self)->choice_place), TRUE);
}

void
seam_search_page_add_tools (SeamSearchPage *self, GtkWidget *tools)
{
  gtk_box_append (get_private (self)->figure_tools, tools);
  gtk_widget_set_visible (GTK_WIDGET (get_private (self)->figure_tools), TRUE);
}

void
seam_search_page_add_side (SeamSearchPage *self, GtkWidget *card)
{
  gtk_box_append (get_private (self)->columns, card);
}

SeamFigureView *
seam_search_page_get_figure (SeamSearchPage *self)
{
  return get_private (self)->figure;
}

const SeamSearch *
seam_search_page_get_search (SeamSearchPage *self)
{
  return get_search (self);
}

SeamModel *
seam_search_page_get_model (SeamSearchPage *self)
{
  return get_private (self)->model;
}

SeamExploration *
seam_search_page_get_exploration (SeamSearchPage *self)
{
  return get_private (self)->exploration;
}

/* The widgets are released with the bin's child: gtk_widget_dispose_template() of GTK 4.8 fails
 * if a template contains another one. */
static void
seam_search_page_dispose (GObject *object)
{
  SeamSearchPagePrivate *priv = get_private (SEAM_SEARCH_PAGE (object));

  g_clear_object (&priv->exploration);
  g_clear_object (&priv->model);
  G_OBJECT_CLASS (seam_search_page_parent_class)->dispose (object);
}

static void
seam_search_page_class_init (SeamSearchPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = seam_search_page_dispose;
  SEAM_TEMPLATE_PRIVATE (klass, SeamSearchPage, "search-page.ui", title, counts, status, sentence,
                         table_title, provenance, budget, copy, export, export_table, searches,
                         choice_place, columns, table_place, table_card, figure, figure_tools);
}

static void
seam_search_page_init (SeamSearchPage *self)
{
  SeamSearchPagePrivate *priv = get_private (self);

  gtk_widget_init_template (GTK_WIDGET (self));
  seam_figure_view_set_builder (priv->figure, make_figure_cb, self, NULL);
  seam_figure_view_set_tooltip_func (priv->figure, describe_hit_cb, self);
  g_signal_connect (priv->figure, "hit-activated", G_CALLBACK (hit_activated_cb), self);
}
