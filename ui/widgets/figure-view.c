/* SPDX-License-Identifier: MIT
 *
 * The figure view. The figure is built for the current width and kept until its data or the size
 * changes. Hover, focus and selection are stored here, because a figure may be rebuilt at any time.
 * Each hit of the focus kind has an invisible child widget (SeamFigureSpot), so that GTK's focus
 * and accessibility match the picture. Keys and pointer are in figure-view-input.c.
 */
#include "ui/widgets/figure-view-private.h"

#include "ui/class/class.h"
#include "ui/widgets/figure-bubble.h"
#include "ui/widgets/figure-spot.h"
#include "ui/widgets/text-scale.h"

#include <adwaita.h>
#include <math.h>

/* Time that the pointer rests before the tooltip opens, and before it moves to the next hit. */
#define BUBBLE_FIRST_MS 450
#define BUBBLE_NEXT_MS  60

G_DEFINE_FINAL_TYPE (SeamFigureView, seam_figure_view, GTK_TYPE_WIDGET)

static const SeamHit no_hit = { SEAM_HIT_NONE, 0, 0, 0, 0 };

static void
queue_draw (SeamFigureView *view)
{
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static gboolean
is_focus_visible (SeamFigureView *view)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (view));
  return GTK_IS_WINDOW (root) && gtk_window_get_focus_visible (GTK_WINDOW (root));
}

static void sync_spots (SeamFigureView *view);
static void renew_bubble (SeamFigureView *view);

static gboolean
sync_cb (gpointer data)
{
  SeamFigureView *view = data;
  view->sync_id = 0;
  sync_spots (view);
  renew_bubble (view);
  return G_SOURCE_REMOVE;
}

/* Children must not be added or removed during layout, so this is done a moment later. */
static void
queue_sync (SeamFigureView *view)
{
  if (view->sync_id == 0)
    view->sync_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, sync_cb, view, NULL);
}

static void
ensure_figure (SeamFigureView *view, int width, int height)
{
  if (view->is_built && view->for_width == width && view->for_height == height)
    return;
  g_clear_pointer (&view->figure, seam_figure_free);
  if (view->build == NULL || width < 1)
    return;
  view->figure = view->build (width / view->scale, height / view->scale, view->build_data);
  view->is_built = TRUE;
  view->for_width = width;
  view->for_height = height;
  queue_sync (view);
}

void
seam_figure_view_ensure (SeamFigureView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);
  ensure_figure (view, gtk_widget_get_width (widget),
                 view->minimum_height > 0 ? gtk_widget_get_height (widget) : 0);
}

SeamRect
seam_figure_view_scale (SeamFigureView *view, const SeamRect *rect)
{
  return (SeamRect){ rect->x * view->scale, rect->y * view->scale, rect->width * view->scale,
                     rect->height * view->scale };
}

gboolean
seam_figure_view_pick (SeamFigureView *view, double x, double y, SeamHit *hit)
{
  g_return_val_if_fail (SEAM_IS_FIGURE_VIEW (view), FALSE);
  seam_figure_view_ensure (view);
  return view->figure != NULL
         && seam_figure_pick (view->figure, x / view->scale, y / view->scale, hit);
}

gboolean
seam_figure_view_locate (SeamFigureView *view, const SeamHit *hit, SeamRect *rect)
{
  g_return_val_if_fail (SEAM_IS_FIGURE_VIEW (view), FALSE);
  seam_figure_view_ensure (view);
  if (view->figure == NULL || !seam_figure_locate (view->figure, hit, rect))
    return FALSE;
  *rect = seam_figure_view_scale (view, rect);
  return TRUE;
}

/* -- Hits ------------------------------------------------------------------------------------ */

static char *
describe_hit (SeamFigureView *view, const SeamHit *hit)
{
  return view->tooltip_func != NULL ? view->tooltip_func (hit, view->tooltip_data) : NULL;
}

static char *
name_hit (SeamFigureView *view, const SeamHit *hit)
{
  char *name = view->name_func != NULL ? view->name_func (hit, view->name_data) : NULL;
  return name != NULL ? name : describe_hit (view, hit);
}

/* -- Tooltip ----------------------------------------------------------------------------------- */

void
seam_figure_view_hide_bubble (SeamFigureView *view)
{
  g_clear_handle_id (&view->bubble_id, g_source_remove);
  if (view->bubble != NULL)
    gtk_popover_popdown (GTK_POPOVER (view->bubble));
}

