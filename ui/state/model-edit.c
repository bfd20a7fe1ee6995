/* SPDX-License-Identifier: MIT
 *
 * Texts that the person wrote in place of generated code. They are kept by the ops that they are
 * for, so that both plans and every cut with that group find them; only a plan whose group is
 * “@edited” sends its text along, and only a run executes it.
 */
#include "ui/state/model-private.h"

/* An edit of the model has the pipeline's place in the list for a group, and this for a plan. */
static int
find_pipeline (SeamModel *self)
{
  guint index = 0;

  g_ptr_array_find (self->pipelines, self->request->pipeline, &index);
  return (int)index;
}

static int
make_key (int chain, int first, int last)
{
  return (chain * SEAM_MAX_OPS + first) * SEAM_MAX_OPS + last;
}

const char *
seam_model_get_edit (SeamModel *self, int chain, int first, int last)
{
  return seam_edits_find (&self->edits, make_key (chain, first, last), find_pipeline (self));
}

void
seam_model_set_edit (SeamModel *self, int chain, int first, int last, const char *text)
{
  seam_edits_set (&self->edits, make_key (chain, first, last), find_pipeline (self), text);
}

void
seam_model_reset_edit (SeamModel *self, int chain, int first, int last)
{
  seam_model_set_edit (self, chain, first, last, NULL);
  for (int i = 0; i < seam_model_get_n_plans (self); i++) {
    SeamPlan *plan = seam_model_get_plan (self, i);
    for (int g = 0; g < plan->n_groups; g++) {
      if (plan->chain != chain || plan->groups[g].first != first || plan->groups[g].last != last
          || !seam_group_is (&plan->groups[g], SEAM_IMPLEMENTATION_EDITED))
        continue;
      g_autoptr (SeamPlan) mended = seam_plan_choose (plan, g, NULL);
      seam_model_set_plan (self, i, mended);
      break;
    }
  }
}

void
seam_model_run_edited (SeamModel *self, int index, int group)
{
  SeamPlan *shown = seam_model_get_shown_plan (self, index);

  if (group >= shown->n_groups || seam_model_get_run_state (self) != SEAM_RUN_IDLE)
    return;
  /* A and B stay what they are: the edited one is measured beside them. */
  g_autoptr (SeamPlan) plan = seam_plan_choose (shown, group, SEAM_IMPLEMENTATION_EDITED);
  seam_model_set_third_plan (self, plan);
  seam_model_set_compared (self, 2);
  seam_model_run (self);
}

void
seam_model_add_edits (SeamModel *self, SeamRunRequest *request)
{
  for (int i = 0; request->plans[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, request->plans[i], NULL);

    for (int g = 0; plan != NULL && g < plan->n_groups; g++) {
      const SeamGroup *group = &plan->groups[g];
      if (seam_group_is (group, SEAM_IMPLEMENTATION_EDITED))
        seam_edits_set (&request->edits, i, g,
                        seam_model_get_edit (self, plan->chain, group->first, group->last));
    }
  }
}

void
seam_model_adopt_edits (SeamModel *self, const SeamResult *result)
{
  for (int i = 0; i < result->edits.n; i++) {
    const SeamEdit *edit = &result->edits.list[i];
    g_autoptr (SeamPlan) plan = NULL;

    if (edit->plan >= result->n_plans)
      continue;
    plan = seam_plan_parse (self->request->pipeline, result->plans[edit->plan].notation, NULL);
    if (plan != NULL && edit->group < plan->n_groups)
      seam_model_set_edit (self, plan->chain, plan->groups[edit->group].first,
                           plan->groups[edit->group].last, edit->text);
  }
}

/* --- Watching a run with edits --- */

#define LOOK_MS 500

static gboolean
look_cb (gpointer data)
{
  SeamModel *self = data;
  double quiet_s = (double)(g_get_monotonic_time () - self->sign_of_life_us) / G_USEC_PER_SEC;

  if (self->run_state == SEAM_RUN_IDLE || self->worker == NULL) {
    self->watch_timeout = 0;
    return G_SOURCE_REMOVE;
  }
  if (quiet_s < seam_edit_get_limit_s ())
    return G_SOURCE_CONTINUE;
  g_autofree char *reason = seam_edit_describe_limit ();
  self->watch_timeout = 0;
  seam_worker_client_kill (self->worker, reason);
  return G_SOURCE_REMOVE;
}

void
seam_model_watch_edits (SeamModel *self)
{
  self->sign_of_life_us = g_get_monotonic_time ();
  g_clear_handle_id (&self->watch_timeout, g_source_remove);
  if (self->run_request->edits.n > 0)
    self->watch_timeout = g_timeout_add (LOOK_MS, look_cb, self);
}
