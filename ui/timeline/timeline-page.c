/* SPDX-License-Identifier: MIT
 *
 * SeamTimelinePage: kernels and copies of both plans of the result on one time scale. Zoom and pan
 * with wheel, buttons and the keys W A S D, F shows all; a drag, Enter and M measure, Escape
 * clears. Keeps the visible part of the time and the measured span; the figure is made anew for
 * each view, which takes less than a frame (app/figure/timeline.h).
 */
#include "ui/page/page.h"

#include "ui/class/class.h"
#include "ui/widgets/compared-choice.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text-scale.h"
#include "ui/widgets/verdict-line.h"

#include "ui/widgets/table-view.h"

#include "app/base/text.h"
#include "app/figure/timeline.h"
#include "app/report/kernels-table.h"

#include <math.h>

#define MIN_WIDTH 420
#define ZOOM_STEP                                                                                  \
  .8                      /* share of the visible time, for a key, a button or a notch of the      \
                           * wheel */
#define PAN_STEP      .15 /* share of the visible time */
#define DRAG_BEGIN_PX 4.0
#define SNAP_PX       6.0

#define SEAM_TYPE_TIMELINE_PAGE (seam_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (SeamTimelinePage, seam_timeline_page, SEAM, TIMELINE_PAGE, AdwBin)

struct _SeamTimelinePage {
  AdwBin parent_instance;

  SeamModel *model;
  SeamResult *shown; /* result of the timeline */
  int compared;      /* index of its plan beside A; -1: there is only one */
  SeamTimeline *timeline;
  int execution;    /* that is shown; -1: the medians of all */
  gboolean filling; /* the choice of executions follows the result */
  SeamTimelineView view;
  SeamHit focused;
  double pointer_x; /* on the figure; NaN: outside */
  double drag_x, drag_from_ns, panned_x;
  gboolean dragging;
  double built_width;
  guint scale_id;
  GtkEventController *keys; /* of the window, while the page is in a window */

  GtkWidget *card, *buttons;
  SeamVerdictLine *verdict;
  SeamComparedChoice *choice;
  SeamFigureView *figure_view;
  GtkLabel *scale, *note, *provenance;
  GtkDropDown *executions;
  GtkSearchEntry *search;
  GtkLabel *nothing; /* says that the search finds nothing */
  GtkBox *table_place;
  GtkWidget *table_card;
  SeamTableView *table;
};

static void page_init (SeamPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SeamTimelinePage, seam_timeline_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

/* What is shown. */

static SeamFigure *
get_figure (SeamTimelinePage *self)
{
  return self->timeline != NULL ? seam_figure_view_get_figure (self->figure_view) : NULL;
}

static void
update_scale (SeamTimelinePage *self)
{
  SeamFigure *figure = get_figure (self);
  g_autofree char *of_pixel = NULL;
  g_autofree char *text = NULL;

  if (figure != NULL && self->timeline->end_ns > 0) {
    of_pixel =
        seam_text_time (1 / (seam_timeline_figure_get_scale (figure) * seam_text_scale_get ()));
    text = g_strdup_printf ("1 px = %s", of_pixel);
  }
  gtk_label_set_text (self->scale, text != NULL ? text : "");
}

static gboolean
scale_cb (gpointer data)
{
  SeamTimelinePage *self = data;

  self->scale_id = 0;
  update_scale (self);
  return G_SOURCE_REMOVE;
}

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  SeamTimelinePage *self = data;

  if (self->timeline == NULL)
    return NULL;
  /* Another width is another scale; its label must not change during layout. */
  if (width != self->built_width && self->scale_id == 0)
    self->scale_id = g_idle_add (scale_cb, self);
  self->built_width = width;
  return seam_timeline_figure_new (self->timeline, &self->view, width);
}

static char *
describe_cb (const SeamHit *hit, gpointer data)
{
  SeamTimelinePage *self = data;

  return self->timeline != NULL ? seam_timeline_describe_hit (self->timeline, hit) : NULL;
}

static void
set_enabled (SeamTimelinePage *self, const char *action, gboolean enabled)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), action, enabled);
}

/* Call after view or span changed. */
static void
update_view (SeamTimelinePage *self)
{
  gboolean any = self->timeline != NULL && self->timeline->end_ns > 0;
  gboolean all = !any || seam_timeline_sees_all (self->timeline, &self->view);

  set_enabled (self, "timeline.zoom-in", any);
  set_enabled (self, "timeline.zoom-out", !all);
  set_enabled (self, "timeline.earlier", !all && self->view.from_ns > self->timeline->start_ns);
  set_enabled (self, "timeline.later", !all && self->view.to_ns < self->timeline->end_ns);
  set_enabled (self, "timeline.fit", !all);
  seam_figure_view_invalidate (self->figure_view);
  update_scale (self);
}

