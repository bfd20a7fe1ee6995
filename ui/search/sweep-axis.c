/* SPDX-License-Identifier: MIT
 *
 * A row of drop-downs and numbers that becomes the text of a direction. Nothing is checked here:
 * the parser of the text reports what is wrong.
 */
#include "ui/search/sweep-axis.h"

#include "ui/class/class.h"
#include "ui/widgets/setting-row.h"

#include <string.h>

/* Doublings start at this fraction of the shape's own value at first. */
#define FIRST_SHARE 16
/* "32768" fits; longer values scroll. */
#define SPIN_CHARS 6

typedef enum { MODE_DOUBLING, MODE_STEPS, MODE_LIST, N_MODES } Mode;

struct _SeamSweepAxisChoice {
  AdwBin parent_instance;

  const SeamPipeline *pipeline; /* reference; NULL at first */
  gint64 values[SEAM_MAX_FIELDS];
  gboolean optional, filling;
  GtkDropDown *field, *mode;
  GtkWidget *from_label, *to_label, *step_label;
  GtkSpinButton *from, *to, *step;
  GtkEntry *list;
};

G_DEFINE_FINAL_TYPE (SeamSweepAxisChoice, seam_sweep_axis, ADW_TYPE_BIN)

/* Finds height and width, which change together in pipelines of pictures. */
static gboolean
find_pair (const SeamPipeline *pipeline, int *height, int *width)
{
  *height = seam_pipeline_get_field (pipeline, "height");
  *width = seam_pipeline_get_field (pipeline, "width");
  return *height >= 0 && *width >= 0;
}

/* -1: no field. n_fields: height and width together. */
static int
get_field (SeamSweepAxisChoice *self)
{
  guint selected = gtk_drop_down_get_selected (self->field);

  if (selected == GTK_INVALID_LIST_POSITION)
    return -1;
  return (int)selected - (self->optional ? 1 : 0);
}

char *
seam_sweep_axis_get_text (SeamSweepAxisChoice *self)
{
  int field = self->pipeline != NULL ? get_field (self) : -1;
  const char *key;
  int from, to;

  if (field < 0)
    return NULL;
  key = field < self->pipeline->n_fields ? self->pipeline->fields[field].key : "height+width";
  from = gtk_spin_button_get_value_as_int (self->from);
  to = gtk_spin_button_get_value_as_int (self->to);
  switch ((Mode)gtk_drop_down_get_selected (self->mode)) {
  case MODE_STEPS:
    return g_strdup_printf ("%s=%d:%d:%d", key, from, to,
                            gtk_spin_button_get_value_as_int (self->step));
  case MODE_LIST:
    return g_strdup_printf ("%s=%s", key, gtk_editable_get_text (GTK_EDITABLE (self->list)));
  case MODE_DOUBLING:
  default:
    return g_strdup_printf ("%s=%d:%d:log2", key, from, to);
  }
}

/* Shows the entries that the chosen field and mode need. */
static void
show_entries (SeamSweepAxisChoice *self)
{
  gboolean varies = get_field (self) >= 0;
  Mode mode = (Mode)gtk_drop_down_get_selected (self->mode);
  gboolean is_range = varies && mode != MODE_LIST, is_steps = varies && mode == MODE_STEPS;

  gtk_widget_set_visible (GTK_WIDGET (self->mode), varies);
  gtk_widget_set_visible (self->from_label, is_range);
  gtk_widget_set_visible (GTK_WIDGET (self->from), is_range);
  gtk_widget_set_visible (self->to_label, is_range);
  gtk_widget_set_visible (GTK_WIDGET (self->to), is_range);
  gtk_widget_set_visible (self->step_label, is_steps);
  gtk_widget_set_visible (GTK_WIDGET (self->step), is_steps);
  gtk_widget_set_visible (GTK_WIDGET (self->list), varies && mode == MODE_LIST);
}

