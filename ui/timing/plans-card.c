/* SPDX-License-Identifier: MIT
 *
 * Lays out the rows and keeps them aligned: one horizontal scroller holds all strips, and vertical
 * size groups align each strip with its menu. The third row exists while there is a plan C.
 */
#include "ui/timing/plans-card.h"

#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/gtk-repairs.h"
#include "ui/widgets/label.h"
#include "ui/widgets/plan-menu.h"
#include "ui/timing/why-popover.h"

#include "app/base/text.h"
#include "app/explain/bounds.h"
#include "app/explain/read-result.h"
#include "app/figure/ceiling-figure.h"
#include "app/figure/strip.h"

#include <math.h>
#include <string.h>

#define LEFT_WIDTH        178
#define LEFT_WIDTH_NARROW 138
#define CEILING_MIN_WIDTH 340

/* A strip with room for blocks of this size shows their second line. */
#define BLOCK_WIDTH 100
#define SEAM_WIDTH  62
#define ENDS_WIDTH  116
/* The strips of a low window, px. */
#define LOW_HEIGHT    24
#define LOW_MIN_BLOCK 24
#define LOW_MAX_BLOCK 72

struct _SeamPlansCard {
  AdwBin parent_instance;

  SeamModel *model;
  gboolean narrow, low;
  int selected_plan, selected_op;
  int picked_seam; /* by a question of a lesson; -1: none */
  gboolean (*pick) (int seam, gpointer data);
  gpointer pick_data;

  GtkWidget *left;   /* column of menus and counts */
  GtkWidget *strips; /* column of figure views */
  GtkWidget *legend;
  GtkWidget *legend_separator;
  /* What is known before running. The rates of the target outlive an estimate that a change of plan
   * or shape has made old, so that the figure follows at once. */
  GtkExpander *fold;
  GtkLabel *fold_line;
  gboolean had_result;
  SeamFigureView *ceiling;
  SeamRates rates;
  char *rates_source;
  GtkWidget *rates_row;
  GtkLabel *rates_label;
  GtkLabel *remarks;
  struct {
    GtkWidget *column;   /* badge, menu, counts */
    GtkWidget *words;    /* counts and state */
    GtkWidget *lines[2]; /* over the row, in both columns */
    GtkLabel *counts, *state;
    SeamFigureView *view;
    GtkSizeGroup *height;
    SeamHit focused;
  } rows[SEAM_MAX_CHOSEN_PLANS];
};

G_DEFINE_FINAL_TYPE (SeamPlansCard, seam_plans_card, ADW_TYPE_BIN)

GtkWidget *
seam_plan_badge_new (char letter)
{
  char text[2] = { letter, '\0' };
  GtkWidget *badge = gtk_label_new (text);

  gtk_widget_add_css_class (badge, "plan-badge");
  if (letter != 'A')
    gtk_widget_add_css_class (badge, "filled");
  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  return badge;
}

static int
get_row (SeamPlansCard *self, gpointer view)
{
  int row = 0;

  while (row + 1 < SEAM_MAX_CHOSEN_PLANS && view != self->rows[row].view)
    row++;
  return row;
}

/* Strips. */

typedef struct {
  SeamPlansCard *card; /* owns the view that owns this */
  int index;
} StripContext;

/* NULL: not known, or of no interest, because a lesson covers the run of another device. */
static const SeamPlanEstimate *
get_estimate (SeamPlansCard *self, int index)
{
  if (seam_measurement_get_held (self->model->measurement) != NULL
      && seam_store_is_recorded (self->model->store))
    return NULL;
  return seam_measurement_get_plan_estimate (self->model->measurement, index);
}

