/* SPDX-License-Identifier: MIT
 *
 * SeamTrafficPage: which bytes move and where the time goes. The ledger has the modelled bytes of
 * the two current plans, anew with every cut, and, from a result of these plans, its counters; the
 * waterfall goes from the time of A to that of B; then the roofline.
 */
#include "ui/page/page.h"

#include "ui/class/class.h"
#include "ui/widgets/compared-choice.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/gtk-repairs.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/template.h"
#include "ui/widgets/verdict-line.h"
#include "ui/widgets/table-view.h"
#include "ui/widgets/text-scale.h"

#include "app/report/groups-table.h"
#include "app/report/ledger-table.h"
#include "app/figure/roofline-figure.h"
#include "app/figure/waterfall-figure.h"

#include <math.h>

#define WATERFALL_WIDTH     372
#define WATERFALL_MIN_WIDTH 340
#define ROOFLINE_MIN_WIDTH  380
/* Of the page, px: from here the waterfall stands beside the ledger, and from here the ledger has
 * room for shapes, with the waterfall beside or below it. */
#define BESIDE_WIDTH       1160
#define SHAPES_WIDTH       1220
#define SHAPES_WIDTH_BELOW 840

#define SEAM_TYPE_TRAFFIC_PAGE (seam_traffic_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTrafficPage, seam_traffic_page, SEAM, TRAFFIC_PAGE, AdwBin)

struct _SeamTrafficPage {
  AdwBin parent_instance;

  SeamModel *model;
  gboolean without_shapes;
  SeamResult *shown; /* result of waterfall and roofline */
  int compared;      /* index of its plan beside A; -1: there is only one */
  SeamWaterfall *waterfall;
  SeamRoofline *roofline;

  SeamVerdictLine *verdict;
  SeamComparedChoice *choice;
  GtkScrolledWindow *scroller;
  GtkBox *columns;
  AdwClamp *waterfall_clamp;
  GtkBox *ledger_place, *groups_place;
  SeamTableView *ledger_table, *group_table;
  GtkLabel *modelled, *counted, *ledger_note;
  GtkWidget *waterfall_card, *roofline_card;
  SeamFigureView *waterfall_view, *roofline_view;
  GtkLabel *waterfall_note, *roofline_note, *provenance;
};

