/* SPDX-License-Identifier: MIT
 *
 * SeamSweepPage: the tab with the choice of fields that vary and plans that are compared, the
 * figure of what is measured so far, and every point as a table. Tells the exploration, which has
 * the logic (app/explore/sweep.h), the chosen directions and plans.
 */
#include "ui/search/search-page.h"

#include "ui/class/class.h"
#include "ui/search/sweep-axis.h"
#include "ui/widgets/template.h"

#include "app/figure/sweep-figure.h"
#include "app/report/search-tables.h"

#include <string.h>

#define FIGURE_MIN_WIDTH 420

G_DECLARE_FINAL_TYPE (SeamSweepPage, seam_sweep_page, SEAM, SWEEP_PAGE, SeamSearchPage)

struct _SeamSweepPage {
  SeamSearchPage parent_instance;

  const SeamPipeline *pipeline; /* pipeline that the choice is about; borrowed from the model */
  gboolean filling;
  guint choice_timeout;

  GtkWidget *choice_card;
  GtkBox *axes_place, *plans_place;
  SeamSweepAxisChoice *axes[2];
};

static void
page_init (SeamPageInterface *iface)
{
  static const char *const products[] = { "sweep", NULL };

  iface->name = "sweep";
  iface->title = "Sweep";
  iface->icon = "seam-sweep-symbolic";
  iface->products = products;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (SeamSweepPage, seam_sweep_page, SEAM_TYPE_SEARCH_PAGE,
                               G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

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
  seam_exploration_set_sweep (seam_search_page_get_exploration (SEAM_SEARCH_PAGE (self)), x, y,
                              (const char *const *)plans->pdata);
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

/* The named plans without exhibits, and the person's own plans A and B if they have no name. */
static void
fill_plans (SeamSweepPage *self, SeamPipeline *pipeline)
{
  static const char *const at_first[] = { "unfused", "published", "full", NULL };
  SeamModel *model = seam_search_page_get_model (SEAM_SEARCH_PAGE (self));
  g_auto (GStrv) names = seam_plan_list_names (pipeline);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->plans_place))) != NULL)
    gtk_box_remove (self->plans_place, child);
  for (int i = 0; names[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, names[i], NULL);

    if (plan != NULL && plan->chain == 0)
      add_plan (self, names[i], seam_plan_get_title (plan), g_strv_contains (at_first, names[i]));
  }
  for (int i = 0; i < seam_setup_get_n_plans (model->setup); i++) {
    const SeamPlan *plan = seam_setup_get_plan (model->setup, i);
    g_autofree char *label = g_strdup_printf ("Plan %c of Timing", 'A' + i);

    if (plan != NULL && plan->pipeline == pipeline && plan->chain == 0 && plan->name == NULL)
      add_plan (self, plan->notation, label, FALSE);
  }
}

static void
fill_choice (SeamSearchPage *page)
{
  SeamSweepPage *self = SEAM_SWEEP_PAGE (page);
  SeamModel *model = seam_search_page_get_model (page);
  SeamPipeline *pipeline = seam_setup_get_pipeline (model->setup);

  self->filling = TRUE;
  if (pipeline != self->pipeline)
    for (int i = 0; i < 2; i++)
      seam_sweep_axis_set_pipeline (self->axes[i], pipeline,
                                    seam_setup_get_request (model->setup)->values);
  self->pipeline = pipeline;
  fill_plans (self, pipeline);
  self->filling = FALSE;
  apply_choice (self);
}

static void
set_free (SeamSearchPage *page, gboolean free)
{
  gtk_widget_set_sensitive (SEAM_SWEEP_PAGE (page)->choice_card, free);
}

/* --- the points --- */

static char *
count (SeamSearchPage *page, const SeamSearch *search)
{
  const SeamSweep *sweep = search->sweep;
  int n_shapes = seam_sweep_get_n_x (sweep) * seam_sweep_get_n_y (sweep);

  return g_strdup_printf ("%d shape%s × %d plan%s, %d points", n_shapes, n_shapes == 1 ? "" : "s",
                          sweep->n_plans, sweep->n_plans == 1 ? "" : "s", search->n_points);
}

static SeamFigure *
make_figure (SeamSearchPage *page, const SeamSearch *search, double width)
{
  SeamSetup *setup = seam_search_page_get_model (page)->setup;
  SeamPlan *listed[SEAM_MAX_CHOSEN_PLANS];
  int n = seam_setup_get_n_plans (setup);

  for (int i = 0; i < n; i++)
    listed[i] = seam_setup_get_plan (setup, i);
  seam_sweep_set_letters (search->sweep, listed, n);
  return seam_sweep_figure_new (search->sweep, width);
}

