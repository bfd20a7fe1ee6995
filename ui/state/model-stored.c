/* SPDX-License-Identifier: MIT
 *
 * A run from a session in the place of a measured one. The window shows two or three plans at a
 * time: those of the stored run that are chosen as A, B and C, without a worker being asked.
 */
#include "ui/state/model-private.h"

#include "app/base/error.h"

#include <string.h>

void
seam_model_clear_stored (SeamModel *self)
{
  g_clear_pointer (&self->stored, seam_session_run_unref);
  g_clear_pointer (&self->stored_pair, seam_session_run_unref);
  g_clear_pointer (&self->stored_plans, g_ptr_array_unref);
  g_clear_pointer (&self->stored_name, g_free);
}

gboolean
seam_model_is_stored_current (SeamModel *self)
{
  if (self->stored_pair == NULL || self->result_plans_key == NULL
      || self->result_pipeline != self->request->pipeline)
    return FALSE;
  g_autofree char *key = seam_model_make_plans_key (self);
  return strcmp (key, self->result_plans_key) == 0;
}

/* Position of a plan in the stored run, or -1. A name counts first: "full" is what its target made
 * of it. */
static int
find_stored_plan (SeamModel *self, const SeamPlan *plan)
{
  const SeamResult *result = self->stored->result;

  for (int i = 0; plan->name != NULL && i < result->n_plans; i++)
    if (g_strcmp0 (result->plans[i].name, plan->name) == 0)
      return i;
  for (guint i = 0; i < self->stored_plans->len; i++)
    if (seam_plan_equal (self->stored_plans->pdata[i], plan))
      return (int)i;
  return -1;
}

static void
show_pair (SeamModel *self, const int *plans, int n)
{
  g_autoptr (SeamSessionRun) pair = seam_session_run_choose (self->stored, plans, n, NULL);

  if (pair == NULL)
    return;
  for (int k = 0; k < SEAM_MODEL_MAX_PLANS; k++) {
    g_clear_pointer (&self->run_plans[k].plan, seam_plan_unref);
    g_clear_pointer (&self->run_plans[k].samples, g_array_unref);
  }
  self->n_run_plans = n;
  for (int k = 0; k < n; k++) {
    self->run_plans[k].plan = seam_plan_ref (self->stored_plans->pdata[plans[k]]);
    self->run_plans[k].letter = (char)('A' + k);
    self->run_plans[k].samples = g_array_new (FALSE, TRUE, sizeof (SeamSample));
  }
  g_clear_pointer (&self->stored_pair, seam_session_run_unref);
  self->stored_pair = g_steal_pointer (&pair);
  g_clear_pointer (&self->result, seam_result_unref);
  self->result = seam_result_ref (self->stored_pair->result);
  g_free (self->result_plans_key);
  self->result_plans_key = seam_model_make_plans_key (self);
}

void
seam_model_update_stored (SeamModel *self)
{
  int plans[SEAM_MODEL_MAX_PLANS], n;
  gboolean distinct = TRUE;

  if (self->stored == NULL || self->result_pipeline != self->request->pipeline)
    return;
  n = MIN (self->stored->result->n_plans, seam_model_get_n_plans (self));
  for (int k = 0; k < n; k++) {
    plans[k] = find_stored_plan (self, self->plans[k]);
    if (plans[k] < 0)
      return;
    for (int i = 0; i < k; i++)
      distinct = distinct && plans[i] != plans[k];
  }
  if (distinct)
    show_pair (self, plans, n);
}

/* The pipeline of the list that stands for the recorded one, else `pipeline` itself; borrowed. */
static SeamPipeline *
find_known (SeamModel *self, SeamPipeline *pipeline)
{
  for (guint i = 0; i < self->pipelines->len; i++) {
    SeamPipeline *known = g_ptr_array_index (self->pipelines, i);
    if (seam_pipeline_covers (known, pipeline))
      return known;
  }
  return pipeline;
}

static GPtrArray *
parse_plans (SeamPipeline *pipeline, const SeamResult *result, GError **error)
{
  g_autoptr (GPtrArray) plans = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_plan_unref);

  for (int i = 0; i < result->n_plans; i++) {
    SeamPlan *plan = seam_plan_parse (pipeline, result->plans[i].notation, error);
    if (plan == NULL)
      return NULL;
    g_ptr_array_add (plans, plan);
  }
  return g_steal_pointer (&plans);
}

