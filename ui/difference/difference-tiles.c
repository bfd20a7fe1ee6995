/* SPDX-License-Identifier: MIT
 *
 * The borders of tiles over the maps of the difference page: whose they are, the button and the key
 * that show them, and the note that says what they are, or why there are none.
 */
#include "ui/difference/difference-private.h"

#include "app/report/page.h"

/* The side whose tiles are shown: the tested one, or the trusted one where that is a plan. */
static int
get_side (SeamDifferencePage *self)
{
  int tested, trusted;

  seam_difference_page_get_sides (self, &tested, &trusted);
  return self->look.trusted_tiles && trusted != SEAM_SIDE_FP64 ? trusted : tested;
}

const SeamTile *
seam_difference_page_get_tile (SeamDifferencePage *self)
{
  if (!self->look.tiles || self->result == NULL)
    return NULL;
  self->tile = seam_result_get_output_tile (self->result, get_side (self));
  return &self->tile;
}

void
seam_difference_page_update_tiles (SeamDifferencePage *self)
{
  const SeamTile *tile = self->problem != NULL ? seam_difference_page_get_tile (self) : NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->tiles_note, tile != NULL);
  if (tile == NULL)
    return;
  text = seam_map_describe_tile (tile, self->problem, seam_side_get_name (get_side (self)));
  gtk_label_set_text (GTK_LABEL (self->tiles_note), text);
  gtk_widget_set_tooltip_text (self->tiles_note, text);
}

static void
show (SeamDifferencePage *self)
{
  seam_difference_page_update_tiles (self);
  seam_figure_view_invalidate (self->overview);
  seam_figure_view_invalidate (self->slice);
}

static void
toggled_cb (GtkToggleButton *button, GParamSpec *pspec, SeamDifferencePage *self)
{
  self->look.tiles = gtk_toggle_button_get_active (button);
  show (self);
}

void
seam_difference_page_toggle_tiles (SeamDifferencePage *self, gboolean other_side)
{
  gboolean active = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->tiles));

  if (other_side)
    self->look.trusted_tiles = !self->look.trusted_tiles;
  if (!other_side || !active)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->tiles), !active);
  else
    show (self);
}

void
seam_difference_page_connect_tiles (SeamDifferencePage *self)
{
  g_signal_connect (self->tiles, "notify::active", G_CALLBACK (toggled_cb), self);
}
