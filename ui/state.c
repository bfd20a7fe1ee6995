/* SPDX-License-Identifier: MIT
 *
 * Which setting is which choice.
 */
#include "ui/state.h"

#include "ui/settings.h"

#include "app/base/text.h"

#include <string.h>

static const char *const plan_keys[SEAM_MODEL_MAX_PLANS] = { "plan-a", "plan-b", "plan-c" };

static SeamPipeline *
find_pipeline (SeamModel *model, const char *name)
{
  GPtrArray *pipelines = seam_model_get_pipelines (model);

  for (guint i = 0; i < pipelines->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
    if (strcmp (pipeline->id, name) == 0)
      return pipeline;
  }
  return NULL;
}

static void
load_pipeline (SeamModel *model)
{
  g_autofree char *name = seam_settings_get_string ("pipeline");
  SeamPipeline *known = find_pipeline (model, name);

  if (known != NULL)
    seam_model_set_pipeline (model, known);
  else if (g_path_is_absolute (name))
    seam_model_open_pipeline (model, name, NULL);
}

static void
load_shape (SeamModel *model)
{
  SeamPipeline *pipeline = seam_model_get_pipeline (model);
  g_autofree char *preset = seam_settings_get_string ("preset");
  g_autofree char *shape = seam_settings_get_string ("shape");

  if (preset[0] != '\0' && seam_pipeline_get_preset (pipeline, preset, NULL) != NULL) {
    seam_model_set_preset (model, preset);
    return;
  }
  if (preset[0] != '\0' || shape[0] == '\0')
    return;
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, NULL, shape, NULL);
  for (int i = 0; problem != NULL && i < pipeline->n_fields; i++) {
    g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, problem->values[i]);
    seam_model_set_field_text (model, i, text);
  }
}

void
seam_state_load (SeamModel *model)
{
  g_autofree char *target = seam_settings_get_string ("target");
  g_autofree char *math = seam_settings_get_string ("math-mode");
  g_autofree char *stored = seam_settings_get_string ("storage");
  g_autofree char *distribution = seam_settings_get_string ("distribution");
  g_autofree char *l2 = seam_settings_get_string ("l2-state");
  g_autofree char *launch = seam_settings_get_string ("launch-mode");
  g_autofree char *budget = seam_settings_get_string ("budget");
  g_autofree char *seed = seam_settings_get_string ("seed");
  g_autofree char *against = seam_settings_get_string ("against");
  SeamMathMode mode;
  SeamStorage storage;
  SeamDistribution values;
  SeamLaunchMode launch_mode;

  load_pipeline (model);
  load_shape (model);
  for (int i = 0; i < SEAM_MODEL_MAX_PLANS; i++) {
    g_autofree char *plan = seam_settings_get_string (plan_keys[i]);
    if (plan[0] != '\0')
      seam_model_set_plan_text (model, i, plan, NULL);
  }
  seam_model_forget_undo (model);
  if (target[0] != '\0')
    seam_model_set_target (model, target);
  if (math[0] != '\0' && seam_math_mode_parse (math, &mode, NULL))
    seam_model_set_math_mode (model, mode);
  if (stored[0] != '\0'
      && seam_choice_parse (seam_storages, SEAM_N_STORAGES, stored, "storage", (int *)&storage,
                            NULL))
    seam_model_set_storage (model, storage);
  if (seam_choice_parse (seam_distributions, SEAM_N_DISTRIBUTIONS, distribution, "", (int *)&values,
                         NULL))
    seam_model_set_distribution (model, values);
  seam_model_set_cold (model, strcmp (l2, "warm") != 0);
  if (launch[0] != '\0'
      && seam_choice_parse (seam_launch_modes, SEAM_N_LAUNCH_MODES, launch, "launch mode",
                            (int *)&launch_mode, NULL))
    seam_model_set_launch (model, launch_mode);
  if (seam_text_parse_double (budget, "", 0.1, 3600, &(double){ 0 }, NULL))
    seam_model_set_budget_text (model, budget);
  if (seam_text_parse_int64 (seed, "", 0, G_MAXINT64, &(gint64){ 0 }, NULL))
    seam_model_set_seed_text (model, seed);
  seam_model_set_against_fp64 (model, strcmp (against, "fp64") == 0);
}

/* The text of an edited kernel is in no setting: without it the plan could not be run. */
static gboolean
has_edit (const SeamPlan *plan)
{
  for (int i = 0; i < plan->n_groups; i++)
    if (plan->groups[i].implementation == SEAM_IMPLEMENTATION_EDITED)
      return TRUE;
  return FALSE;
}

static void
save_plan (const char *key, const SeamPlan *plan)
{
  const char *text = "";

  if (plan != NULL && !has_edit (plan))
    text = plan->name != NULL ? plan->name : plan->notation;
  seam_settings_set_string (key, text);
}

void
seam_state_save (SeamModel *model)
{
  SeamPipeline *pipeline = seam_model_get_pipeline (model);
  const SeamRunRequest *request = seam_model_get_request (model);
  const SeamProblem *problem = seam_model_get_problem (model);
  gboolean own =
      find_pipeline (model, pipeline->id) != pipeline
      || (pipeline->path != NULL && !g_str_has_prefix (pipeline->path, seam_data_dir ()));
  g_autofree char *budget = g_strdup_printf ("%g", request->settings.budget_s);
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, request->settings.seed);
  g_autofree char *shape = problem != NULL ? seam_problem_format_shape (problem) : NULL;
  g_autofree char *path =
      own && pipeline->path != NULL ? g_canonicalize_filename (pipeline->path, NULL) : NULL;

  seam_settings_set_string ("pipeline", path != NULL ? path : pipeline->id);
  seam_settings_set_string ("preset", seam_model_get_preset (model));
  seam_settings_set_string ("shape", shape);
  for (int i = 0; i < SEAM_MODEL_MAX_PLANS; i++)
    save_plan (plan_keys[i], seam_model_get_plan (model, i));
  /* Only a target that the person chose: else a new GPU would go unnoticed. */
  seam_settings_set_string ("target", seam_model_is_target_chosen (model) ? request->target : "");
  seam_settings_set_string ("math-mode", seam_math_mode_get_name (request->settings.math_mode));
  seam_settings_set_string (
      "storage", seam_choice_get_name (seam_storages, seam_model_get_chosen_storage (model)));
  seam_settings_set_string (
      "distribution", seam_choice_get_name (seam_distributions, request->settings.distribution));
  seam_settings_set_string ("l2-state", request->settings.cold ? "cold" : "warm");
  seam_settings_set_string (
      "launch-mode",
      seam_choice_get_name (seam_launch_modes, seam_model_get_chosen_launch (model)));
  seam_settings_set_string ("budget", budget);
  seam_settings_set_string ("seed", seed);
  seam_settings_set_string ("against", seam_model_get_against_fp64 (model) ? "fp64" : "");
}
