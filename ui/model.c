/* SPDX-License-Identifier: MIT
 *
 * What the person chose: pipeline, shape, plans and options, each validated when it is set. The
 * worker's side is in model-run.c.
 */
#include "ui/model.h"

#include "ui/model-private.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (SeamModel, seam_model, G_TYPE_OBJECT)

enum { SIGNAL_CHANGED, SIGNAL_MESSAGE, N_SIGNALS };
static guint signals[N_SIGNALS];

void
seam_model_emit_changed (SeamModel *self, guint flags)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0, flags);
}

void
seam_model_emit_message (SeamModel *self, SeamMessageKind kind, const char *title, const char *text)
{
  g_debug ("message: %s %s", title, text != NULL ? text : "");
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, (guint)kind, title, text != NULL ? text : "");
}

void
seam_model_say (SeamModel *self, SeamMessageKind kind, const char *title, const char *text)
{
  seam_model_emit_message (self, kind, title, text);
}

static void
clear_undo_item (gpointer item)
{
  SeamPlanSet *set = item;

  for (int i = 0; i < SEAM_MODEL_MAX_PLANS; i++)
    g_clear_pointer (&set->plans[i], seam_plan_unref);
  g_clear_pointer (&set->values, g_free);
  g_clear_pointer (&set->preset, g_free);
}

/* Pipelines. */

static void
replace_plan (SeamModel *self, int index, SeamPlan *plan)
{
  SeamPlan *old = self->plans[index];

  self->plans[index] = plan != NULL ? seam_plan_ref (plan) : NULL;
  g_clear_pointer (&old, seam_plan_unref);
  g_clear_pointer (&self->shown[index], seam_plan_unref);
}

static void
copy_preset (SeamModel *self, const SeamPreset *preset)
{
  memcpy (self->request->values, preset->values, sizeof self->request->values);
  g_free (self->request->preset);
  self->request->preset = g_strdup (preset->name);
  for (int i = 0; i < SEAM_MAX_FIELDS; i++)
    g_clear_pointer (&self->field_errors[i], g_free);
}

/* Checks the shape as a whole; the last valid problem stays when it is wrong. */
static void
update_problem (SeamModel *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->problem_error, g_free);
  for (int i = 0; i < self->request->pipeline->n_fields; i++)
    if (self->field_errors[i] != NULL)
      return;
  SeamProblem *problem = seam_problem_new (self->request->pipeline, self->request->values, &error);
  if (problem == NULL) {
    self->problem_error = g_strdup (error->message);
    return;
  }
  g_clear_pointer (&self->problem, seam_problem_free);
  self->problem = problem;
}

void
seam_model_set_pipeline (SeamModel *self, SeamPipeline *pipeline)
{
  if (pipeline == self->request->pipeline)
    return;

  g_clear_pointer (&self->request->pipeline, seam_pipeline_unref);
  self->request->pipeline = seam_pipeline_ref (pipeline);

  /* The preset stays the same one where the new pipeline has it. */
  const SeamPreset *preset = NULL;
  if (self->request->preset != NULL)
    preset = seam_pipeline_get_preset (pipeline, self->request->preset, NULL);
  copy_preset (self, preset != NULL ? preset : seam_pipeline_get_default_preset (pipeline));
  self->edited_field = -1;
  g_clear_pointer (&self->problem, seam_problem_free);
  update_problem (self);

  static const char *const wanted[2][2] = { { "unfused", NULL }, { "published", "full" } };
  for (int i = 0; i < 2; i++) {
    g_autoptr (SeamPlan) plan = NULL;
    for (int k = 0; plan == NULL && k < 2 && wanted[i][k] != NULL; k++)
      plan = seam_plan_parse (pipeline, wanted[i][k], NULL);
    if (plan == NULL)
      plan = seam_plan_new (pipeline, 0, 0);
    replace_plan (self, i, plan);
  }
  replace_plan (self, 2, NULL);
  self->compared = 1;
  g_array_set_size (self->undo, 0);

  seam_model_update_stored (self);
  seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_PIPELINE | SEAM_CHANGE_SHAPE | SEAM_CHANGE_PLANS
                                     | SEAM_CHANGE_RESULT | SEAM_CHANGE_ESTIMATE);
}

