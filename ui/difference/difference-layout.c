/* SPDX-License-Identifier: MIT
 *
 * The arrangement of overview, slice, and the panel with legend and readout. Both maps draw square
 * cells, so beside a flat overview (a few samples of many channels) most of its half would be
 * empty: there the panel goes below it and the slice takes the height. Else all stand in a row.
 */
#include "ui/difference/difference-layout.h"

#include <math.h>

#define SPACING 14
/* Room that a map's axes and titles take, px; more than app/figure/map.c needs. */
#define MARGIN_X 100
#define MARGIN_Y 76
/* Columns to a row from which an overview is flat, or (inverted) narrow. */
#define FLAT 3.0
/* Largest square of an overview's cell, px: one sample need not be a tile. */
#define CELL_MAX 20
/* Largest height of the panel below a flat overview: a taller colour scale tells no more. */
#define PANEL_MAX 420

struct _SeamDifferenceLayout {
  GtkWidget parent_instance;
  gint64 n_rows, n_columns;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceLayout, seam_difference_layout, GTK_TYPE_WIDGET)

enum { OVERVIEW, SLICE, PANEL, N_PARTS };

/* FALSE while the template is not built yet. */
static gboolean
get_parts (SeamDifferenceLayout *self, GtkWidget *parts[N_PARTS])
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));
  for (int i = 0; i < N_PARTS; i++, child = gtk_widget_get_next_sibling (child)) {
    if (child == NULL)
      return FALSE;
    parts[i] = child;
  }
  return TRUE;
}

static double
get_aspect (SeamDifferenceLayout *self)
{
  return self->n_rows > 0 ? (double)self->n_columns / (double)self->n_rows : 1;
}

static gboolean
is_flat (SeamDifferenceLayout *self)
{
  return get_aspect (self) >= FLAT;
}

/* Length of `n` cells of a map if its longer side, of `n_long` cells, has `room` px. */
static int
fit_cells (int room, gint64 n_long, gint64 n)
{
  double cell = MIN (CELL_MAX, (double)MAX (room, 0) / (double)MAX (1, n_long));
  return (int)((cell >= 1 ? floor (cell) : cell) * (double)n);
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  SeamDifferenceLayout *self = SEAM_DIFFERENCE_LAYOUT (widget);
  GtkWidget *parts[N_PARTS];
  int sizes[N_PARTS];

  *minimum = *natural = 0;
  if (!get_parts (self, parts))
    return;
  for (int i = 0; i < N_PARTS; i++)
    gtk_widget_measure (parts[i], orientation, -1, &sizes[i], NULL, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = is_flat (self) ? MAX (sizes[OVERVIEW], sizes[PANEL]) + SPACING + sizes[SLICE]
                              : sizes[OVERVIEW] + sizes[SLICE] + sizes[PANEL] + 2 * SPACING;
  else
    *minimum = is_flat (self) ? MAX (sizes[SLICE], sizes[OVERVIEW] + SPACING + sizes[PANEL])
                              : MAX (sizes[SLICE], MAX (sizes[OVERVIEW], sizes[PANEL]));
  *natural = *minimum;
}

static void
allocate (GtkWidget *part, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (part, &(GtkAllocation){ x, y, width, height }, -1);
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SeamDifferenceLayout *self = SEAM_DIFFERENCE_LAYOUT (widget);
  GtkWidget *parts[N_PARTS];
  int widths[N_PARTS], heights[N_PARTS], left, slice, room, square = height - MARGIN_Y + MARGIN_X;

  if (!get_parts (self, parts))
    return;
  for (int i = 0; i < N_PARTS; i++) {
    gtk_widget_measure (parts[i], GTK_ORIENTATION_HORIZONTAL, -1, &widths[i], NULL, NULL, NULL);
    gtk_widget_measure (parts[i], GTK_ORIENTATION_VERTICAL, -1, &heights[i], NULL, NULL, NULL);
  }
  if (is_flat (self)) {
    int overview;
    left = MAX (widths[OVERVIEW], widths[PANEL]);
    slice = CLAMP (square, widths[SLICE], MAX (widths[SLICE], width - SPACING - left));
    left = MAX (left, MIN (width - SPACING - slice,
                           MARGIN_X + (int)MIN (self->n_columns * CELL_MAX, G_MAXINT16)));
    overview = fit_cells (left - MARGIN_X, self->n_columns, self->n_rows) + MARGIN_Y;
    overview = CLAMP (overview, heights[OVERVIEW],
                      MAX (heights[OVERVIEW], height - SPACING - heights[PANEL]));
    room = MAX (0, width - left - SPACING - slice) / 2;
    allocate (parts[OVERVIEW], room, 0, left, overview);
    allocate (parts[PANEL], room, overview + SPACING, widths[PANEL],
              MIN (height - overview - SPACING, MAX (PANEL_MAX, heights[PANEL])));
    allocate (parts[SLICE], room + left + SPACING, 0, slice, height);
    return;
  }
  room = width - widths[PANEL] - 2 * SPACING;
  left = MIN (room / 2, square);
  if (get_aspect (self) <= 1 / FLAT)
    left = MIN (left, fit_cells (height - MARGIN_Y, self->n_rows, self->n_columns) + MARGIN_X);
  left = MAX (left, widths[OVERVIEW]);
  slice = CLAMP (square, widths[SLICE], MAX (widths[SLICE], room - left));
  room = MAX (0, room - left - slice) / 2;
  allocate (parts[OVERVIEW], room, 0, left, height);
  allocate (parts[SLICE], room + left + SPACING, 0, slice, height);
  allocate (parts[PANEL], room + left + slice + 2 * SPACING, 0, widths[PANEL], height);
}

static void
dispose (GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (seam_difference_layout_parent_class)->dispose (object);
}

static void
seam_difference_layout_class_init (SeamDifferenceLayoutClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
}

static void
seam_difference_layout_init (SeamDifferenceLayout *self)
{
}

void
seam_difference_layout_set_cells (SeamDifferenceLayout *self, gint64 n_rows, gint64 n_columns)
{
  GtkWidget *parts[N_PARTS];

  if (self->n_rows == n_rows && self->n_columns == n_columns)
    return;
  self->n_rows = n_rows;
  self->n_columns = n_columns;
  if (get_parts (self, parts) && GTK_IS_ORIENTABLE (parts[PANEL]))
    gtk_orientable_set_orientation (GTK_ORIENTABLE (parts[PANEL]), is_flat (self)
                                                                       ? GTK_ORIENTATION_HORIZONTAL
                                                                       : GTK_ORIENTATION_VERTICAL);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
