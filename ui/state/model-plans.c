/* SPDX-License-Identifier: MIT
 *
 * The two or three plans that the person chose, as asked for and as the target would execute them,
 * and the steps back. Which run they were measured in is in model-run.c.
 */
#include "ui/state/model-private.h"

#include "app/base/error.h"

#include <string.h>

static void
clear_undo_item (gpointer item)
{
  SeamPlanSet *set = item;

  for (int i = 0; i < SEAM_MODEL_MAX_PLANS; i++)
    g_clear_pointer (&set->plans[i], seam_plan_unref);
  g_clear_pointer (&set->values, g_free);
  g_clear_pointer (&set->preset, g_free);
}

GArray *
seam_model_new_undo (void)
{
  GArray *undo = g_array_new (FALSE, TRUE, sizeof (SeamPlanSet));

  g_array_set_clear_func (undo, clear_undo_item);
  return undo;
}

void
seam_model_replace_plan (SeamModel *self, int index, SeamPlan *plan)
{
  SeamPlan *old = self->plans[index];

  self->plans[index] = plan != NULL ? seam_plan_ref (plan) : NULL;
  g_clear_pointer (&old, seam_plan_unref);
  g_clear_pointer (&self->shown[index], seam_plan_unref);
}

int
seam_model_get_n_plans (SeamModel *self)
{
  return self->plans[2] != NULL ? 3 : 2;
}

SeamPlan *
seam_model_get_plan (SeamModel *self, int index)
{
  return self->plans[index];
}

SeamPlan *
seam_model_get_shown_plan (SeamModel *self, int index)
{
  if (seam_model_is_stored_current (self) && index < self->n_run_plans)
    return self->run_plans[index].plan;
  return self->shown[index] != NULL ? self->shown[index] : self->plans[index];
}

const SeamPlanEstimate *
seam_model_get_plan_estimate (SeamModel *self, int index)
{
  /* What this machine would make of a plan says nothing of the one that ran elsewhere. */
  if (self->estimate == NULL || index >= self->estimate->n_plans
      || seam_model_is_stored_current (self))
    return NULL;
  return &self->estimate->plans[index];
}

static void
plans_changed (SeamModel *self)
{
  seam_model_update_stored (self);
  seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_PLANS | SEAM_CHANGE_ESTIMATE | SEAM_CHANGE_RESULT);
}

static void
push_undo (SeamModel *self)
{
  SeamPlanSet set = { { NULL }, NULL, NULL };

  for (int i = 0; i < seam_model_get_n_plans (self); i++)
    set.plans[i] = seam_plan_ref (self->plans[i]);

  if (self->undo->len >= SEAM_UNDO_LIMIT)
    g_array_remove_index (self->undo, 0);
  g_array_append_val (self->undo, set);
}

void
seam_model_take_point (SeamModel *self, const gint64 *values, SeamPlan *plan)
{
  gboolean is_a = seam_plan_equal (plan, self->plans[0]), is_b;
  SeamPlanSet *before;

  is_b = seam_plan_equal (plan, self->plans[1]);
  if ((is_a || is_b)
      && memcmp (values, self->request->values,
                 sizeof *values * (gsize)self->request->pipeline->n_fields)
             == 0)
    return;
  push_undo (self);
  before = &g_array_index (self->undo, SeamPlanSet, self->undo->len - 1);
  before->values = g_memdup2 (self->request->values, sizeof self->request->values);
  before->preset = g_strdup (self->request->preset);
  if (!is_a && !is_b)
    seam_model_replace_plan (self, 1, plan);
  seam_model_adopt_shape (self, values, NULL);
  g_free (self->request->preset);
  self->request->preset = g_strdup (seam_model_match_preset (self));
  plans_changed (self);
  seam_model_emit_changed (self, SEAM_CHANGE_SHAPE);
}

void
seam_model_set_third_plan (SeamModel *self, SeamPlan *plan)
{
  if (plan != NULL && self->plans[2] != NULL) {
    seam_model_set_plan (self, 2, plan);
    return;
  }
  if (plan == self->plans[2])
    return;
  push_undo (self);
  seam_model_replace_plan (self, 2, plan);
  plans_changed (self);
}

