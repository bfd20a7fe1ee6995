/* SPDX-License-Identifier: MIT
 *
 * A drop-down of implementations for the plan's first group; what a GPU cannot execute of it, the
 * estimate says in words. On the CPU there is nothing to choose, and it is not there.
 */
#include "ui/plan-choice.h"

typedef struct {
  SeamImplementation implementation;
  const char *text;
  gboolean groupnorm; /* only for conv2d with GroupNorm in its group */
} Choice;

static const Choice choices[] = {
  { SEAM_IMPLEMENTATION_AUTO, "Automatic: the best there is", FALSE },
  { SEAM_IMPLEMENTATION_LIBRARY, "Libraries and generated kernels", FALSE },
  { SEAM_IMPLEMENTATION_HAND, "Hand-written, for this GPU", FALSE },
  { SEAM_IMPLEMENTATION_HAND_PORTABLE, "Hand-written, for every GPU since 2020", FALSE },
  { SEAM_IMPLEMENTATION_HAND_SIMT, "Hand-written, plain FP32 without tensor cores", FALSE },
  { SEAM_IMPLEMENTATION_HAND_RELOAD, "Hand-written, GroupNorm reads the values again", TRUE },
  { SEAM_IMPLEMENTATION_HAND_RECOMPUTE, "Hand-written, convolution computed twice", TRUE },
  { SEAM_IMPLEMENTATION_HAND_RESIDENT, "Hand-written, values stay on the chip", TRUE },
};

struct _SeamPlanChoice {
  AdwBin parent_instance;

  SeamModel *model;
  int index;
  gboolean filling;

  GtkWidget *label;
  GtkWidget *drop_down;
  SeamImplementation shown[G_N_ELEMENTS (choices)];
};

G_DEFINE_FINAL_TYPE (SeamPlanChoice, seam_plan_choice, ADW_TYPE_BIN)

static gboolean
has_groupnorm (const SeamPlan *plan)
{
  const SeamChain *chain = seam_plan_get_chain (plan);

  for (int op = plan->groups[0].first; op <= plan->groups[0].last; op++)
    /* Hand-written kernels that hold a GroupNorm begin with a convolution. */
    if (seam_op_is_normalisation (&chain->ops[op]))
      return chain->ops[0].type == SEAM_OP_CONV2D;
  return FALSE;
}

void
seam_plan_choice_update (SeamPlanChoice *self)
{
  const SeamPlan *plan = seam_model_get_plan (self->model, self->index);
  const SeamDeviceInfo *target = seam_model_get_target (self->model);

  /* There is no plan C. */
  if (plan == NULL)
    return;
  const SeamOp *first = &seam_plan_get_chain (plan)->ops[0];
  gboolean matrix = seam_op_is_matrix (first);
  gboolean gpu = target != NULL && g_str_has_prefix (target->id, "cuda");
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  g_autofree char *label = g_strdup_printf ("The group with %s is executed by", first->label);
  guint selected = 0, n = 0;

  self->filling = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++) {
    if (choices[i].groupnorm && !has_groupnorm (plan))
      continue;
    if (choices[i].implementation == plan->groups[0].implementation)
      selected = n;
    self->shown[n++] = choices[i].implementation;
    gtk_string_list_append (list, choices[i].text);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->drop_down), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), selected);
  gtk_label_set_text (GTK_LABEL (self->label), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), matrix && gpu);
  self->filling = FALSE;
}

static void
selected_cb (GtkDropDown *drop_down, GParamSpec *pspec, SeamPlanChoice *self)
{
  const SeamPlan *plan = seam_model_get_plan (self->model, self->index);
  guint selected = gtk_drop_down_get_selected (drop_down);

  if (self->filling || selected == GTK_INVALID_LIST_POSITION
      || self->shown[selected] == plan->groups[0].implementation)
    return;
  g_autoptr (SeamPlan) chosen = seam_plan_choose (plan, 0, self->shown[selected]);
  seam_model_set_plan (self->model, self->index, chosen);
}

static void
seam_plan_choice_dispose (GObject *object)
{
  SeamPlanChoice *self = SEAM_PLAN_CHOICE (object);

  g_clear_object (&self->model);
  G_OBJECT_CLASS (seam_plan_choice_parent_class)->dispose (object);
}

static void
seam_plan_choice_class_init (SeamPlanChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = seam_plan_choice_dispose;
}

static void
seam_plan_choice_init (SeamPlanChoice *self)
{
}

GtkWidget *
seam_plan_choice_new (SeamModel *model, int index)
{
  SeamPlanChoice *self = g_object_new (SEAM_TYPE_PLAN_CHOICE, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->model = g_object_ref (model);
  self->index = index;
  self->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_widget_add_css_class (self->label, "dim-label");
  gtk_widget_add_css_class (self->label, "note");
  self->drop_down = gtk_drop_down_new (NULL, NULL);
  g_signal_connect (self->drop_down, "notify::selected", G_CALLBACK (selected_cb), self);
  gtk_box_append (GTK_BOX (box), self->label);
  gtk_box_append (GTK_BOX (box), self->drop_down);
  adw_bin_set_child (ADW_BIN (self), box);
  seam_plan_choice_update (self);
  return GTK_WIDGET (self);
}