static void
set_span (SeamTimelinePage *self, int lane, double from_ns, double to_ns)
{
  self->view.span_lane = lane;
  self->view.span_from_ns = from_ns;
  self->view.span_to_ns = to_ns;
  update_view (self);
}

/* Moving. */

/* The fixed point of a zoom: the pointer, else the focused kernel, else the middle. */
static double
get_centre (SeamTimelinePage *self)
{
  SeamFigure *figure = get_figure (self);
  SeamRect rect;

  if (figure == NULL)
    return 0;
  if (!isnan (self->pointer_x))
    return seam_timeline_figure_get_time (figure, self->pointer_x);
  if (self->focused.kind != SEAM_HIT_NONE && seam_figure_locate (figure, &self->focused, &rect))
    return seam_timeline_figure_get_time (figure, rect.x + rect.width / 2);
  return (seam_timeline_figure_get_time (figure, 0)
          + seam_timeline_figure_get_time (figure, figure->width))
         / 2;
}

static void
zoom (SeamTimelinePage *self, double factor)
{
  if (self->timeline == NULL)
    return;
  seam_timeline_zoom (self->timeline, &self->view, factor, get_centre (self));
  update_view (self);
}

static void
pan (SeamTimelinePage *self, double share)
{
  if (self->timeline == NULL)
    return;
  seam_timeline_pan (self->timeline, &self->view, share);
  update_view (self);
}

static void
fit (SeamTimelinePage *self)
{
  self->view.from_ns = self->view.to_ns = 0;
  update_view (self);
}

static void
action_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SeamTimelinePage *self = SEAM_TIMELINE_PAGE (widget);

  if (g_str_equal (name, "timeline.zoom-in"))
    zoom (self, ZOOM_STEP);
  else if (g_str_equal (name, "timeline.zoom-out"))
    zoom (self, 1 / ZOOM_STEP);
  else if (g_str_equal (name, "timeline.earlier"))
    pan (self, -PAN_STEP);
  else if (g_str_equal (name, "timeline.later"))
    pan (self, PAN_STEP);
  else
    fit (self);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, SeamTimelinePage *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if (self->timeline == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if ((state & GDK_SHIFT_MASK) != 0)
    pan (self, PAN_STEP * (dx != 0 ? dx : dy));
  else if (dy != 0)
    zoom (self, pow (1 / ZOOM_STEP, dy));
  else
    pan (self, PAN_STEP * dx);
  return TRUE;
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, SeamTimelinePage *self)
{
  self->pointer_x = x / seam_text_scale_get ();
}

static void
leave_cb (GtkEventControllerMotion *controller, SeamTimelinePage *self)
{
  self->pointer_x = NAN;
}

/* Measuring. */

static double
snap (SeamTimelinePage *self, SeamFigure *figure, double x)
{
  return seam_timeline_snap (self->timeline, self->view.span_lane,
                             seam_timeline_figure_get_time (figure, x),
                             SNAP_PX / seam_timeline_figure_get_scale (figure));
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, SeamTimelinePage *self)
{
  self->drag_x = x;
  self->panned_x = 0;
  self->dragging = FALSE;
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, SeamTimelinePage *self)
{
  SeamFigure *figure = get_figure (self);
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  double x, y, to, scale = seam_text_scale_get ();

  if (figure == NULL || self->timeline->end_ns <= 0
      || (!self->dragging && fabs (dx) < DRAG_BEGIN_PX))
    return;
  if (!self->dragging) {
    self->dragging = TRUE;
    /* Claims the gesture, so that it is no longer a click. */
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    gtk_gesture_drag_get_start_point (gesture, &x, &y);
    if (button == GDK_BUTTON_PRIMARY)
      self->view.span_lane = seam_timeline_figure_get_lane (figure, y / scale);
    self->drag_from_ns = snap (self, figure, self->drag_x / scale);
  }
  if (button != GDK_BUTTON_PRIMARY) {
    double seen = seam_timeline_figure_get_time (figure, figure->width)
                  - seam_timeline_figure_get_time (figure, 0);

    pan (self, (self->panned_x - dx) / scale / seam_timeline_figure_get_scale (figure) / seen);
    self->panned_x = dx;
    return;
  }
  to = snap (self, figure, (self->drag_x + dx) / scale);
  set_span (self, self->view.span_lane, fmin (self->drag_from_ns, to),
            fmax (self->drag_from_ns, to));
}

