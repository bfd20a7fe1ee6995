/* SPDX-License-Identifier: MIT
 *
 * The arrangement of the two maps. Both draw square cells, so a flat overview beside the slice
 * would leave most of its half empty, and a narrow one most of its width.
 */
#include "ui/difference-maps.h"

#include <math.h>

#define SPACING 14
/* Room that a map's axes and titles take, px; more than app/figure/map.c needs. */
#define MARGIN_X 100
#define MARGIN_Y 76
/* Columns to a row from which an overview is flat, or (inverted) narrow. */
#define FLAT 3.0
/* Height from which one above the other is better than side by side, px. */
#define STACKED_HEIGHT 520
/* Largest square of an overview's cell, px: one sample need not be a tile. */
#define CELL_MAX 20

struct _SeamDifferenceMaps {
  GtkWidget parent_instance;
  gint64 n_rows, n_columns;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceMaps, seam_difference_maps, GTK_TYPE_WIDGET)

/* Where the overview ends: its width (side by side) or its height (stacked). */
static gboolean
arrange (SeamDifferenceMaps *self, int width, int height, int minimum_width, int *size)
{
  double aspect = self->n_rows > 0 ? (double)self->n_columns / (double)self->n_rows : 1;
  double cell;

  if (aspect >= FLAT && height >= STACKED_HEIGHT) {
    cell = CLAMP (floor ((width - MARGIN_X) / (double)self->n_columns), 0, CELL_MAX);
    *size = (int)(cell >= 1 ? cell * (double)self->n_rows : (double)(width - MARGIN_X) / aspect)
            + MARGIN_Y;
    /* The slice keeps the larger part. */
    *size = CLAMP (*size, 0, height * 2 / 5);
    return TRUE;
  }
  *size = (width - SPACING) / 2;
  if (aspect <= 1 / FLAT) {
    cell = CLAMP (floor ((height - MARGIN_Y) / (double)self->n_rows), 0, CELL_MAX);
    *size = MIN (*size, (int)(cell >= 1 ? cell * (double)self->n_columns
                                        : (double)(height - MARGIN_Y) * aspect)
                            + MARGIN_X);
  }
  *size = MAX (*size, minimum_width);
  return FALSE;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    int child_minimum;
    gtk_widget_measure (child, orientation, -1, &child_minimum, NULL, NULL, NULL);
    /* Side by side is what must fit; stacking is for a window with room. */
    if (orientation == GTK_ORIENTATION_HORIZONTAL)
      *minimum += child_minimum + (*minimum > 0 ? SPACING : 0);
    else
      *minimum = MAX (*minimum, child_minimum);
  }
  *natural = *minimum;
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SeamDifferenceMaps *self = SEAM_DIFFERENCE_MAPS (widget);
  GtkWidget *overview = gtk_widget_get_first_child (widget);
  GtkWidget *slice = overview != NULL ? gtk_widget_get_next_sibling (overview) : NULL;
  int minimum_width, minimum_height, size;

  if (slice == NULL)
    return;
  gtk_widget_measure (overview, GTK_ORIENTATION_HORIZONTAL, -1, &minimum_width, NULL, NULL, NULL);
  gtk_widget_measure (overview, GTK_ORIENTATION_VERTICAL, -1, &minimum_height, NULL, NULL, NULL);
  if (arrange (self, width, height, minimum_width, &size)) {
    size = MAX (size, minimum_height);
    gtk_widget_size_allocate (overview, &(GtkAllocation){ 0, 0, width, size }, -1);
    gtk_widget_size_allocate (
        slice, &(GtkAllocation){ 0, size + SPACING, width, height - size - SPACING }, -1);
  } else {
    gtk_widget_size_allocate (overview, &(GtkAllocation){ 0, 0, size, height }, -1);
    gtk_widget_size_allocate (
        slice, &(GtkAllocation){ size + SPACING, 0, width - size - SPACING, height }, -1);
  }
}

static void
dispose (GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (seam_difference_maps_parent_class)->dispose (object);
}

static void
seam_difference_maps_class_init (SeamDifferenceMapsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
}

static void
seam_difference_maps_init (SeamDifferenceMaps *self)
{
}

void
seam_difference_maps_set_cells (SeamDifferenceMaps *self, gint64 n_rows, gint64 n_columns)
{
  if (self->n_rows == n_rows && self->n_columns == n_columns)
    return;
  self->n_rows = n_rows;
  self->n_columns = n_columns;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}
