/* SPDX-License-Identifier: MIT
 *
 * Rows that break where the width ends: see wrap-box.h.
 */
#include "ui/widgets/wrap-box.h"

#include "ui/class/class.h"

#define ROW_SPACING 8

struct _SeamWrapBox {
  GtkWidget parent_instance;

  int spacing; /* between the children of a row, px */
};

G_DEFINE_FINAL_TYPE (SeamWrapBox, seam_wrap_box, GTK_TYPE_WIDGET)

enum { PROP_SPACING = 1, N_PROPS };
static GParamSpec *props[N_PROPS];

/* One row: the children from `first` on. */
typedef struct {
  GtkWidget *first;
  int n, n_expand;
  int width, height; /* width: without what expanding children take */
} Row;

static GtkWidget *
skip_hidden (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkWidget *
get_first (SeamWrapBox *self)
{
  return skip_hidden (gtk_widget_get_first_child (GTK_WIDGET (self)));
}

static GtkWidget *
get_next (GtkWidget *child)
{
  return skip_hidden (gtk_widget_get_next_sibling (child));
}

static gboolean
is_expanding (GtkWidget *child)
{
  return gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL);
}

static int
get_wanted (GtkWidget *child)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return is_expanding (child) ? minimum : natural;
}

/* The width of a child of this row in a box of this width; the `index`th that expands. */
static int
get_given (const Row *row, GtkWidget *child, int index, int width)
{
  int rest = MAX (0, width - row->width), minimum;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  if (!is_expanding (child))
    return MAX (minimum, MIN (get_wanted (child), width));
  return get_wanted (child) + rest / row->n_expand + (index < rest % row->n_expand ? 1 : 0);
}

/* The row that begins with this child. */
static Row
make_row (SeamWrapBox *self, GtkWidget *first, int width)
{
  Row row = { .first = first };
  int index = 0;

  for (GtkWidget *child = first; child != NULL; child = get_next (child)) {
    int wanted = get_wanted (child) + (row.n > 0 ? self->spacing : 0);

    if (row.n > 0 && row.width + wanted > width)
      break;
    row.n++;
    row.width += wanted;
    row.n_expand += is_expanding (child);
  }
  for (GtkWidget *child = first; index < row.n; index++, child = get_next (child)) {
    int height;

    gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, get_given (&row, child, row.n, width),
                        &height, NULL, NULL, NULL);
    row.height = MAX (row.height, height);
  }
  return row;
}

/* The first child of the next row. */
static GtkWidget *
get_after (const Row *row)
{
  GtkWidget *child = row->first;

  for (int i = 0; i < row->n && child != NULL; i++)
    child = get_next (child);
  return child;
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
  SeamWrapBox *self = SEAM_WRAP_BOX (widget);
  int width = for_size < 0 ? G_MAXINT / 2 : for_size, n = 0;

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    for (GtkWidget *child = get_first (self); child != NULL; child = get_next (child), n++) {
      int least, best;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &best, NULL, NULL);
      *minimum = MAX (*minimum, least);
      *natural += best + (n > 0 ? self->spacing : 0);
    }
    return;
  }
  for (GtkWidget *child = get_first (self); child != NULL; n++) {
    Row row = make_row (self, child, width);

    *minimum += row.height + (n > 0 ? ROW_SPACING : 0);
    child = get_after (&row);
  }
  *natural = *minimum;
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SeamWrapBox *self = SEAM_WRAP_BOX (widget);
  gboolean from_right = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int y = 0;

  for (GtkWidget *child = get_first (self); child != NULL;) {
    Row row = make_row (self, child, width);
    int x = 0, n_expand = 0;
    /* A single row takes the whole height. */
    int room = y == 0 && get_after (&row) == NULL ? MAX (row.height, height) : row.height;

    for (int i = 0; i < row.n; i++, child = get_next (child)) {
      int given = get_given (&row, child, n_expand, width);

      n_expand += is_expanding (child);
      gtk_widget_size_allocate (
          child, &(GtkAllocation){ from_right ? width - x - given : x, y, given, room }, -1);
      x += given + self->spacing;
    }
    y += row.height + ROW_SPACING;
  }
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_int (value, SEAM_WRAP_BOX (object)->spacing);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  SEAM_WRAP_BOX (object)->spacing = g_value_get_int (value);
  gtk_widget_queue_resize (GTK_WIDGET (object));
}

static void
seam_wrap_box_class_init (SeamWrapBoxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = get_property;
  object_class->set_property = set_property;
  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  widget_class->get_request_mode = get_request_mode;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
  props[PROP_SPACING] =
      g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT16, 8,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
seam_wrap_box_init (SeamWrapBox *self)
{
}
