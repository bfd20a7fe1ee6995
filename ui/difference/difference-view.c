/* SPDX-License-Identifier: MIT
 *
 * What the slice of the difference page shows: the difference, the values of one side, or both
 * sides in turn, in the same colours, so that what differs is what moves. Only the picture changes,
 * numbers stand still. Turns end when the page or the window is left, and are taken by the key
 * alone where the person wants no animations.
 */
#include "ui/difference/difference-private.h"

/* Twice a change a second: slower than what can harm, faster than the eye forgets. */
#define TURN_MS 600

static void
show (SeamDifferencePage *self)
{
  seam_figure_view_invalidate (self->slice);
  seam_figure_view_invalidate (self->legend);
}

static gboolean
wants_animations (SeamDifferencePage *self)
{
  gboolean enabled = TRUE;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &enabled,
                NULL);
  return enabled;
}

static guint
get_choice (SeamDifferencePage *self)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->view));
}

SeamSliceView
seam_difference_page_get_view (SeamDifferencePage *self, const char **name)
{
  guint choice = get_choice (self);
  gboolean tested = choice == VIEW_TESTED || (choice == VIEW_IN_TURN && self->turn_tested);
  int tested_side, trusted_side;

  seam_difference_page_get_sides (self, &tested_side, &trusted_side);
  if (name != NULL)
    *name = seam_side_get_name (tested ? tested_side : trusted_side);
  if (choice != VIEW_TRUSTED && choice != VIEW_TESTED && choice != VIEW_IN_TURN)
    return SEAM_VIEW_DIFFERENCE;
  return tested ? SEAM_VIEW_TESTED : SEAM_VIEW_TRUSTED;
}

static gboolean
turn_cb (gpointer data)
{
  SeamDifferencePage *self = data;

  self->turn_tested = !self->turn_tested;
  show (self);
  return G_SOURCE_CONTINUE;
}

static void
view_changed_cb (GtkDropDown *menu, GParamSpec *pspec, SeamDifferencePage *self)
{
  gboolean in_turn = get_choice (self) == VIEW_IN_TURN;

  g_clear_handle_id (&self->turn_id, g_source_remove);
  self->turn_tested = FALSE;
  if (in_turn && wants_animations (self))
    self->turn_id = g_timeout_add (TURN_MS, turn_cb, self);
  show (self);
}

void
seam_difference_page_take_turns (SeamDifferencePage *self)
{
  if (self->problem == NULL)
    return;
  if (get_choice (self) == VIEW_IN_TURN && !wants_animations (self))
    turn_cb (self);
  else
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->view),
                                get_choice (self) == VIEW_IN_TURN ? VIEW_DIFFERENCE : VIEW_IN_TURN);
}

void
seam_difference_page_stop_turns (SeamDifferencePage *self)
{
  if (self->turn_id != 0)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->view), VIEW_DIFFERENCE);
}

static void
unmap_cb (GtkWidget *widget, SeamDifferencePage *self)
{
  seam_difference_page_stop_turns (self);
}

static void
active_changed_cb (GtkWindow *window, GParamSpec *pspec, SeamDifferencePage *self)
{
  if (!gtk_window_is_active (window))
    seam_difference_page_stop_turns (self);
}

static void
root_changed_cb (GtkWidget *widget, GParamSpec *pspec, SeamDifferencePage *self)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  if (GTK_IS_WINDOW (root))
    g_signal_connect_object (root, "notify::is-active", G_CALLBACK (active_changed_cb), self, 0);
}

void
seam_difference_page_update_view_names (SeamDifferencePage *self)
{
  int tested, trusted;
  guint choice = get_choice (self);
  g_autofree char *a = NULL, *b = NULL, *both = NULL;

  seam_difference_page_get_sides (self, &tested, &trusted);
  a = g_strdup_printf ("Values of %s", seam_side_get_name (trusted));
  b = g_strdup_printf ("Values of %s", seam_side_get_name (tested));
  both = g_strdup_printf ("%s and %s in turn", seam_side_get_name (trusted),
                          seam_side_get_name (tested));
  const char *names[] = { "Difference", a, b, both, NULL };
  gtk_string_list_splice (self->view_names, 0,
                          g_list_model_get_n_items (G_LIST_MODEL (self->view_names)), names);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->view), choice < N_VIEWS ? choice : 0);
}

void
seam_difference_page_connect_view (SeamDifferencePage *self)
{
  g_signal_connect (self->view, "notify::selected", G_CALLBACK (view_changed_cb), self);
  g_signal_connect (self, "unmap", G_CALLBACK (unmap_cb), self);
  g_signal_connect (self, "notify::root", G_CALLBACK (root_changed_cb), self);
}
