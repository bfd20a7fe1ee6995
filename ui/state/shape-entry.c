/* SPDX-License-Identifier: MIT */
#include "ui/state/shape-entry.h"

#include "app/base/text.h"

#include <string.h>

struct SeamShapeEntry {
  SeamRunRequest *request;
  SeamProblem *problem; /* the last valid one */
  char *field_errors[SEAM_MAX_FIELDS];
  char *problem_error;
  int edited_field; /* the field that a problem_error belongs to; -1 */
};

SeamShapeEntry *
seam_shape_entry_new (SeamRunRequest *request)
{
  SeamShapeEntry *self = g_new0 (SeamShapeEntry, 1);

  self->request = request;
  self->edited_field = -1;
  return self;
}

static void
clear_errors (SeamShapeEntry *self)
{
  for (int i = 0; i < SEAM_MAX_FIELDS; i++)
    g_clear_pointer (&self->field_errors[i], g_free);
  self->edited_field = -1;
}

void
seam_shape_entry_free (SeamShapeEntry *self)
{
  clear_errors (self);
  g_free (self->problem_error);
  seam_problem_free (self->problem);
  g_free (self);
}

/* Checks the shape as a whole; an invalid shape keeps the last valid problem. */
static void
update_problem (SeamShapeEntry *self)
{
  const SeamSettings *settings = &self->request->settings;
  g_autoptr (GError) error = NULL;
  SeamProblem *problem;

  g_clear_pointer (&self->problem_error, g_free);
  for (int i = 0; i < self->request->pipeline->n_fields; i++)
    if (self->field_errors[i] != NULL)
      return;
  problem = seam_problem_new (self->request->pipeline, self->request->values, &error);
  if (problem == NULL) {
    self->problem_error = g_strdup (error->message);
    return;
  }
  seam_problem_set_storage (problem, settings->storage,
                            seam_math_mode_get_operand (settings->math_mode));
  g_clear_pointer (&self->problem, seam_problem_free);
  self->problem = problem;
}

static void
take_preset (SeamShapeEntry *self, const SeamPreset *preset)
{
  memcpy (self->request->values, preset->values, sizeof self->request->values);
  g_free (self->request->preset);
  self->request->preset = g_strdup (preset->name);
  clear_errors (self);
  update_problem (self);
}

void
seam_shape_entry_begin (SeamShapeEntry *self)
{
  SeamPipeline *pipeline = self->request->pipeline;
  const SeamPreset *preset = self->request->preset != NULL
                                 ? seam_pipeline_get_preset (pipeline, self->request->preset, NULL)
                                 : NULL;

  g_clear_pointer (&self->problem, seam_problem_free);
  take_preset (self, preset != NULL ? preset : seam_pipeline_get_default_preset (pipeline));
}

gboolean
seam_shape_entry_set_preset (SeamShapeEntry *self, const char *name, GError **error)
{
  const SeamPreset *preset = seam_pipeline_get_preset (self->request->pipeline, name, error);

  if (preset == NULL)
    return FALSE;
  take_preset (self, preset);
  return TRUE;
}

/* The preset that has exactly these values, or NULL. */
static const char *
match_preset (const SeamShapeEntry *self)
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
seam_shape_entry_set_field_text (SeamShapeEntry *self, int field, const char *text)
{
  const SeamShapeField *info = &self->request->pipeline->fields[field];
  g_autoptr (GError) error = NULL;
  g_autofree char *plain = seam_text_read_typed (text, info->label, info->unit, &error);
  gint64 value;

  g_clear_pointer (&self->field_errors[field], g_free);
  self->edited_field = field;
  if (plain != NULL
      && seam_text_parse_int64 (plain, info->label, info->min, info->max, &value, &error))
    self->request->values[field] = value;
  else
    self->field_errors[field] = g_strdup (error->message);
  g_free (self->request->preset);
  self->request->preset = error == NULL ? g_strdup (match_preset (self)) : NULL;
  update_problem (self);
}

void
seam_shape_entry_adopt (SeamShapeEntry *self, const gint64 *values, const char *preset)
{
  g_autofree char *name = g_strdup (preset);

  memcpy (self->request->values, values, sizeof *values * (gsize)self->request->pipeline->n_fields);
  g_free (self->request->preset);
  self->request->preset = name != NULL ? g_steal_pointer (&name) : g_strdup (match_preset (self));
  clear_errors (self);
  update_problem (self);
}

const char *
seam_shape_entry_get_error (const SeamShapeEntry *self, int field)
{
  if (field >= 0 && self->field_errors[field] != NULL)
    return self->field_errors[field];
  if (field >= 0)
    return field == self->edited_field ? self->problem_error : NULL;
  for (int i = 0; i < SEAM_MAX_FIELDS; i++)
    if (self->field_errors[i] != NULL)
      return self->field_errors[i];
  return self->problem_error;
}

SeamProblem *
seam_shape_entry_get_problem (const SeamShapeEntry *self)
{
  return self->problem;
}