int
seam_model_get_compared (SeamModel *self)
{
  int n = seam_model_get_result (self) != NULL ? self->n_run_plans : seam_model_get_n_plans (self);

  return n < 2 ? -1 : MIN (self->compared, n - 1);
}

void
seam_model_set_compared (SeamModel *self, int index)
{
  if (index == self->compared || index < 1 || index >= SEAM_MODEL_MAX_PLANS)
    return;
  self->compared = index;
  seam_model_emit_changed (self, SEAM_CHANGE_PLANS | SEAM_CHANGE_RESULT);
}

void
seam_model_set_plan (SeamModel *self, int index, SeamPlan *plan)
{
  if (self->plans[index] != NULL && seam_plan_equal (plan, self->plans[index])
      && g_strcmp0 (plan->name, self->plans[index]->name) == 0)
    return;
  push_undo (self);
  seam_model_replace_plan (self, index, plan);
  plans_changed (self);
}

SeamPlan *
seam_model_parse_plan (SeamModel *self, const char *text, GError **error)
{
  const SeamDeviceInfo *target = seam_model_get_target (self);
  g_autoptr (SeamPlan) plan = seam_plan_parse (self->request->pipeline, text, error);

  if (plan == NULL
      || (target != NULL && target->n_implementations > 0
          && !seam_device_info_check_plan (target, plan, error)))
    return NULL;
  return g_steal_pointer (&plan);
}

gboolean
seam_model_set_plan_text (SeamModel *self, int index, const char *text, GError **error)
{
  g_autoptr (SeamPlan) plan = seam_model_parse_plan (self, text, error);

  if (plan == NULL)
    return FALSE;
  seam_model_set_plan (self, index, plan);
  return TRUE;
}

gboolean
seam_model_toggle_seam (SeamModel *self, int index, int seam, GError **error)
{
  const SeamPlanEstimate *estimate = seam_model_get_plan_estimate (self, index);
  SeamPlan *shown = seam_model_get_shown_plan (self, index);

  if (seam < 0 || seam >= seam_plan_get_chain (shown)->n_ops - 1)
    return TRUE;
  if (estimate != NULL && seam < estimate->n_seams && !estimate->seams[seam].can_toggle) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                         estimate->seams[seam].reason != NULL
                             ? estimate->seams[seam].reason
                             : "This target cannot fuse this seam.");
    return FALSE;
  }
  g_autoptr (SeamPlan) plan = seam_plan_toggle (shown, seam);
  seam_model_set_plan (self, index, plan);
  return TRUE;
}

gboolean
seam_model_can_undo (SeamModel *self)
{
  return self->undo->len > 0;
}

void
seam_model_undo (SeamModel *self)
{
  if (self->undo->len == 0)
    return;
  SeamPlanSet *set = &g_array_index (self->undo, SeamPlanSet, self->undo->len - 1);
  for (int i = 0; i < SEAM_MODEL_MAX_PLANS; i++)
    seam_model_replace_plan (self, i, set->plans[i]);
  if (set->values != NULL)
    seam_model_adopt_shape (self, set->values, set->preset);
  g_array_set_size (self->undo, self->undo->len - 1);
  plans_changed (self);
}

void
seam_model_forget_undo (SeamModel *self)
{
  g_array_set_size (self->undo, 0);
}

char *
seam_model_make_plans_key (SeamModel *self)
{
  GString *key = g_string_new (NULL);

  for (int i = 0; i < seam_model_get_n_plans (self); i++) {
    const SeamPlan *plan = self->plans[i];
    g_string_append_printf (key, "%s\n", plan->notation);
    for (int g = 0; g < plan->n_groups; g++) {
      const SeamGroup *group = &plan->groups[g];
      const char *text = seam_group_is (group, SEAM_IMPLEMENTATION_EDITED)
                             ? seam_model_get_edit (self, plan->chain, group->first, group->last)
                             : NULL;
      g_string_append (key, text != NULL ? text : "");
    }
  }
  return g_string_free (key, FALSE);
}