static const SeamTimelineRecord *
get_record (SeamTimelinePage *self, const SeamHit *hit)
{
  if (self->timeline == NULL || hit->kind != SEAM_HIT_KERNEL || hit->plan < 0
      || hit->plan >= self->timeline->n_lanes || hit->index < 0
      || hit->index >= self->timeline->lanes[hit->plan].n_records)
    return NULL;
  return &self->timeline->lanes[hit->plan].records[hit->index];
}

static void
activated_cb (SeamFigureView *view, const SeamHit *hit, SeamTimelinePage *self)
{
  const SeamTimelineRecord *record = get_record (self, hit);

  if (record != NULL)
    set_span (self, hit->plan, record->start_ns, record->end_ns);
}

static void
focused_cb (SeamFigureView *view, const SeamHit *hit, SeamTimelinePage *self)
{
  self->focused = hit != NULL ? *hit : (SeamHit){ .kind = SEAM_HIT_NONE };
}

/* Extends the measured span to the focused kernel. */
static void
extend_span (SeamTimelinePage *self)
{
  const SeamTimelineRecord *record = get_record (self, &self->focused);
  gboolean other = self->view.span_lane != self->focused.plan || isnan (self->view.span_from_ns);

  if (record == NULL)
    return;
  set_span (self, self->focused.plan,
            other ? record->start_ns : fmin (self->view.span_from_ns, record->start_ns),
            other ? record->end_ns : fmax (self->view.span_to_ns, record->end_ns));
}

/* Handles keys of the window that no text field takes first. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                SeamTimelinePage *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->timeline == NULL)
    return FALSE;
  if (key == GDK_KEY_f && (state & GDK_CONTROL_MASK) != 0)
    return gtk_widget_grab_focus (GTK_WIDGET (self->search));
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  switch (gdk_keyval_to_lower (key)) {
  case GDK_KEY_w:
    zoom (self, ZOOM_STEP);
    return TRUE;
  case GDK_KEY_s:
    zoom (self, 1 / ZOOM_STEP);
    return TRUE;
  case GDK_KEY_a:
    pan (self, -PAN_STEP);
    return TRUE;
  case GDK_KEY_d:
    pan (self, PAN_STEP);
    return TRUE;
  case GDK_KEY_f:
    fit (self);
    return TRUE;
  case GDK_KEY_m:
    extend_span (self);
    return TRUE;
  case GDK_KEY_Escape:
    if (isnan (self->view.span_from_ns))
      return FALSE;
    set_span (self, -1, NAN, NAN);
    return TRUE;
  default:
    return FALSE;
  }
}

/* Following the model. */

static void
take_result (SeamTimelinePage *self, SeamResult *result)
{
  g_clear_pointer (&self->timeline, seam_owner_free);
  g_clear_pointer (&self->shown, seam_result_unref);
  self->shown = result != NULL ? seam_result_ref (result) : NULL;
  self->view = SEAM_TIMELINE_VIEW_ALL;
  self->focused = (SeamHit){ .kind = SEAM_HIT_NONE };
}

/* The timeline of the result, or of one execution of it. */
static void
make_timeline (SeamTimelinePage *self, GError **error)
{
  g_clear_pointer (&self->timeline, seam_owner_free);
  if (self->shown != NULL)
    self->timeline =
        seam_timeline_new_of_execution (self->shown, 0, self->compared, self->execution, error);
}

/* "Medians", "Execution 1 of 10", … */
static void
fill_executions (SeamTimelinePage *self)
{
  int n = self->timeline != NULL ? self->timeline->n_executions : 0;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  gtk_string_list_append (names, "Medians");
  for (int i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("Execution %d of %d", i + 1, n);

    gtk_string_list_append (names, name);
  }
  self->filling = TRUE;
  gtk_drop_down_set_model (self->executions, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->executions, 0);
  self->filling = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->executions), n > 1);
}

static void update_result (SeamTimelinePage *self);

static void
execution_chosen_cb (SeamTimelinePage *self)
{
  guint selected = gtk_drop_down_get_selected (self->executions);
  SeamTimelineView view = self->view;

  if (self->filling || self->model == NULL || selected == GTK_INVALID_LIST_POSITION)
    return;
  self->execution = (int)selected - 1;
  make_timeline (self, NULL);
  /* What was measured lay between other times. */
  self->view = (SeamTimelineView){ view.from_ns, view.to_ns, -1, NAN, NAN };
  update_view (self);
  update_result (self);
}

