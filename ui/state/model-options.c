/* SPDX-License-Identifier: MIT
 *
 * How plans are run: target, math mode, storage, cache, launch mode, values, seed, budget; each
 * validated when it is set, and why a run cannot start. An estimate is asked for anew after each
 * change.
 */
#include "ui/state/model-private.h"

#include <string.h>

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
  seam_model_update_settings (self);
  options_changed (self);
}

gboolean
seam_model_is_target_chosen (SeamModel *self)
{
  return self->target_chosen;
}

SeamChosenSettings *
seam_model_get_settings (SeamModel *self)
{
  return self->settings;
}

void
seam_model_update_settings (SeamModel *self)
{
  SeamSettings *settings = &self->request->settings;

  seam_chosen_settings_set_target (self->settings, seam_model_get_target (self));
  seam_record_clear (&seam_settings_type, settings);
  seam_record_copy (&seam_settings_type, settings,
                    seam_chosen_settings_get_resolved (self->settings));
  if (self->problem != NULL)
    seam_problem_set_storage (self->problem, settings->storage,
                              seam_math_mode_get_operand (settings->math_mode));
}

static void
settings_changed_cb (SeamModel *self, GParamSpec *pspec)
{
  seam_model_update_settings (self);
  options_changed (self);
}

void
seam_model_connect_settings (SeamModel *self)
{
  g_signal_connect_object (self->settings, "notify", G_CALLBACK (settings_changed_cb), self,
                           G_CONNECT_SWAPPED);
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
  if (seam_chosen_settings_get_first_error (self->settings) != NULL)
    return seam_chosen_settings_get_first_error (self->settings);
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

/* What a stored run was made with does not depend on what this target can do. */
static const SeamSettings *
get_compared_settings (SeamModel *self)
{
  return self->stored != NULL ? seam_chosen_settings_get (self->settings)
                              : &self->request->settings;
}

void
seam_model_keep_result_request (SeamModel *self)
{
  SeamRunRequest *request = seam_run_request_copy (self->request);

  seam_record_clear (&seam_settings_type, &request->settings);
  seam_record_copy (&seam_settings_type, &request->settings, get_compared_settings (self));
  /* Nor where it was made on what is chosen here. */
  if (self->stored != NULL)
    g_clear_pointer (&request->target, g_free);
  g_clear_pointer (&self->result_request, seam_run_request_free);
  self->result_request = request;
}

char *
seam_model_make_result_key (SeamModel *self)
{
  const SeamRunRequest *request = self->result_request;
  g_autofree char *settings = seam_settings_make_key (&request->settings, SEAM_CONCERN_ALL);
  GString *key = g_string_new (request->target);

  for (int i = 0; i < request->pipeline->n_fields; i++)
    g_string_append_printf (key, ",%" G_GINT64_FORMAT, request->values[i]);
  g_string_append_printf (key, " %s", settings);
  return g_string_free (key, FALSE);
}

void
seam_model_list_changes (SeamModel *self, GPtrArray *nouns)
{
  const SeamRunRequest *before = self->result_request, *now = self->request;

  if (memcmp (before->values, now->values, sizeof *now->values * (gsize)now->pipeline->n_fields)
      != 0)
    g_ptr_array_add (nouns, "shape");
  if (before->target != NULL && g_strcmp0 (before->target, now->target) != 0)
    g_ptr_array_add (nouns, "target");
  seam_settings_list_changes (&before->settings, get_compared_settings (self), nouns);
}
