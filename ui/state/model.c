/* SPDX-License-Identifier: MIT */
#include "ui/state/model.h"

#include "app/base/error.h"
#include "ui/class/class.h"

G_DEFINE_FINAL_TYPE (SeamModel, seam_model, G_TYPE_OBJECT)

void
seam_model_close (SeamModel *self)
{
  if (self->workers.here == NULL)
    return;
  seam_advice_close (self->advice);
  seam_measurement_close (self->measurement);
  seam_explorations_close (&self->explorations);
  seam_history_list_flush (self->history);
  seam_workers_close (&self->workers);
}

static void
seam_model_class_init (SeamModelClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_model_close));
  SEAM_OWNS (klass, SeamModel, g_object_unref, store, measurement, history, advice, setup, notices);
}

static void
seam_model_init (SeamModel *self)
{
}

SeamModel *
seam_model_new (GPtrArray *pipelines)
{
  SeamModel *self = g_object_new (SEAM_TYPE_MODEL, NULL);

  self->notices = seam_notices_new ();
  seam_workers_init (&self->workers, self->notices);
  self->setup = seam_setup_new (pipelines, self->notices);
  self->advice = seam_advice_new (self->setup, self->workers.here, self->notices);
  self->history = seam_history_list_new (self->notices);
  self->measurement = seam_measurement_new (self->setup, self->advice, self->history,
                                            self->workers.here, self->notices);
  self->store = seam_store_new (self->setup, self->measurement);
  seam_explorations_init (&self->explorations, self);
  return self;
}

gboolean
seam_model_toggle_seam (SeamModel *self, int index, int seam, GError **error)
{
  const SeamPlanEstimate *estimate = seam_measurement_get_plan_estimate (self->measurement, index);
  SeamPlan *shown = seam_measurement_get_shown_plan (self->measurement, index);

  if (seam < 0 || seam >= seam_plan_get_chain (shown)->n_ops - 1)
    return TRUE;
  if (estimate != NULL && seam < estimate->n_seams && !estimate->seams[seam].can_toggle)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s",
                      estimate->seams[seam].reason != NULL ? estimate->seams[seam].reason
                                                           : "This target cannot fuse this seam.");
  g_autoptr (SeamPlan) plan = seam_plan_toggle (shown, seam);
  seam_setup_set_plan (self->setup, index, plan);
  return TRUE;
}