static void page_init (SeamPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SeamTrafficPage, seam_traffic_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

/* Ledger. */

/* The result if it belongs to the current plans. */
static SeamResult *
get_current_result (SeamTrafficPage *self)
{
  SeamResult *result = seam_measurement_get_result (self->model->measurement);

  return result != NULL && seam_measurement_get_compared (self->model->measurement) > 0
                 && seam_measurement_get_stale_reason (self->model->measurement) == NULL
             ? result
             : NULL;
}

static char *
format_named (SeamTable *table, int row, const char *column)
{
  return seam_table_format_cell (table, row, seam_table_get_column_index (table, column));
}

/* A total of the ledger, which the page shows, not the table. */
static char *
describe_total (SeamTable *table, int row, const double *sums, const SeamTrafficLedger *ledger)
{
  char letter = ledger->letters[1];
  g_autofree char *title = format_named (table, row, "tensor");
  g_autofree char *a = format_named (table, row, "a-read");
  g_autofree char *b = format_named (table, row, "b-read");
  g_autofree char *change = format_named (table, row, "change");
  const char *unit = seam_table_get_unit (table, seam_table_get_column_index (table, "size"));

  if (!(sums[0] > 0) && !(sums[1] > 0))
    return g_strdup_printf ("<b>%s</b>  %s", title, ledger->not_measured);
  return g_strdup_printf ("<b>%s</b>  A %s, %c %s %s, %c − A %s %s", title, a, letter, b, unit,
                          letter, *change != '\0' ? change : SEAM_DASH, unit);
}

/* The copies that the target expects for a plan, and whether these are all. */
static gboolean
expect_copies (SeamTrafficPage *self, int index, SeamExpectedCopies *copies)
{
  const SeamPlanEstimate *estimate =
      seam_measurement_get_plan_estimate (self->model->measurement, index);

  for (int i = 0; estimate != NULL && i < estimate->n_groups; i++)
    copies->bytes[i] = estimate->groups[i].copied_bytes;
  return estimate == NULL || seam_plan_estimate_knows_copies (estimate);
}

static void
update_ledger (SeamTrafficPage *self)
{
  const SeamProblem *problem = seam_setup_get_problem (self->model->setup);
  SeamResult *result = get_current_result (self);
  g_autoptr (SeamTrafficLedger) ledger = NULL;
  SeamPlan *plans[2];

  /* A result that no longer fits may have one plan more than are chosen now. */
  int n_plans = result != NULL ? seam_measurement_get_n_plans (self->model->measurement)
                               : seam_setup_get_n_plans (self->model->setup);
  int second = CLAMP (seam_measurement_get_compared (self->model->measurement), 1, n_plans - 1);
  SeamExpectedCopies copies[2] = { 0 };
  gboolean knows_copies = TRUE;
  gboolean covered = seam_measurement_covers_model (self->model->measurement);

  gtk_widget_set_visible (GTK_WIDGET (self->columns), !covered);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->groups_place)), !covered);
  if (problem == NULL || covered)
    return;
  /* A result has the plans as they ran; without one the plans are as the target would run them. */
  for (int side = 0; side < 2; side++) {
    int index = side == 0 ? 0 : second;

    plans[side] = result != NULL
                      ? seam_measurement_get_plan (self->model->measurement, index)
                      : seam_measurement_get_shown_plan (self->model->measurement, index);
    knows_copies &= expect_copies (self, index, &copies[side]);
  }
  ledger = seam_traffic_ledger_new (problem, plans[0], plans[1], result, 0, second, copies);
  seam_table_view_set_pitfalls (self->ledger_table, result != NULL ? result->pitfalls : NULL);
  seam_table_view_set_pitfalls (self->group_table, result != NULL ? result->pitfalls : NULL);

  g_autoptr (SeamTable) by_tensor = seam_ledger_table_make (ledger);
  g_autoptr (SeamTable) by_group = seam_groups_table_make (ledger);
  seam_table_view_set_table (self->ledger_table, by_tensor);
  seam_table_view_set_table (self->group_table, by_group);
  g_autofree char *modelled = describe_total (by_tensor, ledger->n_rows, ledger->modelled, ledger);
  g_autofree char *counted =
      describe_total (by_tensor, ledger->n_rows + 1, ledger->measured, ledger);
  g_autofree char *words = seam_traffic_ledger_describe (ledger);
  g_autofree char *note = result == NULL && !knows_copies
                              ? g_strconcat (words, " ", SEAM_ESTIMATE_NO_COPIES, NULL)
                              : g_strdup (words);
  gtk_label_set_markup (self->modelled, modelled);
  gtk_label_set_markup (self->counted, counted);
  gtk_label_set_text (self->ledger_note, note);
}

/* Waterfall and roofline. */

static SeamFigure *
build_waterfall_cb (double width, double height, gpointer data)
{
  SeamTrafficPage *self = data;

  return self->waterfall != NULL ? seam_waterfall_figure_new (self->waterfall, width, 0) : NULL;
}

static SeamFigure *
build_roofline_cb (double width, double height, gpointer data)
{
  SeamTrafficPage *self = data;

  return self->roofline != NULL ? seam_roofline_figure_new (self->roofline, width, 0) : NULL;
}

static char *
describe_step_cb (const SeamHit *hit, gpointer data)
{
  SeamTrafficPage *self = data;

  if (self->waterfall == NULL || hit->kind != SEAM_HIT_OP || hit->index < 0
      || hit->index >= self->waterfall->n_steps)
    return NULL;
  return g_strdup (self->waterfall->steps[hit->index].detail);
}

static char *
describe_point_cb (const SeamHit *hit, gpointer data)
{
  SeamTrafficPage *self = data;

  for (int i = 0; self->roofline != NULL && i < self->roofline->n_points; i++) {
    const SeamRooflinePoint *point = &self->roofline->points[i];
    if (hit->kind == SEAM_HIT_SAMPLE && hit->plan == point->side && hit->index == point->kernel + 1
        && hit->row == point->is_cache)
      return seam_roofline_describe_point (self->roofline, point);
  }
  return NULL;
}

static void
take_result (SeamTrafficPage *self, SeamResult *result)
{
  g_clear_pointer (&self->waterfall, seam_owner_free);
  g_clear_pointer (&self->roofline, seam_owner_free);
  if (result != self->shown) {
    seam_figure_view_set_selected (self->roofline_view, NULL);
    seam_figure_view_set_beside (self->roofline_view, NULL);
  }
  g_clear_pointer (&self->shown, seam_result_unref);
  self->shown = result != NULL ? seam_result_ref (result) : NULL;
}

