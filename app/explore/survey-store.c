/* SPDX-License-Identifier: MIT
 *
 * A stored survey is made again from its request, and then takes over the points, so that nothing
 * but points of that very survey can be read.
 */
#include "app/explore/survey-store.h"

#include "app/explore/explore.h"

static const char *
get_last_time (const SeamSurvey *survey)
{
  const char *last = NULL;

  for (int i = 0; i < survey->n_points; i++)
    if (g_strcmp0 (survey->points[i].measured_at, last) > 0)
      last = survey->points[i].measured_at;
  return last;
}

static GVariant *
store (const SeamSurvey *survey, const SeamSweep *sweep)
{
  g_autofree char *x = NULL, *y = NULL;
  SeamStoredSurvey stored = { .kind = survey->kind,
                              .pipeline = survey->request->pipeline->id,
                              .varied = survey->varied,
                              .measured_at = (char *)get_last_time (survey),
                              .n_measured = seam_survey_count (survey, SEAM_POINT_MEASURED) };
  GVariantBuilder builder;

  if (sweep != NULL)
    stored.vary_x = x = seam_sweep_axis_format (&sweep->axes[0]);
  if (sweep != NULL && sweep->n_axes > 1)
    stored.vary_y = y = seam_sweep_axis_format (&sweep->axes[1]);
  seam_survey_get_part (survey, &stored.part);
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_record_build (&seam_stored_survey_type, &stored, TRUE, &builder);
  g_variant_builder_add (&builder, "{sv}", "request",
                         seam_run_request_to_variant (survey->request));
  return g_variant_builder_end (&builder);
}

GVariant *
seam_explore_store (const SeamSurvey *survey)
{
  return store (survey, NULL);
}

GVariant *
seam_sweep_store (const SeamSweep *sweep)
{
  return store (sweep->survey, sweep);
}

const char *
seam_survey_get_stored_kind (GVariant *variant)
{
  const char *kind = NULL;

  if (variant == NULL || !g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT))
    return NULL;
  g_variant_lookup (variant, "kind", "&s", &kind);
  return seam_choice_find (seam_survey_kinds, kind) >= 0 ? kind : NULL;
}

static SeamRunRequest *
read_request (GVariant *variant, const char *kind, GError **error)
{
  g_autoptr (GVariant) request =
      g_variant_lookup_value (variant, "request", G_VARIANT_TYPE_VARDICT);
  SeamRunRequest *parsed;
  const char *init;

  if (request == NULL) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "The result of %s says not what was asked.",
                 kind);
    return NULL;
  }
  parsed = seam_run_request_from_variant (request, error);
  /* Older files do not say, and were made like this; a new request has another default. */
  if (parsed != NULL && !g_variant_lookup (request, "init", "&s", &init))
    parsed->settings.init_mode = SEAM_INIT_MODE_FRAMEWORK;
  return parsed;
}

/* NULL, and nothing in `stored` to clear, with the error. */
static SeamRunRequest *
read_stored (GVariant *variant, SeamSurveyKind kind, SeamStoredSurvey *stored, GError **error)
{
  const char *name = seam_survey_kinds[kind].name;
  g_autoptr (SeamRunRequest) request = NULL;

  if (g_strcmp0 (seam_survey_get_stored_kind (variant), name) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "It is no result of %s.", name);
    return NULL;
  }
  request = read_request (variant, name, error);
  if (request == NULL
      || !seam_record_from_variant (&seam_stored_survey_type, variant, "survey", NULL, stored,
                                    error))
    return NULL;
  return g_steal_pointer (&request);
}

static gboolean
take_part (SeamSurvey *survey, SeamSurveyPart *part, GError **error)
{
  if (part->n_points != survey->n_points) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "It has %d points and should have %d.",
                 part->n_points, survey->n_points);
    return FALSE;
  }
  if (part->device == NULL || part->math_mode == SEAM_N_MATH_MODES) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                         "It says neither device nor math mode of its points.");
    return FALSE;
  }
  return seam_survey_merge_part (survey, part, error);
}

static SeamSurvey *
restore_explore (const SeamRunRequest *request, SeamStoredSurvey *stored, GError **error)
{
  g_autoptr (SeamSurvey) survey = NULL;

  if (request->pipeline->chains[0].n_ops - 1 > SEAM_LATTICE_MAX_SEAMS) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE, "Its pipeline is too long.");
    return NULL;
  }
  survey = seam_explore_new (request);
  return take_part (survey, &stored->part, error) ? g_steal_pointer (&survey) : NULL;
}

SeamSurvey *
seam_explore_restore (GVariant *variant, GError **error)
{
  SeamStoredSurvey stored;
  g_autoptr (SeamRunRequest) request = read_stored (variant, SEAM_SURVEY_EXPLORE, &stored, error);
  SeamSurvey *survey;

  if (request == NULL)
    return NULL;
  survey = restore_explore (request, &stored, error);
  seam_record_clear (&seam_stored_survey_type, &stored);
  return survey;
}

static SeamSweep *
restore_sweep (const SeamRunRequest *request, SeamStoredSurvey *stored, GError **error)
{
  g_autoptr (SeamSweep) sweep = NULL;

  if (stored->vary_x == NULL || request->plans == NULL || request->plans[0] == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                         "It does not say which shapes and plans it varies.");
    return NULL;
  }
  sweep = seam_sweep_new_from_texts (request, stored->vary_x, stored->vary_y, error);
  return sweep != NULL && take_part (sweep->survey, &stored->part, error) ? g_steal_pointer (&sweep)
                                                                          : NULL;
}

SeamSweep *
seam_sweep_restore (GVariant *variant, GError **error)
{
  SeamStoredSurvey stored;
  g_autoptr (SeamRunRequest) request = read_stored (variant, SEAM_SURVEY_SWEEP, &stored, error);
  SeamSweep *sweep;

  if (request == NULL)
    return NULL;
  sweep = restore_sweep (request, &stored, error);
  seam_record_clear (&seam_stored_survey_type, &stored);
  return sweep;
}