static char *
describe (SeamSearchPage *page, const SeamSearch *search)
{
  return seam_sweep_describe (search->sweep);
}

static SeamTable *
make_table (SeamSearchPage *page, const SeamSearch *search)
{
  return seam_points_table_make (search->sweep);
}

static int
find_point (SeamSearchPage *page, const SeamSearch *search, const SeamHit *hit)
{
  int n_plans = search->sweep->n_plans, n_shapes = search->n_points / n_plans;

  if (hit->index < 0 || hit->index >= n_shapes || hit->plan < 0 || hit->plan >= n_plans)
    return -1;
  return hit->index * n_plans + hit->plan;
}

static void
find_hit (SeamSearchPage *page, const SeamSearch *search, int point, SeamHit *hit)
{
  hit->plan = point % search->sweep->n_plans;
  hit->index = point / search->sweep->n_plans;
}

static char *
describe_point (SeamSearchPage *page, const SeamSearch *search, int point)
{
  g_autofree char *text = seam_sweep_describe_point (search->sweep, point);

  return g_strdup_printf ("%s\nClick or press Space: this shape, and %s as plan B.", text,
                          search->points[point].plan);
}

/* Makes it plan B, with the point's shape. */
static void
take_point (SeamSearchPage *page, const SeamSearch *search, int index)
{
  const SeamPoint *point = &search->points[index];
  g_autoptr (SeamPlan) plan = seam_plan_parse (search->request->pipeline, point->plan, NULL);

  if (plan != NULL)
    seam_setup_take_point (seam_search_page_get_model (page)->setup, point->values, plan);
}

/* The current shape must be the point's shape, too. */
static int
find_current (SeamSearchPage *page, const SeamSearch *search)
{
  SeamModel *model = seam_search_page_get_model (page);
  SeamPipeline *pipeline = search->request->pipeline;
  const gint64 *values = seam_setup_get_values (model->setup);

  for (int i = 0; i < search->n_points; i++) {
    const SeamPoint *point = &search->points[i];
    g_autoptr (SeamPlan) plan = NULL;

    if (memcmp (point->values, values, sizeof *values * (gsize)pipeline->n_fields) != 0)
      continue;
    plan = seam_plan_parse (pipeline, point->plan, NULL);
    if (plan != NULL && seam_plan_equal (plan, seam_setup_get_plan (model->setup, 1)))
      return i;
  }
  return -1;
}

static void
set_narrow (SeamSearchPage *page, gboolean narrow)
{
  for (gsize i = 0; i < G_N_ELEMENTS (SEAM_SWEEP_PAGE (page)->axes); i++)
    seam_sweep_axis_set_narrow (SEAM_SWEEP_PAGE (page)->axes[i], narrow);
}

/* --- the object --- */

static void
stop_listening (SeamSweepPage *self)
{
  self->filling = TRUE;
}

static void
seam_sweep_page_class_init (SeamSweepPageClass *klass)
{
  SeamSearchPageClass *page_class = SEAM_SEARCH_PAGE_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (stop_listening));
  SEAM_OWNS (klass, SeamSweepPage, g_source_remove, choice_timeout);
  page_class->kind = SEAM_SEARCH_SWEEP;
  page_class->hit_kind = SEAM_HIT_SAMPLE;
  page_class->minimum_width = FIGURE_MIN_WIDTH;
  page_class->begin = fill_choice;
  page_class->count = count;
  page_class->make_figure = make_figure;
  page_class->describe = describe;
  page_class->make_table = make_table;
  page_class->find_point = find_point;
  page_class->find_hit = find_hit;
  page_class->describe_point = describe_point;
  page_class->take_point = take_point;
  page_class->find_current = find_current;
  page_class->set_free = set_free;
  page_class->set_narrow = set_narrow;
  page_class->pipeline_changed = fill_choice;
  SEAM_TEMPLATE (klass, SeamSweepPage, "sweep-page.ui", choice_card, axes_place, plans_place);
}

static void
seam_sweep_page_init (SeamSweepPage *self)
{
  static const char *const titles[] = { "Vary", "and" };

  gtk_widget_init_template (GTK_WIDGET (self));
  for (int i = 0; i < 2; i++) {
    self->axes[i] = SEAM_SWEEP_AXIS (seam_sweep_axis_new (titles[i], i > 0));
    g_signal_connect_swapped (self->axes[i], "changed", G_CALLBACK (choice_changed_cb), self);
    gtk_box_append (self->axes_place, GTK_WIDGET (self->axes[i]));
  }
  seam_search_page_add_choice (SEAM_SEARCH_PAGE (self), self->choice_card);
}
