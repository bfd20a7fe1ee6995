/* SPDX-License-Identifier: MIT
 *
 * The key of each choice.
 */
#include "ui/state/state.h"

#include "ui/state/remembered.h"

#include "app/base/text.h"

#include <string.h>

static const char *const plan_keys[SEAM_MAX_CHOSEN_PLANS] = { "plan-a", "plan-b", "plan-c" };

static SeamPipeline *
find_pipeline (SeamModel *model, const char *name)
{
  GPtrArray *pipelines = seam_setup_get_pipelines (model->setup);

  for (guint i = 0; i < pipelines->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
    if (strcmp (pipeline->id, name) == 0)
      return pipeline;
  }
  return NULL;
}

/* The sidebar has the program's pipelines, then those that were used. */
static void
load_used (SeamModel *model)
{
  g_auto (GStrv) used = seam_remembered_get_list (SEAM_USED_PIPELINES);

  for (int i = 0; used[i] != NULL; i++) {
    g_autoptr (SeamPipeline) pipeline =
        find_pipeline (model, used[i]) == NULL ? seam_pipeline_find (used[i], NULL) : NULL;
    if (pipeline != NULL)
      seam_setup_add_pipeline (model->setup, pipeline);
  }
}

static void
load_pipeline (SeamModel *model)
{
  g_autofree char *name = seam_remembered_get_string ("pipeline");
  SeamPipeline *known = find_pipeline (model, name);

  if (known != NULL)
    seam_setup_set_pipeline (model->setup, known);
  else if (g_path_is_absolute (name))
    seam_setup_open_pipeline (model->setup, name, NULL);
}

static void
load_shape (SeamModel *model)
{
  SeamPipeline *pipeline = seam_setup_get_pipeline (model->setup);
  g_autofree char *preset = seam_remembered_get_string ("preset");
  g_autofree char *shape = seam_remembered_get_string ("shape");

  if (preset[0] != '\0' && seam_pipeline_get_preset (pipeline, preset, NULL) != NULL) {
    seam_setup_set_preset (model->setup, preset);
    return;
  }
  if (preset[0] != '\0' || shape[0] == '\0')
    return;
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, NULL, shape, NULL);
  for (int i = 0; problem != NULL && i < pipeline->n_fields; i++) {
    g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, problem->values[i]);
    seam_setup_set_field_text (model->setup, i, text);
  }
}

/* Older versions kept each setting under a key of its own, named like the setting or like its
 * option. */
static char *
get_older_text (const char *name, const char *option)
{
  g_autofree char *text = seam_remembered_get_string (name);

  return text[0] != '\0' ? g_steal_pointer (&text) : seam_remembered_get_string (option);
}

/* Reads one dictionary, which is empty until this version has saved its settings. */
static void
load_settings (SeamChosenSettings *settings)
{
  g_autoptr (GVariant) saved = seam_remembered_get_texts ("settings");
  gboolean is_empty = g_variant_n_children (saved) == 0;

  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
    const char *name = seam_chosen_settings_get_name (*field);
    g_autofree char *text = NULL;

    if (name == NULL)
      continue;
    if (is_empty)
      text = get_older_text (name, (*field)->setting->option);
    else
      g_variant_lookup (saved, name, "s", &text);
    if (text != NULL && text[0] != '\0')
      seam_chosen_settings_restore (settings, *field, text);
  }
}

static void
save_settings (SeamChosenSettings *settings)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
    const char *name = seam_chosen_settings_get_name (*field);
    g_autofree char *text = seam_setting_format (*field, seam_chosen_settings_get (settings));

    if (name != NULL)
      g_variant_builder_add (&builder, "{ss}", name, text);
  }
  seam_remembered_set_texts ("settings", g_variant_builder_end (&builder));
}

void
seam_state_load (SeamModel *model)
{
  g_autofree char *target = seam_remembered_get_string ("target");

  load_used (model);
  load_pipeline (model);
  load_shape (model);
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++) {
    g_autofree char *plan = seam_remembered_get_string (plan_keys[i]);
    if (plan[0] != '\0')
      seam_setup_set_plan_text (model->setup, i, plan, NULL);
  }
  seam_setup_forget_undo (model->setup);
  if (target[0] != '\0')
    seam_setup_set_target (model->setup, target);
  load_settings (seam_setup_get_settings (model->setup));
}

/* The text of an edited kernel is not saved, and without it the plan could not be run. */
static gboolean
has_edit (const SeamPlan *plan)
{
  for (int i = 0; i < plan->n_groups; i++)
    if (seam_group_is (&plan->groups[i], SEAM_IMPLEMENTATION_EDITED))
      return TRUE;
  return FALSE;
}

static void
save_plan (const char *key, const SeamPlan *plan)
{
  const char *text = "";

  if (plan != NULL && !has_edit (plan))
    text = plan->name != NULL ? plan->name : plan->notation;
  seam_remembered_set_string (key, text);
}

void
seam_state_save (SeamModel *model)
{
  SeamPipeline *pipeline = seam_setup_get_pipeline (model->setup);
  const SeamRunRequest *request = seam_setup_get_request (model->setup);
  const SeamProblem *problem = seam_setup_get_problem (model->setup);
  g_autofree char *shape = problem != NULL ? seam_problem_format_shape (problem) : NULL;
  g_autofree char *name = seam_pipeline_make_name (pipeline);

  seam_remembered_set_string ("pipeline", name);
  seam_remembered_set_listed (SEAM_USED_PIPELINES, name, TRUE, SEAM_MAX_USED);
  seam_remembered_set_string ("preset", seam_setup_get_preset (model->setup));
  seam_remembered_set_string ("shape", shape);
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    save_plan (plan_keys[i], seam_setup_get_plan (model->setup, i));
  /* Only a target that the person chose is saved: else a new GPU would go unnoticed. */
  seam_remembered_set_string ("target",
                              seam_setup_is_target_chosen (model->setup) ? request->target : "");
  save_settings (seam_setup_get_settings (model->setup));
}
