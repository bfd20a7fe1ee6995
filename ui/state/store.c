/* SPDX-License-Identifier: MIT */
#include "ui/state/store.h"

#include "app/base/error.h"
#include "app/explain/bounds.h"
#include "app/explain/read-result.h"
#include "ui/class/class.h"
#include "ui/state/kept-choice.h"
#include "ui/state/watch.h"

#include <string.h>

struct _SeamStore {
  GObject parent_instance;

  SeamSetup *setup;
  SeamMeasurement *measurement;
  SeamKeptChoice *kept;        /* what was chosen before; NULL: nothing recorded is looked at */
  SeamSessionRun *run, *shown; /* NULL: what is shown was measured here */
  SeamResult *covered;    /* the run whose device explains a view without its result; or NULL */
  char *name;             /* of the file, for people */
  GPtrArray *plans;       /* of SeamPlan, in the order of the run */
  SeamPipeline *pipeline; /* of the view as the window has it; borrowed, only compared */
  gboolean is_choosing;   /* the choice is becoming that of the run, or the person's again */
};

G_DEFINE_FINAL_TYPE (SeamStore, seam_store, G_TYPE_OBJECT)

static void
clear (SeamStore *self)
{
  g_clear_pointer (&self->run, seam_session_run_unref);
  g_clear_pointer (&self->shown, seam_session_run_unref);
  g_clear_pointer (&self->covered, seam_result_unref);
  g_clear_pointer (&self->plans, g_ptr_array_unref);
  g_clear_pointer (&self->name, g_free);
}

/* Index of a plan in the stored run, or -1. A name counts first: "full" is what its target made
 * of it. */
static int
find_plan (SeamStore *self, const SeamPlan *plan)
{
  const SeamResult *result = self->run->result;

  for (int i = 0; plan->name != NULL && i < result->n_plans; i++)
    if (g_strcmp0 (result->plans[i].name, plan->name) == 0)
      return i;
  for (guint i = 0; i < self->plans->len; i++)
    if (seam_plan_equal (self->plans->pdata[i], plan))
      return (int)i;
  return -1;
}

static void
show_plans (SeamStore *self, const int *indices, int n)
{
  SeamPlan *plans[SEAM_MAX_CHOSEN_PLANS];
  SeamSessionRun *shown = seam_session_run_choose (self->run, indices, n, NULL);

  if (shown == NULL)
    return;
  g_clear_pointer (&self->shown, seam_session_run_unref);
  self->shown = shown;
  for (int k = 0; k < n; k++)
    plans[k] = self->plans->pdata[indices[k]];
  seam_measurement_show_recorded (self->measurement, shown->result, plans, n);
}

/* The plans have changed: shows those of them that the run has. */
static void
update_shown (SeamStore *self)
{
  int indices[SEAM_MAX_CHOSEN_PLANS], n;

  if (self->run == NULL || self->is_choosing
      || self->pipeline != seam_setup_get_pipeline (self->setup))
    return;
  n = MIN (self->run->result->n_plans, seam_setup_get_n_plans (self->setup));
  for (int k = 0; k < n; k++) {
    indices[k] = find_plan (self, seam_setup_get_plan (self->setup, k));
    if (indices[k] < 0)
      return;
    for (int i = 0; i < k; i++)
      if (indices[k] == indices[i])
        return;
  }
  show_plans (self, indices, n);
}

/* The pipeline in the list that equals the recorded one, else `pipeline` itself; borrowed. */
static SeamPipeline *
find_known (SeamStore *self, SeamPipeline *pipeline)
{
  GPtrArray *pipelines = seam_setup_get_pipelines (self->setup);

  for (guint i = 0; i < pipelines->len; i++) {
    SeamPipeline *known = g_ptr_array_index (pipelines, i);
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
    SeamPlan *plan =
        seam_plan_parse_as (pipeline, result->plans[i].notation, result->plans[i].name, error);
    if (plan == NULL)
      return NULL;
    g_ptr_array_add (plans, plan);
  }
  return g_steal_pointer (&plans);
}

