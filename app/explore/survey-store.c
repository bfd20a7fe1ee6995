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

GVariant *
seam_survey_store (const SeamSurvey *survey)
{
  const SeamSweep *sweep = survey->sweep;
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
restore (const SeamRunRequest *request, SeamStoredSurvey *stored, GError **error)
{
  g_autoptr (SeamSurvey) survey = NULL;

  if (stored->kind == SEAM_SURVEY_EXPLORE) {
    survey = seam_explore_new (request);
  } else if (stored->vary_x != NULL) {
    survey = seam_sweep_new_from_texts (request, stored->vary_x, stored->vary_y, error);
  } else {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE, "It does not say what it varies.");
  }
  return survey != NULL && take_part (survey, &stored->part, error) ? g_steal_pointer (&survey)
                                                                    : NULL;
}

SeamSurvey *
seam_survey_restore (GVariant *variant, GError **error)
{
  g_autoptr (SeamRunRequest) request = NULL;
  const char *kind = NULL;
  SeamStoredSurvey stored;
  SeamSurvey *survey;

  if (g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT))
    g_variant_lookup (variant, "kind", "&s", &kind);
  if (seam_choice_find (seam_survey_kinds, kind) < 0) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                         "It is no result of explore or sweep.");
    return NULL;
  }
  request = read_request (variant, kind, error);
  if (request == NULL
      || !seam_record_from_variant (&seam_stored_survey_type, variant, "survey", NULL, &stored,
                                    error))
    return NULL;
  survey = restore (request, &stored, error);
  seam_record_clear (&seam_stored_survey_type, &stored);
  return survey;
}
