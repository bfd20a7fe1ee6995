/* SPDX-License-Identifier: MIT
 *
 * The arrangement of overview, slice, legend and readout, which depends on the output's aspect
 * ratio: a flat overview (a few samples of many channels) takes the whole width, with the rest
 * below; else all stand in a row. If a row would be wider than the page, the first arrangement is
 * used, and if that is too wide, too, legend and readout stand below the slice, so that nothing is
 * cut off. If there is no slice, only the readout stands beside the overview. Maps take the
 * available width, and as much height as suits it.
 */
#include "ui/difference/difference-layout.h"

#include "ui/class/class.h"

#include <math.h>

#define SPACING 14
/* Room that a map's axes and titles take, px; more than app/figure/map.c needs. */
#define MARGIN_X 100
#define MARGIN_Y 76
/* Columns to a row from which an overview is flat, or (inverted) narrow. */
#define FLAT 3.0
/* Largest square of an overview's cell, px: one sample need not be a tile. */
#define CELL_MAX 20
/* Largest and least height of the maps that is requested if the page has the room, px, and the
 * height until that is known. */
#define MAP_MOST   640
#define MAP_LEAST  280
#define MAP_HEIGHT 420
/* If each map has this width, legend and readout stand side by side, which makes the colour bar
 * taller. */
#define MAP_ROOMY 290

struct _SeamDifferenceLayout {
  GtkWidget parent_instance;
  gint64 n_rows, n_columns;
  int map_height; /* the largest that maps request */
};

G_DEFINE_FINAL_TYPE (SeamDifferenceLayout, seam_difference_layout, GTK_TYPE_WIDGET)

enum { OVERVIEW, SLICE, LEGEND, READOUT, N_PARTS };

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

/* The length of `n` cells of a map if its longer side, of `n_long` cells, gets `room` px. */
static int
fit_cells (int room, gint64 n_long, gint64 n)
{
  double cell = MIN (CELL_MAX, (double)MAX (room, 0) / (double)MAX (1, n_long));
  return (int)((cell >= 1 ? floor (cell) : cell) * (double)n);
}

/* The minimum sizes of all parts, and their arrangement in a width. */
typedef struct {
  GtkWidget *parts[N_PARTS];
  int widths[N_PARTS], heights[N_PARTS];
  gboolean below;      /* the overview has the whole width */
  gboolean stack;      /* so has the slice, with the panel below it */
  gboolean beside;     /* the readout beside the legend, not below it */
  gboolean alone;      /* there is no slice */
  int beside_overview; /* width that the planes of a depth take beside the overview */
  int panel;           /* width of legend and readout */
  int overview, slice, overview_height, slice_height;
  int height; /* of all */
} Arrangement;

static int
get_panel_width (const Arrangement *a, gboolean beside)
{
  return beside ? a->widths[LEGEND] + SPACING + a->widths[READOUT]
                : MAX (a->widths[LEGEND], a->widths[READOUT]);
}

static int
get_panel_height (const Arrangement *a)
{
  return a->beside ? MAX (a->heights[LEGEND], a->heights[READOUT])
                   : a->heights[LEGEND] + SPACING + a->heights[READOUT];
}

/* The height of a map of square cells in this width. */
static int
get_square (SeamDifferenceLayout *self, int width)
{
  return CLAMP (width - MARGIN_X + MARGIN_Y, 0, self->map_height);
}

static void
arrange_below (SeamDifferenceLayout *self, Arrangement *a, int width, int height)
{
  int least, below;
  int cells =
      fit_cells (width - a->beside_overview - MARGIN_X, self->n_columns, self->n_rows) + MARGIN_Y;

  a->stack = width < a->widths[SLICE] + SPACING + get_panel_width (a, FALSE);
  a->beside =
      a->stack || width - get_panel_width (a, TRUE) - SPACING >= MAX (MAP_ROOMY, a->widths[SLICE]);
  a->panel = a->stack ? width : get_panel_width (a, a->beside);
  a->overview = width;
  a->overview_height =
      CLAMP (cells, a->heights[OVERVIEW], MAX (a->heights[OVERVIEW], self->map_height));
  a->slice = MAX (a->widths[SLICE], a->stack ? width : width - a->panel - SPACING);
  below = a->stack ? SPACING + get_panel_height (a) : 0;
  least = MAX (a->heights[SLICE], a->stack ? 0 : get_panel_height (a));
  a->slice_height = MAX (least, get_square (self, a->slice));
  if (height >= 0)
    a->slice_height = MAX (least, height - a->overview_height - SPACING - below);
  a->height = a->overview_height + SPACING + a->slice_height + below;
}

static void
arrange_row (SeamDifferenceLayout *self, Arrangement *a, int width, int height)
{
  int room, square, least;

  a->beside = (width - get_panel_width (a, TRUE) - 2 * SPACING) / 2 >= MAP_ROOMY;
  a->panel = get_panel_width (a, a->beside);
  room = width - a->panel - 2 * SPACING;
  a->overview = (room + a->beside_overview) / 2;
  least = MAX (MAX (a->heights[OVERVIEW], a->heights[SLICE]), get_panel_height (a));
  square = MAX (least, get_square (self, a->overview));
  a->slice_height = a->overview_height = height >= 0 ? MAX (least, height) : square;
  if (get_aspect (self) <= 1 / FLAT)
    a->overview =
        MIN (a->overview, fit_cells (a->overview_height - MARGIN_Y, self->n_rows, self->n_columns)
                              + MARGIN_X + a->beside_overview);
  a->overview = CLAMP (a->overview, a->widths[OVERVIEW], MAX (a->widths[OVERVIEW], room));
  a->slice = MAX (a->widths[SLICE], room - a->overview);
  a->height = a->slice_height;
}