gboolean
seam_model_open_pipeline (SeamModel *self, const char *path, GError **error)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_load (path, error);

  if (pipeline == NULL)
    return FALSE;
  /* The same file again replaces what was read from it before. */
  for (guint i = 0; i < self->pipelines->len; i++) {
    SeamPipeline *other = g_ptr_array_index (self->pipelines, i);
    if (g_strcmp0 (other->path, pipeline->path) == 0) {
      g_ptr_array_remove_index (self->pipelines, i);
      g_ptr_array_insert (self->pipelines, i, seam_pipeline_ref (pipeline));
      seam_model_emit_changed (self, SEAM_CHANGE_PIPELINES);
      seam_model_set_pipeline (self, pipeline);
      return TRUE;
    }
  }
  g_ptr_array_add (self->pipelines, seam_pipeline_ref (pipeline));
  seam_model_emit_changed (self, SEAM_CHANGE_PIPELINES);
  seam_model_set_pipeline (self, pipeline);
  return TRUE;
}

GPtrArray *
seam_model_get_pipelines (SeamModel *self)
{
  return self->pipelines;
}

SeamPipeline *
seam_model_get_pipeline (SeamModel *self)
{
  return self->request->pipeline;
}

/* Shape. */

static void
shape_changed (SeamModel *self)
{
  update_problem (self);
  seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_SHAPE | SEAM_CHANGE_ESTIMATE | SEAM_CHANGE_RESULT);
}

void
seam_model_adopt_shape (SeamModel *self, const gint64 *values, const char *preset)
{
  const SeamPipeline *pipeline = self->request->pipeline;

  memcpy (self->request->values, values, sizeof *values * (gsize)pipeline->n_fields);
  g_free (self->request->preset);
  self->request->preset = g_strdup (preset);
  for (int i = 0; i < SEAM_MAX_FIELDS; i++)
    g_clear_pointer (&self->field_errors[i], g_free);
  self->edited_field = -1;
  shape_changed (self);
}

const gint64 *
seam_model_get_values (SeamModel *self)
{
  return self->request->values;
}

const char *
seam_model_get_preset (SeamModel *self)
{
  return self->request->preset;
}

void
seam_model_set_preset (SeamModel *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  const SeamPreset *preset = seam_pipeline_get_preset (self->request->pipeline, name, &error);

  if (preset == NULL) {
    seam_model_emit_message (self, SEAM_MESSAGE_TOAST, error->message, NULL);
    return;
  }
  copy_preset (self, preset);
  self->edited_field = -1;
  shape_changed (self);
}

/* The name of the preset that has exactly these values, or NULL. */
static const char *
match_preset (SeamModel *self)
{
  const SeamPipeline *pipeline = self->request->pipeline;

  for (int i = 0; i < pipeline->n_presets; i++)
    if (memcmp (pipeline->presets[i].values, self->request->values,
                sizeof (gint64) * pipeline->n_fields)
        == 0)
      return pipeline->presets[i].name;
  return NULL;
}

void
seam_model_set_field_text (SeamModel *self, int field, const char *text)
{
  const SeamField *info = &self->request->pipeline->fields[field];
  g_autoptr (GError) error = NULL;
  gint64 value;

  g_clear_pointer (&self->field_errors[field], g_free);
  self->edited_field = field;
  if (seam_text_parse_int64 (text, info->label, info->min, info->max, &value, &error))
    self->request->values[field] = value;
  else
    self->field_errors[field] = g_strdup (error->message);
  g_free (self->request->preset);
  self->request->preset = self->field_errors[field] == NULL ? g_strdup (match_preset (self)) : NULL;
  shape_changed (self);
}

const char *
seam_model_get_field_error (SeamModel *self, int field)
{
  if (self->field_errors[field] != NULL)
    return self->field_errors[field];
  return field == self->edited_field ? self->problem_error : NULL;
}

const char *
seam_model_get_shape_error (SeamModel *self)
{
  for (int i = 0; i < SEAM_MAX_FIELDS; i++)
    if (self->field_errors[i] != NULL)
      return self->field_errors[i];
  return self->problem_error;
}

const SeamProblem *
seam_model_get_problem (SeamModel *self)
{
  return self->problem;
}

/* Plans. */

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
    replace_plan (self, 1, plan);
  seam_model_adopt_shape (self, values, NULL);
  g_free (self->request->preset);
  self->request->preset = g_strdup (match_preset (self));
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
  replace_plan (self, 2, plan);
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
  replace_plan (self, index, plan);
  plans_changed (self);
}

gboolean
seam_model_set_plan_text (SeamModel *self, int index, const char *text, GError **error)
{
  g_autoptr (SeamPlan) plan = seam_plan_parse (self->request->pipeline, text, error);

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
    replace_plan (self, i, set->plans[i]);
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

/* Options. */

static void
options_changed (SeamModel *self)
{
  seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_OPTIONS | SEAM_CHANGE_ESTIMATE | SEAM_CHANGE_RESULT);
}

