/* SPDX-License-Identifier: MIT
 *
 * The pointer panel of the difference page: a grid of names and values that keeps its height
 * whatever it shows.
 */
#include "ui/difference/difference-readout.h"

#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>

/* Of the limit: below it a number would be many zeros. */
#define MIN_RATIO .001

typedef enum {
  ROW_SAMPLE,
  ROW_CHANNEL,
  ROW_ROW,
  ROW_COLUMN,
  ROW_GROUP,
  ROW_TRUSTED,
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
};

G_DEFINE_FINAL_TYPE (SeamDifferenceReadout, seam_difference_readout, GTK_TYPE_WIDGET)

static void
dispose (GObject *object)
{
  SeamDifferenceReadout *self = SEAM_DIFFERENCE_READOUT (object);
  g_clear_pointer (&self->grid, gtk_widget_unparent);
  G_OBJECT_CLASS (seam_difference_readout_parent_class)->dispose (object);
}

static void
seam_difference_readout_class_init (SeamDifferenceReadoutClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
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
  GtkWidget *title = gtk_label_new ("Pointer");

  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 8);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 0);
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  gtk_grid_attach (GTK_GRID (self->grid), title, 0, 0, 2, 1);
  for (int i = 0; i < N_ROWS; i++) {
    self->names[i] = gtk_label_new (NULL);
    if (i == ROW_SAMPLE || i == ROW_CHANNEL) {
      self->values[i] = make_spin (i == ROW_SAMPLE ? "Sample" : "Channel");
      continue;
    }
    self->values[i] = gtk_label_new (SEAM_DASH);
    gtk_label_set_xalign (GTK_LABEL (self->values[i]), 1);
    gtk_label_set_width_chars (GTK_LABEL (self->values[i]), 11);
    gtk_label_set_selectable (GTK_LABEL (self->values[i]), TRUE);
    /* Selectable for the pointer, but no stop for Tab: the arrows belong to the map. */
    gtk_widget_set_can_focus (self->values[i], FALSE);
    gtk_widget_add_css_class (self->values[i], "readout-value");
  }
  for (int i = 0; i < N_ROWS; i++) {
    gtk_label_set_xalign (GTK_LABEL (self->names[i]), 0);
    gtk_widget_add_css_class (self->names[i], "dim-label");
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

GtkWidget *
seam_difference_readout_new (void)
{
  return g_object_new (SEAM_TYPE_DIFFERENCE_READOUT, NULL);
}

void
seam_difference_readout_get_spins (SeamDifferenceReadout *self, GtkWidget **sample,
                                   GtkWidget **channel)
{
  *sample = self->values[ROW_SAMPLE];
  *channel = self->values[ROW_CHANNEL];
}

static char *
format_value (double value)
{
  if (isnan (value))
    return g_strdup ("NaN");
  if (isinf (value))
    return g_strdup (value < 0 ? SEAM_MINUS "∞" : "∞");
  return seam_text_significant (value, 4);
}

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

static void
set_bad (GtkWidget *label, gboolean bad)
{
  if (bad)
    gtk_widget_add_css_class (label, "error");
  else
    gtk_widget_remove_css_class (label, "error");
}

static char *
count_or_null (gint64 count, gboolean known)
{
  return known ? seam_text_count (count) : NULL;
}

static char *
format_ulps (double a, double b)
{
  gint64 n_ulps = seam_ulp_distance (a, b);

  return n_ulps >= 0 ? seam_text_count (n_ulps) : NULL;
}

static char *
format_difference (const SeamReadout *readout, double difference)
{
  gboolean relative = readout->unit == SEAM_UNIT_RELATIVE;

  if (readout->unit == SEAM_UNIT_ULP)
    return format_ulps (readout->trusted, readout->tested);
  return isfinite (difference) && (relative || (difference > 0 && difference < 0.001))
             ? seam_text_scientific (difference)
             : format_value (difference);
}

/* In ULP: the steps from the trusted value to what is still within the limit. */
static char *
format_limit (const SeamReadout *readout, double limit)
{
  if (readout->unit == SEAM_UNIT_ULP)
    return format_ulps (readout->trusted, readout->trusted + copysign (limit, readout->trusted));
  return limit < 0.001 ? seam_text_scientific (limit) : seam_text_significant (limit, 2);
}

void
seam_difference_readout_set (SeamDifferenceReadout *self, const SeamReadout *readout)
{
  gboolean known = readout->row >= 0, values = known && readout->has_values;
  double difference = fabs (readout->tested - readout->trusted) / readout->scale;
  double limit = (readout->atol + readout->rtol * fabs (readout->trusted)) / readout->scale;
  gboolean fails =
      values
      && seam_element_fails (readout->tested, readout->trusted, readout->atol, readout->rtol);
  static const char *const units[] = { "", " rel.", " ULP" };
  g_autofree char *name = g_strdup_printf ("|%s %s %s|%s", readout->trusted_name, SEAM_MINUS,
                                           readout->tested_name, units[readout->unit]);

  show_row (self, ROW_SAMPLE, readout->has_plane, "Sample");
  show_row (self, ROW_CHANNEL, readout->has_plane, "Channel");
  set_row (self, ROW_ROW, TRUE, "Row", count_or_null (readout->row, known));
  set_row (self, ROW_COLUMN, TRUE, "Column", count_or_null (readout->column, known));
  set_row (self, ROW_GROUP, readout->group >= 0, "Group", count_or_null (readout->group, known));
  set_row (self, ROW_TRUSTED, TRUE, readout->trusted_name,
           values ? format_value (readout->trusted) : NULL);
  set_row (self, ROW_TESTED, TRUE, readout->tested_name,
           values ? format_value (readout->tested) : NULL);
  set_row (self, ROW_DIFFERENCE, TRUE, name,
           values ? format_difference (readout, difference) : NULL);
  set_row (self, ROW_LIMIT, TRUE, "Limit", values ? format_limit (readout, limit) : NULL);
  {
    /* How far over the limit; without a limit, or without numbers, there is no such figure. */
    double ratio = values && limit > 0 ? difference / limit : NAN;
    g_autofree char *number = !isfinite (ratio)                ? NULL
                              : ratio > 0 && ratio < MIN_RATIO ? g_strdup ("< 0.001")
                                                               : seam_text_significant (ratio, 3);
    set_row (self, ROW_RATIO, TRUE, "",
             number != NULL ? g_strdup_printf ("%s %s limit", number, SEAM_TIMES)
                            : g_strdup (fails ? "fails" : SEAM_DASH));
  }
  set_bad (self->values[ROW_DIFFERENCE], fails);
  set_bad (self->values[ROW_RATIO], fails);
  if (readout->n_elements > 0) {
    g_autofree char *failing = seam_text_count (readout->n_failing);
    g_autofree char *all = seam_text_count (readout->n_elements);
    set_row (self, ROW_SLICE, TRUE, "In this slice",
             g_strdup_printf ("%s\nof %s fail", failing, all));
    gtk_label_set_justify (GTK_LABEL (self->values[ROW_SLICE]), GTK_JUSTIFY_RIGHT);
    gtk_label_set_yalign (GTK_LABEL (self->names[ROW_SLICE]), 0);
  } else {
    set_row (self, ROW_SLICE, TRUE, "In this slice", g_strdup (SEAM_DASH "\n"));
  }
}

char *
seam_difference_readout_describe (const SeamReadout *readout)
{
  g_autofree char *where = NULL, *tested = NULL, *trusted = NULL, *difference = NULL;

  if (readout->row < 0)
    return g_strdup ("No element is pointed at.");
  where = readout->has_plane
              ? g_strdup_printf ("Sample %" G_GINT64_FORMAT ", channel %" G_GINT64_FORMAT
                                 ", row %" G_GINT64_FORMAT ", column %" G_GINT64_FORMAT,
                                 readout->sample, readout->channel, readout->row, readout->column)
              : g_strdup_printf ("Row %" G_GINT64_FORMAT ", column %" G_GINT64_FORMAT, readout->row,
                                 readout->column);
  if (!readout->has_values)
    return g_strdup_printf ("%s.", where);
  tested = format_value (readout->tested);
  trusted = format_value (readout->trusted);
  difference = format_value (fabs (readout->tested - readout->trusted));
  return g_strdup_printf (
      "%s: %s %s, %s %s, difference %s, %s.", where, readout->trusted_name, trusted,
      readout->tested_name, tested, difference,
      seam_element_fails (readout->tested, readout->trusted, readout->atol, readout->rtol)
          ? "outside tolerance"
          : "within tolerance");
}
