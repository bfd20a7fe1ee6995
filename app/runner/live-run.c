/* SPDX-License-Identifier: MIT */
#include "app/runner/live-run.h"

#include "app/version.h"

struct SeamLiveRun {
  SeamRunRequest *request;
  GPtrArray *plans;   /* of SeamPlan */
  GPtrArray *samples; /* of GArray of SeamSample, by plan */
  SeamProgress progress;
  gboolean has_progress;
};

SeamLiveRun *
seam_live_run_new (const SeamRunRequest *request, SeamPlan *const *plans, int n_plans)
{
  SeamLiveRun *self = g_new0 (SeamLiveRun, 1);

  self->request = seam_run_request_copy (request);
  self->plans = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_plan_unref);
  self->samples = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  for (int k = 0; k < n_plans; k++) {
    g_ptr_array_add (self->plans, seam_plan_ref (plans[k]));
    g_ptr_array_add (self->samples, g_array_new (FALSE, TRUE, sizeof (SeamSample)));
  }
  return self;
}

void
seam_live_run_free (SeamLiveRun *self)
{
  seam_run_request_free (self->request);
  g_ptr_array_unref (self->plans);
  g_ptr_array_unref (self->samples);
  seam_record_clear (&seam_progress_type, &self->progress);
  g_free (self);
}

void
seam_live_run_add (SeamLiveRun *self, const SeamProgress *progress)
{
  for (int i = 0; i < progress->n_new; i++) {
    int k = progress->new_plans[i];
    if (k >= 0 && k < (int)self->samples->len)
      g_array_append_val (self->samples->pdata[k], progress->new_samples[i]);
  }
  seam_record_clear (&seam_progress_type, &self->progress);
  self->progress = *progress;
  self->progress.n_new = 0;
  self->progress.new_plans = NULL;
  self->progress.new_samples = NULL;
  self->has_progress = TRUE;
}

const SeamProgress *
seam_live_run_get_progress (const SeamLiveRun *self)
{
  return self->has_progress ? &self->progress : NULL;
}

const SeamSample *
seam_live_run_get_samples (const SeamLiveRun *self, int k, int *n_samples)
{
  const GArray *samples = k < (int)self->samples->len ? self->samples->pdata[k] : NULL;

  *n_samples = samples != NULL ? (int)samples->len : 0;
  return samples != NULL ? (const SeamSample *)(const void *)samples->data : NULL;
}

gboolean
seam_live_run_has_samples (const SeamLiveRun *self)
{
  for (guint k = 0; k < self->samples->len; k++)
    if (((GArray *)self->samples->pdata[k])->len > 0)
      return TRUE;
  return FALSE;
}

static void
fill_plan (const SeamLiveRun *self, int k, const SeamProblem *problem, SeamPlanResult *result)
{
  const SeamPlan *plan = self->plans->pdata[k];
  int n;
  const SeamSample *samples = seam_live_run_get_samples (self, k, &n);

  result->name = g_strdup (plan->name);
  result->notation = g_strdup (plan->notation);
  result->executed = g_strdup (plan->notation);
  result->exhibit = plan->chain > 0;
  result->n_groups = plan->n_groups;
  result->state = n > 0 ? SEAM_PLAN_STOPPED_EARLY : SEAM_PLAN_NOT_MEASURED;
  result->n_samples = n;
  result->samples = n > 0 ? g_memdup2 (samples, sizeof *samples * (gsize)n) : NULL;
  seam_plan_result_summarise (result);
  if (problem != NULL) {
    SeamPlanCost cost;
    seam_plan_cost (problem, plan, &cost);
    result->bytes = cost.bytes;
    result->flop = cost.flop;
  }
}

SeamResult *
seam_live_run_make_result (const SeamLiveRun *self, const SeamDeviceInfo *target, gboolean stopped)
{
  const SeamRunRequest *request = self->request;
  SeamResult *result = seam_result_new ((int)self->plans->len);
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, NULL);

  seam_result_set_pipeline (result, request->pipeline);
  if (problem != NULL) {
    result->shape = seam_problem_format_shape (problem);
    result->shape_text = seam_problem_describe_shape (problem);
  }
  result->n_values = request->pipeline->n_fields;
  result->values = g_memdup2 (request->values, sizeof (gint64) * (gsize)result->n_values);
  result->preset = g_strdup (request->preset);
  seam_record_clear (&seam_settings_type, &result->settings);
  seam_record_copy (&seam_settings_type, &result->settings, &request->settings);
  if (target != NULL) {
    g_clear_pointer (&result->device, seam_device_info_free);
    result->device = seam_device_info_copy (target);
  }
  result->program_version = g_strdup (seam_version ());
  result->stopped = stopped;
  if (self->has_progress) {
    result->under_load = TRUE;
    result->power_w = self->progress.load_power_w;
    result->temperature_c = self->progress.load_temperature_c;
  }
  result->against = seam_settings_is_against_fp64 (&request->settings) ? -1 : 0;
  for (int k = 0; k < result->n_plans; k++)
    fill_plan (self, k, problem, &result->plans[k]);
  seam_result_summarise_load (result);
  return result;
}

SeamResult *
seam_live_run_make_remains (const SeamLiveRun *self, const SeamDeviceInfo *target)
{
  SeamResult *result = seam_live_run_make_result (self, target, TRUE);
  int last = self->has_progress ? self->progress.plan : -1;

  for (int k = 0; k < result->n_plans; k++) {
    SeamPlanResult *plan = &result->plans[k];
    if (plan->n_samples > 0)
      continue;
    plan->state = k == last ? SEAM_PLAN_FAULTED : SEAM_PLAN_NOT_MEASURED;
    plan->message = g_strdup (k == last ? "The worker stopped in this plan."
                                        : "The worker stopped before this plan.");
  }
  return result;
}