static SeamFigure *
build_strip_cb (double width, double height, gpointer data)
{
  StripContext *context = data;
  SeamModel *model = context->card->model;
  const SeamProblem *problem = model != NULL ? seam_setup_get_problem (model->setup) : NULL;

  if (problem == NULL || context->index >= seam_setup_get_n_plans (model->setup))
    return NULL;
  int n_ops = problem->pipeline->chains[0].n_ops;
  SeamPlan *plan = seam_measurement_get_shown_plan (model->measurement, context->index);
  if (context->card->low)
    return seam_chain_figure_new (
        problem->pipeline, plan,
        CLAMP (width / n_ops - LOW_MIN_BLOCK, LOW_MIN_BLOCK, LOW_MAX_BLOCK), LOW_HEIGHT);
  SeamStripOptions options = {
    .width = width,
    .letter = (char)('A' + context->index),
    .compact = width < n_ops * BLOCK_WIDTH + (n_ops - 1) * SEAM_WIDTH + ENDS_WIDTH,
    .covered = seam_measurement_covers_model (model->measurement),
  };
  return seam_strip_figure_new (problem, plan, get_estimate (context->card, context->index),
                                &options);
}

static SeamFigure *
build_legend_cb (double width, double height, gpointer data)
{
  SeamPlansCard *self = data;

  if (self->model == NULL)
    return NULL;
  return seam_kind_legend_figure_new (seam_setup_get_pipeline (self->model->setup), width);
}

/* What is known of the plans; returns how many there are, 0 where nothing is. */
static int
fill_ceiling (SeamPlansCard *self, SeamCeiling *ceiling, SeamCeilingPlan *plans)
{
  const SeamProblem *problem =
      self->model != NULL ? seam_setup_get_problem (self->model->setup) : NULL;
  int n_plans;

  if (problem == NULL || seam_measurement_covers_model (self->model->measurement))
    return 0;
  seam_ceiling (problem, &self->rates, ceiling);
  n_plans = seam_setup_get_n_plans (self->model->setup);
  for (int i = 0; i < n_plans; i++) {
    SeamPlan *plan = seam_measurement_get_shown_plan (self->model->measurement, i);
    const SeamPlanEstimate *estimate = get_estimate (self, i);

    plans[i] = (SeamCeilingPlan){ .letter = (char)('A' + i), .title = seam_plan_get_title (plan) };
    seam_plan_limit (problem, plan, &self->rates, &plans[i].limit);
    /* A recorded run is of another device than this machine's estimate. */
    if (estimate == NULL || seam_store_is_recorded (self->model->store))
      continue;
    plans[i].limit.bytes += seam_plan_estimate_get_copied_bytes (estimate);
    if (seam_measurement_get_held (self->model->measurement) != NULL)
      continue;
    plans[i].guess_ns = estimate->guess_ns;
    plans[i].guess_low_ns = estimate->guess_low_ns;
    plans[i].guess_high_ns = estimate->guess_high_ns;
  }
  return n_plans;
}

static SeamFigure *
build_ceiling_cb (double width, double height, gpointer data)
{
  SeamPlansCard *self = data;
  SeamCeilingOptions options = { .width = width, .left = LEFT_WIDTH, .compact = self->narrow };
  SeamCeilingPlan plans[SEAM_MAX_CHOSEN_PLANS];
  SeamCeiling ceiling;
  int n_plans = fill_ceiling (self, &ceiling, plans);

  return n_plans > 0
             ? seam_ceiling_figure_new (&ceiling, self->rates_source, plans, n_plans, &options)
             : NULL;
}

/* Folds to one line when there is a result, which says what was only estimated before; a person
 * can open it again. */
static void
update_fold (SeamPlansCard *self)
{
  const SeamResult *result =
      self->model != NULL ? seam_measurement_get_result (self->model->measurement) : NULL;
  SeamCeilingPlan plans[SEAM_MAX_CHOSEN_PLANS];
  SeamCeiling ceiling;
  int n_plans = fill_ceiling (self, &ceiling, plans);
  g_autofree char *line = n_plans > 0 ? seam_ceiling_summarize (&ceiling, plans, n_plans) : NULL;
  g_autofree char *shown = NULL;

  if (self->had_result != (result != NULL)) {
    self->had_result = result != NULL;
    gtk_expander_set_expanded (self->fold, result == NULL);
  }
  /* Open, it has a line for each plan. */
  if (line == NULL || gtk_expander_get_expanded (self->fold))
    shown = g_strdup ("Estimate");
  else
    shown = g_strconcat ("Estimate: ", line, NULL);
  gtk_label_set_text (self->fold_line, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->fold), n_plans > 0 && !self->low);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->fold), GTK_ACCESSIBLE_PROPERTY_LABEL, shown,
                                  -1);
}