static void
show_bubble (SeamFigureView *view, const SeamHit *hit)
{
  SeamRect rect;
  g_autofree char *text = NULL;

  g_clear_handle_id (&view->bubble_id, g_source_remove);
  if (hit->kind == SEAM_HIT_NONE || !gtk_widget_get_mapped (GTK_WIDGET (view))
      || !seam_figure_view_locate (view, hit, &rect) || (text = describe_hit (view, hit)) == NULL)
    return seam_figure_view_hide_bubble (view);
  if (view->bubble == NULL)
    view->bubble = seam_figure_bubble_new (GTK_WIDGET (view));
  seam_figure_bubble_show (view->bubble, text, &rect, view->bubble_below);
}

/* What an open bubble says may have changed with the figure. */
static void
renew_bubble (SeamFigureView *view)
{
  if (view->bubble != NULL && gtk_widget_get_visible (view->bubble))
    show_bubble (view, view->hover.kind != SEAM_HIT_NONE ? &view->hover : &view->focus);
}

static void
show_focus_bubble (SeamFigureView *view)
{
  gboolean shows = view->focus.kind != SEAM_HIT_CELL && is_focus_visible (view);
  show_bubble (view, shows ? &view->focus : &no_hit);
}

static gboolean
bubble_cb (gpointer data)
{
  SeamFigureView *view = data;
  view->bubble_id = 0;
  show_bubble (view, &view->hover);
  return G_SOURCE_REMOVE;
}

void
seam_figure_view_queue_bubble (SeamFigureView *view)
{
  gboolean open = view->bubble != NULL && gtk_widget_get_visible (view->bubble);

  if (view->tooltip_func == NULL)
    return;
  if (view->hover.kind == SEAM_HIT_NONE || view->is_pressed)
    return seam_figure_view_hide_bubble (view);
  g_clear_handle_id (&view->bubble_id, g_source_remove);
  view->bubble_id = g_timeout_add (open ? BUBBLE_NEXT_MS : BUBBLE_FIRST_MS, bubble_cb, view);
}

/* -- Focus ------------------------------------------------------------------------------------- */

int
seam_figure_view_find_spot (SeamFigureView *view, const SeamHit *hit)
{
  for (guint i = 0; i < view->spots->len; i++) {
    SeamFigureSpot *spot = g_ptr_array_index (view->spots, i);
    if (seam_hit_equal (seam_figure_spot_get_hit (spot), hit))
      return (int)i;
  }
  return -1;
}

gboolean
seam_figure_view_has_focus_within (SeamFigureView *view)
{
  return gtk_widget_get_focus_child (GTK_WIDGET (view)) != NULL;
}

gboolean
seam_figure_view_focus_spot (SeamFigureView *view, int i)
{
  if (i < 0 || i >= (int)view->spots->len)
    return FALSE;
  return gtk_widget_grab_focus (g_ptr_array_index (view->spots, i));
}

static void
set_focus_hit (SeamFigureView *view, const SeamHit *hit)
{
  SeamHit old = view->focus;
  view->focus = hit != NULL ? *hit : no_hit;
  if (seam_hit_equal (&old, &view->focus))
    return;
  queue_draw (view);
  show_focus_bubble (view);
  g_signal_emit_by_name (view, "hit-focused", hit);
}

static void
spot_focus_cb (SeamFigureSpot *spot, GParamSpec *pspec, SeamFigureView *view)
{
  if (gtk_widget_has_focus (GTK_WIDGET (spot)))
    set_focus_hit (view, seam_figure_spot_get_hit (spot));
  else if (seam_hit_equal (&view->focus, seam_figure_spot_get_hit (spot)))
    set_focus_hit (view, NULL);
}

