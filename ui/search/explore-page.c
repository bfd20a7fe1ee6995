/* SPDX-License-Identifier: MIT
 *
 * SeamExplorePage: the lattice of all partitions as they are predicted and measured, the node that
 * is plan B, what each seam is worth, and all partitions as a table. The node follows every cut,
 * the value of each seam every point.
 */
#include "ui/search/search-page.h"

#include "ui/widgets/figure-zoom.h"
#include "ui/widgets/label.h"
#include "ui/widgets/template.h"

#include "app/figure/lattice-figure.h"
#include "app/report/partitions.h"
#include "app/report/search-tables.h"

#include <math.h>

#define SIDE_WIDTH        440
#define LATTICE_MIN_WIDTH 460 /* so that the window can become narrow beside the side column */

enum { FACT_TIME, FACT_PREDICTED, FACT_KERNELS, FACT_TRAFFIC, FACT_ERROR, FACT_EXECUTED, N_FACTS };

G_DECLARE_FINAL_TYPE (SeamExplorePage, seam_explore_page, SEAM, EXPLORE_PAGE, SeamSearchPage)

struct _SeamExplorePage {
  SeamSearchPage parent_instance;

  SeamExploreView *view; /* NULL: no search */
  AdwClamp *side;
  GtkWidget *worth_card, *pairs_card;
  GtkLabel *node_title, *node_marks, *node_notation, *node_headline, *node_message;
  GtkGrid *facts;
  GtkLabel *fact_values[N_FACTS];
  GtkButton *run;
  GtkBox *worth_place, *pairs_place, *tools;
  GtkLabel *hidden;
  GtkCheckButton *show_all;
  int shown_node; /* the one that is plan B in the lattice; -1: none */
  GtkLabel *worth_unit, *worth_note, *pairs_unit;
};