/* The formula of an op, or a seam; the first sentence of that is its state and stands out. */
static char *
describe_hit_cb (const SeamHit *hit, gpointer data)
{
  StripContext *context = data;
  SeamModel *model = context->card->model;
  const SeamProblem *problem = seam_setup_get_problem (model->setup);
  const SeamPlan *plan = seam_measurement_get_shown_plan (model->measurement, context->index);

  if (problem != NULL && hit->kind == SEAM_HIT_OP)
    return seam_op_explain (problem, seam_plan_get_chain (plan), hit->index);
  if (hit->kind != SEAM_HIT_SEAM || problem == NULL
      || seam_measurement_covers_model (model->measurement))
    return NULL;
  g_autofree char *text = seam_strip_describe_seam (
      problem, plan, seam_measurement_get_plan_estimate (model->measurement, context->index),
      hit->index);
  return g_strconcat (text, "\nRight-click or the Menu key: why, on the tensor itself.", NULL);
}

static char *
name_seam_cb (const SeamHit *hit, gpointer data)
{
  StripContext *context = data;
  SeamModel *model = context->card->model;
  const SeamProblem *problem = seam_setup_get_problem (model->setup);

  if (hit->kind != SEAM_HIT_SEAM || problem == NULL)
    return NULL;
  return seam_strip_name_seam (
      problem, seam_measurement_get_shown_plan (model->measurement, context->index), hit->index);
}

static gboolean
is_fused_cb (const SeamHit *hit, gpointer data)
{
  StripContext *context = data;
  SeamPlan *plan =
      seam_measurement_get_shown_plan (context->card->model->measurement, context->index);

  return hit->kind == SEAM_HIT_SEAM && (seam_plan_get_fused_seams (plan) >> hit->index & 1) != 0;
}

static void
seam_activated_cb (SeamFigureView *view, const SeamHit *hit, SeamPlansCard *self)
{
  g_autoptr (GError) error = NULL;

  if (hit->kind != SEAM_HIT_SEAM
      || (self->pick != NULL && self->pick (hit->index, self->pick_data)))
    return;
  if (!seam_model_toggle_seam (self->model, get_row (self, view), hit->index, &error))
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, error->message, NULL);
}

/* Explains why a seam can or cannot be fused: secondary click, or the Menu key on the seam. */
static void
open_why (SeamPlansCard *self, SeamFigureView *view, const SeamHit *hit)
{
  int row = get_row (self, view);
  /* A view of a recorded run is about its device, of which this computer's target knows nothing. */
  const SeamDeviceInfo *recorded = seam_store_get_device (self->model->store);
  const SeamPlanEstimate *estimate =
      recorded == NULL ? seam_measurement_get_plan_estimate (self->model->measurement, row) : NULL;
  SeamPlan *plan = seam_measurement_get_shown_plan (self->model->measurement, row);
  gboolean known = estimate != NULL && hit->index < estimate->n_seams;
  const SeamChain *chain = seam_plan_get_chain (plan);
  g_autofree char *title = NULL;
  SeamRect rect;
  double x, y;

  if (hit->kind != SEAM_HIT_SEAM || seam_measurement_covers_model (self->model->measurement)
      || !seam_figure_view_locate (view, hit, &rect)
      || !gtk_widget_translate_coordinates (GTK_WIDGET (view), GTK_WIDGET (self), rect.x, rect.y,
                                            &x, &y))
    return;
  title =
      g_strdup_printf ("Plan %c, seam %d: %s to %s%s%s", seam_plan_get_letter (row), hit->index + 1,
                       chain->ops[hit->index].label, chain->ops[hit->index + 1].label,
                       recorded != NULL ? ", recorded on " : "",
                       recorded != NULL ? seam_device_info_get_name (recorded) : "");
  seam_why_popover_open (
      GTK_WIDGET (self), &(GdkRectangle){ (int)x, (int)y, (int)rect.width, (int)rect.height },
      title,
      seam_why_new (seam_setup_get_problem (self->model->setup), plan, hit->index,
                    !known || estimate->seams[hit->index].can_toggle,
                    recorded != NULL ? "A recording does not say what its target can fuse, beyond "
                                       "the groups that its plans ran as."
                    : known          ? estimate->seams[hit->index].reason
                                     : NULL,
                    recorded != NULL ? recorded : seam_setup_get_target (self->model->setup)));
}

