/* SPDX-License-Identifier: MIT
 *
 * A drop-down over the model's compared plan.
 */
#include "ui/widgets/compared-choice.h"

#include "ui/class/class.h"

struct _SeamComparedChoice {
  AdwBin parent_instance;

  SeamModel *model;
  GtkDropDown *drop_down;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (SeamComparedChoice, seam_compared_choice, ADW_TYPE_BIN)

static void
update (SeamComparedChoice *self)
{
  int compared = seam_measurement_get_compared (self->model->measurement);
  int n = seam_measurement_get_result (self->model->measurement) != NULL
              ? seam_measurement_get_n_plans (self->model->measurement)
              : seam_setup_get_n_plans (self->model->setup);

  gtk_widget_set_visible (GTK_WIDGET (self), n > 2);
  if (compared < 1)
    return;
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->drop_down, (guint)compared - 1);
  self->filling = FALSE;
}

static void
selected_cb (SeamComparedChoice *self)
{
  guint selected = gtk_drop_down_get_selected (self->drop_down);

  if (!self->filling && self->model != NULL && selected != GTK_INVALID_LIST_POSITION)
    seam_setup_set_compared (self->model->setup, (int)selected + 1);
}

void
seam_compared_choice_set_model (SeamComparedChoice *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  seam_watch (self, G_CALLBACK (update), model->setup, "plans compared", model->measurement,
              "state result", NULL);
  update (self);
}

static void
seam_compared_choice_class_init (SeamComparedChoiceClass *klass)
{
  SEAM_OWNS (klass, SeamComparedChoice, g_object_unref, model);
}

static void
seam_compared_choice_init (SeamComparedChoice *self)
{
  static const char *const names[] = { "A with B", "A with C", NULL };

  self->drop_down = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (names));
  gtk_widget_set_valign (GTK_WIDGET (self->drop_down), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (self->drop_down), "small-button");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->drop_down), "Which two of the plans are compared");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Compared plans", -1);
  g_signal_connect_object (self->drop_down, "notify::selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->drop_down));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