static void
page_init (SeamPageInterface *iface)
{
  static const char *const products[] = { "lattice", NULL };

  iface->name = "explore";
  iface->title = "Explore";
  iface->icon = "seam-explore-symbolic";
  iface->products = products;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (SeamExplorePage, seam_explore_page, SEAM_TYPE_SEARCH_PAGE,
                               G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

/* The lattice. */

static char *
count (SeamSearchPage *page, const SeamSearch *search)
{
  int n_seams = SEAM_EXPLORE_PAGE (page)->view->n_seams;

  return g_strdup_printf ("%d seam%s, %d partition%s", n_seams, n_seams == 1 ? "" : "s",
                          search->n_points, search->n_points == 1 ? "" : "s");
}

static SeamFigure *
make_figure (SeamSearchPage *page, const SeamSearch *search, double width)
{
  SeamExplorePage *self = SEAM_EXPLORE_PAGE (page);
  SeamLatticeOptions options = { .width = width,
                                 .show_all = gtk_check_button_get_active (self->show_all),
                                 .selected = self->shown_node };

  return seam_lattice_figure_new (search, SEAM_EXPLORE_PAGE (page)->view, &options);
}

static SeamTable *
make_table (SeamSearchPage *page, const SeamSearch *search)
{
  return seam_partitions_table_make (search, SEAM_EXPLORE_PAGE (page)->view, NULL,
                                     search->n_points);
}

static int
find_point (SeamSearchPage *page, const SeamSearch *search, const SeamHit *hit)
{
  return hit->index >= 0 && hit->index < search->n_points ? hit->index : -1;
}

static void
find_hit (SeamSearchPage *page, const SeamSearch *search, int point, SeamHit *hit)
{
  hit->index = point;
}

static char *
describe_point (SeamSearchPage *page, const SeamSearch *search, int point)
{
  g_autofree char *text =
      seam_lattice_describe_node (search, SEAM_EXPLORE_PAGE (page)->view, point);

  return g_strconcat (text, "\nClick or press Space: it becomes plan B.", NULL);
}

static void
take_point (SeamSearchPage *page, const SeamSearch *search, int point)
{
  g_autoptr (SeamPlan) plan = seam_plan_new (search->request->pipeline, 0, (guint32)point);

  seam_setup_set_plan (seam_search_page_get_model (page)->setup, 1, plan);
}

/* The point that is plan B; -1: none, for example because the plan is of another chain. */
static int
find_current (SeamSearchPage *page, const SeamSearch *search)
{
  SeamPlan *plan =
      seam_measurement_get_shown_plan (seam_search_page_get_model (page)->measurement, 1);
  guint32 fused;

  if (plan == NULL || plan->chain != 0 || plan->pipeline != search->request->pipeline)
    return -1;
  fused = seam_plan_get_fused_seams (plan);
  return fused < (guint32)search->n_points ? (int)fused : -1;
}

/* Explains why times change after their batch. */
static char *
describe (SeamSearchPage *page, const SeamSearch *search)
{
  return seam_search_describe_drift (search);
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
format_headline (const SeamSearch *search, const SeamExploreView *view, int node)
{
  g_autoptr (SeamVerdict) verdict = seam_search_judge (search, node);

  if (seam_point_is_wrong (&search->points[node]))
    return g_strdup_printf ("Its output is %s", seam_point_get_fault (&search->points[node]));
  if (isnan (view->times_ns[node]))
    return g_strdup ("Not measured yet");
  if (node == 0)
    return g_strdup ("What the others are compared with");
  if (verdict == NULL)
    return seam_text_time (view->times_ns[node]);
  return seam_point_describe_verdict (verdict, search->against);
}

static void
set_fact (SeamExplorePage *self, int fact, char *text)
{
  gtk_label_set_text (self->fact_values[fact], text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->fact_values[fact]), text);
  g_free (text);
}

/* A partition's time comes from its batch; samples, kernels and verdict come from a run. The
 * button says whether it starts that run or shows it. */
static gboolean
has_run (SeamExplorePage *self)
{
  SeamMeasurement *measurement = seam_search_page_get_model (SEAM_SEARCH_PAGE (self))->measurement;

  return seam_measurement_get_result (measurement) != NULL
         && seam_measurement_get_stale_reason (measurement) == NULL;
}

static void
update_run_button (SeamExplorePage *self)
{
  SeamModel *model = seam_search_page_get_model (SEAM_SEARCH_PAGE (self));
  gboolean shows =
      has_run (self) || seam_measurement_get_state (model->measurement) != SEAM_RUN_IDLE;
  const char *blocker = seam_measurement_get_blocker (model->measurement);

  gtk_button_set_label (self->run, shows ? "Show in Timing" : "Run in Timing");
  gtk_widget_set_sensitive (GTK_WIDGET (self->run), shows || blocker == NULL);
  gtk_widget_set_tooltip_text (
      GTK_WIDGET (self->run),
      shows             ? "The run of these plans"
      : blocker != NULL ? blocker
                        : "Measures plan A and this plan with samples, kernels and a verdict");
}

static void
run_clicked_cb (SeamExplorePage *self)
{
  SeamMeasurement *measurement = seam_search_page_get_model (SEAM_SEARCH_PAGE (self))->measurement;
  gboolean is_wanted = !has_run (self) && seam_measurement_get_state (measurement) == SEAM_RUN_IDLE;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "timing");
  if (is_wanted)
    seam_measurement_run (measurement);
}

static void
begin (SeamSearchPage *page)
{
  SeamModel *model = seam_search_page_get_model (page);

  seam_watch (page, G_CALLBACK (update_run_button), model->setup,
              "pipeline shape plans options targets", model->advice, "estimate", model->measurement,
              "state result", NULL);
}

/* For another chain, or another pipeline's search. */
static void
show_no_node (SeamExplorePage *self)
{
  SeamPlan *plan =
      seam_setup_get_plan (seam_search_page_get_model (SEAM_SEARCH_PAGE (self))->setup, 1);

  gtk_label_set_text (self->node_title, plan != NULL ? seam_plan_get_title (plan) : "");
  gtk_label_set_text (self->node_marks, "");
  gtk_label_set_text (self->node_notation, "");
  gtk_label_set_text (self->node_headline, "This plan is no partition of the chain.");
  for (int i = 0; i < N_FACTS; i++)
    set_fact (self, i, g_strdup (SEAM_DASH));
  gtk_widget_set_visible (GTK_WIDGET (self->node_message), FALSE);
}

static void
show_current (SeamSearchPage *page, const SeamSearch *search, int node)
{
  SeamExplorePage *self = SEAM_EXPLORE_PAGE (page);

  update_run_button (self);
  /* A lattice of many nodes shows the path to plan B. */
  if (node != self->shown_node && search->n_points > SEAM_EXPLORE_SHOWS_ALL)
    seam_figure_view_invalidate (seam_search_page_get_figure (page));
  self->shown_node = node;
  if (node < 0) {
    show_no_node (self);
    return;
  }
  const SeamPoint *point = &search->points[node];
  g_autoptr (SeamPlan) plan = seam_plan_new (search->request->pipeline, 0, (guint32)node);
  g_autofree char *marks = seam_partitions_describe_marks (search, self->view, node);
  g_autofree char *headline = format_headline (search, self->view, node);
  int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;
  double time_ns = self->view->times_ns[node];

  gtk_label_set_text (self->node_title,
                      plan->name != NULL ? seam_plan_get_title (plan) : "A partition of its own");
  gtk_label_set_text (self->node_marks, marks);
  gtk_label_set_text (self->node_notation, plan->notation);
  gtk_label_set_text (self->node_headline, headline);
  set_fact (self, FACT_TIME, isnan (time_ns) ? g_strdup (SEAM_DASH) : format_time (point, time_ns));
  set_fact (self, FACT_PREDICTED, seam_point_describe_prediction (point));
  set_fact (self, FACT_KERNELS,
            n_kernels >= 0 ? seam_text_count (n_kernels) : g_strdup (SEAM_DASH));
  set_fact (self, FACT_TRAFFIC, seam_text_bytes (point->bytes));
  set_fact (self, FACT_ERROR, seam_text_scientific (point->max_abs));
  set_fact (self, FACT_EXECUTED, g_strdup (point->executed != NULL ? point->executed : SEAM_DASH));
  gtk_label_set_text (self->node_message, point->message != NULL ? point->message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->node_message), point->message != NULL);
}