static void
secondary_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y,
                      SeamPlansCard *self)
{
  SeamFigureView *view =
      SEAM_FIGURE_VIEW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  SeamHit hit;

  if (seam_setup_get_problem (self->model->setup) != NULL
      && seam_figure_view_pick (view, x, y, &hit))
    open_why (self, view, &hit);
}

static void
seam_focused_cb (SeamFigureView *view, const SeamHit *hit, SeamPlansCard *self)
{
  self->rows[get_row (self, view)].focused =
      hit != NULL ? *hit : (SeamHit){ .kind = SEAM_HIT_NONE };
}

static gboolean
strip_key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
              SeamPlansCard *self)
{
  SeamFigureView *view =
      SEAM_FIGURE_VIEW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)));
  const SeamHit *focused = &self->rows[get_row (self, view)].focused;

  if ((key != GDK_KEY_Menu && !(key == GDK_KEY_F10 && (state & GDK_SHIFT_MASK) != 0))
      || focused->kind != SEAM_HIT_SEAM || seam_setup_get_problem (self->model->setup) == NULL)
    return FALSE;
  open_why (self, view, focused);
  return TRUE;
}

static void
add_why_controllers (SeamPlansCard *self, GtkWidget *view)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (secondary_pressed_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (strip_key_cb), self);
  g_signal_connect (view, "hit-focused", G_CALLBACK (seam_focused_cb), self);
  gtk_widget_add_controller (view, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (view, keys);
}

/* Up and Down go to the same place in the plan above or below. */
static void
step_out_cb (SeamFigureView *view, GtkDirectionType direction, SeamPlansCard *self)
{
  int row = get_row (self, view);

  int to = direction == GTK_DIR_DOWN ? row + 1 : direction == GTK_DIR_UP ? row - 1 : row;

  if (to != row && to >= 0 && to < seam_setup_get_n_plans (self->model->setup))
    seam_figure_view_grab_focus_at (self->rows[to].view, seam_figure_view_get_focus_x (view));
}

/* Texts beside the strips. */

static char *
describe_state (const SeamPlan *plan, const SeamPlanEstimate *estimate)
{
  guint32 fused = seam_plan_get_fused_seams (plan);
  int n_fused = 0, n_seams = seam_plan_get_chain (plan)->n_ops - 1;

  for (int i = 0; i < n_seams; i++)
    n_fused += fused >> i & 1;
  if (plan->chain > 0)
    return g_strdup ("exhibit: wrong on purpose");
  if (estimate != NULL && !estimate->can_run)
    return g_strdup ("cannot run on this target");
  if (n_fused == 0)
    return g_strdup ("every seam cut");
  if (n_fused == n_seams)
    return g_strdup ("every seam fused");
  return g_strdup_printf ("%d %s fused", n_fused, n_fused == 1 ? "seam" : "seams");
}