static void
sync_spots (SeamFigureView *view)
{
  g_autoptr (GArray) places = NULL;
  g_autofree char *summary = NULL;

  if (gtk_widget_get_width (GTK_WIDGET (view)) > 0)
    seam_figure_view_ensure (view);
  places = seam_figure_list_places (view->figure, view->focus_kind);
  while (view->spots->len > places->len) {
    GtkWidget *last = g_ptr_array_index (view->spots, view->spots->len - 1);
    if (gtk_widget_has_focus (last) && places->len > 0)
      seam_figure_view_focus_spot (view, (int)places->len - 1);
    g_signal_handlers_disconnect_by_data (last, view);
    g_ptr_array_set_size (view->spots, (int)view->spots->len - 1);
    gtk_widget_unparent (last);
  }
  while (view->spots->len < places->len) {
    GtkWidget *spot = seam_figure_spot_new ();
    g_signal_connect (spot, "notify::has-focus", G_CALLBACK (spot_focus_cb), view);
    gtk_widget_set_parent (spot, GTK_WIDGET (view));
    g_ptr_array_add (view->spots, spot);
  }
  for (guint i = 0; i < places->len; i++) {
    SeamFigurePlace *place = &g_array_index (places, SeamFigurePlace, i);
    SeamFigureSpot *spot = g_ptr_array_index (view->spots, i);
    g_autofree char *name = name_hit (view, &place->hit);
    g_autofree char *text = describe_hit (view, &place->hit);

    place->rect = seam_figure_view_scale (view, &place->rect);
    seam_figure_spot_set_place (spot, place);
    seam_figure_spot_describe (spot, name, text, view->pressed_func != NULL,
                               view->pressed_func != NULL
                                   && view->pressed_func (&place->hit, view->pressed_data));
    if (gtk_widget_has_focus (GTK_WIDGET (spot)))
      view->focus = place->hit;
  }
  summary = view->figure != NULL ? seam_figure_summarize (view->figure) : NULL;
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  summary != NULL ? summary : "", -1);
  if (seam_figure_view_has_focus_within (view))
    show_focus_bubble (view);
  gtk_widget_queue_allocate (GTK_WIDGET (view));
}

static gboolean
focus (GtkWidget *widget, GtkDirectionType direction)
{
  SeamFigureView *view = SEAM_FIGURE_VIEW (widget);
  int i;

  if (view->sync_id != 0) {
    g_clear_handle_id (&view->sync_id, g_source_remove);
    sync_spots (view);
  }
  if (view->spots->len == 0)
    return GTK_WIDGET_CLASS (seam_figure_view_parent_class)->focus (widget, direction);
  /* The figure is one Tab stop; arrows are handled as keys. */
  if (seam_figure_view_has_focus_within (view))
    return FALSE;
  i = seam_figure_view_find_spot (view, &view->selected);
  return seam_figure_view_focus_spot (view, MAX (i, 0));
}

/* -- Widget ------------------------------------------------------------------------------------ */

static GtkSizeRequestMode
get_request_mode (GtkWidget *widget)
{
  SeamFigureView *view = SEAM_FIGURE_VIEW (widget);
  return view->minimum_height > 0 ? GTK_SIZE_REQUEST_CONSTANT_SIZE
                                  : GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
get_minimum_width (SeamFigureView *view)
{
  return MAX ((int)ceil (view->minimum_width * view->scale), 1);
}

static int
measure_height (SeamFigureView *view, int width)
{
  int height = 0;

  width = MAX (width, get_minimum_width (view));
  if (view->figure != NULL && view->for_width == width)
    return (int)ceil (view->figure->height * view->scale);
  for (int i = 0; i < MIN (view->n_measured, SEAM_FIGURE_VIEW_MEASURED); i++)
    if (view->measured[i].width == width)
      return view->measured[i].height;
  if (view->build != NULL) {
    g_autoptr (SeamFigure) figure = view->build (width / view->scale, 0, view->build_data);
    height = figure != NULL ? (int)ceil (figure->height * view->scale) : 0;
  }
  view->measured[view->n_measured % SEAM_FIGURE_VIEW_MEASURED].width = width;
  view->measured[view->n_measured % SEAM_FIGURE_VIEW_MEASURED].height = height;
  view->n_measured++;
  return height;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  SeamFigureView *view = SEAM_FIGURE_VIEW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = get_minimum_width (view);
  else if (view->minimum_height > 0)
    *minimum = (int)ceil (view->minimum_height * view->scale);
  else
    *minimum = measure_height (view, for_size);
  *natural = *minimum;
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SeamFigureView *view = SEAM_FIGURE_VIEW (widget);

  seam_figure_view_ensure (view);
  for (guint i = 0; i < view->spots->len; i++) {
    SeamFigureSpot *spot = g_ptr_array_index (view->spots, i);
    SeamFigurePlace place = { .hit = *seam_figure_spot_get_hit (spot) };
    if (seam_figure_view_locate (view, &place.hit, &place.rect))
      seam_figure_spot_set_place (spot, &place);
    seam_figure_spot_allocate (spot);
  }
  if (view->bubble != NULL)
    gtk_popover_present (GTK_POPOVER (view->bubble));
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snap)
{
  SeamFigureView *view = SEAM_FIGURE_VIEW (widget);
  AdwStyleManager *style = adw_style_manager_get_default ();
  cairo_t *cr;
  gboolean cell = view->focus.kind == SEAM_HIT_CELL;

  seam_figure_view_ensure (view);
  if (view->figure == NULL)
    return;
  view->figure->hover = view->hover;
  /* The mark of a cell is always drawn; other focus shows only when GTK shows its own focus
   * ring. */
  view->figure->focus =
      cell || (seam_figure_view_has_focus_within (view) && is_focus_visible (view)) ? view->focus
                                                                                    : no_hit;
  view->figure->selected = view->selected;
  view->figure->beside = view->beside;
  cr = gtk_snapshot_append_cairo (snap,
                                  &GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget),
                                                       (float)gtk_widget_get_height (widget)));
  cairo_scale (cr, view->scale, view->scale);
  seam_figure_draw (view->figure, cr,
                    seam_palette_get (adw_style_manager_get_dark (style),
                                      adw_style_manager_get_high_contrast (style)));
  cairo_destroy (cr);
}

