/* SPDX-License-Identifier: MIT
 *
 * A drop-down of the target's implementations for the plan's first group. The estimate says which
 * of them cannot be executed. Hidden if the target offers none, as the CPU does.
 */
#include "ui/widgets/plan-choice.h"

#include "ui/class/class.h"
#include "ui/widgets/label.h"

#include <string.h>

struct _SeamPlanChoice {
  AdwBin parent_instance;

  SeamModel *model;
  int index;
  gboolean filling;

  GtkWidget *label;
  GtkWidget *drop_down;
  GPtrArray *shown; /* of char *, as the plan writes them */
};

G_DEFINE_FINAL_TYPE (SeamPlanChoice, seam_plan_choice, ADW_TYPE_BIN)

static gboolean
has_groupnorm (const SeamPlan *plan)
{
  const SeamChain *chain = seam_plan_get_chain (plan);

  for (int op = plan->groups[0].first; op <= plan->groups[0].last; op++)
    /* Hand-written kernels that contain a GroupNorm begin with a convolution. */
    if (seam_op_is_normalisation (&chain->ops[op]))
      return chain->ops[0].type == SEAM_OP_CONV2D;
  return FALSE;
}

static const char *
get_chosen (const SeamPlan *plan)
{
  const char *chosen = plan->groups[0].implementation;

  return chosen != NULL ? chosen : SEAM_IMPLEMENTATION_AUTO;
}

void
seam_plan_choice_update (SeamPlanChoice *self)
{
  const SeamPlan *plan = seam_setup_get_plan (self->model->setup, self->index);
  const SeamDeviceInfo *target = seam_setup_get_target (self->model->setup);

  /* There is no plan C. */
  if (plan == NULL)
    return;
  const SeamOp *first = &seam_plan_get_chain (plan)->ops[0];
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  g_autofree char *label = g_strdup_printf ("The group with %s is executed by", first->label);
  guint selected = 0;

  self->filling = TRUE;
  g_ptr_array_set_size (self->shown, 0);
  for (int i = 0; target != NULL && i < target->n_implementations; i++) {
    const SeamImplementation *implementation = &target->implementations[i];
    if (implementation->title == NULL || (implementation->groupnorm && !has_groupnorm (plan)))
      continue;
    if (strcmp (implementation->name, get_chosen (plan)) == 0)
      selected = self->shown->len;
    g_ptr_array_add (self->shown, g_strdup (implementation->name));
    gtk_string_list_append (list, implementation->title);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->drop_down), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), selected);
  gtk_label_set_text (GTK_LABEL (self->label), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), seam_op_is_matrix (first) && self->shown->len > 0);
  self->filling = FALSE;
}

static void
selected_cb (GtkDropDown *drop_down, GParamSpec *pspec, SeamPlanChoice *self)
{
  const SeamPlan *plan = seam_setup_get_plan (self->model->setup, self->index);
  guint selected = gtk_drop_down_get_selected (drop_down);

  if (self->filling || selected == GTK_INVALID_LIST_POSITION
      || strcmp (self->shown->pdata[selected], get_chosen (plan)) == 0)
    return;
  g_autoptr (SeamPlan) chosen = seam_plan_choose (plan, 0, self->shown->pdata[selected]);
  seam_setup_set_plan (self->model->setup, self->index, chosen);
}

static void
seam_plan_choice_class_init (SeamPlanChoiceClass *klass)
{
  SEAM_OWNS (klass, SeamPlanChoice, g_object_unref, model);
  SEAM_OWNS (klass, SeamPlanChoice, g_ptr_array_unref, shown);
}

static void
seam_plan_choice_init (SeamPlanChoice *self)
{
  self->shown = g_ptr_array_new_with_free_func (g_free);
}

GtkWidget *
seam_plan_choice_new (SeamModel *model, int index)
{
  SeamPlanChoice *self = g_object_new (SEAM_TYPE_PLAN_CHOICE, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->model = g_object_ref (model);
  self->index = index;
  self->label = seam_label_new (NULL, "dim-label note", 0);
  self->drop_down = gtk_drop_down_new (NULL, NULL);
  g_signal_connect (self->drop_down, "notify::selected", G_CALLBACK (selected_cb), self);
  gtk_box_append (GTK_BOX (box), self->label);
  gtk_box_append (GTK_BOX (box), self->drop_down);
  adw_bin_set_child (ADW_BIN (self), box);
  seam_plan_choice_update (self);
  return GTK_WIDGET (self);
}