/* The value of the seams. */

static void
update_seams (SeamExplorePage *self, const SeamSearch *search)
{
  SeamUnit unit = seam_partitions_get_unit (self->view, search);
  g_autofree char *saved = g_strdup_printf ("%s saved by fusing it", unit.name);
  g_autofree char *extra = g_strdup_printf ("%s saved beyond both alone, mean", unit.name);
  g_autofree char *sentence = seam_lattice_describe_worth (search, self->view);
  g_autofree char *note = g_strdup_printf (
      "%s%sAlone: fused into the unfused plan. Mean: over all contexts. Best: the best plan with "
      "it against the best without. Traffic: modelled, at full rate.",
      sentence != NULL ? sentence : "", sentence != NULL ? "\n" : "");
  SeamTable *worth = seam_worth_table_make (search, self->view);
  SeamTable *pairs = seam_pairs_table_make (search, self->view);

  /* As wide as the card; the note explains the columns. */
  seam_table_set_title (worth, "company", "Best");
  seam_table_set_title (worth, "traffic", "Traffic");
  for (int i = 1; i < seam_table_get_n_columns (pairs); i++) {
    g_autofree char *number = g_strdup_printf ("%d", i + 1);
    seam_table_set_title (pairs, seam_table_get_column (pairs, i)->name, number);
  }
  seam_search_page_show_table (self->worth_place, worth, FALSE, "What each seam is worth");
  seam_search_page_show_table (self->pairs_place, pairs, FALSE, "Pairs of seams");
  gtk_label_set_text (self->worth_unit, saved);
  gtk_label_set_text (self->pairs_unit, extra);
  gtk_label_set_text (self->worth_note, note);
  gtk_widget_set_visible (self->worth_card, self->view->n_seams > 0);
  gtk_widget_set_visible (self->pairs_card, self->view->n_seams > 1);
}

/* What the lattice leaves out. */

static void
update_hidden (SeamExplorePage *self, const SeamSearch *search)
{
  g_autofree char *hidden = seam_explore_describe_hidden (search, self->view);
  g_autofree char *all = g_strdup_printf ("Show all %d partitions", search->n_points);

  gtk_check_button_set_label (self->show_all, all);
  gtk_widget_set_visible (GTK_WIDGET (self->show_all), hidden != NULL);
  gtk_label_set_text (self->hidden, hidden != NULL ? hidden : "");
  gtk_widget_set_visible (GTK_WIDGET (self->hidden),
                          hidden != NULL && !gtk_check_button_get_active (self->show_all));
}