/* The kernel that a row of the table is about: of the timeline, SEAM_HIT_NONE where it has none. */
static SeamHit
find_kernel (SeamTimelinePage *self, const SeamTableRow *row)
{
  SeamHit hit = { .kind = SEAM_HIT_NONE };

  if (row != NULL && row->index >= 0 && (row->plan == 0 || row->plan == self->compared))
    hit = (SeamHit){ .kind = SEAM_HIT_KERNEL, .plan = row->plan == 0 ? 0 : 1, .index = row->index };
  return get_record (self, &hit) != NULL ? hit : (SeamHit){ .kind = SEAM_HIT_NONE };
}

static void
select_kernel (SeamTimelinePage *self, const SeamTableRow *row)
{
  SeamHit hit = find_kernel (self, row);

  seam_figure_view_set_selected (self->figure_view, hit.kind != SEAM_HIT_NONE ? &hit : NULL);
}

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamTimelinePage *self)
{
  select_kernel (self, row);
}

static const SeamTableRow *
find_searched (SeamTimelinePage *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->search))[0] != '\0'
             ? seam_table_view_get_first (self->table)
             : NULL;
}

/* The table is empty where nothing is found, and a sentence says so. */
static void
update_nothing (SeamTimelinePage *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *shown = seam_text_show (text);
  g_autofree char *nothing = g_strdup_printf (
      "No kernel name, op or implementation here has “%s” in it. Try a part of the name.", shown);

  gtk_label_set_text (self->nothing, nothing);
  gtk_widget_set_visible (GTK_WIDGET (self->nothing),
                          *text != '\0' && find_searched (self) == NULL);
}

static void
search_changed_cb (SeamTimelinePage *self)
{
  seam_table_view_set_search (self->table, gtk_editable_get_text (GTK_EDITABLE (self->search)));
  update_nothing (self);
  select_kernel (self, find_searched (self));
}

static void
search_activated_cb (SeamTimelinePage *self)
{
  SeamHit hit;

  /* The entry tells of a change a moment later, and of Enter at once. */
  search_changed_cb (self);
  hit = find_kernel (self, find_searched (self));
  if (hit.kind != SEAM_HIT_NONE)
    activated_cb (self->figure_view, &hit, self);
}

static void
update_result (SeamTimelinePage *self)
{
  SeamResult *result = seam_measurement_get_result (self->model->measurement);
  const char *held = seam_measurement_get_held (self->model->measurement);
  const char *stale =
      result != NULL ? seam_measurement_get_stale_reason (self->model->measurement) : NULL;
  SeamTimelineView all = SEAM_TIMELINE_VIEW_ALL;
  g_autofree char *provenance = NULL, *note = NULL;
  g_autoptr (GError) error = NULL;
  int compared = seam_measurement_get_compared (self->model->measurement);
  gboolean changed = result != self->shown || (result != NULL && compared != self->compared);

  if (changed) {
    take_result (self, result);
    self->compared = compared;
    self->execution = -1;
    make_timeline (self, &error);
    fill_executions (self);
    seam_figure_view_set_selected (self->figure_view, NULL);
    if (result != NULL) {
      g_autoptr (SeamTable) table =
          seam_kernels_table_make (result, seam_measurement_get_n_plans (self->model->measurement));
      seam_table_view_set_pitfalls (self->table, result->pitfalls);
      seam_table_view_set_table (self->table, table);
      update_nothing (self);
    }
    if (self->timeline != NULL) {
      g_autoptr (SeamFigure) figure = seam_timeline_figure_new (self->timeline, &all, 800);

      seam_figure_view_set_minimum_height (self->figure_view, (int)ceil (figure->height));
    }
    update_view (self);
  }
  note = self->timeline != NULL ? seam_timeline_get_note (self->timeline) : NULL;
  gtk_widget_set_visible (GTK_WIDGET (self->figure_view), self->timeline != NULL);
  gtk_widget_set_visible (self->buttons, self->timeline != NULL);
  gtk_widget_set_visible (self->table_card, self->timeline != NULL && self->timeline->end_ns > 0);
  /* The reason for a missing timeline is set once, when the result comes. */
  if (stale != NULL)
    gtk_label_set_text (self->note, stale);
  else if (result == NULL)
    gtk_label_set_text (self->note,
                        held != NULL ? held : "Run both plans to see their kernels in time.");
  else if (note != NULL)
    gtk_label_set_text (self->note, note);
  else if (error != NULL)
    gtk_label_set_text (self->note, error->message);
  seam_css_class_set (self->card, "stale", stale != NULL);

  provenance = seam_store_get_provenance (self->model->store);
  seam_page_show_provenance (self->provenance, provenance);
}

