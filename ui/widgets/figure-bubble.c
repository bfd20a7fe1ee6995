/* SPDX-License-Identifier: MIT
 *
 * A popover that looks like a tooltip and takes neither focus nor pointer events.
 */
#include "ui/widgets/figure-bubble.h"

#include "ui/widgets/gtk-repairs.h"
#include "ui/widgets/label.h"

#include <math.h>

/* The tooltip of the window must not stay in front of a dialog. */
static void
window_active_cb (GtkWindow *window, GParamSpec *pspec, GtkPopover *bubble)
{
  if (!gtk_window_is_active (window))
    gtk_popover_popdown (bubble);
}

static gboolean
is_behind_dialog (GtkWindow *window)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) other = g_list_model_get_item (all, i);

    if (other != window && gtk_window_get_transient_for (other) == window
        && gtk_window_is_active (other))
      return TRUE;
  }
  return FALSE;
}

static void
watch_window (GtkWidget *bubble, GtkWindow *window)
{
  static const char key[] = "seam-window";

  if (g_object_get_data (G_OBJECT (bubble), key) == window)
    return;
  g_object_set_data (G_OBJECT (bubble), key, window);
  g_signal_connect_object (window, "notify::is-active", G_CALLBACK (window_active_cb), bubble, 0);
}

GtkWidget *
seam_figure_bubble_new (GtkWidget *parent)
{
  GtkWidget *label = seam_label_new (NULL, NULL, SEAM_LABEL_WRAPS);
  GtkWidget *bubble = gtk_popover_new ();

  gtk_label_set_max_width_chars (GTK_LABEL (label), 70);
  gtk_popover_set_child (GTK_POPOVER (bubble), label);
  gtk_popover_set_autohide (GTK_POPOVER (bubble), FALSE);
  gtk_popover_set_has_arrow (GTK_POPOVER (bubble), FALSE);
  gtk_popover_set_position (GTK_POPOVER (bubble), GTK_POS_BOTTOM);
  gtk_popover_set_offset (GTK_POPOVER (bubble), 0, 4);
  gtk_widget_set_can_focus (bubble, FALSE);
  gtk_widget_set_can_target (bubble, FALSE);
  gtk_widget_add_css_class (bubble, "seam-bubble");
  gtk_widget_set_parent (bubble, parent);
  return bubble;
}

void
seam_figure_bubble_show (GtkWidget *bubble, const char *text, const SeamRect *rect,
                         GtkWidget *below)
{
  GdkRectangle place = { (int)floor (rect->x), (int)floor (rect->y), (int)ceil (rect->width),
                         (int)ceil (rect->height) };
  GtkRoot *root = gtk_widget_get_root (bubble);
  graphene_rect_t bounds;

  if (GTK_IS_WINDOW (root)) {
    watch_window (bubble, GTK_WINDOW (root));
    if (is_behind_dialog (GTK_WINDOW (root)))
      return gtk_popover_popdown (GTK_POPOVER (bubble));
  }
  if (!seam_gtk_is_in_window (gtk_widget_get_parent (bubble), &place))
    return gtk_popover_popdown (GTK_POPOVER (bubble));
  if (below != NULL && gtk_widget_compute_bounds (below, gtk_widget_get_parent (bubble), &bounds))
    place.height = MAX (place.height, (int)(bounds.origin.y + bounds.size.height) - place.y);
  gtk_label_set_text (GTK_LABEL (gtk_popover_get_child (GTK_POPOVER (bubble))), text);
  gtk_popover_set_pointing_to (GTK_POPOVER (bubble), &place);
  gtk_popover_popup (GTK_POPOVER (bubble));
}
