/* SPDX-License-Identifier: MIT
 *
 * The window's state: the object itself, the chosen pipeline and its shape, validated as they are
 * set. Plans are in model-plans.c, options in model-options.c, the worker's side in model-run.c.
 */
#include "ui/state/model.h"

#include "ui/state/model-private.h"

#include "app/base/text.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (SeamModel, seam_model, G_TYPE_OBJECT)

enum { SIGNAL_CHANGED, SIGNAL_MESSAGE, SIGNAL_LIST_UNSAVED, N_SIGNALS };
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

/* Pipelines. */

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
  seam_model_update_settings (self);
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
    seam_model_replace_plan (self, i, plan);
  }
  seam_model_replace_plan (self, 2, NULL);
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

const char *
seam_model_match_preset (SeamModel *self)
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
  const SeamShapeField *info = &self->request->pipeline->fields[field];
  g_autoptr (GError) error = NULL;
  gint64 value;

  g_clear_pointer (&self->field_errors[field], g_free);
  self->edited_field = field;
  if (seam_text_parse_int64 (text, info->label, info->min, info->max, &value, &error))
    self->request->values[field] = value;
  else
    self->field_errors[field] = g_strdup (error->message);
  g_free (self->request->preset);
  self->request->preset =
      self->field_errors[field] == NULL ? g_strdup (seam_model_match_preset (self)) : NULL;
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
  g_clear_object (&self->settings);
  g_free (self->stale_reason);
  for (int i = 0; i < SEAM_MODEL_MAX_PLANS; i++) {
    g_clear_pointer (&self->plans[i], seam_plan_unref);
    g_clear_pointer (&self->shown[i], seam_plan_unref);
  }
  g_array_unref (self->undo);
  seam_record_clear (&seam_edits_type, &self->edits);
  g_ptr_array_unref (self->unsaved);
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
  signals[SIGNAL_LIST_UNSAVED] =
      g_signal_new ("list-unsaved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 0);
}

static void
seam_model_init (SeamModel *self)
{
  self->undo = seam_model_new_undo ();
  self->edited_field = -1;
  self->compared = 1;
  self->unsaved = seam_model_new_unsaved ();
  self->settings = seam_chosen_settings_new ();
  seam_model_connect_settings (self);
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