static void
begin (SeamPage *page, const SeamPageContext *context)
{
  SeamTimelinePage *self = SEAM_TIMELINE_PAGE (page);
  SeamModel *model = context->model;

  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  seam_verdict_line_set_model (self->verdict, model);
  seam_compared_choice_set_model (self->choice, model);
  seam_watch (self, G_CALLBACK (update_result), model->setup, "pipeline", model->measurement,
              "state result", NULL);
  update_result (self);
  update_view (self);
}

static void
set_narrow (SeamPage *page, gboolean narrow)
{
  SeamTimelinePage *self = SEAM_TIMELINE_PAGE (page);

  seam_table_view_set_narrow (self->table, narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->scale), !narrow);
}

static void
page_init (SeamPageInterface *iface)
{
  static const char *const products[] = { "timeline", NULL };

  iface->name = "timeline";
  iface->title = "Timeline";
  iface->icon = "seam-timeline-symbolic";
  iface->products = products;
  iface->begin = begin;
  iface->set_narrow = set_narrow;
}

static void
seam_timeline_page_root (GtkWidget *widget)
{
  SeamTimelinePage *self = SEAM_TIMELINE_PAGE (widget);

  GTK_WIDGET_CLASS (seam_timeline_page_parent_class)->root (widget);
  self->keys = gtk_event_controller_key_new ();
  g_signal_connect (self->keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (gtk_widget_get_root (widget)), self->keys);
}

static void
seam_timeline_page_unroot (GtkWidget *widget)
{
  SeamTimelinePage *self = SEAM_TIMELINE_PAGE (widget);

  if (self->keys != NULL)
    gtk_widget_remove_controller (GTK_WIDGET (gtk_widget_get_root (widget)), self->keys);
  self->keys = NULL;
  GTK_WIDGET_CLASS (seam_timeline_page_parent_class)->unroot (widget);
}

static void
let_go (SeamTimelinePage *self)
{
  take_result (self, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_TIMELINE_PAGE);
}

static void
seam_timeline_page_class_init (SeamTimelinePageClass *klass)
{
  static const char *const actions[] = { "timeline.zoom-in", "timeline.zoom-out",
                                         "timeline.earlier", "timeline.later", "timeline.fit" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (let_go));
  SEAM_OWNS (klass, SeamTimelinePage, g_source_remove, scale_id);
  SEAM_OWNS (klass, SeamTimelinePage, g_object_unref, model);
  widget_class->root = seam_timeline_page_root;
  widget_class->unroot = seam_timeline_page_unroot;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i], NULL, action_cb);
  SEAM_TEMPLATE (klass, SeamTimelinePage, "timeline-page.ui", card, verdict, choice, buttons,
                 executions, search, nothing, figure_view, scale, note, table_place, table_card,
                 provenance);
  gtk_widget_class_bind_template_callback (widget_class, execution_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
}

static void
seam_timeline_page_init (SeamTimelinePage *self)
{
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkWidget *view;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->view = SEAM_TIMELINE_VIEW_ALL;
  self->pointer_x = NAN;
  self->execution = -1;
  self->table = seam_table_view_new (seam_kernels_table_new (), "median", TRUE, "Kernels");
  seam_table_view_show_all_rows (self->table);
  g_signal_connect (self->table, "row-selected", G_CALLBACK (row_selected_cb), self);
  gtk_box_append (self->table_place, GTK_WIDGET (self->table));

  view = GTK_WIDGET (self->figure_view);
  seam_figure_view_set_builder (self->figure_view, build_cb, self, NULL);
  seam_figure_view_set_minimum_width (self->figure_view, MIN_WIDTH);
  seam_figure_view_set_focus_kinds (self->figure_view, SEAM_HIT_KERNEL);
  seam_figure_view_set_tooltip_func (self->figure_view, describe_cb, self);
  g_signal_connect (view, "hit-activated", G_CALLBACK (activated_cb), self);
  g_signal_connect (view, "hit-focused", G_CALLBACK (focused_cb), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (view, scroll);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (view, motion);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (view, GTK_EVENT_CONTROLLER (drag));
}
