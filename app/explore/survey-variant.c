/* SPDX-License-Identifier: MIT
 *
 * A survey on its way between worker and window: what is known of the target, and points with their
 * places. Anything may come from the other end, so everything is checked.
 */
#include "app/explore/survey.h"

#include "app/record/variant.h"

#include <math.h>
#include <string.h>

GVariant *
seam_survey_to_variant (const SeamSurvey *survey, const int *indices, int n)
{
  GVariantBuilder builder, points;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  if (survey->device != NULL)
    g_variant_builder_add (&builder, "{sv}", "device",
                           seam_record_to_variant (&seam_device_info_type, survey->device, TRUE));
  seam_builder_string (&builder, "math_mode", survey->math_mode);
  seam_builder_string (&builder, "floor_source", survey->floor_source);
  seam_builder_double (&builder, "floor_ns", survey->ceiling.floor.floor_ns);
  g_variant_builder_init (&points, G_VARIANT_TYPE ("a(ia{sv})"));
  for (int i = 0; i < (indices != NULL ? n : survey->n_points); i++) {
    int index = indices != NULL ? indices[i] : i;
    g_variant_builder_add (&points, "(i@a{sv})", index,
                           seam_record_to_variant (&seam_point_type, &survey->points[index], TRUE));
  }
  g_variant_builder_add (&builder, "{sv}", "points", g_variant_builder_end (&points));
  return g_variant_builder_end (&builder);
}

static gboolean
merge_point (SeamSurvey *survey, int index, GVariant *variant, GError **error)
{
  SeamPoint point;

  if (!seam_record_from_variant (&seam_point_type, variant, "point", NULL, &point, error))
    return FALSE;
  if (index < 0 || index >= survey->n_points || strcmp (point.plan, survey->points[index].plan) != 0
      || g_strcmp0 (point.shape, survey->points[index].shape) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "The survey has a point “%s” at place %d that is not its own.", point.plan, index);
    seam_record_clear (&seam_point_type, &point);
    return FALSE;
  }
  seam_record_clear (&seam_point_type, &survey->points[index]);
  survey->points[index] = point;
  return TRUE;
}

gboolean
seam_survey_merge_variant (SeamSurvey *survey, GVariant *variant, GError **error)
{
  SeamReader reader;
  g_autofree char *math_mode = NULL, *floor_source = NULL;
  double floor_ns = survey->ceiling.floor.floor_ns;

  seam_reader_init (&reader, variant, "survey");
  seam_reader_string (&reader, "math_mode", &math_mode);
  seam_reader_string (&reader, "floor_source", &floor_source);
  seam_reader_double (&reader, "floor_ns", &floor_ns);
  g_autoptr (GVariant) device = seam_reader_value (&reader, "device", "a{sv}");
  g_autoptr (GVariant) points = seam_reader_value (&reader, "points", "a(ia{sv})");
  if (!seam_reader_finish (&reader, error))
    return FALSE;
  for (gsize i = 0; points != NULL && i < g_variant_n_children (points); i++) {
    g_autoptr (GVariant) point = NULL;
    int index;

    g_variant_get_child (points, i, "(i@a{sv})", &index, &point);
    if (!merge_point (survey, index, point, error))
      return FALSE;
  }
  if (device != NULL) {
    SeamDeviceInfo *info = seam_device_info_from_variant (device);
    if (info != NULL) {
      seam_device_info_free (survey->device);
      survey->device = info;
    }
  }
  if (math_mode != NULL) {
    g_free (survey->math_mode);
    survey->math_mode = g_steal_pointer (&math_mode);
  }
  if (floor_source != NULL) {
    g_free (survey->floor_source);
    survey->floor_source = g_steal_pointer (&floor_source);
  }
  survey->ceiling.floor.floor_ns = floor_ns;
  return TRUE;
}

GVariant *
seam_survey_progress_to_variant (const SeamSurvey *survey, const SeamSurveyProgress *progress)
{
  g_autoptr (GVariant) points =
      g_variant_ref_sink (seam_survey_to_variant (survey, progress->fresh, progress->n_fresh));
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  /* Without fresh points nothing of the survey has changed. */
  if (progress->n_fresh > 0)
    g_variant_builder_add (&builder, "{sv}", "survey", points);
  seam_builder_int64 (&builder, "n_points", progress->n_points);
  seam_builder_int64 (&builder, "n_pending", progress->n_pending);
  seam_builder_double (&builder, "elapsed_s", progress->elapsed_s);
  seam_builder_double (&builder, "budget_s", progress->budget_s);
  seam_builder_double (&builder, "expected_s", progress->expected_s);
  seam_builder_int64 (&builder, "current", progress->current);
  return g_variant_builder_end (&builder);
}

gboolean
seam_survey_progress_from_variant (GVariant *variant, SeamSurveyProgress *progress,
                                   GVariant **survey, GError **error)
{
  SeamReader reader;

  *progress = (SeamSurveyProgress){ .expected_s = NAN, .current = -1 };
  seam_reader_init (&reader, variant, "survey's progress");
  *survey = seam_reader_value (&reader, "survey", "a{sv}");
  seam_reader_int (&reader, "n_points", 0, G_MAXINT, &progress->n_points);
  seam_reader_int (&reader, "n_pending", 0, G_MAXINT, &progress->n_pending);
  seam_reader_double (&reader, "elapsed_s", &progress->elapsed_s);
  seam_reader_double (&reader, "budget_s", &progress->budget_s);
  seam_reader_double (&reader, "expected_s", &progress->expected_s);
  seam_reader_int (&reader, "current", -1, G_MAXINT, &progress->current);
  if (seam_reader_finish (&reader, error))
    return TRUE;
  g_clear_pointer (survey, g_variant_unref);
  return FALSE;
}
