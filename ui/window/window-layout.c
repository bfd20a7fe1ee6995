/* SPDX-License-Identifier: MIT
 *
 * The folding of the window: the sidebar beside or over the pages, and the parts that pages leave
 * out in a narrow window. All widths are for text of the usual size and grow with the text.
 */
#include "ui/window/window-private.h"

#include "ui/window/pages.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/text-scale.h"

#define UNFOLD_WIDTH  1280 /* from this width on the sidebar stands beside the tab */
#define SIDEBAR_WIDTH 305  /* with its separator */
#define LESSON_WIDTH  353  /* the same of the pane that takes its place */
#define NARROW_WIDTH  1100 /* of the content */
#define BESIDE_WIDTH  1000 /* from this width on a lesson stands beside the tab, else below it */
#define BELOW_SHARE   0.5  /* of the window's height */
#define LOW_HEIGHT    700  /* below this height a lesson leaves out what a tooltip can say */

static void
set_narrow_cb (SeamPage *page, gpointer narrow)
{
  seam_page_set_narrow (page, GPOINTER_TO_INT (narrow));
}

/* Whoever takes a lesson sees the figure and the text at once. */
static void
place_side (SeamWindow *self, gboolean below)
{
  GtkOrientation orientation = below ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->flap), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (adw_flap_get_separator (self->flap)),
                                  below ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  adw_flap_set_flap_position (self->flap, below ? GTK_PACK_END : GTK_PACK_START);
  gtk_widget_set_size_request (GTK_WIDGET (self->side), -1,
                               below ? (int)(BELOW_SHARE * self->height_seen) : -1);
  seam_css_class_set (self, "below", below);
  seam_lesson_pane_set_room (self->lesson_pane, below,
                             below || self->height_seen < LOW_HEIGHT * seam_text_scale_get ());
}

void
seam_window_apply_width (SeamWindow *self, int pixels)
{
  int width = (int)(pixels / seam_text_scale_get ());
  gboolean lesson = seam_window_has_lesson (self);
  gboolean folded = width < UNFOLD_WIDTH && !lesson, below = lesson && width < BESIDE_WIDTH;
  int side = lesson ? LESSON_WIDTH : SIDEBAR_WIDTH;
  gboolean narrow;

  seam_lesson_end_set_narrow (self->lesson_end, width < NARROW_WIDTH);
  seam_pipeline_browser_set_width (self->browser, width);
  place_side (self, below);
  if (folded != self->folded) {
    self->folded = folded;
    adw_flap_set_fold_policy (self->flap,
                              folded ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_NEVER);
    /* A lesson stays in sight. */
    adw_flap_set_reveal_flap (self->flap, lesson || (!folded && self->show_sidebar));
    gtk_widget_set_visible (self->summary_button, folded);
  }
  narrow = width - (!folded && !below && adw_flap_get_reveal_flap (self->flap) ? side : 0)
           < NARROW_WIDTH;
  if (narrow != self->narrow) {
    self->narrow = narrow;
    seam_css_class_set (self, "narrow", narrow);
    seam_pages_each (self->pages, set_narrow_cb, GINT_TO_POINTER (narrow));
  }
}

static gboolean
layout_idle_cb (gpointer data)
{
  SeamWindow *self = data;

  self->layout_id = 0;
  seam_window_apply_width (self, self->width_seen);
  return G_SOURCE_REMOVE;
}

/* The surface's new width is known before allocation; the change itself waits until allocation
 * ends. */
static void
surface_layout_cb (GdkSurface *surface, int width, int height, SeamWindow *self)
{
  if (width == self->width_seen && height == self->height_seen)
    return;
  self->width_seen = width;
  self->height_seen = height;
  if (self->layout_id == 0)
    self->layout_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, layout_idle_cb, self, NULL);
}

static void
text_scale_changed_cb (SeamWindow *self)
{
  if (self->width_seen > 0 && self->layout_id == 0)
    self->layout_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, layout_idle_cb, self, NULL);
}

static void
reveal_changed_cb (SeamWindow *self)
{
  if (self->model == NULL)
    return;
  if (!self->folded && !seam_window_has_lesson (self))
    self->show_sidebar = adw_flap_get_reveal_flap (self->flap);
  if (self->width_seen > 0)
    seam_window_apply_width (self, self->width_seen);
}

void
seam_window_connect_layout (SeamWindow *self)
{
  g_signal_connect_swapped (self->flap, "notify::reveal-flap", G_CALLBACK (reveal_changed_cb),
                            self);
  seam_text_scale_follow (self, G_CALLBACK (text_scale_changed_cb));
}

void
seam_window_follow_surface (SeamWindow *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));

  g_signal_connect_object (surface, "layout", G_CALLBACK (surface_layout_cb), self, 0);
}