const SeamRunRequest *
seam_model_get_request (SeamModel *self)
{
  return self->request;
}

GPtrArray *
seam_model_get_targets (SeamModel *self)
{
  return self->targets;
}

GPtrArray *
seam_model_get_checks (SeamModel *self)
{
  return self->checks;
}

const SeamDeviceInfo *
seam_model_get_target (SeamModel *self)
{
  for (guint i = 0; self->targets != NULL && i < self->targets->len; i++) {
    const SeamDeviceInfo *info = g_ptr_array_index (self->targets, i);
    if (g_strcmp0 (info->id, self->request->target) == 0)
      return info;
  }
  return NULL;
}

void
seam_model_set_target (SeamModel *self, const char *id)
{
  self->target_chosen = TRUE;
  if (g_strcmp0 (self->request->target, id) == 0)
    return;
  g_free (self->request->target);
  self->request->target = g_strdup (id);
  seam_model_update_launch (self);
  options_changed (self);
}

gboolean
seam_model_is_target_chosen (SeamModel *self)
{
  return self->target_chosen;
}

void
seam_model_set_math_mode (SeamModel *self, SeamMathMode mode)
{
  if (self->request->math_mode == mode)
    return;
  self->request->math_mode = mode;
  options_changed (self);
}

void
seam_model_set_cold (SeamModel *self, gboolean cold)
{
  if (self->request->cold == cold)
    return;
  self->request->cold = cold;
  options_changed (self);
}

const char *
seam_model_refuse_graph (SeamModel *self)
{
  return self->request->target != NULL
             ? seam_launch_mode_refuse (SEAM_LAUNCH_GRAPH, self->request->target)
             : NULL;
}

SeamLaunchMode
seam_model_get_chosen_launch (SeamModel *self)
{
  return self->chosen_launch;
}

void
seam_model_update_launch (SeamModel *self)
{
  self->request->launch =
      seam_model_refuse_graph (self) != NULL ? SEAM_LAUNCH_STREAM : self->chosen_launch;
}

void
seam_model_set_launch (SeamModel *self, SeamLaunchMode launch)
{
  if (self->chosen_launch == launch)
    return;
  self->chosen_launch = launch;
  seam_model_update_launch (self);
  options_changed (self);
}

void
seam_model_set_distribution (SeamModel *self, SeamDistribution distribution)
{
  if (self->request->distribution == distribution)
    return;
  self->request->distribution = distribution;
  options_changed (self);
}

gboolean
seam_model_get_against_fp64 (SeamModel *self)
{
  return self->against_fp64;
}

void
seam_model_set_against_fp64 (SeamModel *self, gboolean fp64)
{
  if (self->against_fp64 == fp64)
    return;
  self->against_fp64 = fp64;
  options_changed (self);
}

void
seam_model_set_budget_text (SeamModel *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  double value;

  g_clear_pointer (&self->budget_error, g_free);
  if (seam_text_parse_double (text, "Time budget", 0.1, 3600, &value, &error))
    self->request->budget_s = value;
  else
    self->budget_error = g_strdup (error->message);
  options_changed (self);
}

void
seam_model_set_seed_text (SeamModel *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  gint64 value;

  g_clear_pointer (&self->seed_error, g_free);
  if (seam_text_parse_int64 (text, "Seed", 0, G_MAXINT64, &value, &error))
    self->request->seed = (guint64)value;
  else
    self->seed_error = g_strdup (error->message);
  options_changed (self);
}

const char *
seam_model_get_budget_error (SeamModel *self)
{
  return self->budget_error;
}

const char *
seam_model_get_seed_error (SeamModel *self)
{
  return self->seed_error;
}

const SeamEstimate *
seam_model_get_estimate (SeamModel *self)
{
  return self->estimate;
}

const char *
seam_model_get_estimate_error (SeamModel *self)
{
  return self->estimate_error;
}

const char *
seam_model_get_blocker (SeamModel *self)
{
  if (seam_model_get_shape_error (self) != NULL)
    return seam_model_get_shape_error (self);
  if (self->budget_error != NULL)
    return self->budget_error;
  if (self->seed_error != NULL)
    return self->seed_error;
  if (self->estimate_error != NULL)
    return self->estimate_error;
  const SeamDeviceInfo *target = seam_model_get_target (self);
  if (target != NULL && !target->available)
    return target->reason;
  if (self->calibrating)
    return "The target is being calibrated: a run would spoil it.";
  return NULL;
}