static void
update_result (SeamTrafficPage *self)
{
  SeamResult *result = seam_measurement_get_result (self->model->measurement);
  const char *held = seam_measurement_get_held (self->model->measurement);
  const char *stale =
      result != NULL ? seam_measurement_get_stale_reason (self->model->measurement) : NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL, *provenance = NULL;
  int compared = seam_measurement_get_compared (self->model->measurement);

  if (result != self->shown || compared != self->compared)
    take_result (self, result);
  self->compared = compared;
  if (result != NULL && compared > 0 && self->waterfall == NULL)
    self->waterfall = seam_waterfall_new (result, 0, compared, &error);
  if (result != NULL && compared > 0 && self->roofline == NULL)
    self->roofline = seam_roofline_new (result, 0, compared, error == NULL ? &error : NULL);

  gtk_label_set_text (self->waterfall_note,
                      stale != NULL               ? stale
                      : held != NULL              ? held
                      : result == NULL            ? "Run both plans to see where the time goes."
                      : compared < 0              ? "Only one plan was run: run both."
                      : self->waterfall == NULL   ? (error != NULL ? error->message : "")
                      : self->waterfall->sentence ? self->waterfall->sentence
                                                  : "");
  if (stale != NULL || held != NULL)
    note = g_strdup (stale != NULL ? stale : held);
  else if (self->roofline != NULL)
    note = seam_roofline_describe (self->roofline,
                                   result->device != NULL ? result->device->rates_source : NULL);
  else
    note = g_strdup ("Run both plans to see how close kernels come to the limits of this device.");
  gtk_label_set_text (self->roofline_note, note);
  gtk_widget_set_visible (GTK_WIDGET (self->waterfall_view), self->waterfall != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->roofline_view), self->roofline != NULL);
  seam_css_class_set (self->waterfall_card, "stale", stale != NULL);
  seam_css_class_set (self->roofline_card, "stale", stale != NULL);
  seam_figure_view_invalidate (self->waterfall_view);
  seam_figure_view_invalidate (self->roofline_view);

  provenance = seam_store_get_provenance (self->model->store);
  seam_page_show_provenance (self->provenance, provenance);
}

/* A page that is shown for the first time has its points only after a frame. */
static gboolean
show_point_cb (GtkWidget *view, GdkFrameClock *clock, gpointer data)
{
  GtkWidget *point;

  if (!gtk_widget_get_mapped (view))
    return G_SOURCE_REMOVE;
  gtk_widget_grab_focus (view);
  point = gtk_widget_get_focus_child (view);
  if (point == NULL || gtk_widget_get_width (point) == 0)
    return G_SOURCE_CONTINUE;
  seam_gtk_scroll_to (point, 0.5);
  return G_SOURCE_REMOVE;
}

static void
show_roofline_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamTrafficPage *self = data;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "traffic");
  if (self->roofline != NULL && self->roofline->n_points > 0)
    gtk_widget_add_tick_callback (GTK_WIDGET (self->roofline_view), show_point_cb, NULL, NULL);
}

/* Chosen on page Timing: a kernel, and the one beside it (-1: none), each as plan and index. */
static void
mark_kernels_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamTrafficPage *self = data;
  SeamHit hits[2] = { { .kind = SEAM_HIT_SAMPLE }, { .kind = SEAM_HIT_SAMPLE } };
  int compared = seam_measurement_get_compared (self->model->measurement);

  g_variant_get (parameter, "(iiii)", &hits[0].plan, &hits[0].index, &hits[1].plan, &hits[1].index);
  for (int i = 0; i < 2; i++) {
    int side = hits[i].plan == 0 ? 0 : hits[i].plan == compared ? 1 : -1;

    hits[i].plan = side;
    hits[i].index++;
  }
  seam_figure_view_set_selected (self->roofline_view, &hits[0]);
  seam_figure_view_set_beside (self->roofline_view, &hits[1]);
}

