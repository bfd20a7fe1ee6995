/* SPDX-License-Identifier: MIT
 *
 * How plans are run: target, math mode, storage, cache, launch mode, values, seed, budget; each
 * validated when it is set, and why a run cannot start. An estimate is asked for anew after each
 * change.
 */
#include "ui/model-private.h"

#include "app/base/text.h"

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
  seam_model_update_storage (self);
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
  if (self->request->settings.math_mode == mode)
    return;
  self->request->settings.math_mode = mode;
  seam_model_update_storage (self);
  options_changed (self);
}

const char *
seam_model_refuse_storage (SeamModel *self, SeamStorage storage)
{
  return seam_storage_refuse (storage, self->request->settings.math_mode);
}

SeamStorage
seam_model_get_chosen_storage (SeamModel *self)
{
  return self->chosen_storage;
}

void
seam_model_update_storage (SeamModel *self)
{
  SeamMathMode mode = self->request->settings.math_mode;
  SeamStorage chosen = self->chosen_storage, shown;

  self->request->settings.storage =
      seam_model_refuse_storage (self, chosen) != NULL ? SEAM_STORAGE_FP32 : chosen;
  /* A stored run has had its own, whatever the target of this machine has. */
  shown = self->stored != NULL && seam_storage_refuse (chosen, mode) == NULL
              ? chosen
              : self->request->settings.storage;
  if (self->problem != NULL)
    seam_problem_set_storage (self->problem, shown, seam_math_mode_get_operand (mode));
}

void
seam_model_set_storage (SeamModel *self, SeamStorage storage)
{
  if (self->chosen_storage == storage)
    return;
  self->chosen_storage = storage;
  seam_model_update_storage (self);
  options_changed (self);
}

void
seam_model_set_cold (SeamModel *self, gboolean cold)
{
  if (self->request->settings.cold == cold)
    return;
  self->request->settings.cold = cold;
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
  self->request->settings.launch =
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
  if (self->request->settings.distribution == distribution)
    return;
  self->request->settings.distribution = distribution;
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
    self->request->settings.budget_s = value;
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
    self->request->settings.seed = (guint64)value;
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
seam_model_make_settings_key (SeamModel *self)
{
  const SeamRunRequest *request = self->request;
  /* Where a stored run was made does not depend on what is chosen here. */
  GString *key = g_string_new (self->stored != NULL ? "" : request->target);

  for (int i = 0; i < request->pipeline->n_fields; i++)
    g_string_append_printf (key, ",%" G_GINT64_FORMAT, request->values[i]);
  g_string_append_printf (
      key, " %d %d %" G_GUINT64_FORMAT " %d %d %d %d", request->settings.math_mode,
      self->stored != NULL ? self->chosen_storage : request->settings.storage,
      request->settings.seed, request->settings.distribution, request->settings.cold,
      self->against_fp64, self->stored != NULL ? self->chosen_launch : request->settings.launch);
  return g_string_free (key, FALSE);
}
