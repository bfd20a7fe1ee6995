/* SPDX-License-Identifier: MIT
 *
 * Two adjustments kept in step: the scrollbar's follows the window's when nothing else is to be
 * done, the window's follows a drag at once.
 */
#include "ui/widgets/late-scrollbar.h"

typedef struct {
  GtkWidget *scrollbar; /* owns this */
  GtkAdjustment *of;    /* owned reference */
  guint idle;
  gboolean is_following;
} Late;

static void
late_free (gpointer data)
{
  Late *late = data;

  g_clear_handle_id (&late->idle, g_source_remove);
  g_signal_handlers_disconnect_by_data (late->of, late);
  g_object_unref (late->of);
  g_free (late);
}

static gboolean
follow_cb (gpointer data)
{
  Late *late = data;
  GtkAdjustment *own = gtk_scrollbar_get_adjustment (GTK_SCROLLBAR (late->scrollbar));
  double lower = gtk_adjustment_get_lower (late->of), upper = gtk_adjustment_get_upper (late->of);
  double page = gtk_adjustment_get_page_size (late->of);

  late->idle = 0;
  late->is_following = TRUE;
  gtk_adjustment_configure (own, gtk_adjustment_get_value (late->of), lower, upper,
                            gtk_adjustment_get_step_increment (late->of),
                            gtk_adjustment_get_page_increment (late->of), page);
  late->is_following = FALSE;
  gtk_widget_set_visible (late->scrollbar, upper - lower > page);
  return G_SOURCE_REMOVE;
}

static void
window_changed_cb (GtkAdjustment *of, Late *late)
{
  if (late->idle == 0)
    late->idle = g_idle_add (follow_cb, late);
}

static void
dragged_cb (GtkAdjustment *own, Late *late)
{
  if (!late->is_following)
    gtk_adjustment_set_value (late->of, gtk_adjustment_get_value (own));
}

GtkWidget *
seam_late_scrollbar_new (GtkOrientation orientation, GtkAdjustment *of)
{
  GtkAdjustment *own = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  Late *late = g_new0 (Late, 1);

  late->scrollbar = gtk_scrollbar_new (orientation, own);
  late->of = g_object_ref (of);
  gtk_widget_set_visible (late->scrollbar, FALSE);
  g_signal_connect (of, "changed", G_CALLBACK (window_changed_cb), late);
  g_signal_connect (of, "value-changed", G_CALLBACK (window_changed_cb), late);
  g_signal_connect (own, "value-changed", G_CALLBACK (dragged_cb), late);
  g_object_set_data_full (G_OBJECT (late->scrollbar), "late", late, late_free);
  return late->scrollbar;
}
