/* SPDX-License-Identifier: MIT
 *
 * The pointer panel of the Difference tab: a grid of names and values that keeps its height
 * whatever it shows.
 */
#include "ui/difference/difference-readout.h"

#include "ui/class/class.h"
#include "ui/difference/difference-reading.h"
#include "ui/state/watch.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/label.h"

#include "app/base/text.h"
#include "app/compare/compare.h"

typedef enum {
  ROW_SAMPLE,
  ROW_CHANNEL,
  ROW_DEPTH,
  ROW_ROW,
  ROW_COLUMN,
  ROW_GROUP,
  ROW_AGAINST,
  ROW_TESTED,
  ROW_DIFFERENCE,
  ROW_LIMIT,
  ROW_RATIO,
  ROW_SLICE,
  N_ROWS
} Row;

struct _SeamDifferenceReadout {
  GtkWidget parent_instance;
  GtkWidget *grid;
  GtkWidget *names[N_ROWS], *values[N_ROWS];

  SeamDifferenceNavigator *navigator;
  SeamDifferenceSubject *subject; /* belongs to the navigator */
  SeamDifferenceSource *source;   /* belongs to the subject */
  SeamDifferenceLook *look;
  gint64 n_failing, n_elements; /* counted over the slice */
  char *text;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceReadout, seam_difference_readout, GTK_TYPE_WIDGET)

static void
seam_difference_readout_class_init (SeamDifferenceReadoutClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamDifferenceReadout, g_object_unref, look, source, subject, navigator);
  SEAM_OWNS (klass, SeamDifferenceReadout, g_free, text);
  seam_watch_install (klass, "text");
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
make_spin (const char *name)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (0, 1, 1);
  g_autofree char *tip = g_strdup_printf ("%s whose plane is shown", name);

  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 4);
  gtk_editable_set_alignment (GTK_EDITABLE (spin), 1);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_widget_set_tooltip_text (spin, tip);
  gtk_widget_add_css_class (spin, "readout-spin");
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return spin;
}

static void
seam_difference_readout_init (SeamDifferenceReadout *self)
{
  static const char *const planes[] = { "Sample", "Channel", "Depth" };
  GtkWidget *title = seam_label_new ("Pointer", "heading", 0);

  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 8);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 0);
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
  gtk_grid_attach (GTK_GRID (self->grid), title, 0, 0, 2, 1);
  for (int i = 0; i < N_ROWS; i++) {
    self->names[i] = seam_label_new (NULL, "dim-label", 0);
    if (i <= ROW_DEPTH) {
      self->values[i] = make_spin (planes[i]);
      continue;
    }
    self->values[i] = gtk_label_new (SEAM_DASH);
    gtk_label_set_xalign (GTK_LABEL (self->values[i]), 1);
    gtk_label_set_width_chars (GTK_LABEL (self->values[i]), 11);
    gtk_label_set_selectable (GTK_LABEL (self->values[i]), TRUE);
    /* The pointer can select the text, but Tab does not stop here: the arrow keys belong to the
     * map. */
    gtk_widget_set_can_focus (self->values[i], FALSE);
    gtk_widget_add_css_class (self->values[i], "readout-value");
  }
  for (int i = 0; i < N_ROWS; i++) {
    gtk_widget_add_css_class (self->values[i], "numeric");
    gtk_widget_set_hexpand (self->values[i], TRUE);
    gtk_grid_attach (GTK_GRID (self->grid), self->names[i], 0, i + 1, 1, 1);
    gtk_grid_attach (GTK_GRID (self->grid), self->values[i], 1, i + 1, 1, 1);
  }
  gtk_widget_set_margin_top (self->names[ROW_SLICE], 8);
  gtk_widget_set_margin_top (self->values[ROW_SLICE], 8);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Element under the pointer", -1);
}

/* -- Showing ----------------------------------------------------------------------------------- */

static void
show_row (SeamDifferenceReadout *self, Row row, gboolean visible, const char *name)
{
  gtk_widget_set_visible (self->names[row], visible);
  gtk_widget_set_visible (self->values[row], visible);
  gtk_label_set_text (GTK_LABEL (self->names[row]), name);
}

static void
set_row (SeamDifferenceReadout *self, Row row, gboolean visible, const char *name, char *value)
{
  g_autofree char *owned = value;

  show_row (self, row, visible, name);
  gtk_label_set_text (GTK_LABEL (self->values[row]), owned != NULL ? owned : SEAM_DASH);
}

static char *
count_or_null (gint64 count, gboolean known)
{
  return known ? seam_text_count (count) : NULL;
}

static void
show_place (SeamDifferenceReadout *self, const SeamDifferenceReading *reading)
{
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (self->subject);
  gboolean known = reading->row >= 0;
  g_autofree char *row = g_strdup (reading->axes[0].name);
  g_autofree char *column = g_strdup (reading->n_axes > 1 ? reading->axes[1].name : "");

  row[0] = g_ascii_toupper (row[0]);
  column[0] = g_ascii_toupper (column[0]);

  show_row (self, ROW_SAMPLE, reading->has_planes, "Sample");
  show_row (self, ROW_CHANNEL, reading->has_planes, "Channel");
  show_row (self, ROW_DEPTH, shape->depth > 1, "Depth");
  /* A matrix has the words of its own axes. */
  set_row (self, ROW_ROW, TRUE, reading->has_planes ? "Row" : row,
           count_or_null (reading->row, known));
  set_row (self, ROW_COLUMN, reading->has_planes || reading->n_axes > 1,
           reading->has_planes ? "Column" : column, count_or_null (reading->column, known));
  set_row (self, ROW_GROUP, reading->group >= 0, "Group", count_or_null (reading->group, known));
}

