/* SPDX-License-Identifier: MIT */
#include "ui/state/chosen-plans.h"

#define UNDO_LIMIT 100

/* The plans before an edit, of which the last may be NULL; and the shape, if the edit changed
 * it, too. */
typedef struct {
  SeamPlan *plans[SEAM_MAX_CHOSEN_PLANS];
  gint64 *values; /* [SEAM_MAX_FIELDS]; NULL: not changed */
  char *preset;
} Step;

struct SeamChosenPlans {
  SeamPlan *plans[SEAM_MAX_CHOSEN_PLANS];
  SeamPlan *executed[SEAM_MAX_CHOSEN_PLANS]; /* NULL: as asked for */
  GArray *undo;                              /* of Step */
};

static void
clear_step (gpointer item)
{
  Step *step = item;

  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    g_clear_pointer (&step->plans[i], seam_plan_unref);
  g_clear_pointer (&step->values, g_free);
  g_clear_pointer (&step->preset, g_free);
}

SeamChosenPlans *
seam_chosen_plans_new (void)
{
  SeamChosenPlans *self = g_new0 (SeamChosenPlans, 1);

  self->undo = g_array_new (FALSE, TRUE, sizeof (Step));
  g_array_set_clear_func (self->undo, clear_step);
  return self;
}

void
seam_chosen_plans_free (SeamChosenPlans *self)
{
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    seam_chosen_plans_set (self, i, NULL);
  g_array_unref (self->undo);
  g_free (self);
}

int
seam_chosen_plans_get_n (const SeamChosenPlans *self)
{
  return self->plans[2] != NULL ? 3 : 2;
}

SeamPlan *
seam_chosen_plans_get (const SeamChosenPlans *self, int index)
{
  return self->plans[index];
}

void
seam_chosen_plans_set (SeamChosenPlans *self, int index, SeamPlan *plan)
{
  SeamPlan *old = self->plans[index];

  self->plans[index] = plan != NULL ? seam_plan_ref (plan) : NULL;
  g_clear_pointer (&old, seam_plan_unref);
  seam_chosen_plans_set_executed (self, index, NULL);
}

SeamPlan *
seam_chosen_plans_get_executed (const SeamChosenPlans *self, int index)
{
  return self->executed[index] != NULL ? self->executed[index] : self->plans[index];
}

void
seam_chosen_plans_set_executed (SeamChosenPlans *self, int index, SeamPlan *plan)
{
  g_clear_pointer (&self->executed[index], seam_plan_unref);
  if (plan != NULL && !seam_plan_equal (plan, self->plans[index]))
    self->executed[index] = seam_plan_ref (plan);
}

void
seam_chosen_plans_remember (SeamChosenPlans *self, const gint64 *values, const char *preset)
{
  Step step = { { NULL }, NULL, NULL };

  for (int i = 0; i < seam_chosen_plans_get_n (self); i++)
    step.plans[i] = seam_plan_ref (self->plans[i]);
  if (values != NULL) {
    step.values = g_memdup2 (values, sizeof *values * SEAM_MAX_FIELDS);
    step.preset = g_strdup (preset);
  }
  if (self->undo->len >= UNDO_LIMIT)
    g_array_remove_index (self->undo, 0);
  g_array_append_val (self->undo, step);
}

gboolean
seam_chosen_plans_can_undo (const SeamChosenPlans *self)
{
  return self->undo->len > 0;
}

void
seam_chosen_plans_undo (SeamChosenPlans *self, gint64 **values, char **preset)
{
  Step *step = &g_array_index (self->undo, Step, self->undo->len - 1);

  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    seam_chosen_plans_set (self, i, step->plans[i]);
  *values = g_steal_pointer (&step->values);
  *preset = g_steal_pointer (&step->preset);
  g_array_set_size (self->undo, self->undo->len - 1);
}

void
seam_chosen_plans_forget_undo (SeamChosenPlans *self)
{
  g_array_set_size (self->undo, 0);
}