static void
update_row (SeamPlansCard *self, int index)
{
  const SeamProblem *problem = seam_setup_get_problem (self->model->setup);
  gboolean is_there = index < seam_setup_get_n_plans (self->model->setup);

  gtk_widget_set_visible (self->rows[index].column, is_there);
  gtk_widget_set_visible (GTK_WIDGET (self->rows[index].view), is_there);
  for (int i = 0; i < 2; i++)
    if (self->rows[index].lines[i] != NULL)
      gtk_widget_set_visible (self->rows[index].lines[i], is_there && !self->low);
  gtk_widget_set_visible (self->rows[index].words, !self->low);
  if (!is_there) {
    seam_figure_view_invalidate (self->rows[index].view);
    return;
  }
  SeamPlan *plan = seam_measurement_get_shown_plan (self->model->measurement, index);
  const SeamPlanEstimate *estimate = get_estimate (self, index);
  GtkWidget *state_label = GTK_WIDGET (self->rows[index].state);
  SeamResult *result = seam_measurement_get_result (self->model->measurement);
  gboolean has_run = result != NULL && index < result->n_plans && result->plans[index].bytes > 0
                     && seam_measurement_get_held (self->model->measurement) == NULL
                     && seam_measurement_get_stale_reason (self->model->measurement) == NULL;
  SeamPlanCost cost = { 0 };

  if (problem == NULL)
    return;
  seam_plan_cost (problem, plan, &cost);
  /* Kernels that ran, as in the tables, or that are expected; without either, groups. */
  const int n_ran = has_run ? result->plans[index].n_kernels : -1;
  const int n_kernels = n_ran > 0 ? n_ran : estimate != NULL ? estimate->n_kernels : -1;
  const int n = n_kernels > 0 ? n_kernels : plan->n_groups;
  gboolean covered = seam_measurement_covers_model (self->model->measurement);
  /* Of a run that is shown, what its headline says, with the copies that it made. */
  g_autofree char *bytes =
      seam_text_bytes (has_run                                   ? result->plans[index].bytes
                       : estimate != NULL && estimate->bytes > 0 ? estimate->bytes
                                                                 : cost.bytes);
  const char *between = covered ? "" : self->narrow ? "\n" : " · ";
  g_autofree char *counts = g_strdup_printf ("%d %s%s%s%s", n, n_kernels > 0 ? "kernel" : "group",
                                             n == 1 ? "" : "s", between, covered ? "" : bytes);
  g_autofree char *state = describe_state (plan, estimate);
  gtk_label_set_text (self->rows[index].counts, counts);
  gtk_label_set_text (self->rows[index].state, state);
  gboolean warns = plan->chain > 0 || (estimate != NULL && !estimate->can_run);
  gtk_widget_set_visible (state_label, !self->narrow || plan->chain > 0);
  gtk_widget_set_tooltip_text (state_label,
                               plan->chain > 0 ? seam_plan_get_chain (plan)->note : NULL);
  seam_css_class_set (state_label, "warning", warns);
  seam_css_class_set (state_label, "dim-label", !warns);
  seam_figure_view_invalidate (self->rows[index].view);
}

/* Remarks on the shape and, by the target, on the plans, below both, so that the strips do not
 * move. */
static void
update_remarks (SeamPlansCard *self)
{
  GString *text = g_string_new (NULL);
  const SeamEstimate *known = seam_advice_get_estimate (self->model->advice);
  g_autofree char *busy = known != NULL && !seam_store_is_recorded (self->model->store)
                              ? seam_load_warn (known->foreign_load)
                              : NULL;

  /* The strips and the estimate would contradict the fields without a word. */
  if (seam_setup_get_shape_error (self->model->setup) != NULL
      && seam_setup_get_problem (self->model->setup) != NULL) {
    g_autofree char *shape =
        seam_problem_describe_shape (seam_setup_get_problem (self->model->setup));
    g_string_append_printf (text, "Bytes and estimate are of the last valid shape, %s.", shape);
  } else if (busy != NULL)
    g_string_append (text, busy);
  for (int i = 0; i < seam_setup_get_n_plans (self->model->setup); i++) {
    const SeamPlanEstimate *estimate = get_estimate (self, i);
    const SeamPlan *plan = seam_setup_get_plan (self->model->setup, i);
    const char *remark = plan->chain > 0    ? seam_plan_get_chain (plan)->note
                         : estimate != NULL ? estimate->message
                                            : NULL;
    if (remark != NULL)
      g_string_append_printf (text, "%sPlan %c: %s", text->len > 0 ? "\n" : "", 'A' + i, remark);
  }
  g_autofree char *shown = seam_text_show (text->str);
  gtk_label_set_text (self->remarks, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->remarks), text->len > 0);
  g_string_free (text, TRUE);
}

