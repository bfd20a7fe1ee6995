/* SPDX-License-Identifier: MIT
 *
 * Draws the chips with the figures' palette, so that a colour has the same meaning everywhere.
 */
#include "ui/widgets/op-chips.h"

#include "app/figure/palette.h"

#include <adwaita.h>
#include <string.h>

#define CHIP_WIDTH  11
#define CHIP_HEIGHT 9
#define CHIP_GAP    1

struct _SeamOpChips {
  GtkWidget parent_instance;

  int n_kinds;
  SeamOpKind kinds[SEAM_MAX_OPS];
};

G_DEFINE_FINAL_TYPE (SeamOpChips, seam_op_chips, GTK_TYPE_WIDGET)

static void
seam_op_chips_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  SeamOpChips *self = SEAM_OP_CHIPS (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                            ? MAX (0, self->n_kinds * (CHIP_WIDTH + CHIP_GAP) - CHIP_GAP)
                            : CHIP_HEIGHT;
  *minimum_baseline = *natural_baseline = -1;
}

static void
seam_op_chips_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SeamOpChips *self = SEAM_OP_CHIPS (widget);
  AdwStyleManager *style = adw_style_manager_get_default ();
  const SeamPalette *palette = seam_palette_get (adw_style_manager_get_dark (style),
                                                 adw_style_manager_get_high_contrast (style));
  int width = gtk_widget_get_width (widget);
  double y = (gtk_widget_get_height (widget) - CHIP_HEIGHT) / 2.0;

  if (self->n_kinds == 0 || width <= 0)
    return;
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, width, gtk_widget_get_height (widget));
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  for (int i = 0; i < self->n_kinds; i++)
    seam_palette_fill_kind (cr, palette, self->kinds[i], i * (CHIP_WIDTH + CHIP_GAP), y, CHIP_WIDTH,
                            CHIP_HEIGHT);
  cairo_destroy (cr);
}

static void
seam_op_chips_class_init (SeamOpChipsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = seam_op_chips_measure;
  widget_class->snapshot = seam_op_chips_snapshot;
  gtk_widget_class_set_css_name (widget_class, "opchips");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
seam_op_chips_init (SeamOpChips *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
seam_op_chips_new (void)
{
  return g_object_new (SEAM_TYPE_OP_CHIPS, NULL);
}

void
seam_op_chips_set_kinds (SeamOpChips *self, const SeamOpKind *kinds, int n_kinds)
{
  self->n_kinds = CLAMP (n_kinds, 0, SEAM_MAX_OPS);
  if (self->n_kinds > 0)
    memcpy (self->kinds, kinds, sizeof *kinds * self->n_kinds);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
