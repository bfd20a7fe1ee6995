/* SPDX-License-Identifier: MIT
 *
 * A survey on its way between worker and window: what is known of the target, and points with their
 * places. Anything may come from the other end, so everything is checked.
 */
#include "app/explore/survey.h"

#include <string.h>

void
seam_survey_get_part (const SeamSurvey *survey, SeamSurveyPart *part)
{
  *part = (SeamSurveyPart){ .device = survey->device,
                            .math_mode = survey->math_mode,
                            .floor_ns = survey->ceiling.floor.floor_ns,
                            .floor_source = survey->floor_source,
                            .n_points = survey->n_points,
                            .points = survey->points };
}

GVariant *
seam_survey_to_variant (const SeamSurvey *survey, const int *indices, int n)
{
  g_autofree SeamPoint *points = NULL;
  SeamSurveyPart part;

  seam_survey_get_part (survey, &part);
  if (indices != NULL) {
    points = g_new (SeamPoint, MAX (n, 1));
    for (int i = 0; i < n; i++)
      points[i] = survey->points[indices[i]];
    part.points = points;
    part.n_points = n;
    part.places = (int *)indices;
  }
  return seam_record_to_variant (&seam_survey_part_type, &part, TRUE);
}

static int
get_place (const SeamSurveyPart *part, int i)
{
  return part->places != NULL ? part->places[i] : i;
}

static gboolean
is_own (const SeamSurvey *survey, const SeamPoint *point, int place)
{
  return place >= 0 && place < survey->n_points
         && strcmp (point->plan, survey->points[place].plan) == 0
         && g_strcmp0 (point->shape, survey->points[place].shape) == 0;
}

/* The record that is left is a new one. */
static void
move_point (SeamPoint *to, SeamPoint *from)
{
  seam_record_clear (&seam_point_type, to);
  *to = *from;
  seam_record_init (&seam_point_type, from);
}

gboolean
seam_survey_merge_part (SeamSurvey *survey, SeamSurveyPart *part, GError **error)
{
  for (int i = 0; i < part->n_points; i++)
    if (!is_own (survey, &part->points[i], get_place (part, i))) {
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                   "The survey has a point “%s” at place %d that is not its own.",
                   part->points[i].plan, get_place (part, i));
      return FALSE;
    }
  for (int i = 0; i < part->n_points; i++)
    move_point (&survey->points[get_place (part, i)], &part->points[i]);
  if (part->device == NULL)
    return TRUE;
  seam_device_info_free (survey->device);
  survey->device = g_steal_pointer (&part->device);
  survey->math_mode = part->math_mode;
  g_free (survey->floor_source);
  survey->floor_source = g_steal_pointer (&part->floor_source);
  survey->ceiling.floor.floor_ns = part->floor_ns;
  return TRUE;
}

gboolean
seam_survey_merge_variant (SeamSurvey *survey, GVariant *variant, GError **error)
{
  SeamSurveyPart part;
  gboolean is_merged;

  if (!seam_record_from_variant (&seam_survey_part_type, variant, "survey", NULL, &part, error))
    return FALSE;
  is_merged = seam_survey_merge_part (survey, &part, error);
  seam_record_clear (&seam_survey_part_type, &part);
  return is_merged;
}

static const SeamField progress_fields[] = {
  { SEAM_FIELD (SeamSurveyProgress, n_points, INT), .max = G_MAXINT },
  { SEAM_FIELD (SeamSurveyProgress, n_pending, INT), .max = G_MAXINT },
  { SEAM_FIELD (SeamSurveyProgress, elapsed_s, DOUBLE), .from_zero = TRUE },
  { SEAM_FIELD (SeamSurveyProgress, budget_s, DOUBLE), .from_zero = TRUE },
  { SEAM_FIELD (SeamSurveyProgress, expected_s, DOUBLE) },
  { SEAM_FIELD (SeamSurveyProgress, current, INT), .initial = -1, .min = -1, .max = G_MAXINT },
  { NULL },
};

/* Without what stays in the process that measures. */
static const SeamRecordType progress_type = {
  .name = "survey's progress",
  .size = sizeof (SeamSurveyProgress),
  .fields = progress_fields,
};

GVariant *
seam_survey_progress_to_variant (const SeamSurvey *survey, const SeamSurveyProgress *progress)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  /* Without fresh points nothing of the survey has changed. */
  if (progress->n_fresh > 0)
    g_variant_builder_add (&builder, "{sv}", "survey",
                           seam_survey_to_variant (survey, progress->fresh, progress->n_fresh));
  seam_record_build (&progress_type, progress, TRUE, &builder);
  return g_variant_builder_end (&builder);
}

gboolean
seam_survey_progress_from_variant (GVariant *variant, SeamSurveyProgress *progress,
                                   GVariant **survey, GError **error)
{
  SeamReader reader;

  seam_record_init (&progress_type, progress);
  seam_reader_init (&reader, variant, progress_type.name);
  *survey = seam_reader_value (&reader, "survey", "a{sv}");
  seam_record_read (&progress_type, &reader, NULL, progress);
  if (seam_reader_finish (&reader, error))
    return TRUE;
  g_clear_pointer (survey, g_variant_unref);
  return FALSE;
}