static void
unmap (GtkWidget *widget)
{
  seam_figure_view_hide_bubble (SEAM_FIGURE_VIEW (widget));
  GTK_WIDGET_CLASS (seam_figure_view_parent_class)->unmap (widget);
}

static gboolean
grab_focus (GtkWidget *widget)
{
  SeamFigureView *view = SEAM_FIGURE_VIEW (widget);
  if (view->spots->len > 0)
    return seam_figure_view_focus_spot (
        view, MAX (seam_figure_view_find_spot (view, &view->selected), 0));
  return GTK_WIDGET_CLASS (seam_figure_view_parent_class)->grab_focus (widget);
}

static void
let_go (SeamFigureView *view)
{
  GtkWidget *child;

  if (view->spots != NULL)
    g_ptr_array_set_size (view->spots, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (view))) != NULL) {
    g_signal_handlers_disconnect_by_data (child, view);
    gtk_widget_unparent (child);
  }
  view->bubble = NULL;
  g_clear_pointer (&view->figure, seam_figure_free);
  if (view->build_destroy != NULL)
    g_clear_pointer (&view->build_data, view->build_destroy);
  view->build = NULL;
  view->build_destroy = NULL;
}

static void
seam_figure_view_class_init (SeamFigureViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (let_go));
  SEAM_OWNS (klass, SeamFigureView, g_source_remove, sync_id, bubble_id);
  SEAM_OWNS (klass, SeamFigureView, g_ptr_array_unref, spots);
  widget_class->get_request_mode = get_request_mode;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
  widget_class->snapshot = snapshot;
  widget_class->focus = focus;
  widget_class->grab_focus = grab_focus;
  widget_class->unmap = unmap;
  gtk_widget_class_set_css_name (widget_class, "figureview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  seam_signals_install (klass, G_TYPE_POINTER, "hit-activated hit-hovered hit-focused hit-dragged");
  seam_signals_install (klass, GTK_TYPE_DIRECTION_TYPE, "step-out");
}

static void
text_scale_changed_cb (SeamFigureView *view)
{
  view->scale = seam_text_scale_get () * view->shrink;
  seam_figure_view_invalidate (view);
  gtk_widget_queue_resize (GTK_WIDGET (view));
}

static void
seam_figure_view_init (SeamFigureView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);
  AdwStyleManager *style = adw_style_manager_get_default ();

  view->spots = g_ptr_array_new ();
  view->minimum_width = 40;
  view->shrink = 1;
  view->scale = seam_text_scale_get ();
  seam_text_scale_follow (view, G_CALLBACK (text_scale_changed_cb));
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  seam_figure_view_connect_input (view);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), view,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), view,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
seam_figure_view_new (void)
{
  return g_object_new (SEAM_TYPE_FIGURE_VIEW, NULL);
}

SeamFigure *
seam_figure_view_get_figure (SeamFigureView *view)
{
  g_return_val_if_fail (SEAM_IS_FIGURE_VIEW (view), NULL);
  seam_figure_view_ensure (view);
  return view->figure;
}