static void
show_all_toggled_cb (SeamExplorePage *self)
{
  SeamSearchPage *page = SEAM_SEARCH_PAGE (self);

  update_hidden (self, seam_search_page_get_search (page));
  seam_figure_view_invalidate (seam_search_page_get_figure (page));
}

static void
fill (SeamSearchPage *page, const SeamSearch *search)
{
  SeamExplorePage *self = SEAM_EXPLORE_PAGE (page);

  g_clear_pointer (&self->view, seam_owner_free);
  if (search == NULL)
    return;
  self->view = seam_explore_view_new (search);
  update_seams (self, search);
  update_hidden (self, search);
}

static void
set_narrow (SeamSearchPage *page, gboolean narrow)
{
  AdwClamp *side = SEAM_EXPLORE_PAGE (page)->side;

  adw_clamp_set_maximum_size (side, narrow ? G_MAXINT16 : SIDE_WIDTH);
  adw_clamp_set_tightening_threshold (side, narrow ? G_MAXINT16 : SIDE_WIDTH);
}

static void
seam_explore_page_class_init (SeamExplorePageClass *klass)
{
  SeamSearchPageClass *page_class = SEAM_SEARCH_PAGE_CLASS (klass);

  SEAM_OWNS (klass, SeamExplorePage, seam_owner_free, view);
  page_class->kind = SEAM_SEARCH_EXPLORE;
  page_class->hit_kind = SEAM_HIT_NODE;
  page_class->minimum_width = LATTICE_MIN_WIDTH;
  page_class->fill = fill;
  page_class->begin = begin;
  page_class->count = count;
  page_class->make_figure = make_figure;
  page_class->make_table = make_table;
  page_class->describe = describe;
  page_class->find_point = find_point;
  page_class->find_hit = find_hit;
  page_class->describe_point = describe_point;
  page_class->take_point = take_point;
  page_class->find_current = find_current;
  page_class->show_current = show_current;
  page_class->set_narrow = set_narrow;
  SEAM_TEMPLATE (klass, SeamExplorePage, "explore-page.ui", side, worth_card, pairs_card,
                 node_title, node_marks, node_notation, node_headline, node_message, facts, run,
                 worth_place, pairs_place, worth_unit, worth_note, pairs_unit, tools, hidden,
                 show_all);
}

static void
make_facts (SeamExplorePage *self)
{
  static const char *const titles[N_FACTS] = {
    [FACT_TIME] = "Measured",
    [FACT_PREDICTED] = "Guess",
    [FACT_KERNELS] = "Kernels",
    [FACT_TRAFFIC] = "Traffic, modelled",
    [FACT_ERROR] = "Largest difference from unfused",
    [FACT_EXECUTED] = "Executed",
  };

  for (int i = 0; i < N_FACTS; i++) {
    GtkWidget *value = seam_label_new (NULL, "small-text", SEAM_LABEL_SHORTENS);

    gtk_label_set_xalign (GTK_LABEL (value), 1);
    gtk_widget_set_hexpand (value, TRUE);
    gtk_grid_attach (self->facts, seam_label_new (titles[i], "dim-label small-text", 0), 0, i, 1,
                     1);
    gtk_grid_attach (self->facts, value, 1, i, 1, 1);
    self->fact_values[i] = GTK_LABEL (value);
  }
}

static void
seam_explore_page_init (SeamExplorePage *self)
{
  SeamSearchPage *page = SEAM_SEARCH_PAGE (self);

  gtk_widget_init_template (GTK_WIDGET (self));
  make_facts (self);
  g_signal_connect_swapped (self->run, "clicked", G_CALLBACK (run_clicked_cb), self);
  adw_clamp_set_maximum_size (self->side, SIDE_WIDTH);
  adw_clamp_set_tightening_threshold (self->side, SIDE_WIDTH);
  self->shown_node = -1;
  seam_search_page_add_side (page, GTK_WIDGET (self->side));
  gtk_box_append (self->tools,
                  seam_figure_zoom_new (seam_search_page_get_figure (page), LATTICE_MIN_WIDTH));
  seam_search_page_add_tools (page, GTK_WIDGET (self->tools));
  g_signal_connect_swapped (self->show_all, "toggled", G_CALLBACK (show_all_toggled_cb), self);
}