/* Fills in the field's full range, and values around the shape's own value. */
static void
fill_values (SeamSweepAxisChoice *self)
{
  int field = get_field (self), height, width;
  const SeamShapeField *range;
  gint64 value, first, step;
  g_autofree char *list = NULL;

  if (self->pipeline == NULL || field < 0)
    return;
  if (field == self->pipeline->n_fields && find_pair (self->pipeline, &height, &width))
    field = height;
  range = &self->pipeline->fields[field];
  value = self->values[field];
  first = MAX (range->min, value / FIRST_SHARE);
  step = MAX (1, value / 8);
  gtk_spin_button_set_range (self->from, (double)range->min, (double)range->max);
  gtk_spin_button_set_range (self->to, (double)range->min, (double)range->max);
  gtk_spin_button_set_range (self->step, 1, (double)range->max);
  gtk_spin_button_set_value (self->from, (double)first);
  gtk_spin_button_set_value (self->to, (double)value);
  gtk_spin_button_set_value (self->step, (double)step);
  list = g_strdup_printf ("%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, first, MAX (first + 1, value));
  gtk_editable_set_text (GTK_EDITABLE (self->list), list);
}

static void
changed_cb (SeamSweepAxisChoice *self)
{
  if (self->filling)
    return;
  show_entries (self);
  g_signal_emit_by_name (self, "changed");
}

static void
field_changed_cb (SeamSweepAxisChoice *self)
{
  gboolean was_filling = self->filling;

  self->filling = TRUE;
  fill_values (self);
  self->filling = was_filling;
  changed_cb (self);
}

void
seam_sweep_axis_set_pipeline (SeamSweepAxisChoice *self, const SeamPipeline *pipeline,
                              const gint64 *values)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int height, width;

  self->filling = TRUE;
  if (self->pipeline != NULL)
    seam_pipeline_unref ((SeamPipeline *)self->pipeline);
  self->pipeline = seam_pipeline_ref ((SeamPipeline *)pipeline);
  memcpy (self->values, values, sizeof self->values);
  if (self->optional)
    gtk_string_list_append (names, "nothing else");
  for (int i = 0; i < pipeline->n_fields; i++)
    gtk_string_list_append (names, pipeline->fields[i].label);
  if (find_pair (pipeline, &height, &width))
    gtk_string_list_append (names, "Height and width");
  gtk_drop_down_set_model (self->field, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->field, 0);
  fill_values (self);
  show_entries (self);
  self->filling = FALSE;
}

static void
stop_listening (SeamSweepAxisChoice *self)
{
  self->filling = TRUE;
}

static void
seam_sweep_axis_class_init (SeamSweepAxisChoiceClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (stop_listening));
  SEAM_OWNS (klass, SeamSweepAxisChoice, seam_pipeline_unref, pipeline);
  seam_signals_install (klass, G_TYPE_NONE, "changed");
}

static GtkWidget *
add_label (GtkWidget *box, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
name_widget (gpointer widget, const char *title, const char *what)
{
  g_autofree char *name = g_strdup_printf ("%s: %s", title, what);

  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkSpinButton *
add_spin (SeamSweepAxisChoice *self, GtkWidget *box, const char *title, const char *what)
{
  GtkSpinButton *spin = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (1, 2, 1));

  seam_spin_button_read_typed (spin, NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), SPIN_CHARS);
  gtk_widget_set_valign (GTK_WIDGET (spin), GTK_ALIGN_CENTER);
  name_widget (spin, title, what);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (changed_cb), self);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (spin));
  return spin;
}

static void
seam_sweep_axis_init (SeamSweepAxisChoice *self)
{
}

GtkWidget *
seam_sweep_axis_new (const char *title, gboolean optional)
{
  static const char *const modes[] = { "doubling", "in steps", "as a list", NULL };
  SeamSweepAxisChoice *self = g_object_new (SEAM_TYPE_SWEEP_AXIS, NULL);
  GtkWidget *both = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *what = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *values = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label;

  self->optional = optional;
  gtk_box_append (GTK_BOX (both), what);
  gtk_box_append (GTK_BOX (both), values);
  label = add_label (what, title);
  gtk_label_set_width_chars (GTK_LABEL (label), 6);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  self->field = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  self->mode = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (modes));
  name_widget (self->field, title, "which field varies");
  name_widget (self->mode, title, "how it varies");
  gtk_box_append (GTK_BOX (what), GTK_WIDGET (self->field));
  gtk_box_append (GTK_BOX (what), GTK_WIDGET (self->mode));
  self->from_label = add_label (values, "from");
  self->from = add_spin (self, values, title, "first value");
  self->to_label = add_label (values, "to");
  self->to = add_spin (self, values, title, "last value");
  self->step_label = add_label (values, "step");
  self->step = add_spin (self, values, title, "step");
  self->list = GTK_ENTRY (gtk_entry_new ());
  gtk_entry_set_placeholder_text (self->list, "1, 3, 9");
  gtk_widget_set_hexpand (GTK_WIDGET (self->list), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->list), GTK_ALIGN_CENTER);
  name_widget (self->list, title, "values, separated by commas");
  gtk_box_append (GTK_BOX (values), GTK_WIDGET (self->list));
  g_signal_connect_swapped (self->list, "changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->field, "notify::selected", G_CALLBACK (field_changed_cb), self);
  g_signal_connect_swapped (self->mode, "notify::selected", G_CALLBACK (changed_cb), self);
  gtk_widget_set_hexpand (values, TRUE);
  adw_bin_set_child (ADW_BIN (self), both);
  show_entries (self);
  return GTK_WIDGET (self);
}

void
seam_sweep_axis_set_narrow (SeamSweepAxisChoice *self, gboolean narrow)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (adw_bin_get_child (ADW_BIN (self))),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}