void
seam_figure_view_set_builder (SeamFigureView *view, SeamFigureBuildFunc build, gpointer data,
                              GDestroyNotify destroy)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  if (view->build_destroy != NULL && view->build_data != NULL)
    view->build_destroy (view->build_data);
  view->build = build;
  view->build_data = data;
  view->build_destroy = destroy;
  seam_figure_view_invalidate (view);
}

void
seam_figure_view_invalidate (SeamFigureView *view)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  g_clear_pointer (&view->figure, seam_figure_free);
  view->is_built = FALSE;
  view->n_measured = 0;
  if (view->minimum_height == 0)
    gtk_widget_queue_resize (GTK_WIDGET (view));
  gtk_widget_queue_draw (GTK_WIDGET (view));
  queue_sync (view);
}

void
seam_figure_view_set_minimum_width (SeamFigureView *view, int width)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->minimum_width = width;
  gtk_widget_queue_resize (GTK_WIDGET (view));
}

void
seam_figure_view_set_shrink (SeamFigureView *view, double shrink)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->shrink = shrink;
  text_scale_changed_cb (view);
}

void
seam_figure_view_set_minimum_height (SeamFigureView *view, int height)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->minimum_height = height;
  gtk_widget_queue_resize (GTK_WIDGET (view));
}

void
seam_figure_view_set_focus_kinds (SeamFigureView *view, SeamHitKind kind)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->focus_kind = kind;
  gtk_widget_set_focusable (GTK_WIDGET (view), kind == SEAM_HIT_CELL);
  g_object_set (view, "accessible-role",
                kind == SEAM_HIT_NONE || kind == SEAM_HIT_CELL ? GTK_ACCESSIBLE_ROLE_IMG
                                                               : GTK_ACCESSIBLE_ROLE_GROUP,
                NULL);
  queue_sync (view);
}

void
seam_figure_view_set_tooltip_func (SeamFigureView *view, SeamFigureTextFunc func, gpointer data)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->tooltip_func = func;
  view->tooltip_data = data;
}

void
seam_figure_view_set_name_func (SeamFigureView *view, SeamFigureTextFunc func, gpointer data)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->name_func = func;
  view->name_data = data;
}

void
seam_figure_view_set_pressed_func (SeamFigureView *view, SeamFigureStateFunc func, gpointer data)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->pressed_func = func;
  view->pressed_data = data;
}

void
seam_figure_view_set_selected (SeamFigureView *view, const SeamHit *hit)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->selected = hit != NULL ? *hit : no_hit;
  queue_draw (view);
}

void
seam_figure_view_set_beside (SeamFigureView *view, const SeamHit *hit)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  view->beside = hit != NULL ? *hit : no_hit;
  queue_draw (view);
}

void
seam_figure_view_set_focused (SeamFigureView *view, const SeamHit *hit)
{
  g_return_if_fail (SEAM_IS_FIGURE_VIEW (view));
  if (view->spots->len > 0 && hit != NULL && seam_figure_view_has_focus_within (view)) {
    seam_figure_view_focus_spot (view, seam_figure_view_find_spot (view, hit));
  } else if (view->spots->len == 0) {
    view->focus = hit != NULL ? *hit : no_hit;
    if (!seam_hit_equal (&view->focus, &view->hover))
      view->hover = no_hit;
    queue_draw (view);
  }
}

gboolean
seam_figure_view_grab_focus_at (SeamFigureView *view, double x)
{
  int best = -1;
  double best_distance = G_MAXDOUBLE;

  g_return_val_if_fail (SEAM_IS_FIGURE_VIEW (view), FALSE);
  for (guint i = 0; i < view->spots->len; i++) {
    SeamFigureSpot *spot = g_ptr_array_index (view->spots, i);
    double distance = fabs (seam_figure_spot_get_centre (spot) - x);
    if (distance < best_distance) {
      best = (int)i;
      best_distance = distance;
    }
  }
  return seam_figure_view_focus_spot (view, best);
}

double
seam_figure_view_get_focus_x (SeamFigureView *view)
{
  int i;

  g_return_val_if_fail (SEAM_IS_FIGURE_VIEW (view), 0);
  i = seam_figure_view_find_spot (view, &view->focus);
  return i >= 0 ? seam_figure_spot_get_centre (g_ptr_array_index (view->spots, i)) : 0;
}

void
seam_figure_view_set_bubble_below (SeamFigureView *view, GtkWidget *ancestor)
{
  view->bubble_below = ancestor;
}
