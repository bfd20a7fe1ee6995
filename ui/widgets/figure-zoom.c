/* SPDX-License-Identifier: MIT
 *
 * The zoom is a number of steps, from ZOOM_LEAST to ZOOM_MOST; 0 fits the width.
 */
#include "ui/widgets/figure-zoom.h"

#include "ui/widgets/gtk-repairs.h"
#include "ui/widgets/label.h"
#include "ui/widgets/text-scale.h"

#include <math.h>

#define ZOOM_STEP  1.25
#define ZOOM_LEAST -4
#define ZOOM_MOST  8

enum { ZOOM_OUT = -1, ZOOM_FIT, ZOOM_IN, N_ZOOMS = 3 };

typedef struct {
  SeamFigureView *view; /* which owns this */
  GtkAdjustment *scroll;
  GtkWidget *buttons[N_ZOOMS];
  int minimum_width, steps;
  double centre; /* as part of the width, until the view has its new width; NaN: none */
} Zoom;

static const struct {
  int zoom;
  const char *icon, *name, *tooltip;
  guint keys[4];
} kinds[N_ZOOMS] = {
  { ZOOM_OUT,
    "zoom-out-symbolic",
    "Zoom out",
    "Smaller (−, Ctrl+scroll)",
    { GDK_KEY_minus, GDK_KEY_KP_Subtract } },
  { ZOOM_IN,
    "zoom-in-symbolic",
    "Zoom in",
    "More room for each node (+, Ctrl+scroll)",
    { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add } },
  { ZOOM_FIT,
    "zoom-fit-best-symbolic",
    "Fit the width",
    "Fit the width (0)",
    { GDK_KEY_0, GDK_KEY_KP_0 } },
};

static void
zoom (Zoom *self, int by)
{
  int steps = by == ZOOM_FIT ? 0 : CLAMP (self->steps + by, ZOOM_LEAST, ZOOM_MOST);
  double seen = gtk_adjustment_get_page_size (self->scroll);
  double factor = pow (ZOOM_STEP, steps);

  if (steps == self->steps)
    return;
  self->steps = steps;
  self->centre = (gtk_adjustment_get_value (self->scroll) + seen / 2)
                 / gtk_adjustment_get_upper (self->scroll);
  seam_figure_view_set_shrink (self->view, fmin (factor, 1));
  seam_figure_view_set_minimum_width (
      self->view, steps > 0 ? (int)(seen * factor / seam_text_scale_get ()) : self->minimum_width);
  for (int i = 0; i < N_ZOOMS; i++)
    gtk_widget_set_sensitive (self->buttons[i], kinds[i].zoom == ZOOM_IN    ? steps < ZOOM_MOST
                                                : kinds[i].zoom == ZOOM_OUT ? steps > ZOOM_LEAST
                                                                            : steps != 0);
}

static Zoom *
get_zoom (gpointer view)
{
  return g_object_get_data (view, "zoom");
}

/* What was in the middle is there again. */
static gboolean
centre_cb (GtkWidget *view, GdkFrameClock *clock, gpointer data)
{
  Zoom *self = get_zoom (view);

  if (!isnan (self->centre))
    gtk_adjustment_set_value (self->scroll, self->centre * gtk_adjustment_get_upper (self->scroll)
                                                - gtk_adjustment_get_page_size (self->scroll) / 2);
  self->centre = NAN;
  return G_SOURCE_REMOVE;
}

/* The view has its new width. While it is allocated, the scrolled window sets the old place again,
 * so that the new one waits for the next frame. */
static void
scroll_changed_cb (GtkAdjustment *scroll, GtkWidget *view)
{
  if (!isnan (get_zoom (view)->centre))
    gtk_widget_add_tick_callback (view, centre_cb, NULL, NULL);
}

static void
clicked_cb (GtkWidget *button, GtkWidget *view)
{
  Zoom *self = get_zoom (view);

  for (int i = 0; i < N_ZOOMS; i++)
    if (self->buttons[i] == button)
      zoom (self, kinds[i].zoom);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, GtkWidget *view)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if ((state & GDK_CONTROL_MASK) == 0 || dy == 0)
    return FALSE;
  zoom (get_zoom (view), dy < 0 ? ZOOM_IN : ZOOM_OUT);
  return TRUE;
}

static gboolean
shortcut_cb (GtkWidget *view, GVariant *arguments, gpointer data)
{
  if (!gtk_widget_get_mapped (view))
    return FALSE;
  zoom (get_zoom (view), GPOINTER_TO_INT (data));
  return TRUE;
}

static void
add_shortcuts (GtkWidget *view)
{
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (shortcuts),
                                     GTK_SHORTCUT_SCOPE_GLOBAL);
  for (int i = 0; i < N_ZOOMS; i++)
    for (const guint *key = kinds[i].keys; *key != 0; key++)
      gtk_shortcut_controller_add_shortcut (
          GTK_SHORTCUT_CONTROLLER (shortcuts),
          gtk_shortcut_new (
              gtk_keyval_trigger_new (*key, 0),
              gtk_callback_action_new (shortcut_cb, GINT_TO_POINTER (kinds[i].zoom), NULL)));
  gtk_widget_add_controller (view, shortcuts);
}

/* Puts the view, which is in a box, into a scrolled window at the same place. */
static GtkWidget *
scroll_figure (GtkWidget *view, int minimum_width)
{
  GtkWidget *box = gtk_widget_get_parent (view), *before = gtk_widget_get_prev_sibling (view);
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());

  g_object_ref (view);
  gtk_box_remove (GTK_BOX (box), view);
  gtk_scrolled_window_set_child (scrolled, view);
  g_object_unref (view);
  seam_gtk_scroll_across (scrolled, 0);
  gtk_scrolled_window_set_min_content_width (scrolled, minimum_width);
  gtk_box_insert_child_after (GTK_BOX (box), GTK_WIDGET (scrolled), before);
  return GTK_WIDGET (scrolled);
}

GtkWidget *
seam_figure_zoom_new (SeamFigureView *view, int minimum_width)
{
  Zoom *self = g_new0 (Zoom, 1);
  GtkWidget *box = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 0, NULL, NULL);
  GtkWidget *scrolled = scroll_figure (GTK_WIDGET (view), minimum_width);
  GtkEventController *wheel =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  self->view = view;
  self->minimum_width = minimum_width;
  self->centre = NAN;
  self->scroll = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled));
  g_object_set_data_full (G_OBJECT (view), "zoom", self, g_free);
  for (int i = 0; i < N_ZOOMS; i++) {
    self->buttons[i] = seam_button_new (kinds[i].icon, "flat", kinds[i].tooltip, NULL);
    gtk_widget_set_valign (self->buttons[i], GTK_ALIGN_START);
    seam_widget_set_name (self->buttons[i], kinds[i].name);
    gtk_widget_set_sensitive (self->buttons[i], kinds[i].zoom != ZOOM_FIT);
    g_signal_connect_object (self->buttons[i], "clicked", G_CALLBACK (clicked_cb), view, 0);
    gtk_box_append (GTK_BOX (box), self->buttons[i]);
  }
  g_signal_connect_object (self->scroll, "changed", G_CALLBACK (scroll_changed_cb), view, 0);
  /* Before the scrolled window moves the figure. */
  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  g_signal_connect_object (wheel, "scroll", G_CALLBACK (scroll_cb), view, 0);
  gtk_widget_add_controller (scrolled, wheel);
  add_shortcuts (GTK_WIDGET (view));
  return box;
}