void
seam_model_set_calibrating (SeamModel *self, gboolean calibrating)
{
  if (self->calibrating == calibrating)
    return;
  self->calibrating = calibrating;
  if (!calibrating)
    seam_model_queue_estimate (self);
  seam_model_emit_changed (self, SEAM_CHANGE_RUN);
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
      const char *text = group->implementation == SEAM_IMPLEMENTATION_EDITED
                             ? seam_model_get_edit (self, plan->chain, group->first, group->last)
                             : NULL;
      g_string_append (key, text != NULL ? text : "");
    }
  }
  return g_string_free (key, FALSE);
}

char *
seam_model_make_settings_key (SeamModel *self)
{
  const SeamRunRequest *request = self->request;
  /* Where a stored run was made does not depend on what is chosen here. */
  GString *key = g_string_new (self->stored != NULL ? "" : request->target);

  for (int i = 0; i < request->pipeline->n_fields; i++)
    g_string_append_printf (key, ",%" G_GINT64_FORMAT, request->values[i]);
  g_string_append_printf (key, " %d %" G_GUINT64_FORMAT " %d %d %d %d", request->math_mode,
                          request->seed, request->distribution, request->cold, self->against_fp64,
                          self->stored != NULL ? self->chosen_launch : request->launch);
  return g_string_free (key, FALSE);
}

/* The object. */

void
seam_model_close (SeamModel *self)
{
  g_clear_handle_id (&self->estimate_timeout, g_source_remove);
  g_clear_handle_id (&self->stop_timeout, g_source_remove);
  g_clear_handle_id (&self->watch_timeout, g_source_remove);
  if (self->worker == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->worker, self);
  seam_worker_client_close (self->worker);
  g_clear_object (&self->worker);
}

static void
seam_model_dispose (GObject *object)
{
  seam_model_close (SEAM_MODEL (object));
  G_OBJECT_CLASS (seam_model_parent_class)->dispose (object);
}

static void
seam_model_finalize (GObject *object)
{
  SeamModel *self = SEAM_MODEL (object);

  seam_model_clear_run (self);
  g_clear_pointer (&self->pipelines, g_ptr_array_unref);
  g_clear_pointer (&self->request, seam_run_request_free);
  g_clear_pointer (&self->problem, seam_problem_free);
  for (int i = 0; i < SEAM_MAX_FIELDS; i++)
    g_free (self->field_errors[i]);
  g_free (self->problem_error);
  g_free (self->budget_error);
  g_free (self->seed_error);
  for (int i = 0; i < SEAM_MODEL_MAX_PLANS; i++) {
    g_clear_pointer (&self->plans[i], seam_plan_unref);
    g_clear_pointer (&self->shown[i], seam_plan_unref);
  }
  g_array_unref (self->undo);
  g_ptr_array_unref (self->edits);
  g_clear_pointer (&self->targets, g_ptr_array_unref);
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  g_clear_pointer (&self->estimate, seam_estimate_free);
  g_free (self->estimate_error);
  G_OBJECT_CLASS (seam_model_parent_class)->finalize (object);
}

static void
seam_model_class_init (SeamModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = seam_model_dispose;
  object_class->finalize = seam_model_finalize;

  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_MESSAGE] =
      g_signal_new ("message", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_STRING, G_TYPE_STRING);
}

static void
seam_model_init (SeamModel *self)
{
  self->undo = g_array_new (FALSE, TRUE, sizeof (SeamPlanSet));
  g_array_set_clear_func (self->undo, clear_undo_item);
  self->edited_field = -1;
  self->compared = 1;
  self->edits = seam_edits_new ();
  self->worker = seam_worker_client_new ();
  seam_model_connect_worker (self);
}

SeamModel *
seam_model_new (GPtrArray *pipelines)
{
  SeamModel *self = g_object_new (SEAM_TYPE_MODEL, NULL);
  SeamPipeline *first = g_ptr_array_index (pipelines, 0);

  self->pipelines = g_ptr_array_ref (pipelines);
  self->request = seam_run_request_new (first);
  /* Chosen like any other, so that every rule of a change applies to the first one too. */
  g_clear_pointer (&self->request->pipeline, seam_pipeline_unref);
  seam_model_set_pipeline (self, first);
  return self;
}

SeamWorkerClient *
seam_model_get_worker (SeamModel *self)
{
  return self->worker;
}
