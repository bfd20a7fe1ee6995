/* SPDX-License-Identifier: MIT
 *
 * Arrow keys: see difference-keys.h.
 */
#include "ui/difference/difference-keys.h"

/* Steps that an arrow key takes with Shift. */
#define FAR 16

typedef struct {
  SeamDifferenceMoveFunc move;
  gpointer data;
} Keys;

gboolean
seam_difference_read_arrow (guint key, int *rows, int *columns)
{
  *rows = *columns = 0;
  switch (key) {
  case GDK_KEY_Left:
  case GDK_KEY_KP_Left:
    *columns = -1;
    return TRUE;
  case GDK_KEY_Right:
  case GDK_KEY_KP_Right:
    *columns = 1;
    return TRUE;
  case GDK_KEY_Up:
  case GDK_KEY_KP_Up:
    *rows = -1;
    return TRUE;
  case GDK_KEY_Down:
  case GDK_KEY_KP_Down:
    *rows = 1;
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, Keys *keys)
{
  int rows, columns, step = (state & GDK_SHIFT_MASK) != 0 ? FAR : 1;

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0
      || !seam_difference_read_arrow (key, &rows, &columns))
    return FALSE;
  keys->move (keys->data, rows * step, columns * step);
  return TRUE;
}

void
seam_difference_add_arrow_keys (GtkWidget *widget, SeamDifferenceMoveFunc move, gpointer data)
{
  GtkEventController *controller = gtk_event_controller_key_new ();
  Keys *keys = g_new (Keys, 1);

  *keys = (Keys){ move, data };
  g_signal_connect_data (controller, "key-pressed", G_CALLBACK (key_cb), keys,
                         (GClosureNotify)(GCallback)g_free, 0);
  gtk_widget_add_controller (widget, controller);
}