static void
update_selection (SeamPlansCard *self)
{
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++) {
    SeamHit op = { .kind = SEAM_HIT_OP, .index = self->selected_op };
    SeamHit seam = { .kind = SEAM_HIT_SEAM, .index = self->picked_seam };
    seam_figure_view_set_selected (self->rows[i].view, self->picked_seam >= 0     ? &seam
                                                       : self->selected_plan == i ? &op
                                                                                  : NULL);
  }
}

/* A recorded run is explained by the device that it was recorded on. */
static gboolean
use_recorded_rates (SeamPlansCard *self)
{
  const char *source;

  if (!seam_store_get_rates (self->model->store, &self->rates, &source))
    return FALSE;
  g_free (self->rates_source);
  self->rates_source = g_strdup (source);
  return TRUE;
}

/* A recorded run keeps the rates that explained it: there is nothing to calibrate. */
static void
update_rates (SeamPlansCard *self, gboolean is_recorded)
{
  const char *source = self->rates_source != NULL ? self->rates_source : "";

  gtk_widget_set_visible (self->rates_row, !is_recorded && *source != '\0');
  gtk_label_set_text (self->rates_label,
                      g_str_has_prefix (source, "calibrated")
                          ? "The rates are calibrated for this device."
                      : strstr (source, "data sheet") != NULL
                          ? "Not all rates are measured: some are data-sheet numbers."
                          : "The rates are a quick measurement at the start, not a calibration.");
}

static void
take_rates (SeamPlansCard *self)
{
  const SeamEstimate *estimate = seam_advice_get_estimate (self->model->advice);

  g_free (self->rates_source);
  self->rates_source = estimate != NULL ? g_strdup (estimate->floor_source) : NULL;
  self->rates =
      estimate != NULL
          ? estimate->rates
          : (SeamRates){ .cold = seam_setup_get_request (self->model->setup)->settings.cold };
}

static void
update_ceiling (SeamPlansCard *self)
{
  gboolean is_recorded = use_recorded_rates (self);

  /* The rates of the last estimate stay until the next one arrives. */
  if (!is_recorded && seam_advice_get_estimate (self->model->advice) != NULL)
    take_rates (self);
  update_rates (self, is_recorded);
  seam_figure_view_invalidate (self->ceiling);
  update_fold (self);
}

/* A strip that is made for no width takes its minimum width; with less room, all strips scroll
 * sideways. */
static void
update_width (SeamPlansCard *self)
{
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++) {
    StripContext context = { .card = self, .index = i };
    g_autoptr (SeamFigure) figure = build_strip_cb (1, 0, &context);
    if (figure != NULL)
      seam_figure_view_set_minimum_width (self->rows[i].view, (int)ceil (figure->width));
  }
}

static void
pipeline_changed_cb (gpointer owner)
{
  seam_figure_view_invalidate (SEAM_FIGURE_VIEW (SEAM_PLANS_CARD (owner)->legend));
}

static void
plans_changed_cb (SeamPlansCard *self)
{
  update_width (self);
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    update_row (self, i);
  update_remarks (self);
  update_ceiling (self);
}

/* Rates belong to a target and a math mode. */
static void
options_changed_cb (SeamPlansCard *self)
{
  if (!use_recorded_rates (self))
    take_rates (self);
  update_ceiling (self);
}

