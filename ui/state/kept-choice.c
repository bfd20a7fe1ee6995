/* SPDX-License-Identifier: MIT */
#include "ui/state/kept-choice.h"

#include <string.h>

struct SeamKeptChoice {
  SeamPipeline *pipeline;
  gint64 values[SEAM_MAX_FIELDS];
  char *preset; /* NULL: own values */
  SeamPlan *plans[SEAM_MAX_CHOSEN_PLANS];
  int compared;
  SeamSettings settings;
  SeamEdits edits;
};

SeamKeptChoice *
seam_kept_choice_new (SeamSetup *setup)
{
  SeamKeptChoice *self = g_new0 (SeamKeptChoice, 1);

  self->pipeline = seam_pipeline_ref (seam_setup_get_pipeline (setup));
  memcpy (self->values, seam_setup_get_values (setup),
          sizeof *self->values * (gsize)self->pipeline->n_fields);
  self->preset = g_strdup (seam_setup_get_preset (setup));
  for (int i = 0; i < seam_setup_get_n_plans (setup); i++)
    self->plans[i] = seam_plan_ref (seam_setup_get_plan (setup, i));
  self->compared = seam_setup_get_compared (setup);
  seam_record_copy (&seam_settings_type, &self->settings,
                    seam_chosen_settings_get (seam_setup_get_settings (setup)));
  seam_record_copy (&seam_edits_type, &self->edits, seam_setup_get_edits (setup));
  return self;
}

void
seam_kept_choice_free (SeamKeptChoice *self)
{
  if (self == NULL)
    return;
  seam_pipeline_unref (self->pipeline);
  g_free (self->preset);
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    g_clear_pointer (&self->plans[i], seam_plan_unref);
  seam_record_clear (&seam_settings_type, &self->settings);
  seam_record_clear (&seam_edits_type, &self->edits);
  g_free (self);
}

static void
restore_settings (SeamKeptChoice *self, SeamChosenSettings *settings)
{
  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
    g_autofree char *text = seam_setting_format (*field, &self->settings);

    if (seam_chosen_settings_get_name (*field) != NULL)
      seam_chosen_settings_restore (settings, *field, text);
  }
}

void
seam_kept_choice_restore (SeamKeptChoice *self, SeamSetup *setup, gboolean chooses_pipeline)
{
  g_object_freeze_notify (G_OBJECT (setup));
  restore_settings (self, seam_setup_get_settings (setup));
  seam_setup_set_edits (setup, &self->edits);
  if (chooses_pipeline)
    seam_setup_set_pipeline (setup, self->pipeline);
  if (seam_setup_get_pipeline (setup) == self->pipeline) {
    seam_setup_adopt_shape (setup, self->values, self->preset);
    for (int i = 0; i < 2; i++)
      seam_setup_set_plan (setup, i, self->plans[i]);
    seam_setup_set_third_plan (setup, self->plans[2]);
    seam_setup_set_compared (setup, self->compared);
  }
  seam_setup_forget_undo (setup);
  g_object_thaw_notify (G_OBJECT (setup));
}