/* What the sidebar shows; the target stays the one of this machine. */
static void
adopt_settings (SeamModel *self, const SeamResult *result)
{
  SeamSettings settings;

  seam_record_copy (&seam_settings_type, &settings, &result->settings);
  g_clear_pointer (&settings.against, g_free);
  if (result->reference < 0)
    settings.against = g_strdup (SEAM_AGAINST_FP64);
  seam_chosen_settings_adopt (self->settings, &settings);
  seam_record_clear (&seam_settings_type, &settings);
}

/* How much a person who opens the file wants to see plan i as B: it was measured, and it is `full`,
 * what all fusion comes to. Beside the person's own code the others keep their letters. */
static int
rate_plan (const SeamResult *result, int i)
{
  const SeamPlanResult *plan = &result->plans[i];
  gboolean full = result->edits.n == 0 && g_strcmp0 (plan->name, "full") == 0;

  return plan->n_samples == 0 ? 0 : full ? 2 : 1;
}

/* A: what the others were compared with. B: the best of the others, the first of equals. C: a third
 * one, where the person's own code ran beside two others. */
static void
choose_plans (SeamModel *self)
{
  const SeamResult *result = self->stored->result;
  int a = MAX (result->reference, 0), b = -1;

  for (int i = 0; i < result->n_plans; i++)
    if (i != a && (b < 0 || rate_plan (result, i) > rate_plan (result, b)))
      b = i;
  seam_model_set_plan (self, 0, self->stored_plans->pdata[a]);
  if (b >= 0)
    seam_model_set_plan (self, 1, self->stored_plans->pdata[b]);
  seam_model_set_third_plan (self, result->n_plans == 3 && result->edits.n > 0
                                       ? self->stored_plans->pdata[3 - a - b]
                                       : NULL);
  seam_model_update_stored (self);
  seam_model_forget_undo (self);
}

gboolean
seam_model_show_stored (SeamModel *self, SeamSessionRun *run, const char *name, GError **error)
{
  const SeamResult *result = run->result;
  g_autoptr (SeamProblem) problem = NULL;
  g_autoptr (GPtrArray) plans = NULL;
  SeamPipeline *recorded, *pipeline;

  if (self->run_state != SEAM_RUN_IDLE) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "A run is being measured: stop it first.");
    return FALSE;
  }
  recorded = seam_result_get_pipeline (result, error);
  if (recorded == NULL)
    return FALSE;
  pipeline = find_known (self, recorded);
  if (result->n_plans == 0 || result->n_values != pipeline->n_fields) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                         "The run has no plans, or its shape does not belong to its pipeline.");
    return FALSE;
  }
  problem = seam_problem_new_stored (pipeline, result->values, &result->settings, error);
  plans = problem != NULL ? parse_plans (pipeline, result, error) : NULL;
  if (plans == NULL)
    return FALSE;

  seam_model_clear_run (self);
  if (pipeline == recorded) {
    g_ptr_array_add (self->pipelines, seam_pipeline_ref (pipeline));
    seam_model_emit_changed (self, SEAM_CHANGE_PIPELINES);
  }
  seam_model_set_pipeline (self, pipeline);
  seam_model_adopt_shape (self, result->values, result->preset);
  adopt_settings (self, result);
  seam_model_adopt_edits (self, result);
  self->stored = seam_session_run_ref (run);
  self->stored_name = g_strdup (name);
  self->stored_plans = g_steal_pointer (&plans);
  self->result_pipeline = seam_pipeline_ref (self->request->pipeline);
  seam_model_keep_result_request (self);
  choose_plans (self);
  seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_ALL & ~(guint)SEAM_CHANGE_TARGETS);
  return TRUE;
}

void
seam_model_close_stored (SeamModel *self)
{
  if (self->stored == NULL)
    return;
  seam_model_clear_run (self);
  seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_PLANS | SEAM_CHANGE_RESULT | SEAM_CHANGE_ESTIMATE);
}

const char *
seam_model_get_stored_name (SeamModel *self)
{
  return seam_model_get_result (self) != NULL ? self->stored_name : NULL;
}

SeamSessionRun *
seam_model_get_stored (SeamModel *self)
{
  return self->stored;
}

SeamSessionRun *
seam_model_get_stored_pair (SeamModel *self)
{
  return seam_model_get_result (self) != NULL ? self->stored_pair : NULL;
}

char *
seam_model_get_provenance (SeamModel *self)
{
  SeamResult *result = seam_model_get_result (self);
  g_autofree char *line = result != NULL ? seam_result_get_provenance (result) : NULL;

  if (line == NULL || self->stored_name == NULL)
    return g_steal_pointer (&line);
  return g_strdup_printf ("From %s · %s", self->stored_name, line);
}