static void
add_row (SeamPlansCard *self, int index)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *counts = seam_label_new (NULL, "dim-label note", SEAM_LABEL_WRAPS);
  GtkWidget *state = seam_label_new (NULL, "dim-label note", SEAM_LABEL_WRAPS);
  GtkWidget *view = seam_figure_view_new ();
  StripContext *context = g_new0 (StripContext, 1);

  context->card = self;
  context->index = index;
  gtk_box_append (GTK_BOX (header), seam_plan_badge_new ((char)('A' + index)));
  gtk_box_append (GTK_BOX (header), seam_plan_menu_new (self->model, index));
  gtk_box_append (GTK_BOX (column), header);
  gtk_label_set_max_width_chars (GTK_LABEL (counts), 22);
  gtk_widget_set_tooltip_text (counts,
                               "The plan's kernels. As long as their number is not known, its "
                               "groups: the ops between two cuts.");
  gtk_label_set_max_width_chars (GTK_LABEL (state), 22);
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (lines), counts);
  gtk_box_append (GTK_BOX (lines), state);
  gtk_box_append (GTK_BOX (column), lines);
  gtk_widget_add_css_class (column, "plan-row");

  self->rows[index].column = column;
  self->rows[index].words = lines;
  self->rows[index].counts = GTK_LABEL (counts);
  self->rows[index].state = GTK_LABEL (state);
  self->rows[index].view = SEAM_FIGURE_VIEW (view);
  self->rows[index].height = gtk_size_group_new (GTK_SIZE_GROUP_VERTICAL);
  gtk_size_group_add_widget (self->rows[index].height, column);
  gtk_size_group_add_widget (self->rows[index].height, view);

  g_autofree char *label = g_strdup_printf ("Seams of plan %c", 'A' + index);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (view), build_strip_cb, context, g_free);
  seam_figure_view_set_focus_kinds (SEAM_FIGURE_VIEW (view), SEAM_HIT_SEAM);
  seam_figure_view_set_tooltip_func (SEAM_FIGURE_VIEW (view), describe_hit_cb, context);
  seam_figure_view_set_bubble_below (SEAM_FIGURE_VIEW (view), self->strips);
  seam_figure_view_set_name_func (SEAM_FIGURE_VIEW (view), name_seam_cb, context);
  seam_figure_view_set_pressed_func (SEAM_FIGURE_VIEW (view), is_fused_cb, context);
  g_signal_connect (view, "hit-activated", G_CALLBACK (seam_activated_cb), self);
  g_signal_connect (view, "step-out", G_CALLBACK (step_out_cb), self);
  add_why_controllers (self, view);

  if (index > 0) {
    GtkWidget *columns[] = { self->left, self->strips };
    for (int i = 0; i < 2; i++) {
      GtkWidget *line = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
      gtk_widget_add_css_class (line, "plans-separator");
      gtk_box_append (GTK_BOX (columns[i]), line);
      self->rows[index].lines[i] = line;
    }
  }
  gtk_box_append (GTK_BOX (self->left), column);
  gtk_box_append (GTK_BOX (self->strips), view);
}

void
seam_plans_card_set_model (SeamPlansCard *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    add_row (self, i);
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (self->legend), build_legend_cb, self, NULL);
  seam_figure_view_set_builder (self->ceiling, build_ceiling_cb, self, NULL);
  seam_watch (self, G_CALLBACK (pipeline_changed_cb), model->setup, "pipeline", NULL);
  seam_watch (self, G_CALLBACK (plans_changed_cb), model->setup, "pipeline shape plans",
              model->advice, "estimate", model->measurement, "state result", NULL);
  seam_watch (self, G_CALLBACK (options_changed_cb), model->setup, "options targets", NULL);
  pipeline_changed_cb (self);
  plans_changed_cb (self);
  options_changed_cb (self);
}

void
seam_plans_card_set_narrow (SeamPlansCard *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  gtk_widget_set_size_request (self->left, narrow ? LEFT_WIDTH_NARROW : LEFT_WIDTH, -1);
  gtk_widget_set_visible (self->legend, !narrow);
  gtk_widget_set_visible (self->legend_separator, !narrow);
  seam_figure_view_invalidate (self->ceiling);
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    update_row (self, i);
}

