/* SPDX-License-Identifier: MIT
 *
 * One hook on the signal that every popover emits when it has closed, because menus and drop-downs
 * make theirs themselves.
 */
#include "ui/widgets/popover-focus.h"

#include <gtk/gtk.h>

static gboolean
closed_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *popover = g_value_get_object (&values[0]);
  GtkRoot *root = gtk_widget_get_root (popover);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, popover))
    return G_SOURCE_CONTINUE;
  for (GtkWidget *owner = gtk_widget_get_parent (popover); owner != NULL;
       owner = gtk_widget_get_parent (owner))
    if (gtk_widget_get_mapped (owner) && gtk_widget_grab_focus (owner))
      break;
  return G_SOURCE_CONTINUE;
}

void
seam_popover_focus_install (void)
{
  /* A signal is known from the first use of its class on; popovers are always used. */
  g_type_class_unref (g_type_class_ref (GTK_TYPE_POPOVER));
  g_signal_add_emission_hook (g_signal_lookup ("closed", GTK_TYPE_POPOVER), 0, closed_cb, NULL,
                              NULL);
}
