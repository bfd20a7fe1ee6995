/* SPDX-License-Identifier: MIT
 *
 * Keys and pointer of a figure view: arrow keys walk over the focusable places, a click or Space
 * activates one, and signals report the hit under the pointer.
 */
#include "ui/widgets/figure-view-private.h"

#include "ui/widgets/figure-spot.h"

#include <math.h>

static const SeamHit no_hit = { SEAM_HIT_NONE, 0, 0, 0, 0 };

/* -- Keys -------------------------------------------------------------------------------------- */

/* The nearest spot of another plan, one row up (-1) or down (+1). */
static int
find_in_other_plan (SeamFigureView *view, int from, int step)
{
  SeamFigureSpot *here = g_ptr_array_index (view->spots, from);
  int plan = seam_figure_spot_get_hit (here)->plan;
  double x = seam_figure_spot_get_centre (here), best_distance = G_MAXDOUBLE;
  int best = -1, best_rows = 0;

  for (guint i = 0; i < view->spots->len; i++) {
    SeamFigureSpot *spot = g_ptr_array_index (view->spots, i);
    double distance = fabs (seam_figure_spot_get_centre (spot) - x);
    int rows = (seam_figure_spot_get_hit (spot)->plan - plan) * step;
    if (rows > 0
        && (best < 0 || rows < best_rows || (rows == best_rows && distance < best_distance))) {
      best = (int)i;
      best_rows = rows;
      best_distance = distance;
    }
  }
  return best;
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                SeamFigureView *view)
{
  int n = (int)view->spots->len, i, to = -1;
  GtkDirectionType direction;

  if (n == 0 || !seam_figure_view_has_focus_within (view) || view->focus.kind == SEAM_HIT_NONE
      || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  i = seam_figure_view_find_spot (view, &view->focus);
  if (i < 0)
    return FALSE;
  switch (key) {
  case GDK_KEY_space:
  case GDK_KEY_KP_Space:
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_ISO_Enter: {
    SeamHit hit = view->focus;
    g_signal_emit_by_name (view, "hit-activated", &hit);
    return TRUE;
  }
  case GDK_KEY_Left:
  case GDK_KEY_KP_Left:
    to = i - 1;
    direction = GTK_DIR_LEFT;
    break;
  case GDK_KEY_Right:
  case GDK_KEY_KP_Right:
    to = i + 1 < n ? i + 1 : -1;
    direction = GTK_DIR_RIGHT;
    break;
  case GDK_KEY_Home:
  case GDK_KEY_KP_Home:
    return seam_figure_view_focus_spot (view, 0);
  case GDK_KEY_End:
  case GDK_KEY_KP_End:
    return seam_figure_view_focus_spot (view, n - 1);
  case GDK_KEY_Up:
  case GDK_KEY_KP_Up:
    to = find_in_other_plan (view, i, -1);
    direction = GTK_DIR_UP;
    break;
  case GDK_KEY_Down:
  case GDK_KEY_KP_Down:
    to = find_in_other_plan (view, i, 1);
    direction = GTK_DIR_DOWN;
    break;
  default:
    return FALSE;
  }
  if (to >= 0)
    return seam_figure_view_focus_spot (view, to);
  g_signal_emit_by_name (view, "step-out", direction);
  return TRUE;
}

/* -- Pointer ----------------------------------------------------------------------------------- */

static gboolean
is_active_hit (SeamFigureView *view, const SeamHit *hit)
{
  return hit->kind != SEAM_HIT_NONE && hit->kind == view->focus_kind;
}

static void
set_hover (SeamFigureView *view, const SeamHit *hit)
{
  const char *cursor = NULL;

  if (seam_hit_equal (&view->hover, hit))
    return;
  view->hover = *hit;
  if (is_active_hit (view, hit))
    cursor = hit->kind == SEAM_HIT_CELL ? "crosshair" : "pointer";
  gtk_widget_set_cursor_from_name (GTK_WIDGET (view), cursor);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  seam_figure_view_queue_bubble (view);
  g_signal_emit_by_name (view, "hit-hovered", hit->kind != SEAM_HIT_NONE ? hit : NULL);
}

static void
pick (SeamFigureView *view, double x, double y, SeamHit *hit)
{
  if (!seam_figure_view_pick (view, x, y, hit))
    *hit = no_hit;
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, SeamFigureView *view)
{
  SeamHit hit;

  /* GTK also reports a motion if the content moved under a resting pointer. If the owner moves
   * the content by keys, this must not take the place back. */
  if (view->focus_kind == SEAM_HIT_CELL && x == view->pointer_x && y == view->pointer_y)
    return;
  view->pointer_x = x;
  view->pointer_y = y;
  pick (view, x, y, &hit);
  set_hover (view, &hit);
  if (view->is_pressed && hit.kind != SEAM_HIT_NONE && !seam_hit_equal (&hit, &view->dragged)) {
    view->dragged = hit;
    g_signal_emit_by_name (view, "hit-dragged", &hit);
  }
}

static void
leave_cb (GtkEventControllerMotion *controller, SeamFigureView *view)
{
  set_hover (view, &no_hit);
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, SeamFigureView *view)
{
  int i;
  pick (view, x, y, &view->pressed);
  view->is_pressed = TRUE;
  view->dragged = view->pressed;
  seam_figure_view_hide_bubble (view);
  if (view->focus_kind == SEAM_HIT_CELL)
    gtk_widget_grab_focus (GTK_WIDGET (view));
  else if ((i = seam_figure_view_find_spot (view, &view->pressed)) >= 0)
    seam_figure_view_focus_spot (view, i);
  if (view->pressed.kind != SEAM_HIT_NONE)
    g_signal_emit_by_name (view, "hit-dragged", &view->pressed);
}

static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, SeamFigureView *view)
{
  SeamHit hit;
  pick (view, x, y, &hit);
  view->is_pressed = FALSE;
  if (is_active_hit (view, &hit) && seam_hit_equal (&hit, &view->pressed))
    g_signal_emit_by_name (view, "hit-activated", &hit);
}

static void
stopped_cb (GtkGesture *gesture, GdkEventSequence *sequence, SeamFigureView *view)
{
  view->is_pressed = FALSE;
}

void
seam_figure_view_connect_input (SeamFigureView *view)
{
  GtkWidget *widget = GTK_WIDGET (view);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), view);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), view);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), view);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), view);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), view);
  g_signal_connect (click, "cancel", G_CALLBACK (stopped_cb), view);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect (key, "key-pressed", G_CALLBACK (key_pressed_cb), view);
  gtk_widget_add_controller (widget, key);
}