void
seam_plans_card_set_low (SeamPlansCard *self, gboolean low)
{
  if (self->low == low || self->model == NULL)
    return;
  self->low = low;
  seam_css_class_set (self, "low", low);
  plans_changed_cb (self);
}

void
seam_plans_card_select_op (SeamPlansCard *self, int plan, int op)
{
  self->selected_plan = plan;
  self->selected_op = op;
  update_selection (self);
}

void
seam_plans_card_set_picker (SeamPlansCard *self, gboolean (*pick) (int seam, gpointer data),
                            gpointer data)
{
  self->pick = pick;
  self->pick_data = data;
}

void
seam_plans_card_select_seam (SeamPlansCard *self, int seam)
{
  if (self->picked_seam == seam)
    return;
  self->picked_seam = seam;
  update_selection (self);
}

/* Shows where the rates come from, and how to get better ones. */
static GtkWidget *
make_rates_row (SeamPlansCard *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *button = gtk_button_new_with_label ("Calibrate…");

  self->rates_row = row;
  self->rates_label = seam_label_new (NULL, "note dim-label", SEAM_LABEL_SHORTENS);
  gtk_widget_set_hexpand (GTK_WIDGET (self->rates_label), TRUE);
  gtk_widget_add_css_class (button, "small-button");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.calibrate");
  gtk_widget_set_tooltip_text (
      button, "Measure what this target can do: bandwidths, arithmetic, cache, launches");
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->rates_label));
  gtk_box_append (GTK_BOX (row), button);
  return row;
}

static GtkWidget *
make_fold (SeamPlansCard *self)
{
  GtkWidget *fold = gtk_expander_new (NULL);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->fold = GTK_EXPANDER (fold);
  self->fold_line = seam_label_new (NULL, "note", SEAM_LABEL_SHORTENS);
  gtk_expander_set_label_widget (self->fold, GTK_WIDGET (self->fold_line));
  gtk_expander_set_expanded (self->fold, TRUE);
  g_signal_connect_swapped (fold, "notify::expanded", G_CALLBACK (update_fold), self);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->ceiling));
  gtk_box_append (GTK_BOX (content), make_rates_row (self));
  gtk_expander_set_child (self->fold, content);
  return fold;
}

static void
seam_plans_card_class_init (SeamPlansCardClass *klass)
{
  G_STATIC_ASSERT (SEAM_MAX_CHOSEN_PLANS == 3);
  SEAM_OWNS (klass, SeamPlansCard, g_object_unref, rows[0].height, rows[1].height, rows[2].height,
             model);
  SEAM_OWNS (klass, SeamPlansCard, g_free, rates_source);
}

static void
seam_plans_card_init (SeamPlansCard *self)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->selected_plan = -1;
  self->picked_seam = -1;
  self->left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->strips = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->legend = seam_figure_view_new ();
  self->legend_separator = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_add_css_class (self->legend_separator, "plans-separator");

  gtk_widget_set_size_request (self->left, LEFT_WIDTH, -1);
  gtk_widget_set_hexpand (scroller, TRUE);
  seam_gtk_scroll_across (GTK_SCROLLED_WINDOW (scroller), 0);
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scroller), FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->strips);
  gtk_box_append (GTK_BOX (columns), self->left);
  gtk_box_append (GTK_BOX (columns), scroller);
  gtk_box_append (GTK_BOX (card), columns);
  self->ceiling = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  seam_figure_view_set_minimum_width (self->ceiling, CEILING_MIN_WIDTH);
  GtkWidget *line = gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_add_css_class (line, "plans-separator");
  gtk_box_append (GTK_BOX (card), line);
  gtk_box_append (GTK_BOX (card), make_fold (self));
  g_object_bind_property (self->fold, "visible", line, "visible", G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (card), self->legend_separator);
  gtk_box_append (GTK_BOX (card), self->legend);
  self->remarks = seam_label_new (NULL, "note remarks", SEAM_LABEL_WRAPS);
  gtk_box_append (GTK_BOX (card), GTK_WIDGET (self->remarks));
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "plans-card");
  adw_bin_set_child (ADW_BIN (self), card);
}