static void
show_values (SeamDifferenceReadout *self, const SeamDifferenceReading *reading)
{
  static const char *const units[SEAM_N_UNITS] = { "", " rel.", " ULP", "" };
  g_autofree char *error = seam_side_names_format_error (&reading->names);
  g_autofree char *name = g_strconcat (error, units[reading->unit], NULL);

  char *against = NULL, *tested = NULL;

  if (reading->has_values)
    seam_difference_reading_format_values (reading, &against, &tested);
  set_row (self, ROW_AGAINST, TRUE, reading->names.against, against);
  set_row (self, ROW_TESTED, TRUE, reading->names.tested, tested);
  set_row (self, ROW_DIFFERENCE, TRUE, name, seam_difference_reading_format_difference (reading));
  set_row (self, ROW_LIMIT, TRUE, reading->by_bound ? "Bound" : "Limit",
           seam_difference_reading_format_limit (reading));
  set_row (self, ROW_RATIO, TRUE, "", seam_difference_reading_format_ratio (reading));
  seam_css_class_set (self->values[ROW_DIFFERENCE], "error", reading->fails);
  seam_css_class_set (self->values[ROW_RATIO], "error", reading->fails);
}

static void
show_slice (SeamDifferenceReadout *self, gboolean has_slice)
{
  g_autofree char *failing = seam_text_count (self->n_failing);
  g_autofree char *all = seam_text_count (self->n_elements);

  if (self->n_elements == 0)
    return set_row (self, ROW_SLICE, has_slice, "In this slice", g_strdup (SEAM_DASH "\n"));
  set_row (self, ROW_SLICE, has_slice, "In this slice",
           g_strdup_printf ("%s\nof %s fail", failing, all));
  gtk_label_set_justify (GTK_LABEL (self->values[ROW_SLICE]), GTK_JUSTIFY_RIGHT);
  gtk_label_set_yalign (GTK_LABEL (self->names[ROW_SLICE]), 0);
}

/* -- Following --------------------------------------------------------------------------------- */

static void
update (SeamDifferenceReadout *self)
{
  SeamDifferenceReading reading;

  if (seam_difference_subject_get_problem (self->subject) == NULL)
    return;
  reading =
      seam_difference_reading_take (self->navigator, seam_difference_look_get_unit (self->look));
  show_place (self, &reading);
  show_values (self, &reading);
  /* One number a sample is no slice. */
  show_slice (self, reading.has_planes || reading.n_axes > 1);
  g_free (self->text);
  self->text = seam_difference_reading_describe (&reading);
  seam_watch_notify (self, "text");
}

/* The slice or the limits changed. */
static void
count_cb (SeamDifferenceReadout *self)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  const SeamDifferenceSpec spec = seam_difference_subject_get_limits (self->subject);

  self->n_elements = slice != NULL ? slice->n_rows * slice->n_columns : 0;
  self->n_failing = slice != NULL ? seam_slice_count_failing (slice, &spec, 0, slice->n_rows) : 0;
  update (self);
}

static void
set_last (GtkWidget *spin, gint64 n)
{
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (spin), 0, (double)n - 1);
}

static void
result_cb (SeamDifferenceReadout *self)
{
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (self->subject);

  if (seam_difference_subject_get_problem (self->subject) == NULL)
    return;
  set_last (self->values[ROW_SAMPLE], shape->rows);
  set_last (self->values[ROW_CHANNEL], shape->columns);
  set_last (self->values[ROW_DEPTH], shape->depth);
}

void
seam_difference_readout_follow (SeamDifferenceReadout *self, SeamDifferenceNavigator *navigator,
                                SeamDifferenceLook *look)
{
  self->navigator = g_object_ref (navigator);
  self->subject = g_object_ref (seam_difference_navigator_get_subject (navigator));
  self->source = g_object_ref (seam_difference_subject_get_source (self->subject));
  self->look = g_object_ref (look);
  seam_watch_now (self, G_CALLBACK (result_cb), self->subject, "result");
  seam_watch_now (self, G_CALLBACK (count_cb), self->subject, "atol");
  seam_watch_now (self, G_CALLBACK (count_cb), self->source, "slice");
  seam_watch_now (self, G_CALLBACK (update), self->source, "difference");
  seam_watch_now (self, G_CALLBACK (update), navigator, "sample channel depth place");
  seam_watch_now (self, G_CALLBACK (update), look, "unit");
  g_object_bind_property (navigator, "sample", self->values[ROW_SAMPLE], "value",
                          G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (navigator, "channel", self->values[ROW_CHANNEL], "value",
                          G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (navigator, "depth", self->values[ROW_DEPTH], "value",
                          G_BINDING_BIDIRECTIONAL);
}

const char *
seam_difference_readout_get_text (SeamDifferenceReadout *self)
{
  return self->text;
}