/* Adopts what the sidebar shows; the target stays that of this machine. */
static void
adopt_settings (SeamStore *self, const SeamResult *result)
{
  SeamSettings settings;

  seam_record_copy (&seam_settings_type, &settings, &result->settings);
  g_clear_pointer (&settings.against, g_free);
  if (result->against < 0)
    settings.against = g_strdup (SEAM_AGAINST_FP64);
  seam_chosen_settings_adopt (seam_setup_get_settings (self->setup), &settings);
  seam_record_clear (&seam_settings_type, &settings);
}

/* Adopts the texts that the run was made with; they are shown, not run. */
static void
adopt_edits (SeamStore *self, const SeamResult *result)
{
  for (int i = 0; i < result->edits.n; i++) {
    const SeamEdit *edit = &result->edits.list[i];
    const SeamPlan *plan;

    if (edit->plan >= result->n_plans)
      continue;
    plan = self->plans->pdata[edit->plan];
    if (edit->group < plan->n_groups)
      seam_setup_set_edit (self->setup, plan->chain, plan->groups[edit->group].first,
                           plan->groups[edit->group].last, edit->text);
  }
}

/* A and B are those of the run; C, too, if it has no more. */
static void
choose_plans (SeamStore *self)
{
  int n = (int)self->plans->len;

  for (int i = 0; i < MIN (n, 2); i++)
    seam_setup_set_plan (self->setup, i, self->plans->pdata[i]);
  seam_setup_set_third_plan (self->setup, n == 3 ? self->plans->pdata[2] : NULL);
  seam_setup_forget_undo (self->setup);
}

/* Enters a view with the choice of a result: its pipeline, shape and settings. The caller chooses
 * plans and ends the entering. NULL and an error if the result cannot be shown. */
static GPtrArray *
enter (SeamStore *self, const SeamResult *result, GError **error)
{
  g_autoptr (SeamProblem) problem = NULL;
  g_autoptr (GPtrArray) plans = NULL;
  SeamPipeline *recorded, *pipeline;

  if (seam_measurement_get_state (self->measurement) != SEAM_RUN_IDLE)
    return seam_fail_null (error, SEAM_ERROR_INPUT, "A run is being measured: stop it first.");
  recorded = seam_result_get_pipeline (result, error);
  if (recorded == NULL)
    return NULL;
  pipeline = find_known (self, recorded);
  if (result->n_plans == 0 || result->n_values != pipeline->n_fields)
    return seam_fail_null (error, SEAM_ERROR_FILE,
                           "The run has no plans, or its shape does not belong to its pipeline.");
  problem = seam_problem_new_with_storage (pipeline, result->values, &result->settings, error);
  plans = problem != NULL ? parse_plans (pipeline, result, error) : NULL;
  if (plans == NULL)
    return NULL;

  seam_store_begin_entering (self);
  clear (self);
  if (pipeline == recorded)
    seam_setup_add_pipeline (self->setup, pipeline);
  seam_setup_set_pipeline (self->setup, pipeline);
  seam_setup_adopt_shape (self->setup, result->values, result->preset);
  adopt_settings (self, result);
  return g_steal_pointer (&plans);
}

gboolean
seam_store_show (SeamStore *self, SeamSessionRun *run, const char *name, GError **error)
{
  GPtrArray *plans = enter (self, run->result, error);

  if (plans == NULL)
    return FALSE;
  self->run = seam_session_run_ref (run);
  self->name = g_strdup (name);
  self->plans = plans;
  adopt_edits (self, run->result);
  seam_measurement_begin_recorded (self->measurement);
  choose_plans (self);
  seam_store_end_entering (self);
  update_shown (self);
  return TRUE;
}

gboolean
seam_store_cover (SeamStore *self, SeamResult *result, GError **error)
{
  g_autoptr (GPtrArray) plans = enter (self, result, error);

  if (plans == NULL)
    return FALSE;
  self->covered = seam_result_ref (result);
  seam_measurement_begin_recorded (self->measurement);
  seam_store_end_entering (self);
  return TRUE;
}

void
seam_store_begin_entering (SeamStore *self)
{
  self->is_choosing = TRUE;
  if (self->kept == NULL)
    self->kept = seam_kept_choice_new (self->setup);
}