/* The overview (dots) takes all but the width of the readout. */
static void
arrange_alone (SeamDifferenceLayout *self, Arrangement *a, int width, int height)
{
  a->beside = TRUE;
  a->panel = a->widths[READOUT];
  a->overview = MAX (a->widths[OVERVIEW], width - a->panel - SPACING);
  a->overview_height = MAX (MAX (a->heights[OVERVIEW], a->heights[READOUT]),
                            height >= 0 ? height : MIN (self->map_height, MAP_HEIGHT));
  a->slice_height = a->height = a->overview_height;
}

static int
get_row_width (const Arrangement *a)
{
  return a->widths[OVERVIEW] + a->widths[SLICE] + get_panel_width (a, FALSE) + 2 * SPACING;
}

static int
get_least_width (const Arrangement *a)
{
  if (a->alone)
    return a->widths[OVERVIEW] + SPACING + a->widths[READOUT];
  return MAX (MAX (a->widths[OVERVIEW], a->widths[SLICE]), get_panel_width (a, TRUE));
}

/* What stands beside the overview in its box, and the space between. */
static int
measure_beside (GtkWidget *box)
{
  GtkWidget *last = gtk_widget_get_last_child (box);
  int width = 0;

  if (last == gtk_widget_get_first_child (box) || !gtk_widget_get_visible (last))
    return 0;
  gtk_widget_measure (last, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  return width + gtk_box_get_spacing (GTK_BOX (box));
}

/* `height` -1: the height that suits `width`. FALSE if the template is not built yet. */
static gboolean
arrange (SeamDifferenceLayout *self, int width, int height, Arrangement *a)
{
  *a = (Arrangement){ 0 };
  if (!get_parts (self, a->parts))
    return FALSE;
  for (int i = 0; i < N_PARTS; i++) {
    gtk_widget_measure (a->parts[i], GTK_ORIENTATION_HORIZONTAL, -1, &a->widths[i], NULL, NULL,
                        NULL);
    gtk_widget_measure (a->parts[i], GTK_ORIENTATION_VERTICAL, -1, &a->heights[i], NULL, NULL,
                        NULL);
  }
  a->alone = !gtk_widget_get_visible (a->parts[SLICE]);
  a->beside_overview = measure_beside (a->parts[OVERVIEW]);
  width = MAX (width, get_least_width (a));
  if (a->alone) {
    arrange_alone (self, a, width, height);
    return TRUE;
  }
  a->below = get_aspect (self) >= FLAT || width < get_row_width (a);
  if (a->below)
    arrange_below (self, a, width, height);
  else
    arrange_row (self, a, width, height);
  return TRUE;
}

static GtkSizeRequestMode
get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  Arrangement a;

  *minimum = *natural = 0;
  if (!arrange (SEAM_DIFFERENCE_LAYOUT (widget), for_size, -1, &a))
    return;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = get_least_width (&a);
    *natural = MAX (*minimum, get_row_width (&a));
  } else {
    *minimum = *natural = a.height;
  }
}

static void
allocate (GtkWidget *part, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (part, &(GtkAllocation){ x, y, width, height }, -1);
}

/* Allocates legend and readout, together as high as the slice that they explain. */
static void
allocate_panel (const Arrangement *a, int x, int y, int height)
{
  int legend = a->beside ? height : height - SPACING - a->heights[READOUT];

  allocate (a->parts[LEGEND], x, y, a->beside ? a->widths[LEGEND] : a->panel, legend);
  if (a->beside)
    allocate (a->parts[READOUT], x + a->widths[LEGEND] + SPACING, y, a->widths[READOUT], height);
  else
    allocate (a->parts[READOUT], x, y + legend + SPACING, a->panel, a->heights[READOUT]);
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  Arrangement a;
  int x, y;

  if (!arrange (SEAM_DIFFERENCE_LAYOUT (widget), width, height, &a))
    return;
  allocate (a.parts[OVERVIEW], 0, 0, a.overview, a.overview_height);
  if (a.alone) {
    allocate (a.parts[READOUT], a.overview + SPACING, 0, a.panel, height);
    return;
  }
  x = a.below ? 0 : a.overview + SPACING;
  y = a.below ? a.overview_height + SPACING : 0;
  allocate (a.parts[SLICE], x, y, a.slice, a.slice_height);
  if (a.stack)
    allocate_panel (&a, 0, y + a.slice_height + SPACING, get_panel_height (&a));
  else
    allocate_panel (&a, x + a.slice + SPACING, y, a.slice_height);
}

static void
seam_difference_layout_class_init (SeamDifferenceLayoutClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  widget_class->get_request_mode = get_request_mode;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
}

static void
seam_difference_layout_init (SeamDifferenceLayout *self)
{
  self->map_height = MAP_HEIGHT;
}

void
seam_difference_layout_set_cells (SeamDifferenceLayout *self, gint64 n_rows, gint64 n_columns)
{
  if (self->n_rows == n_rows && self->n_columns == n_columns)
    return;
  self->n_rows = n_rows;
  self->n_columns = n_columns;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
seam_difference_layout_set_room (SeamDifferenceLayout *self, int room)
{
  int height = CLAMP (room, MAP_LEAST, MAP_MOST);

  if (self->map_height == height)
    return;
  self->map_height = height;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