static void
begin (SeamPage *page, const SeamPageContext *context)
{
  SeamTrafficPage *self = SEAM_TRAFFIC_PAGE (page);
  SeamModel *model = context->model;

  static const GActionEntry actions[] = { { "show-roofline", show_roofline_cb },
                                          { "mark-kernels", mark_kernels_cb, "(iiii)" } };

  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  g_action_map_add_action_entries (context->actions, actions, G_N_ELEMENTS (actions), self);
  seam_verdict_line_set_model (self->verdict, model);
  seam_compared_choice_set_model (self->choice, model);
  seam_watch (self, G_CALLBACK (update_ledger), model->setup, "pipeline shape plans", model->advice,
              "estimate", model->measurement, "state result", NULL);
  seam_watch (self, G_CALLBACK (update_result), model->setup, "pipeline", model->measurement,
              "state result", NULL);
  update_ledger (self);
  update_result (self);
}

/* The waterfall stands beside the ledger if the ledger's numbers are whole then. */
static void
arrange (SeamTrafficPage *self, gboolean below)
{
  int width = below ? G_MAXINT16 : WATERFALL_WIDTH;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns),
                                  below ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  adw_clamp_set_maximum_size (self->waterfall_clamp, width);
  adw_clamp_set_tightening_threshold (self->waterfall_clamp, width);
}

/* Called when layout has ended, so that it may change. */
static void
resized_cb (SeamTrafficPage *self)
{
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->scroller);
  double width = gtk_adjustment_get_page_size (across) / seam_text_scale_get ();
  gboolean below = width < BESIDE_WIDTH;
  gboolean without_shapes = width < (below ? SHAPES_WIDTH_BELOW : SHAPES_WIDTH);

  arrange (self, below);
  if (without_shapes != self->without_shapes)
    seam_table_view_set_narrow (self->ledger_table, without_shapes);
  self->without_shapes = without_shapes;
}

static void
set_narrow (SeamPage *page, gboolean narrow)
{
  seam_table_view_set_narrow (SEAM_TRAFFIC_PAGE (page)->group_table, narrow);
}

static void
page_init (SeamPageInterface *iface)
{
  static const char *const products[] = { "traffic", "roofline", NULL };

  iface->name = "traffic";
  iface->title = "Traffic";
  iface->icon = "seam-traffic-symbolic";
  iface->products = products;
  iface->begin = begin;
  iface->set_narrow = set_narrow;
}

static void
let_go (SeamTrafficPage *self)
{
  take_result (self, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_TRAFFIC_PAGE);
}

static void
seam_traffic_page_class_init (SeamTrafficPageClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (let_go));
  SEAM_OWNS (klass, SeamTrafficPage, g_object_unref, model);
  SEAM_TEMPLATE (klass, SeamTrafficPage, "traffic-page.ui", scroller, columns, verdict, choice,
                 waterfall_clamp, ledger_place, groups_place, modelled, counted, ledger_note,
                 waterfall_card, roofline_card, waterfall_view, roofline_view, waterfall_note,
                 roofline_note, provenance);
}

static void
seam_traffic_page_init (SeamTrafficPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->ledger_table =
      seam_table_view_new (seam_ledger_table_new (), NULL, FALSE, "Traffic ledger");
  self->group_table =
      seam_table_view_new (seam_groups_table_new (), NULL, FALSE, "Traffic of each kernel");
  seam_table_view_show_all_rows (self->ledger_table);
  seam_table_view_show_all_rows (self->group_table);
  gtk_box_append (self->ledger_place, GTK_WIDGET (self->ledger_table));
  gtk_box_append (self->groups_place, GTK_WIDGET (self->group_table));
  arrange (self, FALSE);

  seam_watch (self, G_CALLBACK (resized_cb), gtk_scrolled_window_get_hadjustment (self->scroller),
              "page-size", NULL);
  seam_figure_view_set_builder (self->waterfall_view, build_waterfall_cb, self, NULL);
  seam_figure_view_set_minimum_width (self->waterfall_view, WATERFALL_MIN_WIDTH);
  seam_figure_view_set_focus_kinds (self->waterfall_view, SEAM_HIT_OP);
  seam_figure_view_set_tooltip_func (self->waterfall_view, describe_step_cb, self);
  seam_figure_view_set_builder (self->roofline_view, build_roofline_cb, self, NULL);
  seam_figure_view_set_minimum_width (self->roofline_view, ROOFLINE_MIN_WIDTH);
  seam_figure_view_set_focus_kinds (self->roofline_view, SEAM_HIT_SAMPLE);
  seam_figure_view_set_tooltip_func (self->roofline_view, describe_point_cb, self);
}