void
seam_store_end_entering (SeamStore *self)
{
  self->is_choosing = FALSE;
  self->pipeline = seam_setup_get_pipeline (self->setup);
  seam_watch_notify (self, "viewing");
}

/* `chooses_pipeline`: the person's own again, rather than the one that is chosen now. */
static void
leave (SeamStore *self, gboolean chooses_pipeline)
{
  g_autoptr (SeamKeptChoice) kept = g_steal_pointer (&self->kept);

  if (kept == NULL)
    return;
  clear (self);
  self->is_choosing = TRUE;
  seam_measurement_end_recorded (self->measurement);
  seam_kept_choice_restore (kept, self->setup, chooses_pipeline);
  self->is_choosing = FALSE;
  seam_watch_notify (self, "viewing");
}

void
seam_store_close (SeamStore *self)
{
  leave (self, TRUE);
}

gboolean
seam_store_is_viewing (SeamStore *self)
{
  return self->kept != NULL;
}

static const SeamResult *
get_recorded (SeamStore *self)
{
  return self->run != NULL ? self->run->result : self->covered;
}

gboolean
seam_store_is_recorded (SeamStore *self)
{
  return get_recorded (self) != NULL;
}

const SeamDeviceInfo *
seam_store_get_device (SeamStore *self)
{
  const SeamResult *result = get_recorded (self);

  return result != NULL ? result->device : NULL;
}

gboolean
seam_store_get_rates (SeamStore *self, SeamRates *rates, const char **source)
{
  const SeamResult *result = get_recorded (self);
  g_autoptr (SeamProblem) problem =
      result != NULL ? seam_explain_read_problem (result, NULL) : NULL;

  if (problem == NULL || !seam_bounds_get_rates (result, problem, rates))
    return FALSE;
  *source = result->device->rates_source;
  return TRUE;
}

/* The person goes back to work of their own, on the pipeline that they choose. */
static void
pipeline_changed_cb (SeamStore *self)
{
  if (!self->is_choosing && self->kept != NULL
      && self->pipeline != seam_setup_get_pipeline (self->setup))
    leave (self, FALSE);
}

/* A run of one's own takes the place of the recorded one. */
static void
state_changed_cb (SeamStore *self)
{
  if (seam_measurement_get_state (self->measurement) == SEAM_RUN_RUNNING)
    clear (self);
}

const char *
seam_store_get_name (SeamStore *self)
{
  return seam_measurement_get_result (self->measurement) != NULL ? self->name : NULL;
}

SeamSessionRun *
seam_store_get_run (SeamStore *self)
{
  return self->run;
}

SeamSessionRun *
seam_store_get_shown (SeamStore *self)
{
  return seam_measurement_get_result (self->measurement) != NULL ? self->shown : NULL;
}

char *
seam_store_get_provenance (SeamStore *self)
{
  SeamResult *result = seam_measurement_get_result (self->measurement);
  g_autofree char *line = result != NULL ? seam_result_get_provenance (result) : NULL;

  if (line == NULL || self->name == NULL)
    return g_steal_pointer (&line);
  return g_strdup_printf ("From %s · %s", self->name, line);
}

static void
seam_store_class_init (SeamStoreClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (clear));
  SEAM_OWNS (klass, SeamStore, seam_kept_choice_free, kept);
  SEAM_OWNS (klass, SeamStore, g_object_unref, setup, measurement);
  seam_watch_install (klass, "viewing");
}

static void
seam_store_init (SeamStore *self)
{
}

SeamStore *
seam_store_new (SeamSetup *setup, SeamMeasurement *measurement)
{
  SeamStore *self = g_object_new (SEAM_TYPE_STORE, NULL);

  self->setup = g_object_ref (setup);
  self->measurement = g_object_ref (measurement);
  seam_watch_now (self, G_CALLBACK (pipeline_changed_cb), setup, "pipeline");
  seam_watch_now (self, G_CALLBACK (update_shown), setup, "plans");
  seam_watch_now (self, G_CALLBACK (state_changed_cb), measurement, "state");
  return self;
}
